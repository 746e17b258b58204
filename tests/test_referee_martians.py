"""The referee of Martians!!! keeps the rules, and sees what the turn solver says."""

from __future__ import annotations

import ast
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import count
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from brute_force_martians import income_of_tokens, race_of_two, turns_alone

from solver.errors import GameError, PositionError, UnknownNameError, UsageError
from solver.games import game
from solver.games.martians import FightOutcome, HuntOutcome
from solver.match.goal import solve_alone, solve_goal_race
from solver.referee import martians as referee
from solver.referee.martians import (
    LostRoll,
    Player,
    Standing,
    Weapon,
    die_of,
    income_of,
    no_income,
    play_fight,
    play_gauntlet,
    play_hunt,
    play_race,
    tokens_of,
)
from solver.turn import compile_turn, solve_turn

# --- fights whose dice are known beforehand


class Dice:
    """A die that falls as written, roll after roll."""

    def __init__(self, shown):
        self.shown = [int(face) for face in shown]

    def __call__(self):
        return self.shown.pop(0)


class Script:
    """A player who gives these answers in turn, each with its initial, and keeps the questions."""

    WORDS = {"s": "spend", "r": "reroll", "f": "forfeit", "+": True, ".": False}  # noqa: RUF012

    def __init__(self, answers="", arm=0):
        self.answers, self.asked = list(answers), []
        self.player = Player(self.pay, self.fight_on, lambda *_question: arm)

    def pay(self, *question):
        self.asked.append(question)
        return self.WORDS[self.answers.pop(0)]

    def fight_on(self, *question):
        return self.pay(*question)


def fought(shown, answers="", standing=(3, 3), weapons=(), fights=1, arm=0, last_life="dies"):
    """Play a gauntlet in which every roll and every answer is needed."""
    dice, script = Dice(shown), Script(answers, arm)
    before = Standing(0, *standing, weapons)
    result = play_gauntlet(script.player, dice, fights, before, last_life=last_life)
    assert not dice.shown
    assert not script.answers
    return result


@pytest.mark.parametrize("shown", "456")
def test_four_five_and_six_win_and_nobody_is_asked(shown):
    assert fought(shown) == (1, 3, 3, False)


@pytest.mark.parametrize(("shown", "bullets"), [("1", 0), ("2", 1), ("3", 2)])
def test_bullets_raise_the_roll_to_four(shown, bullets):
    assert fought(shown, "s") == (1, 3, bullets, False)


@pytest.mark.parametrize(
    ("shown", "answers", "standing", "left"),
    [
        ("26", "f", (3, 3), (1, 2, 3, False)),  # the example of the rulebook
        ("22", "fs", (3, 3), (1, 2, 1, False)),
        ("116", "", (3, 2), (1, 1, 2, False)),  # two bullets are too few: nothing to ask
        ("111", "", (3, 2), (0, 0, 2, True)),
        ("3", "f", (1, 3), (0, 0, 3, True)),  # who has bullets may die
        ("1", "", (1, 0), (0, 0, 0, True)),
    ],
)
def test_a_lost_roll_costs_bullets_or_a_life(shown, answers, standing, left):
    assert fought(shown, answers, standing) == left


@pytest.mark.parametrize(
    ("shown", "answers", "standing", "left"),
    [
        ("14", "", (1, 0), (1, 0, 0, False)),  # alive without a life token
        ("4", "", (0, 0), (1, 0, 0, False)),
        ("2", "s", (0, 2), (1, 0, 0, False)),
        ("2", "", (0, 1), (0, 0, 1, True)),
        ("2", "f", (0, 2), (0, 0, 2, True)),
        ("11", "", (1, 0), (0, 0, 0, True)),
    ],
)
def test_one_more_roll_after_the_last_life(shown, answers, standing, left):
    assert fought(shown, answers, standing, last_life="one-more-roll") == left


def test_one_can_fight_on_without_a_life_token_under_one_more_roll():
    left = fought("1451", "", (1, 0), fights=4, last_life="one-more-roll")
    assert left == (2, 0, 0, True)


@pytest.mark.parametrize(
    ("shown", "answers", "weapon", "left"),
    [
        ("3", "", Weapon(bonus=1), (1, 3, 3, False)),
        ("2", "s", Weapon(bonus=1), (1, 3, 2, False)),
        ("1", "", Weapon(bonus=3), (1, 3, 3, False)),
        ("15", "r", Weapon(rerolls=1), (1, 3, 3, False)),
        ("13", "rs", Weapon(rerolls=1), (1, 3, 2, False)),
        ("1114", "rfr", Weapon(rerolls=2), (1, 2, 3, False)),
        ("1124", "rff", Weapon(rerolls=1), (1, 1, 3, False)),
    ],
)
def test_a_weapon_adds_to_the_roll_or_rolls_again(shown, answers, weapon, left):
    assert fought(shown, answers, weapons=(weapon,)) == left


