"""The rules of Martians!!! say what the rulebook says: closed forms, and brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
from brute_force_martians import (
    Fights,
    HuntTurn,
    income_of_tokens,
    killing,
    standings,
    surviving,
)

from solver.games import game
from solver.games.check import check_game, walk
from solver.games.martians import FightOutcome, Gauntlet, Hunt, HuntOutcome
from solver.games.protocol import Bank, Choose, Roll, starts_of
from solver.games.readings import rules_of
from solver.turn import compile_turn, solve_turn

LIVES = {"dies": range(1, 6), "one-more-roll": range(6)}
"""Reading of the last life -> life tokens of a living player."""
EXTRA = {"dies": 0, "one-more-roll": 1}
"""Rolls that may be lost unpaid besides one for each life token, before death."""
BULLETS = range(6)

BOTH = pytest.mark.parametrize("last_life", LIVES)


def fights(number=1, **rules):
    return game("martians-fights", fights=number, **rules)


def hunt(**rules):
    return game("martians", **rules)


def survival(outcomes):
    return {outcome: int(not FightOutcome(*outcome).dead) for outcome in outcomes}


def kills(outcomes):
    return {outcome: FightOutcome(*outcome).kills for outcome in outcomes}


def drawn(outcomes, seed):
    """A payoff without rhyme or reason, the same for the same seed."""
    draw = Random(seed)
    return {outcome: draw.randint(-60, 60) for outcome in sorted(outcomes)}


def best(rules, payoff):
    """The exact value of each beginning of a turn."""
    graph = compiled(rules)
    solution = solve_turn(rules, payoff(graph.outcomes), exact=True, graph=graph)
    return {way: solution.exact_at(state) for way, state in starts_of(rules).items()}


@cache
def reached(rules):
    return dict(walk(rules))


@cache
def compiled(rules):
    return compile_turn(rules)


# --- closed forms


@BOTH
def test_one_fight_is_lost_only_if_every_roll_is_lost_unpaid(last_life):
    found = best(fights(last_life=last_life), survival)
    assert found == {
        (lives, bullets): 1 - Fraction(max(3 - bullets, 0), 6) ** (lives + EXTRA[last_life])
        for lives in LIVES[last_life]
        for bullets in BULLETS
    }


@BOTH
def test_three_bullets_win_any_fight(last_life):
    found = best(fights(last_life=last_life), survival)
    assert {found[way] for way in found if way[1] >= 3} == {1}
    assert all(found[way] < 1 for way in found if way[1] < 3)


@BOTH
@pytest.mark.parametrize("bonus", [1, 2, 3])
def test_a_bonus_is_as_good_as_bullets_that_are_never_spent(last_life, bonus):
    found = best(fights(last_life=last_life, weapon=f"+{bonus}"), survival)
    for (lives, bullets), chance in found.items():
        lost = Fraction(max(3 - bullets - bonus, 0), 6)
        assert chance == 1 - lost ** (lives + EXTRA[last_life])


@BOTH
@pytest.mark.parametrize("rerolls", [1, 2, 3])
def test_a_re_roll_is_as_good_as_a_life_in_one_fight(last_life, rerolls):
    found = best(fights(last_life=last_life, weapon=f"reroll:{rerolls}"), survival)
    for (lives, bullets), chance in found.items():
        lost = Fraction(max(3 - bullets, 0), 6)
        assert chance == 1 - lost ** (lives + rerolls + EXTRA[last_life])


@BOTH
def test_of_two_weapons_the_better_one_is_used_in_a_fight_and_not_both(last_life):
    found = best(fights(last_life=last_life, weapon="+1,reroll:2"), survival)
    for (lives, bullets), chance in found.items():
        rolls = lives + EXTRA[last_life]
        bonus = Fraction(max(2 - bullets, 0), 6) ** rolls
        rerolls = Fraction(max(3 - bullets, 0), 6) ** (rolls + 2)
        assert chance == 1 - min(bonus, rerolls)


@BOTH
@pytest.mark.parametrize("weapon", ["none", "+2"])
def test_who_wants_to_die_can_forfeit_though_bullets_or_a_weapon_would_do(last_life, weapon):
    rules = fights(last_life=last_life, weapon=weapon)
    found = best(rules, lambda outcomes: {x: 1 - alive for x, alive in survival(outcomes).items()})
    for (lives, _), chance in found.items():
        assert chance == Fraction(1, 2) ** (lives + EXTRA[last_life])


@pytest.mark.parametrize("number", [1, 2, 7, 40])
def test_no_life_and_no_bullet_is_one_expected_kill_with_one_more_roll(number):
    """Halves add up to one: of ever more Martians a player kills ever closer to one."""
    rules = fights(number, last_life="one-more-roll")
    assert best(rules, kills)[0, 0] == 1 - Fraction(1, 2) ** number


@pytest.mark.parametrize("number", [1, 2, 7])
def test_nobody_is_alive_without_a_life_token_where_the_last_one_is_the_end(number):
    assert all(lives for lives, _ in starts_of(fights(number)))
    assert best(fights(number), kills)[1, 0] == 1 - Fraction(1, 2) ** number


@BOTH
def test_in_a_row_without_bullets_lives_are_losses(last_life):
    """k kills before the (L + extra)-th loss: a race of heads and tails."""

    def chance(wins, losses):
        if not wins or not losses:
            return Fraction(not wins)
        return (chance(wins - 1, losses) + chance(wins, losses - 1)) / 2

    for number in (2, 5):
        found = best(fights(number, last_life=last_life), survival)
        for lives in LIVES[last_life]:
            assert found[lives, 0] == chance(number, lives + EXTRA[last_life])


# --- brute force


def words(rules):
    return " ".join(map(str, rules.values()))


WEAPONS = ("none", "+1", "reroll:1", "+1,reroll:2")


def held(weapon):
    return [] if weapon == "none" else weapon.split(",")


@BOTH
@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.parametrize("number", [1, 2, 4])
def test_fights_equal_brute_force(number, weapon, last_life):
    check_fights(number, weapon, last_life)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("weapon", [*WEAPONS, "+2,reroll:1,reroll:3"])
def test_many_fights_equal_brute_force(weapon, last_life):
    check_fights(9, weapon, last_life)


def check_fights(number, weapon, last_life):
    rules = fights(number, weapon=weapon, last_life=last_life)
    table = {"last_life": last_life, "weapons": held(weapon)}
    graph = compiled(rules)
    random = drawn(graph.outcomes, f"{number} {weapon} {last_life}")
    payoffs = [
        (survival(graph.outcomes), surviving),
        (kills(graph.outcomes), killing),
        (random, lambda *outcome: Fraction(random[outcome])),
    ]
    for payoff, brute in payoffs:
        solution = solve_turn(rules, payoff, exact=True, graph=graph)
        slow = Fights(number, brute, **table)
        expected = {
            (lives, bullets): slow.best(lives, bullets)
            for lives in LIVES[last_life]
            for bullets in BULLETS
        }
        assert {
            way: solution.exact_at(state) for way, state in starts_of(rules).items()
        } == expected


HUNTS = [
    {"goal": 1},
    {"goal": 3},
    {"goal": 3, "last_life": "one-more-roll"},
    {"goal": 5},
    {"goal": 4, "income": "steady"},
    {"goal": 3, "income": "tokens:7/3", "last_life": "one-more-roll"},
    {"goal": 3, "income": "0,0:1/2 5,0:1/6 1,4:1/3"},
    {"goal": 3, "weapon": "+1"},
    {"goal": 2, "weapon": "reroll:1", "last_life": "one-more-roll"},
    {"goal": 2, "weapon": "+1,reroll:2", "income": "scarce"},
    {"goal": 1, "weapon": "+1,reroll:2", "last_life": "one-more-roll", "income": "rich"},
]
INCOMES = {
    "steady": income_of_tokens(Fraction(1)),
    "scarce": income_of_tokens(Fraction(1, 2)),
    "rich": income_of_tokens(Fraction(2)),
    "tokens:7/3": income_of_tokens(Fraction(7, 3)),
    "0,0:1/2 5,0:1/6 1,4:1/3": {
        (0, 0): Fraction(1, 2),
        (5, 0): Fraction(1, 6),
        (1, 4): Fraction(1, 3),
    },
}


LONG_HUNTS = [
    {"goal": 12},
    {"goal": 13, "last_life": "one-more-roll"},
    {"goal": 7, "weapon": "+1,reroll:1", "income": "scarce"},
    {"goal": 4, "weapon": "+1,reroll:2", "last_life": "one-more-roll", "income": "rich"},
]


@pytest.mark.parametrize("each", [0, 200], ids=["any payoff", "glad of each Martian"])
@pytest.mark.parametrize(
    "rules",
    [*HUNTS, *(pytest.param(rules, marks=pytest.mark.slow) for rules in LONG_HUNTS)],
    ids=words,
)
def test_a_hunt_equals_brute_force(rules, each):
    """From every standing, and at every decision between fights."""
    turn = hunt(**rules)
    graph = compiled(turn)
    payoff = {
        outcome: worth + each * HuntOutcome(*outcome).martians
        for outcome, worth in drawn(graph.outcomes, each).items()
    }
    solution = solve_turn(turn, payoff, exact=True, graph=graph)
    slow = HuntTurn(
        rules["goal"],
        lambda *outcome: Fraction(payoff[outcome]),
        income=INCOMES.get(rules.get("income")),
        last_life=rules.get("last_life", "dies"),
        weapons=held(rules.get("weapon", "none")),
    )
    begins = starts_of(turn)
    every = standings(rules["goal"], rules.get("last_life", "dies"), armed="weapon" in rules)
    assert sorted(begins) == every
    assert {way: solution.exact_at(state) for way, state in begins.items()} == {
        way: slow.best(*way) for way in every
    }
    between = [state for state in reached(turn) if state[0] == "ready"]
    assert between
    for state in between:
        _, martians, lives, bullets, armed, moves = state
        found = slow.ready((martians, moves, armed), "L" * lives, "B" * bullets)
        assert solution.exact_at(state) == found, state


@pytest.mark.parametrize(
    ("text", "average"),
    [
        ("none", Fraction(0)),
        ("scarce", Fraction(1, 2)),
        ("steady", Fraction(1)),
        ("rich", Fraction(2)),
        ("tokens:3/4", Fraction(3, 4)),
        ("tokens:2.5", Fraction(5, 2)),
        ("tokens:4", Fraction(4)),
    ],
)
def test_tokens_of_an_income_are_drawn_one_by_one(text, average):
    assert dict(hunt(income=text).income.branches) == income_of_tokens(average)


# --- the rulebook's sentences


def told(rules):
    return f"{rules.name} {words(rules_of(rules))}"


SOUND = [
    fights(1),
    fights(4, weapon="+1,reroll:2"),
    fights(3, last_life="one-more-roll", weapon="reroll:1"),
    *(hunt(**rules) for rules in HUNTS),
]


@pytest.mark.parametrize("rules", SOUND, ids=told)
def test_the_rules_keep_the_protocol(rules):
    report = check_game(rules)
    assert report.decisions
    assert report.rolls
    assert rules.start() == next(iter(starts_of(rules).values()))


@pytest.mark.parametrize("rules", SOUND, ids=told)
def test_nobody_has_more_than_five_tokens_or_fewer_than_none(rules):
    least = 1 if rules.last_life == "dies" else 0
    at = 2  # ("fight", left, lives, bullets, ...) and ("move", martians, lives, bullets, ...)
    for state, expansion in reached(rules).items():
        if not isinstance(expansion, Bank):
            lives, bullets = state[at : at + 2]
            assert least <= lives <= 5, state
            assert 0 <= bullets <= 5, state


def test_income_above_five_is_left_lying():
    turn = hunt(income="3,0:1/4 0,2:1/4 5,5:1/2")
    expansion = turn.expand(turn.starts()[7, 4, 4, 0])
    assert isinstance(expansion, Roll)
    whole = sum(weight for weight, _ in expansion.branches)
    assert {state[2:4]: Fraction(weight, whole) for weight, state in expansion.branches} == {
        (5, 4): Fraction(1, 4),
        (4, 5): Fraction(1, 4),
        (5, 5): Fraction(1, 2),
    }


def test_no_income_is_no_roll():
    """A distribution that gives nothing for sure is the same rule as none."""
    turn = hunt(income="0,0:1")
    assert turn == hunt()
    assert turn.start()[0] == "move"
    assert hunt(income="scarce").start()[0] == "turn"


def test_moves_are_the_die_and_the_lives_after_the_income():
    turn = hunt(income="2,0:1")
    ((_, move),) = turn.expand(turn.starts()[0, 2, 0, 0]).branches
    expansion = turn.expand(move)
    assert [(weight, state[0], state[-1]) for weight, state in expansion.branches] == [
        (1, "ready", face + 4) for face in range(1, 7)
    ]


def test_each_fight_costs_a_move_and_no_moves_end_the_turn():
    turn = hunt()
    last = turn.expand(("ready", 5, 2, 0, 0, 1)).options
    assert list(last) == ["stop", "fight"]
    won = turn.expand(last["fight"]).branches[0]
    assert won[0] == 3
    assert turn.expand(won[1]) == Bank((6, 2, 0, 0, "stopped"))
    more = turn.expand(("ready", 5, 2, 0, 0, 2)).options
    won = turn.expand(more["fight"]).branches[0]
    assert list(turn.expand(won[1]).options) == ["stop", "fight"]


def test_the_example_of_the_rulebook():
    """ "If you rolled a two, you could discard a life token ... or spend two bullet tokens"."""
    turn = fights(2)
    branches = turn.expand(turn.starts()[3, 3]).branches
    assert sum(weight for weight, _ in branches) == 6
    assert sorted(state[-1] for weight, state in branches if weight == 1) == [1, 2, 3]
    two = next(state for _, state in branches if state[0] == "short" and state[-1] == 2)
    after = turn.expand(two)
    assert isinstance(after, Choose)
    assert list(after.options) == ["spend", "forfeit"]
    assert after.options["spend"] == turn.before(1, 3, 1)
    assert after.options["forfeit"] == turn.before(2, 2, 3)


def test_bullets_that_are_not_enough_are_not_spent():
    turn = fights(1, weapon="reroll:1")
    for bullets in BULLETS:
        for short in (1, 2, 3):
            for rerolls in (0, 1):
                options = turn.expand(("short", 1, 2, bullets, 0, rerolls, short)).options
                legal = {"spend": bullets >= short, "reroll": rerolls, "forfeit": True}
                assert list(options) == [name for name, yes in legal.items() if yes]


@pytest.mark.parametrize(
    ("martians", "left"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (28, 14), (29, 14)]
)
@BOTH
def test_death_takes_half_rounded_up_and_the_weapons(martians, left, last_life):
    turn = hunt(last_life=last_life, weapon="+1")
    lives = LIVES[last_life][0]
    dying = turn.expand(("short", martians, lives, 2, 1, 4, 1, 0, 2)).options["forfeit"]
    assert turn.expand(dying) == Bank((left, 3, 3, 0, "dead"))


@BOTH
def test_every_death_is_such_a_death(last_life):
    outcomes = compiled(hunt(goal=9, last_life=last_life)).outcomes
    dead = {tuple(outcome[:-1]) for outcome in outcomes if HuntOutcome(*outcome).ending == "dead"}
    assert dead == {(left, 3, 3, 0) for left in (0, 1, 2, 3, 4)}


def test_the_goal_ends_the_turn_at_once():
    turn = hunt(goal=7, weapon="+1")
    fight = ("fight", 6, 2, 3, 1, 5, 1, 0)
    assert turn.expand(turn.expand(fight).branches[0][1]) == Bank((7, 0, 0, 0, "goal"))
    spent = turn.expand(("short", 6, 2, 3, 1, 5, 1, 0, 2)).options["spend"]
    assert turn.expand(spent) == Bank((7, 0, 0, 0, "goal"))


def test_re_rolls_are_for_one_fight_and_come_back_for_the_next():
    turn = fights(2, weapon="reroll:2")
    again = turn.expand(("short", 2, 3, 3, 0, 2, 1)).options["reroll"]
    assert again == ("fight", 2, 3, 3, 0, 1)
    spent = turn.expand(("short", 2, 3, 3, 0, 0, 1)).options
    assert list(spent) == ["spend", "forfeit"]
    assert spent["forfeit"] == ("fight", 2, 2, 3, 0, 0)
    assert turn.expand(spent["spend"]).options["use-reroll:2"] == ("fight", 1, 3, 2, 0, 2)


def test_one_weapon_may_be_used_in_a_fight():
    turn = fights(1, weapon="+1,reroll:2")
    used = {state[-2:] for state in turn.expand(turn.start()).options.values()}
    assert used == {(1, 0), (0, 2), (0, 0)}


def test_default_rules_are_the_official_ones():
    assert Hunt() == hunt(goal=30, income="none", last_life="dies", weapon="none")
    assert Gauntlet() == fights(1, last_life="dies", weapon="none")
    assert Hunt().start()[1:4] == (0, 3, 3)
