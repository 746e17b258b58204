"""The turns a policy plays: its distribution over outcomes, for many standings at once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Action, Outcome, State
from solver.policies.board import board_of
from solver.policies.policy import GreedyPolicy, Policy, SolvedPolicy
from solver.policies.states import Branches, Decision, TurnStates, turn_states
from solver.policies.text.rules import TextPolicy
from solver.policies.words.standing import (
    ALONE,
    Columns,
    Standing,
    UnknownWord,
    Watched,
    standings_told,
)
from solver.turn.graph import TurnGraph
from solver.turn.policy import evaluate_policy, shares_of
from solver.turn.roots import root_solver

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CHUNK = 256
_UNIT = 2.0**-53


class TurnBook:
    """What a policy's turns bring, in any standing; each kind of standing is walked once.

    Parameters
    ----------
    policy
        Any policy that plays single turns (not ``optimal``).
    graph
        The compiled turn: its outcomes give the order.
    """

    def __init__(self, policy: Policy, graph: TurnGraph) -> None:
        self.policy, self.graph = policy, graph
        self._asked: tuple[str, ...] = ()
        self._rows: dict[Hashable, dict[tuple[int, ...], Floats]] = {}
        self._states = None if isinstance(policy, SolvedPolicy) else turn_states(policy.game)
        if isinstance(policy, SolvedPolicy) and policy.capped:
            self._asked = ("needed",)

    @property
    def rounding(self) -> float:
        """Bound on the error that a payoff of at most one picks up from the chances."""
        return graph_rounding(self.graph) if self._states is None else self._states.rounding

    def chances(self, words: Mapping[str, Ints], beginning: Hashable = None) -> Floats:
        """Return the outcome distributions of turns, shape (standings, outcomes).

        Parameters and errors as for :meth:`kinds`.
        """
        rows, kind = self.kinds(words, beginning)
        found: Floats = rows[kind]
        return found

    def kinds(self, words: Mapping[str, Ints], beginning: Hashable = None) -> tuple[Floats, Ints]:
        """Return the outcome distributions that differ, and which one each standing has.

        Parameters
        ----------
        words
            Each of the match's words -> int64, shape (standings,).
        beginning
            Which of the game's beginnings the turns start from.

        Returns
        -------
        rows : ndarray
            float64, shape (kinds, outcomes).
        kind : ndarray
            int64, shape (standings,).

        Raises
        ------
        GameError, UsageError, PositionError
            If the policy's answers are no legal decisions.
        """
        while True:
            size = len(next(iter(words.values())))
            answers = np.stack(
                [words[word] for word in self._asked] or [np.zeros(size, dtype=np.int64)], axis=1
            )
            kinds, kind = np.unique(answers, axis=0, return_inverse=True)
            keys = [tuple(row) for row in kinds.tolist()]
            known = self._rows.setdefault(beginning, {})
            new = [key for key in keys if key not in known]
            more: str | None = None
            for low in range(0, len(new), _CHUNK):
                part = new[low : low + _CHUNK]
                found = self._turns(part, beginning)
                if isinstance(found, str):
                    more = found
                    break
                known |= dict(zip(part, found, strict=True))
            if more is None:
                return np.stack([known[key] for key in keys]), kind.reshape(-1)
            self._asked = (*self._asked, more)
            self._rows.clear()

    def _turns(self, keys: list[tuple[int, ...]], beginning: Hashable) -> Floats | str:
        """Return distributions, or a word by which the standings have to be told apart."""
        if isinstance(self.policy, SolvedPolicy):
            return _solved(self.policy, self.graph, [key[0] for key in keys], beginning)
        if self._states is None:  # only solved policies have none
            raise TypeError("the policy's states are missing")
        values = {
            word: np.array([key[i] for key in keys], dtype=np.int64)
            for i, word in enumerate(self._asked)
        }
        if isinstance(self.policy, TextPolicy | GreedyPolicy) and find_spec("numba") is not None:
            found = _everywhere(self.policy, self.graph, values, len(keys), beginning)
            if found is not None:
                return found
        standings = standings_told(values, len(keys))
        return _walk(self.policy, self._states, self.graph, standings, values, beginning)


def _everywhere(
    policy: TextPolicy | GreedyPolicy,
    graph: TurnGraph,
    values: Mapping[str, Ints],
    standings: int,
    beginning: Hashable,
) -> Floats | str | None:
    """Return the turns of a rule text from its choices at all decisions at once.

    None if it has to be asked about each position.
    """
    from solver.policies.loops import spread_many  # noqa: PLC0415  numba is heavy

    board = board_of(policy.game)
    starts = board.states.starts
    begin = next(iter(starts.values())) if beginning is None else starts[beginning]
    try:
        chosen = policy.choose_everywhere(board, values)
    except UnknownWord as more:
        return more.word
    if chosen is None:
        return None
    one_by_one: Any = spread_many  # numba's types say nothing of its arguments
    chances, column, state = one_by_one(
        *board.edges, *board.ends(graph.outcomes), board.row, chosen, begin, len(graph.outcomes)
    )
    if state >= 0:  # it has no decision there, and says so
        step = board.states.steps[state]
        told = {word: asked[column : column + 1] for word, asked in values.items()}
        (standing,) = standings_told(told, 1)
        if isinstance(step, Decision):
            policy.choose(board.states.states[state], step.actions, standing)
    found: Floats = chances
    if len(found) != standings:
        raise ValueError(f"{len(found)} distributions for {standings} standings")
    return found


def _solved(
    policy: SolvedPolicy, graph: TurnGraph, needed: list[int], beginning: Hashable
) -> Floats:
    """Return the turns of a policy that is best play for an objective, from the graph."""
    root = graph.root if beginning is None else graph.roots[beginning]
    most = int(graph.points.max())
    caps = np.array([min(n, most) if policy.capped else most for n in needed])
    points = graph.points.astype(np.float64)
    return root_solver(graph, root=root)(np.minimum(points[None, :], caps[:, None]))[1]


def graph_rounding(graph: TurnGraph) -> float:
    """Return a bound on the relative error of chances pushed forward through the graph."""
    arrivals = np.bincount(graph.child, minlength=graph.nodes)
    worst = np.zeros(graph.nodes)
    for node in range(graph.nodes - 1, -1, -1):
        worst[node] += arrivals[node] + 1
        children = graph.children(node)
        worst[children] = np.maximum(worst[children], worst[node])
    return float(worst.max()) * _UNIT * 1.01


def _walk(
    policy: Policy,
    states: TurnStates,
    graph: TurnGraph,
    standings: Sequence[Standing],
    values: Mapping[str, Ints],
    beginning: Hashable,
) -> Floats | str:
    """Push chances forward; return the distributions, or a word of the match not yet known.

    Standings are told apart by the words in `values` only, so a policy that asks for another
    has to be walked again.
    """
    ask = Asker(policy, standings, values)
    reach = np.zeros((len(states.states), len(standings)))
    begin = next(iter(states.starts.values())) if beginning is None else states.starts[beginning]
    reach[begin] = 1.0
    reached = np.zeros(len(states.states), dtype=np.bool_)
    reached[begin] = True
    scored = {outcome: _Sum(len(standings)) for outcome in graph.outcomes}
    try:
        for i in range(begin, len(states.states)):
            if not reached[i]:
                continue
            here, step = reach[i], states.steps[i]
            if step is None:
                continue
            if isinstance(step, Branches):
                reach[step.children] += step.chances[:, None] * here
                reached[step.children] = True
                for outcome, chance in step.ends:
                    scored[outcome].add(here * chance)
                continue
            parts = [(0, here)]
            if len(step.actions) > 1:
                parts = ask(states.states[i], step.actions, here)
            for place, part in parts:
                child = step.children[place]
                if child in states.outcome:
                    scored[states.outcome[child]].add(part)
                else:
                    reach[child] += part
                    reached[child] = True
    except UnknownWord as more:
        return more.word
    return np.stack([scored[outcome].total() for outcome in graph.outcomes], axis=1)


class Asker:
    """Asks a policy about one state in many standings, as few times as can be."""

    def __init__(
        self, policy: Policy, standings: Sequence[Standing], values: Mapping[str, Ints]
    ) -> None:
        self.policy = policy
        self.standings = standings
        self.values = values
        self.many = getattr(policy, "choose_many", None) if len(standings) > 1 else None

    def __call__(
        self, state: State, actions: tuple[Action, ...], here: Floats
    ) -> list[tuple[int, Floats]]:
        """Return places of actions, each with the chances that go there.

        Raises
        ------
        UnknownWord
            If the policy asks for a word by which the standings are not told apart.
        """
        if len(self.standings) == 1:
            watched = Watched(self.standings[0])
            decided = self.policy.choose(state, actions, watched)
            for word in watched.asked:
                if word not in self.values:
                    raise UnknownWord(word)
            shares = _shares(self.policy, state, actions, decided)
            return [(place, here * share) for place, share in shares.items()]
        pending = here > 0.0
        if self.many is not None:
            columns = Columns(self.values)
            decisions = self.many(state, actions, columns, pending)
            if decisions is not None:
                return [(actions.index(a), np.where(mask, here, 0.0)) for a, mask in decisions]
        parts: list[tuple[int, Floats]] = []
        while pending.any():
            watched = Watched(self.standings[int(pending.argmax())])
            decided = self.policy.choose(state, actions, watched)
            alike = pending.copy()
            for word in watched.asked:
                if word not in self.values:
                    raise UnknownWord(word)
                alike &= self.values[word] == getattr(watched.standing, word)
            pending &= ~alike
            for place, share in _shares(self.policy, state, actions, decided).items():
                parts.append((place, np.where(alike, here * share, 0.0)))
        return parts


def _evenly(decided: Mapping[Any, Any], actions: tuple[Action, ...]) -> bool:
    """Return whether every action has the same chance: no need to add fractions up."""
    chances = list(decided.values())
    return (
        len(chances) == len(actions)
        and all(chance is chances[0] for chance in chances)
        and chances[0] * len(chances) == 1
        and tuple(decided) == actions
    )


def _shares(
    policy: Policy, state: State, actions: tuple[Action, ...], decided: Any
) -> dict[int, float]:
    """Return place of an action -> chance."""
    if not isinstance(decided, Mapping):
        for place, action in enumerate(actions):
            if action == decided:
                return {place: 1.0}
    elif _evenly(decided, actions):
        return dict.fromkeys(range(len(actions)), 1.0 / len(actions))
    shares = shares_of(policy.game, state, actions, decided)
    return {actions.index(action): float(share) for action, share in shares.items()}


class _Sum:
    """A sum that carries its rounding errors along (Knuth's two-sum)."""

    __slots__ = ("_carried", "_sum")

    def __init__(self, size: int) -> None:
        self._sum = np.zeros(size)
        self._carried = np.zeros(size)

    def add(self, part: Floats) -> None:
        """Add non-negative numbers."""
        total = self._sum + part
        back = total - self._sum
        self._carried += (self._sum - (total - back)) + (part - back)
        self._sum = total

    def total(self) -> Floats:
        """Return the sum, rounded once."""
        return self._sum + self._carried


def exact_turn(
    policy: Policy, standing: Standing = ALONE, beginning: Hashable = None
) -> dict[Outcome, Fraction]:
    """Return the exact distribution of a policy's turn; see :func:`evaluate_policy`."""
    return evaluate_policy(
        policy.game,
        lambda state, actions: policy.choose(state, actions, standing),
        beginning=beginning,
    )
