"""The shape of the files of tiles and of positions: types for reading, source of the schemas.

The descriptions are what a reader is told when a value does not fit.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from solver.games.martians.board.components import BULLET_TOKENS, LIFE_TOKENS, MARTIANS, PAWNS
from solver.games.martians.board.layout import FARTHEST

TilesFormat = Literal["martians-tiles-1"]
PositionFormat = Literal["martians-position-1"]
TILES_FORMAT: TilesFormat = "martians-tiles-1"
POSITION_FORMAT: PositionFormat = "martians-position-1"
_FARTHEST_SQUARE = 3 * FARTHEST + 2

Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9][a-z0-9-]*$(?!\n)",
        max_length=40,
        description="a name of small letters, digits and dashes",
    ),
]
_ONE_LINE = r"^[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$(?!\n)"
Words = Annotated[str, Meta(pattern=_ONE_LINE, max_length=200)]
Called = Annotated[str, Meta(pattern=_ONE_LINE, max_length=40)]
Coordinate = Annotated[
    int,
    Meta(
        ge=-_FARTHEST_SQUARE - 1,
        le=_FARTHEST_SQUARE,
        description="a whole number: x grows to the east, y to the south, three a tile",
    ),
]
SquareRecord = Annotated[
    tuple[Coordinate, Coordinate], Meta(description="a square, as [x, y]", examples=[[1, -2]])
]
OfTile = Annotated[int, Meta(ge=0, le=2, description="0, 1 or 2")]


_ROW = "five characters: square, line, square, line, square; a space is no line"
Squares = Annotated[
    str,
    Meta(
        min_length=5,
        max_length=5,
        description=_ROW,
        extra_json_schema={"pattern": "^[+A-F#.XOf][ -][+A-F#.XOf][ -][+A-F#.XOf]$"},
    ),
]
Lines = Annotated[
    str,
    Meta(
        min_length=5,
        max_length=5,
        description="five characters: | or a space below each square, spaces between",
        extra_json_schema={"pattern": "^[ |] [ |] [ |]$"},
    ),
]


class BuildingRecord(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named building; it also gets one item token."""

    letter: Annotated[str, Meta(pattern=r"^[A-F]$(?!\n)", description="its letter, A to F")]
    name: Annotated[Called, Meta(description="the name printed on it, at most 40 characters")]
    lives: Annotated[int, Meta(ge=0, le=LIFE_TOKENS, description="life tokens, 0 to 30")] = 0
    bullets: Annotated[int, Meta(ge=0, le=BULLET_TOKENS, description="bullet tokens, 0 to 60")] = 0


