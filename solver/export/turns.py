"""A turn as an explicit decision process."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from solver.errors import unknown
from solver.export.model import MAX_STATES, NOBODY, Builder, Choice, Model, merged, spelled
from solver.export.named import Named
from solver.games.check import children_of, walk
from solver.games.protocol import (
    Bank,
    Choose,
    Expansion,
    Game,
    Outcome,
    State,
    default_objective,
    points_of,
    starts_of,
)
from solver.turn.graph import TurnGraph
from solver.turn.objective import Objective, turn_objective


def start_at(game: Game, beginning: Hashable) -> State:
    """Return the state in which a turn begins.

    Parameters
    ----------
    game
        The rules.
    beginning
        Which of its beginnings, or its text; None for the first.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    starts = starts_of(game)
    if beginning is None:
        return next(iter(starts.values()))
    for name, state in starts.items():
        if beginning in (name, spelled(name)):
            return state
    raise unknown("beginning", str(beginning), map(spelled, starts), field="beginning")


def turn_model(
    game: Game,
    objective: str | None = None,
    *,
    beginning: Hashable = None,
    graph: TurnGraph | None = None,
    max_states: int = MAX_STATES,
) -> Model:
    """Return one turn of a game, state by state of its rules.

    Parameters
    ----------
    game
        The rules.
    objective
        What the end of the turn earns: ``"points"``, ``"at-least:N"``, ``"capped:N"`` or one of
        the game's own; by default what the game is played for, or points.
    beginning
        Which of the game's beginnings; None for the first.
    graph
        The compiled turn, to write it node by node instead: states with equal futures are one,
        labelled by one of them.
    max_states
        The most states.

    Raises
    ------
    GameError
        If the rules break the protocol.
    UsageError
        If there is no such objective or beginning.
    TooLargeError
        If there are too many states.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> turn_model(Pig(target=4)).counted()
    {'states': 10, 'choices': 11, 'branches': 16}
    """
    first = start_at(game, beginning)
    order = _reached(game, first)
    outcomes = list(dict.fromkeys(x.outcome for x in order.values() if isinstance(x, Bank)))
    goal = _goal(game, objective, outcomes)
    payoff = {x: goal.sign * int(p) for x, p in zip(outcomes, goal.payoffs, strict=True)}
    build = Builder(f"{game.name}, {goal.name}", max_states)
    number: dict[State, int] = {}
    if graph is None:
        for state, found in order.items():
            number[state] = build.add(state, *_told(found, payoff, number))
        return build.model(number[first], goal.unit, minimise=goal.sign < 0)
    named = Named(game, graph)
    node_number: dict[int, int] = {}
    for node in sorted({graph.node_of[state] for state in order}):
        state = named.state[node]
        seat, choices = _told(game.expand(state), payoff, _Numbered(graph, node_number))
        once = {choice.branches: choice for choice in reversed(list(choices))}
        node_number[node] = build.add(state, seat, list(once.values())[::-1])
    return build.model(node_number[graph.node_of[first]], goal.unit, minimise=goal.sign < 0)


class _Numbered(dict[State, int]):
    """The number of a state is that of its node."""

    def __init__(self, graph: TurnGraph, number: dict[int, int]) -> None:
        super().__init__()
        self._graph, self._number = graph, number

    def __missing__(self, state: State) -> int:
        return self._number[self._graph.node_of[state]]


def _told(
    found: Expansion, payoff: Mapping[Outcome, int], number: Mapping[State, int]
) -> tuple[int, list[Choice]]:
    """Return who decides at a state, and between what."""
    if isinstance(found, Bank):
        return NOBODY, [Choice("end", payoff[found.outcome], ((1, 0),))]
    if isinstance(found, Choose):
        options = found.options.items()
        return 1, [Choice(spelled(action), 0, ((1, number[after]),)) for action, after in options]
    branches = merged((weight, number[after]) for weight, after in found.branches)
    return NOBODY, [Choice("roll", 0, branches)]


def _goal(game: Game, objective: str | None, outcomes: list[Hashable]) -> Objective:
    points = [points_of(game, outcome) for outcome in outcomes]
    if objective is None:
        objective = default_objective(game)
        if objective in getattr(game, "match_objectives", ()):
            objective = "points"
    return turn_objective(objective, outcomes, points, game)


def _reached(game: Game, first: State) -> dict[State, Expansion]:
    """Return the states of a turn that begins so, with what happens there, children first."""
    order = list(walk(game))
    reached = {first}
    for state, found in reversed(order):
        if state in reached:
            reached.update(children_of(found))
    return {state: found for state, found in order if state in reached}
