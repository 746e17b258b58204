"""The referee of Martians!!!: Martians Deck Rules and Event Card Rules, rule by rule."""

from __future__ import annotations

import json

import pytest
from martians_table import DINER, HOUSE, game, played, player, position, seat

from solver.games.martians.board.components import Play
from solver.games.martians.cards import read_cards
from solver.referee.martians_game.steps.effects import can

ICON = DINER
"""The Diner has a Martian icon in the middle, (4, 1)."""
DECK = "martian card"


def cards(*events, martians=()):
    """A set of these cards, three copies each; an effect alone stands for a card a, b, ..."""

    def listed(effects, first):
        return [
            {"name": f"{first}-{n}", "title": "Card", "copies": 3, **card}
            for n, card in enumerate(effects)
        ]

    return read_cards(
        json.dumps(
            {
                "format": "martians-cards-1",
                "name": "few",
                "about": "made for a test",
                "events": listed(events, "event"),
                "martians": listed(martians, "martian"),
            }
        )
    )


def does(**effect):
    return {"effects": [effect]}


def on_icon(*effects, others=(), **more):
    """The first player steps on the icon; the Martian deck holds one kind of card."""
    where = position([player(at=(3, 1)), *others], layout=[HOUSE, ICON], play="cooperative", **more)
    return where, cards(does(do="draw", number=1), martians=[{"effects": list(effects)}])


# --- Martians Deck Rules


def test_md1_a_card_is_turned_up_on_an_icon_and_takes_effect_at_once():
    where, few = on_icon({"do": "tokens", "lives": -1, "who": "victim"})
    found, script = played(where, choices={"step": [(4, 1), None]}, cards=few)
    assert len(script.options(DECK)) == 1
    assert seat(found).lives == 2
    assert found.course.martian_cards.discarded == ["martian-0"]
    # the noncooperative game has no such deck
    where = position([player(at=(3, 1))], layout=[HOUSE, ICON])
    _, script = played(where, choices={"step": [(4, 1)]})
    assert script.options(DECK) == []


def test_md1_the_fight_on_the_space_comes_first():
    where, few = on_icon({"do": "tokens", "lives": -1, "who": "victim"}, martians=[[4, 1]])
    _, script = played(where, {"combat": [4]}, {"step": [(4, 1)]}, cards=few)
    names = [entry[0] for entry in script.asked]
    assert names.index("combat") < names.index(DECK)


def test_md2_a_lasting_card_lies_in_front_of_the_player_until_it_is_over():
    curse = {"do": "combat", "bonus": -1, "who": "all", "lasts": "round"}
    where, few = on_icon(curse, others=[player("blue", at=(3, 1))])
    found, script = played(where, choices={"step": [(4, 1), None]}, cards=few)
    table = found.course.table
    assert [(spell.card, spell.by) for spell in table.spells] == [("martian-0", 0)]
    assert found.course.martian_cards.discarded == []
    # while it lies there the other player needs a five
    table.step, table.martians = 2, {(3, 1)}
    script.chances = {"combat": [4, 5]}
    script.choices = {"pay": ["forfeit"]}
    found.play_turn()
    assert (seat(found, 2).lives, seat(found, 2).martians) == (2, 1)
    assert table.spells
    found.play_turn()
    assert not table.spells
    assert found.course.martian_cards.discarded == ["martian-0"]


def test_md2_a_card_of_two_lasting_effects_is_one_card_and_goes_when_the_longer_is_over():
    card = [
        {"do": "combat", "bonus": -1, "who": "all", "lasts": "round"},
        {"do": "combat", "bonus": 1, "who": "all", "lasts": "turn"},
    ]
    where, few = on_icon(*card, others=[player("blue", at=(3, 1))])
    found, _ = played(where, choices={"step": [(4, 1), None]}, cards=few)
    assert found.course.table.combat_bonus(0) == -1, "what was for this turn is over"
    assert found.course.martian_cards.discarded == []
    found.play_turn()
    found.play_turn()
    assert not found.course.table.spells
    assert found.course.martian_cards.discarded == ["martian-0"]


def test_md3_martian_cards_of_the_cooperative_game_come_into_no_hand():
    found, _ = played(position([player(hand=0)], play="cooperative", step=3, moves=None))
    martian_cards = {card.name for card in found.cards.martians}
    assert not martian_cards & {*found.course.hands[0], *found.course.events.deck}


def test_md4_the_active_player_has_played_the_card_and_chooses():
    where, few = on_icon({"do": "place", "number": 1}, others=[player("blue")])
    found, script = played(where, choices={"step": [(4, 1), None]}, cards=few)
    (asked,) = [entry for entry in script.asked if entry[0] == "space"]
    assert asked[2] == 1
    assert not seat(found).played  # it is no event card: one of those may still be played


# --- Event Card Rules


