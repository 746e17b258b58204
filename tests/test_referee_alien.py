"""The referee of Alien Crew keeps the rules, and sees what the turn solver says."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm, sqrt

import numpy as np
import pytest

from solver.errors import GameError, PositionError, UsageError
from solver.games import game
from solver.referee import alien_crew
from solver.referee.alien_crew import death_round, play_match, play_rolled_turn, play_turn
from solver.turn import compile_turn, solve_turn

STAGES = ("nothing", "battleship", "captain", "trio")


# --- a turn whose dice are known beforehand


class Dice:
    """Dice that fall as written, throw after throw."""

    def __init__(self, *throws):
        self.throws = list(throws)

    def __call__(self, dice):
        shown = self.throws.pop(0)
        assert len(shown) == dice
        return [int(face) for face in shown]


def player(*answers, asked=None):
    """A player who gives these answers in turn: ``".x"`` throws the second die again."""
    script = iter(answers)

    def choose(crew, left):
        if asked is not None:
            asked.append((crew, left))
        return tuple(die == "x" for die in next(script))

    return choose


def never(_crew, _left):
    pytest.fail("there is nothing to choose")


def turn(shown, answers=(), asked=None, **rules):
    dice = Dice(*shown)
    choose = player(*answers, asked=asked) if answers else never
    left = play_rolled_turn(choose, dice, **rules)
    assert not dice.throws
    return left


@pytest.mark.parametrize(
    ("throws", "stage"),
    [
        (["55544", "54321", "11111"], 0),  # no captain and no mate without a battleship
        (["65321", "222", "333"], 2),  # a captain in the throw of its battleship
        (["56321", "222", "333"], 2),  # whichever die of the throw it is
        (["64321", "2222", "3333"], 1),  # no mate before the captain
        (["64321", "4422", "5333"], 2),
        (["66666", "6666", "6666"], 1),  # one battleship, the other sixes are thrown again
        (["66555", "555", "666"], 2),  # and one captain
        (["11111", "11111", "65111"], 2),
    ],
)
def test_nobody_is_asked_before_the_trio_is_complete(throws, stage):
    assert turn(throws) == (0, stage)


@pytest.mark.parametrize(
    ("throws", "points"),
    [
        (["11111", "11111", "65432"], 5),
        (["11111", "61111", "5432"], 5),
        (["61111", "5111", "412"], 3),
        (["64111", "5411"], 2),  # the first four came too early, the second counts
        (["65111", "111", "466"], 12),  # sixes are crew like any other face
        (["11111", "11111", "66554"], 11),  # and so are a second battleship and captain
        (["61111", "1111", "5444"], 8),
        (["65411"], 2),
    ],
)
def test_what_lies_beside_the_trio_is_the_crew(throws, points):
    answers = [".."] if len(throws) < 3 else []
    assert turn(throws, answers) == (points, 3)


@pytest.mark.parametrize(
    ("throws", "answers", "points"),
    [
        (["65421", "34"], ["xx", ".."], 7),
        (["65421", "34", "11"], ["xx", "xx"], 2),  # the last number rolled counts, even if lower
        (["65456", "2"], ["x.", ".."], 8),
        (["65456", "2"], [".x", ".."], 7),
        (["65456", "2", "6"], [".x", "x."], 8),
        (["65456", "2", "1"], [".x", ".x"], 6),
    ],
)
def test_crew_dice_thrown_again_count_as_they_fell_last(throws, answers, points):
    assert turn(throws, answers) == (points, 3)


def test_the_player_sees_the_crew_as_it_lies_and_the_throws_that_are_left():
    asked = []
    assert turn(["36245", "6", "1"], [".x", "x."], asked) == (7, 3)
    assert asked == [((3, 2), 2), ((3, 6), 1)]
    asked.clear()
    assert turn(["36245"], [".."], asked) == (5, 3)
    assert asked == [((3, 2), 2)]


@pytest.mark.parametrize(
    ("stage", "throws", "left"),
    [
        (1, ["6444", "4663", "5421"], (3, 3)),
        (1, ["6444", "4664", "1111"], (0, 1)),
        (1, ["5411", "11"], (2, 3)),
        (2, ["655", "555", "456"], (11, 3)),
        (2, ["655", "555", "666"], (0, 2)),
        (3, ["65", "43"], (7, 3)),
    ],
)
def test_a_turn_begins_with_what_was_kept(stage, throws, left):
    answers = {1: ["xx", ".."], 2: [], 3: ["xx", ".."]}[stage]
    assert turn(throws, answers, stage=stage) == left


@pytest.mark.parametrize(
    ("throws", "points"), [(["66411", "5211", "111"], 0), (["65421"], 3), (["11111"] * 3, 0)]
)
def test_a_turn_that_starts_anew_leaves_no_stage(throws, points):
    answers = [".."] if points else []
    assert turn(throws, answers, keep_trio=False) == (points, 0)


def test_other_numbers_of_dice_and_throws():
    assert turn(["6543"], ["."], dice=4) == (3, 3)
    assert turn(["654321", "55"], ["xx.", "..."], dice=6) == (11, 3)
    assert turn(["65432"], throws=1) == (5, 3)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        "xx",
        (),
        (True,),
        (True, False, False),
        (1, 0),
        (None, False),
        np.array([True, False]),
    ],
)
def test_illegal_answers_are_refused(answer):
    with pytest.raises(GameError, match=r"which dice of the crew \(2, 1\)") as refused:
        play_rolled_turn(lambda _crew, _left: answer, Dice("65421"))
    assert "the sheet on the crew" in refused.value.rule


def test_crew_dice_that_go_together_cannot_be_parted():
    for answer in (".x", "x."):
        with pytest.raises(GameError, match=r"1 of the crew \(2, 1\)"):
            turn(["65421"], [answer], either=False)
    assert turn(["65421", "66"], ["xx", ".."], either=False) == (12, 3)
    assert turn(["65421"], [".."], either=False) == (3, 3)


@pytest.mark.parametrize("shown", [[], [6, 5, 4, 3], [6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 7], [0] * 5])
def test_dice_that_were_not_asked_for_are_refused(shown):
    with pytest.raises(GameError, match="5 dice were to be thrown"):
        play_rolled_turn(never, lambda _dice: shown)


@pytest.mark.parametrize("rules", [{"dice": 3}, {"dice": 0}, {"throws": 0}])
def test_turns_that_cannot_be_are_refused(rules):
    with pytest.raises(UsageError, match="a turn with"):
        play_turn(never, np.random.default_rng(1), **rules)


@pytest.mark.parametrize("rules", [{"stage": 4}, {"stage": -1}, {"stage": 1, "keep_trio": False}])
def test_stages_that_cannot_be_are_refused(rules):
    with pytest.raises(PositionError, match="stage"):
        play_turn(never, np.random.default_rng(1), **rules)


def test_the_same_seed_rolls_the_same_dice():
    first, second = np.random.default_rng(5), np.random.default_rng(5)

    def low(crew, _left):
        return [die < 4 for die in crew]

    turns = [play_turn(low, first) for _ in range(50)]
    assert turns == [play_turn(low, second) for _ in range(50)]
    assert len(set(turns)) > 5


# --- many turns, against the exact distribution


@cache
def solution_of(trio="kept", crew="either", stage=0):
    rules = game("alien-crew", trio=trio, crew=crew)
    return solve_turn(rules, exact=True, beginning=STAGES[stage], graph=compile_turn(rules))


def best_player(trio="kept", crew="either"):
    """The solver's player: asked with the crew as it lies, answers for each die."""
    rules, solution = game("alien-crew", trio=trio, crew=crew), solution_of(trio, crew)
    answers = {}

    def choose(dice, left):
        if (dice, left) not in answers:
            position = rules.read_position(stage="trio", crew=dice, throws=left)
            best = next(o.action for o in solution.compare(position.options) if o.best)
            thrown = Counter(best.split("-")[1:])
            again = []
            for die in map(str, dice):
                again.append(thrown[die] > 0)
                thrown[die] -= again[-1]
            assert not +thrown
            answers[dice, left] = tuple(again)
        return answers[dice, left]

    return choose


