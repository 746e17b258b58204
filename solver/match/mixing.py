r"""Cells without an equilibrium in pure play.

From three seats on, best answers can chase each other round a cycle, like matching pennies: seat
i wants to take more risk if seat j takes less, and j less if i takes less. What a seat's best
turn depends on is one number, its own chance :math:`x_m` if it scores nothing now (the others'
policies reach it no other way). As a function of it the best turn changes at *breakpoints*
:math:`x_m^*`, where two turns A and B are equally good. In equilibrium each seat that chases sits
on a breakpoint and mixes its two turns, :math:`p_m = \alpha_m A_m + (1 - \alpha_m) B_m`, with
shares that put the others on theirs:

.. math:: x_m(\alpha) = x_m^*,

one equation for each mixing seat, each multilinear in the shares, solved by Newton's method.

How it is made sure that none is missed: a cell leaves policy iteration only when every seat's
best answer is, bit for bit, what it already plays; all others come here, and leave only after
every seat's best answer has been shown to gain less than :data:`CONTENT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.boundary import Floats
from solver.turn.roots import RootSolver

CONTENT = 1e-12
"""A seat that could gain no more than this plays its best answer (ties are settled at 1e-13)."""

STEP = 1e-9
"""A turn solved this far above or below a breakpoint is one of the two that meet there."""

_ATTEMPTS = 60
_LAPS = 3


@dataclass(frozen=True, slots=True)
class Mix:
    """How a seat mixes two turns at a cell.

    Parameters
    ----------
    share
        Chance of the turn that is best just above the breakpoint.
    breakpoint
        The seat's own chance to win after no points, at which both turns are equally good.
    """

    share: float
    breakpoint: float


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One cell in which policy iteration did not settle.

    Parameters
    ----------
    scores
        For messages.
    after
        float64, shape (seats, outcomes, seats + 2): values after scoring.
    scoring
        bool, shape (outcomes,).
    free
        Seats that play their best.
    chances
        float64, shape (seats, outcomes): the last profile.
    """

    scores: tuple[int, ...]
    after: Floats
    scoring: NDArray[np.bool_]
    free: tuple[int, ...]
    chances: Floats


@dataclass(frozen=True, slots=True, eq=False)
class MixedCell:
    """An equilibrium of a cell: values (seats, seats + 2), who mixes how, turns solved."""

    value: Floats
    mixes: Mapping[int, Mix]
    turns: int


def mixed_equilibrium(cell: Cell, solve: RootSolver) -> MixedCell:
    """Return an equilibrium of a cell, pure if the last profile is one after all.

    Raises
    ------
    ProofError
        If none was found.
    """
    search = _Mixing(cell, solve)
    for _ in range(_ATTEMPTS):
        search.balance()
        gains = search.gains()
        if gains.max() <= CONTENT:
            return MixedCell(search.value(), search.mixes(), search.turns)
        search.improve(int(gains.argmax()))
    raise ProofError(
        f"no equilibrium was found at the scores {cell.scores}",
        remedy="this is a fault of the solver: please report these rules and scores",
    )


