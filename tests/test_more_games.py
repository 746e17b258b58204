"""Games of other people: a file of rules each, figures reproduced, advice from every door."""

from __future__ import annotations

import inspect
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from brute_force_more import FarkleTurn, Zombie, combos, farkle_race, fewest, ways
from http_server import QUIET, ready_client
from test_published import two_dice  # noqa: F401  a fixture: the same game, solved by hand there

import solver
from solver.apps.cli.main import run
from solver.apps.http.settings import Settings
from solver.dice import multinomial
from solver.errors import (
    GameError,
    NotationError,
    PositionError,
    ProofError,
    UnknownNameError,
    UsageError,
)
from solver.games import check_game, game
from solver.games.registry import GAMES, game_class
from solver.match.certify import certify_two_seats
from solver.match.goal.alone import within
from solver.match.goal.solve import solve_alone, solve_goal_race
from solver.match.goal.standings import standings_of
from solver.match.solve import solve_match
from solver.policies import read_policy
from solver.policies.evaluate import evaluate_turn
from solver.tablebase import RECIPES, build_table, open_tables
from solver.tablebase.build import Recipe, recipe_of
from solver.tablebase.verify import verify_table
from solver.turn import compile_turn, evaluate_policy, solve_turn

MORE = [name for name, where in GAMES.items() if where.startswith("solver.games.more.")]
SMALL = {
    "piglet": {},
    "hog": {"target": 12},
    "two-dice-pig": {"target": 20},
    "threes": {"dice": 3},
    "zombie-dice": {"green": 2, "yellow": 2, "red": 1, "most": 3, "target": 2},
    "farkle": {"target": 400},
}
"""Parameters with which a game is solved in no time."""


def test_they_are_all_here():
    assert MORE == ["piglet", "hog", "two-dice-pig", "threes", "zombie-dice", "farkle"]
    assert set(SMALL) == set(MORE)


@pytest.mark.parametrize("name", MORE)
def test_rules_are_a_file_that_nothing_else_knows(name):
    """The module of a game imports rules and dice only, says its source, and is sound."""
    module = inspect.getmodule(game_class(name))
    assert "Source: " in module.__doc__
    homes = {getattr(v, "__module__", "") or "" for v in vars(module).values()}
    own = {home for home in homes if home.startswith("solver.")}
    assert {home.split(".")[1] for home in own} <= {"games", "dice", "errors"}
    assert check_game(game(name, **SMALL[name])).states > 3


# --- fewest points


def test_fewest_points_are_the_best_and_are_told_as_points():
    """A roll of 1 2 6 with three dice: values count points, and a loss is points too many."""
    turn = solve_turn(game("threes", dice=3), "points", exact=True)
    quick = solve_turn(game("threes", dice=3), "points")
    assert turn.exact == fewest(3)
    assert turn.value == turn.mean == pytest.approx(quick.value, abs=1e-12)
    options = turn.options(("keep", 0, 1, 2, 6))
    best = min(options, key=lambda o: o.exact)
    assert [o for o in options if o.best] == [best]
    assert all(o.loss == pytest.approx(float(o.exact - best.exact)) for o in options)
    assert turn.choice_at(("keep", 0, 1, 2, 6)) == best.action == "keep 1"
    assert turn.bust == 0.0


def test_at_most_is_the_chance_to_have_so_few():
    """With one die: nothing but a 3 is at most 0, and five faces of six are at most 5."""
    for most, chance in ((0, Fraction(1, 6)), (2, Fraction(3, 6)), (5, Fraction(5, 6))):
        turn = solve_turn(game("threes", dice=1), f"at-most:{most}", exact=True)
        assert (turn.exact, turn.unit) == (chance, "probability")
    with pytest.raises(UnknownNameError, match="unknown objective 'at-least:3'"):
        solve_turn(game("threes", dice=1), "at-least:3")
    with pytest.raises(UnknownNameError, match="unknown objective 'at-most:3'"):
        solve_turn(game("pig"), "at-most:3")


@pytest.mark.parametrize("policy", ["points", "greedy", "random"])
def test_a_policy_loses_what_it_has_too_many(policy):
    rules = game("threes", dice=3)
    turn = evaluate_turn(rules, read_policy(rules, policy))
    assert turn.best == fewest(3)
    assert turn.loss == turn.mean - turn.best
    assert (turn.loss == 0) == (policy == "points")
    assert turn.loss < 2 * turn.best  # greedy, too, wants few


