"""Races to a goal: each proven bound computed a second time, in fractions, on small walks."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from goal_games import Coin, Detour, Walk
from turns import turn_of

from solver.errors import GameError, ProofError, TooLargeError
from solver.games.protocol import Bank, Choose, GoalRace, Roll
from solver.match.goal import proof, solve_alone, solve_goal_race
from solver.match.goal import race as race_module
from solver.match.goal.alone import finished, relative_error, within
from solver.match.goal.kills import endless
from solver.match.goal.proof import prove_pairs
from solver.match.goal.race import solve_pairs
from solver.match.goal.solve import payoffs_ahead
from solver.match.goal.standings import standings_of
from solver.turn.graph import DECISION
from solver.turn.kernel import error_bound
from solver.turn.sweep import Sweep


def parts(rules):
    graph = turn_of(rules)
    return graph, standings_of(graph, rules.goal_race.after)


def steps(rules):
    """Return by standing what a turn can be: a list of {standing or None at the goal: chance}."""
    goal = rules.goal
    found = []
    for a in range(goal):
        if isinstance(rules, Walk):
            half = Fraction(1, 2)
            flip = {max(a - 1, 0): half, (a + 1 if a + 1 < goal else None): half}
            found.append([{a: Fraction(1)}, flip])
        else:
            p = Fraction(rules.tenths, 10)
            step = [{(a + 1 if a + 1 < goal else None): Fraction(1)}] if a % 2 == 0 else []
            found.append([{a: Fraction(1)}, *step, {None: p, 0: 1 - p}])
    return found


GAMES = [Walk(3), Walk(5), Detour(6, 3)]


# --- alone


@pytest.mark.parametrize("rules", GAMES, ids=str)
@pytest.mark.parametrize("off", [0.0, 1e-9, 0.003])
def test_the_share_that_turns_are_off_is_that_of_their_equations(rules, off):
    """|Tv - v| <= d, so that the truth is between v / (1 + d) and v / (1 - d)."""
    graph, standings = parts(rules)
    right = solve_alone(rules).expected_turns
    turns = right + off * np.cos(np.arange(len(right)))
    ahead = {i: Fraction(t) for i, t in enumerate(turns.tolist())} | {None: Fraction(0)}
    miss = max(
        abs(1 + min(sum(p * ahead[s] for s, p in lottery.items()) for lottery in options) - here)
        for here, options in zip((ahead[i] for i in range(len(turns))), steps(rules), strict=True)
    )
    rounding = (max(turns) + 1.0) * (error_bound(graph, tolerance=0.0) + 2.0**-52)
    d = float(miss) + rounding
    found = relative_error(graph, standings, turns)
    digits = 1e-15 * (max(turns) + 1.0)  # one step in floats, in place of fractions
    assert found == pytest.approx(d / (1 - d), rel=1e-9, abs=digits)
    if off:
        share = max(abs(t - r) / t for t, r in zip(turns, right, strict=True))
        assert found > share - 1e-12
    else:  # the closed form of the walk is exact, and only the bound on rounding is left
        whole = np.round(right) if isinstance(rules, Walk) else None
        if whole is not None:
            exact = relative_error(graph, standings, whole)
            rounding = (whole.max() + 1.0) * (error_bound(graph, tolerance=0.0) + 2.0**-52)
            assert exact == pytest.approx(rounding / (1 - rounding), rel=1e-12, abs=0.0)


@pytest.mark.parametrize(("off", "proven"), [(0.0098, True), (0.0102, False), (0.0198, False)])
@pytest.mark.parametrize("sign", [1, -1])
def test_turns_that_miss_by_a_hundredth_are_refused(off, proven, sign):
    """At the start of a walk: one change of it changes its own equation by half of it."""
    graph, standings = parts(Walk(3))
    turns = np.array([12.0, 10.0, 6.0])
    turns[2] += sign * off  # where the other half leads to the goal: it misses by all of it
    if proven:
        assert relative_error(graph, standings, turns) > off
    else:
        with pytest.raises(ProofError, match="miss their equations"):
            relative_error(graph, standings, turns)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_chances_within_so_many_turns_are_those_of_fractions(rules):
    graph, standings = parts(rules)
    alone = solve_alone(rules)
    fewest = {i: Fraction(t) for i, t in enumerate(alone.expected_turns.tolist())} | {None: 0}
    best = [dict.fromkeys(range(rules.goal), Fraction(0)) | {None: Fraction(1)}]
    followed = [best[0]]
    for _ in range(12):
        now: dict = {None: Fraction(1)}
        then: dict = {None: Fraction(1)}
        for a, options in enumerate(steps(rules)):
            now[a] = max(sum(p * best[-1][s] for s, p in lot.items()) for lot in options)
            pick = min(options, key=lambda lot: float(sum(p * fewest[s] for s, p in lot.items())))
            then[a] = sum(p * followed[-1][s] for s, p in pick.items())
        best.append(now)
        followed.append(then)
    found = within(graph, standings, 12)
    assert found.shape == (13, rules.goal)
    for row, right in zip(found, best, strict=True):
        assert row == pytest.approx([float(right[a]) for a in range(rules.goal)], abs=1e-14)
    for share, most in ((1.0, 12), (1.0, 3), (0.5, 12), (0.0, 12)):
        right = [0.0]
        while right[-1] < share and len(right) <= most:
            right.append(float(followed[len(right)][0]))
        shown = finished(graph, standings, alone.expected_turns, share, most)
        assert shown == pytest.approx(right, abs=1e-14)


def test_the_figures_of_the_start_are_told():
    """Twelve turns from the bottom of a walk of three; 99.9 % are done in 88 turns at most."""
    alone = solve_alone(Walk(3))
    assert alone.exactness.error == alone.expected_turns[0] * alone.relative_error
    assert alone.turns(2) == pytest.approx(6.0)
    assert alone.within[-2] < 0.999 <= alone.within[-1]
    assert len(solve_alone(Walk(6)).within) == 101  # far from done, but no more are told


# --- two seats


def ahead_of(rules, chance, policy=None):
    """Return every pair's chance one turn ahead, at best or under a policy, in fractions."""
    size = rules.goal
    exact = [[Fraction(x) for x in row] for row in chance.tolist()]
    found = np.empty((size, size), dtype=object)
    for (a, options), b in itertools.product(enumerate(steps(rules)), range(size)):
        worth = [
            sum(p * (1 if s is None else 1 - exact[b][s]) for s, p in lottery.items())
            for lottery in options
        ]
        found[a, b] = max(worth) if policy is None else worth[policy]
    return found


