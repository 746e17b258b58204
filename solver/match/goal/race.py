r"""Two seats to the goal: the chance to win for every pair of standings, by policy iteration.

Let :math:`V(a, b)` be the chance to win of the seat on turn, whose standing is :math:`a` and
whose opponent's is :math:`b`, under best play of both. Then

.. math:: V(a, b) = \max \sum_x p(x)\,\bigl(1 - V(b, a_x)\bigr),

where an outcome at the goal counts one. The seats have the same rules, so one table is both
movers': :math:`1 - V(a, b)` is the other seat's chance. For one standing of the opponent a single
backward pass over the turn graph values all standings of the mover (:mod:`solver.turn.sweep`).

Standings fall as well as rise, so nearly all pairs form one circular system that mixes slowly.
Stages of :mod:`.standings` are solved one after another; a stage by policy iteration: improve
every policy, then correct the values by the linear equations under these policies, which are
solved by BiCGSTAB with the sweep as the operator (its matrix would have :math:`10^8` entries;
GMRES and its kin take as many sweeps and ten times the memory). Accuracy follows the improvement,
so little is spent on policies that will change. Where that does not bring the values nearer,
plain sweeps of value iteration, which always do, are put between.

Nothing is claimed here about how near the values are: see :mod:`.proof`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.goal.standings import Standings
from solver.turn.graph import TurnGraph
from solver.turn.sweep import Sweep

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

VECTORS = 14
"""Tables of all pairs that are held at once, at most."""
_FORCING = 0.3, 1e-4  # the most and the least of the residual that a correction may leave
_GOOD = 1e-14
_WARM_UP = 20
_MOST_ITERATIONS = 200
_DIGITS = -math.log10(_GOOD)


@dataclass(frozen=True, slots=True, eq=False)
class RaceTable:
    """The chance to win for every pair of standings.

    Parameters
    ----------
    chance
        float64, shape (standings, standings): of the seat on turn, by its own standing and the
        other seat's.
    iterations, sweeps
        Policies improved, and backward passes over all pairs of a stage.
    """

    chance: Floats
    iterations: int
    sweeps: int


def solve_pairs(
    graph: TurnGraph,
    standings: Standings,
    guess: Floats,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> RaceTable:
    """Return the chance to win for every pair of standings.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    guess
        float64, shape (standings, standings): values to begin with.
    workers
        Threads.
    progress
        Called with (done, in all).

    Raises
    ------
    ProofError
        If policy iteration does not come to an end.
    """
    chance = guess.copy()
    iterations = sweeps = 0
    before: list[int] = []
    parts = len(standings.stages)
    for part, stage in enumerate(standings.stages):
        members = np.array(sorted([*before, *stage.tolist()]), dtype=np.int64)
        unknown = np.isin(members, stage)
        pairs = _Pairs(graph, standings, members, unknown, workers)

        def report(done: float, part: int = part) -> None:
            if progress is not None:
                progress(round(100 * (part + done)), 100 * parts)

        block = np.ix_(members, members)
        chance[block] = pairs.solve(chance[block], report)
        iterations += pairs.iterations
        sweeps += pairs.sweeps
        before = members.tolist()
    return RaceTable(chance, iterations, sweeps)


class _Pairs:
    """The pairs of one stage: those of which at least one standing is new in it."""

    def __init__(
        self,
        graph: TurnGraph,
        standings: Standings,
        members: NDArray[np.int64],
        unknown: NDArray[np.bool_],
        workers: int,
    ) -> None:
        self.size = len(members)
        self.sweep = Sweep(graph, standings.roots[members], workers=workers)
        self.choice = self.sweep.no_choices(self.size)
        place = np.zeros(len(standings) + 1, dtype=np.int64)
        place[members] = np.arange(self.size)  # outcomes outside are not reached
        self.place = place[standings.after]
        self.goal = standings.after < 0
        self.unknown = unknown[:, None] | unknown[None, :]
        self.iterations = self.sweeps = 0

    def improve(self, chance: Floats) -> Floats:
        """Return the values one turn ahead under best play; the policy is improved."""
        payoffs = 1.0 - np.ascontiguousarray(chance.T)[self.place]
        payoffs[self.goal] = 1.0
        self.sweeps += 1
        return np.where(self.unknown, self.sweep.improve(payoffs, self.choice), chance)

    def residual(self, flat: Floats) -> Floats:
        """Return a change of the unknown values less what it changes one turn ahead."""
        change = np.zeros((self.size, self.size))
        change[self.unknown] = flat
        payoffs = -np.ascontiguousarray(change.T)[self.place]
        payoffs[self.goal] = 0.0
        self.sweeps += 1
        ahead = self.sweep.evaluate(payoffs, self.choice)
        left: Floats = flat - ahead[self.unknown]
        return left

    def solve(self, chance: Floats, report: Callable[[float], None]) -> Floats:
        from scipy.sparse.linalg import LinearOperator, bicgstab  # noqa: PLC0415  only for these

        count = int(self.unknown.sum())
        operator: Any = LinearOperator((count, count), matvec=self.residual, dtype=np.float64)
        for _ in range(_WARM_UP):
            chance = self.improve(chance)
        nearest, stuck = math.inf, 0
        for _ in range(_MOST_ITERATIONS):
            self.iterations += 1
            before = self.choice.copy()
            off = (self.improve(chance) - chance)[self.unknown]
            distance = float(np.abs(off).max(initial=0.0))
            report(min(1.0, -math.log10(max(distance, _GOOD)) / _DIGITS))
            settled = np.array_equal(before, self.choice)
            if distance <= _GOOD or (settled and distance >= 0.5 * nearest):
                return chance
            stuck = 0 if distance < 0.5 * nearest else stuck + 1
            forcing = min(_FORCING[0], max(_FORCING[1], (distance / nearest) ** 2))
            nearest = min(nearest, distance)
            if stuck > 3:
                chance = self._sweep_on(chance)
                stuck = 0
                continue
            least = 0.3 * _GOOD * math.sqrt(count)  # of a norm: each value its share
            change, _ = bicgstab(operator, off, rtol=forcing, atol=least, maxiter=40)
            if np.isfinite(change).all():
                corrected = chance.copy()
                corrected[self.unknown] += change
                chance = np.clip(corrected, 0.0, 1.0)
            else:
                stuck += 4
        raise ProofError("policy iteration of the race did not come to an end")

    def _sweep_on(self, chance: Floats) -> Floats:
        for _ in range(20):
            chance = self.improve(chance)
        return chance
