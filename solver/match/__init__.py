"""Matches: games on boundary states, between turns."""

from solver.match.result import MatchSolution
from solver.match.solve import solve_match

__all__ = ["MatchSolution", "solve_match"]