# --- Piglet (Neller and Presser 2004)


def test_piglet():
    """Chances to win at the scores (0,0), (0,1), (1,0), (1,1): 4/7, 2/5, 4/5, 2/3."""
    match = solve_match(game("piglet"))
    right = {(0, 0): 4 / 7, (0, 1): 2 / 5, (1, 0): 4 / 5, (1, 1): 2 / 3}
    assert {at: match.chances(at, 1)[0] for at in right} == pytest.approx(right, abs=match.error)


def test_piglet_is_pig_with_a_coin():
    """Pig with faces 1 and 2 to twice the target is the same match."""
    for target in (2, 5, 10):
        pig = solve_match(game("pig", die="d2", target=2 * target))
        piglet = solve_match(game("piglet", target=target))
        assert piglet.win_probability == pytest.approx(pig.win_probability, abs=1e-13)


# --- Hog (Feldman and Morgan 2003)


def test_expected_points_of_hog_by_number_of_dice():
    """n dice bring 4n (5/6)^n on average; five and six are best, 8.04, and tie exactly."""
    turn = solve_turn(game("hog"), "points", exact=True)
    options = turn.options(("choose",))
    for n in range(1, 17):  # no sum of sixteen dice passes the target
        assert options[n - 1].exact == 4 * n * Fraction(5, 6) ** n
    assert [o.action for o in options if o.best] == ["roll 5 dice", "roll 6 dice"]
    assert round(turn.value, 2) == 8.04
    assert turn.choice_at(("choose",)) == "roll 5 dice"


def hog_by_hand(target, dice):
    """Chances of the mover in Hog by going round, one distribution a number of dice."""
    sums = []
    for n in range(1, dice + 1):
        dist = {0: 1.0}
        for _ in range(n):
            dist = {
                s: sum(dist.get(s - f, 0.0) for f in range(2, 7)) / 6
                for s in {a + f for a in dist for f in range(2, 7)}
            }
        sums.append({0: 1.0 - sum(dist.values())} | dist)
    win = np.full((target, target), 0.5)
    for _ in range(2000):
        after = np.array(
            [
                [
                    max(
                        sum(
                            p * (1.0 if a + s >= target else 1.0 - win[b, a + s])
                            for s, p in d.items()
                        )
                        for d in sums
                    )
                    for b in range(target)
                ]
                for a in range(target)
            ]
        )
        if np.abs(after - win).max() < 1e-15:
            return after
        win = after
    raise AssertionError("it does not settle")


def test_hog_by_going_round():
    match, right = solve_match(game("hog", target=8)), hog_by_hand(8, 4)
    for own in range(8):
        for other in range(8):
            assert match.chances((own, other), 1)[0] == pytest.approx(right[own, other], abs=1e-12)


def test_more_dice_than_half_the_target_are_of_no_use():
    assert game("hog", target=7).most_dice == 4  # four dice without a 1 bring eight
    assert list(game("hog", target=3).choices()) == ["roll 1 die", "roll 2 dice"]


# --- two-dice Pig (durangobill.com)


@pytest.fixture(scope="module")
def chances_in_time():
    """The best chance to have 100 within 0 to 3 turns, by score."""
    rules = game("two-dice-pig")
    graph = compile_turn(rules)
    return within(graph, standings_of(graph, rules.goal_race.after), 3)


@pytest.mark.parametrize(("score", "percent"), [(99, (69.4, 88.8, 94.2)), (90, (53.2, 75.9, 85.6))])
def test_two_dice_pig_within_one_two_and_three_turns(chances_in_time, score, percent):
    assert tuple(round(100 * chances_in_time[n, score], 1) for n in (1, 2, 3)) == percent


@pytest.mark.slow
def test_two_dice_pig_in_time_by_hand(chances_in_time, two_dice):  # noqa: F811
    """From every score, against the recursion with another file of the same rules."""
    for n in range(4):
        right = [two_dice[n][score] for score in range(100)]
        assert chances_in_time[n] == pytest.approx(right, abs=1e-12)


