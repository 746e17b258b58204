"""Two seats to a goal: against closed forms and plain value iteration, with its proof."""

from functools import cache

import numpy as np
import pytest
from goal_games import Coin, Walk

from solver.errors import ProofError, TooLargeError
from solver.games.martians import Hunt
from solver.games.protocol import Bank, Choose
from solver.games.registry import game
from solver.match.goal import solve_goal_race
from solver.match.goal.alone import fewest_turns
from solver.match.goal.proof import prove_pairs
from solver.match.goal.standings import standings_of
from solver.turn.compile import compile_turn
from solver.turn.sweep import Sweep


def _two_tables(rules, sweeps):
    """Seat 1's chance with seat 1, and with seat 2 on turn, by value iteration on the rules.

    The seats are treated apart: seat 2 minimises what seat 1 maximises.
    """
    after = rules.goal_race.after
    names = list(rules.starts())
    expand = cache(rules.expand)
    one = {(a, b): 0.5 for a in names for b in names}
    two = dict(one)

    def turn(state, ahead, better, known):
        if state not in known:
            expansion = expand(state)
            if isinstance(expansion, Bank):
                known[state] = ahead[after(expansion.outcome)]
            elif isinstance(expansion, Choose):
                known[state] = better(
                    turn(s, ahead, better, known) for s in expansion.options.values()
                )
            else:
                whole = sum(w for w, _ in expansion.branches)
                parts = (w * turn(s, ahead, better, known) for w, s in expansion.branches)
                known[state] = sum(parts) / whole
        return known[state]

    for _ in range(sweeps):
        new_one, new_two = {}, {}
        for other in names:
            first = {None: 1.0} | {x: two[x, other] for x in names}
            second = {None: 0.0} | {x: one[other, x] for x in names}
            up, down = {}, {}
            for name, state in rules.starts().items():
                new_one[name, other] = turn(state, first, max, up)
                new_two[other, name] = turn(state, second, min, down)
        one, two = new_one, new_two
    return one, two


def test_of_two_seats_with_a_coin_the_first_wins_two_thirds():
    race = solve_goal_race(Coin())
    assert race.win_probability[0] == pytest.approx(2 / 3, abs=1e-13)
    assert abs(race.win_probability[0] - 2 / 3) <= race.exactness.error


@pytest.mark.parametrize(
    "rules",
    [
        Walk(3),
        Hunt(goal=1),
        pytest.param(game("martians", goal=1, income="steady"), marks=pytest.mark.slow),
        pytest.param(game("martians", goal=1, last_life="one-more-roll"), marks=pytest.mark.slow),
        pytest.param(Hunt(goal=2), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_both_seats_by_themselves_come_to_the_same_chances_and_these_sum_to_one(rules):
    race = solve_goal_race(rules)
    one, two = _two_tables(rules, 400 if rules.name == "walk" else 12)
    names = race.standings.names
    for a in names:
        for b in names:
            assert race.win(a, b) == pytest.approx(one[a, b], abs=2e-9)
            assert 1.0 - race.win(b, a) == pytest.approx(two[a, b], abs=2e-9)  # relabelled


@pytest.mark.parametrize("income", ["none", "steady"])
def test_one_turn_of_best_play_changes_nothing(income):
    rules = game("martians", goal=5, income=income)
    race = solve_goal_race(rules)
    after = race.standings.after
    payoffs = np.where((after < 0)[:, None], 1.0, 1.0 - race.chance.T[after])
    sweep = Sweep(race.graph, race.standings.roots)
    ahead = sweep.improve(payoffs, sweep.no_choices(len(race.standings)), gain=0.0)
    assert np.abs(ahead - race.chance).max() < 2e-14
    assert race.exactness.error < 1e-11


def test_more_martians_and_more_tokens_never_hurt_and_nobody_is_sure():
    """A player with more can do whatever one with less does."""
    race = solve_goal_race(game("martians", goal=6, income="steady"))
    index = {name: i for i, name in enumerate(race.standings.names)}
    for (m, lives, bullets, _), i in index.items():
        for more in ((m, lives, bullets + 1, 0), (m + 1, lives, bullets, 0)):
            if more in index:
                assert (race.chance[index[more]] >= race.chance[i] - 1e-12).all()


def test_wrong_chances_are_not_proven():
    rules = Hunt(goal=4)
    graph = compile_turn(rules)
    standings = standings_of(graph, rules.after)
    race = solve_goal_race(rules, graph=graph)
    alone = fewest_turns(graph, standings).turns
    wrong = race.chance.copy()
    wrong[3, 5] += 1e-6
    proven = prove_pairs(graph, standings, wrong, alone)
    assert proven.error >= 1e-6
    assert prove_pairs(graph, standings, race.chance, alone).error < 1e-11
    waiting = np.full_like(race.chance, 0.9)
    waiting[:, 0] = 0.0  # as if to stay at the start were to win
    with pytest.raises(ProofError, match="need not"):
        prove_pairs(graph, standings, waiting, alone)


def test_numpy_and_the_compiled_kernel_agree(monkeypatch):
    from solver.turn import sweep

    fast = solve_goal_race(Hunt(goal=3))
    monkeypatch.setattr(sweep, "find_spec", lambda _: None)
    plain = solve_goal_race(Hunt(goal=3))
    assert np.abs(fast.chance - plain.chance).max() < 1e-13
    assert plain.exactness.error < 1e-11


def test_a_race_too_large_for_the_memory_is_refused_with_an_estimate():
    with pytest.raises(TooLargeError, match=r"810,000 pairs.*MiB") as refused:
        solve_goal_race(Hunt(), max_memory=100 * 2**20)
    assert "--max-memory" in str(refused.value)


def test_progress_ends_where_it_said():
    seen = []
    solve_goal_race(Hunt(goal=3), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert all(done <= total for done, total in seen)
    assert sorted(seen) == seen
