"""The compiled turn graph keeps its promises, whatever the rules."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from math import gcd

import numpy as np
import pytest

from solver.errors import PositionError, ShouldIRollError, TooLargeError
from solver.games import Bank, Choose, Roll, game
from solver.games.check import walk
from solver.games.protocol import starts_of
from solver.turn import compile_turn, solve_turn
from solver.turn.graph import CHANCE, DECISION, OUTCOME


class Written:
    """A game written down as state -> what happens there."""

    name = "written"

    def __init__(self, table, **more):
        self.table = table
        self.__dict__.update(more)

    def start(self):
        return "s"

    def expand(self, state):
        return self.table[state]


TANGLED = Written(
    {
        "s": Choose({"stop": "two", "left": "l", "right": "r", "again": "l"}),
        "l": Roll([(2, "m"), (4, "zero"), (6, "two")]),
        "r": Roll([(1, "n"), (3, "two"), (2, "zero")]),  # l with the states m, n alike
        "m": Choose({"a": "two", "b": "q"}),
        "n": Choose({"b": "two", "a": "q"}),
        "q": Roll([(1, "five"), (1, "zero"), (1, "five")]),
        "five": Bank(5),
        "zero": Bank(0),
        "two": Bank(2),
    }
)

GAMES = {
    "tangled": TANGLED,
    "two beginnings": Written(TANGLED.table, starts=lambda: {"one": "l", "two": "q", "3": "two"}),
    "huge weights": Written(
        {"s": Roll([(10**30, "a"), (1, "b")]), "a": Bank(0), "b": Choose({"x": "a", "y": "c"})}
        | {"c": Roll([(2**62, "a"), (2**62 + 1, "d"), (2**62, "e")]), "d": Bank(7), "e": Bank(1)}
    ),
    "martian-dice": game("martian-dice"),
    "martian-dice, 5 uneven dice": game("martian-dice", dice=5, faces="T1 R1 H2 C1 K3"),
    "martian-dice, 1 die": game("martian-dice", dice=1),
    "pig": game("pig"),
    "pig, uneven die": game("pig", target=20, die="1:2 2:2 5:6"),
}


@pytest.fixture(scope="module", params=GAMES)
def rules(request):
    return GAMES[request.param]


@pytest.fixture(scope="module")
def graph(rules):
    return compile_turn(rules)


def edges_of(graph, node):
    span = slice(int(graph.first[node]), int(graph.first[node + 1]))
    return graph.child[span].tolist(), graph.weight[span].tolist()


def levels_of(graph):
    level = [0] * graph.nodes
    for node in range(graph.nodes):
        children, _ = edges_of(graph, node)
        level[node] = 1 + max(level[child] for child in children) if children else 0
    return level


# --- invariants


def test_children_come_before_parents(graph):
    parents = np.repeat(np.arange(graph.nodes), np.diff(graph.first))
    assert (graph.child < parents).all()
    assert (graph.child >= 0).all()
    assert graph.first[0] == 0
    assert graph.first[-1] == graph.edges


def test_outcomes_are_the_first_nodes_by_points(graph):
    count = len(graph.outcomes)
    assert (graph.kind[:count] == OUTCOME).all()
    assert not (graph.kind[count:] == OUTCOME).any()
    assert (np.diff(graph.points) >= 0).all()
    assert graph.first[count] == 0  # nothing comes after an outcome


def test_chances_are_in_lowest_terms(graph):
    for node in np.flatnonzero(graph.kind == CHANCE).tolist():
        children, weights = edges_of(graph, node)
        assert children == sorted(set(children))
        assert all(weight > 0 for weight in weights)
        assert gcd(*weights) == 1
        assert graph.total[node] == sum(weights)


def test_probabilities_are_correctly_rounded(graph):
    """Python divides integers of any size to the nearest float64."""
    for node in np.flatnonzero(graph.kind == CHANCE).tolist():
        _, weights = edges_of(graph, node)
        shown = graph.probability[graph.first[node] : graph.first[node + 1]].tolist()
        assert shown == [weight / int(graph.total[node]) for weight in weights]


def test_edges_of_decisions_carry_no_weight(graph):
    for node in np.flatnonzero(graph.kind == DECISION).tolist():
        children, weights = edges_of(graph, node)
        assert len(children) == len(set(children))
        assert not any(weights)
        assert graph.total[node] == 0
        assert (graph.probability[graph.first[node] : graph.first[node + 1]] == 1.0).all()


def test_a_node_with_one_child_is_that_child(graph):
    widths = np.diff(graph.first)
    assert (widths[len(graph.outcomes) :] >= 2).all()


def test_no_two_nodes_are_alike(graph):
    alike = {
        (int(graph.kind[node]), *map(tuple, edges_of(graph, node)))
        for node in range(len(graph.outcomes), graph.nodes)
    }
    assert len(alike) == graph.nodes - len(graph.outcomes)
    assert len(set(graph.outcomes)) == len(graph.outcomes)


def test_blocks_cover_all_nodes_in_order(graph):
    ends = [0] + [end for _, end, _ in graph.blocks]
    assert [begin for begin, _, _ in graph.blocks] == ends[:-1]
    assert ends[-1] == graph.nodes
    assert ends == sorted(set(ends))


def test_a_block_is_of_one_kind_one_level_and_one_width(graph):
    """The level is the longest way to an outcome: no node of a block leads to another of it."""
    level = levels_of(graph)
    assert level == sorted(level)
    for begin, end, kind in graph.blocks:
        assert (graph.kind[begin:end] == kind).all()
        assert len(set(level[begin:end])) == 1
        if kind == DECISION:
            assert len(set(np.diff(graph.first[begin : end + 1]).tolist())) == 1


def test_equal_work_is_one_block(graph):
    """Outcomes are one block, and of each level, kind and number of options there is one more."""
    level = levels_of(graph)
    seen = [
        (level[begin], kind, len(edges_of(graph, begin)[0]) if kind == DECISION else 0)
        for begin, _, kind in graph.blocks
    ]
    assert len(set(seen)) == len(seen)
    assert graph.blocks[0] == (0, len(graph.outcomes), OUTCOME)


def test_arrays_are_read_only(graph):
    for array in (
        graph.points,
        graph.kind,
        graph.first,
        graph.child,
        graph.weight,
        graph.total,
        graph.probability,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[:0] = 0


def test_every_state_has_the_node_that_its_rules_describe(rules, graph):
    """Read from the rules again: same outcome, same choices in order, same chances."""
    states = 0
    for state, expansion in walk(rules):
        states += 1
        node = graph.node(state)
        if isinstance(expansion, Bank):
            assert graph.outcomes[node] == expansion.outcome
            assert graph.points[node] == expansion.outcome
        elif isinstance(expansion, Choose):
            wanted = list(dict.fromkeys(graph.node(after) for after in expansion.options.values()))
            assert wanted == ([node] if len(wanted) == 1 else edges_of(graph, node)[0])
        else:
            whole = sum(weight for weight, _ in expansion.branches)
            chances: dict[int, Fraction] = {}
            for weight, after in expansion.branches:
                child = graph.node(after)
                chances[child] = chances.get(child, Fraction(0)) + Fraction(weight, whole)
            children, weights = edges_of(graph, node)
            found = {node: Fraction(1)}
            if len(chances) > 1:
                total = int(graph.total[node])
                found = {c: Fraction(w, total) for c, w in zip(children, weights, strict=True)}
            assert found == chances
    assert states == len(graph.node_of)


def test_every_beginning_has_its_root(rules, graph):
    assert graph.roots == {name: graph.node(s) for name, s in starts_of(rules).items()}
    assert graph.root == next(iter(graph.roots.values()))


def test_every_node_is_reached_from_a_root(graph):
    reached = set(graph.roots.values())
    for node in range(graph.nodes - 1, -1, -1):
        if node in reached:
            reached.update(graph.children(node).tolist())
    assert len(reached) == graph.nodes


@pytest.mark.parametrize("state", ["nowhere", ("roll", 99, 0, 0, 0), [1], None])
def test_a_state_that_no_turn_comes_to_is_refused(graph, state):
    with pytest.raises(PositionError, match=r"no legal turn of .* comes to the state"):
        graph.node(state)


# --- what is merged


def node_of(table, state="s"):
    return compile_turn(Written(table)).node(state)


def test_forced_steps_vanish():
    """A roll with one face, a choice of one action, a choice between equal things."""
    table = {
        "s": Choose({"only": "r"}),
        "r": Roll([(3, "c"), (5, "c")]),
        "c": Choose({"x": "end", "y": "same"}),
        "end": Bank(4),
        "same": Roll([(7, "end")]),
    }
    graph = compile_turn(Written(table))
    assert (graph.nodes, graph.edges, graph.outcomes) == (1, 0, (4,))
    assert set(graph.node_of.values()) == {0}
    assert solve_turn(Written(table), exact=True).exact == 4


def test_equal_positions_are_one_node():
    graph = compile_turn(TANGLED)
    assert graph.node("m") == graph.node("n")  # the same choices under other names
    assert graph.node("l") == graph.node("r")  # 2:4:6 is 1:2:3, in whatever order
    assert edges_of(graph, graph.node("q"))[1] == [1, 2]  # five comes twice


def test_choices_in_another_order_are_another_node():
    """The order settles ties, so it is part of the rules."""
    table = {"s": Choose({"a": "x", "b": "y"}), "x": Bank(1), "y": Bank(2)}
    other = {**table, "t": Choose({"b": "y", "a": "x"}), "s": Roll([(1, "u"), (1, "t")])}
    other["u"] = table["s"]
    graph = compile_turn(Written(other))
    assert graph.node("t") != graph.node("u")
    assert edges_of(graph, graph.node("t"))[0] == edges_of(graph, graph.node("u"))[0][::-1]


def test_equal_outcomes_are_one_and_others_of_equal_points_are_not():
    table = {"s": Roll([(1, "a"), (1, "b"), (1, "c")]), "a": Bank("x"), "b": Bank("y")}
    graph = compile_turn(Written(table | {"c": Bank("x")}, points=lambda _outcome: 3))
    assert graph.outcomes == ("x", "y")
    assert graph.points.tolist() == [3, 3]
    assert edges_of(graph, graph.root) == ([0, 1], [2, 1])


def test_martian_dice_is_small():
    """Interchangeable species: about 10**4 nodes, 5 * 10**4 edges, and only 17 outcomes."""
    graph = compile_turn(game("martian-dice"))
    assert len(graph.outcomes) == 17
    assert graph.nodes < 10_000
    assert graph.edges < 55_000
    assert graph.nodes < len(graph.node_of)


# --- the digest

DIGESTS = """
from solver.games import game
from solver.turn import compile_turn
for name, rules in (
    ("martian-dice", {"dice": 6}),
    ("martian-dice", {"dice": 4, "faces": "T1 R1 H2 C1 K3"}),
    ("pig", {"target": 30}),
):
    print(compile_turn(game(name, **rules)).digest)
