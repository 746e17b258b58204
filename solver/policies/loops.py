"""Compiled passes over all states of a turn, one policy at a time, in the processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def value_many(
    first: Any, child: Any, chance: Any, worth: Any, row: Any, chosen: Any, start: int
) -> Any:
    """Return the expected points of a turn for each policy.

    Parameters
    ----------
    first, child, chance
        The states' edges, parents before children: chances of a roll, 1 elsewhere.
    worth
        float64, shape (states,): points where the turn is over, what ends bring at a roll.
    row
        int32, shape (states,): number of the decision, -1 where nothing is decided.
    chosen
        int32, shape (policies, decisions): where each leads.
    start
        State in which the turn begins.
    """
    found = np.empty(len(chosen))
    value = np.empty(len(worth))
    for b in range(len(chosen)):
        for i in range(len(worth) - 1, start - 1, -1):
            if row[i] >= 0:
                value[i] = value[chosen[b, row[i]]]
                continue
            total = worth[i]
            for edge in range(first[i], first[i + 1]):
                total += chance[edge] * value[child[edge]]
            value[i] = total
        found[b] = value[start]
    return found


@njit(nogil=True, cache=True)
def spread_many(
    first: Any,
    child: Any,
    chance: Any,
    end_first: Any,
    end_outcome: Any,
    end_chance: Any,
    of_state: Any,
    row: Any,
    chosen: Any,
    start: int,
    outcomes: int,
) -> Any:
    """Return the distribution over outcomes for each policy, and a state left undecided.

    Parameters
    ----------
    first, child, chance, row, chosen, start
        As for :func:`value_many`; -1 in `chosen` is no decision.
    end_first, end_outcome, end_chance, of_state
        Ends of rolls, and the outcome of each state, -1 where the turn goes on.
    outcomes
        Number of outcomes.

    Returns
    -------
    ndarray
        float64, shape (policies, outcomes); sums carry their rounding errors along.
    int, int
        Policy and state of the first decision that is reached and not decided, or -1 and -1.
    """
    found = np.zeros((len(chosen), outcomes))
    carried = np.zeros(outcomes)
    reach = np.empty(len(row))
    for b in range(len(chosen)):
        reach[:] = 0.0
        carried[:] = 0.0
        reach[start] = 1.0
        for i in range(start, len(row)):
            here = reach[i]
            if here == 0.0:
                continue
            if row[i] >= 0:
                to = chosen[b, row[i]]
                if to < 0:
                    return found, b, i
                if of_state[to] < 0:
                    reach[to] += here
                    continue
                _add(found[b], carried, of_state[to], here)
                continue
            for edge in range(first[i], first[i + 1]):
                to = child[edge]
                if of_state[to] < 0:
                    reach[to] += here * chance[edge]
                else:
                    _add(found[b], carried, of_state[to], here * chance[edge])
            for edge in range(end_first[i], end_first[i + 1]):
                _add(found[b], carried, end_outcome[edge], here * end_chance[edge])
        for x in range(outcomes):
            found[b, x] += carried[x]
    return found, -1, -1


@njit(nogil=True, cache=True)
def _add(total: Any, carried: Any, x: int, part: float) -> None:
    """Add to a sum, its rounding error to another (Knuth's two-sum)."""
    new = total[x] + part
    back = new - total[x]
    carried[x] += (total[x] - (new - back)) + (part - back)
    total[x] = new
