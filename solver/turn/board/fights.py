r"""Fights on grids: what a fight is worth for every number of life and bullet tokens at once.

A grid holds a number for each pair (lives, bullets), 0 to 5 each. With :math:`V` the grid of what
follows when the fight is won and :math:`d` what a death is worth, a fight with bonus :math:`b` and
:math:`r` re-rolls left is worth

.. math:: F_r(l, c) = \tfrac16 \sum_{face} \begin{cases} V(l, c) & face + b \ge 4 \\
   \max\{V(l, c - s),\ F_{r-1}(l, c),\ F_r(l - 1, c)\} & s = 4 - face - b > 0 \end{cases}

where what the player does not have is left out, and :math:`F_r(l - 1, c)` is :math:`d` if it would
cost the last life. Source: the rulebook, Combat Rules; see :mod:`solver.games.martians.combat`.

Beside each value goes the chance to die in this turn. Among options that are worth the same the
one with the least of it is taken: so that chance does not depend on how options are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.martians.combat import FACES, MOST_TOKENS, LastLife, least_lives, rolls
from solver.games.martians.weapons import Weapon

Floats = NDArray[np.float64]
SIZE = MOST_TOKENS + 1


@dataclass(frozen=True, slots=True, eq=False)
class Grids:
    """Values and chances to die, for every number of tokens.

    Parameters
    ----------
    value, death
        float64, shape (..., 6, 6): by life tokens and bullet tokens.
    """

    value: Floats
    death: Floats

    def __getitem__(self, rows: Any) -> Grids:
        return Grids(self.value[rows], self.death[rows])


def better(one: Grids, other: Grids, tie: float) -> Grids:
    """Return the better of two options, entry by entry.

    Parameters
    ----------
    one, other
        The options.
    tie
        Values that differ by no more are the same; then it is the one with less chance to die.
    """
    gain = other.value - one.value
    safer = (np.abs(gain) <= tie) & (other.death < one.death)
    death = np.where((gain > tie) | safer, other.death, one.death)
    return Grids(np.maximum(one.value, other.value), death)


class Fights:
    """Fights under one reading, with the weapons held.

    Parameters
    ----------
    weapons
        The weapons, one of which may be used in a fight.
    last_life
        The reading.
    tie
        See :func:`better`.
    """

    def __init__(self, weapons: Sequence[Weapon], last_life: LastLife, tie: float) -> None:
        self.arms = [(weapon.bonus, weapon.rerolls) for weapon in weapons] + [(0, 0)]
        self.least = least_lives(last_life)
        self.tie = tie

    def fight(self, won: Grids, lost: Floats) -> Grids:
        """Return what fights are worth before the first roll.

        Parameters
        ----------
        won
            What follows when each is won, shape (n, 6, 6).
        lost
            What a death in each is worth, shape (n,).
        """
        best: Grids | None = None
        for bonus, rerolls in self.arms:
            fought = self.rolled(won, lost, bonus, rerolls)[-1]
            best = fought if best is None else better(best, fought, self.tie)
        assert best is not None
        return best

    def rolled(self, won: Grids, lost: Floats, bonus: int, rerolls: int) -> list[Grids]:
        """Return what fights are worth before a roll, by the re-rolls left: 0, 1, ...

        Parameters
        ----------
        won, lost
            As in :meth:`fight`.
        bonus, rerolls
            What the weapon adds, and the re-rolls it has.
        """
        wins, losses = rolls(bonus)
        found: list[Grids] = []
        dead = Grids(
            np.repeat(lost[:, None], SIZE, axis=1), np.ones((len(lost), SIZE))
        )  # by bullets
        for left in range(rerolls + 1):
            grid = Grids(np.zeros_like(won.value), np.zeros_like(won.death))
            for lives in range(self.least, SIZE):
                row = won[:, lives]
                other = grid[:, lives - 1] if lives > self.least else dead
                if left:
                    other = better(found[left - 1][:, lives], other, self.tie)
                value, death = wins * row.value, wins * row.death
                for short, faces in losses.items():
                    mended = self._spend(row, other, short)
                    value += faces * mended.value
                    death += faces * mended.death
                grid.value[:, lives] = value / len(FACES)
                grid.death[:, lives] = death / len(FACES)
            found.append(grid)
        return found

    def _spend(self, won: Grids, other: Grids, short: int) -> Grids:
        """Return the better of spending bullets and the rest; who has too few, cannot."""
        value, death = other.value.copy(), other.death.copy()
        if short < SIZE:
            spent = better(won[:, : SIZE - short], other[:, short:], self.tie)
            value[:, short:], death[:, short:] = spent.value, spent.death
        return Grids(value, death)
