r"""The turn graph, laid out for the batch kernel.

Two things decide how fast a pass is: how far away in memory a value is, and how many loads an
edge costs. Most decisions are seen only by chances (a roll, then a choice), and
many of them by exactly the same chances. Such *siblings* are one block: their values go into a
small scratch area that stays in the nearest cache, and are at once added to all their parents,

.. math:: V(c) \mathrel{+}= \sum_i p_{ci} \max_o V(o_i),

a dense product with no index per edge. Nothing else ever reads them. All other nodes have a
*slot*, a row of lanes. A backward pass over Martian
Dice then works on 140 kB of values instead of 610.

Blocks are ordered by level, so that each reads only what is complete. A block holds either

* decisions with two, with three, and with more options, whose values go to consecutive rows;
  if they are siblings, their parents follow, four at a time, with the odd ones first; or
* chances with consecutive slots and the edges that no sibling brings them, padded to a multiple
  of four with edges of probability zero.

Within a block decisions are shuffled (by the golden ratio), for neighbours like to share an
option, and the forward pass would wait for its own last addition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.turn.graph import CHANCE, DECISION, TurnGraph

COLUMNS = 12
# Columns of `Prepared.blocks`: row of the first decision; how many have two, three and more
# options; where options, choices, parents or chance edges, and probabilities begin; how many
# parents are taken first (one to four; none if no siblings) and how many fours follow; how many
# chances, and the first one's slot.
(
    ROW,
    TWOS,
    THREES,
    MORES,
    OPTIONS,
    CHOICES,
    PARENTS,
    SHARES,
    LEAD,
    FOURS,
    CHANCES,
    CHANCE_SLOT,
) = range(COLUMNS)

GOLDEN = (5**0.5 - 1) / 2

FEWEST_SIBLINGS = 4
"""Smaller groups are cheaper as slots of their own."""

MOST_DECISIONS = 64
"""Most decisions in a block that are not siblings: a tie costs a second look at a block."""


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A turn graph in the kernel's layout. Arrays are read-only.

    Parameters
    ----------
    graph
        The turn.
    blocks
        int64, shape (blocks, 12): see the module.
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
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.float64]]:
        """Blocks, index and probability: what a pass reads."""
        return self.blocks, self.index, self.probability

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that a pass reads."""
        return sum(array.nbytes for array in self.arrays)


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
    """The work of `prepare`: nodes are grouped, then levelled, then written down as blocks."""

    def __init__(self, graph: TurnGraph) -> None:
        self.graph = graph
        self.outcomes = len(graph.outcomes)
        bounds = pairwise(graph.first.tolist())
        child, probability = graph.child.tolist(), graph.probability.tolist()
        self.edges = [list(zip(child[a:b], probability[a:b], strict=True)) for a, b in bounds]
        self.kind = graph.kind.tolist()
        self.inner = self._reachable()
        self.families = self._group_siblings()
        self.family_of = {d: i for i, (_, group) in enumerate(self.families) for d in group}
        self.slot = [-1] * graph.nodes
        self.index: list[int] = []
        self.probability: list[float] = []
        self.choices = 0

    def _reachable(self) -> list[int]:
        reached = [False] * self.graph.nodes
        for root in self.graph.roots.values():
            reached[root] = True
        for node in range(self.graph.nodes - 1, -1, -1):
            if reached[node]:
                for c, _ in self.edges[node]:
                    reached[c] = True
        return [node for node in range(self.outcomes, self.graph.nodes) if reached[node]]

    def _group_siblings(self) -> list[tuple[tuple[int, ...], list[int]]]:
        """Return the parents and members of each family."""
        parents: list[list[int]] = [[] for _ in range(self.graph.nodes)]
        for node in self.inner:
            for c, _ in self.edges[node]:
                parents[c].append(node)
        roots = set(self.graph.roots.values())
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for node in self.inner:
            inside = self.kind[node] == DECISION and node not in roots
            if inside and all(self.kind[p] == CHANCE for p in parents[node]):
                groups[tuple(parents[node])].append(node)
        return [(above, group) for above, group in groups.items() if len(group) >= FEWEST_SIBLINGS]

    def _levels(self) -> tuple[dict[int, int], list[int]]:
        """Return the level of each node with a slot, and of each family.

        Parents have higher numbers than all siblings, so a family is complete when it is read.
        """
        level = dict.fromkeys(range(self.outcomes), 0)
        families = [0] * len(self.families)
        for node in self.inner:
            known = (self.family_of.get(c, -1 - c) for c, _ in self.edges[node])
            here = 1 + max(families[at] if at >= 0 else level[-1 - at] for at in known)
            if node in self.family_of:
                family = self.family_of[node]
                families[family] = max(families[family], here)
            else:
                level[node] = here
        return level, families

    def finish(self) -> Prepared:
        """Return the graph with slots numbered and blocks written."""
        level, family_level = self._levels()
        runs: dict[tuple[int, int], list[int]] = defaultdict(list)
        for node in self.inner:
            if node not in self.family_of:
                runs[level[node], self.kind[node]].append(node)
        runs = {
            (at, kind): self._shuffled(nodes) if kind == DECISION else self._by_length(nodes)
            for (at, kind), nodes in runs.items()
        }
        chances_first = sorted(runs, key=lambda run: (-run[1], run[0]))
        slotted = [*range(self.outcomes), *(node for run in chances_first for node in runs[run])]
        for slot, node in enumerate(slotted):
            self.slot[node] = slot
        todo = sorted(
            [
                *((*run, -1) for run in runs),
                *((at, DECISION, i) for i, at in enumerate(family_level)),
            ]
        )
        blocks: list[list[int]] = []
        for at, kind, family in todo:
            if kind == CHANCE:
                blocks.append(self._chances(runs[at, kind]))
            elif family < 0:
                nodes = runs[at, kind]
                for i in range(0, len(nodes), MOST_DECISIONS):
                    part = nodes[i : i + MOST_DECISIONS]
                    blocks.append(self._decisions(part, self.slot[part[0]], ()))
            else:
                parents, group = self.families[family]
                blocks.append(self._decisions(self._shuffled(group), len(slotted), parents))
        index = np.array(self.index, dtype=np.uint32)
        chance_nodes = [node for node in self.inner if self.kind[node] == CHANCE]
        return Prepared(
            self.graph,
            _frozen(np.array(blocks, dtype=np.int64).reshape(-1, COLUMNS)),
            _frozen(index.astype(np.uint16) if index.max(initial=0) < 2**16 else index),
            _frozen(np.array(self.probability, dtype=np.float64)),
            len(slotted),
            len(slotted) + max((len(group) for _, group in self.families), default=0),
            self.choices,
            _frozen(np.array(self.slot, dtype=np.int32)),
            _frozen(np.array(chance_nodes, dtype=np.int32)),
        )

    def _shuffled(self, decisions: Sequence[int]) -> list[int]:
        """Return decisions by number of options, and else far from their neighbours."""
        place = {d: (min(len(self.edges[d]), 4), i * GOLDEN % 1) for i, d in enumerate(decisions)}
        return sorted(decisions, key=place.__getitem__)

    def _own_edges(self, chance: int) -> list[tuple[int, float]]:
        return [(c, p) for c, p in self.edges[chance] if c not in self.family_of]

    def _by_length(self, chances: Sequence[int]) -> list[int]:
        return sorted(chances, key=lambda c: -(-len(self._own_edges(c)) // 4))

    def _decisions(self, nodes: Sequence[int], row: int, parents: Sequence[int]) -> list[int]:
        block = [0] * COLUMNS
        block[ROW], block[OPTIONS], block[CHOICES] = row, len(self.index), self.choices
        for node in nodes:
            options = [self.slot[c] for c, _ in self.edges[node]]
            block[TWOS + min(len(options), 4) - 2] += 1
            self.index += options if len(options) < 4 else [len(options), *options]
            self.choices += len(options) - 1
        block[PARENTS], block[SHARES] = len(self.index), len(self.probability)
        chances = {parent: dict(self.edges[parent]) for parent in parents}
        if parents:
            block[LEAD] = (len(parents) - 1) % 4 + 1
            block[FOURS] = (len(parents) - 1) // 4
        self.index += [self.slot[parent] for parent in parents]
        for end in range(block[LEAD], len(parents) + 1, 4):
            together = parents[max(0, end - 4) : end]
            self.probability += [chances[p][node] for node in nodes for p in together]
        return block

    def _chances(self, nodes: Sequence[int]) -> list[int]:
        block = [0] * COLUMNS
        block[PARENTS], block[SHARES] = len(self.index), len(self.probability)
        block[CHANCES], block[CHANCE_SLOT] = len(nodes), self.slot[nodes[0]]
        for node in nodes:
            own = self._own_edges(node)
            padding = -len(own) % 4
            self.index += [
                (len(own) + padding) // 4,
                *(self.slot[c] for c, _ in own),
                *[0] * padding,
            ]
            self.probability += [*(p for _, p in own), *[0.0] * padding]
        return block


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array
