"""Tiles typed by people: what is read, what is refused and where, and the set that ships."""

from __future__ import annotations

import doctest
import json
import re
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from solver.errors import NotationError, PositionError, UsageError
from solver.games.martians.board import Kind, Side, TileSet, departures, read_tiles, synthetic_tiles
from solver.games.martians.board import write_tiles as write
from solver.games.martians.board.components import BULLET_TOKENS, ITEM_TOKENS, LIFE_TOKENS, PAWNS
from solver.games.martians.board.files import check_tiles, schema, schema_text
from solver.games.martians.board.files.tiles import DATA

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs/how-to/enter-your-own-tiles.md"
EXAMPLE = json.loads(re.search(r"```json\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)[1])
TILES = synthetic_tiles()
VALID = jsonschema.Draft202012Validator(schema("tiles"))


def changed(*changes):
    """The guide's set with values set (or removed: ...) at JSON pointers."""
    value = deepcopy(EXAMPLE)
    for at, new in changes:
        *path, last = [int(p) if p.isdigit() else p for p in at.split("/")[1:]]
        inner = value
        for part in path:
            inner = inner[part]
        if new is ...:
            del inner[last]
        else:
            inner[last] = new
    return json.dumps(value)


# --- the set that ships


def test_the_synthetic_set_keeps_to_the_counts_of_the_sheet():
    every = [tile for tile in TILES.tiles for _ in range(tile.copies)]
    assert len(every) == TILES.count == 30
    assert sum(tile.is_house for tile in every) == 1
    assert sum(tile.is_farm for tile in every) == 4
    assert departures(TILES) == ()
    assert "synthetic" in TILES.name
    assert "made up" in TILES.about


def test_tokens_suffice_for_six_players_and_every_building():
    buildings = [b for tile in TILES.tiles for b in tile.buildings for _ in range(tile.copies)]
    assert sum(b.lives for b in buildings) + 3 * PAWNS <= LIFE_TOKENS
    assert sum(b.bullets for b in buildings) + 3 * PAWNS <= BULLET_TOKENS
    assert 9 <= len(buildings) <= ITEM_TOKENS
    assert all(b.lives + b.bullets > 0 for b in buildings)


def test_every_shape_of_road_is_in_the_synthetic_set():
    shapes = {len(tile.roads) for tile in TILES.tiles if not tile.buildings}
    assert shapes == {2, 3, 4}
    two = [tile.roads for tile in TILES.tiles if len(tile.roads) == 2]
    assert any(b - a == 2 for a, b in two)
    assert any(b - a == 1 for a, b in two)
    plain = [t for t in TILES.tiles if not t.buildings and t.spots(Kind.UNNAMED)]
    assert len(plain) >= 4
    assert any(tile.icons for tile in TILES.tiles)


def test_the_files_that_ship_are_what_is_written():
    path = DATA / "synthetic-tiles.json"
    assert write(TILES) == path.read_text("utf-8")
    for name in ("tiles", "position"):
        assert (DATA / f"{name}.schema.json").read_text("utf-8") == schema_text(name)


def test_the_schema_is_one_and_takes_what_is_read():
    jsonschema.Draft202012Validator.check_schema(schema("tiles"))
    VALID.validate(json.loads(write(TILES)))
    VALID.validate(EXAMPLE)


# --- reading


def test_what_was_written_is_read_and_written_in_the_same_bytes():
    tiles = read_tiles(json.dumps(EXAMPLE))
    text = write(tiles)
    assert write(read_tiles(text)) == text
    assert read_tiles(text) == tiles
    assert read_tiles(b"\xef\xbb\xbf" + text.encode()) == tiles, "a byte order mark is no fault"
    assert hash(tiles) == hash(read_tiles(text))


def test_a_tile_says_what_its_picture_says():
    diner = read_tiles(json.dumps(EXAMPLE)).tile("diner")
    assert diner.spots(Kind.NAMED) == ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))
    assert diner.roads == (Side.EAST, Side.SOUTH)
    assert ((0, 2), (1, 2)) in diner.lines()
    assert ((0, 1), (1, 1)) not in diner.lines()
    assert diner.arrivals == ((1, 1), (2, 1), (1, 2))


