"""Step 6: which Martians to move; and step 7, where new ones arrive."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from brute_force_board import Board
from brute_force_board import Movement as BruteForce
from plan_boards import ground_for, random_board, random_graph

from solver.errors import TooLargeError
from solver.games.martians.board import Circle, CropCircle, arrive, start_position, synthetic_tiles
from solver.games.martians.plan import most_martians, most_tokens
from solver.games.martians.plan.finds import bits
from solver.games.martians.plan.invaders import Invaders, invaders_of
from solver.turn.board import plan_march, plan_movement
from solver.turn.board.march import _Turns


def all_ways(near, martians, number):
    """Where Martians can stand, by trying every order of different Martians: the rule by itself."""
    found = set()

    def go_on(now, fresh, left):
        moves = [(a, b) for a in sorted(fresh) for b in near[a] if b not in now]
        if not left or not moves:
            found.add(frozenset(now))
            return
        for here, there in moves:
            go_on(now - {here} | {there}, fresh - {here}, left - 1)

    go_on(frozenset(martians), frozenset(martians), number)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_martian_moves_each_of_different_martians_one_space_if_able(seed):
    rng = Random(seed)
    near = random_graph(rng, 7)
    martians = rng.sample(range(7), rng.randint(0, 5))
    number = rng.randint(0, 4)
    ways = Invaders(tuple(map(tuple, near))).ways(bits(martians), number, 100_000)
    assert set(ways) == {bits(squares) for squares in all_ways(near, martians, number)}
    for end, steps in ways.items():
        now, moved = set(martians), set()
        for here, there in steps:
            assert here in now - moved
            assert there in set(near[here]) - now
            now, moved = now - {here} | {there}, moved | {there}
        assert bits(now) == end


def test_martian_moves_a_row_can_follow_each_other_but_nobody_moves_twice():
    invaders = Invaders(((1,), (0, 2), (1, 3), (2,)))
    assert set(invaders.ways(0b0011, 2, 100)) == {0b0110}
    assert set(invaders.ways(0b0001, 3, 100)) == {0b0010}
    assert set(invaders.ways(0b1111, 6, 100)) == {0b1111}


def test_crop_refill_circles_first_then_the_mother_ship_while_martians_last():
    invaders = Invaders(((),) * 6, circles=(1, 4), ship_tile=(4, 2, 3), supply=9)
    assert invaders.arrived(0) == bits([1, 4, 2])
    assert invaders.arrived(bits([1, 2, 4])) == bits([1, 2, 4, 3])
    assert replace(invaders, supply=2).arrived(0) == bits([1, 4])
    assert replace(invaders, supply=1).arrived(0) == bits([1])
    assert replace(invaders, supply=0).arrived(0) == 0


def test_invaders_of_a_position_are_those_on_the_table():
    start = start_position(synthetic_tiles(), ["red"])
    here = arrive(start, start.layout.placements("farm")[0])
    (circle,) = here.crop_circles
    invaders = invaders_of(here)
    assert len(invaders.circles) == 1
    assert invaders.ship_tile == ()
    found = replace(here, crop_circles=(CropCircle(circle.at, Circle.MOTHER_SHIP),))
    ship = invaders_of(found)
    assert len(ship.ship_tile) == 9
    assert ship.ship_tile[0] == ship.circles[0]
    assert ship.supply == here.supply


def next_turn(board, player, martians):
    """What brute force finds for the turn that follows."""
    game = BruteForce(replace(board, martians=frozenset(martians)), lambda end: end["martians"])
    return game.best(*player.values(), None)


def test_the_best_way_is_the_best_of_all_ways_by_brute_force():
    """Five squares, one life: every way tried and every turn thrown out on the table."""
    steps = {0: [1, 3], 1: [0, 2], 2: [1], 3: [0, 4], 4: [3]}
    board = Board(steps=steps, house=0, martians=frozenset({2, 4}))
    player = {"at": 0, "lives": 1, "bullets": 2, "martians": 3, "items": ()}
    ground = ground_for(board, player)
    invaders = Invaders(ground.near)
    for number in (1, 2):
        march = plan_march(ground, invaders, number, most_martians())
        best = max(next_turn(board, player, w) for w in all_ways(steps, {2, 4}, number))
        assert march.method == "exact"
        assert march.value == pytest.approx(float(best), abs=1e-12)
        assert march.stay == pytest.approx(float(next_turn(board, player, {2, 4})), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_no_way_is_worth_more_than_the_bound(seed):
    rng = Random(seed)
    _, ground, _ = random_board(rng, squares=6, tokens=2)
    ground = replace(ground, lives=min(ground.lives, 2))
    invaders = Invaders(ground.near, supply=0)
    for payoff in (most_martians(), most_tokens()):
        exact = plan_march(ground, invaders, 2, payoff)
        assert exact.method == "exact"
        turns = _Turns(ground, invaders, payoff, 100_000, 10**7)
        bound = turns.bound(ground.standing)
        assert bound >= exact.value - 1e-9
        one = plan_march(ground, invaders, 2, payoff, most_boards=0)
        assert one.value <= exact.value + 1e-9
        if one.method == "exact":
            assert one.value == pytest.approx(exact.value, abs=1e-9)


def ring(martians):
    """Eight squares in a ring, the player on the first."""
    steps = {n: [(n - 1) % 8, (n + 1) % 8] for n in range(8)}
    board = Board(steps=steps, house=0, martians=frozenset(martians))
    player = {"at": 0, "lives": 2, "bullets": 1, "martians": 3, "items": ()}
    return ground_for(board, player)


def test_one_at_a_time_is_told_so_and_values_what_it_does():
    ground = ring({3, 4, 5, 6})
    invaders = Invaders(ground.near)
    march = plan_march(ground, invaders, 3, most_martians(), most_boards=0, bounded=False)
    assert march.method == "one at a time"
    assert march.bound is None
    now = ground.standing
    for here, there in march.steps:
        now = now & ~(1 << here) | 1 << there
    after = plan_movement(replace(ground, standing=now), most_martians())
    assert march.value == pytest.approx(after.value, abs=1e-12)
    assert march.death == pytest.approx(after.death, abs=1e-12)
    assert march.value >= max(value for _, value, _ in march.first) - 1e-9


def test_martians_are_taken_as_they_are_after_step_seven():
    """Moving a Martian off the crop circle brings another one: that is better for a hunter."""
    steps = {0: [1], 1: [0, 2], 2: [1]}
    board = Board(steps=steps, house=0, martians=frozenset({1}))
    player = {"at": 0, "lives": 3, "bullets": 5, "martians": 0, "items": ()}
    ground = ground_for(board, player)
    with_circle = Invaders(ground.near, circles=(1,), supply=5)
    march = plan_march(ground, with_circle, 1, most_martians())
    assert march.steps in (((1, 2),), ((1, 0),))
    assert march.value > plan_march(ground, Invaders(ground.near), 1, most_martians()).value


def test_moving_is_refused_when_it_would_take_too_long():
    ground = ring({2, 3, 4, 5})
    with pytest.raises(TooLargeError, match="more than 50 nodes would have"):
        plan_march(ground, Invaders(ground.near), 3, most_martians(), most_work=50)


def test_the_order_of_squares_does_not_matter():
    """All orders of two Martians come to the same ways."""
    near = ((1, 2), (0, 3), (0, 3), (1, 2))
    one = Invaders(near).ways(0b0011, 2, 100)
    for order in permutations(range(4)):
        turned = [()] * 4
        for n, others in enumerate(near):
            turned[order[n]] = tuple(sorted(order[m] for m in others))
        start = bits(order[n] for n in (0, 1))
        other = Invaders(tuple(turned)).ways(start, 2, 100)
        assert {bits(order[n] for n in range(4) if w >> n & 1) for w in one} == set(other)
