"""Positions of the board: read with every rule checked, written in the same bytes."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from board_witness import by_hand, positions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.errors import NotationError, PositionError, UsageError
from solver.games.martians import Hunt
from solver.games.martians.board import (
    Circle,
    Hidden,
    Known,
    Placed,
    Play,
    Token,
    check_position,
    read_position,
    start_position,
    synthetic_tiles,
    write_position,
)
from solver.games.martians.board.files import schema
from solver.games.source import source_digest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/reference/board-files.md").read_text("utf-8")
TEXT = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1]
EXAMPLE = json.loads(TEXT)
POSITION = read_position(TEXT)
VALID = jsonschema.Draft202012Validator(schema("position"))
quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def changed(changes):
    """The reference's position with values set, or removed (...), at JSON pointers."""
    value = deepcopy(EXAMPLE)
    for at, new in changes.items():
        *path, last = [int(p) if p.isdigit() else p for p in at.split("/")[1:]]
        inner = value
        for part in path:
            inner = inner[part]
        if new is ...:
            del inner[last]
        elif isinstance(inner, list) and last == len(inner):
            inner.append(new)
        else:
            inner[last] = new
    return json.dumps(value)


# --- the same bytes


def test_the_position_of_the_reference_is_as_it_is_written():
    assert json.loads(write_position(POSITION)) == EXAMPLE
    VALID.validate(EXAMPLE)


def test_the_position_of_the_reference_is_the_one_that_the_rules_lead_to():
    """By the rules: two tiles placed, then red finds a life, and kills the Martian there."""
    position = by_hand()
    red, blue = position.players
    red = replace(
        red,
        at=(4, 1),
        bullets=2,
        martians=1,
        items=(Token.FUEL,),
        weapons=POSITION.players[0].weapons,
    )
    martians = tuple(square for square in position.martians if square != (4, 1))
    (group,) = position.hidden
    position = replace(
        position,
        players=(red, blue),
        martians=martians,
        tokens=(Known((3, 0), Token.LIFE),),
        hidden=(Hidden(group.squares[1:], 1, 0, 1),),
        step=5,
        moves=4,
    )
    assert position == POSITION


@quick
@given(positions())
def test_what_was_written_is_read_and_written_in_the_same_bytes(position):
    text = write_position(position)
    again = read_position(text)
    assert again == position
    assert hash(again) == hash(position)
    assert write_position(again) == text
    VALID.validate(json.loads(text))


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(positions())
def test_many_positions_are_written_and_read_in_the_same_bytes(position):
    check_position(position)
    assert write_position(read_position(write_position(position))) == write_position(position)


@quick
@given(positions(), st.randoms(use_true_random=False))
def test_the_order_of_lists_without_order_does_not_matter(position, random):
    plain = json.loads(write_position(position))
    for name in ("layout", "martians", "tokens", "hidden", "crop_circles", "discarded"):
        random.shuffle(plain[name])
    for group in plain["hidden"]:
        random.shuffle(group["squares"])
    for player in plain["players"]:
        random.shuffle(player["items"])
    assert read_position(json.dumps(plain)) == position


def test_what_may_be_left_out_may_be_left_out():
    short = {
        key: EXAMPLE[key]
        for key in ("format", "play", "tiles", "layout", "seat", "supply", "crop_circles")
    }
    short["players"] = [{"name": "red", "at": [2, 0], "lives": 3, "bullets": 3}]
    position = read_position(json.dumps({**short, "step": 1}))
    assert (position.drawn, position.moves, position.martians, position.hidden) == (
        None,
        None,
        (),
        (),
    )
    assert position.players[0].hand == 0


def test_a_tile_set_of_ones_own_travels_with_the_position():
    own = replace(synthetic_tiles(), name="own")
    position = start_position(own, ["red"])
    text = write_position(position)
    assert '"name": "own"' in text
    assert read_position(text) == position
    assert '"tiles": "synthetic"' in write_position(start_position(synthetic_tiles(), ["red"]))
    bad = text.replace('"roads": "ESW"', '"roads": "NESW"', 1)
    with pytest.raises(PositionError, match="a road leaves over N") as found:
        read_position(bad)
    assert re.fullmatch("/tiles/tiles/[0-9]+/roads", found.value.field)


# --- what is refused


