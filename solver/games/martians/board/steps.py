"""Steps: from which square a pawn or a Martian gets to which.

Steps are orthogonal; inside a tile they cross a white line or a door, between tiles they follow
a road. Players enter roads, farms, named buildings and the House; Martians also go into unnamed
buildings, where the tile has a door. Source: the rulebook, Player Movement Rules; Martian
Movement Rules.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from solver.errors import PositionError
from solver.games.martians.board.components import Mover
from solver.games.martians.board.layout import (
    Layout,
    Square,
    beside,
    place_of,
    reading_order,
    square_at,
)
from solver.games.martians.board.tile import SPOTS, Kind

if TYPE_CHECKING:
    import networkx as nx

Neighbours = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """The squares of a map that can be entered, and the steps between them.

    Squares are numbered in reading order (by y, then x); both movers share the numbers.

    Parameters
    ----------
    squares
        The squares that a Martian may enter.
    kinds
        What each is.
    pawn, martian
        For each square the numbers of those that are one step away, ascending. A square that a
        pawn may not enter has no neighbours for it and is nobody's.
    """

    squares: tuple[Square, ...]
    kinds: tuple[Kind, ...]
    pawn: Neighbours
    martian: Neighbours
    _numbers: dict[Square, int] = field(compare=False, repr=False)

    def __contains__(self, square: object) -> bool:
        return square in self._numbers

    def number(self, square: Square) -> int:
        """Return the number of a square.

        Raises
        ------
        PositionError
            If nobody can stand there.
        """
        number = self._numbers.get(square)
        if number is None:
            raise PositionError(
                f"nobody can stand on {list(square)}",
                rule="Player Movement Rules: roads and named buildings",
                field="square",
            )
        return number

    def of(self, mover: Mover) -> Neighbours:
        """Return the steps of a mover."""
        return self.pawn if mover is Mover.PAWN else self.martian

    def next_to(self, square: Square, mover: Mover = Mover.PAWN) -> tuple[Square, ...]:
        """Return the squares one step away."""
        return tuple(self.squares[n] for n in self.of(mover)[self.number(square)])

    def distances(
        self, square: Square, mover: Mover = Mover.PAWN, *, closed: Collection[Square] = ()
    ) -> dict[Square, int]:
        """Return for each square that can be reached the fewest steps to it.

        Parameters
        ----------
        square
            Where the way begins.
        mover
            Who goes.
        closed
            Squares that may be entered but not left (where Martians stand, say).
        """
        start = self.number(square)
        stop = {self._numbers[s] for s in closed if s in self._numbers} - {start}
        steps, neighbours = {start: 0}, self.of(mover)
        ring = [start]
        while ring:
            ahead: list[int] = []
            for number in ring:
                if number in stop:
                    continue
                for other in neighbours[number]:
                    if other not in steps:
                        steps[other] = steps[number] + 1
                        ahead.append(other)
            ring = ahead
        return {self.squares[number]: count for number, count in steps.items()}


@lru_cache(maxsize=256)
def steps_of(layout: Layout) -> Steps:
    """Return the steps of a map.

    Parameters
    ----------
    layout
        A legal map.
    """
    grid = layout.grid
    pairs: set[tuple[Square, Square]] = set()
    kinds: dict[Square, Kind] = {}
    for place, tile in grid.items():
        for spot in SPOTS:
            if tile.kind(spot).lets_in(Mover.MARTIAN):
                kinds[square_at(place, spot)] = tile.kind(spot)
        for one, other in tile.lines():
            pairs.add((square_at(place, one), square_at(place, other)))
        for side in tile.roads:
            neighbour = beside(place, side)
            if neighbour in grid and side.opposite in grid[neighbour].roads:
                pairs.add((square_at(place, side.spot), square_at(neighbour, side.opposite.spot)))
    reached = {square for pair in pairs for square in pair}
    squares = reading_order(s for s in kinds if kinds[s] is not Kind.UNNAMED or s in reached)
    numbers = {square: number for number, square in enumerate(squares)}
    both: dict[Mover, Neighbours] = {}
    for mover in Mover:
        near: list[set[int]] = [set() for _ in squares]
        for one, other in pairs:
            if kinds[one].lets_in(mover) and kinds[other].lets_in(mover):
                near[numbers[one]].add(numbers[other])
                near[numbers[other]].add(numbers[one])
        both[mover] = tuple(tuple(sorted(others)) for others in near)
    return Steps(
        squares,
        tuple(kinds[square] for square in squares),
        both[Mover.PAWN],
        both[Mover.MARTIAN],
        numbers,
    )


def graph_of(layout: Layout, mover: Mover = Mover.PAWN) -> nx.Graph:
    """Return the steps of a mover as an undirected networkx graph.

    Parameters
    ----------
    layout
        A legal map.
    mover
        Who goes.

    Returns
    -------
    networkx.Graph
        Nodes are squares (x, y) that the mover may enter, with the attributes ``kind`` (text) and
        ``place`` (column and row of the tile); edges are steps.
    """
    import networkx as nx  # noqa: PLC0415

    steps = steps_of(layout)
    graph = nx.Graph()
    for square, kind in zip(steps.squares, steps.kinds, strict=True):
        if kind.lets_in(mover):
            graph.add_node(square, kind=str(kind), place=place_of(square))
    for number, others in enumerate(steps.of(mover)):
        graph.add_edges_from((steps.squares[number], steps.squares[other]) for other in others)
    return graph
