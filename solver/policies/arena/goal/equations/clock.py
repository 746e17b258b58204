r"""One seat by itself: when its turns reach the goal, if they ever do.

Let :math:`A` hold the chances of standings after a turn of a policy that looks at nobody, and
:math:`g` the chance to reach the goal in it. Standings from which the goal cannot be reached are
found first, by steps along possible turns; from one of them the seat never wins, however long it
plays. From the others the chance :math:`u` to reach the goal some day and the expected number of
turns :math:`d` until that is settled are

.. math:: u = g + A u, \qquad d = 1 + A d,

each with one solution there, since every turn may lead towards the goal. Two seats that do not
look at each other are two such clocks, and the match is which of them rings first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.policies.arena.goal.turns.seat import GivenTurns

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_SLACK = 1e-6
_UNIT = 2.0**-53


@dataclass(frozen=True, eq=False)
class Clock:
    """The turns of a policy that does not look at the other seat.

    Parameters
    ----------
    matrix
        A sparse matrix of scipy, float64, shape (standings, standings).
    goal
        float64, shape (standings,): the chance to reach the goal in one turn.
    rounding
        Bound on the error that an average of values of at most one picks up.
    """

    matrix: Any
    goal: Floats
    rounding: float

    @classmethod
    def of(cls, turns: GivenTurns) -> Clock:
        """Return the clock of turns of one view."""
        return cls(turns.matrices[0], turns.goals[:, 0], turns.rounding)

    @cached_property
    def reaches(self) -> Flags:
        """bool, shape (standings,): whether the goal can be reached at all."""
        found = self.goal > 0.0
        while True:
            more = found | (self.matrix @ found.astype(np.float64) > 0.0)
            if np.array_equal(more, found):
                return found
            found = more

    @cached_property
    def sure(self) -> Flags:
        """bool, shape (standings,): whether the goal is reached whatever the dice show."""
        lost = ~self.reaches
        while True:
            more = lost | (self.matrix @ lost.astype(np.float64) > 0.0)
            if np.array_equal(more, lost):
                return ~lost
            lost = more

    @cached_property
    def wins(self) -> Floats:
        """float64, shape (standings,): the chance to reach the goal some day, alone."""
        if self.sure.all():
            return np.ones(len(self.goal))
        return np.where(self.sure, 1.0, np.clip(self._solved(self.goal), 0.0, 1.0))

    @cached_property
    def never(self) -> Floats:
        """float64, shape (standings,): the chance never to reach it; exactly zero where it is."""
        return 1.0 - self.wins

    @cached_property
    def turns(self) -> Floats:
        """float64, shape (standings,): expected turns until the goal is reached, or cannot be.

        Raises
        ------
        ProofError
            If a turn that leads on is so rare that no bound can be shown.
        """
        found = self._solved(np.ones(len(self.goal))) * (1.0 + _SLACK)
        later = self.matrix @ found
        most = (later + 1.0) * (1.0 + (len(found) + 2) * _UNIT + self.rounding)
        if not (np.isfinite(found).all() and (most <= found)[self.reaches].all()):
            raise ProofError(
                "the goal is so far away under this policy that no bound can be shown",
                remedy="a nearer goal, or more income",
            )
        return found

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """Mean and variance of the turns to the goal, of runs that reach it, by standing.

        nan where the goal cannot be reached.
        """
        wins = self.wins
        first = self._solved(wins)
        second = self._solved(wins + 2.0 * (self.matrix @ first))
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(self.reaches, first / wins, np.nan)
            square = np.where(self.reaches, second / wins, np.nan)
        return mean, np.maximum(square - mean * mean, 0.0)

    def _solved(self, right: Floats) -> Floats:
        """Return x = right + A x on the standings that reach the goal, 0 elsewhere."""
        from scipy import sparse  # noqa: PLC0415  only for races to a goal
        from scipy.sparse.linalg import splu  # noqa: PLC0415

        here = np.flatnonzero(self.reaches)
        found = np.zeros(len(right))
        if not len(here):
            return found
        on: Any = sparse.identity(len(here), format="csc") - self.matrix[here][:, here].tocsc()
        try:
            found[here] = splu(on.tocsc()).solve(right[here])
        except RuntimeError:  # singular to the last digit
            found[here] = np.inf
        return found
