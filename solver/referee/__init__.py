"""The referee: plays the rules with real dice, as people at a table do.

Nothing is merged, counted together or solved here: every die is rolled, species stay distinct,
and a match is played turn by turn. It is written from the rule sheets alone and shares no code
with the solvers, so that agreement between the two means something.
"""

from solver.referee import alien_crew, martian_dice, martians, pig
from solver.referee.match import MatchResult, Seat, play_match

__all__ = ["MatchResult", "Seat", "alien_crew", "martian_dice", "martians", "pig", "play_match"]
