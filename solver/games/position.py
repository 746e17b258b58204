"""A position as people at a table see it, and the state of the rules it stands for."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from solver.errors import GameError, NotationError, PositionError, ShouldIRollError
from solver.games.protocol import Bank, Choose, Game, State
from solver.games.where import raised_by


@dataclass(frozen=True, slots=True)
class PositionField:
    """One thing a player tells about a position, an option of the command line.

    Parameters
    ----------
    name
        Name of the option and keyword (``aside``).
    example
        A text that it takes (``"T2 R3 H4"``).
    help
        One line.
    flag
        Whether it takes no text: it is told or not.
    """

    name: str
    example: str
    help: str
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """What lies on the table.

    Parameters
    ----------
    shown
        Field name -> its text, in the sheet's short notation.
    state
        The state of the rules.
    options
        Legal actions in the sheet's words and in canonical order, each with the state it leads
        to. Two actions may lead to the same state (species are interchangeable).
    note
        What the player should know about the position, such as why there is no choice.
    standing
        With a score sheet: the open boxes and the tally.
    """

    shown: Mapping[str, str]
    state: State
    options: Mapping[str, State]
    note: str | None = None
    standing: tuple[frozenset[str], Any] | None = None


ANY_STATE = (
    PositionField(
        "state", "('total', 18)", "a state of the rules, as a Python literal; else the start"
    ),
)


def fields_of(game: Game) -> tuple[PositionField, ...]:
    """Return the fields in which positions of `game` are told."""
    return cast("tuple[PositionField, ...]", getattr(game, "position_fields", ANY_STATE))


MATCH_OF_ROUNDS = (
    PositionField("stages", "trio,captain", "every seat's stage before this turn"),
    PositionField("round", "7", "the round, from 1"),
    PositionField("beat", "61", "alone: the total to beat"),
)
MATCH_OF_GOALS = (
    PositionField("opponent", "20,3,1", "for the win: the opponent's standing before your turn"),
)


def match_fields_of(game: Game) -> tuple[PositionField, ...]:
    """Return the fields in which a match of `game` is told, besides scores and seat.

    A game may name its own (``match_fields``); else they are those of its kind of match.
    """
    own = getattr(game, "match_fields", None)
    if own is not None:
        return cast("tuple[PositionField, ...]", own)
    if hasattr(game, "goal_race"):
        return MATCH_OF_GOALS
    return MATCH_OF_ROUNDS if hasattr(game, "rounds_match") else ()


def read_position(game: Game, told: Mapping[str, Any]) -> Position:
    """Return the position that the fields in `told` describe.

    Parameters
    ----------
    game
        The game; one without its own ``read_position`` is told its state as a Python literal.
    told
        Field name -> text or value; None for a field that was not given.

    Raises
    ------
    NotationError, PositionError
        If a text cannot be read or the rules do not allow the position.
    """
    given = {name: value for name, value in told.items() if value is not None}
    own = getattr(game, "read_position", None)
    if own is not None:
        try:
            return cast("Position", own(**given))
        except ShouldIRollError:
            raise
        except Exception as error:
            where, line = raised_by(error, game)
            what = f"read_position({given}) raised {type(error).__name__}: {error}{where}"
            raise GameError(f"{game.name}: {what}", text=line) from error
    state: State = game.start()
    if "state" in given:
        state = _literal(given["state"]) if isinstance(given["state"], str) else given["state"]
    return position_at(game, state, {"state": repr(state)})


def position_at(game: Game, state: State, shown: Mapping[str, str]) -> Position:
    """Return the position at a state of the rules, its actions spelled as the rules do.

    Raises
    ------
    PositionError
        If the rules do not know the state.
    """
    try:
        expansion = game.expand(state)
    except Exception as error:
        raise PositionError(
            f"{game.name} has no state {state!r}", remedy=f"{type(error).__name__}: {error}"
        ) from error
    if isinstance(expansion, Choose):
        return Position(shown, state, {str(a): s for a, s in expansion.options.items()})
    if isinstance(expansion, Bank):
        note = f"the turn is over with {expansion.outcome!r}"
        return Position(shown, state, {"stop": state}, note)
    return Position(shown, state, {"roll": state}, "there is no choice: the dice are rolled")


def _literal(text: str) -> Any:
    try:
        value = ast.literal_eval(text)
        hash(value)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        at = (getattr(error, "offset", None) or 1) - 1
        raise NotationError(
            "this is not a state", text=text, at=at, remedy="for example ('total', 18)"
        ) from None
    return value
