"""Yahtzee by plain recursion: ordered dice, a yes or no for each die, and the sheet as it is read.

Nothing of the library is used, and nothing is merged but equal standings: dice are tuples in the
order in which they lie, a keep is a choice of positions, and the score of a sheet is counted from
its boxes.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

NUMBERS = {"aces": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}
KINDS = {"three-of-a-kind": 3, "four-of-a-kind": 4}
RUNS = {"small-straight": 4, "large-straight": 5}
WORTH = {"full-house": 25, "small-straight": 30, "large-straight": 40, "yahtzee": 50}


def score(box, dice, joker=False):
    """Return what dice count in a box."""
    if box in NUMBERS:
        return sum(die for die in dice if die == NUMBERS[box])
    if box == "chance":
        return sum(dice)
    if box in KINDS:
        return sum(dice) if any(dice.count(f) >= KINDS[box] for f in dice) else 0
    if box == "yahtzee":
        return 50 if all(die == dice[0] for die in dice) else 0
    if joker:
        return WORTH[box]
    if box == "full-house":
        three = [f for f in range(1, 7) if dice.count(f) >= 3]
        two = [f for f in range(1, 7) if dice.count(f) >= 2]
        return 25 if any(a != b for a in three for b in two) else 0
    length = RUNS[box]
    starts = range(1, 8 - length)
    run = any(all(f in dice for f in range(a, a + length)) for a in starts)
    return WORTH[box] if run else 0


def legal_entries(sheet, filled, dice, joker):
    """Yield (box, points in the box, bonus) for the boxes in which dice may be entered.

    `filled` is box -> points, of boxes of `sheet` that are filled.
    """
    left = [box for box in sheet if box not in filled]
    again = joker != "none" and all(d == dice[0] for d in dice) and "yahtzee" in filled
    if not again:
        for box in left:
            yield box, score(box, dice), 0
        return
    bonus = 100 if filled["yahtzee"] == 50 else 0
    own = next(box for box, number in NUMBERS.items() if number == dice[0])
    wild = own not in left
    if joker == "hasbro":
        lower = [box for box in left if box not in NUMBERS]
        if not wild:
            left = [own]
        elif lower:
            left = lower
    for box in left:
        yield box, score(box, dice, joker=wild), bonus


def total_of(filled, bonus_at, bonus):
    """Return the total of a full sheet, without the bonuses for further Yahtzees."""
    upper = sum(points for box, points in filled.items() if box in NUMBERS)
    return sum(filled.values()) + (bonus if upper >= bonus_at else 0)


def best_total(sheet, number, rolls, joker, bonus_at=63, bonus=35):
    """Return the most expected total of a sheet, as a fraction.

    Parameters
    ----------
    sheet
        Names of the boxes.
    number
        Number of dice.
    """
    throws = list(product(range(1, 7), repeat=number))

    @cache
    def to_come(filled):
        """Points still to come: `filled` is a frozenset of (box, points)."""
        have = dict(filled)
        if len(have) == len(sheet):
            return Fraction(total_of(have, bonus_at, bonus) - sum(have.values()))
        worth = {dice: entered(have, dice) for dice in throws}
        for _ in range(rolls - 1):
            worth = {dice: max(after(worth, dice)) for dice in throws}
        return Fraction(sum(worth.values())) / len(throws)

    def entered(have, dice):
        return max(
            points + more + to_come(frozenset({**have, box: points}.items()))
            for box, points, more in legal_entries(sheet, have, dice, joker)
        )

    def after(worth, dice):
        for kept in product((True, False), repeat=number):
            choices = [(d,) if k else range(1, 7) for d, k in zip(dice, kept, strict=True)]
            results = [worth[result] for result in product(*choices)]
            yield Fraction(sum(results)) / len(results)

    return to_come(frozenset())
