"""How long a movement on a crowded board takes to plan, and how that grows.

    python benchmarks/board/bench_planner.py [--boards 3] [--squares 12]

All thirty tiles of the synthetic set are placed at random, every street square has a Martian and
every token lies face-down. From some squares of each board a movement is planned for the expected
Martians, items, and turns' worth of what is left; CPU time is that of one core. Printed are the
slowest and the median plan of eleven moves, the growth with moves and with the share of squares
that have a Martian, a turn before its movement roll, and the peak of memory.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import replace
from random import Random
from statistics import median

from solver.games.martians.board import arrive, start_position, steps_of, synthetic_tiles
from solver.games.martians.board.layout import square_at
from solver.games.martians.board.tile import Kind
from solver.games.martians.plan import after_turn, ground_of, most_items, most_martians
from solver.turn.board import plan_movement, size_of

PAYOFFS = (
    most_martians(),
    most_items(),
    after_turn(
        "what is left",
        "payoff",
        lambda end: 3.0 * end.martians + (end.lives + 0.5 * end.bullets) * end.alive,
        "bench",
    ),
)
MOVES = range(3, 12)


def crowded(seed):
    """A board with every tile that could be placed, its tokens on squares drawn by lot."""
    rng = Random(seed)  # noqa: S311  boards, not secrets
    position = start_position(synthetic_tiles(), ["red"])
    while True:
        deck = list(position.deck)
        rng.shuffle(deck)
        fits = (p for name in deck for p in _shuffled(rng, position.layout.placements(name)))
        placed = next(fits, None)
        if placed is None:
            return position
        tile = position.layout.with_tile(placed).grid[placed.place]
        lie = {}
        for building in tile.buildings:
            own = [square_at(placed.place, spot) for spot in tile.spots_of(building.letter)]
            rng.shuffle(own)
            lie[building.letter] = own
        position = arrive(position, placed, lie)


def _shuffled(rng, placements):
    found = list(placements)
    rng.shuffle(found)
    return found


def stand(position, square, *, lives=5, bullets=3, share=1.0, seed=0):
    """The player on a street square, and that share of the Martians."""
    rng = Random(seed)  # noqa: S311  boards, not secrets
    player = replace(position.players[0], at=square, lives=lives, bullets=bullets)
    martians = tuple(m for m in position.martians if m != square and rng.random() < share)
    return ground_of(replace(position, players=(player,), martians=martians, step=4))


def timed(ground, payoff, moves):
    begin = time.process_time()
    plan = plan_movement(ground, payoff, moves)
    return time.process_time() - begin, plan.nodes


def _row(what, runs):
    times = [1e3 * seconds for seconds, _ in runs]
    most = max(nodes for _, nodes in runs)
    print(f"  {what:38} {median(times):9.1f} {max(times):12.1f} {most:12,}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=3)
    parser.add_argument("--squares", type=int, default=12)
    told = parser.parse_args()
    places = []
    for seed in range(told.boards):
        position = crowded(seed)
        steps = steps_of(position.layout)
        streets = [
            s for s, kind in zip(steps.squares, steps.kinds, strict=True) if kind is Kind.ROAD
        ]
        rng = Random(seed)  # noqa: S311
        places += [(position, square) for square in rng.sample(streets, told.squares)]
    tiles = [len(position.layout.placed) for position, _ in places]
    martians = [len(position.martians) for position, _ in places]
    print(f"{told.boards} boards of {min(tiles)} to {max(tiles)} tiles,"
          f" {min(martians)} to {max(martians)} Martians; {len(places)} squares")  # fmt: skip
    print("\neleven moves, five lives, all Martians   median ms   slowest ms   most nodes")
    for payoff in PAYOFFS:
        runs = [timed(stand(p, s), payoff, 11) for p, s in places]
        _row(f"{payoff.name:38}", runs)
    payoff = PAYOFFS[2]
    print("\ngrowth with moves (all Martians)         median ms   slowest ms   most nodes")
    for moves in MOVES:
        runs = [timed(stand(p, s), payoff, moves) for p, s in places]
        _row(f"{moves:2} moves", runs)
    print("\ngrowth with Martians (eleven moves)      median ms   slowest ms   most nodes")
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 1.0):
        runs = [timed(stand(p, s, share=share), payoff, 11) for p, s in places]
        _row(f"{share:4.0%}", runs)
    runs = [timed(stand(p, s, lives=3), payoff, None) for p, s in places]
    print()
    _row("before the movement roll, three lives", runs)
    off = []
    for position, square in places:
        ground = stand(position, square)
        off.append(size_of(ground, payoff, 11).nodes / timed(ground, payoff, 11)[1])
    print(f"estimate before the start: {min(off):.2f} to {max(off):.2f} of the nodes counted after")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak of memory, interpreter and all: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
