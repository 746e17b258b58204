r"""The passes of the fast kernel, compiled by numba.

Backward, a block of decisions takes the largest value and watches how close the second comes; if
it comes within the tolerance in some lane, the block is decided again by the full rule. For that
the expected tiebreak is needed, and it is computed then, for the blocks before, by following the
choices already made. Values of siblings, and edges of chances, are summed in a fixed order. No
sum of m products has more than m roundings on any way through it, so the error bound of
:mod:`solver.turn.kernel` holds.

Forward, what has reached the chances is passed on to siblings, and by decisions to their choices.

In all signatures ``layout`` is (blocks, index, probability) of :mod:`solver.turn.layout`;
``value``, ``tie`` and ``x`` are rows of lanes; ``choice`` are sets of lanes. The j-th set of a
decision holds the lanes in which option j + 1 replaces all before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit

from solver.turn.lanes import (
    ALL,
    LANES,
    above,
    choose,
    everywhere,
    larger,
    load,
    minus,
    number,
    plus,
    scaled,
    smaller,
    store,
    store_set,
)
from solver.turn.layout import (
    CHANCE_SLOT,
    CHANCES,
    CHOICES,
    FOURS,
    LEAD,
    MORES,
    OPTIONS,
    PARENTS,
    ROW,
    SHARES,
    THREES,
    TWOS,
)

P = ParamSpec("P")
T = TypeVar("T")


def _compiled(function: Callable[P, T]) -> Callable[P, T]:
    compiler = njit(cache=True, nogil=True, error_model="numpy")
    return cast("Callable[P, T]", compiler(function))


def _inlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compile into every caller: a call with a dozen arguments costs more than a small block."""
    compiler = njit(forceinline=True, nogil=True, error_model="numpy")
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
        _clear(x, outcomes, outcomes + chances)
        for b in range(len(blocks)):
            _follow(blocks[b], index, x, choice)
            _gather(blocks[b], index, probability, x)
        for lane in range(lanes):
            for i in range(chances):
                value_out[group + lane, i] = value[slots[i], lane]
                expectation_out[group + lane, i] = x[slots[i], lane]


@_inlined
def _fill(rows: Any, vector: Any) -> None:
    for i in range(len(vector)):
        for lane in range(LANES):
            rows[i, lane] = vector[i]


@_inlined
def _transpose(rows: Any, payoffs: Any, begin: int, lanes: int) -> None:
    """Put payoffs into lanes; lanes left over repeat the last one."""
    for lane in range(LANES):
        payoff = begin + min(lane, lanes - 1)
        for outcome in range(payoffs.shape[1]):
            rows[outcome, lane] = payoffs[payoff, outcome]


@_inlined
def _clear(rows: Any, begin: int, end: int) -> None:
    zero = everywhere(0.0)
    for i in range(begin, end):
        store(rows, i, zero)


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
    _clear(value, outcomes, outcomes + chances)
    known = 0
    for b in range(len(blocks)):
        if _decide(blocks[b], index, value, choice, screen):
            if not known:
                _clear(tie, outcomes, outcomes + chances)
            _reconsider(layout, known, b, value, tie, choice, tolerance)
            known = b + 1
        _gather(blocks[b], index, probability, value)
    return known


@_compiled
def _reconsider(
    layout: Any, known: int, b: int, value: Any, tie: Any, choice: Any, tolerance: float
) -> None:
    """Decide block `b` by the full rule; the tiebreak is known in the first `known` blocks."""
    blocks, index, probability = layout
    for earlier in range(known, b + 1):
        if earlier < b:
            _follow(blocks[earlier], index, tie, choice)
        else:
            _settle(blocks[b], index, value, tie, choice, tolerance)
        _gather(blocks[earlier], index, probability, tie)


