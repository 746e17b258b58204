"""Two-seat races: against value iteration on the raw dice, closed forms, and the proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from solver.dice import Die
from solver.errors import GameError, PositionError, ProofError, UsageError
from solver.games import game
from solver.match import solve_match
from solver.match.certify import BITS, ONE, certify_two_seats, fixed_point_turn
from solver.turn import compile_turn, solve_turn

OFFICIAL_SIDES = "TRRHCK"


# --- the same race once more: plain value iteration, from the rule sheets alone


class MartianTurn:
    """One turn of Martian Dice on letters: its best expected payoff, payoffs by points."""

    def __init__(self, dice, sides=OFFICIAL_SIDES, bonus=3):
        self.dice, self.sides, self.bonus = dice, sides, bonus
        self.plans = {}
        self.most = dice + bonus
        self.order = []
        self._plan("")

    def _plan(self, aside):
        """For the dice aside: what stopping scores, and per roll what can lie aside after it."""
        if aside in self.plans:
            return
        left = self.dice - len(aside)
        rolls = []
        for roll in product(self.sides, repeat=left) if left else ():
            tanks = "T" * roll.count("T")
            ways = set()
            for letter in "RHCK":
                if letter in roll and (letter == "R" or letter not in aside):
                    ways.add("".join(sorted(aside + tanks + letter * roll.count(letter))))
            rolls.append((self._points(aside + tanks), sorted(ways)))
        for _, ways in rolls:
            for after in ways:
                self._plan(after)
        self.plans[aside] = self._points(aside), rolls
        self.order.append(aside)

    def _points(self, aside):
        if aside.count("T") > aside.count("R"):
            return 0
        caught = [letter for letter in aside if letter in "HCK"]
        return len(caught) + (self.bonus if len(set(caught)) == 3 else 0)

    def best(self, payoff):
        """The best expected payoff; after every taking the player may stop or roll on."""
        worth = {}
        for aside in self.order:
            stop, rolls = self.plans[aside]
            values = [max(map(worth.get, ways)) if ways else payoff[p] for p, ways in rolls]
            if not aside:
                return sum(values) / len(values)
            worth[aside] = max([payoff[stop], *([sum(values) / len(values)] if values else [])])
        return None


class PigTurn:
    """One turn of Pig: roll until holding; a 1 takes everything; no more than the target."""

    def __init__(self, sides, target):
        self.sides, self.target = sides, target
        self.most = target

    def best(self, payoff):
        hold_or_roll = {}
        for total in range(self.target, -1, -1):
            if total == self.target:
                hold_or_roll[total] = payoff[total]
                continue
            ways = [hold_or_roll[min(total + s, self.target)] for s in range(2, self.sides + 1)]
            roll = (payoff[0] + sum(ways)) / self.sides
            hold_or_roll[total] = max(payoff[total], roll) if total else roll
        return hold_or_roll[0]


def iterated_race(turn, target, end):
    """The first seat's chance to win at every boundary state: (scores, seat on turn) -> chance.

    Swept until nothing moves by 1e-14. A sweep multiplies what is left by no more than the
    chance that a round brings no points, far below one.
    """
    points = range(turn.most + 1)

    def result(first, second):
        return 1.0 if first > second else 0.5 if first == second else 0.0

    states = list(product(range(target), range(target), (1, 2)))
    chance = dict.fromkeys(states, 0.5)
    if end == "round":
        for over, second in product(range(target, target + turn.most), range(target)):
            payoff = [1 - result(over, second + gain) for gain in points]
            chance[over, second, 2] = 1 - turn.best(payoff)
    moved = 1.0
    while moved > 1e-14:
        moved = 0.0
        for first, second, seat in states:
            if seat == 1:
                after = [
                    1.0
                    if end == "immediate" and first + gain >= target
                    else chance[first + gain, second, 2]
                    for gain in points
                ]
                value = turn.best(after)
            else:
                after = [
                    1.0 - chance[first, second + gain, 1]
                    if second + gain < target
                    else 1.0
                    if end == "immediate"
                    else 1.0 - result(first, second + gain)
                    for gain in points
                ]
                value = 1.0 - turn.best(after)
            moved = max(moved, abs(value - chance[first, second, seat]))
            chance[first, second, seat] = value
    return chance


RACES = {
    "martian-dice": (
        lambda end: game("martian-dice", dice=3, target=5, end=end),
        lambda: MartianTurn(3),
        5,
    ),
    "martian-dice, other dice": (
        lambda end: game("martian-dice", dice=3, target=6, faces="T2 R1 H1 C1 K1", end=end),
        lambda: MartianTurn(3, "TTRHCK"),
        6,
    ),
    "pig": (
        lambda end: game("pig", target=12, end=end),
        lambda: PigTurn(6, 12),
        12,
    ),
}


@pytest.mark.parametrize("end", ["round", "immediate"])
@pytest.mark.parametrize("name", RACES)
@pytest.mark.slow
def test_every_boundary_state_agrees_with_value_iteration(name, end):
    make, turn, target = RACES[name]
    match = solve_match(make(end))
    expected = iterated_race(turn(), target, end)
    assert len(expected) > 2 * target**2 - 1
    assert any(first >= target for first, _, _ in expected) == (end == "round")
    for (first, second, seat), chance in expected.items():
        found = match.chances((first, second), seat)
        assert found[0] == pytest.approx(chance, abs=1e-12), (first, second, seat)
        assert found[1] == pytest.approx(1 - chance, abs=1e-12), (first, second, seat)
    assert match.win_probability == match.chances((0, 0), 1)


# --- closed forms: one die is a fair coin for one point, and nothing is decided


def coin(**parameters):
    return game("martian-dice", dice=1, **parameters)


def test_one_die_is_a_fair_coin():
    """A tank scores nothing, nor does a death ray; a human, a cow, a chicken score one."""
    assert solve_turn(coin(), exact=True).exact == Fraction(1, 2)


def test_a_coin_for_one_point_by_hand():
    """Of four rounds one goes to each, one to both (a tie), and after one they toss again."""
    match = solve_match(coin(target=1))
    assert match.win_probability == pytest.approx((1 / 2, 1 / 2), abs=1e-14)
    assert match.tie_probability == pytest.approx(1 / 3, abs=1e-14)
    assert match.expected_rounds == pytest.approx(4 / 3, abs=1e-14)


def test_a_coin_for_one_point_won_at_once_by_hand():
    """The first seat wins half of the rounds, the second a quarter, one quarter begins anew."""
    match = solve_match(coin(target=1, end="immediate"))
    assert match.win_probability == pytest.approx((2 / 3, 1 / 3), abs=1e-14)
    assert match.tie_probability == 0
    assert match.expected_rounds == pytest.approx(4 / 3, abs=1e-14)


@cache
def coin_race(first, second, target, end):
    """First seat's chance, tie chance and rounds begun, in fractions, at the start of a round."""
    if end == "round" and max(first, second) >= target:
        return Fraction(first > second) + Fraction(first == second, 2), int(first == second), 0
    half, total = Fraction(1, 2), [Fraction(0)] * 3
    total[2] = Fraction(1)
    for a, b in product((0, 1), repeat=2):
        if (a, b) == (0, 0):
            continue
        if end == "immediate" and first + a == target:
            after = 1, 0, 0
        elif end == "immediate" and second + b == target:
            after = 0, 0, 0
        else:
            after = coin_race(first + a, second + b, target, end)
        total = [t + half * half * x for t, x in zip(total, after, strict=True)]
    return tuple(t / (1 - half * half) for t in total)


