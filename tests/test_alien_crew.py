"""Turns of Alien Crew: every value against every order of dice, positions as people tell them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import comb

import pytest
from brute_force_alien import FACES, TRIO, AlienTurn, as_points
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.errors import NotationError, PositionError, ShouldIRollError, UnknownNameError
from solver.games import game
from solver.turn import compile_turn, evaluate_policy, solve_turn

STAGES = ("nothing", "battleship", "captain", "trio")
TRIOS, CREWS = ("kept", "reset"), ("either", "both")


# --- what a turn can be played for


def at_least(bound):
    return lambda points, _stage: int(points >= bound)


def uneven(seed):
    """A payoff without order: points and stages may be good or bad, together or alone."""
    draw = random.Random(seed)
    table = {
        (points, stage): Fraction(draw.randint(-30, 90), draw.randint(1, 12))
        for points in range(40)
        for stage in range(4)
    }
    return lambda points, stage: table[points, stage]


PAYOFFS = {
    "points": as_points,
    **{f"at-least:{k}": at_least(k) for k in (1, 6, 9, 12)},
    "capped:8": lambda points, _stage: min(points, 8),
    "uneven:1": uneven(1),
    "uneven:2": uneven(2),
}


@cache
def rules_of(dice=5, throws=3, trio="kept", crew="either"):
    return game("alien-crew", dice=dice, throws=throws, trio=trio, crew=crew)


@cache
def compiled(rules):
    return compile_turn(rules)


@cache
def solved(rules, name="points", beginning=None):
    objective = name
    if name.startswith("uneven"):
        objective = {x: PAYOFFS[name](*x) for x in compiled(rules).outcomes}
    return solve_turn(rules, objective, exact=True, beginning=beginning, graph=compiled(rules))


def by_brute_force(rules, name="points"):
    keep, either = rules.trio == "kept", rules.crew == "either"
    return AlienTurn(PAYOFFS[name], dice=rules.dice, keep=keep, either=either)


# --- values, against every order of dice


@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("dice", [4, 5])
def test_best_turn_from_every_stage_with_kept_trios(dice, crew, name):
    turn = by_brute_force(rules_of(dice, 3, "kept", crew), name)
    for throws, stage in product((1, 2, 3), range(4)):
        rules = rules_of(dice, throws, "kept", crew)
        best = solved(rules, name, STAGES[stage])
        assert best.exact == turn.throw(TRIO[:stage], throws), (throws, stage)


@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("dice", [4, 5])
def test_best_turn_when_every_turn_starts_anew(dice, crew, name):
    """The later stages are those within a turn: fewer throws are left than it had."""
    turn = by_brute_force(rules_of(dice, 3, "reset", crew), name)
    for throws in (1, 2, 3):
        solution = solved(rules_of(dice, throws, "reset", crew), name)
        assert solution.exact == turn.throw("", throws)
        for left, stage in product(range(1, throws), range(3)):
            value = solution.exact_at(("throw", stage, left))
            assert value == turn.throw(TRIO[:stage], left), (throws, left, stage)


@pytest.mark.parametrize("name", ["points", "at-least:12", "uneven:1"])
@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.slow
def test_best_turn_with_a_crew_of_three(crew, name):
    rules = rules_of(6, 2, "kept", crew)
    turn = by_brute_force(rules, name)
    for stage in range(4):
        assert solved(rules, name, STAGES[stage]).exact == turn.throw(TRIO[:stage], 2)


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(
    throws=st.integers(1, 4),
    stage=st.integers(0, 3),
    crew=st.sampled_from(CREWS),
    seed=st.integers(0, 10**6),
)
def test_best_turn_for_any_payoff(throws, stage, crew, seed):
    rules = rules_of(4, throws, "kept", crew)
    payoff = uneven(seed)
    mapping = {outcome: payoff(*outcome) for outcome in compiled(rules).outcomes}
    turn = AlienTurn(payoff, dice=4, either=crew == "either")
    best = solve_turn(rules, mapping, exact=True, beginning=STAGES[stage])
    assert best.exact == turn.throw(TRIO[:stage], throws)


def told(crew):
    """Faces as a player writes them."""
    return " ".join(crew)


def named(choices):
    """Brute force's choices under the names that the rules give them."""
    return {"-".join(["roll", *again]) if again else "stop": v for again, v in choices.items()}


