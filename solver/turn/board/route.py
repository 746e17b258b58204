"""The way that best play walks: over free squares, to the next event or to where it stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from solver.games.martians.plan.finds import ALL_ITEMS
from solver.turn.board.matter import Key
from solver.turn.board.nodes import Nodes
from solver.turn.board.values import Values

What = Literal["stop", "fight", "find", "circle", "ship"]


@dataclass(frozen=True, slots=True)
class Route:
    """A way and what is at its end.

    Parameters
    ----------
    squares
        Numbers of the squares that are entered, in order; none to stay.
    what
        What happens on the last one: the player stops there, fights, turns over a token, comes to
        a crop circle, or is at the Mother Ship with all items.
    value, death
        What that is worth, and the chance to die in this turn.
    """

    squares: tuple[int, ...]
    what: What
    value: float
    death: float


def best_route(values: Values, key: Key, lives: int, bullets: int) -> Route:
    """Return what best play does for a player who stands free on a square.

    Parameters
    ----------
    values
        What nodes are worth.
    key
        A walk of its nodes.
    lives, bullets
        The player's tokens.

    Raises
    ------
    KeyError
        If the nodes do not lead there.
    """
    nodes = values.nodes
    at, moves, _, _, _, _ = key
    ends: list[tuple[int, int, What]] = []  # node, square, what
    for stop, node in nodes.stops(key):
        ends.append((node, at if stop < 0 else stop, "stop"))
    for square, node in nodes.events(key):
        ends.append((node, square, _what(nodes, key, square)))
    value = values.value[:, lives, bullets]
    death = values.death[:, lives, bullets]
    most = max(value[node] for node, _, _ in ends)
    tied = [end for end in ends if value[end[0]] >= most - values.tie]
    node, square, what = min(tied, key=lambda end: death[end[0]])
    way = () if what == "stop" and square == at else _way(nodes, key, square)
    assert len(way) <= moves
    return Route(way, what, float(value[node]), float(death[node]))


def _what(nodes: Nodes, key: Key, square: int) -> What:
    finds = nodes.finds[key[4]]
    if key[2] >> square & 1:
        return "fight"
    if square == finds.ship and finds.held == ALL_ITEMS:
        return "ship"
    return "circle" if finds.circles >> square & 1 else "find"


def _way(nodes: Nodes, key: Key, target: int) -> tuple[int, ...]:
    """Return the shortest free way to a square; of several, over the squares that come first."""
    start = key[0]
    before: dict[int, int] = {}
    ring = [start]
    while target not in before:
        ahead: list[int] = []
        for square in ring:
            for other in nodes.ground.near[square]:
                if other not in before and (other == target or not nodes.happens(key, other)):
                    before[other] = square
                    ahead.append(other)
        ring = ahead
    way = [target]
    while (last := before[way[-1]]) != start:
        way.append(last)
    return tuple(reversed(way))
