r"""Matches of a limited number of rounds, where a seat's standing is more than a score.

A *standing* is (score, stage); a turn begins at the root of the seat's stage and its outcome
(points, stage) changes both. With the number of rounds limited nothing comes back, so the values
are found round by round from the last, and within a round seat by seat from the last. A boundary
state is the round, the seat on turn and every seat's standing; its value is a vector: each seat's
chance to win, then the expected number of rounds begun after the current one, then the chance of
a tie at the end.

Only the mover's own root matters, so one payoff (all other standings, and the mover's score)
gives the values of all its stages: the turn is solved once for each root of the same payoffs.

After the last round, or the round in which somebody reaches the target, the most points win; tied
leaders play the death round (:mod:`solver.match.death_round`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import RoundsMatch
from solver.match.boundary import Floats, Ints
from solver.match.death_round import DeathRound
from solver.turn.roots import RootSolver

CHUNK = 16384
"""Payoffs solved as one batch."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundsValues:
    """Values of every boundary state.

    Parameters
    ----------
    match, seats, stages
        What was solved, and the number of stages.
    points, stage
        int64, shape (outcomes,): what an outcome brings.
    open_play
        By round (the one table of all rounds, if their number is unlimited) and seat on turn:
        float64, shape (scores, stages) for each seat, then
        seats + 2. A seat that has played this round has more scores than one that has not.
    death
        Shares of tied leaders.
    """

    match: RoundsMatch
    seats: int
    stages: int
    points: Ints
    stage: Ints
    open_play: list[list[Floats]]
    death: DeathRound | None

    def scores_before(self, number: int) -> int:
        """Return how many scores a seat can have before its turn of a round (from 0)."""
        if self.match.rounds is None:
            return self.match.target or 1
        most = int(self.points.max()) * number + 1
        return most if self.match.target is None else min(most, self.match.target)

    def after(self, number: int, seat: int, scores: Ints, stages: Ints) -> Floats:
        """Return the value vector that each outcome of `seat`'s turn leads to.

        Parameters
        ----------
        number
            The round, from 0.
        seat
            The seat on turn, from 0.
        scores, stages
            int64, shape (states, seats): standings before the turn; the mover's stage is not
            looked at, an outcome has its own.

        Returns
        -------
        ndarray
            float64, shape (states, outcomes, seats + 2).
        """
        states, outcomes = len(scores), len(self.points)
        score = np.repeat(scores[:, None], outcomes, axis=1)
        stage = np.repeat(stages[:, None], outcomes, axis=1)
        score[:, :, seat] += self.points
        stage[:, :, seat] = self.stage
        score, stage = score.reshape(-1, self.seats), stage.reshape(-1, self.seats)
        if seat + 1 < self.seats:
            value = self._lookup(number, seat + 1, score, stage)
        else:
            over = np.full(len(score), self.match.rounds == number + 1)
            if self.match.target is not None:
                over |= (score >= self.match.target).any(axis=1)
            value = np.empty((len(score), self.seats + 2))
            value[over] = self.ended(score[over], stage[over])
            going = ~over
            if going.any():
                ahead = self._lookup(number + 1, 0, score[going], stage[going]).copy()
                ahead[:, self.seats] += 1.0
                value[going] = ahead
        return value.reshape(states, outcomes, -1)

    def shares(self, players: int) -> Floats:
        """Return the shares of tied leaders, shape (stages, ..., players)."""
        if self.death is None:
            raise ValueError("the death round is not solved yet")
        return self.death.table(players, self.stages)

    def ended(self, scores: Ints, stages: Ints) -> Floats:
        """Return the value vectors of matches that end with these standings."""
        value = np.zeros((len(scores), self.seats + 2))
        best = scores.max(axis=1)
        leads = scores == best[:, None]
        pattern = leads @ (1 << np.arange(self.seats))
        for mask in np.unique(pattern).tolist():
            rows = np.flatnonzero(pattern == mask)
            who = [i for i in range(self.seats) if mask >> i & 1]
            shares = self.shares(len(who))
            value[rows[:, None], np.array(who)] = shares[tuple(stages[rows][:, who].T)]
            value[rows, -1] = float(len(who) > 1)
        return value

    def at_start(self) -> Floats:
        """Return the value vector at the start: nobody has anything, the first seat is on turn."""
        nothing = np.zeros((1, self.seats), dtype=np.int64)
        first: Floats = self._lookup(0, 0, nothing, nothing)[0]
        return first

    def at(self, number: int, seat: int, scores: Ints, stages: Ints) -> Floats:
        """Return the value vectors of boundary states; shapes as in :meth:`after`."""
        return self._lookup(number, seat, scores, stages)

    def payoffs(self, *, mover_stages: bool = False) -> Iterator[int]:
        """Yield how many payoffs (or states) each round and seat on turn has."""
        for number in range(self.match.rounds or 1):
            for mover in range(self.seats):
                stages = self.stages if mover_stages else 1
                yield self.scores_before(number) * _others(self, number, mover) * stages

    def _lookup(self, number: int, seat: int, scores: Ints, stages: Ints) -> Floats:
        index = [part for i in range(self.seats) for part in (scores[:, i], stages[:, i])]
        tables = self.open_play[number if self.match.rounds is not None else 0]
        found: Floats = tables[seat][tuple(index)]
        return found