def test_two_dice_pig_is_a_race_in_which_all_can_be_lost():
    """Alone by hand: V(s) = 1 + (25 M(s) + 10 V(s) + V(0)) / 36 for a target of 2, one good roll.

    To 2 points every roll without a 1 is enough: V(0) = 36/25, whatever is lost.
    """
    assert solve_alone(game("two-dice-pig", target=2)).turns((0,)) == pytest.approx(36 / 25)
    race = solve_goal_race(game("two-dice-pig", target=2))
    assert race.win_probability[0] == pytest.approx(1 / (2 - 25 / 36))
    report = check_game(game("two-dice-pig", target=20))
    endings = {ending for _, ending in report.outcomes}
    assert endings == {"held", "lost", "ruined", "goal"}


# --- Threes (math.stackexchange.com/questions/4482277 and icepool's notebook on it)


@pytest.mark.parametrize(("dice", "mean"), [(1, 3), (2, 4.389), (3, 5.234), (4, 5.834), (5, 6.254)])
def test_the_mean_of_threes(dice, mean):
    """79/18 with two dice, 504205555/80621568 with five."""
    value = solve_turn(game("threes", dice=dice), "points", exact=True).exact
    assert round(float(value), 3) == mean
    assert dice > 4 or value == fewest(dice)
    known = {2: Fraction(79, 18), 5: Fraction(504205555, 80621568)}
    assert value == known.get(dice, value)


def test_the_distribution_of_threes():
    """All threes 12/216 with two dice and 4857964416 of 470184984576 with five, as published."""
    two = solve_turn(game("threes", dice=2), "points", exact=True).exact_distribution
    five = solve_turn(game("threes"), "points", exact=True).exact_distribution
    assert two[0] == Fraction(12, 216)
    assert two[12] == Fraction(1, 216)
    assert five[0] == Fraction(4857964416, 470184984576)
    assert five[30] == Fraction(1, 470184984576)
    assert sum(five.values()) == 1


# --- Zombie Dice


@pytest.mark.parametrize("refill", ["three", "needed"])
def test_zombie_dice_by_rolling_every_die_in_order(refill):
    """Three feet that stay three feet are rolled again there, until the values stand still."""
    rules = game("zombie-dice", green=2, yellow=2, red=1, most=3, refill=refill)
    right = Zombie("GGYYR", 3, refill == "three").solve()
    assert solve_turn(rules, "points", exact=True).value == pytest.approx(right, abs=1e-12)


def test_three_shotguns_or_three_feet_at_once():
    """The first roll of three: all shotguns 1/216 of green dice, and all feet are (2/6)^3."""
    rules = game("zombie-dice", green=9, yellow=0, red=0)
    first = {state: weight for weight, state in rules.expand(rules.start()).branches}
    whole = sum(first.values())
    assert Fraction(first["bank", 0], whole) == Fraction(1, 216)
    feet = ("aside", 0, 600, 300, 0)
    assert Fraction(first[feet], whole) == Fraction(8, 216)
    again = rules.expand(rules.expand(feet).options["roll"]).branches
    assert feet not in [state for _, state in again]


@pytest.mark.parametrize(
    ("refill", "noted", "cup"), [("three", 3, 320), ("needed", 0, 110)], ids=str
)
def test_when_the_brains_go_back_into_the_cup(refill, noted, cup):
    """Two dice in the cup, one foot: two must be drawn, and are there; the sheet asks for three."""
    rules = game("zombie-dice", green=4, yellow=2, red=1, refill=refill)
    cup_before, feet, shotguns = 110, 100, 1  # a green and a yellow; three brains lie aside
    after = rules.expand(("aside", 0, cup_before, feet, shotguns)).options["roll"]
    assert after == ("roll", noted, cup, feet, shotguns)


def test_a_cup_that_could_run_out_is_refused():
    with pytest.raises(UsageError, match="there may be none left to draw"):
        game("zombie-dice", green=2, yellow=1, red=1)