@pytest.mark.parametrize("goal", [2, 3, 5])
@pytest.mark.parametrize("off", [0.0, 1e-7])
def test_the_bound_of_two_seats_is_the_residual_of_all_turns(goal, off):
    """Whoever flips each time is there in g(g + 1) - a(a + 1) turns, whatever the other does."""
    rules = Walk(goal)
    graph, standings = parts(rules)
    race = solve_goal_race(rules)
    random = np.random.default_rng(goal)
    chance = race.chance + off * (random.random((goal, goal)) - 0.5)
    alone = np.array([float(goal * (goal + 1) - a * (a + 1)) for a in range(goal)])
    proven = prove_pairs(graph, standings, chance, alone)
    exact = np.array([[Fraction(x) for x in row] for row in chance.tolist()])
    misses = [np.abs(ahead_of(rules, chance, play) - exact).max() for play in (None, 1)]
    residual = float(max(misses)) + error_bound(graph, tolerance=0.0) + 2.0**-53
    assert proven.residual == pytest.approx(residual, rel=1e-9, abs=2e-16)
    assert (proven.turns >= alone * (1 + 1e-7)).all()
    assert proven.turns == pytest.approx(alone, rel=2e-6)
    most = float(proven.turns.max())
    assert proven.error == pytest.approx(proven.residual * (2 * most + 1), rel=1e-12, abs=0.0)
    if off:
        assert proven.error >= np.abs(chance - race.chance).max()


def test_a_forged_chance_of_any_pair_is_covered_by_its_bound():
    rules = Walk(3)
    graph, standings = parts(rules)
    race = solve_goal_race(rules)
    alone = solve_alone(rules).expected_turns
    honest = prove_pairs(graph, standings, race.chance, alone)
    assert race.exactness.error == honest.error < 1e-12
    assert race.turns_at_most == honest.turns[0]
    for place, by in itertools.product(np.ndindex(3, 3), (1e-12, -1e-12, 1e-9)):
        forged = race.chance.copy()
        forged[place] += by
        proven = prove_pairs(graph, standings, forged, alone)
        assert 0.5 * abs(by) < proven.residual < 2 * abs(by) + honest.residual
        assert proven.error >= abs(by)


