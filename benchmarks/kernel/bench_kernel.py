"""How fast the compiled kernel is, against the same work in C.

    python benchmarks/kernel/bench_kernel.py [--rounds 40] [--game alien-crew] [--json]

Builds ``yardstick.c`` (gcc -O3 -march=native) in a temporary folder and runs it on the arrays of
the same layout, checks that both give the same numbers, and prints microseconds a turn solve, of
Martian Dice or of another game. Ratios come from pairs of runs right after one another, as the
median over all rounds, so that they mean something on a machine that does other work too; but two
cores need both to be free, or else look at the best runs.

A *turn solve* is the best value at the root and the choice at every decision; "with outcomes"
adds the distribution of outcomes under that policy.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from solver.games import game
from solver.turn import compile_turn, passes
from solver.turn.fast import Prepared, prepare, room, solve_roots, together
from solver.turn.kernel import TIE, distribution_batch, solve_batch
from solver.turn.lanes import LANES, SET_TYPE

BATCH = 512
SCREEN = TIE * 1.01
SOURCE = Path(__file__).with_name("yardstick.c")
FIRST_CALL = """
import json, sys
from time import perf_counter
clock = [perf_counter()]
import numba
clock.append(perf_counter())
import numpy as np
from solver.turn import fast, passes
clock.append(perf_counter())
from solver.games import game
from solver.turn import compile_turn
graph = compile_turn(game("martian-dice"))
clock.append(perf_counter())
prepared = fast.prepare(graph)
clock.append(perf_counter())
points = graph.points.astype(float)
fast.solve_roots(prepared, points[None], tiebreak=points)
clock.append(perf_counter())
names = ("import_numba", "import_kernel", "compile_rules", "prepare", "first_call")
times = {n: b - a for n, a, b in zip(names, clock, clock[1:])}
times["compiled"] = sum(passes.solve_roots.stats.cache_misses.values())
print(json.dumps(times))
"""


class Graph(ctypes.Structure):
    _fields_ = (
        ("blocks", ctypes.c_void_p),
        ("index", ctypes.c_void_p),
        ("probability", ctypes.c_void_p),
        ("nblocks", ctypes.c_int64),
        ("outcomes", ctypes.c_int64),
        ("chances", ctypes.c_int64),
        ("slots", ctypes.c_int64),
        ("root", ctypes.c_int64),
    )


class Yardstick:
    """The C program with its own room to work in."""

    def __init__(self, folder: Path, prepared: Prepared, lanes: int) -> None:
        library = folder / f"yardstick{lanes}.so"
        compiler = shutil.which("gcc") or "cc"
        options = ["-O3", "-march=native", "-shared", "-fPIC", f"-DLANES={lanes}"]
        subprocess.run([compiler, *options, str(SOURCE), "-o", str(library)], check=True)
        self.solve = ctypes.CDLL(str(library)).solve
        self.solve.restype = ctypes.c_int64
        self.prepared = prepared
        self.rows = room(2, prepared.rows)
        self.choice = np.zeros(prepared.choices, dtype=SET_TYPE)
        self.graph = Graph(
            *(array.ctypes.data for array in prepared.arrays),
            len(prepared.blocks),
            len(prepared.graph.outcomes),
            len(prepared.chance_nodes),
            prepared.slots,
            int(prepared.slot[prepared.graph.root]),
        )

    def bind(self, payoffs: Any, value: Any, distribution: Any) -> Callable[[], int]:
        """Return a call without arguments that solves `payoffs`."""
        arguments = (
            ctypes.byref(self.graph),
            _pointer(payoffs),
            ctypes.c_int64(len(payoffs)),
            ctypes.c_double(SCREEN),
            _pointer(value),
            None if distribution is None else _pointer(distribution),
            _pointer(self.rows),
            ctypes.c_int64(self.prepared.rows),
            _pointer(self.choice),
        )
        return lambda: self.solve(*arguments)


class Kernel:
    """The compiled passes, called like the yardstick."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.rows = room(3, prepared.rows)
        self.choice = np.zeros(prepared.choices, dtype=SET_TYPE)

    def bind(self, payoffs: Any, value: Any, distribution: Any) -> Callable[[], int]:
        """Return a call without arguments that solves `payoffs`."""
        p = self.prepared
        points = p.graph.points.astype(np.float64)
        root = int(p.slot[p.graph.root])
        chances, arrays = len(p.chance_nodes), p.arrays
        out = np.empty((0, payoffs.shape[1])) if distribution is None else distribution
        return lambda: passes.solve_roots(
            arrays, chances, p.slots, payoffs, points, TIE, SCREEN, root, value, out,
            0, len(payoffs), self.rows, self.choice,
        )  # fmt: skip


