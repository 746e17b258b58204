"""Small worlds: the whole race of one player, against brute force turn by turn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force_board import ITEMS, Board
from brute_force_board import Movement as BruteForce
from plan_boards import ground_for
from test_plan_march import all_ways

from solver.errors import GameError, PositionError, TooLargeError
from solver.games.check import check_game
from solver.games.martians.board import Circle, CropCircle, arrive, start_position, synthetic_tiles
from solver.games.martians.plan.invaders import Invaders
from solver.games.martians.plan.race import (
    BoardRace,
    Goal,
    March,
    most_standings,
    race_of,
    replaced,
)
from solver.match.board import small_world

ME = {"at": 0, "lives": 1, "bullets": 0, "martians": 0, "items": ()}


class Race:
    """The chance to win within a number of turns, a turn after the other by brute force."""

    def __init__(self, board, *, circles=(), buildings=(), goal, moves_martians):
        self.board, self.circles, self.buildings = board, frozenset(circles), buildings
        self.goal, self.moves_martians = goal, moves_martians
        self.memory = {}

    def within(self, turns, standing):
        """`standing`: at, lives, bullets, martians, squares with Martians, tokens, items."""
        if turns == 0:
            return Fraction(0)
        key = turns, standing
        if key not in self.memory:
            at, lives, bullets, martians, squares, tokens, items = standing
            goal = 0 if self.goal == "ship" else self.board.goal
            board = replace(self.board, martians=squares, known=dict(tokens), goal=goal)
            game = BruteForce(board, lambda end: self.after(turns, end))
            self.memory[key] = game.best(at, lives, bullets, martians, items, None)
        return self.memory[key]

    def after(self, turns, end):
        if end["ending"] in ("martians", "ship"):
            return Fraction(1)
        tokens = end["tokens"]
        if end["ending"] == "dead":
            tokens = self.lay_items(end)
        martians = 0 if self.goal == "ship" else end["martians"]
        me = end["at"], end["lives"], end["bullets"], martians
        rest = tokens, tuple(end["items"])
        boards = {n: [end["standing"]] for n in range(1, 7)}
        if self.moves_martians and end["standing"]:
            boards = {n: all_ways(self.board.steps, end["standing"], n) for n in range(1, 7)}
        values = {}
        for n, ways in boards.items():
            choices = {frozenset(way) | self.circles for way in ways}
            values[n] = max(self.within(turns - 1, (*me, w, *rest)) for w in choices)
        return sum(values.values()) / 6

    def lay_items(self, end):
        """Nearest building without a token first; the squares of these boards are in a row."""
        tokens = set(end["tokens"])
        left = [item for item in ITEMS if item in end["died_with"]]
        taken = {square for square, _ in tokens}
        free = [b for b in self.buildings if not taken & set(b)]
        nearest = sorted((min((abs(s - end["died_at"]), s) for s in b)) for b in free)
        tokens |= {(square, item) for (_, square), item in zip(nearest, left, strict=False)}
        return frozenset(tokens)


def row(count, martians=frozenset(), **more):
    steps = {n: [m for m in (n - 1, n + 1) if 0 <= m < count] for n in range(count)}
    return Board(steps=steps, house=0, martians=frozenset(martians), **more)


def both(
    board, player, circles=(), buildings=(), goal=Goal.MARTIANS, march=March.STAY, ship_tile=()
):
    ground = ground_for(board, player)
    invaders = Invaders(ground.near, tuple(circles), tuple(ship_tile), 100)
    world = small_world(BoardRace(ground, invaders, tuple(buildings), goal=goal, march=march))
    race = Race(
        board,
        circles=circles,
        buildings=buildings,
        goal=str(goal),
        moves_martians=march is March.BEST,
    )
    standing = (
        player["at"], player["lives"], player["bullets"],
        0 if goal is Goal.SHIP else player["martians"],
        board.martians, frozenset(board.known.items()), tuple(player["items"]),
    )  # fmt: skip
    return world, race, standing


def test_a_race_to_martians_is_won_as_often_as_brute_force_wins():
    """Half the Martians are lost by a death, and the circle gets a new one."""
    board = row(3, martians=frozenset({2}), goal=2)
    world, race, start = both(board, ME | {"martians": 1}, circles=[2])
    chances, error = world.chance_within(3)
    for turns in (1, 2):
        assert chances[turns] == pytest.approx(float(race.within(turns, start)), abs=error + 1e-12)
    assert chances[0] == 0.0
    assert chances[3] >= chances[2]


def test_a_race_in_which_martians_move_is_won_as_often_as_brute_force_wins():
    """The player brings the Martian near: one turn less to walk."""
    board = row(4, martians=frozenset({3}), goal=2)
    me = ME | {"bullets": 1, "martians": 1}
    moved = both(board, me, march=March.BEST)
    stay = both(board, me)
    values = []
    for world, race, start in (moved, stay):
        chances, error = world.chance_within(2)
        assert chances[2] == pytest.approx(float(race.within(2, start)), abs=error + 1e-12)
        values.append(chances[2])
    assert values[0] >= values[1]


def test_a_race_to_the_ship_is_won_as_often_as_brute_force_wins():
    """One item lies behind a Martian; who dies with two drops them in the nearest buildings."""
    board = row(
        4, martians=frozenset({1}), known={2: "dynamite"}, ship=3, circles_elsewhere=0, goal=0
    )
    me = ME | {"items": ("fuel", "fertilizer"), "bullets": 1}
    world, race, start = both(board, me, buildings=[(1,), (2,)], goal=Goal.SHIP)
    chances, error = world.chance_within(2)
    for turns in (1, 2):
        assert chances[turns] == pytest.approx(float(race.within(turns, start)), abs=error + 1e-12)


def test_the_fewest_turns_by_hand():
    """Half of the time at once; else three bullets win the fight of the next turn for sure."""
    board = row(2, martians=frozenset({1}), goal=1)
    world, _, _ = both(board, ME, circles=[1])
    turns, error = world.fewest_turns()
    assert turns == pytest.approx(1.5, abs=error)
    assert error < 1e-10
    assert world.size.standings <= world.size.at_most


@pytest.mark.slow
def test_the_fewest_turns_are_the_sum_of_the_chances_not_to_be_there_yet_at_least():
    """No policy is quicker than the best for each number of turns; the bound is near."""
    board = row(3, martians=frozenset({2}), goal=3)
    world, _, _ = both(board, ME, circles=[2])
    turns, error = world.fewest_turns()
    chances, _ = world.chance_within(60)
    assert sum(1.0 - chance for chance in chances[:-1]) <= turns + error
    assert sum(1.0 - chance for chance in chances[:-1]) >= turns - 0.2


def test_a_world_of_the_box_is_raced_through():
    """House and a farm, an empty circle: two Martians, one after the other."""
    start = start_position(synthetic_tiles(), ["red"])
    here = arrive(start, start.layout.placements("farm")[0])
    with pytest.raises(PositionError, match="face-down") as refused:
        race_of(here)
    assert refused.value.field == "/crop_circles"
    here = replace(here, crop_circles=(CropCircle(here.crop_circles[0].at, Circle.EMPTY),))
    world = small_world(race_of(here, goal=Goal.MARTIANS, martians=1, march=March.STAY))
    turns, error = world.fewest_turns()
    assert 1.0 < turns < 1.3
    assert error < 1e-9
    assert check_game(world.race).decisions


def test_a_goal_that_can_be_lost_for_ever_has_no_expected_turns():
    """Two Martians and no more: who dies with one can never have two."""
    board = row(3, martians=frozenset({1, 2}), goal=2)
    world, _, _ = both(board, ME)
    with pytest.raises(GameError, match="expected number of turns is infinite"):
        world.fewest_turns()
    assert 0 < world.chance_within(5)[0][-1] < 1


def test_a_world_that_is_too_large_is_refused_with_its_size():
    start = start_position(synthetic_tiles(), ["red"])
    here = arrive(start, start.layout.placements("straight")[0])
    race = race_of(here, martians=3, most_states=2_000)
    with pytest.raises(TooLargeError, match=r"more than 2,000 states, .* at most [\d,]+ standings"):
        small_world(race)
    assert most_standings(race) > 10_000


def test_a_small_world_is_without_weapons_and_with_martians_enough():
    board = row(3, martians=frozenset({2}), goal=2, weapons=("+1",))
    with pytest.raises(PositionError, match="without weapons"):
        both(board, ME)
    with pytest.raises(PositionError, match="could run out"):
        both(row(3, goal=98), ME)


def test_death_items_lie_in_the_nearest_buildings_without_a_token():
    """From square 2: the building at 3 has a token, that at 1 is as near as 4 is far."""
    board = row(7, known={3: "life"})
    ground = ground_for(board, ME | {"items": ("fuel", "dynamite")})
    finds = replaced(ground, ((1,), (3,), (4, 5), (6,)), ground.finds, 2)
    assert finds.held == 0
    assert finds.known == ((1, 2), (3, 0), (4, 4))
    few = replaced(ground, ((3,), (6,)), ground.finds, 2)
    assert few.known == ((3, 0), (6, 2))  # the dynamite is out of the game
