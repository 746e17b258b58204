"""The referee of Martians!!!: Placing Map Tiles, rule by rule; its map against the library's."""

from __future__ import annotations

from random import Random

import pytest
from martians_table import (
    DINER,
    HOUSE,
    NO_DEAD_END,
    ONE_ROAD_OPEN,
    Script,
    counts,
    game,
    player,
    position,
)

from solver.games.martians.board import (
    Mover,
    Placed,
    arrive,
    start_layout,
    start_position,
    steps_of,
    synthetic_tiles,
)
from solver.games.martians.board.components import Play, Token
from solver.referee.martians_game import Game, Rules
from solver.referee.martians_game.course import GameOver
from solver.referee.martians_game.steps.placing import place_tile
from solver.referee.martians_game.table import Ground

STEP1 = {"step": 1, "moves": None}


def placed(where, tile, choices=None, chances=None, **rules):
    """Step 1 with this tile; returns the table, the script, and whether the turn goes on."""
    found, script = game(where, **rules)
    script.chances = {"tile": [tile], **(chances or {})}
    script.choices = dict(choices or {})
    goes_on = place_tile(found.course)
    script.done()
    return found.course.table, script, goes_on


def start(*layout, **more):
    return position([player(), player("blue")], layout=[HOUSE, *layout], **STEP1, **more)


# --- rule by rule


def test_pt1_roads_meet_and_no_building_blocks_one():
    _, script, _ = placed(start(DINER), "straight")
    # the Diner has roads to the east and west only, the House to every side
    assert set(script.options("placement")[0]) == {(0, -1, 0), (0, 1, 0), (-1, 0, 1), (2, 0, 1)}


def test_pt1_a_tile_may_be_turned_in_any_direction():
    _, script, _ = placed(start(), "curve")
    assert counts(turns for _, _, turns in script.options("placement")[0]) == dict.fromkeys(
        range(4), 2
    )


def test_pt2_named_buildings_get_their_tokens_and_one_item_face_down_inside():
    table, _, _ = placed(start(), "school", {"placement": [(0, -1, 0)]})
    (group,) = table.hidden.values()
    assert (group.lives, group.bullets, group.items) == (1, 3, 1)
    assert len(set(group.squares)) == 5
    assert all(table.ground.building_of[square] == (0, -1, "A") for square in group.squares)
    assert table.known == {}
    assert (table.beside, table.bank[Token.LIFE], table.bank[Token.BULLET]) == (17, 23, 51)


def test_pt2_who_places_the_tile_chooses_squares_inside_one_token_each():
    shop = {
        "name": "shop",
        "map": ["A-A-A", "  |  ", "+-+-+", "     ", "# # #"],
        "roads": "EW",
        "buildings": [{"letter": "A", "name": "Shop", "bullets": 1}],
    }
    house = {"name": "house", "map": ["# + X", "  | |", "+-+-+", "  |  ", "# + #"],
             "roads": "NESW"}  # fmt: skip
    tiles = {"format": "martians-tiles-1", "name": "small", "about": "two", "tiles": [house, shop]}
    where = position([player()], layout=[HOUSE], tiles=tiles, **STEP1)
    choice = ((3, 0), (5, 0))
    table, script, _ = placed(where, "shop", {"placement": [(1, 0, 0)], "lay": [choice]})
    assert len(script.options("lay")[0]) == 3
    assert table.hidden[1, 0, "A"].squares == [(3, 0), (5, 0)]


def test_pt3_items_are_placed_until_they_run_out():
    found, script = game(start())
    found.course.table.beside = 0
    script.chances = {"tile": ["diner"]}
    place_tile(found.course)
    (group,) = found.course.table.hidden.values()
    assert (group.lives, group.bullets, group.items) == (2, 0, 0)


@pytest.mark.parametrize("tile", ["diner", "school", "clinic", "straight", "four-way"])
def test_pt4_every_street_square_gets_a_martian_and_no_building(tile):
    table, _, _ = placed(start(), tile)
    streets = {
        square
        for square, kind in table.ground.kinds.items()
        if kind == "road" and square not in {(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)}
    }
    assert table.martians == streets
    assert table.supply == 100 - len(streets)


def test_pt5_who_closes_the_map_loses_the_rest_of_the_turn():
    where = position(
        [player(), player("blue")], layout=ONE_ROAD_OPEN, crop_circles=[{"at": [4, 1]}], **STEP1
    )
    found, script = game(where)
    script.chances = {"tile": ["radio-station"]}
    found.play_turn()
    assert script.options("movement") == script.options("martians") == []
    assert (4, 1) not in found.course.table.martians  # nor is the crop circle refilled
    assert (found.course.table.on_turn, found.result) == (1, None)
    found.play_turn()  # the next tile fits nowhere, and the game goes on
    assert len(found.course.table.discarded) == 1
    assert len(script.options("movement")) == 1


def test_pt5_a_lost_turn_ends_with_three_cards_too():
    where = position([player()], layout=ONE_ROAD_OPEN, crop_circles=[{"at": [4, 1]}], **STEP1)
    found, script = game(where)
    found.course.hands[0] = ["club", "net", "truck", "courage"]
    script.chances, script.choices = {"tile": ["radio-station"]}, {"discard": ["net"]}
    found.play_turn()
    assert script.options("discard") == [("club", "net", "truck", "courage")]
    assert found.course.hands[0] == ["club", "truck", "courage"]


