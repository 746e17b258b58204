"""Cells without a pure equilibrium: mixes against those solved by hand in fractions.

A seat that mixes two turns is indifferent, so its value on turn is fixed by its breakpoint alone.
With two seats mixing, the condition of each is therefore linear in the other's share.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from small_games import CHASE, CHASE_OF_THREE_LOTTERIES
from turns import turn_of

from solver.errors import ProofError
from solver.match import mixing
from solver.match.mixing import CONTENT, Cell, Mix, _Mixing, mixed_equilibrium
from solver.turn.roots import root_solver

GRAPH = turn_of(CHASE)
SCORING = GRAPH.points > 0


def draws_of(game):
    """Return the outcomes' chances of each lottery, exactly; the outcomes are those of points."""
    gains = turn_of(game).points.tolist()
    found = []
    for lottery in game.lotteries:
        whole, known = sum(w for _, w in lottery), dict(lottery)
        found.append([Fraction(known.get(p, 0), whole) for p in gains])
    return found


DRAWS = draws_of(CHASE)


class Counted:
    """A solver of turns that counts what it is asked."""

    def __init__(self, game=CHASE):
        self.solve, self.turns = root_solver(turn_of(game), compiled=False), 0

    def __call__(self, payoffs):
        self.turns += len(payoffs)
        return self.solve(payoffs)


def arbitrary_cell(seats, seed, free=None, game=CHASE):
    """Return a cell with arbitrary chances after scoring, and a first profile."""
    random = np.random.default_rng(seed)
    scoring = turn_of(game).points > 0
    after = np.zeros((seats, len(scoring), seats + 2))
    after[:, scoring] = random.random((seats, int(scoring.sum()), seats + 2))
    draws = draws_of(game)
    first = [draws[i] for i in random.integers(0, len(draws), seats)]
    free = tuple(range(seats)) if free is None else free
    return Cell((7,) * seats, after, scoring, free, np.array(first, dtype=float))


def exactly(cell):
    return [[[Fraction(x) for x in row] for row in rows] for rows in cell.after.tolist()]


def solved(after, profile, scoring):
    """Return V[m][i], seat i's chance with seat m on turn, by substitution once round."""
    seats = len(profile)
    quiet = [sum(p for p, s in zip(turn, scoring, strict=True) if not s) for turn in profile]
    value = [[Fraction(0)] * seats for _ in range(seats)]
    for i, m in itertools.product(range(seats), repeat=2):
        total, reach = Fraction(0), Fraction(1)
        for k in range(seats):
            at = (m + k) % seats
            total += reach * sum(p * row[i] for p, row in zip(profile[at], after[at], strict=True))
            reach *= quiet[at]
        value[m][i] = total / (1 - reach)
    return value


def gain(after, profile, scoring, m, draws):
    """Return what seat m gains by the best of all its turns, the others' as they are."""
    now = solved(after, profile, scoring)[m][m]
    others = [[*profile[:m], draw, *profile[m + 1 :]] for draw in draws]
    return max(solved(after, other, scoring)[m][m] for other in others) - now


def mixed_by_hand(after, pure, scoring):
    """Return {seat: (share of the riskier draw, breakpoint)} for two seats that mix.

    `pure` has a turn for each of the others and None for the two.
    """
    seats = len(pure)
    nothing = [not s for s in scoring].index(True)
    high, low = sorted(DRAWS, key=lambda draw: -draw[nothing])
    points, worth = {}, {}
    for m in (m for m in range(seats) if pure[m] is None):
        change = sum((b - a) * row[m] for a, b, row in zip(high, low, after[m], strict=True))
        points[m] = change / (high[nothing] - low[nothing])
        constant = sum(p * row[m] for p, row in zip(high, after[m], strict=True))
        worth[m] = constant + high[nothing] * points[m]
    shares = {}
    for m, point in points.items():
        (other,) = set(points) - {m}

        def chance(draw, m=m, other=other):
            """Return V[m + 1][m] if `other` draws this, and seat m's own turn has its worth."""
            value = worth[m]
            for k in range(m - 1, m - seats, -1):
                turn = draw if k % seats == other else pure[k % seats]
                constant = sum(p * row[m] for p, row in zip(turn, after[k], strict=True))
                value = constant + turn[nothing] * value
            return value

        one, none = chance(high), chance(low)
        shares[other] = (point - none) / (one - none)
    return {m: (shares[m], point) for m, point in points.items()}


