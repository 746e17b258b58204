"""Options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import click

from solver.apps.cli.own import GameName, named
from solver.errors import NotationError
from solver.games.position import PositionField, fields_of, match_fields_of
from solver.games.registry import game as game_by_name
from solver.games.registry import game_class, known_games

_AFFINITY = hasattr(os, "sched_getaffinity")

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option() -> Callable[[Command], Command]:
    """Return the option ``--json``."""
    return click.option("as_json", "--json", is_flag=True, help="Print JSON.")


def game_argument() -> Callable[[Command], Command]:
    """Return the argument ``GAME``: a name, or the path of a file with a game."""
    return click.argument("game", type=GameName())


def set_option() -> Callable[[Command], Command]:
    """Return the option ``--set``."""
    return click.option(
        "settings",
        "--set",
        multiple=True,
        metavar="NAME=VALUE",
        help="Change a parameter or reading of the rules; see `games NAME`.",
    )


def tables_option(text: str = "Directory of tables.") -> Callable[[Command], Command]:
    """Return the option ``--tables``."""
    return click.option("directory", "--tables", metavar="DIR", help=text)


def workers_option() -> Callable[[Command], Command]:
    """Return the option ``--workers``, by default one for each processor."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 1024),
        default=lambda: len(os.sched_getaffinity(0)) if _AFFINITY else os.cpu_count() or 1,
        help="Threads; by default one for each processor.",
    )


def read_size(text: str) -> int:
    """Return a size in bytes.

    Raises
    ------
    NotationError
        If the text is not a number with a unit.
    """
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise NotationError(
            "--max-memory takes a size",
            text=text,
            at=0,
            remedy="--max-memory 500MiB, or 4GiB",
            field="max-memory",
        )
    power = " KMGT".index(found[2].upper() or " ")
    return int(float(found[1]) * 1024**power)


def read_settings(settings: Sequence[str]) -> dict[str, str]:
    """Return ``--set`` texts as parameter -> value.

    Raises
    ------
    NotationError
        If one is not of the form NAME=VALUE, or a name is given twice.
    """
    found: dict[str, str] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise NotationError(
                "--set takes NAME=VALUE",
                text=text,
                at=len(text) if equals else len(name),
                remedy="--set target=40",
                field="set",
            )
        spelled = name.strip().replace("_", "-")
        if spelled in found:
            raise NotationError(f"--set {spelled} is given twice", text=text, at=0, field="set")
        found[spelled] = value.strip()
    return found


def position_fields(game: str) -> tuple[PositionField, ...]:
    """Return the fields of a game's positions."""
    return fields_of(game_by_name(game))


def beginning_fields(game: str) -> tuple[PositionField, ...]:
    """Return the fields in which a beginning of a turn, or a standing, is told to ``solve``."""
    found: tuple[PositionField, ...] = getattr(game_class(game), "beginning_fields", ())
    return found


def match_fields(game: str) -> tuple[PositionField, ...]:
    """Return the fields in which a game's match is told, besides scores and seat."""
    return match_fields_of(game_by_name(game))


def field_option(field: PositionField) -> Callable[[Command], Command]:
    """Return the option in which a field of positions is told."""
    if field.flag:
        return click.option(f"--{field.name}", is_flag=True, default=None, help=field.help)
    return click.option(f"--{field.name}", metavar=f'"{field.example}"', help=field.help)


class GameGroup(click.Group):
    """A command with one subcommand for each game, made when it is asked for."""

    def __init__(self, make: Callable[[str], click.Command], **rest: Any) -> None:
        super().__init__(**rest)
        self._make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the games' names."""
        del ctx
        return list(known_games())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Return the subcommand of a game, by its name or by the path of its file.

        Raises
        ------
        UnknownNameError
            If there is no such game.
        """
        del ctx
        name = named(cmd_name)
        game_class(name)
        return self._make(name)


class Bar:
    """A progress bar for work over a second; silent when the output is no terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` are done."""
        if self._bar is None:
            from tqdm import tqdm  # noqa: PLC0415  only for long work

            self._bar = tqdm(
                total=total, initial=done, desc=self._what, delay=1, disable=None, leave=False
            )
        if total != self._bar.total:  # the next stage of the same work
            self._bar.reset(total)
            self._bar.set_description(f"{self._what}: proof")
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
