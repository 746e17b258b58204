"""Following a plan with real dice earns what the plan promises."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random

import pytest
from brute_force_board import Board
from plan_boards import ground_for, random_board, told
from plan_table import Table
from test_plan_rules import ALL, everything

from solver.games.martians.plan import Payoff, boarding, most_items, most_martians
from solver.games.martians.plan.turn import BoardTurn
from solver.turn.board import Follower, Movement, plan_movement

EVERYTHING = Payoff("everything", "payoff", lambda end: float(everything(told(end))), ALL)


def play(table, follower, moves):
    """Play a movement as the follower says; return how it ends."""
    paid_roll = moves

    def ground():
        return ground_for(*table.seen())

    def arm():
        if not table.board.weapons:
            return 0, 0
        action = follower.fight(ground(), moves, None).action
        kind, _, number = action.removeprefix("use-").partition(":")
        if action == "bare-hands":
            return 0, 0
        return (0, int(number)) if kind == "reroll" else (int(kind.removeprefix("+")), 0)

    def mend(short, bonus, rerolls):
        return follower.fight(ground(), moves, short, bonus, rerolls).action

    if table.at in table.standing and not table.fight(mend, arm):
        return table.end()
    if table.ending:
        return table.end()
    if paid_roll is None:
        moves = table.die() + table.lives
    elif table.board.martians and table.at in table.board.martians:
        table.look(lambda: follower.turns_circle(ground(), moves))
    while moves and not table.ending:
        route = follower.route(ground(), moves)
        if not route.squares:
            break
        for square in route.squares:
            assert square in table.board.steps[table.at]
            table.at = square
            moves -= 1
            if square in table.standing and not table.fight(mend, arm):
                return table.end()
            if not table.ending:
                left = moves
                table.look(lambda left=left: follower.turns_circle(ground(), left))
        if route.what == "stop":
            break
    return table.end()


def mean_of(payoff, board, player, moves, games, seed):
    follower = Follower(payoff)
    rng = Random(seed)
    worth = []
    for _ in range(games):
        end = play(Table(board, player, rng), follower, moves)
        if payoff is EVERYTHING:
            worth.append(float(everything(end)))
        elif payoff.name == "martians":
            worth.append(end["martians"])
        elif payoff.name == "items":
            worth.append(len(end["items"]))
        else:
            worth.append(float(end["ending"] in ("ship", "martians")))
    mean = sum(worth) / games
    spread = sqrt(sum((w - mean) ** 2 for w in worth) / games / games)
    return mean, spread, follower


def farmland():
    """Two buildings, two crop circles and Martians between them."""
    steps = {n: [m for m in (n - 1, n + 1) if 0 <= m < 9] for n in range(9)}
    steps[4] = [3, 5, 9]
    steps[9] = [4, 10]
    steps[10] = [9]
    return Board(
        steps=steps,
        house=0,
        martians=frozenset({3, 5, 7, 10}),
        buildings=[([1, 2], ["life", "item"]), ([9, 10], ["bullet", "item"])],
        pool=["fuel", "dynamite", "dynamite", "fertilizer"],
        circles=[6, 8],
        circles_elsewhere=1,
        weapons=("reroll:1",),
    )


ME = {"at": 4, "lives": 2, "bullets": 1, "martians": 3, "items": ("fuel", "fertilizer")}


@pytest.mark.parametrize("payoff", [EVERYTHING, most_items()], ids=["everything", "items"])
def test_real_dice_earn_what_is_promised(payoff):
    """Within four standard errors."""
    board, moves = farmland(), 6
    promised = plan_movement(ground_for(board, ME), payoff, moves).value
    mean, error, _ = mean_of(payoff, board, ME, moves, 80, seed=1)
    assert abs(mean - promised) <= 4 * error + 1e-9


def test_real_dice_earn_what_is_promised_before_the_movement_roll():
    board = replace(farmland(), martians=frozenset({3, 4, 5, 7, 10}))
    promised = plan_movement(ground_for(board, ME), EVERYTHING).value
    mean, error, _ = mean_of(EVERYTHING, board, ME, None, 50, seed=2)
    assert abs(mean - promised) <= 4 * error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_real_dice_earn_what_is_promised_on_many_boards(seed):
    rng = Random(seed)
    board, ground, player = random_board(rng, squares=8, tokens=5)
    payoff = rng.choice([EVERYTHING, most_martians(), most_items(), boarding()])
    promised = plan_movement(ground, payoff, 5).value
    games = 1000
    mean, error, _ = mean_of(payoff, board, player, 5, games, seed)
    if error == 0:  # equal in all games: another end, if there is one, is as rare as one game
        error = mean / games
    assert abs(mean - promised) <= 4.5 * error + 1e-9


def test_a_movement_is_solved_once_and_looked_up_as_it_goes_on():
    """Fights, finds, circles and steps are all in the first solution."""
    met = replace(farmland(), martians=frozenset({3, 4, 5, 7, 10}))
    for board, moves in ((farmland(), 6), (met, None)):
        _, _, follower = mean_of(EVERYTHING, board, ME, moves, 3, seed=3)
        assert follower.solved == 1


@pytest.mark.parametrize("seed", range(8))
def test_what_is_looked_up_is_what_solving_anew_finds(seed):
    """Walk a random way through a movement; at each moment a fresh plan is worth the same."""
    rng = Random(seed)
    _, ground, _ = random_board(rng, squares=7, tokens=4, circles=False)
    moves = 5
    follower = Follower(EVERYTHING)
    game = BoardTurn(ground, moves)
    state = game.start()
    while state[0] != "over":
        if state[0] == "walk":
            at, lives, bullets, martians, standing, finds, left = state[1:8]
            here = replace(
                ground, at=at, lives=lives, bullets=bullets, martians=martians, standing=standing,
                finds=finds,
            )  # fmt: skip
            route = follower.route(here, left)
            assert route.value == pytest.approx(plan_movement(here, EVERYTHING, left).value)
        expansion = game.expand(state)
        options = getattr(expansion, "options", None)
        if options is not None:
            state = rng.choice(list(options.values()))
        else:
            state = rng.choice([s for _, s in expansion.branches])


def test_a_follower_notices_that_the_board_has_changed():
    """A card took a Martian away, or gave lives: the old plan does not count."""
    ground = ground_for(farmland(), ME)
    follower = Follower(EVERYTHING)
    follower.route(ground, 6)
    richer = replace(ground, lives=5)
    assert follower.route(richer, 6).value == pytest.approx(
        Movement(richer, EVERYTHING, 6).plan().value
    )
    emptier = replace(ground, standing=0)
    assert follower.route(emptier, 6).value == pytest.approx(
        Movement(emptier, EVERYTHING, 6).plan().value
    )