CHASING = {
    2: (8, 555, 636, 705, 777, 781, 930, 937, 959, 1021, 1157, 1169),
    3: (61, 257, 829, 893, 1024, 1316, 1408),
}
"""Cells with no equilibrium in pure play, about one in a hundred."""


@pytest.mark.parametrize("seats", [2, 3])
def test_equilibria_of_arbitrary_cells_are_those_by_hand(seats):
    """Nobody gains; where two seats mix, they do so with the shares that leave both content."""
    for seed in (*range(6), *CHASING[seats]):
        cell, solve = arbitrary_cell(seats, seed), Counted()
        found = mixed_equilibrium(cell, solve)
        assert found.turns == solve.turns
        after = exactly(cell)
        profiles = list(itertools.product(DRAWS, repeat=seats))
        stable = [
            profile
            for profile in profiles
            if max(gain(after, list(profile), SCORING, m, DRAWS) for m in range(seats)) <= 0
        ]
        assert bool(found.mixes) == (seed in CHASING[seats]) == (not stable)
        if not found.mixes:
            values = [solved(after, profile, SCORING) for profile in stable]
            gaps = [np.abs(np.array(v, float) - found.value[:, :seats]).max() for v in values]
            assert min(gaps) < 1e-12
            continue
        assert len(found.mixes) == 2
        for rest in itertools.product(DRAWS, repeat=seats - 2):
            fill = iter(rest)
            profile = [None if m in found.mixes else next(fill) for m in range(seats)]
            right = mixed_by_hand(after, profile, SCORING)
            if all(abs(float(right[m][0]) - mix.share) < 1e-9 for m, mix in found.mixes.items()):
                break
        else:
            raise AssertionError(f"no such mix: {found.mixes}, seed {seed}")
        for m, (share, point) in right.items():
            assert 0 <= share <= 1
            assert found.mixes[m].breakpoint == pytest.approx(float(point), abs=1e-14)
            high, low = sorted(DRAWS, key=lambda draw: -draw[0])
            profile[m] = [share * a + (1 - share) * b for a, b in zip(high, low, strict=True)]
        worst = max(gain(after, profile, SCORING, m, DRAWS) for m in range(seats))
        assert worst <= Fraction(1, 10**15)
        right = np.array(solved(after, profile, SCORING), float)
        assert np.abs(right - found.value[:, :seats]).max() < 1e-12


def test_three_lotteries_mix_only_neighbours_that_meet():
    """Whatever is found, no seat gains: also where a third turn is better at the breakpoint."""
    draws = draws_of(CHASE_OF_THREE_LOTTERIES)
    for seed in (0, 1, 2, 9, 52, 96, 107, 262, 355, 367, 422, 445, 681):
        cell = arbitrary_cell(3, seed, game=CHASE_OF_THREE_LOTTERIES)
        solve = Counted(CHASE_OF_THREE_LOTTERIES)
        found = mixed_equilibrium(cell, solve)
        assert found.turns == solve.turns
        assert len(found.mixes) == {107: 3, 681: 3}.get(seed, 2 * (seed > 2))
        scoring, n = cell.scoring, 3
        for m in range(n):
            ahead = np.where(scoring, cell.after[m, :, m], found.value[(m + 1) % n, m])
            best = max(float(np.array(draw, float) @ ahead) for draw in draws)
            assert best <= found.value[m, m] + CONTENT
        for m, mix in found.mixes.items():
            assert 0.0 <= mix.share <= 1.0
            assert found.value[(m + 1) % n, m] == pytest.approx(mix.breakpoint, abs=1e-14)
            ahead = np.where(scoring, cell.after[m, :, m], mix.breakpoint)
            worth = sorted(float(np.array(draw, float) @ ahead) for draw in draws)
            assert worth[-1] - worth[-2] < 1e-12  # two are best there, and equally good


