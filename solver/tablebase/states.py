"""The states that a policy table answers for, as rows of integers.

Two kinds of state are stored: those in which dice are rolled (their value cannot be had without
the solver) and those in which the player may send dice rolling at once (which option canonical
play takes there). Everything else follows from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.games.protocol import Choose, Game, Roll, State
from solver.turn.graph import TurnGraph

Row = tuple[Any, ...]

NOTHING = -(2**31)
"""What fills up the rows of shorter states."""


@dataclass(frozen=True, slots=True, eq=False)
class PolicyStates:
    """The stored states of a game, in the order of the graph's walk.

    Parameters
    ----------
    rolls
        States in which dice are rolled.
    row
        int32, shape (rolls,): which value row each of them has; equal sub-graphs share one.
    nodes
        int64, shape (value rows,): the node of each value row.
    decisions
        States with an option that is one of `rolls`.
    tags
        The names in the first place of states, by number.
    """

    rolls: tuple[Row, ...]
    row: NDArray[np.int32]
    nodes: NDArray[np.int64]
    decisions: tuple[Row, ...]
    tags: tuple[str, ...]

    def encoded(self, states: Sequence[Row]) -> NDArray[np.int32]:
        """Return states as rows: number of the tag, the state's integers, and padding."""
        width = max(len(state) for state in (*self.rolls, *self.decisions))
        rows = [[self.tags.index(s[0]), *s[1:], *[NOTHING] * (width - len(s))] for s in states]
        return np.array(rows, dtype=np.int32)


def decoded(rows: NDArray[Any], tags: Sequence[str]) -> list[Row]:
    """Return the states that :meth:`PolicyStates.encoded` has written."""
    return [(tags[tag], *(x for x in rest if x != NOTHING)) for tag, *rest in rows.tolist()]


def policy_states(game: Game, graph: TurnGraph) -> PolicyStates:
    """Return the states that a policy table of `game` stores.

    Raises
    ------
    UsageError
        If such a state is not a name followed by integers.
    """
    expanded = {state: game.expand(state) for state in graph.node_of}
    rolls = [s for s, e in expanded.items() if isinstance(e, Roll)]
    rolled = set(rolls)
    decisions = [
        s
        for s, e in expanded.items()
        if isinstance(e, Choose) and any(after in rolled for after in e.options.values())
    ]
    for state in (*rolls, *decisions):
        _check(game, state)
    unique, row = np.unique([graph.node_of[s] for s in rolls], return_inverse=True)
    flat: list[Any] = [*rolls, *decisions]
    tags = tuple(dict.fromkeys(str(state[0]) for state in flat))
    return PolicyStates(tuple(rolls), row.astype(np.int32), unique, tuple(decisions), tags)  # type: ignore[arg-type]


def _check(game: Game, state: State) -> None:
    if (
        not isinstance(state, tuple)
        or not state
        or not isinstance(state[0], str)
        or not all(type(x) is int and abs(x) < 2**31 for x in state[1:])
    ):
        raise UsageError(
            f"{game.name}: the state {state!r} cannot be put in a table",
            rule="a stored state is a tuple of a name and integers",
            remedy="write it as ('roll', 3, 1)",
        )
