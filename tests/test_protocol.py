"""The rules protocol: what an author of a game is told, and what makes a game the one it is."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest

from solver.dice import Die
from solver.errors import GameError, NotationError, TooLargeError, UnknownNameError, UsageError
from solver.games import Bank, Choose, Game, Roll, ScoreRace, check_game, game
from solver.games.martian_dice import MartianDice
from solver.games.pig import Pig
from solver.games.protocol import points_of, race_of, starts_of
from solver.games.readings import End, Tie, describe, rules_of
from solver.games.registry import GAMES


class Written:
    """A game written down as state -> what happens there."""

    name = "written"

    def __init__(self, table, **more):
        self.table = table
        self.__dict__.update(more)

    def start(self):
        return "s"

    def expand(self, state):
        return self.table[state]


def coin(*states):
    return Roll([(1, state) for state in states])


def violation(table, **more):
    with pytest.raises(GameError) as refused:
        check_game(Written(table, **more))
    return str(refused.value)


# --- a sound game


SOUND = {
    "s": Choose({"stop": "two", "left": "l", "right": "r"}),
    "l": coin("shared", "zero"),
    "r": Roll([(3, "shared"), (10**30, "two")]),
    "shared": Choose({"only": "two"}),
    "zero": Bank(0),
    "two": Bank(2),
}


def test_a_sound_game_is_counted():
    """Six states, two decisions, two rolls, 3 + 2 + 2 + 1 edges; a meeting of ways is no loop."""
    report = check_game(Written(SOUND, race=ScoreRace(10)))
    assert (report.states, report.decisions, report.rolls, report.edges) == (6, 2, 2, 8)
    assert report.outcomes == (2, 0)  # as the walk meets them: stop before left


def test_what_is_left_out_is_what_most_games_need():
    written = Written(SOUND)
    assert isinstance(written, Game)
    assert starts_of(written) == {None: "s"}
    assert points_of(written, 7) == 7
    with pytest.raises(GameError, match="names no match"):
        race_of(written)


def test_every_beginning_is_walked():
    two = Written(SOUND, starts=lambda: {"early": "two", "late": "shared"})
    assert starts_of(two) == {"early": "two", "late": "shared"}
    assert check_game(two).states == 2
    broken = Written(SOUND | {"x": coin()}, starts=lambda: {"fine": "two", "broken": "x"})
    with pytest.raises(GameError, match="the roll at 'x' has no branch"):
        check_game(broken)


# --- each violation, named with its state


@pytest.mark.parametrize(
    "weight", [0, -1, 1.0, 0.5, True, "1", None, Fraction(1, 2), np.int64(1)], ids=repr
)
def test_a_weight_that_is_no_positive_whole_number_is_named(weight):
    said = violation(SOUND | {"l": Roll([(1, "zero"), (weight, "two")])})
    assert f"the roll at 'l' leads to 'two' with weight {weight!r}" in said
    assert "rule: weights are positive whole numbers" in said


def test_a_roll_without_a_branch_is_named():
    assert "the roll at 'r' has no branch" in violation(SOUND | {"r": Roll([])})


def test_a_decision_without_an_action_is_named():
    said = violation(SOUND | {"shared": Choose({})})
    assert "the player has no action at 'shared'" in said
    assert "a turn that is over is a Bank" in said


@pytest.mark.parametrize(
    ("table", "back", "origin"),
    [
        ({"s": Choose({"again": "s"})}, "s", "s"),  # a self loop by choice
        ({"s": coin("s", "zero")}, "s", "s"),  # and by chance
        ({"s": coin("a", "zero"), "a": Choose({"x": "zero", "y": "s"})}, "s", "a"),
        (
            {"s": coin("a", "b"), "a": coin("b", "zero"), "b": coin("c", "a"), "c": Bank(1)},
            "a",
            "b",
        ),
    ],
)
def test_a_turn_that_can_come_back_to_a_state_is_named(table, back, origin):
    said = violation({"zero": Bank(0), **table})
    assert f"the turn need not end: {back!r} is reached again from {origin!r}" in said
    assert "rule: a turn is over after finitely many steps" in said


def test_a_loop_longer_than_the_recursion_limit_is_found():
    table = {"s": coin(0, "end"), "end": Bank(0)}
    table |= {i: coin(i + 1, "end") for i in range(5000)} | {5000: coin(17, "end")}
    assert "17 is reached again from 5000" in violation(table)


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ({"s": Choose({"a": ["x"]})}, "['x']"),
        ({"s": Roll([(1, {"x": 1})])}, "{'x': 1}"),
        ({"s": Bank([3])}, "[3]"),
        ({"s": Choose({"a": ("x", [])})}, "('x', [])"),  # a tuple is as hashable as its parts
    ],
)
def test_a_state_or_outcome_that_cannot_be_hashed_is_named(table, value):
    said = violation(table)
    assert f"{value} after 's' cannot be a state or outcome" in said
    assert "try: use tuples" in said


def test_a_beginning_that_cannot_be_hashed_is_named():
    said = violation(SOUND, starts=lambda: {"odd": [1]})
    assert "[1] after None cannot be a state" in said


class Raising(Written):
    """Rules with a mistake in them."""

    def expand(self, state):
        return 1 // 0 if state == "shared" else self.table[state]


def test_rules_that_raise_are_named_with_the_error():
    with pytest.raises(GameError, match=r"expand\('shared'\) raised ZeroDivisionError") as refused:
        check_game(Raising(SOUND))
    assert isinstance(refused.value.__cause__, ZeroDivisionError)


def test_a_state_that_the_rules_forgot_is_named():
    assert "expand('gone') raised KeyError: 'gone'" in violation({"s": coin("gone", "x")})


@pytest.mark.parametrize("rubbish", [None, 0, "bank", ("bank", 3), Bank, {"roll": "s"}], ids=repr)
def test_an_expansion_that_is_none_of_the_three_kinds_is_named(rubbish):
    said = violation(SOUND | {"l": rubbish})
    assert f"expand('l') returned {rubbish!r}" in said
    assert "Bank(outcome), Choose({action: state}) or Roll([(weight, state)])" in said


@pytest.mark.parametrize("outcome", ["win", (3,), None, 1.0, True, -1, np.int64(3)], ids=repr)
def test_an_outcome_that_is_no_number_of_points_is_named(outcome):
    said = violation(SOUND | {"zero": Bank(outcome)})
    assert f"the outcome {outcome!r} is worth {outcome!r} points" in said
    assert "points(outcome)" in said


@pytest.mark.parametrize("worth", [None, -3, 2.5, False, "2"], ids=repr)
def test_points_that_are_no_points_are_named(worth):
    said = violation({"s": Bank("win")}, points=lambda _outcome: worth)
    assert f"the outcome 'win' is worth {worth!r} points" in said


def test_outcomes_may_be_anything_if_they_have_points():
    table = {"s": coin("a", "b"), "a": Bank(("escaped", 3)), "b": Bank(None)}
    report = check_game(Written(table, points=lambda outcome: outcome[1] if outcome else 0))
    assert report.outcomes == (("escaped", 3), None)


def test_a_race_that_nobody_can_move_is_named():
    said = violation({"s": coin("zero", "zero"), "zero": Bank(0)}, race=ScoreRace(5))
    assert "no turn scores" in said


@pytest.mark.parametrize("target", [0, -1])
def test_a_race_that_is_over_at_the_start_is_named(target):
    assert f"the target {target} is reached at the start" in violation(
        SOUND, race=ScoreRace(target)
    )


@pytest.mark.parametrize("name", ["", None, 7])
def test_a_game_without_a_name_is_refused(name):
    with pytest.raises(GameError, match="needs a name"):
        check_game(Written(SOUND, name=name))


class Endless:
    """A turn that never comes back and never ends."""

    name = "endless"

    def start(self):
        return 0

    def expand(self, state):
        return Roll([(1, state + 1), (1, -1)]) if state >= 0 else Bank(0)


def test_a_turn_with_too_many_states_is_given_up():
    with pytest.raises(TooLargeError, match="endless: a turn has more than 500 states"):
        check_game(Endless(), max_states=500)


def test_the_limit_itself_is_allowed():
    assert check_game(Written(SOUND), max_states=6).states == 6
    with pytest.raises(TooLargeError, match="more than 5 states"):
        check_game(Written(SOUND), max_states=5)


# --- the first of several


def test_the_first_violation_on_the_way_is_the_one_named():
    """Rules are walked action by action, branch by branch, each to its end before the next."""
    broken = {"a": Roll([]), "b": Choose({}), "c": coin("broken", "x"), "broken": Bank([])}
    for order in ("abc", "acb", "bac", "bca", "cab", "cba"):
        first = {
            "a": "the roll at 'a' has no branch",
            "b": "the player has no action at 'b'",
            "c": "[] after 'broken' cannot be",
        }[order[0]]
        assert first in violation({"s": coin(*order), **broken})
        assert first in violation({"s": Choose({letter: letter for letter in order}), **broken})


def test_of_several_branches_the_first_bad_one_is_named():
    said = violation({"s": Roll([(1, "a"), (0, "b"), (-1, "c")])})
    assert "leads to 'b' with weight 0" in said


# --- promises that are not kept yet


def test_an_outcome_without_points_is_named_with_its_state():
    assert "'zero'" in violation(SOUND | {"zero": Bank("win")})


def test_points_that_raise_are_named():
    assert "'win'" in violation({"s": Bank("win")}, points={}.__getitem__)


class NoStart(Written):
    """Rules that cannot say where a turn begins."""

    def start(self):
        raise ValueError("no start")


def test_a_beginning_that_raises_is_named():
    with pytest.raises(GameError, match="no start"):
        check_game(NoStart(SOUND))


def test_a_game_without_a_beginning_is_refused():
    assert violation(SOUND, starts=dict)


def test_branches_that_can_be_read_only_once_are_read_or_refused():
    once = Roll((1, state) for state in ("zero", "two"))
    try:
        edges = check_game(Written(SOUND | {"s": once})).edges
    except GameError:
        edges = 2
    assert edges == 2


@pytest.mark.parametrize(
    "rubbish", [Roll([3]), Roll([(1,)]), Roll(3), Choose(["zero"]), Choose("zero")], ids=repr
)
def test_rubbish_inside_an_expansion_is_named(rubbish):
    """The checker reports every mistake of an author as a mistake of the rules, with its state."""
    assert "'l'" in violation(SOUND | {"l": rubbish})


# --- the games that are here


def martian_outcomes(dice, *, bonus=3, head=1):
    """Bust, 1 to all dice as heads, and the bonus on three heads or more."""
    heads = {heads * head for heads in range(1, dice + 1)}
    return {0} | heads | {heads * head + bonus for heads in range(3, dice + 1)}


@pytest.mark.parametrize(
    ("parameters", "outcomes"),
    [
        ({"dice": 1}, {0, 1}),
        ({"dice": 3}, martian_outcomes(3)),
        ({"dice": 6}, martian_outcomes(6)),
        ({"dice": 5, "bonus": 10, "head": 2}, martian_outcomes(5, bonus=10, head=2)),
        ({"dice": 4, "faces": "T1 R1 H2 C1 K3"}, martian_outcomes(4)),
        ({"dice": 4, "faces": "T1 R2 H1 C1"}, {0, 1, 2, 3, 4}),  # no chicken, no bonus
        ({"dice": 3, "faces": "R1 H1 C1 K1"}, martian_outcomes(3)),  # rays alone score nothing
        ({"dice": 2, "faces": "H1", "tie": "shared"}, {2}),  # all humans, all at once
        ({"dice": 4, "end": "immediate", "tie": "shared", "target": 40}, martian_outcomes(4)),
    ],
)
def test_martian_dice_keeps_the_protocol(parameters, outcomes):
    assert set(check_game(game("martian-dice", **parameters)).outcomes) == outcomes


def test_the_official_game_keeps_the_protocol():
    """0 to 13 heads, and 3 more from three heads on: 17 outcomes."""
    report = check_game(game("martian-dice"))
    assert set(report.outcomes) == set(range(17)) == martian_outcomes(13)


@pytest.mark.parametrize(
    ("parameters", "outcomes"),
    [
        ({}, {0, *range(2, 101)}),  # every total but 1
        ({"target": 1}, {0, 1}),  # cut at the target
        ({"target": 4, "die": "d2"}, {0, 2, 4}),
        ({"target": 9, "die": "1:1 4:3"}, {0, 4, 8, 9}),
        ({"target": 30, "end": "round", "tie": "duel"}, {0, *range(2, 31)}),
    ],
)
def test_pig_keeps_the_protocol(parameters, outcomes):
    assert set(check_game(game("pig", **parameters)).outcomes) == outcomes


def test_pig_with_a_face_that_adds_nothing_need_not_end():
    with pytest.raises(GameError, match=r"the turn need not end: \('roll', 0\) is reached again"):
        check_game(game("pig", die="0:1 1:1 2:1"))


# --- parameters and readings


def test_the_official_rules_are_the_default():
    """The rule sheet's numbers and the chosen reading of each open question."""
    assert rules_of(game("martian-dice")) == {
        "dice": 13,
        "faces": "T1 R2 H1 C1 K1",
        "bonus": 3,
        "head": 1,
        "take": "forced",
        "no-take": "scored",
        "target": 25,
        "end": "round",
        "tie": "duel",
        "duel-dice": 6,
    }
    assert rules_of(game("pig")) == {
        "die": "1:1 2:1 3:1 4:1 5:1 6:1",
        "target": 100,
        "end": "immediate",
        "tie": "shared",
    }


