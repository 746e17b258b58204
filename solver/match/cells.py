r"""Cells of a score race: all scores fixed, nobody has scored yet.

Let :math:`V_m` be the value vector of a cell with seat :math:`m` on turn, :math:`p_m(x)` the
chance of outcome :math:`x` under its policy, and :math:`z_m` the chance of no points. Then

.. math:: V_m = c_m + z_m V_{m+1}, \qquad c_m = \sum_{x > 0} p_m(x) W_m(x),

where :math:`W_m(x)`, the value after scoring, is known once all cells with a higher total are.
The cell is a fixed point of policy iteration: each seat solves its turn with the payoff
:math:`W_m(x)` for its own chance and :math:`V_{m+1}` for no points; then the linear system, one
cycle of n equations, is solved in closed form. A cell is done when no seat changes its outcome
distribution any more, not by a bit: then every seat's policy is a best answer to the others'.

If that does not happen, see :mod:`solver.match.mixing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.boundary import Floats, Ints, RaceValues
from solver.match.mixing import Cell, Mix, mixed_equilibrium
from solver.match.policies import SeatPolicy
from solver.turn.roots import RootSolver

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SolvedCells:
    """Cells of one layer, solved.

    Parameters
    ----------
    value
        float64, shape (cells, seats, seats + 2): value vector with each seat on turn.
    turns
        Turns that were solved.
    mixes
        Cell number -> the seats that mix there, and how.
    """

    value: Floats
    turns: int
    mixes: Mapping[int, Mapping[int, Mix]] = field(default_factory=dict)


def joined(parts: Sequence[SolvedCells]) -> SolvedCells:
    """Return the chunks of a layer as one."""
    mixes: dict[int, Mapping[int, Mix]] = {}
    offset = 0
    for part in parts:
        mixes |= {offset + row: by_seat for row, by_seat in part.mixes.items()}
        offset += len(part.value)
    value = np.concatenate([part.value for part in parts])
    return SolvedCells(value, sum(part.turns for part in parts), mixes)


def solve_cells(
    values: RaceValues,
    cells: Ints,
    solve: RootSolver,
    fixed: Mapping[int, SeatPolicy],
    unopened: RootSolver | None = None,
) -> SolvedCells:
    """Solve cells whose scoring outcomes lead to known values.

    Parameters
    ----------
    values
        The race; its open play must be known wherever a scoring turn leads.
    cells
        int64, shape (cells, seats): the scores.
    solve
        Solver of a batch of turns.
    fixed
        Seat -> its policy, for seats that do not play their best.
    unopened
        Solver of the turns of seats without points, where they begin otherwise.

    Raises
    ------
    ProofError
        If nobody need ever score in some cell, or no equilibrium could be found.
    """
    n, k = values.seats, len(values.points)
    scoring = values.points > 0
    after = np.stack([_after(values, cells, m, scoring) for m in range(n)], axis=1)
    chances = np.zeros((len(cells), n, k))
    for m, policy in fixed.items():
        chances[:, m] = policy.open_play(cells)
    free = [m for m in range(n) if m not in fixed]
    if not free:
        return SolvedCells(linear(after, chances, scoring, cells), 0)
    current = _guess(values, cells, after, scoring)
    search = _Search(len(cells), free)
    turns = 0
    while len(search.active):
        rows, movers = search.batch()
        stay = current[rows, (movers + 1) % n, movers]
        payoffs = np.where(scoring, after[rows, movers, :, movers], stay[:, None])
        best = best_turns(payoffs, cells[rows, movers], solve, unopened)
        turns += len(best)
        same = (best == chances[rows, movers]).all(axis=1)
        chances[rows, movers] = best
        active = search.active
        current[active] = linear(after[active], chances[active], scoring, cells[active])
        search.step(rows[~same])
    mixes: dict[int, Mapping[int, Mix]] = {}
    for row in search.restless:
        cell = Cell(tuple(cells[row].tolist()), after[row], scoring, tuple(free), chances[row])
        found = mixed_equilibrium(cell, solve)
        current[row] = found.value
        turns += found.turns
        if found.mixes:
            mixes[row] = found.mixes
    return SolvedCells(current, turns, mixes)


def best_turns(
    payoffs: Floats, scores: Ints, solve: RootSolver, unopened: RootSolver | None
) -> Floats:
    """Return the outcome distributions of best turns.

    Parameters
    ----------
    payoffs
        float64, shape (turns, outcomes).
    scores
        int64, shape (turns,): the movers' scores.
    solve, unopened
        Solvers of turns, and of those of a seat without points, None if they begin alike.
    """
    if unopened is None:
        return solve(payoffs)[1]
    best = np.empty_like(payoffs)
    for solver, part in ((solve, scores > 0), (unopened, scores == 0)):
        if part.any():
            best[part] = solver(payoffs[part])[1]
    return best


def _after(values: RaceValues, cells: Ints, mover: int, scoring: Flags) -> Floats:
    """Value after each scoring outcome; zeros for the others, whose value is the cell's own."""
    result = np.zeros((len(cells), len(values.points), values.width))
    known = RaceValues(
        values.race, values.seats, values.points[scoring], values.open_play, values.last_turns
    )
    result[:, scoring] = known.after(cells, mover)
    return result


