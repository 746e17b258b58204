"""Yahtzee and score sheets: rules, solution, tables, advice and bad input."""

import json
import random
import shlex
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from brute_force_yahtzee import best_total, legal_entries, score, total_of
from http_server import ready_client

import solver
from solver.advisor import Advisor
from solver.apps.cli.main import run
from solver.apps.http.settings import Settings
from solver.errors import (
    CorruptTableError,
    GameError,
    NotationError,
    PositionError,
    ShouldIRollError,
    StaleTableError,
    TooLargeError,
    UsageError,
)
from solver.games import check_game, game
from solver.games.pig import Pig
from solver.games.protocol import ScoreSheet, match_of, race_of
from solver.games.yahtzee import BOXES, UPPER, Yahtzee
from solver.match.sheet import compile as sheet_compiler
from solver.match.sheet import solve_sheet
from solver.match.sheet.compile import compile_sheet, rules_digest
from solver.match.sheet.exact import solve_sheet_exact
from solver.match.sheet.solve import payoffs_at
from solver.tablebase.build import RECIPES, Recipe, build_table
from solver.tablebase.read import open_tables
from solver.tablebase.verify import verify_table
from solver.turn.compile import compile_turn
from solver.turn.kernel import solve_batch

JOKERS = ("free", "hasbro", "none")
DICE = list(combinations_with_replacement(range(1, 7), 5))
SMALL = {"dice": 2, "boxes": "aces, sixes, full house, yahtzee, chance"}
SMALL |= {"bonus_at": 6, "bonus": 11}