def test_ec1_cards_may_be_played_at_any_time():
    """Before the tile, after it, in a fight, around the movement, before Martians, at the end."""
    where = position([player(at=(3, 1), lives=1), player("blue")], step=1, moves=None,
                     martians=[[3, 1]])  # fmt: skip
    _, script = played(where, {"combat": [3]}, {"pay": ["spend"]}, hands={2: ["first-aid"]})
    moments = [entry[3] for entry in script.asked if entry[0] == "card"]
    assert list(dict.fromkeys(moments)) == [
        "start", "placed", "combat", "roll", "moving", "martians", "end",
    ]  # fmt: skip
    assert moments.count("combat") == 2  # before the first roll and over the losing one


def test_ec1_unless_the_card_says_otherwise():
    where = position([player(at=(3, 1)), player("blue")], step=4, moves=None)
    _, script = played(where, hands={1: ["truck"], 2: ["truck", "flat-tire"]})
    asked = [(entry[2], entry[1], entry[3]) for entry in script.asked if entry[0] == "card"]
    # "truck": before the own movement roll; "flat-tire": on another's turn, while he can move
    assert asked[0] == (1, (None, "truck"), "roll")
    assert {entry[1] for entry in asked if entry[0] == 2} == {(None, "flat-tire")}
    assert {entry[2] for entry in asked if entry[0] == 2} == {"roll", "moving"}


def test_ec1_moves_are_added_and_taken():
    where = position([player(at=(3, 1), lives=1), player("blue")], step=4, moves=None)
    _, script = played(
        where,
        {"movement": [2]},
        {"card": ["truck", "flat-tire"], "step": [(4, 1), (5, 1), (4, 1), (5, 1), (4, 1)]},
        hands={1: ["truck"], 2: ["flat-tire"]},
    )
    assert len(script.options("step")) == 2 + 1 + 4 - 2


def test_ec1_moves_are_added_and_taken_while_the_pawn_moves():
    there_and_back = [(4, 1), (5, 1), (4, 1)]
    _, script = played(
        position([player(at=(5, 1))], moves=1),
        choices={"card": ["bicycle"], "step": there_and_back},
        hands={1: ["bicycle"]},
    )
    assert len(script.options("step")) == 3
    # or when the moves are used up; a card that only takes moves is of no use then
    _, script = played(
        position([player(at=(5, 1)), player("blue")], moves=1),
        choices={"card": [None, "bicycle"], "step": there_and_back},
        hands={1: ["bicycle"]},
    )
    assert len(script.options("step")) == 3
    _, script = played(position([player(), player("blue")], moves=0), hands={2: ["flat-tire"]})
    assert script.options("card") == []
    # a Martian card of the cooperative game takes two of three moves, or all there are
    for moves, left in ((4, 1), (2, 0)):
        where, few = on_icon({"do": "squares", "number": -2, "who": "victim"}, moves=moves)
        _, script = played(where, choices={"step": [(4, 1), *([None] * left)]}, cards=few)
        assert len(script.options("step")) == 1 + left


def test_ec2_one_card_in_a_round_from_own_turn_to_own_turn():
    where = position([player("a"), player("b")], moves=2)
    hands = {1: ["first-aid", "first-aid", "first-aid"], 2: ["ammunition"]}
    found, script = played(where, choices={"card": ["first-aid"]}, hands=hands, turns=2)
    asked = [entry[2] for entry in script.asked if entry[0] == "card"]
    assert asked[0] == 1
    assert 1 not in asked[1:]
    assert seat(found).played
    found.play_turn()  # his next turn has begun
    assert not seat(found).played
    assert 1 in [entry[2] for entry in script.asked if entry[0] == "card"][len(asked) :]


def test_ec3_three_cards_at_most_are_kept():
    where = position([player("a"), player("b")], moves=0)
    found, script = played(
        where,
        choices={"card": ["second-thought"], "discard": ["club"]},
        hands={1: ["second-thought", "club", "net"]},
        chances={"event card": ["truck", "truck"]},
    )
    assert script.options("discard") == [("club", "net", "truck")]
    assert found.course.hands[0] == ["net", "truck", "truck"]


def test_ec4_one_card_may_be_discarded_at_the_end():
    found, script = played(
        position(moves=0), hands={1: ["club", "net", "truck"]}, choices={"discard": ["truck"]}
    )
    assert len(script.options("discard")) == 1
    assert found.course.hands[0] == ["club", "net"]


def test_ec5_the_discard_pile_is_shuffled_when_the_deck_is_exhausted():
    found, script = game(position([player()], step=3, moves=None))
    events = found.course.events
    events.deck, events.discarded = ["club"], ["net", "truck", "net"]
    found.play_turn()
    assert script.options("event card") == [("club",), ("net", "net", "truck"), ("net", "truck")]
    assert events.discarded == []
    events.deck = []
    found.course.hands[0] = []
    found.play_turn()  # neither deck nor discards: nothing is drawn, and the turn goes on
    assert len(script.options("event card")) == 3


