"""Threes: five dice, the lowest sum wins; a 3 counts nothing, and every roll at least one is kept.

Source: the game as told at math.stackexchange.com/questions/4482277 and solved there; also known as
Tripps. The dice that are not kept are rolled again, until all are kept.

Fewer points are better. States: ``("roll", kept, dice)`` with the points kept so far and the dice
to be rolled, ``("keep", kept, *shown)`` with what the dice show, ascending, ``("bank", points)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from solver.dice import multinomial
from solver.errors import PositionError
from solver.games.notation import read_faces, read_number
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, Roll
from solver.games.readings import check_limits, parameter

_LEAST_ONE = "every roll, at least one die is kept"


@dataclass(frozen=True, slots=True)
class Threes:
    """Threes with any number of dice.

    Raises
    ------
    UsageError
        If a parameter is out of its range.
    """

    name: ClassVar[str] = "threes"
    title: ClassVar[str] = "Threes"
    fewest: ClassVar[bool] = True
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("kept", "1", "points of the dice kept in earlier rolls of this turn"),
        PositionField("roll", "1 4 4 6", "all dice just rolled"),
        PositionField("left", "4", "dice to be rolled, where none lie on the table"),
    )
    position_examples: ClassVar[tuple[str, ...]] = (
        '--roll "1 3 4 4 6"',
        '--kept 1 --roll "2 4 6"',
        '--kept 1 --roll "2 4 6" --objective at-most:5',
    )

    dice: int = parameter(5, "number of dice", at_least=1, at_most=8)
    nothing: int = parameter(3, "the face that counts nothing; 0 if every face counts",
                             at_least=0, at_most=6)  # fmt: skip

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the variables in a stored state, for tables: of roll and of keep states."""
        return ("kept", "dice_or_die_1", *(f"die_{i}" for i in range(2, self.dice + 1)))

    def worth(self, dice: Iterable[int]) -> int:
        """Return the points of dice."""
        return sum(face for face in dice if face != self.nothing)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first roll."""
        return ("roll", 0, self.dice)

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind, kept, *rest = state
        if kind == "bank":
            return Bank(kept)
        if kind == "roll":
            return Roll([(ways, ("keep", kept, *shown)) for ways, shown in _rolls(rest[0])])
        return Choose(self.keeps(kept, tuple(rest)))

    def keeps(self, kept: int, shown: tuple[int, ...]) -> dict[str, tuple[Any, ...]]:
        """Return the ways to keep dice, the most first and of equally many the lowest first.

        Parameters
        ----------
        kept
            Points kept before.
        shown
            What the dice show, ascending.
        """
        options: dict[str, tuple[Any, ...]] = {}
        for count in range(len(shown), 0, -1):
            ways = dict.fromkeys(combinations(shown, count))
            for dice in sorted(ways, key=lambda dice: (self.worth(dice), dice)):
                points, left = kept + self.worth(dice), len(shown) - count
                after = ("roll", points, left) if left else ("bank", points)
                options[f"keep {' '.join(map(str, dice))}"] = after
        return options

    def read_position(self, kept: Any = 0, roll: Any = None, left: Any = None) -> Position:
        """Return the position with these points kept and these dice on the table.

        Parameters
        ----------
        kept
            Points of the dice kept before.
        roll
            What the dice show (``"1 4 4 6"``), or None before a roll.
        left
            How many dice are to be rolled, if none lie on the table; by default all.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or the rules do not allow the position.
        """
        shown = None if roll is None else read_faces(roll, "roll", range(1, 7))
        if shown is not None and left is not None:
            raise PositionError(
                "--left is for dice that are not rolled yet", remedy="leave it out", field="left"
            )
        count = self.dice if shown is None else len(shown)
        if left is not None:
            count = read_number(left, "left", least=1)
        before = self.dice - count
        points = read_number(kept, "kept")
        most = before * max(self.worth([face]) for face in range(1, 7))
        if not 0 <= before < self.dice or points > most:
            raise PositionError(
                f"{points} points cannot have been kept with {before} of {self.dice} dice",
                rule=_LEAST_ONE,
                remedy='--kept 1 --roll "2 4 6": what was kept before, and the dice on the table',
                field="kept",
            )
        told = {"kept": str(points)}
        if shown is None:
            return position_at(self, ("roll", points, count), told | {"left": str(count)})
        told["roll"] = " ".join(map(str, shown))
        return position_at(self, ("keep", points, *shown), told)


@lru_cache(maxsize=16)
def _rolls(dice: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return (weight, faces ascending) of all that so many dice can show."""
    return tuple(
        (ways, tuple(face for face, count in enumerate(counts, 1) for _ in range(count)))
        for counts, ways in multinomial((1,) * 6, dice)
    )