@pytest.fixture(scope="module")
def small():
    return game("yahtzee", **SMALL)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A directory with the table of the small sheet."""
    folder = tmp_path_factory.mktemp("sheets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RECIPES, "small", recipe())
        build_table("small", folder)
    return folder


def recipe():
    return Recipe("yahtzee", 1, "total", policy=False, shipped=False, parameters=SMALL)


# Rules


def test_the_turn_is_that_of_five_dice_and_three_rolls():
    report = check_game(Yahtzee())
    assert len(report.outcomes) == 252
    graph = compile_turn(Yahtzee())
    assert (graph.nodes, graph.edges) == (1386, 12516)  # 252 + 2 x 252 + 462 + 168: dice by dice


@pytest.mark.parametrize("dice", [2, 3, 5, 6])
def test_every_box_counts_what_the_sheet_says(dice):
    rules = game("yahtzee", dice=dice)
    for shown in combinations_with_replacement(range(1, 7), dice):
        entries = rules.entries(None, shown)
        assert {box: points for box, (points, _) in entries.items()} == {
            box: score(box, shown) for box in BOXES
        }


@pytest.mark.parametrize("joker", JOKERS)
def test_entries_are_those_of_a_sheet_that_is_filled_in_box_by_box(joker):
    rules = game("yahtzee", joker=joker)
    dice = random.Random(5)
    yahtzees = [shown for shown in DICE if len(set(shown)) == 1]
    for _ in range(400):
        filled = {
            box: score(box, dice.choice(DICE)) for box in BOXES if dice.random() < 0.6
        }  # fmt: skip
        if len(filled) == len(BOXES):
            continue
        shown = dice.choice(yahtzees if dice.random() < 0.8 else DICE)
        left = frozenset(BOXES).difference(filled)
        upper = sum(points for box, points in filled.items() if box in UPPER)
        fifty = int(filled.get("yahtzee") == 50 and joker != "none")
        tally = min(upper, 63), fifty
        entries = rules.entries(rules.case(left, tally), shown)
        right = {}
        for box, points, more in legal_entries(BOXES, filled, shown, joker):
            gained = points if box in UPPER else 0
            then = int(fifty or (box == "yahtzee" and points == 50 and joker != "none"))
            right[box] = points + more, (min(upper + gained, 63), then)
        assert {
            box: (points, rules.advance(tally, mark))
            for box, (points, mark) in entries.items()
            if box in left
        } == right


def test_the_upper_bonus_comes_with_63_points():
    rules = Yahtzee()
    assert [rules.closing((upper, 0)) for upper in (0, 62, 63)] == [0, 0, 35]


def test_equal_sheets_are_equal_games():
    assert game("yahtzee", boxes=", ".join(reversed(BOXES))) == Yahtzee()
    assert game("yahtzee", boxes="chance ones") == game("yahtzee", boxes="aces, chance")


# The solution


SHEETS = [
    (("aces", "yahtzee"), 2, 2, 63, 35),
    (("aces", "twos", "yahtzee"), 2, 2, 3, 35),
    (("sixes", "full-house", "yahtzee"), 2, 2, 6, 11),
]


@pytest.mark.parametrize("joker", JOKERS)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: "-".join(sheet[0]))
def test_totals_are_those_of_brute_force_on_ordered_dice(sheet, joker):
    boxes, dice, rolls, at, bonus = sheet
    told = {"dice": dice, "rolls": rolls, "boxes": ", ".join(boxes)}
    rules = game("yahtzee", joker=joker, bonus_at=at, bonus=bonus, **told)
    exact = solve_sheet_exact(rules)
    assert exact.exact == best_total(boxes, dice, rolls, joker, at, bonus)
    assert exact.exactness.kind == "exact"


@pytest.mark.slow
@pytest.mark.parametrize("joker", JOKERS)
@pytest.mark.parametrize(
    "sheet",
    [
        (("aces", "yahtzee", "chance"), 2, 3, 3, 35),
        (("aces", "full-house", "yahtzee"), 3, 2, 63, 35),
        (("sixes", "three-of-a-kind", "yahtzee"), 3, 2, 10, 20),
    ],
    ids=lambda sheet: "-".join(sheet[0]),
)
def test_totals_are_those_of_brute_force_with_more_dice_and_rolls(sheet, joker):
    test_totals_are_those_of_brute_force_on_ordered_dice(sheet, joker)


@pytest.mark.parametrize("compiled", [True, False], ids=["numba", "numpy"])
@pytest.mark.parametrize("joker", JOKERS)
def test_float_values_are_within_their_bound_of_the_exact_ones_everywhere(joker, compiled):
    rules = game("yahtzee", joker=joker, **SMALL)
    exact, fast = solve_sheet_exact(rules), solve_sheet(rules, compiled=compiled, workers=2)
    there = exact.sheet.case >= 0
    assert there.sum() > 30
    misses = [
        abs(Fraction(float(a)) - b)
        for a, b in zip(fast.values[there], exact.values[there], strict=True)
    ]
    assert max(misses) <= fast.exactness.error < 1e-10
    assert np.isnan(fast.values[~there]).all()


def test_a_batch_and_its_threads_change_no_bit(small, monkeypatch):
    one = solve_sheet(small).values
    monkeypatch.setattr("solver.match.sheet.solve.CHUNK", 3)
    np.testing.assert_array_equal(solve_sheet(small, workers=3).values, one)


def test_the_reading_of_the_joker_changes_the_sheet_and_not_the_turn():
    games = [game("yahtzee", joker=joker, **SMALL) for joker in JOKERS]
    assert len({compile_turn(rules).digest for rules in games}) == 1
    assert len({rules_digest(rules) for rules in games}) == 3
    assert len({solve_sheet(rules).total for rules in games}) == 3


def test_progress_counts_every_standing(small):
    told = []
    found = solve_sheet(small, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (found.standings, found.standings)
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_what_does_not_fit_is_refused_before_it_is_begun(small):
    with pytest.raises(TooLargeError, match="standings take about"):
        solve_sheet(small, max_memory=10**6)
    with pytest.raises(TooLargeError, match="too many for exact rationals"):
        solve_sheet_exact(game("yahtzee", boxes="aces, twos, threes, fours, fives, sixes"))


def test_a_standing_that_no_game_comes_to_is_refused(small):
    found = solve_sheet(small)
    assert found.to_come(frozenset({"aces"}), (6, 1)) > found.to_come(frozenset(), (6, 1)) == 11
    for tally in ((5, 0), (60, 0)):
        with pytest.raises(PositionError, match="no game comes to"):
            found.to_come(frozenset({"aces"}), tally)


def test_a_score_sheet_is_no_race():
    assert isinstance(match_of(Yahtzee()), ScoreSheet)
    with pytest.raises(GameError, match="played alone: its turns fill a score sheet"):
        race_of(Yahtzee())
    with pytest.raises(GameError, match="has no score sheet"):
        solve_sheet(Pig())


# Sheets that break the protocol


class Coin:
    """One roll of a coin, on a sheet that a test spoils."""

    name = "coin"

    def __init__(self, **sheet):
        whole = {
            "boxes": ("one", "two"),
            "tally": 0,
            "case": lambda _boxes, _tally: None,
            "entries": lambda _case, face: {"one": (face, 0), "two": (2 * face, 0)},
            "advance": lambda tally, mark: tally + mark,
            "closing": lambda tally: tally,
        }
        self.score_sheet = ScoreSheet(**{**whole, **sheet})

    def start(self):
        return "roll"

    def expand(self, state):
        faces = solver.games.protocol.Roll([(1, 0), (1, 1)])
        return faces if state == "roll" else solver.games.protocol.Bank(state)


def test_a_sheet_of_two_boxes_by_hand():
    """A head belongs in "two" and a tail in "one": 2 and one half, or 0 and one."""
    assert solve_sheet(Coin()).total == pytest.approx(1.75)
    kept = Coin(entries=lambda _case, face: {"one": (face, face), "two": (2 * face, 0)})
    assert solve_sheet_exact(kept).exact == 2  # a head counts twice in either


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ({"boxes": ()}, "has the boxes ()"),
        ({"boxes": ("one", "one")}, "has the boxes ('one', 'one')"),
        ({"entries": lambda _case, face: {"one": (face, 0)}}, "outcome 0 may not be entered"),
        ({"entries": lambda _case, _face: {"one": (-1, 0), "two": (0, 0)}}, "has the points -1"),
        ({"entries": lambda _case, _face: {"one": (0.5, 0), "two": (0, 0)}}, "has the points 0.5"),
        ({"entries": lambda _case, face: {"three": (face, 0)}}, "names the box 'three'"),
        ({"entries": lambda _case, face: [face]}, "entries(None, 0) is [0]"),
        ({"entries": lambda _case, face: {"one": (face, [])}}, "[] cannot be a mark"),
        ({"entries": lambda _case, face: {"one": (1 // face, 0)}}, "raised ZeroDivisionError"),
        ({"case": lambda _boxes, tally: [tally]}, "[0] cannot be a case"),
        ({"advance": lambda tally, _mark: {tally}}, "{0} cannot be a tally"),
        ({"closing": lambda _tally: None}, "closing(0) is None"),
    ],
    ids=[
        "no boxes",
        "twice",
        "nowhere",
        "negative",
        "half points",
        "unknown box",
        "no mapping",
        "mark",
        "raises",
        "case",
        "tally",
        "closing",
    ],
)
def test_a_sheet_that_breaks_the_protocol_is_refused_with_the_place(sheet, says):
    with pytest.raises(GameError) as refused:
        solve_sheet(Coin(**sheet))
    assert says in str(refused.value)


def test_a_sheet_that_is_too_large_is_cut_off(monkeypatch):
    many = {"entries": lambda _case, face: {"one": (face, face), "two": (face, 2 * face)}}
    with monkeypatch.context() as patch:
        patch.setattr(sheet_compiler, "MOST_STANDINGS", 3)
        with pytest.raises(TooLargeError, match="more than 3 standings"):
            solve_sheet(Coin(**many))
    with monkeypatch.context() as patch:
        patch.setattr(sheet_compiler, "MOST_CASES", 2)
        with pytest.raises(TooLargeError, match="more than 2 cases"):
            solve_sheet(Coin(**many, case=lambda boxes, tally: (boxes, tally)))
    monkeypatch.setattr(sheet_compiler, "MOST_CELLS", 1000)
    history = {"advance": lambda tally, mark: (tally, mark), "closing": lambda _tally: 0}
    whole = {"entries": lambda _case, face: {box: (0, (face, box)) for box in "abcdef"}}
    with pytest.raises(TooLargeError, match="64 sets of open boxes and more than 16 tallies"):
        solve_sheet(Coin(boxes=tuple("abcdef"), **history, **whole))


# The table


def test_the_table_answers_for_every_standing(table, small):
    from solver.tablebase.sheets import SheetTable

    exact = solve_sheet_exact(small)
    with open_tables(table) as tables:
        stored = SheetTable(tables["small"], small.score_sheet)
        seen = 0
        for number, tally in zip(*np.nonzero(exact.sheet.case >= 0), strict=True):
            boxes = frozenset(b for i, b in enumerate(small.sheet) if number >> i & 1)
            name = exact.sheet.tallies[tally]
            value = stored.to_come(boxes, name)
            assert value == pytest.approx(float(exact.to_come(boxes, name)), abs=1e-10)
            seen += 1
        assert seen == tables["small"].array("to-come").shape[0] > 30
        for tally in ((5, 0), (60, 0)):
            with pytest.raises(PositionError, match="no game comes to"):
                stored.to_come(frozenset({"aces"}), tally)


def test_a_table_is_verified_in_all_three_ways(table):
    with open_tables(table) as tables:
        entry = tables["small"].entry
        found = verify_table(tables["small"])
        assert found.error <= entry.error < 1e-10
        full = tables["small"].array("first")[1]
        assert found.rolls == len(tables["small"].array("to-come")) - full > 30


def test_a_table_of_other_rules_is_stale(table):
    with open_tables(table) as tables:
        other = game("yahtzee", **{**SMALL, "bonus": 12})
        with pytest.raises(StaleTableError):
            tables["small"].check_identity(other, thorough=True)


@pytest.mark.parametrize(
    ("label", "says"),
    [("to-come", "claims an error"), ("tallies", "the tallies of the table")],
)
def test_a_number_that_is_wrong_by_a_little_is_found(table, label, says):
    with open_tables(table) as tables:
        held = tables["small"]
        right = held.array(label)
        wrong = right.copy()
        middle = len(wrong) // 2
        wrong[middle] = wrong[middle] + (1e-6 if label == "to-come" else 1)
        held._arrays[label] = wrong
        with pytest.raises(CorruptTableError, match=says):
            verify_table(held)
        held._arrays[label] = right


# Advice


def ask(table, **told):
    return solver.advise("yahtzee", tables=table, parameters=SMALL, **told)


def test_every_keep_is_listed_with_what_it_is_worth(table, small):
    advice = ask(table, dice="1 6", rolls=2, open="aces, yahtzee", upper=6)
    actions = {option.action: option for option in advice.options}
    assert set(actions) == {"stop", "keep 1", "keep 6", "roll"}
    assert actions["stop"].then == "enter aces"
    assert (advice.objective, advice.unit, advice.table) == ("total", "points", "small")
    assert [o.loss for o in advice.options] == sorted(o.loss for o in advice.options)
    exact = solve_sheet_exact(small)
    stop = 1 + float(exact.to_come(frozenset({"yahtzee"}), (6, 0)))
    assert actions["stop"].value == pytest.approx(stop, abs=1e-9)
    assert advice.exactness.error < 1e-9


def test_before_the_first_roll_the_value_is_that_of_the_standing(table, small):
    advice = ask(table)
    assert [o.action for o in advice.options] == ["roll"]
    exact = solve_sheet_exact(small).exact
    assert advice.best.value == pytest.approx(float(exact), abs=advice.exactness.error)


def test_after_the_last_roll_every_open_box_is_listed(table, small):
    advice = ask(table, dice="6 6", rolls=0, open="aces, sixes, full house", upper=0, yahtzee=50)
    exact = solve_sheet_exact(small)
    left = frozenset({"aces", "sixes", "full-house"})
    right = {  # free: a joker only where the sixes are filled, and 100 points everywhere
        "enter aces": 100 + exact.to_come(left - {"aces"}, (0, 1)),
        "enter sixes": 112 + exact.to_come(left - {"sixes"}, (6, 1)),
        "enter full-house": 100 + exact.to_come(left - {"full-house"}, (0, 1)),
    }
    assert {o.action: o.value for o in advice.options} == pytest.approx(
        {action: float(worth) for action, worth in right.items()}, abs=1e-9
    )
    assert advice.best.action == max(right, key=right.get)
    assert not any(o.bust for o in advice.options)


def test_the_chance_of_a_zero_is_told(table):
    advice = ask(table, dice="2 3", rolls=1, open="aces", upper=0, yahtzee=0)
    chances = {option.action: option.bust for option in advice.options}
    assert chances == pytest.approx({"roll": 25 / 36, "keep 2": 5 / 6, "keep 3": 5 / 6, "stop": 1})
    assert advice.why.endswith("The turn is entered as a zero 69.4 % of the time.")


def test_one_turn_alone_is_answered_exactly():
    """Points of this turn's entry, whatever it costs later; no table is needed."""
    told = {"dice": "5 5 5 5 6", "rolls": 1, "open": "aces, full house, chance", "upper": 61}
    told |= {"yahtzee": 50}
    advice = solver.advise("yahtzee", objective="points", **told)
    assert Fraction(advice.best.exact) == Fraction(1, 6) * 125 + sum(
        Fraction(1, 6) * (20 + face) for face in (1, 2, 3, 4, 6)
    )
    assert advice.exactness.kind == "exact"
    chance = solver.advise("yahtzee", objective="at-least:125", **told).best
    assert (chance.action, Fraction(chance.exact)) == ("keep 5 5 5 5", Fraction(1, 6))


