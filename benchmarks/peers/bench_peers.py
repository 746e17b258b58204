"""Peers on the same graph and the same game: Storm, OpenSpiel, plain Python.

    pip install 'should-i-roll[fast,bench]'
    python benchmarks/peers/bench_peers.py [--rounds 9] [--targets 10 15 25] [--json]

A peer that is not installed is skipped. All values are compared in the run, which fails if they
differ: the fractions at all, Storm's default and sound values by more than 1e-12, those of its
iterated methods by more than 1e-5, OpenSpiel's by more than ten times its threshold of 1e-12.

*Turn.* The turn graph of Martian Dice goes to Storm (stormpy 2.0, sparse engine) as a Markov
decision process in the DRN format. Storm's best expected points are compared with ours at every
node; building the model is timed apart from checking it, and the check is set against what we
need on the graph: in exact rationals, by the numpy kernel for one payoff, by the compiled kernel
for one payoff of a batch and for one alone (with the distribution of outcomes, at the root only),
and against plain memoised Python on the rules (which has no graph to begin with).

A turn never comes back to a state, so Storm's own choice of method, with or without soundness,
is one backward pass like ours. Methods that iterate are forced in further rows; they are asked
for 1e-6 of the value, Storm's default. "any node" is the largest distance, relative to values
above one; "excluded by" is how far the exact value lies outside of the interval that Storm gives
for it: by rounding, or because the interval is wrong.

*Match.* Pig for two, to small targets, by OpenSpiel's value iteration in Python (listing the
states, then sweeps), and by ``solve_match`` (compiling the turn, solving, proving a bound).
OpenSpiel lets a player stop before the first roll and has them stop by hand at the target; we
allow neither. Nobody is better off for it, so the chances to win are the same. Its threshold is
for the change in the last sweep, not for the error; so a result may be off by a few thresholds,
and for the smallest target a second run at a threshold of 1e-15 shows what it tends to. Its
horizon of moves is set out of reach, for the horizon is no part of its states.

Calls take turns, and figures are medians. Compiled code is warm.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import solver
from solver.games.protocol import Bank, Choose, Game
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import solve_batch

BATCH = 512
OF_BATCH = f"compiled, of {BATCH}"
ROUNDING = 1e-12
SPIEL_THRESHOLD = 1e-12
SPIEL_FACTOR = 10

Seconds = dict[str, list[float]]


def interleaved(rounds: int, calls: Mapping[str, Callable[[], object]]) -> Seconds:
    """Return the seconds of each call in each round; a first round is not counted."""
    for call in calls.values():
        call()
    seconds: Seconds = {name: [] for name in calls}
    for turn in range(rounds):
        for name in list(calls) if turn % 2 else reversed(calls):
            begin = perf_counter()
            calls[name]()
            seconds[name].append(perf_counter() - begin)
    return seconds


def ratio(above: list[float], below: list[float]) -> float:
    """Return the median ratio of runs of the same round."""
    return median(a / b for a, b in zip(above, below, strict=True))


def missing(module: str, skipped: str) -> bool:
    """Return whether a module is not installed, and say so."""
    gone = find_spec(module) is None
    if gone:
        print(f"{module} is not installed: {skipped} is skipped", file=sys.stderr)
    return gone


def require(distance: float, limit: float, who: str) -> float:
    """Return the distance, or fail if it is beyond the limit."""
    if not distance <= limit:
        raise AssertionError(f"{who} is {distance:.3g} from our value; the limit is {limit:.3g}")
    return distance


def plain_python(rules: Game) -> float:
    """Return the expected points by memoised recursion over the rules, in floats."""

    @cache
    def value(state: Any) -> float:
        found = rules.expand(state)
        if isinstance(found, Bank):
            return float(found.outcome)
        if isinstance(found, Choose):
            return max(value(s) for s in found.options.values())
        return sum(w * value(s) for w, s in found.branches) / sum(w for w, _ in found.branches)

    return value(rules.start())


# --- the turn ------------------------------------------------------------------------------


def own_calls(rules: Game, graph: TurnGraph) -> dict[str, Callable[[], float]]:
    """Return our ways to the expected points, and plain Python's; each gives the value."""
    points = graph.points.astype(np.float64)
    worth = graph.points.tolist()
    calls = {
        "exact": lambda: float(solve_exact(graph, worth).value(graph.root)),
        "numpy": lambda: float(solve_batch(graph, points[:, None]).value[graph.root, 0]),
    }
    if not missing("numba", "the compiled kernel"):
        from solver.turn.fast import prepare, solve_roots  # noqa: PLC0415

        prepared = prepare(graph)
        others = np.random.default_rng(1).random((BATCH - 1, len(points))) * points.max()
        batch = np.vstack([points, np.sort(others, axis=1)])
        calls[OF_BATCH] = lambda: float(solve_roots(prepared, batch, tiebreak=points)[0][0])
        calls["compiled, alone"] = lambda: float(
            solve_roots(prepared, points[None], tiebreak=points)[0][0]
        )
    calls["plain Python"] = lambda: plain_python(rules)
    return calls


