"""Matches of rounds in which some or all seats play a given policy.

Backward induction as in :mod:`solver.match.rounds`, with the distributions of given seats in
place of the best ones. In the death round, too, each seat plays its own policy: the shares of
tied leaders then depend on which seats they are, not only on their stages.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.errors import ProofError
from solver.games.protocol import RoundsMatch
from solver.match.boundary import Floats, Ints
from solver.match.death_round import Shown, Stages, _Group
from solver.match.race import Progress
from solver.match.rounds import CHUNK, RoundsValues, rounds_until_over, standings
from solver.match.rounds import _empty as empty_table
from solver.turn.graph import TurnGraph
from solver.turn.kernel import distribution_batch, solve_batch
from solver.turn.roots import RootSolver

_MOST_ROUNDS = 200
SeatShares = dict[tuple[tuple[int, ...], Stages], Floats]
"""(tied seats, their stages) -> each one's chance to win the death round."""


@dataclass(frozen=True, slots=True)
class RoundsPlay:
    """How a seat plays in a match of rounds.

    Parameters
    ----------
    turn
        (round from 0, scores and stages of all seats, shape (states, seats), own stage) ->
        distribution over outcomes (states, outcomes).
    death
        (stages of the tied seats, place among them, best points shown before it or -1, shape
        (states,)) -> distribution.
    rounding
        Bound on the error that a payoff of at most one picks up from the chances.
    """

    turn: Callable[[int, Ints, Ints, int], Floats]
    death: Callable[[Stages, int, Sequence[Shown]], Floats]
    rounding: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class SeatedRoundsValues(RoundsValues):
    """Values of every boundary state; a death round by the policies of the seats in it.

    Parameters
    ----------
    seat_shares
        Tied seats -> their shares, shape (stages, ..., stages, players).
    """

    seat_shares: Mapping[tuple[int, ...], Floats] = field(default_factory=dict)

    def ended(self, scores: Ints, stages: Ints) -> Floats:
        """Return the value vectors of matches that end with these standings."""
        value = np.zeros((len(scores), self.seats + 2))
        leads = scores == scores.max(axis=1)[:, None]
        pattern = leads @ (1 << np.arange(self.seats))
        for mask in np.unique(pattern).tolist():
            rows = np.flatnonzero(pattern == mask)
            who = tuple(i for i in range(self.seats) if mask >> i & 1)
            if len(who) == 1:
                value[rows, who[0]] = 1.0
                continue
            found = self.seat_shares[who][tuple(stages[rows][:, who].T)]
            value[rows[:, None], np.array(who)] = found
            value[rows, -1] = 1.0
        return value


@dataclass(frozen=True, slots=True, eq=False)
class SeatedRounds:
    """A match of rounds with given and free seats, evaluated; see :class:`SeatedRace`."""

    values: SeatedRoundsValues = field(repr=False)
    error: float | None
    free: tuple[int, ...]

    @property
    def start(self) -> Floats:
        """Each seat's chance to win, further rounds expected, chance of a tie, at the start."""
        return self.values.at_start()

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