@pytest.mark.parametrize("rules", [Walk(4), Detour(6, 3), Coin()], ids=str)
def test_sweeps_and_policies_are_counted_and_progress_is_told(monkeypatch, rules):
    graph, standings = parts(rules)
    calls = []
    for name in ("improve", "evaluate"):
        whole = getattr(Sweep, name)

        def counted(self, *told, whole=whole, name=name, **more):
            calls.append(name)
            return whole(self, *told, **more)

        monkeypatch.setattr(Sweep, name, counted)
    told = []
    guess = np.full((len(standings),) * 2, 0.5)
    table = solve_pairs(graph, standings, guess, progress=lambda *now: told.append(now))
    assert (guess == 0.5).all()
    assert table.sweeps == len(calls)
    assert table.iterations == len(told)  # every policy tells how near its values are
    assert {total for _, total in told} == {100 * len(standings.stages)}
    done = [now for now, _ in told]
    assert all(0 < now <= told[0][1] for now in done)
    assert done[-1] > 95 * len(standings.stages)
    if isinstance(rules, Walk):
        assert done[0] < 60  # not done yet, and said so


def test_what_a_turn_leads_to_is_told_by_the_other_s_standing():
    rules = Walk(3)
    _, standings = parts(rules)
    chance = np.array([[0.5, 0.4, 0.3], [0.6, 0.5, 0.4], [0.7, 0.6, 0.5]])
    found = dict(zip(turn_of(rules).outcomes, payoffs_ahead(standings, chance, 1), strict=True))
    assert found == pytest.approx({0: 0.4, 1: 0.5, 2: 0.6, 3: 1.0})


def test_what_just_fits_the_memory_is_solved():
    """Fourteen tables of pairs, a byte for each choice twice, and payoffs of all outcomes twice."""
    rules = Walk(5)
    graph = turn_of(rules)
    decisions = int((graph.kind == DECISION).sum())
    outcomes = len(graph.outcomes)
    needed = 150 * 2**20 + 25 * 8 * 14 + 2 * decisions * 5 + outcomes * 5 * 8 * 2
    assert solve_goal_race(rules, max_memory=needed, proof=False).exactness.error is None
    with pytest.raises(TooLargeError, match="25 pairs"):
        solve_goal_race(rules, max_memory=needed - 1)


# --- without end


@dataclass(frozen=True)
class Fights:
    """Standing 1: two points and the end, or once more. Standing 0: that, or down to 1."""

    down: bool = True
    name = "fights"

    @property
    def goal_race(self):
        return GoalRace(self.after)

    @staticmethod
    def after(outcome):
        return None if outcome[1] == 2 else outcome[1]

    def start(self):
        return ("turn", 0)

    def starts(self):
        return {0: ("turn", 0), 1: ("turn", 1)}

    def points(self, outcome):
        return outcome[0]

    def expand(self, state):
        if state[0] == "over":
            return Bank(state[1:])
        if state == ("turn", 0):
            return Choose({"again": ("roll", "a"), "down": ("roll", "b")})
        rolls = {
            "a": [(1, ("over", 1, 0)), (1, ("over", 0, 2))],
            "b": [(1, ("over", 0, 1)), (1, ("over", 3, 2))],
            "c": [(1, ("over", 2, 2)), (3, ("over", 0, 1 if self.down else 0))],
        }
        return Roll(rolls["c" if state == ("turn", 1) else state[1]])


def test_points_without_end_by_hand():
    """v1 = 2/4 + 3/4 v1 = 2; v0 is the more of 1/2 + v0/2 = 1 and v1/2 + 3/2 = 5/2."""
    rules = Fights()
    standings, values = endless(turn_of(rules), rules.after)
    assert dict(zip(standings.names, values, strict=True)) == {0: Fraction(5, 2), 1: 2}


