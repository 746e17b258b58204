"""Alien Battleship, Captain, First Mate and Crew: matches, the death round, alone, advice."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from slow_rounds import slow_death_round, slow_rounds

import solver
from solver.apps.cli.main import run
from solver.errors import GameError, ProofError, ShouldIRollError, TooLargeError, UsageError
from solver.games.protocol import RoundsMatch
from solver.match.certify_rounds import certify_rounds
from solver.match.death_round import solve_death_round
from solver.match.rounds import rounds_until_over
from solver.match.solo import solve_beat, total_distribution
from solver.match.staged import solve_staged
from solver.turn import compile_turn

TINY = {"throws": 2, "rounds": 2, "target": 14}


def match_of(seats=2, **rules):
    game = solver.game("alien-crew", **rules)
    graph = compile_turn(game)
    return game, graph, solve_staged(game, game.rounds_match, seats, graph)


@pytest.fixture(scope="module")
def whole():
    return match_of(target=50)


class TestMatch:
    @pytest.mark.parametrize(
        ("end", "trio"),
        [
            ("first", "kept"),
            ("rounds", "reset"),
            pytest.param("first", "reset", marks=pytest.mark.slow),
            pytest.param("rounds", "kept", marks=pytest.mark.slow),
        ],
    )
    def test_two_seats_agree_with_a_plain_slow_solver_in_fractions(self, end, trio):
        game, _, match = match_of(end=end, trio=trio, **TINY)
        shares = match.values.shares(2)
        slow = slow_rounds(game, 2, lambda s: [1] if len(s) == 1 else shares[s].tolist())
        stages = range(match.values.stages)
        checked = 0
        for a, b, s, t in [(0, 0, 0, 0), (0, 7, 0, -1), (12, 9, -1, -1), (5, 0, -1, 1)]:
            standing = ((a, stages[s]), (b, stages[min(t, len(stages) - 1)]))
            for number, seat in ((1, 0), (1, 1), (0, 0)):
                if number == 0 and (a or b or s or t):
                    continue
                right = slow(number + 1, seat, standing)
                scores, stage = (np.array([[x[i] for x in standing]]) for i in (0, 1))
                found = match.values.at(number, seat, scores, stage)[0, :2]
                assert found == pytest.approx([float(x) for x in right], abs=1e-13)
                checked += 1
        assert checked >= 7

    def test_three_seats_agree_with_the_slow_solver(self):
        rules = {"throws": 2, "rounds": 1, "trio": "reset"}
        game, graph, match = match_of(seats=3, **rules)
        shares = solve_death_round(graph, 1, 3).shares
        slow = slow_rounds(game, 3, lambda s: shares[s].tolist())
        right = slow(1, 0, ((0, 0),) * 3)
        assert match.win_probability == pytest.approx([float(x) for x in right], abs=1e-13)
        assert match.exactness.kind == "equilibrium"
        assert 0.0 < match.exactness.error < 1e-10

    @pytest.mark.slow
    def test_chances_sum_to_one_everywhere(self, whole):
        _, _, match = whole
        for tables in match.values.open_play:
            for table in tables:
                assert np.abs(table[..., :2].sum(axis=-1) - 1.0).max() <= 1e-12

    def test_the_bound_is_proven_and_a_wrong_value_is_refused(self):
        _, graph, match = match_of(**TINY)
        assert match.error == certify_rounds(graph, match.values, 2)
        assert 0.0 < match.error < 1e-12
        table = match.values.open_play[1][0]
        table[3, 3, 5, 3, 0] += 1e-9
        with pytest.raises(ProofError, match=r"only within 1\.0e-09"):
            certify_rounds(graph, match.values, 2)

    def test_the_last_seat_is_better_off_and_the_average_is_even(self, whole):
        """The last seat knows what it must beat; drawn by lot, all are equal."""
        _, _, match = whole
        assert match.win_probability[1] > match.win_probability[0]
        assert sum(match.win_probability) / 2 == pytest.approx(0.5, abs=1e-12)

    @pytest.mark.slow
    def test_a_limit_of_rounds_that_never_binds_is_no_limit(self):
        """With kept trios a target of 12 is reached long before sixty rounds are over."""
        rules = {"throws": 3, "target": 12}
        _, _, free = match_of(end="target", **rules)
        _, _, limited = match_of(end="first", rounds=60, **rules)
        assert free.win_probability == pytest.approx(limited.win_probability, abs=1e-12)
        assert free.expected_rounds == pytest.approx(limited.expected_rounds, abs=1e-9)

    def test_so_many_rounds_are_enough(self):
        """Hoeffding's bound is above the exact binomial tail, and the tail below 1e-18."""
        match = RoundsMatch(None, 100)
        number = rounds_until_over(match, 2, 0.46)
        p = Fraction(54, 100)
        tail, term = Fraction(0), (1 - p) ** number
        for k in range(50):
            tail += term
            term = term * (number - k) / (k + 1) * p / (1 - p)
        assert tail < Fraction(1, 10**18)

    def test_what_does_not_fit_is_refused_with_the_cost(self):
        game = solver.game("alien-crew")
        with pytest.raises(TooLargeError, match=r"736,872,384 boundary states of 40 bytes"):
            solver.solve_match(game, 3, max_memory=2**30)

    @pytest.mark.parametrize("option", ["checkpoint", "cluster"])
    def test_options_of_long_races_are_refused(self, option, tmp_path):
        with pytest.raises(UsageError, match=f"--{option}"):
            solver.solve_match(solver.game("alien-crew"), 2, **{option: str(tmp_path)})


