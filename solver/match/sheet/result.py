"""What solving a score sheet returns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from solver.match.sheet.standings import Sheet
from solver.turn.graph import TurnGraph
from solver.turn.result import Exactness


@dataclass(frozen=True, slots=True, eq=False)
class SheetSolution:
    """A score sheet under best play for the most expected total.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    exactness
        How exact the totals are.
    total
        The most expected total of a game, in points.
    exact
        The same as a fraction, if it was solved exactly.
    values
        Shape (sets of open boxes, tallies): points still to come, float64 or fractions; NaN (or
        None) where no game comes to.
    sheet, graph
        The compiled sheet and turn.
    """

    game: str
    rules: Mapping[str, int | str]
    exactness: Exactness
    total: float
    exact: Fraction | None
    values: NDArray[Any] = field(repr=False)
    sheet: Sheet = field(repr=False)
    graph: TurnGraph = field(repr=False)

    @property
    def standings(self) -> int:
        """Number of standings that were solved."""
        return self.sheet.standings

    def to_come(self, open_boxes: frozenset[str], tally: Hashable) -> Any:
        """Return the most expected points still to come from a standing.

        Parameters
        ----------
        open_boxes, tally
            The standing.

        Raises
        ------
        PositionError
            If no game comes to it.
        """
        row, column = self.sheet.place(open_boxes, tally)
        return self.values[row, column]