def measure_turn(rounds: int) -> dict[str, Any]:
    """Return times, values and ratios on the turn of Martian Dice."""
    rules = solver.game("martian-dice")
    graph = solver.compile_turn(rules)
    ours = solve_exact(graph, graph.points.tolist())
    exact = solver.solve_turn(rules, "points", exact=True, graph=graph).exact
    if ours.value(graph.root) != exact:
        raise AssertionError("solve_exact and solve_turn differ")
    own = own_calls(rules, graph)
    calls: dict[str, Callable[[], Any]] = {"compile": lambda: solver.compile_turn(rules), **own}
    result: dict[str, Any] = {
        "graph": {"nodes": graph.nodes, "edges": graph.edges},
        "exact": str(exact),
        "value": float(exact),
        "ours": {},
    }
    for name, call in own.items():
        value = call()
        distance = require(abs(value - float(exact)), ROUNDING, name)
        result["ours"][name] = {"value": value, "distance": distance}
    if missing("stormpy", "Storm"):
        storm = None
        seconds = interleaved(rounds, calls)
    else:
        from storm_turn import Storm  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as folder:
            storm = Storm(rules, graph, Path(folder))
            builds = {f"build {model}": build for model, build in storm.builds.items()}
            seconds = interleaved(rounds, {**calls, **builds, **storm.checks()})
    if OF_BATCH in seconds:
        seconds[OF_BATCH] = [s / BATCH for s in seconds[OF_BATCH]]
    result["compile"] = median(seconds["compile"])
    for name in own:
        result["ours"][name]["seconds"] = median(seconds[name])
    if storm is None:
        return result
    result["storm"] = {"version": version("stormpy"), "write": storm.written, "settings": {}}
    for name, (model, _, limit) in storm.settings.items():
        row = storm.compare(name, ours)
        require(row["largest distance"], limit, f"Storm, {name},")
        row["build"] = median(seconds[f"build {model}"])
        row["check"] = median(seconds[name])
        row["ratios"] = {way: ratio(seconds[name], seconds[way]) for way in own}
        result["storm"]["settings"][name] = row
    return result


# --- the match -----------------------------------------------------------------------------


def spiel_solver(target: int) -> Callable[[float], tuple[float, int]]:
    """Return a solver of Pig: threshold -> chance that the first player wins, and states."""
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.algorithms import value_iteration  # noqa: PLC0415

    pig = pyspiel.load_game(f"pig(players=2,winscore={target},horizon=1000000)")
    start = str(pig.new_initial_state())

    def solve(threshold: float) -> tuple[float, int]:
        values = value_iteration.value_iteration(
            pig, depth_limit=-1, threshold=threshold, cyclic_game=True
        )
        return (values[start] + 1.0) / 2.0, len(values)

    return solve


