"""What a whole turn is worth before its movement roll, for many boards that differ in Martians."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solver.games.martians.combat import FACES, least_lives
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.fights import SIZE, Grids
from solver.turn.board.matter import BULLETS_FULL, LIVES_FULL
from solver.turn.board.nodes import MOST_NODES, Nodes
from solver.turn.board.values import Values


def full_of(ground: Ground) -> int:
    """Return which tokens of a player are full."""
    most = SIZE - 1
    return LIVES_FULL * (ground.lives == most) | BULLETS_FULL * (ground.bullets == most)


class BeforeRoll:
    """Turns of one player from the fight on the own square, or the movement roll, on.

    Parameters
    ----------
    ground, payoff
        Where the player moves, and what for.
    boards
        The squares with a Martian, as bits, for each turn to be valued; the ground's own are not
        looked at.
    most_nodes
        Limit of the number of nodes of them all.
    perhaps
        Squares whose Martian need not be met, see :class:`.Nodes`.

    Raises
    ------
    TooLargeError
        If there are more nodes.
    """

    def __init__(
        self,
        ground: Ground,
        payoff: Payoff,
        boards: Iterable[int],
        *,
        most_nodes: int = MOST_NODES,
        perhaps: int = 0,
    ) -> None:
        self.ground, self.payoff = ground, payoff
        moves = len(FACES) + ground.lives
        self.nodes = Nodes(ground, payoff, moves, most=most_nodes, perhaps=perhaps)
        self.ball = self.nodes.within(ground.at, moves)
        self._rolled: dict[tuple[int, bool], dict[int, list[int]]] = {}
        self._optional = bool(perhaps >> ground.at & 1)
        self._wins = 0 < ground.goal <= ground.martians + 1
        for standing in boards:
            met = bool(standing >> ground.at & 1)
            self._add(standing & self.ball, met=met)
            if met and self._optional:
                self._add(standing & self.ball, met=False)
        self.nodes.expand()
        self.values = Values(self.nodes, payoff)

    def _add(self, standing: int, *, met: bool) -> None:
        if (standing, met) in self._rolled:
            return
        g, nodes = self.ground, self.nodes
        if met and self._wins:
            self._rolled[standing, met] = {}
            return
        killed, full = (g.martians + 1, 0) if met else (g.martians, full_of(g))
        left = standing & ~(1 << g.at)
        self._rolled[standing, met] = {
            lives: [
                nodes.begin(nodes.key(g.at, face + lives, left, killed, g.finds, full))
                for face in FACES
            ]
            for lives in (range(least_lives(g.last_life), g.lives + 1) if met else (g.lives,))
        }

    def worth(self, standing: int) -> tuple[float, float]:
        """Return what a turn is worth, and the chance to die in it.

        Parameters
        ----------
        standing
            One of the boards.
        """
        standing &= self.ball
        if not standing >> self.ground.at & 1:
            return self._roll(standing)
        fought = self._fight(standing)
        return max(fought, self._roll(standing)) if self._optional else fought

    def won(self, standing: int) -> Grids:
        """Return what winning the fight on the own square is worth, by tokens, shape (6, 6)."""
        g = self.ground
        found = Grids(np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE)))
        if self._wins:
            for lives in range(SIZE):
                for bullets in range(SIZE):
                    end = g.outcome(g.at, (lives, bullets), g.martians + 1, g.finds, "martians")
                    found.value[lives, bullets] = float(self.payoff(end))
            return found
        for lives, rolled in self._rolled[standing & self.ball, True].items():
            found.value[lives] = self.values.value[rolled, lives].mean(axis=0)
            found.death[lives] = self.values.death[rolled, lives].mean(axis=0)
        return found

    def _roll(self, standing: int) -> tuple[float, float]:
        lives, bullets = self.ground.lives, self.ground.bullets
        rows = self._rolled[standing, False][lives]
        value = self.values.value[rows, lives, bullets].mean()
        return float(value), float(self.values.death[rows, lives, bullets].mean())

    def _fight(self, standing: int) -> tuple[float, float]:
        g = self.ground
        won = self.won(standing)
        lost = float(self.payoff(g.death(g.martians, g.finds)))
        several = Grids(won.value[None], won.death[None])
        grid = self.values.fights.fight(several, np.array([lost]))
        value, death = grid.value[0, g.lives, g.bullets], grid.death[0, g.lives, g.bullets]
        return float(value), float(death)