class TestDeathRound:
    @pytest.mark.parametrize("stages", [(3, 3), (0, 3), (2, 1), (0, 0), (1, 2)])
    def test_two_tied_seats_agree_with_slow_sweeps(self, stages):
        game = solver.game("alien-crew", throws=2)
        found = solve_death_round(compile_turn(game), 4, 2).shares[stages]
        assert found == pytest.approx(slow_death_round(game, stages), abs=1e-13)

    def test_three_tied_seats_agree_with_slow_sweeps(self):
        game = solver.game("alien-crew", trio="reset", throws=1)
        found = solve_death_round(compile_turn(game), 1, 3).shares[0, 0, 0]
        assert found == pytest.approx(slow_death_round(game, (0, 0, 0)), abs=1e-13)

    @pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.slow)])
    def test_shares_sum_to_one_and_later_seats_gain_by_knowing(self, seats):
        shares = solve_death_round(compile_turn(solver.game("alien-crew")), 4, seats).shares
        for group, share in shares.items():
            assert share.sum() == pytest.approx(1.0, abs=1e-13), group
        for players in range(2, seats + 1):  # all alike but for the order
            for stage in range(4):
                share = shares[(stage,) * players]
                assert (np.diff(share) > 0).all(), (players, stage)


class TestAlone:
    @pytest.mark.parametrize("above", [3, 9, 15])
    def test_the_chance_to_beat_a_total_agrees_with_recursion(self, above):
        game = solver.game("alien-crew", throws=2, rounds=2)
        found = solve_beat(game, compile_turn(game), above)
        slow = slow_rounds_alone(game, above)
        for stage in range(4):
            assert found.ahead[0][0][stage] == slow(2, 0, stage)

    def test_a_total_that_nobody_can_reach_and_one_that_everybody_has(self):
        game = solver.game("alien-crew")
        graph = compile_turn(game)
        assert solve_beat(game, graph, 120).ahead[0][0][0] == 0
        assert solve_beat(game, graph, 119).ahead[0][0][3] > 0
        assert solve_beat(game, graph, 19).ahead[0][0][3] == 1  # ten turns of two at least

    def test_playing_for_a_total_beats_playing_for_points_at_it(self):
        game = solver.game("alien-crew")
        graph = compile_turn(game)
        totals = total_distribution(game, graph)
        assert sum(totals.values()) == 1
        for above in (40, 80, 100):
            best = solve_beat(game, graph, above).ahead[0][0][0]
            assert best > sum(p for total, p in totals.items() if total > above)

    @pytest.mark.parametrize(("trio", "mean"), [("kept", 86.356), ("reset", 43.1635)])
    def test_ten_round_means(self, trio, mean):
        """Kept by stepping through the stages; reset is ten times the turn's value."""
        game = solver.game("alien-crew", trio=trio)
        graph = compile_turn(game)
        found = sum(total * p for total, p in total_distribution(game, graph).items())
        assert float(found) == pytest.approx(mean, abs=1e-3)
        if trio == "reset":
            assert found == 10 * solver.solve_turn(game, exact=True).exact

    def test_a_match_without_rounds_has_no_total(self):
        game = solver.game("alien-crew", end="target")
        with pytest.raises(UsageError, match="given number of rounds"):
            solve_beat(game, compile_turn(game), 60)
        pig = solver.game("pig")
        with pytest.raises(GameError, match="no match of rounds"):
            solve_beat(pig, compile_turn(pig), 60)


def slow_rounds_alone(game, above):
    from functools import cache

    from solver.games.protocol import Bank, Choose

    starts = list(game.starts().values())

    @cache
    def value(left, score, stage):
        if not left:
            return Fraction(score > above)

        @cache
        def worth(state):
            found = game.expand(state)
            if isinstance(found, Bank):
                return value(left - 1, score + found.outcome[0], found.outcome[1])
            if isinstance(found, Choose):
                return max(map(worth, found.options.values()))
            whole = sum(w for w, _ in found.branches)
            return sum(w * worth(s) for w, s in found.branches) / Fraction(whole)

        return worth(starts[stage])

    return value


CREW = {"stage": "trio", "crew": "2 5", "throws": 1}