def test_fights_that_come_back_or_never_end_are_refused():
    back = Fights(down=False)
    with pytest.raises(GameError, match="come back by way of others"):
        endless(turn_of(back), back.after)
    walk = Walk(1)
    with pytest.raises(GameError, match="need never end"):
        endless(turn_of(walk), lambda _x: 0)


@cache
def right_chances(rules):
    return solve_goal_race(rules).chance


class TestHurrying:
    """The turns of a seat that plays its best are found from any guess, and checked."""

    RULES = Walk(5)
    ALONE = np.array([30.0, 28.0, 24.0, 18.0, 10.0])

    def proven(self, chance=None, guess=None):
        graph, standings = parts(self.RULES)
        chance = right_chances(self.RULES) if chance is None else chance
        return prove_pairs(graph, standings, chance, self.ALONE if guess is None else guess)

    @pytest.mark.parametrize("scale", [0.0, 0.03, 0.5, 1.0])
    def test_from_any_guess_that_is_too_small_the_same_turns_are_found(self, scale):
        found = self.proven(guess=self.ALONE * scale)
        assert found.turns == pytest.approx(self.ALONE, rel=2e-6)
        assert (found.turns >= self.ALONE).all()

    def test_other_games_too(self):
        """Two coins of the detour's gamble on average, whatever the other seat does."""
        for rules in (Detour(6, 3), Walk(2), Coin()):
            graph, standings = parts(rules)
            chance = solve_goal_race(rules).chance
            found = [
                prove_pairs(graph, standings, chance, np.full(len(standings), guess)).turns
                for guess in (1.0, 50.0)
            ]
            delay = np.append(found[0], 0.0)[standings.after]
            assert (found[0] > 0.999).all()
            assert (found[0] <= found[1]).all()  # a guess that is too large is enough too
            assert delay[standings.after < 0].max() == 0.0

    def test_turns_that_are_too_few_are_refused(self, monkeypatch):
        hurrying = proof._hurrying

        def scaled(*told, by):
            turns, edges = hurrying(*told)
            return turns * by, edges

        monkeypatch.setattr(proof, "_hurrying", lambda *told: scaled(*told, by=1.5))
        assert self.proven().turns == pytest.approx(1.5 * self.ALONE, rel=2e-6)
        for by in (0.999, 0.9, 0.0):
            monkeypatch.setattr(proof, "_hurrying", lambda *told, by=by: scaled(*told, by=by))
            with pytest.raises(ProofError, match="need not end the match"):
                self.proven()

    def test_who_would_rather_wait_for_ever_is_refused(self):
        """As if it were best to stand still wherever one is."""
        waiting = np.full((5, 5), 0.9)
        waiting[:, 0] = 0.0
        with pytest.raises(ProofError, match="need not reach the goal") as refused:
            self.proven(chance=waiting)
        assert "--no-proof" in str(refused.value)

    @pytest.mark.parametrize("chunk", [1, 2, 3, 5])
    def test_every_pair_is_looked_at_however_they_are_cut(self, monkeypatch, chunk):
        monkeypatch.setattr(proof, "_CHUNK", chunk)
        honest = self.proven().residual
        for place in np.ndindex(5, 5):
            forged = right_chances(self.RULES).copy()
            forged[place] -= 1e-9
            assert self.proven(chance=forged).residual > 4e-10 > honest

    def test_what_the_policy_itself_brings_is_compared_too(self, monkeypatch):
        """Another value of it at one standing alone is seen, though the best one is right."""
        _, standings = parts(self.RULES)
        whole = proof.evaluate_batch

        def less(*told):
            found = whole(*told)
            found[standings.roots[2]] -= 1e-6
            return found

        monkeypatch.setattr(proof, "evaluate_batch", less)
        assert self.proven().residual == pytest.approx(1e-6, abs=1e-12)

    def test_a_search_without_an_end_says_so(self, monkeypatch):
        monkeypatch.setattr(proof, "_MOST_ITERATIONS", 1)
        with pytest.raises(ProofError, match="number of turns"):
            self.proven(guess=np.ones(5))
        monkeypatch.setattr(race_module, "_MOST_ITERATIONS", 1)
        graph, standings = parts(self.RULES)
        with pytest.raises(ProofError, match="did not come to an end"):
            solve_pairs(graph, standings, np.full((5, 5), 0.5))
