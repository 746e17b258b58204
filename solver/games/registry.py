"""The games by name, loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from solver.errors import unknown
from solver.games.protocol import Game
from solver.games.readings import make

GAMES: dict[str, str] = {
    "martian-dice": "solver.games.martian_dice:MartianDice",
    "alien-crew": "solver.games.alien_crew:AlienCrew",
    "martians": "solver.games.martians.hunt:Hunt",
    "martians-fights": "solver.games.martians.gauntlet:Gauntlet",
    "pig": "solver.games.pig:Pig",
}
"""Game name -> module and class."""


def game_class(name: str) -> type:
    """Return the class of the game called `name`.

    Raises
    ------
    UnknownNameError
        If there is none, with the nearest name suggested.
    """
    if name not in GAMES:
        raise unknown("game", name, GAMES, field="game")
    module, _, kind = GAMES[name].partition(":")
    return cast("type", getattr(import_module(module), kind))


def game(name: str, /, **parameters: Any) -> Game:
    """Return a game by name, with parameters and readings changed.

    Parameters
    ----------
    name
        One of :data:`GAMES`.
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
    return cast("Game", make(game_class(name), parameters))
