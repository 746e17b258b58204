"""A map tile: nine squares, the white lines between them, and the roads that leave it.

A tile's `map` is its picture: five strings of five characters. Squares stand at even rows and
columns; between two squares a ``-`` or ``|`` is a white line or a door that may be crossed, a
space is none. Local squares, *spots*, are (i, j): i from west to east, j from north to south.

======  ==================================================================
``+``   road
``A-F`` named building, one letter for each building of the tile
``#``   unnamed building
``.``   nothing
``X``   the House square
``O``   crop circle, the middle of a farm
``f``   the other eight squares of a farm
======  ==================================================================

Source: the rulebook, Placing Map Tiles; Player Movement Rules; Martian Ship Tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import lru_cache

from solver.errors import unknown
from solver.games.martians.board.components import Mover

SIZE = 3
LETTERS = "ABCDEF"
Spot = tuple[int, int]
SPOTS: tuple[Spot, ...] = tuple((i, j) for j in range(SIZE) for i in range(SIZE))
MIDDLE: Spot = (1, 1)


class Kind(StrEnum):
    """What a square is."""

    NOTHING = "nothing"
    ROAD = "road"
    NAMED = "named building"
    UNNAMED = "unnamed building"
    HOUSE = "house"
    FIELD = "field"
    CROP_CIRCLE = "crop circle"

    def lets_in(self, mover: Mover) -> bool:
        """Return whether `mover` may stand on such a square (Player, Martian Movement Rules)."""
        if self is Kind.UNNAMED:
            return mover is Mover.MARTIAN
        return self is not Kind.NOTHING


KINDS = {
    ".": Kind.NOTHING,
    "+": Kind.ROAD,
    "#": Kind.UNNAMED,
    "X": Kind.HOUSE,
    "f": Kind.FIELD,
    "O": Kind.CROP_CIRCLE,
    **dict.fromkeys(LETTERS, Kind.NAMED),
}


class Side(IntEnum):
    """A side of a tile, in quarter turns clockwise from north."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        """N, E, S or W."""
        return "NESW"[self]

    @property
    def opposite(self) -> Side:
        """The side that it meets on the neighbouring tile."""
        return self.turned(2)

    @property
    def step(self) -> tuple[int, int]:
        """The way over that side, in columns and rows; rows grow to the south."""
        return ((0, -1), (1, 0), (0, 1), (-1, 0))[self]

    @property
    def spot(self) -> Spot:
        """The spot in the middle of the side, over which a road leaves."""
        return ((1, 0), (2, 1), (1, 2), (0, 1))[self]

    def turned(self, turns: int) -> Side:
        """Return the side after so many quarter turns clockwise."""
        return Side((self + turns) % 4)


@dataclass(frozen=True, slots=True)
class Building:
    """A named building of a tile; it also gets one item token.

    Parameters
    ----------
    letter
        Its letter in the tile's map.
    name
        The name printed on it.
    lives, bullets
        How many life and bullet tokens it gets.
    """

    letter: str
    name: str
    lives: int = 0
    bullets: int = 0


@dataclass(frozen=True, slots=True)
class Tile:
    """A map tile as printed, or turned.

    Parameters
    ----------
    name
        Its name in the tile set.
    map
        The picture, five strings of five characters.
    roads
        The sides over which a road leaves, in the order of :class:`Side`.
    buildings
        The named buildings, by letter.
    icons
        The spots with a Martian icon (Martians Deck Rules), in reading order.
    copies
        How many such tiles there are.
    """

    name: str
    map: tuple[str, ...]
    roads: tuple[Side, ...]
    buildings: tuple[Building, ...] = ()
    icons: tuple[Spot, ...] = ()
    copies: int = 1

    def mark(self, spot: Spot) -> str:
        """Return the character of a spot."""
        return self.map[2 * spot[1]][2 * spot[0]]

    def kind(self, spot: Spot) -> Kind:
        """Return what a spot is."""
        return KINDS[self.mark(spot)]

    def spots(self, *kinds: Kind) -> tuple[Spot, ...]:
        """Return the spots of some kinds, in reading order."""
        return tuple(spot for spot in SPOTS if self.kind(spot) in kinds)

    def spots_of(self, letter: str) -> tuple[Spot, ...]:
        """Return the spots of a named building, in reading order."""
        return tuple(spot for spot in SPOTS if self.mark(spot) == letter)

    def lines(self) -> tuple[tuple[Spot, Spot], ...]:
        """Return the pairs of spots with a white line or a door between them."""
        east = [
            ((i, j), (i + 1, j))
            for j in range(3)
            for i in range(2)
            if self.map[2 * j][2 * i + 1] == "-"
        ]
        south = [
            ((i, j), (i, j + 1))
            for j in range(2)
            for i in range(3)
            if self.map[2 * j + 1][2 * i] == "|"
        ]
        return tuple(sorted(east + south))

    @property
    def is_farm(self) -> bool:
        """Whether a crop circle is in its middle."""
        return self.mark(MIDDLE) == "O"

    @property
    def is_house(self) -> bool:
        """Whether the game starts on it."""
        return bool(self.spots(Kind.HOUSE))

    @property
    def arrivals(self) -> tuple[Spot, ...]:
        """The spots that get a Martian when the tile is placed.

        Each street square; of a farm only the crop circle (reading `farm`); none of the House,
        which is placed before the game begins.
        """
        if self.is_house:
            return ()
        return (MIDDLE,) if self.is_farm else self.spots(Kind.ROAD)

    def turned(self, turns: int) -> Tile:
        """Return the tile after so many quarter turns clockwise."""
        return _turned(self, turns % 4)

    def distinct_turns(self) -> tuple[int, ...]:
        """Return the quarter turns, fewest first, that do not look like an earlier one."""
        seen: dict[Tile, int] = {}
        for turns in range(4):
            seen.setdefault(self.turned(turns), turns)
        return tuple(seen.values())


@lru_cache(maxsize=4096)
def _turned(tile: Tile, turns: int) -> Tile:
    if not turns:
        return tile
    across = {"-": "|", "|": "-"}
    size = range(2 * SIZE - 1)
    rows = tuple(
        "".join(across.get(tile.map[4 - c][r], tile.map[4 - c][r]) for c in size) for r in size
    )
    quarter = replace(
        tile,
        map=rows,
        roads=tuple(sorted(side.turned(1) for side in tile.roads)),
        icons=tuple(sorted(((2 - j, i) for i, j in tile.icons), key=lambda s: (s[1], s[0]))),
    )
    return _turned(quarter, turns - 1)


@dataclass(frozen=True, slots=True)
class TileSet:
    """The map tiles of a box.

    Parameters
    ----------
    name
        Its name.
    about
        Where it comes from.
    tiles
        The tiles, each with its number of copies.
    """

    name: str
    about: str
    tiles: tuple[Tile, ...]

    def tile(self, name: str) -> Tile:
        """Return the tile of a name.

        Raises
        ------
        UnknownNameError
            If there is none, with the nearest.
        """
        for tile in self.tiles:
            if tile.name == name:
                return tile
        raise unknown("tile", name, [tile.name for tile in self.tiles], field="tile")

    @property
    def house(self) -> Tile:
        """The tile on which the game starts."""
        return next(tile for tile in self.tiles if tile.is_house)

    @property
    def count(self) -> int:
        """How many tiles there are, all copies counted."""
        return sum(tile.copies for tile in self.tiles)
