"""Dice as people write them: ``T2 R3 H4``, ``2 tanks, 3 death rays``, ``R C K``.

An item is a face with a count. The count stands right behind a letter (``T2``) or before the
face (``2 tanks``, ``2T``); without one it is 1. Faces are letters or words, in any case, single
or plural. Items are parted by spaces, commas, semicolons, plus signs or ``and``; a face named
twice counts twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from solver.errors import NotationError, PositionError

_TOKEN = re.compile(
    r"(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<gap>[\s,;+]+)|(?P<bad>.)", re.DOTALL
)
_MOST_DIGITS = 40


def read_counts(
    given: str | Mapping[str, int], names: Mapping[str, str], *, legend: str, field: str
) -> dict[str, int]:
    """Return how many dice show each face.

    Parameters
    ----------
    given
        A text, or face (letter or word) -> count.
    names
        Every accepted spelling in lower case -> face; of two words, only with one space.
    legend
        The faces and their letters, for messages.
    field
        Name of the field that is read, for messages.

    Returns
    -------
    dict
        Face -> count, for the faces named.

    Raises
    ------
    NotationError
        With a caret under the first letter that cannot be read.

    Examples
    --------
    >>> read_counts("2 death rays, T3", {"t": "T", "death rays": "R"}, legend="", field="roll")
    {'R': 2, 'T': 3}
    """
    if not isinstance(given, str):
        given = ", ".join(f"{count} {face}" for face, count in given.items())
    counts: dict[str, int] = {}
    tokens = [(m.lastgroup, m.group(), m.start()) for m in _TOKEN.finditer(given)]
    number: int | None = None
    number_at = 0
    i = 0
    while i < len(tokens):
        kind, text, at = tokens[i]
        i += 1
        if kind == "gap" or (kind == "word" and text.lower() == "and"):
            continue
        if kind == "number":
            if number is not None:
                raise _bad("two counts in a row", given, at, legend, field)
            if len(text) > _MOST_DIGITS:
                raise _bad("no game has that many dice", given, at, legend, field)
            number, number_at = int(text), at
            continue
        if kind == "bad":
            if text == "-" and i < len(tokens) and tokens[i][0] == "number":
                raise _bad("a count cannot be negative", given, at, legend, field)
            raise _bad(f"{text!r} cannot be read here", given, at, legend, field)
        face, used = _face(tokens, i - 1, names)
        if face is None:
            what = f"unknown letter {text!r}" if len(text) == 1 else f"unknown face {text!r}"
            raise _bad(what, given, at, legend, field)
        i += used
        count = 1
        if number is not None:
            count, number = number, None
        elif len(text) == 1 and i < len(tokens) and tokens[i][0] == "number":
            if len(tokens[i][1]) > _MOST_DIGITS:
                raise _bad("no game has that many dice", given, tokens[i][2], legend, field)
            count = int(tokens[i][1])
            i += 1
        counts[face] = counts.get(face, 0) + count
    if number is not None:
        raise _bad("a count without a face", given, number_at, legend, field)
    return counts


def _face(
    tokens: list[tuple[str | None, str, int]], i: int, names: Mapping[str, str]
) -> tuple[str | None, int]:
    """Return the face whose spelling begins at token `i`, and how many more tokens it takes."""
    word = tokens[i][1].lower()
    if i + 2 < len(tokens) and tokens[i + 2][0] == "word":
        joined = tokens[i + 1][1]
        if joined == "-" or joined.isspace():
            pair = f"{word} {tokens[i + 2][1].lower()}"
            if pair in names:
                return names[pair], 2
    return names.get(word), 0


def _bad(what: str, text: str, at: int, legend: str, field: str) -> NotationError:
    return NotationError(f"--{field}: {what}", text=text, at=at, remedy=legend, field=field)


def whole_number(text: str) -> int | None:
    """Return the number that a text of up to nine digits stands for, None if it is not one.

    Examples
    --------
    >>> whole_number(" 12 "), whole_number("-1"), whole_number("²")
    (12, None, None)
    """
    digits = text.strip()
    plain = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return int(digits) if plain else None


def read_number(told: object, field: str, *, least: int = 0, most: int | None = None) -> int:
    """Return the whole number that a field tells.

    Parameters
    ----------
    told
        A number, or its text.
    field
        Name of the field, for messages.
    least, most
        Limits, both included; None for no upper one.

    Raises
    ------
    NotationError
        If it is no whole number.
    PositionError
        If it is out of its limits.
    """
    text = str(told)
    number = whole_number(text)
    if number is None:
        raise NotationError(f"--{field} takes a whole number", text=text, at=0, field=field)
    if number < least or (most is not None and number > most):
        limits = f"{least} or more" if most is None else f"from {least} to {most}"
        raise PositionError(f"--{field} {number}: it is {limits}", field=field)
    return number


def read_faces(given: object, field: str, faces: Collection[int]) -> tuple[int, ...]:
    """Return what dice show, ascending: faces as digits, with or without gaps, or as numbers.

    Parameters
    ----------
    given
        A text (``"1 4 4 6"``, ``"1446"``), a number, or several numbers.
    field
        Name of the field, for messages.
    faces
        The faces of a die, each one digit.

    Raises
    ------
    NotationError
        With a caret under the first thing that is no face, or if there is none at all.

    Examples
    --------
    >>> read_faces("4 1,4 6", "roll", range(1, 7))
    (1, 4, 4, 6)
    """
    several = isinstance(given, Iterable) and not isinstance(given, str)
    text = " ".join(map(str, given)) if several else str(given)  # type: ignore[call-overload]
    known = {str(face): face for face in faces}
    shown = []
    for at, letter in enumerate(text):
        if letter in known:
            shown.append(known[letter])
        elif not letter.isspace() and letter not in ",;+":
            raise NotationError(
                f"--{field}: {letter!r} is no face of a die",
                text=text,
                at=at,
                remedy=f"faces are {', '.join(known)}: {' '.join(list(known)[:3])}",
                field=field,
            )
    if not shown:
        raise NotationError(f"--{field}: no die is shown", text=text, at=0, field=field)
    return tuple(sorted(shown))


def write_counts(counts: Mapping[str, int]) -> str:
    """Return counts in short notation, faces that no die shows left out.

    Examples
    --------
    >>> write_counts({"T": 2, "R": 0, "H": 4})
    'T2 H4'
    """
    return " ".join(f"{face}{count}" for face, count in counts.items() if count)
