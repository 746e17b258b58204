"""The turns that a seat plays in a race to a goal, as a linear operator on tables of pairs.

A table holds a number for every pair (own standing, the other seat's). A seat's turn takes the
table of what comes after to that of what is now: each entry becomes the average over where the
turn leads. A policy that does not look at the other seat has one matrix for all of its standings;
one that looks has a matrix for each *view*, the other's standings between which it does not tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.errors import TooLargeError
from solver.match.goal.standings import Standings
from solver.policies.arena.goal.turns.decide import Decider, match_words
from solver.policies.policy import Policy
from solver.policies.states import Decision
from solver.policies.words.standing import UnknownWord, standings_told
from solver.turn.graph import TurnGraph
from solver.turn.kernel import evaluate_batch
from solver.turn.sweep import Choices, Sweep

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Matrix = Any
"""A sparse matrix of scipy, float64, shape (standings, standings)."""

MOST_TURNS = 250_000
"""Most turns, from different standings or seen differently, of which matrices are made."""
_KINDS = 32
_COLUMNS = 64


class SeatTurns(Protocol):
    """How a seat plays, as an operator."""

    @property
    def rounding(self) -> float:
        """Bound on the error that an average of values of at most one picks up."""

    def carried(self, ahead: Floats, goal: float) -> Floats:
        """Return a table one turn back.

        Parameters
        ----------
        ahead
            float64, shape (own standings, the other seat's): after the turn.
        goal
            What reaching the goal is worth.
        """

    def checked(self, ahead: Floats, goal: float) -> Floats:
        """Return the same as :meth:`carried`, by other code where there is some."""

    def within(self, members: Ints) -> SeatTurns:
        """Return the same for some standings that lead to no others."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenTurns:
    """The turns of a policy that is known by its answers.

    Parameters
    ----------
    matrices
        One for each view: chances of standings after a turn; those of the goal are missing.
    goals
        float64, shape (standings, views): the chance to reach the goal in this turn.
    view
        int64, shape (standings,): which view each standing of the other seat is.
    rounding
        See :class:`SeatTurns`.
    """

    matrices: tuple[Matrix, ...]
    goals: Floats
    view: Ints
    rounding: float

    @property
    def blind(self) -> bool:
        """Whether the policy does not look at the other seat."""
        return len(self.matrices) == 1

    def carried(self, ahead: Floats, goal: float) -> Floats:
        """Return a table one turn back; see :class:`SeatTurns`."""
        if self.blind:
            found: Floats = self.matrices[0] @ ahead + goal * self.goals
            return found
        found = np.empty_like(ahead)
        for v, matrix in enumerate(self.matrices):
            here = np.flatnonzero(self.view == v)
            if len(here):
                found[:, here] = matrix @ ahead[:, here] + goal * self.goals[:, v : v + 1]
        return found

    checked = carried

    def within(self, members: Ints) -> GivenTurns:
        """Return the same for some standings that lead to no others."""
        matrices = tuple(matrix[members][:, members] for matrix in self.matrices)
        return GivenTurns(matrices, self.goals[members], self.view[members], self.rounding)


@dataclass(frozen=True, slots=True, eq=False)
class ChosenTurns:
    """The turns of solved play: one choice for each decision of the graph and standing opposite.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    sweep
        Backward passes from the roots of `members`.
    choice
        uint8, shape (decisions of the sweep, members).
    members
        int64: numbers of the standings.
    rounding
        See :class:`SeatTurns`.
    """

    graph: TurnGraph
    standings: Standings
    sweep: Sweep
    choice: Choices
    members: Ints
    rounding: float

    def payoffs(self, ahead: Floats, goal: float) -> Floats:
        """Return a table by outcome, shape (outcomes, the other seat's standings)."""
        place = np.zeros(len(self.standings) + 1, dtype=np.int64)
        place[self.members] = np.arange(len(self.members))
        found: Floats = np.ascontiguousarray(ahead[place[self.standings.after]])
        found[self.standings.after < 0] = goal
        return found

    def carried(self, ahead: Floats, goal: float) -> Floats:
        """Return a table one turn back; see :class:`SeatTurns`."""
        return self.sweep.evaluate(self.payoffs(ahead, goal), self.choice)

    def checked(self, ahead: Floats, goal: float) -> Floats:
        """Return the same by the numpy kernel, which shares no code with the sweep."""
        payoffs = self.payoffs(ahead, goal)
        roots = self.standings.roots[self.members]
        found = np.empty((len(roots), payoffs.shape[1]))
        for low in range(0, payoffs.shape[1], _COLUMNS):
            part = slice(low, low + _COLUMNS)
            edges = self.sweep.edges(self.graph, self.choice[:, part])
            found[:, part] = evaluate_batch(self.graph, payoffs[:, part], edges)[roots]
        return found

    def within(self, members: Ints) -> ChosenTurns:
        """Return the same for some standings that lead to no others."""
        sweep = Sweep(self.graph, self.standings.roots[members], workers=self.sweep.workers)
        kept = np.searchsorted(
            self.sweep.nodes[self.sweep.number >= 0], sweep.nodes[sweep.number >= 0]
        )
        columns = np.searchsorted(self.members, members)
        choice = np.ascontiguousarray(self.choice[kept][:, columns])
        return ChosenTurns(self.graph, self.standings, sweep, choice, members, self.rounding)


def given_turns(policy: Policy, graph: TurnGraph, standings: Standings) -> GivenTurns:
    """Return the turns of a policy in every standing, whatever the other seat's.

    Parameters
    ----------
    policy
        Any policy that plays single turns (not ``optimal``).
    graph, standings
        The turn and its standings.

    Raises
    ------
    TooLargeError
        If the policy tells so many pairs of standings apart that its matrices do not fit.
    GameError, UsageError, PositionError
        If its answers are no legal decisions.
    """
    decider = Decider(policy, graph.outcomes)
    words = match_words(decider.board, standings.names, int(graph.points.max()))
    asked: tuple[str, ...] = ()
    while True:
        kind, view = _kinds([words[word] for word in asked], len(standings))
        try:
            return _Maker(decider, graph, standings, {w: words[w] for w in asked}).make(kind, view)
        except UnknownWord as more:
            asked = (*asked, more.word)


def _kinds(tables: list[Ints], size: int) -> tuple[Ints, Ints]:
    """Return the kind of every pair, shape (own, views), and the view of each standing opposite.

    Parameters
    ----------
    tables
        The words that are asked, each int64, shape (standings, standings).
    size
        Number of standings.
    """
    if not tables:
        return np.zeros((size, 1), dtype=np.int64), np.zeros(size, dtype=np.int64)
    code = np.zeros((size, size), dtype=np.int64)
    for table in tables:
        low = int(table.min())
        code = code * (int(table.max()) - low + 1) + (table - low)
        code = np.unique(code, return_inverse=True)[1].reshape(size, size)
    columns, view = np.unique(code, axis=1, return_inverse=True)
    return columns, view.reshape(-1)


class _Maker:
    """Makes the matrices of a policy, some kinds of standings at a time."""

    def __init__(
        self, decider: Decider, graph: TurnGraph, standings: Standings, words: Mapping[str, Ints]
    ) -> None:
        self.decider, self.graph, self.standings, self.words = decider, graph, standings, words
        names = decider.board.states.starts
        self.starts = np.array([names[name] for name in standings.names], dtype=np.int64)
        self.decides = np.zeros(decider.edges.states, dtype=np.bool_)
        self.decides[decider.edges.decision] = True

    def make(self, kind: Ints, view: Ints) -> GivenTurns:
        """Return the turns; `kind` and `view` as of :func:`_kinds`."""
        from scipy import sparse  # noqa: PLC0415  only for races to a goal

        size, views = kind.shape
        count = int(kind.max()) + 1
        opposite = np.array([np.flatnonzero(view == v)[0] for v in range(views)])
        pairs = np.unique(kind * size + np.arange(size)[:, None])  # (kind, own standing)
        if len(pairs) > MOST_TURNS:
            policy = self.decider.policy
            raise TooLargeError(
                f"{policy.name} tells {len(pairs):,} pairs of standings apart, more than"
                f" {MOST_TURNS:,}",
                remedy="a nearer goal, or a policy that looks at less of the other seat",
                field="policies",
            )
        rows: list[Matrix] = []
        first = np.zeros(count + 1, dtype=np.int64)
        first[1:] = np.cumsum(np.bincount(pairs // size, minlength=count))
        example = np.zeros((count, 2), dtype=np.int64)  # a pair of standings of each kind
        for v in range(views):
            example[kind[:, v]] = np.stack([np.arange(size), np.full(size, opposite[v])], axis=1)
        for low in range(0, count, _KINDS):
            here = example[low : low + _KINDS]
            words = {word: table[here[:, 0], here[:, 1]] for word, table in self.words.items()}
            parts = [pairs[first[k] : first[k + 1]] % size for k in range(low, low + len(here))]
            rows += self._spread(words, parts)
        every: Any = sparse.vstack(rows, format="csr")
        matrices, goals = [], np.empty((size, views))
        for v in range(views):
            at = np.searchsorted(pairs, kind[:, v] * size + np.arange(size))
            turn = every[at]
            goals[:, v] = turn[:, size:].toarray()[:, 0]
            matrices.append(turn[:, :size].tocsr())
        return GivenTurns(tuple(matrices), goals, view, self.decider.board.states.rounding)

    def _spread(self, words: Mapping[str, Ints], parts: list[Ints]) -> list[Matrix]:
        """Return for each kind the rows of its turns: standings, then the goal."""
        from scipy import sparse  # noqa: PLC0415  as above

        begun = np.zeros((self.decider.edges.states, len(parts)), dtype=np.bool_)
        for k, owns in enumerate(parts):
            begun[self.starts[owns], k] = True
        chances = self.decider.chances(words, begun)
        size, outcomes = len(self.standings), len(self.graph.outcomes)
        after = np.where(self.standings.after < 0, size, self.standings.after)
        to = sparse.csr_matrix(
            (np.ones(outcomes), (np.arange(outcomes), after)), shape=(outcomes, size + 1)
        )
        found: list[Matrix] = []
        for k, owns in enumerate(parts):
            for low in range(0, len(owns), _COLUMNS):
                spread, undecided = self._pushed(
                    chances[k], self.starts[owns[low : low + _COLUMNS]]
                )
                if undecided >= 0:
                    self._complain(undecided, words, k)
                found.append(sparse.csr_matrix(spread) @ to)
        return found

    def _pushed(self, chance: Floats, starts: Ints) -> tuple[Floats, int]:
        edges, outcomes = self.decider.edges, len(self.graph.outcomes)
        if find_spec("numba") is not None:
            from solver.policies.arena.goal.turns.loops import spread_starts  # noqa: PLC0415  heavy

            push: Any = spread_starts  # numba's types say nothing of its arguments
            spread, undecided = push(
                edges.first, edges.child, chance, self.decides, starts, outcomes
            )
            return spread, int(undecided)
        return _pushed_plainly(edges.first, edges.child, chance, self.decides, starts, outcomes)

    def _complain(self, state: int, words: Mapping[str, Ints], kind: int) -> None:
        """Let the policy say what is wrong at a state that it leaves undecided."""
        states = self.decider.board.states
        step = states.steps[state]
        standing = standings_told({w: v[kind : kind + 1] for w, v in words.items()}, 1)[0]
        if isinstance(step, Decision):
            self.decider.policy.choose(states.states[state], step.actions, standing)
        raise AssertionError("a policy that decides left a decision open")


def _pushed_plainly(
    first: NDArray[np.int32],
    child: NDArray[np.int32],
    chance: Floats,
    decides: NDArray[np.bool_],
    starts: Ints,
    outcomes: int,
) -> tuple[Floats, int]:
    """Return what :func:`.loops.spread_starts` does, by a triangular system of scipy."""
    import scipy.sparse.linalg as solver  # noqa: PLC0415  only without numba
    from scipy import sparse  # noqa: PLC0415

    size = len(first) - 1
    flow = sparse.csr_matrix((chance, child, first), shape=(size, size + outcomes))
    on = sparse.identity(size, format="csc") - flow[:, :size].tocsc()
    factors = solver.splu(on.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0)
    unit = np.zeros((size, len(starts)))
    unit[starts, np.arange(len(starts))] = 1.0
    reach = factors.solve(unit, trans="T")
    left = decides & (np.add.reduceat(np.append(chance, 0.0), first[:-1]) == 0.0)
    left &= np.diff(first) > 0
    undecided = np.flatnonzero(left & (reach > 0.0).any(axis=1))
    spread: Floats = (flow[:, size:].T @ reach).T
    return spread, int(undecided[0]) if len(undecided) else -1
