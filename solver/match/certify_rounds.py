r"""A proof of a two-seat match of rounds, in integers alone.

Values are swept once: at every boundary state the turn is solved again in fixed point, rounded
up and rounded down, from the values that the table has for the states after it. Let
:math:`\delta` be the greatest distance between a table value and either result. The match is
over after R rounds of two turns (on average, if their number is unlimited), so no table value is
further than :math:`2 R \delta` from the truth, plus the error of the death round's shares. That
error is found the same way: the equations of a tied pair hold within :math:`\delta_d`, and it
comes back to itself with chance at most :math:`\alpha` under any play, so it is at most
:math:`2\delta_d / (1 - \alpha)` for each of the stages on the way up, of which there are no
more than the sum of both.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.boundary import Floats
from solver.match.certify import BITS, ONE, fixed_point_turn
from solver.match.rounds import RoundsValues, standings
from solver.turn.graph import TurnGraph

_MOST_ERROR = 1e-11
_CHUNK = 2048

Ints = NDArray[np.int64]


def certify_rounds(graph: TurnGraph, values: RoundsValues, rounds: float) -> float:
    """Return a proven bound on every chance to win of a two-seat match of rounds.

    Parameters
    ----------
    graph
        The turn, with a root for each stage.
    values
        The values to check; they are not trusted.
    rounds
        Rounds of the match, or a bound on how many are expected, whatever is played.

    Raises
    ------
    ProofError
        If no bound of 1e-11 can be proven.
    """
    residual = 0
    for r, tables in enumerate(values.open_play):
        for m, table in enumerate(tables):
            residual = max(residual, _sweep(graph, values, r, m, table))
    death = _death_error(graph, values)
    error = float(2.0 * rounds * residual / ONE + death + 1e-18)
    if error > _MOST_ERROR:
        raise ProofError(
            f"the values satisfy the equations of best play only within {residual / ONE:.1e}",
            remedy="solve the match again",
        )
    return error


def _sweep(graph: TurnGraph, values: RoundsValues, number: int, mover: int, table: Floats) -> int:
    """Return the greatest distance of the mover's and the other's chance from one turn of play."""
    roots = list(graph.roots.values())
    worst = 0
    for scores, stages in standings(values, number, mover, _CHUNK):
        ahead = values.after(number, mover, scores, stages)
        payoffs = np.ldexp(ahead[:, :, mover].T, BITS)
        up = fixed_point_turn(graph, np.ceil(payoffs).astype(np.int64), up=True)
        down = fixed_point_turn(graph, np.floor(payoffs).astype(np.int64), up=False)
        for stage, root in enumerate(roots):
            index: list[Ints | int] = []
            for seat in range(2):
                index += [scores[:, seat], stage if seat == mover else stages[:, seat]]
            own = np.ldexp(table[(*index, mover)], BITS)
            other = np.ldexp(1.0 - table[(*index, 1 - mover)], BITS)
            for found in (own, other):
                high = np.ceil(found).astype(np.int64) - down[root]
                low = up[root] - np.floor(found).astype(np.int64)
                worst = max(worst, int(high.max()), int(low.max()))
    return worst


def _death_error(graph: TurnGraph, values: RoundsValues) -> float:
    """Return a proven bound on the shares of tied pairs."""
    roots = list(graph.roots.values())
    shares = values.shares(2)
    error = 0.0
    for group in itertools.product(range(values.stages), range(values.stages)):
        wins, again = _pair(graph, roots, shares, group)
        off = max(abs(wins[0] - shares[group][0]), abs(wins[1] - shares[group][0]))
        off = max(off, abs(shares[group].sum() - 1.0))
        error = max(error, 2.0 * (off + 2.0**-52) / (1.0 - again))
    return error * (2 * (values.stages - 1) + 1)


def _pair(
    graph: TurnGraph, roots: list[int], shares: Floats, group: tuple[int, int]
) -> tuple[tuple[float, float], float]:
    """Return the first player's share after one more turn each, both ways, and come-back's most."""
    outcomes = graph.outcomes
    first: list[list[int]] = [[], [], []]
    for points, stage in outcomes:
        if stage < group[0]:
            for part in first:
                part.append(0)
            continue
        settled = [
            float(shares[stage, after][0]) if p == points else float(p < points)
            for p, after in outcomes
        ]
        same = [float(p == points and (stage, after) == group) for p, after in outcomes]
        exact = np.ldexp(np.array([settled]).T, BITS)
        for part, rounding, up in ((first[0], np.ceil, True), (first[1], np.floor, False)):
            turn = fixed_point_turn(graph, rounding(exact).astype(np.int64), minimise=True, up=up)
            part.append(int(turn[roots[group[1]], 0]))
        back = np.ldexp(np.array([same]).T, BITS).astype(np.int64)
        first[2].append(int(fixed_point_turn(graph, back, up=True)[roots[group[1]], 0]))
    results = []
    for part, up in ((first[0], True), (first[1], False), (first[2], True)):
        turn = fixed_point_turn(graph, np.array([part]).T.astype(np.int64), up=up)
        results.append(int(turn[roots[group[0]], 0]) / ONE)
    return (results[0], results[1]), results[2]
