"""Turns from every beginning at once: a batch of payoffs, with the policy kept and improved.

Where turns begin in many ways (a standing each), one backward pass values them all. A
:class:`Sweep` keeps nothing but the graph: the policy, one choice for each decision and payoff, is
an array of the caller's, so that a match layer can hold on to it, evaluate it for other payoffs,
and improve it, which is what policy iteration needs. Compiled by numba where it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.errors import TooLargeError
from solver.turn.graph import CHANCE, DECISION, TurnGraph
from solver.turn.kernel import TIE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Choices = NDArray[np.uint8]
"""uint8, shape (decisions, payoffs): which of its options a decision takes."""

_LANES = 64  # payoffs side by side in numpy


class Sweep:
    """Backward passes over the part of a turn graph that lies below some roots.

    Parameters
    ----------
    graph
        The turn.
    roots
        Nodes in which turns begin.
    workers
        Threads.
    compiled
        Whether to use numba; None for "if it is installed".

    Raises
    ------
    TooLargeError
        If a decision has more than 255 options.
    """

    def __init__(
        self, graph: TurnGraph, roots: Ints, *, workers: int = 1, compiled: bool | None = None
    ) -> None:
        self.workers = workers
        self.outcomes = len(graph.outcomes)
        self._compiled = find_spec("numba") is not None if compiled is None else compiled
        nodes = _below(graph, roots)
        self.nodes = nodes
        new = np.full(graph.nodes, -1, dtype=np.int64)
        new[nodes] = np.arange(len(nodes))
        degree = np.diff(graph.first)[nodes]
        self.first = np.concatenate([[0], np.cumsum(degree)]).astype(np.int64)
        edges = np.repeat(graph.first[nodes] - self.first[:-1], degree) + np.arange(self.first[-1])
        self.child = new[graph.child[edges]].astype(np.int32)
        self.probability = graph.probability[edges]
        self.kind = graph.kind[nodes]
        self.roots = new[roots]
        decisions = np.flatnonzero(self.kind == DECISION)
        if (degree[decisions] > 255).any():
            raise TooLargeError(f"{graph.game}: a decision has more than 255 options")
        self.number = np.full(len(nodes), -1, dtype=np.int64)
        self.number[decisions] = np.arange(len(decisions))
        self.decisions = len(decisions)
        mark = np.where(self.kind == DECISION, 1000 + degree, self.kind.astype(np.int64))
        self._levels = list(_runs(graph, nodes, mark, self.outcomes))

    def no_choices(self, payoffs: int) -> Choices:
        """Return a policy that takes every first option, for so many payoffs."""
        return np.zeros((self.decisions, payoffs), dtype=np.uint8)

    def evaluate(self, payoffs: Floats, choice: Choices) -> Floats:
        """Return what turns are worth under a policy.

        Parameters
        ----------
        payoffs
            float64, shape (outcomes, B).
        choice
            uint8, shape (decisions, B).

        Returns
        -------
        ndarray
            float64, shape (roots, B).
        """
        return self._run(payoffs, choice, improve=False, gain=0.0)

    def improve(self, payoffs: Floats, choice: Choices, *, gain: float = TIE) -> Floats:
        """Return what turns are worth at best, and improve the policy in place.

        A choice is kept unless another option is better by more than `gain`: so policy
        iteration does not run in circles among options that tie.

        Parameters
        ----------
        payoffs
            float64, shape (outcomes, B).
        choice
            uint8, shape (decisions, B); improved in place.
        gain
            How much better an option must be to be taken instead.

        Returns
        -------
        ndarray
            float64, shape (roots, B).
        """
        return self._run(payoffs, choice, improve=True, gain=gain)

    def best_by_two(
        self, payoffs: Floats, seconds: Floats, choice: Choices, *, tolerance: float = TIE
    ) -> tuple[Floats, Floats]:
        """Return what turns are worth at best by two criteria, and their policy in `choice`.

        Parameters
        ----------
        payoffs
            float64, shape (outcomes, B): the first criterion.
        seconds
            float64, shape (outcomes,): what is maximised among options that are within
            `tolerance` of the best.
        choice
            uint8, shape (decisions, B): filled in.
        tolerance
            See `seconds`.

        Returns
        -------
        value, second : ndarray
            float64, shape (roots, B): both criteria under the policy.
        """
        batch = payoffs.shape[1]
        result = np.empty((len(self.roots), batch))
        second = np.empty((len(self.roots), batch))
        if not self._compiled:
            for low in range(0, batch, _LANES):
                part = slice(low, min(low + _LANES, batch))
                self._numpy_by_two(
                    payoffs[:, part], seconds, choice[:, part], tolerance, result[:, part],
                    second[:, part],
                )  # fmt: skip
            return result, second
        from solver.turn.sweep_loops import LANES, sweep_by_two  # noqa: PLC0415  numba is heavy

        payoffs = np.ascontiguousarray(payoffs)

        def part_of(begin: int, end: int) -> None:
            graph = self.first, self.child, self.probability, self.kind, self.roots
            sweep_by_two(
                *graph, payoffs, seconds, choice, tolerance, begin, end, result, second
            )  # fmt: skip

        self._shared(batch, LANES, part_of)
        return result, second

    def distributions(self, rows: Ints, columns: Ints, choice: Choices) -> Floats:
        """Return the chance of each outcome of turns under a policy.

        Parameters
        ----------
        rows, columns
            int64, shape (turns,): which root each turn begins at, and which column of the
            policy it follows.
        choice
            uint8, shape (decisions, B).

        Returns
        -------
        ndarray
            float64, shape (turns, outcomes).
        """
        result = np.zeros((len(rows), self.outcomes))
        if self._compiled:
            from solver.turn.sweep_loops import spread  # noqa: PLC0415  numba is heavy

            spread(
                self.first,
                self.child,
                self.probability,
                self.kind,
                self.number,
                self.roots[rows],
                columns,
                choice,
                result,
            )
            return result
        for column in np.unique(columns):
            turns = np.flatnonzero(columns == column)
            result[turns] = self._rows(rows[turns], choice[:, column])
        return result

    def edges(self, graph: TurnGraph, choice: Choices) -> NDArray[np.int32]:
        """Return a policy in the form of the batch kernel: the edge that each decision takes.

        Parameters
        ----------
        graph
            The graph of this sweep.
        choice
            uint8, shape (decisions, B).

        Returns
        -------
        ndarray
            int32, shape (nodes of the graph, B); -1 where nothing is decided. Decisions that no
            turn from the roots comes to take their first option.
        """
        found = np.full((graph.nodes, choice.shape[1]), -1, dtype=np.int32)
        decisions = graph.kind == DECISION
        found[decisions] = graph.first[:-1][decisions, None]
        mine = self.nodes[self.number >= 0]
        found[mine] += choice
        return found

    def _run(self, payoffs: Floats, choice: Choices, *, improve: bool, gain: float) -> Floats:
        batch = payoffs.shape[1]
        result = np.empty((len(self.roots), batch))
        if not self._compiled:
            for low in range(0, batch, _LANES):
                part = slice(low, min(low + _LANES, batch))
                self._numpy(payoffs[:, part], choice[:, part], improve, gain, result[:, part])
            return result
        from solver.turn.sweep_loops import LANES, sweep  # noqa: PLC0415  numba is heavy

        payoffs = np.ascontiguousarray(payoffs)

        def part_of(begin: int, end: int) -> None:
            graph = self.first, self.child, self.probability, self.kind, self.roots
            sweep(*graph, payoffs, choice, improve, gain, begin, end, result)

        self._shared(batch, LANES, part_of)
        return result

    def _shared(self, batch: int, lanes: int, work: Callable[[int, int], None]) -> None:
        """Let threads take columns of the batch, a few groups of lanes at a time."""
        groups = -(-batch // lanes)
        step = lanes * max(1, groups // (4 * self.workers)) if self.workers > 1 else batch
        with ThreadPoolExecutor(max(1, self.workers)) as pool:
            begins = range(0, batch, max(step, 1))
            list(pool.map(lambda begin: work(begin, min(begin + step, batch)), begins))

    def _numpy(
        self, payoffs: Floats, choice: Choices, improve: bool, gain: float, result: Floats
    ) -> None:
        value = np.empty((len(self.kind), payoffs.shape[1]))
        value[: self.outcomes] = payoffs
        columns = np.arange(payoffs.shape[1])
        for begin, end in self._levels:
            low, high = self.first[begin], self.first[end]
            starts = self.first[begin:end] - low
            if self.kind[begin] == CHANCE:
                products = value[self.child[low:high]] * self.probability[low:high, None]
                value[begin:end] = np.add.reduceat(products, starts, axis=0)
                continue
            options = self.child[low:high].reshape(end - begin, -1)
            rows = slice(self.number[begin], self.number[begin] + end - begin)
            kept = choice[rows].astype(np.int64)
            best = value[np.take_along_axis(options, kept, axis=1), columns]
            if improve:
                for j in range(options.shape[1]):
                    other = value[options[:, j]]
                    better = other > best + gain
                    best = np.where(better, other, best)
                    kept[better] = j
                choice[rows] = kept
            value[begin:end] = best
        result[...] = value[self.roots]

    def _numpy_by_two(
        self,
        payoffs: Floats,
        seconds: Floats,
        choice: Choices,
        tolerance: float,
        result: Floats,
        second_result: Floats,
    ) -> None:
        value = np.empty((2, len(self.kind), payoffs.shape[1]))
        value[0, : self.outcomes] = payoffs
        value[1, : self.outcomes] = seconds[:, None]
        columns = np.arange(payoffs.shape[1])
        for begin, end in self._levels:
            low, high = self.first[begin], self.first[end]
            below = value[:, self.child[low:high]]
            if self.kind[begin] == CHANCE:
                products = below * self.probability[low:high, None]
                starts = self.first[begin:end] - low
                value[:, begin:end] = np.add.reduceat(products, starts, axis=1)
                continue
            first, second = below.reshape(2, end - begin, -1, payoffs.shape[1])
            tied = first >= first.max(axis=1, keepdims=True) - tolerance
            pick = np.where(tied, second, -np.inf).argmax(axis=1)
            rows = np.arange(end - begin)[:, None]
            choice[self.number[begin] : self.number[begin] + end - begin] = pick
            value[0, begin:end] = first[rows, pick, columns]
            value[1, begin:end] = second[rows, pick, columns]
        result[...], second_result[...] = value[0, self.roots], value[1, self.roots]

    def _rows(self, rows: Ints, choice: NDArray[np.uint8]) -> Floats:
        """Return distributions under one policy, by unit payoffs."""
        units = np.eye(self.outcomes)
        same = np.repeat(choice[:, None], self.outcomes, axis=1)
        found: Floats = self.evaluate(units, same)[rows]
        return found


def _below(graph: TurnGraph, roots: Ints) -> Ints:
    """Return all outcomes, and the other nodes that turns from the roots can come to."""
    wanted = np.zeros(graph.nodes, dtype=bool)
    wanted[: len(graph.outcomes)] = True
    wanted[roots] = True
    for begin, end, _ in reversed(graph.blocks):
        low, high = int(graph.first[begin]), int(graph.first[end])
        if low == high:
            continue
        degree = np.diff(graph.first[begin : end + 1])
        wanted[graph.child[low:high][np.repeat(wanted[begin:end], degree)]] = True
    return np.flatnonzero(wanted)


def _runs(graph: TurnGraph, nodes: Ints, mark: Ints, outcomes: int) -> Iterator[tuple[int, int]]:
    """Yield runs of kept nodes of one block of the graph and one mark."""
    block = np.repeat(np.arange(len(graph.blocks)), [e - b for b, e, _ in graph.blocks])[nodes]
    changes = (np.diff(block) != 0) | (np.diff(mark) != 0)
    bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), len(nodes)]
    for begin, end in pairwise(bounds):
        if begin >= outcomes:
            yield begin, end
