"""Weapons as data: the rule sheet tells how many there may be, cards what they do.

A weapon adds ``n`` to the combat roll (``+n``) or lets a losing roll be made again ``n`` times in a
fight (``reroll:n``). Source: the rulebook, Additional Rules: one copy of each weapon, one weapon
used in a combat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from solver.errors import NotationError

MOST = 3
"""The most that a weapon can add or re-roll: +3 wins every fight."""
_FORM = re.compile(r"\+(?P<bonus>\d{1,2})|reroll:(?P<rerolls>\d{1,2})")


@dataclass(frozen=True, slots=True, order=True)
class Weapon:
    """One weapon.

    Parameters
    ----------
    bonus
        What it adds to the combat roll.
    rerolls
        How often in a fight a roll may be made again.
    """

    bonus: int = 0
    rerolls: int = 0

    def __str__(self) -> str:
        return f"+{self.bonus}" if self.bonus else f"reroll:{self.rerolls}"


@dataclass(frozen=True, slots=True)
class Weapons:
    """The weapons a player holds, each once, in canonical order."""

    held: tuple[Weapon, ...] = ()

    def __str__(self) -> str:
        return ",".join(map(str, self.held)) or "none"


def read_weapons(text: str) -> Weapons:
    """Return weapons from their text.

    Parameters
    ----------
    text
        ``none``, or weapons with commas between them: ``+1,reroll:2``.

    Raises
    ------
    NotationError
        With a caret under the first word that is no weapon, or one that is held twice.

    Examples
    --------
    >>> str(read_weapons("reroll:2, +1"))
    '+1,reroll:2'
    """
    if text.strip() in ("none", ""):
        return Weapons()
    held: set[Weapon] = set()
    at = 0
    for part in text.split(","):
        word = part.strip()
        found = _FORM.fullmatch(word)
        number = int(found["bonus"] or found["rerolls"]) if found else 0
        start = at + len(part) - len(part.lstrip())
        if found is None or not 1 <= number <= MOST:
            raise NotationError(
                f"{word!r} is no weapon",
                text=text,
                at=start,
                remedy=f"+n on the roll or reroll:n a fight, n from 1 to {MOST}: +1,reroll:2",
                field="weapon",
            )
        weapon = Weapon(bonus=number) if found["bonus"] else Weapon(rerolls=number)
        if weapon in held:
            raise NotationError(
                f"the weapon {word} is held twice",
                text=text,
                at=start,
                rule="Additional Rules: one copy of each weapon",
                field="weapon",
            )
        held.add(weapon)
        at += len(part) + 1
    return Weapons(tuple(sorted(held, key=lambda w: (w.rerolls, w.bonus))))
