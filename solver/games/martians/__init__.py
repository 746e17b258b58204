"""Martians!!!: fights, hunts and what lies between them."""

from solver.games.martians.gauntlet import FightOutcome, Gauntlet
from solver.games.martians.hunt import Hunt, HuntOutcome

__all__ = ["FightOutcome", "Gauntlet", "Hunt", "HuntOutcome"]