class TileRecord(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A map tile of three by three squares."""

    name: Name
    map: Annotated[
        tuple[Squares, Lines, Squares, Lines, Squares],
        Meta(
            description="five strings of five characters: squares + A-F # . X O f at even places,"
            " white lines and doors - | between them"
        ),
    ]
    roads: Annotated[
        str,
        Meta(
            pattern=r"^N?E?S?W?$(?!\n)",
            min_length=1,
            description="the sides over which a road leaves, of NESW in this order",
        ),
    ]
    buildings: Annotated[
        tuple[BuildingRecord, ...], Meta(max_length=6, description="the named buildings")
    ] = ()
    icons: Annotated[
        tuple[Annotated[tuple[OfTile, OfTile], Meta(description="[column, row]")], ...],
        Meta(max_length=9, description="squares with a Martian icon, as [column, row] from 0"),
    ] = ()
    copies: Annotated[int, Meta(ge=1, le=99, description="how many there are, 1 to 99")] = 1


class TileSetRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The map tiles of a box."""

    format: Annotated[TilesFormat, Meta(description="martians-tiles-1")]
    name: Name
    about: Annotated[Words, Meta(description="where the tiles come from")]
    tiles: Annotated[
        tuple[TileRecord, ...], Meta(min_length=1, max_length=200, description="the tiles")
    ]


class PlacedRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile on the table."""

    tile: Annotated[Name, Meta(description="the name of a tile of the set")]
    column: Annotated[
        int, Meta(ge=-FARTHEST, le=FARTHEST, description="its column; the House is at 0")
    ]
    row: Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST, description="its row; the House is at 0")]
    turns: Annotated[int, Meta(ge=0, le=3, description="quarter turns clockwise, 0 to 3")] = 0


class TokenRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A token of which everybody knows what it is."""

    at: SquareRecord
    token: Annotated[
        Literal["life", "bullet", "fuel", "fertilizer", "dynamite"],
        Meta(description="life, bullet, fuel, fertilizer or dynamite"),
    ]


class HiddenRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The face-down tokens of one named building."""

    squares: Annotated[
        tuple[SquareRecord, ...],
        Meta(min_length=1, max_length=9, description="squares of one building, as [x, y]"),
    ]
    lives: Annotated[int, Meta(ge=0, le=9, description="how many are life tokens")] = 0
    bullets: Annotated[int, Meta(ge=0, le=9, description="how many are bullet tokens")] = 0
    items: Annotated[int, Meta(ge=0, le=9, description="how many are item tokens")] = 0


class CropCircleRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The crop circle token of a placed farm."""

    at: SquareRecord
    shows: Annotated[
        Literal["face-down", "empty", "mother-ship"],
        Meta(description="face-down, empty or mother-ship"),
    ] = "face-down"


class PlayerRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A player."""

    name: Annotated[Called, Meta(description="how the player is called, at most 40 characters")]
    at: SquareRecord
    lives: Annotated[int, Meta(ge=0, description="life tokens, 0 to 5")]
    bullets: Annotated[int, Meta(ge=0, description="bullet tokens, 0 to 5")]
    martians: Annotated[int, Meta(ge=0, description="Martians collected")] = 0
    items: Annotated[
        tuple[
            Annotated[
                Literal["fuel", "fertilizer", "dynamite"],
                Meta(description="fuel, fertilizer or dynamite"),
            ],
            ...,
        ],
        Meta(description="item tokens: fuel, fertilizer, dynamite"),
    ] = ()
    weapons: Annotated[
        str, Meta(description="weapons in play: none, or +n and reroll:n with commas between")
    ] = "none"
    hand: Annotated[int, Meta(ge=0, le=40, description="event cards in the hand")] = 0
    played: Annotated[
        bool, Meta(description="true if a card was played since the player's last turn began")
    ] = False


class PositionRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A position of Martians!!! on the board."""

    format: Annotated[PositionFormat, Meta(description="martians-position-1")]
    play: Annotated[
        Literal["noncooperative", "cooperative"],
        Meta(description="noncooperative or cooperative"),
    ]
    tiles: Annotated[
        Literal["synthetic"] | TileSetRecord,
        Meta(description='"synthetic" for the set that is shipped, or a whole tile set'),
    ]
    layout: Annotated[
        tuple[PlacedRecord, ...],
        Meta(min_length=1, max_length=200, description="the placed tiles"),
    ]
    players: Annotated[
        tuple[PlayerRecord, ...],
        Meta(min_length=1, max_length=PAWNS, description="1 to 6 players, clockwise"),
    ]
    seat: Annotated[int, Meta(ge=1, le=PAWNS, description="the seat on turn, from 1")]
    step: Annotated[int, Meta(ge=1, le=8, description="step of the Turn Sequence, 1 to 8")]
    supply: Annotated[
        int, Meta(ge=0, le=MARTIANS, description="Martians left to be placed, 0 to 100")
    ]
    moves: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="moves left in step 5 or 6; null while the die is not rolled"),
    ] = None
    drawn: Annotated[
        Name | None, Meta(description="the tile drawn in step 1 and not placed yet, or null")
    ] = None
    discarded: Annotated[
        tuple[Name, ...], Meta(max_length=200, description="tiles that could not be placed")
    ] = ()
    martians: Annotated[
        tuple[SquareRecord, ...], Meta(description="the squares with a Martian, as [x, y]")
    ] = ()
    tokens: Annotated[tuple[TokenRecord, ...], Meta(description="tokens whose face is known")] = ()
    hidden: Annotated[
        tuple[HiddenRecord, ...], Meta(description="face-down tokens, by building")
    ] = ()
    crop_circles: Annotated[
        tuple[CropCircleRecord, ...], Meta(description="one for each placed farm")
    ] = ()
