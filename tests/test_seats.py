"""Races of three and more seats: values, equilibria, and what may not change them."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from slow_race import slow_race
from small_games import CHASE, CHASE_OF_THREE_LOTTERIES, Lottery
from turns import turn_of

import solver
from solver.errors import ProofError, TooLargeError, UsageError
from solver.games.readings import End
from solver.match.boundary import RaceValues
from solver.match.mixing import Cell, _Mixing, mixed_equilibrium
from solver.match.policies import SeatPolicy
from solver.match.race import solve_race, threads
from solver.turn.roots import root_solver


def race_of(game, seats, **options):
    graph = turn_of(game)
    solve = root_solver(graph, compiled=options.pop("compiled", None))
    return graph, solve_race(game.race, seats, graph.points, solve, **options)


@cache
def solved(game, seats):
    """The same, once for each game: whoever changes the values copies them first."""
    return race_of(game, seats)


@pytest.mark.parametrize("end", ["round", "immediate"])
@pytest.mark.parametrize(("seats", "dice", "target"), [(2, 3, 5), (3, 3, 3), (3, 2, 4), (4, 2, 2)])
def test_every_boundary_state_agrees_with_a_plain_slow_solver(end, seats, dice, target):
    game = solver.game("martian-dice", dice=dice, target=target, end=end)
    _, race = race_of(game, seats)
    for (scores, seat), right in slow_race(game, seats).items():
        # the slow solver also has states that no match comes to: two rounds past the target
        best = max(scores)
        if best >= target and any(s >= target and i >= seat for i, s in enumerate(scores)):
            continue
        found = race.values.at(np.array([scores]), seat)[0, :seats]
        assert found == pytest.approx(right, abs=1e-12), (scores, seat)


@pytest.fixture(scope="module")
def chance():
    """How likely each outcome of the best turn for points is."""
    turn = solver.solve_turn(solver.game("martian-dice"), "points", exact=True)
    return np.array([turn.distribution.get(x, 0.0) for x in turn.graph.outcomes])


@pytest.mark.parametrize("end", ["round", "immediate"])
@pytest.mark.parametrize(("seats", "target"), [(2, 6), (3, 4)])
@pytest.mark.slow
def test_seats_that_all_play_for_points_agree_with_a_direct_evaluation(chance, end, seats, target):
    """The chances follow from the turn's distribution alone, by stepping through the rounds."""
    game = solver.game("martian-dice", target=target, end=end)
    policy = SeatPolicy(
        lambda scores: np.tile(chance, (len(scores), 1)),
        lambda behind: np.tile(chance, (len(behind), 1)),
    )
    _, race = race_of(game, seats, fixed=dict.fromkeys(range(seats), policy))
    found = race.values.at(np.zeros((1, seats), dtype=int), 0)[0, :seats]
    assert found == pytest.approx(_stepped(chance, target, end, seats), abs=1e-12)
    if end == "round":  # equally many turns, equal policies: equal seats
        assert found == pytest.approx([1 / seats] * seats, abs=1e-12)


def _stepped(chance, target, end, seats):
    """Carry the distribution of all scores forward, turn by turn, until all is decided."""
    wins = np.zeros(seats)
    now = {(0,) * seats: 1.0}
    for turn in range(400):
        seat = turn % seats
        then: dict[tuple[int, ...], float] = {}
        for scores, weight in now.items():
            for points, p in enumerate(chance):
                moved = (*scores[:seat], scores[seat] + points, *scores[seat + 1 :])
                over = moved[seat] >= target if end == "immediate" else False
                if end == "round" and seat == seats - 1 and max(moved) >= target:
                    leaders = [i for i in range(seats) if moved[i] == max(moved)]
                    wins[leaders] += weight * p / len(leaders)
                elif over:
                    wins[seat] += weight * p
                else:
                    then[moved] = then.get(moved, 0.0) + weight * p
        now = {s: w for s, w in then.items() if w > 1e-18}
        if not now:
            break
    return wins


@pytest.mark.parametrize("end", ["round", "immediate"])
@pytest.mark.slow
def test_chances_of_all_seats_sum_to_one_and_more_seats_only_share_them(end):
    game = solver.game("martian-dice", target=6, end=end)
    for seats in (2, 3, 4):
        _, race = race_of(game, seats)
        total = race.values.open_play[..., :seats].sum(axis=-1)
        assert np.abs(total - 1.0).max() <= 1e-13


