"""Races to a goal between policies: against closed forms, plain recursion, and each other's way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from solver.errors import GameError, PositionError, ProofError, TooLargeError, UsageError
from solver.games.check import walk
from solver.games.martians import Hunt
from solver.games.protocol import Bank, Choose
from solver.games.registry import game
from solver.match.goal import solve_goal_race
from solver.policies import FunctionPolicy, Standing, named_policy, policy_names, read_policy
from solver.policies.arena import Arena, run_tournament
from solver.policies.arena.goal.alone import evaluate_alone
from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.equations.linked import race_of_turns
from solver.policies.arena.goal.equations.many import race_of_many
from solver.policies.arena.goal.equations.pairs import race_of_clocks
from solver.policies.arena.goal.turns import seat as seat_turns
from solver.referee import martians as referee
from solver.turn.compile import compile_turn
from tests.goal_games import Coin, Detour, Stuck, Walk

FIRST = Hunt(goal=1)
LOOKS = "forfeit if their-lives > 2 and their-bullets < 3; spend; fight"
LEADS = "fight if lead < 2; spend if bullets > short"


def detour(position):
    """Half a step, half a gamble at the start; at 1 it stops for ever."""
    if "step" in position.actions:
        return {"step": Fraction(1, 2), "gamble": Fraction(1, 2)}
    return "stand"


# --- closed forms


def test_a_coin_is_won_by_the_first_two_times_of_three():
    arena = Arena(Coin(), graph=compile_turn(Coin()))
    match = arena.play([arena.read("random")] * 2)
    assert match.win_probability == pytest.approx((2 / 3, 1 / 3), abs=1e-14)
    assert match.expected_rounds == pytest.approx(4 / 3, abs=1e-13)
    assert match.neither == 0.0


def test_who_stands_still_never_wins_and_two_of_them_never_end():
    arena = Arena(Walk(3))
    stand, flip = (read_policy(Walk(3), text) for text in ("stand", "flip"))
    match = arena.play([stand, flip])
    assert match.win_probability == pytest.approx((0.0, 1.0), abs=1e-13)
    assert match.expected_rounds == pytest.approx(3 * 4, abs=1e-11)  # g(g + 1) turns
    nobody = arena.play([stand, stand])
    assert (nobody.win_probability, nobody.neither) == ((0.0, 0.0), 1.0)
    solved = solve_goal_race(Walk(3))
    both = arena.play([flip, flip])
    for a, b in product(range(3), repeat=2):
        assert both.chances_from((a, b), 1)[0] == pytest.approx(solved.win(a, b), abs=1e-12)
        assert both.chances_from((a, b), 2)[1] == pytest.approx(solved.win(b, a), abs=1e-12)


def test_a_policy_that_can_stop_for_ever_leaves_a_chance_that_nobody_wins():
    """From 0: 1/2 stuck at 1, 3/20 the goal, 7/20 again; so it is reached with chance 3/13."""
    rules = Detour(4, 3)
    half = FunctionPolicy(rules, detour, "half")
    match = Arena(rules).play([half, half])
    assert match.neither == pytest.approx((10 / 13) ** 2, abs=1e-14)
    assert sum(match.win_probability) == pytest.approx(1 - (10 / 13) ** 2, abs=1e-14)
    ring = [(3 / 20) * (7 / 20) ** k for k in range(60)]  # in the turn k + 1
    first = sum(p * (1 - sum(ring[:k])) for k, p in enumerate(ring))
    assert match.win_probability[0] == pytest.approx(first, abs=1e-14)
    alone = evaluate_alone(rules, half)
    assert alone.reaches == pytest.approx(3 / 13, abs=1e-14)
    assert alone.mean == pytest.approx(20 / 13, abs=1e-13)  # geometric with chance 13/20
    assert alone.variance == pytest.approx((7 / 20) / (13 / 20) ** 2, abs=1e-12)
    assert alone.lost == np.inf
    assert alone.as_dict()["lost"] is None


def test_alone_a_coin_thrown_half_of_the_time_takes_twice_as_long():
    """g(g + 1) turns of the walk, each after two on average that are thrown for."""
    run = evaluate_alone(Walk(3), read_policy(Walk(3), "random"))
    assert run.mean == pytest.approx(2 * 12, abs=1e-11)
    assert abs(run.mean - 24) <= run.error
    assert run.best == pytest.approx(12, abs=1e-11)
    assert run.lost == pytest.approx(12, abs=1e-10)
    assert run.reaches == 1.0
    assert (np.diff(run.within) >= 0).all()
    assert run.within[:4] == pytest.approx([0, 0, 0, 1 / 64], abs=1e-15)


# --- plain recursion over the rules, the seats apart


def plain(rules, ways, sweeps):
    """Chance of seat 1 and of seat 2, by (standing, standing, seat on turn), from nothing up.

    A way is a policy, or None for the play that wins most often.
    """
    after = rules.goal_race.after
    starts = rules.starts()
    names = list(starts)
    order = list(walk(rules))  # children before parents
    value = {(a, b, m): (0.0, 0.0) for a in names for b in names for m in (0, 1)}
    told = {}  # (seat, other, state) -> action

    def pair(a, b, seat):
        return (a, b, 1 - seat) if seat == 0 else (b, a, 1 - seat)

    def turns(seat, other):
        """What each state is worth to both seats, `seat` being on turn."""
        way = ways[seat]
        theirs = tuple(zip(("their-lives", "their-bullets"), other[1:3], strict=True))
        found = {}
        for state, expansion in order:
            if isinstance(expansion, Bank):
                x = after(expansion.outcome)
                here = (1.0 - seat, float(seat)) if x is None else value[pair(x, other, seat)]
            elif isinstance(expansion, Choose):
                options = expansion.options
                if way is None or len(options) == 1:
                    here = max((found[to] for to in options.values()), key=lambda v: v[seat])
                else:
                    key = seat, other, state
                    if key not in told:
                        told[key] = way.choose(state, tuple(options), Standing(theirs=theirs))
                    here = found[options[told[key]]]
            else:
                whole = sum(w for w, _ in expansion.branches)
                parts = [(w / whole, found[to]) for w, to in expansion.branches]
                here = sum(p * v[0] for p, v in parts), sum(p * v[1] for p, v in parts)
            found[state] = here
        return found

    for _ in range(sweeps):
        new = {}
        for seat, other in product((0, 1), names):
            found = turns(seat, other)
            for name, state in starts.items():
                a, b, _ = pair(name, other, seat)
                new[a, b, seat] = found[state]
        value = new
    return value


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("best", LOOKS),
        pytest.param("fight; spend", LOOKS, marks=pytest.mark.slow),
        pytest.param("stop if lives = 1; spend", "best", marks=pytest.mark.slow),
    ],
)
def test_plain_recursion_comes_to_the_same_chances(one, two):
    """From every pair of standings of a race to one Martian, 900 of them, either seat on turn."""
    arena = Arena(FIRST)
    ways = [arena.read(one), arena.read(two)]
    match = arena.play(ways)
    expected = plain(FIRST, ways, 4 if two == LOOKS else 8)
    for a, b in product(match.values.standings.names, repeat=2):
        for seat in (1, 2):
            chances = match.chances_from((a, b), seat)
            assert chances == pytest.approx(expected[a, b, seat - 1], abs=1e-5)


# --- the two ways of solving, and the two of pushing chances


@pytest.fixture(scope="module")
def small():
    return Arena(Hunt(goal=3))


def test_two_clocks_and_one_system_of_pairs_agree(small):
    """Doubling, and a Krylov method on other operators: chances, who ends, and rounds."""
    plays = small.plays(2)
    turns = [plays.given(small.read(text))[0] for text in ("points", "random")]
    stages = plays.standings.stages
    for one, two in product(turns, repeat=2):
        fast = race_of_clocks(Clock.of(one), Clock.of(two), stages)
        slow = race_of_turns(one, two, stages)
        for name in ("first", "second"):
            gap = np.abs(getattr(fast, name) - getattr(slow, name)).max()
            assert gap < 1e-12
            assert gap <= fast.error + slow.error
        for a, b in zip(fast.ends, slow.ends, strict=True):
            assert np.abs(a - b).max() < 1e-12
        assert np.abs(fast.rounds - slow.rounds).max() < 1e-10


def test_three_clocks_of_which_one_never_rings_are_two(small):
    plays = small.plays(2)
    clocks = [plays.given(small.read(text))[1] for text in ("turns", "greedy", "stop; spend")]
    two = small.play([small.read("turns"), small.read("greedy")])
    three = race_of_many(clocks, [0, 0, 0])
    assert three.wins[:2] == pytest.approx(two.win_probability, abs=1e-13)
    assert three.wins[2] == 0.0
    assert three.rounds == pytest.approx(two.expected_rounds, abs=1e-12)


def test_without_numba_the_turns_are_the_same(small, monkeypatch):
    policy = small.read(LEADS)
    plays = small.plays(2)
    fast = seat_turns.given_turns(policy, plays.graph, plays.standings)
    monkeypatch.setattr(seat_turns, "find_spec", lambda _: None)
    plain_ = seat_turns.given_turns(policy, plays.graph, plays.standings)
    assert (fast.view == plain_.view).all()
    assert len(fast.matrices) > 1
    for one, two in zip(fast.matrices, plain_.matrices, strict=True):
        assert abs(one - two).max() < 1e-14
    assert np.abs(fast.goals - plain_.goals).max() < 1e-14
    undecided = small.read("fight")
    with pytest.raises(PositionError, match="the rules say nothing"):
        seat_turns.given_turns(undecided, plays.graph, plays.standings)
    monkeypatch.undo()
    with pytest.raises(PositionError, match="the rules say nothing"):
        seat_turns.given_turns(undecided, plays.graph, plays.standings)


def test_turns_sum_to_one_and_are_those_of_the_exact_evaluation(small):
    from solver.policies.evaluate import evaluate_turn

    plays = small.plays(2)
    for text in ("random", "spend if bullets > 2; forfeit; stop if moves < 3"):
        policy = small.read(text)
        turns, _ = plays.given(policy)
        assert np.asarray(turns.matrices[0].sum(axis=1)).ravel() + turns.goals[:, 0] == (
            pytest.approx(1.0, abs=1e-14)
        )
        for name in ((0, 3, 3, 0), (2, 1, 4, 0)):
            exact = evaluate_turn(plays.game, policy, beginning=name, graph=plays.graph)
            at = plays.standings.number(name)
            goal = exact.distribution.get((3, 0, 0, 0, "goal"), Fraction(0))
            assert turns.goals[at, 0] == pytest.approx(float(goal), abs=1e-15)


# --- best play and best responses


def test_the_optimum_against_itself_is_the_solved_race(small):
    solved = solve_goal_race(Hunt(goal=3))
    match = small.play([small.read("optimal")] * 2)
    assert np.abs(match.values.values.first - solved.chance).max() < 1e-12
    assert np.abs(match.values.values.second - (1.0 - solved.chance.T)).max() < 1e-12
    assert match.exactness.error < 1e-11


@pytest.mark.slow
def test_the_optimum_of_the_race_to_ten_is_the_published_one():
    arena = Arena(game("martians", goal=10))
    match = arena.play([arena.read("optimal")] * 2)
    assert match.win_probability[0] == pytest.approx(0.597798277968196, abs=1e-13)
    for seats in ([None, arena.read("optimal")], [arena.read("optimal"), None]):
        assert abs(arena.play(seats).gain) < 1e-10


def test_a_best_response_gains_nothing_on_the_optimum_and_never_loses_to_it(small):
    optimal = small.read("optimal")
    for seats in ([None, optimal], [optimal, None]):
        assert abs(small.play(seats).gain) < 1e-10
    for text in (LEADS,):
        policy = small.read(text)
        for seats in ([None, policy], [policy, None]):
            match = small.play(seats)
            assert match.gain > -1e-12
            assert match.neither < 1e-10  # who wins most often does not stop for ever


def test_a_best_response_goes_on_against_one_that_has_stopped():
    """To stop as well would tie in the equations, and never win in the match."""
    arena = Arena(Walk(4))
    for seats in ([None, arena.read("stand")], [arena.read("stand"), None]):
        match = arena.play(seats)
        assert max(match.win_probability) == pytest.approx(1.0, abs=1e-12)
        assert match.expected_rounds == pytest.approx(20, abs=1e-9)


@pytest.mark.slow
def test_a_best_response_is_patient_with_one_that_stops_when_it_leads():
    """It wins 2.7 % more than the optimum, which hurries; nobody is left waiting for ever."""
    arena = Arena(game("martians", goal=6))
    match = arena.play([None, arena.read("stop if lead >= 1; fight; spend")])
    assert match.gain > 0.01
    assert match.neither == 0.0
    assert sum(match.win_probability) == pytest.approx(1.0, abs=1e-12)


def test_the_policy_turns_is_best_alone_and_only_for_races_to_a_goal():
    run = evaluate_alone(Hunt(goal=3), named_policy(Hunt(goal=3), "turns"))
    assert abs(run.lost) < 1e-12
    assert "turns" in policy_names(Hunt(goal=3))
    assert "capped" not in policy_names(Hunt(goal=3))
    assert "turns" not in policy_names(game("pig"))
    for name, rules in (("turns", game("pig")), ("capped", Hunt(goal=3))):
        with pytest.raises(UsageError, match="is not for"):
            named_policy(rules, name)


def test_a_tournament_adds_up_with_what_nobody_wins(small):
    found = run_tournament(small, ["optimal", "points", "greedy"])
    whole = found.first_wins + found.second_wins.T + found.nobody
    assert whole == pytest.approx(np.ones((3, 3)), abs=1e-12)
    assert found.nobody[0].max() < 1e-12  # the optimum always reaches the goal
    assert found.nobody[1, 2] > 0.01


# --- what is refused


def test_what_cannot_be_evaluated_is_refused_with_what_to_do(small, monkeypatch):
    one, looks = small.read("points"), small.read(LEADS)
    for policies in ([one, one, None], [one, looks, one], [one, one, small.read("optimal")]):
        with pytest.raises(UsageError, match="looks at the other seat"):
            small.play(policies)
    with pytest.raises(UsageError, match="alone there is none"):
        evaluate_alone(Hunt(goal=3), looks)
    match = small.play([one, one])
    with pytest.raises(PositionError, match="no turn of martians begins"):
        match.chances_from(((9, 9, 9, 9), (0, 3, 3, 0)), 1)
    with pytest.raises(UsageError, match="two seats"):
        match.chances_from(((0, 3, 3, 0),), 1)
    pig = Arena(game("pig", target=5))
    with pytest.raises(UsageError, match="standings are told"):
        pig.play([pig.read("points")] * 2).chances_from((0, 0), 1)
    monkeypatch.setattr(seat_turns, "MOST_TURNS", 100)
    with pytest.raises(TooLargeError, match="pairs of standings apart"):
        Arena(Hunt(goal=3)).play([looks, one])


def test_a_goal_that_is_hardly_ever_reached_is_no_wrong_number():
    """A chance of 10^-15 a turn: too slow for a bound, and said so."""
    clock = Clock(_one(1.0 - 1e-15), np.array([1e-15]), 1e-14)
    with pytest.raises(ProofError, match="so far away"):
        race_of_clocks(clock, clock, (np.array([0]),))


def _one(chance):
    from scipy import sparse

    return sparse.csr_matrix([[chance]])


def test_a_game_that_leads_nowhere_has_no_winner():
    with pytest.raises(GameError, match="no turn scores"):
        Arena(Stuck(), graph=compile_turn(Stuck()))
    clock = Clock(_one(1.0), np.array([0.0]), 0.0)
    found = race_of_clocks(clock, clock, (np.array([0]),))
    assert (found.first[0, 0], found.ends[0][0, 0]) == (0.0, 0.0)


# --- the referee's dice


@pytest.mark.slow
def test_matches_played_with_real_dice_come_out_as_computed():
    """20,000 matches of a careful player against one who throws a coin at every choice."""
    rules = game("martians", goal=5)
    text = "stop if lives = 1 and martians > 0; fight; forfeit if lives > 1 and roll = 1; spend"
    arena = Arena(rules)
    match = arena.play([arena.read(text), arena.read("random")])
    rng = np.random.default_rng(5)

    def pay(standing, _ahead, lost, legal):
        give = "forfeit" in legal and standing.lives > 1 and lost.short == 3
        return "forfeit" if give or "spend" not in legal else "spend"

    careful = referee.Player(pay, lambda s, _: not (s.lives == 1 and s.martians > 0))
    thrower = referee.Player(
        lambda _s, _a, _l, legal: legal[rng.integers(len(legal))],
        lambda _s, _a: bool(rng.integers(2)),
    )
    die = referee.die_of(rng)
    wins = turns = 0
    count = 20_000
    for _ in range(count):
        race = referee.play_race([lambda *_: careful, lambda *_: thrower], die, goal=5)
        wins += race.winner == 0
        turns += race.turns
    chance = match.win_probability[0]
    assert abs(wins / count - chance) < 4 * (chance * (1 - chance) / count) ** 0.5
    assert match.neither < 1e-12
    assert turns / count == pytest.approx(match.expected_rounds, rel=0.03)
