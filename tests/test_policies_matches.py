"""Matches between policies: against plain sweeps over all states, published figures and laws."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import PositionError, ProofError, UsageError
from solver.games import game
from solver.games.protocol import Choose, points_of, starts_of
from solver.match import solve_match
from solver.policies import FunctionPolicy, Standing, named_policy, read_policy
from solver.policies.arena import Arena, run_tournament
from solver.policies.evaluate import evaluate_turn
from solver.turn import evaluate_policy

SMALL = game("martian-dice", dice=3, target=5)
AT_ONCE = game("martian-dice", dice=3, target=5, end="immediate")
ASKS = (
    "take the largest group if needed < 4 or lead < 0; take death-rays; take the largest group;"
    " stop if points >= needed or (points > 0 and (last = 0 or lead > 1)); roll"
)


# --- published: erwinbonsma/MartianDice, 100,000 games a pair, the first to reach 25 wins at once

PLAYERS = ("bot-random", "bot-aggressive", "bot-defensive", "points", "capped")
MATRIX = (
    (0.52269, 0.46619, 0.14833, 0.07076, 0.06384),
    (0.57006, 0.51936, 0.26260, 0.15804, 0.15225),
    (0.88807, 0.78197, 0.55335, 0.29518, 0.27899),
    (0.95299, 0.87960, 0.79029, 0.55612, 0.54123),
    (0.95552, 0.88500, 0.80395, 0.57171, 0.55634),
)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("points", "points"),
        ("points", "capped"),
        ("capped", "points"),
        ("capped", "capped"),
        ("bot-aggressive", "bot-defensive"),
    ],
)
def test_the_published_matrix_comes_out(at_once, row, column):
    """Exact chances within three standard errors of 100,000 games, the row moving first."""
    figure = MATRIX[PLAYERS.index(row)][PLAYERS.index(column)]
    found = at_once.play([at_once.known[row], at_once.known[column]])
    chance = found.win_probability[0]
    assert abs(chance - figure) < 3 * sqrt(chance * (1 - chance) / 100_000)
    assert found.exactness.error < 1e-10


@pytest.fixture(scope="module")
def at_once():
    arena = Arena(game("martian-dice", end="immediate"))
    arena.known = {name: arena.read(name) for name in PLAYERS}
    return arena


@pytest.mark.slow
def test_the_published_matrix_comes_out_in_every_cell(at_once):
    """25 exact chances within three standard errors of 100,000 games, rows moving first."""
    found = run_tournament(at_once, PLAYERS)
    chance = found.first_wins
    deviation = np.abs(chance - MATRIX) / np.sqrt(chance * (1 - chance) / 100_000)
    assert deviation.max() < 3.0
    assert (deviation**2).sum() < 52.6  # once in a thousand times by chance
    assert found.error < 1e-10


@pytest.mark.slow
def test_hold_at_20_or_goal_against_itself():
    """Neller and Presser: the first player wins .5347."""
    arena = Arena(game("pig"))
    hold = arena.read("stop if points >= 20 or points >= needed")
    assert round(arena.play([hold, hold]).win_probability[0], 4) == 0.5347


# --- a plain witness: value iteration over (scores, seat), one exact turn each


def plain_race(rules, players, sweeps=400):
    """Each seat's chance to win from the start, and rounds begun; no match layer in it."""
    race, seats = rules.race, len(players)
    at_once = race.end == "immediate"

    @cache
    def turn(seat, standing):
        found = {}
        player = players[seat]
        chances = evaluate_policy(player.game, lambda s, a: player.choose(s, a, standing))
        for outcome, chance in chances.items():
            points = points_of(rules, outcome)
            found[points] = found.get(points, 0.0) + float(chance)
        return found

    def standing(scores, seat):
        others = max(s for i, s in enumerate(scores) if i != seat)
        if any(s >= race.target for s in scores[:seat]):
            best = max(scores[:seat])
            behind = best - scores[seat]
            return Standing(needed=behind + 1, lead=-behind, last=1, rounds=0)
        return Standing(needed=race.target - scores[seat], lead=scores[seat] - others)

    values = {}

    def after(scores, seat):
        """Value after a seat has played: (chances..., rounds to come)."""
        over = any(s >= race.target for s in scores)
        if over and at_once:
            return np.eye(seats + 1)[seat]
        if seat == seats - 1:
            if over:
                best = max(scores)
                lead = [i for i, s in enumerate(scores) if s == best]
                return sum(np.eye(seats + 1)[i] for i in lead) / len(lead)
            return values.get((scores, 0), np.zeros(seats + 1)) + np.eye(seats + 1)[seats]
        return values.get((scores, seat + 1), np.zeros(seats + 1))

    most = race.target + 6
    states = [
        (scores, seat)
        for seat in range(seats)
        for scores in product(range(most), repeat=seats)
        if all(s < race.target for s in scores[seat:])
    ]
    states.sort(key=lambda state: (-sum(state[0]), -state[1]))
    for _ in range(sweeps):
        change = 0.0
        for scores, seat in states:
            new = np.zeros(seats + 1)
            for points, chance in turn(seat, standing(scores, seat)).items():
                moved = (*scores[:seat], scores[seat] + points, *scores[seat + 1 :])
                if max(moved) < most or seat == seats - 1 or at_once:
                    new += chance * after(moved, seat)
            old = values.get((scores, seat), np.zeros(seats + 1))
            change = max(change, float(np.abs(new - old).max()))
            values[scores, seat] = new
        if change < 1e-14:
            break
    return values