class _Mixing:
    """A profile in which some seats mix two turns on a breakpoint of theirs."""

    def __init__(self, cell: Cell, solve: RootSolver) -> None:
        self.cell, self.solve = cell, solve
        self.n = len(cell.chances)
        self.chances = cell.chances.copy()
        self.turns = 0
        self.lines: dict[int, tuple[Floats, Floats]] = {}
        self.answered: dict[int, int] = {}
        self.share: dict[int, float] = {}
        self.point: dict[int, float] = {}

    def value(self) -> Floats:
        """Value vectors of the profile, by seat on turn."""
        cell, n = self.cell, self.n
        constant = np.einsum("mo,mov->mv", self.chances, cell.after)
        stay = self.chances[:, ~cell.scoring].sum(axis=1)
        constant[n - 1, n] += stay[n - 1]
        matrix = np.eye(n)
        for m in range(n):
            matrix[m, (m + 1) % n] -= stay[m]
        solved: Floats = np.linalg.solve(matrix, constant)
        return solved

    def mixes(self) -> dict[int, Mix]:
        return {m: Mix(self.share[m], self.point[m]) for m in self.lines}

    def stay(self, m: int) -> float:
        """Seat m's own chance to win if it scores nothing now."""
        return float(self.value()[(m + 1) % self.n, m])

    def answer(self, m: int, stay: float) -> tuple[float, Floats]:
        """Best turn of seat m if no points are worth `stay`: its value and distribution."""
        payoff = np.where(self.cell.scoring, self.cell.after[m, :, m], stay)
        best, chances = self.solve(payoff[None])
        self.turns += 1
        return float(best[0]), chances[0]

    def gains(self) -> Floats:
        """Return how much each seat could gain by its best answer."""
        value = self.value()
        gains = np.zeros(self.n)
        for m in self.cell.free:
            best, _ = self.answer(m, float(value[(m + 1) % self.n, m]))
            gains[m] = best - value[m, m]
        return gains

    def improve(self, worst: int) -> None:
        """Let the seat that gains most answer; see who chases whom if nobody mixes."""
        if self.lines:
            self._answer_line(worst)
            return
        for m in self.cell.free * _LAPS:  # come into the cycle
            _, self.chances[m] = self.answer(m, self.stay(m))
        for m in self.cell.free:
            stay, old = self.stay(m), self.chances[m].copy()
            best, self.chances[m] = self.answer(m, stay)
            if best - self._worth(m, old, stay) > CONTENT:
                self._draw(m, old, self.chances[m].copy())

    def _answer_line(self, m: int) -> None:
        """Let seat m answer a profile in which others mix, or replace one of its two turns."""
        stay = self.stay(m)
        _, answer = self.answer(m, stay)
        if m not in self.lines:
            self.answered[m] = self.answered.get(m, 0) + 1
            if self.answered[m] > _LAPS:
                self._draw(m, self.chances[m].copy(), answer)
            self.chances[m] = answer
            return
        high, low = self.lines[m]
        quiet = ~self.cell.scoring
        keep = low if answer[quiet].sum() > high[quiet].sum() else high
        self._draw(m, keep, answer)

    def _draw(self, m: int, one: Floats, other: Floats) -> None:
        """Put seat m on the breakpoint between two turns."""
        quiet = ~self.cell.scoring
        pair = (one, other) if one[quiet].sum() > other[quiet].sum() else (other, one)
        if pair[0][quiet].sum() == pair[1][quiet].sum():
            return
        self.lines[m] = self._adjacent(m, *pair)
        self.point[m] = self._crossing(m, *self.lines[m])
        self.share[m] = 0.5

    def _adjacent(self, m: int, high: Floats, low: Floats) -> tuple[Floats, Floats]:
        """Narrow the pair to two turns that meet with no better third one between."""
        for _ in range(_ATTEMPTS):
            point = self._crossing(m, high, low)
            best, between = self.answer(m, point)
            if best - self._worth(m, high, point) <= CONTENT / 10:
                return high, low
            if point < self.stay(m):
                low = between
            else:
                high = between
        return high, low

    def _worth(self, m: int, chances: Floats, stay: float) -> float:
        payoff = np.where(self.cell.scoring, self.cell.after[m, :, m], stay)
        return float(chances @ payoff)

    def _crossing(self, m: int, high: Floats, low: Floats) -> float:
        """Return the worth of no points at which both turns are equally good for seat m."""
        scoring = self.cell.scoring
        gain = (low - high)[scoring] @ self.cell.after[m, scoring, m]
        slope = (high - low)[~scoring].sum()
        return float(gain / slope)

    def _set(self, shares: Floats) -> None:
        for m, share in zip(self.lines, shares.tolist(), strict=True):
            high, low = self.lines[m]
            self.share[m] = share
            self.chances[m] = share * high + (1.0 - share) * low

    def balance(self) -> None:
        """Choose the shares that put every mixing seat on its breakpoint; drop those outside."""
        while self.lines:
            shares = self._newton(np.array([self.share[m] for m in self.lines]))
            outside = np.maximum(-shares, shares - 1.0)
            if outside.max() <= 0.0:
                self._set(shares)
                return
            worst = int(outside.argmax())
            m = list(self.lines)[worst]
            self._set(np.clip(shares, 0.0, 1.0))
            high, low = self.lines.pop(m)
            self.chances[m] = high if shares[worst] > 1.0 else low
            del self.share[m], self.point[m]

    def _miss(self, shares: Floats) -> Floats:
        self._set(shares)
        value = self.value()
        return np.array([value[(m + 1) % self.n, m] - self.point[m] for m in self.lines])

    def _newton(self, shares: Floats) -> Floats:
        for _ in range(_ATTEMPTS):
            miss = self._miss(shares)
            if np.abs(miss).max() <= 1e-16:
                break
            slope = np.empty((len(shares), len(shares)))
            for j in range(len(shares)):
                moved = shares.copy()
                moved[j] += 0.25 if moved[j] < 0.5 else -0.25
                slope[:, j] = (self._miss(moved) - miss) / (moved[j] - shares[j])
            step, *_ = np.linalg.lstsq(slope, -miss, rcond=None)
            shares = shares + step
            if np.abs(step).max() <= 1e-15 or not np.isfinite(shares).all():
                break
        return shares
