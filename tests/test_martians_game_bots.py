"""Bots in the complete game of Martians!!! do what is said of them; tournaments count rightly."""

from __future__ import annotations

from collections import Counter
from math import factorial
from types import SimpleNamespace

import numpy as np
import pytest
from martians_table import DINER, FARM, HOUSE, game, player, position

from solver.errors import UnknownNameError, UsageError
from solver.games.martians.board.components import Play
from solver.referee.martians_game import (
    BOTS,
    GreedyBot,
    Player,
    Question,
    RandomBot,
    Rules,
    View,
    bot,
    makers,
    run_games,
)
from solver.referee.martians_game.tournament import paired, wilson

GREEDY = GreedyBot()
SHIP = [{"at": [-2, 1], "shows": "mother-ship"}]
ALL = ["fuel", "fertilizer", "dynamite"]


def view(*players, seat=1, hand=(), **more):
    found, _ = game(position(list(players) or [player()], **more))
    found.course.hands[seat - 1] = list(hand)
    return View(found.course, seat)


def steps(seen):
    at = seen.me.at
    return GREEDY.step(seen, (None, *sorted(seen.table.ground.pawn[at])))


# --- the bots


def test_random_answers_are_equally_likely():
    random = RandomBot(np.random.default_rng(1))
    found = Counter(random.decide(None, None, "abc") for _ in range(3000))
    assert set(found) == set("abc")
    assert max(found.values()) - min(found.values()) < 150


def test_greedy_places_near_its_own_pawn():
    seen = view(player(at=(5, 1)))
    assert GREEDY.placement(seen, [(0, -1, 0), (2, 0, 1), (0, 1, 0)]) == (2, 0, 1)


def test_greedy_pays_by_rolling_again_then_bullets_then_a_life():
    for options, first in (
        (("spend", "reroll", "forfeit"), "reroll"),
        (("spend", "forfeit"), "spend"),
    ):
        assert GREEDY.pay(None, options) == first


def test_greedy_uses_the_weapon_that_adds_most():
    seen = view(player(weapons="+1,+2,reroll:2"))
    assert GREEDY.arm(seen, ("club", "shotgun", "net", None)) == "shotgun"
    assert GREEDY.arm(seen, ("steady-hand", "net", None)) == "net"


@pytest.mark.parametrize(
    ("me", "more", "to"),
    [
        ({}, {"martians": [[3, 1]]}, (3, 1)),
        ({}, {"tokens": [{"at": [4, 0], "token": "life"}]}, (4, 1)),
        ({"lives": 5}, {"tokens": [{"at": [4, 0], "token": "life"}]}, None),
        ({"items": ["fuel"]}, {"tokens": [{"at": [4, 0], "token": "fuel"}]}, None),
        ({}, {"hidden": [{"squares": [[4, 0]], "items": 1}]}, (4, 1)),
        # careful: round the Martian is no way, but there is something else to walk to
        (
            {"lives": 1, "bullets": 2},
            {"martians": [[3, 1]], "tokens": [{"at": [4, 0], "token": "life"}]},
            (4, 1),
        ),
        ({"lives": 1, "bullets": 2}, {"martians": [[5, 1]]}, (5, 1)),
        ({}, {}, None),
    ],
)
def test_greedy_walks_to_the_nearest_thing_it_wants(me, more, to):
    seen = view(player(at=(4, 1) if to != (4, 1) else (5, 1), **me), **more)
    assert steps(seen) == to


def test_greedy_with_all_items_walks_to_the_mother_ship_and_nowhere_else():
    where = {"layout": [FARM, HOUSE, DINER], "crop_circles": SHIP, "martians": [[3, 1]]}
    assert steps(view(player(at=(2, 1), items=ALL), **where)) == (1, 1)
    assert steps(view(player(at=(2, 1)), **where)) == (3, 1)
    together = view(player(at=(2, 1), items=ALL[:2]), player("blue", items=ALL[2:]),
                    play="cooperative", **where)  # fmt: skip
    assert steps(together) == (1, 1)


def test_greedy_brings_martians_near():
    seen = view(player(at=(1, 1)), martians=[[5, 1], [3, 1]])
    options = [((5, 1), (4, 1)), ((3, 1), (2, 1)), ((3, 1), (4, 1))]
    assert GREEDY.martian(seen, options) == ((3, 1), (2, 1))


def test_greedy_plays_what_helps_and_discards_what_never_does():
    hand = ("reinforcements", "first-aid", "club")
    assert GREEDY.card(view(hand=hand), (None, *hand)) == "first-aid"
    assert GREEDY.card(view(player(lives=5), hand=hand), (None, *hand)) == "club"
    assert GREEDY.card(view(hand=hand), (None, "reinforcements", "panic", "decoy")) is None
    assert GREEDY.discard(view(hand=hand), (None, "club", "decoy")) == "decoy"
    assert GREEDY.discard(view(hand=hand), (None, "club")) is None
    assert GREEDY.discard(view(hand=hand), ("club", "net")) == "club"
    for play in Play:
        seen = view(player(), player("blue"), hand=["ray"], play=play)
        assert GREEDY.card(seen, (None, "ray")) == ("ray" if play == "noncooperative" else None)


def test_greedy_keeps_a_better_combat_roll_for_a_losing_one():
    seen = view(hand=["courage"])
    assert GREEDY.card(seen, (None, "courage")) is None
    seen._course.fight = SimpleNamespace(short=1)
    assert GREEDY.card(seen, (None, "courage")) == "courage"


