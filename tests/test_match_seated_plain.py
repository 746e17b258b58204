"""Matches with given and free seats against plain sweeps, with policies of arbitrary numbers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from small_games import CHASE, TWO_STAGES, Lottery, StagedLottery
from turns import turn_of

from solver.errors import ProofError
from solver.games.protocol import ScoreRace
from solver.games.readings import End, Tie
from solver.match import seated, seated_rounds
from solver.match.death_round import solve_death_round
from solver.match.race import solve_race
from solver.match.rounds import rounds_until_over
from solver.match.seated import SeatPlay, best_play, evaluate_race, every_deficit
from solver.match.seated_rounds import RoundsPlay, best_death_play, evaluate_rounds
from solver.match.staged import solve_staged
from solver.turn.kernel import error_bound
from solver.turn.roots import root_solver

TARGET = 3


def drawn(*what, outcomes, least=0.0):
    """Return a distribution that depends on everything that is told, the first of them likely."""
    numbers = np.random.default_rng([int(w) + 1 for w in what]).random(outcomes) + least
    return numbers / numbers.sum()


def arbitrary_seat(seat, outcomes):
    """Return a seat that plays arbitrarily, and differently at every scores and deficits."""

    def open_play(scores):
        return np.array([drawn(seat, *row, outcomes=outcomes) for row in scores])

    def last_turn(deficits, holders):
        return np.array([drawn(seat, 9, holders, *row, outcomes=outcomes) for row in deficits])

    return SeatPlay(open_play, last_turn, rounding=2.0**-40)


def plain_race(game, plays, end):
    """Return chances, rounds to come and chance of a tie at all states, by sweeps.

    Seats without a play take the lottery that is best for themselves, then for points.
    """
    seats, graph = len(plays), turn_of(game)
    gains, most = graph.points.tolist(), int(graph.points.max())
    draws = []
    for lottery in game.lotteries:
        whole, known = sum(w for _, w in lottery), dict(lottery)
        draws.append(np.array([known.get(p, 0) / whole for p in gains]))
    high = TARGET + (most if end is End.ROUND else 0)
    states = [
        (scores, seat)
        for seat in range(seats)
        for scores in itertools.product(range(high), repeat=seats)
        if all(s < TARGET for s in scores[seat:])
    ]
    value = {state: np.zeros(seats + 2) for state in states}

    def after(scores, seat, gain):
        moved = (*scores[:seat], scores[seat] + gain, *scores[seat + 1 :])
        if end is End.IMMEDIATE and moved[seat] >= TARGET:
            return np.eye(seats + 2)[seat]
        if seat < seats - 1:
            return value[moved, seat + 1]
        if max(moved) >= TARGET:
            who = [i for i in range(seats) if moved[i] == max(moved)]
            chances = [(i in who) / len(who) for i in range(seats)]
            return np.array([*chances, 0.0, float(len(who) > 1)])
        return value[moved, 0] + np.eye(seats + 2)[seats]

    def chances(scores, seat, ahead):
        played = [s for s in scores[:seat] if s >= TARGET]
        if plays[seat] is None:
            worth = [draw @ ahead[:, seat] for draw in draws]
            near = [d for d, w in zip(draws, worth, strict=True) if w >= max(worth) - 1e-13]
            return max(near, key=lambda draw: float(draw @ gains))
        if not played:
            return plays[seat].open_play(np.array([scores]))[0]
        best = max(played)
        behind = [min(best - s, most + 1) for s in scores[seat:]]
        holders = sum(s == best for s in scores[:seat])
        return plays[seat].last_turn(np.array([behind]), holders)[0]

    for _ in range(600):
        moved = 0.0
        for scores, seat in reversed(states):
            ahead = np.array([after(scores, seat, gain) for gain in gains])
            new = chances(scores, seat, ahead) @ ahead
            moved = max(moved, np.abs(new - value[scores, seat]).max())
            value[scores, seat] = new
        if moved <= 1e-15:
            return value
    raise AssertionError("the sweeps did not settle")


@cache
def seat(number, outcomes):
    return arbitrary_seat(number, outcomes)


SMALL = Lottery((((0, 1), (2, 1)), ((0, 1), (1, 3), (2, 1))), TARGET)


def race_with(free, end, game=SMALL, progress=None):
    graph = turn_of(game)
    plays = [None if who else seat(i, len(graph.points)) for i, who in enumerate(free)]
    solve = root_solver(graph, compiled=False)
    race = ScoreRace(TARGET, end, Tie.SHARED)
    found = evaluate_race(race, graph.points, plays, solve, turn_error=1e-9, progress=progress)
    return graph, plays, found


@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize(
    "free", [(False, False), (True, False), (False, True), (False, True, False)], ids=str
)
def test_every_state_of_a_race_is_what_a_plain_sweep_finds(free, end):
    _, plays, found = race_with(free, end)
    seats = len(free)
    value = plain_race(SMALL, plays, end)
    for (scores, mover), right in value.items():
        if max(scores) >= TARGET + 2 and scores[0] < TARGET:
            continue  # two rounds past the target: no match comes there
        state = np.array([scores])
        assert np.abs(found.values.at(state, mover)[0] - right).max() < 1e-12
    start = value[(0,) * seats, 0]
    assert found.win_probability == pytest.approx(start[:seats], abs=1e-12)
    assert found.expected_rounds == pytest.approx(1.0 + start[seats], abs=1e-12)
    assert found.tie_probability == pytest.approx(start[-1], abs=1e-12)
    assert found.free == tuple(i for i, who in enumerate(free) if who)


@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize("free", [(False, False), (True, False), (False, True, False)], ids=str)
def test_the_bound_of_a_race_is_that_of_its_module(monkeypatch, free, end):
    """N (r + g + rho): the fastest given seat ends it, at its slowest; a free seat has no pace."""
    monkeypatch.setattr(seated, "CHUNK", 7)
    graph, plays, found = race_with(free, end)
    values, seats = found.values, len(free)
    worst, paces = 0.0, []
    for mover, play in enumerate(plays):
        pace = []
        for scores in itertools.product(range(TARGET), repeat=seats):
            state = np.array([scores])
            if play is None:
                worst = max(worst, 1e-9)  # the solver's own: its values are best to the digit
                continue
            chances = play.open_play(state)[0]
            pace.append(float(chances @ graph.points))
            off = np.abs(chances @ values.after(state, mover)[0] - values.at(state, mover)[0])
            worst = max(worst, off[:seats].max() + 2.0**-40 + (len(graph.points) + 1) * 2.0**-53)
        paces += [min(pace)] if pace else []
    rounds = (TARGET + 2) / max(paces) + 2.0
    assert found.error == pytest.approx(seats * rounds * worst, rel=1e-4, abs=0.0)


def test_the_bound_sees_a_wrong_value_and_a_better_answer():
    """One value moved by 1e-6 is off by at least that; so is a free seat that could gain it."""
    graph, plays, found = race_with((True, False), End.IMMEDIATE)
    solve = root_solver(graph, compiled=False)
    for mover, by in itertools.product((0, 1), (1e-6, -1e-6)):
        table = found.values.open_play.copy()
        table[mover, 1, 2, mover] += by
        wrong = type(found.values)(
            found.values.race, 2, graph.points, table, found.values.last_turns
        )
        assert seated._error(wrong, plays, solve, 1e-9) > 2 * 1e-6
    assert found.error < 1e-6


def test_without_a_seat_that_must_score_there_is_no_bound():
    graph, _, found = race_with((True, True), End.IMMEDIATE)
    assert found.error is None
    never = SeatPlay(lambda s: np.tile([0.5, 0.5, 0.0], (len(s), 1)), lambda _d, _h: np.empty(0))
    idle = SeatPlay(lambda s: np.tile([1.0, 0.0, 0.0], (len(s), 1)), lambda _d, _h: np.empty(0))
    race = ScoreRace(TARGET, End.IMMEDIATE, Tie.SHARED)
    solve = root_solver(graph, compiled=False)
    found = evaluate_race(race, graph.points, [never, idle], solve, turn_error=0.0)
    # one that scores is enough: half a point a turn; all is exact but for three products a turn
    assert found.error == pytest.approx(2 * (5 / 0.5 + 2) * 4 / 2**53, rel=1e-12, abs=0.0)
    assert found.win_probability == pytest.approx((1.0, 0.0))
    with pytest.raises(ProofError, match="nobody need ever score"):
        evaluate_race(race, graph.points, [idle, idle], solve, turn_error=0.0)


def test_progress_counts_every_cell_of_a_race_once(monkeypatch):
    monkeypatch.setattr(seated, "CHUNK", 2)
    told = []
    race_with((False, False), End.ROUND, progress=lambda *now: told.append(now))
    # the layers have 1, 2, 3, 2 and 1 cells, from the highest total down
    assert told == [(1, 9), (3, 9), (5, 9), (6, 9), (8, 9), (9, 9)]


def test_deficits_are_listed_from_one_up():
    assert every_deficit(2, 2).tolist() == [[1, 1], [1, 2], [2, 1], [2, 2]]


@pytest.mark.parametrize("end", [End.ROUND, End.IMMEDIATE])
@pytest.mark.parametrize("seats", [2, 3])
def test_seats_that_play_by_an_equilibrium_s_values_have_its_values(seats, end):
    """The same game, but that the policies are read off the table and then given."""
    graph = turn_of(SMALL)
    solve = root_solver(graph, compiled=False)
    race = ScoreRace(TARGET, end, Tie.SHARED)
    solved = solve_race(race, seats, graph.points, solve)
    assert not solved.mixes
    plays = best_play(solved.values, solve)
    found = evaluate_race(race, graph.points, plays, solve, turn_error=0.0)
    assert np.abs(found.values.open_play - solved.values.open_play).max() < 1e-13
    free = evaluate_race(race, graph.points, [None, *plays[1:]], solve, turn_error=0.0)
    assert np.abs(free.values.open_play - solved.values.open_play)[..., 0].max() < 1e-13


# --- rounds and stages


def arbitrary_rounds(seat, outcomes):
    """Return a seat of a match of rounds that plays arbitrarily; its stage never falls."""

    def kept(row, stage):
        row = row * [float(after >= stage) for _, after in outcomes]
        return row / row.sum()

    def turn(number, scores, held, stage):
        others = np.delete(held, seat, axis=1)
        return np.array(
            [
                kept(drawn(seat, number, stage, *s, *h, outcomes=len(outcomes)), stage)
                for s, h in zip(scores, others, strict=True)
            ]
        )

    def death(group, at, shown):
        return np.array(
            [
                kept(
                    drawn(seat, 99, at, *group, best, len(who), *st, outcomes=len(outcomes)),
                    group[at],
                )
                for best, who, st in shown
            ]
        )

    return RoundsPlay(turn, death, rounding=2.0**-40)


def plain_rounds(game, plays):
    """Return a function of (round, seat, standings) and the shares of tied seats, by recursion."""
    seats, outcomes = len(plays), turn_of(game).outcomes

    def draws(stage):
        for lottery in game.stages[stage]:
            whole, known = sum(w for _, w in lottery), dict(lottery)
            yield np.array([known.get(x, 0) / whole for x in outcomes])

    def best(stage, worth):
        """Return the best lottery's distribution, then more points, then the first."""
        found = [(float(d @ worth), float(d @ [p for p, _ in outcomes]), d) for d in draws(stage)]
        top = max(value for value, _, _ in found)
        return max((x for x in found if x[0] >= top - 1e-13), key=lambda x: x[1])[2]

    @cache
    def shares(tied, held):
        if len(tied) == 1:
            return np.ones(1)
        guess = np.full(len(tied), 1.0 / len(tied))

        def played(at, top, who, stages, now):
            if at == len(tied):
                found = np.zeros(len(tied))
                if len(who) == len(tied) and stages == held:
                    return now
                found[list(who)] = shares(tuple(tied[i] for i in who), stages)
                return found
            ahead = []
            for points, stage in outcomes:
                if stage < held[at]:
                    ahead.append(np.zeros(len(tied)))
                elif points > top:
                    ahead.append(played(at + 1, points, (at,), (stage,), now))
                elif points == top:
                    ahead.append(played(at + 1, top, (*who, at), (*stages, stage), now))
                else:
                    ahead.append(played(at + 1, top, who, stages, now))
            ahead = np.array(ahead)
            play = plays[tied[at]]
            if play is None:
                chances = best(held[at], ahead[:, at])
            else:
                chances = play.death(held, at, [(top, who, stages)])[0]
            return chances @ ahead

        for _ in range(300):
            new = played(0, -1, (), (), guess)
            if np.abs(new - guess).max() < 1e-16:
                break
            guess = new
        return guess

    @cache
    def value(number, seat, standings):
        if seat == seats:
            top = max(score for score, _ in standings)
            if number + 1 != game.rounds and (game.target is None or top < game.target):
                return value(number + 1, 0, standings) + np.eye(seats + 2)[seats]
            who = tuple(i for i in range(seats) if standings[i][0] == top)
            found = np.zeros(seats + 2)
            found[list(who)] = shares(who, tuple(standings[i][1] for i in who))
            found[-1] = float(len(who) > 1)
            return found
        ahead = []
        for gain, stage in outcomes:
            mine = (standings[seat][0] + gain, stage)
            ahead.append(value(number, seat + 1, (*standings[:seat], mine, *standings[seat + 1 :])))
        own = standings[seat][1]
        if plays[seat] is None:
            chances = best(own, np.array(ahead)[:, seat])
        else:
            scores, held = (np.array([x]) for x in zip(*standings, strict=True))
            chances = plays[seat].turn(number, scores, held, own)[0]
        return chances @ np.array(ahead)

    return value, shares


