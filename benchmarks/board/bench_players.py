"""The planner against the greedy bot in the complete game, and what its turns cost.

    python benchmarks/board/bench_players.py [--games 100] [--seed 1] [--looked-at 0]

Every deal is played once from each seat. Printed are the games won, the 95 % interval of the
difference by deals, and CPU seconds for a game.
"""

from __future__ import annotations

import argparse
import time

from solver.apps.players import PlannerBot
from solver.apps.players.planner import LOOKED_AT
from solver.referee.martians_game import BOTS, run_games


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looked-at", type=int, default=LOOKED_AT)
    parser.add_argument("--against", default="greedy", choices=sorted(BOTS))
    told = parser.parse_args()
    begin = time.process_time()
    found = run_games(
        {
            "planner": lambda _rng: PlannerBot(looked_at=told.looked_at),
            told.against: BOTS[told.against],
        },
        games=told.games,
        seed=told.seed,
        max_turns=300,
    )
    seconds = time.process_time() - begin
    for score in found.scores:
        print(f"{score.policy:8} won {score.wins} of {score.games}, {score.martians:.1f} Martians")
    (pair,) = found.pairs
    print(
        f"planner less {told.against}, games in a hundred: {100 * pair.difference:+.1f},"
        f" 95 % interval {100 * pair.low:+.1f} to {100 * pair.high:+.1f}"
    )
    print(f"{found.turns:.1f} turns a game; endings {dict(found.endings)}")
    print(f"{seconds / found.games:.2f} seconds of one core a game")


if __name__ == "__main__":
    main()
