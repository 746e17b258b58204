r"""Races in which some or all seats play a given policy.

With every seat given the match is a Markov chain: each boundary state is the average of the
states its seat's turn leads to, and a cell is one cycle of linear equations. A free seat plays a
best response to the others, found as in :mod:`solver.match.cells`; with one free seat that is
policy iteration for a decision process, and its value is the most that any play brings.

The error of the values is bounded from what they are, not from how they came about. Let
:math:`r` be the largest difference between a value and the average it stands for, :math:`\rho`
the error of that average, :math:`g` the most that a free seat gains by one better turn, and
:math:`N` a bound on the expected number of turns to come, whatever free seats do. Then values
are off by at most :math:`N (r + g + \rho)`. For :math:`N`: a seat with a given policy scores at
least :math:`\mu` a turn on average, so that there are at most (target + most) / :math:`\mu` + 1
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.games.protocol import ScoreRace
from solver.games.readings import End
from solver.match.boundary import Floats, Ints, RaceValues, nobody_left
from solver.match.cells import solve_cells
from solver.match.last_turns import _after as after_last_turn
from solver.match.policies import SeatPolicy
from solver.match.race import CHUNK, Progress, layers
from solver.turn.roots import RootSolver

_UNIT = 2.0**-53


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """How a seat plays in a race.

    Parameters
    ----------
    open_play
        Scores (states, seats) -> distribution over outcomes (states, outcomes).
    last_turn
        (Points behind of each seat still to play, the mover first, shape (states, left); how
        many share the best score) -> distribution, for a turn after somebody has reached the
        target.
    rounding
        Bound on the error that a payoff of at most one picks up from the chances.
    """

    open_play: Callable[[Ints], Floats]
    last_turn: Callable[[Ints, int], Floats]
    rounding: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SeatedRace:
    """A race with given and free seats, evaluated.

    Parameters
    ----------
    values
        The value of every boundary state.
    error
        Bound on the error of the chances to win; with several free seats, on what one of them
        could still gain. None if no given seat need ever score.
    free
        The free seats, from 0.
    """

    values: RaceValues = field(repr=False)
    error: float | None
    free: tuple[int, ...]

    @property
    def start(self) -> Floats:
        """Each seat's chance to win, further rounds expected, chance of a tie, at the start."""
        nothing = np.zeros((1, self.values.seats), dtype=np.int64)
        first: Floats = self.values.at(nothing, 0)[0]
        return first

    @property
    def win_probability(self) -> tuple[float, ...]:
        """Each seat's chance to win from the start."""
        return tuple(self.start[: self.values.seats].tolist())

    @property
    def expected_rounds(self) -> float:
        """Expected number of rounds begun."""
        return 1.0 + float(self.start[self.values.seats])

    @property
    def tie_probability(self) -> float:
        """Chance that several leaders have to be parted at the end."""
        return float(self.start[-1])


