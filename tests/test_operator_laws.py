"""A turn is an operator: laws that hold for every game, tried on random small ones.

Values are compared with a reference written here, which reads the rules and knows no graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.errors import GameError, PositionError, UnknownNameError, UsageError
from solver.games import Bank, Choose, Roll, check_game
from solver.turn import compile_turn, evaluate_policy, solve_turn
from solver.turn.exact import evaluate_exact, exact_distribution, solve_exact
from solver.turn.graph import DECISION
from solver.turn.kernel import error_bound, solve_batch

laws = settings(max_examples=50, deadline=None, derandomize=True, database=None)


@dataclass(frozen=True)
class Random:
    """States are numbers: first the outcomes, then what leads to smaller numbers only."""

    worth: tuple[int, ...]
    steps: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
    name: str = "random"

    @property
    def states(self):
        return len(self.worth) + len(self.steps)

    def start(self):
        return self.states - 1

    def points(self, outcome):
        return self.worth[int(outcome.removeprefix("end "))]

    def expand(self, state):
        if state < len(self.worth):
            return Bank(f"end {state}")
        kind, ways = self.steps[state - len(self.worth)]
        if kind == "roll":
            return Roll([(weight, child) for weight, child in ways])
        return Choose({"abcdef"[i]: child for i, (_, child) in enumerate(ways)})


@dataclass(frozen=True)
class Several(Random):
    """The same with several beginnings."""

    begin: tuple[int, ...] = ()

    def starts(self):
        return {f"beginning {i}": state for i, state in enumerate(self.begin)}


WEIGHTS = st.sampled_from([1, 1, 1, 2, 3, 6])


@st.composite
def games(draw, kind=Random):
    """Layered games: shared parts, nested choices, equal weights, forced steps.

    Every step leads to the one before it, so that all of them are reached, and to others.
    """
    worth = draw(st.lists(st.integers(0, 4), min_size=2, max_size=4))
    steps = []
    for i in range(draw(st.integers(3, 8))):
        known = len(worth) + i
        last = known - 1
        if draw(st.integers(0, 7)) == 7:  # nothing to decide, or one face on every side
            step, children = (
                draw(st.sampled_from(["roll", "choose"])),
                [last] * draw(st.integers(1, 2)),
            )
        else:
            step = draw(st.sampled_from(["choose", "roll"]))
            others = st.lists(st.integers(0, last - 1), min_size=1, max_size=3, unique=True)
            children = draw(others)
            children.insert(draw(st.integers(0, len(children))), last)
        steps.append((step, tuple((draw(WEIGHTS), child) for child in children)))
    if kind is Several:
        states = st.integers(0, len(worth) + len(steps) - 1)
        begin = draw(st.lists(states, min_size=1, max_size=4))
        return Several(tuple(worth), tuple(steps), begin=tuple(begin))
    return Random(tuple(worth), tuple(steps))


NUMBERS = st.builds(Fraction, st.integers(-6, 6), st.sampled_from([1, 2, 3]))
TYING = st.integers(0, 2)


@st.composite
def games_with_payoffs(draw, payoffs=1, numbers=NUMBERS, kind=Random):
    rules = draw(games(kind))
    ends = [f"end {i}" for i in range(len(rules.worth))]
    drawn = [{end: draw(numbers) for end in ends} for _ in range(payoffs)]
    return rules, *drawn


def best(rules, payoff):
    """The best value of every state, straight from the rules."""
    value = []
    for state in range(rules.states):
        what = rules.expand(state)
        if isinstance(what, Bank):
            value.append(Fraction(payoff[what.outcome]))
        elif isinstance(what, Choose):
            value.append(max(value[child] for child in what.options.values()))
        else:
            whole = sum(weight for weight, _ in what.branches)
            value.append(sum((value[c] * w for w, c in what.branches), Fraction(0)) / whole)
    return value


def canonical(rules, value):
    """The first best action of every decision, in the order of the rules."""
    chosen = {}
    for state in range(rules.states):
        what = rules.expand(state)
        if isinstance(what, Choose):
            chosen[state] = next(a for a, c in what.options.items() if value[c] == value[state])
    return chosen


def played(rules, chosen, payoff):
    """The value of every state when decisions are taken as `chosen` says."""
    value = []
    for state in range(rules.states):
        what = rules.expand(state)
        if isinstance(what, Bank):
            value.append(Fraction(payoff[what.outcome]))
        elif isinstance(what, Choose):
            value.append(value[what.options[chosen[state]]])
        else:
            whole = sum(weight for weight, _ in what.branches)
            value.append(sum((value[c] * w for w, c in what.branches), Fraction(0)) / whole)
    return value


def solved(rules, payoff, **more):
    return solve_turn(rules, reachable(rules, payoff), exact=True, **more)


def reachable(rules, payoff):
    """The payoff on the outcomes that turns come to: more than these are not asked for."""
    return {outcome: payoff[outcome] for outcome in compile_turn(rules).outcomes}


def value_of(rules, payoff):
    return solved(rules, payoff).exact


def expectation(chances, payoff):
    return sum((chance * payoff[outcome] for outcome, chance in chances.items()), Fraction(0))


# --- the operator


@laws
@given(case=games_with_payoffs())
def test_the_best_value_of_every_state_is_the_rules_own(case):
    rules, f = case
    solution, value = solved(rules, f), best(rules, f)
    assert solution.exact == value[-1]
    for state in solution.graph.node_of:
        assert solution.exact_at(state) == value[state]
        assert solution.value_at(state) == float(value[state])


@laws
@given(case=games_with_payoffs(), c=NUMBERS)
def test_a_constant_comes_out(case, c):
    """T[f + c] = T[f] + c: chances sum to one."""
    rules, f = case
    assert value_of(rules, {x: f[x] + c for x in f}) == value_of(rules, f) + c


@laws
@given(case=games_with_payoffs(), a=NUMBERS.map(abs))
def test_a_factor_comes_out(case, a):
    """T[a f] = a T[f] for a >= 0: what is best in dollars is best in cents."""
    rules, f = case
    assert value_of(rules, {x: a * f[x] for x in f}) == a * value_of(rules, f)


@laws
@given(case=games_with_payoffs(payoffs=2))
def test_more_is_never_worth_less(case):
    """f <= g gives T[f] <= T[g]: the policy that is best for f earns no less under g."""
    rules, f, extra = case
    g = {x: f[x] + abs(extra[x]) for x in f}
    assert value_of(rules, f) <= value_of(rules, g)


@laws
@given(case=games_with_payoffs(payoffs=2), share=st.fractions(0, 1, max_denominator=12))
def test_the_operator_is_convex(case, share):
    """T[tf + (1 - t)g] <= t T[f] + (1 - t) T[g]: one policy for a mixture, or the best of each."""
    rules, f, g = case
    mixed = {x: share * f[x] + (1 - share) * g[x] for x in f}
    separate = share * value_of(rules, f) + (1 - share) * value_of(rules, g)
    assert value_of(rules, mixed) <= separate


@laws
@given(case=games_with_payoffs())
def test_the_worst_is_minus_the_best_of_minus(case):
    """Between the worst and the best lies every policy, and between the payoff's ends both."""
    rules, f = case
    ends = reachable(rules, f).values()
    worst = -value_of(rules, {x: -f[x] for x in f})
    assert min(ends) <= worst <= value_of(rules, f) <= max(ends)


