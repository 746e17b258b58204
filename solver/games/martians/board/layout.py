"""Placed tiles: which placements are legal, where roads are open, when the map is stuck.

Tiles stand on a grid of columns (growing to the east) and rows (growing to the south); the House
is at column 0, row 0. Source: the rulebook, Placing Map Tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from solver.errors import UsageError
from solver.games.martians.board.faults import fault, pointer
from solver.games.martians.board.tile import SIZE, Kind, Side, Spot, Tile, TileSet

Place = tuple[int, int]
"""Column and row of a tile."""
Square = tuple[int, int]
"""Coordinates of a square: x to the east, y to the south, three a tile."""
FARTHEST = 99
"""Columns and rows are from -99 to 99."""
_ROADS = "Placing Map Tiles: all roads are connected, and no building blocks a road"


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile on the table.

    Parameters
    ----------
    tile
        The tile's name.
    column, row
        Its place.
    turns
        Quarter turns clockwise, 0 to 3.
    """

    tile: str
    column: int
    row: int
    turns: int = 0

    @property
    def place(self) -> Place:
        """Column and row."""
        return self.column, self.row


def place_of(square: Square) -> Place:
    """Return the place of the tile that a square is of."""
    return square[0] // SIZE, square[1] // SIZE


def spot_of(square: Square) -> Spot:
    """Return where on its tile a square is."""
    return square[0] % SIZE, square[1] % SIZE


def square_at(place: Place, spot: Spot) -> Square:
    """Return the square of a spot of the tile at a place."""
    return SIZE * place[0] + spot[0], SIZE * place[1] + spot[1]


def beside(place: Place, side: Side) -> Place:
    """Return the place on the other side of a tile's side."""
    return place[0] + side.step[0], place[1] + side.step[1]


@dataclass(frozen=True, slots=True)
class Layout:
    """The map as far as it is placed.

    Parameters
    ----------
    tiles
        The tile set.
    placed
        The placed tiles; :func:`check_layout` tells whether they are legal.
    """

    tiles: TileSet
    placed: tuple[Placed, ...]

    @property
    def grid(self) -> dict[Place, Tile]:
        """The placed tiles, turned, by place. Do not change it: it is shared."""
        return _grid(self)

    def kind(self, square: Square) -> Kind:
        """Return what a square is; nothing, where there is no tile."""
        tile = self.grid.get(place_of(square))
        return tile.kind(spot_of(square)) if tile else Kind.NOTHING

    def building(self, square: Square) -> tuple[Place, str] | None:
        """Return which named building a square is of: the tile's place and the letter."""
        if self.kind(square) is not Kind.NAMED:
            return None
        place = place_of(square)
        return place, self.grid[place].mark(spot_of(square))

    def squares(self, *kinds: Kind) -> tuple[Square, ...]:
        """Return the squares of some kinds, by y and then x."""
        found = [
            square_at(place, spot)
            for place, tile in self.grid.items()
            for spot in tile.spots(*kinds)
        ]
        return reading_order(found)

    @property
    def house(self) -> Square:
        """The House square."""
        return self.squares(Kind.HOUSE)[0]

    def open_ends(self) -> tuple[tuple[Place, Side], ...]:
        """Return the roads that lead to a place without a tile: of which tile, over which side."""
        grid = self.grid
        return tuple(
            (place, side)
            for place, tile in sorted(grid.items(), key=lambda item: item[0][::-1])
            for side in tile.roads
            if beside(place, side) not in grid
        )

    def blocked(self, placed: Placed) -> str | None:
        """Return why a tile cannot be added so, or None if it can."""
        grid = self.grid
        if placed.place in grid:
            return "there is a tile already"
        tile = self.tiles.tile(placed.tile).turned(placed.turns)
        touching, roads = 0, 0
        for side in Side:
            other = grid.get(beside(placed.place, side))
            if other is None:
                continue
            touching += 1
            own, theirs = side in tile.roads, side.opposite in other.roads
            if own is not theirs:
                owner = "its road" if own else "a road"
                return f"{owner} would be blocked on its side {side.letter}"
            roads += own
        if not touching:
            return "it touches no placed tile"
        return None if roads else "no road connects it with the map"

    def placements(self, tile: str) -> tuple[Placed, ...]:
        """Return every legal placement of a tile, by row, column and turns.

        Turns that look the same are listed once, with the fewest turns.

        Raises
        ------
        UnknownNameError
            If the set has no such tile.
        """
        turns = self.tiles.tile(tile).distinct_turns()
        places = {beside(place, side) for place, side in self.open_ends()}
        options = [
            Placed(tile, column, row, turn)
            for column, row in sorted(places, key=lambda place: place[::-1])
            for turn in turns
        ]
        return tuple(option for option in options if self.blocked(option) is None)

    def with_tile(self, placed: Placed) -> Layout:
        """Return the map with one more tile.

        Raises
        ------
        PositionError
            If the placement is not legal.
        """
        reason = self.blocked(placed)
        if reason:
            raise fault(
                "",
                f"{placed.tile} cannot be placed at column {placed.column}, row {placed.row} with"
                f" {placed.turns} turns: {reason}",
                _ROADS,
                _some(self.placements(placed.tile)),
            )
        return canonical(Layout(self.tiles, (*self.placed, placed)))

    @property
    def is_closed(self) -> bool:
        """Whether no road is open: whatever the deck holds, nothing can be placed."""
        return not self.open_ends()

    def is_stuck(self, deck: Iterable[str]) -> bool:
        """Return whether no tile of a deck can ever be placed.

        Only placing changes where tiles fit: if none fits now, none ever will. With an empty deck
        the map is stuck if no road is open.
        """
        names = set(deck)
        if not names:
            return self.is_closed
        return not any(self.placements(name) for name in names)


