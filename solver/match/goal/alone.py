r"""Alone to the goal: the fewest expected turns, by policy iteration on components of standings.

Let :math:`v(a)` be the fewest expected turns from standing :math:`a`, :math:`p(x)` the chance of
outcome :math:`x` of a turn under some policy and :math:`a_x` the standing it leads to. Then

.. math:: v(a) = 1 + \min \sum_x p(x)\, v(a_x), \qquad v(\text{goal}) = 0.

Standings can fall, so the equations are circular, and slow: value iteration that stops when
little changes can be thousands of turns short. Each stage of :mod:`.standings` is solved by policy
iteration, its linear part by sparse LU on the turn graph itself: the nodes under the policy are the
unknowns, and an outcome is the root of the turn it leads to. A policy that need not reach the goal
shows in a solution that is not positive; then policy iteration begins with turns discounted by so
little that such a policy costs millions of turns, and goes on without once none is left.

Proof: with :math:`|Tv - v| \le d` at every standing, the fewest expected turns lie between
:math:`v / (1 + d)` and :math:`v / (1 - d)`: a multiple of :math:`v` satisfies the inequality that
all better (worse) values satisfy, and turns cost one each, so that only policies which reach the
goal have finite cost. See D. P. Bertsekas and J. N. Tsitsiklis, An analysis of stochastic shortest
path problems, Mathematics of Operations Research 16(3), 1991.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError, ProofError
from solver.match.goal.standings import Standings
from solver.turn.graph import CHANCE, TurnGraph
from solver.turn.kernel import error_bound, evaluate_batch, solve_batch
from solver.turn.sweep import Choices, Sweep

Floats = NDArray[np.float64]

_WARM_UP = 20  # sweeps of value iteration before the first policy
_DISCOUNT = 1.0 - 2.0**-26
_MOST_TURNS = 2.0**24
_NOISE = 2.0**-46  # differences below this share of the values are rounding
_MOST_ITERATIONS = 200


@dataclass(frozen=True, slots=True, eq=False)
class AloneValues:
    """The fewest expected turns from every standing.

    Parameters
    ----------
    turns
        float64, shape (standings,).
    relative_error
        No value is off by more than this share of itself: proven.
    iterations
        Policies that were evaluated.
    """

    turns: Floats
    relative_error: float
    iterations: int


def fewest_turns(graph: TurnGraph, standings: Standings, *, workers: int = 1) -> AloneValues:
    """Return the fewest expected turns to the goal from every standing.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    workers
        Threads.

    Raises
    ------
    GameError
        If the goal cannot be reached from some standing.
    ProofError
        If no bound could be proven.
    """
    turns = np.zeros(len(standings))  # zero where not yet solved: no turn of an earlier stage
    iterations = 0  # leads there
    for stage in standings.stages:
        problem = _Stage(graph, standings, stage, turns, workers)
        turns[stage], count = problem.solve(graph.game)
        iterations += count
    return AloneValues(turns, relative_error(graph, standings, turns), iterations)


class _Stage:
    """One stage: unknown turns from its standings, known ones from those solved before."""

    def __init__(
        self, graph: TurnGraph, standings: Standings, stage: Any, known: Floats, workers: int
    ) -> None:
        self.sweep = Sweep(graph, standings.roots[stage], workers=workers)
        self.choice: Choices = self.sweep.no_choices(1)
        place = np.full(len(standings) + 1, -1, dtype=np.int64)  # its last entry is the goal
        place[stage] = np.arange(len(stage))
        self.place = place[standings.after]
        self.known = np.append(known, 0.0)[standings.after]
        self.inside = self.place >= 0

    def improve(self, turns: Floats, discount: float) -> Floats:
        ahead = np.where(self.inside, turns[self.place], self.known)
        noise = _NOISE * (1.0 + float(np.abs(ahead).max(initial=0.0)))
        payoffs = -(1.0 + discount * ahead)[:, None]
        return -self.sweep.improve(payoffs, self.choice, gain=noise)[:, 0]

    def solve(self, game: str) -> tuple[Floats, int]:
        turns = np.zeros(len(self.sweep.roots))
        for _ in range(_WARM_UP):
            turns = self.improve(turns, 1.0)
        found = self._iterate(self.linear(1.0), 1.0)
        if found is None:
            start = self._iterate(self.linear(_DISCOUNT), _DISCOUNT)
            found = None if start is None else self._iterate(self.linear(1.0), 1.0)
        if found is None:
            raise GameError(
                f"{game}: the goal takes more than {_MOST_TURNS:,.0f} turns, or cannot be reached",
                remedy="a nearer goal, or more income",
            )
        return found

    def _iterate(self, turns: Floats, discount: float) -> tuple[Floats, int] | None:
        """Return the values of policy iteration; None on a policy that misses the goal."""
        for count in range(1, _MOST_ITERATIONS + 1):
            if not _reaches_goal(turns, discount):
                return None
            before = self.choice.copy()
            self.improve(turns, discount)
            if np.array_equal(before, self.choice):
                return turns, count
            turns = self.linear(discount)
        raise ProofError("policy iteration did not come to an end")

    def linear(self, discount: float) -> Floats:
        """Return the expected turns under the policy: one sparse linear system."""
        import scipy.sparse.linalg as solver  # noqa: PLC0415
        from scipy import sparse  # noqa: PLC0415  only for matches of this kind

        sweep = self.sweep
        chance = np.flatnonzero(sweep.kind == CHANCE)
        decided = np.flatnonzero(sweep.number >= 0)
        back = np.flatnonzero(self.inside)  # outcomes that another turn of this stage follows
        degree = np.diff(sweep.first)[chance]
        rolled = np.repeat(sweep.first[chance], degree) + _counted(degree)
        taken = sweep.first[decided] + self.choice[sweep.number[decided], 0]
        owner = np.concatenate([np.repeat(chance, degree), decided, back])
        to = np.concatenate(
            [sweep.child[rolled], sweep.child[taken], sweep.roots[self.place[back]]]
        )
        weight = np.concatenate(
            [
                sweep.probability[rolled],
                np.ones(len(decided)),
                np.full(len(back), discount),
            ]
        )
        size = len(sweep.kind)
        right = np.zeros(size)
        right[: sweep.outcomes] = 1.0 + np.where(self.inside, 0.0, self.known)
        flow = sparse.csc_matrix((weight, (owner, to)), shape=(size, size))
        try:
            factors = solver.splu((sparse.identity(size, format="csc") - flow).tocsc())
        except RuntimeError:  # exactly singular: the policy never reaches the goal
            return np.full(len(sweep.roots), -1.0)
        found: Floats = factors.solve(right)[sweep.roots]
        return found


def _counted(degree: Any) -> Any:
    """Return 0, 1, ... for each run of so many edges."""
    return np.arange(degree.sum()) - np.repeat(np.cumsum(degree) - degree, degree)


def _reaches_goal(turns: Floats, discount: float) -> bool:
    most = _MOST_TURNS if discount == 1.0 else 2.0 / (1.0 - discount)
    return bool(np.isfinite(turns).all() and (turns > 0.999).all() and (turns < most).all())


def relative_error(graph: TurnGraph, standings: Standings, turns: Floats) -> float:
    """Return the proven share by which expected turns may be off, by one step in the other kernel.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    turns
        float64, shape (standings,): the expected turns; they are not trusted.

    Raises
    ------
    ProofError
        If they miss their equations by a hundredth of a turn.
    """
    ahead = np.append(turns, 0.0)[standings.after]
    largest = float(np.abs(ahead).max(initial=1.0)) + 1.0
    best = solve_batch(graph, -(1.0 + ahead)[:, None], tolerance=0.0).value[standings.roots, 0]
    rounding = largest * (error_bound(graph, tolerance=0.0) + 2.0**-52)
    off = float(np.abs(-best - turns).max()) + rounding
    if not off < 0.01:
        raise ProofError(f"the expected turns miss their equations by {off:.1e}")
    return off / (1.0 - off)


def finished(
    graph: TurnGraph, standings: Standings, turns: Floats, share: float, most: int
) -> Floats:
    """Return the chance to be at the goal within 0, 1, ... turns from the first standing.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    turns
        float64, shape (standings,): the fewest expected turns, whose policy is followed.
    share, most
        The chances end when they pass `share`, or after so many turns.
    """
    choice = solve_batch(
        graph, -np.append(turns, 0.0)[standings.after][:, None], tolerance=_NOISE
    ).chosen
    chances, now = [0.0], np.zeros(len(standings))
    while chances[-1] < share and len(chances) <= most:
        ahead = np.append(now, 1.0)[standings.after]
        now = evaluate_batch(graph, ahead[:, None], choice)[standings.roots, 0]
        chances.append(float(now[0]))
    return np.array(chances)


def within(graph: TurnGraph, standings: Standings, number: int) -> Floats:
    """Return the greatest chance to reach the goal within 0, 1, ... turns, for each standing.

    Parameters
    ----------
    graph, standings
        The turn and its standings.
    number
        The most turns.

    Returns
    -------
    ndarray
        float64, shape (number + 1, standings). The error of row n is at most n times
        :func:`~solver.turn.kernel.error_bound`.
    """
    chances = np.zeros((number + 1, len(standings)))
    for n in range(1, number + 1):
        ahead = np.append(chances[n - 1], 1.0)[standings.after]
        batch = solve_batch(graph, ahead[:, None], tolerance=0.0)
        chances[n] = batch.value[standings.roots, 0]
    return chances