@pytest.mark.parametrize("end", ["round", "immediate"])
@pytest.mark.parametrize("target", [2, 3, 7])
def test_a_coin_for_more_points_in_fractions(target, end):
    match = solve_match(coin(target=target, end=end))
    for first, second in product(range(target), repeat=2):
        expected, _, _ = coin_race(first, second, target, end)
        assert match.chances((first, second), 1)[0] == pytest.approx(float(expected), abs=1e-13)
    chance, tie, rounds = map(float, coin_race(0, 0, target, end))
    assert match.win_probability == pytest.approx((chance, 1 - chance), abs=1e-13)
    assert match.tie_probability == pytest.approx(tie, abs=1e-13)
    assert match.expected_rounds == pytest.approx(rounds, abs=1e-12)


def test_piglet_as_published():
    """Neller and Presser 2004: a coin to 2 points, the mover's chance by (own, other) score.

    A head is a 2 on a die of 1 and 2, so that points count double.
    """
    match = solve_match(game("pig", die="1:1 2:1", target=4))
    published = {(0, 0): 4 / 7, (0, 1): 2 / 5, (1, 0): 4 / 5, (1, 1): 2 / 3}
    for (own, other), chance in published.items():
        assert match.chances((2 * own, 2 * other), 1)[0] == pytest.approx(chance, abs=1e-13)
        assert match.chances((2 * other, 2 * own), 2)[1] == pytest.approx(chance, abs=1e-13)


