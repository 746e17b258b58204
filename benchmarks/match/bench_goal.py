"""What races to a goal cost, and how that grows with the goal and the income.

Run with ``python benchmarks/match/bench_goal.py [--quick]``. Times of one process on this machine's
processors; a sweep is one backward pass over all pairs of standings, and its yardstick is numpy's
matrix product of as many multiplications.
"""

from __future__ import annotations

import os
import resource
import sys
import time

import numpy as np

from solver.games.registry import game
from solver.match.goal.alone import fewest_turns
from solver.match.goal.proof import prove_pairs
from solver.match.goal.race import solve_pairs
from solver.match.goal.standings import standings_of
from solver.turn.compile import compile_turn

CASES = [(10, "none"), (20, "none"), (30, "none"), (30, "scarce"), (30, "steady"), (30, "rich")]


def main() -> None:
    """Print one line for each goal and income."""
    cases = CASES[:2] if "--quick" in sys.argv else CASES
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    print(f"{workers} workers; seconds")
    print("goal income   pairs    compile  alone   race   proof  policies sweeps"
          "  sweep/product  error    peak MiB  seat 1 wins")  # fmt: skip
    for goal, income in cases:
        measure(goal, income, workers)


def measure(goal: int, income: str, workers: int) -> None:
    """Solve one race and print its line."""
    rules = game("martians", goal=goal, income=income)
    graph, compiled = timed(lambda: compile_turn(rules))
    standings = standings_of(graph, rules.goal_race.after)  # type: ignore[attr-defined]
    alone, took_alone = timed(lambda: fewest_turns(graph, standings))
    turns = alone.turns
    guess = turns[None, :] / (turns[:, None] + turns[None, :])
    table, took = timed(lambda: solve_pairs(graph, standings, guess, workers=workers))
    proof, took_proof = timed(
        lambda: prove_pairs(graph, standings, table.chance, turns, workers=workers)
    )
    ratio = took / table.sweeps / product(len(standings) * graph.edges)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{goal:4d} {income:7s} {len(standings) ** 2:8d}  {compiled:6.2f} {took_alone:6.2f}"
        f" {took:7.2f} {took_proof:6.2f}  {table.iterations:7d} {table.sweeps:6d}"
        f"  {ratio:8.1f}       {proof.error:.1e}  {peak:6.0f}  {table.chance[0, 0]:.9f}",
        flush=True,
    )


def timed(work):  # type: ignore[no-untyped-def]
    """Return what `work` returns, and the seconds it took."""
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def product(multiplications: int) -> float:
    """Return the seconds that numpy takes for so many multiplications in matrix products."""
    size = 512
    left = np.random.default_rng(1).random((size, size))
    left @ left
    start = time.perf_counter()
    for _ in range(5):
        left @ left
    return (time.perf_counter() - start) / 5 * multiplications / size**3


if __name__ == "__main__":
    main()
