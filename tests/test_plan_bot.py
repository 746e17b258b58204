"""The planner as a player of the complete game."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from solver.apps.players import PLAYERS, PlannerBot
from solver.apps.players.planner import _steps_to_a_martian
from solver.games.martians.board import arrive, start_position, synthetic_tiles
from solver.games.martians.board.components import Play
from solver.games.martians.cards import synthetic_cards
from solver.games.martians.plan import ground_of, most_items, most_martians
from solver.referee.martians_game import (
    BOTS,
    Game,
    GreedyBot,
    Live,
    Rules,
    makers,
    new_game,
    run_games,
)
from solver.turn.board import Follower, plan_movement


def game(seed=5, **more):
    rng = np.random.default_rng(seed)
    return new_game([PlannerBot(most_nodes=20_000), GreedyBot()], rng, **more)


def test_the_planner_plays_by_the_rules_of_the_referee():
    """The referee refuses what is not legal; goal 3 needs no table of thirty Martians."""
    found = game(rules=Rules(goal=3))
    result = found.play(12)
    assert result.turns >= 2
    assert found.course.table.seats[0].martians >= 1


def test_equal_seeds_give_equal_games():
    games = [game(rules=Rules(goal=2)) for _ in range(2)]
    for found in games:
        found.play(5)
    assert games[0].course.log == games[1].course.log


def test_the_planner_plays_in_a_team():
    found = game(rules=Rules(play=Play.COOPERATIVE))
    found.play(4)
    assert found.course.table.turn == 4


def test_a_plan_that_is_too_large_is_left_to_the_greedy_bot():
    rng = [np.random.default_rng(7) for _ in range(2)]
    rules = Rules(goal=4)
    small = new_game([PlannerBot(most_nodes=1), GreedyBot()], rng[0], rules=rules)
    greedy = new_game([GreedyBot(), GreedyBot()], rng[1], rules=rules)
    small.play(6)
    greedy.play(6)
    assert small.course.log == greedy.course.log


def test_the_nearest_martian_is_counted_in_steps():
    from plan_boards import ground_for
    from test_plan_world import row

    me = {"at": 0, "lives": 3, "bullets": 3, "martians": 0, "items": ()}
    assert _steps_to_a_martian(ground_for(row(5, {3}), me)) == [3, 2, 1, 0, 1]
    assert _steps_to_a_martian(ground_for(row(3), me)) == [20, 20, 20]


def test_the_planner_is_found_by_its_name():
    assert list(makers(["planner", "greedy"], PLAYERS)) == ["planner", "greedy"]


class Hunter(GreedyBot):
    """Follows one payoff through its turn."""

    def __init__(self, follower):
        self.follower = follower

    def step(self, view, options):
        ground = ground_of(view.position, view.seat)
        route = self.follower.route(ground, view.position.moves)
        to = ground.squares[route.squares[0]] if route.squares else None
        assert to in options
        return to

    def pay(self, view, options):
        position = view.position
        moves = position.moves if position.step == 5 else None
        ground = ground_of(position, view.seat)
        action = self.follower.fight(ground, moves, view.fight.short).action
        assert action in options
        return action

    def turn_over(self, view, options):
        del options
        return self.follower.turns_circle(ground_of(view.position, view.seat), view.position.moves)


def crossing(step):
    """House, tee, diner and farm; the pawn on the tee, which has Martians on all its squares."""
    here = start_position(synthetic_tiles(), ["red"])
    for name in ("tee", "diner", "farm"):
        here = arrive(here, here.layout.placements(name)[0])
    me = replace(here.players[0], at=here.martians[0], lives=2, bullets=1, hand=0)
    return replace(here, players=(me,), step=step)


@pytest.mark.parametrize(
    ("payoff", "earned"),
    [(most_martians(), lambda seat: seat.martians), (most_items(), lambda seat: len(seat.items))],
    ids=["martians", "items"],
)
def test_at_the_referee_s_table_a_turn_earns_what_the_plan_promises(payoff, earned):
    """From the fight on the own square to the end of the turn, without cards: four errors."""
    position, follower = crossing(2), Follower(payoff)
    promised = plan_movement(ground_of(position), payoff).value
    rng = np.random.default_rng(11)
    found = []
    for _ in range(150):
        table = Game(position, Live([Hunter(follower)], rng), cards=no_cards())
        table.play_turn()
        found.append(earned(table.course.table.seats[0]))
    error = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - promised) <= 4 * error


def no_cards():
    """Cards of which none can be drawn."""
    cards = synthetic_cards()
    return msgspec.structs.replace(cards, events=(), martians=())


@pytest.mark.slow
def test_the_planner_beats_the_greedy_bot():
    """Thirty deals, each from both seats: the 95 % interval excludes that they are equal."""
    policies = {"planner": lambda _: PlannerBot(looked_at=0), "greedy": BOTS["greedy"]}
    (pair,) = run_games(policies, games=60, seed=1, max_turns=200).pairs
    assert pair.low > 0