def rounds_with(game, free, progress=None):
    graph = turn_of(game)
    plays = [None if who else arbitrary_rounds(i, graph.outcomes) for i, who in enumerate(free)]
    solvers = [root_solver(graph, root=root, compiled=False) for root in graph.roots.values()]
    found = evaluate_rounds(
        game.rounds_match,
        graph,
        plays,
        solvers,
        nothing=0.5,
        turn_error=1e-9,
        progress=progress,
    )
    return graph, plays, found


STAGED = StagedLottery(TWO_STAGES, rounds=2, target=3)


@pytest.mark.parametrize(
    ("free", "rounds"),
    [
        ((False, False), 2),
        ((True, False), 2),
        ((False, True), 2),
        ((True, True), 2),
        ((False, False, False), 1),
        ((False, True, False), 1),
    ],
    ids=str,
)
def test_every_state_of_rounds_is_what_recursion_finds(free, rounds):
    game = StagedLottery(TWO_STAGES, rounds, 3)
    _, plays, found = rounds_with(game, free)
    value, shares = plain_rounds(game, plays)
    for tied, table in found.values.seat_shares.items():
        for held in itertools.product(range(2), repeat=len(tied)):
            assert table[held] == pytest.approx(shares(tied, held), abs=1e-13), (tied, held)
    for number, tables in enumerate(found.values.open_play):
        for mover, table in enumerate(tables):
            for index in itertools.product(*map(range, table.shape[:-1])):
                standings = tuple(zip(index[::2], index[1::2], strict=True))
                assert np.abs(table[index] - value(number, mover, standings)).max() < 1e-12
            assert not table.flags.writeable
    seats = len(free)
    start = value(0, 0, ((0, 0),) * seats)
    assert found.win_probability == pytest.approx(start[:seats], abs=1e-12)
    assert found.expected_rounds == pytest.approx(1.0 + start[seats], abs=1e-12)
    assert found.tie_probability == pytest.approx(start[-1], abs=1e-12)
    assert found.free == tuple(i for i, who in enumerate(free) if who)


