"""should-i-roll: push-your-luck dice games, solved.

The front door. Names are loaded when they are first used, so that ``import solver`` costs next
to nothing.

Examples
--------
>>> import solver
>>> solver.advise("martian-dice", aside="2 tanks, 3 death rays, 4 humans").best.action
'roll'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.advisor import Advice, Advisor, advise
    from solver.advisor.board import advise_board
    from solver.errors import ShouldIRollError
    from solver.games import check_game, game
    from solver.match import MatchSolution, solve_match
    from solver.tablebase import open_tables
    from solver.turn import TurnSolution, compile_turn, evaluate_policy, solve_turn

__version__ = "0.1.0"

_HOME = {
    "Advice": "solver.advisor",
    "Advisor": "solver.advisor",
    "MatchSolution": "solver.match",
    "ShouldIRollError": "solver.errors",
    "TurnSolution": "solver.turn",
    "advise": "solver.advisor",
    "advise_board": "solver.advisor.board",
    "check_game": "solver.games",
    "compile_turn": "solver.turn",
    "evaluate_policy": "solver.turn",
    "game": "solver.games",
    "open_tables": "solver.tablebase",
    "solve_match": "solver.match",
    "solve_turn": "solver.turn",
}

__all__ = [
    "Advice",
    "Advisor",
    "MatchSolution",
    "ShouldIRollError",
    "TurnSolution",
    "advise",
    "advise_board",
    "check_game",
    "compile_turn",
    "evaluate_policy",
    "game",
    "open_tables",
    "solve_match",
    "solve_turn",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'solver' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
