r"""The tiebreaker round of two seats: both take one more turn, in order; still tied, another.

Let :math:`p` be the chance of the first of the two. The second knows what it must beat: against
:math:`b` points it wins with more, and with as many there is another round, in which it wins
:math:`1 - p`. The first plays for one less the best that the second can do then. So :math:`p =
G(p)`, where :math:`G` is monotone and moves by no more than the chance of another tie, at most
:math:`\alpha < 1` whatever is played: there is one fixed point. If :math:`G(u) \le u` and
:math:`G(l) \ge l`, it lies between :math:`l` and :math:`u`; that is checked in integers.
"""

from __future__ import annotations

import numpy as np

from solver.errors import ProofError
from solver.match.boundary import Floats, Ints
from solver.match.certify import ONE, fixed_point_turn
from solver.turn.graph import TurnGraph
from solver.turn.roots import RootSolver

_MOST_ROUNDS = 10_000


def solve_tiebreak(points: Ints, solve: RootSolver) -> Floats:
    """Return the chances of two tied seats, in playing order.

    Parameters
    ----------
    points
        int64, shape (outcomes,): points of each outcome of a turn.
    solve
        Solver of a batch of turns.

    Raises
    ------
    ProofError
        If the chances do not settle: a tie can be played for for ever.
    """
    more, same = points[None, :] > points[:, None], points[None, :] == points[:, None]
    first = 0.5
    for _ in range(_MOST_ROUNDS):
        second, _ = solve(np.where(more, 1.0, np.where(same, 1.0 - first, 0.0)))
        before, first = first, float(solve(1.0 - second[None])[0][0])
        if abs(first - before) <= 2.0**-53:
            return np.array([first, 1.0 - first])
    raise ProofError("the tiebreaker round need not end")


def prove_tiebreak(graph: TurnGraph, points: Ints, root: int, first: float) -> tuple[int, int]:
    """Return proven bounds on the chance of the first of two tied seats, in units of 2**-56.

    Parameters
    ----------
    graph, points, root
        The turn, the points of its outcomes, and where it begins.
    first
        The chance as it was found; it is not trusted.

    Raises
    ------
    ProofError
        If a tie can be played for for ever, or no bound of 1e-12 can be proven.
    """
    more, same = points[:, None] > points[None, :], points[:, None] == points[None, :]

    def turn(chance: int, *, up: bool) -> int:
        """Return G(chance), rounded one way, for the first seat."""
        payoffs = np.where(more, 0, np.where(same, chance, ONE)).astype(np.int64)
        second = fixed_point_turn(graph, payoffs, minimise=True, up=up)[root]
        return int(fixed_point_turn(graph, second[:, None], up=up)[root, 0])

    again = fixed_point_turn(graph, np.where(same, ONE, 0).astype(np.int64), up=True)[root]
    if int(fixed_point_turn(graph, again[:, None], up=True)[root, 0]) >= ONE:
        raise ProofError("a tie can be played for for ever: the tiebreaker round need not end")
    near = round(first * ONE)
    margin = 4
    while margin <= 1e-12 * ONE:
        low, high = max(0, near - margin), min(ONE, near + margin)
        if turn(high, up=True) <= high and turn(low, up=False) >= low:
            return low, high
        margin *= 2
    raise ProofError(f"the chance {first!r} of the first of two tied seats is not proven")
