r"""Two seats that do not look at each other: two clocks, and which of them rings first.

With :math:`A, g` of seat 1 and :math:`B` of seat 2 (see :mod:`.clock`) the chance that seat 1 wins,
it being on turn in standing :math:`a` and the other seat's being :math:`b`, is

.. math:: V = g 1^T + A V B^T = \sum_k A^k g\, (B^k 1)^T,

a discrete Lyapunov (Stein) equation. Its terms are never negative, so doubling,
:math:`V \leftarrow V + A V B^T, A \leftarrow A^2, B \leftarrow B^2`, climbs to it with few rounding
errors, twice as many rounds of the match at each step: a match of a million rounds takes twenty.
(R. A. Smith, Matrix equation XA + BX = C, SIAM Journal on Applied Mathematics 16(1), 1968.)
Stages of standings are solved one after another, so that only those that come back are large.

Nobody wins with chance :math:`n_1(a) n_2(b)`, the chance that neither clock ever rings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.equations.doubling import Doubling

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNIT = 2.0**-53


@dataclass(frozen=True, slots=True, eq=False)
class PairValues:
    """A match of two seats, from every pair of standings.

    Tables are float64, shape (standings of seat 1, standings of seat 2).

    Parameters
    ----------
    first, second
        The chance that seat 1 wins, seat 1 on turn and seat 2 on turn.
    ends
        The chance that somebody wins, in this order too.
    rounds
        Expected rounds begun, seat 1 on turn, counting only matches that somebody wins: their
        sum over such matches, not yet divided by their chance.
    error
        Bound on the error of the chances.
    """

    first: Floats
    second: Floats
    ends: tuple[Floats, Floats]
    rounds: Floats
    error: float


def race_of_clocks(one: Clock, two: Clock, stages: Sequence[Ints]) -> PairValues:
    """Return the match of two seats that do not look at each other.

    Parameters
    ----------
    one, two
        Seat 1 and seat 2.
    stages
        Standings to be solved together, those first that lead to no later stage.

    Raises
    ------
    ProofError
        If the goal is so far away for both that no bound can be shown.
    """
    size = len(one.goal)
    ends = 1.0 - np.outer(one.never, two.never)
    right = np.stack([np.repeat(one.goal[:, None], size, axis=1), ends])
    values = _solved(one.matrix, two.matrix, right, stages)
    first, rounds = values
    back = two.matrix.T.tocsr()
    second: Floats = first @ back
    off = np.abs(one.matrix @ second + right[0] - first).max()
    rounding = one.rounding + two.rounding + (2 * size + 8) * _UNIT
    error = (float(off) + rounding) * _rounds_at_most(one, two) + rounding
    error += sum(never_error(clock) for clock in (one, two) if not clock.reaches.all())
    if not error < 1e-2:
        raise ProofError(
            f"the goal is so far away under these policies that the chances are off by {error:.0e}",
            remedy="a nearer goal, or more income",
        )
    return PairValues(
        np.clip(first, 0.0, 1.0), np.clip(second, 0.0, 1.0), (ends, ends), rounds, error
    )


def _rounds_at_most(one: Clock, two: Clock) -> float:
    """Return a bound on the expected rounds until the match is over, or can no longer be won."""
    sure = [float(clock.turns.max()) for clock in (one, two) if clock.reaches.all()]
    return min(sure) if sure else float(one.turns.max() + two.turns.max())


def never_error(clock: Clock) -> float:
    """Return a bound on the error of the chance never to reach the goal."""
    off = np.abs(clock.goal + clock.matrix @ clock.wins - clock.wins).max()
    rounding = clock.rounding + (len(clock.goal) + 4) * _UNIT
    return (float(off) + rounding) * float(clock.turns.max())


def _solved(one: Any, two: Any, right: Floats, stages: Sequence[Ints]) -> Floats:
    """Return X = right + A X B^T for several right sides, shape (sides, standings, standings)."""
    found = np.zeros_like(right)
    for mine in stages:
        ahead = one[mine]
        for theirs in stages:
            beyond = two[theirs]
            block = np.ix_(mine, theirs)
            known = np.stack(
                [
                    side[block] + _between(ahead, x, beyond)
                    for side, x in zip(right, found, strict=True)
                ]
            )
            squares = Doubling(ahead[:, mine].toarray(), beyond[:, theirs].toarray())
            inside = squares.solve(known)
            for x, part in zip(found, inside, strict=True):
                x[block] = part
    return found


def _between(ahead: Any, table: Floats, beyond: Any) -> Floats:
    found: Floats = np.asarray((beyond @ (ahead @ table).T).T)
    return found
