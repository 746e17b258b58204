"""A turn of Alien Crew by brute force: every order in which dice can fall, in exact fractions.

Written from the rule sheet alone, and slow on purpose: dice are digits in a string, each told
from every other, what is set aside is the string of its faces, and nothing of the library is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

FACES = "123456"
TRIO = "654"

Payoff = Callable[[int, int], Fraction | int]


def as_points(points: int, _stage: int) -> int:
    return points


def average(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


class AlienTurn:
    """The best expected payoff(points, stage afterwards) of a turn."""

    def __init__(
        self,
        payoff: Payoff = as_points,
        *,
        dice: int = 5,
        keep: bool = True,
        either: bool = True,
    ) -> None:
        self.payoff, self.dice = payoff, dice
        self.keep, self.either = keep, either
        self.thrown: dict[tuple[str, int], Fraction] = {}
        self.manned: dict[tuple[str, int], Fraction] = {}

    def rolls(self, aside: str) -> Iterator[str]:
        """Every way in which the dice that are not set aside can fall, all equally likely."""
        return map("".join, product(FACES, repeat=self.dice - len(aside)))

    def throw(self, aside: str, throws: int) -> Fraction:
        """The value of being about to throw, with that many throws left."""
        if (aside, throws) not in self.thrown:
            values = [self.see(aside, roll, throws - 1) for roll in self.rolls(aside)]
            self.thrown[aside, throws] = average(values)
        return self.thrown[aside, throws]

    def see(self, aside: str, roll: str, throws: int) -> Fraction:
        """The value of having thrown this, with that many throws left after it."""
        aside, left = self.set_aside(aside, roll)
        if aside == TRIO:
            return self.crew(left, throws)
        return self.throw(aside, throws) if throws else self.end(0, aside)

    @staticmethod
    def set_aside(aside: str, roll: str) -> tuple[str, str]:
        """A six, then a five, then a four: one of each, and none before the one it needs."""
        for wanted in TRIO:
            if wanted not in aside:
                if wanted not in roll:
                    break
                aside, roll = aside + wanted, roll.replace(wanted, "", 1)
        return aside, roll

    def crew(self, crew: str, throws: int) -> Fraction:
        """The best of all that can be done with this crew."""
        if (crew, throws) not in self.manned:
            self.manned[crew, throws] = max(self.choices(crew, throws).values())
        return self.manned[crew, throws]

    def choices(self, crew: str, throws: int) -> dict[str, Fraction]:
        """The value of throwing these dice again, named by their faces; of none: the end."""
        choices = {"": self.end(sum(map(int, crew)), TRIO)}
        for again in product((True, False), repeat=len(crew)) if throws else ():
            if any(again) and (self.either or all(again)):
                thrown = "".join(die for die, yes in zip(crew, again, strict=True) if yes)
                choices["".join(sorted(thrown))] = average(
                    [self.crew(new, throws - 1) for new in self.thrown_again(crew, again)]
                )
        return choices

    @staticmethod
    def thrown_again(crew: str, again: tuple[bool, ...]) -> Iterator[str]:
        return map(
            "".join,
            product(*(FACES if yes else die for die, yes in zip(crew, again, strict=True))),
        )

    def end(self, points: int, aside: str) -> Fraction:
        return Fraction(self.payoff(points, len(aside) if self.keep else 0))
