r"""What the nodes of a movement are worth: one backward pass over grids of tokens.

Nodes of one number of moves left are valued together, kind by kind in the order of
:mod:`.nodes`; those with fewer moves left come first. A value is a float64; beside it goes the
chance to die under best play.

Rounding: an average of :math:`n` terms with rounded weights is off by at most :math:`(n + 2) u`
times the largest value, on top of what its terms are off; :math:`u = 2^{-53}`. A FIND has at most
five terms, a turned circle two; a fight is a chain of at most nine averages of four terms, for
each takes a life or a re-roll. So an event adds at most :math:`(7 + 4 + 9 \cdot 6) u = 65 u`, the
movement roll :math:`8 u`, and no value of a movement of up to thirty moves is off by more than
:math:`31 \cdot 65 u + 62 u < 2500 u` times the largest payoff.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.martians.combat import MOST_TOKENS
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.fights import SIZE, Fights, Grids, better
from solver.turn.board.nodes import (
    BULLET_AT_FIVE,
    BULLET_GAINED,
    CHOICE,
    EITHER,
    END,
    FIGHT,
    FIND,
    LIFE_AT_FIVE,
    LIFE_GAINED,
    WALK,
    Nodes,
)
from solver.turn.kernel import TIE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_AT_FIVE = (LIFE_AT_FIVE, BULLET_AT_FIVE)

ROUNDING = 2500 * 2.0**-53
"""Bound on the error of a value, as a share of the largest payoff."""


class Values:
    """What nodes are worth.

    Parameters
    ----------
    nodes
        The nodes, expanded.
    payoff
        What is maximised.

    Attributes
    ----------
    value, death
        float64, shape (nodes, 6, 6): by life and bullet tokens. Entries for tokens that nobody
        can have at a node mean nothing.
    scale
        The largest payoff, as an absolute number.
    """

    def __init__(self, nodes: Nodes, payoff: Payoff) -> None:
        self.nodes = nodes
        count = len(nodes.kind)
        self.value = np.zeros((count, SIZE, SIZE))
        self.death = np.zeros((count, SIZE, SIZE))
        kinds, levels = np.array(nodes.kind), np.array(nodes.level)
        self._ends(np.flatnonzero(kinds == END), payoff)
        self.scale = float(np.abs(self.value).max(initial=0.0))
        self.tie = TIE * max(self.scale, 1e-300)
        ground = nodes.ground
        self.fights = Fights(ground.weapons, ground.last_life, self.tie)
        order = np.lexsort((kinds, levels))
        marks = levels[order] * 8 + kinds[order]
        bounds = np.flatnonzero(np.diff(marks, prepend=-99, append=99))
        work: dict[int, Callable[[Ints], None]] = {
            WALK: self._best,
            FIND: self._average,
            CHOICE: self._best,
            FIGHT: self._fight,
            EITHER: self._best,
        }
        for begin, end in pairwise(bounds.tolist()):
            rows = order[begin:end]
            kind = int(kinds[rows[0]])
            if kind != END:
                work[kind](rows)

    @property
    def error(self) -> float:
        """Bound on the error of a value."""
        return self.scale * ROUNDING

    def grids(self, node: int) -> Grids:
        """Return the grids of one node."""
        return Grids(self.value[node], self.death[node])

    def _ends(self, rows: Ints, payoff: Payoff) -> None:
        nodes, ground = self.nodes, self.nodes.ground
        uses_tokens = "tokens" in payoff.uses
        for row in rows.tolist():
            at, martians, number, ending = nodes.data[row]
            finds = nodes.finds[number]
            if ending == "dead":
                self.value[row] = float(payoff(ground.death(martians, finds)))
                self.death[row] = 1.0
                continue
            square = at if at >= 0 else _elsewhere(ground, payoff)

            def worth(
                lives: int, bullets: int, told: Any = (square, martians, finds, ending)
            ) -> Any:
                place, killed, left, how = told
                return payoff(ground.outcome(place, (lives, bullets), killed, left, how))

            if uses_tokens:
                self.value[row] = [
                    [float(worth(lives, bullets)) for bullets in range(SIZE)]
                    for lives in range(SIZE)
                ]
            else:
                self.value[row] = float(worth(1, 0))

    def _best(self, rows: Ints) -> None:
        """Value the best of several options."""
        data = [self.nodes.data[row] for row in rows.tolist()]
        starts = np.cumsum([0, *map(len, data[:-1])])
        options = np.array([option for several in data for option in several])
        value = self.value[options]
        best = np.maximum.reduceat(value, starts)
        worse = value < np.repeat(best - self.tie, np.diff(starts, append=len(options)), axis=0)
        death = np.minimum.reduceat(np.where(worse, np.inf, self.death[options]), starts)
        self.value[rows], self.death[rows] = best, death

    def _average(self, rows: Ints) -> None:
        """Value what is found by chance; the tokens it gives shift the grid."""
        owner, share, gain, below = [], [], [], []
        for place, row in enumerate(rows.tolist()):
            branches = self.nodes.data[row]
            total = sum(weight for weight, how, _ in branches if how not in _AT_FIVE)
            for weight, how, node in branches:
                owner.append(place)
                share.append(weight / total)
                gain.append(how)
                below.append(node)
        owners, nodes = np.array(owner), np.array(below)
        shares, gains = np.array(share)[:, None, None], np.array(gain)
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        for grid in (self.value, self.death):
            moved = _shifted(grid[nodes], gains) * shares
            grid[rows] = np.add.reduceat(moved, starts)

    def _fight(self, rows: Ints) -> None:
        ends = np.array([self.nodes.data[row] for row in rows.tolist()])
        won = Grids(self.value[ends[:, 0]], self.death[ends[:, 0]])
        fought = self.fights.fight(won, self.value[ends[:, 1], 0, 0])
        self.value[rows], self.death[rows] = fought.value, fought.death


def _shifted(grids: Floats, gains: Ints) -> Floats:
    """Return what grids are worth before the tokens are taken."""
    moved = grids.copy()
    lives, bullets = gains == LIFE_GAINED, gains == BULLET_GAINED
    moved[lives, :MOST_TOKENS] = grids[lives, 1:]
    moved[lives, MOST_TOKENS] = 0.0
    moved[bullets, :, :MOST_TOKENS] = grids[bullets, :, 1:]
    moved[bullets, :, MOST_TOKENS] = 0.0
    moved[gains == LIFE_AT_FIVE, :MOST_TOKENS] = 0.0
    moved[gains == BULLET_AT_FIVE, :, :MOST_TOKENS] = 0.0
    return moved


def _elsewhere(ground: Ground, payoff: Payoff) -> int:
    """Return a square that is worth nothing of its own."""
    if payoff.places is None:
        return ground.house
    return next((n for n, s in enumerate(ground.squares) if s not in payoff.places), ground.house)


__all__ = ["ROUNDING", "Values", "better"]
