r"""The passes of the fast kernel, compiled by numba.

Backward, a block of decisions takes the largest value and watches how close the second comes; if
it comes within the tolerance in some lane, the block is decided again by the full rule. For that
the expected tiebreak is needed, and it is computed then, for the blocks before, by following the
choices already made. Values of siblings, and edges of chances, are summed in a fixed order. No
sum of m products has more than m roundings on any way through it, so the error bound of
:mod:`solver.turn.kernel` holds.

Forward, what has reached the chances is passed on to siblings, and by decisions to their choices.

In all signatures ``layout`` is (blocks, index, probability) of :mod:`solver.turn.layout`; for the
rest see :mod:`solver.turn.blocks`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from numba import njit

from solver.turn.blocks import clear, decide, follow, gather, inlined, scatter, send, settle
from solver.turn.lanes import LANES, everywhere, store

COMPILED_WITH = "9bc055862dd81e16"
"""Digest of blocks.py, lanes.py and layout.py. Numba takes compiled code from its cache as long as
this file is unchanged; so this file changes with them, and a test sees to it."""

P = ParamSpec("P")
T = TypeVar("T")


def _compiled(function: Callable[P, T]) -> Callable[P, T]:
    compiler = njit(cache=True, nogil=True, error_model="numpy")
    return cast("Callable[P, T]", compiler(function))


@_compiled
def solve_roots(
    layout: Any,
    chances: int,
    slots: int,
    payoffs: Any,
    tiebreak: Any,
    tolerance: float,
    screen: float,
    root: int,
    value_out: Any,
    distribution_out: Any,
    begin: int,
    end: int,
    rows: Any,
    choice: Any,
) -> int:
    """Solve payoffs `begin` to `end` at one root.

    Parameters
    ----------
    chances, slots
        Number of chances and of slots.
    root
        Slot of the root.
    screen
        Distance of two options above which the tolerance need not be asked.
    value_out, distribution_out
        Shapes (B,) and (B, outcomes). With no row in the second, there is no forward pass.
    rows, choice
        Room for work: float64 (3, rows, LANES) and sets of lanes.

    Returns
    -------
    int
        In how many blocks the tiebreak had to be computed, over all groups of lanes.
    """
    value, tie, reach = rows[0], rows[1], rows[2]
    outcomes = payoffs.shape[1]
    tied = 0
    _fill(tie, tiebreak)
    for group in range(begin, end, LANES):
        lanes = min(LANES, end - group)
        _transpose(value, payoffs, group, lanes)
        tied += _backward(layout, outcomes, chances, value, tie, choice, tolerance, screen)
        for lane in range(lanes):
            value_out[group + lane] = value[root, lane]
        if not len(distribution_out):
            continue
        _forward(layout, slots, reach, choice, root)
        for lane in range(lanes):
            for outcome in range(outcomes):
                distribution_out[group + lane, outcome] = reach[outcome, lane]
    return tied


@_compiled
def solve_nodes(
    layout: Any,
    slots: Any,
    payoffs: Any,
    tiebreak: Any,
    evaluate: Any,
    tolerance: float,
    screen: float,
    value_out: Any,
    expectation_out: Any,
    begin: int,
    end: int,
    rows: Any,
    choice: Any,
) -> None:
    """Solve payoffs `begin` to `end` at the chances in `slots`.

    Parameters
    ----------
    slots
        Slots of all chances.
    value_out, expectation_out
        Shape (B, chances).
    """
    value, tie, x = rows[0], rows[1], rows[2]
    outcomes, chances = payoffs.shape[1], len(slots)
    blocks, index, probability = layout
    _fill(tie, tiebreak)
    _fill(x, evaluate)
    for group in range(begin, end, LANES):
        lanes = min(LANES, end - group)
        _transpose(value, payoffs, group, lanes)
        _backward(layout, outcomes, chances, value, tie, choice, tolerance, screen)
        clear(x, outcomes, outcomes + chances)
        for b in range(len(blocks)):
            follow(blocks[b], index, x, choice)
            gather(blocks[b], index, probability, x)
        for lane in range(lanes):
            for i in range(chances):
                value_out[group + lane, i] = value[slots[i], lane]
                expectation_out[group + lane, i] = x[slots[i], lane]


@inlined
def _fill(rows: Any, vector: Any) -> None:
    for i in range(len(vector)):
        for lane in range(LANES):
            rows[i, lane] = vector[i]


@inlined
def _transpose(rows: Any, payoffs: Any, begin: int, lanes: int) -> None:
    """Put payoffs into lanes; lanes left over repeat the last one."""
    for lane in range(LANES):
        payoff = begin + min(lane, lanes - 1)
        for outcome in range(payoffs.shape[1]):
            rows[outcome, lane] = payoffs[payoff, outcome]


@_compiled
def _backward(
    layout: Any,
    outcomes: int,
    chances: int,
    value: Any,
    tie: Any,
    choice: Any,
    tolerance: float,
    screen: float,
) -> int:
    """Set values and choices; return for how many blocks the tiebreak was computed."""
    blocks, index, probability = layout
    clear(value, outcomes, outcomes + chances)
    known = 0
    for b in range(len(blocks)):
        if decide(blocks[b], index, value, choice, screen):
            if not known:
                clear(tie, outcomes, outcomes + chances)
            _reconsider(layout, known, b, value, tie, choice, tolerance)
            known = b + 1
        gather(blocks[b], index, probability, value)
    return known


@_compiled
def _reconsider(
    layout: Any, known: int, b: int, value: Any, tie: Any, choice: Any, tolerance: float
) -> None:
    """Decide block `b` by the full rule; the tiebreak is known in the first `known` blocks."""
    blocks, index, probability = layout
    for earlier in range(known, b + 1):
        if earlier < b:
            follow(blocks[earlier], index, tie, choice)
        else:
            settle(blocks[b], index, value, tie, choice, tolerance)
        gather(blocks[earlier], index, probability, tie)


@_compiled
def _forward(layout: Any, slots: int, reach: Any, choice: Any, root: int) -> None:
    """Set the chance to reach every node from the root."""
    blocks, index, probability = layout
    clear(reach, 0, slots)
    store(reach, root, everywhere(1.0))
    for b in range(len(blocks) - 1, -1, -1):
        scatter(blocks[b], index, probability, reach)
        send(blocks[b], index, reach, choice)
