"""The map as it grows: where a tile fits, and who can step where.

Only the tiles' data are shared with the library's own map: fits and steps are worked out here a
second time, from the rule sheet. Source: the rulebook, Placing Map Tiles; Player Movement Rules;
Martian Movement Rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from solver.errors import PositionError
from solver.games.martians.board.layout import Place, Placed, Square
from solver.games.martians.board.tile import SPOTS, Kind, Tile, TileSet

Placement = tuple[int, int, int]
"""Column, row and quarter turns clockwise of a tile."""
Building = tuple[int, int, str]
"""A named building: column and row of its tile, and its letter."""
_WAYS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_MOUTHS = ((1, 0), (2, 1), (1, 2), (0, 1))
"""North, east, south, west: the way to the next tile, and the spot where a road leaves."""


def reading(squares: Iterable[Square]) -> list[Square]:
    """Return squares in reading order: by y, and then x."""
    return sorted(squares, key=lambda square: (square[1], square[0]))


class Ground:
    """The placed tiles, and what follows from them.

    Parameters
    ----------
    tiles
        The tile set.
    placed
        The tiles that lie already, the House first.

    Raises
    ------
    PositionError
        If one of them does not fit.
    """

    __slots__ = (
        "_needs",
        "_roads",
        "_turns",
        "building_of",
        "buildings",
        "grid",
        "icons",
        "kinds",
        "martian",
        "pawn",
        "placed",
        "tiles",
    )

    def __init__(self, tiles: TileSet, placed: Iterable[Placed]) -> None:
        self.tiles = tiles
        self.placed: list[Placed] = []
        self.grid: dict[Place, Tile] = {}
        self.kinds: dict[Square, Kind] = {}
        """What each square is on which a Martian may stand."""
        self.pawn: dict[Square, list[Square]] = {}
        self.martian: dict[Square, list[Square]] = {}
        """The squares one step away, for a pawn and for a Martian."""
        self.buildings: dict[Building, tuple[Square, ...]] = {}
        self.building_of: dict[Square, Building] = {}
        self.icons: set[Square] = set()
        self._needs: dict[Place, tuple[int, int]] = {}
        """Free places beside tiles: the sides that must have a road, and that must have none."""
        self._roads: dict[str, int] = {}
        self._turns: dict[str, tuple[int, ...]] = {}
        for tile in tiles.tiles:
            self._roads[tile.name] = sum(1 << side for side in tile.roads)
            self._turns[tile.name] = tile.distinct_turns()
        for one in sorted(placed, key=lambda p: (abs(p.column) + abs(p.row), p.row, p.column)):
            self._lay(one)

    @property
    def house(self) -> Square:
        """The House square."""
        return next(square for square, kind in self.kinds.items() if kind is Kind.HOUSE)

    def placements(self, tile: str) -> tuple[Placement, ...]:
        """Return every placement of a tile in which all roads are connected, by row and column."""
        roads = self._roads[tile]
        turned = [
            (turns, (roads << turns | roads >> (4 - turns)) & 15) for turns in self._turns[tile]
        ]
        return tuple(
            (column, row, turns)
            for (column, row), (road, wall) in sorted(
                self._needs.items(), key=lambda item: (item[0][1], item[0][0])
            )
            if road
            for turns, sides in turned
            if sides & road == road and not sides & wall
        )

    def is_stuck(self, deck: Iterable[str]) -> bool:
        """Return whether no tile of the deck fits; with no deck, whether no road is open."""
        names = set(deck)
        if not names:
            return not any(road for road, _ in self._needs.values())
        return not any(self.placements(name) for name in names)

    def add(self, tile: str, placement: Placement) -> Tile:
        """Place a tile where it fits, and return it as it lies."""
        column, row, turns = placement
        return self._lay(Placed(tile, column, row, turns))

    def distances(self, start: Square) -> dict[Square, int]:
        """Return the fewest steps of a pawn to every square that it can reach."""
        steps = {start: 0}
        ahead = deque([start])
        while ahead:
            here = ahead.popleft()
            for there in self.pawn[here]:
                if there not in steps:
                    steps[there] = steps[here] + 1
                    ahead.append(there)
        return steps

    def _lay(self, placed: Placed) -> Tile:
        column, row = placed.place
        tile = self.tiles.tile(placed.tile).turned(placed.turns)
        roads = sum(1 << side for side in tile.roads)
        road, wall = self._needs.pop(placed.place, (0, 0))
        if placed.place in self.grid or roads & road != road or roads & wall:
            raise PositionError(
                f"{placed.tile} does not fit at column {column}, row {row}, turns {placed.turns}",
                rule="Placing Map Tiles 1: all roads are connected, and no building blocks one",
                remedy="another place, or other turns",
            )
        self.placed.append(placed)
        self.grid[placed.place] = tile
        for side, (dx, dy) in enumerate(_WAYS):
            beside = column + dx, row + dy
            if beside not in self.grid:
                road, wall = self._needs.get(beside, (0, 0))
                back = 1 << (side + 2) % 4
                on = roads >> side & 1
                self._needs[beside] = (road | back, wall) if on else (road, wall | back)
        self._walk(placed.place, tile)
        return tile

    def _walk(self, place: Place, tile: Tile) -> None:
        x, y = 3 * place[0], 3 * place[1]
        pairs = [((x + a, y + b), (x + c, y + d)) for (a, b), (c, d) in tile.lines()]
        for side in tile.roads:
            (dx, dy), (i, j) = _WAYS[side], _MOUTHS[side]
            other = self.grid.get((place[0] + dx, place[1] + dy))
            if other is not None and (side + 2) % 4 in other.roads:
                pairs.append(((x + i, y + j), (x + i + dx, y + j + dy)))
        inside = {square for pair in pairs for square in pair}
        found: dict[Building, list[Square]] = {}
        for i, j in SPOTS:
            kind, square = tile.kind((i, j)), (x + i, y + j)
            if kind is Kind.NOTHING or (kind is Kind.UNNAMED and square not in inside):
                continue
            self.kinds[square] = kind
            self.martian[square] = []
            if kind is not Kind.UNNAMED:
                self.pawn[square] = []
            if kind is Kind.NAMED:
                building = (*place, tile.mark((i, j)))
                found.setdefault(building, []).append(square)
                self.building_of[square] = building
        for one, other_square in pairs:
            for near in (self.martian, self.pawn):
                if one in near and other_square in near:
                    near[one].append(other_square)
                    near[other_square].append(one)
        self.buildings.update((building, tuple(squares)) for building, squares in found.items())
        self.icons.update((x + i, y + j) for i, j in tile.icons)
