"""Tokens on the map: what a face-down one is, and who takes it.

Source: the rulebook, Player Movement Rules 5; Martian Ship Tokens 2; Additional Rules 1.
"""

from __future__ import annotations

from solver.games.martians.board.components import FARMS, ITEMS, Circle, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.combat import MOST_TOKENS
from solver.referee.martians_game.course import Course
from solver.referee.martians_game.questions import Chance

_ITEM = "item"


def reveal(course: Course, square: Square) -> Token | None:
    """Return the token on a square, turned over if nobody has seen it; None without one.

    Each face-down token of a building is equally likely to be on each of its squares, and its
    item each of those not seen yet.
    """
    table = course.table
    if square in table.known:
        return table.known[square]
    building = table.ground.building_of.get(square)
    group = table.hidden.get(building) if building else None
    if building is None or group is None or square not in group.squares:
        return None
    pool = [Token.LIFE.value] * group.lives + [Token.BULLET.value] * group.bullets
    fallen = course.fall(Chance.TOKEN, pool + [_ITEM] * group.items)
    group.squares.remove(square)
    if not group.squares:
        del table.hidden[building]
    if fallen == _ITEM:
        group.items -= 1
        unseen = [item.value for item in ITEMS for _ in range(table.unseen[item])]
        token = Token(course.fall(Chance.ITEM, unseen))
        table.unseen[token] -= 1
    else:
        token = Token(fallen)
        if token is Token.LIFE:
            group.lives -= 1
        else:
            group.bullets -= 1
    table.known[square] = token
    return token


def take(course: Course, who: int, square: Square) -> None:
    """Let a player take the token on a square; a sixth life or bullet, or a second item, stays."""
    token = reveal(course, square)
    seat = course.seat(who)
    if token is None:
        return
    if token in ITEMS:
        if token in seat.items:
            return
        seat.items.add(token)
    elif token is Token.LIFE:
        if seat.lives >= MOST_TOKENS:
            return
        seat.lives += 1
    else:
        if seat.bullets >= MOST_TOKENS:
            return
        seat.bullets += 1
    del course.table.known[square]


def turn_circle(course: Course, square: Square) -> None:
    """Turn over a crop circle token: one of the four is the Mother Ship."""
    table = course.table
    ships = min(1, table.unturned)
    pool = [Circle.MOTHER_SHIP.value] * ships
    empty = table.unturned - 1 if ships else FARMS
    fallen = course.fall(Chance.CIRCLE, pool + [Circle.EMPTY.value] * empty)
    table.circles[square] = Circle(fallen)
