"""Martians!!! refereed: the complete game, noncooperative and cooperative, for 1 to 6 players.

Tiles and cards are data; what is on them, positions and records are texts. The players are
objects with a method for each question. Source: the rulebook, all of it.
"""

from solver.referee.martians_game.bots import BOTS, GreedyBot, RandomBot, bot
from solver.referee.martians_game.game import Game, Live, new_game
from solver.referee.martians_game.player import Player, View
from solver.referee.martians_game.questions import Chance, Question
from solver.referee.martians_game.record import record_text, replay, resume
from solver.referee.martians_game.rules import Ending, Result, Rules
from solver.referee.martians_game.tournament import Standings, makers, run_games

__all__ = [
    "BOTS",
    "Chance",
    "Ending",
    "Game",
    "GreedyBot",
    "Live",
    "Player",
    "Question",
    "RandomBot",
    "Result",
    "Rules",
    "Standings",
    "View",
    "bot",
    "makers",
    "new_game",
    "record_text",
    "replay",
    "resume",
    "run_games",
]
