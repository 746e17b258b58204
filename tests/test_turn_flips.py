"""Where decisions flip, by hand: turns with an open parameter that are written down as such."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import pytest

from solver.dice import Die
from solver.errors import PositionError, UsageError
from solver.games.pig import Pig
from solver.games.protocol import Bank, Choose, Roll
from solver.games.readings import parameter
from solver.turn.flips import _best, _root, _same_play, decision, flips
from solver.turn.parametric import OtherTurnError, ParametricTurn, parametric_turn
from solver.turn.point_values import evaluate_at, solve_at
from solver.turn.solve import solve_turn
from solver.turn.symbolic import SymbolicValue, optimal_range, symbolic_value

sympy = pytest.importorskip("sympy")


def lines():
    """Return a turn of three outcomes 6 - x, 3 and x - 3, a choice and a roll among them.

    The best is the first up to 3, the last from 6 on. A fair coin between the first and the last
    is worth 3/2 everywhere.
    """
    outcomes = ((6, -1), (3, 0), (-3, 1))
    options = ((), (), (), (0, 1, 2), (), (1, 4))
    branches = ((), (), (), (), ((0, ((0, 1),)), (2, ((0, 1),))), ())
    return ParametricTurn(
        None, "x", "payoff", Fraction(4), Fraction(0), Fraction(9), outcomes, options, branches,
        (0,) * 6, 1, {}, {"choice": {"falling": 0, "level": 1, "rising": 2}}, 5,
    )  # fmt: skip


def chances():
    """Return a turn of dice with an open chance p of a face, the others' weights summing to 5.

    One die: ten points with chance p. Two dice: ten points if both show it, and five if neither.
    """
    outcomes = ((0, 0), (2, 0), (5, 0), (10, 0))
    one = ((0, ((0, 5),)), (3, ((1, 1),)))
    two = ((0, ((1, 10),)), (2, ((0, 25),)), (3, ((2, 1),)))
    options = ((), (), (), (), (), (), (1, 4))
    branches = ((), (), (), (), one, two, ())
    return ParametricTurn(
        None, "die.1", "face", Fraction(1, 6), Fraction(0), Fraction(1), outcomes, options,
        branches, (0, 0, 0, 0, 1, 2, 0), 5, {}, {}, 6,
    )  # fmt: skip


LINES = {"falling": 0, "level": 1, "rising": 2}


@pytest.mark.parametrize(
    ("low", "high", "steps"), [(0, 9, 12), (1, 9, 4), (1, 9, 3), (2, 8, 2), (Fraction(5, 2), 9, 5)]
)
def test_the_best_of_three_lines_flips_twice(low, high, steps):
    """Also where a cut of the range falls on a flip: there the first in canonical order is best."""
    told = []
    found = flips(
        lines(), LINES, Fraction(low), Fraction(high), steps=steps,
        progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert told == [(i, steps) for i in range(1, steps + 1)]
    assert [(f.below, f.above, f.exact, f.low, f.high, f.value) for f in found] == [
        ("falling", "level", 3, 3, 3, 3.0),
        ("level", "rising", 6, 6, 6, 6.0),
    ]
    assert found[0].difference.coefficients() == ["3", "-1"]
    assert found[1].difference.coefficients() == ["6", "-1"]


def test_one_part_of_the_range_can_hold_two_flips():
    """The first and the last option cross at 9/2, where the one between is better than both."""
    found = flips(lines(), LINES, Fraction(0), Fraction(9), steps=1)
    assert [f.exact for f in found] == [3, 6]


@pytest.mark.parametrize(
    ("low", "high"), [(5, 5), (6, 5), (-1, 5), (1, 10), (Fraction(-1, 9), 9), (0, Fraction(82, 9))]
)
def test_a_range_that_is_empty_or_not_allowed_is_refused(low, high):
    with pytest.raises(UsageError, match="empty" if low >= high else "out of range"):
        flips(lines(), LINES, Fraction(low), Fraction(high), steps=1)


def test_a_range_without_a_flip_has_none():
    assert flips(lines(), LINES, Fraction(7), Fraction(9)) == []
    assert flips(lines(), {"level": 1, "coin": 4}, Fraction(0), Fraction(9)) == []


def test_options_that_are_equal_are_no_flip():
    assert flips(lines(), {"level": 1, "same": 3}, Fraction(4), Fraction(5)) == []
    assert _best(solve_at(lines(), Fraction(3)), LINES) == "falling"
    assert _best(solve_at(lines(), Fraction(6)), LINES) == "level"


def test_chances_of_one_and_two_dice_flip_where_their_polynomials_cross():
    """10 p is more than 2 from p = 1/5 on: that is rational, and found so."""
    (flip,) = flips(chances(), {"two": 1, "roll": 4}, Fraction(0), Fraction(1), steps=7)
    assert (flip.below, flip.above, flip.exact) == ("two", "roll", Fraction(1, 5))


def test_a_square_root_is_bracketed():
    """Two dice bring 10 p^2 + 5 (1 - p)^2; against 2 that never flips, against 10 p once.

    15 p^2 - 20 p + 5 = 0 at 1/3 (and at 1); against 5 points 15 p^2 - 10 p = 0 at 2/3.
    """
    third = flips(chances(), {"one": 4, "two": 5}, Fraction(1, 100), Fraction(9, 10), steps=3)
    assert [(f.below, f.above) for f in third] == [("two", "one")]
    assert third[0].low <= Fraction(1, 3) <= third[0].high
    (half,) = flips(chances(), {"two": 5, "five": 2}, Fraction(1, 10), Fraction(9, 10), steps=3)[:1]
    assert (half.below, half.above) == ("five", "two")
    assert half.low <= Fraction(2, 3) <= half.high
    for flip in (*third, half):
        assert flip.high - flip.low <= Fraction(1, 2**40)


def test_values_are_the_polynomials_of_their_dice():
    turn = chances()
    chosen = (-1,) * 6 + (4,)
    one, two = (symbolic_value(turn, chosen, node) for node in (4, 5))
    assert one.coefficients() == ["0", "10"]
    assert two.coefficients() == ["5", "-10", "15"]
    assert symbolic_value(turn, chosen).coefficients() == ["0", "10"]
    assert symbolic_value(turn, (-1,) * 6 + (1,)).coefficients() == ["2"]
    assert [v.degree for v in (one, two)] == [1, 2]
    for x in (Fraction(0), Fraction(1, 6), Fraction(3, 7), Fraction(1)):
        found = solve_at(turn, x)
        assert found.value[4] == 10 * x == one.at(x)
        assert found.value[5] == 10 * x**2 + 5 * (1 - x) ** 2 == two.at(x)
        assert found.value[6] == max(2, 10 * x)
        assert found.chosen[6] == (4 if 10 * x > 2 else 1)
        assert evaluate_at(turn, x, chosen).value[6] == 10 * x
    weigh = turn.weights(Fraction(1, 6))
    assert weigh(2, ((0, 25),)) * 36 == 25 * weigh(2, ((0, 36),))
    assert weigh(1, ((1, 1),)) + weigh(1, ((0, 5),)) == 5 * 6
    assert weigh(2, ((2, 1),)) + weigh(2, ((1, 10),)) + weigh(2, ((0, 25),)) == 30**2


def test_lines_are_the_polynomials_of_their_points():
    turn = lines()
    found = [symbolic_value(turn, (-1, -1, -1, 2, -1, 4), n).coefficients() for n in range(6)]
    assert found == [["6", "-1"], ["3"], ["-3", "1"], ["-3", "1"], ["3/2"], ["3/2"]]
    at = solve_at(turn, Fraction(7))
    assert at.value == (-1, 3, 4, 4, Fraction(3, 2), 3)
    assert at.chosen == (-1, -1, -1, 2, -1, 1)
    assert turn.points(2, Fraction(1, 2)) == Fraction(-5, 2)
    assert turn.weights(Fraction(7))(0, ((0, 12),)) == 12


@pytest.mark.parametrize(
    ("x", "low", "high"), [(1, None, 3), (3, None, 3), (4, 3, 6), (6, 3, 6), (7, 6, None)]
)
def test_a_policy_is_best_from_one_crossing_to_the_next(x, low, high):
    assert optimal_range(lines(), solve_at(lines(), Fraction(x))) == (low, high)


def test_a_crossing_at_the_parameter_s_own_limit_is_told():
    turn = replace(lines(), low=Fraction(3), high=Fraction(6))
    assert optimal_range(turn, solve_at(turn, Fraction(4))) == (3, 6)
    turn = replace(lines(), low=Fraction(7, 2), high=Fraction(11, 2))
    assert optimal_range(turn, solve_at(turn, Fraction(4))) == (None, None)


def test_the_range_of_a_chance_is_no_line():
    with pytest.raises(UsageError, match="not linear"):
        optimal_range(chances(), solve_at(chances(), Fraction(1, 2)))


def value(*coefficients):
    return SymbolicValue("x", sympy.Poly(coefficients, sympy.Symbol("x"), domain="QQ"))


def test_roots_are_exact_where_they_are_rational_and_else_bracketed():
    zero, one, two = Fraction(0), Fraction(1), Fraction(2)
    assert _root(value(3), zero, one) is None
    assert _root(value(2, -1), zero, one) == (Fraction(1, 2),) * 2
    assert _root(value(1, -1), zero, one) == (1, 1)
    assert _root(value(1, 0), zero, one) == (0, 0)
    assert _root(value(2, -3), zero, one) is None
    assert _root(value(2, 1), zero, one) is None
    assert _root(value(1, 0, -1), one, two) == (1, 1)  # at its lower end
    assert _root(value(4, 0, -1), zero, one) == (Fraction(1, 2),) * 2  # in the first middle
    assert _root(value(1, 0, 1), zero, one) is None
    for sign in (1, -1):
        low, high = _root(value(sign, 0, -2 * sign), zero, two)
        assert low**2 < 2 < high**2
        assert Fraction(1, 2**42) < high - low <= Fraction(1, 2**40)
        low, high = _root(value(sign, 0, 0, -2 * sign), one, two)
        assert low**3 < 2 < high**3
    # a triple root: the slope is zero there, so it is not certain to be one alone
    assert _root(value(27, -27, 9, -1), zero, two) is None


def test_play_is_compared_where_it_comes_to_and_nowhere_else():
    turn = lines()
    one, other = solve_at(turn, Fraction(1)), solve_at(turn, Fraction(7))
    assert one.chosen[3] != other.chosen[3]
    assert not _same_play(turn, one, other, 3)
    assert _same_play(turn, one, other, 5)  # both take the level one, and do not come to node 3
    assert _same_play(turn, one, other, 4)
    assert _same_play(turn, one, other, 0)
    # a roll between the level outcome and the choice comes to the choice
    roll = ((), (), (), (), ((1, ((0, 1),)), (3, ((0, 1),))), ())
    assert not _same_play(replace(turn, branches=roll), one, other, 4)


def test_actions_are_those_of_the_state():
    assert decision(lines(), "choice") == LINES
    with pytest.raises(PositionError, match="nothing is decided"):
        decision(lines(), "other")


# --- turns that are opened from rules


@dataclass(frozen=True)
class Choice:
    """Bank 5 + 2 x, or roll for 4 x with chance 2/5."""

    x: int = parameter(1, "a number", at_least=1, at_most=9)
    free: int = parameter(1, "a number without limits")
    above: int = parameter(1, "a number with a lower limit", at_least=0)
    two: int = parameter(1, "a number of two values", at_least=1, at_most=2)
    three: int = parameter(1, "a number of three values", at_least=0, at_most=2)
    bent: int = parameter(0, "where the points are one more", at_least=0, at_most=9)
    name = "choice"

    def start(self):
        return "start"

    def points(self, outcome):
        return {"sure": 5 + 2 * self.x + (self.x == self.bent), "twice": 4 * self.x, "none": 0}[
            outcome
        ]

    def expand(self, state):
        if state == "start":
            return Choose({"stop": ("bank", "sure"), "roll": "coin"})
        if state == "coin":
            return Roll([(1, ("bank", "twice")), (3, ("bank", "none")), (1, ("bank", "twice"))])
        return Bank(state[1])


@pytest.mark.parametrize("now", [1, 2, 3, 9])
def test_points_that_are_lines_are_opened_and_agree_with_the_rules(now):
    """The sure points are 5 + 2 x; the roll is worth 8/5 x."""
    turn = parametric_turn(Choice(x=now), "x")
    assert (turn.kind, turn.nominal, turn.low, turn.high) == ("payoff", now, 1, 9)
    assert sorted(turn.outcomes) == [(0, 0), (0, 4), (5, 2)]
    sure, coin = decision(turn, "start").values()
    for x in range(1, 10):
        found = solve_at(turn, Fraction(x))
        rules = Choice(x=x)
        assert found.value[sure] == rules.points("sure") == 5 + 2 * x
        assert found.value[coin] == Fraction(2 * rules.points("twice"), 5)
        assert found.value[turn.root] == solve_turn(rules, exact=True).exact
    assert found.value[turn.node_of["start"]] == found.value[turn.root]
    assert turn.nodes == 5


@pytest.mark.parametrize(("now", "bent"), [(1, 3), (2, 3), (3, 3), (7, 7), (9, 9)])
def test_points_that_are_no_line_are_refused_where_it_shows(now, bent):
    """Three values are looked at: the first two, and today's or else the third."""
    with pytest.raises(OtherTurnError, match="changes the turn itself"):
        parametric_turn(Choice(x=now, bent=bent), "x")


