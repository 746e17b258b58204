"""A turn in the words people write down: dice as they lie, actions as the sheet calls them.

Each game has a class that follows one turn. It knows where the rules stand (`state`), reads what
the dice show and what was done, and tells the position in the fields that advice takes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol

from solver.games.protocol import Choose, Game, State, starts_of

_STOP = ("stop", "bank", "keep", "hold", "end")


class Random(Protocol):
    """Where chance comes from: ``random.Random`` is one."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 to `stop` - 1, all equally likely."""


class TurnWords(Protocol):
    """One turn, followed in words."""

    state: State
    goes_on: str
    """The action that goes without saying where another roll follows."""

    @property
    def asks(self) -> str:
        """What has to be told next, with its verb: ``13 dice show``."""

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled next."""

    @property
    def dice(self) -> int:
        """How many dice are rolled next."""

    def roll(self, text: str) -> str:
        """Read what the dice show, move on, and return it in short notation."""

    def throw(self, random: Random) -> str:
        """Return what rolled dice could show, as a text that :meth:`roll` reads."""

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""

    def act(self, action: str) -> None:
        """Do it."""

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""

    def ending(self, outcome: Any) -> str | None:
        """Return in words how the turn has ended, None if its points say it all."""


class PlainTurn:
    """What every game's turn shares: the state, and the words for stopping and rolling."""

    goes_on: str = "roll"

    def __init__(self, game: Game, beginning: Hashable) -> None:
        self.state: Any = starts_of(game)[beginning]

    @property
    def dice(self) -> int:
        """How many dice are rolled next."""
        return 1

    @property
    def asks(self) -> str:
        """What has to be told next."""
        return "1 die shows" if self.dice == 1 else f"{self.dice} dice show"

    def ending(self, outcome: Any) -> str | None:
        """Return in words how the turn has ended, None as its points say it all."""
        del outcome
        return None

    def choices(self, game: Game) -> dict[str, State]:
        """Return the actions at the state, as the rules name them."""
        expansion = game.expand(self.state)
        if not isinstance(expansion, Choose):
            return {}
        return {str(action): state for action, state in expansion.options.items()}

    @staticmethod
    def plain(word: str) -> str | None:
        """Return ``stop`` or ``roll`` if the word means that."""
        spelled = word.strip().lower()
        if spelled in _STOP:
            return "stop"
        return "roll" if spelled in ("roll", "again", "roll again") else None
