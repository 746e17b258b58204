"""What is in the box, and what a token can be. Source: the rulebook, Contents; Game Setup."""

from __future__ import annotations

from enum import StrEnum

MAP_TILES = 30
FARMS = 4
"""Crop circle tokens, one for each farm tile (Martian Ship Tokens)."""
LIFE_TOKENS = 30
BULLET_TOKENS = 60
ITEM_TOKENS = 18
MARTIANS = 100
PAWNS = 6
HAND = 3
"""Most event cards at the end of a turn (Event Card Rules)."""


class Play(StrEnum):
    """Which of the two games is played (Object of the Game)."""

    NONCOOPERATIVE = "noncooperative"
    COOPERATIVE = "cooperative"

    @property
    def of_each_item(self) -> int:
        """How many tokens of each item are in the game (Contents; Game Setup)."""
        return 3 if self is Play.COOPERATIVE else ITEM_TOKENS // 3


class Token(StrEnum):
    """A token that lies on a square, or that a player has."""

    LIFE = "life"
    BULLET = "bullet"
    FUEL = "fuel"
    FERTILIZER = "fertilizer"
    DYNAMITE = "dynamite"


ITEMS = (Token.FUEL, Token.FERTILIZER, Token.DYNAMITE)


class Circle(StrEnum):
    """What a crop circle token shows."""

    FACE_DOWN = "face-down"
    EMPTY = "empty"
    """Turned over: a crop circle and nothing else."""
    MOTHER_SHIP = "mother-ship"


class Mover(StrEnum):
    """Who takes a step: the two may not enter the same squares."""

    PAWN = "pawn"
    MARTIAN = "martian"
