"""What players are asked and what chance decides, with the rule behind each."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol


class Question(StrEnum):
    """A decision; it has the name of the method of a player that answers it.

    It is asked only where more than one answer is legal. Squares are (x, y), players are seats
    counted from 1.
    """

    PLACEMENT = "placement"
    """Where the drawn tile is placed: (column, row, quarter turns)."""
    LAY = "lay"
    """On which squares of a building its tokens lie: a tuple of squares."""
    ARM = "arm"
    """Which weapon is used in the fight: a card's name, or None for bare hands."""
    PAY = "pay"
    """What is done about a losing roll: spend, reroll or forfeit."""
    STEP = "step"
    """The square to move to, or None to stop."""
    TURN_OVER = "turn_over"
    """Whether a crop circle token is turned over."""
    MARTIAN = "martian"
    """Which Martian moves where: (from, to)."""
    BEAM = "beam"
    """On which square of the Mother Ship's tile a Martian arrives."""
    CARD = "card"
    """Which card is played now, by name, or None."""
    TARGET = "target"
    """Which player a card is about: his seat."""
    SPACE = "space"
    """On which square a card places a Martian."""
    REMOVAL = "removal"
    """Which Martian a card takes off the map: its square."""
    BUILDING = "building"
    """Which building a searchlight shines into: (column, row, letter)."""
    DISCARD = "discard"
    """Which event card is discarded, by name, or None."""


class Chance(StrEnum):
    """Something that chance decides."""

    TILE = "tile"
    EVENT = "event card"
    MARTIAN_CARD = "martian card"
    MOVEMENT = "movement"
    COMBAT = "combat"
    MARTIANS = "martians"
    ATTACK = "attack"
    TOKEN = "token"  # noqa: S105  a piece of cardboard
    ITEM = "item"
    CIRCLE = "crop circle"
    BESIDE = "mother ship"


RULES: dict[str, str] = {
    Question.PLACEMENT: "Placing Map Tiles 1: all roads connected, none blocked",
    Question.LAY: "Placing Map Tiles 2: face-down inside the building, one token a square",
    Question.ARM: "Additional Rules 3: one weapon may be used in a fight",
    Question.PAY: "Combat Rules 2: forfeit a life token or spend enough bullet tokens",
    Question.STEP: "Player Movement Rules 2, 3, 6: over a white line or by a road, or stop",
    Question.TURN_OVER: "Martian Ship Tokens 2: the token may be turned over",
    Question.MARTIAN: "Martian Movement Rules 1 to 3: each one space, to one without a Martian",
    Question.BEAM: "Martian Ship Tokens 4: one Martian, on a free space of the tile",
    Question.CARD: "Event Card Rules 1, 2: at the times the card says, one in a round",
    Question.TARGET: "Additional Rules 4: other players only by a card's effect",
    Question.SPACE: "Martian Movement Rules 3: one Martian on a space",
    Question.REMOVAL: "Event Card Rules: a Martian that is on the map",
    Question.BUILDING: "Additional Rules 7: where the searchlight can give no duplicate",
    Question.DISCARD: "Event Card Rules 3, 4: one may be discarded; three at most are kept",
    Chance.TILE: "Turn Sequence Overview 1: a tile that is in the deck",
    Chance.EVENT: "Turn Sequence Overview 3: a card that is in the deck",
    Chance.MARTIAN_CARD: "Martians Deck Rules 1: a card that is in the deck",
    Chance.MOVEMENT: "Turn Sequence Overview 4: a six-sided die",
    Chance.COMBAT: "Combat Rules 2: a six-sided die",
    Chance.MARTIANS: "Turn Sequence Overview 6: a six-sided die",
    Chance.ATTACK: "Additional Rules 4: a six-sided die",
    Chance.TOKEN: "Placing Map Tiles 2: one of the building's face-down tokens",
    Chance.ITEM: "Game Setup: an item token that nobody has seen",
    Chance.CIRCLE: "Martian Ship Tokens 2: one of the four is the Mother Ship",
    Chance.BESIDE: "Placing Map Tiles 5: the Mother Ship is on the map, or beside it",
}

_MOST_SHOWN = 6


class Source(Protocol):
    """Where decisions and chances come from: players and dice, or the record of a game."""

    def begin(self, turn: int, seat: int) -> None:
        """Hear that a turn begins."""

    def choose(self, question: Question, seat: int, options: Sequence[Any], moment: str) -> Any:
        """Return which of two options or more the player at a seat (from 1) chooses."""

    def fall(self, chance: Chance, pool: Sequence[Any]) -> Any:
        """Return one of a pool, each entry as likely as any other."""


def shown(options: Sequence[Any]) -> str:
    """Return the first of the options, in words."""
    some = ", ".join(map(str, options[:_MOST_SHOWN]))
    return some + (", ..." if len(options) > _MOST_SHOWN else "")
