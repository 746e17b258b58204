"""Players of complete games that use the solver: they belong to no referee."""

from solver.apps.players.planner import PLAYERS, PlannerBot

__all__ = ["PLAYERS", "PlannerBot"]
