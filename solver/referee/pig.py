"""A turn of Pig, played with a real die.

Source: T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal
25(1), 2004, section 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.errors import GameError, UsageError

ChooseStop = Callable[[int], bool]
"""Turn total -> whether to hold."""


def play_turn(choose_stop: ChooseStop, rng: np.random.Generator, *, sides: int = 6) -> int:
    """Play one turn: roll until the player holds, or a 1 takes everything.

    Parameters
    ----------
    choose_stop
        The player, asked after every roll that is no 1.
    rng
        Where chance comes from.
    sides
        The fair die has sides 1 to this.

    Returns
    -------
    int
        The points of the turn; a total above what a match still needs is not cut.

    Raises
    ------
    UsageError
        If the die has nothing but a 1.
    GameError
        If the player says neither True nor False.
    """
    if sides < 2:
        raise UsageError(f"Pig with a die of {sides} sides", remedy="two sides or more")
    total = 0
    while True:
        shown = int(rng.integers(1, sides + 1))
        if shown == 1:
            return 0
        total += shown
        answer: object = choose_stop(total)
        if not isinstance(answer, bool):
            raise GameError(
                f"asked whether to hold at {total}, the player said {answer!r}",
                remedy="True to hold, False to roll",
            )
        if answer:
            return total
