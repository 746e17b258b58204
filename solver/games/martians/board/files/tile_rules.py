"""What a tile and a tile set must keep to, beyond the shape of the file."""

from __future__ import annotations

from solver.games.martians.board import components as box
from solver.games.martians.board.components import Mover
from solver.games.martians.board.faults import fault, pointer
from solver.games.martians.board.tile import KINDS, SPOTS, Kind, Side, Spot, Tile, TileSet

_STREETS = (Kind.ROAD, Kind.FIELD, Kind.CROP_CIRCLE)
_BUILDINGS = (Kind.NAMED, Kind.UNNAMED, Kind.HOUSE)
_FARM = ("f-f-f", "| | |", "f-O-f", "| | |", "f-f-f")
_FARMS = "Placing Map Tiles: farms are placed and entered like four-way tiles, nine squares"
_CROSSING = "Player Movement Rules: squares are left over white lines and doors, or by a road"


def check_tiles(tiles: TileSet, at: str = "") -> None:
    """Check a tile set.

    Parameters
    ----------
    tiles
        The set, in the order of its file.
    at
        JSON pointer of the set.

    Raises
    ------
    PositionError
        On the first fault, with its pointer.
    """
    names: dict[str, int] = {}
    houses: list[int] = []
    for number, tile in enumerate(tiles.tiles):
        here = at + pointer("tiles", number)
        if tile.name in names:
            raise fault(
                here + "/name",
                f"tile {names[tile.name]} is called {tile.name} too",
                None,
                "a name of its own, or copies in the other one",
            )
        names[tile.name] = number
        check_tile(tile, here)
        if tile.is_house:
            houses.append(number)
            if tile.copies != 1:
                raise fault(
                    here + "/copies",
                    "there is one House",
                    "Game Setup: the House tile",
                    "leave copies out",
                )
    if len(houses) != 1:
        which = f"tiles {houses[0]} and {houses[1]} both have one" if houses else "no tile has one"
        raise fault(
            at + "/tiles",
            f"a set has one House square X: {which}",
            "Game Setup: pawns start on the House",
            "one X in one tile's map",
        )


def check_tile(tile: Tile, at: str = "") -> None:
    """Check one tile; see :func:`check_tiles`."""
    _check_picture(tile, at + "/map")
    _check_buildings(tile, at)
    _check_roads(tile, at)
    for number, spot in enumerate(tile.icons):
        if spot in tile.icons[:number]:
            raise fault(
                at + pointer("icons", number),
                "the square has an icon already",
                None,
                "leave it out",
            )
        if not tile.kind(spot).lets_in(Mover.PAWN):
            raise fault(
                at + pointer("icons", number),
                f"no player comes to {list(spot)}: {tile.kind(spot)}",
                "Martians Deck Rules: a card is drawn by the player who moves there",
                "[column, row] of a road or building",
            )


def _check_picture(tile: Tile, at: str) -> None:
    for r, row in enumerate(tile.map):
        here = at + pointer(r)
        if len(row) != 5:
            raise fault(
                here,
                f"{row!r} has {len(row)} characters",
                None,
                "five: square, line, square, line, square, with spaces for no line",
            )
        for c, char in enumerate(row):
            if r % 2 == c % 2 == 0:
                allowed, what = "".join(KINDS), "a square"
            else:
                allowed = (" -", " |", " ")[0 if r % 2 == 0 else 2 if c % 2 else 1]
                what = "the way between two squares"
            if char not in allowed:
                shown = " ".join(repr(a) if a == " " else a for a in allowed)
                raise fault(
                    here,
                    f"{char!r} at character {c + 1} of {row!r} is not {what}",
                    None,
                    f"one of {shown}",
                )
    for one, other in tile.lines():
        wrong = _crossing(tile, one, other)
        if wrong:
            number = 2 * one[1] + (one[0] == other[0])
            raise fault(
                at + pointer(number),
                f"the line between {list(one)} and {list(other)} {wrong}",
                "Player Movement Rules: white lines and doors are crossed",
                "a space in its place, or another square",
            )


def _crossing(tile: Tile, one: Spot, other: Spot) -> str | None:
    kinds = {tile.kind(one), tile.kind(other)}
    if Kind.NOTHING in kinds:
        return "leads nowhere"
    if kinds <= set(_BUILDINGS) and tile.mark(one) != tile.mark(other):
        return "joins two buildings: a door joins a building with a road"
    return None


