"""What solving a match returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from solver.games.protocol import ScoreRace
from solver.match.boundary import Floats, Ints, RaceValues
from solver.match.check_scores import checked_scores
from solver.match.race import Mixes
from solver.match.rounds import RoundsValues
from solver.turn.graph import TurnGraph
from solver.turn.result import Exactness


@dataclass(frozen=True, slots=True, eq=False)
class MatchSolution:
    """A match under best play of every seat. Seats are numbered from 1 in playing order.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    seats
        Number of seats.
    exactness
        How exact the chances to win are.
    win_probability
        Each seat's chance to win from the start, seat 1 first.
    expected_rounds
        Expected number of rounds begun.
    tie_probability
        Chance that several leaders have to be parted at the end.
    cells, turns
        Cells of open play, and turns that were solved in them.
    mixes
        Boundary states in which no pure choice is in equilibrium: (scores, seat from 0) -> how
        the seat on turn mixes there.
    graph
        The compiled turn.
    """

    game: str
    rules: Mapping[str, int | str]
    seats: int
    exactness: Exactness
    win_probability: tuple[float, ...]
    expected_rounds: float
    tie_probability: float
    cells: int
    turns: int
    mixes: Mixes
    graph: TurnGraph = field(repr=False)

    @property
    def error(self) -> float | None:
        """The bound that was proven; None if none was asked for."""
        return self.exactness.error


@dataclass(frozen=True, slots=True, eq=False)
class SolvedRace(MatchSolution):
    """A score race, solved; see :class:`MatchSolution`.

    Parameters
    ----------
    values
        The value of every boundary state, scores counted in steps of the race.
    race
        The race as the game names it.
    """

    values: RaceValues = field(repr=False)
    race: ScoreRace

    def chances(self, scores: tuple[int, ...], seat: int) -> tuple[float, ...]:
        """Return each seat's chance to win with `seat` on turn.

        Parameters
        ----------
        scores
            Points of every seat, seat 1 first.
        seat
            The seat on turn, from 1.

        Raises
        ------
        PositionError
            If the rules do not allow these scores with this seat on turn.
        """
        most = (self.values.reach - 1) * self.race.step
        at = checked_scores(self.race, self.seats, most, scores, seat)
        return tuple(self.values.at(at, seat - 1)[0, : self.seats].tolist())


@dataclass(frozen=True, slots=True, eq=False)
class SolvedRounds(MatchSolution):
    """A match of rounds and stages, solved; see :class:`MatchSolution`.

    Parameters
    ----------
    values
        The value of every boundary state.
    """

    values: RoundsValues = field(repr=False)


def start_of(values: RaceValues) -> Floats:
    """Return the value vector at the start: nobody has points, the first seat is on turn."""
    nothing: Ints = np.zeros((1, values.seats), dtype=np.int64)
    first: Floats = values.at(nothing, 0)[0]
    return first