@pytest.mark.parametrize("name", ["points", "at-least:9", "uneven:1"])
@pytest.mark.parametrize("crew", CREWS)
def test_every_option_after_every_throw(crew, name):
    """Whatever is thrown at whatever stage: what is set aside, what can be done, its worth."""
    rules = rules_of(crew=crew)
    turn, solution = by_brute_force(rules, name), solved(rules, name)
    checked = Counter()
    for stage, left in product(range(4), range(3)):
        for roll in map("".join, combinations_with_replacement(FACES, 5 - stage)):
            position = rules.read_position(stage=STAGES[stage], roll=told(roll), throws=left)
            values = {o.action: o.exact for o in solution.compare(position.options)}
            aside, dice = turn.set_aside(TRIO[:stage], roll)
            if aside == TRIO:
                expected = named(turn.choices(dice, left))
            elif left:
                expected = {"roll": turn.throw(aside, left)}
            else:
                expected = {"stop": turn.end(0, aside)}
            assert values == expected, (stage, roll, left)
            checked[len(aside)] += 1
    assert min(checked[stage] for stage in range(4)) > 50


# --- the chance of the trio


def chance_of_trio(rules, stage=0):
    chances = solved(rules, "points", STAGES[stage]).exact_distribution
    return sum((p for (_, after), p in chances.items() if after == 3), Fraction(0))


def by_inclusion_and_exclusion(stage, throws, dice=5):
    """A throw brings the next j of the trio if all j faces are among its dice."""
    if stage == 3 or not throws:
        return Fraction(stage == 3)
    n = dice - stage
    brings = [
        sum((-1) ** i * comb(j, i) * Fraction(6 - i, 6) ** n for i in range(j + 1))
        for j in range(4 - stage)
    ]
    exactly = [more - most for more, most in pairwise([*brings, Fraction(0)])]
    return sum(
        p * by_inclusion_and_exclusion(stage + j, throws - 1, dice) for j, p in enumerate(exactly)
    )


@pytest.mark.parametrize(
    ("throws", "chance"),
    [
        (1, Fraction(205, 1296)),
        (2, Fraction(3_589_927, 10_077_696)),
        (3, Fraction(42_314_697_971, 78_364_164_096)),
    ],
)
def test_the_chance_of_the_trio_from_nothing(throws, chance):
    assert chance_of_trio(rules_of(throws=throws)) == chance
    assert AlienTurn(lambda _, stage: stage == 3).throw("", throws) == chance
    assert by_inclusion_and_exclusion(0, throws) == chance
    bust = solved(rules_of(throws=throws, trio="reset")).exact_distribution[0, 0]
    assert bust == 1 - chance


def test_the_chance_of_the_trio_from_every_stage():
    for dice, throws, stage in product((4, 5, 6), (1, 2, 3), range(4)):
        chance = by_inclusion_and_exclusion(stage, throws, dice)
        assert chance_of_trio(rules_of(dice, throws), stage) == chance
    assert chance_of_trio(rules_of(), 2) == 1 - Fraction(5, 6) ** 9  # nine throws of a die for a 4


def count_one_face(places):
    """The chain of a public page: five dice, counting how many show one and the same face.

    Entries are rounded to so many decimals, and the last of a row is what is left of one.
    """
    rows = []
    for have in range(3):
        n = 5 - have
        row = [Fraction(0)] * have
        row += [comb(n, k) * Fraction(5 ** (n - k), 6**n) for k in range(3 - have)]
        row = [round(p, places) for p in row]
        rows.append([*row, 1 - sum(row)])
    rows.append([Fraction(0)] * 3 + [Fraction(1)])
    within = rows[0]
    for _ in range(2):
        within = [sum(p * rows[i][j] for i, p in enumerate(within)) for j in range(4)]
    return rows[0][3], within[3]


