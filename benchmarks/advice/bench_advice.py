"""Turns and advice: compiling, exact and float solving, an answer from a table, a cold command.

Run: python benchmarks/advice/bench_advice.py [--json]
Yardstick: the same turn by plain memoised recursion in Python, in the same run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from statistics import median

import solver
from solver.games.protocol import Bank, Choose
from solver.turn import compile_turn


def timed(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def plain_python() -> float:
    """The turn by memoised recursion over the rules in floats: the peer."""
    rules = solver.game("martian-dice")

    @cache
    def value(state: object) -> float:
        found = rules.expand(state)
        if isinstance(found, Bank):
            return found.outcome
        if isinstance(found, Choose):
            return max(value(s) for s in found.options.values())
        return sum(w * value(s) for w, s in found.branches) / sum(w for w, _ in found.branches)

    return value(rules.start())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rules = solver.game("martian-dice")
    graph = compile_turn(rules)
    ask = {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}
    command = [sys.executable, "-m", "solver", "advise", "martian-dice"]
    command += ["--aside", ask["aside"], "--roll", ask["roll"]]
    with solver.open_tables() as tables:
        advisor = solver.Advisor(tables)
        advisor("martian-dice", **ask)
        advisor("martian-dice", scores=(0, 0), seat=1, **ask)
        seconds = {
            "plain memoised Python, one turn": timed(plain_python, 3),
            "compile the turn graph": timed(lambda: compile_turn(rules), 5),
            "exact turn on the graph": timed(
                lambda: solver.solve_turn(rules, exact=True, graph=graph), 5
            ),
            "float turn on the graph, numpy": timed(
                lambda: solver.solve_turn(rules, graph=graph), 5
            ),
            "advice for points from a table": timed(lambda: advisor("martian-dice", **ask), 500),
            "advice for the win from a table": timed(
                lambda: advisor("martian-dice", scores=(12, 20), seat=1, **ask), 500
            ),
            "cold command, advice for points": timed(
                lambda: subprocess.run(command, check=True, capture_output=True), 5
            ),
            "bare interpreter with numpy and click": timed(
                lambda: subprocess.run([sys.executable, "-c", "import numpy, click"], check=True),
                5,
            ),
        }
    if options.json:
        print(json.dumps(seconds, indent=2))
        return
    yardstick = seconds["plain memoised Python, one turn"]
    for what, took in seconds.items():
        print(f"{what:40s} {took * 1e3:10.3f} ms   {took / yardstick:8.4f} x plain Python")


if __name__ == "__main__":
    main()
