r"""The turn graph, laid out for the batch kernel.

Two things decide how fast a backward pass is: how much memory a value travels through, and how
many loads each edge costs. Most decisions are seen only by chances (a roll, then a choice), and
many of them by exactly the same chances. Such *siblings* are one block: their values go into a
small scratch area that stays in the nearest cache, and are at once added to all their parents,

.. math:: V(c) \mathrel{+}= \sum_i p_{ci} \max_o V(o_i),

a dense product with no index per edge. Nothing else ever reads them. All other nodes have a
*slot*, a row of lanes. The whole graph of Martian Dice then works in about 100 kB.

Blocks are ordered by level, so that each reads only what is complete. A block holds either

* decisions with two, with three, and with more options, whose values go to consecutive rows;
  if they are siblings, their parents follow, by fours, pairs and single ones; or
* chances with consecutive slots and the edges that no sibling brings them, padded to a multiple
  of four with edges of probability zero.

Within a block decisions are shuffled (by the golden ratio), for neighbours like to share an
option, and the forward pass would wait for its own last addition.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.turn.graph import CHANCE, DECISION, TurnGraph

# Columns of `Prepared.blocks`: row of the first decision; how many have two, three and more
# options; where options, choices, parents or chance edges, and probabilities begin; how many
# fours, pairs and single parents; how many chances, and the first one's slot.
(
    ROW,
    TWOS,
    THREES,
    MORES,
    OPTIONS,
    CHOICES,
    PARENTS,
    SHARES,
    FOURS,
    PAIRS,
    SINGLES,
    CHANCES,
    CHANCE_SLOT,
) = range(13)

FEWEST_SIBLINGS = 4
"""Smaller groups are cheaper as slots of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A turn graph in the kernel's layout. Arrays are read-only.

    Parameters
    ----------
    graph
        The turn.
    blocks
        int64, shape (blocks, 13): see the module.
    index
        uint16 or uint32: rows and counts, in the order in which the kernel reads them.
    probability
        float64: probabilities of chance edges, in that order.
    slots
        Number of slots: outcomes, chances and decisions with a row of their own.
    rows
        Number of rows, with the scratch area.
    choices
        Number of sets of lanes that a policy takes: for each decision its options less one.
    slot
        int32, shape (graph nodes,): the slot of a node, -1 if it has none.
    chance_nodes
        int32: the chances that a root can reach, as nodes of the graph.
    """

    graph: TurnGraph
    blocks: NDArray[np.int64]
    index: NDArray[Any]
    probability: NDArray[np.float64]
    slots: int
    rows: int
    choices: int
    slot: NDArray[np.int32]
    chance_nodes: NDArray[np.int32]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that a pass reads."""
        return self.blocks.nbytes + self.index.nbytes + self.probability.nbytes


def prepare(graph: TurnGraph) -> Prepared:
    """Lay out the part of a turn graph that its roots can reach.

    Parameters
    ----------
    graph
        The turn.

    Returns
    -------
    Prepared
        The same in every run.
    """
    return _Layout(graph).finish()


class _Layout:
    def __init__(self, graph: TurnGraph) -> None:
        self.graph = graph
        self.outcomes = len(graph.outcomes)
        first, child = graph.first.tolist(), graph.child.tolist()
        self.children: list[list[int]] = [
            child[low:high] for low, high in zip(first, first[1:], strict=False)
        ]
        chance = graph.probability.tolist()
        self.chances = [chance[low:high] for low, high in zip(first, first[1:], strict=False)]
        self.kind = graph.kind.tolist()
        self.inner = self._reachable()
        self.families, self.family_of = self._families()
        self.index: list[int] = []
        self.shares: list[float] = []
        self.choices = 0
        self.slot = [-1] * graph.nodes

    def _reachable(self) -> list[int]:
        reached = [False] * self.graph.nodes
        for root in self.graph.roots.values():
            reached[root] = True
        for node in range(self.graph.nodes - 1, -1, -1):
            if reached[node]:
                for c in self.children[node]:
                    reached[c] = True
        return [i for i in range(self.outcomes, self.graph.nodes) if reached[i]]

    def _families(self) -> tuple[list[tuple[tuple[int, ...], list[int]]], dict[int, int]]:
        """Return groups of siblings with their parents, and the group of each of them."""
        parents: list[list[int]] = [[] for _ in range(self.graph.nodes)]
        for node in self.inner:
            for c in self.children[node]:
                parents[c].append(node)
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        roots = set(self.graph.roots.values())
        for node in self.inner:
            above = parents[node]
            if self.kind[node] == DECISION and node not in roots:
                if all(self.kind[p] == CHANCE for p in above):
                    groups[tuple(above)].append(node)
        families = [
            (p, members) for p, members in groups.items() if len(members) >= FEWEST_SIBLINGS
        ]
        return families, {d: i for i, (_, members) in enumerate(families) for d in members}

    def _levels(self) -> tuple[dict[int, int], list[int]]:
        """Return the level of each node with a slot, and of each family."""
        level = dict.fromkeys(range(self.outcomes), 0)
        family = [0] * len(self.families)
        for node in self.inner:
            below = 1 + max(
                family[self.family_of[c]] if c in self.family_of else level[c]
                for c in self.children[node]
            )
            if node in self.family_of:
                mine = self.family_of[node]
                family[mine] = max(family[mine], below)
            else:
                level[node] = below
        return level, family

    def finish(self) -> Prepared:
        level, family_level = self._levels()
        slotted = [node for node in self.inner if node not in self.family_of]
        runs: dict[tuple[int, int], list[int]] = defaultdict(list)
        for node in slotted:
            runs[level[node], self.kind[node]].append(node)
        for (_, kind), nodes in runs.items():
            nodes[:] = self._shuffled(nodes) if kind == DECISION else self._by_edges(nodes)
        order = sorted(runs, key=lambda run: (run[1] != CHANCE, run))
        rows = [*range(self.outcomes), *(node for run in order for node in runs[run])]
        for row, node in enumerate(rows):
            self.slot[node] = row
        work = [(*run, -1) for run in runs]
        work += [(at, DECISION, i) for i, at in enumerate(family_level)]
        blocks: list[list[int]] = []
        largest = 0
        for at, kind, family in sorted(work):
            if family >= 0:
                blocks.append(self._siblings(len(rows), *self.families[family]))
                largest = max(largest, len(self.families[family][1]))
            elif kind == DECISION:
                nodes = runs[at, kind]
                blocks.append([*self._decisions(self.slot[nodes[0]], nodes), *[0] * 5])
                blocks[-1][SHARES] = len(self.shares)
            else:
                blocks.append(self._rolls(runs[at, kind]))
        index = np.array(self.index, dtype=np.uint32)
        if index.max(initial=0) < 2**16:
            index = index.astype(np.uint16)
        prepared = Prepared(
            graph=self.graph,
            blocks=np.array(blocks, dtype=np.int64).reshape(-1, 13),
            index=index,
            probability=np.array(self.shares, dtype=np.float64),
            slots=len(rows),
            rows=len(rows) + largest,
            choices=self.choices,
            slot=np.array(self.slot, dtype=np.int32),
            chance_nodes=np.array(
                [node for node in self.inner if self.kind[node] == CHANCE], dtype=np.int32
            ),
        )
        return prepared
