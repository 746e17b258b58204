"""The exact turn solver against every order in which dice can fall."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from brute_force import OFFICIAL_DIE, MartianTurn, as_points, best_martian_turn, best_pig_turn
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.games import game
from solver.turn import compile_turn, solve_turn

LETTER_OF = {"death-rays": "R", "human": "H", "cow": "C", "chicken": "K"}


def at_least(bound):
    return lambda points: int(points >= bound)


def capped(bound):
    return lambda points: min(points, bound)


def uneven(seed):
    """A payoff without order: now more points are better, now fewer, now less than nothing."""
    draw = random.Random(seed)
    table = [Fraction(draw.randint(-30, 90), draw.randint(1, 12)) for _ in range(400)]
    return table.__getitem__


PAYOFFS = {
    "points": as_points,
    **{f"at-least:{k}": at_least(k) for k in (1, 2, 4, 6)},
    **{f"capped:{k}": capped(k) for k in (1, 3, 5)},
    **{f"uneven:{seed}": uneven(seed) for seed in (1, 2, 3)},
}

DICE = {
    OFFICIAL_DIE: "T1 R2 H1 C1 K1",
    "TRHHCK": "T1 R1 H2 C1 K1",
    "TTRHCK": "T2 R1 H1 C1 K1",
    "TRHHCCK": "T1 R1 H2 C2 K1",
    "TRHCCKKK": "T1 R1 H1 C2 K3",
    "TTRHC": "T2 R1 H1 C1",
}


def objective_of(rules, name):
    if not name.startswith("uneven"):
        return name
    return {outcome: PAYOFFS[name](outcome) for outcome in compile_turn(rules).outcomes}


def solved(rules, name):
    return solve_turn(rules, objective_of(rules, name), exact=True)


@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_best_turn_with_official_dice(dice, name):
    expected = best_martian_turn(dice, payoff=PAYOFFS[name])
    assert solved(game("martian-dice", dice=dice), name).exact == expected


@pytest.mark.parametrize(
    ("dice", "name"), [(5, "points"), (5, "at-least:4"), (5, "uneven:1"), (6, "points")]
)
@pytest.mark.slow
def test_best_turn_with_five_or_six_official_dice(dice, name):
    expected = best_martian_turn(dice, payoff=PAYOFFS[name])
    assert solved(game("martian-dice", dice=dice), name).exact == expected


@pytest.mark.parametrize("name", ["points", "at-least:4", "capped:3", "uneven:2"])
@pytest.mark.parametrize("die", [die for die in DICE if die != OFFICIAL_DIE])
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_best_turn_with_other_dice(dice, die, name):
    expected = best_martian_turn(dice, die=die, payoff=PAYOFFS[name])
    assert solved(game("martian-dice", dice=dice, faces=DICE[die]), name).exact == expected


@pytest.mark.parametrize("name", ["points", "at-least:6", "uneven:3"])
@pytest.mark.parametrize("die", [OFFICIAL_DIE, "TRHHCK"])
@pytest.mark.parametrize(("bonus", "head"), [(0, 1), (10, 1), (3, 2), (1, 7)])
def test_best_turn_with_other_points(bonus, head, die, name):
    expected = best_martian_turn(4, die=die, bonus=bonus, head=head, payoff=PAYOFFS[name])
    rules = game("martian-dice", dice=4, faces=DICE[die], bonus=bonus, head=head)
    assert solved(rules, name).exact == expected


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    dice=st.integers(1, 3),
    weights=st.tuples(*(st.integers(low, 2) for low in (0, 1, 0, 0, 0))),
    bonus=st.integers(0, 5),
    head=st.integers(1, 3),
    seed=st.integers(0, 10**6),
)
def test_best_turn_with_any_dice(dice, weights, bonus, head, seed):
    die = "".join(letter * weight for letter, weight in zip("TRHCK", weights, strict=True))
    faces = " ".join(f"{letter}{weight}" for letter, weight in zip("TRHCK", weights, strict=True))
    rules = game("martian-dice", dice=dice, faces=faces, bonus=bonus, head=head, tie="shared")
    payoff = uneven(seed)
    mapping = {outcome: payoff(outcome) for outcome in compile_turn(rules).outcomes}
    expected = best_martian_turn(dice, die=die, bonus=bonus, head=head, payoff=payoff)
    assert solve_turn(rules, mapping, exact=True).exact == expected


@pytest.mark.parametrize("name", ["points", "uneven:1"])
@pytest.mark.parametrize("die", [OFFICIAL_DIE, "TRHHCK"])
def test_every_option_at_every_position(die, name):
    """Positions told in the rulebook's words, species by species, have the right values."""
    turn = MartianTurn(4, die=die, payoff=PAYOFFS[name])
    rules = game("martian-dice", dice=4, faces=DICE[die])
    solution = solved(rules, name)
    turn.roll()
    checked = 0
    for aside in turn.rolled_on:
        if aside:
            position = rules.read_position(aside=" ".join(aside))
            values = {o.action: o.exact for o in solution.compare(position.options)}
            assert values == {"stop": turn.stop(aside), "roll": turn.roll(aside)}
        for roll in {"".join(sorted(roll)) for roll in turn.rolls(aside)}:
            position = rules.read_position(aside=" ".join(aside), roll=" ".join(roll))
            values = {o.action: o.exact for o in solution.compare(position.options)}
            ways = turn.ways(aside, roll)
            if ways:
                values = {LETTER_OF[action]: value for action, value in values.items()}
                expected = {letter: turn.decide(after) for letter, after in ways.items()}
            else:
                expected = {"stop": turn.see(aside, roll)}
            assert values == expected, (aside, roll)
            checked += len(values)
    assert checked > 200


@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize(("target", "sides"), [(1, 6), (2, 6), (7, 6), (14, 6), (9, 3), (12, 4)])
def test_best_turn_of_pig(target, sides, name):
    rules = game("pig", target=target, die=f"d{sides}")
    expected = best_pig_turn(target, sides=sides, payoff=PAYOFFS[name])
    assert solved(rules, name).exact == expected