def test_re_rolls_are_for_each_fight():
    weapons = (Weapon(rerolls=1),)
    assert fought("1416", "rr", weapons=weapons, fights=2) == (2, 3, 3, False)
    dice, script = Dice("121"), Script("rrs")
    with pytest.raises(GameError, match="legal are spend, forfeit"):
        play_fight(script.player, dice, Standing(weapons=weapons))


def test_one_weapon_or_none_is_used_in_a_fight():
    weapons = (Weapon(bonus=1), Weapon(rerolls=1))
    assert fought("3", "", weapons=weapons, arm=0) == (1, 3, 3, False)
    assert fought("34", "r", weapons=weapons, arm=1) == (1, 3, 3, False)
    assert fought("3", "s", weapons=weapons, arm=None) == (1, 3, 2, False)


def test_a_player_sees_what_lies_on_the_table():
    script = Script("fs")
    weapon = Weapon(rerolls=0, bonus=1)
    before = Standing(0, 2, 3, (weapon,))
    play_gauntlet(script.player, Dice("41114"), 3, before)
    assert script.asked == [
        (Standing(1, 2, 3, (weapon,)), 1, LostRoll(2, 0, weapon), ("spend", "forfeit")),
        (Standing(1, 1, 3, (weapon,)), 1, LostRoll(2, 0, weapon), ("spend", "forfeit")),
    ]


# --- turns whose dice are known beforehand


def hunted(shown, answers, standing, **rules):
    dice, script = Dice(shown), Script(answers)
    result = play_hunt(script.player, dice, standing, **rules)
    assert not dice.shown
    assert not script.answers
    return result, script.asked


def test_moves_are_the_die_and_the_life_tokens_and_each_fight_costs_one():
    (standing, ending), asked = hunted("2" + "4444", "++++", Standing(7, 2, 1))
    assert (standing, ending) == (Standing(11, 2, 1), "stopped")
    assert [moves for _, moves in asked] == [4, 3, 2, 1]


def test_moves_do_not_shrink_with_the_lives():
    (standing, _), asked = hunted("1" + "114" + "4" + "4" + "4", "++++", Standing(0, 3, 0))
    assert standing == Standing(4, 1, 0)
    assert [moves for _, moves in asked] == [4, 3, 2, 1]


def test_a_player_may_stop_before_any_fight():
    assert hunted("6", ".", Standing(5, 2, 1))[0] == (Standing(5, 2, 1), "stopped")
    assert hunted("65", "+.", Standing(5, 2, 1))[0] == (Standing(6, 2, 1), "stopped")


@pytest.mark.parametrize(
    ("martians", "left"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (28, 14)]
)
def test_death_takes_half_of_all_rounded_up_and_the_weapons(martians, left):
    """A Martian of this turn is lost with the rest: 5 + 1 leave 3."""
    before = Standing(martians, 1, 0, (Weapon(rerolls=1),))
    (standing, ending), _ = hunted("6" + "4" + "11", "++r", before)
    assert (standing, ending) == (Standing(left, 3, 3), "dead")


def test_the_goal_ends_the_turn_at_once():
    (standing, ending), asked = hunted("6" + "44", "++", Standing(5, 5, 2), goal=7)
    assert (standing.martians, ending) == (7, "goal")
    assert len(asked) == 2


def test_income_arrives_before_the_movement_roll_and_stops_at_five():
    (standing, _), asked = hunted("1", ".", Standing(0, 2, 4), income=lambda: (2, 2))
    assert standing == Standing(0, 4, 5)
    assert asked == [(standing, 5)]
    (standing, _), asked = hunted("1", ".", Standing(0, 4, 0), income=lambda: (3, 0))
    assert asked == [(Standing(0, 5, 0), 6)]


def test_a_player_without_a_life_token_moves_by_the_die_alone():
    rules = {"last_life": "one-more-roll"}
    (standing, _), asked = hunted("2" + "45", "++", Standing(0, 0, 0), **rules)
    assert standing == Standing(2, 0, 0)
    assert [moves for _, moves in asked] == [2, 1]


# --- races


def keen(_seat, _standings):
    """A player who fights on, and spends what he can."""
    return Player(lambda _standing, _ahead, _lost, legal: legal[0])


