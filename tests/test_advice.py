"""Advice: every legal option, best first, with right numbers, the same through every door."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from brute_force import MartianTurn

import solver
from solver.advisor import Advisor, advise
from solver.apps.cli.main import run
from solver.errors import NotationError, PositionError, ShouldIRollError, UsageError
from solver.games import game
from solver.match.solve import solve_score_race
from solver.referee.martian_dice import Chooser, dice_of, play_rolled_turn
from solver.tablebase import open_tables
from solver.tablebase.read import Tables
from solver.turn import solve_turn

TABLES = Path(__file__).resolve().parent.parent / "tables"
TARGET, MOST = 25, 16
LETTER_OF = {"death-rays": "R", "human": "H", "cow": "C", "chicken": "K"}
TAKINGS = set(LETTER_OF)


@pytest.fixture(scope="module")
def by_table():
    with open_tables(TABLES) as tables:
        yield Advisor(tables)


@pytest.fixture(scope="module")
def on_the_spot():
    """An advisor without tables; what it has solved once it keeps, as it would be slow else."""
    solved = {}

    def once(rules, objective, **options):
        named = objective if isinstance(objective, str) else tuple(objective.items())
        if (rules, named) not in solved:
            solved[rules, named] = solve_turn(rules, objective, **options)
        return solved[rules, named]

    with pytest.MonkeyPatch.context() as patch:
        replace_in_advisor(patch, solve_turn, once)
        yield Advisor(open_nothing())


def open_nothing():
    return Tables([])


def replace_in_advisor(patch, function, other):
    """Let the advisor call another function in a function's place."""
    replaced = 0
    for name, module in list(sys.modules.items()):
        if name.startswith("solver.advisor"):
            for attribute, value in list(vars(module).items()):
                if value is function:
                    patch.setattr(module, attribute, other)
                    replaced += 1
    assert replaced, f"the advisor does not use {function.__name__}"


# --- positions: what lies on the table in turns that somebody plays without a plan


def text(counts):
    return " ".join(f"{letter}{n}" for letter, n in counts.items() if n)


def random_positions(count, seed, *, dice=13):
    """Texts (aside, roll or None) of positions that legal turns have come to."""
    rng = np.random.default_rng(seed)
    found = {}

    def watch(view):
        aside = {"T": view.tanks, "R": view.rays, "H": view.human, "C": view.cow}
        aside["K"] = view.chicken
        if view.roll is None:
            if any(aside[letter] for letter in "RHCK"):
                found[text(aside), None] = None
        else:
            roll = {letter: view.roll.count(letter) for letter in "TRHCK"}
            found[text(aside), text(roll)] = None

    def take(_aside, _roll, legal):
        return legal[int(rng.integers(len(legal)))]

    aimless = Chooser(take, lambda _aside: bool(rng.random() < 0.05))
    while len(found) < 3 * count:
        play_rolled_turn(aimless, dice_of(rng), dice=dice, watch=watch)
    positions = list(found)
    return [positions[i] for i in rng.choice(len(positions), count, replace=False)]