def _pointer(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def random_payoffs(outcomes: int) -> Any:
    """Return win chances that rise with the points, drawn at random."""
    return np.sort(np.random.default_rng(20240229).random((BATCH, outcomes)), axis=1)


def last_turn_payoffs(outcomes: int) -> Any:
    """Return the payoffs of a match's last turn: lose, share or win."""
    needed = np.arange(BATCH)[:, None] % outcomes
    points = np.arange(outcomes)
    return np.where(points > needed, 1.0, np.where(points == needed, 0.5, 0.0))


def race_payoffs(prepared: Prepared, target: int = 25, sweeps: int = 12) -> Any:
    """Return payoffs as they occur in a race of two, from a few sweeps of value iteration.

    Whoever reaches the target first wins; scores (mine, theirs), at the start of my turn.
    """
    points = prepared.graph.points.astype(np.float64)
    win = np.full((target, target), 0.5)
    mine, theirs = np.divmod(np.arange(target * target), target)
    after = mine[:, None] + prepared.graph.points[None, :]
    for _ in range(sweeps):
        there = 1.0 - win[theirs[:, None], np.minimum(after, target - 1)]
        payoffs = np.where(after < target, there, 1.0)
        win = solve_roots(prepared, payoffs, tiebreak=points)[0].reshape(target, target)
    return payoffs[np.random.default_rng(0).permutation(len(payoffs))[:BATCH]]


def paired(rounds: int, *calls: Callable[[], Any]) -> list[list[float]]:
    """Return the seconds of each call in each round, in an order that alternates."""
    for call in calls:
        call()
    seconds: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds):
        order = range(len(calls)) if turn % 2 else range(len(calls) - 1, -1, -1)
        for i in order:
            begin = perf_counter()
            calls[i]()
            seconds[i].append(perf_counter() - begin)
    return seconds


def ratio(above: Sequence[float], below: Sequence[float]) -> dict[str, float]:
    """Return the median of the ratios of pairs, and the ratio of the best runs."""
    pairs = median(a / b for a, b in zip(above, below, strict=True))
    return {"pairs": pairs, "best": min(above) / min(below)}


def check(prepared: Prepared, yardstick: Yardstick, kernel: Kernel, payoffs: Any) -> None:
    """Exit if the yardstick, the kernel and the numpy kernel do not give the same numbers."""
    graph = prepared.graph
    payoffs = payoffs[: 8 * LANES]
    points = graph.points.astype(np.float64)
    reference = solve_batch(graph, np.ascontiguousarray(payoffs.T), tiebreak=points)
    outcomes = distribution_batch(graph, reference.chosen, graph.root).T
    value, fast = np.empty((2, len(payoffs)))
    distribution, fast_distribution = np.empty((2, *payoffs.shape))
    yardstick.bind(payoffs, value, distribution)()
    kernel.bind(payoffs, fast, fast_distribution)()
    wrong = max(
        np.abs(fast - reference.value[graph.root]).max(),
        np.abs(fast_distribution - outcomes).max(),
        np.abs(value - fast).max(),
        # Among equally good options the yardstick takes any; what it takes is worth the same.
        np.abs((distribution * payoffs).sum(axis=1) - value).max(),
        np.abs(distribution.sum(axis=1) - 1.0).max(),
    )
    if wrong > 1e-14:
        sys.exit(f"the yardstick and the kernels differ by {wrong}")


