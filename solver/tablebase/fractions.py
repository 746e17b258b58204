"""Fractions of any size as rows of bytes, two arrays of them: little-endian, non-negative."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


def to_bytes(numbers: Sequence[int]) -> NDArray[np.uint8]:
    """Return integers of at least zero as rows of bytes, all of one width.

    Returns
    -------
    ndarray
        uint8, shape (numbers, width).
    """
    width = max(1, (max(numbers).bit_length() + 7) // 8)
    rows = b"".join(number.to_bytes(width, "little") for number in numbers)
    return np.frombuffer(rows, dtype=np.uint8).reshape(len(numbers), width)


def fraction_at(numerator: NDArray[Any], denominator: NDArray[Any], row: int) -> Fraction:
    """Return the fraction in a row of the two arrays."""
    return Fraction(
        int.from_bytes(numerator[row].tobytes(), "little"),
        int.from_bytes(denominator[row].tobytes(), "little"),
    )