FAULTS = {
    # shape
    "format": ({"/format": "martians-position-2"}, "/format", "does not fit"),
    "set": ({"/tiles": "my-box"}, "/tiles", "does not fit"),
    "missing": ({"/players/0/lives": ...}, "/players/0/lives", "it is missing"),
    "unknown": ({"/players/0/live": 3}, "/players/0/live", "unknown here"),
    "square": ({"/martians/0": [1]}, "/martians/0", "does not fit"),
    "text": ({"/martians/0": [1, "2"]}, "/martians/0/1", "does not fit"),
    "far": ({"/martians/0": [1, 9999]}, "/martians/0/1", "does not fit"),
    "token": ({"/tokens/0/token": "gold"}, "/tokens/0/token", "does not fit"),
    "weapon": ({"/players/1/weapons": "+9"}, "/players/1/weapons", "'+9' is no weapon"),
    "weapon twice": ({"/players/1/weapons": "+1,+1"}, "/players/1/weapons", "held twice"),
    # tiles
    "no tile": ({"/layout/1/tile": "dinner"}, "/layout/1/tile", "unknown tile 'dinner'"),
    "no house": ({"/layout/0/tile": "four-way"}, "/layout", "the House is not placed"),
    "house elsewhere": (
        {"/layout/0/column": 5},
        "/layout/0",
        "the House is not at column 0, row 0",
    ),
    "one place": ({"/layout/2/row": 0}, "/layout/2", "tile 0 is at column 0, row 0 already"),
    "copies": (
        {"/layout/3": {"tile": "diner", "column": 2, "row": 0}},
        "/layout/3/tile",
        "placed more often",
    ),
    "sides": ({"/layout/1/turns": 1}, "/layout/0", "does not agree"),
    "apart": (
        {"/layout/3": {"tile": "tee", "column": 9, "row": 9}},
        "/layout/3",
        "no road connects tee",
    ),
    "blank beside blank": (
        {"/layout/3": {"tile": "straight", "column": 1, "row": -1, "turns": 1}},
        "/layout/3",
        "no road connects straight",
    ),
    "discarded": ({"/discarded": ["house"]}, "/discarded/0", "on the table already"),
    "discarded unknown": ({"/discarded": ["tee", "x"]}, "/discarded/1", "no tile 'x'"),
    "drawn": ({"/drawn": "diner", "/step": 1, "/moves": None}, "/drawn", "on the table already"),
    # Martians
    "two Martians": ({"/martians/2": [3, 1]}, "/martians/2", "has a Martian already"),
    "Martian nowhere": ({"/martians/2": [20, 1]}, "/martians/2", "nothing is there"),
    "Martian walled in": (
        {"/martians/2": [3, 2]},
        "/martians/2",
        "cannot stand on [3, 2]: it is a square of an unnamed building",
    ),
    "supply": ({"/supply": 97}, "/supply", "101 Martians"),
    # tokens
    "token on a street": ({"/tokens/0/at": [4, 1]}, "/tokens/0/at", "no token lies on [4, 1]"),
    "two tokens": ({"/tokens/0/at": [4, 0]}, "/hidden/0/squares/0", "has a token already"),
    "tokens and squares": ({"/hidden/0/items": 0}, "/hidden/0", "2 squares for 1 tokens"),
    "too many lives": (
        {"/hidden/0/lives": 3, "/hidden/0/items": 0},
        "/hidden/0/lives",
        "which has at most 2",
    ),
    "two items": (
        {"/hidden/0/lives": 0, "/hidden/0/items": 2},
        "/hidden/0/items",
        "which has at most 1",
    ),
    "item beside item": ({"/tokens/0/token": "dynamite"}, "/hidden/0/items", "which has at most 0"),
    "known items": (
        {
            "/tokens": [
                {"at": [3, 0], "token": "fuel"},
                {"at": [4, 0], "token": "dynamite"},
            ],
            "/hidden": [],
        },
        "/tokens/1/token",
        "a second item in one building",
    ),
    "two groups": (
        {
            "/hidden": [
                {"squares": [[4, 0]], "lives": 1},
                {"squares": [[5, 0]], "items": 1},
            ]
        },
        "/hidden/1",
        "has a group already",
    ),
    # crop circles
    "no crop circle": ({"/crop_circles": []}, "/crop_circles", "the farm at [1, 4] has none"),
    "no farm": ({"/crop_circles/0/at": [1, 3]}, "/crop_circles/0/at", "not the middle"),
    "two crop circles": (
        {"/crop_circles/1": {"at": [1, 4]}},
        "/crop_circles/1/at",
        "has one already",
    ),
    # players
    "pawn off the road": ({"/players/0/at": [3, 2]}, "/players/0/at", "a pawn cannot stand"),
    "pawn nowhere": ({"/players/1/at": [-1, 0]}, "/players/1/at", "nothing is there"),
    "six lives": ({"/players/0/lives": 6}, "/players/0/lives", "red has 6"),
    "six bullets": ({"/players/1/bullets": 6}, "/players/1/bullets", "blue has 6"),
    "item twice": ({"/players/0/items": ["fuel", "fuel"]}, "/players/0/items/1", "fuel already"),
    "names": ({"/players/1/name": "red"}, "/players/1/name", "no name of this player alone"),
    "hand": ({"/players/1/hand": 4}, "/players/1/hand", "4 event cards and is not on turn"),
    "seven players": (
        {"/players": [{"name": str(n), "at": [2, 0], "lives": 1, "bullets": 1} for n in range(7)]},
        "/players",
        "does not fit",
    ),
    # the turn
    "seat": ({"/seat": 3}, "/seat", "there is no seat 3"),
    "step": ({"/step": 9}, "/step", "9 does not fit"),
    "moves missing": ({"/moves": None}, "/moves", "step 5 needs the moves"),
    "moves too many": ({"/moves": 100}, "/moves", "100 moves"),
    "moves of Martians": ({"/step": 6, "/moves": 7}, "/moves", "7 moves"),
    "moves at another time": ({"/step": 4}, "/moves", "nothing is moved in step 4"),
    "drawn late": ({"/drawn": "tee"}, "/drawn", "no tile is in the hand in step 5"),
}
SHAPE = {"format", "set", "missing", "unknown", "square", "text", "far", "token", "seven players",
         "step"}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_once_with_place_rule_and_remedy(name):
    changes, pointer, message = FAULTS[name]
    text = changed(changes)
    with pytest.raises(UsageError) as found:
        read_position(text)
    error = found.value
    assert error.field == pointer
    assert error.what.startswith(f"{pointer}: ")
    assert message in error.what
    assert error.remedy
    assert isinstance(error, NotationError) == (name in SHAPE)
    assert VALID.is_valid(json.loads(text)) == (name not in SHAPE)