@pytest.mark.slow
def test_pig_to_a_hundred_as_published():
    """Neller and Presser 2004: the first player wins .530592725 of the games."""
    match = solve_match(game("pig"))
    assert match.win_probability[0] == pytest.approx(0.530592725, abs=6e-10)
    assert match.error <= 1e-12


# --- laws


def test_somebody_wins():
    for end in ("round", "immediate"):
        match = solve_match(game("martian-dice", dice=4, target=7, end=end))
        chances = match.values.open_play[..., :2]
        assert np.abs(chances.sum(axis=-1) - 1).max() <= 1e-13
        assert ((chances >= 0) & (chances <= 1)).all()


def test_won_at_once_both_seats_have_the_same_chances_on_turn():
    """With end=immediate nothing tells the seats apart but whose turn it is."""
    match = solve_match(game("martian-dice", dice=4, target=7, end="immediate"))
    for own, other in product(range(7), repeat=2):
        first = match.chances((own, other), 1)[0]
        second = match.chances((other, own), 2)[1]
        assert first == pytest.approx(second, abs=1e-12)


def test_the_last_seat_needs_to_know_only_how_far_it_is_behind():
    match = solve_match(game("martian-dice", dice=4, target=9))
    for behind in range(1, 8):
        chances = [match.chances((9 + ahead, 9 + ahead - behind), 2) for ahead in range(behind)]
        assert chances == [chances[0]] * len(chances)


def test_a_shared_tie_is_worth_the_same_as_a_duel():
    """By symmetry each of two tied leaders wins the duel with chance one half."""
    duel = solve_match(game("martian-dice", dice=3, target=5, tie="duel"))
    shared = solve_match(game("martian-dice", dice=3, target=5, tie="shared"))
    assert duel.win_probability == shared.win_probability
    assert duel.tie_probability == shared.tie_probability > 0


def test_the_bound_is_proven_and_small():
    for end in ("round", "immediate"):
        match = solve_match(game("martian-dice", dice=4, target=7, end=end))
        assert match.exactness.kind == "bounded"
        assert 0 < match.error <= 1e-12


# --- the proof does not trust the values


def changed(values, label, place, by):
    if label == "open":
        table = values.open_play.copy()
        table[place] += by
        return replace(values, open_play=table)
    last = {key: table.copy() for key, table in values.last_turns.items()}
    last[label][place] += by
    return replace(values, last_turns=last)


@pytest.fixture(scope="module", params=["round", "immediate"])
def solved(request):
    return solve_match(game("martian-dice", dice=4, target=6, end=request.param))


@pytest.mark.parametrize("by", [1e-9, -1e-9])
@pytest.mark.parametrize(
    "place", [(0, 0, 0, 0), (0, 0, 0, 1), (1, 3, 5, 0), (1, 5, 5, 1), (0, 5, 0, 0)]
)
def test_a_value_that_is_off_by_a_billionth_is_refused(solved, place, by):
    wrong = changed(solved.values, "open", place, by)
    with pytest.raises(ProofError, match="within 1e-12"):
        certify_two_seats(solved.graph, wrong, root=solved.graph.root)


@pytest.mark.parametrize("by", [1e-9, -1e-9])
@pytest.mark.parametrize("place", [(0, 0), (0, 1), (4, 0), (4, 1), (7, 1)])
def test_a_last_turn_that_is_off_by_a_billionth_is_refused(place, by):
    match = solve_match(game("martian-dice", dice=4, target=6, end="round"))
    wrong = changed(match.values, (1, 1), place, by)
    with pytest.raises(ProofError, match="within 1e-12"):
        certify_two_seats(match.graph, wrong, root=match.graph.root)


def test_values_that_all_are_off_together_are_refused(solved):
    """A seat's chances moved alike nearly satisfy the equations within open play."""
    for by in (1e-9, -1e-9):
        table = solved.values.open_play.copy()
        table[..., 0] += by
        table[..., 1] -= by
        with pytest.raises(ProofError):
            certify_two_seats(
                solved.graph, replace(solved.values, open_play=table), root=solved.graph.root
            )