def test_the_published_chance_of_the_trio_counts_one_face_instead_of_three():
    """.3547 is the chance of three dice of one face. The trio is a 6, a 5 and a 4: .5400."""
    at_once, within_three = count_one_face(4)
    assert (float(at_once), float(round(within_three, 4))) == (0.0354, 0.3547)
    at_once, within_three = count_one_face(40)
    in_a_row = sum(roll.count(6) >= 3 for roll in product(range(1, 7), repeat=5))
    assert round(at_once, 30) == round(Fraction(in_a_row, 6**5), 30)
    seen = 1 - Fraction(5, 6) ** 3  # a die that is thrown three times shows the face once
    three_seen = sum(comb(5, k) * seen**k * (1 - seen) ** (5 - k) for k in (3, 4, 5))
    assert round(within_three, 30) == round(three_seen, 30)
    trio = sum({4, 5, 6} <= set(roll) for roll in product(range(1, 7), repeat=5))
    assert Fraction(trio, 6**5) == chance_of_trio(rules_of(throws=1)) > 4 * at_once
    assert float(round(chance_of_trio(rules_of()), 4)) == 0.54


# --- closed forms


def test_with_the_trio_each_crew_die_is_worth_fourteen_thirds():
    """Alone a die is worth 7/2 once, 17/4 in two throws (keep 4 up), 14/3 in three (5 up)."""
    one = Fraction(7, 2)
    two = Fraction(4 + 5 + 6, 6) + one / 2
    three = Fraction(5 + 6, 6) + two * Fraction(2, 3)
    assert (one, two, three) == (Fraction(7, 2), Fraction(17, 4), Fraction(14, 3))
    for throws, value in enumerate((one, two, three), 1):
        for dice in (4, 5, 6):
            best = solved(rules_of(dice, throws), "points", "trio")
            assert best.exact == (dice - 3) * value
            assert best.bust == 0.0


def test_crew_dice_are_played_one_by_one():
    """For points the dice do not know of each other: the crew is two dice, each played alone."""
    alone = Counter({5: Fraction(1, 6), 6: Fraction(1, 6)})
    for face in (4, 5, 6):
        alone[face] += Fraction(2, 3) * Fraction(1, 6)
    for face in range(1, 7):
        alone[face] += Fraction(2, 3) * Fraction(1, 2) * Fraction(1, 6)
    both = Counter()
    for (a, p), (b, q) in product(alone.items(), repeat=2):
        both[a + b, 3] += p * q
    assert solved(rules_of(), "points", "trio").exact_distribution == both


def test_a_crew_thrown_together_is_kept_from_seven_and_from_eight():
    sums = Counter(a + b for a, b in product(range(1, 7), repeat=2))
    one = Fraction(sum(k * n for k, n in sums.items()), 36)
    two = sum(max(k, one) * n for k, n in sums.items()) / 36
    three = sum(max(k, two) * n for k, n in sums.items()) / 36
    assert (one, two, three) == (7, Fraction(287, 36), Fraction(3689, 432))
    for throws, value in enumerate((one, two, three), 1):
        assert solved(rules_of(throws=throws, crew="both"), "points", "trio").exact == value
    solution = solved(rules_of(crew="both"))
    for left, least in ((1, 7), (2, 8)):
        for a, b in combinations_with_replacement(range(1, 7), 2):
            stays = solution.choice_at(("crew", left, a, b)) == "stop"
            assert stays == (a + b >= least)


@pytest.mark.parametrize(
    ("crew", "value"),
    [
        ("either", Fraction(169_123_624_727, 39_182_082_048)),
        ("both", Fraction(160_042_333_703, 39_182_082_048)),
    ],
)
def test_a_first_turn_is_worth_the_same_whether_the_trio_is_kept(crew, value):
    for trio in TRIOS:
        assert solved(rules_of(trio=trio, crew=crew)).exact == value


def test_best_play_for_points_fits_in_a_line():
    """With two throws left keep 5 and 6, with one left 4 too; stop if nothing is below."""

    def in_a_line(state, actions):
        kind, left, *dice = state
        assert kind == "crew"
        again = [str(die) for die in dice if die < (5 if left == 2 else 4)]
        action = "-".join(["roll", *again]) if again else "stop"
        assert action in actions
        return action

    assert evaluate_policy(rules_of(), in_a_line) == solved(rules_of()).exact_distribution