def places(value, at=""):
    yield at
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in pairs:
            yield from places(inner, f"{at}/{name}")


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-200, 200),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "red", "house", "tee", "fuel", "+1", "\n", "\u00e9"]),
    st.sampled_from([[], {}, [1, 1], [[1, 1]], [{}], {"at": [1, 4]}, ...]),
)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(places(EXAMPLE))[1:]), ANYTHING, max_size=3))
def test_whatever_a_file_holds_it_is_read_or_told_what_is_wrong(changes):
    try:
        text = changed(changes)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return  # a place that an earlier change took away
    told = None
    try:
        position = read_position(text)
    except UsageError as error:
        told = error
    if told is not None:
        assert told.what.startswith(told.field)
        assert "\n" not in told.what
        return
    check_position(position)
    assert read_position(write_position(position)) == position


RULES = {
    "two Martians": "Martian Movement Rules",
    "supply": "Contents: 100 Martians",
    "six lives": "Additional Rules",
    "item twice": "Player Movement Rules",
    "hand": "Event Card Rules",
    "two tokens": "Placing Map Tiles",
    "no crop circle": "Martian Ship Tokens",
    "sides": "Placing Map Tiles",
    "moves too many": "Turn Sequence Overview 5",
    "no house": "Game Setup",
}


@pytest.mark.parametrize("name", RULES)
def test_a_fault_cites_the_section_that_it_breaks(name):
    with pytest.raises(PositionError) as found:
        read_position(changed(FAULTS[name][0]))
    assert found.value.rule.startswith(RULES[name])


def test_the_message_of_the_reference_is_the_one_given():
    shown = PAGE.split("```text\n")[1].split("```")[0]
    with pytest.raises(PositionError) as found:
        read_position(changed(FAULTS["two Martians"][0]))
    assert str(found.value) + "\n" == shown


def test_tokens_of_other_buildings_are_groups_of_their_own():
    value = json.loads(changed({"/layout/3": {"tile": "post-office", "column": 2, "row": 0}}))
    value["hidden"] = [{"squares": [[4, 0], [6, 0]], "lives": 1, "items": 1}]
    with pytest.raises(PositionError, match="is of another building") as found:
        read_position(json.dumps(value))
    assert found.value.field == "/hidden/0/squares/1"


FARM_PLACES = ((0, -1), (0, 1), (-1, 0), (1, 0))


def farms(shows):
    position = start_position(synthetic_tiles(), ["red"])
    layout = position.layout
    for (column, row), _ in zip(FARM_PLACES, shows, strict=False):
        layout = layout.with_tile(Placed("farm", column, row))
    position = replace(position, layout=layout)
    value = json.loads(write_position(position))
    value["crop_circles"] = [
        {"at": [3 * column + 1, 3 * row + 1], "shows": what}
        for (column, row), what in zip(FARM_PLACES, shows, strict=False)
    ]
    return json.dumps(value)


def test_one_crop_circle_and_only_one_is_the_mother_ship():
    assert read_position(farms(["empty"] * 3 + ["mother-ship"])).mother_ship_chance == 0
    for shows in (["empty"] * 4, ["mother-ship", "mother-ship"]):
        with pytest.raises(PositionError, match="only one, is the Mother Ship") as found:
            read_position(farms(shows))
        assert found.value.field == f"/crop_circles/{len(shows) - 1}/shows"