@pytest.mark.slow
def test_what_two_habits_bring_in_zombie_dice():
    """Published from 10,000 simulated turns each: 2.18 and about 2.2 brains a turn.

    Rolling while fewer than two shotguns lie there, or none has been eaten yet; and the same, but
    stopping at six brains or with two shotguns. Within four of their standard errors (0.023).
    """
    rules = game("zombie-dice", most=13)

    def habit(limit):
        def choose(state, _actions):
            noted, cup, feet, shotguns = state[1:]
            left = 643 - cup - feet - shotguns
            brains = noted + sum(map(int, str(left)))
            shots = sum(map(int, str(shotguns)))
            return "roll" if brains < limit and (shots < 2 or not brains) else "stop"

        found = evaluate_policy(rules, choose)
        mean = sum(points * chance for points, chance in found.items())
        square = sum(points * points * chance for points, chance in found.items())
        return float(mean), float(square - mean * mean) ** 0.5 / 100  # of 10,000 turns

    best = solve_turn(rules, "points").value
    assert best == pytest.approx(2.259, abs=1e-3)
    for limit, published, digit in ((99, 2.18, 0.005), (6, 2.2, 0.05)):
        mean, error = habit(limit)
        assert error < 0.025
        assert abs(mean - published) <= 4 * error + digit
        assert mean < best


@pytest.mark.slow
def test_twenty_brains_are_beyond_almost_all_turns():
    """A limit of 20 is 3e-5 from one of 16, and that 2e-4 from one of 13: the rest is nothing."""
    values = [solve_turn(game("zombie-dice", most=most), "points").value for most in (13, 16, 20)]
    assert values == pytest.approx([2.258952, 2.259173, 2.259204], abs=1e-6)
    assert values[2] - values[1] < (values[1] - values[0]) / 5


# --- Farkle


HOUSES = (
    {},
    {"three_ones": 1000, "kinds": "double", "three_pairs": 0, "four_pair": 0, "two_triplets": 0},
    {"kinds": "add", "low_straight": 500, "high_straight": 750, "straight": 0},
    {"kinds": "triples", "two_triplets": 0},
)


@pytest.mark.parametrize(
    "house",
    [*HOUSES[:2], *(pytest.param(house, marks=pytest.mark.slow) for house in HOUSES[2:])],
    ids=lambda house: house.get("kinds", "sheet"),
)
def test_every_way_to_score_every_roll(house):
    """All 923 rolls of one to six dice, by taking combinations away one after another."""
    rules, scoring = game("farkle", **house), combos(house)
    rolls = 0
    for dice in range(1, 7):
        for counts, _ in multinomial((1,) * 6, dice):
            shown = [face for face, n in enumerate(counts, 1) for _ in range(n)]
            found = {
                tuple(f for f, n in enumerate(kept, 1) for _ in range(n)): points
                for kept, points in rules.scoring(counts).items()
            }
            assert found == ways(shown, scoring), shown
            rolls += 1
    assert rolls == 923


@pytest.mark.parametrize(
    ("roll", "points"),
    [
        ((1, 1, 1, 2, 2, 2), 2500),
        ((1, 1, 1, 1, 2, 2), 1500),
        ((1, 2, 3, 4, 5, 6), 1500),
        ((1, 1, 2, 2, 3, 3), 1500),
        ((4, 4, 4, 4, 4, 4), 3000),
        ((4, 4, 4, 4, 4, 2), 2000),
        ((1, 1, 1, 3, 4, 6), 300),
        ((2, 2, 2, 3, 4, 6), 200),
        ((1, 5, 3, 3, 4, 6), 150),
    ],
)
def test_the_sheet_of_farkle(roll, points):
    counts = tuple(roll.count(face) for face in range(1, 7))
    assert max(game("farkle").scoring(counts).values()) == points


def test_a_turn_of_farkle_by_plain_recursion():
    right = FarkleTurn(HOUSES[1], 400).best(Fraction)
    rules = game("farkle", target=400, **HOUSES[1])
    assert solve_turn(rules, "points", exact=True).exact == right


@pytest.mark.parametrize(("end", "opening"), [("round", 100), ("immediate", 0)])
@pytest.mark.slow
def test_the_race_of_farkle_by_going_round(end, opening):
    """Every boundary state of a race to 150, counted in fifties; once with an opening score."""
    match = solve_match(game("farkle", target=150, end=end, opening=opening))
    right = farkle_race({}, 150, immediate=end == "immediate", opening=opening)
    assert match.error < 1e-13
    for (mover, own, other), chance in right.items():
        scores = (50 * own, 50 * other) if mover == 0 else (50 * other, 50 * own)
        assert match.chances(scores, mover + 1)[mover] == pytest.approx(chance, abs=1e-12)


