"""Steps 6 and 7: Martians move, and new ones arrive.

Source: the rulebook, Turn Sequence 6, 7; Martian Movement Rules; Martian Ship Tokens 3, 4.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from solver.games.martians.board.layout import Square, place_of
from solver.referee.martians_game.course import DIE, Course
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.rules import Figures, Refill
from solver.referee.martians_game.table.ground import reading


def movable(course: Course, moved: Container[Square] = ()) -> Iterator[tuple[Square, Square]]:
    """Yield every move of a Martian that has not been moved: from, to."""
    martians, near = course.table.martians, course.table.ground.martian
    for here in sorted(martians):
        if here not in moved:
            for there in near[here]:
                if there not in martians:
                    yield here, there


def move_martians(course: Course, who: int, number: int) -> Iterator[int]:
    """Let a player move so many different Martians one space each, as far as they are able.

    Yields
    ------
    int
        After each move how many are left.
    """
    martians = course.table.martians
    moved: set[Square] = set()
    while number:
        options = list(movable(course, moved))
        if not options:
            return
        here, there = course.ask(who, Question.MARTIAN, options)
        martians.remove(here)
        martians.add(there)
        moved.add(there)
        number -= 1
        yield number


def invade(course: Course) -> None:
    """Roll for the Martians and let the player on turn move them."""
    table = course.table
    if table.moves is None:
        table.moves = course.fall(Chance.MARTIANS, DIE)
    for left in move_martians(course, table.on_turn, table.moves):
        table.moves = left
    table.moves = None


def arrive(course: Course) -> None:
    """Refill the crop circles, and the Mother Ship's tile."""
    table = course.table
    pawns = {seat.at for seat in table.seats} if table.rules.figures is Figures.ANY else set()
    ship = table.mother_ship
    full = ship in table.martians
    for square in reading(table.circles):
        if square not in table.martians and square not in pawns and table.supply:
            course.place_martian(square)
    if ship is None or (table.rules.refill is Refill.ONE and full is not (ship in table.martians)):
        return
    place = place_of(ship)
    free = [
        square
        for square in reading(table.ground.martian)
        if place_of(square) == place and square not in table.martians
    ]
    if free and table.supply:
        course.place_martian(course.ask(table.on_turn, Question.BEAM, free))