def test_without_a_table_the_sheet_is_solved_and_the_answer_says_so(table, monkeypatch):
    monkeypatch.setitem(RECIPES, "small", recipe())
    with open_tables() as tables:
        advice = Advisor(tables)("yahtzee", dice="1 6", rolls=2, parameters=SMALL)
    assert advice.table is None
    assert "should-i-roll tables build small keeps it" in advice.note
    stored = ask(table, dice="1 6", rolls=2)
    assert [(o.action, pytest.approx(o.value, abs=1e-9)) for o in stored.options] == [
        (o.action, o.value) for o in advice.options
    ]


def test_boxes_are_read_in_the_words_of_the_sheet():
    read = Yahtzee().read_position
    said = "Ones, 3 of a kind; FOUR-OF-A-KIND and Large Straight, yahtzee"
    names = {"aces", "three-of-a-kind", "four-of-a-kind", "large-straight", "yahtzee"}
    position = read(dice=(6, 5, 3, 3, 1), rolls="1", open=said, upper=63 + 7)
    assert position.standing == (names, (63, 0))
    assert position.shown["dice"] == "1 3 3 5 6"
    assert read(dice="13356", rolls=0).standing == (set(BOXES), (0, 0))


def test_the_positions_that_are_read_are_the_standings_of_the_sheet(small):
    sheet = compile_sheet(small, compile_turn(small))
    found = set()
    for number in range(1, len(sheet.case)):
        boxes = [b for i, b in enumerate(small.sheet) if number >> i & 1]
        for upper in range(30):
            for fifty in (None, 0, 50):
                try:
                    told = {"open": ", ".join(boxes), "upper": upper, "yahtzee": fifty}
                    found.add(small.read_position(**told).standing)
                except ShouldIRollError:
                    continue
    rows = zip(*np.nonzero(sheet.case[1:] >= 0), strict=True)
    assert found == {
        (
            frozenset(b for i, b in enumerate(small.sheet) if number + 1 >> i & 1),
            sheet.tallies[tally],
        )
        for number, tally in rows
    }