@pytest.mark.parametrize(
    ("not_played", "ship", "lost"),
    [("beside", "beside the map", True), ("beside", "on the map", False), ("face-down", "", True)],
)
def test_pt5_the_cooperative_game_is_lost_if_the_mother_ship_is_not_played(not_played, ship, lost):
    where = position([player()], layout=ONE_ROAD_OPEN, play="cooperative",
                     crop_circles=[{"at": [4, 1]}], **STEP1)  # fmt: skip
    found, script = game(where, not_played=not_played)
    script.chances = {"tile": ["radio-station"], "mother ship": [ship] if ship else []}
    found.play_turn()
    script.done()
    assert (found.result is not None) is lost
    if lost:
        assert (found.result.ending, found.result.seats) == ("stranded", ())
    if ship:
        assert counts(script.options("mother ship")[0]) == {"on the map": 1, "beside the map": 3}
    if not lost:  # it must be the one crop circle on the map
        assert found.course.table.unturned == 1


def test_pt5_an_exhausted_map_deck_loses_the_cooperative_game_too():
    found, script = game(position([player()], layout=[HOUSE], play="cooperative", **STEP1))
    found.course.table.deck[:] = ["straight"]
    script.chances = {"mother ship": ["beside the map"]}
    with pytest.raises(GameOver):
        place_tile(found.course)


def test_pt6_a_tile_with_an_unnamed_building_gets_a_martian_on_each_road_space():
    for tile, streets in (("market", 4), ("mill", 3), ("offices", 3), ("main-street", 5)):
        table, _, _ = placed(start(), tile)
        assert len(table.martians) == streets, tile
        assert {table.ground.kinds[square] for square in table.martians} == {"road"}


def test_pt7_a_tile_that_fits_nowhere_is_discarded_and_the_turn_goes_on():
    where = position([player()], layout=NO_DEAD_END, crop_circles=[{"at": [4, 1]}], **STEP1)
    table, script, goes_on = placed(where, "radio-station")
    assert goes_on
    assert (table.drawn, table.discarded) == (None, ["radio-station"])
    assert script.options("placement") == []
    table, _, _ = placed(where, "curve")
    assert (table.discarded, table.ground.placed[-1].tile) == ([], "curve")


def test_pt8_a_farm_is_placed_and_entered_like_a_four_way_and_gets_one_martian():
    farm, script, _ = placed(start(), "farm", {"placement": [(1, 0, 0)]})
    _, four_way, _ = placed(start(), "four-way")
    assert script.options("placement") == four_way.options("placement")
    assert farm.martians == {(4, 1)}
    assert (3, 1) in farm.ground.pawn[2, 1]
    assert (3, 0) not in farm.ground.pawn.get((2, 0), ())
    assert {len(farm.ground.pawn[3 + i, j]) for i in range(3) for j in range(3)} == {2, 3, 4}


# --- the map of the referee, and that of the library


def random_map(seed, tiles):
    """Place tiles at random; yields the referee's ground and the library's layout as they grow."""
    random = Random(seed)
    ground, layout = Ground(tiles, [Placed("house", 0, 0)]), start_layout(tiles)
    deck = [tile.name for tile in tiles.tiles for _ in range(tile.copies) if not tile.is_house]
    random.shuffle(deck)
    for name in deck[:14]:
        options = ground.placements(name)
        yield ground, layout, deck
        if options:
            column, row, turns = random.choice(options)
            ground.add(name, (column, row, turns))
            layout = layout.with_tile(Placed(name, column, row, turns))
    yield ground, layout, deck


@pytest.mark.parametrize("seed", range(4))
def test_both_maps_take_the_same_tiles_and_allow_the_same_steps(seed):
    for number, (ground, layout, deck) in enumerate(random_map(seed, synthetic_tiles())):
        if number % 3:
            continue
        for name in sorted(set(deck)):
            theirs = [(p.column, p.row, p.turns) for p in layout.placements(name)]
            assert list(ground.placements(name)) == theirs
        steps = steps_of(layout)
        assert set(steps.squares) == set(ground.martian)
        assert dict(zip(steps.squares, steps.kinds, strict=True)) == ground.kinds
        for square in steps.squares:
            assert set(steps.next_to(square, Mover.MARTIAN)) == set(ground.martian[square])
            assert set(steps.next_to(square)) == set(ground.pawn.get(square, ()))
        assert ground.is_stuck(deck) == layout.is_stuck(deck)


@pytest.mark.parametrize("play", Play)
def test_both_put_down_the_same_with_a_tile(play):
    """Step 1 of the referee against `arrive` of the library, tile after tile."""
    tiles = synthetic_tiles()
    where = start_position(tiles, ["red"], play)
    random = Random(5)
    for _ in range(16):
        name = random.choice(where.deck)
        options = where.layout.placements(name)
        if not options or where.supply < 12:
            continue
        chosen = random.choice(options)
        script = Script()
        referee = Game(where, script, rules=Rules(play=play))
        script.chances = {"tile": [name]}
        script.choices = {"placement": [(chosen.column, chosen.row, chosen.turns)]}
        place_tile(referee.course)
        where = arrive(where, chosen)
        assert referee.position == where.canonical()
