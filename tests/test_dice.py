"""Dice: integer weights over one exact denominator, and every count that n dice can show."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.dice import Die, multinomial, project
from solver.errors import UsageError

WEIGHTS = st.lists(st.integers(0, 3), min_size=1, max_size=5)
OFFICIAL = (1, 2, 1, 1, 1)

everywhere = settings(max_examples=150, deadline=None, derandomize=True, database=None)


def in_order(weights, n):
    """How often each count comes up among all ordered rolls of n dice, side by side."""
    sides = [face for face, weight in enumerate(weights) for _ in range(weight)]
    rolls = product(sides, repeat=n)
    return Counter(tuple(map(roll.count, range(len(weights)))) for roll in rolls)


# --- enumeration


@everywhere
@given(weights=st.lists(st.integers(0, 9), min_size=1, max_size=6), n=st.integers(0, 7))
def test_weights_sum_to_the_exact_denominator(weights, n):
    """Every one of the D**n ordered rolls shows exactly one count."""
    assert sum(weight for _, weight in multinomial(weights, n)) == sum(weights) ** n


def test_thirteen_official_dice():
    """Stars and bars: 13 dice over 5 faces are C(17, 4) counts; the die has six sides."""
    rolls = list(multinomial(OFFICIAL, 13))
    assert len(rolls) == comb(17, 4)
    assert sum(weight for _, weight in rolls) == 6**13


@everywhere
@given(weights=WEIGHTS, n=st.integers(0, 4))
def test_each_count_is_as_heavy_as_the_ordered_rolls_that_show_it(weights, n):
    assert dict(multinomial(weights, n)) == in_order(weights, n)


@everywhere
@given(weights=WEIGHTS, n=st.integers(0, 6))
def test_counts_come_once_each_in_lexicographic_order_and_can_happen(weights, n):
    counts = [count for count, _ in multinomial(weights, n)]
    assert counts == sorted(set(counts))
    assert all(sum(count) == n and len(count) == len(weights) for count in counts)
    assert all(weight > 0 for _, weight in multinomial(weights, n))


@pytest.mark.parametrize(
    ("weights", "n", "rolls"),
    [
        ((0, 2), 3, [((0, 3), 8)]),  # a face of weight zero never shows
        ((2, 0), 3, [((3, 0), 8)]),
        ((1, 0, 1), 2, [((0, 0, 2), 1), ((1, 0, 1), 2), ((2, 0, 0), 1)]),
        ((0, 0), 2, []),  # 0**2 ordered rolls
        ((), 2, []),  # no face at all
        ((1, 2), 0, [((0, 0), 1)]),  # without dice there is one way to see nothing
        ((0, 0), 0, [((0, 0), 1)]),  # 0**0 is that one way
        ((), 0, [((), 1)]),
    ],
)
def test_faces_of_weight_zero_and_no_dice(weights, n, rolls):
    assert list(multinomial(weights, n)) == rolls


def test_fewer_than_no_dice_are_refused():
    with pytest.raises(UsageError, match="-1 dice"):
        list(multinomial(OFFICIAL, -1))


def test_weights_of_any_size_stay_exact():
    """(a + b)**2 = a*a + 2ab + b*b, beyond any machine integer."""
    a, b = 10**40 + 1, 3
    assert dict(multinomial((a, b), 2)) == {(0, 2): 9, (1, 1): 2 * a * b, (2, 0): a * a}


# --- projection


@everywhere
@given(weights=WEIGHTS, n=st.integers(0, 5))
def test_projection_keeps_the_sum_of_the_weights(weights, n):
    for key in (max, sum, len, lambda counts: counts[0], lambda counts: counts[::-1]):
        seen = project(multinomial(weights, n), key)
        assert sum(seen.values()) == sum(weights) ** n


@everywhere
@given(weights=WEIGHTS, n=st.integers(0, 4))
def test_what_looks_the_same_is_added_up(weights, n):
    """The first face against all others: the same by projection and by two-sided dice."""
    seen = project(multinomial(weights, n), lambda counts: (counts[0], n - counts[0]))
    assert seen == dict(multinomial((weights[0], sum(weights[1:])), n))


def test_keys_stand_in_order_of_appearance():
    rolls = [((0, 2), 4), ((1, 1), 4), ((2, 0), 1)]
    assert list(project(rolls, lambda counts: counts[0] % 2)) == [0, 1]
    assert list(project(rolls[1:], lambda counts: counts[0] % 2)) == [1, 0]


def test_nothing_projects_to_nothing():
    assert project([], max) == {}


# --- the die


def test_a_die_knows_its_faces_and_weights():
    die = Die.of({"T": 1, "R": 2, "X": 0})
    assert (die.faces, die.weights, die.denominator) == (("T", "R", "X"), (1, 2, 0), 3)
    assert [die.weight(face) for face in ("T", "R", "X", "never")] == [1, 2, 0, 0]
    assert list(die) == [("T", 1), ("R", 2), ("X", 0)]
    assert str(die) == "T1 R2 X0"


def test_a_fair_die_has_each_number_once():
    assert Die.fair(6) == Die.of(dict.fromkeys(range(1, 7), 1))
    assert str(Die.fair(2)) == "1:1 2:1"
    assert Die.fair(1).denominator == 1


def test_dice_are_values():
    die = Die.of({"a": 1, "b": 2})
    assert {die: "found"}[Die.of({"a": 1, "b": 2})] == "found"
    assert die != Die.of({"b": 2, "a": 1})  # counts would stand in another order
    assert die != Die.of({"a": 2, "b": 4})  # the same chances, another denominator
    with pytest.raises(FrozenInstanceError):
        die.sides = ()


@pytest.mark.parametrize("weight", [-1, 1.0, 0.5, True, "1", None])
def test_a_weight_that_is_no_whole_number_from_zero_is_refused(weight):
    with pytest.raises(UsageError) as refused:
        Die.of({"R": 1, "T": weight})
    assert f"'T' has weight {weight!r}" in str(refused.value)
    assert "try: a weight is a whole number" in str(refused.value)


@pytest.mark.parametrize("sides", [(), (("T", 0),), (("T", 0), ("R", 0))])
def test_a_die_that_cannot_fall_is_refused(sides):
    with pytest.raises(UsageError, match="at least one face with a positive weight"):
        Die(sides)


def test_a_face_named_twice_is_refused():
    with pytest.raises(UsageError, match="'T' is named twice"):
        Die((("T", 1), ("R", 1), ("T", 2)))


@pytest.mark.parametrize("sides", [0, -3, 10_001])
def test_a_fair_die_has_a_sensible_number_of_sides(sides):
    with pytest.raises(UsageError, match=f"{sides} sides"):
        Die.fair(sides)


@pytest.mark.slow
def test_a_die_may_have_as_many_faces_as_the_fair_die_may():
    """One die of n sides shows each once."""
    assert sum(weight for _, weight in multinomial(Die.fair(2000).weights, 1)) == 2000
