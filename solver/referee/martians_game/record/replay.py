"""A game played again from its record.

Every line is held against the rules where it is needed: the first that is not legal there ends
the reading, with its number and the rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import NotationError, PositionError, ShouldIRollError, UsageError
from solver.games.martians.board import read_position, start_position, synthetic_tiles
from solver.games.martians.board.files.json_text import read_json
from solver.games.martians.board.files.tiles import tiles_of
from solver.games.martians.cards import synthetic_cards
from solver.games.martians.cards.files import check_cards
from solver.games.readings import make
from solver.referee.martians_game.game import Game, Live
from solver.referee.martians_game.questions import RULES, Chance, Question, Source, shown
from solver.referee.martians_game.record.text import Header
from solver.referee.martians_game.rules import Rules


class _Ends(Exception):  # noqa: N818  no error: a record may stop anywhere
    """The record says no more."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    says: dict[str, Any]


class Recorded:
    """Decisions and chances from a record.

    Parameters
    ----------
    lines
        The lines after the header.
    then
        What answers when the record ends; None to stop there.
    """

    def __init__(self, lines: Iterable[_Line], then: Source | None = None) -> None:
        self._lines = list(lines)
        self._at = 0
        self._then = then

    def begin(self, turn: int, seat: int) -> None:
        """Read that a turn begins."""
        line = self._line()
        if line is None:
            return self._other().begin(turn, seat)
        self._expect(line, {"turn": turn, "seat": seat}, f"turn {turn}, of seat {seat},")
        self._at += 1
        return None

    def choose(self, question: Question, seat: int, options: Sequence[Any], moment: str) -> Any:
        """Read what a player chooses."""
        line = self._line()
        if line is None:
            return self._other().choose(question, seat, options, moment)
        form: dict[str, Any] = {"seat": seat, "choice": question.value}
        if question is Question.CARD:
            form["when"] = moment
            if not _says(line, form):
                return None  # nobody plays a card: that is not written
        return self._read(line, form, f"the choice {question.value} of seat {seat}", options)

    def fall(self, chance: Chance, pool: Sequence[Any]) -> Any:
        """Read what chance decided."""
        line = self._line()
        if line is None:
            return self._other().fall(chance, pool)
        return self._read(line, {"chance": chance.value}, f"the chance {chance.value}", pool)

    def check_end(self, game: Game) -> None:
        """Check that the record says nothing after the end of the game, and the right thing there.

        Raises
        ------
        PositionError
            With the line, if it does.
        """
        line = self._line()
        result = game.result
        if line is None or result is None:
            return
        end = {"end": result.ending.value, "seats": list(result.seats)}
        self._expect(line, end, f"the end {json.dumps(end)}")
        self._at += 1
        line = self._line()
        if line is not None:
            raise _fault(line, "the game is over before it", None, "leave it out")

    def _line(self) -> _Line | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _other(self) -> Source:
        if self._then is None:
            raise _Ends
        return self._then

    def _read(self, line: _Line, form: dict[str, Any], name: str, options: Sequence[Any]) -> Any:
        self._expect(line, form, name)
        value = _frozen(line.says.get("is"))
        for option in options:
            if option == value and type(option) is type(value):
                self._at += 1
                return option
        rule = RULES[form.get("choice") or form["chance"]]
        given = json.dumps(line.says.get("is"))
        raise _fault(line, f"{given} is not legal here", rule, f"one of {shown(options)}")

    @staticmethod
    def _expect(line: _Line, form: dict[str, Any], name: str) -> None:
        if not _says(line, form):
            raise _fault(
                line,
                f"{name} comes here",
                "Turn Sequence Overview",
                json.dumps({**form, "is": "..."} if "turn" not in form else form),
            )


def _says(line: _Line, form: dict[str, Any]) -> bool:
    return all(line.says.get(name) == value for name, value in form.items())


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _fault(line: _Line, what: str, rule: str | None, remedy: str | None) -> PositionError:
    return PositionError(
        f"line {line.number}: {what}",
        text=line.text if len(line.text) <= 100 else line.text[:97] + "...",
        rule=rule,
        remedy=remedy,
        field=f"line {line.number}",
    )


def replay(text: str) -> Game:
    """Return the game of a record, played as far as the record goes.

    Parameters
    ----------
    text
        The record.

    Returns
    -------
    Game
        With the position and, if it is over, the result. It cannot be played on; for that there
        is :func:`resume`.

    Raises
    ------
    NotationError
        If a line cannot be read; ``field`` names it.
    PositionError
        If a line is not legal where it stands; ``field`` names it, ``rule`` is the rule.
    """
    header, lines = _lines(text)
    recorded = Recorded(lines)
    try:
        game = _begin(header, recorded)
    except _Ends:
        raise NotationError(
            "the record ends before the hands are dealt",
            rule="Game Setup: three cards to each player",
            remedy='a line {"chance": "event card", "is": "..."} for each card',
            field=f"line {len(text.splitlines())}",
        ) from None
    try:
        while game.result is None:
            game.play_turn()
    except _Ends:
        return game
    recorded.check_end(game)
    return game


def resume(text: str, live: Live) -> Game:
    """Return the game of a record, ready to be played on by others.

    The last turns of the record are gone through when the game is played: the record answers as
    long as it can, then players and dice do.

    Parameters
    ----------
    text
        The record of a game that is not over.
    live
        Who plays on, one player for each seat.

    Raises
    ------
    NotationError, PositionError
        As :func:`replay`.
    UsageError
        If the game is over, or there are more or fewer players than seats.
    """
    done = replay(text)
    if done.result is not None:
        raise UsageError("the game of this record is over", remedy="a record that stops before")
    header, lines = _lines(text)
    game = _begin(header, Recorded(lines, live))
    live.join(game.course)
    while game.course.table.turn < done.course.table.turn - 1:
        game.play_turn()
    return game


def _lines(text: str) -> tuple[_Line, list[_Line]]:
    lines: list[_Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            says = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise NotationError(
                f"line {number} is no JSON: {error}", text=line[:100], field=f"line {number}"
            ) from None
        if not isinstance(says, dict):
            raise NotationError(
                f"line {number} is no object", text=line[:100], field=f"line {number}"
            )
        lines.append(_Line(number, line, says))
    if not lines:
        raise NotationError(
            "the record is empty",
            remedy='a first line {"format": "martians-game-1", ...}',
            field="",
        )
    return lines[0], lines[1:]


def _begin(line: _Line, source: Source) -> Game:
    try:
        header = read_json(line.text, Header)
        rules = make(Rules, header.rules)
        if header.position is not None:
            position = read_position(json.dumps(header.position))
        else:
            named = header.tiles
            tiles = synthetic_tiles() if isinstance(named, str) else tiles_of(named, "/tiles")
            position = start_position(tiles, header.players, rules.play)
        cards = synthetic_cards() if isinstance(header.cards, str) else header.cards
        check_cards(cards, "/cards")
        return Game(position, source, rules=rules, cards=cards)
    except PositionError as error:
        if error.field and error.field.startswith("line "):
            raise
        raise _of_header(line, error) from None
    except UsageError as error:
        raise _of_header(line, error) from None


def _of_header(line: _Line, error: ShouldIRollError) -> ShouldIRollError:
    return type(error)(
        f"line {line.number}: {error.what}",
        rule=error.rule,
        remedy=error.remedy,
        field=f"line {line.number}: {error.field}",
    )
