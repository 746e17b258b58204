"""The referee of Martians!!!: how Martians move and arrive, and the Additional Rules."""

from __future__ import annotations

import pytest
from martians_table import (
    DINER,
    FARM,
    HOUSE,
    NO_DEAD_END,
    counts,
    played,
    player,
    position,
    seat,
)

CIRCLE = [{"at": [-2, 1]}]
SHIP = [{"at": [-2, 1], "shows": "mother-ship"}]
NINE = {(-3 + i, j) for i in range(3) for j in range(3)}
"""The nine squares of the farm."""


def invaded(*martians, roll=1, choices=None, layout=(HOUSE, DINER), players=None, **more):
    """Steps 6 and 7 of a turn in which nobody moves."""
    where = position(players, layout=list(layout), moves=0, martians=list(martians), **more)
    found, script = played(where, {"martians": [roll]}, choices)
    return found.course.table, script


def farm(*martians, circles=(), **more):
    return invaded(*martians, layout=[FARM, HOUSE], crop_circles=list(circles or CIRCLE), **more)


# --- Martian Movement Rules


def test_mm1_each_martian_is_moved_one_space_and_none_twice():
    table, script = invaded([4, 1], roll=2)
    assert len(script.options("martian")) == 1
    assert table.martians in ({(3, 1)}, {(5, 1)}, {(4, 0)})


def test_mm1_no_more_than_can_be_moved():
    # three in the Diner, the door is the only way out
    table, script = invaded([3, 0], [4, 0], [5, 0], roll=6)
    assert script.options("martian") == [(((3, 0), (4, 0)), ((5, 0), (4, 0)))]
    assert table.martians == {(4, 1), (4, 0), (5, 0)}


def test_mm2_not_diagonally_but_into_and_out_of_buildings():
    _, script = invaded([4, 1])
    assert {to for _, to in script.options("martian")[0]} == {(3, 1), (5, 1), (4, 0)}
    table, script = invaded([4, 0], choices={"martian": [((4, 0), (4, 1))]})
    assert table.martians == {(4, 1)}


def test_mm3_one_martian_on_a_space():
    _, script = invaded([4, 1], [3, 1])
    assert ((4, 1), (3, 1)) not in script.options("martian")[0]
    assert ((3, 1), (4, 1)) not in script.options("martian")[0]


def test_mm4_a_martian_may_stand_on_a_token_and_leaves_it_behind():
    tokens = [{"at": [4, 0], "token": "bullet"}]
    table, _ = invaded([4, 0], tokens=tokens, choices={"martian": [((4, 0), (4, 1))]})
    assert table.known == {(4, 0): "bullet"}
    table, _ = invaded([4, 1], tokens=tokens, choices={"martian": [((4, 1), (4, 0))]})
    assert (table.known, table.martians) == ({(4, 0): "bullet"}, {(4, 0)})


# --- Martian Ship Tokens


def test_ms1_a_farm_comes_with_a_face_down_crop_circle_and_a_martian_on_it():
    where = position([player()], layout=[HOUSE], step=1, moves=None)
    found, _ = played(
        where,
        {"tile": ["farm"], "martians": [1]},
        {"placement": [(-1, 0, 0)], "martian": [((-2, 1), (-2, 0))]},
    )
    table = found.course.table
    assert table.circles == {(-2, 1): "face-down"}
    assert table.martians == {(-2, 0), (-2, 1)}  # it was moved, and the circle refilled


@pytest.mark.parametrize("turned", [True, False])
def test_ms2_the_token_may_be_turned_over_after_the_fight_and_stays_face_up(turned):
    where = position([player(at=(-1, 1))], layout=[FARM, HOUSE], crop_circles=CIRCLE,
                     martians=[[-2, 1]])  # fmt: skip
    found, script = played(
        where,
        {"combat": [4], "crop circle": ["mother-ship"] if turned else []},
        {"step": [(-2, 1)], "turn_over": [turned]},
    )
    shown = found.course.table.circles[-2, 1]
    assert shown == ("mother-ship" if turned else "face-down")
    names = [entry[0] for entry in script.asked]
    assert names.index("combat") < names.index("turn_over")


