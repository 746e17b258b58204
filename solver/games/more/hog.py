"""Hog: choose how many dice to roll at once; any 1 among them scores nothing, else their sum.

Source: L. Feldman and F. Morgan, The Pedagogy and Probability of the Dice Game HOG, Journal of
Statistics Education 11(2), 2003, section 1; as a variant of Pig in T. W. Neller and C. G. M.
Presser, Pigtail: A Pig Addendum, The UMAP Journal 26(4), 2005. A turn is one choice and one roll.

Points are cut at the target: no more can be needed. So no roll of more than half as many dice can
be of use: if none shows a 1, each brings two points or more. A roll is counted die by die, which
comes to the same and keeps the numbers small.

States: ``("choose",)``, ``("count", dice, total)`` (so many dice are still to be counted),
``("bank", points)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Tie, check_limits, parameter


@dataclass(frozen=True, slots=True)
class Hog:
    """Hog with dice of any number of faces.

    Raises
    ------
    UsageError
        If a parameter is out of its range.
    """

    name: ClassVar[str] = "hog"
    title: ClassVar[str] = "Hog"
    vary_example: ClassVar[str] = "faces=4..8"
    columns: ClassVar[tuple[str, ...]] = ("dice", "total")
    position_fields: ClassVar[tuple[PositionField, ...]] = ()
    position_examples: ClassVar[tuple[str, ...]] = ("", "--scores 41,49 --seat 1")

    faces: int = parameter(6, "faces of a die", at_least=2, at_most=100)
    target: int = parameter(100, "points that win", at_least=1, at_most=1000)
    end: End = parameter(End.IMMEDIATE, "when somebody reaches the target", scope="match")
    tie: Tie = parameter(Tie.SHARED, "several leaders at the end", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def race(self) -> ScoreRace:
        """The race to the target."""
        return ScoreRace(self.target, self.end, self.tie)

    @property
    def most_dice(self) -> int:
        """The most dice that a roll can be of use with."""
        return (self.target + 1) // 2

    def start(self) -> tuple[Any, ...]:
        """Return the state before the choice."""
        return ("choose",)

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        if state[0] == "choose":
            return Choose(self.choices())
        if state[0] == "bank" or not state[1]:
            return Bank(state[-1])
        _, dice, total = state
        rest = ((1, ("count", dice - 1, min(total + face, self.target)))
                for face in range(2, self.faces + 1))  # fmt: skip
        return Roll([(1, ("bank", 0)), *rest])

    def choices(self) -> dict[str, tuple[Any, ...]]:
        """Return the numbers of dice that can be rolled, the fewest first."""
        counts = range(1, self.most_dice + 1)
        return {f"roll {n} dice" if n > 1 else "roll 1 die": ("count", n, 0) for n in counts}

    def read_position(self) -> Position:
        """Return the one position there is: the dice are to be chosen."""
        return Position({"turn": "how many dice?"}, self.start(), self.choices())
