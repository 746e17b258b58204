"""The fast planner comes to the values of the rules, and says how large a movement is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from brute_force_board import Board
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plan_boards import ground_for, random_board, told
from test_plan_rules import ALL, everything

from solver.errors import TooLargeError
from solver.games.martians.combat import LastLife
from solver.games.martians.plan import (
    BoardOutcome,
    BoardTurn,
    Payoff,
    boarding,
    most_items,
    most_martians,
    most_tokens,
    reaching,
    survival,
)
from solver.games.martians.plan.finds import turn_circle
from solver.games.martians.weapons import Weapon
from solver.turn.board import Movement, plan_movement, refuse_large, size_of
from solver.turn.board.fights import Fights, Grids
from solver.turn.board.nodes import Nodes
from solver.turn.compile import compile_turn
from solver.turn.solve import solve_turn

PAYOFFS = [
    Payoff("everything", "payoff", lambda end: float(everything(told(end))), ALL),
    Payoff(
        "the turns to come",
        "payoff",
        lambda end: (
            3 * end.martians
            + (2 * end.lives + end.bullets) * end.alive
            + 9 * (end.ending in {"ship", "martians"})
        ),
        frozenset({"martians", "tokens", "win"}),
    ),
    most_martians(),
    most_items(),
    most_tokens(),
    survival(),
    boarding(),
    reaching((1, 0)),
]


def solved(ground, moves, payoff, start=None):
    game = BoardTurn(ground, moves)
    graph = compile_turn(game)
    worth = {outcome: payoff(BoardOutcome(*outcome)) for outcome in graph.outcomes}
    turn = solve_turn(game, worth, graph=graph)
    return game, turn, game.start() if start is None else start


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 3),
    payoff=st.sampled_from(PAYOFFS),
)
def test_the_fast_planner_agrees_with_the_rules(seed, moves, payoff):
    """Every option of it, and the chance to die where no two options tie."""
    _, ground, _ = random_board(Random(seed), squares=6, tokens=4)
    _, turn, start = solved(ground, moves, payoff)
    plan = plan_movement(ground, payoff, moves)
    assert plan.value == pytest.approx(turn.value, abs=1e-11)
    options = turn.options(start)
    if options and len(plan.options) > 1:
        by_name = {str(o.action): o for o in options}
        assert [o.action for o in plan.options] == list(by_name)
        for option in plan.options:
            assert option.value == pytest.approx(by_name[option.action].value, abs=1e-11)
    assert plan.death <= turn.bust + 1e-11 or not _unique(turn)


def _unique(turn):
    """Whether no decision has two best options: then there is one chance to die."""
    for state in turn.graph.node_of:
        best = [o for o in turn.options(state) if o.best]
        if len({turn.graph.node_of[o.state] for o in best}) > 1:
            return False
    return True


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), payoff=st.sampled_from(PAYOFFS))
def test_the_fast_planner_agrees_before_the_movement_roll(seed, payoff):
    _, ground, _ = random_board(Random(seed), squares=4, tokens=1)
    ground = replace(ground, lives=1)
    _, turn, _ = solved(ground, None, payoff)
    assert plan_movement(ground, payoff).value == pytest.approx(turn.value, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300))
def test_the_fast_planner_agrees_on_longer_movements(seed):
    rng = Random(seed)
    _, ground, _ = random_board(rng, squares=8, tokens=5)
    payoff = rng.choice(PAYOFFS)
    _, turn, _ = solved(ground, 5, payoff)
    assert plan_movement(ground, payoff, 5).value == pytest.approx(turn.value, abs=1e-10)


def star(count=4, **more):
    """A square 0 with corridors of two squares each."""
    steps = {0: list(range(1, count + 1))}
    for n in range(1, count + 1):
        steps[n] = [0, n + count]
        steps[n + count] = [n]
    return Board(steps=steps, house=0, **more)


@pytest.mark.parametrize(("lives", "at_five"), [(4, "goes-back"), (5, "goes-back"), (5, "is-lost")])
def test_at_five_tokens_left_lying_are_fetched_after_a_fight(lives, at_five):
    """The case in which a token of no use now is of use later, with the fight right beside it."""
    board = star(
        martians=frozenset({3, 7, 4}),
        buildings=[([1, 5], ["life", "life"]), ([2], ["bullet"])],
        at_five=at_five,
    )
    me = {"at": 0, "lives": lives, "bullets": 4, "martians": 0, "items": ()}
    ground = ground_for(board, me)
    _, turn, _ = solved(ground, 6, PAYOFFS[1])
    assert plan_movement(ground, PAYOFFS[1], 6).value == pytest.approx(turn.value, abs=1e-11)


def test_a_life_left_lying_is_worth_coming_back_for():
    """By hand: five lives, one step to a life, one to a Martian, and back."""
    board = Board(
        steps={0: [1], 1: [0, 2], 2: [1]},
        house=0,
        martians=frozenset({2}),
        buildings=[([1], ["life"])],
    )
    me = {"at": 0, "lives": 5, "bullets": 0, "martians": 0, "items": ()}
    fetch = Payoff(
        "lives after a fight",
        "payoff",
        lambda end: end.lives * (end.martians > 0) * end.alive,
        frozenset({"tokens", "martians"}),
    )
    two, three = (plan_movement(ground_for(board, me), fetch, n).value for n in (2, 3))
    assert two == pytest.approx(sum((5 - k) / 2 ** (k + 1) for k in range(5)))
    assert three == pytest.approx(5 / 2 + sum((6 - k) / 2 ** (k + 1) for k in range(1, 5)))


# --- moments of a turn


@pytest.mark.parametrize("seed", range(30))
def test_a_losing_roll_is_mended_as_the_rules_say(seed):
    rng = Random(seed)
    _, ground, _ = random_board(rng, squares=5, tokens=3)
    ground = replace(ground, standing=ground.standing | 1 << ground.at)
    moves = rng.choice((0, 1, 2, 3))
    payoff = PAYOFFS[rng.randrange(2)]
    bonus, rerolls = (ground.weapons or (Weapon(),))[0].bonus, 0
    short = rng.choice([s for s in (1, 2, 3) if s + bonus <= 3])
    game = BoardTurn(ground, moves)
    place = (
        ground.at, ground.lives, ground.bullets, ground.martians, ground.standing, ground.finds,
        moves,
    )  # fmt: skip
    _, turn, _ = solved(ground, moves, payoff)
    wanted = {
        action: turn.value_at(state)
        for action, state in game.mend(place, bonus, rerolls, short).items()
    }
    plan = Movement(ground, payoff, moves).plan(short=short, bonus=bonus, rerolls=rerolls)
    assert {o.action: o.value for o in plan.options} == pytest.approx(wanted, abs=1e-11)
    ways = game.mend(place, bonus, rerolls, short)
    dies = [
        action for action, state in ways.items() if state[0] == "over" and state[1].ending == "dead"
    ]
    assert all(o.death == 1.0 for o in plan.options if o.action in dies)


@pytest.mark.parametrize("seed", range(30))
def test_a_crop_circle_is_turned_or_left_as_the_rules_say(seed):
    rng = Random(seed)
    _, ground, _ = random_board(rng, squares=6, tokens=2, circles=False)
    at = ground.at
    finds = ground.finds._replace(circles=1 << at, unturned=rng.randint(1, 4), held=7)
    ground = replace(ground, standing=ground.standing & ~(1 << at), finds=finds)
    payoff = rng.choice(PAYOFFS)
    moves = rng.randint(0, 3)
    _, turn, _ = solved(ground, moves, payoff)
    plan = Movement(ground, payoff, moves, landed=True).plan()
    worth = {o.action: o.value for o in plan.options}
    total = 0.0
    for weight, left in turn_circle(finds, at):
        if left.ship == at:
            end = ground.outcome(at, (ground.lives, ground.bullets), ground.martians, left, "ship")
            total += weight * float(payoff(end))
        else:
            total += weight * plan_movement(replace(ground, finds=left), payoff, moves).value
    assert worth["turn"] == pytest.approx(total / finds.unturned, abs=1e-11)
    assert worth["leave"] == pytest.approx(turn.value, abs=1e-11)


def test_a_way_is_told_to_the_next_event():
    """Over two free squares to the Martian; a step from it the Martian is met at once."""
    steps = {n: [m for m in (n - 1, n + 1) if 0 <= m < 5] for n in range(5)}
    board = Board(steps=steps, house=0, martians=frozenset({4}))
    me = {"at": 1, "lives": 3, "bullets": 3, "martians": 0, "items": ()}
    plan = plan_movement(ground_for(board, me), most_martians(), 4)
    stop, back, on = plan.options
    assert (stop.action, back.action, on.action) == ("stop", "0,0", "2,0")
    assert on.then is not None
    assert (on.then.squares, on.then.what) == ((3, 4), "fight")
    assert back.then is not None
    assert back.then.what == "stop"
    assert plan.best is on


# --- fights on grids


def test_grids_are_fights_one_by_one():
    """Each entry of a grid is the fight that a player with those tokens has."""
    steps = {0: [1], 1: [0]}
    payoff = PAYOFFS[1]
    for weapons in ((), ("+1", "reroll:2")):
        board = Board(steps=steps, house=0, martians=frozenset({0}), weapons=weapons)
        for lives in (1, 2, 5):
            for bullets in (0, 1, 3, 5):
                me = {"at": 0, "lives": lives, "bullets": bullets, "martians": 0, "items": ()}
                ground = ground_for(board, me)
                plan = plan_movement(ground, payoff, 0)
                _, turn, _ = solved(ground, 0, payoff)
                assert plan.value == pytest.approx(turn.value, abs=1e-12)


def test_a_fight_dies_as_seldom_as_it_can_where_nothing_else_matters():
    """Every option is worth the same: the chance to die is the least there is."""
    fights = Fights((), LastLife.DIES, 1e-13)
    won = Grids(np.ones((1, 6, 6)), np.zeros((1, 6, 6)))
    grid = fights.fight(won, np.ones(1))
    assert grid.death[0, 1, 5] == 0.0  # three bullets mend any roll
    assert grid.death[0, 1, 0] == 0.5
    assert grid.death[0, 2, 0] == 0.25


# --- size


def crowded():
    """A ladder of many squares, all with a Martian or a face-down token."""
    count = 40
    steps = {n: [m for m in (n - 1, n + 1, n - 8, n + 8) if 0 <= m < count] for n in range(count)}
    groups = [([n, n + 1, n + 2], ["life", "bullet", "bullet"]) for n in range(0, 36, 4)]
    martians = frozenset(n for n in range(count) if n % 4 == 3)
    board = Board(steps=steps, house=0, martians=martians, buildings=groups)
    return ground_for(board, {"at": 0, "lives": 5, "bullets": 3, "martians": 0, "items": ()})


def test_a_movement_that_is_too_large_is_refused_before_it_starts():
    with pytest.raises(TooLargeError, match=r"about [\d,]+ nodes .* and 20,000 are allowed"):
        refuse_large(crowded(), most_tokens(), 11, most_nodes=20_000)
    with pytest.raises(TooLargeError, match="more than 500 nodes"):
        plan_movement(crowded(), most_tokens(), 11, most_nodes=500)


def test_the_estimate_is_near_the_count():
    for moves in (4, 6):
        told_size = size_of(crowded(), most_tokens(), moves)
        nodes = Nodes(crowded(), most_tokens(), moves)
        ground = crowded()
        nodes.walk(nodes.key(0, moves, ground.standing, 0, ground.finds, 1))
        nodes.expand()
        assert len(nodes.kind) / 3 <= told_size.nodes <= 3 * len(nodes.kind)
    assert refuse_large(crowded(), most_tokens(), 3).exact
    assert not size_of(crowded(), most_tokens(), None).exact


def test_what_is_out_of_reach_makes_no_nodes():
    """Martians farther away than the moves left do not matter."""
    steps = {n: [m for m in (n - 1, n + 1) if 0 <= m < 30] for n in range(30)}
    me = {"at": 0, "lives": 3, "bullets": 3, "martians": 0, "items": ()}
    near = Board(steps=steps, house=0, martians=frozenset({2}))
    all_of_them = Board(steps=steps, house=0, martians=frozenset({2, *range(6, 30)}))
    one, other = (plan_movement(ground_for(b, me), most_martians(), 4) for b in (near, all_of_them))
    assert one.nodes == other.nodes
    assert one.value == other.value


def test_the_martian_that_wins_before_the_roll_ends_the_game():
    """Nothing after it is looked at: the payoff need not know more Martians than win."""
    board = star(martians=frozenset({0, 1}), goal=3)
    me = {"at": 0, "lives": 2, "bullets": 0, "martians": 2, "items": ()}

    def worth(end):
        assert end.martians < 3 or end.ending == "martians"
        return int(end.ending == "martians")

    payoff = Payoff("win", "probability", worth, frozenset({"martians", "win"}))
    assert plan_movement(ground_for(board, me), payoff).value == pytest.approx(3 / 4)
