"""Steps 6 and 7 of the turn: how Martians may be moved, and where new ones arrive.

Source: the rulebook, Turn Sequence 6 and 7; Martian Movement Rules; Martian Ship Tokens; reading
`Martian moves`: different Martians are moved one after the other, one square each, to a square
without a Martian; one that was moved is not moved again; the player goes on until the number is
reached or no Martian is left that can move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from solver.games.martians.board.components import Circle
from solver.games.martians.board.layout import place_of
from solver.games.martians.board.position import Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.plan.finds import squares_in

Step = tuple[int, int]
"""From which square a Martian moves to which."""


@dataclass(frozen=True, slots=True)
class Invaders:
    """Where Martians can go, and where they arrive.

    Parameters
    ----------
    near
        For each square those one step away for a Martian.
    circles
        The crop circles, in reading order.
    ship_tile
        The squares of the Mother Ship's tile in reading order, its token first; none before it is
        revealed.
    supply
        Martians left to be placed.
    """

    near: tuple[tuple[int, ...], ...]
    circles: tuple[int, ...] = ()
    ship_tile: tuple[int, ...] = ()
    supply: int = 0

    def steps(self, standing: int, moved: int = 0) -> Iterator[Step]:
        """Yield every legal step of a Martian that has not been moved.

        Parameters
        ----------
        standing, moved
            The squares with a Martian, and those with one that has been moved, as bits.
        """
        for square in squares_in(standing & ~moved):
            for other in self.near[square]:
                if not standing >> other & 1:
                    yield square, other

    def ways(self, standing: int, number: int, most: int) -> dict[int, tuple[Step, ...]] | None:
        """Return where Martians can stand after so many moves: squares -> the moves to it.

        Parameters
        ----------
        standing
            The squares with a Martian.
        number
            What the die shows.
        most
            Limit of what is looked at.

        Returns
        -------
        dict
            The first moves found, by reading order; None beyond the limit.
        """
        return _ways(self, standing, number, most)

    def arrived(self, standing: int) -> int:
        """Return where Martians stand after step 7.

        Each crop circle without a Martian gets one, and one more comes to the Mother Ship's tile:
        on its token, else on the first free square in reading order (the sheet lets the player
        choose). None comes when there are none left.

        Parameters
        ----------
        standing
            The squares with a Martian before.
        """
        left = self.supply
        for square in self.circles:
            if left and not standing >> square & 1:
                standing |= 1 << square
                left -= 1
        for square in self.ship_tile:
            if left and not standing >> square & 1:
                return standing | 1 << square
        return standing


def invaders_of(position: Position) -> Invaders:
    """Return where the Martians of a position can go, and where new ones arrive.

    Parameters
    ----------
    position
        The position.
    """
    steps = steps_of(position.layout)
    ships = [c.at for c in position.crop_circles if c.shows is Circle.MOTHER_SHIP]
    tile: tuple[int, ...] = ()
    if ships:
        own = [s for s in steps.squares if place_of(s) == place_of(ships[0]) and s != ships[0]]
        tile = tuple(map(steps.number, (ships[0], *own)))
    circles = tuple(sorted(steps.number(circle.at) for circle in position.crop_circles))
    return Invaders(steps.martian, circles, tile, position.supply)


@lru_cache(maxsize=100_000)
def _ways(
    invaders: Invaders, standing: int, number: int, most: int
) -> dict[int, tuple[Step, ...]] | None:
    ahead: dict[tuple[int, int], tuple[Step, ...]] = {(standing, 0): ()}
    ends: dict[int, tuple[Step, ...]] = {}
    looked = 0
    for _ in range(number):
        here, ahead = ahead, {}
        for (now, moved), way in here.items():
            able = False
            for square, other in invaders.steps(now, moved):
                able = True
                there = now & ~(1 << square) | 1 << other
                ahead.setdefault((there, moved | 1 << other), (*way, (square, other)))
            if not able:
                ends.setdefault(now, way)
            looked += 1
            if looked > most or len(ahead) > most:
                return None
    for (now, _), way in ahead.items():
        ends.setdefault(now, way)
    return ends
