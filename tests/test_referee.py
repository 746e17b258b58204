"""The referee keeps the rules, and what it sees agrees with what the turn solver says."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from math import sqrt

import numpy as np
import pytest

from solver.errors import GameError, UsageError
from solver.games import game
from solver.referee import martian_dice, pig, play_match
from solver.referee.martian_dice import Chooser, TurnView, play_rolled_turn, rolled_duel
from solver.turn import evaluate_policy, solve_turn

LETTER_OF = {"death-rays": "R", "human": "H", "cow": "C", "chicken": "K"}


# --- a turn whose dice are known beforehand


class Dice:
    """Dice that fall as written, roll after roll."""

    def __init__(self, *rolls):
        self.rolls = list(rolls)

    def __call__(self, dice):
        roll = self.rolls.pop(0)
        assert len(roll) == dice
        return list(roll)


def player(*answers):
    """A player who gives these answers in turn: a letter, or whether to stop."""
    script = iter(answers)
    return Chooser(lambda _aside, _roll, _legal: next(script), lambda _aside: next(script))


def points(rolls, answers, **rules):
    dice = Dice(*rolls)
    scored = play_rolled_turn(player(*answers), dice, dice=len(rolls[0]), **rules)
    assert not dice.rolls
    return scored


def test_the_sample_turn_of_the_rulebook():
    rolls = ["TTHHHHRRCCKKK", "TCCCRRH", "HHKC", "CRH"]
    script = iter("HRKR")
    asked, legals, views = [], [], []

    def take(aside, roll, legal):
        legals.append(legal)
        assert sum(aside.values()) + sum(roll.values()) == 13
        return next(script)

    def stop(aside):
        asked.append(13 - sum(aside.values()))
        return asked[-1] == 2

    scored = play_rolled_turn(Chooser(take, stop), Dice(*rolls), watch=views.append)
    assert scored == 5
    assert asked == [7, 4, 3, 2]
    assert legals == [("R", "H", "C", "K"), ("R", "C"), ("C", "K"), ("R", "C")]
    assert [view.roll for view in views[::2]] == [tuple(roll) for roll in rolls]
    assert views[1::2] == [
        TurnView(tanks=2, rays=0, human=4, cow=0, chicken=0),
        TurnView(tanks=3, rays=2, human=4, cow=0, chicken=0),
        TurnView(tanks=3, rays=2, human=4, cow=0, chicken=1),
        TurnView(tanks=3, rays=3, human=4, cow=0, chicken=1),
    ]


@pytest.mark.parametrize(
    ("rolls", "answers", "scored"),
    [
        (["TRHH"], ["H", True], 0),  # a tank and no death ray
        (["TRHH", "R"], ["H", False, "R"], 2),  # as many: scored; no dice left: nobody is asked
        (["TRHH", "T"], ["H", False], 0),  # nothing but a tank
        (["HHHC", "R"], ["H", False, "R"], 3),
        (["HCKR", "CKR", "KR", "R"], ["H", False, "C", False, "K", False, "R"], 6),  # the bonus
        (["HCKR", "CKR", "KR"], ["H", False, "C", False, "K", True], 6),
        (["RRHC", "HC", "H"], ["R", False, "C", False, "H"], 2),  # two species: no bonus
        (["RHHC", "RHC", "RH"], ["R", False, "R", False, "R", True], 0),  # rays score nothing
        (["RHHC", "HHC", "H"], ["R", False, "H", False], 2),  # nothing to take: scored as it is
        (["RRHHCC", "HHTC", "T"], ["R", False, "H", False], 2),  # the last tank is outshot
        (["RHHCCK", "HHHTC", "T"], ["R", False, "H", False], 0),  # the last tank is too many
        (["TTTT"], [], 0),
        (["TR"], ["R"], 0),
    ],
)
def test_turns_are_scored_by_the_sheet(rolls, answers, scored):
    assert points(rolls, answers) == scored


def test_bonus_and_head_points_can_be_changed():
    rolls, answers = ["HHCKR", "CKR", "KR"], ["H", False, "C", False, "K", True]
    assert points(rolls, answers, bonus=10, head=2) == 18


@pytest.mark.parametrize(
    ("rolls", "answers"),
    [
        (["TRHH"], ["C"]),  # not rolled
        (["TRHH"], ["T"]),  # tanks are no choice
        (["TRHH"], ["X"]),
        (["TRHH"], [None]),
        (["TRHH"], [["R"]]),
        (["HHRC", "HR"], ["H", False, "H"]),  # a species twice
        (["TRHH"], ["H", "stop"]),
        (["TRHH"], ["H", 1]),
        (["TRHH"], ["H", None]),
    ],
)
def test_illegal_answers_are_refused(rolls, answers):
    with pytest.raises(GameError, match=r"rule: On Your Turn, step [34]"):
        points(rolls, answers)


def test_a_refusal_says_what_is_legal():
    with pytest.raises(GameError) as refused:
        points(["THHRC", "HR"], ["H", False, "H"])
    assert "'H' from the roll R1 H1 with T1 H2 set aside" in str(refused.value)
    assert "legal are R" in str(refused.value)


@pytest.mark.parametrize("shown", ["TRH", "TRHHH", "TRHX", ""])
def test_dice_that_were_not_asked_for_are_refused(shown):
    with pytest.raises(GameError, match="4 dice were to be rolled"):
        play_rolled_turn(player(), lambda _dice: list(shown), dice=4)


@pytest.mark.parametrize(
    "rules",
    [{"dice": 0}, {"faces": (("X", 1),)}, {"faces": (("T", -1),)}, {"faces": (("T", 0),)}],
)
def test_dice_that_cannot_be_are_refused(rules):
    with pytest.raises(UsageError):
        martian_dice.play_turn(player(), np.random.default_rng(1), **rules)


def test_a_chooser_cannot_move_the_dice():
    def take(aside, roll, _legal):
        aside["R"] += 9
        roll["H"] += 9
        return "H"

    def stop(aside):
        aside["R"] += 9
        return True

    assert play_rolled_turn(Chooser(take, stop), Dice("TRHH"), dice=4) == 0


def test_the_same_seed_rolls_the_same_dice():
    greedy = Chooser(lambda _aside, _roll, legal: legal[-1], lambda _aside: False)
    first, second = np.random.default_rng(5), np.random.default_rng(5)
    for _ in range(50):
        assert martian_dice.play_turn(greedy, first) == martian_dice.play_turn(greedy, second)


# --- many turns, against the exact distribution


def best_player(rules, solution):
    """The solver's player; species are renamed so that few positions have to be looked up."""
    takes, stops = {}, {}

    def best(position):
        return next(o.action for o in solution.compare(position.options) if o.best)

    def renamed(counts, order):
        return {"T": counts["T"], "R": counts["R"]} | {
            name: counts[species] for name, species in zip("HCK", order, strict=True)
        }

    def take(aside, roll, _legal):
        order = sorted("HCK", key=lambda species: (aside[species], roll[species]))
        kept, rolled = renamed(aside, order), renamed(roll, order)
        key = (*kept.values(), *rolled.values())
        if key not in takes:
            takes[key] = LETTER_OF[best(rules.read_position(aside=kept, roll=rolled))]
        letter = takes[key]
        return letter if letter == "R" else order["HCK".index(letter)]

    def stop(aside):
        kept = renamed(aside, sorted("HCK", key=aside.get))
        key = tuple(kept.values())
        if key not in stops:
            stops[key] = best(rules.read_position(aside=kept)) == "stop"
        return stops[key]

    return Chooser(take, stop)


