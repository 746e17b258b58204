"""The start of a game, and what a tile brings with it when it is placed.

Source: the rulebook, Game Setup; Placing Map Tiles; Martian Ship Tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from solver.errors import UsageError
from solver.games.martians.board.components import (
    BULLET_TOKENS,
    HAND,
    LIFE_TOKENS,
    MARTIANS,
    PAWNS,
    Play,
    Token,
)
from solver.games.martians.board.layout import Placed, Square, square_at, start_layout
from solver.games.martians.board.position import CropCircle, Hidden, Player, Position
from solver.games.martians.board.tile import MIDDLE, TileSet


def start_position(
    tiles: TileSet, names: Iterable[str], play: Play = Play.NONCOOPERATIVE
) -> Position:
    """Return the position in which a game begins, step 1 of the first seat's turn.

    Parameters
    ----------
    tiles
        The tile set.
    names
        The players, clockwise, the first on turn.
    play
        Which of the two games.

    Raises
    ------
    UsageError
        If there are not 1 to 6 players, or two of one name.
    """
    layout = start_layout(tiles)
    players = tuple(Player(name, layout.house, hand=HAND) for name in names)
    if not 1 <= len({player.name for player in players}) == len(players) <= PAWNS:
        raise UsageError("a game is of 1 to 6 players with names of their own", field="players")
    return Position(play, layout, (), None, (), MARTIANS, (), (), (), players, 1, 1, None)


def arrive(
    position: Position, placed: Placed, at: Mapping[str, Sequence[Square]] | None = None
) -> Position:
    """Return the position after a tile is placed, with its Martians and tokens.

    The tile is the drawn one, or comes from the deck. Martians and tokens are placed while there
    are any; Martians in reading order of the squares, as turned.

    Parameters
    ----------
    position
        The position before.
    placed
        A legal placement.
    at
        Building letter -> the squares that get its tokens; by default the first in reading order.

    Raises
    ------
    PositionError
        If the placement is not legal.
    UsageError
        If the tile is neither drawn nor in the deck, or `at` names other squares than the
        building's, one of them twice, or too few of them.
    """
    if position.drawn != placed.tile and (
        position.drawn is not None or placed.tile not in position.deck
    ):
        raise UsageError(f"{placed.tile} is not the tile to place", field="tile")
    layout = position.layout.with_tile(placed)
    tile = layout.grid[placed.place]
    squares = [square_at(placed.place, spot) for spot in tile.arrivals]
    squares = [s for s in squares if s not in position.martians][: position.supply]
    circles = position.crop_circles
    if tile.is_farm:
        circles = (*circles, CropCircle(square_at(placed.place, MIDDLE)))
    hidden = position.hidden
    items, lives, bullets = position.items_to_place, *_tokens_left(position)
    for building in tile.buildings:
        own = [square_at(placed.place, spot) for spot in tile.spots_of(building.letter)]
        found = min(building.lives, lives), min(building.bullets, bullets), int(items > 0)
        group = Hidden((), *found)
        items, lives, bullets = items - group.items, lives - group.lives, bullets - group.bullets
        number = group.lives + group.bullets + group.items
        wanted = list((at or {}).get(building.letter, own))
        if len(set(wanted)) < max(number, len(wanted)) or not set(wanted) <= set(own):
            raise UsageError(
                f"the {number} tokens of {building.name} do not fit on {wanted}",
                rule="Placing Map Tiles: inside the building, one token a square",
                remedy=f"{number} of {own}",
                field="at",
            )
        if number:
            hidden = (*hidden, replace(group, squares=tuple(wanted[:number])))
    return replace(
        position,
        layout=layout,
        drawn=None,
        martians=(*position.martians, *squares),
        supply=position.supply - len(squares),
        hidden=hidden,
        crop_circles=circles,
    ).canonical()


def _tokens_left(position: Position) -> tuple[int, int]:
    """Return how many life and bullet tokens lie beside the board."""
    faces = [known.token for known in position.tokens]
    lives = faces.count(Token.LIFE) + sum(group.lives for group in position.hidden)
    bullets = faces.count(Token.BULLET) + sum(group.bullets for group in position.hidden)
    lives += sum(player.lives for player in position.players)
    bullets += sum(player.bullets for player in position.players)
    return max(LIFE_TOKENS - lives, 0), max(BULLET_TOKENS - bullets, 0)
