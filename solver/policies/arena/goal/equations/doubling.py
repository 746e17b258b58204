"""Sums of A^k X B^k over all k, by squaring: the tables of matches that may last for ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ENOUGH = 2.0**-57  # a step that adds less than this share of the values is the last
_GOOD = 2.0**-48  # what one round ahead may differ by, as a share of the values
_REFINEMENTS = 3
_MOST_STEPS = 60


class Doubling:
    """Solves X = right + A X B^T, for matrices of which one at least loses what it carries.

    Parameters
    ----------
    one, two
        A and B, without negative entries.
    """

    def __init__(self, one: Floats, two: Floats) -> None:
        self._squares = [(one, two)]

    def solve(self, right: Floats) -> Floats:
        """Return the solution, refined where that is needed.

        Parameters
        ----------
        right
            float64, shape (..., rows of A, rows of B): several right sides at once.
        """
        one, two = self._squares[0]
        found = self.sum(right)
        for _ in range(_REFINEMENTS):
            off = right + one @ found @ two.T - found
            missed, most = (np.abs(x).max(axis=(-2, -1)) for x in (off, found))
            if (missed <= _GOOD * most).all():
                break
            found = found + self.sum(off)
        return found

    def sum(self, right: Floats, *, enough: float = _ENOUGH, most: int = _MOST_STEPS) -> Floats:
        """Return the sum of A^k right (B^T)^k over k from 0.

        Parameters
        ----------
        right
            As for :meth:`solve`.
        enough
            The sum ends when as many terms again add less than this share of it.
        most
            It ends after this many doublings at the latest.
        """
        found = right
        for step in range(most):
            if step == len(self._squares):
                one, two = self._squares[-1]
                self._squares.append((one @ one, two @ two))
            one, two = self._squares[step]
            more = one @ found @ two.T
            found = found + more
            if np.abs(more).max() <= enough * np.abs(found).max():
                break
        return found
