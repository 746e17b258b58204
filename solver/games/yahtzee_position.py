"""Reading positions of Yahtzee in the words of its sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from solver.errors import NotationError, PositionError
from solver.games.notation import whole_number
from solver.games.position import Position, PositionField

if TYPE_CHECKING:
    from solver.games.yahtzee import Yahtzee

POSITION_FIELDS = (
    PositionField("dice", "1 3 3 5 6", "what all dice show; nothing before the first roll"),
    PositionField("rolls", "2", "rolls still left after the dice on the table"),
    PositionField("open", "aces, full house, chance", "boxes still open; else all"),
    PositionField("upper", "12", "points in the upper section, without its bonus"),
    PositionField("yahtzee", "50", "what the Yahtzee box holds, if it is filled: 50 or 0"),
)
_ALIASES: dict[tuple[str, ...], str] = {
    ("ones",): "aces",
    **{(f"{i}s",): box for i, box in enumerate(("aces", "twos", "threes", "fours", "fives"), 1)},
    ("6s",): "sixes",
    ("3", "of", "a", "kind"): "three-of-a-kind",
    ("4", "of", "a", "kind"): "four-of-a-kind",
    ("small",): "small-straight",
    ("large",): "large-straight",
}
"""Other spellings of boxes, by their words."""
_WORD = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9\s,;+-]")
_ROLLS = "the sheet on rolling: {} rolls a turn, the one on the table included"


def read_boxes(given: str | Iterable[str], boxes: tuple[str, ...], field: str) -> tuple[str, ...]:
    """Return boxes by name, in the sheet's order.

    Parameters
    ----------
    given
        Names parted by spaces or commas, in any order and case, with spaces or dashes
        (``"full house, chance"``); ``"all"`` for all.
    boxes
        The boxes there are, in order.
    field
        Name of the field, for messages.

    Raises
    ------
    NotationError
        With a caret under the first word that begins no name, or if none is named.

    Examples
    --------
    >>> read_boxes("Chance, 3 of a kind", ("aces", "three-of-a-kind", "chance"), "open")
    ('three-of-a-kind', 'chance')
    """
    text = given if isinstance(given, str) else ", ".join(given)
    if text.strip().lower() == "all":
        return boxes
    names = {tuple(box.split("-")): box for box in boxes}
    names |= {words: box for words, box in _ALIASES.items() if box in boxes}
    longest = max(map(len, names))
    tokens = [(m.group().lower(), m.start()) for m in _WORD.finditer(text)]
    tokens = [(word, at) for word, at in tokens if word != "and"]
    found: set[str] = set()
    i = 0
    while i < len(tokens):
        words = tuple(word for word, _ in tokens[i : i + longest])
        length = next((n for n in range(len(words), 0, -1) if words[:n] in names), 0)
        if not length:
            near = get_close_matches(words[0], [w[0] for w in names], n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise NotationError(
                f"--{field}: {words[0]!r} begins no box of the sheet",
                text=text,
                at=tokens[i][1],
                remedy=f"{hint}boxes: {', '.join(boxes)}",
                field=field,
            )
        found.add(names[words[:length]])
        i += length
    if not found:
        raise NotationError(
            f"--{field} names no box",
            text=text,
            at=0,
            remedy=f"boxes: {', '.join(boxes)}; or all",
            field=field,
        )
    return tuple(box for box in boxes if box in found)


def read_dice(given: str | int | Iterable[int], number: int) -> tuple[int, ...]:
    """Return what the dice show, ascending.

    Parameters
    ----------
    given
        Digits (``"1 3 3 5 6"`` or ``"13356"``), or numbers.
    number
        How many dice there are.

    Raises
    ------
    NotationError
        With a caret under the first thing that is no face.
    PositionError
        If they are not `number` dice.
    """
    text = str(given) if isinstance(given, str | int) else " ".join(map(str, given))
    dice: list[int] = []
    for at, letter in enumerate(text):
        if letter in "123456":
            dice.append(int(letter))
        elif letter not in " ,;+\t":
            raise NotationError(
                f"--dice: {letter!r} is no face of a die",
                text=text,
                at=at,
                remedy="faces are 1 to 6: 1 3 3 5 6",
                field="dice",
            )
    if len(dice) != number:
        raise PositionError(
            f"--dice shows {len(dice)} dice, and there are {number}",
            rule="the sheet on rolling: dice that are kept count with those rolled",
            remedy="give all dice, kept and rolled",
            field="dice",
        )
    return tuple(sorted(dice))


def read_position(
    game: Yahtzee,
    dice: str | int | Iterable[int] | None = None,
    rolls: str | int | None = None,
    open: str | Iterable[str] | None = None,
    upper: str | int | None = None,
    yahtzee: str | int | None = None,
) -> Position:
    """Return the position that a player describes.

    Parameters
    ----------
    game
        The rules.
    dice
        What all dice show; None before the first roll.
    rolls
        Rolls still left after the dice on the table.
    open
        The boxes still open; by default all.
    upper
        Points in the upper section; needed where one of its boxes is filled.
    yahtzee
        What the Yahtzee box holds; needed where it is filled and that matters.

    Raises
    ------
    NotationError, PositionError
        If a text cannot be read, or the rules do not allow the position.
    """
    boxes = game.sheet if open is None else read_boxes(open, game.sheet, "open")
    filled = [box for box in game.sheet if box not in boxes]
    points = _upper(game, filled, upper)
    fifty = _yahtzee(game, filled, yahtzee)
    shown = {"open": "all" if not filled else " ".join(boxes), "upper": str(points)}
    if fifty is not None:
        shown["yahtzee"] = str(fifty)
    tally = game.advance((0, 0), (points, int(fifty == 50 and game.joker != "none")))
    standing = frozenset(boxes), tally
    if dice is None:
        left = game.rolls if rolls is None else _rolls(game, rolls, game.rolls)
        if left < game.rolls:
            raise PositionError(
                f"--rolls {left}: some of the turn's rolls are made, and no dice are told",
                remedy="give what all dice show as --dice",
                field="dice",
            )
        state: tuple[Any, ...] = game.start()
        note = "there is no choice: the dice are rolled"
        return Position(shown, state, {"roll": state}, note, standing)
    faces = read_dice(dice, game.dice)
    most = game.rolls - 1
    if rolls is None:
        raise PositionError(
            "--rolls is needed: how many rolls are left after the dice on the table",
            remedy=f"--rolls 0 to {most}",
            field="rolls",
        )
    left = _rolls(game, rolls, most)
    shown = {"dice": " ".join(map(str, faces)), "rolls": str(left), **shown}
    state = ("dice", left, *faces)
    if left:
        return Position(shown, state, game.keeps(left, faces), None, standing)
    note = "no rolls are left: the dice are entered in a box"
    return Position(shown, state, {"stop": state}, note, standing)


def _rolls(game: Yahtzee, given: str | int, most: int) -> int:
    left = _number(given, "rolls")
    if left > most:
        raise PositionError(
            f"--rolls {left}: at most {most} can be left",
            rule=_ROLLS.format(game.rolls),
            field="rolls",
        )
    return left


def _upper(game: Yahtzee, filled: list[str], given: str | int | None) -> int:
    faces = [face for face, box in enumerate(_upper_boxes(), 1) if box in filled]
    if given is None:
        if faces:
            raise PositionError(
                "--upper is needed: the points in the upper section, of which boxes are filled",
                remedy="--upper 12: without the bonus",
                field="upper",
            )
        return 0
    points = _number(given, "upper")
    possible = {0}
    for face in faces:
        possible = {sum_ + face * count for sum_ in possible for count in range(game.dice + 1)}
    if points not in possible:
        names = [box for box in _upper_boxes() if box in filled]
        raise PositionError(
            f"--upper {points}: "
            + (
                f"{', '.join(names)} cannot hold so many together"
                if names
                else "no box of the upper section is filled"
            ),
            rule="the sheet on the upper section: a box counts the dice of its number",
            remedy="the points without the bonus; and --open for the boxes still open",
            field="upper",
        )
    return points


def _yahtzee(game: Yahtzee, filled: list[str], given: str | int | None) -> int | None:
    if "yahtzee" not in filled:
        if given is not None:
            raise PositionError(
                "--yahtzee says what the Yahtzee box holds, and it is not filled",
                remedy="leave it out, or leave yahtzee out of --open",
                field="yahtzee",
            )
        return None
    if given is None:
        if game.joker == "none":
            return None
        raise PositionError(
            "--yahtzee is needed: whether the Yahtzee box holds 50 or 0",
            rule="the sheet on the Yahtzee bonus: only after 50 there do more Yahtzees bring it",
            remedy="--yahtzee 50 or --yahtzee 0; or yahtzee among the --open boxes",
            field="yahtzee",
        )
    points = _number(given, "yahtzee")
    if points not in (0, 50):
        raise PositionError(
            f"--yahtzee {points}: the Yahtzee box holds 50 or 0",
            rule="the sheet on the lower section",
            remedy="without the bonus of 100 for each further Yahtzee",
            field="yahtzee",
        )
    return points


def _upper_boxes() -> tuple[str, ...]:
    from solver.games.yahtzee import UPPER  # noqa: PLC0415  that module reads positions by this

    return UPPER


def _number(given: str | int, field: str) -> int:
    number = whole_number(str(given))
    if number is None:
        raise NotationError(f"--{field} takes a whole number", text=str(given), at=0, field=field)
    return number
