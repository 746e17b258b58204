"""Speed of the complete game of Martians!!!: full turns a second on one core.

Run with ``python benchmarks/board/bench_referee.py [--seconds 3]``. A full turn is all eight
steps, recorded, with every player asked. The ratio is to an empty loop of as many bare dice
(``rng.random`` in batches, one integer each) as the game had chances: what no referee can save.
"""

from __future__ import annotations

import argparse
import resource
from time import process_time

import numpy as np

from solver.games.martians.board import write_position
from solver.games.martians.board.components import Play
from solver.referee.martians_game import Chance, Rules, bot, new_game, record_text, replay

PROMISED = 200
"""Full turns a second."""


def play(name: str, players: int, rules: Rules, seconds: float) -> tuple[int, int, float]:
    """Play games for some time; turns, chances, and seconds of one core."""
    turns = chances = deal = 0
    spent = 0.0
    while spent < seconds:
        deal += 1
        bots = [bot(name, np.random.default_rng([deal, 1, n])) for n in range(players)]
        began = process_time()
        game = new_game(bots, np.random.default_rng([deal, 0]), rules=rules)
        turns += game.play(200).turns
        spent += process_time() - began
        chances += sum(isinstance(entry[0], Chance) for entry in game.course.log)
    return turns, chances, spent


def bare(chances: int) -> float:
    """Seconds for so many dice and nothing else."""
    rng = np.random.default_rng(1)
    cup: list[float] = []
    began = process_time()
    for _ in range(chances):
        if not cup:
            cup = rng.random(64).tolist()
        int(cup.pop() * 6)
    return process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    seconds = parser.parse_args().seconds
    print(f"full turns a second, one core (promised: {PROMISED})")
    slowest = float("inf")
    for mode in Play:
        for players in (1, 2, 4, 6):
            for name in ("random", "greedy"):
                turns, chances, spent = play(name, players, Rules(play=mode), seconds)
                rate = turns / spent
                slowest = min(slowest, rate)
                print(
                    f"  {mode:14} {players} x {name:6}  {rate:6.0f} a second,"
                    f" {spent / bare(chances):5.0f} times the bare dice"
                )
    print(f"slowest: {slowest:.0f} a second")
    began = process_time()
    game = new_game(
        [bot("random", np.random.default_rng(n)) for n in range(3)], np.random.default_rng(3)
    )
    game.play(300)
    middle = process_time()
    text = record_text(game)
    again = replay(text)
    assert write_position(again.position) == write_position(game.position)
    turns = game.course.table.turn
    print(
        f"replay: {turns / (process_time() - middle):.0f} turns a second"
        f" ({len(text) / 1024:.0f} KiB of record), played at {turns / (middle - began):.0f}"
    )
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")


if __name__ == "__main__":
    main()
