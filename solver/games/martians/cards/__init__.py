"""The cards of Martians!!! as data: event cards, Martian cards, and what they do."""

from solver.games.martians.cards.cards import CARDS_FORMAT, Card, CardSet, Moment, Whose
from solver.games.martians.cards.files import (
    card_departures,
    cards_schema_text,
    read_cards,
    synthetic_cards,
    write_cards,
)

__all__ = [
    "CARDS_FORMAT",
    "Card",
    "CardSet",
    "Moment",
    "Whose",
    "card_departures",
    "cards_schema_text",
    "read_cards",
    "synthetic_cards",
    "write_cards",
]