def test_the_race_follows_the_readings():
    assert race_of(game("martian-dice")) == ScoreRace(25, End.ROUND, Tie.DUEL)
    changed = game("martian-dice", target=40, end="immediate", tie="shared")
    assert race_of(changed) == ScoreRace(40, End.IMMEDIATE, Tie.SHARED)
    assert race_of(game("pig")) == ScoreRace(100, End.IMMEDIATE, Tie.SHARED)


CHANGES = {
    "martian-dice": {
        "dice": 12,
        "faces": "T1 R2 H1 C1 K2",
        "bonus": 4,
        "head": 2,
        "target": 26,
        "end": "immediate",
        "tie": "shared",
        "duel-dice": 5,
    },
    "pig": {"die": "d8", "target": 99, "end": "round", "tie": "duel"},
}


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, p) for name, changes in CHANGES.items() for p in changes]
)
def test_a_changed_parameter_is_another_game(name, parameter):
    """And nothing but that parameter changes: a table never answers for other rules."""
    value = CHANGES[name][parameter]
    official, changed = rules_of(game(name)), rules_of(game(name, **{parameter: value}))
    assert [p for p in official if official[p] != changed[p]] == [parameter]
    assert game(name) != game(name, **{parameter: value})
    assert list(changed) == list(official)


