"""Matches in which the first to reach a goal wins, and standings can fall as well as rise."""

from solver.match.goal.solve import solve_alone, solve_goal_race

__all__ = ["solve_alone", "solve_goal_race"]