# --- outcomes


@pytest.mark.parametrize("name", PAYOFFS)
def test_chances_sum_to_one_and_stages_never_fall(name):
    for crew, throws in product(CREWS, (1, 2, 3)):
        rules = rules_of(throws=throws, crew=crew)
        for stage in range(4):
            solution = solved(rules, name, STAGES[stage])
            chances = solution.exact_distribution
            assert sum(chances.values()) == 1
            assert sum(p * PAYOFFS[name](*x) for x, p in chances.items()) == solution.exact
            assert {after for _, after in chances} == set(range(stage, 4))
            assert all((points > 0) == (after == 3) for points, after in chances)
            assert {points for points, _ in chances} <= {0, *range(2, 13)}


@pytest.mark.parametrize("name", ["points", "uneven:2"])
def test_the_stage_after_a_turn_is_beyond_the_players_choice(name):
    """Setting aside is forced: only the crew is played, so the stages come as the dice fall."""
    for stage, after in product(range(4), repeat=2):
        chances = solved(rules_of(), name, STAGES[stage]).exact_distribution
        here = AlienTurn(lambda _, left, after=after: left == after).throw(TRIO[:stage], 3)
        assert sum((p for (_, s), p in chances.items() if s == after), Fraction(0)) == here


def test_no_turn_that_starts_anew_leaves_a_stage():
    for crew in CREWS:
        rules = rules_of(trio="reset", crew=crew)
        assert {stage for _, stage in compiled(rules).outcomes} == {0}
        assert list(rules.starts()) == ["nothing"]
    assert list(rules_of().starts()) == list(STAGES)


# --- ties, and the order of options


def best_of(choices):
    most = max(choices.values())
    return {action for action, value in named(choices).items() if value == most}


@pytest.mark.parametrize("name", PAYOFFS)
@pytest.mark.parametrize("crew", CREWS)
def test_all_options_that_tie_are_reported(crew, name):
    rules = rules_of(crew=crew)
    turn, solution = by_brute_force(rules, name), solved(rules, name)
    for left, dice in product(range(3), combinations_with_replacement(FACES, 2)):
        state = ("crew", left, *map(int, dice))
        options = solution.options(state)
        best = {o.action for o in options if o.best}
        assert best == best_of(turn.choices("".join(dice), left)), state
        assert solution.choice_at(state) == next(o.action for o in options if o.best)


def ties(rules, name="points"):
    solution = solved(rules, name)
    for left, dice in product((1, 2), combinations_with_replacement(range(1, 7), 2)):
        best = [o.action for o in solution.options(("crew", left, *dice)) if o.best]
        if len(best) > 1:
            yield left, dice, best


def test_a_crew_of_seven_and_one_throw_of_both_dice_is_the_only_tie_for_points():
    assert list(ties(rules_of(crew="either"))) == []
    assert list(ties(rules_of(crew="both"))) == [
        (1, (1, 6), ["stop", "roll-1-6"]),
        (1, (2, 5), ["stop", "roll-2-5"]),
        (1, (3, 4), ["stop", "roll-3-4"]),
    ]


def test_options_stand_in_canonical_order():
    """Stop before a throw, fewer dice before more; a face that both dice show is named once."""
    for left, (a, b) in product((1, 2), combinations_with_replacement(range(1, 7), 2)):
        one = [f"roll-{a}", f"roll-{b}"] if a < b else [f"roll-{a}"]
        both = f"roll-{a}-{b}"
        for crew, expected in (("either", ["stop", *one, both]), ("both", ["stop", both])):
            rules = rules_of(crew=crew)
            assert list(rules.crew_options(left, (a, b))) == expected
            position = rules.read_position(stage="trio", crew=f"{b} {a}", throws=left)
            assert list(position.options) == expected