KINGDOM_COME = {
    "three_ones": 1000,
    "kinds": "double",
    "three_pairs": 0,
    "four_pair": 0,
    "two_triplets": 0,
    "low_straight": 500,
    "high_straight": 750,
    "target": 6000,
}


def test_one_roll_by_the_rules_of_kingdom_come():
    """Published: 399 points from one roll; it is 399.11."""
    rules = game("farkle", **KINGDOM_COME)
    total = sum(
        weight * max(rules.scoring(counts).values(), default=0)
        for counts, weight in multinomial((1,) * 6, 6)
    )
    assert round(total / 6**6, 2) == 399.11


@pytest.mark.slow
def test_a_turn_by_the_rules_of_kingdom_come():
    """Published: 517.95 with two rolls at most, and no more with three. That is refuted.

    Two rolls are worth 505.46 and three 547.30, hot dice and a turn cut at 6000 included, so that
    two are not enough; without a limit it is 564.38.
    """
    rules = game("farkle", **KINGDOM_COME)
    turn = FarkleTurn({k: v for k, v in KINGDOM_COME.items() if k != "target"}, 6000)

    @cache
    def at_most(rolls, dice, total):
        worth = 0.0
        for options, count in turn.rolls[dice].items():
            best = 0.0
            for used, points in options:
                together = min(total + points, 6000)
                more = rolls > 1 and together < 6000
                again = at_most(rolls - 1, dice - used or 6, together) if more else 0.0
                best = max(best, together, again)
            worth += count * best
        return worth / 6**dice

    assert [round(at_most(n, 6, 0), 2) for n in (2, 3)] == [505.46, 547.30]
    assert round(solve_turn(rules, "points").value, 2) == 564.38


@pytest.mark.slow
def test_zilch():
    """Published by M. Busche: 620.855 points a turn in the long run.

    A third zilch in a row costs 500; a turn is played for points and for what comes after it. The
    gain g and the worth h of 0, 1 or 2 zilches so far are found by policy iteration.
    """
    house = {"three_ones": 1000, "kinds": "double", "two_triplets": 0, "nothing": 500, "least": 300}
    rules = game("farkle", **house, target=30_000)  # beyond all turns: at 10,000 it is 620.853
    graph = compile_turn(rules)
    gain, worth = 0.0, [0.0, 0.0, 0.0]
    for _ in range(20):
        before, rows, right = gain, np.zeros((4, 4)), np.zeros(4)
        for k in range(3):
            fine = {0: (-500.0 if k == 2 else 0.0) + worth[(k + 1) % 3]}
            payoff = {x: fine.get(x, x + worth[0]) for x in graph.outcomes}
            chances = solve_turn(rules, payoff, graph=graph).distribution
            zilch = chances.get(0, 0.0)
            rows[k, k] += 1.0
            rows[k, 0] -= 1.0 - zilch
            rows[k, (k + 1) % 3] -= zilch
            rows[k, 3] = 1.0
            right[k] = sum(x * p for x, p in chances.items()) - (500.0 * zilch if k == 2 else 0.0)
        rows[3, 0] = 1.0
        *worth, gain = np.linalg.solve(rows, right)
        if gain == before:
            break
    assert round(gain, 3) == 620.855


