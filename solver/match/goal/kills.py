"""Fights without end: how many Martians a player beats before he dies, exactly.

A standing is what is left after a fight; fights only use tokens up, so each standing leads to
itself and to poorer ones, and its equation is linear in its own value under a fixed policy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from solver.errors import GameError
from solver.match.goal.standings import Standings, standings_of
from solver.turn.exact import exact_distribution, solve_exact
from solver.turn.graph import TurnGraph


def endless(
    graph: TurnGraph, after: Callable[[Any], Hashable | None]
) -> tuple[Standings, list[Fraction]]:
    """Return the most expected points of turns played until one ends the match, exactly.

    Parameters
    ----------
    graph
        The turn, with a root for each standing.
    after
        Outcome -> the standing it leads to, None at the end.

    Returns
    -------
    standings, values
        The expected points from each standing.

    Raises
    ------
    GameError
        If a standing can be come back to by way of another one, or need never be left.
    """
    standings = standings_of(graph, after)
    if standings.components[1] > 1:
        raise GameError(f"{graph.game}: standings come back by way of others: not solved exactly")
    points = graph.points.tolist()
    to = standings.after.tolist()
    values: list[Fraction] = [Fraction(-1)] * len(standings)
    for stage in standings.stages:
        order = _poorest_first(graph, standings, stage.tolist())
        for standing in order:
            values[standing] = _own(graph, points, to, values, standing, standings)
    return standings, values


def _poorest_first(graph: TurnGraph, standings: Standings, stage: list[int]) -> list[int]:
    """Return the standings of a stage so that each leads only to earlier ones and itself."""
    reached = {s: _outcomes_below(graph, int(standings.roots[s])) for s in stage}
    leads = {s: {int(standings.after[x]) for x in reached[s]} - {s, -1} for s in stage}
    order: list[int] = []
    placed: set[int] = set(range(len(standings))) - set(stage)
    while len(order) < len(stage):
        ready = [s for s in stage if s not in placed and leads[s] <= placed]
        order += ready
        placed |= set(ready)
    return order


def _outcomes_below(graph: TurnGraph, root: int) -> set[int]:
    found: set[int] = set()
    open_, seen = [root], {root}
    while open_:
        node = open_.pop()
        if node < len(graph.outcomes):
            found.add(node)
        for child in graph.children(node).tolist():
            if child not in seen:
                seen.add(child)
                open_.append(child)
    return found


def _own(
    graph: TurnGraph,
    points: list[int],
    to: list[int],
    values: list[Fraction],
    standing: int,
    standings: Standings,
) -> Fraction:
    """Return a standing's value by policy iteration: the policy, then the linear equation."""
    own = Fraction(0)
    root = int(standings.roots[standing])
    while True:
        ahead = [own if s == standing else (Fraction(0) if s < 0 else values[s]) for s in to]
        best = solve_exact(graph, [p + v for p, v in zip(points, ahead, strict=True)])
        chances = exact_distribution(graph, best.chosen, root)
        stays = sum((c for c, s in zip(chances, to, strict=True) if s == standing), Fraction(0))
        if stays >= 1:
            raise GameError(f"{graph.game}: the match need never end")
        gained = (
            c * (p + (0 if s == standing else v))
            for c, p, v, s in zip(chances, points, ahead, to, strict=True)
        )
        value = sum(gained, Fraction(0)) / (1 - stays)
        if value == own:
            return value
        own = value
