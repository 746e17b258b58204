"""Matches of rounds and stages, each boundary state and each bound, against plain recursion."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil, floor, prod

import numpy as np
import pytest
from slow_rounds import slow_death_round
from small_games import TWO_STAGES, StagedLottery
from turns import turn_of

from solver.errors import GameError, ProofError, TooLargeError
from solver.match import rounds as rounds_module
from solver.match.certify import ONE, fixed_point_turn
from solver.match.certify_rounds import _death_error, _pair, _sweep, certify_rounds
from solver.match.death_round import DeathRound
from solver.match.rounds import RoundsValues, _empty, standings
from solver.match.staged import solve_staged
from solver.turn.kernel import error_bound

NEVER_IDLE = (
    ((((1, 0), 2), ((2, 0), 1), ((1, 1), 1)), (((1, 0), 3), ((2, 1), 2))),
    ((((1, 1), 3), ((2, 1), 4)), (((1, 1), 1), ((2, 1), 1))),
)
"""Every turn brings points, so that a target ends a match by itself."""

GAMES = [
    StagedLottery(TWO_STAGES, rounds=1),
    StagedLottery(TWO_STAGES, rounds=2),
    StagedLottery(TWO_STAGES, rounds=3, target=2),
    StagedLottery(NEVER_IDLE, rounds=None, target=3),
]


def plain(game, seats, shares):
    """Return a function of (round, seat, standings): chances, rounds to come, chance of a tie."""

    @cache
    def value(number, seat, standings):
        if seat == seats:
            best = max(score for score, _ in standings)
            if number + 1 != game.rounds and (game.target is None or best < game.target):
                *chances, rounds, tie = value(number + 1, 0, standings)
                return (*chances, rounds + 1, tie)
            who = [i for i in range(seats) if standings[i][0] == best]
            split = shares(tuple(standings[i][1] for i in who))
            chances = [split[who.index(i)] if i in who else 0.0 for i in range(seats)]
            return (*chances, 0.0, float(len(who) > 1))
        options = []
        for lottery in game.stages[standings[seat][1]]:
            total = sum(w for _, w in lottery)
            found, points = np.zeros(seats + 2), 0.0
            for (gain, stage), w in lottery:
                mine = (standings[seat][0] + gain, stage)
                after = (*standings[:seat], mine, *standings[seat + 1 :])
                found += w / total * np.array(value(number, seat + 1, after))
                points += w / total * gain
            options.append((found, points))
        top = max(found[seat] for found, _ in options)
        near = [(found, points) for found, points in options if found[seat] >= top - 1e-13]
        return tuple(max(near, key=lambda option: option[1])[0])

    return value


def boundary(values):
    """Yield every boundary state: round, seat on turn, index into its table."""
    for number, tables in enumerate(values.open_play):
        for seat, table in enumerate(tables):
            for index in itertools.product(*map(range, table.shape[:-1])):
                yield number, seat, index


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_every_boundary_state_is_what_recursion_finds(game, seats):
    """Also those that no match comes to, such as two stages reached without a turn."""
    match = solve_staged(game, game.rounds_match, seats, turn_of(game))
    shares = cache(lambda stages: slow_death_round(game, stages))
    value = plain(game, seats, shares)
    for number, seat, index in itertools.islice(boundary(match.values), 0, None, 4 * seats - 7):
        standings_now = tuple(zip(index[::2], index[1::2], strict=True))
        found = match.values.open_play[number][seat][index]
        right = value(number, seat, standings_now)
        assert np.abs(found - right).max() < 1e-12, (number, seat, index)
    start = value(0, 0, ((0, 0),) * seats)
    assert match.win_probability == pytest.approx(start[:seats], abs=1e-12)
    assert match.expected_rounds == pytest.approx(1.0 + start[seats], abs=1e-12)
    assert match.tie_probability == pytest.approx(start[-1], abs=1e-12)


def test_a_match_to_a_target_is_one_with_more_rounds_than_it_ever_takes():
    free = StagedLottery(TWO_STAGES, rounds=None, target=2)
    long = StagedLottery(TWO_STAGES, rounds=70, target=2)
    graph = turn_of(free)
    found = solve_staged(free, free.rounds_match, 2, graph)
    right = solve_staged(long, long.rounds_match, 2, graph)
    assert found.win_probability == pytest.approx(right.win_probability, abs=1e-13)
    assert found.expected_rounds == pytest.approx(right.expected_rounds, abs=1e-10)
    assert found.tie_probability == pytest.approx(right.tie_probability, abs=1e-13)
    assert found.error < 1e-12


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_states_payoffs_and_progress_are_counted(monkeypatch, game, seats):
    """Scores before a round are up to two points a round, and below the target."""
    monkeypatch.setattr(rounds_module, "CHUNK", 5)
    graph, told = turn_of(game), []
    match = solve_staged(
        game, game.rounds_match, seats, graph, progress=lambda *now: told.append(now)
    )
    states, rounds = 0, []
    for number in range(game.rounds or 1):
        before = 2 * number + 1 if game.rounds else game.target
        before = min(before, game.target or before)
        for mover in range(seats):
            others = [before + 2 * (s < mover) for s in range(seats) if s != mover]
            rounds.append(before * prod(others) * 2 ** (seats - 1))
            states += 2 * rounds[-1]
    payoffs = sum(rounds)
    assert match.cells == states
    assert match.turns == 2 * payoffs
    done = [now for now, _ in told]
    assert done == sorted(set(done))
    steps = [b - a for a, b in itertools.pairwise([0, *done])]
    assert max(steps) <= 5
    if game.rounds:
        assert told[-1] == (payoffs, payoffs)
        assert len(told) == sum(-(-count // 5) for count in rounds)
    else:
        needed = rounds_module.rounds_until_over(game.rounds_match, 1, 0.0)
        assert {total for _, total in told} == {payoffs * needed}
        assert done[-1] == payoffs * (game.target + 1)  # and then it stands


def test_threads_change_no_bit():
    game = GAMES[2]
    one = solve_staged(game, game.rounds_match, 2, turn_of(game))
    two = solve_staged(game, game.rounds_match, 2, turn_of(game), workers=3)
    for tables, others in zip(one.values.open_play, two.values.open_play, strict=True):
        assert all(map(np.array_equal, tables, others))


@pytest.mark.parametrize("seats", [2, 3])
def test_what_just_fits_the_memory_is_solved_and_a_byte_less_is_refused(seats):
    """Eight bytes a number, a fifth more for what lives beside the table."""
    game = GAMES[1]
    graph, match = turn_of(game), game.rounds_match
    states = solve_staged(game, match, seats, graph).cells
    enough = -(-states * (seats + 2) * 8 * 12 // 10)
    solve_staged(game, match, seats, graph, max_memory=enough, proof=False)
    with pytest.raises(TooLargeError, match=f"{states:,} boundary states of {seats * 8 + 16} by"):
        solve_staged(game, match, seats, graph, max_memory=enough - 1)


def test_without_a_proof_no_bound_is_told():
    for seats, kind in ((2, "bounded"), (3, "equilibrium")):
        match = solve_staged(GAMES[0], GAMES[0].rounds_match, seats, turn_of(GAMES[0]), proof=False)
        assert (match.exactness.kind, match.error) == (kind, None)


@pytest.mark.parametrize(
    ("game", "nothing", "rounds"),
    [(GAMES[1], 0.5, 2), (StagedLottery(TWO_STAGES, None, 5), 0.5, 10), (GAMES[3], 0.0, 3)],
)
def test_the_bound_of_more_seats_counts_every_turn_that_can_come(game, nothing, rounds):
    """Whoever dares most scores nothing half the time; five points then take ten rounds.

    Death rounds among three come back while nobody scores: 1 / (1 - 1/8) of them at most.
    """
    match = solve_staged(game, game.rounds_match, 3, turn_of(game))
    turns = 3 * (rounds + 1 / (1 - nothing**3) + 1)
    assert match.error == pytest.approx(2 * turns * error_bound(turn_of(game)), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("rounds", [2, None])
def test_the_bound_of_two_seats_counts_the_rounds_that_can_come(rounds):
    """Three points at one a turn, each with chance one half at least: six rounds."""
    game = StagedLottery(TWO_STAGES, rounds, 3)
    graph = turn_of(game)
    match = solve_staged(game, game.rounds_match, 2, graph)
    assert match.error == certify_rounds(graph, match.values, 2 if rounds else 6.0)


def test_outcomes_without_a_stage_and_matches_that_need_not_end_are_refused():
    lost = (((((0, 0), 1), ((1, 2), 1)),), ((((1, 1), 1),),))
    game = StagedLottery(lost)
    with pytest.raises(GameError, match=r"\(1, 2\)"):
        solve_staged(game, game.rounds_match, 2, turn_of(game))
    idle = StagedLottery((((((0, 0), 1),), (((0, 0), 1), ((1, 0), 1))),), None, 2)
    with pytest.raises(GameError, match="never to score"):
        solve_staged(idle, idle.rounds_match, 2, turn_of(idle))


# --- the proof of two seats


def arbitrary(game, seed):
    """Return a match's values with arbitrary numbers in all tables."""
    graph, random = turn_of(game), np.random.default_rng(seed)
    points, stage = np.array(graph.outcomes).T
    number = len(graph.roots)
    shares = {(s,): np.ones(1) for s in range(number)}
    for pair in itertools.product(range(number), repeat=2):
        first = random.random()
        shares[pair] = np.array([first, 1.0 - first])
    empty = RoundsValues(game.rounds_match, 2, number, points, stage, [], DeathRound(shares))
    for r in range(game.rounds or 1):
        empty.open_play.append([random.random(_empty(empty, r, m).shape) for m in range(2)])
    return graph, empty


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_the_residual_is_the_greatest_distance_from_one_turn_of_play(monkeypatch, game, seed):
    monkeypatch.setattr("solver.match.certify_rounds._CHUNK", 7)
    graph, values = arbitrary(game, seed)
    for number, tables in enumerate(values.open_play):
        for mover, table in enumerate(tables):
            table[..., 1 - mover] = 1.0 - table[..., mover]  # but for one
            worst = _sweep(graph, values, number, mover, table)
            assert worst == residual(graph, values, number, mover, table)
            table[(0,) * 4 + (1 - mover,)] += 3.0
            assert _sweep(graph, values, number, mover, table) > 2 * ONE
            table[(0,) * 4 + (1 - mover,)] -= 6.0
            assert _sweep(graph, values, number, mover, table) > 2 * ONE


