"""Playing by a rule text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.games.protocol import Action, Game, State
from solver.policies.board import Board, Everywhere, Ints, Places
from solver.policies.text.grammar import Rule, parse
from solver.policies.words import Situation, Vocabulary, vocabulary_of
from solver.policies.words.standing import ALONE, Columns, Standing, Watched


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """A player who goes by ordered rules: the first that applies decides.

    A rule applies where its condition holds and its action is legal. A text that speaks of
    stopping and not of rolling (or the other way round) means the other where no rule applies.

    Parameters
    ----------
    name
        How results call it.
    text
        The rules as they are written.
    game
        The rules of the game.

    Examples
    --------
    >>> from solver.games import game
    >>> hold = TextPolicy.read(game("pig"), "stop at 20 points")
    >>> hold.choose(("total", 20), ("stop", "roll")), hold.choose(("total", 3), ("stop", "roll"))
    ('stop', 'roll')
    """

    name: str
    text: str
    game: Game
    rules: tuple[Rule, ...] = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    implied: tuple[str, ...] = ()

    @classmethod
    def read(cls, game: Game, text: str, *, name: str | None = None) -> TextPolicy:
        """Return the policy that a text describes.

        Parameters
        ----------
        game
            The game it is for.
        text
            Rules; see :mod:`solver.policies.text.grammar`.
        name
            How results call it; by default its text.

        Raises
        ------
        NotationError
            With a caret under the first word that cannot be read.
        """
        words = vocabulary_of(game)
        rules = parse(text, words)
        spoken = {rule.phrase.action for rule in rules}
        implied: list[str] = []
        for pair in words.opposites:
            for said, other in (pair, pair[::-1]):
                if said in spoken and other not in spoken:
                    implied.append(other)
        shown = " ".join(text.split()) if name is None else name
        return cls(shown, text, game, rules, words, tuple(implied))

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Return the action of the first rule that applies.

        Raises
        ------
        PositionError
            If no rule does; the position is shown.
        """
        situation = Situation(self.vocabulary, state, actions, standing)
        for rule in self.rules:
            if rule.test is not None and not rule.test(situation):
                continue
            action = rule.phrase.pick(self.vocabulary, state, actions, _within(rule, situation))
            if action is not None:
                return action
        for action in actions:
            if str(action) in self.implied:
                return action
        raise self._undecided(state, situation)

    def choose_many(
        self,
        state: State,
        actions: tuple[Action, ...],
        columns: Columns,
        pending: NDArray[np.bool_],
    ) -> list[tuple[Action, NDArray[np.bool_]]] | None:
        """Return what is chosen in many standings at once.

        Parameters
        ----------
        state, actions
            The state of the rules, and what is legal there.
        columns
            The standings.
        pending
            bool, shape (standings,): those in which the turn comes to this state.

        Returns
        -------
        list
            Actions, each with the standings in which it is chosen; None if the standings have
            to be asked about one by one.

        Raises
        ------
        PositionError
            If no rule applies in some of them; the position is shown.
        UnknownWord
            If a rule asks for a word that `columns` does not have.
        """
        situation = Situation(self.vocabulary, state, actions, columns)
        found: list[tuple[Action, NDArray[np.bool_]]] = []
        for rule in self.rules:
            holds = True if rule.test is None else rule.test(situation)
            if holds is False:
                continue
            try:
                within = _within(rule, situation)
            except LimitVariesError:
                return None
            action = rule.phrase.pick(self.vocabulary, state, actions, within)
            if action is None:
                continue
            here = pending & holds
            found.append((action, here))
            pending = pending & ~here
            if not pending.any():
                return found
        for action in actions:
            if str(action) in self.implied:
                return [*found, (action, pending)]
        raise self._undecided(state, situation)

    def choose_everywhere(self, board: Board, columns: Mapping[str, Ints]) -> Places | None:
        """Return what is chosen at all decisions of a turn, in many standings at once.

        Parameters
        ----------
        board
            The turn.
        columns
            Word of the match -> int64, shape (standings,).

        Returns
        -------
        ndarray
            int32, shape (standings, decisions): the state that is chosen, -1 where no rule
            applies. None if a limit depends on the position, so that each has to be asked.

        Raises
        ------
        UnknownWord
            If a rule asks for a word that `columns` does not have.
        """
        standings = max((len(values) for values in columns.values()), default=1)
        everywhere = Everywhere(board, columns)
        chosen = np.full((standings, len(board.decisions)), -1, dtype=np.int32)
        for rule in self.rules:
            try:
                limit = limit_of(rule, everywhere)
            except LimitVariesError:
                return None
            table = board.table(rule.phrase, limit)[None, :]
            free = (chosen < 0) & (table >= 0)
            if rule.test is not None:
                free &= rule.test(everywhere)
            np.copyto(chosen, table, where=free)
        for phrase in self.vocabulary.phrases:
            if phrase.action in self.implied:
                table = board.table(phrase)[None, :]
                np.copyto(chosen, table, where=(chosen < 0) & (table >= 0))
        return chosen

    def _undecided(self, state: State, situation: Situation) -> PositionError:
        return PositionError(
            f"the rules say nothing at this position: {self.vocabulary.show(state)}",
            text=" ".join(self.text.split()),
            rule=f"legal there: {', '.join(situation.actions)}",
            remedy="add a last rule without a condition",
            field="policy",
        )


def _within(rule: Rule, situation: Situation) -> Callable[[int], bool]:
    limit = limit_of(rule, situation)
    return (lambda _: True) if limit is None else limit


class LimitVariesError(Exception):
    """A limit on an action depends on the position or the match."""


def limit_of(rule: Rule, situation: Any) -> Callable[[int], bool] | None:
    """Return the limit that a rule sets to its action, None if it sets none.

    Raises
    ------
    LimitVariesError
        If it is not the same in all that `situation` stands for.
    """
    if rule.limit is None:
        return None
    compare, amount = rule.limit
    most = amount(situation)
    if isinstance(most, np.ndarray):
        raise LimitVariesError
    return lambda size: compare(size, most)
