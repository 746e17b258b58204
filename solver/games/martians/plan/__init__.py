"""A movement on the board of Martians!!!, as rules, and what it can be played for."""

from solver.games.martians.plan.ground import AtFive, Ground, ground_of
from solver.games.martians.plan.outcome import (
    BoardOutcome,
    Payoff,
    after_turn,
    boarding,
    most_items,
    most_martians,
    most_tokens,
    reaching,
    survival,
)
from solver.games.martians.plan.turn import BoardTurn

__all__ = [
    "AtFive",
    "BoardOutcome",
    "BoardTurn",
    "Ground",
    "Payoff",
    "after_turn",
    "boarding",
    "ground_of",
    "most_items",
    "most_martians",
    "most_tokens",
    "reaching",
    "survival",
]