def residual(graph, values, number, mover, table):
    """Return the same, state by state, with fractions where numbers are rounded."""
    worst = 0
    for scores, stages in standings(values, number, mover, 1):
        ahead = values.after(number, mover, scores, stages)[0, :, mover]
        exact = [Fraction(x) * ONE for x in ahead.tolist()]
        up = fixed_point_turn(graph, np.array([[ceil(x)] for x in exact]), up=True)
        down = fixed_point_turn(graph, np.array([[floor(x)] for x in exact]), up=False)
        for stage, root in enumerate(graph.roots.values()):
            index = [part for i in range(2) for part in (scores[0, i], stages[0, i])]
            index[2 * mover + 1] = stage
            for chance in (table[(*index, mover)], 1.0 - table[(*index, 1 - mover)]):
                found = Fraction(float(chance)) * ONE
                worst = max(
                    worst, ceil(found) - int(down[root, 0]), int(up[root, 0]) - floor(found)
                )
    return worst


def pair_by_hand(game, shares, group):
    """Return the first player's share after one more turn each, and the most of coming back."""

    def lotteries(stage):
        for lottery in game.stages[stage]:
            total = sum(w for _, w in lottery)
            yield [(outcome, Fraction(w, total)) for outcome, w in lottery]

    def share(shown, outcome):
        if outcome[0] == shown[0]:
            return Fraction(float(shares[shown[1], outcome[1]][0]))
        return Fraction(outcome[0] < shown[0])

    def same(shown, outcome):
        return shown[0] == outcome[0] and (shown[1], outcome[1]) == group

    def reply(shown, worth, pick):
        return pick(sum(p * worth(shown, x) for x, p in draw) for draw in lotteries(group[1]))

    first = list(lotteries(group[0]))
    wins = max(sum(p * reply(x, share, min) for x, p in draw) for draw in first)
    again = max(sum(p * reply(x, same, max) for x, p in draw) for draw in first)
    return wins, again


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stages", [TWO_STAGES, NEVER_IDLE])
def test_the_error_of_the_death_round_is_that_of_its_equations(stages, seed):
    game = StagedLottery(stages, 2)
    graph, values = arbitrary(game, seed)
    roots, shares = list(graph.roots.values()), values.shares(2)
    shares[1, 1] += 0.25 * (seed == 3)
    values.death.shares[1, 1] = shares[1, 1]  # in one of them the shares do not sum to one
    worst = 0.0
    for group in itertools.product(range(2), repeat=2):
        right, most = pair_by_hand(game, shares, group)
        (up, down), again = _pair(graph, roots, shares, group)
        digit = Fraction(1, 2**53)  # the bounds are told as floats
        assert Fraction(down) - digit <= right <= Fraction(up) + digit
        assert up - down < 1e-15
        assert again == pytest.approx(float(most), abs=1e-15)
        off = max(abs(float(right) - shares[group][0]), abs(shares[group].sum() - 1.0))
        worst = max(worst, 2.0 * off / (1.0 - float(most)))
    assert _death_error(graph, values) == pytest.approx(3 * worst, rel=1e-12, abs=0.0)