@_compiled
def _forward(layout: Any, slots: int, reach: Any, choice: Any, root: int) -> None:
    """Set the chance to reach every node from the root."""
    blocks, index, probability = layout
    _clear(reach, 0, slots)
    store(reach, root, everywhere(1.0))
    for b in range(len(blocks) - 1, -1, -1):
        _scatter(blocks[b], index, probability, reach)
        _send(blocks[b], index, reach, choice)


@_inlined
def _decide(block: Any, index: Any, value: Any, choice: Any, screen: float) -> bool:
    """Take the best option of each decision of a block; return whether a second was close."""
    p, m, row = block[OPTIONS], block[CHOICES], block[ROW]
    gap = everywhere(np.inf)
    for _ in range(block[TWOS]):
        a, b = load(value, number(index, p)), load(value, number(index, p + 1))
        best = larger(a, b)
        gap = smaller(gap, minus(best, smaller(a, b)))
        store(value, row, best)
        store_set(choice, m, above(b, a))
        p, m, row = p + 2, m + 1, row + 1
    for _ in range(block[THREES]):
        a, b = load(value, number(index, p)), load(value, number(index, p + 1))
        c = load(value, number(index, p + 2))
        best = larger(a, b)
        second = larger(smaller(a, b), smaller(best, c))
        store_set(choice, m, above(b, a))
        store_set(choice, m + 1, above(c, best))
        best = larger(best, c)
        gap = smaller(gap, minus(best, second))
        store(value, row, best)
        p, m, row = p + 3, m + 2, row + 1
    for _ in range(block[MORES]):
        best, second = load(value, number(index, p + 1)), everywhere(-np.inf)
        for option in range(p + 2, p + 1 + number(index, p)):
            c = load(value, number(index, option))
            store_set(choice, m, above(c, best))
            second = larger(second, smaller(best, c))
            best = larger(best, c)
            m += 1
        gap = smaller(gap, minus(best, second))
        store(value, row, best)
        p, row = p + 1 + number(index, p), row + 1
    return bool(above(gap, everywhere(screen)) != ALL)


@_inlined
def _settle(block: Any, index: Any, value: Any, tie: Any, choice: Any, tolerance: float) -> None:
    """Decide a block by the full rule: value, then tiebreak, then canonical order."""
    p, m, row = block[OPTIONS], block[CHOICES], block[ROW]
    threes, mores = block[TWOS], block[TWOS] + block[THREES]
    margin, nothing = everywhere(tolerance), everywhere(-np.inf)
    for i in range(mores + block[MORES]):
        options = 2 if i < threes else 3
        if i >= mores:
            options = number(index, p)
            p += 1
        best = load(value, number(index, p))
        for j in range(p + 1, p + options):
            best = larger(best, load(value, number(index, j)))
        enough = minus(best, margin)
        top = nothing
        for j in range(p, p + options):
            worse = above(enough, load(value, number(index, j)))
            top = larger(top, choose(worse, nothing, load(tie, number(index, j))))
        enough_tie = minus(top, margin)
        free = ALL
        for j in range(p, p + options):
            a, b = load(value, number(index, j)), load(tie, number(index, j))
            taken = free & ~(above(enough, a) | above(enough_tie, b))
            best, top = choose(taken, a, best), choose(taken, b, top)
            free &= ~taken
            if j > p:
                store_set(choice, m, taken)
                m += 1
        store(value, row, best)
        store(tie, row, top)
        p, row = p + options, row + 1


@_inlined
def _follow(block: Any, index: Any, x: Any, choice: Any) -> None:
    """Give each decision of a block the value of its choice."""
    p, m, row = block[OPTIONS], block[CHOICES], block[ROW]
    for _ in range(block[TWOS]):
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        store(x, row, choose(number(choice, m), b, a))
        p, m, row = p + 2, m + 1, row + 1
    for _ in range(block[THREES]):
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c = load(x, number(index, p + 2))
        a = choose(number(choice, m), b, a)
        store(x, row, choose(number(choice, m + 1), c, a))
        p, m, row = p + 3, m + 2, row + 1
    for _ in range(block[MORES]):
        a = load(x, number(index, p + 1))
        for option in range(p + 2, p + 1 + number(index, p)):
            a = choose(number(choice, m), load(x, number(index, option)), a)
            m += 1
        store(x, row, a)
        p, row = p + 1 + number(index, p), row + 1


