"""Rules only: the protocol, and a file for each game."""

from solver.games.check import check_game
from solver.games.files import game
from solver.games.protocol import Bank, Choose, Game, Roll, ScoreRace

__all__ = ["Bank", "Choose", "Game", "Roll", "ScoreRace", "check_game", "game"]