def test_ec6_weapons_in_play_are_not_in_the_hand_and_using_one_is_not_playing():
    where = position([player(at=(2, 1))], martians=[[3, 1], [4, 1]])
    found, _ = played(
        where,
        {"combat": [2, 3]},
        {"card": ["shotgun"], "step": [(3, 1), (4, 1)], "arm": ["shotgun", "shotgun"]},
        hands={1: ["shotgun", "club", "net"]},
    )
    assert seat(found).weapons == ["shotgun"]
    assert found.course.hands[0] == ["club", "net"]
    assert seat(found).martians == 2


# --- what cards can do


def plays(effect, *others, martians=(), chances=None, choices=None, me=None, **more):
    """The first player plays a card with this effect before his first step."""
    where = position([me or player(at=(3, 1)), *others], martians=list(martians), **more)
    few = cards(does(**effect), martians=[does(do="move", number=1)])
    choices = {"card": ["event-0"], **(choices or {})}
    return played(where, chances, choices, cards=few, hands={1: ["event-0"]})


def test_cards_place_remove_and_move_martians():
    found, script = plays({"do": "place", "number": 2}, choices={"space": [(2, 1), (3, 1)]})
    assert len(found.course.table.martians) == 2
    assert found.course.table.supply == 98
    assert (2, 1) not in script.options("space")[1]
    where = position([player(), player("blue", martians=99)], martians=[[3, 1]])
    _, script = played(where, hands={1: ["reinforcements"]}, goal=100)
    assert script.options("card") == []  # the supply is empty
    found, _ = plays({"do": "remove", "number": 2}, martians=[[3, 1], [5, 1]])
    assert (found.course.table.martians, found.course.table.supply) == (set(), 100)
    found, script = plays({"do": "move", "number": 2}, martians=[[3, 1], [1, 2]])
    assert len(script.options("martian")) == 3  # and one by the die


def test_cards_can_be_about_the_squares_beside_a_pawn():
    blue = player("blue", at=(1, 1))
    _, script = plays({"do": "place", "number": 1, "where": "beside"}, blue, martians=[[1, 0]])
    assert set(script.options("space")[0]) == {(0, 1), (2, 1), (1, 2)}
    _, script = plays(
        {"do": "remove", "number": 1, "where": "beside"}, martians=[[1, 0], [3, 1], [4, 1]]
    )
    assert set(script.options("removal")[0]) == {(3, 1), (4, 1)}


def test_a_martian_that_a_card_takes_away_in_a_fight_is_collected_by_nobody():
    where = position([player(at=(2, 1))], martians=[[3, 1]])
    found, script = played(
        where,
        {"combat": [1]},
        {"step": [(3, 1)], "card": [None, None, "slingshot"]},
        hands={1: ["slingshot"]},
    )
    assert script.options("pay") == []
    assert (seat(found).martians, seat(found).bullets, found.course.table.supply) == (0, 3, 100)


def test_cards_give_and_take_tokens():
    blue = player("blue", lives=2)
    found, _ = plays({"do": "tokens", "lives": 1, "bullets": 2})
    assert (seat(found).lives, seat(found).bullets) == (4, 5)
    found, _ = plays({"do": "tokens", "lives": -1, "who": "victim"}, blue)
    assert (seat(found).lives, seat(found, 2).lives) == (3, 1)
    found, _ = plays({"do": "tokens", "bullets": -1, "who": "all"}, blue)
    assert (seat(found).bullets, seat(found, 2).bullets) == (2, 2)
    # who loses the last life to a card is dead, and is left alone until his next turn
    found, _ = plays(
        {"do": "tokens", "lives": -2, "who": "victim"},
        player("blue", at=(4, 1), lives=2, martians=5),
    )
    dead = seat(found, 2)
    assert (dead.at, dead.lives, dead.martians, dead.fallen) == ((2, 0), 3, 2, True)
    assert not can(found.course, 0, found.course.card["event-0"].effects[0])


@pytest.mark.parametrize("play", Play)
def test_a_better_combat_roll_lasts_for_the_turn(play):
    where = position([player(at=(2, 1)), player("blue", at=(3, 1))], martians=[[3, 1]], play=play)
    few = cards(does(do="combat", bonus=1))
    found, script = played(
        where, {"combat": [3]}, {"card": ["event-0"], "step": [(3, 1)]}, cards=few,
        hands={1: ["event-0"]},
    )  # fmt: skip
    assert script.options("pay") == []
    assert seat(found).martians == 1
    assert found.course.table.spells == []
    assert found.course.events.discarded == ["event-0"]
