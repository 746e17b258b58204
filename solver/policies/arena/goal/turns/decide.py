"""What a policy decides at every state of a turn, before it is known where the turn begins.

Turns of a race to a goal begin in hundreds of standings. A policy is asked once at each state (once
for every kind of standing that it can tell apart), not once for every turn: its answers become a
chance for each edge of the turn's states, and turns from everywhere follow by pushing chances.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Game, Outcome, points_of
from solver.policies.board import Board, board_of
from solver.policies.policy import GreedyPolicy, Policy
from solver.policies.states import Branches, Decision
from solver.policies.text.rules import TextPolicy
from solver.policies.turns import Asker
from solver.policies.words.standing import FAR, THEIRS, Standing, standings_told

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """The states of a turn as edges; those of a decision carry the chance of their action.

    Parameters
    ----------
    first, child
        int32: the edges of state i are ``first[i]:first[i + 1]``. A child of at least
        ``len(first) - 1`` is the end of the turn with the outcome of that number above it.
    chance
        float64, shape (edges,): 0 on the edges of decisions.
    decision
        int64, shape (decisions,): the states in which something is decided.
    """

    first: Places
    child: Places
    chance: Floats
    decision: Ints

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.first) - 1


def edges_of(board: Board, ends_at: Mapping[Any, int]) -> Edges:
    """Return the states of a turn as edges.

    Parameters
    ----------
    board
        The turn.
    ends_at
        Outcome -> the number of the end that it is.
    """
    states = board.states
    size = len(states.states)
    number = {outcome: size + i for outcome, i in ends_at.items()}
    ends = {state: number[outcome] for state, outcome in states.outcome.items()}
    first, child, chance = [0], list[int](), list[float]()
    for i, step in enumerate(states.steps):
        if isinstance(step, Branches):
            child += step.children.tolist()
            chance += step.chances.tolist()
            child += [number[outcome] for outcome, _ in step.ends]
            chance += [part for _, part in step.ends]
        elif isinstance(step, Decision):
            child += [ends.get(to, to) for to in step.children]
            chance += [0.0 if board.row[i] >= 0 else 1.0] * len(step.children)
        first.append(len(child))
    return Edges(
        np.array(first, dtype=np.int32),
        np.array(child, dtype=np.int32),
        np.array(chance, dtype=np.float64),
        np.array(board.decisions, dtype=np.int64),
    )


def options_of(board: Board, edges: Edges) -> tuple[Ints, Ints, Ints]:
    """Return the edges of decisions, the decision of each, and the state it leads to.

    Of options of a decision that lead to the same state only the first is there.
    """
    edge, row, child = list[int](), list[int](), list[int]()
    for d, i in enumerate(board.decisions):
        step = board.states.steps[i]
        if isinstance(step, Decision):
            for place, to in enumerate(step.children):
                if to not in step.children[:place]:
                    edge.append(int(edges.first[i]) + place)
                    row.append(d)
                    child.append(to)
    return np.array(edge), np.array(row), np.array(child)


class Decider:
    """Asks a policy about all states of a turn at once.

    Parameters
    ----------
    policy
        Any policy that plays single turns (not ``optimal``).
    outcomes
        In the order in which ends are numbered.
    """

    def __init__(self, policy: Policy, outcomes: tuple[Outcome, ...]) -> None:
        self.policy = policy
        self.board = board_of(policy.game)
        self.edges = edges_of(self.board, {outcome: i for i, outcome in enumerate(outcomes)})
        self._options = options_of(self.board, self.edges)

    def chances(self, words: Mapping[str, Ints], starts: NDArray[np.bool_]) -> Floats:
        """Return the chance of every edge, for each kind of standing.

        Parameters
        ----------
        words
            Word of the match -> int64, shape (kinds,).
        starts
            bool, shape (states, kinds): the states in which turns begin. A policy of which
            nothing is known but its answers is asked only where its own turns come to.

        Returns
        -------
        ndarray
            float64, shape (kinds, edges); 0 on all edges of a decision that a text leaves open,
            or that is not come to.

        Raises
        ------
        UnknownWord
            If the policy asks for a word that `words` does not have.
        GameError, UsageError, PositionError
            If its answers are no legal decisions.
        """
        kinds = starts.shape[1]
        if isinstance(self.policy, TextPolicy | GreedyPolicy):
            chosen = self.policy.choose_everywhere(self.board, words)
            if chosen is not None:
                return self._of_choices(np.broadcast_to(chosen, (kinds, chosen.shape[1])))
        return self._asked(words, starts)

    def _of_choices(self, chosen: Places) -> Floats:
        """Return the chances of edges where each decision leads to one state."""
        found = np.repeat(self.edges.chance[None, :], len(chosen), axis=0)
        edge, row, child = self._options
        found[:, edge] = chosen[:, row] == child[None, :]
        return found

    def _asked(self, words: Mapping[str, Ints], starts: NDArray[np.bool_]) -> Floats:
        """Return the chances of edges of a policy that is asked state by state."""
        states, edges = self.board.states, self.edges
        kinds = starts.shape[1]
        found = np.repeat(edges.chance[None, :], kinds, axis=0)
        ask = Asker(self.policy, standings_told(words, kinds), words)
        reached = starts.copy()
        first, child = edges.first.tolist(), edges.child.tolist()
        for i, step in enumerate(states.steps):
            here = reached[i]
            if step is None or not here.any():
                continue
            if isinstance(step, Decision) and len(step.actions) > 1:
                whole = here.astype(np.float64)
                for place, part in ask(states.states[i], step.actions, whole):
                    found[:, first[i] + place] += part
                for edge in range(first[i], first[i + 1]):
                    if child[edge] < edges.states:
                        reached[child[edge]] |= found[:, edge] > 0.0
                continue
            for edge in range(first[i], first[i + 1]):
                if child[edge] < edges.states:
                    reached[child[edge]] |= here
        return found


def goal_standing(game: Game, own: Hashable, other: Hashable) -> Standing:
    """Return what a policy sees of a race to a goal before a turn.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    own, other
        The standing of the seat on turn, and of the seat it has to beat.
    """
    board = board_of(game)
    goal = max(points_of(game, outcome) for outcome in board.states.outcome.values())
    words = match_words(board, (own, other), goal)
    return standings_told({word: table[0:1, 1] for word, table in words.items()}, 1)[0]


def match_words(board: Board, names: tuple[object, ...], goal: int) -> Mapping[str, Ints]:
    """Return what a policy can see of a race to a goal, for every pair of standings.

    Parameters
    ----------
    board
        The turn.
    names
        The standings.
    goal
        The most points of an outcome.

    Returns
    -------
    dict
        Word -> int64, shape (own standings, the other seat's).
    """
    starts = board.states.starts
    read = [board.words.read(board.states.states[starts[name]]) for name in names]
    size = len(names)

    def column(word: str) -> Ints:
        return np.array([numbers.get(word, 0) for numbers in read], dtype=np.int64)

    own = column("points")
    known = "points" in board.words.numbers
    needed = goal - own if known else np.full(size, FAR)
    found = {
        "needed": np.repeat(needed[:, None], size, axis=1),
        "lead": own[:, None] - own[None, :],
        "last": np.zeros((size, size), dtype=np.int64),
        "rounds": np.full((size, size), FAR),
    }
    for word in board.words.theirs:
        found[word] = np.repeat(column(word.removeprefix(THEIRS))[None, :], size, axis=0)
    return found
