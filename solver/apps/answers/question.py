"""Questions: what may be asked of a game, by the names of the command's options.

A form is made for each game from its position fields; it reads a query, a body or an
assistant's arguments into one plain question, so that equal questions are equal values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

import msgspec

from solver.errors import NotationError, UsageError, unknown
from solver.games.position import PositionField, fields_of, match_fields_of
from solver.games.protocol import Game
from solver.games.registry import game as game_by_name
from solver.games.registry import known_games

MOST_LETTERS = 1000
"""The longest text of a field."""

MOST_RECORD_LETTERS = 64 * 1024
"""The longest game record; a match of two takes about 4,000 letters."""

_BILLION = 10**9
_Text = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS)]
_Number = Annotated[int, msgspec.Meta(ge=-_BILLION, le=_BILLION)]
_Several = Annotated[list[_Text | _Number], msgspec.Meta(max_length=16)]
_Rules = Annotated[dict[_Text, _Text | _Number], msgspec.Meta(max_length=32)]
_Settings = Annotated[list[_Text], msgspec.Meta(max_length=32)]

COMMON = {
    "objective": "points, at-least:N, capped:N or win; by default win with scores, else points",
    "scores": "every seat's points, in playing order",
    "seat": "the seat on turn, from 1; seat 1 opens rounds",
    "set": "changes to the rules, NAME=VALUE each, or an object of names and values",
}
"""Field -> one line, for the fields that every game has."""


class RecordQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game record that is to be reviewed.

    Attributes
    ----------
    record
        The record, as ``docs/reference/game-record.md`` describes.
    """

    record: Annotated[
        str,
        msgspec.Meta(
            max_length=MOST_RECORD_LETTERS,
            description="the record of a game: what was rolled, what was done, the scores",
            examples=["game: pig\nseats: Ann\nAnn:\n 6 -> roll\n 5 -> stop\n"],
        ),
    ]


@dataclass(frozen=True, slots=True)
class Question:
    """A position of a game and what is asked about it, as texts.

    Parameters
    ----------
    game
        Name of the game.
    told
        (Field, text) of the position and the match, in the form's order; True for a flag.
    objective, scores, seat
        As the command's options; None if not given.
    rules
        (Parameter, text), sorted.
    """

    game: str
    told: tuple[tuple[str, str | bool], ...]
    objective: str | None = None
    scores: str | None = None
    seat: str | None = None
    rules: tuple[tuple[str, str], ...] = ()

    def shown(self) -> dict[str, Any]:
        """Return the question as plain values, for messages."""
        rest = {"objective": self.objective, "scores": self.scores, "seat": self.seat}
        shown: dict[str, Any] = dict(self.told)
        shown |= {name: value for name, value in rest.items() if value is not None}
        return shown | ({"set": dict(self.rules)} if self.rules else {})


class Form:
    """The fields in which a game is asked about.

    Attributes
    ----------
    game
        The game with its official rules.
    fields, match_fields
        What tells a position, and a match besides scores and seat.
    known
        Names of all fields.
    flags
        Those that are told or not.
    shape
        A msgspec struct type of all fields: checks types and sizes, and gives the JSON schema.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fields = fields_of(game)
        self.match_fields = match_fields_of(game)
        self.known = [*(f.name for f in (*self.fields, *self.match_fields)), *COMMON]
        title = "".join(word.capitalize() for word in game.name.split("-"))
        self.shape = msgspec.defstruct(
            f"{title}Question",
            [
                *(_field(f, _Text | _Number) for f in self.fields),
                *(_field(f, _Text | _Number | _Several) for f in self.match_fields),
                _common("objective", Annotated[str, msgspec.Meta(max_length=40)]),
                _common("scores", _Text | _Number | _Several),
                _common("seat", _Text | _Number),
                _common("set", _Text | _Settings | _Rules),
            ],
            forbid_unknown_fields=True,
            frozen=True,
        )
        self.flags = {f.name for f in self.fields if f.flag}

    def read(self, values: Mapping[str, Any], *, texts: bool = False) -> Question:
        """Return the question that field values ask.

        Parameters
        ----------
        values
            Field -> value.
        texts
            Whether all values are texts, as in a query: then numbers and flags are read.

        Raises
        ------
        UsageError
            If a field does not exist, or has a value of the wrong kind or size.
        """
        for name in values:
            if name not in self.known:
                raise unknown("field", str(name)[:80], self.known, field=str(name)[:80])
        if texts and self.flags:
            values = {k: "true" if k in self.flags and v == "" else v for k, v in values.items()}
        try:
            asked: Any = msgspec.convert(values, self.shape, strict=not texts)
        except msgspec.ValidationError as error:
            raise refused(str(error)) from None
        told: list[tuple[str, str | bool]] = []
        for f in (*self.fields, *self.match_fields):
            value = getattr(asked, f.name)
            if value is None or value is False:
                continue
            told.append((f.name, True if value is True else _text(value)))
        return Question(
            self.game.name,
            tuple(told),
            asked.objective,
            None if asked.scores is None else _text(asked.scores),
            None if asked.seat is None else str(asked.seat),
            _settings(asked.set),
        )


def read_record_field(values: Mapping[str, Any]) -> str:
    """Return the game record in a body.

    Raises
    ------
    UsageError
        If there is none, or something else.
    """
    try:
        return msgspec.convert(values, RecordQuestion).record
    except msgspec.ValidationError as error:
        raise refused(str(error)) from None


def all_forms() -> dict[str, Form]:
    """Return the form of every game, by name."""
    return {name: Form(game_by_name(name)) for name in known_games()}


def _field(field: PositionField, kind: Any) -> tuple[str, Any, None]:
    about = msgspec.Meta(description=field.help, examples=[True if field.flag else field.example])
    return field.name, Annotated[bool | None if field.flag else kind | None, about], None


def _common(name: str, kind: Any) -> tuple[str, Any, None]:
    return name, Annotated[kind | None, msgspec.Meta(description=COMMON[name])], None


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _settings(given: Any) -> tuple[tuple[str, str], ...]:
    if given is None:
        return ()
    if isinstance(given, dict):
        found = {_spelled(name): str(value) for name, value in given.items()}
        if len(found) != len(given):
            raise UsageError("a parameter is set twice", field="set")
        return tuple(sorted(found.items()))
    found = {}
    for text in [given] if isinstance(given, str) else cast("list[str]", given):
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise NotationError(
                "set takes NAME=VALUE",
                text=text,
                at=len(text) if equals else len(name),
                remedy="set=target=40",
                field="set",
            )
        if _spelled(name) in found:
            raise UsageError(f"{_spelled(name)} is set twice", field="set")
        found[_spelled(name)] = value.strip()
    return tuple(sorted(found.items()))


def _spelled(name: str) -> str:
    return name.strip().replace("_", "-")


def refused(message: str) -> UsageError:
    """Return the error for a value that msgspec refuses: ``... - at `$.seat```.

    Parameters
    ----------
    message
        What msgspec says.
    """
    what, _, where = message.partition(" - at `$")
    path = where.rstrip("`").lstrip(".").partition(".")[0].partition("[")[0]
    what = what[:1].lower() + what[1:]
    return UsageError(f"{path or 'the question'}: {what}", field=path or None)
