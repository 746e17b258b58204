"""How a movement on the board ends, and what that can be worth.

Source: the rulebook, Object of the Game; Player Movement Rules; Combat Rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from solver.games.martians.board.components import Token
from solver.games.martians.board.layout import Square

Ending = Literal["stopped", "dead", "martians", "ship"]
"""The player stops; dies; has collected the Martians that win; is at the Mother Ship with all."""
Use = Literal["place", "tokens", "martians", "items", "ship", "win"]
Number = int | float | Fraction


class BoardOutcome(NamedTuple):
    """What a player has when the movement is over.

    Outcomes are plain tuples of these; ``BoardOutcome(*outcome)`` names them. After a death they
    are what is left: the House, half the Martians, and the tokens of the next turn.

    Parameters
    ----------
    at
        The pawn's square.
    lives, bullets, martians
        Tokens, and Martians collected.
    items
        Items held, in the order of the sheet.
    ship
        The square of the Mother Ship, if it is face-up.
    ending
        In which way the movement ended.
    """

    at: Square
    lives: int
    bullets: int
    martians: int
    items: tuple[Token, ...]
    ship: Square | None
    ending: Ending

    @property
    def alive(self) -> bool:
        """Whether the player did not die."""
        return self.ending != "dead"


@dataclass(frozen=True, slots=True)
class Payoff:
    """What a movement is played for.

    Parameters
    ----------
    name
        As it is written: ``martians``, ``reach:4,1``.
    unit
        What it counts: ``points``, ``probability``, ``turns``, ``payoff``, ``win_probability``.
    worth
        Outcome -> number; it must be the same whenever asked.
    uses
        What of the outcome it looks at besides whether the player is dead: the place (or
        `places`), tokens, Martians, items, where the Mother Ship is, whether the game is won.
        A payoff must not look at anything else: positions that differ in nothing it uses are one.
    places
        The squares that are worth something of their own; all others are alike. None: all.
    key
        What tells payoffs of one name apart; equal payoffs have equal names and keys.
    """

    name: str
    unit: str
    worth: Callable[[BoardOutcome], Number]
    uses: frozenset[Use]
    places: frozenset[Square] | None = None
    key: Hashable = None

    def __call__(self, outcome: BoardOutcome) -> Number:
        """Return what an outcome is worth."""
        return self.worth(BoardOutcome(*outcome))


def most_martians() -> Payoff:
    """Return the expected number of Martians held after the turn: half of them after a death."""
    return Payoff("martians", "martians", lambda end: end.martians, frozenset({"martians"}))


def survival() -> Payoff:
    """Return the chance not to die in the turn."""
    return Payoff("survive", "probability", lambda end: int(end.alive), frozenset())


def most_items() -> Payoff:
    """Return the expected number of items held after the turn: none after a death."""
    return Payoff("items", "items", lambda end: len(end.items), frozenset({"items"}))


def most_tokens() -> Payoff:
    """Return the expected number of life and bullet tokens after the movement, none if dead.

    The three and three of the turn after a death do not count: nobody should die for them.
    """
    return Payoff(
        "tokens",
        "tokens",
        lambda end: (end.lives + end.bullets) * end.alive,
        frozenset({"tokens"}),
    )


def reaching(square: Square) -> Payoff:
    """Return the chance to be alive on a square when the movement is over.

    Parameters
    ----------
    square
        The square, (x, y).
    """

    def worth(end: BoardOutcome) -> int:
        return int(end.alive and end.at == square)

    return Payoff(
        f"reach:{square[0]},{square[1]}",
        "probability",
        worth,
        frozenset({"place"}),
        frozenset({square}),
    )


def boarding() -> Payoff:
    """Return the chance to win the game in this turn: at the Mother Ship, or by Martians."""
    return Payoff(
        "win-now",
        "probability",
        lambda end: int(end.ending in {"ship", "martians"}),
        frozenset({"win"}),
    )


def after_turn(
    name: str, unit: str, worth: Callable[[BoardOutcome], Number], key: Hashable
) -> Payoff:
    """Return a payoff on what is left for the turns to come: Martians, tokens, a won game.

    Parameters
    ----------
    name, unit
        As in :class:`Payoff`.
    worth
        What an outcome is worth; it must not look at the place or at items.
    key
        What tells such payoffs apart.
    """
    return Payoff(name, unit, worth, frozenset({"tokens", "martians", "win"}), None, key)
