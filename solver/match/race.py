r"""Score races of any number of seats.

In a cell (all scores fixed, nobody scored yet) let :math:`V_m` be the value vector with seat
:math:`m` on turn, :math:`p_m(x)` the chance of outcome :math:`x` under its policy, and
:math:`z_m` the chance of no points. Then

.. math:: V_m = c_m + z_m V_{m+1}, \qquad c_m = \sum_{x > 0} p_m(x) W_m(x),

where :math:`W_m(x)`, the value after scoring, is known once all cells with a higher total are.
The cell is a fixed point of policy iteration: each seat solves its turn with the payoff
:math:`W_m(x)` for its own chance, :math:`V_{m+1}` for no points; then the linear system, one
cycle of n equations, is solved in closed form. It ends when the outcome distributions repeat,
that is, when no seat changes anything that matters.

Cells of one total do not depend on each other and are solved as one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from solver.errors import ProofError
from solver.games.protocol import ScoreRace
from solver.games.readings import End
from solver.match.boundary import Floats, Ints, RaceValues, nobody_left
from solver.match.last_turns import solve_last_turns
from solver.turn.roots import RootSolver

Progress = Callable[[int, int], None]
"""Called with (cells done, cells in all)."""


@dataclass(frozen=True, slots=True)
class SeatPolicy:
    """What a seat plays that does not play its best.

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


@dataclass(frozen=True, slots=True, eq=False)
class RaceSolution:
    """Values of a race, with what solving it took.

    Parameters
    ----------
    values
        All boundary states.
    cells, turns
        Cells of open play and turns solved in them.
    """

    values: RaceValues
    cells: int
    turns: int


def layers(target: int, seats: int) -> Iterator[Ints]:
    """Yield the cells by total score, the highest first; shape (cells, seats) each."""
    cells = np.stack(
        np.meshgrid(*[np.arange(target)] * seats, indexing="ij"), axis=-1, dtype=np.int64
    ).reshape(-1, seats)
    totals = cells.sum(axis=1)
    order = np.argsort(-totals, kind="stable")
    bounds = np.flatnonzero(np.diff(totals[order])) + 1
    yield from np.split(cells[order], bounds)


