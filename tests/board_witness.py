"""The board by other means: a canvas of characters, and random games placed by the rules.

The canvas holds the tiles' pictures turned as lists of rows; where one can step is read off the
characters. It shares nothing with the library's geometry but the text of the tiles.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from hypothesis import strategies as st

from solver.games.martians.board import (
    Circle,
    Known,
    Placed,
    Play,
    Token,
    arrive,
    start_position,
    steps_of,
    synthetic_tiles,
)
from solver.games.martians.weapons import read_weapons

SWAP = str.maketrans("-|", "|-")
WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def turned(rows, turns):
    for _ in range(turns):
        rows = ["".join(column).translate(SWAP) for column in zip(*rows[::-1], strict=True)]
    return list(rows)


def roads_of(tile, turns):
    """The letters of the sides over which the turned tile's roads leave."""
    return {"NESW"[("NESW".index(side.letter) + turns) % 4] for side in tile.roads}


def canvas(layout):
    """Every square's character, and the pairs of squares that are joined."""
    chars, joined, roads = {}, set(), {}
    for placed in layout.placed:
        tile = layout.tiles.tile(placed.tile)
        rows = turned(tile.map, placed.turns)
        roads[placed.column, placed.row] = roads_of(tile, placed.turns)
        for r, row in enumerate(rows):
            for c, char in enumerate(row):
                x, y = 3 * placed.column + c // 2, 3 * placed.row + r // 2
                if r % 2 == 0 and c % 2 == 0:
                    chars[x, y] = char
                elif char == "-":
                    joined.add(((x, y), (x + 1, y)))
                elif char == "|":
                    joined.add(((x, y), (x, y + 1)))
    for (column, row), sides in roads.items():
        x, y = 3 * column + 1, 3 * row + 1
        for side in sides & {"E", "S"}:
            dx, dy = WAYS[side]
            if "WN"["ES".index(side)] in roads.get((column + dx, row + dy), ()):
                joined.add(((x + dx, y + dy), (x + 2 * dx, y + 2 * dy)))
    return chars, joined | {(b, a) for a, b in joined}, roads


def enters(char, mover):
    return char != "." and (char != "#" or mover == "martian")


def walk_lengths(layout, start, mover, closed=()):
    """Fewest steps to each square, by breadth first over the canvas."""
    chars, joined, _ = canvas(layout)
    found, ahead = {start: 0}, deque([start])
    while ahead:
        x, y = ahead.popleft()
        if (x, y) in closed and (x, y) != start:
            continue
        for dx, dy in WAYS.values():
            other = x + dx, y + dy
            if ((x, y), other) in joined and enters(chars[other], mover) and other not in found:
                found[other] = found[x, y] + 1
                ahead.append(other)
    return found


def placements(layout, name):
    """Every legal (column, row, turns) of a tile, by trying all near the map."""
    _, _, roads = canvas(layout)
    tile = layout.tiles.tile(name)
    legal = set()
    near = {(c + dx, r + dy) for c, r in roads for dx, dy in WAYS.values()} - set(roads)
    for column, row in near:
        for turns in range(4):
            own = roads_of(tile, turns)
            met = 0
            for side, (dx, dy) in WAYS.items():
                other = roads.get((column + dx, row + dy))
                if other is None:
                    continue
                back = "SWNE"["NESW".index(side)]
                if (side in own) != (back in other):
                    break
                met += side in own
            else:
                if met:
                    legal.add((column, row, turns))
    return legal


@st.composite
def boards(draw, tiles=None, most=14):
    """A position after some tiles of a game were drawn and placed by the rules."""
    tiles = tiles or synthetic_tiles()
    play = draw(st.sampled_from(list(Play)))
    names = ["red", "blue", "green", "yellow", "white", "black"]
    position = start_position(tiles, names[: draw(st.integers(1, 6))], play)
    for _ in range(draw(st.integers(0, most))):
        if not position.deck:
            break
        drawn = replace(position, drawn=draw(st.sampled_from(sorted(set(position.deck)))))
        options = drawn.layout.placements(drawn.drawn)
        if options:
            position = arrive(drawn, draw(st.sampled_from(options)))
        else:
            discarded = (*drawn.discarded, drawn.drawn)
            position = replace(drawn, drawn=None, discarded=discarded)
    return position.canonical()


@st.composite
def positions(draw):
    """A legal position of a game that has gone on for a while."""
    position = draw(boards())
    steps = steps_of(position.layout)
    open_to_pawns = [s for s, near in zip(steps.squares, steps.pawn, strict=True) if near]
    players = tuple(
        replace(
            player,
            at=draw(st.sampled_from(open_to_pawns or [player.at])),
            lives=draw(st.integers(0, 3)),
            bullets=draw(st.integers(0, 3)),
            hand=draw(st.integers(0, 3)),
            played=draw(st.booleans()),
            weapons=read_weapons(draw(st.sampled_from(["none", "+1", "reroll:2", "+2,reroll:1"]))),
        )
        for player in position.players
    )
    items = (Token.FUEL, Token.DYNAMITE) if draw(st.booleans()) else ()
    if items and position.items_to_place >= 2:
        players = (replace(players[0], items=items), *players[1:])
    position = replace(position, players=players, seat=draw(st.integers(1, len(players))))
    if position.hidden and draw(st.booleans()):
        group = position.hidden[0]
        if group.bullets:
            at = draw(st.sampled_from(group.squares))
            rest = tuple(square for square in group.squares if square != at)
            others = position.hidden[1:]
            left = (replace(group, squares=rest, bullets=group.bullets - 1),) if rest else ()
            position = replace(position, hidden=left + others, tokens=(Known(at, Token.BULLET),))
    circles = list(position.crop_circles)
    if circles:
        shows = draw(st.sampled_from(list(Circle)))
        circles[0] = replace(circles[0], shows=shows)
    step = draw(st.integers(1, 8))
    squares = st.integers(0, 11) | st.integers(12, 99)  # cards add to them
    moves = {5: draw(squares), 6: draw(st.none() | st.integers(0, 6))}.get(step)
    position = replace(position, crop_circles=tuple(circles), step=step, moves=moves)
    martians = position.martians
    killed = draw(st.integers(0, len(martians)))
    players = (replace(position.players[0], martians=killed), *position.players[1:])
    return replace(position, martians=martians[killed:], players=players).canonical()


def by_hand():
    """House, a diner to its east, a farm to its south: written out in the reference."""
    position = start_position(synthetic_tiles(), ["red", "blue"])
    position = arrive(position, Placed("diner", 1, 0))
    return arrive(position, Placed("farm", 0, 1))
