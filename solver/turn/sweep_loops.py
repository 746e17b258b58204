"""The loops of :mod:`solver.turn.sweep`, compiled by numba: passes over lanes of payoffs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LANES = 32
"""Payoffs that go through the graph side by side."""
CHANCE = 2


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(
    first: Any,
    child: Any,
    probability: Any,
    kind: Any,
    roots: Any,
    payoffs: Any,
    choice: Any,
    improve: bool,
    gain: float,
    begin: int,
    end: int,
    result: Any,
) -> None:
    """Carry columns `begin` to `end` of the payoffs back to the roots.

    A decision takes its stored choice; with `improve` another one that is better by more than
    `gain`, which is stored.
    """
    nodes, outcomes = kind.size, payoffs.shape[0]
    value = np.empty((nodes, LANES))
    for low in range(begin, end, LANES):
        width = min(LANES, end - low)
        for i in range(outcomes):
            for lane in range(width):
                value[i, lane] = payoffs[i, low + lane]
            for lane in range(width, LANES):
                value[i, lane] = 0.0
        decision = 0
        for i in range(outcomes, nodes):
            start, stop = first[i], first[i + 1]
            if kind[i] == CHANCE:
                c, p = child[start], probability[start]
                for lane in range(LANES):
                    value[i, lane] = p * value[c, lane]
                for e in range(start + 1, stop):
                    c, p = child[e], probability[e]
                    for lane in range(LANES):
                        value[i, lane] += p * value[c, lane]
                continue
            if improve:
                for lane in range(width):
                    best = choice[decision, low + lane]
                    most = value[child[start + best], lane]
                    for e in range(start, stop):
                        if value[child[e], lane] > most + gain:
                            most = value[child[e], lane]
                            best = e - start
                    choice[decision, low + lane] = best
                    value[i, lane] = most
            else:
                for lane in range(width):
                    value[i, lane] = value[child[start + choice[decision, low + lane]], lane]
            for lane in range(width, LANES):
                value[i, lane] = 0.0
            decision += 1
        for r in range(roots.size):
            for lane in range(width):
                result[r, low + lane] = value[roots[r], lane]


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_by_two(
    first: Any,
    child: Any,
    probability: Any,
    kind: Any,
    roots: Any,
    payoffs: Any,
    seconds: Any,
    choice: Any,
    tolerance: float,
    begin: int,
    end: int,
    result: Any,
    second_result: Any,
) -> None:
    """Carry payoffs back; among options within `tolerance` of the best the most of `seconds`."""
    nodes, outcomes = kind.size, payoffs.shape[0]
    value = np.empty((nodes, LANES))
    second = np.empty((nodes, LANES))
    for low in range(begin, end, LANES):
        width = min(LANES, end - low)
        for i in range(outcomes):
            for lane in range(LANES):
                value[i, lane] = payoffs[i, low + lane] if lane < width else 0.0
                second[i, lane] = seconds[i]
        decision = 0
        for i in range(outcomes, nodes):
            start, stop = first[i], first[i + 1]
            if kind[i] == CHANCE:
                for lane in range(LANES):
                    value[i, lane] = 0.0
                    second[i, lane] = 0.0
                for e in range(start, stop):
                    c, p = child[e], probability[e]
                    for lane in range(LANES):
                        value[i, lane] += p * value[c, lane]
                        second[i, lane] += p * second[c, lane]
                continue
            for lane in range(width):
                top = value[child[start], lane]
                for e in range(start + 1, stop):
                    top = max(top, value[child[e], lane])
                best, most = -1, -np.inf
                for e in range(start, stop):
                    c = child[e]
                    if value[c, lane] >= top - tolerance and second[c, lane] > most:
                        best, most = e, second[c, lane]
                choice[decision, low + lane] = best - start
                value[i, lane] = value[child[best], lane]
                second[i, lane] = most
            decision += 1
        for r in range(roots.size):
            for lane in range(width):
                result[r, low + lane] = value[roots[r], lane]
                second_result[r, low + lane] = second[roots[r], lane]


@njit(cache=True, nogil=True, error_model="numpy")
def spread(
    first: Any,
    child: Any,
    probability: Any,
    kind: Any,
    number: Any,
    roots: Any,
    columns: Any,
    choice: Any,
    result: Any,
) -> None:
    """Fill in the chance of each outcome, for turns from `roots[i]` under column `columns[i]`."""
    outcomes = result.shape[1]
    reach = np.zeros(kind.size)
    for i in range(roots.size):
        column = columns[i]
        reach[: roots[i]] = 0.0
        reach[roots[i]] = 1.0
        for node in range(roots[i], outcomes - 1, -1):
            weight = reach[node]
            if weight == 0.0:
                continue
            if kind[node] == CHANCE:
                for e in range(first[node], first[node + 1]):
                    reach[child[e]] += weight * probability[e]
            else:
                reach[child[first[node] + choice[number[node], column]]] += weight
        result[i] = reach[:outcomes]