@lru_cache(maxsize=1024)
def _grid(layout: Layout) -> dict[Place, Tile]:
    return {p.place: layout.tiles.tile(p.tile).turned(p.turns) for p in layout.placed}


def _some(placements: tuple[Placed, ...]) -> str:
    if not placements:
        return "there is no room for it: discard it and go on (Placing Map Tiles)"
    shown = [f"column {p.column}, row {p.row}, turns {p.turns}" for p in placements[:3]]
    return "; ".join(shown) + (" ..." if len(placements) > 3 else "")


def reading_order(squares: Iterable[Square]) -> tuple[Square, ...]:
    """Return squares by y and then x."""
    return tuple(sorted(squares, key=lambda square: square[::-1]))


def canonical(layout: Layout) -> Layout:
    """Return the layout with its tiles by row and column."""
    return Layout(
        layout.tiles, tuple(sorted(layout.placed, key=lambda p: (p.row, p.column, p.tile)))
    )


def start_layout(tiles: TileSet) -> Layout:
    """Return the map of a game's start: the House alone."""
    return Layout(tiles, (Placed(tiles.house.name, 0, 0),))


def check_layout(layout: Layout, at: str = "/layout") -> None:
    """Check that a map can have been placed by the rules.

    Parameters
    ----------
    layout
        The map.
    at
        JSON pointer of its list of tiles.

    Raises
    ------
    PositionError
        On the first fault, with its pointer.
    """
    tiles = layout.tiles
    left = Counter({tile.name: tile.copies for tile in tiles.tiles})
    taken: dict[Place, int] = {}
    for number, placed in enumerate(layout.placed):
        here = at + pointer(number)
        try:
            tile = tiles.tile(placed.tile)
        except UsageError as error:
            raise fault(here + "/tile", error.what, None, error.remedy) from None
        if placed.turns not in range(4):
            raise fault(
                here + "/turns",
                f"{placed.turns} is no number of quarter turns",
                None,
                "0 to 3, clockwise",
            )
        if max(abs(placed.column), abs(placed.row)) > FARTHEST:
            raise fault(here, "the place is too far away", None, f"-{FARTHEST} to {FARTHEST}")
        left[placed.tile] -= 1
        if left[placed.tile] < 0:
            raise fault(
                here + "/tile",
                f"{placed.tile} is placed more often than there are tiles",
                f"the tile set has {tile.copies} of it",
                "name another tile",
            )
        if placed.place in taken:
            raise fault(
                here,
                f"tile {taken[placed.place]} is at column {placed.column}, row"
                f" {placed.row} already",
                None,
                "give it a place of its own",
            )
        taken[placed.place] = number
        if tile.is_house and placed.place != (0, 0):
            raise fault(
                here,
                "the House is not at column 0, row 0",
                "coordinates are counted from the House",
                "shift all tiles",
            )
    if (0, 0) not in taken or not layout.grid[0, 0].is_house:
        raise fault(
            at,
            "the House is not placed",
            "Game Setup: the House is placed first",
            f'{{"tile": "{tiles.house.name}", "column": 0, "row": 0}}',
        )
    _check_roads(layout, taken, at)


def _check_roads(layout: Layout, taken: dict[Place, int], at: str) -> None:
    grid = layout.grid
    for number, placed in enumerate(layout.placed):
        for side in Side:
            other = beside(placed.place, side)
            if other in grid and (side in grid[placed.place].roads) is not (
                side.opposite in grid[other].roads
            ):
                has = "has" if side in grid[placed.place].roads else "has no"
                raise fault(
                    at + pointer(number),
                    f"{placed.tile} {has} road over its side {side.letter}, where tile"
                    f" {taken[other]} ({layout.placed[taken[other]].tile}) does not agree",
                    _ROADS,
                    "turn or move one of the two",
                )
    reached, ahead = {(0, 0)}, [(0, 0)]
    while ahead:
        place = ahead.pop()
        for side in grid[place].roads:
            other = beside(place, side)
            if other in grid and other not in reached:
                reached.add(other)
                ahead.append(other)
    for number, placed in enumerate(layout.placed):
        if placed.place not in reached:
            raise fault(
                at + pointer(number),
                f"no road connects {placed.tile} with the House",
                _ROADS,
                "move it to an open road",
            )
