"""The loops of the equilibrium checker, compiled by numba; see :mod:`solver.match.equilibrium`.

Plain loops over the turn graph's arrays as they are: one payoff at a time, no batch, nothing of
the solver's layout. That is what makes them a witness.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

OUTCOME, DECISION = 0, 1


def _compiled(function: Any) -> Any:
    return njit(cache=True, nogil=True, error_model="numpy")(function)


@_compiled
def _turn(turn: Any, payoff: Any, value: Any, tie: Any, pick: Any, chance: Any) -> Any:
    """Solve one turn: fill in `chance` by outcome under the tie rule, return the best value."""
    kind, first, child, probability, points, root, tolerance = turn
    outcomes = len(payoff)
    best = np.empty(len(kind))  # the true maximum, ties not settled
    for i in range(outcomes):
        value[i] = payoff[i]
        best[i] = payoff[i]
        tie[i] = points[i]
    for node in range(outcomes, root + 1):
        low, high = first[node], first[node + 1]
        if kind[node] == DECISION:
            top, most = -np.inf, -np.inf
            best[node] = -np.inf
            for e in range(low, high):
                top = max(top, value[child[e]])
                best[node] = max(best[node], best[child[e]])
            for e in range(low, high):
                if value[child[e]] >= top - tolerance:
                    most = max(most, tie[child[e]])
            for e in range(low, high):
                c = child[e]
                if value[c] >= top - tolerance and tie[c] >= most - tolerance:
                    pick[node] = c
                    value[node] = value[c]
                    tie[node] = tie[c]
                    break
        else:
            v, t, b = 0.0, 0.0, 0.0
            for e in range(low, high):
                v += probability[e] * value[child[e]]
                t += probability[e] * tie[child[e]]
                b += probability[e] * best[child[e]]
            value[node], tie[node], best[node] = v, t, b
    for node in range(root + 1):
        value[node] = 0.0  # from here on: the chance to come through the node
    value[root] = 1.0
    for node in range(root, outcomes - 1, -1):
        if value[node] == 0.0:
            continue
        if kind[node] == DECISION:
            value[pick[node]] += value[node]
        else:
            for e in range(first[node], first[node + 1]):
                value[child[e]] += probability[e] * value[node]
    for i in range(outcomes):
        chance[i] = value[i]
    return best[root]


@_compiled
def _index(scores: Any, mover: int, n: int, target: int) -> int:
    number = mover
    for i in range(n):
        number = number * target + scores[i]
    return number


@_compiled
def _ahead(
    scores: Any, mover: int, gain: int, flat: Any, lasts: Any, n: int, target: int,
    rounded: bool, reach: int, out: Any,
) -> None:  # fmt: skip
    """Fill in the value vector after the mover has gained this much in open play."""
    total = scores[mover] + gain
    if total < target:
        scores[mover] = total
        row = _index(scores, (mover + 1) % n, n, target)
        scores[mover] = total - gain
        for i in range(n + 2):
            out[i] = flat[row, i]
        if mover == n - 1:
            out[n] += 1.0
        return
    for i in range(n + 2):
        out[i] = 0.0
    if not rounded:
        out[mover] = 1.0
        return
    left = n - 1 - mover
    row = 0
    for j in range(mover + 1, n):
        row = row * reach + min(total - scores[j], reach) - 1
    table = lasts[left * (n + 1) + 1]
    out[mover] = table[row, 0]
    for j in range(left):
        out[mover + 1 + j] = table[row, 1 + j]
    out[n + 1] = table[row, 1 + left]


@_compiled
def check_open(
    turn: Any, flat: Any, lasts: Any, n: int, target: int, rounded: bool, reach: int,
    numbers: Any, mixed: Any, how: Any,
) -> Any:  # fmt: skip
    """Check boundary states of open play.

    Returns
    -------
    measures : ndarray
        Most gain, most drift, most sum error, then by seat the least mean of points a turn.
    where : int
        Number of the state with the most gain or drift.
    """
    kind, points = turn[0], turn[4]
    outcomes = len(points)
    value, tie = np.empty(len(kind)), np.empty(len(kind))
    pick = np.zeros(len(kind), dtype=np.int64)
    chance, other = np.empty(outcomes), np.empty(outcomes)
    payoff = np.empty(outcomes)
    ahead = np.empty((outcomes, n + 2))
    scores = np.empty(n, dtype=np.int64)
    result = np.zeros(3 + n)
    result[3:] = np.inf
    where, most = -1, -1.0
    for number in numbers:
        rest = number
        for i in range(n - 1, -1, -1):
            scores[i] = rest % target
            rest //= target
        mover = rest
        for x in range(outcomes):
            _ahead(scores, mover, points[x], flat, lasts, n, target, rounded, reach, ahead[x])
            payoff[x] = ahead[x, mover]
        best = _turn(turn, payoff, value, tie, pick, chance)
        at = np.searchsorted(mixed, number)
        if at < len(mixed) and mixed[at] == number:
            share, point, step = how[at]
            for side in range(2):
                for x in range(outcomes):
                    if points[x] == 0:
                        payoff[x] = point + step if side == 0 else point - step
                if side == 0:
                    _turn(turn, payoff, value, tie, pick, chance)
                else:
                    _turn(turn, payoff, value, tie, pick, other)
            for x in range(outcomes):
                chance[x] = share * chance[x] + (1.0 - share) * other[x]
        gain = best - flat[number, mover]
        drift, total = 0.0, -1.0
        for i in range(n):
            v = 0.0
            for x in range(outcomes):
                v += chance[x] * ahead[x, i]
            drift = max(drift, abs(v - flat[number, i]))
            total += flat[number, i]
        mean = 0.0
        for x in range(outcomes):
            mean += chance[x] * points[x]
        result[0] = max(result[0], gain)
        result[1] = max(result[1], drift)
        result[2] = max(result[2], abs(total))
        result[3 + mover] = min(result[3 + mover], mean)
        if not max(gain, drift) <= most:
            most = max(gain, drift)
            where = number
    return result, where


@_compiled
def check_last(turn: Any, lasts: Any, n: int, left: int, holders: int, reach: int) -> Any:
    """Check the last turns with this many seats to play and holders of the best score."""
    kind, points = turn[0], turn[4]
    outcomes = len(points)
    value, tie = np.empty(len(kind)), np.empty(len(kind))
    pick = np.zeros(len(kind), dtype=np.int64)
    chance, payoff = np.empty(outcomes), np.empty(outcomes)
    ahead = np.zeros((outcomes, left + 2))
    table = lasts[left * (n + 1) + holders]
    result = np.zeros(3 + n)
    result[3:] = np.inf
    for number in range(len(table)):
        unit = reach ** (left - 1)
        behind = number // unit + 1
        for x in range(outcomes):
            gain = points[x]
            k = holders if gain < behind else (holders + 1 if gain == behind else 1)
            row, scale, rest = 0, unit, number % unit
            for _ in range(left - 1):
                scale //= reach
                deficit = rest // scale + 1 + max(gain - behind, 0)
                rest %= scale
                row = row * reach + min(deficit, reach) - 1
            after = lasts[(left - 1) * (n + 1) + k]
            ahead[x, 0] = after[row, 0] if gain <= behind else 0.0
            ahead[x, 1] = after[row, 0] if gain >= behind else 0.0
            for i in range(left):
                ahead[x, 2 + i] = after[row, 1 + i]
            payoff[x] = ahead[x, 1]
        best = _turn(turn, payoff, value, tie, pick, chance)
        drift, total = 0.0, holders * table[number, 0] - 1.0
        for i in range(left + 2):
            v = 0.0
            for x in range(outcomes):
                v += chance[x] * ahead[x, i]
            drift = max(drift, abs(v - table[number, i]))
            if 0 < i < left + 1:
                total += table[number, i]
        result[0] = max(result[0], best - table[number, 1])
        result[1] = max(result[1], drift)
        result[2] = max(result[2], abs(total))
    return result, -1
