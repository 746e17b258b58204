"""The referee plays matches by the committed table, and wins as often as the table says.

The referee knows the raw rule sheet only: dice with letters, three species, a duel of six dice.
The players know the table only. What they agree on is a number neither has seen before.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from solver.advisor import Advisor
from solver.games import game
from solver.referee import martian_dice, play_match
from solver.referee.martian_dice import Chooser, play_rolled_turn
from solver.tablebase import open_tables
from solver.tablebase.policy_rows import boundary_index

TABLES = Path(__file__).resolve().parent.parent / "tables"
DICE, BONUS, TARGET = 13, 3, 25
ACTION_OF = {"R": "death-rays", "H": "human", "C": "cow", "K": "chicken"}
TIE = 1e-13


@pytest.fixture(scope="module")
def tables():
    with open_tables(TABLES) as opened:
        yield opened


class TablePlayer:
    """Plays both seats by the two-seat table, from its arrays alone.

    A position is worth the more of what stopping and what rolling on is worth; stored are the
    rolls. Options that tie are settled by the table's own choice between stop and roll, and by
    the canonical order between takings.
    """

    def __init__(self, table):
        self.values = table.race_values(game("martian-dice"))
        self.table = table
        tags = table.entry.tags
        states = table.array("roll-states").tolist()
        rows = table.array("roll-rows").tolist()
        self.row = {tuple(s[1:]): r for s, r in zip(states, rows, strict=True)}
        states = table.array("decision-states").tolist()
        assert {tags[s[0]] for s in states} == {"aside"}
        self.decision = {tuple(s[1:]): i for i, s in enumerate(states)}
        self.points = self.values.points.tolist()
        self.at_boundary = {}

    def chooser(self, scores, seat):
        """The player in a seat (from 0) at these scores."""
        index = boundary_index(self.values, np.array(scores), seat)
        if index not in self.at_boundary:
            self.at_boundary[index] = _Turn(self, np.array([scores]), seat, index)
        return self.at_boundary[index].chooser


class _Turn:
    """The table's turn at one boundary state."""

    def __init__(self, player, scores, seat, index):
        chances = player.values.after(scores, seat)[0, :, seat].tolist()
        self.worth_of_points = dict(zip(player.points, chances, strict=True))
        self.value = player.table.array("policy-value")[index].tolist()
        self.choice = player.table.array("policy-choice")[index].tolist()
        self.row, self.decision = player.row, player.decision
        self.known = {}
        self.chooser = Chooser(self.take, self.stop)

    def look(self, state):
        """(worth, whether to stop) with (tanks, rays, heads, kinds) set aside."""
        if state not in self.known:
            tanks, rays, heads, kinds = state
            scored = 0 if tanks > rays else heads + (BONUS if kinds == 3 else 0)
            stop = self.worth_of_points[scored]
            if tanks + rays + heads == DICE:
                self.known[state] = stop, True
            else:
                stops = self.choice[self.decision[state]] == 0
                self.known[state] = (stop if stops else self.value[self.row[state]]), stops
        return self.known[state]

    def take(self, aside, roll, legal):
        tanks, rays = aside["T"] + roll["T"], aside["R"]
        heads = aside["H"] + aside["C"] + aside["K"]
        kinds = (aside["H"] > 0) + (aside["C"] > 0) + (aside["K"] > 0)
        best, letter = -1.0, None
        for candidate in sorted(legal, key=lambda x: (x != "R", roll[x])):
            more = roll[candidate]
            after = (
                (tanks, rays + more, heads, kinds)
                if candidate == "R"
                else (tanks, rays, heads + more, kinds + 1)
            )
            worth = self.look(after)[0]
            if worth > best + TIE:
                best, letter = worth, candidate
        return letter

    def stop(self, aside):
        heads = aside["H"] + aside["C"] + aside["K"]
        kinds = (aside["H"] > 0) + (aside["C"] > 0) + (aside["K"] > 0)
        return self.look((aside["T"], aside["R"], heads, kinds))[1]


def played(table, matches, seed):
    """Results of matches in which both seats play by the table."""
    player, rng = TablePlayer(table), np.random.default_rng(seed)
    dice = martian_dice.dice_of(rng)

    def seat(scores, who, _rng):
        return play_rolled_turn(player.chooser(scores, who), dice)

    return [play_match([seat, seat], rng, target=TARGET, end="round") for _ in range(matches)]


def within_four_standard_errors(observed, chance):
    error = sqrt(chance * (1 - chance) / len(observed))
    return abs(sum(observed) / len(observed) - chance) <= 4 * error


def agrees(results, numbers):
    first, second = numbers["win_probability"]
    assert within_four_standard_errors([r.winner == 0 for r in results], first)
    assert within_four_standard_errors([r.winner == 1 for r in results], second)
    assert within_four_standard_errors([r.tied for r in results], numbers["tie_probability"])
    rounds = np.array([r.rounds for r in results])
    error = rounds.std() / sqrt(len(rounds))
    assert abs(rounds.mean() - numbers["expected_rounds"]) <= 4 * error


@pytest.mark.parametrize("matches", [2_500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_table_wins_as_often_as_it_says(tables, matches):
    table = tables["martian-dice-win-2"]
    agrees(played(table, matches, seed=1), table.entry.numbers)


def test_the_player_does_what_advice_says(tables):
    """What the referee's player takes and when it stops are the advisor's best options."""
    table = tables["martian-dice-win-2"]
    player, advisor = TablePlayer(table), Advisor(tables)
    rng = np.random.default_rng(3)
    dice = martian_dice.dice_of(rng)
    compared = {"take": 0, "stop": 0}

    def text(counts):
        return " ".join(f"{letter}{n}" for letter, n in counts.items() if n)

    def compare(scores, seat):
        chooser = player.chooser(scores, seat)

        def take(aside, roll, legal):
            advice = advisor(
                "martian-dice", scores=scores, seat=seat + 1, aside=text(aside), roll=text(roll)
            )
            letter = chooser.choose_take(aside, roll, legal)
            assert ACTION_OF[letter] in {o.action for o in advice.options if o.best}
            compared["take"] += len(advice.options) > 1
            return letter

        def stop(aside):
            advice = advisor("martian-dice", scores=scores, seat=seat + 1, aside=text(aside))
            stops = chooser.choose_stop(aside)
            assert ("stop" if stops else "roll") in {o.action for o in advice.options if o.best}
            compared["stop"] += len(advice.options) > 1
            return stops

        return Chooser(take, stop)

    for _ in range(120):
        seat = int(rng.integers(2))
        scores = tuple(rng.integers(TARGET, size=2).tolist())
        if seat == 1 and rng.random() < 0.5:
            scores = (int(rng.integers(TARGET, TARGET + 16)), scores[1])
        play_rolled_turn(compare(scores, seat), dice)
    assert min(compared.values()) > 200
