"""Income: the life and bullet tokens that a player finds in a turn, as a distribution.

The map decides what is found; without a map it is an assumption, and a parameter of the game.
Tokens arrive at the start of a turn, before the movement roll. The presets keep the
proportion of the box (the rulebook's Contents: 30 life and 60 bullet tokens): a token is a life
with chance 1/3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from solver.errors import NotationError
from solver.games.martians.combat import MOST_TOKENS

LIFE_SHARE = Fraction(1, 3)
PRESETS = {
    "none": Fraction(0),
    "scarce": Fraction(1, 2),
    "steady": Fraction(1),
    "rich": Fraction(2),
}
"""Preset -> tokens a turn, on average."""
_NUMBER = r"\d{1,6}(?:/\d{1,6}|\.\d{1,9})?"
_BRANCH = re.compile(rf"(?P<lives>\d{{1,2}}),(?P<bullets>\d{{1,2}}):(?P<chance>{_NUMBER})")
_RATE = re.compile(rf"tokens:(?P<rate>{_NUMBER})")
_REMEDY = "none, scarce, steady, rich, tokens:R, or lives,bullets:chance: 0,0:1/2 1,0:1/6 0,1:1/3"


@dataclass(frozen=True, slots=True)
class Income:
    """Tokens gained in a turn.

    Parameters
    ----------
    branches
        ((lives, bullets), chance), ascending; the chances sum to one.
    """

    branches: tuple[tuple[tuple[int, int], Fraction], ...] = (((0, 0), Fraction(1)),)

    def __str__(self) -> str:
        for name, rate in PRESETS.items():
            if self == tokens(rate):
                return name
        return " ".join(f"{lives},{bullets}:{p}" for (lives, bullets), p in self.branches)


def tokens(rate: Fraction) -> Income:
    """Return the income of so many tokens a turn, each a life with chance 1/3.

    Parameters
    ----------
    rate
        From 0 to 5: its whole part arrives surely, one more with the chance of the rest.
    """
    whole = rate.numerator // rate.denominator
    chances: dict[tuple[int, int], Fraction] = {}
    for count, chance in ((whole, 1 - (rate - whole)), (whole + 1, rate - whole)):
        for lives in range(count + 1):
            p = comb(count, lives) * LIFE_SHARE**lives * (1 - LIFE_SHARE) ** (count - lives)
            key = lives, count - lives
            chances[key] = chances.get(key, Fraction(0)) + chance * p
    return Income(tuple(sorted((key, p) for key, p in chances.items() if p)))


def read_income(text: str) -> Income:
    """Return an income from its text.

    Parameters
    ----------
    text
        A preset (``steady``), ``tokens:R`` for R tokens a turn, or a distribution
        ``lives,bullets:chance ...`` whose chances sum to one.

    Raises
    ------
    NotationError
        With a caret where the text cannot be read, or if the chances do not sum to one.

    Examples
    --------
    >>> str(read_income("0,0:0.5 1,0:1/6 0,1:1/3"))
    'scarce'
    """
    told = text.strip()
    if told in PRESETS:
        return tokens(PRESETS[told])
    rate = _RATE.fullmatch(told)
    if rate is not None:
        number = _fraction(rate["rate"], text, text.index(rate["rate"]))
        if number > MOST_TOKENS:
            raise NotationError(
                f"{number} tokens a turn",
                text=text,
                at=text.index(rate["rate"]),
                rule="Additional Rules: no more than five life or bullet tokens at one time",
                remedy="tokens:R with R from 0 to 5",
                field="income",
            )
        return tokens(number)
    return _distribution(text)


def _distribution(text: str) -> Income:
    chances: dict[tuple[int, int], Fraction] = {}
    at = 0
    for word in text.split():
        at = text.index(word, at)
        found = _BRANCH.fullmatch(word)
        if found is None:
            raise NotationError(
                f"{word!r} is no income", text=text, at=at, remedy=_REMEDY, field="income"
            )
        key = int(found["lives"]), int(found["bullets"])
        if max(key) > MOST_TOKENS:
            raise NotationError(
                f"an income of {key[0]} lives and {key[1]} bullets",
                text=text,
                at=at,
                rule="Additional Rules: no more than five life or bullet tokens at one time",
                field="income",
            )
        chance = _fraction(found["chance"], text, at + word.index(":") + 1)
        chances[key] = chances.get(key, Fraction(0)) + chance
        at += len(word)
    whole = sum(chances.values(), Fraction(0))
    if whole != 1:
        raise NotationError(
            f"the chances of the income sum to {whole}, not to 1",
            text=text,
            at=0,
            remedy="0,0:1/2 1,0:1/6 0,1:1/3: each lives,bullets with its chance",
            field="income",
        )
    return Income(tuple(sorted((key, p) for key, p in chances.items() if p)))


def _fraction(text: str, whole: str, at: int) -> Fraction:
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise NotationError(
            "a chance over zero", text=whole, at=at, remedy=_REMEDY, field="income"
        ) from None
