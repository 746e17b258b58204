"""Operations on lanes, each against numpy, and sets of lanes bit by bit."""

from __future__ import annotations

import numpy as np
import pytest

numba = pytest.importorskip("numba", reason="lanes are of compiled code")

from solver.turn.lanes import (  # noqa: E402
    ALL,
    LANES,
    SET_TYPE,
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


@numba.njit
def every_operation(rows, factors, sets, out, told):
    """Do each operation once; `told` takes numbers, `out` lanes, row by row."""
    a, b = load(rows, 1), load(rows, 2)
    store(out, 0, plus(a, b))
    store(out, 1, minus(a, b))
    store(out, 2, larger(a, b))
    store(out, 3, smaller(a, b))
    store(out, 4, scaled(a, factors, 2))
    store(out, 5, everywhere(factors[1]))
    over = above(a, b)
    told[0] = over
    told[1] = above(b, a)
    told[2] = number(sets, 3)
    store_set(sets, 1, over)
    store(out, 6, choose(over, a, b))
    store(out, 7, choose(number(sets, 3), a, b))
    store(out, 8, choose(ALL, a, b))
    store(out, 9, choose(0, a, b))
    store(out, 11, load(rows, 0))


def test_every_operation_is_numpy_s_lane_by_lane():
    assert LANES == 8
    assert ALL == 0b11111111
    assert np.uint8 == SET_TYPE
    rows = np.zeros((3, LANES))
    rows[0] = np.arange(LANES)
    rows[1] = [1.0, 2.0, -3.0, 0.1, np.inf, 0.0, -0.5, 7.0]
    rows[2] = [2.0, 1.0, -3.0, 0.3, 1.0, -np.inf, -0.25, 1e-300]
    a, b = rows[1], rows[2]
    factors, sets = np.array([5.0, 0.7, 0.3]), np.array([9, 9, 9, 0b10100110], dtype=SET_TYPE)
    out, told = np.full((12, LANES), np.nan), np.zeros(3, dtype=np.int64)
    every_operation(rows, factors, sets, out, told)
    chosen = np.array([0, 1, 1, 0, 0, 1, 0, 1], dtype=bool)  # bits from the lowest on
    right = [
        a + b, a - b, np.where(a > b, a, b), np.where(a < b, a, b), a * 0.3, np.full(8, 0.7),
        np.where(a > b, a, b), np.where(chosen, a, b), a, b,
    ]  # fmt: skip
    for row, wanted in zip(out, right, strict=False):
        assert row.tolist() == wanted.tolist()
    assert np.isnan(out[10]).all()  # what was not written is as it was
    assert out[11].tolist() == list(range(LANES))
    bits = 1 << np.arange(LANES)
    assert told.tolist() == [bits[a > b].sum(), bits[b > a].sum(), 0b10100110]
    assert sets.tolist() == [9, told[0], 9, 0b10100110]