def evaluate_race(
    race: ScoreRace,
    points: Ints,
    plays: Sequence[SeatPlay | None],
    solve: RootSolver,
    *,
    turn_error: float,
    progress: Progress | None = None,
) -> SeatedRace:
    """Return the values of all boundary states of a race.

    Parameters
    ----------
    race
        Target, end and tie.
    points
        int64, shape (outcomes,): points of each outcome.
    plays
        By seat: how it plays; None for a seat that plays a best response.
    solve
        Solver of a batch of turns, for the free seats.
    turn_error
        Bound on the error of the solver's best value, for payoffs of at most one.
    progress
        Called with (cells done, cells in all).

    Raises
    ------
    ProofError
        If nobody need ever score in some cell, or several free seats have no equilibrium there.
    """
    seats = len(plays)
    last = nobody_left(seats)
    if race.end is End.ROUND:
        last = _last_turns(seats, points, plays, solve)
    table = np.full((seats, *(race.target,) * seats, seats + 2), np.nan)
    values = RaceValues(race, seats, points, table, last)
    fixed = {m: SeatPolicy(play.open_play) for m, play in enumerate(plays) if play is not None}
    done, total = 0, race.target**seats
    for layer in layers(race.target, seats):
        for cells in np.array_split(layer, -(-len(layer) // CHUNK)):
            solved = solve_cells(values, cells, solve, fixed)
            for m in range(seats):
                table[(m, *cells.T)] = solved.value[:, m]
            done += len(cells)
            if progress is not None:
                progress(done, total)
    table.flags.writeable = False
    free = tuple(m for m, play in enumerate(plays) if play is None)
    return SeatedRace(values, _error(values, plays, solve, turn_error), free)


def _last_turns(
    seats: int, points: Ints, plays: Sequence[SeatPlay | None], solve: RootSolver
) -> dict[tuple[int, int], Floats]:
    """Return the values of last turns, as :func:`solver.match.last_turns.solve_last_turns`."""
    found = nobody_left(seats)
    reach = int(points.max()) + 1
    for left in range(1, seats):
        play = plays[seats - left]
        deficits = every_deficit(reach, left)
        for holders in range(1, seats - left + 1):
            vectors = after_last_turn(found, deficits, holders, points, reach)
            if play is None:
                _, chances = solve(np.ascontiguousarray(vectors[:, :, 1]))
            else:
                chances = play.last_turn(deficits, holders)
            value = np.einsum("so,sov->sv", chances, vectors)
            found[left, holders] = value.reshape(*(reach,) * left, left + 2)
    return found


def every_deficit(reach: int, left: int) -> Ints:
    """Return how far the seats still to play can be behind, shape (states, left)."""
    axes = [np.arange(1, reach + 1, dtype=np.int64)] * left
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, left)


def best_play(values: RaceValues, solve: RootSolver) -> list[SeatPlay]:
    """Return, by seat, the play that is best by a race's values.

    For the values of an equilibrium in pure play: its policies, ties settled as the solver does.

    Parameters
    ----------
    values
        All boundary states.
    solve
        Solver of a batch of turns.
    """

    def open_play(seat: int) -> Callable[[Ints], Floats]:
        def play(scores: Ints) -> Floats:
            ahead = values.after(scores, seat)[:, :, seat]
            return solve(np.ascontiguousarray(ahead))[1]

        return play

    def last_turn(deficits: Ints, holders: int) -> Floats:
        known = dict(values.last_turns)
        vectors = after_last_turn(known, deficits, holders, values.points, values.reach)
        return solve(np.ascontiguousarray(vectors[:, :, 1]))[1]

    return [SeatPlay(open_play(seat), last_turn) for seat in range(values.seats)]


def _error(
    values: RaceValues, plays: Sequence[SeatPlay | None], solve: RootSolver, turn_error: float
) -> float | None:
    """Return the bound on the error of the chances to win."""
    seats, target = values.seats, values.race.target
    worst, pace = 0.0, 0.0
    every = np.stack([axis.reshape(-1) for axis in np.indices((target,) * seats)], axis=1)
    for m, play in enumerate(plays):
        slowest = np.inf
        for cells in np.array_split(every, -(-len(every) // CHUNK)):
            ahead = values.after(cells, m)[:, :, :seats]
            now = values.at(cells, m)[:, :seats]
            if play is None:
                best, _ = solve(np.ascontiguousarray(ahead[:, :, m]))
                off = float(np.abs(best - now[:, m]).max()) + turn_error
            else:
                chances = play.open_play(cells)
                again = np.einsum("so,sov->sv", chances, ahead)
                rounding = play.rounding + (len(values.points) + 1) * _UNIT
                off = float(np.abs(again - now).max()) + rounding
                slowest = min(slowest, float((chances @ values.points).min()))
            worst = max(worst, off)
        pace = max(pace, slowest if slowest < np.inf else 0.0)
    if pace <= 0.0:
        return None
    rounds = (target + values.reach - 1) / pace + 2.0
    return seats * rounds * worst
