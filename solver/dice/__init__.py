"""Dice: faces with integer weights, and what n of them can show."""

from solver.dice.die import Die, Face
from solver.dice.multinomial import multinomial, project

__all__ = ["Die", "Face", "multinomial", "project"]