def test_numbers_without_two_limits_and_a_third_value_cannot_be_opened():
    for name in ("free", "above", "two"):
        with pytest.raises(UsageError, match="no number that can be varied"):
            parametric_turn(Choice(), name)
    turn = parametric_turn(Choice(), "three")  # it changes nothing, and that is a line too
    assert all(slope == 0 for _, slope in turn.outcomes)


def test_a_face_that_the_die_does_not_have_is_refused():
    with pytest.raises(UsageError, match="unknown face"):
        parametric_turn(Pig(die=Die.of({1: 1, 2: 3}), target=4), "die.3")


@pytest.mark.parametrize("face", [1, 2, 3])
def test_a_face_that_is_opened_has_the_chances_of_its_die(face):
    """Of weights 1, 2 and 3, the other two share what is left as their weights say."""
    weights = {1: 1, 2: 2, 3: 3}
    turn = parametric_turn(Pig(die=Die.of(weights), target=6), f"die.{face}")
    assert (turn.nominal, turn.others) == (Fraction(face, 6), 6 - face)
    assert (turn.low, turn.high) == (0, 1)
    for chance in (Fraction(1, 7), Fraction(face, 6), Fraction(3, 4)):
        rest = (1 - chance) / (6 - face)
        of = {f: chance if f == face else w * rest for f, w in weights.items()}
        whole = lcm(*(c.denominator for c in of.values()))
        rules = Pig(die=Die.of({f: int(c * whole) for f, c in of.items()}), target=6)
        right = solve_turn(rules, exact=True).exact
        assert solve_at(turn, chance).value[turn.root] == right
        best = solve_at(turn, chance)
        assert symbolic_value(turn, best.chosen).at(chance) == right
