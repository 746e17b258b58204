"""The board of Martians!!!: tiles as data, the map, the steps on it, and positions."""

from solver.games.martians.board.components import Circle, Mover, Play, Token
from solver.games.martians.board.files import (
    check_position,
    departures,
    read_position,
    read_tiles,
    synthetic_tiles,
    write_position,
    write_tiles,
)
from solver.games.martians.board.layout import Layout, Placed, check_layout, start_layout
from solver.games.martians.board.position import CropCircle, Hidden, Known, Player, Position
from solver.games.martians.board.setup import arrive, start_position
from solver.games.martians.board.steps import Steps, graph_of, steps_of
from solver.games.martians.board.tile import Building, Kind, Side, Tile, TileSet

__all__ = [
    "Building",
    "Circle",
    "CropCircle",
    "Hidden",
    "Kind",
    "Known",
    "Layout",
    "Mover",
    "Placed",
    "Play",
    "Player",
    "Position",
    "Side",
    "Steps",
    "Tile",
    "TileSet",
    "Token",
    "arrive",
    "check_layout",
    "check_position",
    "departures",
    "graph_of",
    "read_position",
    "read_tiles",
    "start_layout",
    "start_position",
    "steps_of",
    "synthetic_tiles",
    "write_position",
    "write_tiles",
]