def spread(chances):
    """Mean and variance of the points of outcomes."""
    mean = float(sum(p * points for (points, _), p in chances.items()))
    return mean, float(sum(p * points**2 for (points, _), p in chances.items())) - mean**2


def assert_share(seen, trials, chance):
    assert abs(seen / trials - chance) <= 4 * sqrt(chance * (1 - chance) / trials)


def assert_agrees(turns, chances):
    """Mean, bust rate and every frequency lie where chance puts them; seeds are fixed."""
    mean, variance = spread(chances)
    assert abs(sum(points for points, _ in turns) / len(turns) - mean) <= 4 * sqrt(
        variance / len(turns)
    )
    seen = Counter(turns)
    assert set(seen) <= set(chances)
    for outcome, chance in chances.items():
        assert_share(seen[outcome], len(turns), float(chance))
    bust = float(sum(p for (points, _), p in chances.items() if not points))
    assert_share(sum(not points for points, _ in turns), len(turns), bust)


@pytest.mark.parametrize(
    ("stage", "crew", "count"),
    [
        (0, "either", 25_000),
        (1, "either", 10_000),
        (2, "either", 10_000),
        (3, "either", 10_000),
        (0, "both", 10_000),
        (3, "both", 10_000),
        pytest.param(0, "either", 200_000, marks=pytest.mark.slow),
        pytest.param(1, "either", 50_000, marks=pytest.mark.slow),
        pytest.param(2, "either", 50_000, marks=pytest.mark.slow),
        pytest.param(3, "either", 50_000, marks=pytest.mark.slow),
        pytest.param(0, "both", 50_000, marks=pytest.mark.slow),
        pytest.param(3, "both", 50_000, marks=pytest.mark.slow),
    ],
)
def test_best_play_scores_what_the_solver_says(stage, crew, count):
    solution, choose = solution_of("kept", crew, stage), best_player("kept", crew)
    rng = np.random.default_rng(1000 + 10 * stage + len(crew))
    turns = [play_turn(choose, rng, stage=stage, either=crew == "either") for _ in range(count)]
    assert spread(solution.exact_distribution)[0] == pytest.approx(float(solution.exact))
    assert_agrees(turns, solution.exact_distribution)


