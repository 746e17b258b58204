r"""The fast float64 kernel: a batch of payoffs on one turn graph, compiled by numba.

Semantics and error bound are those of :mod:`solver.turn.kernel`. For each payoff of the batch

1. a *backward* pass over the blocks of :mod:`solver.turn.layout` gives every node its value and
   every decision its choice;
2. a *forward* pass carries the chance to be at a node from the root to the outcomes.

:data:`~solver.turn.lanes.LANES` payoffs go through the graph side by side. Guaranteed: a payoff's
results are the same bits whatever it shares a batch with, however many workers there are, and
on every machine that rounds as IEEE 754 says. They differ from the other kernel's in the last
places, for sums are taken in another order.

Ties
----
The second criterion, the expected `tiebreak`, matters only where options are equally good. A
race payoff typically meets one such decision among the 9000 of Martian Dice, near the end of the
turn. So the expected tiebreak is computed on demand, for as much of the graph as comes before
the last tie (:mod:`solver.turn.passes`). That costs a race payoff a few percent; a payoff that
ties everywhere (0, one half or 1 in the last turn of a match) costs twice the time.

Importing this module imports numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.turn import passes
from solver.turn.kernel import TIE
from solver.turn.lanes import LANES, SET_TYPE
from solver.turn.layout import Prepared, prepare

__all__ = ["Prepared", "prepare", "solve_nodes", "solve_roots", "solve_values"]

Floats = NDArray[np.float64]
Work = Callable[[int, int, Floats, NDArray[Any]], object]

LARGEST_PART = 512
"""Most groups of lanes that a thread takes at a time: an interrupt must wait for them."""

NO_SCREEN = -1.0
"""A distance that no two options have: none is close, so no tie is looked into."""

LEAST_WORK = 80_000
"""Entries of the index, times groups of lanes, that a thread is worth starting for."""


def solve_roots(
    prepared: Prepared,
    payoffs: Floats,
    *,
    tiebreak: Floats,
    tolerance: float = TIE,
    root: int | None = None,
    workers: int = 1,
) -> tuple[Floats, Floats]:
    """Return the best value of a turn and its outcomes, for each payoff of a batch.

    Parameters
    ----------
    prepared
        The turn.
    payoffs
        float64, shape (B, outcomes).
    tiebreak
        float64, shape (outcomes,): what is maximised among equally good options.
    tolerance
        Options whose values differ by no more are equally good.
    root
        Node of the graph in which the turn begins, a root or a chance; None for the first
        beginning.
    workers
        Threads that share the batch, at most.

    Returns
    -------
    value
        float64, shape (B,): the expected payoff.
    distribution
        float64, shape (B, outcomes): the chance of each outcome under the canonical policy.

    Raises
    ------
    UsageError
        If shapes do not fit, a number is not finite, or the root is neither root nor chance.
    """
    payoffs, (tiebreak,) = _checked(prepared, payoffs, (tiebreak,), tolerance)
    slot = _slot(prepared, root)
    order = together(payoffs)
    payoffs = payoffs[order]
    value = np.empty(len(payoffs))
    distribution = np.empty(payoffs.shape)
    layout, chances = prepared.arrays, len(prepared.chance_nodes)
    screen = _screen(payoffs, tolerance)

    def work(begin: int, end: int, rows: Floats, choice: NDArray[Any]) -> object:
        return passes.solve_roots(
            layout,
            chances,
            prepared.slots,
            payoffs,
            tiebreak,
            tolerance,
            screen,
            slot,
            value,
            distribution,
            begin,
            end,
            rows,
            choice,
        )

    _share(prepared, len(payoffs), workers, work)
    back = np.argsort(order)
    return value[back], distribution[back]


def solve_values(
    prepared: Prepared, payoffs: Floats, *, root: int | None = None, workers: int = 1
) -> Floats:
    """Return the best value of a turn for each payoff of a batch, and nothing else.

    Which of several best options is taken changes no value, so ties cost nothing.

    Parameters
    ----------
    prepared
        The turn.
    payoffs
        float64, shape (B, outcomes).
    root
        Node of the graph in which the turn begins, a root or a chance; None for the first
        beginning.
    workers
        Threads that share the batch, at most.

    Returns
    -------
    ndarray
        float64, shape (B,): the best expected payoff.

    Raises
    ------
    UsageError
        If shapes do not fit, a number is not finite, or the root is neither root nor chance.
    """
    payoffs, _ = _checked(prepared, payoffs, (), 0.0)
    slot = _slot(prepared, root)
    value = np.empty(len(payoffs))
    unused = np.zeros(payoffs.shape[1])
    nothing = np.empty((0, payoffs.shape[1]))
    layout, chances = prepared.arrays, len(prepared.chance_nodes)

    def work(begin: int, end: int, rows: Floats, choice: NDArray[Any]) -> object:
        return passes.solve_roots(
            layout,
            chances,
            prepared.slots,
            payoffs,
            unused,
            0.0,
            NO_SCREEN,
            slot,
            value,
            nothing,
            begin,
            end,
            rows,
            choice,
        )

    _share(prepared, len(payoffs), workers, work)
    return value


def solve_nodes(
    prepared: Prepared,
    payoffs: Floats,
    *,
    tiebreak: Floats,
    evaluate: Floats,
    tolerance: float = TIE,
    workers: int = 1,
) -> tuple[Floats, Floats]:
    """Return the values of every chance, for each payoff of a batch.

    Parameters
    ----------
    prepared
        The turn.
    payoffs
        float64, shape (B, outcomes).
    tiebreak
        float64, shape (outcomes,): what is maximised among equally good options.
    evaluate
        float64, shape (outcomes,): what else is expected under the canonical policy; one for
        the outcomes without points and zero for the others gives the chance to bust.
    tolerance
        Options whose values differ by no more are equally good.
    workers
        Threads that share the batch, at most.

    Returns
    -------
    value
        float64, shape (B, chances): the best expected payoff at ``prepared.chance_nodes``.
    expectation
        float64, shape (B, chances): the expectation of `evaluate` there.

    Raises
    ------
    UsageError
        If shapes do not fit or a number is not finite.
    """
    payoffs, (tiebreak, second) = _checked(prepared, payoffs, (tiebreak, evaluate), tolerance)
    slots = prepared.slot[prepared.chance_nodes]
    order = together(payoffs)
    payoffs = payoffs[order]
    value = np.empty((len(payoffs), len(slots)))
    expectation = np.empty(value.shape)
    layout = prepared.arrays
    screen = _screen(payoffs, tolerance)

    def work(begin: int, end: int, rows: Floats, choice: NDArray[Any]) -> object:
        return passes.solve_nodes(
            layout,
            slots,
            payoffs,
            tiebreak,
            second,
            tolerance,
            screen,
            value,
            expectation,
            begin,
            end,
            rows,
            choice,
        )

    _share(prepared, len(payoffs), workers, work)
    back = np.argsort(order)
    return value[back], expectation[back]


def _slot(prepared: Prepared, root: int | None) -> int:
    node = prepared.graph.root if root is None else root
    slot = int(prepared.slot[node])
    if slot < 0:
        raise UsageError(f"node {node} is neither a root nor a chance", field="root")
    return slot


def _checked(
    prepared: Prepared, payoffs: Floats, vectors: tuple[Floats, ...], tolerance: float
) -> tuple[Floats, tuple[Floats, ...]]:
    outcomes = len(prepared.graph.outcomes)
    payoffs = np.ascontiguousarray(payoffs, dtype=np.float64)
    vectors = tuple(np.ascontiguousarray(v, dtype=np.float64) for v in vectors)
    if payoffs.ndim != 2 or payoffs.shape[1] != outcomes:
        raise UsageError(
            f"payoffs have the shape {payoffs.shape}, not (B, {outcomes})", field="payoffs"
        )
    for vector in vectors:
        if vector.shape != (outcomes,):
            raise UsageError(
                f"tiebreak or evaluate has the shape {vector.shape}, not ({outcomes},)"
            )
    for array in (payoffs, *vectors):
        finite = np.isfinite(array)
        if not finite.all():
            raise UsageError(f"{array[~finite][0]} is no finite number", field="payoffs")
    if not tolerance >= 0.0:
        raise UsageError(f"the tolerance is {tolerance}, not zero or more", field="tolerance")
    return payoffs, vectors


def together(payoffs: Floats) -> NDArray[np.intp]:
    """Return an order of the payoffs that brings those with many ties together.

    One lane with a tie makes all lanes beside it wait. Outcomes of equal worth foretell ties.
    """
    ranked = np.sort(payoffs, axis=1)
    return np.argsort((ranked[:, 1:] == ranked[:, :-1]).sum(axis=1), kind="stable")


def _screen(payoffs: Floats, tolerance: float) -> float:
    """Return the distance above which options differ, whatever was rounded in comparing them."""
    largest = float(np.abs(payoffs).max(initial=0.0))
    return tolerance + 4.0 * 2.0**-53 * (largest + tolerance)


def _share(prepared: Prepared, payoffs: int, workers: int, work: Work) -> None:
    """Let threads take parts of the batch, ever smaller ones, until none is left."""
    groups = -(-payoffs // LANES)
    workers = max(1, min(workers, groups, groups * len(prepared.index) // LEAST_WORK))
    parts = iter(_parts(groups, workers))
    lock = Lock()
    failures: list[BaseException] = []

    def run() -> None:
        rows = room(3, prepared.rows)
        choice = np.empty(prepared.choices, dtype=SET_TYPE)
        try:
            while not failures:
                with lock:
                    begin, end = next(parts, (0, 0))
                if begin == end:
                    break
                work(begin * LANES, min(end * LANES, payoffs), rows, choice)
        except BaseException as failure:  # noqa: BLE001  raised below
            failures.append(failure)

    threads = [Thread(target=run) for _ in range(workers - 1)]
    for thread in threads:
        thread.start()
    run()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _parts(groups: int, workers: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of groups: for each of several workers half its share of what is left."""
    begin = 0
    while begin < groups:
        share = 1 if workers == 1 else 2 * workers
        end = begin + min(-(-(groups - begin) // share), LARGEST_PART)
        yield begin, end
        begin = end


def room(arrays: int, rows: int) -> Floats:
    """Return room for arrays of lanes, shape (arrays, rows, LANES), from a cache line on."""
    raw = np.empty(arrays * rows * LANES + 8)
    start = -raw.ctypes.data % 64 // 8
    return raw[start : start + arrays * rows * LANES].reshape(arrays, rows, LANES)