def test_turns_go_round_until_somebody_has_the_goal():
    asked = []

    def seat(who, standings):
        asked.append((who, *(standing.martians for standing in standings)))
        return keen(who, standings)

    begin = Standing(lives=1, bullets=0)
    dice = Dice("1" + "44" + "1" + "41" + "2" + "444")
    result = play_race([seat, seat], dice, goal=5, standings=[begin, begin])
    assert asked == [(0, 0, 0), (1, 2, 0), (0, 2, 0)]
    assert (result.winner, result.turns) == (0, 2)
    assert result.standings == (Standing(5, 1, 0), Standing(0, 3, 3))


def test_the_first_at_the_goal_has_won_at_once():
    never = lambda *_question: pytest.fail("the race is over")  # noqa: E731
    assert play_race([keen, never], Dice("14"), goal=1).winner == 0
    stop = lambda *_question: Player(keen(0, ()).pay, lambda *_standing: False)  # noqa: E731
    result = play_race([stop, keen], Dice("114"), goal=1)
    assert (result.winner, result.turns, result.standings[0]) == (1, 1, Standing())


def test_a_race_of_players_that_never_fight_is_refused_in_the_end():
    stop = Player(keen(0, ()).pay, lambda *_standing: False)
    with pytest.raises(GameError, match="after 50 turns for each"):
        play_race([lambda *_: stop], die_of(np.random.default_rng(1)), max_turns=50)


# --- what is refused


@pytest.mark.parametrize(
    ("standing", "rules", "error"),
    [
        (Standing(lives=0), {}, PositionError),
        (Standing(lives=6), {}, PositionError),
        (Standing(lives=-1), {"last_life": "one-more-roll"}, PositionError),
        (Standing(bullets=6), {}, PositionError),
        (Standing(bullets=-1), {}, PositionError),
        (Standing(martians=-1), {}, PositionError),
        (Standing(weapons=(Weapon(bonus=-1),)), {}, PositionError),
        (Standing(), {"last_life": "die"}, UnknownNameError),
    ],
)
def test_what_nobody_can_have_is_refused(standing, rules, error):
    for play in (play_fight, play_hunt):
        with pytest.raises(error):
            play(keen(0, ()), Dice("4"), standing, **rules)


def test_races_and_gauntlets_that_cannot_be_are_refused():
    with pytest.raises(PositionError, match="the goal is 5"):
        play_hunt(keen(0, ()), Dice("4"), Standing(5), goal=5)
    with pytest.raises(UsageError, match="0 Martians"):
        play_gauntlet(keen(0, ()), Dice("4"), 0)
    for seats, standings in (([], None), ([keen], [Standing()] * 2)):
        with pytest.raises(UsageError, match="a race of"):
            play_race(seats, Dice("4"), standings=standings)


@pytest.mark.parametrize(
    ("player", "match"),
    [
        (Player(lambda *_: "spend"), "legal are reroll, forfeit"),
        (Player(lambda *_: None), "legal are reroll, forfeit"),
        (Player(lambda *_: "forfeit", lambda *_: "go"), "True to fight on"),
        (Player(lambda *_: "forfeit", arm=lambda *_: 1), "which of 1 weapons"),
        (Player(lambda *_: "forfeit", arm=lambda *_: "+1"), "which of 1 weapons"),
    ],
)
def test_answers_against_the_rules_are_refused(player, match):
    with pytest.raises(GameError, match=match):
        play_hunt(player, Dice("6111"), Standing(0, 3, 0, (Weapon(rerolls=1),)))


@pytest.mark.parametrize("shown", [0, 7, None, "4"])
def test_a_die_that_shows_no_face_is_refused(shown):
    with pytest.raises(GameError, match="a face from 1 to 6"):
        play_fight(keen(0, ()), lambda: shown)


def test_incomes_that_cannot_be_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(GameError, match="an income of"):
        play_hunt(keen(0, ()), Dice("4"), income=lambda: (-1, 0))
    with pytest.raises(UsageError, match="do not sum to one"):
        income_of([((0, 0), Fraction(1, 2)), ((1, 0), Fraction(1, 3))], rng)
    with pytest.raises(UsageError, match="do not sum to one"):
        income_of([((0, 0), Fraction(3, 2)), ((1, 0), Fraction(-1, 2))], rng)
    with pytest.raises(UsageError, match="tokens a turn"):
        tokens_of(Fraction(-1), rng)


def test_the_same_seed_rolls_the_same_dice():
    results = []
    for _ in range(2):
        rng = np.random.default_rng(4)
        income = tokens_of(Fraction(1, 2), rng)
        results.append(play_race([keen, keen], die_of(rng), goal=12, income=income))
    assert results[0] == results[1]