@pytest.mark.parametrize("rules", [SMALL, AT_ONCE], ids=["round", "immediate"])
@pytest.mark.parametrize("pair", [("points", ASKS), (ASKS, "random"), ("bot-random", "capped")])
def test_two_seats_are_what_a_plain_sweep_finds(rules, pair):
    """From every boundary state of open play, and the length of the match."""
    arena = Arena(rules)
    players = [arena.read(text) for text in pair]
    found = arena.play(players)
    plain = plain_race(rules, players)
    for scores in product(range(rules.target), repeat=2):
        for seat in (0, 1):
            chances = found.chances(scores, seat + 1)
            assert np.abs(np.array(chances) - plain[scores, seat][:2]).max() < 1e-12
    assert abs(found.expected_rounds - 1 - plain[(0, 0), 0][2]) < 1e-11
    assert 0.0 < found.exactness.error < 1e-9


def test_three_seats_are_what_a_plain_sweep_finds():
    rules = game("martian-dice", dice=2, target=3)
    arena = Arena(rules)
    players = [arena.read(text) for text in (ASKS, "points", "random")]
    found = arena.play(players)
    plain = plain_race(rules, players)
    for scores in product(range(3), repeat=3):
        for seat in range(3):
            chances = found.chances(scores, seat + 1)
            assert np.abs(np.array(chances) - plain[scores, seat][:3]).max() < 1e-12


# --- laws


def test_optimal_seats_play_the_solved_match():
    for rules, seats in ((SMALL, 2), (AT_ONCE, 2), (SMALL, 3), (game("pig", target=20), 2)):
        arena = Arena(rules)
        optimal = arena.read("optimal")
        found = arena.play([optimal] * seats)
        solved = solve_match(rules, seats)
        gap = np.abs(found.values.values.open_play - solved.values.open_play)[..., :seats]
        assert gap.max() < 1e-12


