"""Standings between turns, where they lead, and the order in which they can be solved.

A standing is a beginning of a turn. One turn leads from it to others, or to the end; standings
that lead to each other form a *component*. What a component leads to is solved before it, so
components are solved in reverse topological order (networkx's condensation).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError
from solver.turn.graph import TurnGraph

Ints = NDArray[np.int64]

_FEW = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """The standings of a game whose turns lead from one to another.

    Parameters
    ----------
    names
        The beginnings of a turn, in the game's order; the first is that of a new match.
    roots
        int64, shape (standings,): the node of each in the turn graph.
    after
        int64, shape (outcomes,): the standing that an outcome leads to, -1 at the end.
    stages
        Standings to be solved together, those first that lead to no later stage: a component of
        several standings is a stage of its own, neighbours of one standing share one, and few
        last ones are solved with the stage before.
    components
        How many components there are, and of how many standings the largest is.
    """

    names: tuple[Any, ...]
    roots: Ints
    after: Ints
    stages: tuple[Ints, ...]
    components: tuple[int, int]

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: Hashable) -> int:
        """Return the number of a standing."""
        return self.names.index(name)


def standings_of(graph: TurnGraph, after: Callable[[Any], Hashable | None]) -> Standings:
    """Return the standings of a game, and the order in which they can be solved.

    Parameters
    ----------
    graph
        The turn, with a root for each standing.
    after
        Outcome -> the standing it leads to, None at the end.

    Raises
    ------
    GameError
        If an outcome leads to something that is no beginning of a turn.
    """
    names = tuple(graph.roots)
    index = {name: i for i, name in enumerate(names)}
    to: list[int] = []
    for outcome in graph.outcomes:
        name = after(outcome)
        if name is not None and name not in index:
            raise GameError(
                f"{graph.game}: the outcome {outcome!r} leads to {name!r}, and no turn begins so",
                rule="the standing after a turn is one of the game's starts()",
            )
        to.append(-1 if name is None else index[name])
    roots = np.array([graph.roots[name] for name in names], dtype=np.int64)
    stages, components = _stages(_reached(graph, to), roots)
    return Standings(names, roots, np.array(to, dtype=np.int64), stages, components)


def _reached(graph: TurnGraph, to: list[int]) -> list[int]:
    """Return for each node the standings that its outcomes can lead to, as the bits of a number."""
    reached = [0 if standing < 0 else 1 << standing for standing in to]
    first, child = graph.first.tolist(), graph.child.tolist()
    for node in range(len(to), graph.nodes):
        bits = 0
        for edge in range(first[node], first[node + 1]):
            bits |= reached[child[edge]]
        reached.append(bits)
    return reached


def _stages(reached: list[int], roots: Ints) -> tuple[tuple[Ints, ...], tuple[int, int]]:
    import networkx as nx  # noqa: PLC0415  only for matches of this kind

    leads: Any = nx.DiGraph()
    leads.add_nodes_from(range(len(roots)))
    for standing, root in enumerate(roots.tolist()):
        bits = reached[root]
        leads.add_edges_from((standing, other) for other in range(len(roots)) if bits >> other & 1)
    condensed = nx.condensation(leads)
    stages: list[list[int]] = []
    alone = False  # whether the last stage is of components of one standing
    sizes = [len(condensed.nodes[c]["members"]) for c in condensed]
    for component in reversed(list(nx.lexicographical_topological_sort(condensed))):
        members = sorted(condensed.nodes[component]["members"])
        if len(members) == 1 and alone:
            stages[-1] += members
        else:
            stages.append(members)
        alone = len(members) == 1
    few = _FEW * len(roots)
    while len(stages) > 1 and len(stages[-1]) < few:  # not worth passes of their own
        last = stages.pop()
        stages[-1] += last
    found = tuple(np.array(sorted(stage), dtype=np.int64) for stage in stages)
    return found, (len(sizes), max(sizes))