def test_the_examples_of_the_help_are_positions():
    """Run as they stand, in test_cli, they are slow: each solves the whole sheet."""
    for example in Yahtzee.position_examples:
        words = shlex.split(example)
        told = dict(zip((w.removeprefix("--") for w in words[::2]), words[1::2], strict=True))
        assert Yahtzee().read_position(**told).standing


@pytest.mark.parametrize(
    ("told", "kind", "says"),
    [
        ({"dice": "1 3 3 5 7", "rolls": 1}, NotationError, "'7' is no face of a die"),
        ({"dice": "1 3 3 5", "rolls": 1}, PositionError, "shows 4 dice, and there are 5"),
        ({"dice": "1 3 3 5 6"}, PositionError, "--rolls is needed"),
        ({"dice": "1 3 3 5 6", "rolls": 3}, PositionError, "at most 2 can be left"),
        ({"dice": "1 3 3 5 6", "rolls": "x"}, NotationError, "--rolls takes a whole number"),
        ({"rolls": 1}, PositionError, "no dice are told"),
        ({"open": "aces, acse"}, NotationError, "did you mean 'aces'?"),
        ({"open": ","}, NotationError, "--open names no box"),
        ({"open": "aces, chance"}, PositionError, "--upper is needed"),
        ({"open": "aces, yahtzee", "upper": 101}, PositionError, "cannot hold so many together"),
        ({"upper": 3}, PositionError, "no box of the upper section is filled"),
        ({"open": "aces", "upper": 12}, PositionError, "--yahtzee is needed"),
        ({"open": "aces", "upper": 12, "yahtzee": 30}, PositionError, "holds 50 or 0"),
        ({"yahtzee": 50}, PositionError, "it is not filled"),
        ({"scores": "12,20"}, UsageError, "is not told by --scores"),
        ({"objective": "win"}, UsageError, "there is nobody to beat"),
        ({"objective": "totl"}, UsageError, "did you mean 'total'?"),
    ],
)
def test_bad_input_is_refused_in_one_message(told, kind, says):
    with pytest.raises(kind) as refused:
        solver.advise("yahtzee", **told)
    assert says in str(refused.value)


