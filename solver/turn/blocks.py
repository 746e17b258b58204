"""What the passes do with one block, compiled into their loops.

Arguments: a row of ``blocks`` and the ``index`` and ``probability`` of
:mod:`solver.turn.layout`; ``value``, ``tie`` and ``x`` are rows of lanes; ``choice`` are sets of
lanes. The j-th set of a decision holds the lanes in which option j + 1 replaces all before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numba import njit

from solver.turn.lanes import (
    ALL,
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


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compile into every caller: a call with a dozen arguments costs more than a small block."""
    compiler = njit(forceinline=True, nogil=True, error_model="numpy")
    return cast("Callable[P, T]", compiler(function))


@inlined
def clear(rows: Any, begin: int, end: int) -> None:
    """Set a range of rows to zero."""
    zero = everywhere(0.0)
    for i in range(begin, end):
        store(rows, i, zero)


@inlined
def decide(block: Any, index: Any, value: Any, choice: Any, screen: float) -> bool:
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


@inlined
def settle(block: Any, index: Any, value: Any, tie: Any, choice: Any, tolerance: float) -> None:
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


@inlined
def follow(block: Any, index: Any, x: Any, choice: Any) -> None:
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


@inlined
def gather(block: Any, index: Any, probability: Any, x: Any) -> None:
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


@inlined
def scatter(block: Any, index: Any, probability: Any, x: Any) -> None:
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


@inlined
def send(block: Any, index: Any, x: Any, choice: Any) -> None:
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