def test_the_referee_shares_no_rules_with_the_solver():
    """Not by what it imports itself: errors, and its own folder."""
    folder = Path(referee.__file__).parent
    for path in sorted(folder.glob("martians*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        names = {
            a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names
        }
        used = {name for name in modules | names if name.startswith("solver")}
        assert "solver.errors" in used
        assert used <= {"solver.errors", "solver.referee.martians_combat"}


# --- incomes against their distribution


def assert_frequencies(seen, chances):
    """Every frequency lies where chance puts it: many at once, so 4.5 errors. Seeds are fixed."""
    number = seen.total()
    assert set(seen) <= {way for way, chance in chances.items() if chance}
    for way, chance in chances.items():
        expected = number * float(chance)
        assert abs(seen[way] - expected) <= 4.5 * sqrt(expected * (1 - float(chance))) + 1, way


@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 2), Fraction(1), Fraction(7, 3)])
def test_tokens_are_found_as_often_as_their_distribution_says(rate):
    rng = np.random.default_rng(9)
    chances = income_of_tokens(rate)
    for income in (tokens_of(rate, rng), income_of(chances.items(), rng)):
        assert_frequencies(Counter(income() for _ in range(8_000)), chances)


# --- the solver's player at the referee's table


def solvers_player(rules, solution):
    """The player who does what a solution says."""
    known = {}

    def best(state):
        if state not in known:
            known[state] = solution.choice_at(state)
        return known[state]

    hunting = rules.name == "martians"

    def at(kind, standing, ahead, *more):
        tokens = standing.lives, standing.bullets
        if not hunting:
            return (kind, ahead + 1, *tokens, *more)
        return (kind, standing.martians, *tokens, int(bool(standing.weapons)), ahead, *more)

    def pay(standing, ahead, lost, legal):
        state = at("short", standing, ahead, lost.weapon.bonus, lost.rerolls, lost.short)
        assert tuple(rules.expand(state).options) == legal
        return best(state)

    def arm(standing, ahead):
        used = best(at("arm", standing, ahead)).removeprefix("use-")
        names = [str(weapon) for weapon in rules.weapon.held]
        return names.index(used) if used in names else None

    return Player(pay, lambda standing, moves: best(at("ready", standing, moves)) == "fight", arm)


def weapons_of(rules, *, armed=True):
    held = rules.weapon.held if armed else ()
    return tuple(Weapon(weapon.bonus, weapon.rerolls) for weapon in held)


def gauntlet_outcome(result):
    return tuple(result)


def hunt_outcome(result):
    """A turn of the referee in the words of the rules: at the goal tokens are no matter."""
    standing, ending = result
    if ending == "goal":
        return (standing.martians, 0, 0, 0, ending)
    armed = int(bool(standing.weapons))
    return (standing.martians, standing.lives, standing.bullets, armed, ending)


class OutOfDiceError(Exception):
    """A roll is made that is not written yet."""


def listed(play):
    """The exact distribution of what `play(die)` returns: every sequence of dice is played."""
    chances = Counter()
    ahead = [()]
    while ahead:
        shown = ahead.pop()
        place = count()

        def die(shown=shown, place=place):
            at = next(place)
            if at == len(shown):
                raise OutOfDiceError
            return shown[at]

        try:
            result = play(die)
        except OutOfDiceError:
            ahead += [(*shown, face) for face in range(1, 7)]
        else:
            assert next(place) == len(shown)  # a shorter sequence would not have done
            chances[result] += Fraction(1, 6 ** len(shown))
    return chances


def drawn(outcomes, seed):
    draw = Random(seed)
    return {outcome: draw.randint(-60, 60) for outcome in sorted(outcomes)}


@cache
def compiled(rules):
    return compile_turn(rules)


@pytest.mark.parametrize(
    ("begin", "parameters"),
    [
        ((3, 2), {"fights": 2}),
        ((2, 1), {"fights": 3}),
        ((0, 3), {"fights": 2, "last_life": "one-more-roll"}),
        ((1, 2), {"fights": 2, "last_life": "one-more-roll", "weapon": "+1"}),
        ((1, 1), {"fights": 2, "weapon": "reroll:1"}),
        ((2, 1), {"fights": 1, "weapon": "+1,reroll:2"}),
        ((1, 0), {"fights": 2, "weapon": "+1,reroll:1"}),
    ],
    ids=str,
)
def test_every_sequence_of_dice_ends_as_the_solver_says(begin, parameters):
    """All of them, so that the distributions are equal as fractions."""
    rules = game("martians-fights", **parameters)
    graph = compiled(rules)
    for payoff in (
        {outcome: int(not FightOutcome(*outcome).dead) for outcome in graph.outcomes},
        {outcome: FightOutcome(*outcome).kills for outcome in graph.outcomes},
        drawn(graph.outcomes, 1),
        drawn(graph.outcomes, 2),
    ):
        solution = solve_turn(rules, payoff, exact=True, beginning=begin, graph=graph)
        player = solvers_player(rules, solution)
        before = Standing(0, *begin, weapons_of(rules))

        def play(die, player=player, before=before):
            return tuple(
                play_gauntlet(player, die, rules.fights, before, last_life=str(rules.last_life))
            )

        assert listed(play) == solution.exact_distribution


