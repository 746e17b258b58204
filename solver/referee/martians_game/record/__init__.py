"""A game as a text: written, read, played again."""

from solver.referee.martians_game.record.replay import replay, resume
from solver.referee.martians_game.record.text import record_text

__all__ = ["record_text", "replay", "resume"]
