"""A race to a goal between policies, evaluated."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from solver.errors import UsageError
from solver.match.goal.result import number_of
from solver.match.goal.standings import Standings
from solver.policies.arena.goal.equations.pairs import PairValues


@dataclass(frozen=True, slots=True, eq=False)
class SeatedGoal:
    """A race of two seats to a goal, from every pair of standings.

    Parameters
    ----------
    game
        The game's name.
    standings
        The standings.
    values
        The chances.
    """

    game: str
    standings: Standings = field(repr=False)
    values: PairValues = field(repr=False)

    @property
    def error(self) -> float:
        """Bound on the error of every chance."""
        return self.values.error

    @property
    def win_probability(self) -> tuple[float, ...]:
        """Each seat's chance to win from the start."""
        return self.at(0, 0, 1)

    @property
    def expected_rounds(self) -> float:
        """Expected number of rounds begun, of matches that somebody wins."""
        ends = float(self.values.ends[0][0, 0])
        return float(self.values.rounds[0, 0]) / ends if ends else 0.0

    @property
    def tie_probability(self) -> float:
        """No race to a goal is tied."""
        return 0.0

    @property
    def neither(self) -> float:
        """Chance from the start that the match goes on for ever, and nobody wins."""
        return 1.0 - float(self.values.ends[0][0, 0])

    def at(self, one: int, two: int, seat: int) -> tuple[float, float]:
        """Return both seats' chances from standings by number, with a seat (1 or 2) on turn."""
        table = (self.values.first, self.values.second)[seat - 1]
        ends = self.values.ends[seat - 1]
        first = float(table[one, two])
        return first, max(0.0, float(ends[one, two]) - first)

    def chances(self, standings: Sequence[Hashable], seat: int) -> tuple[float, ...]:
        """Return both seats' chances to win from other standings.

        Parameters
        ----------
        standings
            Of seat 1 and seat 2.
        seat
            The seat on turn, from 1.

        Raises
        ------
        PositionError
            If no turn begins so.
        UsageError
            If there are not two of them, or there is no such seat.
        """
        if len(standings) != 2 or seat not in (1, 2):
            raise UsageError(
                f"a race to a goal has two seats, not seat {seat} of {len(standings)}",
                field="seat",
            )
        one, two = (number_of(self.standings, name, self.game) for name in standings)
        return self.at(one, two, seat)


@dataclass(frozen=True, slots=True, eq=False)
class ManyGoal:
    """A race of several seats to a goal that do not look at each other, from the start.

    Parameters
    ----------
    win_probability
        Each seat's chance to win.
    expected_rounds
        Expected number of rounds begun, of matches that somebody wins.
    neither
        Chance that nobody ever wins.
    error
        Bound on the error of the chances.
    """

    win_probability: tuple[float, ...]
    expected_rounds: float
    neither: float
    error: float

    @property
    def tie_probability(self) -> float:
        """No race to a goal is tied."""
        return 0.0