def test_of_options_that_tie_the_first_in_order_is_played():
    rules = rules_of()
    odd = {x: x[0] % 2 for x in compiled(rules).outcomes}
    nothing = dict.fromkeys(odd, 0)
    for left in (1, 2):
        solution = solve_turn(rules, odd, exact=True)
        options = solution.options(("crew", left, 2, 4))  # one die or two: odd half of the time
        assert [(o.action, o.best) for o in options] == [
            ("stop", False),
            ("roll-2", True),
            ("roll-4", True),
            ("roll-2-4", True),
        ]
        assert {o.exact for o in options if o.best} == {1 - Fraction(1, 2) ** left}
        assert solution.choice_at(("crew", left, 2, 4)) == "roll-2"
        indifferent = solve_turn(rules, nothing, exact=True)
        assert all(o.best for o in indifferent.options(("crew", left, 2, 4)))
        assert indifferent.choice_at(("crew", left, 2, 4)) == "stop"


# --- advice


@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("trio", TRIOS)
def test_advice_on_every_crew(trio, crew):
    rules = rules_of(trio=trio, crew=crew)
    turn = by_brute_force(rules)
    with solver.open_tables() as tables:
        for throws, dice in product(range(3), combinations_with_replacement(FACES, 2)):
            advice = solver.advise(
                "alien-crew",
                tables=tables,
                stage="trio",
                crew=told(dice),
                throws=throws,
                parameters={"trio": trio, "crew": crew},
            )
            choices = turn.choices("".join(dice), throws)
            values = {o.action: Fraction(o.exact) for o in advice.options}
            assert values == named(choices)
            assert {o.action for o in advice.options if o.best} == best_of(choices)
            losses = [o.loss for o in advice.options]
            assert losses == sorted(losses)
            for option in advice.options:
                assert option.loss == pytest.approx(float(max(values.values())) - option.value)
                assert option.bust == 0.0
            assert advice.best.action == solved(rules).choice_at(("crew", throws, *map(int, dice)))
            assert (advice.objective, advice.unit) == ("points", "points")
            assert advice.exactness.kind == "exact"


def test_advice_reports_a_tie():
    position = {"stage": "trio", "crew": "3 4", "throws": 1}
    advice = solver.advise("alien-crew", parameters={"crew": "both"}, **position)
    assert [(o.action, o.exact, o.best) for o in advice.options] == [
        ("stop", "7", True),
        ("roll-3-4", "7", True),
    ]
    assert "no difference" in advice.why


def test_advice_on_a_throw():
    """The examples of the command line, and what they are worth by hand."""
    advice = solver.advise("alien-crew", stage="trio", crew="2 5", throws=1)
    assert (advice.best.action, advice.best.exact) == ("roll-2", "17/2")  # 5 + 7/2
    advice = solver.advise("alien-crew", stage="captain", roll="4 3 3", throws=2)
    assert (advice.best.action, advice.best.exact) == ("roll-3-3", "17/2")  # twice 17/4
    assert "first mate" in advice.note
    advice = solver.advise("alien-crew", roll="6 5 1 2 2", throws=0)
    assert [(o.action, o.exact, o.bust) for o in advice.options] == [("stop", "0", 1.0)]
    advice = solver.advise("alien-crew")
    assert [o.action for o in advice.options] == ["roll"]
    assert advice.best.bust == pytest.approx(1 - float(chance_of_trio(rules_of())))


def test_advice_for_a_chance():
    position = {"stage": "trio", "crew": "3 4", "throws": 1}
    advice = solver.advise("alien-crew", objective="at-least:9", **position)
    assert [(o.action, o.exact) for o in advice.options] == [
        ("roll-3", "1/3"),
        ("roll-3-4", "5/18"),
        ("roll-4", "1/6"),
        ("stop", "0"),
    ]
    assert advice.unit == "probability"


# --- positions as people tell them


def read(**told_):
    return rules_of().read_position(**told_)


@pytest.mark.parametrize(
    "dice",
    [
        "2 5",
        "5 2",
        "25",
        "2,5",
        "2, 5",
        "2+5",
        "2; 5",
        "  2\t5\n",
        "two five",
        "Five and TWO",
        "2 captain",
        "captain two",
        [5, 2],
        (2, 5),
    ],
)
def test_one_crew_in_every_spelling(dice):
    position = read(stage="trio", crew=dice, throws=1)
    assert position.state == ("crew", 1, 2, 5)
    assert position.shown == {"stage": "trio", "throws": "1", "crew": "2 5"}
    assert read(stage="trio", roll=dice, throws=1).state == position.state