def test_every_parameter_with_more_than_one_value_is_tried_above():
    single = {"take", "no-take"}  # readings that leave no choice so far
    for name, changes in CHANGES.items():
        assert set(rules_of(game(name))) - single == set(changes)


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("martian-dice", {"target", "end", "tie", "duel-dice"}),
        ("pig", {"end", "tie"}),  # a turn total is cut at the target
    ],
)
def test_turn_and_match_rules_are_told_apart(name, match):
    rules = game(name)
    assert set(rules_of(rules, scope="match")) == match
    assert rules_of(rules) == rules_of(rules, scope="turn") | rules_of(rules, scope="match")
    assert not set(rules_of(rules, scope="turn")) & match


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"dice": 7}, {"dice": "7"}),
        ({"dice": 7}, {"dice": " 7 "}),
        ({"duel_dice": 3}, {"duel-dice": "3"}),
        ({"end": End.IMMEDIATE}, {"end": "immediate"}),
        ({"tie": Tie.SHARED}, {"tie": "shared"}),
        (
            {"faces": Die.of({"T": 2, "R": 1, "H": 0, "C": 1, "K": 0})},
            {"faces": "2 tanks, C, 1 ray"},
        ),
    ],
)
def test_values_and_their_texts_make_the_same_game(given, text):
    assert game("martian-dice", **given) == game("martian-dice", **text)
    assert hash(game("martian-dice", **given)) == hash(game("martian-dice", **text))


