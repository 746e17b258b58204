"""The checker of equilibria measures what it says, at every state, also where nothing is right.

An equilibrium has no gain and no drift, so a checker that measures nothing would find it right.
Tables of arbitrary numbers have both everywhere, and each is computed here a second time: best
values in fractions, policies by the numpy kernel, what turns lead to by the solver's own table.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from small_games import CHASE, Lottery
from turns import turn_of

import solver
from solver.errors import ProofError
from solver.games.protocol import ScoreRace
from solver.games.readings import End, Tie
from solver.match import equilibrium, last_turns
from solver.match.boundary import RaceValues, nobody_left
from solver.match.equilibrium import MOST_GAIN, _conclude, check_equilibrium
from solver.match.mixing import STEP, Mix
from solver.turn.exact import solve_exact
from solver.turn.kernel import error_bound
from solver.turn.roots import root_solver

pytest.importorskip("numba", reason="the checker takes numba")

TIES = 0.4e-13  # two of them tie within the tolerance of 1e-13, three do not
MARTIANS = solver.game("martian-dice", dice=2)


def arbitrary(graph, seats, target, end, seed, *, points=None):
    """Return a table of arbitrary numbers, half of them with many ties and near ties."""
    points = graph.points if points is None else points
    random = np.random.default_rng(seed)
    reach = int(points.max()) + 1

    def numbers(*shape):
        if seed % 2:
            return random.random(shape)
        return random.integers(0, 3, shape) / 4 + random.integers(0, 5, shape) * TIES

    last = nobody_left(seats)
    for left in range(1, seats):
        for holders in range(1, seats - left + 1):
            last[left, holders] = numbers(*(reach,) * left, left + 2)
    race = ScoreRace(target, end, Tie.SHARED)
    table = numbers(seats, *(target,) * seats, seats + 2)
    return RaceValues(race, seats, points, table, last if end is End.ROUND else nobody_left(seats))


def measures_of(monkeypatch, graph, values, mixes):
    """Return what the checker measures, a row for each state of open play, and its states."""
    found = {}

    def kept(graph, values, measures, worst, states, mixed):  # noqa: ARG001
        found.update(measures=measures, worst=worst, states=states, mixed=mixed)

    monkeypatch.setattr(equilibrium, "_conclude", kept)
    one_each = values.seats * values.race.target**values.seats
    check_equilibrium(graph, values, mixes, workers=one_each)
    return found


def turn(graph, payoff, points):
    """Return the exact best value of a turn, and its outcomes' chances under the tie rule."""
    best = solve_exact(graph, payoff.tolist()).value(graph.root)
    _, chances = root_solver(graph, compiled=False)(payoff[None])
    return float(best), chances[0], float(chances[0] @ points)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize(("game", "seats"), [(CHASE, 2), (MARTIANS, 2), (CHASE, 3), (MARTIANS, 3)])
def test_gain_drift_sum_and_pace_of_every_state_of_open_play(monkeypatch, game, seats, end, seed):
    graph = turn_of(game)
    values = arbitrary(graph, seats, 3 if seats == 3 else 4, end, seed)
    found = measures_of(monkeypatch, graph, values, {})
    states = list(np.ndindex(values.open_play.shape[:-1]))
    assert found["worst"][: len(states)].tolist() == list(range(len(states)))
    for row, (mover, *scores) in zip(found["measures"], states, strict=False):
        ahead = values.after(np.array([scores]), mover)[0]
        best, chances, pace = turn(graph, ahead[:, mover], values.points)
        here = values.open_play[mover, *scores]
        gain = max(best - here[mover], 0.0)  # the most of all states, and nothing is lost
        drift = np.abs(chances @ ahead - here)[:seats].max()
        assert row[:2] == pytest.approx([gain, drift], abs=2e-15), (mover, scores)
        assert row[2] == pytest.approx(abs(here[:seats].sum() - 1.0), abs=1e-15)
        paces = [pace if m == mover else np.inf for m in range(seats)]
        assert row[3:] == pytest.approx(paces, abs=1e-14)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "game", [CHASE, MARTIANS, Lottery((((0, 1), (1, 2)), ((0, 2), (2, 1))), 3)]
)
def test_gain_drift_and_sum_of_the_last_turns(monkeypatch, game, seats):
    """Rows come for each number of seats to play and of those that share the best score."""
    graph = turn_of(game)
    kinds = [(r, k) for r in range(1, seats) for k in range(1, seats - r + 1)]
    for seed in range(12):
        values = arbitrary(graph, seats, 1, End.ROUND, seed)
        found = measures_of(monkeypatch, graph, values, {})
        assert found["states"] == seats + sum(values.reach**r for r, _ in kinds)
        assert found["worst"][seats:].tolist() == [-1] * len(kinds)
        for row, (left, holders) in zip(found["measures"][seats:], kinds, strict=True):
            table = values.last_turns[left, holders]
            gain = drift = total = 0.0
            for behind in itertools.product(range(1, values.reach + 1), repeat=left):
                ahead = last_turns._after(
                    values.last_turns, np.array([behind]), holders, values.points, values.reach
                )[0]
                best, chances, _ = turn(graph, ahead[:, 1], values.points)
                here = table[tuple(b - 1 for b in behind)]
                gain = max(gain, best - here[1])
                drift = max(drift, np.abs(chances @ ahead - here).max())
                total = max(total, abs(holders * here[0] + here[1 : 1 + left].sum() - 1.0))
            assert row[:3] == pytest.approx([gain, drift, total], abs=2e-15)
            assert np.isinf(row[3:]).all()  # the pace is of open play


