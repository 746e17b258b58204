"""How large a movement is, told before it is solved.

The nodes of movements of few moves are counted; how they grow from one to the next tells those of
more moves. Growth slows down as moves increase, so that is rather too much than too little.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from solver.errors import TooLargeError
from solver.games.martians.combat import FACES
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.before import full_of
from solver.turn.board.nodes import MOST_NODES, Nodes

BYTES_PER_NODE = 2_500
"""Memory that a node takes at most: two grids, what it leads to, and its names."""
NODES_PER_SECOND = 25_000
"""Nodes that are found and valued in a second, at least."""
_FEW, _STEP = 5, 2
_LOOK = 4_000


@dataclass(frozen=True, slots=True)
class Size:
    """How large a movement is.

    Parameters
    ----------
    nodes
        Nodes, about.
    exact
        Whether they were counted, and not estimated.
    """

    nodes: int
    exact: bool

    @property
    def megabytes(self) -> float:
        """Memory, in MiB."""
        return self.nodes * BYTES_PER_NODE / 2**20

    @property
    def seconds(self) -> float:
        """Time on one core."""
        return self.nodes / NODES_PER_SECOND


def size_of(ground: Ground, payoff: Payoff, moves: int | None = None) -> Size:
    """Return how large a movement is.

    Parameters
    ----------
    ground, payoff
        Where the player moves, and what for.
    moves
        Moves left; None before the movement roll: all six rolls together.
    """
    most = len(FACES) + ground.lives if moves is None else moves
    counted: list[tuple[int, int]] = []
    for asked in range(_FEW, most + 1, _STEP):
        nodes = _count(ground, payoff, asked)
        if nodes is None:
            break
        counted.append((asked, nodes))
        if nodes > _LOOK // 4:
            break
    if not counted:
        nodes = _count(ground, payoff, min(most, _FEW), MOST_NODES)
        if nodes is None:
            return Size(10 * MOST_NODES, exact=False)
        counted.append((min(most, _FEW), nodes))
    asked, nodes = counted[-1]
    growth = 2.0
    if len(counted) > 1:
        before, fewer = counted[-2]
        growth = max((nodes / max(fewer, 1)) ** (1.0 / (asked - before)), 1.0)
    several = sum(growth**-n for n in range(len(FACES))) if moves is None else 1.0
    exact = asked == most and moves is not None
    return Size(int(nodes * growth ** (most - asked) * several), exact)


def refuse_large(
    ground: Ground, payoff: Payoff, moves: int | None, *, most_nodes: int = MOST_NODES
) -> Size:
    """Return how large a movement is, if it is not too large.

    Parameters
    ----------
    ground, payoff, moves
        As in :func:`size_of`.
    most_nodes
        Limit.

    Raises
    ------
    TooLargeError
        With the estimate; nothing was started.
    """
    size = size_of(ground, payoff, moves)
    if size.nodes > most_nodes:
        raise TooLargeError(
            f"this movement has about {size.nodes:,} nodes ({size.seconds:,.0f} seconds,"
            f" {size.megabytes:,.0f} MiB), and {most_nodes:,} are allowed",
            remedy="fewer moves, or a higher limit",
            field="moves",
        )
    return size


def _count(ground: Ground, payoff: Payoff, moves: int, most: int = _LOOK) -> int | None:
    nodes = Nodes(ground, payoff, moves, most=most)
    at = ground.at
    free = replace(ground, standing=ground.standing & ~(1 << at))
    try:
        nodes.walk(
            nodes.key(at, moves, free.standing, ground.martians, ground.finds, full_of(ground))
        )
        nodes.expand()
    except TooLargeError:
        return None
    return len(nodes.kind)
