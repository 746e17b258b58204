"""Where seats mix two turns, as arrays of a table; absent if no seat does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.match.mixing import Mix
from solver.match.race import Mixes

STATES, SHARES = "mix-states", "mix-shares"


def mixes_as_arrays(mixes: Mixes, seats: int) -> dict[str, NDArray[Any]]:
    """Return the boundary states in which a seat mixes, and how.

    Returns
    -------
    dict
        ``mix-states`` int32, shape (mixes, seats + 1): the scores, then the seat from 0;
        ``mix-shares`` float64, shape (mixes, 2): share and breakpoint. Empty without mixes.
    """
    if not mixes:
        return {}
    rows = sorted(((*scores, m), (mix.share, mix.breakpoint)) for (scores, m), mix in mixes.items())
    states = np.array([state for state, _ in rows], dtype=np.int32).reshape(-1, seats + 1)
    return {STATES: states, SHARES: np.array([how for _, how in rows])}


def mixes_from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Mixes:
    """Return what :func:`mixes_as_arrays` has written."""
    states = arrays[STATES].tolist()
    return {
        (tuple(scores), m): Mix(*how)
        for (*scores, m), how in zip(states, arrays[SHARES].tolist(), strict=True)
    }
