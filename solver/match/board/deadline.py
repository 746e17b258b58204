r"""The cooperative deadline: how many turns until the last Martian is placed.

Modelled are the tiles of the map deck, drawn in a random order, one a turn; each brings as many
Martians as it has streets, a farm one (Placing Map Tiles). Each turn some crop circles are found
without a Martian and get one: those placed by this turn, each *emptied* with a chance that is told,
for it depends on how the team plays. Once the Mother Ship is revealed its tile gets one Martian
more a turn until it is full; when that is, is told too. Martians that are killed do not come back
(Additional Rules). Not modelled are Martian cards, and tiles that cannot be placed: a *share* of
them can be told, by which each tile is discarded.

In a turn :math:`t` with :math:`f` farms on the map the number placed is
:math:`\text{tile} + \text{Bin}(f, p) + [\text{ship}]`. What is carried from turn to turn is which
kinds of tiles are left, how many farms lie, and how many Martians have been placed: the chance of
each is exact up to rounding. The game is lost in the turn in which the supply comes to nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import accumulate
from math import comb

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.games.martians.board.position import Position

Floats = NDArray[np.float64]
MOST_TURNS = 400
_SHIP_SQUARES = 8
"""Squares of a farm besides its crop circle."""

_Kind = tuple[int, bool]
"""Martians that a tile brings, and whether it is a farm."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the last Martian is placed.

    Parameters
    ----------
    chance
        The chance that it is placed in turn 1, 2, ...; the turn that is next is turn 1.
    never
        The chance that it is placed later than that, or never.
    """

    chance: tuple[float, ...]
    never: float

    @property
    def by(self) -> tuple[float, ...]:
        """The chance that it has been placed by the end of turn 1, 2, ..."""
        return tuple(accumulate(self.chance))

    @property
    def mean(self) -> float | None:
        """Turns on average; None if it need not be placed."""
        if self.never > 1e-9:
            return None
        return sum(turn * chance for turn, chance in enumerate(self.chance, 1))

    def quantile(self, share: float) -> int | None:
        """Return the first turn by which it has been placed with at least so much chance."""
        found = (turn for turn, by in enumerate(self.by, 1) if by >= share - 1e-12)
        return next(found, None)


def deadline(
    position: Position,
    *,
    emptied: float = 0.0,
    discarded: float = 0.0,
    ship_after: int | None = None,
    most_turns: int = MOST_TURNS,
) -> Deadline:
    """Return when the last Martian will be placed, if nothing but this places Martians.

    Parameters
    ----------
    position
        The position; its supply, its deck and its farms count.
    emptied
        The chance of each crop circle to be without a Martian in step 7 of a turn.
    discarded
        The chance of each tile not to fit.
    ship_after
        After how many turns the Mother Ship is revealed; None if it is not. If it lies face-up
        already, its tile is refilled from the first turn on, whatever is told.
    most_turns
        Turns that are looked at.

    Raises
    ------
    UsageError
        If a chance is none.
    """
    for name, chance in (("emptied", emptied), ("discarded", discarded)):
        if not 0.0 <= chance <= 1.0:
            raise UsageError(f"{name}={chance} is no chance", remedy="0 to 1", field=name)
    kinds: Counter[_Kind] = Counter()
    names = [*position.deck, *([position.drawn] if position.drawn is not None else [])]
    for name in names:
        tile = position.tiles.tile(name)
        kinds[len(tile.arrivals), tile.is_farm] += 1
    if any(str(circle.shows) == "mother-ship" for circle in position.crop_circles):
        ship_after = 0
    farms = len(position.crop_circles)
    return deadline_of(position.supply, kinds, farms, emptied, discarded, ship_after, most_turns)


def deadline_of(
    supply: int,
    deck: Counter[_Kind],
    farms: int,
    emptied: float,
    discarded: float,
    ship_after: int | None,
    most_turns: int,
) -> Deadline:
    """Return the same by numbers alone.

    Parameters
    ----------
    supply
        Martians left.
    deck
        (Martians it brings, whether it is a farm) -> how many such tiles are left.
    farms
        Farms on the map.
    emptied, discarded, ship_after, most_turns
        As in :func:`deadline`.
    """
    order = sorted(deck)
    # (tiles left of each kind, farms on the map) -> chance of each number of Martians placed
    state: dict[tuple[tuple[int, ...], int], Floats] = {}
    start = np.zeros(supply + 1)
    start[0] = 1.0
    state[tuple(deck[kind] for kind in order), farms] = start
    lost: list[float] = []
    if supply == 0:
        return Deadline((1.0,), 0.0)
    ship_left = _SHIP_SQUARES
    for turn in range(1, most_turns + 1):
        extra = 0
        if ship_after is not None and turn > ship_after and ship_left:
            extra, ship_left = 1, ship_left - 1
        after: dict[tuple[tuple[int, ...], int], Floats] = defaultdict(lambda: np.zeros(supply + 1))
        for (left, placed), chances in state.items():
            total = sum(left)
            for number, count in enumerate(left):
                if count:
                    brings, farm = order[number]
                    rest = (*left[:number], count - 1, *left[number + 1 :])
                    share = chances * (count / total)
                    if discarded:
                        _add(after[rest, placed], share * discarded, extra)
                    if discarded < 1.0:
                        there = after[rest, placed + farm]
                        _add(there, share * (1.0 - discarded), extra + brings)
            if not total:
                _add(after[left, placed], chances, extra)
        state = {}
        for key, chances in after.items():
            refilled = _refill(chances, key[1], emptied)
            state[key] = refilled
        gone = sum(float(chances[-1]) for chances in state.values())
        lost.append(gone)
        for chances in state.values():
            chances[-1] = 0.0
        if sum(float(chances.sum()) for chances in state.values()) < 1e-15:
            break
    return Deadline(tuple(lost), max(0.0, 1.0 - sum(lost)))


def _add(there: Floats, chances: Floats, placed: int) -> None:
    """Add chances after so many more Martians; all above the supply are at its end."""
    size = len(there)
    if placed == 0:
        there += chances
        return
    if placed < size:
        there[placed:] += chances[: size - placed]
    there[-1] += chances[max(size - placed, 0) :].sum()


def _refill(chances: Floats, farms: int, emptied: float) -> Floats:
    """Return the chances after each crop circle got a Martian with some chance."""
    if not farms or not emptied:
        return chances
    found = np.zeros_like(chances)
    for number in range(farms + 1):
        share = comb(farms, number) * emptied**number * (1.0 - emptied) ** (farms - number)
        _add(found, chances * share, number)
    return found