# --- policies


@laws
@given(case=games_with_payoffs())
def test_the_best_policy_has_the_best_value(case):
    rules, f = case
    solution = solved(rules, f)
    chances = evaluate_policy(rules, lambda state, _actions: solution.choice_at(state))
    assert expectation(chances, f) == solution.exact
    assert {x: c for x, c in chances.items() if c} == solution.exact_distribution


@laws
@given(case=games_with_payoffs(), data=st.data())
def test_no_policy_is_better_than_the_best(case, data):
    rules, f = case
    taken = {}

    def any_action(state, actions):
        taken[state] = data.draw(st.sampled_from(actions))
        return taken[state]

    chances = evaluate_policy(rules, any_action)
    assert sum(chances.values()) == 1
    assert expectation(chances, f) <= value_of(rules, f)
    for state in range(rules.states):  # where the policy never came, or had no choice
        what = rules.expand(state)
        if isinstance(what, Choose):
            taken.setdefault(state, next(iter(what.options)))
    assert expectation(chances, f) == played(rules, taken, f)[-1]


@laws
@given(case=games_with_payoffs(), data=st.data())
def test_a_policy_on_the_graph_is_evaluated_like_one_on_the_rules(case, data):
    rules, f = case
    graph = compile_turn(rules)
    payoffs = [f[outcome] for outcome in graph.outcomes]
    chosen = [
        data.draw(st.sampled_from(graph.children(node).tolist()))
        if graph.kind[node] == DECISION
        else -1
        for node in range(graph.nodes)
    ]

    def same(state, actions):
        options = rules.expand(state).options
        wanted = chosen[graph.node(state)]
        return next((a for a in actions if graph.node(options[a]) == wanted), actions[0])

    value = evaluate_exact(graph, payoffs, chosen)
    top = solve_exact(graph, payoffs)
    chances = evaluate_policy(rules, same)
    assert value.value(graph.root) == expectation(chances, f)
    assert all(value.value(node) <= top.value(node) for node in range(graph.nodes))
    along = exact_distribution(graph, chosen, graph.root)
    assert dict(zip(graph.outcomes, along, strict=True)) == dict.fromkeys(graph.outcomes, 0) | (
        chances
    )