def test_house_rules_must_be_in_fifties():
    with pytest.raises(UsageError, match="three-ones=320 is no multiple of 50"):
        game("farkle", three_ones=320)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"scores": (425, 400), "seat": 1}, "seat 1 cannot have 425 points: .* multiples of 50"),
        ({"scores": (1000, 400), "seat": 1}, "it has 1000 of 1000 points"),
        ({"scores": (2500, 400), "seat": 2}, "it had at most 950 before this round"),
        ({"total": 20}, "multiple of 50"),
        ({"roll": "1 2 7"}, "'7' is no face of a die"),
        ({"roll": "1 1 1 1 1 1 1"}, "7 dice are more than 6"),
        ({"roll": "1", "left": 2}, "--left is for dice that are not rolled yet"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_position_of_farkle(told, text):
    with pytest.raises((PositionError, NotationError), match=text):
        solver.advise("farkle", parameters={"target": 1000}, **told)


# --- every game, from every door


POSITIONS = {
    "piglet": [{"total": "1"}, {"total": "1", "scores": "0,1", "seat": "1"}],
    "hog": [{}, {"scores": "3,8", "seat": "2"}],
    "two-dice-pig": [
        {"score": "8", "total": "5"},
        {"score": "8", "total": "5", "objective": "within:2"},
        {"score": "8", "total": "5", "opponent": "12"},
    ],
    "threes": [{"kept": "1", "roll": "2 6"}, {"roll": "1 3 4", "objective": "at-most:4"}],
    "zombie-dice": [
        {"brains": "G1", "shotguns": "Y1", "feet": "R1"},
        {"brains": "G1", "shotguns": "Y1", "feet": "R1", "scores": "1,1", "seat": "2"},
    ],
    "farkle": [
        {"total": "100", "roll": "1 5 2 3"},
        {"total": "200", "left": "3", "scores": "150,250", "seat": "1"},
    ],
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Tables of every game with its small parameters."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        for name in MORE:
            rules = game(name, **SMALL[name])
            goal, alone = hasattr(rules, "goal_race"), Recipe(name, parameters=SMALL[name])
            patch.setitem(RECIPES, f"{name}-points", alone)
            build_table(f"{name}-points", folder)
            for seats in (1, 2) if goal else (2,) if hasattr(rules, "race") else ():
                recipe = Recipe(name, seats=seats, policy=None, parameters=SMALL[name])
                patch.setitem(RECIPES, f"{name}-{seats}", recipe)
                build_table(f"{name}-{seats}", folder)
    return folder


@pytest.mark.parametrize("name", MORE)
def test_tables_are_verified_and_answer_as_the_solver_does(built, name):
    """Every position from tables and from none: the same options in the same order."""
    with open_tables(built) as tables:
        of_game = [table for table in tables.names if tables[table].entry.game == name]
        assert len(of_game) >= 1
        for table in of_game:
            entry = tables[table].entry
            assert verify_table(tables[table]).error <= entry.error
        for told in POSITIONS[name]:
            wanted = {"parameters": SMALL[name], **told}
            table = solver.advise(name, tables=tables, **wanted)
            spot = solver.Advisor(no_tables())(name, **wanted)
            assert [o.action for o in table.options] == [o.action for o in spot.options]
            assert [o.value for o in table.options] == pytest.approx(
                [o.value for o in spot.options], abs=1e-11
            )
            assert [o.exact for o in table.options] == [o.exact for o in spot.options]
            assert spot.table is None


def no_tables():
    return solver.tablebase.read.Tables([])


@pytest.mark.parametrize("name", MORE)
def test_the_command_line_advises(built, name, capsys):
    settings = [f"--set={key}={value}" for key, value in SMALL[name].items()]
    for told in POSITIONS[name]:
        asked = [f"--{field}={text}" for field, text in told.items()]
        assert run(["advise", name, *asked, *settings, "--tables", str(built), "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["options"][0]["best"]
        assert answer["why"].endswith(".")
        assert run(["advise", name, *asked, *settings, "--tables", str(built)]) == 0
        assert "take the " not in capsys.readouterr().out  # nobody takes "the rolls"
    assert run(["advise", name, "--help"]) == 0


def test_the_service_advises(built):
    """Every position of every game over HTTP, from the same tables: the same answer."""
    with ready_client(Settings(tables=str(built), rate=0, **QUIET)) as web:
        with open_tables(built) as tables:
            advisor = solver.Advisor(tables)
            for name in MORE:
                settings = [f"{key}={value}" for key, value in SMALL[name].items()]
                for told in POSITIONS[name]:
                    asked = web.get(f"/v1/games/{name}/advice", params={**told, "set": settings})
                    if told.get("objective", "").startswith("within"):
                        assert asked.status_code == 422  # no table is of it: it takes solving
                        continue
                    assert asked.status_code == 200, asked.json()
                    right = advisor(name, parameters=SMALL[name], **told).as_dict()
                    assert asked.json() == json.loads(json.dumps(right))
        about = web.get("/v1/games/zombie-dice").json()
        assert about["parameters"]["tie"]["readings"] == ["round", "shared"]


def test_a_table_is_named_by_its_game_and_what_it_is_for():
    assert recipe_of("hog-points") == Recipe("hog", shipped=False)
    assert recipe_of("farkle-win-2") == Recipe("farkle", seats=2, policy=None, shipped=False)
    assert recipe_of("two-dice-pig-turns") == Recipe("two-dice-pig", seats=1, shipped=False)
    for name in ("threes-win-2", "threes-turns", "hog-win-1", "hog", "nothing-points"):
        with pytest.raises(UnknownNameError, match=f"unknown table '{name}'"):
            recipe_of(name)


def test_races_that_are_solved_for_two_seats_only_say_so():
    for name, more in (("farkle", {"opening": 100}), ("zombie-dice", {})):
        rules = game(name, **SMALL[name], **more)
        with pytest.raises(UsageError, match="the race is solved for two seats"):
            solve_match(rules, 3)


def test_points_that_are_no_steps_of_the_race_are_named():
    class Odd:
        name = "odd"
        race = solver.games.ScoreRace(100, step=50)

        def start(self):
            return ("roll",)

        def expand(self, state):
            if state[0] == "bank":
                return solver.games.Bank(state[1])
            return solver.games.Roll([(1, ("bank", 0)), (1, ("bank", 70))])

    with pytest.raises(GameError, match="a turn can bring 70 points, no multiple of 50"):
        solve_match(Odd())


# --- what these games have asked of races


class Draws:
    """A turn picks one of several draws, each of equally likely points."""

    name = "draws"

    def __init__(self, draws, race):
        self.draws, self.race = draws, race

    def start(self):
        return ("pick",)

    def expand(self, state):
        if state[0] == "pick":
            return solver.games.Choose({f"draw {i}": ("draw", i) for i in range(len(self.draws))})
        if state[0] == "draw":
            return solver.games.Roll([(1, ("bank", points)) for points in self.draws[state[1]]])
        return solver.games.Bank(state[1])


DRAWS = ((0, 1, 1, 3), (0, 0, 2, 2), (1, 0, 4, 0))


def tiebreak_by_hand(draws):
    """The chance of the first of two tied seats, by going round."""
    first = 0.5
    for _ in range(500):

        def second(beat, first=first):
            worth = [[float(x > beat) + (x == beat) * (1 - first) for x in draw] for draw in draws]
            return max(sum(row) / len(row) for row in worth)

        first = max(sum(1 - second(x) for x in draw) / len(draw) for draw in draws)
    return first


def test_tied_leaders_play_another_round_in_order():
    """The later one knows what it must beat: of two tied seats the first wins less than half."""
    evenly = solve_match(Draws(DRAWS, solver.games.ScoreRace(6)))
    in_order = solve_match(Draws(DRAWS, solver.games.ScoreRace(6, tie_round=True)))
    first = tiebreak_by_hand(DRAWS)
    assert in_order.values.tied == pytest.approx([first, 1 - first], abs=1e-12)
    assert first < 0.5
    assert in_order.error < 1e-13
    last = in_order.chances((7, 5), 2)  # two points are needed to tie, three to win
    worth = [[float(x > 2) + (x == 2) * (1 - first) for x in draw] for draw in DRAWS]
    assert last[1] == pytest.approx(max(sum(row) / 4 for row in worth), abs=1e-12)
    assert in_order.win_probability[0] < evenly.win_probability[0]


def test_a_forged_tiebreak_is_not_proven():
    match = solve_match(Draws(DRAWS, solver.games.ScoreRace(6, tie_round=True)))
    forged = replace(match.values, tied=np.array([0.5, 0.5]))
    with pytest.raises(ProofError):
        certify_two_seats(match.graph, forged, root=match.graph.root)


def test_counting_in_steps_changes_no_bit():
    """The same race in points of fifty: the same table."""
    fifty = tuple(tuple(50 * x for x in draw) for draw in DRAWS)
    plain = solve_match(Draws(DRAWS, solver.games.ScoreRace(6)))
    steps = solve_match(Draws(fifty, solver.games.ScoreRace(300, step=50)))
    assert plain.values.open_play.tobytes() == steps.values.open_play.tobytes()
    assert plain.chances((3, 5), 2) == steps.chances((150, 250), 2)
    assert plain.error == steps.error
