"""Best play of movements on the board of Martians!!!, by grids over life and bullet tokens."""

from solver.turn.board.estimate import Size, refuse_large, size_of
from solver.turn.board.follow import Follower
from solver.turn.board.march import March, plan_march
from solver.turn.board.options import BoardPlan, PlannedOption
from solver.turn.board.plan import Movement, plan_movement
from solver.turn.board.route import Route

__all__ = [
    "BoardPlan",
    "Follower",
    "March",
    "Movement",
    "PlannedOption",
    "Route",
    "Size",
    "plan_march",
    "plan_movement",
    "refuse_large",
    "size_of",
]