@pytest.mark.parametrize(
    ("at", "new", "message", "by_schema"),
    [
        ("/format", "martians-tiles-2", "does not fit", True),
        ("/name", "My Box", '"My Box" does not fit', True),
        ("/name", "box\n", "does not fit", True),
        ("/about", ..., "it is missing", True),
        ("/tiles", [], "does not fit", True),
        ("/tiles", {}, "does not fit", True),
        ("/tiles/1/mapp", [], "the name 'mapp' is unknown here", True),
        ("/tiles/1/name", 7, "7 does not fit: expected str, got int", True),
        ("/tiles/1/map", ["A-A-A"], "does not fit", True),
        ("/tiles/1/roads", "SE", '"SE" does not fit', True),
        ("/tiles/1/roads", "", "does not fit", True),
        ("/tiles/1/copies", True, "true does not fit: expected int, got bool", True),
        ("/tiles/1/copies", 0, "0 does not fit", True),
        ("/tiles/1/icons/0", [1], "does not fit", True),
        ("/tiles/1/icons/0/1", 3, "3 does not fit", True),
        ("/tiles/1/buildings/0/lives", -1, "-1 does not fit", True),
        ("/tiles/1/buildings/0/letter", "G", "does not fit", True),
        ("/tiles/1/buildings/0/name", "", "does not fit", True),
        ("/tiles/1/name", "house", "tile 0 is called house too", False),
        ("/tiles/1/map/0", "A-AA", '"A-AA" does not fit: expected str of length >= 5', True),
        ("/tiles/1/map/0", "A|A-A", "'|' at character 2 of 'A|A-A' is not the way", "char"),
        ("/tiles/1/map/1", "--   ", "'-' at character 1", "char"),
        ("/tiles/1/map/1", "||   ", "'|' at character 2", "char"),
        ("/tiles/1/map/0", "A-a-A", "'a' at character 3 of 'A-a-A' is not a square", "char"),
        ("/tiles/1/map/3", "| | |", "the line between [2, 1] and [2, 2] leads nowhere", False),
        ("/tiles/1/map/4", "A-+-#", None, False),
        ("/tiles/3/map/0", "#-+ .", None, False),
        ("/tiles/1/buildings", [], "building A of the map is not described", False),
        ("/tiles/1/buildings/0/letter", "B", "B is not in the map", False),
        ("/tiles/1/buildings/0/bullets", 4, "Diner has 5 squares for 6 tokens", False),
        ("/tiles/1/roads", "ESW", "a road leaves over W, but the middle square", False),
        ("/tiles/1/map", ["A-A-A", "|    ", "A +-+", "  |  ", "A-+ ."], "no way leads to [0, 0]",
         False),
        ("/tiles/1/map", ["A A-A", "|    ", "A +-+", "| |  ", "A-+ ."], "no way leads to [1, 0]",
         False),
        ("/tiles/1/icons", [[1, 1], [1, 1]], "the square has an icon already", False),
        ("/tiles/1/icons/0", [2, 2], "no player comes to [2, 2]: nothing", False),
        ("/tiles/0/copies", 2, "there is one House", False),
        ("/tiles/2/roads", "NES", "a farm is a crop circle", False),
        ("/tiles/2/map/3", "| |  ", "a farm is a crop circle", False),
        ("/tiles/3/map/4", "X + .", "no way leads to [0, 2], a house square", False),
    ],
)  # fmt: skip
def test_a_fault_is_told_once_with_its_place(at, new, message, by_schema):
    text = changed((at, new))
    assert VALID.is_valid(json.loads(text)) is not bool(by_schema)
    if message is None:
        read_tiles(text)
        return
    with pytest.raises(UsageError) as found:
        read_tiles(text)
    pointer = found.value.field
    assert found.value.what.startswith(f"{pointer}: ")
    assert pointer
    assert at.startswith(pointer) or pointer.startswith(at), pointer
    assert re.search(message, found.value.what) or message in found.value.what
    assert found.value.remedy
    assert isinstance(found.value, NotationError if by_schema is True else PositionError)


def test_tiles_made_in_python_are_checked_too():
    house = replace(TILES.house, map=("+++", *TILES.house.map[1:]))
    with pytest.raises(PositionError, match=r"/tiles/0/map/0: .* has 3 characters"):
        check_tiles(TileSet("own", "a test", (house,)))


