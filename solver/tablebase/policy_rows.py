"""A race's expanded policy: for every boundary state, the value and bust chance of every roll.

Boundary states are numbered: open play first, by seat on turn and scores, then (two seats, with
the official end) the second seat's last turn, by how far it is behind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Choose, Game, is_bust
from solver.games.readings import End
from solver.match.boundary import Floats, Ints, RaceValues
from solver.match.certify import BITS, ONE, fixed_point_turn
from solver.tablebase.states import PolicyStates
from solver.turn.graph import DECISION, TurnGraph
from solver.turn.kernel import evaluate_batch, solve_batch

BUST_SCALE = 2**32 - 1
"""Bust chances are stored as 32-bit fractions of this."""

_CHUNK = 64


def boundary_index(values: RaceValues, scores: Ints, seat: int) -> int:
    """Return the number of a boundary state in a two-seat policy table.

    Parameters
    ----------
    values
        The race.
    scores
        int64, shape (seats,).
    seat
        The seat on turn, from 0.
    """
    target = values.race.target
    if (scores >= target).any():
        behind = min(int(scores[0] - scores[1]), values.reach)
        return 2 * target**2 + behind - 1
    return (seat * target + int(scores[0])) * target + int(scores[1])


def open_states(values: RaceValues) -> Floats:
    """Return the mover's payoff of each outcome in open play; shape (states, outcomes)."""
    target = values.race.target
    cells = np.stack(
        np.meshgrid(*[np.arange(target)] * 2, indexing="ij"), axis=-1, dtype=np.int64
    ).reshape(-1, 2)
    return np.concatenate([values.after(cells, m)[:, :, m] for m in range(2)])


def last_states(values: RaceValues) -> Floats:
    """Return the second seat's payoff of each outcome in its last turn, by deficit."""
    if values.race.end is not End.ROUND:
        return np.empty((0, len(values.points)))
    target = values.race.target
    deficits = np.arange(1, values.reach + 1)
    behind = np.stack([target + deficits, np.full(len(deficits), target)], axis=1)
    scores = behind - 1  # the second seat just below the target, the first this far ahead
    return values.after(scores.astype(np.int64), 1)[:, :, 1]


def policy_rows(
    game: Game, graph: TurnGraph, states: PolicyStates, payoffs: Floats
) -> dict[str, NDArray[Any]]:
    """Return the arrays of an expanded policy.

    Parameters
    ----------
    game, graph, states
        The turn and its stored states.
    payoffs
        float64, shape (boundary states, outcomes).

    Returns
    -------
    dict
        ``policy-value`` float64 and ``policy-bust`` uint32, shape (boundary states, value
        rows); ``policy-choice`` uint8, shape (boundary states, decision states), the number of
        the option that canonical play takes.
    """
    count = len(payoffs)
    value = np.empty((count, len(states.nodes)))
    bust = np.empty((count, len(states.nodes)), dtype=np.uint32)
    choice = np.zeros((count, len(states.decisions)), dtype=np.uint8)
    failed = np.array([[float(is_bust(game, x))] for x in graph.outcomes])
    deciding = _deciding(game, graph, states)
    for low in range(0, count, _CHUNK):
        part = slice(low, min(low + _CHUNK, count))
        batch = solve_batch(
            graph, np.ascontiguousarray(payoffs[part].T), tiebreak=graph.points.astype(np.float64)
        )
        chances = evaluate_batch(graph, np.repeat(failed, part.stop - low, 1), batch.chosen)
        value[part] = batch.value[states.nodes].T
        bust[part] = np.rint(chances[states.nodes].T * BUST_SCALE).astype(np.uint32)
        for i, node, options in deciding:
            to = graph.child[batch.chosen[node]]
            choice[part, i] = (options[:, None] == to).argmax(axis=0)
    return {"policy-value": value, "policy-bust": bust, "policy-choice": choice}


def rows_error(graph: TurnGraph, states: PolicyStates, payoffs: Floats, value: Floats) -> float:
    """Return a proven bound on the error that the rows add to that of their payoffs.

    Each turn is solved again in fixed point, once rounded up and once down.
    """
    worst = 0
    for low in range(0, len(payoffs), _CHUNK):
        part = slice(low, low + _CHUNK)
        exact = np.ldexp(payoffs[part].T, BITS)
        rows = np.ldexp(value[part].T, BITS)
        above = fixed_point_turn(graph, np.ceil(exact).astype(np.int64), up=True)[states.nodes]
        below = fixed_point_turn(graph, np.floor(exact).astype(np.int64), up=False)[states.nodes]
        worst = max(
            worst,
            int((above - np.floor(rows).astype(np.int64)).max()),
            int((np.ceil(rows).astype(np.int64) - below).max()),
        )
    return worst / ONE


def _deciding(
    game: Game, graph: TurnGraph, states: PolicyStates
) -> list[tuple[int, int, NDArray[np.int64]]]:
    """Return (number, node, nodes of the options) of decision states with a real choice."""
    found = []
    for i, state in enumerate(states.decisions):
        expansion = game.expand(state)
        assert isinstance(expansion, Choose)
        options = np.array([graph.node_of[s] for s in expansion.options.values()])
        node = graph.node_of[state]
        if graph.kind[node] == DECISION and len(set(options.tolist())) > 1:
            found.append((i, node, options))
    return found