def _check_buildings(tile: Tile, at: str) -> None:
    seen: set[str] = set()
    for number, building in enumerate(tile.buildings):
        here = at + pointer("buildings", number)
        if building.letter in seen:
            raise fault(
                here + "/letter",
                f"building {building.letter} is described twice",
                None,
                "a letter of its own",
            )
        seen.add(building.letter)
        size = len(tile.spots_of(building.letter))
        if not size:
            raise fault(
                here + "/letter",
                f"{building.letter} is not in the map",
                None,
                "put its squares into the map",
            )
        tokens = building.lives + building.bullets + 1
        if tokens > size:
            raise fault(
                here,
                f"{building.name} has {size} squares for {tokens} tokens, its item counted",
                "Placing Map Tiles: one token a square, and one item a building",
                "fewer tokens, or more squares",
            )
    for r in range(0, 5, 2):
        for char in tile.map[r][::2]:
            if KINDS[char] is Kind.NAMED and char not in seen:
                raise fault(
                    at + "/buildings",
                    f"building {char} of the map is not described",
                    None,
                    f'{{"letter": "{char}", "name": "...", "lives": 0, "bullets": 0}}'
                    " in the list, or # for an unnamed building",
                )


def _check_roads(tile: Tile, at: str) -> None:
    marks = [tile.mark(spot) for spot in SPOTS]
    if "O" in marks or "f" in marks:
        for wrong, where in ((tile.map != _FARM, "/map"), (len(tile.roads) != 4, "/roads")):
            if wrong:
                raise fault(
                    at + where,
                    "a farm is a crop circle O with eight squares f around it, all joined, and"
                    " roads NESW",
                    _FARMS,
                    f'"map": {json_rows(_FARM)}, "roads": "NESW"',
                )
        return
    if marks.count("X") > 1:
        raise fault(
            at + "/map", "the House is one square", "Game Setup: pawns start on it", "one X"
        )
    for side in tile.roads:
        if tile.kind(side.spot) not in _STREETS:
            raise fault(
                at + "/roads",
                f"a road leaves over {side.letter}, but the middle square of"
                f" that side is {tile.kind(side.spot)}",
                "Placing Map Tiles: roads meet in the middle of a side",
                f"+ in the map, or leave {side.letter} out",
            )
    near: dict[Spot, set[Spot]] = {spot: set() for spot in SPOTS}
    for one, other in tile.lines():
        near[one].add(other)
        near[other].add(one)
    reached: set[Spot] = {side.spot for side in tile.roads}
    ahead = list(reached)
    while ahead:
        fresh = near[ahead.pop()] - reached
        reached |= fresh
        ahead += fresh
    for spot in SPOTS:
        if spot not in reached and tile.kind(spot).lets_in(Mover.PAWN):
            raise fault(
                at + "/map",
                f"no way leads to {list(spot)}, a {tile.kind(spot)} square",
                _CROSSING,
                "draw the white line or the door that leads there",
            )


def json_rows(rows: tuple[str, ...]) -> str:
    """Return the map of a tile as it stands in a file."""
    return "[" + ", ".join(f'"{row}"' for row in rows) + "]"


def departures(tiles: TileSet) -> tuple[str, ...]:
    """Return where a tile set departs from the contents of the box, in words; empty if nowhere.

    Parameters
    ----------
    tiles
        A tile set. Small ones are allowed: a set need not be a whole box.
    """
    every = [tile for tile in tiles.tiles for _ in range(tile.copies)]
    buildings = [building for tile in every for building in tile.buildings]
    counts = (
        ("map tiles", len(every), box.MAP_TILES, True),
        ("farms", sum(tile.is_farm for tile in every), box.FARMS, True),
        ("life tokens in buildings", sum(b.lives for b in buildings), box.LIFE_TOKENS, False),
        ("bullet tokens in buildings", sum(b.bullets for b in buildings), box.BULLET_TOKENS, False),
    )
    return tuple(
        f"{number} {what}, the box has {there_are}"
        for what, number, there_are, exactly in counts
        if number > there_are or (exactly and number != there_are)
    )


def sides(text: str) -> tuple[Side, ...]:
    """Return the sides of a text of NESW."""
    return tuple(side for side in Side if side.letter in text)
