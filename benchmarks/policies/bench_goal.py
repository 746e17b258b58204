"""Time of races to a goal between policies, against solving the race.

Usage: python benchmarks/policies/bench_goal.py [--goal 30] [--income none] [--best]

Every line is processor time (all threads) and wall time of one match from all pairs of standings,
the policies walked before; `walk` is that walk. BLAS threads are the environment's
(OPENBLAS_NUM_THREADS).
"""

from __future__ import annotations

import argparse
import time

from solver.games.registry import game
from solver.match.goal import solve_goal_race
from solver.policies.arena import Arena
from solver.policies.arena.goal.plays import GoalPlays

POLICIES = ("points", "turns", "greedy", "random", "forfeit if roll = 1; spend; fight")
MATCHES = (
    ("points", "greedy"),
    ("turns", "forfeit if roll = 1; spend; fight"),
    ("random", "turns"),
    ("optimal", "points"),
    ("optimal", "turns"),
    ("optimal", "optimal"),
    ("fight if lead < 3; spend", "turns"),
)


def timed(work) -> tuple[float, float, object]:
    """Return processor and wall seconds of some work, and what it returns."""
    processor, wall = time.process_time(), time.perf_counter()
    found = work()
    return time.process_time() - processor, time.perf_counter() - wall, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goal", type=int, default=30)
    parser.add_argument("--income", default="none")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--best", action="store_true", help="best responses too")
    options = parser.parse_args()
    solve_goal_race(game("martians", goal=2))  # compiled passes are compiled
    rules = game("martians", goal=options.goal, income=options.income)
    arena = Arena(rules, workers=options.workers)
    own, wall, race = timed(
        lambda: solve_goal_race(rules, graph=arena.graph, workers=options.workers)
    )
    print(f"{'solve the race':46} {own:8.2f} s  wall {wall:8.2f} s  {race.win_probability[0]:.12f}")
    plays = arena.plays(2)
    assert isinstance(plays, GoalPlays)
    own, wall, _ = timed(lambda: plays.optimum)
    print(f"{'solve and prove the optimum as turns':46} {own:8.2f} s  wall {wall:8.2f} s")
    known = {name: arena.read(name) for pair in MATCHES for name in pair}
    for name in POLICIES:
        policy = known.setdefault(name, arena.read(name))
        own, wall, _ = timed(lambda policy=policy: plays.given(policy))
        print(f"{'walk ' + name:46} {own:8.2f} s  wall {wall:8.2f} s")
    seatings = [[known[one], known[two]] for one, two in MATCHES]
    if options.best:
        seatings += [[None, known["optimal"]], [None, known["points"]]]
    for seats in seatings:
        own, wall, match = timed(lambda seats=seats: plays.evaluate(seats))
        names = ", ".join("best" if p is None else p.name for p in seats)
        first = match.win_probability[0]
        shown = f"{first:.12f}  error {match.error:.0e}  nobody {match.neither:.3g}"
        print(f"{names:46} {own:8.2f} s  wall {wall:8.2f} s  {shown}")


if __name__ == "__main__":
    main()
