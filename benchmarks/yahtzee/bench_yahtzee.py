"""What a whole score sheet costs to solve, by its size, and against a public solver.

    python benchmarks/yahtzee/bench_yahtzee.py [--rounds 3] [--workers 2] [--no-numba] [--json]

Sheets of the first boxes of Yahtzee's, from six to all thirteen, are solved in a process each:
standings, seconds of wall clock and of processor (the import and numba's compiled code, which is
taken from its cache, are left out), and the most memory the process held. Then the whole game under
the three readings, by turns with yatzy-solver (PyPI, a solver in Rust) where that is installed:
seconds of both, the median of the ratios of neighbouring runs, and the largest difference over
all standings, for both give the points still to come from each.

Seconds of processor are the ones to compare on a machine that does other work too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from solver.games import game
from solver.games.yahtzee import BOXES
from solver.match.sheet import solve_sheet

PUBLISHED = {"free": 254.5896095, "hasbro": 254.587729, "none": 245.870775}
"""T. Verhoeff's figure, that of the forced joker, and that without bonus and joker."""
PEER = {"free": "american", "hasbro": "american+forced-joker", "none": "american+no-bonus"}
MEMORY = """
import resource
from pathlib import Path
def most_memory():
    try:  # since this program began; the other way counts its parent's too
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
"""
OWN = (
    MEMORY
    + """
import json, sys, time
from solver.games import game
from solver.match.sheet import solve_sheet
boxes, joker, workers, compiled = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "True"
solve_sheet(game("yahtzee", dice=2, boxes="aces"), compiled=compiled)
clock, processor = time.perf_counter(), time.process_time()
found = solve_sheet(
    game("yahtzee", joker=joker, boxes=boxes), workers=workers, compiled=compiled
)
print(json.dumps({
    "total": found.total,
    "error": found.exactness.error,
    "standings": found.standings,
    "wall": time.perf_counter() - clock,
    "processor": time.process_time() - processor,
    "memory": most_memory(),
}))
"""
)
THEIRS = (
    MEMORY
    + """
import json, sys, time
import yatzy_solver
variant = yatzy_solver.Variant(sys.argv[1])
clock, processor = time.perf_counter(), time.process_time()
found = yatzy_solver.Solver.build(variant)
print(json.dumps({
    "total": found.state_value("upper 0 | filled -"),
    "wall": time.perf_counter() - clock,
    "processor": time.process_time() - processor,
    "memory": most_memory(),
}))
"""
)


def run(program: str, *arguments: object) -> dict[str, Any]:
    """Return what a program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def growth(workers: int, compiled: bool) -> list[dict[str, Any]]:
    """Solve sheets of more and more boxes."""
    rows = []
    for number in range(6, len(BOXES) + 1):
        row = run(OWN, " ".join(BOXES[:number]), "free", workers, compiled)
        rows.append({"boxes": number, **row})
    return rows


def against(rounds: int, workers: int, compiled: bool) -> list[dict[str, Any]]:
    """Solve the whole game under each reading, by turns with the other solver."""
    rows = []
    for joker, variant in PEER.items():
        own, theirs = [], []
        for turn in range(rounds):
            steps = [
                lambda own=own, joker=joker: own.append(run(OWN, "all", joker, workers, compiled))
            ]
            if find_spec("yatzy_solver") is not None:
                steps.append(
                    lambda theirs=theirs, variant=variant: theirs.append(run(THEIRS, variant))
                )
            for step in steps if turn % 2 else steps[::-1]:
                step()
        row: dict[str, Any] = {
            "joker": joker,
            "published": PUBLISHED[joker],
            "total": own[0]["total"],
            "own": {key: median(r[key] for r in own) for key in ("wall", "processor", "memory")},
        }
        if theirs:
            row["theirs"] = {key: median(r[key] for r in theirs) for key in row["own"]}
            row["ratio"] = median(
                b["processor"] / a["processor"] for a, b in zip(own, theirs, strict=True)
            )
            row["difference"] = difference(joker, variant)
        rows.append(row)
    return rows


def difference(joker: str, variant: str) -> float:
    """Return the largest difference of the points still to come, over all standings."""
    import yatzy_solver  # noqa: PLC0415  only where it is installed

    found = solve_sheet(game("yahtzee", joker=joker))
    sheet = found.sheet
    sets, tallies = np.nonzero(sheet.case[1:] >= 0)
    names = np.array(sheet.tallies)[tallies]
    filled = (2**sheet.boxes - 1) ^ (sets + 1)  # the boxes stand in the same order in both
    their = yatzy_solver.Solver.build(yatzy_solver.Variant(variant)).state_values(
        filled.astype(np.uint32), names[:, 0].astype(np.uint16), names[:, 1].astype(bool)
    )
    own = found.values[sets + 1, tallies]
    own = own - 35.0 * (names[:, 0] >= 63)  # there the bonus is counted where it is reached
    return float(np.abs(own - their).max())


def show(result: dict[str, Any]) -> None:
    print(f"{'boxes':>6}{'standings':>12}{'wall s':>10}{'cpu s':>10}{'us each':>10}{'MiB':>8}")
    for row in result["growth"]:
        each = 1e6 * row["processor"] / row["standings"]
        print(
            f"{row['boxes']:6}{row['standings']:12,}{row['wall']:10.2f}{row['processor']:10.2f}"
            f"{each:10.2f}{row['memory'] / 2**20:8.0f}"
        )
    print()
    for row in result["against"]:
        print(f"joker={row['joker']}: {row['total']!r}, published {row['published']}")
        for name in ("own", "theirs"):
            if name in row:
                cost = row[name]
                print(
                    f"  {name:8}{cost['wall']:8.2f} s wall {cost['processor']:8.2f} s processor"
                    f" {cost['memory'] / 2**20:8.0f} MiB"
                )
        if "ratio" in row:
            print(
                f"  yatzy-solver takes {row['ratio']:.2f} times the processor seconds; over all"
                f" standings the two differ by {row['difference']:.1e} at most"
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-numba", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    compiled = not options.no_numba
    result = {
        "growth": growth(options.workers, compiled),
        "against": against(options.rounds, options.workers, compiled),
    }
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
