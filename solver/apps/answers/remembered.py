"""Games that remember what happens at the states they were asked about."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from functools import lru_cache
from typing import Any, cast

from solver.games.protocol import Expansion, Game

_STATES = 1 << 15


def remembered(game: Game) -> Game:
    """Return the same game, whose ``expand`` keeps its last results.

    The rules build every branch of a roll anew, each time; an advisor asks about the same few
    thousand states again and again.

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

    same = type(kind.__name__, (kind,), {"expand": expand, "__slots__": ()})
    same.__module__, same.__doc__ = kind.__module__, kind.__doc__
    values = {f.name: getattr(game, f.name) for f in fields(cast("Any", game)) if f.init}
    own = cast("Game", same(**values))
    return own