class TestParts:
    """What the search is made of, each by its definition."""

    def search(self, seats=3, seed=4, free=None):
        cell, solve = arbitrary_cell(seats, seed, free), Counted()
        return cell, solve, _Mixing(cell, solve)

    def test_values_are_those_of_going_round_until_somebody_scores(self):
        cell, _, search = self.search()
        value = search.value()
        after, profile = exactly(cell), [[Fraction(p) for p in r] for r in cell.chances.tolist()]
        right = np.array(solved(after, profile, SCORING), float)
        assert np.abs(value[:, :3] - right).max() < 1e-15
        quiet = cell.chances[:, ~SCORING].sum(axis=1)
        ahead = np.einsum("mo,mov->mv", cell.chances, cell.after)
        for m in range(3):
            once = ahead[m] + quiet[m] * value[(m + 1) % 3]
            once[3] += quiet[m] * (m == 2)  # after the last seat another round begins
            assert value[m] == pytest.approx(once, abs=1e-14)
        assert [search.stay(m) for m in range(3)] == [value[1, 0], value[2, 1], value[0, 2]]

    def test_answers_and_gains_are_those_of_the_better_lottery(self):
        cell, solve, search = self.search(free=(0, 2))
        value = search.value()
        gains = search.gains()
        assert solve.turns == search.turns == 2
        assert gains[1] == 0.0  # it is not free
        for m in (0, 2):
            stay = value[(m + 1) % 3, m]
            worth = [
                float(np.array(d, float) @ np.where(SCORING, cell.after[m, :, m], stay))
                for d in DRAWS
            ]
            assert gains[m] == pytest.approx(max(worth) - value[m, m], abs=1e-15)
            best, chances = search.answer(m, stay)
            assert best == pytest.approx(max(worth), abs=1e-15)
            pick = np.array(DRAWS[int(np.argmax(worth))], float)
            assert chances == pytest.approx(pick, abs=1e-15)
            assert search._worth(m, pick, stay) == pytest.approx(max(worth), abs=1e-15)

    def test_two_turns_cross_where_both_are_worth_the_same(self):
        _, _, search = self.search()
        high, low = (np.array(d, float) for d in sorted(DRAWS, key=lambda d: -d[0]))
        for m in range(3):
            point = search._crossing(m, high, low)
            assert search._worth(m, high, point) == pytest.approx(search._worth(m, low, point))
            assert search._worth(m, high, point + 1) > search._worth(m, low, point + 1)

    def test_turns_of_equally_many_misses_do_not_meet(self):
        _, _, search = self.search()
        one = np.array(DRAWS[0], float)
        search._draw(0, one, one[[0, 2, 1]])
        assert not search.lines
        search._draw(0, np.array(DRAWS[1], float), one)  # in either order the riskier is `high`
        assert search.lines[0][0] == pytest.approx(one)
        assert search.share[0] == 0.5

    def test_a_share_outside_is_dropped_and_its_turn_played(self):
        """No share of seat 1's turns can put seat 0 there: it plays one of the two, alone."""
        for seed in range(40):
            cell, _, search = self.search(2, seed)
            high, low = (np.array(d, float) for d in sorted(DRAWS, key=lambda d: -d[0]))
            after = exactly(cell)
            for m in range(2):
                search.lines[m] = high, low
                search.point[m], search.share[m] = search._crossing(m, high, low), 0.5
            shares = {m: s for m, (s, _) in mixed_by_hand(after, [None, None], SCORING).items()}
            search.balance()
            if all(0 <= s <= 1 for s in shares.values()):
                assert {m: search.share[m] for m in search.lines} == pytest.approx(
                    {m: float(s) for m, s in shares.items()}, abs=1e-9
                )
                assert search.mixes() == {
                    m: Mix(search.share[m], search.point[m]) for m in search.lines
                }
                continue
            first = max(shares, key=lambda m: max(-shares[m], shares[m] - 1))
            if abs(shares[first] - Fraction(1, 2)) > 2:
                continue  # too far for Newton's method, and dropped in any case
            assert first not in search.lines
            assert first not in search.share
            played = high if shares[first] > 1 else low
            assert search.chances[first] == pytest.approx(played)

    def test_a_cell_that_is_in_equilibrium_is_left_alone(self):
        """One turn for each free seat, to see that none gains."""
        cell, solve, search = self.search(2, 0)
        found = mixed_equilibrium(cell, solve)
        settled = Cell(cell.scores, cell.after, SCORING, (0, 1), _played(cell, found))
        again = Counted()
        assert mixed_equilibrium(settled, again).turns == again.turns == 2
        assert search.turns == 0

    def test_a_search_that_finds_nothing_says_where(self, monkeypatch):
        monkeypatch.setattr(mixing, "_ATTEMPTS", 0)
        cell, solve, _ = self.search()
        with pytest.raises(ProofError, match=r"at the scores \(7, 7, 7\)"):
            mixed_equilibrium(cell, solve)


def _played(cell, found):
    """Return the pure profile whose values were found."""
    after = exactly(cell)
    return next(
        np.array(profile, float)
        for profile in itertools.product(DRAWS, repeat=len(cell.chances))
        if np.abs(np.array(solved(after, profile, SCORING), float) - found.value[:, :-2]).max()
        < 1e-12
    )
