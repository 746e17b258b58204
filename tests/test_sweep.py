"""Turns from every beginning at once: both kernels, against the ones there were."""

import numpy as np
import pytest

from solver.games.registry import game
from solver.turn.compile import compile_turn
from solver.turn.kernel import evaluate_batch, solve_batch
from solver.turn.sweep import Sweep

GAMES = [
    ("martians", {"goal": 5, "income": "scarce"}),
    ("martians-fights", {"fights": 3, "weapon": "+1,reroll:1"}),
    ("alien-crew", {}),
    ("pig", {"target": 20}),
]


@pytest.fixture(params=GAMES, ids=lambda g: g[0])
def graph(request):
    name, rules = request.param
    return compile_turn(game(name, **rules))


def _payoffs(graph, count=70):
    return np.random.default_rng(5).random((len(graph.outcomes), count))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("workers", [1, 3])
def test_best_values_are_those_of_the_batch_kernel_at_every_root(graph, compiled, workers):
    roots = np.array(list(graph.roots.values()))[::2]
    sweep = Sweep(graph, roots, workers=workers, compiled=compiled)
    payoffs = _payoffs(graph)
    choice = sweep.no_choices(payoffs.shape[1])
    best = sweep.improve(payoffs, choice, gain=0.0)
    assert np.abs(best - solve_batch(graph, payoffs, tolerance=0.0).value[roots]).max() < 1e-14
    assert np.array_equal(sweep.evaluate(payoffs, choice), best)


@pytest.mark.parametrize("compiled", [True, False])
def test_distributions_give_the_same_values_and_sum_to_one(graph, compiled):
    roots = np.array(list(graph.roots.values()))
    sweep = Sweep(graph, roots, compiled=compiled)
    payoffs = _payoffs(graph, 6)
    choice = sweep.no_choices(6)
    best = sweep.improve(payoffs, choice)
    rows, columns = np.repeat(np.arange(len(roots)), 6)[:60], np.tile(np.arange(6), 10)
    rows = rows[: len(columns)] if len(rows) >= len(columns) else rows
    columns = columns[: len(rows)]
    chances = sweep.distributions(rows, columns, choice)
    assert np.abs(chances.sum(axis=1) - 1.0).max() < 1e-13
    assert np.abs((chances * payoffs[:, columns].T).sum(axis=1) - best[rows, columns]).max() < 1e-13


@pytest.mark.parametrize("compiled", [True, False])
def test_among_ties_the_second_criterion_decides(graph, compiled):
    roots = np.array(list(graph.roots.values()))
    sweep = Sweep(graph, roots, compiled=compiled)
    payoffs = np.round(_payoffs(graph), 1)  # few different payoffs: many ties
    payoffs[:, 0] = 0.5
    seconds = np.random.default_rng(7).random(len(graph.outcomes))
    choice = sweep.no_choices(payoffs.shape[1])
    value, second = sweep.best_by_two(payoffs, seconds, choice, tolerance=1e-13)
    right = solve_batch(graph, payoffs, tiebreak=seconds, tolerance=1e-13)
    assert np.abs(value - right.value[roots]).max() < 1e-13
    assert np.abs(second - right.tiebreak[roots]).max() < 1e-12
    assert np.array_equal(sweep.evaluate(payoffs, choice), value)
    alone = solve_batch(graph, seconds[:, None], tolerance=0.0).value[roots, 0]
    assert second[:, 0] == pytest.approx(alone, abs=1e-12)  # all tie: the second is maximised


def test_a_choice_is_kept_unless_another_is_better_by_more_than_the_gain(graph):
    roots = np.array(list(graph.roots.values()))
    sweep = Sweep(graph, roots)
    payoffs = _payoffs(graph, 8)
    choice = sweep.no_choices(8)
    value = sweep.improve(payoffs, choice, gain=1e9)
    assert not choice.any()
    first = solve_batch(graph, payoffs).chosen
    first[first >= 0] = np.broadcast_to(graph.first[:-1, None], first.shape)[first >= 0]
    assert np.abs(value - evaluate_batch(graph, payoffs, first)[roots]).max() < 1e-14
