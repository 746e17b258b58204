r"""Two seats of which one looks at the other: the match as one linear system over pairs.

Let :math:`K` take a table of seat 1's chances, it being on turn, one round back: seat 2's turn,
then seat 1's, each by its operator (:mod:`solver.policies.arena.goal.turns.seat`). Then
:math:`V = K V + g`, a system of as many unknowns as there are pairs. It is solved stage by stage by
BiCGSTAB with the operators themselves, and refined until the equations hold as far as rounding
lets them.

Pairs from which nobody can win any more are found first, as those from which no sequence of
possible turns leads to a goal; on the others the system has one solution. The bound: values that
miss their equations by at most :math:`d` are off by at most :math:`d D`, where
:math:`D \ge 1 + K D` bounds the rounds to come, zero where nobody can win. :math:`D` is that of a
seat that is sure to reach the goal whatever the other does, if there is one; else it is solved
for, and checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.policies.arena.goal.equations.pairs import PairValues
from solver.policies.arena.goal.turns.seat import SeatTurns

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

_GOOD = 2.0**-49  # a residual of this share of the values is rounding
_SLACK = 1e-4
_UNIT = 2.0**-53
_ROUNDS = 40  # of refinement
_ITERATIONS = 300  # of BiCGSTAB in one of them
_FORCING = 1e-3
_STUCK = 4
_SWEEPS = 20


class Round:
    """One round of the match, as an operator on tables of pairs of some standings.

    Parameters
    ----------
    one, two
        How the seats play.
    """

    def __init__(self, one: SeatTurns, two: SeatTurns) -> None:
        self.one, self.two = one, two

    def back(self, table: Floats, goals: tuple[float, float]) -> Floats:
        """Return a table, seat 1 on turn, one round back.

        Parameters
        ----------
        table
            float64, shape (standings of seat 1, of seat 2).
        goals
            What it is worth that seat 1, and that seat 2, reaches the goal.
        """
        return self.one.carried(self.half(table, goals[1]), goals[0])

    def half(self, table: Floats, goal: float) -> Floats:
        """Return a table, seat 2 on turn, from that with seat 1 on turn."""
        return np.ascontiguousarray(self.two.carried(np.ascontiguousarray(table.T), goal).T)

    def within(self, members: Ints) -> Round:
        """Return the same for some standings that lead to no others."""
        return Round(self.one.within(members), self.two.within(members))


def race_of_turns(
    one: SeatTurns,
    two: SeatTurns,
    stages: Sequence[Ints],
    *,
    sure: float | None = None,
    guess: Floats | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PairValues:
    """Return the match of two seats that play as they are told.

    Parameters
    ----------
    one, two
        Seat 1 and seat 2.
    stages
        Standings to be solved together, those first that lead to no later stage.
    sure
        A bound on the expected rounds, if a seat is known to reach the goal whatever the other
        does.
    guess
        Seat 1's chances to begin with, seat 1 on turn.
    progress
        Called with (steps done, steps in all).

    Raises
    ------
    ProofError
        If the values do not settle, or the match is too long for a bound.
    """
    whole = Round(one, two)
    size = sum(map(len, stages))
    open_ = np.ones((size, size), dtype=np.bool_) if sure is not None else open_pairs(whole, size)
    zero = np.zeros((size, size))
    work = _Steps(progress, 3 if open_.all() else 4)
    first = solve_rounds(whole, stages, open_, zero, (1.0, 0.0), zero if guess is None else guess)
    work.done()
    ends = open_.astype(np.float64)
    if not open_.all():
        ends = solve_rounds(whole, stages, open_, zero, (1.0, 1.0), ends)
        work.done()
    rounds = solve_rounds(whole, stages, open_, ends, (0.0, 0.0), zero)
    work.done()
    if sure is None:
        most = rounds
        if not open_.all():
            most = solve_rounds(whole, stages, open_, open_.astype(float), (0.0, 0.0), rounds)
        sure = _checked_rounds(whole, open_, most)
    second = whole.half(first, 0.0)
    rounding = one.rounding + two.rounding + (2 * size + 8) * _UNIT
    off = 0.0
    for table, goals in ((first, (1.0, 0.0)), (ends, (1.0, 1.0))):
        back = np.ascontiguousarray(two.checked(np.ascontiguousarray(table.T), goals[1]).T)
        missed = np.abs(one.checked(back, goals[0]) - table)[open_]
        off = max(off, float(missed.max(initial=0.0)))
    work.done()
    error = (off + rounding) * sure + rounding
    if not error < 1e-2:
        raise ProofError(
            f"the goal is so far away under these policies that the chances are off by {error:.0e}",
            remedy="a nearer goal, or more income",
        )
    shown = ends, np.clip(whole.half(ends, 1.0), 0.0, 1.0)
    return PairValues(np.clip(first, 0.0, 1.0), np.clip(second, 0.0, 1.0), shown, rounds, error)


class _Steps:
    def __init__(self, progress: Callable[[int, int], None] | None, steps: int) -> None:
        self.progress, self.steps, self.at = progress, steps, 0

    def done(self) -> None:
        self.at = min(self.at + 1, self.steps)
        if self.progress is not None:
            self.progress(self.at, self.steps)


def open_pairs(whole: Round, size: int) -> Flags:
    """Return the pairs, seat 1 on turn, from which somebody can reach the goal."""
    found = np.zeros((size, size), dtype=np.bool_)
    while True:
        more = whole.back(found.astype(np.float64), (1.0, 1.0)) > 0.0
        more |= found
        if np.array_equal(more, found):
            return found
        found = more


def _checked_rounds(whole: Round, open_: Flags, rounds: Floats) -> float:
    """Return a bound on the expected rounds, from a table that is about them.

    Raises
    ------
    ProofError
        If it bounds nothing.
    """
    most = rounds * (1.0 + _SLACK)
    later = whole.back(most, (0.0, 0.0)) * (1.0 + 1e-12) + 1.0
    if not (np.isfinite(most).all() and (later <= most)[open_].all()):
        raise ProofError(
            "the match may last so long under these policies that no bound can be shown",
            remedy="a nearer goal, or more income",
        )
    return float(most.max())


def solve_rounds(
    whole: Round,
    stages: Sequence[Ints],
    open_: Flags,
    right: Floats,
    goals: tuple[float, float],
    guess: Floats,
    good: float = _GOOD,
) -> Floats:
    """Return X = K X + right on open pairs, zero on the others.

    Parameters
    ----------
    whole
        The round K.
    stages
        Standings to be solved together, those first that lead to no later stage.
    open_
        bool: the pairs that are solved for.
    right
        What is added in a round.
    goals
        What it is worth that seat 1, and that seat 2, reaches the goal.
    guess
        Values to begin with.
    good
        By which share of the values the equations may be missed; by default as far as rounding
        lets them hold. Where that is not reached, the best found is returned.
    """
    found = np.where(open_, guess, 0.0)
    before: list[int] = []
    for stage in stages:
        members = np.array(sorted([*before, *stage.tolist()]), dtype=np.int64)
        new = np.isin(members, stage)
        block = np.ix_(members, members)
        unknown = (new[:, None] | new[None, :]) & open_[block]
        part = whole if len(members) == len(found) else whole.within(members)
        found[block] = _settled(part, unknown, right[block], goals, found[block], good)
        before = members.tolist()
    return found


def _settled(
    part: Round,
    unknown: Flags,
    right: Floats,
    goals: tuple[float, float],
    found: Floats,
    good: float,
) -> Floats:
    from scipy.sparse.linalg import LinearOperator, bicgstab  # noqa: PLC0415  only for these

    count = int(unknown.sum())
    if not count:
        return found

    def left(flat: Floats) -> Floats:
        table = np.zeros_like(found)
        table[unknown] = flat
        kept: Floats = flat - part.back(table, (0.0, 0.0))[unknown]
        return kept

    operator: Any = LinearOperator((count, count), matvec=left, dtype=np.float64)
    best, least, stuck = found, np.inf, 0
    for _ in range(_ROUNDS):
        off = (part.back(found, goals) + right - found)[unknown]
        missed = float(np.abs(off).max())
        if missed <= good * float(np.abs(found).max(initial=1.0)):
            return found
        stuck = 0 if missed < 0.5 * least else stuck + 1
        if missed < least:
            best, least = found, missed
        if stuck >= _STUCK:
            return best
        change, _ = bicgstab(operator, off, rtol=_FORCING, maxiter=_ITERATIONS)
        if missed > least or not np.isfinite(change).all():
            found = best
            for _ in range(_SWEEPS):  # these always come nearer
                found = np.where(unknown, part.back(found, goals) + right, found)
            continue
        found = found.copy()
        found[unknown] += change
    return best