def random_policy(rules, seed):
    """A policy that draws one action for each state, once and for all; now and then a mix."""

    def choose(p):
        rng = np.random.default_rng([seed, crc32(repr(p.state).encode()), p.needed % 7])
        if rng.random() < 0.1:
            return {a: Fraction(1, len(p.actions)) for a in p.actions}
        return p.actions[int(rng.integers(len(p.actions)))]

    return FunctionPolicy(rules, choose, f"random {seed}")


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), at_once=st.booleans())
def test_the_optimum_beats_or_ties_every_policy_from_everywhere(seed, at_once):
    rules = AT_ONCE if at_once else SMALL
    arena = Arena(rules)
    optimal, other = arena.read("optimal"), random_policy(rules, seed)
    solved = solve_match(rules, 2).values
    for seat in (0, 1):
        players = [other, other]
        players[seat] = optimal
        try:
            values = arena.play(players).values.values
            response = arena.play([None if i == seat else other for i in (0, 1)])
        except ProofError:  # a policy that never scores: no match of it ends
            continue
        assert (values.open_play[..., seat] >= solved.open_play[..., seat] - 1e-11).all()
        best = response.values.values.open_play[..., seat]
        assert (best >= values.open_play[..., seat] - 1e-11).all()
        assert response.gain >= -1e-11


@pytest.mark.parametrize(
    "rules",
    [SMALL, game("pig", target=30), pytest.param(game("martian-dice"), marks=pytest.mark.slow)],
    ids=["small", "pig", "martian-dice"],
)
def test_a_best_response_to_the_optimum_gains_nothing(rules):
    arena = Arena(rules)
    optimal = arena.read("optimal")
    for players in ([None, optimal], [optimal, None]):
        found = arena.play(players)
        assert abs(found.gain) < 1e-10
        assert found.exactness.error < 1e-9
        seat = players.index(None)
        everywhere = arena.play([optimal, optimal]).values.values.open_play[..., seat]
        best = found.values.values.open_play[..., seat]
        assert np.abs(best - everywhere).max() < 1e-10


def test_a_best_response_is_the_best_of_all_turn_policies():
    """Two dice, target 2, wins at once: every deterministic policy that sees the standing."""
    rules = game("pig", die="d3", target=3, end="immediate")
    arena = Arena(rules)
    other = arena.read("random")
    best = arena.play([None, other]).win_probability[0]
    standings = list(product((2,), range(1, 4)))  # total 2 with 1, 2 or 3 points needed
    wins = []
    for answers in product(("stop", "roll"), repeat=len(standings)):
        table = dict(zip(standings, answers, strict=True))
        player = FunctionPolicy(
            rules, lambda p, table=table: table[min(p.points, 2), min(p.needed, 3)], "table"
        )
        try:
            wins.append(arena.play([player, other]).win_probability[0])
        except ProofError:
            continue
    assert best >= max(wins) - 1e-12


def test_points_against_itself_is_even_when_rounds_are_completed():
    """Whoever plays the same turns in every standing has the same chance in every seat."""
    small = Arena(SMALL)
    points = small.read("points")
    assert np.abs(np.array(small.play([points] * 2).win_probability) - 0.5).max() < 1e-13
    greedy = small.read("greedy")
    assert np.abs(np.array(small.play([greedy] * 3).win_probability) - 1 / 3).max() < 1e-13


def test_a_tournament_is_its_matches():
    arena = Arena(SMALL)
    names = ["optimal", "points", ASKS]
    found = run_tournament(arena, names, exploit=True)
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            match = arena.play([arena.read(row), arena.read(column)])
            assert found.first_wins[i, j] == pytest.approx(match.win_probability[0], abs=1e-14)
            assert found.second_wins[j, i] == pytest.approx(match.win_probability[1], abs=1e-14)
    assert np.allclose(found.mean + found.mean.T, 1.0, atol=1e-13)
    assert found.exploited.min() > -1e-12
    assert abs(found.exploited[0]) < 1e-12
    assert found.score.argmax() == 0


# --- Alien Crew: rounds, stages, the death round


CREW = game("alien-crew", rounds=2, throws=2, target=9)
CREW_ASKS = "roll dice of at most 4 if lead < 0 or needed > 8; roll dice of at most 2; stop"


