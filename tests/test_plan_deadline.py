"""The cooperative deadline, against every order of a small deck and a count by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from solver.errors import UsageError
from solver.games.martians.board import (
    Circle,
    CropCircle,
    Play,
    arrive,
    start_position,
    synthetic_tiles,
)
from solver.match.board import deadline
from solver.match.board.deadline import deadline_of


def every_order(supply, deck, farms, emptied, turns):
    """The chance of each turn, by all orders of the tiles and all ways of the circles."""
    chance = [Fraction(0)] * (turns + 1)
    orders = list(permutations(deck))
    for order in orders:
        ways = [(Fraction(1), 0, farms)]
        for turn in range(1, turns + 1):
            after = []
            for share, placed, lying in ways:
                brings, farm = order[turn - 1] if turn <= len(order) else (0, False)
                there = lying + farm
                for empty in product((True, False), repeat=there):
                    part = share
                    for circle in empty:
                        part *= emptied if circle else 1 - emptied
                    now = placed + brings + sum(empty)
                    if now >= supply:
                        chance[turn] += part / len(orders)
                    elif part:
                        after.append((part, now, there))
            ways = after
    return chance[1:]


@pytest.mark.parametrize("supply", [1, 4, 7, 9])
def test_the_deadline_is_that_of_every_order_of_the_deck(supply):
    deck = [(3, False), (2, False), (1, True), (3, False)]
    found = deadline_of(supply, Counter(deck), 1, 0.25, 0.0, None, 5)
    wanted = every_order(supply, deck, 1, Fraction(1, 4), 5)
    chance = [*found.chance, *[0.0] * (5 - len(found.chance))]
    assert chance == pytest.approx([float(p) for p in wanted], abs=1e-14)
    assert found.never == pytest.approx(1 - float(sum(wanted)), abs=1e-14)


def test_the_mother_ship_s_tile_takes_eight_more_one_a_turn():
    found = deadline_of(8, Counter(), 0, 0.0, 0.0, 2, 20)
    assert found.chance[9] == 1.0  # turns 3 to 10
    assert deadline_of(9, Counter(), 0, 0.0, 0.0, 2, 50).never == 1.0
    assert found.mean == 10
    assert found.quantile(0.5) == 10


def test_tiles_that_do_not_fit_bring_nothing():
    found = deadline_of(3, Counter({(3, False): 1}), 0, 0.0, 0.25, None, 4)
    assert found.chance[0] == pytest.approx(0.75)
    assert found.never == pytest.approx(0.25)


def test_the_deadline_of_the_box_agrees_with_shuffled_decks():
    """Half the synthetic set, circles emptied half of the time: four standard errors."""
    here = start_position(synthetic_tiles(), ["a", "b"], Play.COOPERATIVE)
    here = replace(here, discarded=here.deck[::2], supply=60)
    found = deadline(here, emptied=0.5)
    tiles = [here.tiles.tile(name) for name in here.deck]
    rng = Random(3)
    turns = []
    for _ in range(1000):
        rng.shuffle(tiles)
        placed = turn = farms = 0
        while placed < 60:
            if turn < len(tiles):
                placed += len(tiles[turn].arrivals)
                farms += tiles[turn].is_farm
            turn += 1
            placed += sum(rng.random() < 0.5 for _ in range(farms))
        turns.append(turn)
    error = np.std(turns) / np.sqrt(len(turns))
    assert abs(np.mean(turns) - found.mean) <= 4 * error
    assert sum(found.chance) == pytest.approx(1.0, abs=1e-9)
    assert found.by[-1] == pytest.approx(1.0, abs=1e-9)


def test_the_deadline_of_a_position_counts_what_lies_on_the_table():
    start = start_position(synthetic_tiles(), ["a"], Play.COOPERATIVE)
    here = arrive(start, start.layout.placements("farm")[0])
    assert deadline(replace(here, supply=0)).chance == (1.0,)
    (circle,) = here.crop_circles
    ship = replace(here, crop_circles=(CropCircle(circle.at, Circle.MOTHER_SHIP),), supply=5)
    plain = deadline(replace(here, supply=5))
    assert deadline(ship).mean < plain.mean


def test_what_is_no_chance_is_refused():
    here = start_position(synthetic_tiles(), ["a"])
    with pytest.raises(UsageError, match="emptied=2 is no chance"):
        deadline(here, emptied=2)
