"""The search for short rules: what it values, and what it reports, by other means."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from solver.errors import UsageError
from solver.games import game
from solver.policies import TextPolicy, read_policy
from solver.policies.arena import Arena
from solver.policies.arena.goal.alone import evaluate_alone
from solver.policies.evaluate import evaluate_turn
from solver.policies.search import FAMILIES, family_of, find_rules
from solver.policies.search.board import RuleBoard
from solver.policies.search.family import Candidate, Line
from solver.policies.search.runs import RunBoard
from solver.turn import evaluate_policy, solve_turn

SMALL = game("martian-dice", dice=5)
CREW = game("alien-crew")


def some_rules(name, count, seed=3):
    return grown(FAMILIES[name], count, seed)


def grown(family, count, seed):
    """Rules of a family, grown by random extensions."""
    rng = np.random.default_rng(seed)
    bases = list(family.bases())
    for i in range(count):
        rule = bases[i % len(bases)]
        for _ in range(i % 4):
            longer = list(family.extended(rule))
            rule = longer[int(rng.integers(len(longer)))]
        if i % 2 and rule.conditions:
            changed = list(family.changed(rule))
            rule = changed[int(rng.integers(len(changed)))]
        yield rule


@pytest.mark.parametrize(("name", "rules"), [("martian-dice", SMALL), ("alien-crew", CREW)])
def test_the_board_plays_each_rule_as_its_text_is_played(name, rules):
    """All decisions at once as arrays, and one by one through the parser."""
    board = RuleBoard(rules)
    for rule in some_rules(name, 24):
        policy = TextPolicy.read(rules, rule.text)
        for i, child in zip(board.board.decisions, board.choices(rule).tolist(), strict=True):
            step = board.board.states.steps[i]
            action = policy.choose(board.board.states.states[i], step.actions)
            assert step.children[step.actions.index(action)] == child, rule.text


@pytest.mark.parametrize(("name", "rules"), [("martian-dice", SMALL), ("alien-crew", CREW)])
@pytest.mark.parametrize("compiled", [True, False])
def test_the_board_values_rules_as_exact_rationals_do(name, rules, compiled):
    board = RuleBoard(rules, compiled=compiled)
    found = list(some_rules(name, 16, seed=8))
    values = board.values([board.choices(rule) for rule in found])
    for rule, value in zip(found, values.tolist(), strict=True):
        exact = evaluate_turn(rules, TextPolicy.read(rules, rule.text)).mean
        assert abs(value - float(exact)) < 1e-13


def test_conditions_are_counted_as_a_reader_counts_them():
    rule = Candidate(
        (
            (
                Line("take death-rays", (("tanks > rays", "dice >= 4"), ("heads >= 2",))),
                Line("take the largest group"),
                Line("roll dice of at most 3"),
            ),
        )
    )
    assert rule.conditions == 4
    assert rule.text == (
        "take death-rays if tanks > rays and dice >= 4 or heads >= 2; take the largest group;"
        " roll dice of at most 3"
    )


def test_one_condition_is_searched_exhaustively_in_a_small_game():
    """Every rule of at most one condition, valued by exact rationals, for four dice."""
    rules = game("martian-dice", dice=4)
    family = FAMILIES["martian-dice"]
    bases = list(family.bases())
    every = bases + [r for base in bases for r in family.extended(base) if r.conditions == 1]
    board = RuleBoard(rules)
    values = board.values([board.choices(rule) for rule in every])
    best = every[int(values.argmax())]
    exact = evaluate_turn(rules, TextPolicy.read(rules, best.text)).mean
    found = find_rules(rules, 1, candidates=5000, win=False)
    assert found.found[-1].value == exact


def test_pig_is_held_at_twenty():
    """One condition is all there is: holding at 20 is best for points."""
    found = find_rules(game("pig"), 2, candidates=300, win=False)
    assert [rule.conditions for rule in found.found] == [0, 1]
    assert found.found[1].text.startswith("stop if points >= 20")
    assert found.found[1].lost == 0


def test_win_probability_lost_is_that_of_the_matches():
    rules = game("martian-dice", dice=4, target=6)
    found = find_rules(rules, 1, candidates=400)
    arena = Arena(rules)
    optimal = arena.read("optimal")
    for rule in found.found:
        player = arena.read(rule.text)
        first = arena.play([player, optimal]).win_probability[0]
        second = arena.play([optimal, player]).win_probability[1]
        assert rule.win_lost == pytest.approx(0.5 - (first + second) / 2, abs=1e-13)
        assert rule.win_lost > 0
    assert 0 < found.error < 1e-9


def test_three_conditions_play_alien_crew_without_loss():
    """Throw again what shows 4 or less with two throws left, 3 or less with one."""
    found = find_rules(CREW, 3, win=False)
    best = found.found[-1]
    assert (best.conditions, best.lost) == (3, 0)
    best_play = solve_turn(CREW, "points", exact=True)
    assert best.value == best_play.exact
    chances = evaluate_policy(CREW, read_policy(CREW, best.text).choose)
    assert sum(p * points for (points, _), p in chances.items()) == best_play.exact


def test_the_frontier_falls_and_every_rule_on_it_is_what_it_says():
    found = find_rules(SMALL, 3, candidates=1500, win=False)
    assert len(found.found) > 2
    for fewer, more in itertools.pairwise(found.found):
        assert fewer.conditions < more.conditions
        assert fewer.lost > more.lost >= 0
    for rule in found.found:
        again = evaluate_turn(SMALL, read_policy(SMALL, rule.text))
        assert (again.mean, again.loss) == (rule.value, rule.lost)


def test_the_search_tells_how_far_it_is():
    told = []
    find_rules(SMALL, 2, candidates=400, win=False, progress=lambda *at: told.append(at))
    done = [d for d, _ in told]
    assert done == sorted(done)
    assert told[-1] == (400, 400)
    assert len(told) > 4


@pytest.mark.parametrize("settings", [{"conditions": 9}, {"conditions": -1}, {"candidates": 1}])
def test_numbers_out_of_range_are_refused(settings):
    with pytest.raises(UsageError, match="out of range"):
        find_rules(CREW, **{"conditions": 1, **settings})


# --- hunts and fights


@pytest.mark.parametrize("compiled", [True, False])
def test_a_hunt_s_rules_are_valued_as_their_runs_are_evaluated(compiled):
    """Expected turns to the goal by one system, and by the evaluation of a policy."""
    rules = game("martians", goal=2, weapon="reroll:1")
    board = RunBoard(rules, compiled=compiled)
    found = list(grown(family_of(rules), 8, seed=5))
    values = board.values([board.choices(rule) for rule in found])
    for rule, value in zip(found, values.tolist(), strict=True):
        run = evaluate_alone(rules, TextPolicy.read(rules, rule.text))
        assert -value == pytest.approx(run.mean if run.reaches == 1.0 else np.inf, abs=1e-12)


def test_fights_are_judged_by_survival():
    rules = game("martians-fights", fights=4)
    found = find_rules(rules, 2, candidates=600)
    assert (found.unit, found.error) == ("survive", 0.0 if found.error else None)
    assert found.best == solve_turn(rules, "survive", exact=True).exact
    for rule in found.found:
        chances = evaluate_policy(rules, read_policy(rules, rule.text).choose)
        alive = sum(p for x, p in chances.items() if not x[-1])
        assert (rule.value, rule.lost, rule.win_lost) == (alive, found.best - alive, None)
    assert found.found[-1].lost < 0.02


def test_a_hunt_s_frontier_is_in_turns_and_in_chances_to_win():
    """With one condition: a life for a 1, else bullets; it loses less than always paying."""
    rules = game("martians", goal=3)
    found = find_rules(rules, 1, candidates=300)
    assert found.unit == "turns"
    assert [rule.conditions for rule in found.found] == [0, 1]
    assert "roll = 1" in found.found[1].text
    arena = Arena(rules)
    optimal = arena.read("optimal")
    for rule in found.found:
        run = evaluate_alone(rules, read_policy(rules, rule.text))
        assert (rule.value, rule.lost) == (run.mean, run.lost)
        player = arena.read(rule.text)
        first = arena.play([player, optimal]).win_probability[0]
        second = arena.play([optimal, player]).win_probability[1]
        assert rule.win_lost == pytest.approx(0.5 - (first + second) / 2, abs=1e-12)
    assert found.found[0].lost > found.found[1].lost > 0
    assert found.found[0].win_lost > found.found[1].win_lost > 0


@pytest.mark.slow
def test_ten_thousand_rules_of_martian_dice_within_minutes():
    """And the rules in the documents lose what the documents say."""
    found = find_rules(game("martian-dice"), 3)
    assert found.candidates <= 10_000
    assert found.found[-1].lost < 0.2
