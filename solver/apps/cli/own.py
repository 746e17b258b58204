"""Games of the user's own on the command line: ``--game FILE``, or the path for the name."""

from __future__ import annotations

from typing import Any

import click

from solver.errors import GameError
from solver.games.check import GameReport, check_game
from solver.games.files import GameFile, is_path, load, loaded
from solver.games.position import fields_of, match_fields_of
from solver.games.protocol import Game, points_of
from solver.games.where import raised_in

MOST_STATES = 1_000_000
"""States of a turn that are looked at before a game is called too large."""


def named(text: str) -> str:
    """Return the name of a game; of the one in the file, if the text is a path.

    Raises
    ------
    UsageError, GameError, TooLargeError
        If a file cannot be used, or its game is not sound.
    """
    return take(text)[0].game.name if is_path(text) else text


def take(path: str) -> tuple[GameFile, GameReport]:
    """Load the game in a file, check the whole turn, and say which game was taken.

    Raises
    ------
    UsageError, GameError, TooLargeError
        If the file cannot be used, or its game is not sound.
    """
    found = load(path)
    report = check_game(found.game, max_states=MOST_STATES)
    click.echo(click.style(f"{found.game.name}: {found.taken} in {path}", dim=True), err=True)
    return found, report


def fault_of(error: Exception) -> GameError | None:
    """Return what is wrong with a game of the user's own, if an error was raised in its file."""
    for file in loaded():
        where, line = raised_in(error, str(file.path))
        if where:
            what = f"{file.path.name}{where}: {type(error).__name__}: {error}"
            return GameError(what, text=line)
    return None


class GameName(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """A game's name, or the path of a file with one."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name."""
        del param, ctx
        return named(str(value))


def describe(path: str, game: Game, report: GameReport) -> None:
    """Print what the game in a file consists of, and what to ask about it."""
    points = [points_of(game, outcome) for outcome in report.outcomes]
    click.echo(click.style(f"{game.name}: {getattr(game, 'title', game.name)}", bold=True))
    click.echo(
        f"  a turn has {report.states:,} states: {report.decisions:,} decisions,"
        f" {report.rolls:,} rolls, {len(report.outcomes):,} outcomes of {min(points)} to"
        f" {max(points)} points"
    )
    for field in (*fields_of(game), *match_fields_of(game)):
        click.echo(f'  --{field.name} "{field.example}"  {field.help}')
    example = fields_of(game)[0] if fields_of(game) else None
    told = "" if example is None else f' --{example.name} "{example.example}"'
    click.echo(f"  next: should-i-roll --game {path} advise {game.name}{told}")
