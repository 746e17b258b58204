"""One turn: compiled to a graph, solved for a payoff."""

from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.policy import evaluate_policy
from solver.turn.result import Exactness, TurnSolution
from solver.turn.solve import solve_turn

__all__ = [
    "Exactness",
    "TurnGraph",
    "TurnSolution",
    "compile_turn",
    "evaluate_policy",
    "solve_turn",
]