def test_ms2_one_of_the_four_is_the_mother_ship():
    where = position([player(at=(-1, 1))], layout=[FARM, HOUSE], crop_circles=CIRCLE)
    _, script = played(where, choices={"step": [(-2, 1)], "turn_over": [True]})
    assert counts(script.options("crop circle")[0]) == {"mother-ship": 1, "empty": 3}
    # a token that shows its face is not asked about again
    where = position([player(at=(-1, 1))], layout=[FARM, HOUSE], crop_circles=SHIP)
    _, script = played(where, choices={"step": [(-2, 1)]})
    assert script.options("turn_over") == []


def test_ms2_standing_on_a_token_is_not_landing_on_it():
    table, script = farm(players=[player(at=(-2, 1))])
    assert script.options("turn_over") == []
    assert table.circles[-2, 1] == "face-down"


@pytest.mark.parametrize("shows", ["face-down", "empty", "mother-ship"])
def test_ms3_a_crop_circle_without_a_martian_gets_one_at_the_end_of_every_turn(shows):
    table, _ = farm(circles=[{"at": [-2, 1], "shows": shows}])
    assert (-2, 1) in table.martians
    table, _ = farm([-2, 0], circles=[{"at": [-2, 1], "shows": shows}],
                    choices={"martian": [((-2, 0), (-2, 1))]})  # fmt: skip
    assert len(table.martians) == (2 if shows == "mother-ship" else 1)


def test_ms3_whether_a_pawn_keeps_a_martian_away_is_a_reading():
    where = position([player(at=(-2, 1))], layout=[FARM, HOUSE], crop_circles=CIRCLE, moves=0)
    for figures, martians in (("martians", {(-2, 1)}), ("any", set())):
        found, _ = played(where, figures=figures)
        assert found.course.table.martians == martians


def test_ms4_the_mother_ships_tile_gets_a_martian_in_every_turn_until_it_is_full():
    table, script = farm(circles=SHIP, choices={"beam": [(-1, 2)]})
    assert table.martians == {(-2, 1), (-1, 2)}
    assert set(script.options("beam")[0]) == NINE - {(-2, 1)}
    eight = [list(square) for square in sorted(NINE - {(-2, 1)})]
    table, _ = farm(*eight, circles=SHIP, choices={"martian": [((-1, 1), (0, 1))]})
    assert table.martians >= NINE  # the one that was moved away and the token itself
    full = [list(square) for square in sorted(NINE)]
    table, _ = farm(*full, circles=SHIP)
    assert table.martians == NINE | {(0, 1)}


def test_ms4_one_martian_in_all_is_a_reading():
    for martians, arrived in (([], 1), ([[-2, 1], [2, 1]], 3)):
        where = position([player()], layout=[FARM, HOUSE], crop_circles=SHIP, moves=0,
                         martians=martians)  # fmt: skip
        moves = {"martian": [((2, 1), (1, 1))]} if martians else {}
        found, _ = played(where, choices=moves, refill="one")
        assert len(found.course.table.martians) == arrived
        assert (-2, 1) in found.course.table.martians


# --- Additional Rules and Clarifications


def test_ar1_five_life_and_five_bullet_tokens_at_most():
    where = position([player(lives=5, bullets=4)], moves=2)
    found, script = played(
        where, choices={"card": ["ammunition"]}, hands={1: ["ammunition", "first-aid"]}
    )
    assert (seat(found).lives, seat(found).bullets) == (5, 5)
    assert script.options("card")[0] == (None, "ammunition")  # a sixth life is not offered


def test_ar2_a_tile_that_cannot_be_played_is_discarded_and_the_turn_continues():
    where = position([player()], layout=NO_DEAD_END, crop_circles=[{"at": [4, 1]}], step=1,
                     moves=None)  # fmt: skip
    found, script = played(where, {"tile": ["radio-station"]})
    assert found.course.table.discarded == ["radio-station"]
    for later in ("event card", "movement", "martians"):
        assert script.options(later)


def armed(*rolls, weapons="+1,reroll:2", arm=("club",), pay=()):
    where = position([player(at=(2, 1), weapons=weapons)], martians=[[3, 1]])
    return played(
        where, {"combat": list(rolls)}, {"step": [(3, 1)], "arm": list(arm), "pay": list(pay)}
    )