@pytest.mark.parametrize(
    ("word", "face"),
    [
        *zip(("one", "two", "three", "four", "five", "six"), range(1, 7), strict=True),
        ("battleship", 6),
        ("captain", 5),
        ("mate", 4),
    ],
)
def test_every_word_for_a_face(word, face):
    for spelled in (word, word.upper(), word.title()):
        assert read(stage="trio", crew=f"{spelled} 1", throws=0).state == ("crew", 0, 1, face)


@pytest.mark.parametrize(
    ("stage", "number"),
    [
        *((name, i) for i, name in enumerate(STAGES)),
        *((str(i), i) for i in range(4)),
        *((i, i) for i in range(4)),
        ("none", 0),
        ("ship", 1),
        ("mate", 3),
        ("first mate", 3),
        ("first-mate", 3),
        (" Captain ", 2),
        ("TRIO", 3),
    ],
)
def test_every_word_for_a_stage(stage, number):
    position = read(stage=stage)
    assert position.state == ("throw", number, 3)
    assert position.shown == {"stage": STAGES[number], "throws": "3"}


def test_what_is_not_told_is_the_start_of_a_turn():
    position = read()
    assert position.state == rules_of().start() == ("throw", 0, 3)
    assert position.options == {"roll": position.state}
    assert "no choice" in position.note
    assert read(stage="captain", throws="2").state == ("throw", 2, 2)
    assert read(throws=1).state == ("throw", 0, 1)


@pytest.mark.parametrize(
    ("stage", "roll", "state", "note"),
    [
        ("nothing", "6 5 4 2 1", ("crew", 2, 1, 2), "set aside: battleship, captain, first mate"),
        ("nothing", "4 5 6 6 6", ("crew", 2, 6, 6), "set aside: battleship, captain, first mate"),
        ("nothing", "4 4 5 5 6", ("crew", 2, 4, 5), "set aside: battleship, captain, first mate"),
        ("nothing", "6 5 3 2 1", ("throw", 2, 2), "set aside: battleship, captain;"),
        ("nothing", "6 6 6 6 6", ("throw", 1, 2), "set aside: battleship;"),
        ("nothing", "6 4 4 3 3", ("throw", 1, 2), "set aside: battleship;"),
        ("nothing", "5 5 4 4 4", ("throw", 0, 2), "nothing so far"),
        ("nothing", "1 2 3 3 3", ("throw", 0, 2), "nothing so far"),
        ("battleship", "5 4 6 6", ("crew", 2, 6, 6), "set aside: captain, first mate"),
        ("battleship", "4 4 6 6", ("throw", 1, 2), "battleship so far"),
        ("battleship", "5 5 5 6", ("throw", 2, 2), "set aside: captain;"),
        ("captain", "4 4 4", ("crew", 2, 4, 4), "set aside: first mate"),
        ("captain", "6 5 3", ("throw", 2, 2), "captain so far"),
        ("trio", "6 5", ("crew", 2, 5, 6), None),
    ],
)
def test_what_a_throw_shows_is_set_aside(stage, roll, state, note):
    position = read(stage=stage, roll=roll, throws=2)
    assert position.state == state
    assert position.note is note is None or position.note.startswith(note)
    assert position.shown["roll"] == " ".join(sorted(roll.split()))
    if state[0] == "throw":
        assert position.options == {"roll": state}
        assert "must be thrown again" in position.note


@pytest.mark.parametrize(
    ("stage", "roll", "state", "note"),
    [
        ("nothing", "6 5 4 2 1", ("crew", 0, 1, 2), "no throws are left: the crew counts"),
        ("trio", "2 1", ("crew", 0, 1, 2), "no throws are left: the crew counts"),
        ("nothing", "6 5 2 2 1", ("bank", 0, 2), "over without a crew, at the stage captain"),
        ("nothing", "5 5 2 2 1", ("bank", 0, 0), "over without a crew, at the stage nothing"),
        ("captain", "6 5 3", ("bank", 0, 2), "over without a crew, at the stage captain"),
    ],
)
def test_after_the_last_throw_the_turn_is_over(stage, roll, state, note):
    position = read(stage=stage, roll=roll, throws=0)
    assert position.state == state
    assert list(position.options) == ["stop"]
    assert note in position.note


