"""A position drawn as SVG: one file without scripts or fonts of its own, for light and dark.

The same position gives the same bytes.
"""

from __future__ import annotations

from html import escape

from solver.games.martians.board.components import Mover, Token
from solver.games.martians.board.drawing import glyphs, words
from solver.games.martians.board.drawing.glyphs import UNIT
from solver.games.martians.board.drawing.text import bounds
from solver.games.martians.board.layout import (
    Layout,
    Place,
    Square,
    place_of,
    square_at,
)
from solver.games.martians.board.position import Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.board.tile import SIZE, SPOTS, Kind, Side

_CLASSES = {
    Kind.ROAD: "road",
    Kind.NAMED: "named",
    Kind.UNNAMED: "unnamed",
    Kind.HOUSE: "house",
    Kind.FIELD: "field",
    Kind.CROP_CIRCLE: "field",
}
_BUILT = (Kind.NAMED, Kind.UNNAMED, Kind.HOUSE)
_MARGIN = 34
_LEAST_WIDTH = 710
_LINE = 19
_HEAD, _WORD, _SMALL = 10, 8, 7
"""Width of a letter of each size of type, in a wide font."""


def draw_svg(position: Position) -> str:
    """Return a position as an SVG document.

    Parameters
    ----------
    position
        A legal position.

    Returns
    -------
    str
        The document, with a title and a description for who cannot see it.
    """
    west, north, east, south = bounds(position.layout)
    across, down = UNIT * (east - west + 1), UNIT * (south - north + 1)
    width = max(across + 2 * _MARGIN, _LEAST_WIDTH, _widest(position))
    left = (width - across) // 2 - UNIT * west
    top = _MARGIN - UNIT * north
    map_ = _Map(position, left, top)
    lines, height = _legend(position, down + 2 * _MARGIN, width)
    title = escape(f"Martians!!! - {words.moment(position)}")
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="mb" role="img" width="{width}"'
            f' height="{height}" viewBox="0 0 {width} {height}">'
        ),
        f"<title>{title}</title>",
        f"<desc>{escape(words.summary(position))}</desc>",
        f"<style>{glyphs.STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *_axes(west, north, east, south, left, top),
        *map_.ground(),
        *map_.boundaries(),
        *map_.edges(),
        *map_.pieces(),
        *map_.names(),
        *map_.pawns(),
        *lines,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Map:
    """The part of a drawing that shows the tiles."""

    def __init__(self, position: Position, left: int, top: int) -> None:
        self.position = position
        self.layout: Layout = position.layout
        self.left, self.top = left, top
        self.places = sorted(self.layout.grid, key=lambda place: place[::-1])

    def at(self, square: Square) -> tuple[int, int]:
        return self.left + UNIT * square[0], self.top + UNIT * square[1]

    def ground(self) -> list[str]:
        parts = []
        for place in self.places:
            x, y = self.at(square_at(place, (0, 0)))
            side = SIZE * UNIT
            parts.append(f'<rect class="ground" x="{x}" y="{y}" width="{side}" height="{side}"/>')
            for spot in SPOTS:
                square = square_at(place, spot)
                name = _CLASSES.get(self.layout.kind(square))
                if name:
                    x, y = self.at(square)
                    parts.append(
                        f'<rect class="{name}" x="{x}" y="{y}" width="{UNIT}" height="{UNIT}"/>'
                    )
        return parts

    def boundaries(self) -> list[str]:
        """Return lines, doors and walls between neighbouring squares."""
        steps = steps_of(self.layout)
        lines, walls = [], []
        for place in self.places:
            for spot in SPOTS:
                one = square_at(place, spot)
                for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                    other = one[0] + dx, one[1] + dy
                    inside = place_of(other) == place
                    later = dx + dy > 0
                    if not later and place_of(other) in self.layout.grid:
                        continue  # drawn from the other side
                    if one in steps and other in steps.next_to(one, Mover.MARTIAN):
                        lines.append(self._crossing(one, other))
                    elif self._is_wall(one, other, inside=inside):
                        walls.append(self._stroke("wall", one, other, 0))
        return lines + walls

    def _is_wall(self, one: Square, other: Square, *, inside: bool) -> bool:
        kinds = self.layout.kind(one), self.layout.kind(other)
        if any(kind in _BUILT for kind in kinds):
            same = Kind.UNNAMED in kinds and kinds[0] is kinds[1]
            return not same
        return inside and Kind.NOTHING not in kinds

    def _crossing(self, one: Square, other: Square) -> str:
        kinds = {self.layout.kind(one), self.layout.kind(other)}
        built = [kind for kind in kinds if kind in _BUILT]
        if built and len(kinds) == 2:
            return self._stroke("wall", one, other, 0) + self._stroke("door", one, other, 10)
        if built or kinds <= {Kind.FIELD, Kind.CROP_CIRCLE}:
            return self._stroke("line", one, other, 6)
        return self._stroke("line", one, other, 3)

    def _stroke(self, name: str, one: Square, other: Square, short: int) -> str:
        x, y = self.at((max(one[0], other[0]), max(one[1], other[1])))
        if one[1] == other[1]:
            x1, y1, x2, y2 = x, y + short, x, y + UNIT - short
        else:
            x1, y1, x2, y2 = x + short, y, x + UNIT - short, y
        return f'<line class="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'

    def edges(self) -> list[str]:
        """Return the sides of tiles, and an arrow where a road is open."""
        parts = []
        for place in self.places:
            x, y = self.at(square_at(place, (0, 0)))
            side = SIZE * UNIT
            parts.append(f'<rect class="edge" x="{x}" y="{y}" width="{side}" height="{side}"/>')
        for place, to in self.layout.open_ends():
            parts.append(self._arrow(place, to))
        return parts

    def _arrow(self, place: Place, side: Side) -> str:
        x, y = self.at(square_at(place, side.spot))
        dx, dy = side.step
        tip_x, tip_y = x + 20 + 29 * dx, y + 20 + 29 * dy
        base_x, base_y = x + 20 + 22 * dx, y + 20 + 22 * dy
        return (
            f'<path class="open" d="M{tip_x} {tip_y}L{base_x + 6 * dy} {base_y + 6 * dx}'
            f'L{base_x - 6 * dy} {base_y - 6 * dx}z"/>'
        )

    def pieces(self) -> list[str]:
        position = self.position
        parts = [
            glyphs.icon(*self.at(square_at(place, spot)))
            for place in self.places
            for spot in self.layout.grid[place].icons
        ]
        parts += [glyphs.crop_circle(*self.at(c.at), c.shows) for c in position.crop_circles]
        parts += [
            f'<text class="name" font-size="9" x="{x + 20}" y="{y + 35}">House</text>'
            for x, y in [self.at(self.layout.house)]
        ]
        parts += [glyphs.martian(*self.at(square)) for square in position.martians]
        hidden = [square for group in position.hidden for square in group.squares]
        parts += [glyphs.token(*self.at(square), None) for square in hidden]
        parts += [glyphs.token(*self.at(known.at), known.token) for known in position.tokens]
        return parts

    def pawns(self) -> list[str]:
        parts: list[str] = []
        for seat, player in enumerate(self.position.players, 1):
            here = [p.at for p in self.position.players[: seat - 1]].count(player.at)
            parts.append(glyphs.pawn(*self.at(player.at), seat, here))
        return parts

    def names(self) -> list[str]:
        """Return the names of the buildings, each along its longest run of squares."""
        inside = words.contents(self.position)
        parts = []
        for key, name in words.building_names(self.position).items():
            place, letter = key
            tile = self.layout.grid[place]
            own = {square_at(place, spot) for spot in tile.spots_of(letter)}
            run = max(
                (
                    self._run(square, step, own)
                    for square in sorted(own)
                    for step in ((1, 0), (0, 1))
                ),
                key=len,
            )
            (x1, y1), (x2, y2) = self.at(run[0]), self.at(run[-1])
            x, y = (x1 + x2 + UNIT) / 2, (y1 + y2 + UNIT) / 2
            tip = f"{name}: {inside[key] or 'nothing'}"
            size, shown = _fitted(name, UNIT * len(run) - 4)
            text = f"<title>{escape(tip)}</title>{escape(shown)}</text>"
            where = f'x="{x:g}" y="{y1 + 35:g}"'
            if len(run) > 1 and x1 == x2:
                where = f'x="{x1 + 13}" y="{y:g}" transform="rotate(-90 {x1 + 13} {y:g})"'
            parts.append(f'<text class="name" font-size="{size:g}" {where}>{text}')
        return parts

    def _run(self, square: Square, step: tuple[int, int], own: set[Square]) -> list[Square]:
        run = []
        while square in own:
            run.append(square)
            square = square[0] + step[0], square[1] + step[1]
        return run