def solve_race(
    race: ScoreRace,
    seats: int,
    points: Ints,
    solve: RootSolver,
    *,
    fixed: Mapping[int, SeatPolicy] | None = None,
    progress: Progress | None = None,
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
    progress
        Called after each layer.

    Raises
    ------
    ProofError
        If no turn changes the scores in some cell, or policies of a cell go round for ever.
    """
    fixed = fixed or {}
    last = nobody_left(seats)
    if race.end is End.ROUND:
        closing = {m: p.last_turn for m, p in fixed.items() if p.last_turn is not None}
        last = solve_last_turns(seats, points, solve, closing)
    table = np.full((seats, *(race.target,) * seats, seats + 2), np.nan)
    values = RaceValues(race, seats, points, table, last)
    total = race.target**seats
    done = turns = 0
    for cells in layers(race.target, seats):
        found, solved = _solve_cells(values, cells, solve, fixed)
        for m in range(seats):
            table[(m, *cells.T)] = found[:, m]
        turns += solved
        done += len(cells)
        if progress is not None:
            progress(done, total)
    table.flags.writeable = False
    return RaceSolution(values, total, turns)


def _solve_cells(
    values: RaceValues, cells: Ints, solve: RootSolver, fixed: Mapping[int, SeatPolicy]
) -> tuple[Floats, int]:
    """Return the value vectors (cells, mover, seats + 2) of one layer, and turns solved."""
    n, k = values.seats, len(values.points)
    scoring = values.points > 0
    after = np.stack([_after(values, cells, m, scoring) for m in range(n)], axis=1)
    chances = np.zeros((len(cells), n, k))
    for m, policy in fixed.items():
        chances[:, m] = policy.open_play(cells)
    free = [m for m in range(n) if m not in fixed]
    if not free:
        return _linear(after, chances, scoring, cells), 0
    current = np.repeat(after[:, :, scoring][:, :, :1].mean(axis=1), n, axis=1)
    search = _Search(len(cells), free)
    turns = 0
    while len(search.active):
        rows, movers = search.batch()
        stay = current[rows, (movers + 1) % n, movers]
        payoffs = np.where(scoring, after[rows, movers, :, movers], stay[:, None])
        _, best = solve(payoffs)
        turns += len(best)
        same = (best == chances[rows, movers]).all(axis=1)
        chances[rows, movers] = best
        active = search.active
        current[active] = _linear(after[active], chances[active], scoring, cells[active])
        search.step(rows[~same])
    return current, turns


def _after(values: RaceValues, cells: Ints, mover: int, scoring: np.ndarray) -> Floats:
    """Value after each scoring outcome; zeros for the others, whose value is the cell's own."""
    result = np.zeros((len(cells), len(values.points), values.width))
    known = RaceValues(
        values.race, values.seats, values.points[scoring], values.open_play, values.last_turns
    )
    result[:, scoring] = known.after(cells, mover)
    return result


def _linear(after: Floats, chances: Floats, scoring: np.ndarray, cells: Ints) -> Floats:
    """Solve the cycle V_m = c_m + z_m V_{m+1} of each cell."""
    n = after.shape[1]
    constant = np.einsum("cmo,cmov->cmv", chances, after)
    stay = chances[:, :, ~scoring].sum(axis=2)
    constant[:, n - 1, n] += stay[:, n - 1]  # after the last seat another round begins
    once = np.ones(len(after))
    total = np.zeros((len(after), after.shape[3]))
    for m in range(n):
        total += once[:, None] * constant[:, m]
        once = once * stay[:, m]
    if (once >= 1.0).any():
        cell = tuple(cells[np.flatnonzero(once >= 1.0)[0]].tolist())
        raise ProofError(f"at the scores {cell} nobody need ever score: the match need not end")
    result = np.empty((len(after), n, after.shape[3]))
    result[:, 0] = total / (1.0 - once)[:, None]
    for m in range(n - 1, 0, -1):
        result[:, m] = constant[:, m] + stay[:, m, None] * result[:, (m + 1) % n]
    return result


class _Search:
    """Which cells still move, and which seats change their policy next.

    All seats change at once as long as that converges. A cell that is not done after some
    rounds goes on seat by seat: one seat improves until it is content, then the next, until no
    seat changes anything. For two seats that is Hoffman and Karp's policy iteration, which
    converges.
    """

    _PATIENCE = 8

    def __init__(self, cells: int, free: list[int]) -> None:
        self.active = np.arange(cells)
        self.free = np.array(free)
        self.rounds = 0
        self.turn = np.zeros(cells, dtype=np.int64)
        self.content = np.zeros(cells, dtype=np.int64)

    @property
    def together(self) -> bool:
        return self.rounds < self._PATIENCE

    def batch(self) -> tuple[Ints, Ints]:
        """Return the cells (rows) and seats whose turns are solved next, a pair an entry."""
        if self.together:
            pairs = len(self.active), len(self.free)
            return np.repeat(self.active, pairs[1]), np.tile(self.free, pairs[0])
        return self.active, self.free[self.turn[self.active]]

    def step(self, changed: Ints) -> None:
        """Take note of the rows in which some seat has changed its policy."""
        moved = np.zeros(len(self.turn), dtype=bool)
        moved[changed] = True
        still = self.active[~moved[self.active]]
        if self.together:
            self.content[still] = len(self.free)
        else:
            self.content[self.active[moved[self.active]]] = 0
            self.content[still] += 1
            self.turn[still] = (self.turn[still] + 1) % len(self.free)
        self.rounds += 1
        self.active = self.active[self.content[self.active] < len(self.free)]
        if self.rounds > 10_000:
            raise ProofError("the policies of a cell go round for ever: no equilibrium was found")
