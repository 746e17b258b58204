"""Tile sets read from files and written to them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from solver.games.martians.board.files.json_text import json_text, read_json
from solver.games.martians.board.files.records import (
    TILES_FORMAT,
    BuildingRecord,
    TileRecord,
    TileSetRecord,
)
from solver.games.martians.board.files.tile_rules import check_tiles, sides
from solver.games.martians.board.tile import Building, Tile, TileSet

DATA = Path(__file__).parent.parent / "data"


def read_tiles(content: bytes | str) -> TileSet:
    """Return the tile set that a JSON text holds.

    Parameters
    ----------
    content
        The file's bytes or text, of the format ``martians-tiles-1``.

    Raises
    ------
    NotationError
        If it cannot be read; ``field`` is the JSON pointer of the fault.
    PositionError
        If a tile breaks a rule; ``field`` is the JSON pointer of the fault.
    """
    return tiles_of(read_json(content, TileSetRecord))


def tiles_of(record: TileSetRecord, at: str = "") -> TileSet:
    """Return the checked tile set of a record that stands at a JSON pointer."""
    tiles = TileSet(record.name, record.about, tuple(map(_tile, record.tiles)))
    check_tiles(tiles, at)
    return tiles


def write_tiles(tiles: TileSet) -> str:
    """Return a tile set as JSON text; what was written so is read and written in the same bytes."""
    return json_text(plain_tiles(tiles))


def plain_tiles(tiles: TileSet) -> dict[str, Any]:
    """Return a tile set as plain values."""
    record = TileSetRecord(TILES_FORMAT, tiles.name, tiles.about, tuple(map(_record, tiles.tiles)))
    plain: dict[str, Any] = msgspec.to_builtins(record)
    return plain


@lru_cache(maxsize=1)
def synthetic_tiles() -> TileSet:
    """Return the synthetic tile set that is shipped: made up, with the counts of the rule sheet."""
    return read_tiles((DATA / "synthetic-tiles.json").read_bytes())


def _tile(record: TileRecord) -> Tile:
    return Tile(
        record.name,
        record.map,
        sides(record.roads),
        tuple(Building(b.letter, b.name, b.lives, b.bullets) for b in record.buildings),
        record.icons,
        record.copies,
    )


def _record(tile: Tile) -> TileRecord:
    rows: Any = tile.map
    return TileRecord(
        tile.name,
        rows,
        "".join(side.letter for side in tile.roads),
        tuple(BuildingRecord(b.letter, b.name, b.lives, b.bullets) for b in tile.buildings),
        tile.icons,
        tile.copies,
    )
