"""Turns alone to a goal, and kills without end: against closed forms and other methods."""

from fractions import Fraction

import numpy as np
import pytest
from goal_games import Coin, Detour, Stuck, Walk
from scipy.optimize import linprog

from solver.errors import GameError, ProofError
from solver.games.martians import Gauntlet, Hunt
from solver.games.protocol import Bank, Choose
from solver.games.registry import game
from solver.match.goal import solve_alone
from solver.match.goal.alone import fewest_turns, relative_error, within
from solver.match.goal.kills import endless
from solver.match.goal.standings import standings_of
from solver.turn.compile import compile_turn


def _value_iteration(rules, after, sweeps):
    """Expected turns by plain value iteration on the rules themselves: no graph, no arrays."""
    values = dict.fromkeys(rules.starts(), 0.0)

    def cost(state, known):
        if state in known:
            return known[state]
        expansion = rules.expand(state)
        if isinstance(expansion, Bank):
            name = after(expansion.outcome)
            found = 0.0 if name is None else values[name]
        elif isinstance(expansion, Choose):
            found = min(cost(s, known) for s in expansion.options.values())
        else:
            whole = sum(w for w, _ in expansion.branches)
            found = sum(w * cost(s, known) for w, s in expansion.branches) / whole
        known[state] = found
        return found

    for _ in range(sweeps):
        known = {}
        before = values
        values = {name: 1.0 + cost(state, known) for name, state in rules.starts().items()}
        if all(abs(values[name] - before[name]) < 1e-13 for name in values):
            break
    return values


@pytest.mark.parametrize("goal", [1, 2, 7, 40])
def test_a_walk_takes_the_turns_of_its_closed_form(goal):
    alone = solve_alone(Walk(goal))
    for a in range(goal):
        right = goal * (goal + 1) - a * (a + 1)
        assert alone.turns(a) == pytest.approx(right, rel=1e-12)
        assert abs(alone.turns(a) - right) <= right * alone.relative_error + 1e-12


def test_one_coin_takes_two_turns_on_average():
    assert solve_alone(Coin()).turns("start") == pytest.approx(2.0, rel=1e-14)


def test_the_walk_is_one_component_and_fights_without_income_are_many():
    graph = compile_turn(Walk(5))
    assert standings_of(graph, Walk(5).goal_race.after).components == (1, 5)
    hunt = Hunt(goal=6)
    stages = standings_of(compile_turn(hunt), hunt.after)
    rich = [i for i, (_, lives, bullets, _) in enumerate(stages.names) if max(lives, bullets) > 3]
    first = set(stages.stages[0].tolist())
    assert not first & set(rich)  # no income: more than three tokens never come back
    assert sum(map(len, stages.stages)) == len(stages)


@pytest.mark.parametrize(
    "rules",
    [
        Hunt(goal=3),
        game("martians", goal=2, income="steady"),
        game("martians", goal=2, last_life="one-more-roll"),
        game("martians", goal=2, weapon="+1,reroll:1"),
        Detour(6, 3),
    ],
    ids=str,
)
def test_fewest_turns_are_those_of_plain_value_iteration(rules):
    right = _value_iteration(rules, rules.goal_race.after, 400)
    alone = solve_alone(rules)
    for name, turns in right.items():
        assert alone.turns(name) == pytest.approx(turns, rel=1e-10), name


