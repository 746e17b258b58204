"""Games that remember what happens at the states, and what the positions, they were asked about."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import lru_cache
from typing import Any, cast

from solver.games.position import Position
from solver.games.protocol import Expansion, Game

_STATES = 1 << 15
_POSITIONS = 1 << 13  # of about 1 kB each
_PLAIN = (str, bool)  # as questions tell


def remembered(game: Game) -> Game:
    """Return the same game, whose ``expand`` and ``read_position`` keep their last results.

    The rules build every branch of a roll anew, each time; an advisor asks about the same few
    thousand states again and again, and people about the same dice at other scores.

    Parameters
    ----------
    game
        A game that is a frozen dataclass; another is returned as it is.
    """
    kind = type(game)
    if not hasattr(kind, "__dataclass_fields__"):
        return game

    @lru_cache(maxsize=_STATES)
    def kept(state: Hashable) -> Expansion:
        return game.expand(state)

    def expand(self: Game, state: Any) -> Expansion:
        if self is not own:  # made from it with other parameters
            return kind.expand(self, state)
        return kept(state)

    @lru_cache(maxsize=_POSITIONS)
    def position(told: tuple[tuple[str, Hashable], ...]) -> Position:
        return cast("Position", cast("Any", game).read_position(**dict(told)))

    def read_position(self: Game, **told: Any) -> Position:
        if self is own and all(type(value) in _PLAIN for value in told.values()):
            return position(tuple(told.items()))
        return cast("Position", cast("Any", kind).read_position(self, **told))

    body: dict[str, Any] = {"expand": expand, "__slots__": ()}
    if hasattr(kind, "read_position"):
        body["read_position"] = read_position
    same = type(kind.__name__, (kind,), body)
    same.__module__, same.__doc__ = kind.__module__, kind.__doc__
    values = {f.name: getattr(game, f.name) for f in fields(cast("Any", game)) if f.init}
    own = cast("Game", same(**values))
    return own
