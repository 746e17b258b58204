r"""The turn graph: a turn's rules, compiled to flat arrays.

A turn is an operator. With a payoff :math:`f` on outcomes, the value of a node is

.. math::

   V(\text{outcome } x) = f(x), \qquad
   V(\text{decision}) = \max_{c} V(c), \qquad
   V(\text{chance}) = \sum_c \tfrac{w_c}{W} V(c),

and :math:`T f` is the value at a root. The graph holds everything but :math:`f`.

Nodes are numbered children before parents, by level (longest way to an outcome), kind, number
of options and first appearance; the first ``len(outcomes)`` nodes are the outcomes, by points.
Equal sub-graphs are one node: decisions with the same children in the same canonical order,
chances with the same distribution. A decision or chance with one distinct child *is* that child.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError, PositionError
from solver.games.protocol import State

OUTCOME, DECISION, CHANCE = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class TurnGraph:
    """A compiled turn. Arrays are read-only.

    Parameters
    ----------
    game
        Name of the game.
    outcomes
        The outcomes; outcome i is node i.
    points
        int64, shape (outcomes,): points of each outcome.
    kind
        uint8, shape (nodes,): OUTCOME, DECISION or CHANCE.
    first
        int32, shape (nodes + 1,): the edges of node i are ``first[i]:first[i + 1]``.
    child
        int32, shape (edges,): where an edge leads; a decision's children stand in canonical
        order, a chance's ascend.
    weight
        int64 (object if some weight or sum needs more), shape (edges,): integer weight of a
        chance's edge, in lowest terms; zero on a decision's edge.
    total
        Same type, shape (nodes,): sum of a chance's weights, zero elsewhere.
    probability
        float64, shape (edges,): weight over total, correctly rounded; one on a decision's edge.
    blocks
        Runs of nodes of one level and kind, decisions also of one number of options, as
        (begin, end, kind), in order.
    roots
        Beginning of the turn -> node.
    node_of
        State of the rules -> node.
    digest
        SHA-256 over outcomes, arrays of integers, roots and states, as hexadecimal text.
    """

    game: str
    outcomes: tuple[Any, ...]
    points: NDArray[np.int64]
    kind: NDArray[np.uint8]
    first: NDArray[np.int32]
    child: NDArray[np.int32]
    weight: NDArray[Any]
    total: NDArray[Any]
    probability: NDArray[np.float64]
    blocks: tuple[tuple[int, int, int], ...]
    roots: Mapping[Hashable, int]
    node_of: Mapping[State, int]
    digest: str

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.kind)

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.child)

    @property
    def root(self) -> int:
        """The node of the first (often the only) beginning."""
        return next(iter(self.roots.values()))

    def node(self, state: State) -> int:
        """Return the node of a state.

        Raises
        ------
        PositionError
            If no legal turn comes to the state.
        """
        try:
            return self.node_of[state]
        except (KeyError, TypeError):
            raise PositionError(
                f"no legal turn of {self.game} comes to the state {state!r}"
            ) from None

    def children(self, node: int) -> NDArray[np.int32]:
        """Return the children of a node."""
        return self.child[self.first[node] : self.first[node + 1]]

    def __repr__(self) -> str:
        return (
            f"TurnGraph({self.game!r}, {len(self.outcomes)} outcomes, {self.nodes} nodes,"
            f" {self.edges} edges, digest {self.digest[:12]})"
        )


def digest_of(
    outcomes: tuple[Any, ...],
    arrays: tuple[NDArray[Any], ...],
    roots: Mapping[Hashable, int],
    node_of: Mapping[State, int],
) -> str:
    """Return the digest of a graph's content, the same on every machine and in every run."""
    sha = hashlib.sha256(b"turn graph 1\n")
    sha.update(spelled(outcomes).encode())
    for array in arrays:
        if array.dtype == object:
            sha.update(" ".join(map(str, array)).encode())
        else:
            sha.update(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).data)
    sha.update(spelled(tuple(roots.items())).encode())
    for state, node in node_of.items():
        sha.update(f"{spelled(state)}:{node}\n".encode())
    return sha.hexdigest()


def spelled(value: object) -> str:
    """Return a text of a state or outcome that is the same in every run.

    That is its ``repr``, but for sets, whose order varies: theirs is sorted.

    Raises
    ------
    GameError
        If the value has no ``repr`` of its own: the default one is an address.
    """
    if isinstance(value, tuple) and type(value).__repr__ is tuple.__repr__:
        return f"({','.join(map(spelled, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(spelled, value)))}}}"
    if type(value).__repr__ is object.__repr__:
        raise GameError(
            f"a {type(value).__name__} as a state or outcome has no text of its own",
            remedy="use tuples, numbers, strings or frozen dataclasses, or define __repr__",
        )
    return repr(value)
