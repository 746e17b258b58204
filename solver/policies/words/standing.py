"""Where a match stands before a turn, as far as a policy can see it.

A policy sees what a player needs, not the whole score sheet: the points still needed, the lead,
whether this is the last turn, and how many rounds are left. That is what the state of a race has
in common with its last turns, in which only the distance to the best score is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

THEIRS = "their-"
"""What words for the other seat's standing begin with, in a race to a goal of two seats."""
FAR = 10**9
"""More points, or rounds, than any match has: what is needed in a turn that is no match's."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a policy sees of the match.

    Parameters
    ----------
    needed
        Points to the target; in a last turn, points to be ahead alone. Alone, without a match,
        more than any turn brings.
    lead
        Own score less the best of the others'.
    last
        1 in a last turn, after somebody has reached the target, or of the last round; else 0.
    rounds
        Rounds still to come after this one, in a match of rounds.
    theirs
        In a race to a goal of two seats: what the other seat has before the turn, by the words
        that begin with ``their-``; a word that is not told is 0.
    """

    needed: int = FAR
    lead: int = 0
    last: int = 0
    rounds: int = FAR
    theirs: tuple[tuple[str, int], ...] = ()

    def __getattr__(self, word: str) -> int:
        if word.startswith(THEIRS):
            return dict(self.theirs).get(word, 0)
        raise AttributeError(word)


ALONE = Standing()
"""A single turn, in no match."""
MATCH_WORDS = {
    "needed": "points to the target; in a last turn, to be ahead alone",
    "lead": "own score less the best of the others'",
    "last": "1 in the last turn of the match, else 0",
    "rounds": "rounds still to come after this one, in a match of rounds",
}
"""What a policy may ask about the match, with a line of help each."""


class Watched:
    """A standing that remembers what was asked of it.

    The same questions with the same answers make the same decision, so a decision that asks
    little holds for many standings.
    """

    __slots__ = ("asked", "standing")

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.asked: set[str] = set()

    def __getattr__(self, word: str) -> Any:
        self.asked.add(word)
        return getattr(self.standing, word)


class UnknownWord(Exception):  # noqa: N818  it asks for more, nothing is wrong
    """A policy asked for a word by which the standings are not yet told apart."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Columns:
    """Many standings at once: each word is an array.

    Parameters
    ----------
    values
        Word of the match -> int64, shape (standings,). Another word is an UnknownWord.
    """

    __slots__ = ("values",)

    def __init__(self, values: Mapping[str, NDArray[np.int64]]) -> None:
        self.values = values

    def __getattr__(self, word: str) -> NDArray[np.int64]:
        if word not in self.values:
            raise UnknownWord(word)
        return self.values[word]


def standings_told(words: Mapping[str, NDArray[np.int64]], kinds: int) -> list[Standing]:
    """Return standings as policies see them, one for each kind.

    Parameters
    ----------
    words
        Word of the match -> int64, shape (kinds,).
    kinds
        How many.
    """
    told = {word: values.tolist() for word, values in words.items()}
    plain = {word: values for word, values in told.items() if word in MATCH_WORDS}
    theirs = {word: values for word, values in told.items() if word.startswith(THEIRS)}
    return [
        Standing(
            **{word: values[k] for word, values in plain.items()},
            theirs=tuple((word, values[k]) for word, values in theirs.items()),
        )
        for k in range(kinds)
    ]
