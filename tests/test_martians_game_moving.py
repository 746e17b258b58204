"""The referee of Martians!!!: Player Movement Rules and Combat Rules, rule by rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from martians_table import DINER, FARM, HOUSE, played, player, position, seat

from solver.referee.martians_game import Game, GreedyBot, Live

LIFE = [{"at": [4, 0], "token": "life"}]


def moved(where, steps, chances=None, choices=None, **more):
    """Walk these steps; returns the player, the game and its script."""
    found, script = played(where, chances, {"step": steps, **(choices or {})}, **more)
    return seat(found), found, script


# --- Player Movement Rules


def test_pm1_moves_are_a_die_and_the_life_tokens_at_the_roll():
    for roll, lives in ((1, 1), (4, 3), (6, 5)):
        where = position([player(at=(4, 1), lives=lives)], step=4, moves=None)
        there_and_back = [(3, 1), (4, 1)] * 6
        _, _, script = moved(where, there_and_back[: roll + lives], {"movement": [roll]})
        assert len(script.options("step")) == roll + lives


def test_pm2_no_diagonal_steps_and_pawns_may_share_a_space():
    where = position([player(at=(1, 1)), player("blue", at=(2, 1))])
    pawn, _, script = moved(where, [(2, 1)])
    assert set(script.options("step")[0]) == {None, (1, 0), (0, 1), (2, 1), (1, 2)}
    assert pawn.at == (2, 1)


def test_pm3_a_player_may_stop_at_any_time_and_enters_roads_and_named_buildings():
    where = position([player(at=(4, 1))], hidden=[{"squares": [[4, 0]], "bullets": 0, "lives": 1}])
    pawn, _, script = moved(where, [(4, 0), None])
    assert pawn.at == (4, 0)
    assert all(None in options for options in script.options("step"))
    # the unnamed building to the south of the Diner's road cannot be entered
    assert (4, 2) not in script.options("step")[0]


def test_pm3_an_unnamed_building_with_a_door_lets_in_martians_only():
    mill = {"tile": "mill", "column": 1, "row": 0}
    where = position([player(at=(4, 1))], layout=[HOUSE, mill], martians=[[3, 1]])
    _, _, script = moved(where, [None])
    assert (4, 0) not in script.options("step")[0]
    found, script = played(
        position([player()], layout=[HOUSE, mill], moves=0, martians=[[4, 1]]),
        choices={"martian": [((4, 1), (4, 0))]},
    )
    assert found.course.table.martians == {(4, 0)}


def test_pm4_a_martian_is_fought_before_the_pawn_goes_on():
    where = position([player(at=(2, 1), bullets=0)], martians=[[3, 1]])
    pawn, _, script = moved(where, [(3, 1), (4, 1)], {"combat": [1, 2, 4]})
    names = [entry[0] for entry in script.asked if entry[0] in ("step", "combat")]
    assert names[:5] == ["step", "combat", "combat", "combat", "step"]
    assert (pawn.at, pawn.lives, pawn.martians) == ((4, 1), 1, 1)


@pytest.mark.parametrize(
    ("token", "has", "taken"),
    [
        ("life", {"lives": 4}, True),
        ("life", {"lives": 5}, False),
        ("bullet", {"bullets": 4}, True),
        ("bullet", {"bullets": 5}, False),
        ("fuel", {"items": ["dynamite"]}, True),
        ("fuel", {"items": ["fuel"]}, False),
    ],
)
def test_pm5_a_token_is_taken_at_once_and_a_duplicate_goes_back(token, has, taken):
    where = position([player(at=(4, 1), **has)], tokens=[{"at": [4, 0], "token": token}])
    pawn, found, _ = moved(where, [(4, 0)])
    assert ((4, 0) in found.course.table.known) is not taken
    got = pawn.lives + pawn.bullets + len(pawn.items)
    before = has.get("lives", 3) + has.get("bullets", 3) + len(has.get("items", ()))
    assert got - before == taken


def test_pm5_a_token_under_a_martian_is_taken_after_the_fight():
    where = position([player(at=(4, 1))], tokens=LIFE, martians=[[4, 0]])
    pawn, found, _ = moved(where, [(4, 0)], {"combat": [5]})
    assert (pawn.martians, pawn.lives) == (1, 4)
    where = position([player(at=(4, 1), lives=1, bullets=0)], tokens=LIFE, martians=[[4, 0]])
    _, found, _ = moved(where, [(4, 0)], {"combat": [1]})
    assert (4, 0) in found.course.table.known


def test_pm5_face_down_tokens_are_equally_likely_on_each_square_until_turned():
    where = position(
        [player(at=(4, 1), items=["fuel"])],
        hidden=[{"squares": [[3, 0], [4, 0], [5, 0]], "lives": 2, "items": 1}],
    )
    pawn, found, script = moved(where, [(4, 0), (3, 0)], {"token": ["item", "life"]})
    assert script.options("token") == [("life", "life", "item"), ("life", "life")]
    assert len(script.options("item")[0]) == 17  # one of eighteen is seen
    assert pawn.lives == 4
    # the item was a duplicate: face-down again, but everybody has seen it
    assert found.course.table.known == {(4, 0): "fuel"}
    assert found.course.table.hidden[1, 0, "A"].squares == [(5, 0)]


def test_pm6_steps_cross_white_lines_and_new_tiles_are_entered_by_road():
    found, _ = played(position([player(at=(3, 1))]))
    near = found.course.table.ground.pawn
    assert set(near[3, 1]) == {(2, 1), (4, 1)}  # over the road to the House's tile, and on
    assert set(near[3, 0]) == {(4, 0)}  # the Diner has one door, in its middle
    assert set(near[4, 1]) == {(3, 1), (5, 1), (4, 0)}
    assert (3, 0) not in near[2, 0]  # beside each other on two tiles, and no road


# --- Combat Rules


def fought(rolls, pays=(), **more):
    where = position([player(at=(2, 1), **more), player("blue")], martians=[[3, 1]])
    return moved(where, [(3, 1)], {"combat": rolls}, {"pay": list(pays)})


def test_cb1_a_fight_begins_on_the_own_space_or_by_landing():
    where = position([player(at=(3, 1))], step=2, moves=None, martians=[[3, 1]])
    _, script = played(where, {"combat": [4]})
    assert len(script.options("combat")) == 1
    assert fought([4])[0].martians == 1
    # a Martian that is moved to a player's space does not fight before his next turn
    where = position([player(at=(4, 1)), player("blue")], moves=0, martians=[[3, 1]])
    found, script = played(where, choices={"martian": [((3, 1), (4, 1))]}, turns=2)
    assert script.options("combat") == []
    found.course.source.chances = {"combat": [6]}
    found.play_turn()
    assert seat(found).martians == 1


@pytest.mark.parametrize("roll", [4, 5, 6])
def test_cb2_four_five_and_six_win(roll):
    pawn, found, _ = fought([roll])
    assert (pawn.martians, pawn.lives, pawn.bullets) == (1, 3, 3)
    assert found.course.table.martians == set()


@pytest.mark.parametrize(("roll", "bullets"), [(3, 1), (2, 2), (1, 3)])
def test_cb2_bullets_raise_a_losing_roll_to_four(roll, bullets):
    pawn, _, script = fought([roll], ["spend"])
    assert script.options("pay") == [("spend", "forfeit")]
    assert (pawn.martians, pawn.lives, pawn.bullets) == (1, 3, 3 - bullets)


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_cb2_a_life_token_pays_for_another_roll(roll):
    pawn, _, _ = fought([roll, 6], ["forfeit"])
    assert (pawn.martians, pawn.lives, pawn.bullets) == (1, 2, 3)


def test_cb2_bullets_that_do_not_suffice_cannot_be_spent():
    pawn, _, script = fought([1, 2, 4], bullets=1)
    assert script.options("pay") == []
    assert (pawn.lives, pawn.bullets) == (1, 1)


def test_cb3_a_fight_goes_on_until_it_is_won_or_lost_and_cannot_be_left():
    pawn, _, script = fought([1, 1, 1], ["forfeit"] * 3)
    assert script.options("pay") == [("spend", "forfeit")] * 3
    assert pawn.martians == 0
    assert pawn.at == (2, 0)
    assert len(script.options("step")) == 1


def test_cb3_one_more_roll_after_the_last_life_is_a_reading():
    where = position([player(at=(2, 1), lives=1, bullets=0)], martians=[[3, 1]])
    pawn, _, _ = moved(where, [(3, 1)], {"combat": [1, 5]}, last_life="one-more-roll")
    assert (pawn.lives, pawn.martians, pawn.at) == (0, 1, (3, 1))
    pawn, _, _ = moved(where, [(3, 1)], {"combat": [1, 2]}, last_life="one-more-roll")
    assert (pawn.at, pawn.fallen) == ((2, 0), True)
    pawn, _, _ = moved(where, [(3, 1)], {"combat": [1]})
    assert (pawn.at, pawn.fallen) == ((2, 0), True)


def killed(martians=7, items=(), weapons="none", tokens=(), layout=(HOUSE, DINER), **more):
    """A player who dies at (3, 1) with moves left, and the turn to its end."""
    where = position(
        [player(at=(2, 1), lives=1, bullets=2, martians=martians, items=list(items),
                weapons=weapons), player("blue")],
        layout=list(layout), martians=[[3, 1]], tokens=list(tokens), moves=6,
    )  # fmt: skip
    return moved(where, [(3, 1)], {"combat": [1]}, **more)


def test_cb4_death_ends_the_movement_at_the_house_and_the_turn_goes_on():
    pawn, found, script = killed(hands={1: ["net"]})
    assert pawn.at == (2, 0)
    assert len(script.options("step")) == 1
    assert len(script.options("martians")) == len(script.options("martian")) == 1
    assert script.options("discard") == [(None, "net")]
    assert len(found.course.table.martians) == 1  # the Martian that has won is still there


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (7, 3), (8, 4)])
def test_cb4_half_the_martians_rounded_up_are_lost(before, after):
    pawn, found, _ = killed(before)
    assert pawn.martians == after
    assert found.course.table.supply == 100 - 1 - after
    _, found, _ = killed(before, lost="box")
    assert found.course.table.box == before - after


def test_cb4_weapons_in_play_are_lost():
    pawn, found, _ = killed(weapons="reroll:1", choices={"arm": [None]})
    assert pawn.weapons == []
    assert found.course.events.discarded == ["steady-hand"]


def test_cb4_items_go_to_the_nearest_buildings_without_tokens_one_in_each():
    layout = [
        HOUSE,
        DINER,
        {"tile": "feed-store", "column": 2, "row": 0},
        {"tile": "clinic", "column": 0, "row": -1},
    ]
    pawn, found, _ = killed(items=["fuel", "fertilizer", "dynamite"], layout=layout, tokens=LIFE)
    # the Diner has a token; Clinic and Feed Store are both five steps away, the Clinic comes first
    assert pawn.items == set()
    known = {square: str(token) for square, token in found.course.table.known.items()}
    assert known == {(4, 0): "life", (1, -2): "fuel", (7, 0): "fertilizer"}
    # for the third there is no building: it is mixed with those beside the map
    assert found.course.table.unseen == {"fuel": 5, "fertilizer": 5, "dynamite": 6}
    assert found.course.table.beside == 16


def test_cb4_dying_at_the_beginning_of_the_turn_leaves_no_movement_but_cards_are_drawn():
    where = position([player(at=(3, 1), lives=1, bullets=0)], step=2, moves=None, martians=[[3, 1]])
    _, script = played(where, {"combat": [3]})
    assert len(script.options("event card")) == 3
    assert script.options("movement") == []
    assert len(script.options("martians")) == 1


def test_cb5_the_next_turn_begins_with_three_life_and_three_bullet_tokens():
    pawn, found, _ = killed()
    assert (pawn.lives, pawn.bullets) == (3, 3)
    assert pawn.fallen
    found.play_turn()
    found.play_turn()
    assert not pawn.fallen
    assert (pawn.lives, pawn.bullets) == (3, 3)


def test_a_game_that_begins_within_a_fight_goes_on_with_it():
    where = position([player(at=(3, 1))], martians=[[3, 1]], tokens=[], moves=2)
    pawn, _, _ = moved(where, [(4, 1)], {"combat": [6]})
    assert (pawn.martians, pawn.at) == (1, (4, 1))
    where = position([player()], layout=[FARM, HOUSE], crop_circles=[{"at": [-2, 1]}])
    assert moved(where, [(0, 1)])[0].at == (0, 1)


class Walker(GreedyBot):
    """Walks east through the Diner's street and spends bullets while they suffice."""

    def step(self, _view, options):
        return max((to for to in options if to and to[1] == 1), default=None)


def survives(martians, lives, bullets):
    """The chance to kill so many Martians one after another, spending if possible, by hand."""
    if not martians:
        return Fraction(1)
    if not lives:
        return Fraction(0)
    chance = Fraction(1, 2) * survives(martians - 1, lives, bullets)
    for short in (1, 2, 3):
        spent = bullets >= short
        after = (martians - 1, lives, bullets - short) if spent else (martians, lives - 1, bullets)
        chance += Fraction(1, 6) * survives(*after)
    return chance


def test_fights_with_real_dice_end_as_often_as_they_must():
    where = position([player(at=(2, 1), lives=1, bullets=2)], martians=[[3, 1], [4, 1], [5, 1]],
                     moves=3)  # fmt: skip
    rng = np.random.default_rng(11)
    games, killed = 600, 0
    for _ in range(games):
        found = Game(where, Live([Walker()], rng))
        found.play_turn()
        killed += seat(found).martians == 3
    expected = float(survives(3, 1, 2))
    assert 0.2 < expected < 0.5
    assert abs(killed / games - expected) < 4 * (expected * (1 - expected) / games) ** 0.5