def test_ar3_one_copy_of_a_weapon_and_one_weapon_in_a_fight():
    found, script = armed(3)
    assert script.options("arm") == [("club", "net", None)]
    assert seat(found).martians == 1
    found, script = armed(3, arm=[None], pay=["spend"])
    assert seat(found).bullets == 2
    _, script = armed(1, 2, 3, arm=["net"], pay=["reroll", "reroll", "spend"])
    assert script.options("pay") == [
        ("spend", "reroll", "forfeit"),
        ("spend", "reroll", "forfeit"),
        ("spend", "forfeit"),
    ]
    # a second copy cannot be brought into play
    where = position([player(weapons="+1")], moves=2)
    _, script = played(where, hands={1: ["club"]})
    assert script.options("card") == []


def test_ar4_other_players_are_attacked_only_with_a_card():
    blue = player("blue", at=(1, 1), lives=1, martians=9)
    where = position([player(at=(2, 1)), blue], moves=3)
    _, script = played(where, choices={"step": [(1, 1)]})
    assert script.options("target") == script.options("attack") == []
    for roll, hit in ((3, False), (4, True)):
        found, _ = played(where, {"attack": [roll]}, {"card": ["shove"]}, hands={1: ["shove"]})
        victim = seat(found, 2)
        assert victim.fallen is hit
        assert victim.martians == (4 if hit else 9)
    far = position([player(at=(5, 1)), blue], moves=1)
    _, script = played(far, hands={1: ["shove"]})
    assert script.options("card") == []


def test_ar5_killed_martians_and_items_lie_open():
    found, _ = played(position([player(items=["fuel"], martians=4), player("blue")]))
    shown = found.position.players[0]
    assert (shown.martians, shown.items) == (4, ("fuel",))


def test_ar6_martians_out_of_the_cooperative_game_do_not_come_back():
    for play, supply in (("cooperative", 94), ("noncooperative", 97)):
        where = position(
            [player(at=(2, 1), lives=1, bullets=0, martians=5)], martians=[[3, 1]], play=play
        )
        found, _ = played(where, {"combat": [1]}, {"step": [(3, 1)]})
        assert found.course.table.supply == supply
        assert found.course.table.box == 97 - supply
    where = position([player()], martians=[[3, 1]], play="cooperative")
    found, _ = played(where, choices={"card": ["false-alarm"]}, hands={1: ["false-alarm"]})
    assert (found.course.table.supply, found.course.table.box) == (99, 1)


def lit(items, unseen, chances):
    """A searchlight into the Diner: what is found there, and what the player has then."""
    where = position(
        [player(items=items)],
        layout=[HOUSE, DINER, {"tile": "clinic", "column": 0, "row": -1}],
        hidden=[{"squares": [[3, 0], [5, 0]], "lives": 1, "items": 1}],
        tokens=[{"at": [1, -2], "token": token} for token in unseen],
        moves=2,
    )
    return played(where, chances, {"card": ["searchlight"]}, hands={1: ["searchlight"]})


def test_ar7_the_searchlight_gives_no_duplicate():
    found, _ = lit(["fuel"], [], {"token": ["item"], "item": ["dynamite"]})
    assert seat(found).items == {"fuel", "dynamite"}
    assert found.course.table.known == {(5, 0): "life"}
    found, _ = lit(["fuel"], [], {"token": ["item"], "item": ["fuel"]})
    assert seat(found).items == {"fuel"}
    assert found.course.table.known == {(3, 0): "fuel", (5, 0): "life"}


def test_ar7_the_searchlight_may_not_be_used_where_every_item_is_a_duplicate():
    where = position(
        [player(items=["fuel", "fertilizer", "dynamite"])],
        hidden=[{"squares": [[3, 0]], "items": 1}],
    )
    _, script = played(where, hands={1: ["searchlight"]})
    assert script.options("card") == []


def test_ar7_the_third_item_found_on_the_mother_ship_wins_at_once():
    where = position(
        [player(at=(-2, 1), items=["fuel", "fertilizer"])],
        layout=[FARM, HOUSE, DINER],
        crop_circles=SHIP,
        hidden=[{"squares": [[3, 0]], "items": 1}],
    )
    chances = {"item": ["dynamite"]}
    found, _ = played(where, chances, {"card": ["searchlight"]}, hands={1: ["searchlight"]})
    assert found.result.ending == "ship"