@pytest.mark.parametrize(
    ("begin", "parameters", "income"),
    [
        ((0, 1, 2, 0), {"goal": 2}, None),
        ((3, 2, 1, 0), {"goal": 5}, None),
        ((1, 0, 1, 0), {"goal": 3, "last_life": "one-more-roll"}, None),
        ((2, 1, 0, 0), {"goal": 4, "income": "1,2:1"}, (1, 2)),
        ((0, 1, 1, 1), {"goal": 2, "weapon": "+1"}, None),
        ((0, 1, 0, 1), {"goal": 2, "weapon": "+1,reroll:1", "last_life": "one-more-roll"}, None),
    ],
    ids=str,
)
def test_every_sequence_of_dice_of_a_hunt_ends_as_the_solver_says(begin, parameters, income):
    rules = game("martians", **parameters)
    graph = compiled(rules)
    payoff = {
        outcome: worth + 40 * outcome[0] for outcome, worth in drawn(graph.outcomes, 3).items()
    }
    solution = solve_turn(rules, payoff, exact=True, beginning=begin, graph=graph)
    player = solvers_player(rules, solution)
    before = Standing(*begin[:3], weapons_of(rules, armed=bool(begin[3])))
    rulings = {
        "goal": rules.goal,
        "last_life": str(rules.last_life),
        "income": no_income if income is None else lambda: income,
    }
    chances = listed(lambda die: hunt_outcome(play_hunt(player, die, before, **rulings)))
    assert len(chances) > 1
    assert chances == solution.exact_distribution


# --- many games, against the solver's values


def assert_mean(seen, mean, variance):
    assert abs(sum(seen) / len(seen) - mean) <= 4 * sqrt(variance / len(seen)) + 1e-9


@pytest.mark.parametrize("last_life", ["dies", "one-more-roll"])
@pytest.mark.parametrize("fights", [5, pytest.param(25, marks=pytest.mark.slow)])
def test_survival_and_kills_of_a_gauntlet_are_what_the_solver_says(fights, last_life):
    rules = game("martians-fights", fights=fights, last_life=last_life)
    graph = compiled(rules)
    for objective in ("survive", "kills"):
        payoff = {
            outcome: rules.payoff(objective, FightOutcome(*outcome)) for outcome in graph.outcomes
        }
        solution = solve_turn(rules, payoff, exact=True, graph=graph)
        player = solvers_player(rules, solution)
        die = die_of(np.random.default_rng(fights))
        seen = [
            tuple(play_gauntlet(player, die, fights, last_life=last_life)) for _ in range(3_000)
        ]
        assert_frequencies(Counter(seen), solution.exact_distribution)
        worth = [payoff[outcome] for outcome in seen]
        square = sum(p * payoff[x] ** 2 for x, p in solution.exact_distribution.items())
        assert_mean(worth, solution.value, float(square) - solution.value**2)
        survived = sum(not dead for *_, dead in seen) / len(seen)
        chance = sum(p for x, p in solution.exact_distribution.items() if not x[3])
        assert abs(survived - chance) <= 4 * sqrt(chance * (1 - chance) / len(seen))


HUNTS = [
    ((12, 2, 3, 0), {}),
    ((5, 3, 3, 0), {"goal": 9, "income": "rich"}),
    ((27, 4, 1, 0), {"income": "scarce", "last_life": "one-more-roll"}),
    ((8, 2, 2, 1), {"goal": 15, "income": "steady", "weapon": "+1,reroll:2"}),
    ((3, 1, 0, 0), {"goal": 6, "income": "0,0:1/2 5,0:1/6 1,4:1/3", "weapon": "reroll:1"}),
]


@pytest.mark.parametrize(("begin", "parameters"), HUNTS[1:2] + HUNTS[4:], ids=str)
def test_a_turn_is_worth_what_the_solver_says(begin, parameters):
    check_turns(begin, parameters, seeds=(1,), turns=2_500)


@pytest.mark.slow
@pytest.mark.parametrize(("begin", "parameters"), HUNTS, ids=str)
def test_many_turns_are_worth_what_the_solver_says(begin, parameters):
    check_turns(begin, parameters, seeds=range(10, 14), turns=60_000)


