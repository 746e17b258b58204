"""Advice on the board of Martians!!!, from a position file."""

from solver.advisor.board.advise import advise_board
from solver.advisor.board.objectives import OBJECTIVES, BoardReadings

__all__ = ["OBJECTIVES", "BoardReadings", "advise_board"]