def solve_rounds(
    match: RoundsMatch,
    seats: int,
    outcomes: tuple[tuple[int, int], ...],
    solvers: list[RootSolver],
    death: DeathRound,
    *,
    nothing: float,
    fixed: Mapping[int, list[RootSolver]] | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> RoundsValues:
    """Return the values of all boundary states under best play of every seat.

    Parameters
    ----------
    match
        Rounds, target and stages.
    seats
        Number of seats, at least two.
    outcomes
        (points, stage) of each outcome of a turn.
    solvers
        For each stage, the solver of turns that begin there.
    death
        Shares of tied leaders.
    nothing
        The greatest chance of no points in a turn that a player can bring about.
    fixed
        Seat (from 0) -> what stands in for the solvers: the values and distributions of the
        turns it plays, for seats that do not play their best.
    workers
        Threads.
    progress
        Called with (payoffs done, payoffs in all).
    """
    points = np.array([p for p, _ in outcomes], dtype=np.int64)
    stage = np.array([s for _, s in outcomes], dtype=np.int64)
    limited = match.rounds is not None
    if match.rounds is not None:
        number = match.rounds
    else:
        number = rounds_until_over(match, int(points[points > 0].min()), nothing)
    values = RoundsValues(match, seats, len(solvers), points, stage, [], death)
    values.open_play.extend([] for _ in range(number if limited else 1))
    if not limited:
        values.open_play[0] = [_empty(values, 0, m) for m in range(seats)]
        for table in values.open_play[0]:
            table[...] = 0.0  # a match that has not ended by then counts for nobody
    total = sum(
        values.scores_before(r) * _others(values, r, m) for r in range(number) for m in range(seats)
    )
    done = 0
    with ThreadPoolExecutor(workers) as pool:
        for r in range(number - 1, -1, -1):
            at = r if limited else 0
            before = list(values.open_play[at])
            if limited:
                values.open_play[at] = [np.empty(0)] * seats
            for m in range(seats - 1, -1, -1):
                table = _empty(values, at, m)

                def work(
                    standing: tuple[Ints, Ints], r: int = r, m: int = m, table: Floats = table
                ) -> int:
                    _fill(values, r, m, standing, (fixed or {}).get(m, solvers), table)
                    return len(standing[0])

                for count in pool.map(work, standings(values, at, m, CHUNK)):
                    done += count
                    if progress is not None:
                        progress(done, total)
                values.open_play[at][m] = table
            if not limited and all(map(np.array_equal, before, values.open_play[at])):
                break  # a fixed point: more rounds change nothing
    return values


def rounds_until_over(match: RoundsMatch, least: int, nothing: float) -> int:
    """Return so many rounds that a match without a limit has ended by then, but for 1e-18.

    Whatever is played, a turn brings at least `least` points with chance 1 - `nothing`. With k
    such turns a seat has the target, and by Hoeffding's inequality the chance of fewer than k in
    R rounds is at most exp(-2 R (1 - nothing - k / R)^2).

    Parameters
    ----------
    match
        The match; it has a target.
    least
        The least points of a turn that brings any.
    nothing
        The greatest chance of no points that a player can bring about.
    """
    needed = -(-(match.target or 1) // least)
    number = needed + 1
    while 2.0 * number * max(0.0, 1.0 - nothing - needed / number) ** 2 < 42.0:
        number += 1
    return number


def _empty(values: RoundsValues, number: int, mover: int) -> Floats:
    shape: list[int] = []
    for seat in range(values.seats):
        shape += [_scores(values, number, mover, seat), values.stages]
    return np.empty((*shape, values.seats + 2))


def _scores(values: RoundsValues, number: int, mover: int, seat: int) -> int:
    """How many scores `seat` can have when `mover` is on turn."""
    before = values.scores_before(number)
    return before + (int(values.points.max()) if seat < mover else 0)


def _others(values: RoundsValues, number: int, mover: int) -> int:
    count = 1
    for seat in range(values.seats):
        if seat != mover:
            count *= _scores(values, number, mover, seat) * values.stages
    return count


def standings(
    values: RoundsValues, number: int, mover: int, chunk: int
) -> Iterator[tuple[Ints, Ints]]:
    """Yield chunks of standings: every other seat's, and the mover's score at stage 0.

    Parameters
    ----------
    values
        The match.
    number, mover
        The round and the seat on turn, from 0.
    chunk
        Standings in a chunk.

    Yields
    ------
    scores, stages : ndarray
        int64, shape (states, seats).
    """
    sizes: list[int] = []
    for seat in range(values.seats):
        sizes += [_scores(values, number, mover, seat), 1 if seat == mover else values.stages]
    count = math.prod(sizes)
    for low in range(0, count, chunk):
        parts = np.unravel_index(np.arange(low, min(low + chunk, count)), sizes)
        yield np.stack(parts[::2], axis=1), np.stack(parts[1::2], axis=1)


def _fill(
    values: RoundsValues,
    number: int,
    mover: int,
    standing: tuple[Ints, Ints],
    solvers: list[RootSolver],
    table: Floats,
) -> None:
    scores, stages = standing
    ahead = values.after(number, mover, scores, stages)
    payoffs = np.ascontiguousarray(ahead[:, :, mover])
    for stage, solve in enumerate(solvers):
        _, chances = solve(payoffs)
        index: list[NDArray[np.int64] | int] = []
        for seat in range(values.seats):
            index += [scores[:, seat], stage if seat == mover else stages[:, seat]]
        table[tuple(index)] = np.einsum("so,sov->sv", chances, ahead)