def test_the_other_parameters_shape_positions():
    four = rules_of(dice=4)
    assert four.read_position(stage="trio", crew="5", throws=2).state == ("crew", 2, 5)
    assert four.read_position(roll="6 5 4 1", throws=2).state == ("crew", 2, 1)
    six = rules_of(dice=6, throws=2)
    assert six.read_position(stage="captain", roll="4 4 2 1", throws=1).state == (
        "crew",
        1,
        1,
        2,
        4,
    )
    assert six.read_position().state == ("throw", 0, 2)
    with pytest.raises(PositionError, match="at most 1"):
        six.read_position(stage="captain", roll="4 4 2 1", throws=2)


REFUSED = {
    "a face above six": ({"stage": "trio", "crew": "2 7", "throws": 1}, "crew", "'7'", 2),
    "a face below one": ({"stage": "trio", "crew": "0 2", "throws": 1}, "crew", "'0'", 0),
    "a negative face": ({"stage": "trio", "crew": [2, -5], "throws": 1}, "crew", "'-5'", 2),
    "a face that is no number": ({"roll": "6 5 x 1 1", "throws": 1}, "roll", "'x'", 4),
    "a word that is no face": ({"roll": "six seven", "throws": 1}, "roll", "'seven'", 4),
    "a face with a fraction": ({"roll": [6, 2.5, 1, 1, 1], "throws": 1}, "roll", r"'2\.5'", 2),
    "a foreign digit": ({"stage": "trio", "crew": "²3", "throws": 1}, "crew", "'²'", 0),
    "throws that are negative": ({"throws": "-1"}, "throws", "whole number", 0),
    "throws that are no number": ({"throws": "two"}, "throws", "whole number", 0),
    "throws that are a fraction": ({"throws": 1.5}, "throws", "whole number", 0),
    "too few dice at nothing": ({"roll": "6 5 4 2", "throws": 1}, "roll", "4 dice, and 5", None),
    "too many dice at nothing": ({"roll": "654221", "throws": 1}, "roll", "6 dice, and 5", None),
    "too few dice of a crew": ({"stage": 3, "crew": "2", "throws": 1}, "crew", "and 2", None),
    "too many dice of a crew": ({"stage": 3, "crew": "2 2 2", "throws": 1}, "crew", "and 2", None),
    "no dice on the table": ({"stage": "trio", "crew": "", "throws": 1}, "crew", "0 dice", None),
    "dice for too early a stage": (
        {"stage": "nothing", "roll": "5 4 2 1", "throws": 1},
        "roll",
        "4 dice, and 5",
        None,
    ),
    "a six that is not locked": (
        {"stage": "battleship", "roll": "6 5 4 2 1", "throws": 1},
        "stage",
        "contradicts the dice: these 5 were thrown at the stage nothing",
        None,
    ),
    "a captain that is not locked": (
        {"stage": "captain", "roll": "5 4 2 1", "throws": 1},
        "stage",
        "contradicts the dice: these 4 were thrown at the stage battleship",
        None,
    ),
    "a mate that is not locked": (
        {"stage": "trio", "crew": "4 2 5", "throws": 1},
        "stage",
        "contradicts the dice: these 3 were thrown at the stage captain",
        None,
    ),
    "a stage that the dice cannot have brought": (
        {"stage": "captain", "roll": "6 4 4 2 1", "throws": 1},
        "roll",
        "5 dice, and 3",
        None,
    ),
    "a crew without the trio": (
        {"stage": "captain", "crew": "2 5", "throws": 1},
        "stage",
        "the stage is captain",
        None,
    ),
    "a crew without a stage": ({"crew": "2 5", "throws": 1}, "stage", "the stage is nothing", None),
    "more throws than a turn has": ({"throws": 4}, "throws", "at most 3", None),
    "as many throws as a turn has, after one": (
        {"roll": "1 1 1 1 1", "throws": 3},
        "throws",
        "at most 2",
        None,
    ),
    "no throws for a roll": ({"roll": "1 1 1 1 1"}, "throws", "is needed", None),
    "no throws for a crew": ({"stage": "trio", "crew": "1 1"}, "throws", "is needed", None),
    "no throws left, and no dice": ({"throws": 0}, "throws", "no throws are left", None),
    "the same dice twice": (
        {"stage": "trio", "roll": "2 5", "crew": "2 5", "throws": 1},
        "crew",
        "same dice",
        None,
    ),
    "no such stage": ({"stage": "admiral"}, "stage", "unknown stage 'admiral'", None),
    "a stage beyond the trio": ({"stage": 4}, "stage", "unknown stage '4'", None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_positions_that_cannot_be_are_refused(case):
    """One message each: the field, the offending part with a caret, and the rule or a remedy."""
    told_, field, message, at = REFUSED[case]
    with pytest.raises(ShouldIRollError, match=message) as refused:
        read(**told_)
    error = refused.value
    assert error.field == field
    assert error.at == at
    if at is not None:
        assert type(error) is NotationError
        assert str(error).splitlines()[2] == " " * (at + 2) + "^"
    elif field == "stage" and "unknown" in message:
        assert type(error) is UnknownNameError
        assert all(stage in error.remedy for stage in STAGES)
    else:
        assert type(error) is PositionError
        assert error.rule or error.remedy


def test_refusals_of_dice_and_throws_cite_the_sheet():
    for told_ in (
        {"roll": "6 5 4 2", "throws": 1},
        {"stage": "battleship", "roll": "6 5 4 2 1", "throws": 1},
        {"stage": "captain", "crew": "2 5", "throws": 1},
        {"throws": 4},
    ):
        with pytest.raises(PositionError) as refused:
            read(**told_)
        assert refused.value.rule.startswith("the sheet on ")


@pytest.mark.parametrize("left", [1, 2])
def test_advice_refuses_a_kept_trio_without_a_crew_within_a_turn(left):
    """A turn that has the trio has thrown its crew dice: without them there is no position."""
    with pytest.raises(PositionError, match="no legal turn"):
        solver.advise("alien-crew", stage="trio", throws=left)
    assert solver.advise("alien-crew", stage="trio", throws=3).best.exact == "28/3"


def test_advice_refuses_a_stage_before_the_first_throw_when_turns_start_anew():
    parameters = {"trio": "reset"}
    for stage in STAGES[1:]:
        with pytest.raises(PositionError):
            solver.advise("alien-crew", stage=stage, throws=3, parameters=parameters)
    advice = solver.advise("alien-crew", stage="captain", throws=2, parameters=parameters)
    assert [o.action for o in advice.options] == ["roll"]


@pytest.mark.parametrize("dice", [[12], [1, 25], [61]])
def test_a_number_that_is_no_face_is_not_two_dice(dice):
    with pytest.raises(NotationError, match="no face"):
        read(stage="trio" if len(dice) == 1 else "captain", roll=dice, throws=1)


@pytest.mark.parametrize(
    ("stage", "dice"), [("battleship", "5 4 1 1"), ("captain", "4 3 3"), ("trio", "3 3")]
)
def test_when_turns_start_anew_the_first_throw_has_no_stage_before_it(stage, dice):
    """With two throws left one was made, and nothing can have been set aside before it."""
    rules = rules_of(trio="reset")
    assert rules.read_position(stage=stage, roll=dice, throws=1)
    with pytest.raises(PositionError):
        rules.read_position(stage=stage, roll=dice, throws=2)


@pytest.mark.parametrize("parameters", [{"dice": 3}, {"throws": 0}, {"crew": "one"}, {"trio": "?"}])
def test_rules_that_cannot_be_are_refused(parameters):
    with pytest.raises(ShouldIRollError) as refused:
        game("alien-crew", **parameters)
    assert refused.value.field in parameters
