"""Several seats that do not look at each other: as many clocks, counted turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.equations.pairs import never_error

_UNIT = 2.0**-53
_MOST_ROUNDS = 2_000_000
_SMALL = 1e-15
_TOLD = 4096


@dataclass(frozen=True, slots=True)
class ClockRace:
    """A match of clocks, from one standing of every seat.

    Parameters
    ----------
    wins
        Each seat's chance, in the order in which they are on turn.
    ends
        The chance that somebody wins.
    rounds
        Expected rounds begun, of matches that somebody wins.
    error
        Bound on the error of the chances.
    """

    wins: tuple[float, ...]
    ends: float
    rounds: float
    error: float


def race_of_many(
    clocks: Sequence[Clock],
    standings: Sequence[int],
    progress: Callable[[int, int], None] | None = None,
) -> ClockRace:
    """Return the match of seats that do not look at each other.

    Parameters
    ----------
    clocks
        By seat, in the order in which they are on turn.
    standings
        The number of each seat's standing.
    progress
        Called from time to time with (rounds counted, rounds that may be needed).
    """
    seats = len(clocks)
    rows = [np.zeros(len(clock.goal)) for clock in clocks]
    for row, at in zip(rows, standings, strict=True):
        row[at] = 1.0
    never = [float(clock.never[at]) for clock, at in zip(clocks, standings, strict=True)]
    stuck = float(np.prod(never))
    wins, rounds = [0.0] * seats, 0.0
    counted = 0
    left = 1.0
    while counted < _MOST_ROUNDS:
        alive = [float(row.sum()) for row in rows]
        left = float(np.prod(alive)) - stuck
        rounds += max(left, 0.0)
        if left <= _SMALL * (1.0 - stuck):
            break
        for m, clock in enumerate(clocks):
            now = float(rows[m] @ clock.goal)
            wins[m] += now * float(np.prod(alive[:m] + alive[m + 1 :]))
            rows[m] = rows[m] @ clock.matrix
            alive[m] -= now
        counted += 1
        if progress is not None and counted % _TOLD == 0:
            progress(min(counted, _MOST_ROUNDS), _MOST_ROUNDS)
    rounding = sum(clock.rounding + len(clock.goal) * _UNIT for clock in clocks)
    ends = 1.0 - stuck
    error = left + rounding * (rounds + 1.0)
    error += sum(never_error(clock) for clock in clocks if not clock.reaches.all())
    return ClockRace(tuple(wins), ends, rounds / ends if ends else 0.0, error)
