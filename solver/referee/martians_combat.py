"""A fight of Martians!!! with a real die, and what lies before a player.

Source: the game's rulebook (combat, player death, clarifications), read by itself: every die is
rolled, every token is handed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.errors import GameError, PositionError, unknown

MOST_TOKENS = 5
"""Nobody has more life tokens, or more bullet tokens."""
ENOUGH = 4
"""The die, with a weapon's bonus and the bullets spent, must come to this."""
FRESH_LIVES, FRESH_BULLETS = 3, 3
"""With what a player begins, and begins again after a death."""
LAST_LIFE = ("dies", "one-more-roll")
"""Readings: out of life tokens is dead at once, or after one more roll that is lost unpaid."""
_CUP = 16

Die = Callable[[], int]
"""Rolls one die and tells what it shows."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon in play: a bonus to each combat roll, or so many re-rolls in a fight."""

    bonus: int = 0
    rerolls: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """What lies before a player: Martians collected, life and bullet tokens, weapons."""

    martians: int = 0
    lives: int = FRESH_LIVES
    bullets: int = FRESH_BULLETS
    weapons: tuple[Weapon, ...] = ()


class LostRoll(NamedTuple):
    """A combat roll that does not win: bullets that it is short of, the weapon's re-rolls left."""

    short: int
    rerolls: int
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class Player:
    """Who decides. `ahead` is the number of moves, or of Martians in a gauntlet, still left.

    Parameters
    ----------
    pay
        (standing, ahead, the lost roll, legal answers) -> ``"spend"``, ``"reroll"`` or
        ``"forfeit"``; asked if more than one is legal.
    fight_on
        (standing, ahead) -> whether to walk up to the next Martian; asked in hunts.
    arm
        (standing, ahead) -> which weapon to use in the fight that begins, counted from 0; None
        for bare hands. Asked if there is a weapon.
    """

    pay: Callable[[Standing, int, LostRoll, tuple[str, ...]], str]
    fight_on: Callable[[Standing, int], bool] = lambda _standing, _ahead: True
    arm: Callable[[Standing, int], int | None] = lambda _standing, _ahead: 0


def die_of(rng: np.random.Generator) -> Die:
    """Return a real die: it shows 1 to 6, all equally likely.

    The generator is asked for many rolls at a time, so how far it has moved on does not tell
    how often the die was rolled.
    """
    cup: list[int] = []

    def roll() -> int:
        if not cup:
            cup.extend(rng.integers(1, 7, size=_CUP).tolist())
        return cup.pop()

    return roll


class Pawn:
    """A player's pawn and what lies before him, as it changes during a turn."""

    __slots__ = ("bullets", "last_life", "lives", "martians", "weapons")

    def __init__(self, standing: Standing, last_life: str) -> None:
        self.martians, self.weapons = standing.martians, standing.weapons
        self.lives, self.bullets = standing.lives, standing.bullets
        self.last_life = last_life

    def seen(self) -> Standing:
        """Return what a player sees of it when he is asked."""
        return Standing(self.martians, self.lives, self.bullets, self.weapons)

    def receive(self, tokens: tuple[int, int]) -> None:
        """Hand over life and bullet tokens; what is above five is left lying.

        Raises
        ------
        GameError
            If there are fewer than none.
        """
        lives, bullets = tokens
        if lives < 0 or bullets < 0:
            raise GameError(f"an income of {tokens!r}", remedy="zero tokens or more of each")
        self.lives = min(self.lives + lives, MOST_TOKENS)
        self.bullets = min(self.bullets + bullets, MOST_TOKENS)

    def fight(self, player: Player, die: Die, ahead: int) -> bool:
        """Fight one Martian; return whether the player is alive and has it.

        Parameters
        ----------
        player
            Who decides.
        die
            The die.
        ahead
            Moves, or Martians of a gauntlet, that are left after this fight.

        Raises
        ------
        GameError
            If the player or the die breaks the rules.
        """
        weapon = self._weapon(player, ahead)
        rerolls = weapon.rerolls
        while (total := rolled(die) + weapon.bonus) < ENOUGH:
            lost = LostRoll(ENOUGH - total, rerolls, weapon)
            answer = self._answer(player, ahead, lost)
            if answer == "spend":
                self.bullets -= lost.short
                break
            if answer == "reroll":
                rerolls -= 1
            elif not self.lives:
                return False  # the one more roll is lost too
            else:
                self.lives -= 1
                if not self.lives and self.last_life == "dies":
                    return False
        self.martians += 1
        return True

    def _answer(self, player: Player, ahead: int, lost: LostRoll) -> str:
        can = {"spend": self.bullets >= lost.short, "reroll": lost.rerolls > 0, "forfeit": True}
        legal = tuple(name for name, possible in can.items() if possible)
        if len(legal) == 1:
            return legal[0]
        answer = player.pay(self.seen(), ahead, lost, legal)
        if answer not in legal:
            raise GameError(
                f"{lost.short} short with {self.bullets} bullets and {lost.rerolls} re-rolls,"
                f" the player said {answer!r}",
                rule="combat: forfeit a life token or spend enough bullet tokens",
                remedy=f"legal are {', '.join(legal)}",
            )
        return answer

    def _weapon(self, player: Player, ahead: int) -> Weapon:
        which = player.arm(self.seen(), ahead) if self.weapons else None
        if which is None:
            return Weapon()
        if which not in range(len(self.weapons)):
            raise GameError(
                f"asked which of {len(self.weapons)} weapons to use, the player said {which!r}",
                rule="clarifications: one weapon may be used during combat",
                remedy="a number, counted from 0, or None for bare hands",
            )
        return self.weapons[which]


def rolled(die: Die) -> int:
    """Return what the die shows.

    Raises
    ------
    GameError
        If that is no face.
    """
    shown = die()
    if shown not in range(1, 7):
        raise GameError(f"the die shows {shown!r}", remedy="a face from 1 to 6")
    return shown


def check_standing(standing: Standing, last_life: str) -> None:
    """Raise unless a living player can stand so under this reading.

    Raises
    ------
    UnknownNameError
        If the reading is none.
    PositionError
        If there are too many tokens, or too few of anything.
    """
    if last_life not in LAST_LIFE:
        raise unknown("reading of last-life", last_life, LAST_LIFE, field="last-life")
    least = 1 if last_life == "dies" else 0
    if not (least <= standing.lives <= MOST_TOKENS and 0 <= standing.bullets <= MOST_TOKENS):
        raise PositionError(
            f"{standing.lives} life and {standing.bullets} bullet tokens",
            rule="no player has more than five of either; without a life token he is dead"
            if least
            else "no player has more than five of either",
            remedy=f"lives from {least} to {MOST_TOKENS}, bullets from 0 to {MOST_TOKENS}",
        )
    if standing.martians < 0:
        raise PositionError(f"{standing.martians} Martians", remedy="zero Martians or more")
    if any(weapon.bonus < 0 or weapon.rerolls < 0 for weapon in standing.weapons):
        raise PositionError(f"weapons {standing.weapons!r}", remedy="no number below zero")
