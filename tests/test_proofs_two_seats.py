"""The integer proofs of two-seat races: each inequality and bound is computed a second time.

Right values satisfy every inequality, so a proof that checks only half of them passes too. Here
tables of arbitrary numbers, and right ones with one number moved by as little as matters, tell
the two apart.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import numpy as np
import pytest
from small_games import CHASE, Lottery
from turns import turn_of

import solver
from solver.errors import ProofError
from solver.games.protocol import ScoreRace
from solver.games.readings import End, Tie
from solver.match.boundary import RaceValues, nobody_left
from solver.match.certify import BITS, ONE, _TwoSeats, certify_two_seats, fixed_point_turn
from solver.match.race import solve_race
from solver.match.tiebreak import prove_tiebreak, solve_tiebreak
from solver.turn.graph import CHANCE, DECISION
from solver.turn.roots import root_solver

MARTIANS = solver.game("martian-dice", dice=3, target=4)
WIDE = Lottery((((0, 2**40), (1, 2**40 + 1), (2, 3)), ((0, 1), (1, 2**36))), target=3)
WIDER = Lottery((((0, 2**70), (1, 2**70 + 9), (2, 3)), ((0, 1), (1, 2**65))), target=3)
NEVER_IDLE = Lottery((((1, 1), (2, 1)), ((1, 2), (3, 1))), target=3)
IDLE = Lottery((((0, 1),), ((0, 1), (1, 1))), target=2)


def arbitrary(graph, target, end, seed=0):
    random = np.random.default_rng(seed)
    reach = int(graph.points.max()) + 1
    last = nobody_left(2)
    if end is End.ROUND:
        last[1, 1] = random.random((reach, 3))
    race = ScoreRace(target, end, Tie.SHARED)
    return RaceValues(race, 2, graph.points, random.random((2, target, target, 4)), last)


def states_of(values):
    """Return every boundary state as (seat on turn, scores), in the order of the proof."""
    target = values.race.target
    last = []
    if values.race.end is End.ROUND:  # the first seat is ahead by 1, 2, ... reach
        for ahead in range(1, values.reach + 1):
            best = max(target, ahead)
            last.append((1, best, best - ahead if ahead <= target else 0))
    return last + list(np.ndindex(2, target, target))


@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize("game", [CHASE, MARTIANS])
@pytest.mark.parametrize("target", [1, 3, 6])
def test_every_outcome_leads_where_the_race_says(game, end, target):
    graph = turn_of(game)
    values = arbitrary(graph, target, end)
    race = _TwoSeats(graph, values, graph.root)
    states = states_of(values)
    assert len(race.next) == len(race.known) == len(race.first) == len(states)
    assert race.second_moves.tolist() == [seat == 1 for seat, *_ in states]
    assert race.begins == [graph.root]
    assert (race.begin == graph.root).all()
    worth = np.where(race.next >= 0, race.first[race.next], race.known) / ONE
    for (seat, *scores), found in zip(states, worth, strict=True):
        right = values.after(np.array([scores]), seat)[0, :, 0]
        assert found.tolist() == right.tolist(), (seat, scores)


def test_a_race_with_an_opening_score_begins_the_turns_of_a_seat_without_points_elsewhere():
    graph = replace(turn_of(MARTIANS), roots={"on": turn_of(MARTIANS).root, "opening": 40})
    values = arbitrary(graph, 3, End.ROUND)
    race = replace(values.race, unopened="opening")
    proof = _TwoSeats(graph, replace(values, race=race), graph.root)
    right = [
        40 if max(scores) < 3 and scores[seat] == 0 else graph.root
        for seat, *scores in states_of(values)
    ]
    assert proof.begin.tolist() == right
    assert proof.begins == sorted({40, graph.root})


def exactly(graph, payoffs, *, minimise, up):
    """Return every node's value in integers: each chance rounded up or down, nothing else."""
    value = [*payoffs]
    for node in range(len(payoffs), graph.nodes):
        below = [value[c] for c in graph.children(node).tolist()]
        if graph.kind[node] == DECISION:
            value.append((min if minimise else max)(below))
        else:
            assert graph.kind[node] == CHANCE
            low, high = int(graph.first[node]), int(graph.first[node + 1])
            weights = [int(w) for w in graph.weight[low:high]]
            average = Fraction(sum(map(int.__mul__, weights, below)), int(graph.total[node]))
            value.append((ceil if up else floor)(average))
    return value