def measure_match(rounds: int, targets: list[int]) -> list[dict[str, Any]]:
    """Return for each target times, values and the ratio; nothing if OpenSpiel is missing."""
    if missing("pyspiel", "OpenSpiel"):
        return []
    rows = []
    for target in sorted(targets):
        rules = solver.game("pig", target=target)
        spiel = spiel_solver(target)
        ours = solver.solve_match(rules)
        theirs, states = spiel(SPIEL_THRESHOLD)
        apart = abs(theirs - ours.win_probability[0])
        row = {
            "target": target,
            "states": states,
            "ours": ours.win_probability[0],
            "our bound": ours.error,
            "OpenSpiel": theirs,
            "distance": require(apart, SPIEL_FACTOR * SPIEL_THRESHOLD, "OpenSpiel"),
        }
        if not rows:
            closer = abs(spiel(1e-15)[0] - ours.win_probability[0])
            row["distance at threshold 1e-15"] = require(closer, 1e-14, "OpenSpiel at 1e-15")
        calls = {
            "ours": lambda rules=rules: solver.solve_match(rules),
            "OpenSpiel": lambda spiel=spiel: spiel(SPIEL_THRESHOLD),
        }
        seconds = interleaved(rounds, calls)
        row["seconds"] = {name: median(runs) for name, runs in seconds.items()}
        row["ratio"] = ratio(seconds["OpenSpiel"], seconds["ours"])
        rows.append(row)
    return rows


# --- printing ------------------------------------------------------------------------------


def show_turn(turn: dict[str, Any]) -> None:
    graph, ours = turn["graph"], turn["ours"]
    print(f"one turn of Martian Dice: {graph['nodes']} nodes, {graph['edges']} edges")
    print(f"expected points: {turn['value']!r} = {turn['exact']}")
    print(f"compiling the rules to the graph: {1e3 * turn['compile']:.1f} ms\n")
    print(f"{'ours, and plain Python on the rules':36}{'ms':>12}{'distance':>12}")
    for name, row in ours.items():
        print(f"{name:36}{1e3 * row['seconds']:12.4f}{row['distance']:12.1e}")
    if "storm" not in turn:
        return
    storm = turn["storm"]
    print(f"\nwriting the DRN file: {1e3 * storm['write']:.1f} ms")
    columns = ("build, ms", "check, ms", "distance", "any node", "excluded by")
    print(f"{'stormpy ' + storm['version']:36}" + "".join(f"{c:>12}" for c in columns))
    for name, row in storm["settings"].items():
        line = f"{name:36}{1e3 * row['build']:12.2f}{1e3 * row['check']:12.2f}"
        line += f"{row['distance']:12.1e}{row['largest distance']:12.1e}"
        print(line + (f"{row['excluded by']:12.1e}" if "excluded by" in row else f"{'-':>12}"))
    print("\nStorm's check takes, in times of" + " " * 4 + "".join(f"{name:>18}" for name in ours))
    for name, row in storm["settings"].items():
        print(f"{name:36}" + "".join(f"{row['ratios'][own]:18.4g}" for own in ours))


def show_match(rows: list[dict[str, Any]]) -> None:
    print(f"\n{'Pig for two, to':16}{'states':>8}{'first wins':>20}{'distance':>10}", end="")
    print(f"{'OpenSpiel, s':>14}{'ours, s':>10}{'ratio':>8}")
    for row in rows:
        spiel, own = row["seconds"]["OpenSpiel"], row["seconds"]["ours"]
        print(f"{row['target']:<16}{row['states']:8}{row['ours']:20.15f}", end="")
        print(f"{row['distance']:10.1e}{spiel:14.3f}{own:10.4f}{row['ratio']:8.1f}")
    tight = rows[0]["distance at threshold 1e-15"]
    print(
        f"to {rows[0]['target']}, at a threshold of 1e-15 instead of {SPIEL_THRESHOLD:g}:", end=""
    )
    print(f" a distance of {tight:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, help="of the turn; a third for the match")
    parser.add_argument("--targets", type=int, nargs="+", default=[10, 15, 25], help="of Pig")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    turn = measure_turn(options.rounds)
    match = measure_match(max(1, options.rounds // 3), options.targets)
    if options.json:
        print(json.dumps({"turn": turn, "match": match}, indent=2))
        return
    show_turn(turn)
    if match:
        show_match(match)


if __name__ == "__main__":
    main()
