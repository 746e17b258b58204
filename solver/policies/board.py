"""All decisions of a turn at once: what rule texts need, as arrays.

The tests of a rule text work on arrays as well as on numbers, and an action is a table of where
it leads from each decision. So a text's choices everywhere, in many standings, are a few array
operations; a compiled pass then pushes chances forward, or values back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Game, Outcome, points_of
from solver.policies.states import Branches, Decision, TurnStates, turn_states
from solver.policies.words import Vocabulary, vocabulary_of
from solver.policies.words.standing import UnknownWord
from solver.policies.words.vocabulary import Phrase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]


class Board:
    """A turn laid out for rule texts.

    Parameters
    ----------
    game
        The rules.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.words: Vocabulary = vocabulary_of(game)
        self.states: TurnStates = turn_states(game)
        self.decisions = [i for i, step in enumerate(self.states.steps) if _decides(step)]
        self._tables: dict[tuple[str, ...], Places] = {}

    @cached_property
    def numbers(self) -> Mapping[str, Ints]:
        """Each of the game's words -> int64, shape (decisions,)."""
        read = [self.words.read(self.states.states[i]) for i in self.decisions]
        return {word: np.array([n[word] for n in read]) for word in self.words.numbers}

    def table(self, phrase: Phrase, within: Callable[[int], bool] | None = None) -> Places:
        """Return where an action leads from each decision, -1 where it is not legal.

        Parameters
        ----------
        phrase
            The action.
        within
            The limit on its size, if it has one.
        """
        if within is None and phrase.words in self._tables:
            return self._tables[phrase.words]
        fits = (lambda _: True) if within is None else within
        table = np.full(len(self.decisions), -1, dtype=np.int32)
        for row, i in enumerate(self.decisions):
            step = self.states.steps[i]
            if isinstance(step, Decision):
                action = phrase.pick(self.words, self.states.states[i], step.actions, fits)
                if action is not None:
                    table[row] = step.children[step.actions.index(action)]
        if within is None:
            self._tables[phrase.words] = table
        return table

    @cached_property
    def row(self) -> Places:
        """int32, shape (states,): the number of each decision, -1 where nothing is decided."""
        row = np.full(len(self.states.states), -1, dtype=np.int32)
        row[self.decisions] = np.arange(len(self.decisions))
        return row

    @cached_property
    def edges(self) -> tuple[NDArray[np.int32], Ints, Floats]:
        """First edge of each state, children, and chances (1 where nothing is rolled).

        Ends of a roll are left out; see :attr:`ends`.
        """
        first, child, chance = [0], list[int](), list[float]()
        for i, step in enumerate(self.states.steps):
            if isinstance(step, Branches):
                child += step.children.tolist()
                chance += step.chances.tolist()
            elif step is not None and self.row[i] < 0:
                child.append(step.children[0])
                chance.append(1.0)
            first.append(len(child))
        return (
            np.array(first, dtype=np.int32),
            np.array(child, dtype=np.int64),
            np.array(chance, dtype=np.float64),
        )

    @cached_property
    def worth(self) -> Floats:
        """Points where the turn is over, and what the ends of a roll bring on average."""
        return self.worth_of(lambda outcome: points_of(self.game, outcome))

    def worth_of(self, payoff: Callable[[Outcome], float]) -> Floats:
        """Return a payoff where the turn is over, and what the ends of a roll bring on average.

        Parameters
        ----------
        payoff
            What each outcome is worth.
        """
        worth = np.zeros(len(self.states.states))
        for state, outcome in self.states.outcome.items():
            worth[state] = payoff(outcome)
        for i, step in enumerate(self.states.steps):
            if isinstance(step, Branches):
                worth[i] = sum(payoff(x) * chance for x, chance in step.ends)
        return worth

    def ends(self, outcomes: tuple[Outcome, ...]) -> tuple[NDArray[Any], ...]:
        """Return the ends of rolls as arrays, and the outcome of each state.

        Parameters
        ----------
        outcomes
            In the order that is wanted.

        Returns
        -------
        first, outcome, chance : ndarray
            The ends of state i are ``first[i]:first[i + 1]``.
        of_state : ndarray
            int32, shape (states,): the outcome of a state where the turn is over, else -1.
        """
        number = {outcome: i for i, outcome in enumerate(outcomes)}
        first, ended, chance = [0], list[int](), list[float]()
        for step in self.states.steps:
            if isinstance(step, Branches):
                ended += [number[outcome] for outcome, _ in step.ends]
                chance += [part for _, part in step.ends]
            first.append(len(ended))
        of_state = np.full(len(self.states.states), -1, dtype=np.int32)
        for state, outcome in self.states.outcome.items():
            of_state[state] = number[outcome]
        return (
            np.array(first, dtype=np.int32),
            np.array(ended, dtype=np.int32),
            np.array(chance, dtype=np.float64),
            of_state,
        )


class Everywhere:
    """All decisions in many standings as one situation: each word is an array.

    Parameters
    ----------
    board
        The turn: a word of the game is an array of shape (1, decisions).
    columns
        Word of the match -> int64, shape (standings,); as a word, (standings, 1).
    """

    __slots__ = ("_board", "_columns")

    def __init__(self, board: Board, columns: Mapping[str, Ints]) -> None:
        self._board = board
        self._columns = columns

    def __getattr__(self, word: str) -> Ints:
        if self._board.words.of_match(word):
            if word not in self._columns:
                raise UnknownWord(word)
            return self._columns[word][:, None]
        return self._board.numbers[word][None, :]


@lru_cache(maxsize=8)
def board_of(game: Game) -> Board:
    """Return the board of a game."""
    return Board(game)


def _decides(step: Branches | Decision | None) -> bool:
    return isinstance(step, Decision) and len(step.actions) > 1
