"""Event cards: when one can be played, and what follows.

Source: the rulebook, Event Card Rules; Martians Deck Rules; Turn Sequence 3 and 8.
"""

from __future__ import annotations

from dataclasses import replace

from solver.games.martians.board.components import HAND
from solver.games.martians.cards import Moment, Whose
from solver.referee.martians_game.course import Course
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.steps.effects import apply, can


def draw_up(course: Course, who: int, upto: int = HAND) -> None:
    """Draw event cards until a player has so many in his hand."""
    hand = course.hands[who]
    while len(hand) < upto:
        card = course.events.draw(course, Chance.EVENT)
        if card is None:
            return
        hand.append(card)


def window(course: Course, moment: Moment) -> None:
    """Ask everybody, the player on turn first, whether a card is played at this moment.

    After a card all are asked again, until nobody wants to play.
    """
    table = course.table
    seats, hands = table.seats, course.hands
    again = True
    while again:
        again = False
        for who in table.clockwise():
            if seats[who].played or not hands[who]:
                continue
            options = _playable(course, who, moment)
            if options:
                course.moment = moment
                name = course.ask(who, Question.CARD, (None, *options))
                if name is not None:
                    play(course, who, name)
                    again = True


def _playable(course: Course, who: int, moment: Moment) -> list[str]:
    on_turn = who == course.table.on_turn
    found: list[str] = []
    for name in dict.fromkeys(course.hands[who]):
        card = course.card[name]
        timely = not card.when or moment in card.when
        if (
            timely
            and (card.turn is Whose.ANY or (card.turn is Whose.OWN) is on_turn)
            and any(can(course, who, effect) for effect in card.effects)
        ):
            found.append(name)
    return found


def play(course: Course, who: int, name: str) -> None:
    """Play a card from the hand: it stays in play if it is a weapon, or takes effect."""
    seat = course.seat(who)
    course.hands[who].remove(name)
    seat.played = True
    card = course.card[name]
    if card.weapon is not None:
        seat.weapons.append(name)
        return
    _take_effect(course, who, name)
    course.check_ship()


def turn_up(course: Course, who: int) -> None:
    """Turn up a Martian card: its effect takes place at once; cooperative game."""
    name = course.martian_cards.draw(course, Chance.MARTIAN_CARD)
    if name is None:
        return
    _take_effect(course, who, name, turned_up=True)
    course.check_ship()


def _take_effect(course: Course, who: int, name: str, *, turned_up: bool = False) -> None:
    """Let a card take effect; it is discarded at once, or lies there until all of it is over.

    It is discarded too if the game ends by it: no card of the box gets lost.
    """
    spells = course.table.spells
    before = len(spells)
    try:
        for effect in course.card[name].effects:
            apply(course, who, effect, name, turned_up=turned_up)
    finally:
        lasting = spells[before:]
        if not lasting:
            course.put_away(name)
        longest = max(lasting, key=lambda spell: spell.whole_round, default=None)
        spells[before:] = [
            spell if spell is longest else replace(spell, card=None) for spell in lasting
        ]


def fade(course: Course, *, whole_round: bool) -> None:
    """Discard the cards whose effect is over: this turn's, or those of the player on turn's round.

    Parameters
    ----------
    course
        The game.
    whole_round
        Whether a turn begins, and not ends.
    """
    table = course.table
    kept = []
    for spell in table.spells:
        over = spell.by == table.on_turn if whole_round else True
        if spell.whole_round is whole_round and over:
            if spell.card is not None:
                course.put_away(spell.card)
        else:
            kept.append(spell)
    table.spells = kept


def discard(course: Course, who: int) -> None:
    """Let a player discard one card at the end of his turn, and more than three down to three."""
    if len(course.hands[who]) > HAND:
        keep_three(course, who)
        return
    options = tuple(dict.fromkeys(course.hands[who]))
    name = course.ask(who, Question.DISCARD, (None, *options))
    if name is not None:
        course.hands[who].remove(name)
        course.put_away(name)


def keep_three(course: Course, who: int) -> None:
    """Let a player discard what he has above three cards."""
    hand = course.hands[who]
    while len(hand) > HAND:
        name = course.ask(who, Question.DISCARD, tuple(dict.fromkeys(hand)))
        hand.remove(name)
        course.put_away(name)
