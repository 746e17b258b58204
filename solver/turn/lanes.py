"""Several payoffs side by side: a vector type for compiled code.

A *lane* is one payoff of a batch. The kernels treat :data:`LANES` of them at once, as one value
that LLVM keeps in vector registers. An inner loop over lanes stays scalar and takes six times as
long: it is unrolled before it could be vectorised, numba switches off the pass that would put
the copies together again, and switched on that pass gets no further than the sums.

Guarantees: every operation rounds as IEEE 754 says, lane by lane, in the order written. Products
and sums are never fused, so that results have the same bits on every machine. Nothing is
checked: an index must be in range, and not negative.

Lanes in memory are the rows of a C-contiguous float64 array of shape (rows, LANES). A set of
lanes is an integer with a bit for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, import-not-found, unused-ignore]
from numba import types
from numba.extending import intrinsic, models, register_model

LANES = 8
"""Payoffs side by side."""

ALL = 2**LANES - 1
"""The set of all lanes."""

SET_TYPE = np.dtype(f"u{LANES // 8}")
"""Type of a set of lanes in memory."""

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_FLAGS = ir.VectorType(ir.IntType(1), LANES)
_SET = ir.IntType(LANES)
_I64 = ir.IntType(64)


def _operation(define: Callable[..., Any]) -> Any:
    """Make a function for compiled code: `define` returns its signature and its emitter."""
    return intrinsic(define)


class _Lanes(types.Type):  # type: ignore[misc, unused-ignore]
    def __init__(self) -> None:
        super().__init__(name=f"lanes{LANES}")


_LANES: Any = _Lanes()


@register_model(_Lanes)  # type: ignore[untyped-decorator, unused-ignore]
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _VECTOR)  # type: ignore[no-untyped-call, unused-ignore]


def _address(context: Any, builder: Any, array: Any, data: Any, index: Any) -> Any:
    """Return a pointer to element `index` of an array's memory."""
    return builder.gep(context.make_array(array)(context, builder, data).data, [index])


def _row_address(context: Any, builder: Any, array: Any, data: Any, row: Any) -> Any:
    """Return a pointer to the lanes in row `row`."""
    start = builder.mul(row, _I64(LANES), flags=("nsw",))
    at = _address(context, builder, array, data, start)
    return builder.bitcast(at, _VECTOR.as_pointer())


def _spread(builder: Any, scalar: Any) -> Any:
    """Return lanes that all hold `scalar`."""
    empty = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(empty, scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, empty, zeros)


@_operation
def number(_context: Any, array: Any, _index: Any) -> Any:
    """Return an element of an unsigned array as an int64."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        at = _address(context, builder, signature.args[0], *values)
        return builder.zext(builder.load(at), _I64)

    return types.int64(array, types.int64), emit


@_operation
def load(_context: Any, array: Any, _row: Any) -> Any:
    """Return the lanes in a row of an array."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.load(_row_address(context, builder, signature.args[0], *values), align=8)

    return _LANES(array, types.int64), emit


@_operation
def store(_context: Any, array: Any, _row: Any, _lanes: Any) -> Any:
    """Put lanes into a row of an array."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        at = _row_address(context, builder, signature.args[0], values[0], values[1])
        builder.store(values[2], at, align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, _LANES), emit


@_operation
def store_set(_context: Any, array: Any, _index: Any, _lanes: Any) -> Any:
    """Put a set of lanes into an element of an array."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        at = _address(context, builder, signature.args[0], values[0], values[1])
        builder.store(builder.trunc(values[2], _SET), at)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), emit


@_operation
def everywhere(_context: Any, _number: Any) -> Any:
    """Return lanes that all hold a float64."""

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return _spread(builder, values[0])

    return _LANES(types.float64), emit


@_operation
def scaled(_context: Any, _lanes: Any, array: Any, _index: Any) -> Any:
    """Return lanes times an element of a float64 array."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        at = _address(context, builder, signature.args[1], values[1], values[2])
        return builder.fmul(values[0], _spread(builder, builder.load(at)))

    return _LANES(_LANES, array, types.int64), emit


@_operation
def above(_context: Any, _a: Any, _b: Any) -> Any:
    """Return the set of lanes in which ``a > b``."""

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        flags = builder.fcmp_ordered(">", *values)
        return builder.zext(builder.bitcast(flags, _SET), _I64)

    return types.int64(_LANES, _LANES), emit


@_operation
def choose(_context: Any, _lanes: Any, _a: Any, _b: Any) -> Any:
    """Return a in the lanes of a set and b in the others."""

    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        flags = builder.bitcast(builder.trunc(values[0], _SET), _FLAGS)
        return builder.select(flags, values[1], values[2])

    return _LANES(types.int64, _LANES, _LANES), emit


def _binary(emit: Callable[[Any, Any, Any], Any]) -> Any:
    @_operation
    def operation(_context: Any, _a: Any, _b: Any) -> Any:
        def codegen(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return emit(builder, *values)

        return _LANES(_LANES, _LANES), codegen

    return operation


plus = _binary(lambda builder, a, b: builder.fadd(a, b))
minus = _binary(lambda builder, a, b: builder.fsub(a, b))
larger = _binary(lambda builder, a, b: builder.select(builder.fcmp_ordered(">", a, b), a, b))
smaller = _binary(lambda builder, a, b: builder.select(builder.fcmp_ordered("<", a, b), a, b))