@laws
@given(case=games_with_payoffs())
def test_evaluating_the_chosen_nodes_gives_the_best_value_again(case):
    rules, f = case
    graph = compile_turn(rules)
    payoffs = [f[outcome] for outcome in graph.outcomes]
    top = solve_exact(graph, payoffs)
    again = evaluate_exact(graph, payoffs, top.chosen)
    assert (again.numerator, again.denominator) == (top.numerator, top.denominator)


def test_a_policy_that_breaks_the_rules_is_refused():
    rules = Random((0, 1), (("choose", ((1, 0), (1, 1))),))
    with pytest.raises(GameError, match=r"chose 'z' at 2\nrule: legal are 'a', 'b'"):
        evaluate_policy(rules, lambda _state, _actions: "z")


# --- the canonical choice and ties


@laws
@given(case=games_with_payoffs(numbers=TYING))
def test_the_canonical_choice_is_the_first_best_in_order(case):
    rules, f = case
    solution, value = solved(rules, f), best(rules, f)
    chosen = canonical(rules, value)
    for state in solution.graph.node_of:
        assert solution.choice_at(state) == chosen.get(state)


@laws
@given(case=games_with_payoffs(numbers=TYING))
def test_all_tied_actions_are_reported(case):
    rules, f = case
    solution, value = solved(rules, f), best(rules, f)
    for state in solution.graph.node_of:
        what = rules.expand(state)
        options = solution.options(state)
        if not isinstance(what, Choose):
            assert options == ()
            continue
        assert [(o.action, o.state) for o in options] == list(what.options.items())
        for option in options:
            assert option.exact == value[option.state]
            assert option.value == float(value[option.state])
            assert option.loss == float(value[state] - value[option.state])
            assert option.best == (value[option.state] == value[state])
        assert any(option.best for option in options)


def test_what_is_nearly_equal_is_no_exact_tie():
    """One in 10**30 is lost in float64, where both are worth 1; exactly, only one is best."""
    rules = Random((0, 1), (("roll", ((1, 0), (10**30 - 1, 1))), ("choose", ((1, 2), (1, 1)))))
    exact, rounded = solve_turn(rules, exact=True), solve_turn(rules)
    assert [option.best for option in exact.options(3)] == [False, True]
    assert [option.best for option in rounded.options(3)] == [True, True]
    assert (exact.choice_at(3), rounded.choice_at(3)) == ("b", "a")
    assert [option.exact for option in exact.options(3)] == [1 - Fraction(1, 10**30), 1]
    assert exact.options(3)[0].loss == 1e-30


def test_rounding_does_not_decide_a_tie():
    """n sides that are each worth 1, or 1 for sure: the same, though sums of 1/n may fall short."""
    noisy = 0
    for n in range(2, 60):
        roll = ("roll", tuple((1, end) for end in range(n)))
        rules = Random((1,) * (n + 1), (roll, ("choose", ((1, n + 1), (1, n)))))
        turn = solve_turn(rules)
        noisy += turn.value_at(n + 1) != 1.0
        assert turn.choice_at(n + 2) == "a"
        assert [(option.best, option.loss) for option in turn.options(n + 2)] == [(True, 0.0)] * 2
    assert noisy


@laws
@given(case=games_with_payoffs(numbers=TYING))
def test_float64_takes_the_same_choices_and_sees_the_same_ties(case):
    """Real differences in these games are far above the tolerance, rounding far below."""
    rules, f = case
    exact = solved(rules, f)
    assume(exact.graph.edges)
    rounded = solve_turn(rules, reachable(rules, f))
    for state in exact.graph.node_of:
        assert rounded.choice_at(state) == exact.choice_at(state)
        ties = [(o.action, o.best) for o in exact.options(state)]
        assert [(o.action, o.best) for o in rounded.options(state)] == ties


