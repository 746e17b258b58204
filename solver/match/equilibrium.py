r"""A checker of races: no seat gains by deviating, anywhere.

It goes through all boundary states of a value table :math:`V` and, for each, solves the turn of
the seat on turn again, by loops of its own that share nothing with the solver but the turn graph.
With :math:`\pi` the policies found by the tie rule (mixed where the table says so) it measures

* *gain*: how far the best turn is above the table, for the seat on turn;
* *drift*: how far the table is from what :math:`\pi` gives, for every seat;
* *sum*: how far the seats' chances are from adding up to one;

each enlarged by a bound :math:`\rho` on its own rounding. Let :math:`N` bound the expected number
of turns still to come when one seat deviates in any way. One turn at a time, the table is within
:math:`N \cdot \text{drift}` of the value of :math:`\pi`, and a deviation brings at most
:math:`N (\text{gain} + 2\,\text{drift})` more. For :math:`N`: another seat's score rises by at
least :math:`\mu` a turn on average under :math:`\pi`, the least over all states, and ends below
target + most points, so there are at most (target + most) / :math:`\mu` + 1 rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError, UsageError
from solver.games.readings import End
from solver.match.boundary import RaceValues
from solver.match.mixing import STEP
from solver.match.race import Mixes
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE, error_bound

MOST_GAIN = 1e-10
"""What the checker must prove: no deviation gains more."""

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class EquilibriumCheck:
    """What the checker found.

    Parameters
    ----------
    gain
        Proven: no seat gains more than this by any deviation from the table's policies.
    one_turn_gain, drift, sum_error
        The measures of one turn, own rounding not included.
    turns
        The bound on the expected number of turns to come, N.
    states
        Boundary states checked.
    mixed
        Boundary states in which the seat on turn mixes two turns.
    """

    gain: float
    one_turn_gain: float
    drift: float
    sum_error: float
    turns: float
    states: int
    mixed: int


def check_equilibrium(
    graph: TurnGraph,
    values: RaceValues,
    mixes: Mixes,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> EquilibriumCheck:
    """Prove that no seat gains more than 1e-10 by deviating anywhere.

    Parameters
    ----------
    graph
        The turn.
    values
        The values to check; they are not trusted.
    mixes
        Boundary states in which a seat mixes two turns.
    workers
        Threads.
    progress
        Called with (states done, states in all).

    Raises
    ------
    UsageError
        If numba is not installed.
    ProofError
        If some seat could gain more, or the table contradicts itself; the state is named.
    """
    if find_spec("numba") is None:
        raise UsageError(
            "checking an equilibrium takes numba", remedy='pip install "should-i-roll[fast]"'
        )
    from solver.match.equilibrium_loops import check_last, check_open  # noqa: PLC0415

    n, target = values.seats, values.race.target
    lasts = tuple(
        np.array(values.last_turns.get((r, k), np.zeros((1, r + 2))), order="C").reshape(-1, r + 2)
        for r in range(n)
        for k in range(n + 1)
    )
    turn = (
        graph.kind,
        graph.first,
        graph.child,
        graph.probability,
        graph.points if np.array_equal(graph.points, values.points) else values.points,
        np.int64(graph.root),
        TIE,
    )
    states = n * target**n
    flat = np.array(values.open_play, order="C").reshape(states, n + 2)  # writable, as numba types
    mixed = _mixed(values, mixes)
    rounded = values.race.end is End.ROUND
    pieces = np.array_split(np.arange(states), max(workers, min(400, states // 256 + 1)))
    found: list[Any] = []
    done = 0

    def work(piece: NDArray[np.int64]) -> Any:
        return check_open(turn, flat, lasts, n, target, rounded, values.reach, piece, *mixed)

    with ThreadPoolExecutor(workers) as pool:
        for piece, result in zip(pieces, pool.map(work, pieces), strict=True):
            found.append(result)
            done += len(piece)
            if progress is not None:
                progress(done, states)
    measures = np.array([measure for measure, _ in found])
    worst = np.array([where for _, where in found])
    if rounded:
        for r in range(1, n):
            for k in range(1, n - r + 1):
                measure, _ = check_last(turn, lasts, n, r, k, values.reach)
                states += values.reach**r
                measures = np.vstack([measures, measure])
                worst = np.append(worst, -1)
    return _conclude(graph, values, measures, worst, states, len(mixes))


def _mixed(values: RaceValues, mixes: Mixes) -> tuple[NDArray[np.int64], Floats]:
    """Numbers of the mixing states, ascending, and share, breakpoint and step of each."""
    n, target = values.seats, values.race.target
    shape = (n, *(target,) * n)
    rows = sorted(
        (int(np.ravel_multi_index((m, *scores), shape)), mix.share, mix.breakpoint)
        for (scores, m), mix in mixes.items()
    )
    numbers = np.array([row[0] for row in rows], dtype=np.int64)
    how = np.array([[share, point, STEP] for _, share, point in rows]).reshape(-1, 3)
    return numbers, how


def _conclude(
    graph: TurnGraph,
    values: RaceValues,
    measures: Floats,
    worst: NDArray[np.int64],
    states: int,
    mixed: int,
) -> EquilibriumCheck:
    n, target = values.seats, values.race.target
    gain, drift, total = measures[:, :3].max(axis=0).tolist()
    slowest = measures[: len(worst), 3 : 3 + n].min(axis=0)
    if slowest.min() <= 0.0:
        raise ProofError("some seat need not score at all: no bound on the length of the match")
    pace = float(np.sort(slowest)[-2])  # whoever deviates, another seat is at least this fast
    rounds = (target + values.reach - 1) / pace + 1.0
    turns = n * rounds
    rounding = error_bound(graph, tolerance=0.0)
    proven = turns * (max(gain, 0.0) + 2.0 * drift + 3.0 * rounding)
    if not proven <= MOST_GAIN or total > MOST_GAIN:
        number = int(worst[int(measures[:, :2].max(axis=1).argmax())])
        where = "in the last turns"
        if number >= 0:
            m, *scores = np.unravel_index(number, (n, *(target,) * n))
            where = f"at the scores {tuple(int(s) for s in scores)}, seat {int(m) + 1} on turn"
        raise ProofError(
            f"no equilibrium: {where} a seat gains {gain:.1e}, or the table is off by"
            f" {drift:.1e}, or chances miss one by {total:.1e}",
            remedy="rebuild the table",
        )
    return EquilibriumCheck(proven, gain, drift, total, turns, states, mixed)
