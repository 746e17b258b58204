"""The words in which policies speak of a position: the rule sheet's.

Each game has a *vocabulary*: numbers that can be read off a position (tanks, death rays, points),
names for its actions, and the phrases by which a text picks one of them. A game without one of
its own gets the plainest: its actions by name, and no numbers but the match's.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solver.errors import UsageError
from solver.games.check import walk
from solver.games.protocol import Action, Choose, Game, State
from solver.policies.words.standing import ALONE, MATCH_WORDS, Columns, Standing, Watched

Numbers = Mapping[str, int]
Pick = Callable[["Vocabulary", State, tuple[Action, ...], Callable[[int], bool]], "Action | None"]
"""(vocabulary, state, legal actions, limit) -> the action that a phrase means there, or None."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that pick an action.

    Parameters
    ----------
    words
        As they are written, without articles: ``("take", "largest", "group")``.
    pick
        Which legal action they mean; None where there is none of the kind.
    help
        One line.
    limited
        Whether a limit on the size (``of at most 3``) may follow.
    action
        The one action it can mean, if it is always the same.
    """

    words: tuple[str, ...]
    pick: Pick
    help: str
    limited: bool = False
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one game.

    Parameters
    ----------
    game
        Its name.
    numbers
        Word -> one line of help.
    aliases
        Another spelling -> word.
    read
        State -> the numbers there.
    phrases
        How texts name actions.
    show
        State -> the position for people.
    conditions
        Words of a condition with a number at the end -> the test it makes of the numbers.
    name
        Action -> its name.
    opposites
        Pairs of actions: a text that speaks of one only means the other where it says nothing.
    theirs
        Words for what the other seat has in a race to a goal, with a line of help each:
        ``their-lives`` is its ``lives`` before the turn.
    """

    game: str
    numbers: Mapping[str, str]
    aliases: Mapping[str, str]
    read: Callable[[State], Numbers]
    phrases: tuple[Phrase, ...]
    show: Callable[[State], str]
    conditions: Mapping[tuple[str, ...], Callable[[Any, Any], Any]] = field(default_factory=dict)
    name: Callable[[Action], str] = str
    opposites: tuple[tuple[str, str], ...] = ()
    theirs: Mapping[str, str] = field(default_factory=dict)

    def known(self) -> list[str]:
        """Return every word for a number, the match's included."""
        return [*self.numbers, *MATCH_WORDS, *self.theirs]

    def of_match(self, word: str) -> bool:
        """Return whether a word is about the match and not about the turn."""
        return word in MATCH_WORDS or word in self.theirs

    def spelled(self, word: str) -> str | None:
        """Return the word that a spelling stands for, or None."""
        word = self.aliases.get(word, word)
        return word if word in self.numbers or self.of_match(word) else None


class Situation:
    """A decision as a policy sees it: ``situation.tanks``, ``situation.points``, ...

    Parameters
    ----------
    vocabulary
        The game's words; each is an attribute. So are the match's: ``needed``, ``lead``,
        ``last`` and ``rounds``, and those for the other seat in a race to a goal.
    state
        The state of the rules.
    options
        The legal actions as the rules have them; by name they are ``situation.actions``.
    """

    __slots__ = ("_numbers", "_standing", "_vocabulary", "options", "state")

    def __init__(
        self,
        vocabulary: Vocabulary,
        state: State,
        options: tuple[Action, ...],
        standing: Standing | Watched | Columns = ALONE,
    ) -> None:
        self._vocabulary = vocabulary
        self._numbers: Numbers | None = None
        self._standing = standing
        self.state = state
        self.options = options

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the legal actions, in canonical order."""
        return tuple(self._vocabulary.name(action) for action in self.options)

    def __getattr__(self, word: str) -> Any:
        if word.startswith("__"):
            raise AttributeError(word)
        word = word.replace("_", "-")
        if self._vocabulary.of_match(word):
            return getattr(self._standing, word)
        if self._numbers is None:
            self._numbers = self._vocabulary.read(self.state)
        word = self._vocabulary.aliases.get(word, word)
        if word not in self._numbers:
            raise AttributeError(
                f"a position of {self._vocabulary.game} has no {word!r}"
                + did_you_mean(word, self._vocabulary.known())
            )
        return self._numbers[word]

    def __repr__(self) -> str:
        return f"Situation({self._vocabulary.show(self.state)!r}, actions {self.actions})"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'tanks'?`` for the nearest known word, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def named(words: str, action: str, help: str) -> Phrase:
    """Return the phrase for an action that the rules know by name."""

    def pick(
        vocabulary: Vocabulary,
        state: State,
        actions: tuple[Action, ...],
        within: Callable[[int], bool],
    ) -> Action | None:
        del vocabulary, state, within
        return next((a for a in actions if str(a) == action), None)

    return Phrase(tuple(words.split()), pick, help, action=action)


def plain_vocabulary(game: Game) -> Vocabulary:
    """Return the plainest vocabulary: actions by name, found where a turn has them."""
    names: set[str] = set()
    for _, expansion in walk(game):
        if isinstance(expansion, Choose):
            names.update(map(str, expansion.options))
    phrases = tuple(named(name.lower(), name, f"the action {name}") for name in sorted(names))
    return Vocabulary(game.name, {}, {}, lambda _state: {}, phrases, repr)


def vocabulary_of(game: Game) -> Vocabulary:
    """Return the words for positions of `game`.

    Examples
    --------
    >>> from solver.games import game
    >>> words = vocabulary_of(game("martian-dice"))
    >>> words.read(("aside", 2, 3, 4, 1))["spare"], words.show(("aside", 2, 3, 4, 1))
    (1, '2 tanks, 3 death rays, 4 heads of 1 kind; 4 dice left')
    """
    from solver.policies.words import games  # noqa: PLC0415  it is written with this module's types

    make = games.VOCABULARIES.get(game.name)
    return plain_vocabulary(game) if make is None else make(game)


def refuse_game(policy: str, wanted: str, game: Game) -> UsageError:
    """Return the error for a policy of another game."""
    return UsageError(
        f"the policy {policy} is for {wanted}, not for {game.name}",
        remedy=f"a policy of {game.name}: points, greedy, random, or a text of its own",
        field="policy",
    )
