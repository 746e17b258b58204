"""Where the items of a dead player lie. Source: the rulebook, Combat Rules (Player death)."""

from __future__ import annotations

from solver.games.martians.plan.finds import ITEM_BITS, Finds, token_squares
from solver.games.martians.plan.ground import Ground


def replaced(
    ground: Ground, buildings: tuple[tuple[int, ...], ...], finds: Finds, at: int
) -> Finds:
    """Return what can be found after a death: items lie in the nearest buildings without tokens.

    Parameters
    ----------
    ground, buildings
        The board.
    finds
        What could be found, and the items held.
    at
        Where the player died.
    """
    items = [token for token, bit in ITEM_BITS if finds.held & bit]
    if not items:
        return finds
    steps = _steps_from(ground, at)
    taken = token_squares(finds)
    empty = sorted(
        min((steps.get(square, len(ground.squares)), square) for square in inside)
        for inside in buildings
        if not any(taken >> square & 1 for square in inside)
    )
    lying = [(square, item) for (_, square), item in zip(empty, items, strict=False)]
    return finds._replace(known=tuple(sorted((*finds.known, *lying))), held=0)


def _steps_from(ground: Ground, start: int) -> dict[int, int]:
    steps, ring = {start: 0}, [start]
    while ring:
        ahead: list[int] = []
        for square in ring:
            for other in ground.near[square]:
                if other not in steps:
                    steps[other] = steps[square] + 1
                    ahead.append(other)
        ring = ahead
    return steps
