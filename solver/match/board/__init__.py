"""Races on the board of Martians!!!: small worlds, and the cooperative deadline."""

from solver.match.board.deadline import Deadline, deadline
from solver.match.board.world import SmallWorld, WorldSize, small_world

__all__ = ["Deadline", "SmallWorld", "WorldSize", "deadline", "small_world"]
