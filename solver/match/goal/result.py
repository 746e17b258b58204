"""What solving a match to a goal returns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.match.goal.standings import Standings
from solver.turn.graph import TurnGraph
from solver.turn.result import Exactness

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AloneSolution:
    """Alone to the goal, in the fewest expected turns.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    assumption
        What the numbers assume that the rules do not say.
    exactness
        How exact the expected turns at the start are.
    expected_turns
        float64, shape (standings,): the fewest expected turns, by standing.
    relative_error
        No value is off by more than this share of itself.
    within
        float64, shape (turns + 1,): the chance to have reached the goal within 0, 1, ... turns
        from the start, under this play.
    iterations
        Policies that were evaluated.
    standings, graph
        The standings and the compiled turn.
    """

    game: str
    rules: Mapping[str, int | str]
    assumption: str | None
    exactness: Exactness
    expected_turns: Floats
    relative_error: float
    within: Floats
    iterations: int
    standings: Standings = field(repr=False)
    graph: TurnGraph = field(repr=False)

    def turns(self, standing: Hashable) -> float:
        """Return the fewest expected turns from a standing.

        Raises
        ------
        PositionError
            If no turn begins so.
        """
        return float(self.expected_turns[number_of(self.standings, standing, self.game)])


@dataclass(frozen=True, slots=True, eq=False)
class GoalRaceSolution:
    """Two seats to the goal, both playing their best.

    Parameters
    ----------
    game, rules, assumption
        As for :class:`AloneSolution`.
    exactness
        How exact every chance is.
    chance
        float64, shape (standings, standings): the chance to win of the seat on turn, by its own
        standing and the other seat's. The other seat's chance is one less it.
    turns_at_most
        A seat that plays its best reaches the goal, or has lost, within so many turns of its own
        on average, whatever the other does: at the start; None without proof.
    iterations, sweeps
        Policies improved, and backward passes over the pairs of a stage.
    standings, graph
        The standings and the compiled turn.
    """

    game: str
    rules: Mapping[str, int | str]
    assumption: str | None
    exactness: Exactness
    chance: Floats = field(repr=False)
    turns_at_most: float | None
    iterations: int
    sweeps: int
    standings: Standings = field(repr=False)
    graph: TurnGraph = field(repr=False)

    @property
    def win_probability(self) -> tuple[float, float]:
        """Both seats' chances from the start, seat 1 on turn."""
        first = float(self.chance[0, 0])
        return first, 1.0 - first

    def win(self, own: Hashable, other: Hashable) -> float:
        """Return the chance to win of the seat on turn.

        Parameters
        ----------
        own, other
            Its standing and the other seat's.

        Raises
        ------
        PositionError
            If no turn begins so.
        """
        mine = number_of(self.standings, own, self.game)
        return float(self.chance[mine, number_of(self.standings, other, self.game)])


def number_of(standings: Standings, standing: Any, game: str) -> int:
    """Return the number of a standing.

    Raises
    ------
    PositionError
        If no turn begins so.
    """
    try:
        return standings.number(standing)
    except ValueError:
        raise PositionError(f"no turn of {game} begins with the standing {standing!r}") from None
