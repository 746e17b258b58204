"""The planner as a player of the complete game."""

from __future__ import annotations

import numpy as np
import pytest

from solver.apps.players import PLAYERS, PlannerBot
from solver.apps.players.planner import _steps_to_a_martian
from solver.games.martians.board.components import Play
from solver.referee.martians_game import BOTS, GreedyBot, Rules, makers, new_game, run_games


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


@pytest.mark.slow
def test_the_planner_beats_the_greedy_bot():
    """Thirty deals, each from both seats: the 95 % interval excludes that they are equal."""
    policies = {"planner": lambda _: PlannerBot(looked_at=0), "greedy": BOTS["greedy"]}
    (pair,) = run_games(policies, games=60, seed=1, max_turns=200).pairs
    assert pair.low > 0
