"""Decisions and chances of the complete game of Martians!!! in words, told and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solver.errors import NotationError
from solver.referee.martians_game import Chance, Question

ASKED: Mapping[Question, str] = {
    Question.PLACEMENT: "Where does {tile} go? (column,row,quarter turns; the House is at 0,0)",
    Question.LAY: "On which squares do the tokens lie?",
    Question.ARM: "Which weapon?",
    Question.PAY: "The roll is short by {short}. What do you do?",
    Question.STEP: "Where to? {moves} left",
    Question.TURN_OVER: "Turn over the crop circle?",
    Question.MARTIAN: "Which Martian moves where? {moves} left (from to)",
    Question.BEAM: "Where does the Mother Ship's Martian arrive?",
    Question.CARD: "Play a card?",
    Question.TARGET: "Whom is it about? (seat)",
    Question.SPACE: "Where is a Martian placed?",
    Question.REMOVAL: "Which Martian is removed?",
    Question.BUILDING: "Which building is searched? (column,row,letter)",
    Question.DISCARD: "Discard a card?",
}
FELL: Mapping[Chance, str] = {
    Chance.TILE: "the tile",
    Chance.EVENT: "the event card",
    Chance.MARTIAN_CARD: "the Martian card",
    Chance.MOVEMENT: "the movement roll",
    Chance.COMBAT: "the combat roll",
    Chance.MARTIANS: "the roll for the Martians",
    Chance.ATTACK: "the roll of the attack",
    Chance.TOKEN: "the token",
    Chance.ITEM: "the item",
    Chance.CIRCLE: "the crop circle",
    Chance.BESIDE: "the Mother Ship is",
}
_NONE = {Question.STEP: "stop", Question.ARM: "bare-hands"}


def answer(question: Question, value: Any) -> str:
    """Return an answer to a question as it is typed.

    Examples
    --------
    >>> answer(Question.MARTIAN, ((3, 1), (4, 1)))
    '3,1 4,1'
    """
    if value is None:
        return _NONE.get(question, "no")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return " ".join(",".join(map(str, part)) for part in value)
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read_answer(question: Question, options: Sequence[Any], text: str) -> Any:
    """Return the option that somebody has typed: the answer itself, or its number in the list.

    Raises
    ------
    NotationError
        If it is none of them.
    """
    word = " ".join(text.split()).replace(", ", ",").lower()
    for option in options:
        if answer(question, option).lower() == word:
            return option
    if word.isdecimal() and 1 <= int(word) <= len(options):
        return options[int(word) - 1]
    raise _no_answer(text, [answer(question, option) for option in options])


def read_fallen(pool: Sequence[Any], text: str) -> Any:
    """Return what chance has decided, as somebody has typed it.

    Raises
    ------
    NotationError
        If that cannot be.
    """
    word = text.strip().lower()
    for value in pool:
        if str(value).lower() == word:
            return value
    raise _no_answer(text, list(dict.fromkeys(map(str, pool))))


def _no_answer(text: str, words: list[str]) -> NotationError:
    some = ", ".join(words[:8]) + (", ..." if len(words) > 8 else "")
    return NotationError(f"{text.strip()!r} is none of the answers", remedy=some)
