"""What a match will take, before it is started."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import numpy as np

from solver.errors import TooLargeError
from solver.games.protocol import ScoreRace
from solver.games.readings import End
from solver.match.boundary import Ints
from solver.match.race import CHUNK
from solver.turn.roots import RootSolver

TURNS_A_STATE = 3.0
"""Turns solved for a boundary state, on average and a little more."""
_TEMPORARY = 6  # arrays of a chunk's size that live at once
_BASE = 150 * 2**20  # the interpreter, numpy, the compiled kernel and the graph


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a match will take.

    Parameters
    ----------
    states, turns
        Boundary states of open play, and turns to solve.
    seconds
        On this machine, from a measured batch; None if none was measured.
    memory, disk
        Bytes: resident, and for a checkpoint or table.
    """

    states: int
    turns: int
    seconds: float | None
    memory: int
    disk: int

    def __str__(self) -> str:
        took = "" if self.seconds is None else f", about {_duration(self.seconds)}"
        return (
            f"{self.states:,} boundary states, {self.turns:,} turns to solve{took},"
            f" {self.memory / 2**20:,.0f} MiB of memory, {self.disk / 2**20:,.0f} MiB on disk"
        )


def estimate(
    race: ScoreRace, seats: int, points: Ints, workers: int = 1, solve: RootSolver | None = None
) -> Estimate:
    """Return what a match of this many seats takes.

    Parameters
    ----------
    race
        Target and end.
    seats
        Number of seats.
    points
        Points of each outcome of a turn.
    workers
        Threads.
    solve
        The solver, to measure its speed.
    """
    states = seats * race.target**seats
    turns = round(states * TURNS_A_STATE)
    table = states * (seats + 2) * 8
    reach = int(points.max()) + 1
    last = sum(
        reach**left * (left + 2) * 8 * (seats - left) for left in range(1, seats)
    )  # fmt: skip
    if race.end is End.ROUND:
        turns += sum(reach**left * (seats - left) for left in range(1, seats))
        batch = reach ** (seats - 1) * len(points) * (seats + 1) * 8 * 3
    else:
        last = batch = 0
    cells = min(CHUNK, race.target ** (seats - 1))
    chunk = cells * seats * len(points) * (seats + 2) * 8 * _TEMPORARY * workers
    seconds = None if solve is None else turns * _seconds_a_turn(solve, len(points)) / workers
    return Estimate(states, turns, seconds, _BASE + table + last + max(batch, chunk), table + last)


def fits(found: Estimate, max_memory: int | None) -> bool:
    """Return whether a match fits `max_memory` bytes, or what the machine has to spare."""
    limit = available() if max_memory is None else max_memory
    return limit is None or found.memory <= limit


def too_large(found: Estimate, max_memory: int | None, seats: int) -> TooLargeError:
    """Return the error for a match that does not fit, before it is started."""
    limit = (available() if max_memory is None else max_memory) or 0
    return TooLargeError(
        f"a match of {seats} seats does not fit {limit / 2**20:,.0f} MiB of memory: {found}",
        remedy="fewer seats or a smaller target; --max-memory if there is more; --cluster ADDRESS"
        " spreads the time over many machines, the one that asks still holds all values",
        field="seats",
    )


def available() -> int | None:
    """Return the bytes of memory this machine has to spare, None if it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def _seconds_a_turn(solve: RootSolver, outcomes: int) -> float:
    payoffs = np.sort(np.random.default_rng(1).random((256, outcomes)), axis=1)
    solve(payoffs[:8])
    start = time.perf_counter()
    solve(payoffs)
    return (time.perf_counter() - start) / len(payoffs)


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} seconds"