def random_scores(count, seed):
    """Scores and seat on turn; a third of them are last turns of the second seat."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        first, second = rng.integers(TARGET, size=2).tolist()
        seat = 1 + i % 2
        if i % 3 == 0:
            seat, first = 2, int(rng.integers(TARGET, TARGET + MOST))
        found.append(((first, second), seat))
    return found


# --- what an advice is


def check_contract(advice):
    """What holds of every advice, whatever was asked."""
    options = advice.options
    assert options
    assert advice.best is options[0]
    assert len({o.action for o in options}) == len(options)
    assert {o.action for o in options} <= TAKINGS or {o.action for o in options} <= {
        "roll",
        "stop",
    }
    most = max(o.value for o in options)
    for option in options:
        assert (option.then in ("roll", "stop")) == (option.action in TAKINGS)
        assert (option.then is None) == (option.action in ("roll", "stop"))
        assert option.best == (option.loss == 0)
        assert option.loss == pytest.approx(most - option.value, abs=1e-12)
        assert 0 <= option.bust <= 1
    flags = [o.best for o in options]
    assert flags == sorted(flags, reverse=True)
    assert flags[0]
    worse = [o.value for o in options if not o.best]
    assert all(a >= b for a, b in pairwise(worse))
    if advice.exactness.kind == "exact":
        assert advice.exactness.error == 0
        best = Fraction(options[0].exact)
        for option in options:
            assert option.value == float(Fraction(option.exact))
            assert option.loss == float(best - Fraction(option.exact))
            assert option.best == (Fraction(option.exact) == best)
    else:
        assert advice.exactness.kind == "bounded"
        # solved on the spot, each decision on the way may give away the tolerance of a tie
        assert 0 < advice.exactness.error <= (1e-11 if advice.table is None else 1e-12)
        assert all(o.exact is None for o in options)
        assert all(0 <= o.value <= 1 for o in options)


def same_answer(one, other):
    """The same options with the same numbers; neighbours of one value may change places."""
    left, right = ({o.action: o for o in advice.options} for advice in (one, other))
    assert left.keys() == right.keys()
    for a, b in zip(one.options, other.options, strict=True):
        assert a.action == b.action or abs(a.value - b.value) <= 1e-12
    for action, a in left.items():
        b = right[action]
        assert (a.then, a.best, a.exact) == (b.then, b.best, b.exact)
        assert a.value == pytest.approx(b.value, abs=1e-12)
        assert a.loss == pytest.approx(b.loss, abs=1e-12)
        slack = one.exactness.bust_error + other.exactness.bust_error + 1e-12
        assert a.bust == pytest.approx(b.bust, abs=slack)
    assert one.note == other.note
    assert (one.objective, one.unit, one.rules) == (other.objective, other.unit, other.rules)
    assert one.position == other.position


def test_a_table_answers_for_points_as_the_solver_does(by_table, on_the_spot):
    takings = decisions = 0
    for aside, roll in random_positions(300, seed=11):
        stored = by_table("martian-dice", aside=aside, roll=roll)
        solved = on_the_spot("martian-dice", aside=aside, roll=roll)
        assert (stored.table, solved.table) == ("martian-dice-points", None)
        check_contract(stored)
        same_answer(stored, solved)
        takings += len(stored.options) > 1 and roll is not None
        decisions += len(stored.options) > 1 and roll is None
    assert min(takings, decisions) > 50


@pytest.mark.slow
def test_a_table_answers_for_the_win_as_the_solver_does(by_table, on_the_spot):
    last_turns = 0
    positions = random_positions(300, seed=12)
    for (aside, roll), (scores, seat) in zip(positions, random_scores(300, seed=13), strict=True):
        asked = {"aside": aside, "roll": roll, "scores": scores, "seat": seat}
        stored, solved = by_table("martian-dice", **asked), on_the_spot("martian-dice", **asked)
        assert (stored.table, solved.table) == ("martian-dice-win-2", None)
        check_contract(stored)
        check_contract(solved)
        same_answer(stored, solved)
        last_turns += max(scores) >= TARGET
    assert last_turns == 100


def test_permuting_the_species_changes_nothing(by_table):
    for aside, roll in random_positions(60, seed=14):
        expected = by_table("martian-dice", aside=aside, roll=roll)
        turned = str.maketrans("HCK", "CKH")
        answer = by_table(
            "martian-dice",
            aside=aside.translate(turned),
            roll=None if roll is None else roll.translate(turned),
        )
        there = {"human": "cow", "cow": "chicken", "chicken": "human"}
        assert {there.get(o.action, o.action): (o.then, o.exact, o.bust) for o in
                expected.options} == {o.action: (o.then, o.exact, o.bust) for o in
                                      answer.options}  # fmt: skip


# --- right by brute force: the last dice, every way they can fall


class Bust(MartianTurn):
    """The chance of no points when the canonical best option is taken all along."""

    def __init__(self, dice, payoff):
        super().__init__(dice, payoff=payoff)
        self.busts = {}

    def of_roll(self, aside):
        if aside not in self.busts:
            chances = [self.of_taking(aside, roll) for roll in self.rolls(aside)]
            self.busts[aside] = sum(chances, Fraction(0)) / len(chances)
        return self.busts[aside]

    def of_taking(self, aside, roll):
        ways = self.ways(aside, roll)
        if not ways:
            return Fraction(self.points(aside + "T" * roll.count("T")) == 0)
        order = sorted(ways, key=lambda letter: (letter != "R", roll.count(letter)))
        best = max(order, key=lambda letter: self.decide(ways[letter]))
        return self.of_deciding(ways[best])

    def of_deciding(self, aside):
        if len(aside) < self.dice and self.roll(aside) > self.stop(aside):
            return self.of_roll(aside)
        return Fraction(self.points(aside) == 0)

    def then(self, aside):
        rolls = len(aside) < self.dice and self.roll(aside) > self.stop(aside)
        return "roll" if rolls else "stop"


def letters(text_):
    return "".join(part[0] * int(part[1:]) for part in text_.split())


def expected_options(turn, aside, roll):
    """Action -> (what then, value, bust chance), told from the raw dice."""
    if roll is None:
        if not aside:
            return {"roll": (None, turn.roll(aside), turn.of_roll(aside))}
        options = {"stop": (None, turn.stop(aside), Fraction(turn.points(aside) == 0))}
        if len(aside) < turn.dice:
            options["roll"] = None, turn.roll(aside), turn.of_roll(aside)
        return options
    ways = turn.ways(aside, roll)
    if not ways:
        return {"stop": (None, turn.see(aside, roll), turn.of_taking(aside, roll))}
    action_of = {letter: action for action, letter in LETTER_OF.items()}
    return {
        action_of[letter]: (turn.then(after), turn.decide(after), turn.of_deciding(after))
        for letter, after in ways.items()
    }


def late_positions(count, seed):
    """Positions with at most three dice left to fall."""
    late = []
    for aside, roll in random_positions(40 * count, seed):
        left = 13 - len(letters(aside)) - (0 if roll is None else 1)
        if left <= 3 and (roll is None or len(letters(aside)) >= 9):
            late.append((aside, roll))
    assert len(late) >= count
    return late[:count]


PAYOFFS = {
    "points": lambda points: points,
    "at-least:7": lambda points: int(points >= 7),
    "at-least:10": lambda points: int(points >= 10),
    "capped:8": lambda points: min(points, 8),
}


@pytest.mark.parametrize("objective", PAYOFFS)
@pytest.mark.slow
def test_late_positions_are_right(by_table, on_the_spot, objective):
    turn = Bust(13, PAYOFFS[objective])
    ask = by_table if objective == "points" else on_the_spot
    for aside, roll in late_positions(40, seed=15):
        advice = ask("martian-dice", objective, aside=aside, roll=roll)
        check_contract(advice)
        expected = expected_options(turn, letters(aside), None if roll is None else letters(roll))
        assert {
            o.action: (o.then, Fraction(o.exact), pytest.approx(o.bust, abs=1e-12))
            for o in advice.options
        } == expected
        assert advice.objective == objective


def test_a_payoff_of_ones_own_is_right(on_the_spot):
    """A mapping outcome -> payoff: thirds, nothing for 5, a fine for no points."""
    rewards = {points: Fraction(points * points, 3) for points in range(MOST + 1)}
    rewards |= {0: -7, 5: 0}
    turn = Bust(13, rewards.get)
    for aside, roll in late_positions(20, seed=16):
        advice = on_the_spot("martian-dice", rewards, aside=aside, roll=roll)
        expected = expected_options(turn, letters(aside), None if roll is None else letters(roll))
        found = {o.action: (o.then, Fraction(o.exact)) for o in advice.options}
        assert found == {a: (then, value) for a, (then, value, _) in expected.items()}
        assert (advice.objective, advice.unit) == ("payoff", "payoff")


@pytest.mark.parametrize("seat_one", [25, 27, 29, 33, 40])
def test_the_last_seat_knows_what_it_must_beat(by_table, seat_one):
    """More points than the other win, as many are half a win: nothing else counts."""
    for own in (14, 20, 24):
        behind = seat_one - own

        def result(points, behind=behind):
            return Fraction(points > behind) + Fraction(points == behind, 2)

        turn = MartianTurn(13, payoff=result)
        for aside, roll in late_positions(12, seed=100 * seat_one + own):
            advice = by_table(
                "martian-dice", aside=aside, roll=roll, scores=(seat_one, own), seat=2
            )
            check_contract(advice)
            kept, rolled = letters(aside), None if roll is None else letters(roll)
            if rolled is None:
                expected = {"stop": turn.stop(kept)}
                if len(kept) < 13:
                    expected["roll"] = turn.roll(kept)
            elif ways := turn.ways(kept, rolled):
                expected = {a: turn.decide(ways[x]) for a, x in LETTER_OF.items() if x in ways}
            else:
                expected = {"stop": turn.see(kept, rolled)}
            found = {o.action: o.value for o in advice.options}
            assert found == pytest.approx({a: float(v) for a, v in expected.items()}, abs=1e-12)


EXACT_NEED = [
    # Four humans and four cows are 8 points; one die: a chicken makes it 9 and 3 for the set.
    ("R4 H4 C4", (30, 20), ["roll"], Fraction(1, 6), "11 are needed, 12 come with the chicken"),
    ("R4 H4 C4", (32, 20), ["roll"], Fraction(1, 12), "12 only tie: half of the duels are won"),
    ("R4 H4 C4", (33, 20), ["stop", "roll"], 0, "13 cannot come"),
    ("R4 H4 C4", (27, 20), ["stop", "roll"], 1, "8 are enough, and no die takes them away"),
    ("R4 H4 C4", (28, 20), ["roll"], Fraction(7, 12), "8 tie, worth 1/2; the chicken wins"),
    # Two dice: a chicken in 11 of 36 throws; in 8 a death ray with a human or a cow, which
    # leaves one more die; death rays with death rays or tanks leave none.
    ("R3 H4 C4", (30, 20), ["roll"], Fraction(11, 36) + Fraction(8, 36) / 6, "a chicken is enough"),
    ("T4 R4 H4", (27, 24), ["stop"], 1, "4 win, and one more tank would take them away"),
    (
        "T4 R4 H4",
        (28, 24),
        ["roll"],
        Fraction(7, 12),
        "4 tie; a cow or a chicken wins, a tank loses",
    ),
    ("R8 K4", (29, 20), ["stop", "roll"], 0, "one more earthling would make 5 of 10"),
    ("R8 K4", (25, 21), ["roll"], Fraction(2, 3), "4 tie; a human or a cow is the fifth"),
]


@pytest.mark.parametrize(("aside", "scores", "best", "chance", "why"), EXACT_NEED)
def test_exact_needs_by_hand(by_table, aside, scores, best, chance, why):
    advice = by_table("martian-dice", aside=aside, scores=scores, seat=2)
    assert advice.best.value == pytest.approx(float(chance), abs=1e-12), why
    assert {o.action for o in advice.options if o.best} == set(best), why


@pytest.mark.parametrize("own", [23, 20, 0])
def test_what_cannot_be_made_up_is_lost_whatever_one_does(by_table, own):
    """Sixteen points are the most that a turn brings; every option ties at nothing."""
    for aside, roll in random_positions(20, seed=17):
        advice = by_table("martian-dice", aside=aside, roll=roll, scores=(40, own), seat=2)
        assert {o.value for o in advice.options} == {0.0}
        assert all(o.best and o.loss == 0 for o in advice.options)
        assert len(advice.options) == 1 or "makes no difference" in advice.why


def test_sixteen_points_behind_can_just_be_tied(by_table):
    """All thirteen dice earthlings, with the set: 16."""
    answer = by_table("martian-dice", aside="H11 C1 K1", scores=(40, 24), seat=2)
    assert [(o.action, o.value) for o in answer.options] == [("stop", 0.5)]
    answer = by_table("martian-dice", aside="H11 C1", scores=(40, 24), seat=2)
    assert answer.best.action == "roll"
    assert answer.best.value == pytest.approx(1 / 12, abs=1e-12)


# --- contract names


OPTION_NAMES = ["action", "then", "value", "exact", "loss", "bust", "best"]
ADVICE_NAMES = {
    "game",
    "rules",
    "objective",
    "position",
    "exactness",
    "table",
    "options",
}
EXAMPLE = {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}


def test_the_names_of_the_contract(by_table):
    for asked in (EXAMPLE, EXAMPLE | {"scores": (12, 20), "seat": 1}):
        advice = by_table("martian-dice", **asked)
        plain = advice.as_dict()
        assert set(plain) >= ADVICE_NAMES
        assert {"kind", "error"} <= set(plain["exactness"])
        for shown, option in zip(plain["options"], advice.options, strict=True):
            assert list(shown)[: len(OPTION_NAMES)] == OPTION_NAMES
            assert all(getattr(option, name) == shown[name] for name in OPTION_NAMES)
        assert all(plain[name] is not None for name in ADVICE_NAMES)
        assert plain["rules"]["target"] == 25
        with pytest.raises(AttributeError):
            advice.objective = "other"
        with pytest.raises(AttributeError):
            advice.best.value = 1.0


def test_the_example_of_the_contract(by_table):
    """One cow or one chicken: the same, for the species are alike; the rays cost 1.87 points.

    With T2 R3 H4 C1 aside three dice are left. Both numbers by brute force.
    """
    advice = by_table("martian-dice", **EXAMPLE)
    turn = MartianTurn(13)
    cow, rays = turn.decide("CHHHHRRRTT"), turn.decide("HHHHRRRRRTT")
    assert [(o.action, o.then, o.exact, o.best) for o in advice.options] == [
        ("cow", "roll", str(cow), True),
        ("chicken", "roll", str(cow), True),
        ("death-rays", "roll", str(rays), False),
    ]
    assert advice.options[2].loss == float(cow - rays)
    assert (advice.objective, advice.unit, advice.table) == (
        "points",
        "points",
        "martian-dice-points",
    )
    assert advice.position == EXAMPLE
    assert re.search(r"Take the cows?, then roll \(taking the chickens? is as good\)", advice.why)


def test_the_win_is_the_objective_where_scores_are_told(by_table):
    advice = by_table("martian-dice", **EXAMPLE, scores="12,20", seat=1)
    assert (advice.objective, advice.unit, advice.table) == (
        "win",
        "win_probability",
        "martian-dice-win-2",
    )
    assert advice.position == {**EXAMPLE, "scores": [12, 20], "seat": 1}
    assert advice.exactness.bust_error <= 1e-9


def test_a_tie_of_stop_and_roll_is_told_and_canonical(by_table):
    """T5 R5 and two heads of one species: both are worth 2 points exactly (published.)"""
    advice = by_table("martian-dice", aside="T5 R5 H2")
    assert [(o.action, o.exact, o.loss, o.best) for o in advice.options] == [
        ("stop", "2", 0.0, True),
        ("roll", "2", 0.0, True),
    ]
    assert "makes no difference" in advice.why


def test_what_then_is_what_is_best_afterwards(by_table):
    """After the taking that was advised, the advice is what was said would come."""
    for aside, roll in random_positions(80, seed=18):
        if roll is None:
            continue
        advice = by_table("martian-dice", aside=aside, roll=roll)
        for option in advice.options:
            if option.then is not None:
                check_then(by_table, option, aside, roll)


def test_what_then_is_what_is_best_afterwards_for_the_win(by_table):
    for aside, roll in random_positions(80, seed=18):
        if roll is None:
            continue
        for scores, seat in (((12, 20), 1), ((40, 10), 2)):
            advice = by_table("martian-dice", aside=aside, roll=roll, scores=scores, seat=seat)
            for option in advice.options:
                if option.then is not None:
                    check_then(by_table, option, aside, roll, scores=scores, seat=seat)


def check_then(advisor, option, aside, roll, **match):
    letter = LETTER_OF[option.action]
    kept = letters(aside) + "".join(die for die in letters(roll) if die in ("T", letter))
    after = advisor("martian-dice", aside=" ".join(kept), **match)
    assert after.best.action == option.then
    assert after.best.value == option.value
    assert after.best.bust == option.bust


# --- positions where there is nothing to choose


def test_a_turn_begins_with_a_roll(by_table):
    exact = solve_turn(game("martian-dice"), exact=True).exact
    for asked in ({}, {"aside": ""}, {"aside": {}}):
        advice = by_table("martian-dice", **asked)
        assert [(o.action, o.then, o.best) for o in advice.options] == [("roll", None, True)]
        assert advice.best.value == pytest.approx(3.1103817468376853, abs=1e-15)
        assert Fraction(advice.best.exact) == exact
        assert advice.note == "a turn begins with a roll"
    with open_tables(TABLES) as tables:
        numbers = tables["martian-dice-win-2"].entry.numbers
    advice = by_table("martian-dice", scores=(0, 0), seat=1)
    assert advice.best.value == pytest.approx(numbers["win_probability"][0], abs=1e-13)


@pytest.mark.parametrize(
    ("aside", "roll", "points"),
    [
        ("", "T13", 0),  # nothing but tanks
        ("R4 H5", "H4", 5),  # humans are taken already
        ("R1 H5 C3", "T2 H2", 0),  # ... and the new tanks are too many
        ("R2 H5 C2", "T2 C2", 7),  # ... and just outshot
        ("R1 H4 C3 K3", "T1 K1", 13),  # the set
    ],
)
def test_where_nothing_can_be_taken_the_turn_is_scored(by_table, aside, roll, points):
    advice = by_table("martian-dice", aside=aside, roll=roll)
    assert [(o.action, o.exact, o.bust, o.best) for o in advice.options] == [
        ("stop", str(points), float(points == 0), True)
    ]
    assert advice.note == "nothing can be taken: the turn is over and scored as it stands"


@pytest.mark.parametrize(
    ("aside", "points"),
    [("R13", 0), ("H13", 13), ("T13", 0), ("T6 R6 H1", 1), ("T7 R5 H1", 0), ("H5 C4 K4", 16)],
)
def test_with_all_dice_aside_the_turn_is_over(by_table, aside, points):
    advice = by_table("martian-dice", aside=aside)
    assert [(o.action, o.exact) for o in advice.options] == [("stop", str(points))]
    assert advice.note == "all dice are set aside: the turn is over"


def test_the_last_die_taken_is_followed_by_stopping(by_table):
    advice = by_table("martian-dice", aside="R4 H4 C4", roll="K1")
    assert [(o.action, o.then, o.exact) for o in advice.options] == [("chicken", "stop", "12")]


# --- other rules and objectives, solved on the spot


def test_rules_and_objective_together(on_the_spot):
    """--set target=40 --set end=immediate --objective at-least:7."""
    advice = on_the_spot(
        "martian-dice", "at-least:7", aside="R4 H4 C1",
        parameters={"target": "40", "end": "immediate"},
    )  # fmt: skip
    turn = MartianTurn(13, payoff=PAYOFFS["at-least:7"])
    assert {o.action: Fraction(o.exact) for o in advice.options} == {
        "roll": turn.roll("CHHHHRRRR"),
        "stop": 0,
    }
    assert (advice.rules["target"], advice.rules["end"]) == (40, "immediate")
    assert (advice.objective, advice.unit, advice.table) == ("at-least:7", "probability", None)


def test_a_small_race_that_has_no_table(on_the_spot):
    """One die, one point wins at once: the first seat that scores has won."""
    rules = {"dice": 1, "target": 1, "end": "immediate"}
    advice = on_the_spot("martian-dice", parameters=rules, scores=(0, 0), seat=1)
    assert advice.best.value == pytest.approx(2 / 3, abs=1e-12)
    assert advice.exactness.kind == "bounded"
    advice = on_the_spot("martian-dice", parameters=rules, scores=(0, 0), seat=2, roll="H1")
    assert [(o.action, o.then, o.value) for o in advice.options] == [("human", "stop", 1.0)]


def test_pig_is_advised_too(on_the_spot):
    """Neller and Presser 2004: below 20 rolling brings more, at 20 it makes no difference."""
    for total, best in ((19, ["roll"]), (20, ["stop", "roll"]), (21, ["stop"])):
        advice = on_the_spot("pig", "points", total=total)
        check_contract(advice)
        assert [o.action for o in advice.options if o.best] == best
    assert on_the_spot("pig", "points").best.action == "roll"


def test_a_game_of_ones_own_is_advised(on_the_spot):
    """A game without words of its own is told its state."""
    from solver.games import Bank, Choose, Roll

    class Coin:
        name = "coin"

        def start(self):
            return "start"

        def expand(self, state):
            if state == "start":
                return Choose({"keep": ("bank", 1), "toss": "toss"})
            if state == "toss":
                return Roll([(1, ("bank", 0)), (2, ("bank", 3))])
            return Bank(state[1])

    advice = on_the_spot(Coin(), "points")
    assert [(o.action, o.exact, o.bust) for o in advice.options] == [
        ("toss", "2", pytest.approx(1 / 3)),
        ("keep", "1", 0.0),
    ]
    assert on_the_spot(Coin(), state="'toss'").best.exact == "2"
    with pytest.raises(PositionError):
        on_the_spot(Coin(), state="'nowhere'")
    with pytest.raises(NotationError):
        on_the_spot(Coin(), state="((")


# --- one answer through every door


def from_the_command_line(capsys, *words):
    assert run(["advise", "martian-dice", *words, "--tables", str(TABLES), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        (["--aside", "T2 R3 H4", "--roll", "R2 C1 K1"],
         {"aside": {"T": 2, "R": 3, "H": 4}, "roll": {"R": 2, "C": 1, "K": 1}}),
        (["--aside", "2 tanks, 3 death rays, 4 humans"],
         {"aside": {"tank": 2, "death rays": 3, "human": 4}}),
        (["--roll", "K K c C h Tank r R 3T, cow and death-ray"],
         {"roll": {"K": 2, "C": 3, "H": 1, "T": 4, "R": 3}}),
        (["--aside", "T2 R3 H4", "--roll", "R2 C1 K1", "--scores", "12,20", "--seat", "1"],
         {"aside": {"T": 2, "R": 3, "H": 4}, "roll": {"R": 2, "C": 1, "K": 1},
          "scores": [12, 20], "seat": 1}),
        (["--scores", " 30 , 24", "--seat", "2"], {"scores": (30, 24), "seat": 2}),
        (["--aside", "R4 H4 C1", "--set", "target=40", "--set", "end=immediate",
          "--objective", "at-least:7"],
         {"aside": {"R": 4, "H": 4, "C": 1}, "objective": "at-least:7",
          "parameters": {"target": 40, "end": "immediate"}}),
    ],
)  # fmt: skip
def test_every_door_gives_the_same_answer(capsys, words, counts):
    """The command line, Python with text, and Python with counts."""
    shown = from_the_command_line(capsys, *words)
    told = {}
    settings = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name == "--set":
            settings.update([value.split("=")])
        else:
            told[name.removeprefix("--")] = int(value) if name == "--seat" else value
    by_text = solver.advise("martian-dice", tables=TABLES, parameters=settings, **told)
    by_count = solver.advise("martian-dice", tables=str(TABLES), **counts)
    assert json.loads(json.dumps(by_text.as_dict())) == shown
    assert by_count == by_text


def test_a_game_and_its_name_get_the_same_answer(by_table):
    rules = game("martian-dice", target=40, end="immediate")
    assert by_table(rules, **EXAMPLE) == by_table(
        "martian-dice", **EXAMPLE, parameters={"target": 40, "end": "immediate"}
    )


def test_open_tables_and_their_folder_give_the_same_answer():
    with solver.open_tables(TABLES) as tables:
        assert advise("martian-dice", tables=tables, **EXAMPLE) == advise(
            "martian-dice", tables=TABLES, **EXAMPLE
        )


# --- scores that cannot be


def refused(advisor, *parts, **asked):
    with pytest.raises(ShouldIRollError) as caught:
        advisor("martian-dice", **asked)
    for part in parts:
        assert part in str(caught.value)
    assert caught.value.exit_code == 2
    return caught.value


@pytest.mark.parametrize(
    ("scores", "seat", "part"),
    [
        ((25, 3), 1, "seat 1 has not played"),  # over before the round
        ((3, 25), 1, "seat 2 has not played"),
        ((3, 25), 2, "seat 2 has not played"),
        ((30, 30), 2, "seat 2 has not played"),
        ((41, 3), 2, "seat 1 cannot have 41"),  # 24 before, 16 in one turn
        ((-1, 3), 1, "seat 1 has -1 points"),
        ((3, -1), 1, "seat 2 has -1 points"),
        ((3, 3), 0, "no such seat"),
        ((3, 3), 3, "no such seat"),
        ((3, 3), -1, "no such seat"),
    ],
)
def test_scores_of_a_completed_round_are_checked(by_table, scores, seat, part):
    error = refused(by_table, part, scores=scores, seat=seat)
    assert isinstance(error, PositionError)
    assert error.field in ("scores", "seat")


@pytest.mark.parametrize("scores", [(24, 24), (0, 0), (40, 24), (25, 0), (40, 0)])
def test_scores_that_can_be_are_answered(by_table, scores):
    for seat in (1, 2) if max(scores) < 25 else (2,):
        assert by_table("martian-dice", scores=scores, seat=seat).options


@pytest.mark.parametrize(("scores", "seat"), [((3, 2), 2), ((2, 3), 1), ((3, 2), 1), ((30, 1), 2)])
def test_nobody_plays_on_when_the_first_to_arrive_has_won(on_the_spot, scores, seat):
    rules = {"dice": 2, "target": 3, "end": "immediate"}
    refused(
        on_the_spot, "the match is over", "end=immediate",
        scores=scores, seat=seat, parameters=rules,
    )  # fmt: skip
    assert on_the_spot("martian-dice", scores=(2, 2), seat=2, parameters=rules).options


def test_a_round_that_goes_on_is_no_round_that_is_over(on_the_spot):
    """Two dice score 2 at most: from 2 to 4 in a turn, not to 5."""
    rules = {"dice": 2, "target": 3}
    assert on_the_spot("martian-dice", scores=(4, 2), seat=2, parameters=rules).options
    refused(on_the_spot, "cannot have 5", scores=(5, 2), seat=2, parameters=rules)


@pytest.mark.parametrize(
    ("scores", "seat"), [((30, 3), 1), ((-1, 3), 1), ((3, 3), 3), ((99, 3), 2)]
)
def test_scores_that_cannot_be_are_refused_at_once(monkeypatch, scores, seat):
    """Without a table a match takes its time; what is wrong with the question does not."""

    def solve(*_arguments, **_options):
        pytest.fail("the match is solved to find that the question was wrong")

    replace_in_advisor(monkeypatch, solve_score_race, solve)
    refused(Advisor(open_nothing()), scores=scores, seat=seat)


def test_what_the_win_needs(by_table):
    refused(by_table, "--seat is needed", scores=(1, 2))
    refused(by_table, "--scores is needed", objective="win")
    refused(by_table, "--scores is needed", objective="win", seat=1)
    refused(by_table, "--scores", seat=1)
    refused(by_table, "for the win", objective="points", scores=(1, 2), seat=1)
    refused(by_table, "for the win", objective="at-least:3", seat=1)


@pytest.mark.parametrize("scores", ["12", "", ",", "12,", "a,b", "1.5,2", "12;20", "1 2", "1e1,2"])
def test_scores_that_cannot_be_read_are_refused(by_table, scores):
    refused(by_table, "s", scores=scores, seat=1)


@pytest.mark.parametrize("scores", [[1.5, 2], ["x", 2], [None, 2], [[1], 2]])
def test_scores_of_another_type_are_refused(by_table, scores):
    refused(by_table, scores=scores, seat=1)


@pytest.mark.parametrize(("scores", "seat"), [([1, 2], "one"), ([1, 2], 1.5), (12, 1)])
def test_a_seat_that_is_no_whole_number_is_refused(by_table, scores, seat):
    refused(by_table, scores=scores, seat=seat)


# --- questions that cannot be


def test_a_field_that_positions_do_not_have_is_refused(by_table):
    error = refused(by_table, "'total'", "aside, roll", total=3)
    assert isinstance(error, UsageError)


@pytest.mark.parametrize(
    ("objective", "part"),
    [
        ("pionts", "did you mean 'points'"),
        ("at-last:7", "did you mean 'at-least:N'"),
        ("at-least:x", "whole number"),
        ("at-least:-1", "whole number"),
        ("capped:", "whole number"),
        ("", "unknown objective"),
        ({}, "outcome 0"),
        (dict.fromkeys(range(16), 1), "outcome 16"),
        ({points: float("nan") for points in range(17)}, "no finite number"),
        ({points: float("inf") for points in range(17)}, "no finite number"),
        (dict.fromkeys(range(17), "x"), "no finite number"),
    ],
)
def test_objectives_that_are_none_are_refused(on_the_spot, objective, part):
    refused(on_the_spot, part, objective=objective)


@pytest.mark.parametrize(
    ("aside", "roll", "field", "part"),
    [
        ({"T": -1}, None, "aside", "negative"),
        ({"X": 1}, None, "aside", "unknown letter 'X'"),
        ({"T": 1.5}, None, "aside", "cannot be read"),
        ({"T": 10**30}, None, "aside", "only 13"),
        ({"H": 10**60}, None, "aside", "that many dice"),
        ("H14", None, "aside", "14 dice are set aside"),
        ("T3", None, "aside", "only tanks"),
        ("T3", "R10", "aside", "only tanks"),
        ("R9", "R5", "roll", "shows 5 dice, but 4"),
        ("R9", "R3", "roll", "shows 3 dice, but 4"),
        ("R9", "", "roll", "shows 0 dice, but 4"),
        ("R13", "R1", "roll", "nothing to roll"),
    ],
)
def test_positions_that_cannot_be_are_refused(by_table, aside, roll, field, part):
    error = refused(by_table, part, aside=aside, roll=roll)
    assert error.field == field
