"""The head of a record: the game, its rules, and who sits where."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from solver.advisor.review.fault import Fault
from solver.errors import ShouldIRollError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name

KEYS = ("game", "rules", "seats")
_PARTED = re.compile(r",(?=\s*$|[^,=]*=)")  # values have commas of their own: weapon=+1,reroll:2
MOST_SEATS = 12


@dataclass(frozen=True, slots=True)
class Header:
    """What a record says before the first turn.

    Parameters
    ----------
    game
        The rules.
    seats
        Names in playing order.
    """

    game: Game
    seats: tuple[str, ...]


class HeaderReader:
    """Reads the head of a record, line by line."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        self._game: Game | None = None
        self._seats: tuple[str, ...] | None = None

    def check(self, key: str) -> None:
        """Raise Fault unless a line of the head can begin with `key`, in lower case."""
        if key in self._told:
            raise Fault(f"{key} is told twice")
        if key not in KEYS:
            near = difflib.get_close_matches(key, KEYS, n=1)
            mean = f"did you mean {near[0]!r}? " if near else ""
            raise Fault(
                f"unknown line {key!r} in the head of the record",
                remedy=f"{mean}the head has {', '.join(KEYS)}; remarks begin with #",
            )
        if key != "game" and "game" not in self._told:
            raise Fault("the game must be told first", remedy="game: martian-dice")

    def read(self, key: str, text: str) -> None:
        """Read one line of the head.

        Parameters
        ----------
        key
            What stands before the colon, in lower case, as :meth:`check` allows.
        text
            What stands after it.

        Raises
        ------
        Fault
            If it cannot be read; its offset is that within `text`.
        """
        self._told[key] = text
        if key == "seats":
            self._seats = _names(text)
        elif key == "game":
            self._game = _made(text.strip(), {}, text)
        else:
            self._game = _made(self._told["game"].strip(), _settings(text), text)

    def finish(self) -> Header:
        """Return what was told.

        Raises
        ------
        Fault
            If the game or the seats are missing.
        """
        for key, example in (("game", "martian-dice"), ("seats", "Ann, Bob")):
            if key not in self._told:
                raise Fault(
                    f"the record does not tell the {key}", remedy=f"a line {key}: {example}"
                )
        assert self._game is not None
        assert self._seats is not None
        return Header(self._game, self._seats)


def write_header(game: Game, seats: Sequence[str]) -> list[str]:
    """Return the lines of the head; rules that are the official ones are left out.

    Raises
    ------
    Fault
        If the names cannot stand in a record.
    """
    _names(", ".join(seats))
    official = rules_of(type(game)())
    changed = {name: v for name, v in rules_of(game).items() if official[name] != v}
    lines = [f"game: {game.name}"]
    if changed:
        lines.append("rules: " + ", ".join(f"{name}={value}" for name, value in changed.items()))
    return [*lines, f"seats: {', '.join(seats)}"]


def _names(text: str) -> tuple[str, ...]:
    names: list[str] = []
    at = 0
    for part in text.split(","):
        name = part.strip()
        place = at + len(part) - len(part.lstrip())
        if not name or len(name) > 40 or any(c in ":>=#" or not c.isprintable() for c in name):
            raise Fault(
                "a seat needs a name" if not name else f"{name!r} cannot be the name of a seat",
                place,
                remedy="names of up to 40 letters without : > = and #, parted by commas: Ann, Bob",
            )
        if name.lower() in [other.lower() for other in names]:
            raise Fault(f"two seats are called {name}", place, remedy="tell them apart")
        if name.lower() in (*KEYS, "winner"):
            raise Fault(f"{name!r} cannot be the name of a seat: it is a word of the record", place)
        names.append(name)
        at += len(part) + 1
    if len(names) > MOST_SEATS:
        raise Fault(f"{len(names)} seats are more than {MOST_SEATS}")
    return tuple(names)


def _settings(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = 0
    for part in _PARTED.split(text):
        name, equals, value = part.partition("=")
        place = at + len(part) - len(part.lstrip())
        at += len(part) + 1
        if not part.strip():
            continue
        if not equals or not name.strip() or not value.strip():
            raise Fault("rules are told as NAME=VALUE", place, remedy="rules: target=40, end=round")
        spelled = name.strip().replace("_", "-")
        if spelled in found:
            raise Fault(f"{spelled} is told twice", place)
        found[spelled] = value.strip()
    return found


def _made(name: str, settings: dict[str, str], text: str) -> Game:
    try:
        return game_by_name(name, **settings)
    except ShouldIRollError as error:
        wanted = (error.field or "").removeprefix("set ")
        at = text.replace("_", "-").find(wanted) if wanted in settings else -1
        if at < 0:
            at = len(text) - len(text.lstrip())
        raise Fault(error.what, at, rule=error.rule, remedy=error.remedy) from None
