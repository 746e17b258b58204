"""What every node of a solved turn says: choices as edges, exact and in float64; its texts."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_dir
from small_games import CHASE, TWO_STAGES, StagedLottery
from turns import turn_of

import solver
from solver.errors import GameError, UsageError
from solver.games.protocol import Bank, Choose, Roll
from solver.turn import compile_turn
from solver.turn.cache import cache_folder
from solver.turn.graph import CHANCE, DECISION, OUTCOME, digest_of, spelled
from solver.turn.kernel import TIE, error_bound
from solver.turn.solve import solve_turn

GAMES = [
    solver.game("martian-dice", dice=6),
    solver.game("pig", target=12),
    solver.game("alien-crew", throws=2),
    CHASE,
    StagedLottery(TWO_STAGES),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_exact_and_float_solutions_take_the_same_edge_at_every_node(game, seed):
    """Payoffs of many ties (few whole numbers), and of none (63 digits)."""
    graph = turn_of(game)
    random = np.random.default_rng(seed)
    numbers = random.integers(0, 3 if seed else 2**50, len(graph.outcomes)).tolist()
    payoff = dict(zip(graph.outcomes, numbers, strict=True))
    exact = solve_turn(game, payoff, exact=True, graph=graph).nodes
    near = solve_turn(game, payoff, graph=graph).nodes
    assert exact.chosen_edges.tolist() == near.chosen_edges.tolist()
    assert exact.chosen == near.chosen
    assert exact.chosen_edges.dtype == near.chosen_edges.dtype == np.int32
    decisions = graph.kind == DECISION
    assert ((exact.chosen_edges >= 0) == decisions).all()
    for node, (edge, child) in enumerate(zip(exact.chosen_edges, exact.chosen, strict=True)):
        if not decisions[node]:
            assert (edge, child) == (-1, -1)
            continue
        assert graph.first[node] <= edge < graph.first[node + 1]
        assert graph.child[edge] == child
        values = [exact.exact[c] for c in graph.children(node).tolist()]
        # the first of the best in canonical order
        assert edge - graph.first[node] == values.index(max(values))
    scale = max(1, *numbers)
    assert near.tolerance == TIE * scale
    assert exact.tolerance == 0.0
    gaps = [abs(Fraction(v) - e) for v, e in zip(near.value, exact.exact, strict=True)]
    assert max(gaps) <= Fraction(scale * error_bound(graph))
    assert near.bust == pytest.approx(exact.bust, abs=1e-12)


@pytest.mark.parametrize("exact", [True, False])
def test_a_turn_s_figures_are_those_of_its_distribution(exact):
    """Two lotteries: 0 or 4 points at evens; or 0, 1 and 4 with chances 1/11, 5/11 and 5/11."""
    even = solve_turn(CHASE, {0: 3, 1: 0, 4: 3}, exact=exact)
    assert even.value == pytest.approx(3.0)
    assert even.distribution == pytest.approx({0: 0.5, 4: 0.5})
    assert even.mean == pytest.approx(2.0)
    assert even.variance == pytest.approx(4.0)
    assert even.bust == pytest.approx(0.5)
    most = solve_turn(CHASE, "points", exact=exact)
    assert most.value == pytest.approx(25 / 11)
    assert most.variance == pytest.approx(5 / 11 + 80 / 11 - (25 / 11) ** 2)
    assert most.bust == pytest.approx(1 / 11)
    assert most.distribution == pytest.approx({0: 1 / 11, 1: 5 / 11, 4: 5 / 11})


def test_the_bound_of_a_float_turn_counts_the_payoffs_own_rounding():
    """A third is no float64: it is off by 2**-54 / 3 at most, and the bound is not less."""
    graph = turn_of(CHASE)
    plain = solve_turn(CHASE, {0: 0, 1: 0, 4: 1}).exactness.error
    assert plain == error_bound(graph)
    third = Fraction(1, 3)
    off = abs(third - Fraction(float(third)))
    found = solve_turn(CHASE, {0: 0, 1: third, 4: 1}).exactness.error
    assert found == pytest.approx(plain + 1.01 * float(off), rel=1e-12, abs=0.0)
    scaled = solve_turn(CHASE, {0: 0, 1: -7, 4: 3}).exactness.error
    assert scaled == pytest.approx(7 * plain, rel=1e-12, abs=0.0)
    small = solve_turn(CHASE, {0: 0, 1: 0, 4: Fraction(1, 2**20)}).exactness.error
    assert small == plain  # no payoff counts as less than one
    with pytest.raises(UsageError, match="too large for float64"):
        solve_turn(CHASE, {0: 0, 1: 0, 4: 10**400})


def test_among_equal_options_more_points_only_where_it_is_asked_for():
    """Four or nothing, and the other lottery, are both worth one half."""
    payoff = {0: 1, 1: Fraction(1, 10), 4: 0}
    first = solve_turn(CHASE, payoff)
    equal = {0: 0.5, 1: 0.5, 4: 0.5}
    assert first.distribution == pytest.approx({0: 0.5, 4: 0.5})
    assert solve_turn(CHASE, equal).distribution == pytest.approx({0: 0.5, 4: 0.5})
    preferred = solve_turn(CHASE, equal, prefer_points=True)
    assert preferred.distribution == pytest.approx({0: 1 / 11, 1: 5 / 11, 4: 5 / 11})


def test_the_first_edge_of_all_is_an_edge_too():
    """A turn that is one choice among outcomes: its first option is edge 0."""

    class Offer:
        name = "offer"

        def start(self):
            return "start"

        def expand(self, state):
            return Choose({"much": 9, "little": 1}) if state == "start" else Bank(state)

    for exact in (True, False):
        nodes = solve_turn(Offer(), "points", exact=exact).nodes
        assert nodes.chosen == [-1, -1, 1]
        assert nodes.chosen_edges.tolist() == [-1, -1, 0]


def test_turns_begin_where_they_are_asked_to():
    game = StagedLottery(TWO_STAGES)
    values = [solve_turn(game, "points", exact=True, beginning=s).exact for s in (None, 0, 1)]
    assert values == [Fraction(5, 6), Fraction(5, 6), Fraction(8, 7)]
    with pytest.raises(UsageError, match="beginning"):
        solve_turn(game, "points", beginning=2)


# --- the error bound of the float kernel


def test_the_error_bound_is_the_worst_path_s_rounding_and_tolerances():
    """Each chance of m edges rounds m + 1 times, each decision gives away the tolerance."""
    graph = turn_of(CHASE)  # a choice between chances of two and of three edges
    for tolerance in (0.0, 1e-13):
        assert error_bound(graph, tolerance=tolerance) == pytest.approx(
            1.01 * (4 * 2.0**-53 + tolerance), rel=1e-12, abs=0.0
        )
    deep = compile_turn(Deep())
    # 1/4 of the way goes through another decision and a chance of two edges
    inner = 3 * 2.0**-53 + 1e-13
    right = 1e-13 + 3 * 2.0**-53 + 0.25 * inner
    assert error_bound(deep) == pytest.approx(1.01 * right, rel=1e-12, abs=0.0)


@dataclass(frozen=True)
class Deep:
    """Stop, or roll; with chance one fourth another such choice comes."""

    name = "deep"

    def start(self):
        return "first"

    def expand(self, state):
        return {
            "first": Choose({"stop": "two", "roll": "dice"}),
            "dice": Roll([(1, "second"), (3, "none")]),
            "second": Choose({"stop": "one", "roll": "coin"}),
            "coin": Roll([(1, "five"), (1, "none")]),
            "two": Bank(2),
            "one": Bank(1),
            "five": Bank(5),
            "none": Bank(0),
        }[state]


def test_the_graph_of_a_small_turn_by_hand():
    """Nodes by level: outcomes by points, then coin, second choice, dice, first choice."""
    graph = compile_turn(Deep())
    assert graph.outcomes == (0, 1, 2, 5)
    assert graph.kind.tolist() == [OUTCOME] * 4 + [CHANCE, DECISION, CHANCE, DECISION]
    children = [graph.children(n).tolist() for n in range(4, 8)]
    assert children == [[0, 3], [1, 4], [0, 5], [2, 6]]
    assert graph.weight.tolist() == [1, 1, 0, 0, 3, 1, 0, 0]
    assert graph.probability.tolist() == [0.5, 0.5, 1.0, 1.0, 0.75, 0.25, 1.0, 1.0]
    assert graph.total.tolist() == [0, 0, 0, 0, 2, 0, 4, 0]
    assert (graph.root, graph.nodes, graph.edges) == (7, 8, 8)
    assert graph.blocks == (
        (0, 4, OUTCOME), (4, 5, CHANCE), (5, 6, DECISION), (6, 7, CHANCE), (7, 8, DECISION),
    )  # fmt: skip
    for array in (graph.kind, graph.first, graph.child, graph.weight, graph.probability):
        assert not array.flags.writeable


# --- texts of states and outcomes


class Plain:
    """A class without a text of its own."""


class Named(Plain):
    def __repr__(self):
        return "named"


class Pair(tuple):
    __slots__ = ()

    def __repr__(self):
        return "a pair"


def test_texts_are_the_same_in_every_run():
    sets = frozenset({"b", "a", ("c", 1)})
    assert spelled((1, ("x", sets), frozenset())) == "(1,('x',{'a','b',('c',1)}),{})"
    assert spelled(Pair((1, 2))) == "a pair"
    assert spelled(Named()) == "named"
    assert spelled("(1,2)") != spelled((1, 2))
    program = "from solver.turn.graph import spelled; print(spelled(frozenset('abcdefg')))"
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(told) == 1


@pytest.mark.parametrize(
    "value", [Plain(), (1, Plain()), frozenset({Plain()}), (frozenset({(Plain(),)}),)]
)
def test_a_value_whose_text_would_be_an_address_is_refused(value):
    with pytest.raises(GameError, match=r"Plain .* no text of its own"):
        spelled(value)


def test_the_digest_depends_on_everything_and_on_nothing_else():
    array = np.arange(3, dtype=np.int32)
    whole = [("a", 0), (array,), {None: 1}, {"s": 1}]
    same = digest_of(*whole)
    assert digest_of(("a", 0), (array.astype(">i4"),), {None: 1}, {"s": 1}) == same
    wide = array.astype(object)
    others = [
        [("b", 0), *whole[1:]],
        [whole[0], (array + 1,), *whole[2:]],
        [whole[0], (wide,), *whole[2:]],
        [whole[0], (wide + 2**70,), *whole[2:]],
        [*whole[:2], {None: 2}, whole[3]],
        [*whole[:2], {"x": 1}, whole[3]],
        [*whole[:3], {"s": 2}],
        [*whole[:3], {"t": 1}],
    ]
    assert len({same, *(digest_of(*other) for other in others)}) == len(others) + 1


def test_compiled_turns_lie_in_the_user_s_cache_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("SHOULD_I_ROLL_CACHE")
    assert cache_folder() == Path(user_cache_dir("should-i-roll"), "graphs")
    monkeypatch.setenv("SHOULD_I_ROLL_CACHE", "here")
    assert cache_folder() == Path("here")
    monkeypatch.setenv("SHOULD_I_ROLL_CACHE", "")
    assert cache_folder() is None
