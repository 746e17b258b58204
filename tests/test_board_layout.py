"""The map of Martians!!!: tiles meet as the sheet says, steps are where the picture has them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from board_witness import WAYS, boards, canvas, enters, placements, turned, walk_lengths
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.errors import PositionError, UsageError
from solver.games.martians.board import (
    Building,
    Hidden,
    Kind,
    Mover,
    Placed,
    Play,
    Side,
    arrive,
    check_layout,
    graph_of,
    start_layout,
    start_position,
    steps_of,
    synthetic_tiles,
)
from solver.games.martians.board.layout import beside
from solver.games.martians.board.tile import Tile, TileSet

TILES = synthetic_tiles()
EVERY_TILE = pytest.mark.parametrize("tile", TILES.tiles, ids=lambda tile: tile.name)
quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


# --- turning


@EVERY_TILE
def test_four_quarter_turns_change_nothing(tile):
    once = tile.turned(1)
    assert once.turned(1).turned(1).turned(1) == tile == tile.turned(4) == tile.turned(0)
    assert once.turned(3) == tile


@EVERY_TILE
@pytest.mark.parametrize("turns", range(4))
def test_a_turned_tile_is_its_picture_turned(tile, turns):
    found = tile.turned(turns)
    assert list(found.map) == turned(tile.map, turns)
    assert {side.letter for side in found.roads} == {
        "NESW"[(side + turns) % 4] for side in tile.roads
    }
    assert len(found.icons) == len(tile.icons)
    marks = sorted(tile.mark(spot) for spot in tile.icons)
    assert sorted(found.mark(spot) for spot in found.icons) == marks


@EVERY_TILE
def test_lines_turn_with_the_tile(tile):
    def quarter(spot):
        return 2 - spot[1], spot[0]

    moved = {frozenset(map(quarter, line)) for line in tile.lines()}
    assert moved == {frozenset(line) for line in tile.turned(1).lines()}


def test_icons_and_roads_turn_clockwise():
    tee = TILES.tile("tee")
    assert [side.letter for side in tee.roads] == ["E", "S", "W"]
    assert [side.letter for side in tee.turned(1).roads] == ["N", "S", "W"]
    assert tee.icons == ((1, 2),)
    assert tee.turned(1).icons == ((0, 1),)


def test_turns_that_look_the_same_count_once():
    turns = {tile.name: tile.distinct_turns() for tile in TILES.tiles}
    assert turns["four-way"] == turns["farm"] == (0,)
    assert turns["straight"] == (0, 1)
    assert turns["curve"] == turns["house"] == (0, 1, 2, 3)


def test_sides_are_opposite_and_steps_lead_over_them():
    for side in Side:
        dx, dy = side.step
        assert WAYS[side.letter] == (dx, dy)
        assert side.opposite.step == (-dx, -dy)
        assert beside(beside((4, -7), side), side.opposite) == (4, -7)
        assert side.spot == (1 + dx, 1 + dy)


# --- placing


def test_the_house_is_placed_first_and_alone():
    layout = start_layout(TILES)
    check_layout(layout)
    assert layout.house == (2, 0)
    assert len(layout.open_ends()) == 4


def test_a_tile_must_touch_and_meet_a_road():
    layout = start_layout(TILES)
    assert layout.blocked(Placed("straight", 0, -1)) is None
    assert "no placed tile" in layout.blocked(Placed("straight", 0, -2))
    assert "no placed tile" in layout.blocked(Placed("four-way", 1, 1)), "a corner is no contact"
    assert "already" in layout.blocked(Placed("straight", 0, 0))


def test_a_road_is_not_blocked_by_the_side_of_a_building():
    layout = start_layout(TILES)
    reason = layout.blocked(Placed("straight", 0, -1, 1))
    assert "a road would be blocked on its side S" in reason
    with pytest.raises(PositionError, match="cannot be placed") as found:
        layout.with_tile(Placed("straight", 0, -1, 1))
    assert "all roads are connected" in found.value.rule
    assert "column 0, row -1, turns 0" in found.value.remedy


def test_a_tile_needs_a_road_to_the_map_not_only_sides_that_agree():
    """Blank beside blank blocks nothing, and connects nothing."""
    layout = start_layout(TILES).with_tile(Placed("straight", 0, -1))
    assert layout.blocked(Placed("straight", 1, -1)) == "no road connects it with the map"


def test_a_tile_may_touch_without_a_road_if_another_side_has_one():
    """Blank meets blank beside a road that meets: the sheet forbids only what blocks a road."""
    layout = start_layout(TILES)
    for placed in (Placed("straight", 0, -1), Placed("curve", -1, 0, 0)):
        layout = layout.with_tile(placed)
    corner = [p for p in layout.placements("curve") if p.place == (-1, -1)]
    assert [p.turns for p in corner] == [2]
    check_layout(layout.with_tile(corner[0]))


def test_a_map_without_open_roads_is_closed_whatever_the_deck_holds():
    end = Tile("end", (". + .", "     ", ". . .", "     ", ". . ."), (Side.NORTH,), copies=4)
    tiles = TileSet("ends", "a test", (TILES.tile("house"), end, TILES.tile("four-way")))
    layout = start_layout(tiles)
    for side in Side:
        assert not layout.is_closed
        assert not layout.is_stuck(["four-way"])
        assert not layout.is_stuck([]), "an empty deck is no stuck map"
        layout = layout.with_tile(Placed("end", *beside((0, 0), side), (side + 2) % 4))
    assert layout.is_closed
    assert layout.placements("four-way") == ()
    assert layout.is_stuck(["four-way"])
    assert layout.is_stuck([])


def test_a_map_is_stuck_though_a_road_is_open_if_no_tile_of_the_deck_fits():
    """A blank beside the only open road: a four-way would run into it, nothing else is left."""
    layout = start_layout(TILES)
    for placed in (
        Placed("sheriff", 0, -1),
        Placed("clinic", 0, 1, 2),
        Placed("radio-station", 1, 0, 1),
        Placed("straight", -1, 0, 1),
    ):
        layout = layout.with_tile(placed)
    assert not layout.is_closed
    assert not layout.is_stuck(["four-way"])
    layout = layout.with_tile(Placed("curve", -2, 0, 1))  # to the south
    layout = layout.with_tile(Placed("curve", -2, 1, 0))  # to the east, under the straight
    assert layout.open_ends() == (((-2, 1), Side.EAST),)
    assert layout.placements("four-way") == ()
    assert layout.placements("farm") == ()
    assert layout.is_stuck(["four-way", "farm"])
    assert not layout.is_stuck(["four-way", "curve"])


def test_an_unknown_tile_is_named():
    with pytest.raises(UsageError, match="unknown tile 'strait'") as found:
        start_layout(TILES).placements("strait")
    assert "straight" in found.value.remedy


@quick
@given(boards(most=9), st.sampled_from(TILES.tiles))
def test_placements_are_those_found_by_trying_everything(position, tile):
    layout = position.layout
    found = {(p.column, p.row, p.turns) for p in layout.placements(tile.name)}
    wanted = placements(layout, tile.name)
    assert found <= wanted
    looks = {(c, r, tile.turned(t)) for c, r, t in wanted}
    assert {(c, r, tile.turned(t)) for c, r, t in found} == looks
    assert len(found) == len(looks), "each look once"
    for column, row, turns in wanted:
        assert layout.blocked(Placed(tile.name, column, row, turns)) is None


# --- laws of every map


@quick
@given(boards())
def test_roads_meet_everywhere(position):
    check_layout(position.layout)
    _, _, roads = canvas(position.layout)
    for (column, row), own in roads.items():
        for side, (dx, dy) in WAYS.items():
            other = roads.get((column + dx, row + dy))
            if other is not None:
                assert (side in own) == ("SWNE"["NESW".index(side)] in other)


@quick
@given(boards())
def test_steps_are_symmetric_orthogonal_and_over_what_the_picture_joins(position):
    layout = position.layout
    steps = steps_of(layout)
    chars, joined, _ = canvas(layout)
    for mover in Mover:
        found = set()
        for number, others in enumerate(steps.of(mover)):
            assert list(others) == sorted(set(others))
            for other in others:
                assert number in steps.of(mover)[other]
                one, two = steps.squares[number], steps.squares[other]
                assert abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1
                found.add((one, two))
        wanted = {(a, b) for a, b in joined if enters(chars[a], mover) and enters(chars[b], mover)}
        assert found == wanted


@quick
@given(boards(), st.data())
def test_distances_are_those_of_a_walk_over_the_picture(position, data):
    layout = position.layout
    steps = steps_of(layout)
    start = data.draw(st.sampled_from(layout.squares(Kind.HOUSE, Kind.ROAD)))
    closed = data.draw(st.sets(st.sampled_from(steps.squares), max_size=6))
    for mover in Mover:
        assert steps.distances(start, mover) == walk_lengths(layout, start, mover)
        found = steps.distances(start, mover, closed=closed)
        assert found == walk_lengths(layout, start, mover, closed)


def test_a_way_begins_on_a_closed_square_and_ends_on_one():
    """A pawn that stands with a Martian may leave when the fight is won; others stop it."""
    steps = steps_of(start_layout(TILES))
    assert steps.distances((0, 1), closed=[(0, 1), (1, 1)]) == {(0, 1): 0, (1, 1): 1}


@quick
@given(boards())
def test_the_graph_has_the_same_steps(position):
    import networkx as nx

    layout = position.layout
    steps = steps_of(layout)
    for mover in Mover:
        graph = graph_of(layout, mover)
        assert graph.number_of_edges() * 2 == sum(map(len, steps.of(mover)))
        lengths = nx.single_source_shortest_path_length(graph, layout.house)
        assert dict(lengths) == steps.distances(layout.house, mover)
        assert graph.nodes[layout.house] == {"kind": "house", "place": (0, 0)}


@quick
@given(boards())
def test_pawns_reach_every_square_of_the_map_that_they_may_enter(position):
    """All roads are connected: the sheet lets no tile be placed apart."""
    layout = position.layout
    reached = steps_of(layout).distances(layout.house)
    may = set(layout.squares(*(k for k in Kind if k.lets_in(Mover.PAWN))))
    assert set(reached) == may


def test_martians_go_into_an_unnamed_building_with_a_door_and_pawns_do_not():
    layout = start_layout(TILES).with_tile(Placed("mill", 1, 0))
    steps = steps_of(layout)
    door = (4, 0)
    assert layout.kind(door) is Kind.UNNAMED
    assert door in steps.next_to((4, 1), Mover.MARTIAN)
    assert door not in steps.next_to((4, 1), Mover.PAWN)
    assert steps.next_to(door, Mover.PAWN) == ()
    assert (3, 2) not in steps, "no door leads there"
    with pytest.raises(PositionError, match=r"nobody can stand on \[3, 2\]"):
        steps.number((3, 2))


def test_a_pawn_gets_into_a_named_building_by_its_door_alone():
    layout = start_layout(TILES).with_tile(Placed("diner", 1, 0))
    steps = steps_of(layout)
    assert steps.next_to((4, 1)) == ((4, 0), (3, 1), (5, 1))
    assert steps.next_to((3, 1)) == ((2, 1), (4, 1)), "no door to [3, 0]"
    assert steps.next_to((3, 0)) == ((4, 0),)
    assert steps.distances((2, 0))[3, 0] == 5


def test_a_farm_is_entered_over_the_middle_of_its_sides():
    layout = start_layout(TILES).with_tile(Placed("farm", 1, 0))
    steps = steps_of(layout)
    into = [s for s in layout.squares(Kind.FIELD) if (2, s[1]) in steps.next_to(s)]
    assert into == [(3, 1)]
    assert len(steps.next_to((4, 1))) == 4
    assert steps.next_to((3, 0)) == ((4, 0), (3, 1))


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(boards(most=35))
def test_whole_games_of_placing_keep_every_law(position):
    check_layout(position.layout)
    layout = position.layout
    for mover in Mover:
        found = steps_of(layout).distances(layout.house, mover)
        assert found == walk_lengths(layout, layout.house, mover)
    for name in set(position.deck):
        looks = {(c, r, TILES.tile(name).turned(t)) for c, r, t in placements(layout, name)}
        assert len(layout.placements(name)) == len(looks)
    assert layout.is_stuck(position.deck) == (
        not any(placements(layout, name) for name in position.deck)
        if position.deck
        else not layout.open_ends()
    )


# --- what a tile brings


def test_a_street_square_gets_a_martian_and_a_building_does_not():
    position = arrive(start_position(TILES, ["red"]), Placed("diner", 1, 0))
    assert position.martians == ((3, 1), (4, 1), (5, 1))
    assert position.supply == 97
    (group,) = position.hidden
    assert group.squares == ((3, 0), (4, 0), (5, 0))
    assert (group.lives, group.bullets, group.items) == (2, 0, 1)
    assert position.items_to_place == 17


def test_a_farm_arrives_with_one_martian_on_its_crop_circle():
    position = arrive(start_position(TILES, ["red"]), Placed("farm", 1, 0))
    assert position.martians == ((4, 1),)
    assert [circle.at for circle in position.crop_circles] == [(4, 1)]


@pytest.mark.parametrize(
    "at",
    [
        [(2, -3), (1, -3), (1, -2)],
        [(2, -3), (2, -3), (0, -3)],
        [(2, -3), (0, -3)],
        [(2, -3), (1, -3), (0, -3), (0, -3)],
    ],
    ids=["on a street", "two on a square", "too few", "one named twice"],
)
def test_tokens_lie_inside_the_building_one_a_square(at):
    start = start_position(TILES, ["red"])
    with pytest.raises(UsageError, match="tokens of Post Office do not fit") as found:
        arrive(start, Placed("post-office", 0, -1), at={"A": at})
    assert "one token a square" in found.value.rule


def test_tokens_lie_where_the_player_puts_them():
    house, clinic = (
        TILES.tile("house"),
        replace(TILES.tile("clinic"), buildings=(Building("A", "Clinic", lives=1),)),
    )
    start = start_position(TileSet("small", "a test", (house, clinic)), ["red"])
    position = arrive(start, Placed("clinic", 0, -1), at={"A": [(2, -2), (0, -3)]})
    (group,) = position.hidden
    assert group == Hidden(((0, -3), (2, -2)), lives=1, items=1)


def test_a_tile_that_is_not_drawn_is_not_placed():
    start = start_position(TILES, ["red"])
    with pytest.raises(UsageError, match="house is not the tile to place"):
        arrive(start, Placed("house", 0, 1))


def test_martians_and_items_arrive_while_there_are_any():
    start = start_position(TILES, ["red"], Play.COOPERATIVE)
    few = replace(start, supply=2)
    position = arrive(few, Placed("diner", 1, 0))
    assert position.martians == ((3, 1), (4, 1))
    assert position.supply == 0
    assert position.items_to_place == 8
    boxes = TileSet(
        "ten diners", "a test", (TILES.tile("house"), replace(TILES.tile("diner"), copies=10))
    )
    position = start_position(boxes, ["red"], Play.COOPERATIVE)
    for column in range(1, 11):
        position = arrive(position, Placed("diner", column, 0))
    items = {group.squares[0][0] // 3: group.items for group in position.hidden}
    assert items == {column: int(column < 10) for column in range(1, 11)}
    assert position.items_to_place == 0


def test_a_game_begins_as_the_sheet_sets_it_up():
    position = start_position(TILES, ["red", "blue"])
    assert [p.at for p in position.players] == [position.layout.house] * 2
    assert {(p.lives, p.bullets, p.martians, p.hand) for p in position.players} == {(3, 3, 0, 3)}
    assert (position.supply, position.items_to_place) == (100, 18)
    assert len(position.deck) == 29
    assert "house" not in position.deck
    assert start_position(TILES, ["red"], Play.COOPERATIVE).items_to_place == 9
    for names in ([], ["red", "red"], list("abcdefg")):
        with pytest.raises(UsageError, match="1 to 6 players"):
            start_position(TILES, names)