def test_mixing_states_are_checked_with_both_turns_and_their_shares(monkeypatch):
    """The two turns are the best ones just above and just below the breakpoint."""
    graph = turn_of(CHASE)
    values = arbitrary(graph, 3, 3, End.ROUND, 1)
    quiet = values.points == 0
    solve = root_solver(graph, compiled=False)
    mixes, drifts = {}, {}
    for number, (mover, scores) in enumerate(
        [(2, (2, 1, 0)), (0, (0, 0, 0)), (1, (2, 2, 2)), (1, (0, 2, 1))]
    ):
        ahead = values.after(np.array([scores]), mover)[0]
        draws = np.array([[0.5, 0.0, 0.5], [1 / 11, 5 / 11, 5 / 11]])
        gain = (draws[1] - draws[0])[~quiet] @ ahead[~quiet, mover]
        point = float(gain / (draws[0] - draws[1])[quiet].sum())  # both draws are equally good
        share = 0.125 + 0.25 * number
        mixes[scores, mover] = Mix(share, point)
        sides = [np.where(quiet, point + side, ahead[:, mover]) for side in (STEP, -STEP)]
        high, low = solve(np.array(sides))[1]
        assert high[quiet] > low[quiet]
        mixed = share * high + (1.0 - share) * low
        here = values.open_play[mover, *scores]
        drifts[mover, *scores] = np.abs(mixed @ ahead - here)[:3].max(), mixed @ values.points
    found = measures_of(monkeypatch, graph, values, mixes)
    assert found["mixed"] == 4
    rows = dict(zip(np.ndindex(3, 3, 3, 3), found["measures"], strict=False))
    for state, (drift, pace) in drifts.items():
        assert rows[state][1] == pytest.approx(drift, abs=1e-14)
        assert rows[state][3 + state[0]] == pytest.approx(pace, abs=1e-14)


def test_points_of_a_race_that_counts_in_steps_are_those_of_its_values(monkeypatch):
    graph = turn_of(Lottery((((0, 1), (10, 2)), ((0, 2), (5, 3), (10, 1))), target=3))
    points = graph.points // 5
    points.flags.writeable = False  # as the graph's: no other code is compiled for it
    values = arbitrary(graph, 2, 3, End.ROUND, 1, points=points)
    found = measures_of(monkeypatch, graph, values, {})
    for row, (mover, *scores) in zip(found["measures"], np.ndindex(2, 3, 3), strict=False):
        ahead = values.after(np.array([scores]), mover)[0]
        best, _, pace = turn(graph, ahead[:, mover], values.points)
        assert row[0] == pytest.approx(max(best - values.open_play[mover, *scores, mover], 0.0))
        assert row[3 + mover] == pytest.approx(pace, abs=1e-14)


