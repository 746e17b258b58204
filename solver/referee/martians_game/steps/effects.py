"""What cards do, and whether they can do it now.

Source: the rulebook, Event Card Rules; Martians Deck Rules; Additional Rules 4, 5, 7. The kinds of
effects are those of the card files.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from solver.games.martians.board.components import ITEMS, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.cards.effects import (
    Attack,
    Combat,
    Draw,
    Effect,
    Move,
    Place,
    Remove,
    Searchlight,
    Squares,
    Tokens,
    Weapon,
)
from solver.games.martians.combat import MOST_TOKENS
from solver.referee.martians_game.course import DIE, Course
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.steps.dying import lose_lives
from solver.referee.martians_game.steps.finding import reveal, take
from solver.referee.martians_game.steps.invaders import movable, move_martians
from solver.referee.martians_game.table import Spell
from solver.referee.martians_game.table.ground import Building, reading


def can(course: Course, who: int, effect: Effect) -> bool:
    """Return whether an effect of a card from a player's hand would do anything now."""
    table = course.table
    seat = table.seats[who]
    if isinstance(effect, Weapon):
        # one copy of each weapon
        return all(course.card[name].weapon != effect for name in seat.weapons)
    if isinstance(effect, Squares):
        on_turn = who == table.on_turn
        ahead = table.step < 5 or (table.step == 5 and (effect.number > 0 or bool(table.moves)))
        return (effect.who == "self") is on_turn and ahead and not course.down
    if isinstance(effect, Place):
        if not table.supply:
            return False
        if effect.where == "anywhere":
            return len(table.martians) < len(table.ground.martian)
        return any(_free(course, _beside(course, other)) for other in _others(course, who))
    if isinstance(effect, Remove):
        return bool(_there(course, who, effect))
    if isinstance(effect, Move):
        return next(movable(course), None) is not None
    if isinstance(effect, Tokens):
        return any(_changes(course, one, effect) for one in _about(course, who, effect.who))
    if isinstance(effect, Attack):
        return bool(_in_reach(course, who, effect))
    if isinstance(effect, Searchlight):
        return bool(_lit(course, who))
    if isinstance(effect, Draw):
        return who == table.on_turn and bool(course.events.deck or course.events.discarded)
    return bool(_about(course, who, effect.who))


def apply(course: Course, who: int, effect: Effect, card: str, *, turned_up: bool = False) -> None:
    """Let an effect take place, as far as it can.

    Parameters
    ----------
    course
        The game.
    who
        The index of the player who plays the card, or on whose turn it is turned up.
    effect
        The effect.
    card
        The card's name.
    turned_up
        Whether it is a Martian card of the cooperative game: the victim is the player on turn.
    """
    table = course.table
    if isinstance(effect, Squares):
        if table.moves is not None and table.step == 5:
            table.moves = max(0, table.moves + effect.number)
        else:
            course.extra += effect.number
    elif isinstance(effect, Place):
        squares: Iterable[Square] = table.ground.martian
        if effect.where == "beside":
            around = [
                other
                for other in ([who] if turned_up else _others(course, who))
                if _free(course, _beside(course, other))
            ]
            if not around:
                return
            squares = _beside(course, _target(course, who, around))
        for _ in range(effect.number):
            free = _free(course, squares)
            if not free or not table.supply:
                return
            course.place_martian(course.ask(who, Question.SPACE, free))
    elif isinstance(effect, Remove):
        for _ in range(effect.number):
            there = _there(course, who, effect)
            if not there:
                return
            course.remove_martian(course.ask(who, Question.REMOVAL, there))
    elif isinstance(effect, Move):
        deque(move_martians(course, who, effect.number), maxlen=0)
    elif isinstance(effect, Tokens):
        for one in _meant(course, who, effect, turned_up=turned_up):
            _hand_over(course, one, effect)
    elif isinstance(effect, Attack):
        reach = _in_reach(course, who, effect)
        if reach:
            victim = _target(course, who, reach)
            if course.fall(Chance.ATTACK, DIE) >= effect.needs:
                lose_lives(course, victim, effect.lives)
    elif isinstance(effect, Searchlight):
        _shine(course, who)
    elif isinstance(effect, Draw):
        for _ in range(effect.number):
            drawn = course.events.draw(course, Chance.EVENT)
            if drawn is not None:
                course.hands[who].append(drawn)
    elif isinstance(effect, Combat):
        whom = frozenset(_meant(course, who, effect, turned_up=turned_up))
        table.spells.append(Spell(card, who, whom, effect.bonus, effect.lasts == "round"))


