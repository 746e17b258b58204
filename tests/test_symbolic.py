"""Symbolic values are the rational ones, whatever the parameter; flips are where they say."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.apps.cli.main import run
from solver.apps.cli.what_if import example_of
from solver.dice import Die
from solver.errors import NotationError, PositionError, ShouldIRollError, UsageError
from solver.games.martian_dice import MartianDice
from solver.games.pig import Pig
from solver.games.readings import parameters_of
from solver.games.registry import GAMES, game_class
from solver.turn import evaluate_policy
from solver.turn.flips import decision, flips
from solver.turn.parametric import OtherTurnError, parametric_turn
from solver.turn.point_values import evaluate_at, solve_at
from solver.turn.symbolic import optimal_range, symbolic_value

SMALL = MartianDice(dice=5)
KINDS = ("bonus", "head", "faces.T", "faces.R", "faces.H")
TURNS = {name: parametric_turn(SMALL, name) for name in KINDS}


def face_at(game, face, chance):
    """The game with a face of this chance, the others in proportion, as integer weights."""
    others = sum(w for f, w in game.faces if f != face)
    weights = {
        f: chance.numerator * others if f == face else w * (chance.denominator - chance.numerator)
        for f, w in game.faces
    }
    return MartianDice(dice=game.dice, faces=Die.of(weights))


def mean(game, choose):
    return sum((points * p for points, p in evaluate_policy(game, choose).items()), Fraction(0))


def by_state(turn, values):
    """A policy on states from one on nodes."""

    def choose(state, actions):
        known = turn.actions[state]
        same = len(set(known.values())) == 1
        node = turn.node_of[state]
        return next(a for a in actions if same or known[a] == values.chosen[node])

    return choose


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 60), st.integers(1, 60))
def test_the_polynomial_is_the_rational_value_at_random_points(name, a, b):
    turn = TURNS[name]
    chosen = solve_at(turn, turn.nominal).chosen
    x = Fraction(a, a + b) if turn.kind == "face" else Fraction(a, b) + turn.low
    value = symbolic_value(turn, chosen)
    assert value.at(x) == evaluate_at(turn, x, chosen).value[turn.root]


@pytest.mark.parametrize("chance", [Fraction(1, 7), Fraction(1, 6), Fraction(2, 9)])
@pytest.mark.parametrize("face", ["T", "R"])
def test_the_polynomial_is_what_the_rules_bring_with_other_dice(face, chance):
    """The witness walks the rules of a game with those very dice: nothing here is shared."""
    turn = TURNS[f"faces.{face}"]
    values = solve_at(turn, turn.nominal)
    value = symbolic_value(turn, values.chosen)
    assert value.at(chance) == mean(face_at(SMALL, face, chance), by_state(turn, values))


@pytest.mark.parametrize("bonus", [0, 2, 7])
def test_the_line_is_what_the_rules_bring_with_another_bonus(bonus):
    turn = TURNS["bonus"]
    values = solve_at(turn, turn.nominal)
    value = symbolic_value(turn, values.chosen)
    assert value.degree == 1
    assert value.at(bonus) == mean(MartianDice(dice=5, bonus=bonus), by_state(turn, values))


@pytest.mark.parametrize("name", KINDS)
def test_best_play_at_the_official_value_is_the_solver_s(name):
    turn = TURNS[name]
    best = solver.solve_turn(SMALL, "points", exact=True)
    assert solve_at(turn, turn.nominal).value[turn.root] == best.exact


def test_best_play_elsewhere_is_the_solver_s():
    assert solve_at(TURNS["bonus"], Fraction(6)).value[TURNS["bonus"].root] == (
        solver.solve_turn(MartianDice(dice=5, bonus=6), exact=True).exact
    )
    turn = TURNS["faces.H"]
    other = face_at(SMALL, "H", Fraction(1, 4))
    assert (
        solve_at(turn, Fraction(1, 4)).value[turn.root]
        == solver.solve_turn(other, exact=True).exact
    )


def rolled_by_hand(aside, dice, bonus):
    """What best play is worth with these dice to roll, every ordered roll counted."""
    total = Fraction(0)
    for roll in itertools.product("TRRHCK", repeat=dice):
        tanks = aside["T"] + roll.count("T")
        left = dice - roll.count("T")
        kinds = ["R", *(kind for kind in "HCK" if not aside[kind])]
        after = [
            ({**aside, "T": tanks, kind: aside[kind] + roll.count(kind)}, left - roll.count(kind))
            for kind in kinds
            if kind in roll
        ]
        if not after:
            total += score_by_hand({**aside, "T": tanks}, bonus)
        else:
            total += max(
                max(score_by_hand(a, bonus), rolled_by_hand(a, n, bonus) if n else 0)
                for a, n in after
            )
    return total / 6**dice


def score_by_hand(aside, bonus):
    heads = [aside[kind] for kind in "HCK"]
    return 0 if aside["T"] > aside["R"] else sum(heads) + (bonus if all(heads) else 0)


def test_zax_stops_rightly_below_a_bonus_of_71_31():
    """Two dice left with T3 R3 H4 K1; the witness counts every roll."""
    zax = {"T": 3, "R": 3, "H": 4, "C": 0, "K": 1}
    assert rolled_by_hand(zax, 2, Fraction(71, 31)) == 5
    turn = parametric_turn(MartianDice(), "bonus")
    state = turn.game.read_position("T3 R3 H4 K1").state
    (flip,) = flips(turn, decision(turn, state), Fraction(0), Fraction(6), steps=3)
    assert (flip.below, flip.above, flip.exact) == ("stop", "roll", Fraction(71, 31))
    for x, best in (
        (Fraction(71, 31) - Fraction(1, 10**6), "stop"),
        (Fraction(71, 31) + Fraction(1, 10**6), "roll"),
    ):
        values = solve_at(turn, x).value
        options = decision(turn, state)
        assert max(options, key=lambda action: values[options[action]]) == best
    low, high = optimal_range(turn, solve_at(turn, turn.nominal))
    assert (low, high) == (Fraction(66809, 22279), 3)


def test_pig_flips_at_twenty_where_the_die_is_fair():
    """Hold at 20 is a tie with a fair die: 20 (1 - p) + 4 (1 - p) = 20 at p = 1/6."""
    turn = parametric_turn(Pig(target=30), "die.1")
    (flip,) = flips(turn, decision(turn, ("total", 20)), Fraction(1, 10), Fraction(1, 4), steps=5)
    assert flip.below == "roll"
    assert flip.above == "stop"
    assert flip.low <= Fraction(1, 6) <= flip.high
    assert flip.high - flip.low < Fraction(1, 10**9)


def test_a_root_is_bracketed_between_two_best_plays():
    turn = TURNS["faces.T"]
    state = SMALL.read_position("T1 R1 H1").state
    for flip in flips(turn, decision(turn, state), Fraction(1, 50), Fraction(1, 2), steps=8):
        sides = [solve_at(turn, x).value for x in (flip.low, flip.high)]
        options = decision(turn, state)
        gaps = [v[options[flip.below]] - v[options[flip.above]] for v in sides]
        assert gaps[0] >= 0 >= gaps[1]
        assert flip.difference.at(flip.low) == gaps[0]


def test_the_optimal_range_ends_where_best_play_changes():
    turn = TURNS["bonus"]
    today = solve_at(turn, Fraction(2))
    low, high = optimal_range(turn, today)

    def still(x):
        kept = evaluate_at(turn, x, today.chosen).value
        return kept == solve_at(turn, x).value

    assert still((max(low or 0, 0) + (high or 1000)) / 2)
    for end, beyond in ((low, Fraction(-1, 1000)), (high, Fraction(1, 1000))):
        if end is not None:
            assert still(end)
            assert not still(end + beyond)


def test_what_is_no_polynomial_is_refused():
    for name, what in (
        ("dice", "changes the turn itself"),
        ("bonsu", "unknown parameter"),
        ("faces.Q", "unknown face"),
        ("take", "no number"),
        ("bonus.T", "no die"),
    ):
        with pytest.raises(ShouldIRollError, match=what):
            parametric_turn(SMALL, name)
    with pytest.raises(PositionError):
        decision(TURNS["bonus"], SMALL.start())
    with pytest.raises(UsageError):
        solve_at(TURNS["faces.T"], Fraction(3, 2))
    with pytest.raises(UsageError, match="empty"):
        flips(TURNS["bonus"], {}, Fraction(1), Fraction(1))


# --- the command


def test_a_parameter_that_takes_only_some_numbers_is_solved_value_by_value(capsys):
    """Farkle's points are multiples of fifty, so that no polynomial can be probed."""
    with pytest.raises(OtherTurnError, match="multiple of 50"):
        parametric_turn(solver.game("farkle"), "straight")
    assert run(["what-if", "farkle", "--vary", "straight=0..100"]) == 2
    assert "at most 60 apart unless --steps is told" in capsys.readouterr().err
    assert run(["what-if", "threes", "--vary", "dice=1..3", "--steps", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["exact"] for row in found["values"]] == [
        str(solver.solve_turn(solver.game("threes", dice=n), exact=True).exact) for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_example_of_each_game_is_one_of_its_parameters(name):
    example = example_of(game_class(name))
    field = example.partition("=")[0].partition(".")[0]
    assert field in parameters_of(game_class(name))


def test_the_command_shows_the_table_and_the_flip(capsys):
    line = ["what-if", "martian-dice", "--set", "dice=5", "--vary", "bonus=0..6"]
    assert run([*line, "--aside", "T1 R1 H1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["x"] for row in found["values"]] == [str(x) for x in range(7)]
    for row in found["values"]:
        game = MartianDice(dice=5, bonus=int(row["x"]))
        assert Fraction(row["exact"]) == solver.solve_turn(game, exact=True).exact
        assert row["same_play"] <= row["value"] + 1e-12
    constant, slope = map(Fraction, found["same_play"]["coefficients"])
    assert constant + 3 * slope == Fraction(found["values"][3]["exact"])
    assert found["values"][3]["first_rolls_changed"] == 0.0
    assert run(line) == 0
    assert "is worth exactly a + b x" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("aside", ["T1 R2 H1 C1 K1", "T1 R1 H1", ""])
def test_best_at_a_position_is_the_advice_with_that_bonus(aside, capsys):
    """Also with all three species, where stopping itself is worth the bonus."""
    told = ["--aside", aside] if aside else ["--roll", "T1 R2 H3 C2"]
    line = ["what-if", "martian-dice", "--set", "dice=8", "--vary", "bonus=0..4", *told, "--json"]
    assert run(line) == 0
    for row in json.loads(capsys.readouterr().out)["values"]:
        position = {told[0].removeprefix("--"): told[1]}
        rules = {"dice": 8, "bonus": row["x"]}
        advice = solver.advise("martian-dice", parameters=rules, **position)
        assert set(row["best"]) == {o.action for o in advice.options if o.best}
        for option in advice.options:
            assert row["options"][option.action] == pytest.approx(option.value, abs=1e-12)


def test_other_numbers_are_solved_one_by_one(capsys):
    assert run(["what-if", "alien-crew", "--vary", "throws=1..2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["values"]
    assert [row["exact"] for row in rows] == ["155/162", "12922999/5038848"]


@pytest.mark.parametrize(
    ("vary", "at"), [("bonus", 5), ("bonus=0", 7), ("bonus=0..x", 9), ("bonus=6..0", 6)]
)
def test_a_range_that_cannot_be_read_has_a_caret(vary, at):
    from solver.apps.cli.what_if import read_range

    with pytest.raises(NotationError) as caught:
        read_range(vary)
    assert caught.value.at == at
