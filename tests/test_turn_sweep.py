"""Sweeps: the choices themselves, and not only the values, by both kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from small_games import TWO_STAGES, StagedLottery
from turns import turn_of

import solver
from solver.errors import TooLargeError
from solver.games.protocol import Bank, Choose
from solver.turn.graph import DECISION
from solver.turn.kernel import distribution_batch, evaluate_batch, solve_batch
from solver.turn.sweep import Sweep

BOTH = pytest.mark.parametrize("compiled", [True, False], ids=["numba", "numpy"])
GAMES = [
    solver.game("martian-dice", dice=4),
    solver.game("alien-crew", throws=2),
    StagedLottery(TWO_STAGES),
]


@dataclass(frozen=True)
class Pick:
    """A choice of so many outcomes, 0, 1, 2, ... in this order."""

    options: int
    name = "pick"

    def start(self):
        return "pick"

    def expand(self, state):
        if state == "pick":
            return Choose({i: ("bank", i) for i in range(self.options)})
        return Bank(state[1])


def sweep_of(graph, **options):
    return Sweep(graph, np.array(list(graph.roots.values())), **options)


@BOTH
@pytest.mark.parametrize("batch", [1, 31, 32, 33, 70])
def test_among_equals_in_both_criteria_the_first_is_taken(compiled, batch):
    """By the same edges as the batch kernel, at every decision and for every payoff."""
    for game in GAMES:
        graph = turn_of(game)
        sweep = sweep_of(graph, compiled=compiled, workers=2)
        random = np.random.default_rng(batch)
        payoffs = random.integers(0, 3, (len(graph.outcomes), batch)).astype(float)
        seconds = random.integers(0, 2, len(graph.outcomes)).astype(float)
        choice = sweep.no_choices(batch)
        value, second = sweep.best_by_two(payoffs, seconds, choice, tolerance=1e-12)
        right = solve_batch(graph, payoffs, tiebreak=seconds, tolerance=1e-12)
        mine = np.isin(np.arange(graph.nodes), sweep.nodes[sweep.number >= 0])
        assert (mine == (graph.kind == DECISION)).all()
        edges = sweep.edges(graph, choice)
        assert edges.dtype == np.int32
        off = evaluate_batch(graph, payoffs, edges) - right.value
        assert np.abs(off).max() < 1e-11
        # the batch kernel's tolerance is for both criteria, the sweep's for the first alone
        same = (edges == right.chosen).mean()
        assert same > 0.99
        assert np.abs(value - right.value[sweep.nodes[sweep.roots]]).max() < 1e-11
        assert np.abs(second - right.tiebreak[sweep.nodes[sweep.roots]]).max() < 1e-11
        rows = np.repeat(np.arange(len(graph.roots)), batch)
        columns = np.tile(np.arange(batch), len(graph.roots))
        chances = sweep.distributions(rows, columns, choice)
        for row, root in enumerate(graph.roots.values()):
            wanted = distribution_batch(graph, edges, root).T
            assert np.abs(chances[rows == row] - wanted).max() < 1e-14


@BOTH
def test_of_equal_options_the_first_of_the_most_second_is_taken_by_hand(compiled):
    """Columns: no tie; ties of two and of all; within the tolerance, and just beyond it."""
    sweep = sweep_of(turn_of(Pick(4)), compiled=compiled)
    payoffs = np.array(
        [
            [0.0, 1.0, 2.0, 2.0],
            [5.0, 5.0, 0.0, 5.0],
            [1.0, 1.0, 1.0, 1.0],
            [1.0, 1.2, 1.0, 1.2],
            [1.0, 1.3, 1.0, 1.2],
            [1.0, 1.0, 1.3, 1.0],
        ]
    ).T
    for seconds, right in (
        ([0.0, 0.0, 0.0, 0.0], [2, 0, 0, 0, 1, 2]),
        ([0.0, 1.0, 1.0, 1.0], [2, 1, 1, 1, 1, 2]),
        ([0.0, 0.0, 0.0, 3.0], [3, 3, 3, 3, 3, 2]),
    ):
        choice = sweep.no_choices(6)
        value, second = sweep.best_by_two(payoffs, np.array(seconds), choice, tolerance=0.25)
        assert choice.tolist() == [right]
        assert value.tolist() == [payoffs[right, np.arange(6)].tolist()]
        assert second.tolist() == [[seconds[i] for i in right]]


@BOTH
def test_a_choice_is_left_only_for_one_better_by_more_than_the_gain(compiled):
    """Options are tried in order, each against the best so far."""
    sweep = sweep_of(turn_of(Pick(4)), compiled=compiled)
    rows = [  # kept choice, payoffs, what is chosen with a gain of 1
        (0, [0.0, 0.75, 1.5, 2.25], 2),
        (0, [0.0, 1.0, 0.0, 0.0], 0),
        (0, [0.0, 1.25, 2.0, 2.5], 3),
        (3, [1.0, 0.0, 0.0, 0.0], 3),
        (3, [1.25, 2.0, 2.5, 0.0], 2),
        (2, [9.0, 9.0, 0.0, 9.0], 0),
    ]
    payoffs = np.array([row[1] for row in rows]).T
    choice = np.array([[row[0] for row in rows]], dtype=np.uint8)
    kept = sweep.evaluate(payoffs, choice)
    assert kept.tolist() == [[row[1][row[0]] for row in rows]]
    value = sweep.improve(payoffs, choice, gain=1.0)
    assert choice.tolist() == [[row[2] for row in rows]]
    assert value.tolist() == [[row[1][row[2]] for row in rows]]
    assert np.array_equal(sweep.evaluate(payoffs, choice), value)
    assert sweep.improve(payoffs, choice, gain=0.0).tolist() == [payoffs.max(axis=0).tolist()]


@BOTH
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_a_batch_is_its_columns(compiled, workers):
    """However it is cut for threads and lanes, also where nothing is asked."""
    graph = turn_of(GAMES[2])
    sweep = sweep_of(graph, compiled=compiled, workers=workers)
    payoffs = np.random.default_rng(2).random((len(graph.outcomes), 300))
    choice = sweep.no_choices(300)
    whole = sweep.improve(payoffs, choice)
    for column in (0, 31, 32, 63, 64, 99, 255, 256, 299):
        one = sweep.no_choices(1)
        here = payoffs[:, column : column + 1]
        assert np.array_equal(sweep.improve(here, one), whole[:, column : column + 1])
        assert np.array_equal(one[:, 0], choice[:, column])
    assert sweep.improve(payoffs[:, :0], sweep.no_choices(0)).shape == (len(sweep.roots), 0)


def test_only_what_lies_below_the_roots_is_kept():
    """From the second stage no turn comes to the first one's nodes."""
    graph = turn_of(GAMES[2])
    root = graph.roots[1]
    sweep = Sweep(graph, np.array([root]))
    below = set(range(len(graph.outcomes))) | {root}
    for node in range(root, -1, -1):
        if node in below:
            below.update(graph.children(node).tolist())
    assert sweep.nodes.tolist() == sorted(below)
    assert sweep.decisions == 1
    edges = sweep.edges(graph, np.array([[1]], dtype=np.uint8))
    assert edges[root, 0] == graph.first[root] + 1
    assert edges[graph.roots[0], 0] == graph.first[graph.roots[0]]  # others take their first
    assert (edges[graph.kind != DECISION] == -1).all()


@BOTH
def test_choices_of_255_options_are_numbered_and_of_more_are_refused(compiled):
    sweep = sweep_of(turn_of(Pick(255)), compiled=compiled)
    choice = sweep.no_choices(1)
    assert sweep.improve(np.arange(255.0)[:, None], choice).tolist() == [[254.0]]
    assert choice.tolist() == [[254]]
    with pytest.raises(TooLargeError, match="more than 255 options"):
        sweep_of(turn_of(Pick(256)), compiled=compiled)