def check_turns(begin, parameters, seeds, turns):
    rules = game("martians", **parameters)
    graph = compiled(rules)
    before = Standing(*begin[:3], weapons_of(rules, armed=bool(begin[3])))
    for seed in seeds:
        payoff = {
            outcome: worth + 30 * HuntOutcome(*outcome).martians
            for outcome, worth in drawn(graph.outcomes, seed).items()
        }
        solution = solve_turn(rules, payoff, beginning=begin, graph=graph)
        player = solvers_player(rules, solution)
        rng = np.random.default_rng(seed)
        rulings = {
            "goal": rules.goal,
            "last_life": str(rules.last_life),
            "income": income_of(rules.income.branches, rng),
        }
        die = die_of(rng)
        seen = [hunt_outcome(play_hunt(player, die, before, **rulings)) for _ in range(turns)]
        assert_frequencies(Counter(seen), solution.distribution)
        square = sum(p * payoff[x] ** 2 for x, p in solution.distribution.items())
        assert_mean([payoff[x] for x in seen], solution.value, square - solution.value**2)


# --- races, against the values of brute force


def solvers_seat(rules, after, *, prefer_points=True):
    """A seat that plays each turn for `after(other standing, outcome)`: what it is worth.

    Among options as good it takes the one with more Martians, as matches do.
    """
    graph = compiled(rules)
    players = {}

    def seat(who, standings):
        other = standings[1 - who] if len(standings) == 2 else None
        if other not in players:
            payoff = {outcome: after(other, outcome) for outcome in graph.outcomes}
            turn = solve_turn(rules, payoff, graph=graph, prefer_points=prefer_points)
            players[other] = solvers_player(rules, turn)
        return players[other]

    return seat


def named(standing):
    return standing.martians, standing.lives, standing.bullets, int(bool(standing.weapons))


def runner(rules, turns):
    """A seat that has its goal in the fewest turns, given the fewest turns of each standing."""

    def after(_other, outcome):
        return 0.0 if HuntOutcome(*outcome).ending == "goal" else -turns[tuple(outcome[:4])]

    return solvers_seat(rules, after)


def racer(rules, wins, **ties):
    """A seat that is first at the goal, given the chances of who is on turn, (own, other)."""

    def after(other, outcome):
        if HuntOutcome(*outcome).ending == "goal":
            return 1.0
        return 1.0 - wins[named(other), tuple(outcome[:4])]

    return solvers_seat(rules, after, **ties)


def assert_turns(rules, seat, standing, turns, races, seed):
    rng = np.random.default_rng(seed)
    die, income = die_of(rng), income_of(rules.income.branches, rng)
    rulings = {"goal": rules.goal, "income": income, "last_life": str(rules.last_life)}
    seen = [play_race([seat], die, standings=[standing], **rulings).turns for _ in range(races)]
    assert abs(np.mean(seen) - turns) <= 4 * np.std(seen) / sqrt(races) + 1e-9


def assert_wins(rules, seat, standings, chance, races, seed):
    rng = np.random.default_rng(seed)
    die, income = die_of(rng), income_of(rules.income.branches, rng)
    rulings = {"goal": rules.goal, "income": income, "last_life": str(rules.last_life)}
    won = sum(
        play_race([seat, seat], die, standings=standings, **rulings).winner == 0
        for _ in range(races)
    )
    assert abs(won / races - chance) <= 4 * sqrt(chance * (1 - chance) / races) + 1e-9


def test_one_martian_alone_with_one_life_takes_a_turn_and_a_half():
    """Half of the time the player dies, and has three bullets for the next turn."""
    assert turns_alone(1, sweeps=9)[0, 1, 0, 0] == 1.5
    assert_turns(game("martians", goal=1), keen, Standing(0, 1, 0), 1.5, races=5_000, seed=2)


def test_one_martian_for_two_with_one_life_is_won_by_three_in_four():
    """The first dies half of the time; then the other must fight at once, and dies half."""
    wins = race_of_two(1, sweeps=4, start=0.0)
    poor, fresh = (0, 1, 0, 0), (0, 3, 3, 0)
    assert wins[poor, poor] == 0.75
    assert wins[poor, fresh] == 0.5
    assert wins[fresh, poor] == 1.0
    rules, begin = game("martians", goal=1), [Standing(0, 1, 0)] * 2
    assert_wins(rules, keen, begin, 0.75, races=5_000, seed=3)


