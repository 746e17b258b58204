"""The last turns of a round in which somebody has reached the target, for every deficit.

Each seat still to play has one turn and knows what it must beat: with `behind` points to make
up and `k` seats sharing the best score, more points make it the only leader, exactly as many one
of k + 1, fewer leave things as they are for it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.match.boundary import Floats, Ints, nobody_left

Solve = Callable[[Floats], tuple[Floats, Floats]]
"""Payoffs (states, outcomes) -> best value (states,) and distribution (states, outcomes)."""
Fixed = Callable[[Ints], Floats]
"""Points behind (states,) -> distribution over outcomes (states, outcomes)."""


def solve_last_turns(
    seats: int,
    points: NDArray[np.int64],
    solve: Solve,
    fixed: dict[int, Fixed] | None = None,
    tied: Floats | None = None,
) -> dict[tuple[int, int], Floats]:
    """Return the values of the last turns.

    Parameters
    ----------
    seats
        Number of seats in the match.
    points
        Points of each outcome.
    solve
        Solver of a batch of turns.
    fixed
        Seat -> what it plays in its last turn, for seats that do not play their best.
    tied
        Chances of two tied seats in a tiebreaker round; None if ties are parted evenly.

    Returns
    -------
    dict
        As :attr:`solver.match.boundary.RaceValues.last_turns` describes.
    """
    found = nobody_left(seats)
    reach = int(points.max()) + 1
    for left in range(1, seats):
        mover = seats - left
        deficits = np.stack(
            np.meshgrid(*[np.arange(1, reach + 1)] * left, indexing="ij"), axis=-1
        ).reshape(-1, left)
        for holders in range(1, mover + 1):
            vectors = _after(found, deficits, holders, points, reach)
            if tied is not None:  # two seats: the second has just caught up
                vectors[deficits[:, :1] == points, :2] = tied
            if fixed is not None and mover in fixed:
                chances = fixed[mover](deficits[:, 0])
            else:
                _, chances = solve(np.ascontiguousarray(vectors[:, :, 1]))
            value = np.einsum("so,sov->sv", chances, vectors)
            found[left, holders] = value.reshape(*(reach,) * left, left + 2)
    return found


def _after(
    found: dict[tuple[int, int], Floats],
    deficits: Ints,
    holders: int,
    points: NDArray[np.int64],
    reach: int,
) -> Floats:
    """Value vector after each outcome: holders' share, the mover, the rest, a tie."""
    states, left = deficits.shape
    behind, rest = deficits[:, 0], deficits[:, 1:]
    result = np.zeros((states, len(points), left + 2))
    for i, gain in enumerate(points.tolist()):
        cases = (
            (gain < behind, holders, True, False),
            (gain == behind, holders + 1, True, True),
            (gain > behind, 1, False, True),
        )
        for case, k, holders_lead, mover_leads in cases:
            rows = np.flatnonzero(case)
            ahead = np.maximum(gain - behind[rows], 0)[:, None]
            index = tuple((np.minimum(rest[rows] + ahead, reach) - 1).T)
            table = found[left - 1, k]
            value = table[index] if left > 1 else np.tile(table, (len(rows), 1))
            result[rows, i, 0] = value[:, 0] * holders_lead
            result[rows, i, 1] = value[:, 0] * mover_leads
            result[rows, i, 2:] = value[:, 1:]
    return result