def assert_agrees(scored, chances):
    """Mean, bust rate and every frequency lie where chance puts them; seeds are fixed."""
    turns = len(scored)
    mean = float(sum(chance * x for x, chance in chances.items()))
    variance = float(sum(chance * x * x for x, chance in chances.items())) - mean**2
    assert abs(sum(scored) / turns - mean) <= 4 * sqrt(variance / turns)
    seen = Counter(scored)
    assert set(seen) <= set(chances)
    bust = float(chances[0])
    assert abs(seen[0] / turns - bust) <= 4 * sqrt(bust * (1 - bust) / turns)
    for outcome, chance in chances.items():
        expected = turns * float(chance)
        spread = sqrt(expected * (1 - float(chance)))
        assert abs(seen[outcome] - expected) <= 4.5 * spread + 1, outcome


@pytest.mark.parametrize("turns", [25_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_best_play_scores_what_the_solver_says(turns):
    rules = game("martian-dice")
    solution = solve_turn(rules, "points", exact=True)
    chances = solution.exact_distribution
    chooser, rng = best_player(rules, solution), np.random.default_rng(20_11)
    scored = [martian_dice.play_turn(chooser, rng) for _ in range(turns)]
    assert sum(chance * x for x, chance in chances.items()) == solution.exact
    assert float(chances[0]) == solution.bust
    assert_agrees(scored, chances)


@pytest.mark.parametrize("turns", [15_000, pytest.param(60_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("faces", "text"),
    [
        ((("T", 2), ("R", 1), ("H", 1), ("C", 1), ("K", 1)), "T2 R1 H1 C1 K1"),
        ((("T", 1), ("R", 1), ("H", 2), ("C", 1), ("K", 1)), "T1 R1 H2 C1 K1"),
    ],
)
def test_a_rule_of_thumb_scores_what_its_evaluation_says(faces, text, turns):
    """Rays while they are needed, else the largest group (humans first); stop with 3 safe heads."""

    def by_the_rules(state, actions):
        kind, tanks, rays, heads = state[:4]
        if kind == "aside":
            return "stop" if tanks <= rays and heads >= 3 else "roll"
        groups = [action for action in actions if action != "death-rays"]
        if "death-rays" in actions and (tanks > rays or not groups):
            return "death-rays"
        return max(groups, key=lambda group: (group[1], -sum(group[2:])))

    def take(aside, roll, legal):
        groups = [letter for letter in legal if letter != "R"]
        if "R" in legal and (aside["T"] + roll["T"] > aside["R"] or not groups):
            return "R"
        return max(groups, key=lambda letter: (roll[letter], letter == "H"))

    def stop(aside):
        return aside["T"] <= aside["R"] and aside["H"] + aside["C"] + aside["K"] >= 3

    rules = game("martian-dice", dice=8, faces=text, bonus=5, head=2)
    chances = evaluate_policy(rules, by_the_rules)
    chooser, rng = Chooser(take, stop), np.random.default_rng(8)
    scored = [
        martian_dice.play_turn(chooser, rng, dice=8, faces=faces, bonus=5, head=2)
        for _ in range(turns)
    ]
    assert_agrees(scored, chances)


def test_pig_holding_at_20_scores_what_its_evaluation_says():
    chances = evaluate_policy(game("pig"), lambda state, _: "stop" if state[1] >= 20 else "roll")
    rng = np.random.default_rng(20)
    scored = [pig.play_turn(lambda total: total >= 20, rng) for _ in range(50_000)]
    assert_agrees(scored, chances)


def test_pig_asks_after_every_roll_but_a_one():
    asked = []

    def hold(total):
        asked.append(total)
        return len(asked) == 4

    rng = np.random.default_rng(3)
    while len(asked) < 4:
        asked.clear()
        scored = pig.play_turn(hold, rng)
        assert scored == (asked[-1] if len(asked) == 4 else 0)
        assert all(2 <= step <= 6 for step in np.diff([0, *asked]))


def test_pig_refuses_what_is_no_answer_and_no_die():
    rng = np.random.default_rng(3)
    with pytest.raises(GameError, match="True to hold"):
        pig.play_turn(lambda _total: "hold", rng)
    with pytest.raises(UsageError):
        pig.play_turn(lambda _total: True, rng, sides=1)


# --- the duel


def test_most_death_rays_win_the_duel():
    assert rolled_duel(2, Dice("RRTHCK", "RTTHCK")) == 0
    assert rolled_duel(3, Dice("RRTHCK", "RTTHCK", "RRRRRR")) == 2
    assert rolled_duel(1, Dice()) == 0


def test_those_still_tied_roll_again():
    dice = Dice("RRTHCK", "RTTHCK", "RRKKKK", "RTTTTT", "RTTTTT", "TTTTTT", "RTTTTT")
    assert rolled_duel(3, dice) == 2
    assert not dice.rolls


@pytest.mark.parametrize("m", [2, 3, 5])
def test_the_duel_is_fair(m):
    rng = np.random.default_rng(m)
    duels = 10_000
    won = Counter(martian_dice.duel(m, rng) for _ in range(duels))
    assert set(won) == set(range(m))
    for seat in range(m):
        assert abs(won[seat] / duels - 1 / m) <= 4 * sqrt((m - 1) / m**2 / duels)


def test_a_duel_that_cannot_end_is_refused():
    rng = np.random.default_rng(1)
    for rules in ({"dice": 0}, {"faces": (("T", 1),)}, {"faces": (("R", 1),)}):
        with pytest.raises(UsageError, match="never decide"):
            martian_dice.duel(2, rng, **rules)
        assert martian_dice.duel(1, rng, **rules) == 0
    with pytest.raises(UsageError, match="0 players"):
        martian_dice.duel(0, rng)


# --- the match


def scripted(*turns):
    """A seat that scores these points, turn by turn."""
    script = iter(turns)
    return lambda _scores, _seat, _rng: next(script)


def match(*turns, **rules):
    seats = [scripted(*points) for points in turns]
    return play_match(seats, np.random.default_rng(1), **{"target": 25} | rules)


def never(_m, _rng):
    pytest.fail("nobody is tied")


def test_the_round_is_completed():
    result = match([10, 15], [20, 7], duel=never)
    assert result.scores == (25, 27)
    assert (result.winner, result.winners, result.leaders) == (1, (1,), (1,))
    assert (result.rounds, result.tied) == (2, False)


def test_nobody_plays_on_after_the_round():
    assert match([25], [0], duel=never).scores == (25, 0)
    assert match([10, 10], [20, 5], duel=never).winner == 1
    assert match([0, 10], [0, 30], [0, 26], duel=never).scores == (10, 30, 26)


def test_the_first_to_arrive_wins_at_once():
    result = match([10, 15], [20], end="immediate", duel=never)
    assert result.scores == (25, 20)
    assert (result.winner, result.rounds, result.tied) == (0, 2, False)
    assert match([10], [26], [], end="immediate", duel=never).winner == 1


def test_a_tie_is_parted_by_the_duel():
    asked = []

    def last(m, _rng):
        asked.append(m)
        return m - 1

    result = match([25], [13], [25], duel=last)
    assert asked == [2]
    assert (result.winner, result.winners, result.leaders) == (2, (2,), (0, 2))
    assert result.tied
    assert [result.share(seat) for seat in range(3)] == [0, 0, 1]
    assert match([30], [30], [30], duel=lambda _m, _rng: 1).winner == 1


def test_a_tie_below_the_lead_matters_to_nobody():
    result = match([26], [25], [25], duel=never)
    assert (result.winner, result.tied) == (0, False)


def test_a_shared_tie_has_several_winners():
    result = match([25], [13], [25], tie="shared", duel=never)
    assert (result.winner, result.winners, result.leaders) == (None, (0, 2), (0, 2))
    assert [result.share(seat) for seat in range(3)] == [0.5, 0, 0.5]


def test_one_seat_plays_until_it_arrives():
    for end in ("round", "immediate"):
        result = match([0, 12, 12, 1], end=end, duel=never)
        assert (result.scores, result.rounds, result.winner) == ((25,), 4, 0)


def test_seats_are_told_the_score_and_who_they_are():
    told = []

    def seat(scores, who, rng):
        told.append((scores, who))
        assert isinstance(rng, np.random.Generator)
        return 3 + who

    play_match([seat, seat], np.random.default_rng(1), target=7)
    assert told == [((0, 0), 0), ((3, 0), 1), ((3, 4), 0), ((6, 4), 1)]


@pytest.mark.parametrize(("end", "share"), [("round", 1 / 2), ("immediate", 2 / 3)])
def test_going_first_helps_only_where_the_round_is_not_completed(end, share):
    """Two seats that flip a coin for the one point that is needed."""

    def coin(_scores, _seat, rng):
        return int(rng.integers(2))

    rng, matches = np.random.default_rng(7), 20_000
    first = sum(
        play_match([coin, coin], rng, target=1, end=end).winner == 0 for _ in range(matches)
    )
    assert abs(first / matches - share) <= 4 * sqrt(share * (1 - share) / matches)


def test_matches_of_real_turns_end():
    greedy = Chooser(lambda _aside, _roll, legal: legal[-1], lambda aside: aside["R"] >= aside["T"])

    def seat(_scores, _seat, rng):
        return martian_dice.play_turn(greedy, rng)

    rng = np.random.default_rng(4)
    results = [play_match([seat] * 3, rng, target=25) for _ in range(100)]
    assert any(result.tied for result in results)
    assert all(max(result.scores) >= 25 and result.winner in result.leaders for result in results)


@pytest.mark.parametrize(
    "rules", [{"target": 0}, {"end": "sudden"}, {"tie": "draw"}, {"tie": "round"}]
)
def test_a_match_under_no_rules_is_refused(rules):
    with pytest.raises(UsageError):
        match([25], [0], **rules)


def test_a_match_without_seats_is_refused():
    with pytest.raises(UsageError, match="0 seats"):
        match()


@pytest.mark.parametrize("scored", [-1, 2.5, True, None, "3"])
def test_points_that_are_none_are_refused(scored):
    with pytest.raises(GameError, match="seat 1 scored"):
        match([3], [scored])


def test_a_match_that_does_not_end_is_refused():
    with pytest.raises(GameError, match="has not ended"):
        match([0] * 9, [0] * 9, max_rounds=9)


def test_a_duel_won_by_an_outsider_is_refused():
    with pytest.raises(GameError, match="a duel between 2"):
        match([25], [25], [3], duel=lambda m, _rng: m)


# --- independence


def test_the_referee_shares_no_code_with_the_solvers():
    loaded = "import solver.referee, sys; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    names = [name for name in run.stdout.split() if name.startswith("solver.")]
    assert "solver.referee.match" in names
    shared = ("turn", "match", "tablebase", "advisor", "games.martian_dice", "games.pig")
    assert not [name for name in names if name.startswith(tuple(f"solver.{s}" for s in shared))]
