"""Steps 2, 4 and 5: the fight where the pawn stands, the movement roll, and the moves.

Source: the rulebook, Turn Sequence 2, 4, 5; Player Movement Rules; Martian Ship Tokens 2;
Martians Deck Rules 1.
"""

from __future__ import annotations

from solver.games.martians.board.components import Circle
from solver.games.martians.cards import Moment
from solver.referee.martians_game.course import DIE, Course
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.steps.fighting import fight
from solver.referee.martians_game.steps.finding import take, turn_circle
from solver.referee.martians_game.steps.hands import turn_up, window


def fight_here(course: Course) -> None:
    """Fight the Martian on the square where the player on turn begins."""
    table = course.table
    if table.seats[table.on_turn].at in table.martians:
        fight(course, table.on_turn)
        course.check_ship()


def roll_movement(course: Course) -> int:
    """Return the moves of this turn: a die and the life tokens held now, and what cards add."""
    table = course.table
    lives = table.seats[table.on_turn].lives
    return max(0, course.fall(Chance.MOVEMENT, DIE) + lives + course.extra)


def move(course: Course) -> None:
    """Move the pawn square by square until the player stops, has no moves, or is dead.

    Cards can be played before every move, and when the moves are used up: one may give more.
    """
    table = course.table
    who = table.on_turn
    seat = table.seats[who]
    while table.moves is not None and not course.down:
        window(course, Moment.MOVING)
        if not table.moves or course.down:
            return
        near = table.ground.pawn[seat.at]
        to = course.ask(who, Question.STEP, (None, *sorted(near)))
        if to is None:
            return
        seat.at = to
        table.moves -= 1
        _enter(course, who)


def enter_again(course: Course) -> None:
    """Go on where a game was left in step 5: the fight on the pawn's square is still to come."""
    table = course.table
    if table.seats[table.on_turn].at in table.martians:
        _enter(course, table.on_turn)


def _enter(course: Course, who: int) -> None:
    """Do what a square asks for: fight first, then find what lies there."""
    table = course.table
    seat = table.seats[who]
    at = seat.at
    if at in table.martians and (not fight(course, who) or seat.at != at):
        return
    take(course, who, at)
    if table.circles.get(at) is Circle.FACE_DOWN and course.ask(
        who, Question.TURN_OVER, (True, False)
    ):
        turn_circle(course, at)
    if table.rules.together and at in table.ground.icons:
        turn_up(course, who)
    course.check_ship()