# The front doors


def test_the_command_solves_and_advises(table, capsys):
    settings = [f"--set={name}={value}" for name, value in SMALL.items()]
    assert run(["solve", "yahtzee", "--exact", "--json", *settings]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert run(["solve", "yahtzee", *settings]) == 0
    assert f"{float(Fraction(solved['exact'])):.9f}"[:12] in capsys.readouterr().out
    words = ["advise", "yahtzee", "--dice", "1 6", "--rolls", "2", "--tables", str(table)]
    assert run([*words, *settings]) == 0
    shown = capsys.readouterr().out
    assert "stop, then enter" in shown
    assert "table small" in shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            "solve yahtzee --exact --set boxes=aces,twos,threes,fours,fives,sixes",
            "too many for exact rationals",
        ),
        ("solve yahtzee --objective win", "nobody to win against"),
        ("solve yahtzee --seats 2", "nobody to win against"),
        ("solve yahtzee --checkpoint x", "a score sheet takes seconds"),
        ("play yahtzee", "neither recorded nor reviewed"),
        ("match yahtzee --policies points,greedy", "yahtzee is played alone"),
    ],
)
def test_what_a_score_sheet_does_not_do_is_said(words, says, capsys):
    assert run(words.split()) > 1
    assert says in capsys.readouterr().err