@_inlined
def _gather(block: Any, index: Any, probability: Any, x: Any) -> None:
    """Add a block's siblings to their parents, and the edges of its chances to them."""
    p, q, row = block[PARENTS], block[SHARES], block[ROW]
    n = block[TWOS] + block[THREES] + block[MORES]
    lead = block[LEAD]
    if lead == 1:
        a, b, c, d = load(x, number(index, p)), everywhere(0.0), everywhere(0.0), everywhere(0.0)
        for i in range(row, row + n - 3, 4):
            a = plus(a, scaled(load(x, i), probability, q))
            b = plus(b, scaled(load(x, i + 1), probability, q + 1))
            c = plus(c, scaled(load(x, i + 2), probability, q + 2))
            d = plus(d, scaled(load(x, i + 3), probability, q + 3))
            q += 4
        for i in range(row + n - (n & 3), row + n):
            a = plus(a, scaled(load(x, i), probability, q))
            q += 1
        store(x, number(index, p), plus(plus(a, b), plus(c, d)))
    elif lead == 2:
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c, d = everywhere(0.0), everywhere(0.0)
        for i in range(row, row + n - 1, 2):
            v, w = load(x, i), load(x, i + 1)
            a = plus(a, scaled(v, probability, q))
            b = plus(b, scaled(v, probability, q + 1))
            c = plus(c, scaled(w, probability, q + 2))
            d = plus(d, scaled(w, probability, q + 3))
            q += 4
        if n & 1:
            v = load(x, row + n - 1)
            a = plus(a, scaled(v, probability, q))
            b = plus(b, scaled(v, probability, q + 1))
            q += 2
        store(x, number(index, p), plus(a, c))
        store(x, number(index, p + 1), plus(b, d))
    elif lead == 3:
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c = load(x, number(index, p + 2))
        for i in range(row, row + n):
            v = load(x, i)
            a = plus(a, scaled(v, probability, q))
            b = plus(b, scaled(v, probability, q + 1))
            c = plus(c, scaled(v, probability, q + 2))
            q += 3
        store(x, number(index, p), a)
        store(x, number(index, p + 1), b)
        store(x, number(index, p + 2), c)
    fours = block[FOURS]
    if lead == 4:
        fours += 1
    else:
        p += lead
    for _ in range(fours):
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c, d = load(x, number(index, p + 2)), load(x, number(index, p + 3))
        for i in range(row, row + n):
            v = load(x, i)
            a = plus(a, scaled(v, probability, q))
            b = plus(b, scaled(v, probability, q + 1))
            c = plus(c, scaled(v, probability, q + 2))
            d = plus(d, scaled(v, probability, q + 3))
            q += 4
        store(x, number(index, p), a)
        store(x, number(index, p + 1), b)
        store(x, number(index, p + 2), c)
        store(x, number(index, p + 3), d)
        p += 4
    for slot in range(block[CHANCE_SLOT], block[CHANCE_SLOT] + block[CHANCES]):
        a, b, c, d = load(x, slot), everywhere(0.0), everywhere(0.0), everywhere(0.0)
        last = p + 4 * number(index, p)
        p += 1
        while p <= last:
            a = plus(a, scaled(load(x, number(index, p)), probability, q))
            b = plus(b, scaled(load(x, number(index, p + 1)), probability, q + 1))
            c = plus(c, scaled(load(x, number(index, p + 2)), probability, q + 2))
            d = plus(d, scaled(load(x, number(index, p + 3)), probability, q + 3))
            p, q = p + 4, q + 4
        store(x, slot, plus(plus(a, b), plus(c, d)))