# --- whom it is about


def _others(course: Course, who: int) -> list[int]:
    """Return the other players whom a card can be about: the dead are left alone."""
    return [i for i, seat in enumerate(course.table.seats) if i != who and not seat.fallen]


def _about(course: Course, who: int, word: str) -> list[int]:
    if word == "victim":
        return _others(course, who)
    own = [] if course.seat(who).fallen else [who]
    return own if word == "self" else own + _others(course, who)


def _meant(course: Course, who: int, effect: Tokens | Combat, *, turned_up: bool) -> list[int]:
    """Return whom an effect is about: a victim is chosen, or is the player on turn."""
    if effect.who != "victim":
        return _about(course, who, effect.who)
    if turned_up:
        return _about(course, who, "self")
    others = _others(course, who)
    if isinstance(effect, Tokens):
        others = [one for one in others if _changes(course, one, effect)]
    return [_target(course, who, others)] if others else []


def _target(course: Course, who: int, whom: list[int]) -> int:
    return course.ask(who, Question.TARGET, tuple(one + 1 for one in whom)) - 1


def _in_reach(course: Course, who: int, effect: Attack) -> list[int]:
    others = _others(course, who)
    if not effect.near:
        return others
    at = course.seat(who).at
    near = {at, *course.table.ground.pawn[at]}
    return [one for one in others if course.seat(one).at in near]


# --- tokens


def _changes(course: Course, who: int, effect: Tokens) -> bool:
    seat, bank = course.seat(who), course.table.bank
    return any(
        (number > 0 and has < MOST_TOKENS and bank[token] > 0) or (number < 0 and has > 0)
        for number, has, token in (
            (effect.lives, seat.lives, Token.LIFE),
            (effect.bullets, seat.bullets, Token.BULLET),
        )
    )


def _hand_over(course: Course, who: int, effect: Tokens) -> None:
    if effect.bullets > 0:
        course.gain(who, Token.BULLET, effect.bullets)
    else:
        course.pay(who, Token.BULLET, -effect.bullets)
    if effect.lives > 0:
        course.gain(who, Token.LIFE, effect.lives)
    elif effect.lives < 0:
        lose_lives(course, who, -effect.lives)


# --- Martians


def _beside(course: Course, who: int) -> list[Square]:
    return course.table.ground.martian[course.seat(who).at]


def _free(course: Course, squares: Iterable[Square]) -> list[Square]:
    martians = course.table.martians
    return reading(square for square in squares if square not in martians)


def _there(course: Course, who: int, effect: Remove) -> list[Square]:
    martians = course.table.martians
    if effect.where == "anywhere":
        return reading(martians)
    at = course.seat(who).at
    return reading(square for square in (at, *_beside(course, who)) if square in martians)


# --- the searchlight


def _lit(course: Course, who: int) -> list[Building]:
    """Return the buildings with a face-down item that need not be a duplicate."""
    table = course.table
    if not any(table.unseen[item] for item in table.items_lacked(who)):
        return []
    return sorted(building for building, group in table.hidden.items() if group.items)


def _shine(course: Course, who: int) -> None:
    """Turn over the tokens of a building; its item is taken, unless that gives a duplicate."""
    lit = _lit(course, who)
    if not lit:
        return
    table = course.table
    building = course.ask(who, Question.BUILDING, lit)
    for square in list(table.hidden[building].squares):
        if reveal(course, square) in ITEMS:
            take(course, who, square)