@pytest.mark.parametrize(("rounds", "seats"), [(2, 2), (1, 3), (None, 2)])
def test_the_bound_of_rounds_counts_every_turn_that_can_come(rounds, seats):
    """Three points at one a turn, with chance one half: six rounds without a limit."""
    game = StagedLottery(TWO_STAGES, rounds, 3)
    _, _, found = rounds_with(game, (False,) * seats)
    turns = seats * ((rounds or 6) + 1 / (1 - 0.5**seats) + 1)
    a_turn = 2.0**-40 + 1e-9 + (len(turn_of(game).outcomes) + 1) * 2.0**-53
    assert found.error == pytest.approx(2 * turns * a_turn, rel=1e-12, abs=0.0)
    assert found.error != pytest.approx(2 * turns * (a_turn - 2.0**-40), rel=1e-6, abs=0.0)


def test_a_bound_without_given_seats_and_without_errors_is_rounding_alone():
    graph = turn_of(STAGED)
    solvers = [root_solver(graph, root=root, compiled=False) for root in graph.roots.values()]
    match = STAGED.rounds_match
    found = evaluate_rounds(match, graph, [None] * 2, solvers, nothing=0.5, turn_error=0.0)
    outcomes = len(graph.outcomes)
    assert found.error == pytest.approx(
        4 * (2 + 4 / 3 + 1) * (outcomes + 1) / 2**53, rel=1e-12, abs=0.0
    )
    solved = solve_staged(STAGED, match, 2, graph)
    assert found.win_probability == pytest.approx(solved.win_probability, abs=1e-13)
    assert solved.error < 2 * 2 * (2 + 4 / 3 + 1) * error_bound(graph)


