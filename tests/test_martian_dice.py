"""Martian Dice: positions in the rulebook's words, and species that are alike."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.errors import NotationError, PositionError
from solver.games import Bank, Choose, Roll, game
from solver.games.notation import write_counts
from solver.games.readings import rules_of
from solver.turn import compile_turn, solve_turn

LETTER_OF = {"death-rays": "R", "human": "H", "cow": "C", "chicken": "K"}
WORD_OF = {letter: word for word, letter in LETTER_OF.items()}
SPECIES = [dict(zip("HCK", letters, strict=True)) for letters in permutations("HCK")]
TYPES = "TRHCK"

derandomized = settings(max_examples=80, deadline=None, derandomize=True, database=None)


@pytest.fixture(scope="module")
def official():
    rules = game("martian-dice")
    graph = compile_turn(rules)
    return rules, solve_turn(rules, "points", exact=True, graph=graph)


@cache
def solved(rules, objective):
    return solve_turn(rules, objective, exact=True)


def renamed(text, names):
    """The dice with species renamed: the same table seen by somebody who mixes them up."""
    return " ".join(names.get(item[0], item[0]) + item[1:] for item in text.split())


def options(rules, solution, **told):
    position = rules.read_position(**told)
    return {o.action: (o.exact, o.best) for o in solution.compare(position.options)}


# --- permuting the species changes nothing


@st.composite
def tables(draw, dice=13):
    """Dice set aside in earlier rolls, and what the others show."""
    aside = dict.fromkeys(TYPES, 0)
    for letter in draw(st.lists(st.sampled_from("RHCK"), min_size=1, max_size=4, unique=True)):
        aside[letter] = draw(st.integers(1, 3))
    aside["T"] = draw(st.integers(0, max(0, min(4, dice - 1 - sum(aside.values())))))
    left = dice - sum(aside.values())
    roll = dict.fromkeys(TYPES, 0)
    for letter in draw(st.lists(st.sampled_from("TRRHCK"), min_size=left, max_size=left)):
        roll[letter] += 1
    return write_counts(aside), write_counts(roll)


@derandomized
@given(table=tables(), names=st.sampled_from(SPECIES))
def test_renaming_the_species_renames_the_options(official, table, names):
    """The official die shows each species once: no rule can tell them apart."""
    rules, solution = official
    aside, roll = table
    told = {"aside": aside, "roll": roll}
    there = {"aside": renamed(aside, names), "roll": renamed(roll, names)}
    assert rules.read_position(**told).state == rules.read_position(**there).state
    here = options(rules, solution, **told)
    words = {WORD_OF[old]: WORD_OF[new] for old, new in names.items()}
    assert {words.get(action, action): v for action, v in here.items()} == options(
        rules, solution, **there
    )
    before = options(rules, solution, aside=aside)
    assert before == options(rules, solution, aside=renamed(aside, names))


FOR_THE_WIN = {"scores": (12, 20), "seat": 1}


@pytest.mark.parametrize(
    ("names", "more"),
    [(names, more) for names in SPECIES[1:] for more in ({}, FOR_THE_WIN)]
    + [(SPECIES[3], {"objective": "at-least:7"})],
    ids=str,
)
def test_renaming_the_species_renames_the_advice(names, more):
    told = {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}
    here = solver.advise("martian-dice", **told, **more)
    there = solver.advise("martian-dice", **{k: renamed(v, names) for k, v in told.items()}, **more)
    words = {WORD_OF[old]: WORD_OF[new] for old, new in names.items()}

    def seen(advice, words):
        return {
            words.get(o.action, o.action): (o.then, o.value, o.loss, o.bust, o.best)
            for o in advice.options
        }

    assert seen(here, words) == seen(there, {})
    assert (here.best.value, here.graph) == (there.best.value, there.graph)


@pytest.mark.parametrize("order", ["TRHCK", "KCHRT", "HTKRC"])
@pytest.mark.parametrize("weights", [(1, 2, 1, 1, 1), (1, 1, 2, 1, 3)], ids=str)
def test_the_order_in_which_faces_are_written_means_nothing(weights, order):
    weight = dict(zip(TYPES, weights, strict=True))
    usual = game("martian-dice", dice=6, faces=write_counts(weight))
    other = game("martian-dice", dice=6, faces=" ".join(f"{x}{weight[x]}" for x in order))
    assert other == usual
    assert rules_of(other) == rules_of(usual)
    assert compile_turn(other).digest == compile_turn(usual).digest
    assert solve_turn(other, exact=True).exact == solve_turn(usual, exact=True).exact


@pytest.mark.parametrize("names", SPECIES, ids=lambda names: "".join(names.values()))
@pytest.mark.parametrize("weights", ["H1 C2 K3", "H2 C1 K1", "H0 C1 K2"])
def test_renaming_species_of_unequal_weight_renames_the_die(weights, names):
    """A die with three cows and one human is a die with three humans and one cow."""
    here = game("martian-dice", dice=5, faces=f"T1 R2 {weights}")
    there = game("martian-dice", dice=5, faces=f"T1 R2 {renamed(weights, names)}")
    for objective in ("points", "at-least:5", "capped:3"):
        mine, yours = solved(here, objective), solved(there, objective)
        assert mine.exact == yours.exact
        words = {WORD_OF[old]: WORD_OF[new] for old, new in names.items()}
        for aside, roll in (("R1", "C2 K2"), ("C1", "T1 R2 K1"), ("T1 K2", "C2"), ("T1 C1", "K3")):
            seen = options(here, mine, aside=aside, roll=roll)
            assert {words.get(a, a): v for a, v in seen.items()} == options(
                there, yours, aside=renamed(aside, names), roll=renamed(roll, names)
            )


def test_species_of_equal_weight_form_classes():
    assert game("martian-dice").classes == (("H", "C", "K"),)
    assert game("martian-dice", faces="T1 R2 H1 C2 K1").classes == (("H", "K"), ("C",))
    assert game("martian-dice", faces="T1 R2 H3 C2 K1").classes == (("H",), ("C",), ("K",))


# --- what lies on the table


def test_a_turn_begins_with_a_roll():
    """Step 1: all dice are rolled; nobody stops before that."""
    rules = game("martian-dice")
    for aside in ("", "T0 R0", {}):
        position = rules.read_position(aside=aside)
        assert position.options == {"roll": rules.start()}
        assert "begins with a roll" in position.note


def test_the_first_roll_shows_all_dice():
    position = game("martian-dice").read_position(roll="T2 H4 R2 C2 K3")
    assert position.state == ("take", 2, 0, 0, 0, 2, ((2, 3, 4),))
    assert list(position.options) == ["death-rays", "cow", "chicken", "human"]


def test_after_setting_aside_the_player_stops_or_rolls():
    """Step 4, in this order: stopping stands first among equals."""
    position = game("martian-dice").read_position(aside="T2 R3 H4")
    assert position.options == {"stop": ("bank", 4), "roll": ("roll", 2, 3, 4, 1)}
    assert position.note is None


@pytest.mark.parametrize(
    ("aside", "points"),
    [
        ("T2 R3 H4", 4),
        ("T3 R3 H4", 4),  # as many death rays as tanks will do
        ("T4 R3 H4", 0),
        ("R3", 0),
        ("H4", 4),
        ("R1 H1 C1 K1", 6),  # the bonus of three
        ("T1 H1 C1 K1", 0),  # and no bonus for those who flee
        ("R1 H5 C4", 9),
    ],
)
def test_stopping_scores_what_is_set_aside(aside, points):
    assert game("martian-dice").read_position(aside=aside).options["stop"] == ("bank", points)


def test_a_type_that_can_be_taken_must_be_taken():
    """Step 3 comes before step 4: no stopping with a roll on the table."""
    rules = game("martian-dice")
    position = rules.read_position(aside="T2 R3 H4", roll="R2 C1 K1")
    assert position.options == {
        "death-rays": ("aside", 2, 5, 4, 1),
        "cow": ("aside", 2, 3, 5, 2),
        "chicken": ("aside", 2, 3, 5, 2),
    }
    forced = rules.read_position(aside="T2 R3 H4", roll="H3 K1")  # humans are taken already
    assert forced.options == {"chicken": ("aside", 2, 3, 5, 2)}
    ruinous = rules.read_position(aside="T3 R3 H4", roll="T2 C1")  # three dice, and two more tanks
    assert ruinous.options == {"cow": ("aside", 5, 3, 5, 2)}


@pytest.mark.parametrize(
    ("aside", "roll", "points"),
    [
        ("T2 R4 H4", "T1 H2", 4),  # 3 tanks against 4 rays
        ("T2 R4 H4", "T2 H1", 4),  # 4 against 4
        ("T2 R4 H4", "T3", 0),  # the new tanks count: 5 against 4
        ("T2 R4 H4", "H3", 4),
        ("R1 H3 C3 K3", "T1 H1 C1", 12),  # 9 heads and the bonus
        ("R1 H3 C3 K3", "T2 K1", 0),
        ("", "T13", 0),
    ],
)
def test_a_roll_of_which_nothing_can_be_taken_ends_the_turn(aside, roll, points):
    """It is scored as it stands, new tanks included; zero only if tanks exceed death rays."""
    position = game("martian-dice").read_position(aside=aside, roll=roll)
    assert position.state == ("bank", points)
    assert position.options == {"stop": ("bank", points)}
    assert "nothing can be taken" in position.note


@pytest.mark.parametrize(
    ("aside", "points"), [("T2 R3 H4 C4", 8), ("T4 R4 H2 C2 K1", 8), ("T5 R4 H4", 0), ("T13", 0)]
)
def test_without_dice_left_the_turn_is_over(aside, points):
    position = game("martian-dice").read_position(aside=aside)
    assert position.options == {"stop": ("bank", points)}
    assert "the turn is over" in position.note


def test_points_follow_the_parameters():
    rules = game("martian-dice", bonus=10, head=2)
    assert rules.read_position(aside="R1 H1 C1 K1").options["stop"] == ("bank", 16)
    assert rules.read_position(aside="R1 H1 C1").options["stop"] == ("bank", 4)


# --- what cannot lie on the table


@pytest.mark.parametrize(
    ("aside", "roll", "field", "said"),
    [
        ("T2", None, "aside", "only tanks set aside and 11 dice left"),
        ("T2", "R11", "aside", "only tanks set aside and 11 dice left"),
        ("T13", "R1", "aside", "only tanks set aside and 0 dice left"),
        ("R14", None, "aside", "14 dice are set aside, and there are only 13"),
        ("T9 H9", "R1", "aside", "18 dice are set aside"),
        ("R" + "9" * 30, None, "aside", "9" * 30 + " dice are set aside"),
        ("R3 H4", "C5", "roll", "--roll shows 5 dice, but 6 were rolled"),
        ("R3 H4", "C7", "roll", "--roll shows 7 dice, but 6 were rolled"),
        ("R3 H4", "", "roll", "--roll shows 0 dice, but 6 were rolled"),
        ("", "R3", "roll", "--roll shows 3 dice, but 13 were rolled"),
        ("R9 H4", "C1", "roll", "all 13 dice are set aside"),
    ],
)
def test_positions_that_no_legal_turn_reaches_are_refused(aside, roll, field, said):
    with pytest.raises(PositionError) as refused:
        game("martian-dice").read_position(aside=aside, roll=roll)
    assert said in str(refused.value)
    assert "rule: " in str(refused.value)
    assert refused.value.field == field


@pytest.mark.parametrize("field", ["aside", "roll"])
def test_dice_show_only_their_faces(field):
    rules = game("martian-dice", dice=3, faces="T1 R2 H1 C1")
    told = {"aside": "R1", "roll": "R2", field: "R1 K1"}
    with pytest.raises(PositionError, match=f"--{field} shows K, which these dice do not have"):
        rules.read_position(**told)


def test_negative_counts_are_refused():
    with pytest.raises(NotationError, match="a count cannot be negative"):
        game("martian-dice").read_position(aside="R3 H-1")


def reached(dice):
    """By the rulebook alone: every way of having dice set aside, and every roll after it."""
    found, rolls = set(), set()
    open_ = [dict.fromkeys(TYPES, 0)]
    while open_:
        aside = open_.pop()
        key = tuple(aside.values())
        if key in found:
            continue
        found.add(key)
        left = dice - sum(key)
        for shown in {tuple(sorted(roll)) for roll in product(TYPES, repeat=left)} if left else ():
            roll = {letter: shown.count(letter) for letter in TYPES}
            rolls.add((key, tuple(roll.values())))
            for letter in "RHCK":
                if roll[letter] and (letter == "R" or not aside[letter]):
                    after = {**aside, "T": aside["T"] + roll["T"]}
                    open_.append({**after, letter: after[letter] + roll[letter]})
    return found, rolls


@pytest.mark.parametrize(("faces", "dice"), [("T1 R2 H1 C1 K1", 4), ("T1 R1 H2 C1 K1", 3)])
def test_a_position_is_accepted_if_and_only_if_a_turn_comes_to_it(faces, dice):
    """All ways to lay out one more than there are; each accepted one is a state of the graph."""
    rules = game("martian-dice", dice=dice, faces=faces)
    graph = compile_turn(rules)
    found, rolls = reached(dice)
    for aside in product(range(dice + 2), repeat=5):
        if sum(aside) > dice + 1:
            continue
        told = dict(zip(TYPES, aside, strict=True))
        over = aside == (dice, 0, 0, 0, 0)  # a first roll of tanks only has ended the turn
        if aside in found or over:
            position = rules.read_position(aside=told)
            assert over or position.state in graph.node_of
            assert all(after in graph.node_of for after in position.options.values())
        else:
            with pytest.raises(PositionError):
                rules.read_position(aside=told)
        for shown in product(range(dice + 1), repeat=5):
            if sum(shown) > dice or (sum(shown) == 0 and sum(aside) == dice):
                continue
            roll = dict(zip(TYPES, shown, strict=True))
            if (aside, shown) in rolls:
                position = rules.read_position(aside=told, roll=roll)
                assert position.state in graph.node_of
                assert all(after in graph.node_of for after in position.options.values())
            else:
                with pytest.raises(PositionError):
                    rules.read_position(aside=told, roll=roll)


# --- the rules' own states


def test_the_states_say_what_the_rulebook_says():
    """The first roll of one die: T is nothing, R rays, H, C and K are all one group of one."""
    rules = game("martian-dice", dice=1)
    assert rules.start() == ("roll", 0, 0, 0, 0)
    assert rules.columns == ("tanks", "death_rays", "heads", "kinds")
    first = rules.expand(rules.start())
    assert isinstance(first, Roll)
    assert {state: weight for weight, state in first.branches} == {
        ("bank", 0): 1,
        ("take", 0, 0, 0, 0, 1, ((),)): 2,
        ("take", 0, 0, 0, 0, 0, ((1,),)): 3,
    }
    assert rules.expand(("bank", 5)) == Bank(5)
    with pytest.raises(ValueError, match="no such kind"):
        rules.expand(("nowhere", 0, 0, 0, 0))


@pytest.mark.parametrize("faces", ["T1 R2 H1 C1 K1", "T1 R2 H1 C2 K1", "T0 R2 H3 C2 K1"])
def test_every_roll_has_all_its_outcomes(faces):
    """The weights of a roll of n dice sum to the n-th power of the number of sides."""
    rules = game("martian-dice", dice=4, faces=faces)
    for state in compile_turn(rules).node_of:
        if state[0] == "roll":
            weights = [weight for weight, _ in rules.expand(state).branches]
            assert sum(weights) == rules.faces.denominator ** (4 - sum(state[1:4]))


# --- the canonical order among equals


def test_stop_stands_before_roll():
    rules = game("martian-dice")
    assert list(rules.expand(("aside", 2, 3, 4, 1)).options) == ["stop", "roll"]
    assert list(rules.read_position(aside="T2 R3 H4").options) == ["stop", "roll"]


@pytest.mark.parametrize("faces", ["T1 R2 H1 C1 K1", "T1 R2 H1 C2 K3"])
def test_death_rays_stand_first_and_smaller_groups_before_larger(faces):
    rules = game("martian-dice", dice=5, faces=faces)
    seen = 0
    for state in compile_turn(rules).node_of:
        if state[0] != "take":
            continue
        actions = list(rules.expand(state).options)
        groups = actions[1:] if "death-rays" in actions else actions
        assert "death-rays" not in groups
        assert (actions[0] == "death-rays") == bool(state[-2])
        sizes = [size for _, size, *_ in groups]
        assert sizes == sorted(sizes)
        seen += len(groups) > 1
    assert seen > 10


def test_positions_list_actions_in_canonical_order():
    position = game("martian-dice").read_position(roll="T1 R3 H4 C2 K3")
    assert list(position.options) == ["death-rays", "cow", "chicken", "human"]


def test_an_exact_tie_is_settled_by_the_canonical_order():
    """Hopeless anyway: 7 tanks against at most 6 rays; all is worth nothing, all is reported."""
    advice = solver.advise("martian-dice", aside="T4 R1 H1", roll="T3 R1 C2 K1")
    assert [(o.action, o.value, o.best) for o in advice.options] == [
        ("death-rays", 0.0, True),
        ("chicken", 0.0, True),
        ("cow", 0.0, True),
    ]
    assert [o.then for o in advice.options] == ["stop"] * 3


def test_ties_between_stop_and_roll_are_reported():
    """Five tanks, five rays, two heads, one die: 2/6 * 3 + 3/6 * 2 + 1/6 * 0 is 2 exactly."""
    advice = solver.advise("martian-dice", aside="T5 R5 H2")
    assert [(o.action, o.exact, o.best) for o in advice.options] == [
        ("stop", "2", True),
        ("roll", "2", True),
    ]


def test_positions_list_equal_groups_as_the_rules_do():
    """Humans and chickens form the first class: of two equal groups the rules list K before C."""
    rules = game("martian-dice", dice=5, faces="T1 R2 H1 C2 K1")
    position = rules.read_position(aside="R1", roll="C2 K2")
    expansion = rules.expand(position.state)
    assert isinstance(expansion, Choose)
    assert list(position.options.values()) == list(expansion.options.values())
