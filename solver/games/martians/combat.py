"""Combat: one d6 against a Martian, with life and bullet tokens to mend a losing roll.

Source: the rulebook, Combat Rules. A total of 4 or more wins. A total of 4 - s is *short* by s:
s bullets win, or a life token is forfeited and the die is rolled again. A player may forfeit
though bullets would do, the last life token too. Combat cannot be left.
"""

from __future__ import annotations

from typing import Literal

from solver.games.martians.weapons import Weapon
from solver.games.readings import Reading

MOST_TOKENS = 5
"""Most life tokens, and most bullet tokens (Additional Rules)."""
START_TOKENS = 3
"""Life tokens, and bullet tokens, at the start and after a death (Game Setup; Combat Rules)."""
FACES = range(1, 7)
WINS = 4
"""Least total that wins."""

After = tuple[Literal["won", "again", "dead"], int, int, int]
"""What a choice leads to: how the fight stands, then lives, bullets and re-rolls left."""


class LastLife(Reading):
    """What happens when the last life token is forfeited."""

    DIES = "dies"
    """Running out of life tokens is death at once ("until the player ... runs out")."""
    ONE_MORE_ROLL = "one-more-roll"
    """The roll after it is still made; with no token left a loss that is not paid is death."""


def least_lives(last_life: LastLife) -> int:
    """Return the fewest life tokens of a living player."""
    return 1 if last_life is LastLife.DIES else 0


def rolls(bonus: int) -> tuple[int, dict[int, int]]:
    """Return of six faces how many win, and how many are short by each number of bullets."""
    short = {WINS - face - bonus: 1 for face in FACES if face + bonus < WINS}
    return len(FACES) - len(short), dict(sorted(short.items()))


def choices(
    last_life: LastLife, lives: int, bullets: int, rerolls: int, short: int
) -> dict[str, After]:
    """Return what a player can do about a losing roll, in canonical order.

    Parameters
    ----------
    last_life
        The reading.
    lives, bullets, rerolls
        Tokens, and the weapon's re-rolls left in this fight.
    short
        Bullets that the roll is short by.
    """
    options: dict[str, After] = {}
    if bullets >= short:
        options["spend"] = "won", lives, bullets - short, 0
    if rerolls:
        options["reroll"] = "again", lives, bullets, rerolls - 1
    if lives > least_lives(last_life):
        options["forfeit"] = "again", lives - 1, bullets, rerolls
    else:
        options["forfeit"] = "dead", 0, bullets, 0
    return options


def arms(held: tuple[Weapon, ...]) -> dict[str, tuple[int, int]]:
    """Return what a fight can be fought with: name -> (bonus, re-rolls).

    A weapon may be used, so bare hands are always allowed.
    """
    named = {f"use-{weapon}": (weapon.bonus, weapon.rerolls) for weapon in held}
    return {**named, "bare-hands": (0, 0)}