def test_greedy_turns_on_the_leader():
    seen = view(player(martians=9), player("b", martians=3), player("c", martians=4))
    assert GREEDY.target(seen, [2, 3]) == 3


def test_a_player_has_a_method_for_each_question_and_takes_the_first_answer():
    for question in Question:
        assert getattr(Player(), question)(None, ["a", "b"]) == "a"


def test_a_view_shows_the_own_hand_and_a_position_that_stays():
    seen = view(player(), player("blue"), seat=2, hand=["club"])
    assert (seen.hand, seen.my_turn, seen.me.name) == (("club",), False, "blue")
    before = seen.position
    seen.me.lives = 1
    assert before.players[1].lives == 3
    assert seen.position.players[1].lives == 1


def test_bots_have_names():
    assert set(BOTS) == {"random", "greedy"}
    with pytest.raises(UnknownNameError, match="did you mean 'greedy'"):
        bot("gredy", np.random.default_rng(1))
    assert list(makers(["greedy", "random", "greedy"])) == ["greedy", "random", "greedy#2"]
    with pytest.raises(UnknownNameError, match="unknown policy 'best'"):
        makers(["best"])


# --- tournaments


class Recorder(Player):
    """Notes at which seats it sits; the game is over before much happens."""

    def __init__(self, seats):
        self.seats = seats

    def decide(self, question, view, options):
        self.seats.append(view.seat)
        return super().decide(question, view, options)


def test_every_deal_is_played_once_in_each_seating():
    seen = {name: [] for name in "ab"}
    policies = {name: (lambda _rng, n=name: Recorder(seen[n])) for name in "ab"}
    found = run_games(policies, games=5, max_turns=2)
    assert (found.games, found.deals, found.seats) == (6, 3, 2)
    for seats in seen.values():
        assert {1, 2} <= set(seats)
    assert found.endings == {"limit": 6}
    assert [score.wins for score in found.scores] == [0, 0]


def test_a_tournament_is_repeatable_and_the_better_bot_wins():
    one, other = (
        run_games(makers(["random", "greedy"]), games=12, seed=4, max_turns=150) for _ in range(2)
    )
    assert one == other
    (pair,) = one.pairs
    assert pair.difference < 0
    assert pair.decided
    assert one.scores[1].wins == sum(one.seat_wins) - one.scores[0].wins
    assert one.scores[1].low <= one.scores[1].share <= one.scores[1].high


def test_in_the_cooperative_game_every_policy_has_a_team_of_its_own():
    rules = Rules(play=Play.COOPERATIVE)
    found = run_games(makers(["random", "greedy"]), games=4, rules=rules, seats=3)
    assert (found.games, found.deals, found.seats) == (4, 2, 3)
    assert [score.games for score in found.scores] == [2, 2]
    assert sum(found.endings.values()) == 4


@pytest.mark.parametrize(
    ("names", "more"),
    [
        (["greedy"], {}),
        (["greedy"] * 7, {}),
        (["greedy", "random"], {"games": 0}),
        (["greedy", "random"], {"max_turns": 0}),
        (["greedy", "random"], {"seats": 3}),
        (["greedy"], {"rules": Rules(play=Play.COOPERATIVE), "seats": 7}),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(names, more):
    with pytest.raises(UsageError, match=r"a tournament of|seats for"):
        run_games(makers(names), **more)


def test_wilson_interval():
    # Wilson's formula by hand for 8 of 10, z = 1.96: (0.490, 0.943)
    assert wilson(8, 10) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    low, high = wilson(5000, 10000)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(2 * 1.95996 * 0.005, rel=1e-3)


def test_an_interval_of_few_or_equal_differences_decides_nothing():
    assert paired([1.0]) == (1.0, -1.0, 1.0)
    mean, low, high = paired([1.0, 1.0])
    assert (mean, low, high) == (1.0, -1.0, 1.0)
    mean, low, high = paired([0.0] * 10)
    assert mean == 0
    assert low == -high < -0.2


def test_a_long_interval_is_nearly_the_normal_one():
    values = [1.0, 0.0, 0.0, -1.0, 1.0] * 200
    mean, low, high = paired(values)
    half = 1.959964 * (0.56 / 1000) ** 0.5
    assert mean == pytest.approx(0.2)
    assert (low, high) == pytest.approx((0.2 - half, 0.2 + half), abs=1e-3)


@pytest.mark.parametrize("deals", [2, 3, 5, 12])
def test_an_interval_holds_the_truth_in_about_95_of_100_tournaments(deals):
    """Every tournament of deals of two games, with its chance: won both, one each, lost both."""
    ways = {}
    for both in range(deals + 1):
        for neither in range(deals + 1 - both):
            split = deals - both - neither
            differences = [1.0] * both + [-1.0] * neither + [0.0] * split
            orders = factorial(deals) // (factorial(both) * factorial(neither) * factorial(split))
            ways[both, neither, split] = orders, *paired(differences)[1:]
    for p in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
        for q in (0.0, 0.01, 0.1, 0.3, 0.5):
            if p + q <= 1:
                chance = sum(
                    orders * p**both * q**neither * (1 - p - q) ** split
                    for (both, neither, split), (orders, low, high) in ways.items()
                    if low - 1e-12 <= p - q <= high + 1e-12
                )
                assert chance >= 0.9374, (p, q)
