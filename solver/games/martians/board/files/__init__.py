"""Files of tiles and positions: reading, checking, writing, and their schemas."""

from solver.games.martians.board.files.position_rules import check_position
from solver.games.martians.board.files.positions import read_position, write_position
from solver.games.martians.board.files.records import POSITION_FORMAT, TILES_FORMAT
from solver.games.martians.board.files.schema import schema, schema_text
from solver.games.martians.board.files.tile_rules import check_tiles, departures
from solver.games.martians.board.files.tiles import read_tiles, synthetic_tiles, write_tiles

__all__ = [
    "POSITION_FORMAT",
    "TILES_FORMAT",
    "check_position",
    "check_tiles",
    "departures",
    "read_position",
    "read_tiles",
    "schema",
    "schema_text",
    "synthetic_tiles",
    "write_position",
    "write_tiles",
]