def _axes(west: int, north: int, east: int, south: int, left: int, top: int) -> list[str]:
    """Return the coordinates on all four edges."""
    parts = []
    high, low = top + UNIT * north - 14, top + UNIT * (south + 1) + 22
    for x in range(west, east + 1):
        middle = left + UNIT * x + UNIT // 2
        parts += [f'<text class="axis" x="{middle}" y="{y}">{x}</text>' for y in (high, low)]
    near, far = left + UNIT * west - 19, left + UNIT * (east + 1) + 19
    for y in range(north, south + 1):
        middle = top + UNIT * y + UNIT // 2 + 4
        parts += [f'<text class="axis" x="{x}" y="{middle}">{y}</text>' for x in (near, far)]
    return parts


def _legend(position: Position, top: int, width: int) -> tuple[list[str], int]:
    """Return what stands below the map, and where it ends."""
    y = top + 16
    parts = [f'<text class="head" x="24" y="{y}">{escape(words.moment(position))}</text>']
    y += _LINE
    parts.append(f'<text class="words" x="24" y="{y}">{escape(words.supplies(position))}</text>')
    y += 6
    for seat, player in enumerate(position.players, 1):
        y += _LINE
        parts.append(glyphs.pawn(24, y - 13, seat))
        line = escape(words.player_line(player))
        parts.append(f'<text class="words" x="46" y="{y}">{line}</text>')
    texts = _contents(position)
    columns = max(1, (width - 48) // (_SMALL * max(map(len, texts), default=1) + 24))
    y += 8
    rows = -(-len(texts) // columns)
    for number, text in enumerate(texts):
        column, row = divmod(number, rows)
        x = 24 + column * ((width - 48) // columns)
        parts.append(
            f'<text class="small" x="{x}" y="{y + _LINE * (row + 1)}">{escape(text)}</text>'
        )
    y += _LINE * rows + 12
    return [*parts, *_key(y)], y + 66


def _widest(position: Position) -> int:
    """Return the width that the longest line of words needs."""
    lines = [words.supplies(position), *map(words.player_line, position.players)]
    return 70 + max(
        _HEAD * len(words.moment(position)),
        _WORD * max(map(len, lines)),
        _SMALL * max(map(len, _contents(position)), default=0),
    )


def _contents(position: Position) -> list[str]:
    """Return a line for each building and crop circle on the map."""
    inside = words.contents(position)
    texts = [f"{n}: {inside[k] or 'nothing'}" for k, n in words.building_names(position).items()]
    return [*texts, *words.circle_lines(position)]


def _fitted(name: str, room: int) -> tuple[float, str]:
    """Return the size of type in which a name fits, and the name, cut if it must be."""
    size = min(9.0, max(6.0, int(2 * room / (0.62 * len(name))) / 2))
    most = int(room / (0.62 * size))
    return size, name if len(name) <= most else name[: max(most - 1, 1)] + "\u2026"


def _key(y: int) -> list[str]:
    """Return what the signs mean."""
    parts, x = [], 24
    for face in (None, *Token):
        name = face.value if face else "face-down"
        parts.append(glyphs.token(x - 25, y + 2, face))
        parts.append(f'<text class="small" x="{x + 18}" y="{y + 15}">{name}</text>')
        x += 42 + _SMALL * len(name)
    y += 26
    x = 24
    for sign, name in (
        (glyphs.martian(x - 9, y - 9), "Martian"),
        ("road", "Martian icon"),
        ("named", "named building"),
        ("unnamed", "unnamed building"),
        ("field", "farm"),
        ("house", "House"),
    ):
        box = f'<rect class="{sign}" x="{x}" y="{y}" width="22" height="22"/>'
        parts.append(sign if sign.startswith("<") else box)
        if sign == "road":
            parts.append(glyphs.icon(x - 21, y - 21))
        parts.append(f'<text class="small" x="{x + 28}" y="{y + 15}">{name}</text>')
        x += 46 + _SMALL * len(name)
    return parts
