"""What more seats cost: cells, turns, bytes and traffic, from rates measured here.

Run: python benchmarks/match/cost_model.py [--workers 2] [--json]
Traffic is what one chunk of cells is sent and sends back, measured on real chunks of a smaller
target and scaled by the cell; time is that of the kernel and of the work around it on one core.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from solver.games import game
from solver.match.boundary import RaceValues
from solver.match.cluster import needed_rows
from solver.match.estimate import estimate
from solver.match.race import CHUNK, layers, solve_race
from solver.turn import compile_turn
from solver.turn.roots import root_solver


def traffic(seats: int, points: np.ndarray, target: int) -> float:
    """Bytes sent and received a cell, at the widest layer of a small target."""
    shape = (seats, *(target,) * seats)
    rules = game("martian-dice", target=target)
    values = RaceValues(rules.race, seats, points, np.zeros((*shape, seats + 2)), {})
    widest = max(layers(target, seats), key=len)[:CHUNK]
    sent = needed_rows(values, widest)
    back = len(widest) * seats * (seats + 2) * 8
    return (sent.number.nbytes + sent.rows.nbytes + widest.nbytes + back) / len(widest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rules = game("martian-dice")
    graph = compile_turn(rules)
    solve = root_solver(graph)
    solve(np.ones((8, len(graph.outcomes))))
    start = time.perf_counter()
    race = solve_race(rules.race, 3, graph.points, solve)
    seconds_a_turn = (time.perf_counter() - start) / race.turns
    rows = []
    for seats, small in ((2, 25), (3, 25), (4, 25), (5, 12), (6, 8), (7, 6), (8, 5)):
        cost = estimate(rules.race, seats, graph.points, options.workers)
        cells = rules.race.target**seats
        rows.append(
            {
                "seats": seats,
                "cells": cells,
                "turns": cost.turns,
                "core_hours": cost.turns * seconds_a_turn / 3600,
                "values_gib": cost.disk / 2**30,
                "traffic_gib": cells * traffic(seats, graph.points, small) / 2**30,
            }
        )
    if options.json:
        print(json.dumps({"seconds_a_turn": seconds_a_turn, "rows": rows}, indent=2))
        return
    print(f"measured: {seconds_a_turn * 1e6:.1f} microseconds a turn, all in, on one core")
    print("seats          cells            turns  core-hours   values GiB  traffic GiB")
    for row in rows:
        print(
            f"{row['seats']:5d} {row['cells']:14,d} {row['turns']:16,d}"
            f" {row['core_hours']:11,.3f} {row['values_gib']:12,.3f} {row['traffic_gib']:12,.3f}"
        )


if __name__ == "__main__":
    main()
