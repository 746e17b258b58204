"""The games by name, loaded when asked for; and those of the user's own files, once named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, cast

from solver.errors import unknown
from solver.games.protocol import Game
from solver.games.readings import arguments_of, make

GAMES: dict[str, str] = {
    "martian-dice": "solver.games.martian_dice:MartianDice",
    "alien-crew": "solver.games.alien_crew:AlienCrew",
    "martians": "solver.games.martians.hunt:Hunt",
    "martians-fights": "solver.games.martians.gauntlet:Gauntlet",
    "pig": "solver.games.pig:Pig",
    "piglet": "solver.games.more.piglet:Piglet",
    "hog": "solver.games.more.hog:Hog",
    "two-dice-pig": "solver.games.more.two_dice_pig:TwoDicePig",
    "threes": "solver.games.more.threes:Threes",
    "zombie-dice": "solver.games.more.zombie_dice:ZombieDice",
    "farkle": "solver.games.more.farkle:Farkle",
    "yahtzee": "solver.games.yahtzee:Yahtzee",
}
"""Game name -> module and class."""
_own: dict[str, Game] = {}


def known_games() -> tuple[str, ...]:
    """Return the names of all games, those of the user's own files last."""
    return (*GAMES, *_own)


def make_known(own: Game) -> None:
    """Let a game of the user's own be found by its name in this process.

    Only the user names files (see :mod:`solver.games.files`): a name never makes one be read.
    """
    _own[own.name] = own


def game_class(name: str) -> type:
    """Return the class of the game called `name`.

    Raises
    ------
    UnknownNameError
        If there is none, with the nearest name suggested.
    """
    if name in _own:
        return type(_own[name])
    if name not in GAMES:
        raise unknown("game", name, known_games(), field="game")
    module, _, kind = GAMES[name].partition(":")
    return cast("type", getattr(import_module(module), kind))


def game(name: str, /, **parameters: Any) -> Game:
    """Return a game by name, with parameters and readings changed.

    Parameters
    ----------
    name
        One of :func:`known_games`.
    **parameters
        Parameter -> value or its text (``target=40``, ``end="immediate"``).

    Returns
    -------
    Game
        A frozen, hashable game.

    Raises
    ------
    UnknownNameError
        On an unknown game, parameter or reading.
    UsageError
        On a value outside its limits.

    Examples
    --------
    >>> game("martian-dice", target=40).race.target
    40
    """
    if name in _own:
        return changed(_own[name], parameters)
    return cast("Game", make(game_class(name), parameters))


def changed(own: Game, parameters: Mapping[str, Any]) -> Game:
    """Return a game with some parameters changed; errors as for :func:`game`."""
    if not parameters:
        return own
    return cast("Game", replace(cast("Any", own), **arguments_of(type(own), parameters)))