@pytest.fixture(scope="module")
def advisor():
    with solver.open_tables() as tables:
        yield solver.Advisor(tables)


class TestAdvice:
    @pytest.mark.slow
    def test_the_last_turn_of_the_last_round_by_hand(self, advisor):
        """Seat 2 needs 9 of the crew to win, 8 to tie; it shows 2 and 5 and has one throw."""
        short = {"target": 49}  # neither of them has won yet
        advice = advisor("alien-crew", scores=(48, 40), round=10, seat=2, parameters=short, **CREW)
        shares = solve_death_round(compile_turn(solver.game("alien-crew")), 4, 2).shares[3, 3]
        by_action = {option.action: option for option in advice.options}
        right = {
            "stop": 0.0,  # 7
            "roll-2": (3 + shares[1]) / 6,  # 5 and a 4, 5, 6 wins, a 3 ties
            "roll-5": 0.0,  # 2 and at most a 6 ties at 8
            "roll-2-5": (10 + 5 * shares[1]) / 36,  # 9 or more: 10 of 36, 8: 5 of 36
        }
        right["roll-5"] = shares[1] / 6
        for action, chance in right.items():
            assert by_action[action].value == pytest.approx(chance, abs=1e-12), action
            assert by_action[action].win_probability[1] == by_action[action].value
        assert advice.best.action == "roll-2"

    def test_the_last_turn_alone_by_hand(self, advisor):
        """More than 48 from 40: the crew must make 9."""
        advice = advisor("alien-crew", beat=48, scores="40", round=10, **CREW)
        values = {option.action: option.exact for option in advice.options}
        assert values == {"roll-2": "1/2", "roll-2-5": "5/18", "stop": "0", "roll-5": "0"}
        assert (advice.objective, advice.unit) == ("beat:48", "probability")

    def test_what_a_player_says_less_than_is_needed_or_more(self, advisor):
        for told, hint in (
            ({"scores": (40, 35), "seat": 1}, "--round"),
            ({"scores": (40, 35), "round": 7}, "--seat"),
            ({"round": 7, "seat": 1}, "--scores"),
            ({"scores": (40,), "round": 7, "seat": 1}, "one score"),
            ({"beat": 61, "scores": (40, 30), "round": 7}, "alone"),
            ({"beat": 61, "scores": (40,), "round": 7, "seat": 2}, "alone"),
            ({"beat": "many", "scores": (40,), "round": 7}, "--beat"),
            ({"beat": -1, "scores": (40,), "round": 7}, "--beat"),
        ):
            with pytest.raises(ShouldIRollError) as refused:
                advisor("alien-crew", **CREW, **told)
            assert hint in str(refused.value)

    @pytest.mark.parametrize(
        ("told", "hint"),
        [
            ({"scores": (40, 35), "round": 11, "seat": 1}, "over after 10 rounds"),
            ({"scores": (40, 35), "round": 0, "seat": 1}, "counted from 1"),
            ({"scores": (40, 35), "round": 7, "seat": 3}, "no such seat"),
            ({"scores": (40, 35), "round": 3, "seat": 1}, "after 2 turns"),
            ({"scores": (1, 35), "round": 7, "seat": 1}, "nothing, or 2 to 12"),
            ({"scores": (-2, 35), "round": 7, "seat": 1}, "seat 1 cannot have -2"),
            ({"scores": (40, 100), "round": 10, "seat": 1}, "the match is over"),
            ({"scores": (40, 35), "stages": "trio", "round": 7, "seat": 1}, "--stages lists 1"),
            ({"scores": (40, 35), "stages": "trio,ship", "round": 7, "seat": 1}, "unknown stage"),
            ({"scores": (40, 35), "stages": "trio,captain", "round": 7, "seat": 1},
             "35 points without the trio"),
        ],
    )  # fmt: skip
    def test_a_match_that_cannot_be_is_refused_before_it_is_solved(self, advisor, told, hint):
        with pytest.raises(ShouldIRollError) as refused:
            advisor("alien-crew", **CREW, **told)
        assert hint in str(refused.value)

    def test_the_commands_of_the_contract(self, capsys):
        import json

        crew = ["advise", "alien-crew", "--stage", "trio", "--crew", "2 5", "--throws", "1"]
        for words in (
            crew,
            ["advise", "alien-crew", "--stage", "captain", "--roll", "4 3 3", "--throws", "2"],
            [*crew, "--beat", "61", "--scores", "40", "--round", "7"],
            ["solve", "alien-crew", "--objective", "points", "--exact", "--set", "crew=both"],
            ["solve", "alien-crew", "--objective", "beat:60", "--set", "trio=reset"],
            ["solve", "alien-crew", "--objective", "win", "--seats", "2", "--set", "rounds=2"],
        ):
            assert run([*words, "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["game"] == "alien-crew"
            assert run(words) == 0
            assert "alien-crew" in capsys.readouterr().out