def test_no_number_is_no_value(solved):
    for place in ((0, 2, 2, 0), (1, 2, 2, 1)):
        wrong = changed(solved.values, "open", place, np.nan)
        with np.errstate(invalid="ignore"), pytest.raises(ProofError):
            certify_two_seats(solved.graph, wrong, root=solved.graph.root)


def test_the_right_values_are_proven_again(solved):
    proof = certify_two_seats(solved.graph, solved.values, root=solved.graph.root)
    assert proof.error == solved.error
    assert proof.states >= 2 * 6**2


def test_the_proof_covers_a_change_within_its_bound(solved):
    """A last digit more or less is rounding, and the bound says so."""
    nudged = changed(solved.values, "open", (0, 1, 1, 0), 2.0**-53)
    proof = certify_two_seats(solved.graph, nudged, root=solved.graph.root)
    assert proof.error <= 1e-12


def test_fixed_point_brackets_the_exact_value():
    """Rounded up it is no less, rounded down no more than the exact rationals, and hardly."""
    rules = game("martian-dice", dice=5)
    graph = compile_turn(rules)
    rng = np.random.default_rng(5)
    payoffs = rng.integers(0, ONE, size=(len(graph.outcomes), 3))
    above = fixed_point_turn(graph, payoffs, up=True)
    below = fixed_point_turn(graph, payoffs, up=False)
    for column in range(3):
        payoff = {
            x: Fraction(int(p), ONE)
            for x, p in zip(graph.outcomes, payoffs[:, column], strict=True)
        }
        turn = solve_turn(rules, payoff, exact=True, graph=graph)
        for node, exact in enumerate(turn.nodes.exact):
            low, high = (Fraction(int(b[node, column]), ONE) for b in (below, above))
            assert low <= exact <= high
            assert high - low <= Fraction(graph.nodes, 2**BITS)


# --- refusals


@pytest.mark.parametrize("seats", [-1, 0, 1])
def test_a_match_against_nobody_is_refused(seats):
    with pytest.raises(UsageError, match=f"--seats {seats}:"):
        solve_match(coin(target=1), seats)


@pytest.mark.parametrize(
    ("scores", "seat", "what"),
    [
        ((1,), 1, "1 scores"),
        ((1, 1, 1), 1, "3 scores"),
        ((1, 1), 0, "no such seat"),
        ((1, 1), 3, "no such seat"),
        ((-1, 1), 1, "less than nothing"),
        ((5, 1), 1, "over, or seat 1 has not played"),
        ((1, 5), 1, "over, or seat 2 has not played"),
        ((1, 5), 2, "over, or seat 2 has not played"),
        ((11, 1), 2, "cannot have 11"),
    ],
)
def test_boundary_states_that_cannot_be_are_refused(scores, seat, what):
    """Three dice bring six points at most: from 4 to 10."""
    match = solve_match(game("martian-dice", dice=3, target=5))
    assert match.chances((10, 1), 2)[0] > 0
    with pytest.raises(PositionError, match=what):
        match.chances(scores, seat)


def test_a_game_without_a_match_is_refused():
    class Turn:
        name = "one-turn"

        def start(self):
            return 0

        def expand(self, _state):
            from solver.games import Bank

            return Bank(3)

    with pytest.raises(GameError, match="names no match"):
        solve_match(Turn())


def test_a_match_that_nobody_need_end_gets_no_bound():
    """With a blank second die a player may always hold at nothing."""
    from solver.games import Bank, Choose, ScoreRace

    class Idle:
        name = "idle"
        race = ScoreRace(2)

        def start(self):
            return "start"

        def expand(self, state):
            if state == "start":
                return Choose({"work": "work", "rest": "rest"})
            return Bank(int(state == "work"))

    with pytest.raises(ProofError):
        solve_match(Idle())


def test_the_die_of_pig_can_be_any():
    """With one losing side in a hundred and a face that is the target the first seat wins."""
    match = solve_match(game("pig", die=Die.of({1: 1, 2: 99}), target=2))
    assert match.win_probability[0] == pytest.approx(0.99 / (1 - 0.01**2), abs=1e-13)