def test_best_play_scores_what_the_solver_says_when_turns_start_anew():
    choose, rng = best_player("reset"), np.random.default_rng(77)
    turns = [play_turn(choose, rng, keep_trio=False) for _ in range(20_000)]
    assert_agrees(turns, solution_of("reset").exact_distribution)


@pytest.mark.parametrize("face", [1, 3])
def test_throwing_one_face_again_scores_what_counting_says(face):
    """Two throws from the trio, with dice that show the face thrown again once."""
    chances = Counter()
    for dice in product(range(1, 7), repeat=2):
        again = [range(1, 7) if die == face else [die] for die in dice]
        ways = list(product(*again))
        for way in ways:
            chances[sum(way), 3] += Fraction(1, 36 * len(ways))
    rng = np.random.default_rng(face)

    def choose(crew, _left):
        return tuple(die == face for die in crew)

    turns = [play_turn(choose, rng, stage=3, throws=2) for _ in range(20_000)]
    assert_agrees(turns, chances)


# --- ten rounds, against the exact total


def carried(trio, rounds, target=None):
    """Exact chances of (total, stage, rounds played) under best play for points, as weights.

    The turn's distributions are carried from round to round; in whole numbers over one
    denominator, which is returned too.
    """
    stages = range(4) if trio == "kept" else range(1)
    turns = [solution_of(trio, "either", stage).exact_distribution for stage in stages]
    whole = lcm(*(p.denominator for chances in turns for p in chances.values()))
    weights = [[(x, int(p * whole)) for x, p in chances.items()] for chances in turns]
    going, over = Counter({(0, 0): 1}), {}
    for number in range(1, rounds + 1):
        after = Counter()
        for (total, stage), weight in going.items():
            for (points, then), chance in weights[stage]:
                after[total + points, then] += weight * chance
        going = Counter()
        for (total, stage), weight in after.items():
            if number == rounds or (target is not None and total >= target):
                over[total, stage, number] = Fraction(weight, whole**number)
            else:
                going[total, stage] = weight
    assert sum(over.values()) == 1
    return over


def ten_rounds(trio):
    totals = Counter()
    for (total, _, _), chance in carried(trio, 10).items():
        totals[total] += chance
    mean = sum(chance * total for total, chance in totals.items())
    square = sum(chance * total**2 for total, chance in totals.items())
    return totals, float(mean), float(square - mean**2)


def points_seat(choose, **rules):
    """A seat that plays for the most points of the turn."""

    def seat(_number, who, _scores, stages, rng):
        return play_turn(choose, rng, stage=stages[who], **rules)

    return seat


