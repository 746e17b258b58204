r"""The float64 kernel: a batch of payoffs on one turn graph, in numpy.

For each payoff of the batch a backward pass gives every node its value and every decision its
choice, by the rule: values within `tolerance` of the best are equal; among those the most
expected `tiebreak` (usually points) within the same tolerance; among those the first in
canonical order. A forward pass gives the outcome distribution of that policy.

Rounding: a chance with m edges adds products of non-negative probabilities, each rounded once,
so its error is at most :math:`\gamma_{m+1} = (m + 1) u / (1 - (m + 1) u)` times the largest
value below it, on top of the average of the errors below. :func:`error_bound` adds these up under
the worst play, and the tolerances of the decisions on the way; :math:`u = 2^{-53}`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.turn.graph import CHANCE, DECISION, TurnGraph

TIE = 1e-13
"""Values closer than this are equal (for payoffs of at most one)."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BatchValues:
    """Values and choices for a batch of B payoffs.

    Parameters
    ----------
    value
        float64, shape (nodes, B).
    tiebreak
        float64, shape (nodes, B): expected tiebreak under the policy; None if none was given.
    chosen
        int32, shape (nodes, B): the edge that a decision picks; -1 elsewhere.
    """

    value: Floats
    tiebreak: Floats | None
    chosen: NDArray[np.int32]


def solve_batch(
    graph: TurnGraph, payoffs: Floats, *, tiebreak: Floats | None = None, tolerance: float = TIE
) -> BatchValues:
    """Return best values and policy for each payoff of a batch.

    Parameters
    ----------
    graph
        The turn.
    payoffs
        float64, shape (outcomes, B).
    tiebreak
        float64, shape (outcomes,): what is maximised among equally good options.
    tolerance
        Options whose values differ by no more are equally good.
    """
    batch = payoffs.shape[1]
    n_outcomes = len(graph.outcomes)
    value = np.empty((graph.nodes, batch))
    value[:n_outcomes] = payoffs
    chosen = np.full((graph.nodes, batch), -1, dtype=np.int32)
    second = None
    if tiebreak is not None:
        second = np.empty((graph.nodes, batch))
        second[:n_outcomes] = tiebreak[:, None]
    columns = np.arange(batch)
    for begin, end, kind in graph.blocks:
        if kind not in (DECISION, CHANCE):
            continue
        low, high = int(graph.first[begin]), int(graph.first[end])
        starts = graph.first[begin:end] - low
        child = graph.child[low:high]
        if kind == CHANCE:
            p = graph.probability[low:high, None]
            value[begin:end] = np.add.reduceat(value[child] * p, starts, axis=0)
            if second is not None:
                second[begin:end] = np.add.reduceat(second[child] * p, starts, axis=0)
            continue
        width = (high - low) // (end - begin)
        options = child.reshape(-1, width)
        below = [value[options[:, j]] for j in range(width)]
        tied = _tied(below, tolerance)
        if second is not None:
            rank = [np.where(t, second[options[:, j]], -np.inf) for j, t in enumerate(tied)]
            tied = [t & r for t, r in zip(tied, _tied(rank, tolerance), strict=True)]
        pick = np.zeros(below[0].shape, dtype=np.int32)
        best = below[0]
        for j in range(width - 1, -1, -1):  # the first in canonical order wins
            pick = np.where(tied[j], np.int32(j), pick)
            best = np.where(tied[j], below[j], best)
        chosen[begin:end] = pick + (low + width * np.arange(end - begin, dtype=np.int32))[:, None]
        value[begin:end] = best
        if second is not None:
            second[begin:end] = second[graph.child[chosen[begin:end]], columns]
    return BatchValues(value, second, chosen)


def _tied(options: list[Floats], tolerance: float) -> list[NDArray[np.bool_]]:
    """Return for each option where it is within the tolerance of the best."""
    least = options[0]
    for option in options[1:]:
        least = np.maximum(least, option)
    least = least - tolerance
    return [option >= least for option in options]


def evaluate_batch(graph: TurnGraph, payoffs: Floats, chosen: NDArray[np.int32]) -> Floats:
    """Return the value of every node under given choices.

    Parameters
    ----------
    graph
        The turn.
    payoffs
        float64, shape (outcomes, B).
    chosen
        int32, shape (nodes, B): the edge that each decision picks.

    Returns
    -------
    ndarray
        float64, shape (nodes, B).
    """
    batch = payoffs.shape[1]
    value = np.empty((graph.nodes, batch))
    value[: len(graph.outcomes)] = payoffs
    columns = np.arange(batch)
    for begin, end, kind in graph.blocks:
        if kind == CHANCE:
            low, high = int(graph.first[begin]), int(graph.first[end])
            products = value[graph.child[low:high]] * graph.probability[low:high, None]
            value[begin:end] = np.add.reduceat(products, graph.first[begin:end] - low, axis=0)
        elif kind == DECISION:
            value[begin:end] = value[graph.child[chosen[begin:end]], columns]
    return value


def distribution_batch(graph: TurnGraph, chosen: NDArray[np.int32], root: int) -> Floats:
    """Return the chance of each outcome from `root` under given choices.

    Parameters
    ----------
    graph
        The turn.
    chosen
        int32, shape (nodes, B): the edge that each decision picks.
    root
        Node in which the turn begins.

    Returns
    -------
    ndarray
        float64, shape (outcomes, B); each column sums to one up to rounding.
    """
    batch = chosen.shape[1]
    source, edge, offset = _incoming(graph)
    coefficient = graph.probability[edge]
    decided = graph.kind[source] == DECISION
    reach = np.zeros((graph.nodes, batch))
    for begin, end, _ in reversed(graph.blocks):
        nodes = np.flatnonzero(offset[begin:end] < offset[begin + 1 : end + 1]) + begin
        if len(nodes):
            low, high = offset[begin], offset[end]
            flow = reach[source[low:high]] * coefficient[low:high, None]
            choice = np.flatnonzero(decided[low:high])
            flow[choice] *= chosen[source[low:high][choice]] == edge[low:high][choice, None]
            reach[nodes] = np.add.reduceat(flow, offset[nodes] - low, axis=0)
        if begin <= root < end:
            reach[root] += 1.0
    return reach[: len(graph.outcomes)]


def _incoming(graph: TurnGraph) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return edges by the node they lead to: source and number of each, offsets by node."""
    edge = np.argsort(graph.child, kind="stable")
    source = np.repeat(np.arange(graph.nodes), np.diff(graph.first))[edge]
    offset = np.searchsorted(graph.child[edge], np.arange(graph.nodes + 1))
    return source, edge, offset


def error_bound(graph: TurnGraph, *, tolerance: float = TIE) -> float:
    """Return a bound on the error of the value at any node, for payoffs of at most one.

    Rounding, and the tolerance that each decision on the way may give away.
    """
    cost = np.zeros(graph.nodes)
    for begin, end, kind in graph.blocks:
        if kind not in (DECISION, CHANCE):
            continue
        low, high = int(graph.first[begin]), int(graph.first[end])
        starts = graph.first[begin:end] - low
        below = cost[graph.child[low:high]]
        if kind == DECISION:
            cost[begin:end] = np.maximum.reduceat(below, starts) + tolerance
        else:
            edges = np.diff(graph.first[begin : end + 1])
            passed_on = np.add.reduceat(below * graph.probability[low:high], starts)
            cost[begin:end] = passed_on + (edges + 1) * 2.0**-53
    return float(cost.max(initial=0.0)) * 1.01
