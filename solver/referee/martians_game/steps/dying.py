"""Death: back to the House. Source: the rulebook, Combat Rules 4 and 5."""

from __future__ import annotations

from solver.games.martians.board.components import ITEMS, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.combat import START_TOKENS, LastLife
from solver.referee.martians_game.course import Course


def die(course: Course, who: int) -> None:
    """Let a player die where he stands.

    His pawn goes to the House; half his Martians, rounded up, his items and his weapons are lost.
    He has three life and three bullet tokens again, as far as there are any, and no card touches
    them until his next turn begins.
    """
    table = course.table
    seat = table.seats[who]
    course.lose_half(who)
    items, seat.items = [item for item in ITEMS if item in seat.items], set()
    _replace(course, seat.at, items)
    while seat.weapons:
        course.put_away(seat.weapons.pop())
    seat.at = table.ground.house
    seat.fallen = True
    renew(course, who)
    if who == table.on_turn:
        course.down = True
        if table.step == 5:
            table.moves = 0


def renew(course: Course, who: int) -> None:
    """Set a player's tokens to three and three, as far as there are any."""
    seat = course.seat(who)
    course.pay(who, Token.LIFE, seat.lives)
    course.pay(who, Token.BULLET, seat.bullets)
    course.gain(who, Token.LIFE, START_TOKENS)
    course.gain(who, Token.BULLET, START_TOKENS)


def lose_lives(course: Course, who: int, number: int) -> None:
    """Take life tokens from a player outside a fight; he dies when he runs out of them."""
    seat = course.seat(who)
    left = seat.lives - number
    course.pay(who, Token.LIFE, number)
    if left < (1 if course.rules.last_life is LastLife.DIES else 0):
        die(course, who)


def _replace(course: Course, at: Square, items: list[Token]) -> None:
    """Put items into the nearest buildings without tokens, one in each.

    Nearest by a pawn's steps from where the player died, then in reading order. The order of the
    items is fuel, fertilizer, dynamite; one for which there is no building goes back to those
    beside the map.
    """
    table = course.table
    if not items:
        return
    steps = table.ground.distances(at)
    empty = [
        min((steps.get(square, len(steps)), square[1], square[0]) for square in inside)
        for building, inside in table.ground.buildings.items()
        if not table.has_tokens(building)
    ]
    for _, y, x in sorted(empty)[: len(items)]:
        table.known[x, y] = items.pop(0)
    for item in items:
        table.unseen[item] += 1
        table.beside += 1
