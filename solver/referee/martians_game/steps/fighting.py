"""A fight with a real die. Source: the rulebook, Combat Rules; Additional Rules 3.

Out of life tokens is dead at once, or after one more roll (reading `last-life`). Cards can be
played before the first roll and after each losing one.
"""

from __future__ import annotations

from solver.games.martians.board.components import Token
from solver.games.martians.cards import Moment
from solver.games.martians.combat import LastLife
from solver.referee.martians_game.course import DIE, Course, Fight
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.steps.dying import die
from solver.referee.martians_game.steps.hands import window

ENOUGH = 4
"""The roll, what is added to it and the bullets spent must come to this."""


def fight(course: Course, who: int) -> bool:
    """Fight the Martian on a player's square; return whether he is alive.

    The fight is over when the player has it or is dead, or when a card takes one of them away.
    """
    at = course.seat(who).at
    course.fight = None
    window(course, Moment.COMBAT)
    if not _goes_on(course, who):
        return not course.down
    weapon, bonus, rerolls = _arm(course, who)
    while True:
        roll = course.fall(Chance.COMBAT, DIE)
        short = ENOUGH - roll - bonus - course.table.combat_bonus(who)
        if short > 0:
            course.fight = Fight(roll, short, rerolls, weapon)
            window(course, Moment.COMBAT)
            course.fight = None
            if not _goes_on(course, who):
                return not course.down
            short = ENOUGH - roll - bonus - course.table.combat_bonus(who)
        if short <= 0:
            break
        answer = _answer(course, who, Fight(roll, short, rerolls, weapon))
        if answer == "spend":
            course.pay(who, Token.BULLET, short)
            break
        if answer == "reroll":
            rerolls -= 1
        elif not _forfeit(course, who):
            return False
    course.collect(who, at)
    return True


def _goes_on(course: Course, who: int) -> bool:
    return not course.down and course.seat(who).at in course.table.martians


def _arm(course: Course, who: int) -> tuple[str | None, int, int]:
    held = course.seat(who).weapons
    name = course.ask(who, Question.ARM, (*held, None)) if held else None
    weapon = None if name is None else course.card[name].weapon
    return (name, weapon.bonus, weapon.rerolls) if weapon else (None, 0, 0)


def _answer(course: Course, who: int, lost: Fight) -> str:
    spend = ["spend"] if course.seat(who).bullets >= lost.short else []
    again = ["reroll"] if lost.rerolls else []
    course.fight = lost
    answer = course.ask(who, Question.PAY, (*spend, *again, "forfeit"))
    course.fight = None
    return answer


def _forfeit(course: Course, who: int) -> bool:
    """Forfeit a life token; return whether the player is alive."""
    seat = course.seat(who)
    one_more = course.rules.last_life is LastLife.ONE_MORE_ROLL
    dead = not seat.lives
    course.pay(who, Token.LIFE, 1)
    if dead or (not seat.lives and not one_more):
        die(course, who)
        return False
    return True
