"""Solving one turn, exactly or in float64."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError, unknown
from solver.games.protocol import Game, Outcome, is_bust
from solver.games.readings import rules_of
from solver.turn.compile import compile_turn
from solver.turn.exact import evaluate_exact, exact_distribution, solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE, distribution_batch, error_bound, evaluate_batch, solve_batch
from solver.turn.objective import Number, Objective, turn_objective
from solver.turn.result import EXACT, Exactness, NodeValues, TurnSolution


def solve_turn(
    game: Game,
    objective: str | Mapping[Outcome, Number] = "points",
    *,
    exact: bool = False,
    beginning: Hashable = None,
    graph: TurnGraph | None = None,
    prefer_points: bool = False,
) -> TurnSolution:
    """Return the best play of one turn.

    Parameters
    ----------
    game
        The rules.
    objective
        ``"points"``, ``"at-least:N"``, ``"capped:N"``, or a mapping outcome -> payoff; where
        fewer points are better ``"points"`` or ``"at-most:N"``.
    exact
        Whether to compute in exact rationals; else in float64 with a proven bound.
    beginning
        Which of the game's beginnings the turn starts from; None for the first or only one.
    graph
        The compiled turn of `game`, if there is one already.
    prefer_points
        In float64: among options of equal value take the one with more expected points, as
        matches do; else the first in canonical order.

    Returns
    -------
    TurnSolution
        Value, every option's value, the distribution of outcomes, mean, variance and bust
        chance under best play; exact ties follow the game's canonical order.

    Raises
    ------
    GameError
        If the rules break the protocol.
    UsageError
        If the objective is not one.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> turn = solve_turn(Pig(), "points", exact=True)
    >>> round(turn.value, 2), round(turn.bust, 4)
    (8.14, 0.6245)
    """
    graph = compile_turn(game) if graph is None else graph
    goal = turn_objective(objective, graph.outcomes, graph.points.tolist(), game)
    if beginning is None:
        root = graph.root
    elif beginning in graph.roots:
        root = graph.roots[beginning]
    else:
        raise unknown("beginning", str(beginning), map(str, graph.roots), field="beginning")
    if exact:
        return _exactly(game, graph, goal, root)
    return _float64(game, graph, goal, root, prefer_points=prefer_points)


def _exactly(game: Game, graph: TurnGraph, goal: Objective, root: int) -> TurnSolution:
    best = solve_exact(graph, goal.payoffs)
    busts = evaluate_exact(graph, [int(is_bust(game, x)) for x in graph.outcomes], best.chosen)
    chances = exact_distribution(graph, best.chosen, root)
    exact = [best.value(node) for node in range(graph.nodes)]
    points = graph.points.tolist()
    mean = sum((c * p for c, p in zip(chances, points, strict=True)), Fraction(0))
    square = sum((c * p * p for c, p in zip(chances, points, strict=True)), Fraction(0))
    table = {x: c for x, c in zip(graph.outcomes, chances, strict=True) if c}
    return TurnSolution(
        game=game.name,
        rules=rules_of(game),
        objective=goal.name,
        unit=goal.unit,
        exactness=EXACT,
        value=float(goal.sign * exact[root]),
        exact=goal.sign * exact[root],
        distribution={x: float(c) for x, c in table.items()},
        exact_distribution=table,
        mean=float(mean),
        variance=float(square - mean * mean),
        bust=float(busts.value(root)),
        graph=graph,
        nodes=NodeValues(
            best.chosen,
            _edges(graph, best.chosen),
            [float(v) for v in exact],
            [float(busts.value(node)) for node in range(graph.nodes)],
            exact,
            0.0,
        ),
        _game=game,
        sign=goal.sign,
    )


def _edges(graph: TurnGraph, chosen: list[int]) -> NDArray[np.int32]:
    """Return the edge by which each decision comes to its chosen child, -1 elsewhere."""
    edges = np.full(graph.nodes, -1, dtype=np.int32)
    for node, child in enumerate(chosen):
        if child >= 0:
            edges[node] = graph.first[node] + int(np.argmax(graph.children(node) == child))
    return edges


def _rounded(payoff: Number) -> float:
    """Return a payoff as a float64.

    Raises
    ------
    UsageError
        If it is too large for one.
    """
    try:
        return float(payoff)
    except OverflowError:
        raise UsageError(
            f"the payoff {str(payoff)[:20]}... is too large for float64",
            remedy="solve exactly, or scale the payoffs down",
            field="objective",
        ) from None


def _float64(
    game: Game, graph: TurnGraph, goal: Objective, root: int, *, prefer_points: bool
) -> TurnSolution:
    payoffs = np.array([[_rounded(p)] for p in goal.payoffs])
    inexact = max(abs(Fraction(p) - Fraction(_rounded(p))) for p in goal.payoffs)
    scale = max(1.0, float(np.abs(payoffs).max()))
    tiebreak = graph.points.astype(np.float64) if prefer_points else None
    batch = solve_batch(graph, payoffs, tiebreak=tiebreak, tolerance=TIE * scale)
    failed = np.array([[float(is_bust(game, x))] for x in graph.outcomes])
    bust = evaluate_batch(graph, failed, batch.chosen)[:, 0]
    chances = distribution_batch(graph, batch.chosen, root)[:, 0]
    points: Any = graph.points
    mean = float(chances @ points)
    value = batch.value[:, 0].tolist()
    edges = batch.chosen[:, 0]
    chosen = [int(graph.child[edge]) if edge >= 0 else -1 for edge in edges.tolist()]
    return TurnSolution(
        game=game.name,
        rules=rules_of(game),
        objective=goal.name,
        unit=goal.unit,
        exactness=Exactness("bounded", scale * error_bound(graph) + float(inexact) * 1.01),
        value=goal.sign * value[root],
        exact=None,
        distribution={
            x: c for x, c in zip(graph.outcomes, chances.tolist(), strict=True) if c > 0.0
        },
        exact_distribution=None,
        mean=mean,
        variance=float(chances @ (points - mean) ** 2),
        bust=float(bust[root]),
        graph=graph,
        nodes=NodeValues(chosen, edges, value, bust.tolist(), None, TIE * scale),
        _game=game,
        sign=goal.sign,
    )