def first_calls() -> list[dict[str, float]]:
    """Return the times of a first process, which compiles, and a second, which must not."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        run = [
            subprocess.run(
                [sys.executable, "-c", FIRST_CALL],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
            for _ in range(2)
        ]
    return [json.loads(process.stdout) for process in run]


def measure(rounds: int, name: str) -> dict[str, Any]:
    graph = compile_turn(game(name))
    prepared = prepare(graph)
    points = graph.points.astype(np.float64)
    outcomes = len(graph.outcomes)
    kinds = {"random": random_payoffs(outcomes)}
    if name == "martian-dice":
        kinds |= {"race": race_payoffs(prepared), "last turn": last_turn_payoffs(outcomes)}
    random = kinds["random"]
    value, distribution = np.empty(BATCH), np.empty(random.shape)
    kernel = Kernel(prepared)
    with tempfile.TemporaryDirectory() as folder:
        wide = Yardstick(Path(folder), prepared, LANES)
        single = Yardstick(Path(folder), prepared, 1)
        for payoffs in kinds.values():
            check(prepared, wide, kernel, payoffs)
        table: dict[str, dict[str, float]] = {}
        ratios: dict[str, dict[str, float]] = {}
        for column, out in (("turn solve", None), ("with outcomes", distribution)):
            c, own = paired(rounds, wide.bind(random, value, out), kernel.bind(random, value, out))
            few = random[:64]
            (one,) = paired(max(3, rounds // 8), single.bind(few, value, out))
            table[column] = {
                "C, one payoff at a time": median(one) / len(few),
                f"C, {LANES} side by side": median(c) / BATCH,
                "kernel, one core": median(own) / BATCH,
            }
            ratios[f"kernel / C per core, {column}"] = ratio(c, own)
        ties: dict[str, dict[str, float]] = {}
        for kind, payoffs in kinds.items():
            call = kernel.bind(payoffs[together(payoffs)], value, None)
            (seconds,) = paired(max(3, rounds // 4), call)
            groups = BATCH // LANES
            ties[kind] = {
                "turn_solve": median(seconds) / BATCH,
                "tiebreak_share": call() / groups / len(prepared.blocks),
            }
    many = np.concatenate([random] * 4)

    def api(workers: int) -> Callable[[], object]:
        return lambda: solve_roots(prepared, many, tiebreak=points, workers=workers)

    one_core, both = paired(rounds, api(1), api(2))
    table["with outcomes"]["solve_roots, one core"] = median(one_core) / len(many)
    table["with outcomes"]["solve_roots, two cores"] = median(both) / len(many)
    ratios["two cores / one"] = ratio(one_core, both)
    few = np.ascontiguousarray(random[:64].T)

    def numpy_values() -> Any:
        return solve_batch(graph, few, tiebreak=points)

    def numpy_outcomes() -> Any:
        return distribution_batch(graph, numpy_values().chosen, graph.root)

    values, all_of_it = paired(3, numpy_values, numpy_outcomes)
    table["turn solve"]["numpy kernel"] = median(values) / 64
    table["with outcomes"]["numpy kernel"] = median(all_of_it) / 64
    row = LANES * 8
    return {
        "game": name,
        "seconds": table,
        "ratios": ratios,
        "payoffs": ties,
        "processes": first_calls(),
        "bytes": {
            "graph as compiled": sum(
                a.nbytes for a in (graph.kind, graph.first, graph.child, graph.probability)
            ),
            "layout": prepared.nbytes,
            "values of a pass": prepared.rows * row,
            "values if every node had a row": graph.nodes * row,
            "policy": prepared.choices * SET_TYPE.itemsize,
        },
    }


def show(result: dict[str, Any]) -> None:
    columns = list(result["seconds"])
    title = f"microseconds, one turn of {result['game']}"
    print(f"{title:42}" + "".join(f"{c:>16}" for c in columns))
    names = dict.fromkeys(name for column in columns for name in result["seconds"][column])
    for name in names:
        cells = (result["seconds"][column].get(name) for column in columns)
        print(f"{name:42}" + "".join(f"{1e6 * c:16.2f}" if c else " " * 16 for c in cells))
    print()
    print(f"{'ratios of speed':42}{'median of pairs':>16}{'best runs':>16}")
    for name, row in result["ratios"].items():
        print(f"{name:42}{row['pairs']:16.3f}{row['best']:16.3f}")
    print()
    print(f"{'payoffs, one core':42}{'turn solve':>16}{'tiebreak for':>16}")
    for kind, row in result["payoffs"].items():
        print(f"{kind:42}{1e6 * row['turn_solve']:16.2f}{row['tiebreak_share']:16.1%}")
    print()
    print(f"{'milliseconds':42}{'first process':>16}{'second':>16}")
    first, second = result["processes"]
    for name in first:
        scale = 1 if name == "compiled" else 1e3
        print(f"{name:42}{scale * first[name]:16.0f}{scale * second[name]:16.0f}")
    print()
    for name, number in result["bytes"].items():
        print(f"bytes, {name:35}{number:16}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--game", default="martian-dice", help="whose turn is solved")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    result = measure(options.rounds, options.game)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
