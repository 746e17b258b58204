"""Files of positions, tiles and cards: begun and checked for ``should-i-roll board``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from solver.apps.cli.files import read_text
from solver.errors import NotationError
from solver.games.martians.board import (
    Play,
    read_position,
    read_tiles,
    start_position,
    synthetic_tiles,
    write_position,
)
from solver.games.martians.board.files import POSITION_FORMAT, TILES_FORMAT
from solver.games.martians.cards import CARDS_FORMAT, read_cards


def beginning(names: Sequence[str], cooperative: bool, tiles: str | None) -> str:
    """Return the position in which a game begins, as its file.

    Parameters
    ----------
    names
        The players, clockwise.
    cooperative
        Whether it is the cooperative game.
    tiles
        A file of tiles, None for the synthetic set.

    Raises
    ------
    UsageError
        If there are not 1 to 6 players with names of their own.
    """
    own = synthetic_tiles() if tiles is None else read_tiles(read_text(tiles))
    play = Play.COOPERATIVE if cooperative else Play.NONCOOPERATIVE
    return write_position(start_position(own, names, play))


def checked(text: str) -> str:
    """Return in words what a file holds, once it is found to be without fault.

    Parameters
    ----------
    text
        The file's text: a position, a tile set or a card set.

    Raises
    ------
    NotationError, PositionError
        On its first fault.
    """
    readers: dict[str, Callable[[str], str]] = {
        POSITION_FORMAT: _a_position,
        TILES_FORMAT: _a_tile_set,
        CARDS_FORMAT: _a_card_set,
    }
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return _a_position(text)  # its reader tells where the text is no JSON
    kind = told.get("format") if isinstance(told, dict) else None
    if kind not in list(readers):
        raise NotationError(
            f"/format: {json.dumps(kind)[:60]} is no format of a board file",
            remedy=", ".join(readers),
            field="/format",
        )
    return readers[kind](text)


def _a_position(text: str) -> str:
    position = read_position(text)
    return (
        f"a legal position: {len(position.layout.placed)} tiles, {len(position.martians)} Martians,"
        f" {len(position.players)} players, step {position.step} of seat {position.seat}"
    )


def _a_tile_set(text: str) -> str:
    tiles = read_tiles(text)
    return f"a tile set: {sum(tile.copies for tile in tiles.tiles)} tiles, named {tiles.name}"


def _a_card_set(text: str) -> str:
    cards = read_cards(text)
    events, martians = (sum(c.copies for c in deck) for deck in (cards.events, cards.martians))
    return f"a card set: {events} event cards, {martians} Martian cards, named {cards.name}"