def plain_rounds(rules, players):
    """Each seat's chance to win from the start, by plain recursion."""
    seats, stages = len(players), list(starts_of(rules))

    @cache
    def turn(seat, standing, stage):
        player = players[seat]
        return evaluate_policy(
            player.game, lambda s, a: player.choose(s, a, standing), beginning=stages[stage]
        )

    @cache
    def death(tied, held):
        """Shares of tied seats with these stages; comes back to itself only with all tied."""
        if len(tied) == 1:
            return np.eye(seats)[tied[0]]
        gone, again = np.zeros(seats), 0.0
        paths = [(1.0, ())]
        for seat, stage in zip(tied, held, strict=True):
            longer = []
            for chance, shown in paths:
                best = max((p for p, _ in shown), default=None)
                standing = (
                    Standing(last=1, rounds=0)
                    if best is None
                    else Standing(needed=best + 1, lead=-best, last=1, rounds=0)
                )
                for outcome, p in turn(seat, standing, stage).items():
                    longer.append((chance * float(p), (*shown, outcome)))
            merged = {}
            for chance, shown in longer:
                merged[shown] = merged.get(shown, 0.0) + chance
            paths = [(chance, shown) for shown, chance in merged.items()]
        for chance, shown in paths:
            best = max(p for p, _ in shown)
            left = tuple(s for s, (p, _) in zip(tied, shown, strict=True) if p == best)
            now = tuple(stage for p, stage in shown if p == best)
            if (left, now) == (tied, held):
                again += chance
            else:
                gone = gone + chance * death(left, now)
        return gone / (1.0 - again)

    @cache
    def value(number, seat, scores, held):
        if seat == seats:
            over = number + 1 == rules.rounds or max(scores) >= rules.target
            if over:
                best = max(scores)
                tied = tuple(i for i, s in enumerate(scores) if s == best)
                return death(tied, tuple(held[i] for i in tied))
            return value(number + 1, 0, scores, held)
        best = max(s for i, s in enumerate(scores) if i != seat)
        own = scores[seat]
        last = number + 1 == rules.rounds or any(s >= rules.target for s in scores[:seat])
        standing = Standing(
            needed=max(best + 1 - own, 0) if last else rules.target - own,
            lead=own - best,
            last=int(last),
            rounds=0 if last else rules.rounds - 1 - number,
        )
        total = np.zeros(seats)
        for (points, stage), chance in turn(seat, standing, held[seat]).items():
            moved = (*scores[:seat], own + points, *scores[seat + 1 :])
            after = (*held[:seat], stage, *held[seat + 1 :])
            total = total + float(chance) * value(number, seat + 1, moved, after)
        return total

    return value(0, 0, (0,) * seats, (0,) * seats)


@pytest.mark.parametrize("texts", [("points", CREW_ASKS), (CREW_ASKS, "random")])
def test_rounds_are_what_a_plain_recursion_finds(texts):
    arena = Arena(CREW)
    players = [arena.read(text) for text in texts]
    found = arena.play(players)
    plain = plain_rounds(CREW, players)
    assert np.abs(np.array(found.win_probability) - plain).max() < 1e-12
    assert abs(sum(found.win_probability) - 1.0) < 1e-12
    assert found.exactness.error < 1e-9


def test_three_seats_of_rounds_have_death_rounds_of_their_own():
    rules = game("alien-crew", rounds=1, throws=2)
    arena = Arena(rules)
    players = [arena.read(text) for text in ("random", "points", CREW_ASKS)]
    plain = plain_rounds(rules, players)
    found = arena.play(players)
    assert np.abs(np.array(found.win_probability) - plain).max() < 1e-12


def test_optimal_rounds_are_the_solved_ones_and_leave_nothing_to_gain():
    arena = Arena(CREW)
    optimal = arena.read("optimal")
    solved = solve_match(CREW, 2)
    found = arena.play([optimal, optimal])
    assert np.abs(np.subtract(found.win_probability, solved.win_probability)).max() < 1e-12
    for players in ([None, optimal], [optimal, None]):
        assert abs(arena.play(players).gain) < 1e-10
    other = arena.read(CREW_ASKS)
    assert arena.play([optimal, other]).win_probability[0] >= solved.win_probability[0] - 1e-12
    assert arena.play([None, other]).gain >= -1e-12


