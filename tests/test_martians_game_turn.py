"""The referee of Martians!!!: Turn Sequence Overview, rule by rule."""

from __future__ import annotations

from martians_table import DINER, FARM, HOUSE, game, played, player, position, seat


def kinds(script):
    """What was asked and fell, in order, each kind once in a row."""
    names = [entry[0] for entry in script.asked]
    return [name for n, name in enumerate(names) if n == 0 or names[n - 1] != name]


def test_ts0_the_steps_come_in_order():
    where = position([player(at=(3, 1))], step=1, moves=None, martians=[[3, 1], [4, 1]])
    choices = {"placement": [(0, -1, 0)], "discard": ["truck"]}
    chances = {"tile": ["four-way"], "combat": [5], "event card": ["truck", "net", "club"]}
    found, script = played(where, chances, choices)
    order = [
        "tile", "placement", "combat", "event card", "movement", "step", "martians", "martian",
        "discard",
    ]  # fmt: skip
    assert [name for name in kinds(script) if name != "card"] == order
    assert (found.course.table.turn, found.course.table.step) == (1, 1)


def test_ts1_a_tile_is_drawn_and_placed():
    where = position([player()], layout=[HOUSE], step=1, moves=None)
    found, script = played(where, chances={"tile": ["diner"]}, choices={"placement": [(1, 0, 2)]})
    (pool,) = script.options("tile")
    assert len(pool) == 29
    assert [(p.tile, p.place, p.turns) for p in found.course.table.ground.placed] == [
        ("house", (0, 0), 0),
        ("diner", (1, 0), 2),
    ]
    assert "diner" not in found.course.table.deck


def test_ts1_without_a_tile_the_turn_goes_on():
    begun, script = game(position([player()], layout=[HOUSE], step=1, moves=None))
    begun.course.table.deck.clear()
    begun.play_turn()
    assert script.options("tile") == []
    assert len(script.options("movement")) == 1


def test_ts2_a_martian_on_the_own_square_is_fought_before_the_movement_roll():
    where = position([player(at=(3, 1))], step=2, moves=None, martians=[[3, 1]])
    found, script = played(where, chances={"combat": [6]})
    assert seat(found).martians == 1
    names = [entry[0] for entry in script.asked]
    assert names.index("combat") < names.index("movement")


def test_ts3_hands_are_drawn_back_to_three():
    for hand, drawn in ((0, 3), (1, 2), (3, 0)):
        where = position([player(hand=hand)], step=3, moves=None)
        found, script = game(where)
        before = len(script.options("event card"))
        found.play_turn()
        assert len(script.options("event card")) - before == drawn
        assert len(found.course.hands[0]) == 3


def test_ts4_the_movement_roll_is_made_after_cards_are_drawn():
    where = position([player(lives=2)], step=3, moves=None)
    found, script = played(where, chances={"movement": [5]})
    names = [entry[0] for entry in script.asked]
    assert names.index("event card") < names.index("movement")
    assert found.course.table.step == 1


def moves_made(where, chances, choices):
    """The squares a pawn was on during a turn."""
    found, script = played(where, chances, choices)
    return found, len(script.options("step"))


def test_ts5_moves_are_the_roll_and_the_life_tokens_and_do_not_change():
    # a roll of 1 and two lives: three moves, though a life is found and another lost on the way
    where = position(
        [player(at=(4, 1), lives=2, bullets=0)],
        step=4,
        moves=None,
        martians=[[5, 1]],
        hidden=[{"squares": [[4, 0]], "lives": 1}],
    )
    found, asked = moves_made(
        where,
        {"movement": [1], "combat": [3, 6]},
        {"step": [(4, 0), (4, 1), (5, 1)]},
    )
    assert asked == 3
    assert seat(found).at == (5, 1)
    assert (seat(found).lives, seat(found).martians) == (2, 1)


def test_ts5_every_martian_on_the_way_is_fought_and_the_way_goes_on():
    where = position([player(at=(2, 1))], martians=[[3, 1], [4, 1]], moves=3)
    found, script = played(where, {"combat": [4, 5]}, {"step": [(3, 1), (4, 1), (5, 1)]})
    assert len(script.options("combat")) == 2
    assert (seat(found).at, seat(found).martians) == ((5, 1), 2)


def test_ts6_so_many_martians_are_moved_as_the_die_shows():
    where = position([player()], moves=0, martians=[[3, 1], [1, 2]])
    for roll, moved in ((1, 1), (2, 2), (6, 2)):
        _, script = played(where, {"martians": [roll]})
        assert len(script.options("martian")) == moved, roll


def test_ts6_they_must_be_moved():
    where = position([player()], moves=0, martians=[[3, 1]])
    _, script = played(where, {"martians": [1]})
    (options,) = script.options("martian")
    assert None not in options
    assert set(options) == {((3, 1), (2, 1)), ((3, 1), (4, 1))}


def test_ts7_crop_circles_are_refilled_and_the_mother_ship_gets_one_more():
    ship = [{"at": [-2, 1], "shows": "mother-ship"}]
    for circles, refill, arrived in (
        ([{"at": [-2, 1]}], "tile", 1),
        ([{"at": [-2, 1], "shows": "empty"}], "tile", 1),
        (ship, "tile", 2),
        (ship, "one", 1),
    ):
        where = position([player()], layout=[FARM, HOUSE], moves=0, crop_circles=circles)
        found, _ = played(where, refill=refill)
        assert (-2, 1) in found.course.table.martians
        assert len(found.course.table.martians) == arrived


def test_ts8_one_card_may_be_discarded_and_play_goes_on_clockwise():
    where = position([player("a"), player("b"), player("c")], moves=0, seat=2)
    found, script = played(where, hands={2: ["net", "club"]}, choices={"discard": ["club"]})
    assert script.options("discard") == [(None, "net", "club")]
    assert found.course.hands[1] == ["net"]
    assert found.course.events.discarded == ["club"]
    assert found.course.table.on_turn == 2
    found, script = played(where, turns=3)
    assert [turn[1] for turn in script.turns] == [2, 3, 1]


def test_ts8_after_a_discard_nothing_more_is_asked():
    where = position([player("a")], layout=[HOUSE, DINER], moves=0)
    _, script = played(where, hands={1: ["first-aid", "club"]}, choices={"discard": ["club"]})
    assert script.asked[-1][0] == "discard"
