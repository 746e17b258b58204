"""OpenSpiel plays the exported matches by its own tests, and its value iteration agrees.

Slow; ``pip install 'should-i-roll[witness]'``, then ``pytest -m slow tests/test_witness_*.py``.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from small_games import Lottery

import solver
from solver import export
from solver.games.pig import Pig
from solver.games.readings import End
from solver.match.goal.solve import solve_goal_race

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("cvxpy")  # which its value iteration imports

pytestmark = pytest.mark.slow

THRESHOLD = 1e-13

SMALL = {
    "should_i_roll_martian_dice": "dice=5,target=4",
    "should_i_roll_alien_crew": "rounds=2",
    "should_i_roll_martians": "goal=3",
    "should_i_roll_pig": "target=15",
    "should_i_roll_farkle": "target=1000",
}


def value(game):
    """The chance to win of the first seat, by their value iteration."""
    from open_spiel.python.algorithms import value_iteration

    values = value_iteration.value_iteration(
        game, depth_limit=-1, threshold=THRESHOLD, cyclic_game=True
    )
    return (values[str(game.new_initial_state())] + 1.0) / 2.0


def test_every_match_passes_their_simulation_test():
    names = export.register_games()
    assert {"should_i_roll_pig", "should_i_roll_alien_crew"} <= set(names)
    for name in names:
        rules = SMALL.get(name, "")
        game = pyspiel.load_game(f"{name}({rules}{',' * bool(rules)}horizon=60)")
        pyspiel.random_sim_test(game, num_sims=10, serialize=True, verbose=False)


def test_registering_twice_changes_nothing():
    assert export.register_games() == export.register_games()


def test_a_process_that_has_registered_games_ends_cleanly():
    code = "from solver.export import register_games; register_games()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_parameters_are_those_of_the_rules():
    export.register_games()
    game = pyspiel.load_game("should_i_roll_pig(target=7,end=round)")
    assert game.get_parameters()["target"] == 7
    state = game.new_initial_state()
    assert state.legal_actions() == [0]
    assert state.action_to_string(0) == "begin"
    state.apply_action(0)
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / 6] * 6)
    state.apply_action(5)
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["stop", "roll"]
    assert str(state) == "seat 1, 0 : 0: ('total', 6)"
    with pytest.raises(Exception, match="no_such_rule"):
        pyspiel.load_game("should_i_roll_pig(no_such_rule=7)")


@pytest.mark.parametrize("target", [8, 14])
def test_their_value_iteration_agrees_with_ours_on_their_pig(target):
    """Their Pig lets a player stop before the first roll, which is good for nobody."""
    theirs = pyspiel.load_game(f"pig(players=2,winscore={target},horizon=1000000)")
    ours = solver.solve_match(Pig(target=target))
    assert value(theirs) == pytest.approx(ours.win_probability[0], abs=100 * THRESHOLD)


@pytest.mark.parametrize(
    "game",
    [
        Pig(target=9),
        Pig(target=8, end=End.ROUND),
        Lottery((((0, 1), (3, 1)), ((1, 2), (2, 1))), target=5),
        solver.game("martian-dice", dice=3, target=2),
        solver.game("alien-crew", rounds=1, dice=4, throws=2),
        solver.game("martians", goal=2),
        solver.game("two-dice-pig", target=8),
    ],
    ids=lambda g: g.name,
)
def test_their_value_iteration_agrees_on_the_exported_match(game):
    theirs = value(export.spiel_game(game, horizon=10**9))
    ours = solve_goal_race(game) if hasattr(game, "goal_race") else solver.solve_match(game)
    assert theirs == pytest.approx(ours.win_probability[0], abs=100 * THRESHOLD)


def test_a_match_that_does_not_end_is_given_up_at_the_horizon():
    game = export.spiel_game(Pig(target=100), horizon=3)
    state = game.new_initial_state()
    steps = 0
    while not state.is_terminal():  # roll a 1 every time
        state.apply_action(state.legal_actions()[0])
        steps += 1
    assert steps == 6
    assert state.returns() == [0.0, 0.0]