"""


def run(source, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout.split()


def test_the_digest_is_the_same_in_every_run():
    first = run(DIGESTS, 0)
    assert len(set(first)) == 3
    assert first == run(DIGESTS, 12345)
    assert first[2] == compile_turn(game("pig", target=30)).digest  # and in this process
    assert all(len(digest) == 64 for digest in first)


UNORDERED = """
from solver.games import Bank, Roll
from solver.turn import compile_turn

class Bag:
    name = "bag"

    def start(self):
        return frozenset(["amber", "blue", "cyan", "drab"])

    def expand(self, left):
        if len(left) < 2:
            return Bank(len(left))
        return Roll([(1, left - {marble}) for marble in sorted(left)] + [(1, frozenset())])

print(compile_turn(Bag()).digest)
"""


def test_the_digest_is_the_same_for_states_without_an_order():
    assert len({digest for seed in range(4) for digest in run(UNORDERED, seed)}) == 1


def digest(**changed):
    return compile_turn(game("martian-dice", **{"dice": 5, **changed})).digest


@pytest.mark.parametrize(
    "changed",
    [
        {"dice": 4},
        {"faces": "T1 R1 H1 C1 K1"},
        {"faces": "T1 R2 H2 C1 K1"},
        {"bonus": 4},
        {"bonus": 0},
        {"head": 2},
    ],
    ids=str,
)
def test_the_digest_changes_with_the_rules_of_the_turn(changed):
    assert digest(**changed) != digest()


@pytest.mark.parametrize(
    "changed", [{"target": 40}, {"end": "immediate"}, {"tie": "shared"}, {"duel_dice": 3}], ids=str
)
def test_the_digest_does_not_change_with_the_rules_of_the_match(changed):
    """One turn table serves them all."""
    assert digest(**changed) == digest()


@pytest.mark.parametrize(
    "changed",
    [
        {"zero": Bank(1)},
        {"q": Roll([(1, "five"), (1, "zero")])},
        {"m": Choose({"b": "q", "a": "two"})},
        {"five": Bank(6)},
        {"s": Choose({"stop": "two", "left": "l"}), "r": Bank(0)},
    ],
    ids=str,
)
def test_the_digest_changes_with_weights_outcomes_and_canonical_order(changed):
    assert compile_turn(Written(TANGLED.table | changed)).digest != compile_turn(TANGLED).digest


def test_the_digest_knows_states_but_not_names_of_actions():
    """A table finds its rows by state; actions are asked of the rules."""
    renamed = {"s": Choose({"a": "x", "b": "y"}), "x": Bank(1), "y": Bank(2)}
    actions = {**renamed, "s": Choose({"c": "x", "d": "y"})}
    states = {"s": Choose({"a": "X", "b": "y"}), "X": Bank(1), "y": Bank(2)}
    digests = [compile_turn(Written(table)).digest for table in (renamed, actions, states)]
    assert digests[0] == digests[1] != digests[2]


# --- size


def test_turns_deeper_than_the_recursion_limit():
    """At a target no turn gets near, the best turn of Pig is the one to 100: hold at 20."""
    deep, usual = game("pig", target=5_000), game("pig")
    solution = solve_turn(deep, "points")
    assert len(solution.graph.blocks) > 2 * sys.getrecursionlimit()
    expected = solve_turn(usual, "points", exact=True).value
    assert abs(solution.value - expected) <= min(1e-12, solution.exactness.error)
    assert solution.choice_at(("total", 19)) == "roll"
    assert solution.choice_at(("total", 20)) == "stop"


def test_a_chain_of_forced_steps_deeper_than_the_recursion_limit():
    table = {"s": Choose({"on": 0}), 5000: Bank(3)}
    table |= {i: Choose({"on": i + 1}) for i in range(5000)}
    assert compile_turn(Written(table)).nodes == 1


def test_limits_of_nodes_edges_and_states():
    """Exactly as many as there are will do; one less is refused before it is passed."""
    rules = game("martian-dice", dice=5)
    graph = compile_turn(rules)
    exact = {"nodes": graph.nodes, "edges": graph.edges, "states": len(graph.node_of)}
    again = compile_turn(rules, **{f"max_{what}": limit for what, limit in exact.items()})
    assert again.digest == graph.digest
    for what, limit in exact.items():
        with pytest.raises(TooLargeError) as refused:
            compile_turn(rules, **{f"max_{what}": limit - 1})
        assert str(limit - 1) in str(refused.value)
        assert "try: merge equivalent positions" in str(refused.value)


def test_a_game_without_end_is_too_large():
    class Endless:
        name = "endless"

        def start(self):
            return 0

        def expand(self, state):
            return Roll([(1, state + 1), (1, -1)]) if state >= 0 else Bank(0)

    with pytest.raises(TooLargeError, match="endless: a turn has more than 1000 states"):
        compile_turn(Endless(), max_states=1000)


# --- weights beyond machine integers


def test_weights_beyond_64_bits_stay_exact():
    """P(win 7) = (1 / (10**30 + 1)) * (2**62 + 1) / (3 * 2**62 + 1), and so on."""
    rules = GAMES["huge weights"]
    solution = solve_turn(rules, exact=True)
    graph = solution.graph
    assert graph.weight.dtype == graph.total.dtype == object
    rare, whole = Fraction(1, 10**30 + 1), 3 * 2**62 + 1
    chances = {
        0: 1 - rare + rare * Fraction(2**62, whole),
        7: rare * Fraction(2**62 + 1, whole),
        1: rare * Fraction(2**62, whole),
    }
    assert solution.exact_distribution == chances
    assert solution.exact == 7 * chances[7] + chances[1]
    assert solution.exact_at("c") == Fraction(7 * (2**62 + 1) + 2**62, whole)


def test_weights_beyond_64_bits_are_rounded_once_in_float64():
    rules = GAMES["huge weights"]
    exact, rounded = solve_turn(rules, exact=True), solve_turn(rules)
    assert abs(rounded.value - exact.value) <= rounded.exactness.error
    assert abs(rounded.value_at("c") - exact.value_at("c")) <= rounded.exactness.error
    assert rounded.choice_at("b") == exact.choice_at("b") == "y"


def test_sums_beyond_64_bits_are_seen_even_if_each_weight_is_small():
    """Each weight fits, their sum is 2**63: one more than the largest int64."""
    weights = [2**62, 2**62 - 1, 1]
    table = {"s": Roll(list(zip(weights, "abc", strict=True))), "a": Bank(0)}
    graph = compile_turn(Written(table | {"b": Bank(1), "c": Bank(2)}))
    assert int(graph.total[graph.root]) == 2**63
    assert solve_turn(Written(table | {"b": Bank(1), "c": Bank(2)}), exact=True).exact == Fraction(
        2**62 + 1, 2**63
    )


def test_weights_that_reduce_to_small_ones_stay_small():
    table = {"s": Roll([(10**40, "a"), (3 * 10**40, "b")]), "a": Bank(0), "b": Bank(1)}
    graph = compile_turn(Written(table))
    assert graph.weight.dtype == np.int64
    assert edges_of(graph, graph.root)[1] == [1, 3]


def test_points_beyond_64_bits_are_refused_or_exact():
    try:
        found = solve_turn(Written({"s": Bank(2**63)}), exact=True).exact
    except ShouldIRollError:
        found = 2**63
    assert found == 2**63