class TestNoPureEquilibrium:
    """From three seats on an equilibrium in pure play need not exist."""

    @pytest.mark.parametrize(
        ("game", "scores", "seats"),
        [(CHASE, (2, 1, 0), [1, 2]), (CHASE_OF_THREE_LOTTERIES, (3, 2, 0), [0, 1])],
    )
    def test_the_seats_that_chase_each_other_mix(self, game, scores, seats):
        _, race = race_of(game, 3)
        assert sorted(race.mixes) == [(scores, m) for m in seats]
        assert all(0.0 < mix.share < 1.0 for mix in race.mixes.values())

    def test_every_pure_profile_leaves_somebody_a_gain_and_the_mixed_one_nobody(self):
        """Go through all eight profiles of the cell (2, 1, 0) by hand."""
        graph, race = race_of(CHASE, 3)
        draws = np.zeros((2, len(graph.outcomes)))
        for i, lottery in enumerate(CHASE.lotteries):
            for points, weight in lottery:
                draws[i, graph.points.tolist().index(points)] = weight
        draws /= draws.sum(axis=1, keepdims=True)
        cell = np.array([[2, 1, 0]])
        after = [race.values.after(cell, m)[0, :, :3] for m in range(3)]
        nothing = graph.points.tolist().index(0)

        def values(profile):
            """Solve V_m = c_m + z_m V_{m+1} for these three turns."""
            matrix, constant = np.eye(3), np.zeros((3, 3))
            for m, chance in enumerate(profile):
                matrix[m, (m + 1) % 3] -= chance[nothing]
                constant[m] = np.delete(chance, nothing) @ np.delete(after[m], nothing, axis=0)
            return np.linalg.solve(matrix, constant)

        def gain(profile, m):
            now = values(profile)[m, m]
            others = [[*profile[:m], draw, *profile[m + 1 :]] for draw in draws]
            return max(values(other)[m, m] for other in others) - now

        for pure in itertools.product(range(2), repeat=3):
            profile = [draws[i] for i in pure]
            assert max(gain(profile, m) for m in range(3)) > 1e-6, pure
        mixed = [draws[0]] * 3
        for (_, m), mix in race.mixes.items():
            risky = max(draws, key=lambda draw: draw[nothing])
            safe = min(draws, key=lambda draw: draw[nothing])
            mixed[m] = mix.share * risky + (1 - mix.share) * safe
        best = [max(range(2), key=lambda i: values([draws[i], *mixed[1:]])[0, 0])]
        mixed[0] = draws[best[0]]
        assert max(gain(mixed, m) for m in range(3)) <= 1e-14
        found = race.values.open_play[:, 2, 1, 0, :3]
        assert found == pytest.approx(values(mixed), abs=1e-13)

    def test_the_one_score_position_of_four_seats_of_martian_dice(self):
        """The cell (23, 16, 5, 20): policy iteration alternates there, with gains of about 1e-9."""
        stored = np.load(Path(__file__).parent / "data" / "chasing_cell.npz")
        assert stored["scores"].tolist() == [23, 16, 5, 20]
        solve = root_solver(turn_of(solver.game("martian-dice")))
        chances = stored["chances"]
        cell = Cell((23, 16, 5, 20), stored["after"], stored["scoring"], (0, 1, 2, 3), chances)
        search = _Mixing(cell, solve)
        for _ in range(12):  # seat after seat answers, and somebody always gains
            assert 1e-10 < search.gains().max() < 1e-8
            for m in range(4):
                _, search.chances[m] = search.answer(m, search.stay(m))
        found = mixed_equilibrium(cell, solve)
        assert sorted(found.mixes) == [1, 3]
        settled = _Mixing(cell, solve)
        settled.improve(0)
        settled.balance()
        assert settled.gains().max() <= 1e-14
        assert found.value[:, :4].sum(axis=1) == pytest.approx(np.ones(4), abs=1e-14)


numba = pytest.importorskip("numba", reason="the checker takes numba")