def evaluate_rounds(
    match: RoundsMatch,
    graph: TurnGraph,
    plays: Sequence[RoundsPlay | None],
    solvers: Sequence[RootSolver],
    *,
    nothing: float,
    turn_error: float,
    progress: Progress | None = None,
) -> SeatedRounds:
    """Return the values of all boundary states of a match of rounds.

    Parameters
    ----------
    match
        Rounds and target.
    graph
        The turn, with a root for each stage; outcomes are (points, stage).
    plays
        By seat: how it plays; None for a seat that plays a best response.
    solvers
        For each stage, the solver of turns that begin there.
    nothing
        The greatest chance of no points in a turn that a player can bring about.
    turn_error
        Bound on the error of a solver's best value, for payoffs of at most one.
    progress
        Called with (payoffs done, payoffs in all).

    Raises
    ------
    ProofError
        If a death round need not end, or free seats find no equilibrium in it.
    """
    seats, stages = len(plays), len(solvers)
    points = np.array([p for p, _ in graph.outcomes], dtype=np.int64)
    stage = np.array([s for _, s in graph.outcomes], dtype=np.int64)
    limited = match.rounds is not None
    if match.rounds is not None:
        number = match.rounds
    else:
        number = rounds_until_over(match, int(points[points > 0].min()), nothing)
    values = SeatedRoundsValues(
        match, seats, stages, points, stage, [], None, _death(graph, stages, plays)
    )
    values.open_play.extend([] for _ in range(number if limited else 1))
    if not limited:
        values.open_play[0] = [empty_table(values, 0, m) for m in range(seats)]
        for table in values.open_play[0]:
            table[...] = 0.0  # a match that has not ended by then counts for nobody
    each = list(values.payoffs())
    total, done = sum(each) * (1 if limited else number), 0
    for r in range(number - 1, -1, -1):
        at = r if limited else 0
        before = list(values.open_play[at])
        values.open_play[at] = [*before] if before else [np.empty(0)] * seats
        for m in range(seats - 1, -1, -1):
            table = empty_table(values, r if limited else 0, m)
            for scores, held in standings(values, r if limited else 0, m, CHUNK):
                _fill(values, r if limited else 0, m, (scores, held), plays[m], solvers, table)
                done += len(scores)
                if progress is not None:
                    progress(min(done, total), total)
            table.flags.writeable = False
            values.open_play[at][m] = table
        if not limited and all(map(np.array_equal, before, values.open_play[at])):
            break
    rounding = max((play.rounding for play in plays if play is not None), default=0.0)
    a_turn = rounding + turn_error + (len(points) + 1) * 2.0**-53
    rounds: float = number
    if not limited:
        rounds = -(-(match.target or 1) // int(points[points > 0].min())) / (1.0 - nothing)
    turns = seats * (rounds + 1.0 / (1.0 - nothing**seats) + 1.0)
    free = tuple(m for m, play in enumerate(plays) if play is None)
    return SeatedRounds(values, 2.0 * turns * a_turn, free)


def _fill(
    values: SeatedRoundsValues,
    number: int,
    mover: int,
    standing: tuple[Ints, Ints],
    play: RoundsPlay | None,
    solvers: Sequence[RootSolver],
    table: Floats,
) -> None:
    scores, held = standing
    ahead = values.after(number, mover, scores, held)
    payoffs = np.ascontiguousarray(ahead[:, :, mover])
    for stage, solve in enumerate(solvers):
        if play is None:
            _, chances = solve(payoffs)
        else:
            chances = play.turn(number, scores, held, stage)
        index: list[Ints | int] = []
        for seat in range(values.seats):
            index += [scores[:, seat], stage if seat == mover else held[:, seat]]
        table[tuple(index)] = np.einsum("so,sov->sv", chances, ahead)


def _death(
    graph: TurnGraph, stages: int, plays: Sequence[RoundsPlay | None]
) -> dict[tuple[int, ...], Floats]:
    """Return the shares of every set of tied seats."""
    seats, roots = len(plays), list(graph.roots.values())
    shares: SeatShares = {((m,), (s,)): np.ones(1) for m in range(seats) for s in range(stages)}
    tables: dict[tuple[int, ...], Floats] = {}
    for players in range(2, seats + 1):
        for tied in itertools.combinations(range(seats), players):
            table = np.empty((*(stages,) * players, players))
            groups = itertools.product(range(stages), repeat=players)
            for group in sorted(groups, key=lambda g: (-sum(g), g)):
                found = _SeatedGroup(graph, roots, shares, group, tied, plays).solve()
                shares[tied, group] = table[group] = found
            tables[tied] = table
    return tables


class _SeatedGroup(_Group):
    """The fixed point of one group of tied seats, each with its own policy or a free hand."""

    def __init__(
        self,
        graph: TurnGraph,
        roots: list[int],
        shares: SeatShares,
        group: Stages,
        tied: tuple[int, ...],
        plays: Sequence[RoundsPlay | None],
    ) -> None:
        super().__init__(graph, roots, {}, group)
        self.seat_shares, self.tied, self.plays = shares, tied, plays

    def solve(self) -> Floats:
        """Return each tied seat's chance to win."""
        m = len(self.group)
        guess = np.full(m, 1.0 / m)
        before: list[Floats] = []
        for _ in range(_MOST_ROUNDS):
            value, again, policy = self._play(guess)
            if again >= 1.0:
                raise ProofError(f"the death round of the seats {self.tied} need not end")
            fixed: Floats = value / (1.0 - again)
            if before and all(map(np.array_equal, before, policy)):
                return fixed
            before, guess = policy, fixed
        raise ProofError(f"no equilibrium of the death round of the seats {self.tied} was found")

    def _play(self, guess: Floats) -> tuple[Floats, float, list[Floats]]:
        m = len(self.group)
        value = np.zeros((len(self.shown[m]), m))
        again = np.zeros(len(value))
        for (_, holders, stages), i in self.shown[m].items():
            if len(holders) == m and stages == self.group:
                again[i] = 1.0
            else:
                left = tuple(self.tied[holder] for holder in holders)
                value[i, list(holders)] = self.seat_shares[left, stages]
        policy = []
        for at in range(m - 1, -1, -1):
            ahead, back = value[self.after[at]], again[self.after[at]]
            play = self.plays[self.tied[at]]
            if play is None:
                payoffs = np.ascontiguousarray((ahead[:, :, at] + back * guess[at]).T)
                batch = solve_batch(self.graph, payoffs, tiebreak=self.tiebreak)
                root = self.roots[self.group[at]]
                chance = distribution_batch(self.graph, batch.chosen, root).T
            else:
                chance = play.death(self.group, at, list(self.shown[at]))
            policy.append(chance)
            value = np.einsum("so,som->sm", chance, ahead)
            again = np.einsum("so,so->s", chance, back)
        return value[0], float(again[0]), policy


def best_death_play(graph: TurnGraph, shares: dict[Stages, Floats], group: Stages) -> list[Floats]:
    """Return what tied players do in the death round when all play their best.

    Parameters
    ----------
    graph
        The turn.
    shares
        Shares under best play, by stages.
    group
        Stages of the tied players.

    Returns
    -------
    list of ndarray
        By place: float64, shape (what may have been shown, outcomes).
    """
    best = _Group(graph, list(graph.roots.values()), shares, group)
    _, _, policy = best._play(shares[group])  # noqa: SLF001  one turn each by the known shares
    return policy[::-1]
