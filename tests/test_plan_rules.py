"""The rules of a movement on the board, against brute force and numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from brute_force_board import Board
from brute_force_board import Movement as BruteForce
from plan_boards import ground_for, random_board, told

from solver.errors import PositionError, UsageError
from solver.games.check import check_game
from solver.games.martians.board import (
    Circle,
    CropCircle,
    Known,
    Play,
    Token,
    arrive,
    start_position,
    steps_of,
    synthetic_tiles,
)
from solver.games.martians.plan import (
    AtFive,
    BoardOutcome,
    BoardTurn,
    Payoff,
    boarding,
    ground_of,
    most_items,
    most_martians,
    most_tokens,
    reaching,
    survival,
)
from solver.games.martians.plan.finds import Finds, reveal, turn_circle
from solver.turn.compile import compile_turn
from solver.turn.solve import solve_turn

ME = {"at": 0, "lives": 3, "bullets": 3, "martians": 0, "items": ()}


def everything(end):
    """A payoff that looks at all that an outcome tells."""
    if end["ending"] == "dead":
        return Fraction(end["martians"], 3)
    won = {"ship": 7, "martians": 5}.get(end["ending"], 0)
    place = Fraction(end["at"] % 3, 3) + (end["ship"] is not None)
    return (
        3 * end["martians"]
        + 2 * len(end["items"])
        + end["lives"]
        + end["bullets"] / 2
        + won
        + place
    )


ALL = frozenset({"place", "tokens", "martians", "items", "ship", "win"})


def exactly(ground, moves, payoff):
    game = BoardTurn(ground, moves)
    graph = compile_turn(game)
    worth = {outcome: payoff(BoardOutcome(*outcome)) for outcome in graph.outcomes}
    return solve_turn(game, worth, exact=True, graph=graph)


def corridor(martians=(), **more):
    """Squares 0, 1, 2, ... in a row."""
    count = 6
    steps = {n: [m for m in (n - 1, n + 1) if 0 <= m < count] for n in range(count)}
    return Board(steps=steps, house=0, martians=frozenset(martians), **more)


@pytest.mark.parametrize("seed", [*range(24), 118, 166])
def test_a_movement_is_worth_what_brute_force_finds(seed):
    rng = Random(seed)
    board, ground, player = random_board(rng, squares=6, tokens=3)
    moves = rng.choice((0, 1, 2, 2, 3, 3))
    worst = BruteForce(board, everything).best(*player.values(), moves)
    payoff = Payoff("everything", "payoff", lambda end: everything(told(end)), ALL)
    assert exactly(ground, moves, payoff).exact == worst


@pytest.mark.parametrize("seed", range(200, 203))
def test_a_turn_before_its_movement_roll_is_worth_what_brute_force_finds(seed):
    board, _, player = random_board(Random(seed), squares=4, tokens=1)
    player |= {"lives": 1}
    worst = BruteForce(board, everything).best(*player.values(), None)
    payoff = Payoff("everything", "payoff", lambda end: everything(told(end)), ALL)
    assert exactly(ground_for(board, player), None, payoff).exact == worst


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_movements_of_more_squares_are_worth_what_brute_force_finds(seed):
    rng = Random(seed)
    board, ground, player = random_board(rng)
    moves = rng.choice((2, 3, 4))
    worst = BruteForce(board, everything).best(*player.values(), moves)
    payoff = Payoff("everything", "payoff", lambda end: everything(told(end)), ALL)
    assert exactly(ground, moves, payoff).exact == worst


# --- worked out by hand


def test_movement_one_fight_with_one_life_and_no_bullets_is_half_a_martian():
    ground = ground_for(corridor([1]), ME | {"lives": 1, "bullets": 0})
    assert exactly(ground, 1, most_martians()).exact == Fraction(1, 2)


def test_movement_fights_go_on_until_moves_run_out():
    """With a life more each loss can be borne: 1 - (1/2)^2 for the first, and so on."""
    ground = ground_for(corridor([1]), ME | {"lives": 2, "bullets": 0})
    assert exactly(ground, 5, survival()).exact == 1  # nobody must move
    assert exactly(ground, 5, most_martians()).exact == Fraction(3, 4)
    assert exactly(ground, 0, most_martians()).exact == 0


def test_movement_is_the_die_and_the_lives_at_the_roll():
    """Square 5 is five steps away: one life token and a four, five or six."""
    ground = ground_for(corridor(), ME | {"lives": 1})
    assert exactly(ground, None, reaching((5, 0))).exact == Fraction(1, 2)
    assert exactly(replace(ground, lives=4), None, reaching((5, 0))).exact == 1


def test_movement_a_martian_on_the_own_square_is_fought_before_the_roll():
    """Moves are counted with the lives that the fight has left: two squares are always near."""
    ground = ground_for(corridor([0]), ME | {"lives": 2, "bullets": 0})
    assert exactly(ground, None, reaching((2, 0))).exact == Fraction(3, 4)
    three = exactly(ground, None, reaching((3, 0))).exact
    assert three == Fraction(1, 2) + Fraction(1, 4) * Fraction(5, 6)


def test_death_ends_at_the_house_with_half_the_martians_rounded_down_and_no_items():
    me = ME | {"lives": 1, "bullets": 0, "martians": 5, "items": ("fuel",)}
    ground = ground_for(corridor([1]), me)
    found = exactly(ground, 1, Payoff("die", "payoff", lambda e: -int(e.alive), frozenset()))
    outcomes = {BoardOutcome(*outcome) for outcome in found.distribution}
    assert BoardOutcome((0, 0), 3, 3, 2, (), None, "dead") in outcomes


def test_pickup_a_token_under_a_martian_is_taken_after_the_fight():
    ground = ground_for(corridor([1], known={1: "life"}), ME | {"lives": 1, "bullets": 0})
    assert exactly(ground, 1, most_tokens()).exact == Fraction(1, 1)  # to stay is as good
    worth = exactly(ground, 1, most_martians())
    assert BoardOutcome((1, 0), 2, 0, 1, (), None, "stopped") in worth.distribution


@pytest.mark.parametrize(("reading", "lives"), [(AtFive.GOES_BACK, 5), (AtFive.IS_LOST, 4)])
def test_at_five_a_sixth_life_token_goes_back_or_is_lost(reading, lives):
    """Take the life after a fight that cost one: it must still lie where it was found."""
    board = corridor([2], known={1: "life"}, at_five=str(reading))
    ground = ground_for(board, ME | {"lives": 5, "bullets": 0})
    most = exactly(
        ground,
        3,
        Payoff(
            "fight first",
            "payoff",
            lambda end: end.lives if end.martians else 0,
            frozenset({"tokens", "martians"}),
        ),
    )
    best = max(BoardOutcome(*o).lives for o in most.distribution)
    assert best == 5
    lost_one = [o for o in most.distribution if o[1] == lives and o[3] == 1]
    assert lost_one


def test_pickup_a_duplicate_item_goes_back():
    board = corridor(known={1: "fuel"})
    ground = ground_for(board, ME | {"items": ("fuel",)})
    assert exactly(ground, 3, most_items()).exact == 1
    assert exactly(ground_for(board, ME), 3, most_items()).exact == 1


def test_face_down_each_token_is_equally_likely_on_each_square():
    """A life, a bullet and an item on three squares: the item is on the first with one third."""
    board = corridor(buildings=[([1, 2, 3], ["life", "bullet", "item"])], pool=["fuel", "dynamite"])
    ground = ground_for(board, ME)
    for moves, chance in ((1, Fraction(1, 3)), (2, Fraction(2, 3)), (3, Fraction(1))):
        assert exactly(ground, moves, most_items()).exact == chance


def test_face_down_items_come_from_those_not_seen():
    """Fuel is held; of four items not seen three are fuel."""
    board = corridor(buildings=[([1], ["item"])], pool=["fuel", "fuel", "fuel", "dynamite"])
    ground = ground_for(board, ME | {"items": ("fuel",)})
    assert exactly(ground, 1, most_items()).exact == 1 + Fraction(1, 4)


def test_crop_circle_each_that_is_not_turned_is_equally_likely_the_mother_ship():
    """Two on the way and one elsewhere; with all items the ship must be one of the two."""
    board = corridor(circles=[1, 3], circles_elsewhere=1)
    items = ("fuel", "fertilizer", "dynamite")
    ground = ground_for(board, ME | {"items": items})
    assert exactly(ground, 1, boarding()).exact == Fraction(1, 3)
    assert exactly(ground, 3, boarding()).exact == Fraction(2, 3)
    assert exactly(ground_for(board, ME), 3, boarding()).exact == 0


def test_crop_circle_may_be_left_as_it_is():
    """Who wants the ship unknown does not turn it."""
    ground = ground_for(corridor(circles=[1]), ME)
    hide = Payoff("hide", "payoff", lambda e: int(e.ship is None), frozenset({"ship"}))
    assert exactly(ground, 3, hide).exact == 1


def test_object_of_the_game_all_items_at_the_mother_ship_win_at_once():
    board = corridor([2], ship=1)
    me = ME | {"items": ("fuel", "fertilizer", "dynamite")}
    far = exactly(ground_for(board, me), 3, most_martians())
    assert far.exact == 0  # the Martian is behind the ship: nobody gets past it
    assert exactly(ground_for(board, me), 3, boarding()).exact == 1


def test_object_of_the_game_thirty_martians_win_at_once():
    ground = ground_for(corridor([1, 2], goal=30), ME | {"martians": 29})
    ends = exactly(ground, 5, most_martians()).distribution
    assert max(o[3] for o in ends) == 30
    assert {o[6] for o in ends if o[3] == 30} == {"martians"}


def test_the_rules_keep_to_the_protocol():
    ground = random_board(Random(5), squares=5, tokens=2)[1]
    report = check_game(BoardTurn(ground, 3))
    assert report.decisions
    assert report.rolls


# --- from a position


def position():
    tiles = synthetic_tiles()
    start = start_position(tiles, ["red", "blue"])
    for name in ("diner", "farm"):
        start = arrive(start, start.layout.placements(name)[0])
    return start


def test_a_position_is_seen_as_it_is():
    here = position()
    ground = ground_of(here)
    steps = steps_of(here.layout)
    assert [
        steps.squares[n] for n in range(len(steps.squares)) if ground.standing >> n & 1
    ] == list(here.martians)
    assert ground.goal == 30
    assert ground.finds.unturned == 4
    assert ground.squares[ground.house] == here.layout.house
    (group,) = ground.finds.hidden
    assert group[1:] == (2, 0, 1)
    chances = here.token_chances(here.hidden[0].squares[0])
    square = ground.number(here.hidden[0].squares[0])
    branches = reveal(ground.finds, square)
    total = sum(weight for weight, _, _ in branches)
    assert [Fraction(w, total) for w, _, _ in branches] == list(chances.values())
    turned = turn_circle(ground.finds, ground.number(here.crop_circles[0].at))
    assert Fraction(turned[0][0], sum(w for w, _ in turned)) == here.mother_ship_chance


def test_a_found_mother_ship_leaves_nothing_to_turn():
    here = position()
    here = replace(here, crop_circles=(CropCircle(here.crop_circles[0].at, Circle.MOTHER_SHIP),))
    finds = ground_of(here).finds
    assert finds.circles == 0
    assert ground_of(here).squares[finds.ship] == here.crop_circles[0].at


def test_the_cooperative_game_is_not_won_by_martians():
    assert ground_of(replace(position(), play=Play.COOPERATIVE)).goal == 0


def test_a_dead_player_begins_with_three_and_three():
    here = position()
    dead = replace(here.players[1], lives=0, bullets=0)
    ground = ground_of(replace(here, players=(here.players[0], dead)), 2)
    assert (ground.lives, ground.bullets) == (3, 3)


def test_known_tokens_and_held_items_count():
    here = position()
    square = here.hidden[0].squares[0]
    red = replace(here.players[0], items=(Token.FERTILIZER,))
    here = replace(here, hidden=(), tokens=(Known(square, Token.BULLET),), players=(red,))
    finds = ground_of(here).finds
    assert finds.held == 2
    assert [token for _, token in finds.known] == [1]
    assert finds.unseen == (6, 5, 6)


def test_what_is_not_there_is_refused():
    with pytest.raises(UsageError, match="no seat 3"):
        ground_of(position(), 3)
    with pytest.raises(PositionError, match="nobody can stand on 99,99"):
        ground_of(position()).number((99, 99))


def test_finds_without_tokens_reveal_nothing():
    assert reveal(Finds((), (), (0, 0, 0), 0, 0, -1, 4), 3) == []
