r"""A proof of how near the values of a two-seat race to the goal are.

Let :math:`V` be any table and :math:`T` one turn of best play ahead (see :mod:`.race`), let
:math:`T_s` be that of a policy :math:`s`, and let :math:`|TV - V| \le d` and :math:`|T_s V - V|
\le d` at every pair. Let :math:`D(a) \ge 1 + \sum_x p_{s(a,b)}(x) D(a_x)` for all standings
:math:`a` *and every* :math:`b`, zero at the goal. A seat that plays :math:`s` then reaches the
goal, or the match has ended, within :math:`D(a)` of its own turns on average, whatever the other
seat does, so a match with such a seat ends. Along it :math:`V` gives away at most :math:`d` a
turn of either seat, so the seat wins at least :math:`V(a, b) - 2 d D(a)`; the same holds for the
other seat, and each chance is at least one less the other's bound. Hence no value is off by more
than

.. math:: d\,(2 \max D + 1),

and the two chances of a pair sum to one: stalling for ever helps nobody.

Where options tie, as where the match is lost whatever is done, :math:`s` must still make
progress: it takes the one with the fewest turns to come. :math:`s` and :math:`D` are found by
policy iteration over the opponent's standing :math:`b`, the worst for each :math:`a`. The
inequalities are then checked by the numpy kernel, which shares no code with the sweep that the
values and :math:`s` come from; its rounding is part of :math:`d`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.goal.standings import Standings
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound, evaluate_batch, solve_batch
from solver.turn.sweep import Sweep

Floats = NDArray[np.float64]

_TIE = 1e-14  # options within this of the best tie: the one that hurries more is taken
_CHUNK = 32
_SLACK = 1e-6
_MOST_ITERATIONS = 60


@dataclass(frozen=True, slots=True, eq=False)
class RaceProof:
    """A proven bound.

    Parameters
    ----------
    error
        No chance of the table is further than this from the truth.
    residual
        The most that a value differs from that of one turn of best play ahead, rounding included.
    turns
        float64, shape (standings,): a seat that plays its best has reached the goal, or lost,
        within so many of its own turns on average, whatever the other seat does.
    """

    error: float
    residual: float
    turns: Floats


def prove_pairs(
    graph: TurnGraph,
    standings: Standings,
    chance: Floats,
    guess: Floats,
    *,
    workers: int = 1,
) -> RaceProof:
    """Prove a bound on the chances of every pair of standings.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    chance
        float64, shape (standings, standings): the values; they are not trusted.
    guess
        float64, shape (standings,): turns to the goal to begin with, such as those alone.
    workers
        Threads.

    Raises
    ------
    ProofError
        If the policy need not end the match, or the values miss their equations.
    """
    payoffs = _payoffs(standings, chance)
    turns, edges = _hurrying(graph, standings, payoffs, guess, workers)
    turns = turns * (1.0 + _SLACK)
    delay = np.append(turns, 0.0)[standings.after]
    off = np.zeros(-(-len(standings) // _CHUNK))

    def check(part: int) -> None:
        columns = slice(part * _CHUNK, (part + 1) * _CHUNK)
        here, policy = payoffs[:, columns], edges(columns)
        best = solve_batch(graph, here, tolerance=0.0).value[standings.roots]
        reached = evaluate_batch(graph, here, policy)[standings.roots]
        known = chance[:, columns]
        off[part] = max(np.abs(best - known).max(), np.abs(reached - known).max())
        delays = np.repeat(delay[:, None], here.shape[1], axis=1)
        later = evaluate_batch(graph, delays, policy)[standings.roots]
        if not (later + 1.0 <= turns[:, None]).all():
            raise ProofError("best play as found need not end the match: no bound is claimed")

    with ThreadPoolExecutor(max(1, workers)) as pool:
        list(pool.map(check, range(len(off))))
    residual = float(off.max()) + error_bound(graph, tolerance=0.0) + 2.0**-53
    return RaceProof(residual * (2.0 * float(turns.max()) + 1.0), residual, turns)


def _payoffs(standings: Standings, chance: Floats) -> Floats:
    payoffs = 1.0 - np.ascontiguousarray(chance.T)[standings.after]
    payoffs[standings.after < 0] = 1.0
    return payoffs


def _hurrying(
    graph: TurnGraph, standings: Standings, payoffs: Floats, guess: Floats, workers: int
) -> tuple[Floats, Callable[[slice], NDArray[np.int32]]]:
    """Return a policy of best play that hurries, by columns of edges, and the turns it takes.

    The turns are those against the worst opponent at each standing.
    """
    sweep = Sweep(graph, standings.roots, workers=workers)
    size = len(standings)
    every = np.arange(size)
    choice = sweep.no_choices(size)
    inside = standings.after >= 0
    turns: Floats = guess
    for _ in range(_MOST_ITERATIONS):
        delay = np.append(turns, 0.0)[standings.after]
        later = -sweep.best_by_two(payoffs, -delay, choice, tolerance=_TIE)[1]
        worst = later.argmax(axis=1)
        chances = sweep.distributions(every, worst, choice)
        flow = np.zeros((size, size))
        np.add.at(flow.T, standings.after[inside], chances[:, inside].T)
        try:
            found = np.linalg.solve(np.eye(size) - flow, np.ones(size))
        except np.linalg.LinAlgError:  # a standing that is never left
            found = np.full(size, np.inf)
        if not (np.isfinite(found).all() and (found >= 0.999).all()):
            raise ProofError(
                "best play as found need not reach the goal: no bound is claimed",
                remedy="--no-proof gives the values without it",
            )
        if (later[every, worst] + 1.0 <= turns + 0.5 * _SLACK).all():
            return turns, lambda columns: sweep.edges(graph, choice[:, columns])
        turns = np.asarray(found, dtype=np.float64)
    raise ProofError("no bound on the number of turns was found")
