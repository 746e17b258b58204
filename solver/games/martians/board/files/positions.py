"""Positions read from files and written to them."""

from __future__ import annotations

from typing import Any

import msgspec

from solver.errors import NotationError
from solver.games.martians.board.components import Circle, Play, Token
from solver.games.martians.board.faults import fault, pointer
from solver.games.martians.board.files.json_text import json_text, read_json
from solver.games.martians.board.files.position_rules import check_position
from solver.games.martians.board.files.records import (
    POSITION_FORMAT,
    PlayerRecord,
    PositionRecord,
)
from solver.games.martians.board.files.tiles import plain_tiles, synthetic_tiles, tiles_of
from solver.games.martians.board.layout import Layout, Placed
from solver.games.martians.board.position import CropCircle, Hidden, Known, Player, Position
from solver.games.martians.weapons import read_weapons


def read_position(content: bytes | str) -> Position:
    """Return the position that a JSON text holds, checked and in canonical order.

    Parameters
    ----------
    content
        The file's bytes or text, of the format ``martians-position-1``.

    Raises
    ------
    NotationError
        If it cannot be read; ``field`` is the JSON pointer of the fault.
    PositionError
        If the rules do not allow it: ``field`` is the JSON pointer, ``rule`` the rule that is
        broken, ``remedy`` what to do.
    """
    record = read_json(content, PositionRecord)
    named = record.tiles
    tiles = synthetic_tiles() if isinstance(named, str) else tiles_of(named, "/tiles")
    placed = tuple(Placed(p.tile, p.column, p.row, p.turns) for p in record.layout)
    position = Position(
        play=Play(record.play),
        layout=Layout(tiles, placed),
        discarded=record.discarded,
        drawn=record.drawn,
        martians=record.martians,
        supply=record.supply,
        tokens=tuple(Known(known.at, Token(known.token)) for known in record.tokens),
        hidden=tuple(Hidden(h.squares, h.lives, h.bullets, h.items) for h in record.hidden),
        crop_circles=tuple(CropCircle(c.at, Circle(c.shows)) for c in record.crop_circles),
        players=tuple(_player(player, n) for n, player in enumerate(record.players)),
        seat=record.seat,
        step=record.step,
        moves=record.moves,
    )
    check_position(position)
    return position.canonical()


def _player(record: PlayerRecord, number: int) -> Player:
    try:
        weapons = read_weapons(record.weapons)
    except NotationError as error:
        where = pointer("players", number, "weapons")
        remedy = error.remedy or "each weapon once"
        raise fault(where, error.what, error.rule, remedy) from None
    return Player(
        name=record.name,
        at=record.at,
        lives=record.lives,
        bullets=record.bullets,
        martians=record.martians,
        items=tuple(Token(item) for item in record.items),
        weapons=weapons,
        hand=record.hand,
        played=record.played,
    )


def write_position(position: Position) -> str:
    """Return a position as JSON text: what was written so is read and written in the same bytes.

    The tile set is named if it is the one that is shipped, and part of the text otherwise.
    """
    position = position.canonical()
    shipped = position.tiles == synthetic_tiles()
    named: Any = position.tiles.name if shipped else plain_tiles(position.tiles)
    plain: dict[str, Any] = {
        "format": POSITION_FORMAT,
        "play": position.play,
        "tiles": named,
        "layout": position.layout.placed,
        "players": [
            {**_plain(player), "weapons": str(player.weapons)} for player in position.players
        ],
        "seat": position.seat,
        "step": position.step,
        "supply": position.supply,
        "moves": position.moves,
        "drawn": position.drawn,
        "discarded": position.discarded,
        "martians": position.martians,
        "tokens": position.tokens,
        "hidden": position.hidden,
        "crop_circles": position.crop_circles,
    }
    return json_text(_plain(plain))


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)