def test_there_are_no_more_items_than_in_the_box():
    """Co-operative: three of each. Four players cannot have fuel."""
    player = {"at": [2, 0], "lives": 3, "bullets": 3, "items": ["fuel"]}
    four = [{"name": str(n), **player} for n in range(4)]
    assert read_position(changed({"/players": four}))
    with pytest.raises(PositionError, match="4 fuel tokens") as found:
        read_position(changed({"/players": four, "/play": "cooperative"}))
    assert "3 of each item" in found.value.rule
    every = [{**p, "items": ["fuel", "fertilizer", "dynamite"]} for p in four[:3]]
    with pytest.raises(PositionError, match="1 item tokens face-down, 0 are not seen"):
        read_position(changed({"/players": every, "/play": "cooperative"}))


def test_there_are_no_more_life_tokens_than_in_the_box():
    six = [{"name": str(n), "at": [2, 0], "lives": 5, "bullets": 5} for n in range(6)]
    with pytest.raises(PositionError, match="32 life tokens with the players and on the board"):
        read_position(changed({"/players": six}))


def test_a_position_made_in_python_is_checked_as_one_that_is_read():
    check_position(POSITION)
    for bad, pointer in (
        (replace(POSITION, supply=101), "/supply"),
        (replace(POSITION, seat=0), "/seat"),
        (replace(POSITION, hidden=(Hidden(()),)), "/hidden/0/squares"),
        (replace(POSITION, players=()), "/players"),
        (replace(POSITION, step=0), "/step"),
    ):
        with pytest.raises(PositionError) as found:
            check_position(bad)
        assert found.value.field == pointer


# --- what is known and what is not


def test_the_deck_is_the_set_less_what_is_gone():
    assert len(POSITION.deck) == 27
    assert POSITION.deck.count("farm") == 3
    assert "diner" not in POSITION.deck
    gone = replace(POSITION, discarded=("tee",), drawn="clinic", step=1, moves=None)
    assert len(gone.deck) == 25
    assert gone.deck.count("tee") == 1
    assert "clinic" not in gone.deck


def test_each_face_down_token_is_as_likely_on_each_square():
    """One life and one item on two squares; of the 17 unseen items five are fuel."""
    chances = POSITION.token_chances((4, 0))
    assert chances == POSITION.token_chances((5, 0))
    assert chances == {
        Token.LIFE: Fraction(1, 2),
        Token.FUEL: Fraction(5, 34),
        Token.FERTILIZER: Fraction(6, 34),
        Token.DYNAMITE: Fraction(6, 34),
    }
    assert POSITION.token_chances((3, 0)) == {Token.LIFE: Fraction(1)}
    assert POSITION.token_chances((4, 1)) == {}


@quick
@given(positions())
def test_chances_sum_to_one_and_add_up_to_the_tokens(position):
    for group in position.hidden:
        chances = [position.token_chances(square) for square in group.squares]
        assert all(sum(each.values()) == 1 for each in chances)
        lives = sum(each.get(Token.LIFE, Fraction(0)) for each in chances)
        assert lives == group.lives
    unseen = dict(position.unseen_items)
    held = sum(len(player.items) for player in position.players)
    total = 9 if position.play is Play.COOPERATIVE else 18
    assert sum(unseen.values()) + held == total
    assert 0 <= position.items_to_place <= total


def test_each_crop_circle_not_turned_is_as_likely_the_mother_ship():
    assert POSITION.mother_ship_chance == Fraction(1, 4)
    (circle,) = POSITION.crop_circles
    for shows, chance in ((Circle.EMPTY, Fraction(1, 3)), (Circle.MOTHER_SHIP, Fraction(0))):
        turned = replace(POSITION, crop_circles=(replace(circle, shows=shows),))
        assert turned.mother_ship_chance == chance


# --- laws


@quick
@given(positions())
def test_no_square_holds_two_martians_and_none_is_lost(position):
    assert len(set(position.martians)) == len(position.martians)
    killed = sum(player.martians for player in position.players)
    assert len(position.martians) + killed + position.supply == 100


def test_positions_are_values():
    assert len({POSITION, read_position(TEXT)}) == 1
    with pytest.raises(FrozenInstanceError):
        POSITION.seat = 2
    assert not hasattr(POSITION, "__dict__")


def test_the_board_is_no_part_of_the_rules_of_a_hunt():
    """Tables of hunts stay what they are whether or not the board is loaded."""
    from solver.games.martians import board

    digest = source_digest(Hunt())
    assert board.__name__.startswith("solver.games.martians")
    import sys

    from solver.games.source import _closure

    names = _closure(sys.modules[Hunt.__module__])
    assert not any("board" in name for name in names)
    assert digest == source_digest(Hunt())