def _guess(values: RaceValues, cells: Ints, after: Floats, scoring: Flags) -> Floats:
    """Return first values of cells, extrapolated from higher scores.

    Where no seat has room, it is the values one step on, averaged over who takes it.
    """
    n = values.seats
    least = int(np.flatnonzero(scoring)[0])
    ahead = after[:, :, least]  # seat m has scored the least: the value with seat m + 1 on turn
    guess = np.repeat(ahead.mean(axis=1, keepdims=True), n, axis=1)
    for rows, terms in guess_terms(cells, values.race.target):
        for m in range(n):
            guess[rows, m] = sum(w * values.open_play[(m, *scores.T)] for w, scores in terms)
    return guess


def guess_terms(cells: Ints, target: int) -> list[tuple[Ints, list[tuple[float, Ints]]]]:
    """Return how first values of cells are extrapolated.

    All seats with room go on by one, two and three points together, which changes values
    slowly; the others stand still.

    Returns
    -------
    list
        Rows of `cells`, and for these the weights and scores of the values to add up.
    """
    room = target - 1 - cells
    far, near = room >= 3, room >= 1
    cubic = np.flatnonzero(far.any(axis=1))
    constant = np.flatnonzero(near.any(axis=1) & ~far.any(axis=1))
    step = far[cubic].astype(np.int64)
    terms = [(w, cells[cubic] + i * step) for i, w in ((1, 3.0), (2, -3.0), (3, 1.0))]
    return [(cubic, terms), (constant, [(1.0, cells[constant] + near[constant])])]


def linear(after: Floats, chances: Floats, scoring: Flags, cells: Ints) -> Floats:
    """Solve the cycle V_m = c_m + z_m V_{m+1} of each cell.

    Parameters
    ----------
    after
        float64, shape (cells, seats, outcomes, seats + 2).
    chances
        float64, shape (cells, seats, outcomes): each seat's distribution.
    scoring
        bool, shape (outcomes,).
    cells
        The scores, for messages.

    Returns
    -------
    ndarray
        float64, shape (cells, seats, seats + 2).
    """
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
    converges. With more it may go round for ever; such cells end up in `restless`.
    """

    _TOGETHER = 8
    _SEAT_BY_SEAT = 40

    def __init__(self, cells: int, free: list[int]) -> None:
        self.active = np.arange(cells)
        self.free = np.array(free)
        self.rounds = 0
        self.turn = np.zeros(cells, dtype=np.int64)
        self.content = np.zeros(cells, dtype=np.int64)
        self.restless: list[int] = []

    @property
    def _together(self) -> bool:
        return self.rounds < self._TOGETHER

    def batch(self) -> tuple[Ints, Ints]:
        """Return the cells (rows) and seats whose turns are solved next, a pair an entry."""
        if self._together:
            pairs = len(self.active), len(self.free)
            return np.repeat(self.active, pairs[1]), np.tile(self.free, pairs[0])
        return self.active, self.free[self.turn[self.active]]

    def step(self, changed: Ints) -> None:
        """Take note of the rows in which some seat has changed its policy."""
        moved = np.zeros(len(self.turn), dtype=bool)
        moved[changed] = True
        still = self.active[~moved[self.active]]
        if self._together:
            self.content[still] = len(self.free)
        else:
            self.content[self.active[moved[self.active]]] = 0
            self.content[still] += 1
            self.turn[still] = (self.turn[still] + 1) % len(self.free)
        self.rounds += 1
        self.active = self.active[self.content[self.active] < len(self.free)]
        if self.rounds >= self._TOGETHER + self._SEAT_BY_SEAT:
            self.restless = self.active.tolist()
            self.active = self.active[:0]
