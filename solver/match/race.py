"""Score races of any number of seats: layer after layer, from the highest total down.

Cells of one total do not depend on each other. They are solved in chunks, by several threads if
asked for; how a layer is cut changes no bit of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from solver.games.protocol import ScoreRace
from solver.games.readings import End
from solver.match.boundary import Ints, RaceValues, nobody_left
from solver.match.cells import SolvedCells, joined, solve_cells
from solver.match.checkpoint import LayerStore
from solver.match.last_turns import solve_last_turns
from solver.match.mixing import Mix
from solver.match.policies import SeatPolicy
from solver.match.tiebreak import solve_tiebreak
from solver.turn.roots import RootSolver

Progress = Callable[[int, int], None]
"""Called with (cells done, cells in all)."""
Mixes = Mapping[tuple[tuple[int, ...], int], Mix]
"""(scores, seat from 0) -> how that seat mixes there."""

CHUNK = 2048
"""Cells solved as one batch."""
_LEAST_CELLS = 64  # fewer are not worth a thread

Runner = Callable[[RaceValues, list[Ints]], Iterable[SolvedCells]]
"""Solves chunks of cells of one layer, in order: see :func:`threads` and
:mod:`solver.match.cluster`."""


@dataclass(frozen=True, slots=True, eq=False)
class RaceSolution:
    """Values of a race, with what solving it took.

    Parameters
    ----------
    values
        All boundary states.
    cells, turns
        Cells of open play and turns solved in them.
    mixes
        Boundary states in which a seat mixes two turns.
    """

    values: RaceValues
    cells: int
    turns: int
    mixes: Mixes


def layers(target: int, seats: int) -> Iterator[Ints]:
    """Yield the cells by total score, the highest first; shape (cells, seats) each."""
    cells = np.stack(
        np.meshgrid(*[np.arange(target)] * seats, indexing="ij"), axis=-1, dtype=np.int64
    ).reshape(-1, seats)
    totals = cells.sum(axis=1)
    order = np.argsort(-totals, kind="stable")
    bounds = np.flatnonzero(np.diff(totals[order])) + 1
    yield from np.split(cells[order], bounds)


def threads(
    solve: RootSolver,
    workers: int = 1,
    fixed: Mapping[int, SeatPolicy] | None = None,
    unopened: RootSolver | None = None,
) -> Runner:
    """Return a runner that solves chunks in threads of this process.

    Parameters
    ----------
    solve
        Solver of a batch of turns.
    workers
        Number of threads.
    fixed
        Seat -> its policy, for seats that do not play their best.
    unopened
        Solver of the turns of seats without points, where they begin otherwise.
    """

    def run(values: RaceValues, chunks: list[Ints]) -> Iterator[SolvedCells]:
        each = -(-workers // len(chunks))  # a layer of one chunk shall keep all threads busy
        pieces = [
            piece
            for cells in chunks
            for piece in np.array_split(cells, min(each, -(-len(cells) // _LEAST_CELLS)))
        ]
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(
                lambda cells: solve_cells(values, cells, solve, fixed or {}, unopened), pieces
            )

    return run


def solve_race(
    race: ScoreRace,
    seats: int,
    points: Ints,
    solve: RootSolver,
    *,
    fixed: Mapping[int, SeatPolicy] | None = None,
    runner: Runner | None = None,
    chunk: int = CHUNK,
    progress: Progress | None = None,
    kept: LayerStore | None = None,
) -> RaceSolution:
    """Return the values of all boundary states under best play of every seat.

    Parameters
    ----------
    race
        Target, end and tie.
    seats
        Number of seats, at least one.
    points
        Points of each outcome of a turn.
    solve
        Solver of a batch of turns.
    fixed
        Seat -> its policy, for seats that do not play their best.
    runner
        What solves the chunks of a layer; one thread by default.
    chunk
        Cells in a chunk.
    progress
        Called after each chunk.
    kept
        Where finished layers are kept, so that a killed run goes on from there.

    Raises
    ------
    ProofError
        If no turn changes the scores in some cell, or no equilibrium of a cell was found.
    """
    last = nobody_left(seats)
    tied = None
    if race.end is End.ROUND:
        closing = {m: p.last_turn for m, p in (fixed or {}).items() if p.last_turn is not None}
        tied = solve_tiebreak(points, solve) if race.tie_round else None
        last = solve_last_turns(seats, points, solve, closing, tied)
    table = np.full((seats, *(race.target,) * seats, seats + 2), np.nan)
    values = RaceValues(race, seats, points, table, last, tied)
    total = race.target**seats
    done = turns = 0
    working = False
    mixes: dict[tuple[tuple[int, ...], int], Mix] = {}

    run = threads(solve, 1, fixed) if runner is None else runner
    for number, cells in enumerate(layers(race.target, seats)):
        layer = None if kept is None else kept.read(number)
        if layer is None:
            if progress is not None and not working:
                progress(done, total)  # the start: what was kept is no work of this run
            working = True
            parts = []
            for part in run(values, np.array_split(cells, -(-len(cells) // chunk))):
                parts.append(part)
                done += len(part.value)
                if progress is not None:
                    progress(done, total)
            layer = joined(parts)
            if kept is not None:
                kept.write(number, layer)
        else:
            done += len(cells)
        turns += layer.turns
        for m in range(seats):
            table[(m, *cells.T)] = layer.value[:, m]
        for row, by_seat in layer.mixes.items():
            scores = tuple(cells[row].tolist())
            mixes |= {(scores, m): mix for m, mix in by_seat.items()}
    table.flags.writeable = False
    return RaceSolution(values, total, turns, mixes)