SOLO = [
    ({"goal": 2}, ((0, 1, 0), (0, 2, 1), (1, 1, 0))),
    ({"goal": 4, "income": "scarce"}, ((0, 3, 3), (0, 1, 0))),
    ({"goal": 3, "last_life": "one-more-roll"}, ((0, 3, 3), (0, 0, 0), (2, 0, 1))),
]


def slow_rules(rules):
    """The same rules in the words of brute force."""
    income = {} if str(rules.income) == "none" else {"income": dict(rules.income.branches)}
    weapons = [str(weapon) for weapon in rules.weapon.held]
    return {"last_life": str(rules.last_life), "weapons": weapons} | income


def slow_turns(rules, sweeps=16):
    """The fewest turns by value iteration, with nothing left to gain."""
    before = turns_alone(rules.goal, sweeps=sweeps, **slow_rules(rules))
    turns = turns_alone(rules.goal, sweeps=5, start=before, **slow_rules(rules))
    assert max(abs(turns[standing] - before[standing]) for standing in turns) < 1e-9
    return turns


@pytest.mark.parametrize(("parameters", "begins"), SOLO[:1], ids=str)
def test_races_alone_take_as_many_turns_as_value_iteration_says(parameters, begins):
    check_alone(parameters, begins, races=2_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "begins"), [*SOLO, ({"goal": 10}, ((0, 3, 3), (4, 1, 1)))], ids=str
)
def test_many_races_alone_take_as_many_turns_as_value_iteration_says(parameters, begins):
    check_alone(parameters, begins, races=40_000, sweeps=150)


def check_alone(parameters, begins, races, **iteration):
    rules = game("martians", **parameters)
    turns = slow_turns(rules, **iteration)
    seat = runner(rules, turns)
    for begin in begins:
        assert_turns(rules, seat, Standing(*begin), turns[*begin, 0], races, seed=sum(begin))


@pytest.mark.slow
def test_races_of_two_for_one_martian_are_won_as_often_as_value_iteration_says():
    check_two({"goal": 1}, [((0, 1, 0), (0, 2, 1)), ((0, 2, 2), (0, 1, 2))], 4, races=40_000)


@pytest.mark.slow
def test_races_of_two_for_two_martians_are_won_as_often_as_value_iteration_says():
    pairs = [((0, 1, 0), (1, 1, 0)), ((0, 3, 0), (0, 3, 3)), ((1, 2, 0), (1, 1, 1))]
    check_two({"goal": 2}, pairs, 14, races=40_000)


def check_two(parameters, pairs, sweeps, races):
    rules = game("martians", **parameters)
    low, high = (race_of_two(rules.goal, sweeps=sweeps, start=start) for start in (0.0, 1.0))
    assert max(abs(high[pair] - low[pair]) for pair in low) < 1e-9
    seat = racer(rules, low)
    for own, other in pairs:
        begin = [Standing(*own), Standing(*other)]
        chance = low[(*own, 0), (*other, 0)]
        assert_wins(rules, seat, begin, chance, races, seed=sum(own))


# --- races, against the match solver