def test_over_http_a_table_answers_and_what_is_in_none_is_refused(table):
    rules = [f"{name}={value}" for name, value in SMALL.items()]
    place = {"dice": "1 6", "rolls": "2"}
    with ready_client(Settings(tables=str(table), rate=0, log_requests=False)) as client:
        path = "/v1/games/yahtzee/advice"
        answer = client.get(path, params={**place, "set": rules})
        assert answer.status_code == 200
        own = ask(table, dice="1 6", rolls="2").as_dict()
        assert answer.json() == json.loads(json.dumps(own))
        refused = client.get(path, params={"dice": "13356", "rolls": "2"})
        assert refused.status_code == 422
        assert "no table of this service is of the objective total" in refused.text
        alone = client.get(path, params={"dice": "13356", "rolls": "2", "objective": "points"})
        assert alone.status_code == 200


# The whole game


@pytest.mark.slow
@pytest.mark.parametrize(
    ("joker", "figure", "digits"),
    [("free", 254.5896095, 7), ("hasbro", 254.587729, 6), ("none", 245.870775, 6)],
)
def test_the_published_figures_come_out(joker, figure, digits):
    found = solve_sheet(game("yahtzee", joker=joker), workers=2)
    assert round(found.total, digits) == figure
    assert found.exactness.error < 1e-10
    assert found.standings == {"none": 357_568}.get(joker, 536_320)


class Yatzy(Yahtzee):
    """Scandinavian Yatzy on the same turn: fifteen boxes, no jokers, 50 points for 63."""

    __slots__ = ()

    @property
    def score_sheet(self):
        return ScoreSheet(
            (*UPPER, *yatzy_points((1, 2, 3, 4, 5))),
            0,
            lambda _boxes, _tally: None,
            lambda _case, dice: {
                **{b: (score(b, dice), score(b, dice)) for b in UPPER},
                **{b: (points, 0) for b, points in yatzy_points(dice).items()},
            },
            lambda tally, mark: min(tally + mark, 63),
            lambda tally: 50 if tally >= 63 else 0,
        )


def yatzy_points(dice):
    """Return what dice count in the lower boxes: only the dice that make the combination."""
    at_least = {n: [f for f in range(1, 7) if dice.count(f) >= n] for n in (2, 3, 4, 5)}
    pairs, threes = at_least[2], at_least[3]
    houses = [3 * a + 2 * b for a in threes for b in pairs if a != b]
    return {
        "one-pair": 2 * max(pairs, default=0),
        "two-pairs": 2 * sum(pairs) if len(pairs) == 2 else 0,
        "three-of-a-kind": 3 * max(threes, default=0),
        "four-of-a-kind": 4 * max(at_least[4], default=0),
        "small-straight": 15 if dice == (1, 2, 3, 4, 5) else 0,
        "large-straight": 20 if dice == (2, 3, 4, 5, 6) else 0,
        "full-house": max(houses, default=0),
        "chance": sum(dice),
        "yatzy": 50 if at_least[5] else 0,
    }