@laws
@given(case=games_with_payoffs(numbers=TYING))
def test_among_equals_matches_take_the_most_points(case):
    """Value first, expected points second, canonical order third: by one backward pass."""
    rules, f = case
    worth = {x: rules.points(x) for x in f}
    pair = []
    chosen = {}
    for state in range(rules.states):
        what = rules.expand(state)
        if isinstance(what, Bank):
            pair.append((Fraction(f[what.outcome]), Fraction(worth[what.outcome])))
        elif isinstance(what, Choose):
            pair.append(max(pair[child] for child in what.options.values()))
            chosen[state] = next(a for a, c in what.options.items() if pair[c] == pair[state])
        else:
            whole = sum(weight for weight, _ in what.branches)
            sums = (sum(pair[c][i] * w for w, c in what.branches) / whole for i in (0, 1))
            pair.append(tuple(sums))
    graph = compile_turn(rules)
    assume(graph.edges)
    solution = solve_turn(rules, reachable(rules, f), graph=graph, prefer_points=True)
    assert solution.mean == pytest.approx(float(pair[-1][1]), abs=1e-12)
    assert solution.value == pytest.approx(float(pair[-1][0]), abs=1e-12)
    for state in graph.node_of:
        assert solution.choice_at(state) == chosen.get(state)


# --- the distribution and what follows from it


@laws
@given(case=games_with_payoffs())
def test_distributions_sum_to_exactly_one_and_carry_the_value(case):
    rules, f = case
    solution = solved(rules, f)
    chances = solution.exact_distribution
    assert sum(chances.values()) == 1
    assert all(chance > 0 for chance in chances.values())
    assert expectation(chances, f) == solution.exact
    assert solution.distribution == {x: float(chance) for x, chance in chances.items()}


@laws
@given(case=games_with_payoffs())
def test_mean_variance_and_bust_follow_from_the_distribution(case):
    rules, f = case
    solution = solved(rules, f)
    chances = solution.exact_distribution
    mean = sum(chance * rules.points(x) for x, chance in chances.items())
    spread = sum(chance * (rules.points(x) - mean) ** 2 for x, chance in chances.items())
    bust = sum(chance for x, chance in chances.items() if rules.points(x) == 0)
    assert (solution.mean, solution.variance, solution.bust) == (
        float(mean),
        float(spread),
        float(bust),
    )


@laws
@given(case=games_with_payoffs())
def test_the_bust_chance_of_every_state_is_that_of_canonical_play(case):
    rules, f = case
    solution = solved(rules, f)
    nothing = {x: int(rules.points(x) == 0) for x in f}
    bust = played(rules, canonical(rules, best(rules, f)), nothing)
    for state in solution.graph.node_of:
        assert solution.bust_at(state) == float(bust[state])


# --- float64


@laws
@given(case=games_with_payoffs(numbers=st.integers(-64, 64).map(lambda n: Fraction(n, 64))))
def test_float64_is_within_its_bound_at_every_node(case):
    """Payoffs of at most one, exact in binary: all that is left is the kernel's own rounding."""
    rules, f = case
    graph = compile_turn(rules)
    payoffs = [f[outcome] for outcome in graph.outcomes]
    exact = solve_exact(graph, payoffs)
    found = solve_batch(graph, np.array([[float(p)] for p in payoffs])).value[:, 0].tolist()
    bound = Fraction(error_bound(graph))
    for node in range(graph.nodes):
        assert abs(Fraction(found[node]) - exact.value(node)) <= bound


@laws
@given(case=games_with_payoffs(numbers=st.integers(-(10**6), 10**6)))
def test_a_float64_solution_is_within_the_error_it_states(case):
    rules, f = case
    exact = solved(rules, f)
    assume(exact.graph.edges)
    rounded = solve_turn(rules, reachable(rules, f))
    assert (exact.exactness.kind, exact.exactness.error) == ("exact", 0.0)
    assert rounded.exactness.kind == "bounded"
    assert rounded.exact is rounded.exact_distribution is None
    assert 0 < rounded.exactness.error < 1e-5
    bound = Fraction(rounded.exactness.error)
    for state in exact.graph.node_of:
        assert abs(Fraction(rounded.value_at(state)) - exact.exact_at(state)) <= bound
        assert rounded.bust_at(state) == pytest.approx(exact.bust_at(state), abs=1e-12)
    assert rounded.distribution.keys() == exact.distribution.keys()
    for outcome, chance in exact.distribution.items():
        assert rounded.distribution[outcome] == pytest.approx(chance, abs=1e-12)
    assert rounded.mean == pytest.approx(exact.mean, abs=1e-12)
    assert rounded.variance == pytest.approx(exact.variance, abs=1e-12)
    assert rounded.bust == pytest.approx(exact.bust, abs=1e-12)


