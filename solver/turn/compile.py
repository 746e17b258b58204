"""Compiling rules to a turn graph.

The walk goes through the turn with an explicit stack and yields children before parents; each
state becomes a node by hash-consing. Temporary numbers are given in that order, and final ones
by level and kind, so that a run of equal work is contiguous in memory.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import gcd
from typing import Any

import numpy as np

from solver.errors import TooLargeError
from solver.games.check import MAX_STATES, walk
from solver.games.protocol import Bank, Choose, Game, State, points_of, starts_of
from solver.turn.graph import CHANCE, DECISION, OUTCOME, TurnGraph, digest_of

MAX_NODES = 4_000_000
MAX_EDGES = 60_000_000
_INT64_MAX = 2**63 - 1


def compile_turn(
    game: Game,
    *,
    max_states: int = MAX_STATES,
    max_nodes: int = MAX_NODES,
    max_edges: int = MAX_EDGES,
) -> TurnGraph:
    """Compile a turn of `game` to a graph.

    Parameters
    ----------
    game
        The rules.
    max_states, max_nodes, max_edges
        Limits of the walk and of the graph.

    Returns
    -------
    TurnGraph
        The graph, the same in every run.

    Raises
    ------
    GameError
        If the rules break the protocol.
    TooLargeError
        If a limit is passed.
    """
    nodes = _Nodes(game.name, max_nodes, max_edges)
    node_of: dict[State, int] = {}
    for state, expansion in walk(game, max_states=max_states):
        if isinstance(expansion, Bank):
            node_of[state] = nodes.outcome(expansion.outcome)
        elif isinstance(expansion, Choose):
            node_of[state] = nodes.decision([node_of[s] for s in expansion.options.values()])
        else:
            node_of[state] = nodes.chance([(node_of[s], w) for w, s in expansion.branches])
    roots = {name: node_of[state] for name, state in starts_of(game).items()}
    return nodes.finish(game, roots, node_of)


def _width(kind: int, content: Any) -> int:
    """Return the number of a decision's options, which those of one block share."""
    return len(content) if kind == DECISION else 0


class _Nodes:
    """Hash-consed nodes under temporary numbers."""

    def __init__(self, game: str, max_nodes: int, max_edges: int) -> None:
        self.game, self.max_nodes, self.max_edges = game, max_nodes, max_edges
        self.number: dict[tuple[int, Any], int] = {}
        self.level: list[int] = []
        self.edges = 0

    def outcome(self, outcome: Hashable) -> int:
        return self._intern(OUTCOME, outcome, 0, 0)

    def decision(self, children: list[int]) -> int:
        distinct = tuple(dict.fromkeys(children))
        if len(distinct) == 1:
            return distinct[0]
        level = 1 + max(self.level[c] for c in distinct)
        return self._intern(DECISION, distinct, level, len(distinct))

    def chance(self, branches: list[tuple[int, int]]) -> int:
        merged: dict[int, int] = {}
        for child, weight in branches:
            merged[child] = merged.get(child, 0) + weight
        if len(merged) == 1:
            return next(iter(merged))
        common = gcd(*merged.values())
        key = tuple(sorted((child, weight // common) for child, weight in merged.items()))
        level = 1 + max(self.level[c] for c in merged)
        return self._intern(CHANCE, key, level, len(key))

    def _intern(self, kind: int, content: Any, level: int, edges: int) -> int:
        found = self.number.get((kind, content))
        if found is not None:
            return found
        self.edges += edges
        if len(self.level) >= self.max_nodes or self.edges > self.max_edges:
            raise TooLargeError(
                f"{self.game}: the turn graph passes {len(self.level)} nodes and"
                f" {self.edges} edges (limits {self.max_nodes} and {self.max_edges})",
                remedy="merge equivalent positions into equal states, or raise the limits",
            )
        self.number[kind, content] = len(self.level)
        self.level.append(level)
        return len(self.level) - 1

    def finish(
        self, game: Game, roots: dict[Hashable, int], node_of: dict[State, int]
    ) -> TurnGraph:
        content = list(self.number)

        def place(old: int) -> tuple[int, int, int, int]:
            kind, what = content[old]
            rank = points_of(game, what) if kind == OUTCOME else _width(kind, what)
            return self.level[old], kind, rank, old

        order = sorted(range(len(content)), key=place)
        new = {old: i for i, old in enumerate(order)}
        outcomes = tuple(what for kind, what in (content[old] for old in order) if kind == OUTCOME)
        child: list[int] = []
        weight: list[int] = []
        total: list[int] = []
        probability: list[float] = []
        first = [0]
        blocks: list[tuple[int, int, int]] = []
        mark: tuple[int, int, int] | None = None
        for i, old in enumerate(order):
            kind, what = content[old]
            if (self.level[old], kind, _width(kind, what)) != mark:
                mark = (self.level[old], kind, _width(kind, what))
                blocks.append((i, i, kind))
            blocks[-1] = (blocks[-1][0], i + 1, kind)
            whole = 0
            if kind == DECISION:
                child.extend(new[c] for c in what)
                weight.extend(0 for _ in what)
                probability.extend(1.0 for _ in what)
            elif kind == CHANCE:
                edges = sorted((new[c], w) for c, w in what)
                whole = sum(w for _, w in edges)
                child.extend(c for c, _ in edges)
                weight.extend(w for _, w in edges)
                probability.extend(w / whole for _, w in edges)
            total.append(whole)
            first.append(len(child))
        integer: Any = np.int64 if max(total, default=0) <= _INT64_MAX else object
        kinds = np.array([content[old][0] for old in order], dtype=np.uint8)
        arrays = (
            np.array([points_of(game, x) for x in outcomes], dtype=np.int64),
            kinds,
            np.array(first, dtype=np.int32),
            np.array(child, dtype=np.int32),
            np.array(weight, dtype=integer),
            np.array(total, dtype=integer),
        )
        prob = np.array(probability, dtype=np.float64)
        for array in (*arrays, prob):
            array.flags.writeable = False
        final_roots = {name: new[old] for name, old in roots.items()}
        final_nodes = {state: new[old] for state, old in node_of.items()}
        return TurnGraph(
            game.name,
            outcomes,
            *arrays,
            prob,
            tuple(blocks),
            final_roots,
            final_nodes,
            digest_of(outcomes, arrays, final_roots, final_nodes),
        )