def test_the_whole_bound_adds_up_and_covers_what_is_forged():
    """Values off by d are refused or bounded by no less than d, and by 2 R d and a little."""
    game = GAMES[1]
    graph = turn_of(game)
    values = solve_staged(game, game.rounds_match, 2, graph).values
    honest = certify_rounds(graph, values, 2)
    death = _death_error(graph, values)
    assert 0.0 < death < honest < 1e-13
    assert death >= 2.0 * 2.0**-52  # the rounding of shares is in it
    accepted = []
    for by in np.geomspace(1e-14, 1e-11, 30).tolist():
        table = values.open_play[1][0].copy()
        table[1, 1, 2, 0, 0] += by
        forged = replace(values, open_play=[values.open_play[0], [table, values.open_play[1][1]]])
        try:
            bound = certify_rounds(graph, forged, 2)
        except ProofError:
            assert by > 2.4e-12
            continue
        assert 4 * by - 1e-15 <= bound <= 4 * by + honest + 1e-15
        assert bound <= 1e-11
        accepted.append(by)
    assert max(accepted) > 1.5e-12


def test_the_bound_of_rounds_is_two_turns_each():
    """Twice as many rounds, twice the part that the residual has in the bound."""
    game = GAMES[1]
    graph = turn_of(game)
    values = solve_staged(game, game.rounds_match, 2, graph).values
    death = _death_error(graph, values)
    worst = max(
        residual(graph, values, r, m, table)
        for r, tables in enumerate(values.open_play)
        for m, table in enumerate(tables)
    )
    for rounds in (1.0, 3.0):  # and what a match without a limit can go beyond them
        bound = certify_rounds(graph, values, rounds) - death
        assert bound == pytest.approx(2 * rounds * worst / ONE + 1e-18, rel=1e-6, abs=0.0)


@pytest.mark.parametrize("stages", [TWO_STAGES, NEVER_IDLE])
def test_right_shares_have_a_bound_of_roundings_alone(stages):
    """A last digit of a share and of their sum: 2**-52 more than what the equations show."""
    game = StagedLottery(stages, 1)
    graph = turn_of(game)
    values = solve_staged(game, game.rounds_match, 2, graph).values
    roots, shares = list(graph.roots.values()), values.shares(2)
    worst = 0.0
    for group in itertools.product(range(2), repeat=2):
        wins, again = _pair(graph, roots, shares, group)
        right, most = pair_by_hand(game, shares, group)
        assert Fraction(again) >= most - Fraction(1, 2**54)
        off = max(*(abs(win - shares[group][0]) for win in wins), abs(shares[group].sum() - 1.0))
        assert off < 1e-15
        assert abs(right - Fraction(float(shares[group][0]))) <= Fraction(off) + Fraction(1, 2**53)
        worst = max(worst, 2 * (off + 2.0**-52) / (1 - again))
    assert _death_error(graph, values) == pytest.approx(3 * worst, rel=1e-12, abs=0.0)
