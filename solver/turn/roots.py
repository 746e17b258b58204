"""One way to solve a batch of turns, whichever kernel is installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE, distribution_batch, solve_batch

Floats = NDArray[np.float64]
RootSolver = Callable[[Floats], tuple[Floats, Floats]]
"""Payoffs (B, outcomes) -> best value (B,) and outcome distribution (B, outcomes)."""

ValueSolver = Callable[[Floats], Floats]
"""Payoffs (B, outcomes) -> best value (B,)."""

_CHUNK = 64


def root_solver(
    graph: TurnGraph, *, root: int | None = None, workers: int = 1, compiled: bool | None = None
) -> RootSolver:
    """Return a solver of batches of turns that begin at one root of `graph`.

    Ties are settled by the most expected points, then by the canonical order.

    Parameters
    ----------
    graph
        The turn.
    root
        Node in which the turns begin; None for the first root.
    workers
        Threads, for the compiled kernel.
    compiled
        Whether to use the compiled kernel (numba); None for "if it is installed".
    """
    begin = graph.root if root is None else root
    points = graph.points.astype(np.float64)
    if compiled is None:
        compiled = find_spec("numba") is not None
    if compiled:
        from solver.turn.fast import prepare, solve_roots  # noqa: PLC0415  numba is heavy

        prepared = prepare(graph)
        return lambda payoffs: solve_roots(
            prepared, payoffs, tiebreak=points, tolerance=TIE, root=begin, workers=workers
        )

    def solve(payoffs: Floats) -> tuple[Floats, Floats]:
        values = np.empty(len(payoffs))
        chances = np.empty_like(payoffs)
        for low in range(0, len(payoffs), _CHUNK):
            part = slice(low, low + _CHUNK)
            batch = solve_batch(graph, np.ascontiguousarray(payoffs[part].T), tiebreak=points)
            values[part] = batch.value[begin]
            chances[part] = distribution_batch(graph, batch.chosen, begin).T
        return values, chances

    return solve


def value_solver(graph: TurnGraph, *, compiled: bool | None = None) -> ValueSolver:
    """Return a solver of batches of turns that begin at the first root, for their values alone.

    Parameters
    ----------
    graph
        The turn.
    compiled
        Whether to use the compiled kernel (numba); None for "if it is installed".
    """
    if compiled is None:
        compiled = find_spec("numba") is not None
    if compiled:
        from solver.turn.fast import prepare, solve_values  # noqa: PLC0415  numba is heavy

        prepared = prepare(graph)
        return lambda payoffs: solve_values(prepared, payoffs)

    def solve(payoffs: Floats) -> Floats:
        values = np.empty(len(payoffs))
        for low in range(0, len(payoffs), _CHUNK):
            part = slice(low, low + _CHUNK)
            batch = solve_batch(graph, np.ascontiguousarray(payoffs[part].T), tolerance=0.0)
            values[part] = batch.value[graph.root]
        return values

    return solve