def test_a_match_without_a_limit_of_rounds_ends():
    rules = game("alien-crew", throws=2, target=8, end="target")
    arena = Arena(rules)
    points = arena.read("points")
    found = arena.play([points, points])
    assert abs(sum(found.win_probability) - 1.0) < 1e-10
    solved = solve_match(rules, 2)
    optimal = arena.read("optimal")
    assert arena.play([optimal, points]).win_probability[0] > solved.win_probability[0] - 1e-10


# --- bad input


def test_one_policy_is_no_match():
    arena = Arena(SMALL)
    with pytest.raises(UsageError, match="somebody to beat"):
        arena.play([arena.read("points")])


def test_a_player_who_never_stops_still_ends_the_match():
    """A turn of Pig is cut at the target: rolling on wins in the end, after very many rounds."""
    arena = Arena(game("pig", target=12))
    never = arena.read("roll if points < 1000")
    found = arena.play([never, never])
    assert abs(sum(found.win_probability) - 1.0) < 1e-9
    turn = evaluate_turn(arena.game, never).points
    assert set(turn) == {0, 12}
    reach = float(turn[12])  # the first to reach it wins, each with this chance a turn
    assert found.win_probability[0] == pytest.approx(reach / (1 - (1 - reach) ** 2), abs=1e-12)
    assert found.expected_rounds == pytest.approx(1 / (1 - (1 - reach) ** 2), abs=1e-10)


def test_chances_are_asked_for_positions_that_exist():
    arena = Arena(SMALL)
    points = arena.read("points")
    found = arena.play([points, points])
    with pytest.raises(PositionError):
        found.chances((5, 0), 1)
    with pytest.raises(UsageError):
        Arena(CREW).play([read_policy(CREW, "points")] * 2).chances((0, 0), 1)


@pytest.mark.parametrize("texts", [["points"], ["points", "best"], ["points", " points"]], ids=str)
def test_a_tournament_refuses_what_makes_none(texts):
    with pytest.raises(UsageError):
        run_tournament(Arena(SMALL), texts)


# --- simulated: the referee's dice have their say


def test_matches_at_the_table_agree():
    """Martian Dice with its own dice rolled: within four standard errors."""
    rules = game("martian-dice", dice=5, target=6)
    arena = Arena(rules)
    text = (
        "take death-rays while tanks > rays; take the largest group;"
        " stop at needed points or at 3 points"
    )
    players = [arena.read(text), arena.read("greedy")]
    chance = arena.play(players).win_probability[0]
    rng = np.random.default_rng(5)
    games, won = 400, 0.0
    for _ in range(games):
        scores = [0, 0]
        while max(scores) < 6:
            for seat, player in enumerate(players):
                best = scores[1 - seat]
                if seat == 1 and best >= 6:
                    behind = best - scores[1]
                    standing = Standing(needed=behind + 1, lead=-behind, last=1, rounds=0)
                else:
                    standing = Standing(needed=6 - scores[seat], lead=scores[seat] - best)
                state = rules.start()
                while state[0] != "bank":
                    what = rules.expand(state)
                    if isinstance(what, Choose):
                        actions = tuple(what.options)
                        action = actions[0]
                        if len(actions) > 1:
                            action = player.choose(state, actions, standing)
                        state = what.options[action]
                        continue
                    weights = np.array([w for w, _ in what.branches], dtype=float)
                    at = rng.choice(len(weights), p=weights / weights.sum())
                    state = what.branches[at][1]
                scores[seat] += state[1]
        won += 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    assert abs(won / games - chance) < 4 * sqrt(chance * (1 - chance) / games)


def test_named_optimal_turns_are_for_matches_only():
    with pytest.raises(UsageError):
        evaluate_turn(SMALL, named_policy(SMALL, "optimal"))