@pytest.mark.parametrize(
    "rules",
    [
        Random((3,), (("choose", ((1, 0),)),)),  # a forced step
        Random((3,), (("roll", ((1, 0), (2, 0))),)),  # all faces alike
    ],
)
def test_float64_solves_a_turn_in_which_nothing_happens(rules):
    solution = solve_turn(rules)
    assert (solution.value, solution.distribution) == (3.0, {"end 0": 1.0})


# --- objectives


@laws
@given(rules=games(), bound=st.integers(0, 5))
def test_named_objectives_are_their_payoffs(rules, bound):
    outcomes = compile_turn(rules).outcomes
    points = {x: rules.points(x) for x in outcomes}
    for name, payoff in {
        "points": points,
        f"at-least:{bound}": {x: int(p >= bound) for x, p in points.items()},
        f"capped:{bound}": {x: min(p, bound) for x, p in points.items()},
    }.items():
        named, mapped = solve_turn(rules, name, exact=True), solve_turn(rules, payoff, exact=True)
        assert named.exact == mapped.exact
        assert named.exact_distribution == mapped.exact_distribution
        assert (named.objective, mapped.objective) == (name, "payoff")


def test_a_float_payoff_counts_as_the_rational_it_is():
    rules = Random((0, 1), (("roll", ((1, 0), (2, 1))),))
    solution = solve_turn(rules, {"end 0": 0, "end 1": 0.1}, exact=True)
    assert solution.exact == Fraction(2, 3) * Fraction(0.1)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), None, "x", 1j], ids=repr)
def test_a_payoff_that_is_no_finite_number_is_refused(number):
    rules = Random((0, 1), (("roll", ((1, 0), (2, 1))),))
    with pytest.raises(UsageError, match="the payoff of 'end 1'"):
        solve_turn(rules, {"end 0": 0, "end 1": number})
    with pytest.raises(UsageError, match="says nothing about the outcome 'end 1'"):
        solve_turn(rules, {"end 0": 0})


# --- several beginnings


@laws
@given(case=games_with_payoffs(kind=Several))
def test_one_graph_holds_every_beginning(case):
    rules, f = case
    graph = compile_turn(rules)
    value = best(rules, f)
    assert graph.roots == {name: graph.node(state) for name, state in rules.starts().items()}
    for name, state in rules.starts().items():
        solution = solved(rules, f, beginning=name, graph=graph)
        assert solution.exact == value[state]
        assert sum(solution.exact_distribution.values()) == 1
        assert expectation(solution.exact_distribution, f) == value[state]
        alone = Random(rules.worth, rules.steps[: max(0, state + 1 - len(rules.worth))])
        if state == alone.start():
            assert solved(alone, f).exact_distribution == solution.exact_distribution
        if graph.edges:
            rounded = solve_turn(rules, reachable(rules, f), beginning=name, graph=graph)
            assert abs(rounded.value - solution.value) <= rounded.exactness.error


@laws
@given(case=games_with_payoffs(kind=Several))
def test_the_first_beginning_is_the_default(case):
    rules, f = case
    first = solved(rules, f, beginning="beginning 0")
    usual = solved(rules, f)
    assert usual.exact_distribution == first.exact_distribution
    chances = evaluate_policy(rules, lambda state, _actions: usual.choice_at(state))
    assert {x: c for x, c in chances.items() if c} == first.exact_distribution


def test_an_unknown_beginning_is_refused():
    rules = Several((0, 1), (("roll", ((1, 0), (2, 1))),), begin=(2, 1))
    with pytest.raises(UnknownNameError, match="did you mean 'beginning 1'"):
        solve_turn(rules, beginning="begining 1")


@laws
@given(rules=games())
def test_random_games_keep_the_protocol(rules):
    """The checker and the compiler walk the same states to the same outcomes."""
    report, graph = check_game(rules), compile_turn(rules)
    assert report.states == len(graph.node_of)
    assert set(report.outcomes) == set(graph.outcomes)


def test_values_of_states_that_no_turn_comes_to_are_refused():
    solution = solve_turn(Random((0, 1, 2), (("roll", ((1, 0), (2, 1))),)), exact=True)
    for ask in (solution.value_at, solution.exact_at, solution.bust_at, solution.choice_at):
        with pytest.raises(PositionError, match="comes to the state 2"):
            ask(2)
    with pytest.raises(PositionError):
        solution.options(2)