@pytest.mark.slow
def test_another_sheet_on_the_same_turn_is_solved_too():
    """Scandinavian Yatzy is published with 248.4399894; 248.63 counts a pair as two pairs."""
    assert solve_sheet(Yatzy(), workers=2).total == pytest.approx(248.4399894, abs=5e-8)


@pytest.mark.slow
def test_the_table_of_the_whole_game_is_built_and_verified(tmp_path):
    entry = build_table("yahtzee-hasbro", tmp_path, workers=2)
    assert entry.numbers["total"] == pytest.approx(254.587729, abs=5e-7)
    with open_tables(tmp_path) as tables:
        found = verify_table(tables["yahtzee-hasbro"])
    assert found.rolls == 536_320
    assert found.error < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("joker", JOKERS)
def test_games_that_are_played_out_with_real_dice_bring_the_total(joker):
    """The referee here is the brute force's sheet: it counts every game from its boxes."""
    rules = game("yahtzee", joker=joker)
    found = solve_sheet(rules, workers=2)
    graph, dice, games = found.graph, random.Random(20), 4000
    sheets = [({}, 0) for _ in range(games)]
    for _ in BOXES:
        played = []
        for low in range(0, games, 500):
            part = sheets[low : low + 500]
            payoffs = np.concatenate([_payoffs(found, rules, filled) for filled, _ in part], axis=1)
            chosen = solve_batch(graph, payoffs, tolerance=0.0).chosen
            for column, (filled, bonuses) in enumerate(part):
                shown = _turn(rules, graph, chosen[:, column], dice)
                played.append(_entered(found, rules, filled, bonuses, shown))
        sheets = played
    totals = np.array([total_of(filled, 63, 35) + bonuses for filled, bonuses in sheets])
    assert abs(totals.mean() - found.total) < 4 * totals.std() / games**0.5
    if joker == "free":
        assert totals.std() == pytest.approx(59.6, abs=5)  # T. Verhoeff's figure


def _ways(found, rules, filled, shown):
    """Each legal entry with its points, and what it leaves to come."""
    fifty = int(filled.get("yahtzee") == 50 and rules.joker != "none")
    upper = sum(points for box, points in filled.items() if box in UPPER)
    for box, points, more in legal_entries(BOXES, filled, shown, str(rules.joker)):
        left = frozenset(BOXES).difference(filled, {box})
        then = upper + points if box in UPPER else upper
        now = int(box == "yahtzee" and points == 50 and rules.joker != "none")
        worth = points + more + found.to_come(left, (min(then, 63), fifty | now))
        yield worth, box, points, more


def _payoffs(found, rules, filled):
    """What the library thinks each outcome is worth; the policy under test follows from it."""
    left = frozenset(BOXES).difference(filled)
    fifty = int(filled.get("yahtzee") == 50 and rules.joker != "none")
    upper = sum(points for box, points in filled.items() if box in UPPER)
    row, column = found.sheet.place(left, (min(upper, 63), fifty))
    case = int(found.sheet.case[row, column])
    return payoffs_at(found.sheet, found.values, row, case, np.array([column]))


def _entered(found, rules, filled, bonuses, shown):
    _, box, points, more = max(_ways(found, rules, filled, shown))
    return {**filled, box: points}, bonuses + more


def _turn(rules, graph, chosen, dice):
    """Roll, keep what the policy keeps, and roll again: five dice in any order."""
    shown = tuple(sorted(dice.randrange(1, 7) for _ in range(5)))
    for left in (2, 1):
        options = rules.expand(("dice", left, *shown)).options
        wanted = graph.child[chosen[graph.node(("dice", left, *shown))]]
        action = next(a for a, state in options.items() if graph.node(state) == wanted)
        if action == "stop":
            break
        kept = [int(word) for word in action.split()[1:]] if action != "roll" else []
        shown = tuple(sorted([*kept, *(dice.randrange(1, 7) for _ in range(5 - len(kept)))]))
    return shown