def test_progress_of_rounds_counts_every_payoff(monkeypatch):
    monkeypatch.setattr(seated_rounds, "CHUNK", 11)
    told = []
    rounds_with(STAGED, (False, False), progress=lambda *now: told.append(now))
    # at first 1 score, then 3 (two more in the round, and below the target), 2 stages
    payoffs = [1 * 1 * 2, 1 * 3 * 2, 3 * 3 * 2, 3 * 5 * 2]
    assert told[-1] == (sum(payoffs), sum(payoffs))
    assert len(told) == sum(-(-count // 11) for count in payoffs)
    assert [now for now, _ in told] == sorted({now for now, _ in told})


def test_a_target_alone_ends_where_nothing_changes_any_more():
    """Given seats that do not look at the round have the values of a long limited match."""

    def steady(seat):
        play = arbitrary_rounds(seat, turn_of(STAGED).outcomes)
        return RoundsPlay(lambda _n, *told: play.turn(0, *told), play.death, play.rounding)

    graph, told = turn_of(STAGED), []
    solvers = [root_solver(graph, root=root, compiled=False) for root in graph.roots.values()]
    results = []
    for rounds in (None, 40):
        match = StagedLottery(TWO_STAGES, rounds, 2).rounds_match
        plays = [steady(0), None]
        found = evaluate_rounds(
            match, graph, plays, solvers, nothing=0.5, turn_error=0.0,
            progress=lambda *now: told.append(now),
        )  # fmt: skip
        results.append(found)
        if rounds is None:
            needed = rounds_until_over(match, 1, 0.5)
            each = 2 * 2 * 2 + 2 * 4 * 2
            assert {total for _, total in told} == {each * needed}
            assert told[-1][0] < each * needed
    one, other = results
    assert one.win_probability == pytest.approx(other.win_probability, abs=1e-12)
    assert one.expected_rounds == pytest.approx(other.expected_rounds, abs=1e-9)
    assert one.tie_probability == pytest.approx(other.tie_probability, abs=1e-12)


def test_what_tied_players_do_at_their_best_brings_the_shares():
    """Given that play to all, the shares come out again; a free hand gains nothing."""
    graph = turn_of(STAGED)
    shares = solve_death_round(graph, 2, 2).shares
    best = {g: best_death_play(graph, shares, g) for g in itertools.product(range(2), repeat=2)}
    given = RoundsPlay(
        lambda _n, scores, _h, _s: np.full((len(scores), len(graph.outcomes)), 0.2),
        lambda group, at, _shown: best[group][at],
    )
    for plays in ([given] * 2, [None, given], [given, None]):
        tables = seated_rounds._death(graph, 2, plays)
        for group in best:
            assert tables[0, 1][group] == pytest.approx(shares[group], abs=1e-13)


def test_chances_are_taken_as_exact_where_no_rounding_is_told():
    assert SeatPlay(lambda s: s, lambda d, _h: d).rounding == 0.0
    assert RoundsPlay(lambda _n, s, _h, _s: s, lambda _g, _a, _s: np.ones(1)).rounding == 0.0


def test_a_death_round_that_need_not_end_is_refused():
    game = StagedLottery((((((0, 0), 1), ((1, 0), 1)),),), 1)
    graph = turn_of(game)
    same = RoundsPlay(
        lambda _n, scores, _h, _s: np.tile([0.5, 0.5], (len(scores), 1)),
        lambda _group, _at, shown: np.tile([1.0, 0.0], (len(shown), 1)),
    )
    solvers = [root_solver(graph, compiled=False)]
    with pytest.raises(ProofError, match=r"death round of the seats \(0, 1\) need not end"):
        evaluate_rounds(
            game.rounds_match, graph, [same, same], solvers, nothing=0.5, turn_error=0.0
        )


def test_chasing_seats_find_a_mix_beside_a_given_one():
    """The chase of seats 2 and 3 goes on whatever seat 1 does, if it plays its equilibrium."""
    graph = turn_of(CHASE)
    solve = root_solver(graph, compiled=False)
    race = ScoreRace(4, End.ROUND, Tie.SHARED)
    solved = solve_race(race, 3, graph.points, solve)
    plays = [best_play(solved.values, solve)[0], None, None]
    found = evaluate_race(race, graph.points, plays, solve, turn_error=0.0)
    gap = np.abs(found.values.open_play - solved.values.open_play)[..., :3].max()
    assert Fraction(float(gap)) < Fraction(1, 10**12)
