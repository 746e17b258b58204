"""Seats that do not play their best: what they play instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.match.boundary import Floats, Ints


@dataclass(frozen=True, slots=True)
class SeatPolicy:
    """A seat's policy, as the outcome distributions of its turns.

    Parameters
    ----------
    open_play
        Scores (states, seats) -> distribution over outcomes (states, outcomes).
    last_turn
        Points behind (states,) -> distribution, for its turn after somebody has reached the
        target; needed with the official end only.
    """

    open_play: Callable[[Ints], Floats]
    last_turn: Callable[[Ints], Floats] | None = None
