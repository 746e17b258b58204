"""Matches between policies, computed."""

from solver.policies.arena.matches import Arena, PolicyMatch
from solver.policies.arena.tournament import Tournament, run_tournament

__all__ = ["Arena", "PolicyMatch", "Tournament", "run_tournament"]
