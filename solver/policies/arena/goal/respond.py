r"""A best response in a race to a goal: the play that wins most often against what is given.

Against a seat whose turns are given the match is a decision process on pairs of standings,

.. math:: V(a, b) = \max \sum_x p(x)\, W(a_x, b), \qquad W = \text{the other seat's turn after } V,

solved by policy iteration: the values of a policy are those of its linear equations
(:mod:`.equations.linked`), then each choice is changed for one that is better.

The other seat may have stopped for ever. Then to stop as well "ties" with whatever wins in the end,
in the equations though not in the match; so values must never be too high. Policies are evaluated
to a residual, and choices change only for an improvement well above it: then play that reaches the
goal stays play that reaches the goal, and that is how it begins, with best play against best play.
Residual and threshold fall to those of rounding.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.match.goal.standings import Standings
from solver.policies.arena.goal.equations.linked import Round, open_pairs, solve_rounds
from solver.policies.arena.goal.turns.seat import ChosenTurns, SeatTurns

Floats = NDArray[np.float64]

_LOOSE, _TIGHT = 1e-5, 2.0**-48
_FALL = 1e-3  # of the residual, against the last improvement
_MARGIN = 100.0  # of the threshold, above the residual
_LEAST_GAIN = 1e-13
_MOST_ITERATIONS = 100


def best_response(
    begin: ChosenTurns,
    given: SeatTurns,
    standings: Standings,
    guess: Floats,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> ChosenTurns:
    """Return the turns of a seat that wins most often against a given one.

    Parameters
    ----------
    begin
        Play that reaches the goal whatever the other seat does, to begin with.
    given
        How the other seat plays.
    standings
        The standings.
    guess
        float64, shape (own standings, the other's): its chances to win on turn, roughly.
    progress
        Called with (digits of the residual, digits in all).

    Raises
    ------
    ProofError
        If the play does not settle.
    """
    size = len(standings)
    play = ChosenTurns(
        begin.graph, standings, begin.sweep, begin.choice.copy(), begin.members, begin.rounding
    )
    whole = Round(play, given)
    every, zero = np.ones((size, size), dtype=np.bool_), np.zeros((size, size))
    value, good = guess, _LOOSE
    for _ in range(_MOST_ITERATIONS):
        value = solve_rounds(whole, standings.stages, every, zero, (1.0, 0.0), value, good)
        other = given.carried(np.ascontiguousarray(value.T), 0.0)
        payoffs = play.payoffs(np.ascontiguousarray(other.T), 1.0)
        before = play.choice.copy()
        missed = float(np.abs(play.sweep.evaluate(payoffs, play.choice) - value).max())
        gain = max(_LEAST_GAIN, _MARGIN * missed)
        improved = float((play.sweep.improve(payoffs, play.choice, gain=gain) - value).max())
        if progress is not None:
            progress(round(-np.log10(good)), round(-np.log10(_TIGHT)))
        if np.array_equal(before, play.choice):
            if good <= _TIGHT:
                _check(whole, size)
                return play
            good = max(_TIGHT, _FALL * good)
        else:
            good = max(_TIGHT, min(good, _FALL * improved))
    raise ProofError("the best response did not settle")


def _check(whole: Round, size: int) -> None:
    """Raise ProofError unless every pair leads to a goal."""
    if not open_pairs(whole, size).all():
        raise ProofError("the best response as found need not reach the goal: it is none")