def test_dice_of_pig_are_written_in_two_ways():
    assert game("pig", die="d3") == game("pig", die="1:1 2:1 3:1") == game("pig", die="1,2,3")
    assert game("pig", die="D3") == game("pig", die="1 2: 3:1") != game("pig", die="1 2 3:2")


@pytest.mark.parametrize(
    ("name", "parameter", "low", "high"),
    [
        ("martian-dice", "dice", 1, 60),
        ("martian-dice", "bonus", 0, 1000),
        ("martian-dice", "head", 1, 1000),
        ("martian-dice", "target", 1, 100_000),
        ("martian-dice", "duel-dice", 1, 60),
        ("pig", "target", 1, 100_000),
    ],
)
def test_a_number_outside_its_limits_is_refused(name, parameter, low, high):
    for value in (low, high):
        assert rules_of(game(name, **{parameter: value}))[parameter] == value
    for value in (low - 1, high + 1, -(10**30), 10**30):
        with pytest.raises(UsageError) as refused:
            game(name, **{parameter: value})
        assert f"{parameter}={value} is out of range" in str(refused.value)
        assert f"from {low} to {high}" in str(refused.value)
        assert refused.value.field == parameter


@pytest.mark.parametrize("value", ["thirteen", "", "1.5", 13.0, True, None, "1e3", [13]], ids=repr)
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(NotationError, match="dice takes a whole number"):
        game("martian-dice", dice=value)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("martian-dise", {}, ["unknown game 'martian-dise'", "did you mean 'martian-dice'?"]),
        ("Pig", {}, ["unknown game 'Pig'", "did you mean 'pig'?", f"games: {', '.join(GAMES)}"]),
        ("pig", {"targte": 3}, ["unknown parameter 'targte'", "did you mean 'target'?"]),
        ("martian-dice", {"dual_dice": 3}, ["'dual_dice'", "did you mean 'duel-dice'?"]),
        ("martian-dice", {"end": "rounds"}, ["unknown reading of end 'rounds'", "'round'?"]),
        ("martian-dice", {"tie": "share"}, ["unknown reading of tie 'share'", "'shared'?"]),
        ("martian-dice", {"take": "free"}, ["unknown reading of take 'free'", "forced"]),
        ("martian-dice", {"end": Tie.SHARED}, ["unknown reading of end 'shared'", "immediate"]),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(name, parameters, said):
    with pytest.raises(UnknownNameError) as refused:
        game(name, **parameters)
    for part in said:
        assert part in str(refused.value)


