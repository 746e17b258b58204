"""Pig: roll as often as you like; a 1 loses the turn's points.

Source: T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal
25(1), 2004, section 1. A turn total is cut at the target: no more can be needed.

States: ``("roll", total)``, ``("total", total)`` (hold or roll), ``("bank", points)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from solver.dice import Die
from solver.errors import NotationError, UsageError
from solver.games.notation import whole_number
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Tie, check_limits, parameter


def read_die(text: str) -> Die:
    """Return the die written as ``d6``, or as faces with weights: ``1:1 2:3``.

    Raises
    ------
    NotationError
        If the text cannot be read.
    """
    sides = whole_number(text[1:])
    if text.lower().startswith("d") and sides is not None:
        return Die.fair(sides)
    weights: dict[str | int, int] = {}
    at = 0
    for word in text.replace(",", " ").split():
        at = text.index(word, at)
        shown, _, times = word.partition(":")
        face, weight = whole_number(shown), whole_number(times or "1")
        if face is None or weight is None:
            raise NotationError(
                "this is not a face with its weight",
                text=text,
                at=at,
                remedy="d6, or faces with weights: 1:1 2:3",
                field="die",
            )
        weights[face] = weights.get(face, 0) + weight
        at += len(word)
    return Die.of(weights)


@dataclass(frozen=True, slots=True)
class Pig:
    """Pig with any die whose face 1 loses the turn.

    Raises
    ------
    UsageError
        If the die could never lose or never gain.
    """

    name: ClassVar[str] = "pig"
    title: ClassVar[str] = "Pig"
    vary_example: ClassVar[str] = "die.1=1/10..1/4"
    columns: ClassVar[tuple[str, ...]] = ("total",)
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("total", "18", "points rolled so far this turn"),
    )

    die: Die = parameter(Die.fair(6), "the die: d6, or faces with weights", read=read_die)
    target: int = parameter(100, "points that win", at_least=1, at_most=100_000)
    end: End = parameter(End.IMMEDIATE, "when somebody reaches the target", scope="match")
    tie: Tie = parameter(Tie.SHARED, "several leaders at the end", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)
        sides = sorted(self.die.sides, key=lambda side: int(side[0]))
        object.__setattr__(self, "die", Die(tuple(sides)))  # equal dice, equal rules
        gains = sum(weight for face, weight in self.die if isinstance(face, int) and face > 1)
        if not self.die.weight(1) or not gains:
            raise UsageError(
                "Pig needs a die with a 1 and with a face above 1",
                rule="a 1 loses the turn, any other face adds to it",
                field="die",
            )

    @property
    def race(self) -> ScoreRace:
        """The race to the target."""
        return ScoreRace(self.target, self.end, self.tie)

    def start(self) -> tuple[str, int]:
        """Return the state before the first roll."""
        return ("roll", 0)

    def expand(self, state: tuple[str, int]) -> Expansion:
        """Return what happens at `state`."""
        kind, total = state
        if kind == "bank" or (kind == "total" and total >= self.target):
            return Bank(total)
        if kind == "total":
            return Choose({"stop": ("bank", total), "roll": ("roll", total)})
        return Roll([(weight, self._after(total, face)) for face, weight in self.die if weight])

    def _after(self, total: int, face: int | str) -> tuple[str, int]:
        if face == 1:
            return ("bank", 0)
        return ("total", min(total + int(face), self.target))

    def read_position(self, total: Any = 0) -> Position:
        """Return the position with this turn total.

        Raises
        ------
        NotationError
            If the total is no whole number of at least zero.
        """
        found = whole_number(str(total))
        if found is None:
            raise NotationError(
                "--total takes a whole number", text=str(total), at=0, field="total"
            )
        points = min(found, self.target)
        state = ("total", points) if points else self.start()
        return position_at(self, state, {"total": str(points)})
