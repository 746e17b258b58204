"""icepool and dyce, libraries of dice by others, have the same rolls.

Slow; ``pip install 'should-i-roll[witness]'``, then ``pytest -m slow tests/test_witness_*.py``.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from solver.dice import Die, multinomial, project
from solver.games.alien_crew import TRIO, lock
from solver.games.martian_dice import OFFICIAL_DIE, MartianDice
from solver.games.protocol import Roll

pytestmark = pytest.mark.slow

DICE = [Die.fair(2), Die.fair(6), OFFICIAL_DIE, Die.of({1: 3, 2: 1, 5: 7})]
COUNTS = [1, 2, 3, 5, 8]


def numbered(die):
    """The die's weights by number of the face: both libraries want faces of one type."""
    return dict(enumerate(die.weights))


def as_counts(outcome, faces):
    """Sorted faces as a count of each."""
    return tuple(Counter(outcome)[face] for face in range(faces))


@pytest.mark.parametrize("dice", COUNTS)
@pytest.mark.parametrize("die", DICE, ids=str)
def test_icepool_has_the_same_chance_of_every_roll(die, dice):
    icepool = pytest.importorskip("icepool")
    pool = icepool.Die(numbered(die)).pool(dice)
    theirs = {
        as_counts(outcome, len(die.faces)): weight
        for outcome, weight in pool.expand().items()
        if weight
    }
    assert dict(multinomial(die.weights, dice)) == theirs
    assert sum(theirs.values()) == die.denominator**dice


@pytest.mark.parametrize("dice", COUNTS)
@pytest.mark.parametrize("die", DICE, ids=str)
def test_dyce_has_the_same_chance_of_every_roll(die, dice):
    dyce = pytest.importorskip("dyce")
    pool = dyce.P(*[dyce.H(numbered(die))] * dice)
    theirs = Counter()
    for roll, weight in pool.rolls_with_counts():
        theirs[as_counts(roll, len(die.faces))] += weight
    assert dict(multinomial(die.weights, dice)) == theirs


@pytest.mark.parametrize("dice", COUNTS)
def test_icepool_has_the_same_highest_and_the_same_sum(dice):
    icepool = pytest.importorskip("icepool")
    rolls = list(multinomial(Die.fair(6).weights, dice))
    highest = project(rolls, lambda c: max(face for face, n in enumerate(c, 1) if n))
    total = project(rolls, lambda c: sum(face * n for face, n in enumerate(c, 1)))
    assert highest == dict(icepool.d6.pool(dice).highest(1).sum().items())
    assert total == dict((dice @ icepool.d6).items())


def test_icepool_has_the_first_throw_of_alien_crew():
    """How much of the trio one throw of five dice brings, worked out by an evaluator of theirs."""
    icepool = pytest.importorskip("icepool")

    def stage(roll):
        return lock(0, tuple(roll))[0]

    theirs = icepool.d6.pool(5).expand().map(stage)
    ours = project(
        multinomial(Die.fair(6).weights, 5),
        lambda c: lock(0, tuple(f for f, n in enumerate(c, 1) for _ in range(n)))[0],
    )
    assert ours == dict(theirs.items())
    without = {k: Fraction(5, 6) ** 5 for k in (0,)}  # no 6 at all
    assert Fraction(ours[0], 6**5) == without[0]
    assert len(TRIO) == 3


def test_icepool_has_the_first_roll_of_martian_dice():
    """Tanks, rays and the sizes of the groups of thirteen dice."""
    icepool = pytest.importorskip("icepool")
    game = MartianDice()
    found = game.expand(game.start())
    assert isinstance(found, Roll)
    ours = Counter()
    for weight, state in found.branches:
        if state[0] == "take":
            _, tanks, _, _, _, rays, groups = state
            ours[tanks, rays, groups[0]] += weight
        else:  # thirteen tanks: nothing can be taken
            ours[13, 0, ()] += weight

    def seen(roll):
        tanks, rays, *species = as_counts(roll, 5)
        return tanks, rays, tuple(sorted({n for n in species if n}))

    theirs = Counter()
    for roll, weight in icepool.Die(numbered(OFFICIAL_DIE)).pool(13).expand().items():
        theirs[seen(roll)] += weight
    assert ours == theirs
