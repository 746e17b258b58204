"""Races of two, three and four seats: how time and memory grow with the work.

Run: python benchmarks/match/bench_match.py [--seats 4] [--workers 2] [--end round] [--json]
Each number of seats runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np

from solver.games import game
from solver.match.race import solve_race, threads
from solver.turn import compile_turn
from solver.turn.roots import root_solver


def measure(seats: int, workers: int, end: str) -> dict:
    rules = game("martian-dice", end=end)
    start = time.perf_counter()
    graph = compile_turn(rules)
    compiled = time.perf_counter()
    solve = root_solver(graph)
    solve(np.ones((8, len(graph.outcomes))))
    warm = time.perf_counter()
    race = solve_race(rules.race, seats, graph.points, solve, runner=threads(solve, workers))
    done = time.perf_counter()
    payoffs = np.sort(np.random.default_rng(1).random((4096, len(graph.outcomes))), axis=1)
    solve(payoffs)
    kernel = time.perf_counter()
    return {
        "seats": seats,
        "end": end,
        "workers": workers,
        "cells": race.cells,
        "turns": race.turns,
        "turns_a_state": race.turns / (race.cells * seats),
        "graph_s": compiled - start,
        "first_call_s": warm - compiled,
        "race_s": done - warm,
        "us_a_turn": (done - warm) * workers / race.turns * 1e6,
        "kernel_us_a_turn": (kernel - done) / len(payoffs) * 1e6,
        "mixed_states": len(race.mixes),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, default=3, help="up to this many")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--end", default="round")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.workers, options.end)))
        return
    rows = []
    for seats in range(2, options.seats + 1):
        command = [sys.executable, __file__, "--one", str(seats), "--end", options.end]
        command += ["--workers", str(options.workers)]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(found.stdout))
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for key in rows[0]:
        cells = [f"{row[key]:.3f}" if isinstance(row[key], float) else row[key] for row in rows]
        print(f"{key:18s}" + "".join(f"{cell!s:>14s}" for cell in cells))


if __name__ == "__main__":
    main()
