"""A position drawn in characters, for terminals and mail.

A square is four characters: the pawn, a Martian, what the square is, a token. Between squares
``-`` and ``|`` are steps; ``:`` and dots are the sides of tiles.
"""

from __future__ import annotations

from string import ascii_letters

from solver.games.martians.board.components import Circle, Token
from solver.games.martians.board.drawing import words
from solver.games.martians.board.layout import Layout, Square, place_of
from solver.games.martians.board.position import Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.board.tile import SIZE, Kind

MARKS = {
    Kind.NOTHING: " ",
    Kind.ROAD: "+",
    Kind.UNNAMED: "#",
    Kind.HOUSE: "X",
    Kind.FIELD: ",",
    Kind.CROP_CIRCLE: "o",
}
TOKENS = {
    Token.LIFE: "L",
    Token.BULLET: "B",
    Token.FUEL: "F",
    Token.FERTILIZER: "Z",
    Token.DYNAMITE: "D",
}
_CIRCLES = {Circle.FACE_DOWN: "?", Circle.EMPTY: " ", Circle.MOTHER_SHIP: "S"}
_LEGEND = (
    (
        "squares: pawn (& several), M Martian, + road, # unnamed building, X House, , farm,"
        " o crop circle,"
    ),
    (
        "  letters a named building; i after a road: Martian icon; then ? face-down, L life,"
        " B bullet, F fuel,"
    ),
    "  Z fertilizer, D dynamite, S Mother Ship. - and | are steps, : and . sides of tiles.",
    "  Squares are named x,y: the numbers above and at the left.",
)


def draw_text(position: Position) -> str:
    """Return a position as a map in characters, with a legend.

    Parameters
    ----------
    position
        A legal position.

    Returns
    -------
    str
        Lines of ASCII (names as they are), ending with a newline.
    """
    names = words.building_names(position)
    letters = dict(zip(names, ascii_letters, strict=False))
    west, north, east, south = bounds(position.layout)
    xs, ys = range(west, east + 1), range(north, south + 1)
    content = {(x, y): _content(position, (x, y), letters) for x in xs for y in ys}
    margin = max(len(str(north)), len(str(south))) + 1
    head = " " * margin + " " + " ".join(f"{x:^4}" for x in xs)
    lines = [head.rstrip(), _between(position.layout, xs, north - 1, margin)]
    for y in ys:
        row = f"{y:>{margin - 1}} " + _side(position.layout, (west - 1, y))
        for x in xs:
            row += content[x, y] + _side(position.layout, (x, y))
        lines += [row.rstrip(), _between(position.layout, xs, y, margin)]
    lines += [head.rstrip(), "", words.moment(position), words.supplies(position)]
    lines += [f"{n} {words.player_line(p)}" for n, p in enumerate(position.players, 1)]
    inside = words.contents(position)
    lines += [
        f"{letters.get(key, '?')} {name}: {inside[key] or 'nothing'}" for key, name in names.items()
    ]
    lines += [*words.circle_lines(position), "", *_LEGEND]
    return "\n".join(lines) + "\n"


def bounds(layout: Layout) -> tuple[int, int, int, int]:
    """Return the least x and y and the greatest x and y of a map's squares."""
    columns = [placed.column for placed in layout.placed]
    rows = [placed.row for placed in layout.placed]
    return (
        SIZE * min(columns),
        SIZE * min(rows),
        SIZE * max(columns) + SIZE - 1,
        SIZE * max(rows) + SIZE - 1,
    )


def _content(position: Position, square: Square, letters: dict[tuple[Square, str], str]) -> str:
    kind = position.layout.kind(square)
    home = position.layout.building(square)
    seats = [n for n, player in enumerate(position.players, 1) if player.at == square]
    pawn = "&" if len(seats) > 1 else str(seats[0]) if seats else " "
    martian = "M" if square in position.martians else " "
    mark = letters.get(home, "?") if home else MARKS[kind]
    token = "i" if words.has_icon(position, square) else " "
    for group in position.hidden:
        token = "?" if square in group.squares else token
    for known in position.tokens:
        token = TOKENS[known.token] if known.at == square else token
    for circle in position.crop_circles:
        token = _CIRCLES[circle.shows] if circle.at == square else token
    return pawn + martian + mark + token


def _open(layout: Layout, one: Square, other: Square) -> bool:
    steps = steps_of(layout)
    return (
        one in steps and other in steps and steps.number(other) in steps.martian[steps.number(one)]
    )


def _side(layout: Layout, square: Square) -> str:
    """Return the character between a square and the one east of it."""
    east = square[0] + 1, square[1]
    if _open(layout, square, east):
        return "-"
    grid, places = layout.grid, (place_of(square), place_of(east))
    return ":" if places[0] != places[1] and any(p in grid for p in places) else " "


def _between(layout: Layout, xs: range, y: int, margin: int) -> str:
    """Return the line between the squares of a row and those south of them."""
    grid = layout.grid
    line = " " * margin
    for x in range(xs.start - 1, xs.stop):
        square, south = (x, y), (x, y + 1)
        border = place_of(square) != place_of(south) and (
            place_of(square) in grid or place_of(south) in grid
        )
        if x >= xs.start:
            fill = "." if border else " "
            line += fill * 2 + ("|" if _open(layout, square, south) else fill) + fill
        corner = place_of(square) != place_of((x + 1, y))
        around = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        touched = any(place_of(s) in grid for s in around)
        border = border or (
            place_of((x + 1, y)) != place_of((x + 1, y + 1))
            and any(place_of(s) in grid for s in around[1::2])
        )
        line += ":" if corner and touched else "." if border else " "
    return line.rstrip()
