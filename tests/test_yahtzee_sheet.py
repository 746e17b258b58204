"""Score sheets as arrays: what they are made of, what they take, and their bound; by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from solver.errors import GameError, PositionError, TooLargeError
from solver.games.protocol import Bank, Roll, ScoreSheet
from solver.games.registry import game
from solver.match.sheet import compile as compile_module
from solver.match.sheet import exact as exact_module
from solver.match.sheet import solve as solve_module
from solver.match.sheet import solve_sheet
from solver.match.sheet.compile import compile_sheet
from solver.match.sheet.exact import solve_sheet_exact
from solver.match.sheet.solve import _chunks, payoffs_at
from solver.match.sheet.standings import open_number
from solver.turn.compile import compile_turn
from solver.turn.kernel import error_bound


class Coins:
    """A coin of 0 to 3 on boxes that count it; the tally is the sum so far, up to a limit."""

    name = "coins"

    def __init__(self, boxes=("one", "two"), limit=100, bonus=0, marks=1):
        self.score_sheet = ScoreSheet(
            boxes=boxes,
            tally=0,
            case=lambda _boxes, tally: tally >= 2,
            entries=lambda case, face: {
                box: (face * (i + 1) + case, face * marks) for i, box in enumerate(boxes)
            },
            advance=lambda tally, mark: min(tally + mark, limit),
            closing=lambda tally: bonus * (tally >= 4),
        )

    def start(self):
        return "roll"

    def expand(self, state):
        if state != "roll":
            return Bank(state)
        return Roll([(1, 0), (2, 1), (1, 2), (4, 3)])


def plain(rules):
    """Return a function of (open boxes, tally): points to come, by recursion in fractions."""
    sheet = rules.score_sheet
    chances = {0: Fraction(1, 8), 1: Fraction(1, 4), 2: Fraction(1, 8), 3: Fraction(1, 2)}

    def value(boxes, tally):
        if not boxes:
            return Fraction(sheet.closing(tally))
        total = Fraction(0)
        for face, chance in chances.items():
            entries = sheet.entries(sheet.case(boxes, tally), face)
            total += chance * max(
                entries[box][0] + value(boxes - {box}, sheet.advance(tally, entries[box][1]))
                for box in boxes
            )
        return total

    return value


BOXES = ("a", "b", "c")


@pytest.mark.parametrize("bonus", [0, 5])
def test_every_standing_is_worth_what_recursion_says(bonus):
    rules = Coins(BOXES, bonus=bonus)
    value = plain(rules)
    exact, fast = solve_sheet_exact(rules), solve_sheet(rules, compiled=False)
    sheet = exact.sheet
    seen = 0
    for number in range(8):
        boxes = frozenset(box for i, box in enumerate(BOXES) if number >> i & 1)
        assert open_number(rules.score_sheet, boxes) == number
        for tally in range(11):
            try:
                row, column = sheet.place(boxes, tally)
            except PositionError:
                assert tally > 3 * (3 - len(boxes))  # so much has not been entered yet
                continue
            seen += number > 0
            assert row == number
            assert exact.values[row, column] == value(boxes, tally)
            off = abs(Fraction(float(fast.values[row, column])) - exact.values[row, column])
            assert off <= fast.exactness.error
    assert sheet.standings == seen == exact.standings
    assert fast.exactness.error < 1e-13


def test_tallies_marks_and_cases_are_numbered_as_they_come():
    rules = Coins()
    sheet = compile_sheet(rules, compile_turn(rules))
    assert sheet.tallies[0] == 0
    assert sorted(sheet.tallies) == [0, 1, 2, 3, 4, 5, 6]
    for t, tally in enumerate(sheet.tallies):
        for m, after in enumerate(sheet.advance[t].tolist()):
            if after >= 0:
                assert sheet.tallies[after] == tally + m  # the marks 0 to 3 in order of faces
    reached = {n: {sheet.tallies[t] for t in np.flatnonzero(sheet.case[n] >= 0)} for n in range(4)}
    assert reached == {3: {0}, 1: {0, 1, 2, 3}, 2: {0, 1, 2, 3}, 0: set(range(7))}
    assert sheet.closing.tolist() == [0] * 7
    assert [layer.tolist() for layer in sheet.layers()] == [[0], [1, 2], [3]]
    for case, extra in enumerate((0, 1)):
        for box, factor in zip(sheet.scores[case], (1, 2), strict=True):
            points = box.points[box.score].tolist()
            assert points == [face * factor + extra for face in range(4)]
    for array in (sheet.case, sheet.advance, sheet.closing):
        assert not array.flags.writeable


def test_a_sheet_of_many_tallies_and_marks_makes_room():
    """Marks that are far apart lead to 16 and more tallies; nothing that was known is lost."""
    boxes = tuple("abcde")
    rules = Coins(boxes, marks=17, limit=10**6)
    sheet = compile_sheet(rules, compile_turn(rules))
    assert sorted(sheet.tallies) == [17 * n for n in range(16)]
    many = Coins(tuple("abcdefgh"), marks=1)
    assert sorted(compile_sheet(many, compile_turn(many)).tallies) == list(range(25))
    found = solve_sheet_exact(Coins(tuple("abcd"), bonus=7))
    assert found.exact == plain(Coins(tuple("abcd"), bonus=7))(frozenset("abcd"), 0)


def test_limits_are_inclusive(monkeypatch):
    rules = Coins(BOXES)
    graph = compile_turn(rules)
    standings = compile_sheet(rules, graph).standings
    monkeypatch.setattr(compile_module, "MOST_STANDINGS", standings)
    compile_sheet(rules, graph)
    monkeypatch.setattr(compile_module, "MOST_STANDINGS", standings - 1)
    with pytest.raises(TooLargeError, match="more than"):
        compile_sheet(rules, graph)
    monkeypatch.setattr(compile_module, "MOST_STANDINGS", standings)
    monkeypatch.setattr(compile_module, "MOST_CASES", 2)
    compile_sheet(rules, graph)
    monkeypatch.setattr(compile_module, "MOST_CASES", 1)
    with pytest.raises(TooLargeError, match="more than 1 cases"):
        compile_sheet(rules, graph)
    monkeypatch.setattr(compile_module, "MOST_CASES", 2)
    work = standings * graph.edges
    monkeypatch.setattr(exact_module, "MOST_WORK", work)
    solve_sheet_exact(rules)
    monkeypatch.setattr(exact_module, "MOST_WORK", work - 1)
    with pytest.raises(TooLargeError, match="too many for exact rationals"):
        solve_sheet_exact(rules)


def test_the_digest_is_of_the_turn_and_of_the_sheet():
    rules = Coins(BOXES)
    graph = compile_turn(rules)
    whole = compile_sheet(rules, graph).digest
    assert compile_sheet(Coins(BOXES), graph).digest == whole
    others = [
        compile_sheet(rules, replace(graph, digest="another")).digest,
        compile_sheet(Coins(BOXES, bonus=1), graph).digest,
        compile_sheet(Coins(BOXES, limit=5), graph).digest,
        compile_sheet(Coins(("a", "b", "d")), graph).digest,
        compile_sheet(Coins(BOXES, marks=2), graph).digest,
    ]
    assert len({whole, *others}) == 6


def test_the_digest_is_also_of_where_entries_lead():
    """The same tallies in the same order, other ways between them."""
    rules, other = Coins(), Coins()
    for coins, more in ((rules, 0), (other, 1)):
        coins.score_sheet = replace(
            coins.score_sheet,
            case=lambda _boxes, _tally: 0,
            advance=lambda t, m, more=more: m if t == 0 else (t + m + more) % 4,
        )
    one, two = (compile_sheet(coins, compile_turn(coins)) for coins in (rules, other))
    assert one.tallies == two.tallies == (0, 1, 2, 3)
    assert one.digest != two.digest


def test_only_tallies_of_full_sheets_are_closed():
    """Every entry adds one at least: the empty sheet's tally is never the last, nor asked for."""
    rules = Coins()
    rules.score_sheet = replace(
        rules.score_sheet, advance=lambda t, m: t + m + 1, closing=lambda t: 60 // t
    )
    sheet = compile_sheet(rules, compile_turn(rules))
    closing = dict(zip(sheet.tallies, sheet.closing.tolist(), strict=True))
    assert closing == {0: 0, 1: 0} | {t: 60 // t for t in range(2, 9)}


@pytest.mark.parametrize("wrong", [5, (1,), (1, 2, 3), [1, 2], None])
def test_one_entry_that_is_no_pair_is_refused(wrong):
    rules = Coins()
    rules.score_sheet = replace(
        rules.score_sheet, entries=lambda _case, face: {"one": (face, 0), "two": wrong}
    )
    with pytest.raises(GameError, match=r"entries\(False, 0\) is"):
        compile_sheet(rules, compile_turn(rules))


def test_progress_tells_every_standing_once():
    told = []
    rules = Coins(BOXES)
    found = solve_sheet(rules, compiled=False, progress=lambda *now: told.append(now))
    sheet = found.sheet
    layers = [int((sheet.case[layer] >= 0).sum()) for layer in sheet.layers()[1:]]
    assert told == [(sum(layers[: i + 1]), found.standings) for i in range(3)]


@pytest.mark.parametrize("workers", [1, 3])
def test_what_just_fits_the_memory_is_solved(workers):
    """Twelve bytes a cell, and three copies of a chunk's payoffs for each thread."""
    rules = Coins(BOXES)
    cells = compile_sheet(rules, compile_turn(rules)).case.size
    needed = 150 * 2**20 + cells * 12 + 4096 * 4 * 8 * 3 * workers
    solve_sheet(rules, max_memory=needed, workers=workers, compiled=False)
    with pytest.raises(TooLargeError, match="standings take about"):
        solve_sheet(rules, max_memory=needed - 1, workers=workers)


@pytest.mark.parametrize("chunk", [1, 2, 5, 1000])
def test_every_set_of_a_layer_is_in_one_chunk(monkeypatch, chunk):
    monkeypatch.setattr(solve_module, "CHUNK", chunk)
    rules = Coins(tuple("abcde"))
    sheet = compile_sheet(rules, compile_turn(rules))
    for layer in sheet.layers()[1:]:
        found = [piece.tolist() for piece in _chunks(sheet, layer)]
        assert all(found), "none is empty"
        assert [number for piece in found for number in piece] == layer.tolist()
        if chunk == 1000:
            assert len(found) == 1
        if chunk == 1:
            assert len(found) == len(layer)


def test_the_bound_adds_up_the_largest_payoffs_of_all_layers():
    """One box is worth 3 at most (4 in the case of 2 and more); two 3 + 2 x 3 + 1 at most."""
    rules = Coins()
    graph = compile_turn(rules)
    found = solve_sheet(rules, compiled=False)
    sheet, value = found.sheet, found.values
    largest = 0.0
    for numbers in ((1, 2), (3,)):
        most = 0.0
        for number in numbers:
            for case in (0, 1):
                tallies = np.flatnonzero(sheet.case[number] == case)
                if len(tallies):
                    most = max(most, payoffs_at(sheet, value, number, case, tallies).max())
        largest += most
    a_turn = error_bound(graph, tolerance=0.0) + 2.0**-53
    assert found.exactness.error == pytest.approx(1.01 * largest * a_turn, rel=1e-12, abs=0.0)


def test_payoffs_are_the_best_of_the_open_boxes():
    rules = Coins(bonus=5)
    found = solve_sheet_exact(rules)
    sheet, column = found.sheet, found.sheet.tallies.index
    last = payoffs_at(sheet, found.values, 2, 1, np.array([column(2), column(3)]))
    # box two counts twice and one more; four in all bring the bonus
    assert last.tolist() == [[1, 1], [3, 8], [10, 10], [12, 12]]
    first = payoffs_at(sheet, found.values, 3, 0, np.array([column(0)]))
    value = plain(rules)
    for face, (worth,) in enumerate(first.tolist()):
        boxes = (face + value(frozenset({"two"}), face), 2 * face + value(frozenset({"one"}), face))
        assert worth == max(boxes)


def test_a_box_that_is_closed_to_an_outcome_is_left_alone():
    """A yahtzee's box takes any dice as a zero; by the reading "hasbro" some boxes are closed."""
    rules = game("yahtzee", dice=2, rolls=1, boxes="aces, twos, yahtzee", joker="hasbro")
    exact, fast = solve_sheet_exact(rules), solve_sheet(rules, compiled=False)
    assert abs(Fraction(fast.total) - exact.exact) <= fast.exactness.error
    closed = [
        box for boxes in exact.sheet.scores for box in boxes if (box.score == len(box.points)).any()
    ]
    assert closed
