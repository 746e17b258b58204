"""Drawings of the board show the position, all of it, in the same bytes each time."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from board_witness import by_hand, canvas, positions
from hypothesis import HealthCheck, given, settings

from solver.games.martians.board import (
    Building,
    Circle,
    Known,
    Placed,
    Token,
    arrive,
    read_position,
    start_position,
    synthetic_tiles,
    write_position,
)
from solver.games.martians.board.drawing import draw_svg, draw_text
from solver.games.martians.board.tile import TileSet

NS = "{http://www.w3.org/2000/svg}"
quick = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314  our own


def squares_of(text):
    """The map of a drawing in characters: square -> its four characters, and what is joined."""
    lines = text.split("\n\n")[0].splitlines()
    xs = [int(word) for word in lines[0].split()]
    found, joined = {}, set()
    margin = max(len(re.match(r" *-?\d+", line)[0]) for line in lines[2:-1:2]) + 1
    for number, line in enumerate(lines[2:-1:2], 1):
        y = int(line.split()[0])
        below = lines[2 * number + 1]
        for n, x in enumerate(xs):
            at = margin + 1 + 5 * n
            found[x, y] = line[at : at + 4].ljust(4)
            if line[at + 4 : at + 5] == "-":
                joined.add(((x, y), (x + 1, y)))
            if below[at + 2 : at + 3] == "|":
                joined.add(((x, y), (x, y + 1)))
    return found, joined


@quick
@given(positions())
def test_the_text_shows_every_square_and_every_step(position):
    """Read back from the drawing: what is on each square, and what is joined."""
    found, joined = squares_of(draw_text(position))
    chars, wanted, _ = canvas(position.layout)
    assert {s for s, text in found.items() if text[1] == "M"} == set(position.martians)
    assert joined <= wanted
    assert {(b, a) for a, b in joined} | joined == wanted
    for square, char in chars.items():
        mark = found[square][2]
        if char in "+#X":
            assert mark == char
        elif char == ".":
            assert found[square].strip() == ""
        elif char in "fO":
            assert mark == {"f": ",", "O": "o"}[char]
        else:
            assert mark.isalpha()
    for seat, player in enumerate(position.players, 1):
        assert found[player.at][0] in (str(seat), "&")
    hidden = {square for group in position.hidden for square in group.squares}
    assert all(found[square][3] == "?" for square in hidden)


@quick
@given(positions())
def test_the_svg_shows_everything_once(position):
    root = parsed(draw_svg(position))
    classes = [e.get("class", "") for e in root.iter()]
    assert classes.count("martian") == len(position.martians) + 1, "and one in the key"
    pawns = sum("pawn" in c.split() for c in classes)
    assert pawns == 2 * len(position.players), "on the map and in the list"
    known = len(position.tokens) + sum(len(group.squares) for group in position.hidden)
    circles = sum(c.shows is not Circle.EMPTY for c in position.crop_circles)
    assert sum("token" in c.split() for c in classes) == known + circles + 6
    assert classes.count("open") == len(position.layout.open_ends())
    assert classes.count("house") == 2, "on the map and in the key"


@quick
@given(positions())
def test_nothing_is_drawn_off_the_paper(position):
    root = parsed(draw_svg(position))
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    for element in root.iter():
        for name, most in (("x", width), ("y", height), ("cx", width), ("cy", height)):
            value = element.get(name)
            assert value is None or 0 <= float(value) <= most


@quick
@given(positions())
def test_a_position_read_back_is_drawn_in_the_same_bytes(position):
    again = read_position(write_position(position))
    assert draw_text(again) == draw_text(position)
    assert draw_svg(again) == draw_svg(position)


def test_the_drawing_can_be_named_and_described():
    position = by_hand()
    root = parsed(draw_svg(position))
    assert root.get("role") == "img"
    title, desc = root[0], root[1]
    assert (title.tag, desc.tag) == (f"{NS}title", f"{NS}desc")
    assert "red (seat 1), step 1" in title.text
    assert "4 Martians on the map" in desc.text
    style = root.find(f"{NS}style").text
    assert "prefers-color-scheme:dark" in style


def test_coordinates_stand_on_all_four_edges():
    root = parsed(draw_svg(by_hand()))
    axis = [e.text for e in root.iter(f"{NS}text") if e.get("class") == "axis"]
    assert sorted(axis) == sorted([str(n) for n in range(6)] * 4)


def test_the_sides_of_the_map_are_told_in_the_text():
    lines = draw_text(by_hand()).splitlines()
    assert lines[0].split() == [str(n) for n in range(6)]
    assert lines[2].startswith("0 :")


def test_names_cannot_break_the_drawing():
    """Names are anybody's text: they are escaped, and shortened where they do not fit."""
    tiles = synthetic_tiles()
    diner = replace(
        tiles.tile("diner"), buildings=(Building("A", '<b> & "C" ' + "W" * 30, lives=2),)
    )
    start = start_position(TileSet("own", "a test", (tiles.house, diner)), ["<script>", "a & b"])
    position = arrive(start, Placed("diner", 1, 0))
    root = parsed(draw_svg(position))
    assert not list(root.iter("script"))
    shown = [e for e in root.iter(f"{NS}text") if e.get("class") == "name"]
    assert any("\u2026" in "".join(e.itertext()) for e in shown)
    assert '<b> & "C" ' in "".join(root.itertext())


@pytest.mark.parametrize("face", list(Token))
def test_a_known_token_shows_what_it_is(face):
    position = by_hand()
    (group,) = position.hidden
    at, *rest = group.squares
    position = replace(
        position, tokens=(Known(at, face),), hidden=(replace(group, squares=tuple(rest), items=0),)
    )
    letter = {"life": "L", "bullet": "B", "fuel": "F", "fertilizer": "Z", "dynamite": "D"}[face]
    assert squares_of(draw_text(position))[0][at][3] == letter
    root = parsed(draw_svg(position))
    of_face = [e for e in root.iter() if face.value in (e.get("class") or "").split()]
    assert len(of_face) == 2, "on the map and in the key"


def test_the_mother_ship_is_shown():
    position = by_hand()
    (circle,) = position.crop_circles
    turned = replace(position, crop_circles=(replace(circle, shows=Circle.MOTHER_SHIP),))
    assert squares_of(draw_text(turned))[0][circle.at] == " MoS"
    assert "Mother Ship" in draw_svg(turned)
    assert squares_of(draw_text(position))[0][circle.at] == " Mo?"
