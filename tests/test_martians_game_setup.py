"""The referee of Martians!!!: Contents, Object of the Game, Game Setup, rule by rule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from martians_table import (
    DINER,
    FARM,
    HOUSE,
    Script,
    counts,
    game,
    played,
    player,
    position,
    seat,
)

from solver.errors import PositionError, UsageError
from solver.games.martians.board import departures, start_position, synthetic_tiles
from solver.games.martians.board.components import Play, Token
from solver.games.martians.cards import card_departures, synthetic_cards
from solver.games.martians.cards.cards import names
from solver.games.readings import make
from solver.referee.martians_game import Game, RandomBot, Rules, new_game

SHIP = {"at": [-2, 1], "shows": "mother-ship"}
CIRCLE = {"at": [-2, 1]}
ALL = ["fuel", "fertilizer", "dynamite"]
BY_THE_SHIP = (-1, 1)


def begun(players=2, play=Play.NONCOOPERATIVE):
    """A game at its beginning, and what was left to chance for it."""
    names_ = [f"player {n}" for n in range(players)]
    script = Script()
    rules = make(Rules, {"play": play})
    return Game(start_position(synthetic_tiles(), names_, play), script, rules=rules), script


def table(players=2, play=Play.NONCOOPERATIVE):
    return begun(players, play)[0].course.table


# --- Contents


def test_co01_thirty_tiles():
    assert departures(synthetic_tiles()) == ()
    assert len(table().deck) + 1 == synthetic_tiles().count == 30


def test_co02_forty_event_cards():
    assert card_departures(synthetic_cards()) == ()
    assert len(names(synthetic_cards().events)) == 40


def test_co03_thirty_martian_cards():
    assert len(names(synthetic_cards().martians)) == 30


@pytest.mark.parametrize(("players", "fits"), [(0, False), (1, True), (6, True), (7, False)])
def test_co04_six_pawns(players, fits):
    bots = [RandomBot(np.random.default_rng(n)) for n in range(players)]
    if fits:
        assert len(new_game(bots, np.random.default_rng(1)).course.table.seats) == players
    else:
        with pytest.raises(UsageError, match=r"1 to 6 players|names for"):
            new_game(bots, np.random.default_rng(1))


def test_co05_thirty_life_tokens():
    full = [player(str(n), lives=5) for n in range(6)]
    found, _ = played(
        position([*full[:5], player("last", lives=4)], layout=[HOUSE]), hands={6: ["first-aid"]},
        choices={"card": ["first-aid"]},
    )  # fmt: skip
    assert seat(found, 6).lives == 5
    assert found.course.table.bank[Token.LIFE] == 0
    assert table(6).bank[Token.LIFE] == 30 - 18


def test_co05_co06_a_game_that_begins_in_a_position_counts_the_tokens_on_the_map():
    where = position(
        [player(lives=2, bullets=1)],
        tokens=[{"at": [3, 0], "token": "life"}],
        hidden=[{"squares": [[4, 0], [5, 0]], "lives": 1, "items": 1}],
    )
    found, _ = game(where)
    table_ = found.course.table
    assert table_.bank == {Token.LIFE: 30 - 2 - 2, Token.BULLET: 60 - 1}
    assert (table_.beside, table_.box) == (17, 0)
    found, _ = game(position([player()], supply=90))
    assert found.course.table.box == 10


def test_co06_sixty_bullet_tokens():
    assert table(6).bank[Token.BULLET] == 60 - 18
    # a bank of one bullet: who gains two gets one
    found, _ = game(position())
    found.course.table.bank[Token.BULLET] = 1
    found.course.gain(0, Token.BULLET, 2)
    assert seat(found).bullets == 4
    assert found.course.table.bank[Token.BULLET] == 0


def test_co07_four_crop_circle_tokens():
    _, script = played(
        position([player(at=BY_THE_SHIP)], layout=[FARM, HOUSE], crop_circles=[CIRCLE]),
        choices={"step": [(-2, 1)], "turn_over": [True]},
        chances={"crop circle": ["empty"]},
    )
    assert script.options("crop circle") == [("mother-ship", "empty", "empty", "empty")]
    tiles = synthetic_tiles()
    five = replace(
        tiles, tiles=tuple(replace(t, copies=5) if t.is_farm else t for t in tiles.tiles)
    )
    with pytest.raises(UsageError, match="5 farms"):
        Game(start_position(five, ["red"]), Script())


def test_co08_eighteen_item_tokens():
    assert list(table().unseen.values()) == [6, 6, 6]
    assert table().beside == 18


def test_co09_dice_have_six_sides():
    _, script = played(
        position([player(at=(3, 1))], step=2, martians=[[3, 1]]), chances={"combat": [4]}
    )
    for die in ("combat", "movement", "martians"):
        assert script.options(die) == [(1, 2, 3, 4, 5, 6)]


def test_co11_a_hundred_martians():
    assert table().supply == 100
    # the last one on hand is placed, and then none
    found, _ = played(
        position([player(), player("far", martians=99)], layout=[HOUSE], step=1, moves=None),
        choices={"placement": [(1, 0, 0)]},
        chances={"tile": ["diner"]},
        goal=100,
    )
    assert found.course.table.supply == 0
    assert len(found.course.table.martians) == 1


# --- Object of the Game


def at_the_ship(*items, martians=(), **more):
    return position(
        [player(at=BY_THE_SHIP, items=list(items), **more), player("blue")],
        layout=[FARM, HOUSE],
        crop_circles=[SHIP],
        martians=list(martians),
    )


def test_ob1_who_reaches_the_mother_ship_with_all_three_items_wins():
    found, _ = played(at_the_ship(*ALL), choices={"step": [(-2, 1)]})
    assert (found.result.ending, found.result.seats) == ("ship", (1,))
    found, _ = played(at_the_ship(*ALL[:2]), choices={"step": [(-2, 1)]})
    assert found.result is None


def test_ob1_the_mother_ship_turned_over_with_all_items_wins_at_once():
    where = position(
        [player(at=BY_THE_SHIP, items=ALL)], layout=[FARM, HOUSE], crop_circles=[CIRCLE]
    )
    chances = {"crop circle": ["mother-ship"]}
    found, _ = played(where, chances, {"step": [(-2, 1)], "turn_over": [True]})
    assert found.result.ending == "ship"


def test_ob1_a_martian_on_the_mother_ship_is_fought_first():
    where = at_the_ship(*ALL, martians=[[-2, 1]], lives=1, bullets=0)
    found, _ = played(where, {"combat": [3]}, {"step": [(-2, 1)]})
    assert found.result is None
    found, _ = played(where, {"combat": [4]}, {"step": [(-2, 1)]})
    assert found.result.ending == "ship"


def test_ob1_the_fight_at_the_beginning_of_a_turn_on_the_mother_ship_can_win():
    where = position(
        [player(at=(-2, 1), items=ALL), player("blue")],
        layout=[FARM, HOUSE],
        crop_circles=[SHIP],
        martians=[[-2, 1]],
        step=2,
        moves=None,
    )
    found, script = played(where, {"combat": [4]})
    assert (found.result.ending, found.result.seats) == ("ship", (1,))
    assert script.options("movement") == []


def test_ob1_thirty_martians_win_at_once():
    where = position([player(at=(2, 1), martians=29), player("blue")], martians=[[3, 1]])
    found, script = played(where, {"combat": [6]}, {"step": [(3, 1)]})
    assert (found.result.ending, found.result.seats) == ("collected", (1,))
    assert script.options("martians") == []
    assert seat(found).martians == 30


def together(*players, circle=SHIP, **more):
    return position(
        list(players), layout=[FARM, HOUSE], play="cooperative", crop_circles=[circle], **more
    )


@pytest.mark.parametrize(
    ("first", "second", "at", "won"),
    [
        (ALL[:2], ALL[2:], (-2, 1), {"everyone", "carriers"}),
        (ALL, [], (-2, 1), {"everyone", "carriers", "one"}),
        (ALL, [], (1, 1), {"carriers", "one"}),
        (ALL[:2], ALL[2:], (1, 1), set()),
        (ALL[:2], ALL[:2], (-2, 1), set()),
    ],
)
@pytest.mark.parametrize("team", ["everyone", "carriers", "one"])
def test_ob2_the_team_wins_at_the_mother_ship_with_all_three_items(first, second, at, won, team):
    where = together(player(at=BY_THE_SHIP, items=first), player("blue", at=at, items=second))
    found, _ = played(where, choices={"step": [(-2, 1)]}, team=team)
    assert (found.result is not None) is (team in won)
    if found.result:
        assert (found.result.ending, found.result.seats) == ("ship", (1, 2))


def test_ob2_thirty_martians_do_not_win_together():
    where = together(player(at=(0, 1), martians=29), martians=[[-1, 1]])
    found, _ = played(where, {"combat": [6]}, {"step": [(-1, 1)]})
    assert found.result is None
    assert seat(found).martians == 30


def test_ob2_the_last_martian_placed_loses_the_cooperative_game():
    where = together(player(), supply=1, moves=0)  # step 7 refills the crop circle
    found, _ = played(where)
    assert (found.result.ending, found.result.seats) == ("invaded", ())
    found, _ = played(together(player(), supply=3, moves=0))
    assert found.result is None


# --- Game Setup, noncooperative


@pytest.mark.parametrize("play", Play)
def test_sn1_sc1_the_house_lies_in_the_middle_and_all_pawns_stand_on_it(play):
    found = table(4, play)
    assert [placed.tile for placed in found.ground.placed] == ["house"]
    assert found.ground.placed[0].place == (0, 0)
    assert {one.at for one in found.seats} == {found.ground.house} == {(2, 0)}
    assert "house" not in found.deck
    assert len(found.deck) == 29


def test_sn2_event_and_martian_cards_are_one_deck_and_three_are_dealt():
    found, script = begun(3)
    assert [len(hand) for hand in found.course.hands] == [3, 3, 3]
    drawn = script.options("event card")
    assert [len(pool) for pool in drawn] == [70, 69, 68, 67, 66, 65, 64, 63, 62]
    assert counts(drawn[0])["reinforcements"] == 6
    assert found.course.martian_cards.deck == []


@pytest.mark.parametrize("play", Play)
def test_sn3_sc3_everybody_has_three_life_and_three_bullet_tokens(play):
    assert {(one.lives, one.bullets) for one in table(5, play).seats} == {(3, 3)}


def first_item(play):
    """The pool that the first item turned over comes from."""
    where = position(
        [player(at=(3, 1))],
        play=play,
        hidden=[{"squares": [[4, 0]], "items": 1}],
    )
    chances = {"item": ["dynamite"]}
    _, script = played(where, chances, {"step": [(4, 1), (4, 0)]})
    return counts(script.options("item")[0])


def test_sn4_items_are_mixed_face_down():
    assert first_item("noncooperative") == {"fuel": 6, "fertilizer": 6, "dynamite": 6}


@pytest.mark.parametrize("play", Play)
def test_sn5_sc6_crop_circles_are_mixed_face_down(play):
    found = table(1, play)
    assert found.circles == {}
    assert found.unturned == 4


# --- Game Setup, cooperative


def test_sc2_only_event_cards_are_dealt():
    _, script = begun(2, Play.COOPERATIVE)
    drawn = script.options("event card")
    assert [len(pool) for pool in drawn] == [40, 39, 38, 37, 36, 35]
    assert not set(drawn[0]) & {card.name for card in synthetic_cards().martians}


def test_sc4_martian_cards_are_a_deck_of_their_own():
    found, _ = begun(2, Play.COOPERATIVE)
    assert len(found.course.martian_cards.deck) == 30


def test_sc5_three_of_each_item():
    assert table(2, Play.COOPERATIVE).beside == 9
    assert first_item("cooperative") == {"fuel": 3, "fertilizer": 3, "dynamite": 3}


def test_players_need_names_and_rules_the_game_of_the_position():
    with pytest.raises(UsageError, match="2 names for 1 players"):
        new_game([RandomBot(np.random.default_rng(1))], np.random.default_rng(1), names=["a", "b"])
    with pytest.raises(UsageError, match="the position is of the cooperative game"):
        Game(position(play="cooperative", layout=[HOUSE, DINER]), Script(), rules=Rules())


@pytest.mark.parametrize(
    ("where", "ending"),
    [
        (position([player(martians=30)]), "collected"),
        (at_the_ship(*ALL), None),
        (
            position([player(at=(-2, 1), items=ALL)], layout=[FARM, HOUSE], crop_circles=[SHIP]),
            "ship",
        ),
        (together(player(), supply=0), "invaded"),
    ],
)
def test_a_game_does_not_begin_where_it_is_over(where, ending):
    if ending is None:
        assert game(where)[0].result is None
    else:
        with pytest.raises(PositionError, match=f"over in this position: {ending}"):
            game(where)