@pytest.mark.parametrize(
    ("parameters", "sweeps"),
    [
        ({"goal": 1}, 6),
        ({"goal": 2}, 16),
        ({"goal": 3, "last_life": "one-more-roll"}, 16),
        ({"goal": 2, "income": "scarce"}, 16),
        ({"goal": 1, "weapon": "reroll:1"}, 6),
        pytest.param({"goal": 4, "income": "rich"}, 24, marks=pytest.mark.slow),
        pytest.param({"goal": 3, "weapon": "+1,reroll:1"}, 20, marks=pytest.mark.slow),
        pytest.param({"goal": 9}, 150, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_fewest_turns_alone_are_those_of_value_iteration(parameters, sweeps):
    rules = game("martians", **parameters)
    solution = solve_alone(rules)
    turns = turns_alone(rules.goal, sweeps=sweeps, **slow_rules(rules))
    assert sorted(turns) == sorted(solution.standings.names)
    for standing, slow in turns.items():
        assert solution.turns(standing) == pytest.approx(slow, rel=1e-10)
        assert slow <= solution.turns(standing) * (1 + solution.relative_error + 1e-14)


@pytest.mark.parametrize(
    ("parameters", "sweeps"),
    [
        ({"goal": 1}, 4),
        ({"goal": 1, "last_life": "one-more-roll"}, 4),
        pytest.param({"goal": 2}, 14, marks=pytest.mark.slow),
        pytest.param({"goal": 2, "income": "steady"}, 14, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_chances_of_two_are_those_of_value_iteration(parameters, sweeps):
    rules = game("martians", **parameters)
    solution = solve_goal_race(rules)
    bounds = [
        race_of_two(rules.goal, sweeps=sweeps, start=start, **slow_rules(rules))
        for start in (0.0, 1.0)
    ]
    for (own, other), chance in bounds[0].items():
        low, high = sorted((chance, bounds[1][own, other]))
        assert low - 1e-12 <= solution.win(own, other) <= high + 1e-12
        assert high - low < 1e-9


def begins_of(rules, begin):
    standing = Standing(*begin, weapons_of(rules))
    return standing, named(standing)


def check_solved_alone(parameters, begins, races):
    rules = game("martians", **parameters)
    solution = solve_alone(rules, graph=compiled(rules))
    turns = dict(zip(solution.standings.names, solution.expected_turns.tolist(), strict=True))
    seat = runner(rules, turns)
    for begin in begins:
        standing, name = begins_of(rules, begin)
        assert_turns(rules, seat, standing, turns[name], races, seed=7 + sum(begin))


@pytest.mark.slow
def test_races_alone_take_as_many_turns_as_solved():
    check_solved_alone({"goal": 10}, [(0, 3, 3), (7, 1, 0)], races=300)
    check_solved_alone({"goal": 8, "income": "rich", "weapon": "+1"}, [(0, 3, 3)], races=300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "begins", "races"),
    [
        ({"goal": 10}, [(0, 3, 3), (7, 1, 0)], 40_000),
        ({"goal": 20}, [(0, 3, 3), (12, 2, 1)], 2_000),
        ({"goal": 30}, [(0, 3, 3)], 150),  # 2,200 turns each
        ({"goal": 30, "income": "steady"}, [(0, 3, 3), (15, 1, 0)], 4_000),
        ({"goal": 20, "income": "scarce", "weapon": "+1,reroll:2"}, [(0, 3, 3)], 4_000),
        ({"goal": 15, "last_life": "one-more-roll"}, [(0, 3, 3), (9, 0, 0)], 8_000),
    ],
    ids=str,
)
def test_many_races_alone_take_as_many_turns_as_solved(parameters, begins, races):
    check_solved_alone(parameters, begins, races)


def chances_of(solution):
    names = solution.standings.names
    return {
        (own, other): chance
        for own, row in zip(names, solution.chance.tolist(), strict=True)
        for other, chance in zip(names, row, strict=True)
    }


def check_solved_race(parameters, pairs, races):
    rules = game("martians", **parameters)
    wins = chances_of(solve_goal_race(rules, graph=compiled(rules)))
    seat = racer(rules, wins)
    for pair in pairs:
        (own, mine), (other, theirs) = (begins_of(rules, begin) for begin in pair)
        assert_wins(rules, seat, [own, other], wins[mine, theirs], races, seed=len(pairs))


def test_a_sure_winner_goes_and_wins():
    """With three bullets one Martian is sure, and to stop is as good while the other cannot win
    in his next turn: who always stops where it is as good never wins.
    """
    rules = game("martians", goal=8)
    wins = chances_of(solve_goal_race(rules, graph=compiled(rules), proof=False))
    begin = [Standing(7, 3, 3), Standing(0, 1, 0)]
    assert wins[named(begin[0]), named(begin[1])] == pytest.approx(1.0, abs=1e-12)
    die = die_of(np.random.default_rng(1))
    for _ in range(20):
        result = play_race([racer(rules, wins)] * 2, die, goal=8, standings=begin)
        assert (result.winner, result.turns) == (0, 1)
    waiting = racer(rules, wins, prefer_points=False)
    idle = Player(keen(0, ()).pay, lambda *_standing: False)
    with pytest.raises(GameError, match="after 99 turns"):
        play_race([waiting, lambda *_: idle], die, goal=8, standings=begin, max_turns=99)


def test_races_of_two_are_won_as_often_as_solved():
    check_solved_race({"goal": 4}, [((0, 3, 0), (0, 3, 3)), ((1, 1, 0), (2, 2, 0))], races=600)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameters", "pairs"),
    [
        ({"goal": 4}, [((0, 3, 0), (0, 3, 3)), ((1, 1, 0), (2, 2, 0))]),
        ({"goal": 10}, [((0, 3, 3), (0, 3, 3)), ((4, 1, 1), (6, 2, 3))]),
        ({"goal": 8, "income": "scarce", "last_life": "one-more-roll"}, [((0, 3, 3), (0, 3, 3))]),
        ({"goal": 5, "weapon": "+1,reroll:1"}, [((0, 3, 3), (2, 1, 2))]),
    ],
    ids=str,
)
def test_many_races_of_two_are_won_as_often_as_solved(parameters, pairs):
    check_solved_race(parameters, pairs, races=10_000)