def test_names_that_are_far_from_all_are_not_guessed():
    with pytest.raises(UnknownNameError) as refused:
        game("backgammon")
    assert "did you mean" not in str(refused.value)
    assert f"games: {', '.join(GAMES)}" in str(refused.value)


@pytest.mark.parametrize("faces", ["T1 H1", "R1", "R2 T0"])
def test_a_duel_that_no_die_decides_is_refused(faces):
    """Nobody, or everybody, rolls the more death rays; a shared tie needs no duel."""
    with pytest.raises(UsageError, match="no duel could ever be decided"):
        game("martian-dice", faces=faces)
    assert rules_of(game("martian-dice", faces=faces, tie="shared"))["tie"] == "shared"


@pytest.mark.parametrize("die", ["2:1 3:1", "1:0 2:1", "1:1", "1:5 0:1", "d1"])
def test_pig_needs_a_die_that_can_lose_and_gain(die):
    with pytest.raises(UsageError, match="a 1 and with a face above 1"):
        game("pig", die=die)


@pytest.mark.parametrize(
    ("die", "at"), [("d", 0), ("dx", 0), ("1:1 2:x", 4), ("1:1, -2:1", 5), ("1 2 3 six", 6)]
)
def test_a_die_that_cannot_be_read_has_a_caret(die, at):
    with pytest.raises(NotationError) as refused:
        game("pig", die=die)
    assert (refused.value.text, refused.value.at) == (die, at)


def test_games_are_values():
    assert len({MartianDice(), game("martian-dice"), MartianDice(dice=12), Pig(), Pig()}) == 3
    with pytest.raises(FrozenInstanceError):
        game("pig").target = 3


def test_help_names_every_parameter_with_its_default():
    for kind in (MartianDice, Pig):
        texts = describe(kind)
        for parameter, value in rules_of(kind()).items():
            assert f"(default {value})" in texts[parameter]
    assert "round|immediate" in describe(MartianDice)["end"]


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [(MartianDice, {"dice": 0}), (MartianDice, {"target": 0}), (Pig, {"target": -1})],
)
def test_limits_hold_for_games_made_from_their_class(kind, parameters):
    with pytest.raises(UsageError):
        kind(**parameters)


@pytest.mark.parametrize("die", ["d²", "1:² 2:1", "1 2 ³"])
def test_digits_that_are_no_numbers_are_refused(die):
    with pytest.raises(NotationError):
        game("pig", die=die)
