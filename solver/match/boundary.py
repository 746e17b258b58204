r"""Boundary states of a score race: what is left of a match between two turns.

While nobody has reached the target, a boundary state is a *cell* (the score of each seat) and
the seat on turn. Once somebody has, with the official end, the seats still to play in this round
play once each: then only the best score so far, how many share it, and how far each seat still
to play is behind it matter. These *last turns* do not depend on the target.

Seats are numbered from 0 in playing order; seat 0 opens each round. The value of a boundary
state is a vector: each seat's chance to win, then the expected number of rounds begun after the
current one, then the chance that the match ends in a tie.

Scores and points are counted in steps of the race (fifties in Farkle), and so is the target here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError
from solver.games.protocol import ScoreRace
from solver.games.readings import End

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LastTurns = Mapping[tuple[int, int], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class RaceValues:
    """Values of every boundary state of a score race, and the payoffs they give a turn.

    Parameters
    ----------
    race
        Target, end and tie.
    seats
        Number of seats, at least one.
    points
        int64, shape (outcomes,): points of each outcome of a turn.
    open_play
        float64, shape (seats, target, ..., target, seats + 2): value with this seat on turn and
        these scores.
    last_turns
        (r, k) -> float64, shape (D, ..., D, r + 2), with r seats still to play and k sharing
        the best score: each holder's share, the chance of each seat still to play, the chance
        of a tie. The axes are how far each seat still to play is behind, less one; D is the most
        points of a turn plus one, and stands for all that is further behind.
    tied
        float64, shape (2,): chances of two tied seats in a tiebreaker round, in playing order;
        None if ties are parted evenly.
    """

    race: ScoreRace
    seats: int
    points: Ints
    open_play: Floats
    last_turns: LastTurns
    tied: Floats | None = None

    @property
    def width(self) -> int:
        """Length of a value vector."""
        return self.seats + 2

    @property
    def reach(self) -> int:
        """One more than the most points of a turn: further behind is all the same."""
        return int(self.points.max()) + 1

    def at(self, scores: Ints, seat: int) -> Floats:
        """Return the value vectors of boundary states with `seat` on turn.

        Parameters
        ----------
        scores
            int64, shape (states, seats). Seats that have played this round may have reached
            the target, in all of the states or in none.
        seat
            The seat on turn, from 0.

        Returns
        -------
        ndarray
            float64, shape (states, seats + 2).
        """
        if (scores >= self.race.target).any():
            return self._last_at(scores, seat)
        found: Floats = self.open_play[(seat, *scores.T)]
        return found

    def after(self, scores: Ints, seat: int) -> Floats:
        """Return the value vector that each outcome of `seat`'s turn leads to.

        Parameters
        ----------
        scores
            int64, shape (states, seats), as for :meth:`at`.
        seat
            The seat on turn, from 0.

        Returns
        -------
        ndarray
            float64, shape (states, outcomes, seats + 2).
        """
        states, outcomes = len(scores), len(self.points)
        result = np.empty((states, outcomes, self.width))
        reached = (scores >= self.race.target).any() if len(scores) else False
        last_seat = seat == self.seats - 1
        for i, gain in enumerate(self.points.tolist()):
            moved = scores.copy()
            moved[:, seat] += gain
            ended = np.full(states, reached) | (moved[:, seat] >= self.race.target)
            if not ended.all():
                going = ~ended
                value = self.open_play[((seat + 1) % self.seats, *moved[going].T)].copy()
                if last_seat:
                    value[:, self.seats] += 1.0
                result[going, i] = value
            if ended.any():
                result[ended, i] = self._ended(moved[ended], seat)
        return result

    def _ended(self, scores: Ints, seat: int) -> Floats:
        """Value once somebody has reached the target and `seat` has just played."""
        if self.race.end is End.IMMEDIATE:
            value = np.zeros((len(scores), self.width))
            value[:, seat] = 1.0
            return value
        return self._last_at(scores, seat + 1)

    def _last_at(self, scores: Ints, seat: int) -> Floats:
        """Value of the last turns with `seat` next, who is the number of seats if none is."""
        played, to_play = scores[:, :seat], scores[:, seat:]
        best = played.max(axis=1)
        holds = played == best[:, None]
        holders = holds.sum(axis=1)
        behind = np.clip(best[:, None] - to_play, 1, self.reach) - 1
        value = np.zeros((len(scores), self.width))
        left = self.seats - seat
        for k in np.unique(holders).tolist():
            rows = np.flatnonzero(holders == k)
            table = self.last_turns[left, k]
            found = table[tuple(behind[rows].T)] if left else np.tile(table, (len(rows), 1))
            share = found[:, :1] if k < 2 or self.tied is None else self.tied
            value[rows, :seat] = holds[rows] * share
            value[rows, seat : self.seats] = found[:, 1 : 1 + left]
            value[rows, self.width - 1] = found[:, 1 + left]
        return value


def points_in_steps(race: ScoreRace, points: Ints, game: str) -> Ints:
    """Return the points of outcomes, counted in steps of the race.

    Raises
    ------
    GameError
        If they are no multiples of it.
    """
    if race.step == 1:
        return points
    odd = points[points % race.step != 0]
    if len(odd):
        raise GameError(
            f"{game}: a turn can bring {int(odd[0])} points, no multiple of {race.step}",
            rule="all points are multiples of the race's step",
        )
    counted: Ints = points // race.step
    return counted


def nobody_left(seats: int) -> dict[tuple[int, int], Floats]:
    """Return the last turns when nobody is left to play: k leaders win 1/k each."""
    return {(0, k): np.array([1.0 / k, float(k > 1)]) for k in range(1, seats + 1)}
