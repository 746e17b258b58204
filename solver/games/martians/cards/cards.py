"""A card and a set of cards. Source: the rulebook, Contents; Martians Deck; Event Card Rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from solver.games.martians.board.files.records import Name, Words
from solver.games.martians.cards.effects import Effect, Weapon

CardsFormat = Literal["martians-cards-1"]
CARDS_FORMAT: CardsFormat = "martians-cards-1"
EVENT_CARDS = 40
MARTIAN_CARDS = 30


class Moment(StrEnum):
    """When a card can be played: before a step of the Turn Sequence, or within one."""

    START = "start"
    """Before step 1: a tile is drawn."""
    PLACED = "placed"
    """After step 1, before step 2."""
    COMBAT = "combat"
    """In a fight: before a combat roll, and before a losing roll is paid."""
    ROLL = "roll"
    """Before step 4: the movement roll."""
    MOVING = "moving"
    """In step 5, before a move, and when the moves are used up."""
    MARTIANS = "martians"
    """Before step 6: Martians are moved."""
    END = "end"
    """Before step 8: a card is discarded."""


class Whose(StrEnum):
    """On whose turn a card can be played."""

    ANY = "any"
    OWN = "own"
    OTHERS = "others"


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card, as often as it is in its deck."""

    name: Annotated[Name, Meta(description="a name of small letters, digits and dashes")]
    title: Annotated[Words, Meta(description="the name printed on it")]
    effects: Annotated[
        tuple[Effect, ...],
        Meta(min_length=1, max_length=4, description="what it does, in this order"),
    ]
    copies: Annotated[int, Meta(ge=1, le=99, description="how many there are, 1 to 99")] = 1
    when: Annotated[
        tuple[Annotated[Moment, Meta(description=f"one of {', '.join(Moment)}")], ...],
        Meta(
            max_length=len(Moment),
            description="the moments at which it may be played; left out: at any time",
        ),
    ] = ()
    turn: Annotated[
        Whose, Meta(description="on whose turn it may be played: any, own or others")
    ] = Whose.ANY

    @property
    def weapon(self) -> Weapon | None:
        """The weapon that it is, if it is one."""
        return next((effect for effect in self.effects if isinstance(effect, Weapon)), None)


class CardSet(Struct, frozen=True, forbid_unknown_fields=True):
    """The event cards and the Martian cards of a box."""

    format: Annotated[CardsFormat, Meta(description="martians-cards-1")]
    name: Name
    about: Annotated[Words, Meta(description="where the cards come from")]
    events: Annotated[tuple[Card, ...], Meta(max_length=200, description="the event cards")]
    martians: Annotated[tuple[Card, ...], Meta(max_length=200, description="the Martian cards")]

    def by_name(self) -> dict[str, Card]:
        """Return every card by its name."""
        return {card.name: card for card in (*self.events, *self.martians)}


def names(cards: tuple[Card, ...]) -> list[str]:
    """Return the names of cards, each as often as there are copies."""
    return [card.name for card in cards for _ in range(card.copies)]
