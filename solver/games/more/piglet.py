"""Piglet: flip a coin as often as you like; heads is a point, tails loses the turn's points.

Source: T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal
25(1), 2004, where it is the example that is solved by hand. A turn total is cut at the target:
no more can be needed.

States: ``("flip", total)``, ``("total", total)`` (stop or flip), ``("bank", points)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from solver.games.notation import read_number
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Tie, check_limits, parameter


@dataclass(frozen=True, slots=True)
class Piglet:
    """Piglet, to any target.

    Raises
    ------
    UsageError
        If the target is out of its range.
    """

    name: ClassVar[str] = "piglet"
    title: ClassVar[str] = "Piglet"
    columns: ClassVar[tuple[str, ...]] = ("total",)
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("total", "1", "heads flipped so far this turn"),
    )
    position_examples: ClassVar[tuple[str, ...]] = ("--total 1", "--total 1 --scores 0,1 --seat 1")

    target: int = parameter(2, "points that win", at_least=1, at_most=10_000)
    end: End = parameter(End.IMMEDIATE, "when somebody reaches the target", scope="match")
    tie: Tie = parameter(Tie.SHARED, "several leaders at the end", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def race(self) -> ScoreRace:
        """The race to the target."""
        return ScoreRace(self.target, self.end, self.tie)

    def start(self) -> tuple[str, int]:
        """Return the state before the first flip."""
        return ("flip", 0)

    def expand(self, state: tuple[str, int]) -> Expansion:
        """Return what happens at `state`."""
        kind, total = state
        if kind == "bank" or total >= self.target:
            return Bank(total)
        if kind == "total":
            return Choose({"stop": ("bank", total), "flip": ("flip", total)})
        return Roll([(1, ("total", total + 1)), (1, ("bank", 0))])

    def read_position(self, total: Any = 0) -> Position:
        """Return the position with so many heads flipped.

        Raises
        ------
        NotationError
            If the total is no whole number of at least zero.
        """
        heads = min(read_number(total, "total"), self.target)
        state = ("total", heads) if heads else self.start()
        return position_at(self, state, {"total": str(heads)})