class TestChecker:
    """Code of its own proves that no seat gains by deviating."""

    @pytest.mark.parametrize("end", ["round", "immediate"])
    @pytest.mark.parametrize("seats", [2, 3])
    def test_an_equilibrium_passes(self, end, seats):
        from solver.match.equilibrium import check_equilibrium

        graph, race = solved(solver.game("martian-dice", target=6, end=end), seats)
        check = check_equilibrium(graph, race.values, race.mixes)
        assert check.gain <= 1e-10
        assert check.sum_error <= 1e-13

    @pytest.mark.parametrize("game", [CHASE, CHASE_OF_THREE_LOTTERIES])
    def test_a_mixed_equilibrium_passes_only_with_its_mixes(self, game):
        from solver.match.equilibrium import check_equilibrium

        graph, race = race_of(game, 3)
        check = check_equilibrium(graph, race.values, race.mixes)
        assert check.mixed == 2
        with pytest.raises(ProofError, match=r"at the scores"):
            check_equilibrium(graph, race.values, {})

    @pytest.mark.parametrize("component", [0, 1, 2])
    def test_one_wrong_number_is_found_and_named(self, component):
        from solver.match.equilibrium import check_equilibrium

        graph, race = solved(solver.game("martian-dice", target=5), 3)
        wrong = race.values.open_play.copy()
        wrong[1, 4, 2, 3, component] += 1e-9
        values = race.values
        forged = RaceValues(values.race, 3, values.points, wrong, values.last_turns)
        with pytest.raises(ProofError, match=r"\(4, 2, 3\), seat 2|no equilibrium"):
            check_equilibrium(graph, forged, race.mixes)

    def test_a_wrong_last_turn_is_found(self):
        from solver.match.equilibrium import check_equilibrium

        graph, race = solved(solver.game("martian-dice", target=5), 3)
        values = race.values
        last = {key: table.copy() for key, table in values.last_turns.items()}
        last[2, 1][3, 5, 1] += 1e-9
        forged = RaceValues(values.race, 3, values.points, values.open_play, last)
        with pytest.raises(ProofError):
            check_equilibrium(graph, forged, race.mixes)


RACE_TO_SIX = solver.game("martian-dice", dice=7, target=6)


@pytest.fixture(scope="module")
def right():
    return solved(RACE_TO_SIX, 3)[1].values.open_play


class TestNothingChangesTheNumbers:
    """How the work is cut must not show."""

    @pytest.mark.parametrize("chunk", [1, 7, 64])
    def test_chunks(self, right, chunk):
        """One cell at a time, with a rest, and all that have one sum of scores (27 at most)."""
        assert np.array_equal(race_of(RACE_TO_SIX, 3, chunk=chunk)[1].values.open_play, right)

    def test_workers(self, right):
        graph = turn_of(RACE_TO_SIX)
        solve = root_solver(graph)
        threaded = {"runner": threads(solve, 3), "chunk": 5}
        race = solve_race(RACE_TO_SIX.race, 3, graph.points, solve, **threaded)
        assert np.array_equal(race.values.open_play, right)

    def test_kernels(self, right):
        found = race_of(RACE_TO_SIX, 3, compiled=False)[1].values.open_play
        assert np.abs(found - right)[..., :3].max() <= 1e-12


class TestBadInput:
    @pytest.mark.parametrize("seats", [0, 1, -3])
    def test_the_win_needs_somebody_to_beat(self, seats):
        with pytest.raises(UsageError, match=r"somebody to beat(.|\n)*--seats 2 or more"):
            solver.solve_match(solver.game("martian-dice"), seats)

    def test_more_seats_than_fit_are_refused_with_an_estimate_before_the_start(self):
        with pytest.raises(TooLargeError) as refused:
            solver.solve_match(solver.game("martian-dice"), 4, max_memory=100 * 2**20)
        text = str(refused.value)
        for word in ("1,562,500 boundary states", "MiB of memory", "on disk", "--cluster", "about"):
            assert word in text

    def test_a_match_in_which_nobody_need_score_is_refused(self):
        idle = Lottery((((0, 1),), ((0, 1), (1, 1))), target=2, end=End.ROUND)
        with pytest.raises(ProofError):
            solver.solve_match(idle, 2)
