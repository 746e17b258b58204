"""The rules once more, by brute force: every order in which dice can fall, in exact fractions.

Written from the rule sheets alone, and slow on purpose: dice are letters in a string, each die is
told from every other, each species from every other, and nothing of the library is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

OFFICIAL_DIE = "TRRHCK"

Payoff = Callable[[int], Fraction | int]


def as_points(points: int) -> int:
    return points


class MartianTurn:
    """The best expected payoff of a Martian Dice turn.

    Dice set aside are written as a sorted string, ``"CHHRT"``. A die is the string of its sides.
    """

    def __init__(
        self,
        dice: int,
        *,
        die: str = OFFICIAL_DIE,
        bonus: int = 3,
        head: int = 1,
        payoff: Payoff = as_points,
    ) -> None:
        self.dice, self.die = dice, die
        self.bonus, self.head = bonus, head
        self.payoff = payoff
        self.rolled_on: dict[str, Fraction] = {}

    def rolls(self, aside: str) -> Iterator[str]:
        """Step 1: every way in which the dice that are left can fall, all equally likely."""
        return map("".join, product(self.die, repeat=self.dice - len(aside)))

    def roll(self, aside: str = "") -> Fraction:
        """The value of rolling with these dice set aside; with none, of the whole turn."""
        if aside not in self.rolled_on:
            values = [self.see(aside, roll) for roll in self.rolls(aside)]
            self.rolled_on[aside] = sum(values, Fraction(0)) / len(values)
        return self.rolled_on[aside]

    def see(self, aside: str, roll: str) -> Fraction:
        """The value of having rolled this."""
        ways = self.ways(aside, roll)
        if not ways:
            return self.stop(aside + "T" * roll.count("T"))
        return max(self.decide(after) for after in ways.values())

    def ways(self, aside: str, roll: str) -> dict[str, str]:
        """Steps 2 and 3: each type that can be taken, and what lies aside after taking it."""
        types = [letter for letter in "RHCK" if letter in roll]
        types = [letter for letter in types if letter == "R" or letter not in aside]
        keep = {letter: [die for die in roll if die in ("T", letter)] for letter in types}
        return {letter: "".join(sorted([*aside, *kept])) for letter, kept in keep.items()}

    def decide(self, aside: str) -> Fraction:
        """Step 4: stop or roll on, whichever is better; without dice left there is no choice."""
        if len(aside) == self.dice:
            return self.stop(aside)
        return max(self.stop(aside), self.roll(aside))

    def stop(self, aside: str) -> Fraction:
        return Fraction(self.payoff(self.points(aside)))

    def points(self, aside: str) -> int:
        """Scoring."""
        if aside.count("T") > aside.count("R"):
            return 0
        abductees = [die for die in aside if die in "HCK"]
        return len(abductees) * self.head + (self.bonus if len(set(abductees)) == 3 else 0)


def best_martian_turn(
    dice: int,
    *,
    die: str = OFFICIAL_DIE,
    bonus: int = 3,
    head: int = 1,
    payoff: Payoff = as_points,
) -> Fraction:
    return MartianTurn(dice, die=die, bonus=bonus, head=head, payoff=payoff).roll()


def best_pig_turn(
    target: int, *, sides: int = 6, payoff: Payoff = as_points, rolled: tuple[int, ...] = ()
) -> Fraction:
    """The best expected payoff of a Pig turn after these rolls, through every order of rolls.

    A total that reaches the target ends the turn and counts as the target.
    """
    values = []
    for shown in range(1, sides + 1):
        rolls = (*rolled, shown)
        if shown == 1:
            values.append(Fraction(payoff(0)))
        elif sum(rolls) >= target:
            values.append(Fraction(payoff(target)))
        else:
            on = best_pig_turn(target, sides=sides, payoff=payoff, rolled=rolls)
            values.append(max(Fraction(payoff(sum(rolls))), on))
    return sum(values, Fraction(0)) / sides
