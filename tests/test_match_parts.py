"""Small parts of the match layer: positions, first guesses, totals alone, texts of results."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest
from goal_games import Walk
from small_games import CHASE, TWO_STAGES, Lottery, StagedLottery
from turns import turn_of

import solver
from solver.errors import GameError, PositionError, UsageError
from solver.games.protocol import ScoreRace
from solver.games.readings import End, Tie
from solver.match.boundary import nobody_left, points_in_steps
from solver.match.cells import guess_terms
from solver.match.check_scores import checked_scores
from solver.match.death_round import solve_death_round
from solver.match.goal import solve_alone, solve_goal_race
from solver.match.last_turns import solve_last_turns
from solver.match.rounds import rounds_until_over
from solver.match.sheet import solve_sheet
from solver.match.solo import limited_rounds, solve_beat, total_distribution
from solver.match.solve import solve_match
from solver.turn.roots import root_solver
from solver.turn.solve import solve_turn


def allowed(race, most, scores, seat):
    """Return whether a match can stand so: nobody who is still to play has the target."""
    for i, score in enumerate(scores):
        if score < 0 or score % race.step:
            return False
        last_before_the_round = max(s for s in range(race.target) if s % race.step == 0)
        played = i < seat - 1
        can_have = last_before_the_round + (most if played and race.end is End.ROUND else 0)
        if score > can_have:
            return False
    return True


@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize(("target", "step", "most"), [(4, 1, 3), (4, 2, 4)])
@pytest.mark.parametrize("seats", [2, 3])
def test_positions_of_a_race_are_those_that_a_match_can_come_to(seats, target, step, most, end):
    race = ScoreRace(target, end, Tie.SHARED, step=step)
    for scores in itertools.product(range(-1, target + most + 1), repeat=seats):
        for seat in range(1, seats + 1):
            if allowed(race, most, scores, seat):
                found = checked_scores(race, seats, most, scores, seat)
                assert found.tolist() == [[score // step for score in scores]]
                assert found.dtype == np.int64
            else:
                with pytest.raises(PositionError):
                    checked_scores(race, seats, most, scores, seat)
    for seat in (0, seats + 1):
        with pytest.raises(PositionError, match="no such seat"):
            checked_scores(race, seats, most, (0,) * seats, seat)
    for scores in ((0,) * (seats - 1), (0,) * (seats + 1)):
        with pytest.raises(PositionError, match=f"lists {len(scores)} scores"):
            checked_scores(race, seats, most, scores, 1)


def test_points_are_counted_in_steps_or_refused():
    race = ScoreRace(1000, step=50)
    points = np.array([0, 50, 1250])
    assert points_in_steps(race, points, "dice").tolist() == [0, 1, 25]
    assert points_in_steps(ScoreRace(1000), points, "dice") is points
    with pytest.raises(GameError, match="can bring 75 points, no multiple of 50"):
        points_in_steps(race, np.array([0, 50, 75, 20]), "dice")


def test_leaders_share_alike_when_nobody_is_left():
    found = nobody_left(3)
    assert {key: value.tolist() for key, value in found.items()} == {
        (0, 1): [1.0, 0.0],
        (0, 2): [0.5, 1.0],
        (0, 3): [1 / 3, 1.0],
    }


def test_first_values_go_on_where_there_is_room():
    """Quadratic values are met exactly; one step of room is too little for three."""
    cells = np.array([[0, 0], [4, 1], [5, 3], [5, 5], [2, 6], [6, 6], [3, 3], [5, 6]])
    found = guess_terms(cells, 7)
    (cubic, terms), (constant, ((weight, near),)) = found
    assert cubic.tolist() == [0, 1, 2, 4, 6]
    assert [w for w, _ in terms] == [3.0, -3.0, 1.0]
    steps = [(1, 1), (0, 1), (0, 1), (1, 0), (1, 1)]
    for i, (_, scores) in enumerate(terms, 1):
        moved = [[a + i * s for a, s in zip(cells[row], step, strict=True)]
                 for row, step in zip(cubic, steps, strict=True)]  # fmt: skip
        assert scores.tolist() == moved

    def quadratic(scores):
        a, b = scores.T
        return 2.0 + a - 3.0 * b + a * b - 0.5 * a**2 + b**2

    assert sum(w * quadratic(s) for w, s in terms) == pytest.approx(quadratic(cells[cubic]))
    assert constant.tolist() == [3, 7]
    assert weight == 1.0
    assert near.tolist() == [[6, 6], [6, 6]]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_last_turns_are_those_of_every_lottery_tried(seats):
    """Plain recursion over who is left, with the scores themselves in place of deficits."""
    game = Lottery((((0, 1), (2, 1)), ((1, 2), (2, 1)), ((0, 1), (1, 3))), 1)
    graph = turn_of(game)
    found = solve_last_turns(seats, graph.points, root_solver(graph, compiled=False))

    def value(scores, seat):
        if seat == seats:
            best = max(scores)
            return [(s == best) / scores.count(best) for s in scores]
        options = []
        for lottery in game.lotteries:
            total = sum(w for _, w in lottery)
            after = [
                np.array(value((*scores[:seat], scores[seat] + p, *scores[seat + 1 :]), seat + 1))
                * w / total
                for p, w in lottery
            ]  # fmt: skip
            options.append((sum(after), sum(p * w / total for p, w in lottery)))
        top = max(chances[seat] for chances, _ in options)
        near = [option for option in options if option[0][seat] >= top - 1e-13]
        return max(near, key=lambda option: option[1])[0]

    for left in range(1, min(seats, 3)):
        seat = seats - left
        for holders in range(1, seat + 1):
            table = found[left, holders]
            for behind in itertools.product((1, 2, 3), repeat=left):
                scores = (10,) * holders + (0,) * (seat - holders) + tuple(10 - b for b in behind)
                right = value(scores, seat)
                here = table[tuple(b - 1 for b in behind)]
                assert here[0] == pytest.approx(right[0], abs=1e-14)
                assert here[1 : 1 + left] == pytest.approx(right[seat:], abs=1e-14)


def test_two_players_who_tie_for_ever_are_not_asked_to():
    """Three tied players with one lottery each: shares are thirds, and sum to one."""
    game = StagedLottery((((((0, 0), 1), ((1, 0), 1)),),))
    shares = solve_death_round(turn_of(game), 1, 3).shares
    assert shares[0,].tolist() == [1.0]
    assert shares[0, 0] == pytest.approx([1 / 2] * 2, abs=1e-15)
    assert shares[0, 0, 0] == pytest.approx([1 / 3] * 3, abs=1e-15)


@pytest.mark.parametrize(("least", "nothing", "target"), [(1, 0.0, 3), (2, 0.5, 9), (1, 0.9, 2)])
def test_rounds_until_over_are_the_fewest_of_hoeffding_s_bound(least, nothing, target):
    """exp(-2 R (1 - z - k / R)^2) <= exp(-42) < 1e-18, k turns that score being enough."""
    match = StagedLottery(TWO_STAGES, None, target).rounds_match
    found = rounds_until_over(match, least, nothing)
    needed = -(-target // least)

    def exponent(rounds):
        return 2 * rounds * max(0.0, 1 - nothing - needed / rounds) ** 2

    assert exponent(found) >= 42
    assert all(exponent(rounds) < 42 for rounds in range(needed + 1, found))


# --- alone


@pytest.mark.parametrize("above", [0, 1, 2, 3, 4, 5, 6])
def test_the_chance_to_beat_a_total_is_that_of_recursion(above):
    game = StagedLottery(TWO_STAGES, rounds=3)
    found = solve_beat(game, turn_of(game), above)

    def value(number, score, stage):
        if number == 3:
            return Fraction(score > above)
        options = []
        for lottery in game.stages[stage]:
            total = sum(w for _, w in lottery)
            options.append(
                sum(Fraction(w, total) * value(number + 1, score + p, s) for (p, s), w in lottery)
            )
        return max(options)

    assert len(found.ahead) == 4
    for number in range(4):
        for score in range(above + 3):
            row = found.ahead[number][min(score, above + 1)]
            assert row == [value(number, score, stage) for stage in (0, 1)]
            if number < 3:
                payoffs = found.payoffs(number, score)
                right = [value(number + 1, score + p, s) for p, s in turn_of(game).outcomes]
                assert payoffs == right


def test_totals_of_turns_for_points_sum_to_one_and_have_their_mean():
    """5/6 of a point at first against 3/4; at the second stage 8/7 against 1."""
    game = StagedLottery(TWO_STAGES, rounds=2)
    found = total_distribution(game, turn_of(game))
    assert sum(found.values()) == 1
    assert list(found) == sorted(found)
    assert found[0] == Fraction(1, 6) ** 2
    assert found[1] == Fraction(1, 6) * Fraction(5, 6) + Fraction(1, 3) * Fraction(1, 6) + Fraction(
        1, 2
    ) * Fraction(3, 7)
    mean = Fraction(5, 6) + Fraction(1, 2) * Fraction(5, 6) + Fraction(1, 2) * Fraction(8, 7)
    assert sum(total * p for total, p in found.items()) == mean
    with pytest.raises(UsageError, match="no limit"):
        limited_rounds(StagedLottery(TWO_STAGES, None, 3))
    with pytest.raises(GameError, match="no match of rounds"):
        limited_rounds(CHASE)


# --- texts


def test_results_are_told_without_their_arrays():
    """A result in a notebook is a few lines, not thousands of numbers."""
    staged = StagedLottery(TWO_STAGES, 1)
    small = solver.game("yahtzee", dice=2, rolls=1, boxes="aces, chance")
    results = [
        solve_turn(CHASE),
        solve_match(CHASE, 2, proof=False),
        solve_match(staged, 2, proof=False),
        solve_alone(Walk(3)),
        solve_goal_race(Walk(3)),
        solve_sheet(small, compiled=False),
    ]
    hidden = {"graph", "nodes", "values", "standings", "chance", "sheet", "_game"}
    for result in results:
        names = {field.name for field in dataclasses.fields(result)} & hidden
        text = repr(result)
        assert len(names) >= 2
        assert len(text) < 1200
        assert not [name for name in names if f"{name}=" in text]