@_inlined
def _scatter(block: Any, index: Any, probability: Any, x: Any) -> None:
    """Pass on what has reached the parents of a block's siblings, and its chances."""
    p, q, row = block[PARENTS], block[SHARES], block[ROW]
    end = row + block[TWOS] + block[THREES] + block[MORES]
    lead = block[LEAD]
    if lead == 1:
        a = load(x, number(index, p))
        for i in range(row, end):
            store(x, i, scaled(a, probability, q))
            q += 1
    elif lead == 2:
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        for i in range(row, end):
            store(x, i, plus(scaled(a, probability, q), scaled(b, probability, q + 1)))
            q += 2
    elif lead == 3:
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c = load(x, number(index, p + 2))
        for i in range(row, end):
            ab = plus(scaled(a, probability, q), scaled(b, probability, q + 1))
            store(x, i, plus(ab, scaled(c, probability, q + 2)))
            q += 3
    elif lead == 4:
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c, d = load(x, number(index, p + 2)), load(x, number(index, p + 3))
        for i in range(row, end):
            ab = plus(scaled(a, probability, q), scaled(b, probability, q + 1))
            cd = plus(scaled(c, probability, q + 2), scaled(d, probability, q + 3))
            store(x, i, plus(ab, cd))
            q += 4
    p += lead
    for _ in range(block[FOURS]):
        a, b = load(x, number(index, p)), load(x, number(index, p + 1))
        c, d = load(x, number(index, p + 2)), load(x, number(index, p + 3))
        for i in range(row, end):
            ab = plus(scaled(a, probability, q), scaled(b, probability, q + 1))
            cd = plus(scaled(c, probability, q + 2), scaled(d, probability, q + 3))
            store(x, i, plus(load(x, i), plus(ab, cd)))
            q += 4
        p += 4
    for slot in range(block[CHANCE_SLOT], block[CHANCE_SLOT] + block[CHANCES]):
        a = load(x, slot)
        last = p + 4 * number(index, p)
        p += 1
        while p <= last:
            to = number(index, p)
            store(x, to, plus(load(x, to), scaled(a, probability, q)))
            p, q = p + 1, q + 1


@_inlined
def _send(block: Any, index: Any, x: Any, choice: Any) -> None:
    """Pass on what has reached the decisions of a block to the options that they choose."""
    p, m, row = block[OPTIONS], block[CHOICES], block[ROW]
    for _ in range(block[TWOS]):
        v, second = load(x, row), number(choice, m)
        i, j = number(index, p), number(index, p + 1)
        a, b = load(x, i), load(x, j)
        store(x, i, choose(second, a, plus(a, v)))
        store(x, j, choose(second, plus(b, v), b))
        p, m, row = p + 2, m + 1, row + 1
    for _ in range(block[THREES]):
        v, third = load(x, row), number(choice, m + 1)
        second = number(choice, m) & ~third
        i, j, k = number(index, p), number(index, p + 1), number(index, p + 2)
        a, b, c = load(x, i), load(x, j), load(x, k)
        store(x, i, choose(second | third, a, plus(a, v)))
        store(x, j, choose(second, plus(b, v), b))
        store(x, k, choose(third, plus(c, v), c))
        p, m, row = p + 3, m + 2, row + 1
    for _ in range(block[MORES]):
        v, free = load(x, row), ALL
        options = number(index, p)
        for j in range(options - 1, 0, -1):
            taken = free & number(choice, m + j - 1)
            to = number(index, p + 1 + j)
            a = load(x, to)
            store(x, to, choose(taken, plus(a, v), a))
            free &= ~taken
        to = number(index, p + 1)
        a = load(x, to)
        store(x, to, choose(free, plus(a, v), a))
        p, m, row = p + 1 + options, m + options - 1, row + 1