def test_progress_tells_every_state_of_open_play_once(monkeypatch):
    monkeypatch.setattr(equilibrium, "_conclude", lambda *_: None)
    told = []
    values = arbitrary(turn_of(CHASE), 3, 6, End.IMMEDIATE, 1)
    check_equilibrium(turn_of(CHASE), values, {}, progress=lambda *now: told.append(now))
    assert told == [(216, 648), (432, 648), (648, 648)]  # three pieces of 648 states


class TestBound:
    """What is concluded from the measures: N turns, N (gain + 2 drift + 3 rounding)."""

    GRAPH = turn_of(CHASE)

    def concluded(self, *rows, seats=3, worst=None, mixed=0):
        values = arbitrary(self.GRAPH, seats, 4, End.ROUND, 1)
        measures = np.array(rows)
        numbers = np.arange(len(rows)) if worst is None else np.array(worst)
        return _conclude(self.GRAPH, values, measures, numbers, 99, mixed)

    def test_the_bound_is_the_sum_over_all_turns(self):
        """The slowest seat may deviate, so the pace is that of the second slowest: 1/4.

        Scores end below 4 + 4 points: (4 + 5 - 1) / (1/4) + 1 = 33 rounds, 99 turns.
        """
        check = self.concluded(
            [3e-14, 1e-16, 5e-15, 0.5, 0.25, np.inf],
            [2e-14, 4e-14, 1e-15, 0.75, np.inf, 0.125],
            [-1.0, 0.0, 2e-15, np.inf, 0.375, 0.25],
            mixed=7,
        )
        rounding = error_bound(self.GRAPH, tolerance=0.0)
        assert check.turns == 99.0
        assert check.gain == pytest.approx(99 * (3e-14 + 8e-14 + 3 * rounding), rel=1e-12, abs=0.0)
        assert (check.one_turn_gain, check.drift, check.sum_error) == (3e-14, 4e-14, 5e-15)
        assert (check.states, check.mixed) == (99, 7)

    def test_a_table_below_its_own_turns_gains_nothing_by_that(self):
        check = self.concluded([-1e-3, 0.0, 0.0, 1.0, 1.0, 1.0])
        rounding = error_bound(self.GRAPH, tolerance=0.0)
        assert check.gain == pytest.approx(check.turns * 3 * rounding, rel=1e-12, abs=0.0)

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_with_equal_paces_the_bound_is_exactly_at_the_limit(self, seats):
        """Eight points at one a turn are nine rounds; a gain just below the limit passes."""
        turns = seats * 9
        most = MOST_GAIN / turns - 3 * error_bound(self.GRAPH, tolerance=0.0)
        passes = [0.999 * most, 0.0, 0.999e-10, *[1.0] * seats]
        assert self.concluded(passes, seats=seats).gain == pytest.approx(
            MOST_GAIN, rel=2e-3, abs=0.0
        )
        for wrong in (0, 1.001 * most), (1, 0.501 * most), (2, 1.001e-10), (0, np.nan):
            row = [0.0, 0.0, 0.0, *[1.0] * seats]
            row[wrong[0]] = wrong[1]
            with pytest.raises(ProofError, match=r"no equilibrium"):
                self.concluded(row, seats=seats)

    def test_a_seat_that_need_not_score_leaves_no_bound(self):
        with pytest.raises(ProofError, match=r"need not score"):
            self.concluded([0.0, 0.0, 0.0, 1.0, 0.0, 1.0])

    def test_the_worst_state_is_named_by_gain_or_drift_whichever_is_more(self):
        fine, still = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, np.inf, np.inf, np.inf]
        number = int(np.ravel_multi_index((1, 3, 0, 2), (3, 4, 4, 4)))
        for column, other in ((0, 1), (1, 0)):
            worst, less = fine.copy(), fine.copy()
            worst[column], less[other] = 1e-3, 1e-4
            with pytest.raises(ProofError, match=r"at the scores \(3, 0, 2\), seat 2 on turn"):
                self.concluded(less, worst, fine, worst=[5, number, 6])
        last = [1e-3, *still[1:]]
        with pytest.raises(ProofError, match=r"in the last turns"):
            self.concluded(fine, last, worst=[5, -1])
        first = [1e-3, *fine[1:]]
        with pytest.raises(ProofError, match=r"at the scores \(0, 0, 0\), seat 1 on turn"):
            self.concluded(first, fine, worst=[0, 5])
