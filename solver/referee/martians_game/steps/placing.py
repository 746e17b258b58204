"""Step 1: a tile is drawn and placed, with its tokens and Martians.

Source: the rulebook, Turn Sequence 1; Placing Map Tiles; Martian Ship Tokens 1.
"""

from __future__ import annotations

from itertools import combinations

from solver.games.martians.board.components import FARMS, Circle, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.board.tile import MIDDLE, Building, Kind, Tile
from solver.referee.martians_game.course import Course
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.rules import Ending, NotPlayed
from solver.referee.martians_game.table import Group
from solver.referee.martians_game.table.ground import Placement

_PLACED, _BESIDE = "on the map", "beside the map"


def place_tile(course: Course) -> bool:
    """Draw a tile and place it; return whether the turn goes on.

    A tile that fits nowhere is discarded. Whoever leaves the map so that nothing fits any more
    loses the rest of the turn.
    """
    table = course.table
    ground = table.ground
    if table.drawn is None and table.deck:
        table.drawn = course.fall(Chance.TILE, table.deck)
        table.deck.remove(table.drawn)
    if table.drawn is None:
        _check_stranded(course)
        return True
    options = ground.placements(table.drawn)
    if not options:
        table.discarded.append(table.drawn)
        table.drawn = None
        _check_stranded(course)
        return True
    placement = course.ask(table.on_turn, Question.PLACEMENT, options)
    tile = ground.add(table.drawn, placement)
    table.drawn = None
    _furnish(course, tile, placement)
    stuck = ground.is_stuck(table.deck)
    _check_stranded(course)
    return not stuck


def _furnish(course: Course, tile: Tile, placement: Placement) -> None:
    """Put down what a tile comes with: tokens, then the crop circle, then Martians."""
    table = course.table
    x, y = 3 * placement[0], 3 * placement[1]
    for building in tile.buildings:
        inside = [(x + i, y + j) for i, j in tile.spots_of(building.letter)]
        _lay(course, building, (*placement[:2], building.letter), inside)
    if tile.is_farm:
        if len(table.circles) < FARMS:
            table.circles[x + MIDDLE[0], y + MIDDLE[1]] = Circle.FACE_DOWN
        streets = [MIDDLE]  # reading `farm`: one Martian, on its crop circle
    else:
        streets = list(tile.spots(Kind.ROAD))
    for i, j in streets:
        if table.supply:
            course.place_martian((x + i, y + j))


def _lay(
    course: Course, building: Building, key: tuple[int, int, str], inside: list[Square]
) -> None:
    table = course.table
    lives = min(building.lives, table.bank[Token.LIFE])
    bullets = min(building.bullets, table.bank[Token.BULLET])
    items = min(1, table.beside)
    number = lives + bullets + items
    if not number:
        return
    squares = course.ask(table.on_turn, Question.LAY, tuple(combinations(inside, number)))
    table.bank[Token.LIFE] -= lives
    table.bank[Token.BULLET] -= bullets
    table.beside -= items
    table.hidden[key] = Group(list(squares), lives, bullets, items)


def _check_stranded(course: Course) -> None:
    """End the cooperative game if nothing can be placed and the Mother Ship is not played."""
    table = course.table
    if not table.rules.together or table.mother_ship is not None or table.aboard:
        return
    if table.deck and not table.ground.is_stuck(table.deck):
        return
    if table.rules.not_played is NotPlayed.FACE_DOWN:
        course.end(Ending.STRANDED)
    shown = list(table.circles.values())
    beside = FARMS - len(shown)
    if not beside:
        return
    pool = [_PLACED] * shown.count(Circle.FACE_DOWN) + [_BESIDE] * beside
    if course.fall(Chance.BESIDE, pool) == _BESIDE:
        course.end(Ending.STRANDED)
    table.aboard = True