def test_a_door_joins_no_two_buildings():
    text = changed(("/tiles/1/map/0", "A-B-A"))
    with pytest.raises(PositionError, match=r"/tiles/1/map/0: .* joins two buildings"):
        read_tiles(text)


@pytest.mark.parametrize("houses", [0, 2])
def test_a_set_has_one_house(houses):
    plain = ["# + #", "  |  ", "+-+-+", "  |  ", "# + #"]
    if houses:
        second = {**EXAMPLE["tiles"][0], "name": "second"}
        text = changed(("/tiles/3", second))
    else:
        text = changed(("/tiles/0/map", plain))
    with pytest.raises(PositionError, match="/tiles: a set has one House") as found:
        read_tiles(text)
    assert found.value.field == "/tiles"


@pytest.mark.parametrize(
    ("content", "message", "pointer"),
    [
        ("", "line 1 is no JSON", ""),
        ('{"a": 1,\n "b" 2}', "line 2 is no JSON", ""),
        ("[1,\n", "line 2 is no JSON", ""),  # cut off after a whole line
        ('{"a":\u2028\n', "line 1 is no JSON", ""),  # a line only for other readers
        (b"\xff\xfe", "byte 0 is no UTF-8", ""),
        ("[]", "the file: [] does not fit", ""),
        ('{"name": "a", "name": "b"}', "the name 'name' stands twice", "/name"),
        ('{"tiles": [{"map": 1, "map": 2}]}', "stands twice", "/tiles/0/map"),
        ("[" * 100_000, "nested too deeply", ""),
        ('{"name": NaN}', "NaN is no number of JSON", ""),
        ('{"name": ' + "9" * 5000 + "}", "the file: ", ""),
        (" " * 1_000_001, "more than 1000000 bytes", ""),
    ],
    ids=["nothing", "comma", "cut off", "separator", "bytes", "list", "twice", "twice inside",
         "deep", "nan", "long", "big"],
)  # fmt: skip
def test_what_is_no_json_is_told_and_no_traceback(content, message, pointer):
    with pytest.raises(NotationError) as found:
        read_tiles(content)
    assert message in str(found.value)
    assert found.value.field == pointer
    assert len(str(found.value)) < 1000


def test_a_caret_stands_under_the_fault():
    with pytest.raises(NotationError) as found:
        read_tiles('{"name": "x"\n "about": 1}')
    assert str(found.value).splitlines()[1:3] == ['   "about": 1}', "   ^"]


def test_a_slip_of_the_pen_is_guessed():
    with pytest.raises(NotationError) as found:
        read_tiles(changed(("/tiles/1/bildings", [])))
    assert found.value.remedy.startswith("did you mean 'buildings'?")


def test_what_departs_from_the_box_is_told_not_refused():
    tiles = read_tiles(changed(("/tiles/2/copies", 5)))
    assert departures(tiles) == ("10 map tiles, the box has 30", "5 farms, the box has 4")


# --- the guide


def test_the_guide_runs(tmp_path, monkeypatch):
    (tmp_path / "my-box.json").write_text(json.dumps(EXAMPLE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(GUIDE), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0
    assert (tmp_path / "map.svg").stat().st_size > 1000


GUIDE_FAULTS = {
    "/tiles/1/map/0": ("/tiles/1/map/0", "A-AA"),
    "/tiles/1/map/1": ("/tiles/1/map/0", "A-.-A"),
    "/tiles/1/map": ("/tiles/1/map", ["A A-A", "     ", "A +-+", "| |  ", "A-+ ."]),
    "/tiles/1/roads": ("/tiles/1/roads", "NES"),
    "/tiles/1/buildings": ("/tiles/1/buildings", ...),
}


def test_the_faults_of_the_guide_are_told_so():
    told = re.findall(r"^\| `(/tiles[^:]*): (.*?)` \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert len(told) == len(GUIDE_FAULTS)
    for pointer, message in told:
        changes = [GUIDE_FAULTS[pointer]]
        if pointer == "/tiles/1/map/1":
            changes = [("/tiles/1/map/1", "  |  "), ("/tiles/1/map/0", "A . A")]
        with pytest.raises(UsageError) as found:
            read_tiles(changed(*changes))
        assert found.value.what.startswith(f"{pointer}: {message}"), found.value.what
