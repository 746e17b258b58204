"""Chances pushed forward through the states of a turn, compiled by numba."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def spread_starts(
    first: Any, child: Any, chance: Any, decides: Any, starts: Any, outcomes: int
) -> Any:
    """Return where turns from many states end, and a decision that was come to and left open.

    Parameters
    ----------
    first, child
        The edges of :class:`solver.policies.arena.goal.turns.decide.Edges`.
    chance
        float64, shape (edges,): the chance of each under a policy.
    decides
        bool, shape (states,): whether something is decided there.
    starts
        int64, shape (turns,).
    outcomes
        Number of outcomes.

    Returns
    -------
    ndarray
        float64, shape (turns, outcomes); sums carry their rounding errors along.
    int
        A state, or -1.
    """
    size = len(first) - 1
    found = np.zeros((len(starts), outcomes))
    carried = np.empty(outcomes)
    reach = np.empty(size)
    for s in range(len(starts)):
        start = starts[s]
        reach[start:] = 0.0
        carried[:] = 0.0
        reach[start] = 1.0
        for i in range(start, size):
            here = reach[i]
            if here == 0.0:
                continue
            open_ = decides[i]
            for edge in range(first[i], first[i + 1]):
                part = here * chance[edge]
                if part == 0.0:
                    continue
                open_ = False
                to = child[edge]
                if to < size:
                    reach[to] += part
                    continue
                x = to - size
                total = found[s, x] + part
                back = total - found[s, x]
                carried[x] += (found[s, x] - (total - back)) + (part - back)
                found[s, x] = total
            if open_:
                return found, i
        for x in range(outcomes):
            found[s, x] += carried[x]
    return found, -1


@njit(nogil=True, cache=True)
def spread_below(
    first: Any, child: Any, chance: Any, below: Any, first_below: Any, ends: int
) -> Any:
    """Return where turns end of which the states that they can come to are known.

    Parameters
    ----------
    first, child, chance
        As for :func:`spread_starts`.
    below, first_below
        int32 and int64: the states of turn m, in order, are ``below[first_below[m] :
        first_below[m + 1]]``; the turn begins at the first of them.
    ends
        Number of ends.

    Returns
    -------
    ndarray
        float64, shape (turns, ends).
    """
    size = len(first) - 1
    turns = len(first_below) - 1
    found = np.zeros((turns, ends))
    reach = np.zeros(size)
    for m in range(turns):
        reach[below[first_below[m]]] = 1.0
        for k in range(first_below[m], first_below[m + 1]):
            i = below[k]
            here = reach[i]
            reach[i] = 0.0
            if here == 0.0:
                continue
            for edge in range(first[i], first[i + 1]):
                part = here * chance[edge]
                if part == 0.0:
                    continue
                to = child[edge]
                if to < size:
                    reach[to] += part
                else:
                    found[m, to - size] += part
    return found