@pytest.mark.parametrize("income", ["none", "steady"])
def test_fewest_turns_are_those_of_a_linear_program(income):
    """Maximise the sum of v under v(node) <= each option: the optimum is the fewest turns."""
    rules = game("martians", goal=3, income=income)
    graph = compile_turn(rules)
    standings = standings_of(graph, rules.after)
    rows, right = [], []
    size, outcomes = graph.nodes, len(graph.outcomes)

    def row(entries, bound):
        line = np.zeros(size)
        for node, weight in entries:
            line[node] += weight
        rows.append(line)
        right.append(bound)

    for x in range(outcomes):
        to = int(standings.after[x])
        ahead = [] if to < 0 else [(int(standings.roots[to]), -1.0)]
        row([(x, 1.0), *ahead], 1.0)  # v(x) <= 1 + v(root of the next turn)
    for node in range(outcomes, size):
        children = graph.children(node).tolist()
        if graph.kind[node] == 1:
            for child in children:
                row([(node, 1.0), (child, -1.0)], 0.0)
        else:
            p = graph.probability[graph.first[node] : graph.first[node + 1]]
            row([(node, 1.0), *zip(children, -p, strict=True)], 0.0)
    reach = [int(r) for r in standings.roots]
    cost = np.zeros(size)
    cost[reach] = -1.0
    found = linprog(cost, A_ub=np.array(rows), b_ub=right, bounds=(None, None))
    assert found.success
    assert found.x[reach] == pytest.approx(fewest_turns(graph, standings).turns, rel=1e-7)


def test_a_goal_that_cannot_be_reached_is_said_so():
    with pytest.raises(GameError, match="cannot be reached"):
        solve_alone(Stuck())


@pytest.mark.slow
def test_thirty_martians_in_the_open_field_take_thousands_of_turns_and_tokens_change_that():
    turns = {
        income: solve_alone(game("martians", income=income)).expected_turns[0]
        for income in ("none", "steady")
    }
    assert turns["none"] == pytest.approx(2190.675244164, rel=1e-9)
    assert turns["steady"] == pytest.approx(19.130414116345, rel=1e-9)


def test_wrong_turns_are_not_proven():
    rules = Hunt(goal=4)
    graph = compile_turn(rules)
    standings = standings_of(graph, rules.after)
    turns = fewest_turns(graph, standings).turns
    assert relative_error(graph, standings, turns) < 1e-12
    off = turns.copy()
    off[7] *= 1.0 + 1e-6
    assert relative_error(graph, standings, off) > 1e-7
    off[7] *= 2.0
    with pytest.raises(ProofError, match="miss their equations"):
        relative_error(graph, standings, off)


def test_the_chance_to_be_done_in_time_grows_to_one_and_beats_the_fewest_turns_play():
    rules = Hunt(goal=6)
    graph = compile_turn(rules)
    standings = standings_of(graph, rules.after)
    best = within(graph, standings, 30)
    assert (np.diff(best, axis=0) >= 0).all()
    assert best[30].min() > 0.999
    followed = solve_alone(rules, graph=graph).within
    assert (followed <= best[: len(followed), 0] + 1e-12).all()
    # the expectation is the sum of the chances not to be done yet
    turns = solve_alone(rules, graph=graph)
    assert (1.0 - turns.within).sum() == pytest.approx(turns.expected_turns[0], abs=1e-2)


@pytest.mark.parametrize(("lives", "bullets", "kills"), [(1, 0, 1), (2, 0, 2), (3, 3, "1651/243")])
def test_kills_without_end(lives, bullets, kills):
    """Without bullets each life is worth one kill: heads or tails until the first tails."""
    fights = Gauntlet(1)
    standings, values = endless(compile_turn(fights), fights.standing_after)
    assert values[standings.number((lives, bullets))] == Fraction(kills)


def test_a_player_with_no_token_has_one_expected_kill_where_one_more_roll_is_made():
    fights = game("martians-fights", last_life="one-more-roll")
    standings, values = endless(compile_turn(fights), fights.standing_after)
    assert values[standings.number((0, 0))] == 1


def test_kills_without_end_are_what_many_fights_come_to():
    endless_standings, endless_kills = endless(
        compile_turn(Gauntlet(1)), Gauntlet(1).standing_after
    )
    from solver.turn.solve import solve_turn

    many = solve_turn(Gauntlet(60), "kills", exact=True)
    right = endless_kills[endless_standings.number((3, 3))]
    assert 0 < right - many.exact < Fraction(1, 10**9)