@pytest.mark.parametrize("minimise", [False, True])
@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize("game", [CHASE, MARTIANS, WIDE, WIDER])
def test_fixed_point_turns_are_rounded_once_a_chance_and_one_way(game, up, minimise):
    """Also where weights need more than 34 or 63 binary digits."""
    graph = turn_of(game)
    payoffs = np.random.default_rng(3).integers(0, ONE, (len(graph.points), 4), endpoint=True)
    payoffs[:, 1], payoffs[:, 2], payoffs[0, 3] = ONE, 0, ONE
    found = fixed_point_turn(graph, payoffs, minimise=minimise, up=up)
    for column, payoff in enumerate(payoffs.T.tolist()):
        assert found[:, column].tolist() == exactly(graph, payoff, minimise=minimise, up=up)


class TestInequalities:
    @pytest.fixture(params=[End.ROUND, End.IMMEDIATE])
    def proof(self, request):
        graph = turn_of(MARTIANS)
        target = 9  # 81 cells a seat: more than one chunk of the first seat's and of the second's
        race = ScoreRace(target, request.param, Tie.SHARED)
        values = solve_race(race, 2, graph.points, root_solver(graph)).values
        return _TwoSeats(graph, values, graph.root)

    def ahead(self, proof, values, up):
        """Return every state's value one turn ahead."""
        payoffs = np.where(proof.next >= 0, values[proof.next], proof.known).T
        first, second = (
            fixed_point_turn(proof.graph, payoffs, minimise=minimise, up=up)[proof.root]
            for minimise in (False, True)
        )
        return np.where(proof.second_moves, second, first)

    @pytest.mark.parametrize("up", [False, True])
    def test_each_state_is_compared_and_a_last_digit_too_far_is_seen(self, monkeypatch, proof, up):
        monkeypatch.setattr("solver.match.certify._CHUNK", 37)
        for margin in (1e-15, 2e-15, 4e-15, 8e-15, 16e-15):
            bound = proof.shifted(proof.spread(margin) * (1 if up else -1))
            ahead = self.ahead(proof, bound, up)
            assert proof.holds(bound, up=up) == ((ahead <= bound) if up else (ahead >= bound)).all()
        assert proof.holds(bound, up=up)
        for state in range(0, len(bound), 11):
            for off, right in ((0, True), (-1, False)):
                moved = bound.copy()
                moved[state] = ahead[state] + (off if up else -off)
                still = self.ahead(proof, moved, up)[state] == ahead[state]  # it may come back
                if still and not right:
                    assert not proof.holds(moved, up=up), state
        exact = bound.copy()
        for _ in range(40):  # T U <= U again and again comes to where U is T U
            exact = self.ahead(proof, exact, up)
            assert proof.holds(exact, up=up)

    @pytest.mark.parametrize("up", [False, True])
    def test_bounds_of_the_tiebreaker_stand_in_for_one_half(self, proof, up):
        proof.tied = ONE // 2 - 1000, ONE // 2 + 1000
        bound = proof.shifted(proof.spread(64e-15) * (1 if up else -1))
        rounded = (proof.known == ONE // 2).any()
        known = proof.known
        proof.known = np.where(known == ONE // 2, proof.tied[up], known)
        ahead = self.ahead(proof, bound, up)
        proof.known = known
        right = ((ahead <= bound) if up else (ahead >= bound)).all()
        assert proof.holds(bound, up=up) == right
        if rounded:  # a thousand digits are too much for this margin in the last turns
            tight = proof.shifted(proof.spread(1e-15) * (1 if up else -1))
            assert not proof.holds(tight, up=up)


def test_margins_and_shifts_by_their_definitions():
    graph = turn_of(CHASE)
    values = arbitrary(graph, 3, End.ROUND, seed=5)
    values.open_play[:, 1] /= 1000.0  # with more than 56 binary digits
    proof = _TwoSeats(graph, values, graph.root)
    spread = proof.spread(3e-15)
    margin = Fraction(3e-15)
    firsts = []
    for i, (seat, *scores) in enumerate(states_of(values)):
        vector = values.at(np.array([scores]), seat)[0]
        rounds = 0.0 if max(scores) >= 3 else vector[2]
        firsts.append(Fraction(vector[0]) * ONE)
        assert proof.rounds[i] == rounds
        turns = 4 + 2 * Fraction(rounds) - seat
        assert abs(Fraction(int(spread[i])) - margin * turns * ONE) < 1 + Fraction(1, 2**30)
        assert spread[i] >= float(margin * turns * ONE) * (1 - 1e-15)
    upper, lower = proof.shifted(spread), proof.shifted(-spread)
    assert upper.tolist() == [
        min(ceil(f) + int(s), ONE) for f, s in zip(firsts, spread, strict=True)
    ]
    assert lower.tolist() == [
        max(floor(f) - int(s), 0) for f, s in zip(firsts, spread, strict=True)
    ]
    huge = np.full(len(spread), ONE)
    assert set(proof.shifted(huge).tolist()) == {ONE}
    assert set(proof.shifted(-huge).tolist()) == {0}


@pytest.mark.parametrize("off", [0.0, 1e-14, -1e-14])
def test_no_value_of_either_seat_is_further_than_the_error_from_anything_between(off):
    graph = turn_of(CHASE)
    values = arbitrary(graph, 3, End.ROUND, seed=5)
    values.open_play[..., 1] = 1.0 - values.open_play[..., 0] + off
    values.last_turns[1, 1][..., 1] = 1.0 - values.last_turns[1, 1][..., 0] + off
    proof = _TwoSeats(graph, values, graph.root)
    vectors = [values.at(np.array([scores]), seat)[0, :2] for seat, *scores in states_of(values)]
    exact = [[Fraction(chance) * ONE for chance in vector] for vector in vectors]
    near = np.array([round(first) for first, _ in exact])
    random = np.random.default_rng(1)
    for widths in ((3, 1000), (1000, 3), (3, 3)):
        low, high = near - 3, near + 3
        pick = random.integers(0, len(near))  # one state stands out
        low[pick], high[pick] = near[pick] - widths[0], near[pick] + widths[1]
        need = max(
            max(abs(first - x), abs(second - (ONE - x)))
            for (first, second), *ends in zip(exact, low.tolist(), high.tolist(), strict=True)
            for x in ends
        )
        assert need <= Fraction(proof.error(high, low)) * ONE < need + 1


def forged(values, place, by):
    table = values.open_play.copy()
    table[place] += by
    return replace(values, open_play=table)


class TestCertificate:
    def test_a_coin_for_one_point(self):
        """Both throw: the first wins 1/2 of ties and ties are 1/2 of all, by symmetry."""
        graph = turn_of(Lottery((((0, 1), (1, 1)),), target=1))
        race = ScoreRace(1, End.ROUND, Tie.SHARED)
        values = solve_race(race, 2, graph.points, root_solver(graph)).values
        proof = certify_two_seats(graph, values, root=graph.root)
        assert proof.states == 2 + 2  # behind by 1 or more, and each seat on turn at nothing
        assert proof.error >= abs(values.open_play[0, 0, 0, 0] - 0.5)
        assert proof.error < 1e-14

    @pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
    @pytest.mark.parametrize(("sign", "component"), [(1, 0), (-1, 0), (1, 1), (-1, 1)])
    def test_an_error_is_within_the_bound_or_refused(self, end, sign, component):
        """From a last digit to a billionth: what is accepted is bounded, and by 1e-12."""
        graph = turn_of(CHASE)
        race = ScoreRace(3, end, Tie.SHARED)
        values = solve_race(race, 2, graph.points, root_solver(graph)).values
        accepted = []
        for by in np.geomspace(1e-15, 3e-12, 30).tolist():
            for place in ((0, 0, 0), (1, 2, 1)):
                wrong = forged(values, (*place, component), sign * by)
                try:
                    proof = certify_two_seats(graph, wrong, root=graph.root)
                except ProofError:
                    continue
                assert by - 1e-15 < proof.error <= 1e-12
                assert proof.error < 100 * by + 1e-13
                accepted.append(proof.error)
        assert max(accepted) > 5e-13  # and hardly anything that could be proven is refused

    @pytest.mark.parametrize("by", [2e-14, -2e-14, 6e-14, -6e-14])
    def test_the_start_s_own_value_is_bounded_from_both_sides(self, by):
        """Nothing leads back to it here, so only one of the two inequalities sees its error."""
        graph = turn_of(NEVER_IDLE)
        race = ScoreRace(3, End.ROUND, Tie.SHARED)
        values = solve_race(race, 2, graph.points, root_solver(graph)).values
        proof = certify_two_seats(graph, forged(values, (0, 0, 0, 0), by), root=graph.root)
        assert abs(by) < proof.error <= 1e-12

    def test_a_turn_that_need_not_score_is_seen_wherever_it_begins(self):
        """The opening may be idle, or what comes after it."""
        graph = turn_of(IDLE)
        safe = next(n for n in range(graph.nodes) if graph.kind[n] == CHANCE)
        for opening, later in ((graph.root, safe), (safe, graph.root)):
            two = replace(graph, roots={"later": later, "opening": opening})
            values = arbitrary(two, 2, End.IMMEDIATE)
            race = replace(values.race, unopened="opening")
            with pytest.raises(ProofError, match="never to score"):
                certify_two_seats(two, replace(values, race=race), root=later)

    @pytest.mark.parametrize("by", [1e-13, 1e-14])
    def test_a_match_that_need_not_end_is_not_proven_however_good_its_values_look(self, by):
        """Whoever stands still at nothing keeps the match going: any value is a fixed point."""
        graph = turn_of(IDLE)
        values = arbitrary(graph, 2, End.IMMEDIATE)
        table = np.full_like(values.open_play, 0.5)
        with pytest.raises(ProofError, match="never to score"):
            certify_two_seats(graph, replace(values, open_play=table + by), root=graph.root)


def tied_chance(lotteries):
    """Return the first seat's chance in a tiebreaker round, by trying all stationary plays."""
    draws = [
        {p: Fraction(w, sum(x for _, x in lottery)) for p, w in lottery} for lottery in lotteries
    ]
    shown = sorted({p for draw in draws for p in draw})

    def chance(mine, answers):
        wins = tie = Fraction(0)
        for points, p in mine.items():
            for others, q in answers[points].items():
                wins += p * q * (points > others)
                tie += p * q * (points == others)
        return wins / (1 - tie)

    replies = [
        dict(zip(shown, reply, strict=True))
        for reply in itertools.product(draws, repeat=len(shown))
    ]
    return max(min(chance(mine, answers) for answers in replies) for mine in draws)


TIED = [
    CHASE.lotteries,
    (((0, 6), (2, 6), (1, 4)), ((0, 5), (2, 4), (1, 6)), ((0, 6), (4, 3))),
    (((0, 1), (3, 2)), ((1, 1), (2, 1))),
    (((0, 1), (1, 1)),),
]


@pytest.mark.parametrize("lotteries", TIED)
class TestTiebreaker:
    def test_the_chances_are_those_of_all_stationary_plays(self, lotteries):
        graph = turn_of(Lottery(lotteries, 4))
        right = tied_chance(lotteries)
        first, second = solve_tiebreak(graph.points, root_solver(graph))
        assert abs(Fraction(first) - right) < Fraction(1, 10**15)
        assert first + second == 1.0

    def test_the_bounds_hold_the_chance_or_what_was_found_is_refused(self, lotteries):
        """Off by up to 0.9e-12 it is proven, with bounds that wide; from 0.95e-12 on it is not."""
        graph = turn_of(Lottery(lotteries, 4))
        right = tied_chance(lotteries)
        for off in (0.0, 1e-16, 1e-15, 3e-14, 2e-13, 0.4e-12):
            for sign in (1, -1):
                found = float(right) + sign * off
                low, high = prove_tiebreak(graph, graph.points, graph.root, found)
                assert low <= right * ONE <= high
                assert high - low <= 2 * max(4 * off, 1e-15) * ONE
        for off in (0.95e-12, 3e-12, 1e-9, 0.25):
            for sign in (1, -1):
                with pytest.raises(ProofError, match="not proven"):
                    prove_tiebreak(graph, graph.points, graph.root, float(right) + sign * off)


def test_who_can_tie_for_ever_gets_no_bound():
    graph = turn_of(Lottery((((1, 1),), ((0, 1), (2, 1))), 4))
    with pytest.raises(ProofError, match="for ever"):
        prove_tiebreak(graph, graph.points, graph.root, 0.5)


def test_the_proof_of_a_race_takes_the_tiebreaker_s_bounds_only_at_the_end_of_a_round():
    graph = turn_of(CHASE)
    tied = solve_tiebreak(graph.points, root_solver(graph))
    for end in (End.ROUND, End.IMMEDIATE):
        values = replace(arbitrary(graph, 3, end), tied=tied)
        found = _TwoSeats(graph, values, graph.root).tied
        if end is End.ROUND:
            assert found == prove_tiebreak(graph, graph.points, graph.root, float(tied[0]))
        else:
            assert found is None
    assert BITS == 56
