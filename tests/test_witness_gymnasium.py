"""The exported environments pass Gymnasium's own checks, and their table has the exact value.

Slow; ``pip install 'should-i-roll[witness]'``, then ``pytest -m slow tests/test_witness_*.py``.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import solver
from solver import export
from solver.errors import UsageError
from solver.games.pig import Pig
from solver.games.registry import GAMES
from solver.match.goal.solve import solve_alone

gymnasium = pytest.importorskip("gymnasium")

pytestmark = pytest.mark.slow

SMALL = {
    "martian-dice": {"dice": 6},
    "farkle": None,  # half a million transitions: left to patient people
    "zombie-dice": None,
    "threes": {"dice": 4},
    "martians": {"goal": 2},
}


def best_value(env):
    """Value iteration on the transition table, in the way of Gymnasium's table games."""
    values = np.zeros(env.observation_space.n)
    tables = [
        [
            [(p, to, reward, over) for p, to, reward, over in env.P[state][action]]
            for action in np.flatnonzero(env.action_masks[state])
        ]
        for state in range(len(values))
    ]
    for _ in range(20_000):
        new = np.array(
            [
                max(
                    (sum(p * (r + (0.0 if over else values[to])) for p, to, r, over in row))
                    for row in rows
                )
                if rows
                else 0.0
                for rows in tables
            ]
        )
        if np.abs(new - values).max() < 1e-15:
            break
        values = new
    return float(env.initial_state_distrib @ values)


@pytest.mark.parametrize("name", [name for name in GAMES if SMALL.get(name, {}) is not None])
def test_every_environment_passes_gymnasium_s_check_without_a_warning(name):
    from gymnasium.utils.env_checker import check_env

    assert f"should-i-roll/{name}-v0" in export.register_environments()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"should-i-roll/{name}-v0", parameters=SMALL.get(name, {}))
        check_env(env.unwrapped)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("pig", {"target": 30}),
        ("martian-dice", {"dice": 5}),
        ("alien-crew", {}),
        ("martians-fights", {"fights": 4}),
    ],
)
def test_the_table_has_the_value_of_the_turn(name, rules):
    env = export.make_environment(name, objective="points", parameters=rules)
    assert best_value(env) == pytest.approx(
        solver.solve_turn(solver.game(name, **rules)).value, abs=1e-12
    )


@pytest.mark.parametrize("seat", [1, 2])
def test_the_table_has_the_value_of_the_match(seat):
    env = export.make_environment("pig", objective="win", seat=seat, parameters={"target": 8})
    wins = solver.solve_match(Pig(target=8)).win_probability
    assert best_value(env) == pytest.approx(wins[seat - 1], abs=1e-12)


def test_the_table_has_the_turns_of_a_race_alone():
    env = export.make_environment("martians", objective="turns", parameters={"goal": 3})
    turns = solve_alone(solver.game("martians", goal=3)).expected_turns[0]
    assert best_value(env) == pytest.approx(-float(turns), abs=1e-9)


def test_chances_of_every_transition_sum_to_one():
    env = export.make_environment("martian-dice", parameters={"dice": 4})
    assert env.initial_state_distrib.sum() == pytest.approx(1.0, abs=1e-15)
    for table in env.P.values():
        for transitions in table.values():
            assert sum(p for p, *_ in transitions) == pytest.approx(1.0, abs=1e-12)


def test_the_same_seed_plays_the_same_game_and_masks_are_kept():
    def play(seed):
        env = export.make_environment("martian-dice", parameters={"dice": 6})
        rng = np.random.default_rng(1)
        seen, (at, info) = [], env.reset(seed=seed)
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            assert len(legal) == len(env.actions_of(at))
            at, reward, over, truncated, info = env.step(int(rng.choice(legal)))
            seen.append((at, reward, over))
            assert not truncated
        assert not info["action_mask"].any()
        return seen

    assert play(3) == play(3)
    assert len({str(play(seed)) for seed in range(20)}) > 5


def test_play_by_the_table_s_best_actions_earns_its_value():
    """Four standard errors of 20,000 turns."""
    env = export.make_environment("pig", parameters={"target": 40})
    values = export.turn_policy(Pig(target=40))
    earned = []
    env.reset(seed=5)
    for _ in range(20_000):
        at, _ = env.reset()
        total, over = 0.0, False
        while not over:
            actions = env.actions_of(at)
            best = values[env.state_of(at)].action if len(actions) > 1 else actions[0]
            at, reward, over, _, _ = env.step(actions.index(best))
            total += reward
        earned.append(total)
    exact = solver.solve_turn(Pig(target=40)).value
    assert abs(np.mean(earned) - exact) < 4 * np.std(earned) / len(earned) ** 0.5


def test_an_illegal_action_changes_nothing():
    env = export.make_environment("martian-dice", parameters={"dice": 3})
    at, info = env.reset(seed=2)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    again, reward, over, _, told = env.step(illegal)
    assert (again, reward, over, told["illegal"]) == (at, 0.0, False, True)
    assert "illegal" not in env.step(0)[4]


def test_it_is_shown_as_text():
    env = export.make_environment("pig", parameters={"target": 40}, render_mode="ansi")
    with pytest.raises(UsageError, match="not reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.render() == "('roll', 0): roll\n"
    env.step(0)
    assert env.render().startswith("roll: (")
    with pytest.raises(UsageError, match="render_mode 'human'"):
        export.make_environment("pig", render_mode="human")


def test_both_seats_cannot_be_the_player():
    with pytest.raises(UsageError, match="both seats decide"):
        export.ModelEnv(export.match_model(Pig(target=3)))
