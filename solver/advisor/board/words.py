"""A plan in words."""

from __future__ import annotations

from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.invaders import Step
from solver.turn.board.options import PlannedOption
from solver.turn.board.route import Route

_AT_THE_END = {
    "fight": "fight there",
    "find": "take the token there",
    "circle": "look at the crop circle there",
    "ship": "be at the Mother Ship",
}
_ACTIONS = {"turn": "turn the circle", "leave": "leave the circle"}


def square(ground: Ground, number: int) -> str:
    """Return a square as people name it."""
    x, y = ground.squares[number]
    return f"{x},{y}"


def action_of(option: PlannedOption) -> str:
    """Return an option as an action: ``go to 4,1``."""
    action = option.action
    return f"go to {action}" if "," in action else _ACTIONS.get(action, action)


def way(ground: Ground, route: Route | None) -> str | None:
    """Return what best play does after an option, None if dice or tokens decide first."""
    if route is None:
        return None
    names = " ".join(square(ground, number) for number in route.squares)
    if route.what == "stop":
        return f"go to {names} and stop" if names else "stop"
    return f"go to {names} and {_AT_THE_END[route.what]}"


def march_action(ground: Ground, step: Step) -> str:
    """Return a Martian's move as an action: ``move 4,1 to 5,1``."""
    return f"move {square(ground, step[0])} to {square(ground, step[1])}"
