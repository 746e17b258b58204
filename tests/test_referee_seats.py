"""The referee plays three seats by the solver's values, and four seats are built and checked."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import solver
from solver.advisor.win import MatchValues, from_match
from solver.referee import martian_dice, play_match
from solver.referee.martian_dice import Chooser, play_rolled_turn
from solver.tablebase.build import build_table
from solver.tablebase.verify import verify_table

GAME = solver.game("martian-dice")


class ValuePlayer:
    """Plays every seat by solving its turn from the match's values."""

    def __init__(self, match):
        self.graph = match.graph
        self.source = MatchValues(match.values, match.mixes, "equilibrium", match.error)
        self.at_boundary = {}

    def chooser(self, scores, seat):
        if (scores, seat) not in self.at_boundary:
            turn = from_match(GAME, self.graph, self.source, np.array(scores), seat)._solution
            self.at_boundary[scores, seat] = np.array(turn.nodes.chosen, dtype=np.int16)
        chosen, node_of = self.at_boundary[scores, seat], self.graph.node_of

        def take(aside, roll, legal):
            tanks, rays = aside["T"] + roll["T"], aside["R"]
            kept = [aside[s] for s in "HCK"]
            heads, kinds = sum(kept), sum(count > 0 for count in kept)
            free = [s for s in legal if s != "R"]
            groups = (tuple(sorted({roll[s] for s in free})),)
            node = node_of["take", tanks, rays, heads, kinds, roll["R"], groups]
            options = {}
            for letter in sorted(legal, key=lambda x: (x != "R", roll[x])):
                more = roll[letter]
                after = (rays + more, heads, kinds) if letter == "R" else (
                    rays, heads + more, kinds + 1)  # fmt: skip
                options.setdefault(node_of["aside", tanks, *after], letter)
            if len(options) == 1:
                return next(iter(options.values()))
            return options[int(chosen[node])]

        def stop(aside):
            kept = [aside[s] for s in "HCK"]
            state = (aside["T"], aside["R"], sum(kept), sum(count > 0 for count in kept))
            node, roll = node_of["aside", *state], node_of.get(("roll", *state))
            return roll is None or node == node_of.get(roll) or int(chosen[node]) != roll

        return Chooser(take, stop)


@pytest.mark.slow
def test_three_seats_win_as_often_as_their_values_say():
    """To 10 points, for there every score position is met often enough in 20,000 matches."""
    match = solver.solve_match(solver.game("martian-dice", target=10), 3)
    player, rng = ValuePlayer(match), np.random.default_rng(7)
    dice = martian_dice.dice_of(rng)

    def seat(scores, who, _rng):
        return play_rolled_turn(player.chooser(tuple(scores), who), dice)

    results = [play_match([seat] * 3, rng, target=10, end="round") for _ in range(20_000)]
    for who, chance in enumerate(match.win_probability):
        won = sum(r.winner == who for r in results) / len(results)
        assert abs(won - chance) <= 4 * sqrt(chance * (1 - chance) / len(results))
    tied = sum(r.tied for r in results) / len(results)
    ties = match.tie_probability
    assert abs(tied - ties) <= 4 * sqrt(ties * (1 - ties) / len(results))
    rounds = np.array([r.rounds for r in results])
    assert abs(rounds.mean() - match.expected_rounds) <= 4 * rounds.std() / sqrt(len(rounds))


@pytest.mark.slow
def test_four_seats_are_built_proven_and_mixed_where_they_must_be(tmp_path):
    """Five minutes: the one score position of 390,625 without an equilibrium in pure play."""
    build_table("martian-dice-win-4", tmp_path, workers=2)
    with solver.open_tables(tmp_path) as tables:
        table = tables["martian-dice-win-4"]
        assert verify_table(table, workers=2).error <= 1e-10
        scores = (23, 16, 5, 20)
        assert sorted(table.mixes()) == [(scores, 1), (scores, 3)]
        advisor = solver.Advisor(tables)
        for seat, aside, roll, share in (
            (2, "T2 H3 C2", "T1 R1 K2 H2", 0.633810),
            (4, "", "T4 R2 H1 C2 K4", 0.300945),
        ):
            advice = advisor("martian-dice", scores=scores, seat=seat, aside=aside, roll=roll)
            mixed = {o.action: o.mix for o in advice.options if o.mix is not None}
            assert mixed["chicken"] == pytest.approx(share, abs=1e-6)
            assert mixed["death-rays"] == pytest.approx(1 - share, abs=1e-6)
            assert all(o.best for o in advice.options if o.mix is not None)
            assert sum(advice.best.win_probability) == pytest.approx(1.0, abs=1e-12)