@pytest.mark.parametrize("matches", [2_000, pytest.param(8_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("trio", "about"), [("kept", 86), ("reset", 43)])
def test_ten_rounds_score_what_the_turns_add_up_to(trio, about, matches):
    """Kept trios bring twice as much: only so is a target of 100 within reach."""
    totals, mean, variance = ten_rounds(trio)
    assert round(mean) == about
    seat = points_seat(best_player(trio), keep_trio=trio == "kept")
    rng = np.random.default_rng(about)
    results = [play_match([seat], rng, target=None) for _ in range(matches)]
    assert {(r.rounds, r.leaders, r.winner) for r in results} == {(10, (0,), 0)}
    scores = [r.scores[0] for r in results]
    assert abs(sum(scores) / matches - mean) <= 4 * sqrt(variance / matches)
    most = float(sum(chance for total, chance in totals.items() if total >= 100))
    assert_share(sum(score >= 100 for score in scores), matches, most)
    for bound in range(10, 100, 10):
        below = float(sum(chance for total, chance in totals.items() if total < bound))
        assert_share(sum(score < bound for score in scores), matches, below)


def test_the_means_of_ten_rounds():
    """With a reset all ten turns are the first; else the stages move on by themselves."""
    _, mean, _ = ten_rounds("reset")
    assert mean == pytest.approx(10 * float(solution_of("reset").exact), abs=1e-12)
    at, expected = {0: Fraction(1)}, Fraction(0)
    for _ in range(10):
        expected += sum(p * solution_of("kept", "either", s).exact for s, p in at.items())
        after = Counter()
        for stage, p in at.items():
            for (_, then), q in solution_of("kept", "either", stage).exact_distribution.items():
                after[then] += p * q
        at = after
    assert ten_rounds("kept")[1] == pytest.approx(float(expected), abs=1e-12)


def test_the_round_in_which_the_target_is_reached_is_the_last():
    over = carried("kept", 10, target=60)
    rng, matches = np.random.default_rng(60), 4_000
    seat = points_seat(best_player())
    results = [play_match([seat], rng, target=60) for _ in range(matches)]
    seen = Counter(r.rounds for r in results)
    chances = Counter()
    for (_, _, number), chance in over.items():
        chances[number] += chance
    assert set(seen) <= set(chances) == set(range(5, 11))
    for number, chance in chances.items():
        assert_share(seen[number], matches, float(chance))
    reached = float(sum(chance for (total, _, _), chance in over.items() if total >= 60))
    assert_share(sum(r.scores[0] >= 60 for r in results), matches, reached)
    trios = float(sum(chance for (_, stage, _), chance in over.items() if stage == 3))
    assert_share(sum(r.stages[0] == 3 for r in results), matches, trios)


# --- the end of a match


def scripted(*turns):
    """A seat whose turns leave these points, its stage that of a seat with the trio."""
    script = iter(turns)
    return lambda _number, _seat, _scores, _stages, _rng: (next(script), 3)


def undecided(*_told):
    pytest.fail("nobody is tied")


def match(*turns, **rules):
    seats = [scripted(*points) for points in turns]
    rules = {"death_turns": [undecided] * len(seats)} | rules
    return play_match(seats, np.random.default_rng(1), **rules)


def test_the_round_is_completed_when_somebody_reaches_the_target():
    result = match([60, 40], [60, 52])
    assert (result.scores, result.rounds, result.winner) == ((100, 112), 2, 1)
    assert (result.leaders, result.tied, result.stages) == ((1,), False, (3, 3))
    assert match([100], [0], [101]).winner == 2
    assert match([99, 1], [0, 0]).scores == (100, 0)


def test_ten_rounds_are_the_last_if_nobody_reaches_the_target():
    result = match([9] * 10, [8] * 9 + [12])
    assert (result.scores, result.rounds, result.winner) == ((90, 84), 10, 0)
    assert match([1, 2], [2, 2], rounds=2).winner == 1


def test_rounds_alone_do_not_stop_at_the_target():
    result = match([99] * 10, [98] * 10, target=None)
    assert (result.scores, result.rounds, result.winner) == ((990, 980), 10, 0)


def test_the_target_alone_does_not_stop_after_ten_rounds():
    result = match([4] * 25, [3] * 25, rounds=None)
    assert (result.scores, result.rounds, result.winner) == ((100, 75), 25, 0)


def test_one_seat_alone_wins_without_a_death_round():
    result = match([12] * 9)
    assert (result.scores, result.rounds, result.winner, result.tied) == ((108,), 9, 0, False)


def test_seats_are_told_the_round_and_how_all_stand():
    told = []

    def seat(number, who, scores, stages, rng):
        assert isinstance(rng, np.random.Generator)
        told.append((number, who, scores, stages))
        return 2 + who, min(3, stages[who] + 1 + who)

    result = play_match([seat, seat], np.random.default_rng(1), rounds=2, target=None)
    assert told == [
        (1, 0, (0, 0), (0, 0)),
        (1, 1, (2, 0), (1, 0)),
        (2, 0, (2, 3), (1, 2)),
        (2, 1, (4, 3), (2, 2)),
    ]
    assert (result.scores, result.stages) == ((4, 6), (2, 3))


def test_only_the_leaders_play_the_death_round():
    told = []

    def death(crew):
        def play(best, holders, stages, who, rng):
            assert isinstance(rng, np.random.Generator)
            told.append((best, holders, dict(stages), who))
            return crew, 3

        return play

    turns = [[50, 49], [50, 50], [50, 50], [50, 50]]
    result = match(*turns, target=100, death_turns=[undecided, death(5), death(9), death(7)])
    assert told == [
        (-1, (), {0: 3, 1: 3, 2: 3}, 0),
        (5, (0,), {0: 3, 1: 3, 2: 3}, 1),
        (9, (1,), {0: 3, 1: 3, 2: 3}, 2),
    ]
    assert (result.leaders, result.winner, result.tied) == ((1, 2, 3), 2, True)
    assert (result.scores, result.rounds) == ((99, 100, 100, 100), 2)


def test_a_death_round_is_one_more_round_if_nothing_else_is_said():
    told = []

    def seat(*turns):
        script = iter(turns)

        def play(number, who, scores, stages, _rng):
            told.append((number, who, scores, stages))
            return next(script)

        return play

    seats = [seat((4, 3)), seat((5, 1), (0, 2), (0, 3)), seat((5, 0), (0, 0), (7, 3))]
    result = play_match(seats, np.random.default_rng(1), rounds=1)
    assert told[3:] == [
        (2, 1, (4, 5, 5), (3, 1, 0)),
        (2, 2, (4, 5, 5), (3, 2, 0)),
        (3, 1, (4, 5, 5), (3, 2, 0)),
        (3, 2, (4, 5, 5), (3, 3, 0)),
    ]
    assert (result.winner, result.leaders, result.stages) == (2, (1, 2), (3, 1, 0))


@pytest.mark.parametrize(
    "rules", [{"rounds": None, "target": None}, {"rounds": 0}, {"target": 0}, {"target": -5}]
)
def test_a_match_without_an_end_is_refused(rules):
    with pytest.raises(UsageError, match="a match of 2 seats"):
        match([1], [0], **rules)


def test_a_match_without_seats_or_with_too_few_death_turns_is_refused():
    with pytest.raises(UsageError, match="0 seats"):
        match()
    with pytest.raises(UsageError, match="1 death turns for 2 seats"):
        match([1], [0], death_turns=[undecided])


def test_a_match_that_does_not_end_is_stopped():
    with pytest.raises(GameError, match="has not ended"):
        match([0] * 9, [0] * 9, rounds=None, max_rounds=9)


@pytest.mark.parametrize(
    "left", [None, 7, (7,), [7, 3], (-1, 3), (7, 4), (7, 2), (7.0, 3), (True, 3), (7, None)]
)
def test_turns_that_are_none_are_refused(left):
    """Not a stage below the one before either: what a seat has of the trio stays."""
    seats = [lambda number, *_: (9, 3) if number == 1 else left, scripted(3, 3)]
    with pytest.raises(GameError, match="the turn of seat 0, begun at stage 3"):
        play_match(seats, np.random.default_rng(1))
    with pytest.raises(GameError, match="the turn of player 1, begun at stage 3"):
        fight([3, 3], [[(1, 3)], [left]])


# --- the death round


def fight(stages, turns, told=None, **rules):
    """A death round of players whose turns leave these (points, stage), one after another."""

    def scripted_player(script):
        def play(best, holders, tied, who, _rng):
            if told is not None:
                told.append((best, holders, dict(tied), who))
            return next(script)

        return play

    players = [scripted_player(iter(script)) for script in turns]
    return death_round(stages, players, np.random.default_rng(1), **rules)


def test_the_highest_crew_wins_the_death_round():
    assert fight([3, 3], [[(5, 3)], [(4, 3)]]) == 0
    assert fight([3, 3], [[(4, 3)], [(5, 3)]]) == 1
    assert fight([0, 3, 1], [[(9, 3)], [(8, 3)], [(10, 3)]]) == 2
    assert fight([0, 0], [[(0, 2)], [(2, 3)]]) == 1
    assert fight([2], [[]]) == 0


def test_later_players_of_a_death_round_see_what_is_to_beat():
    told = []
    turns = [[(4, 3)], [(6, 3)], [(0, 2)], [(6, 3)]]
    with pytest.raises(StopIteration):  # both with a six must go again
        fight([0, 1, 2, 3], turns, told)
    assert told[:4] == [
        (-1, (), {0: 0, 1: 1, 2: 2, 3: 3}, 0),
        (4, (0,), {0: 3, 1: 1, 2: 2, 3: 3}, 1),
        (6, (1,), {0: 3, 1: 3, 2: 2, 3: 3}, 2),
        (6, (1,), {0: 3, 1: 3, 2: 2, 3: 3}, 3),
    ]
    assert told[4:] == [(-1, (), {1: 3, 3: 3}, 1)]


def test_those_still_tied_go_again_with_the_stages_they_have_then():
    told = []
    turns = [[(0, 1), (0, 2), (0, 2)], [(0, 0), (0, 2), (3, 3)], [(0, 2), (0, 2), (3, 3), ()]]
    turns[1].append((8, 3))
    turns[2][-1] = (2, 3)
    assert fight([1, 0, 2], turns, told) == 1
    first_of_each = [told[i] for i in (0, 3, 6, 9)]
    assert first_of_each == [
        (-1, (), {0: 1, 1: 0, 2: 2}, 0),
        (-1, (), {0: 1, 1: 0, 2: 2}, 0),
        (-1, (), {0: 2, 1: 2, 2: 2}, 0),
        (-1, (), {1: 3, 2: 3}, 1),
    ]
    assert told[1] == (0, (0,), {0: 1, 1: 0, 2: 2}, 1)
    assert told[2] == (0, (0, 1), {0: 1, 1: 0, 2: 2}, 2)
    assert len(told) == 11


def test_players_cannot_change_the_stages_of_others():
    def meddle(_best, _holders, tied, who, _rng):
        tied[1 - who] = 3
        return 1 - who, tied[who]

    seen = []

    def watch(_best, _holders, tied, who, _rng):
        seen.append(dict(tied))
        return 5, tied[who]

    assert death_round([0, 1], [meddle, watch], np.random.default_rng(1)) == 1
    assert seen == [{0: 0, 1: 1}]


def test_death_rounds_that_cannot_be_are_refused():
    with pytest.raises(UsageError, match="0 players with 0 stages"):
        fight([], [])
    with pytest.raises(UsageError, match="2 players with 1 stages"):
        fight([3], [[(1, 3)], [(2, 3)]])


def test_a_death_round_that_does_not_end_is_stopped():
    with pytest.raises(GameError, match="after 4 death rounds 2 players are still tied"):
        fight([3, 3, 3], [[(5, 3)] * 5, [(5, 3)] * 5, [(0, 3)]], max_rounds=4)


def first_wins(stages):
    """Exact chance of the first of two who play a death round for points, whatever is shown.

    Let them be tied again with the same stages with chance `again`: p = won + again p.
    """
    won = again = Fraction(0)
    turns = [solution_of("kept", "either", stage).exact_distribution for stage in stages]
    for ((a, first), p), ((b, second), q) in product(*(t.items() for t in turns)):
        if a > b:
            won += p * q
        elif a == b and (first, second) == stages:
            again += p * q
        elif a == b:
            won += p * q * first_wins((first, second))
    return won / (1 - again)


@pytest.mark.parametrize("fights", [4_000, pytest.param(15_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("stages", [(0, 0), (0, 3), (1, 2), (3, 0), (3, 3)])
def test_death_rounds_are_won_as_often_as_the_turns_say(stages, fights):
    choose = best_player()
    exact = first_wins(stages)
    assert exact + first_wins(stages[::-1]) == 1
    assert exact == Fraction(1, 2) or stages[0] != stages[1]

    def play(_best, _holders, tied, who, rng):
        return play_turn(choose, rng, stage=tied[who])

    rng = np.random.default_rng([4, *stages])
    won = sum(death_round(stages, [play, play], rng) == 0 for _ in range(fights))
    assert_share(won, fights, float(exact))


# --- independence


def test_the_referee_shares_no_code_with_the_solvers():
    loaded = "import solver.referee.alien_crew, sys; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    names = [name for name in run.stdout.split() if name.startswith("solver.")]
    assert alien_crew.__name__ in names
    shared = ("turn", "match", "tablebase", "advisor", "games.alien_crew", "games.alien_position")
    assert not [name for name in names if name.startswith(tuple(f"solver.{s}" for s in shared))]
