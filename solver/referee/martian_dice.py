"""A turn of Martian Dice, and the death ray duel, played with real dice.

Source: the Martian Dice rulebook, sections On Your Turn, Scoring and Game End. Dice are letters:
T tank, R death ray, H human, C cow, K chicken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.dice import Die
from solver.errors import GameError, UsageError

LETTERS = ("T", "R", "H", "C", "K")
EARTHLINGS = ("H", "C", "K")

Faces = tuple[tuple[str, int], ...]
"""Letters of a die, each with the number of sides that show it."""

OFFICIAL_FACES: Faces = (("T", 1), ("R", 2), ("H", 1), ("C", 1), ("K", 1))

_CUP = 48

Rolls = Callable[[int], Sequence[str]]
"""Rolls that many dice and tells the letter that each of them shows."""

ChooseTake = Callable[[Mapping[str, int], Mapping[str, int], tuple[str, ...]], str]
ChooseStop = Callable[[Mapping[str, int]], bool]


@dataclass(frozen=True, slots=True)
class Chooser:
    """A player: answers the two questions of a turn.

    Parameters
    ----------
    choose_take
        ``(aside, roll, legal)`` -> the letter to set aside. `aside` counts the dice set aside
        in earlier rolls, `roll` all dice just rolled, tanks included (they are set aside
        whatever the answer), each as letter -> count with all five letters in order T, R, H,
        C, K; `legal` holds the letters to choose from, at least one.
    choose_stop
        ``(aside)`` -> whether to end the turn; asked while dice are left to roll.
    """

    choose_take: ChooseTake
    choose_stop: ChooseStop


@dataclass(frozen=True, slots=True)
class TurnView:
    """What lies on the table at a moment of a turn.

    Parameters
    ----------
    tanks, rays, human, cow, chicken
        Dice set aside.
    roll
        The dice just rolled, die by die; None once what is taken of them has been set aside.
    """

    tanks: int
    rays: int
    human: int
    cow: int
    chicken: int
    roll: tuple[str, ...] | None = None


def dice_of(rng: np.random.Generator, faces: Faces = OFFICIAL_FACES) -> Rolls:
    """Return real dice: every die lands on one of its sides, all equally likely.

    The generator is asked for many throws at a time, so how far it has moved on does not tell
    how many dice were rolled.

    Parameters
    ----------
    rng
        Where chance comes from.
    faces
        The die.

    Raises
    ------
    UsageError
        If the die has an unknown letter, or its weights are no weights.
    """
    sides = _sides(faces)
    cup: list[int] = []  # throws not yet looked at: one call of the generator for many

    def roll(dice: int) -> list[str]:
        while len(cup) < dice:
            cup.extend(rng.integers(len(sides), size=_CUP).tolist())
        shown = [sides[side] for side in cup[:dice]]
        del cup[:dice]
        return shown

    return roll


def play_turn(
    chooser: Chooser,
    rng: np.random.Generator,
    *,
    dice: int = 13,
    faces: Faces = OFFICIAL_FACES,
    bonus: int = 3,
    head: int = 1,
) -> int:
    """Play one turn with dice rolled from `rng`.

    Parameters
    ----------
    chooser
        The player.
    rng
        Where chance comes from.
    dice, faces
        How many dice, and which.
    bonus, head
        Points for all three species, and for an earthling.

    Returns
    -------
    int
        The points of the turn.

    Raises
    ------
    UsageError
        If these are no dice.
    GameError
        If the player answers against the rules.
    """
    return play_rolled_turn(chooser, dice_of(rng, faces), dice=dice, bonus=bonus, head=head)


def play_rolled_turn(
    chooser: Chooser,
    roll_dice: Rolls,
    *,
    dice: int = 13,
    bonus: int = 3,
    head: int = 1,
    watch: Callable[[TurnView], None] | None = None,
) -> int:
    """Play one turn with dice that somebody else rolls.

    Parameters
    ----------
    chooser
        The player.
    roll_dice
        Number of dice -> the letter each of them shows.
    dice, bonus, head
        As in :func:`play_turn`.
    watch
        Called with what lies on the table after every roll and after every setting aside.

    Returns
    -------
    int
        The points of the turn.

    Raises
    ------
    UsageError
        If there is no die.
    GameError
        If the player answers against the rules, or the dice are not the ones asked for.
    """
    if dice < 1:
        raise UsageError(f"a turn with {dice} dice", remedy="one die or more", field="dice")
    aside = dict.fromkeys(LETTERS, 0)
    while left := dice - sum(aside.values()):
        shown = roll_dice(left)
        if watch is not None:
            watch(_view(aside, shown))
        roll = _counted(shown, left)
        legal = _legal(aside, roll)
        taken = _taken(chooser, aside, roll, legal) if legal else None
        aside["T"] += roll["T"]
        if taken is not None:
            aside[taken] += roll[taken]
        if watch is not None:
            watch(_view(aside))
        if taken is None or (left > roll["T"] + roll[taken] and _stops(chooser, aside)):
            break
    return _score(aside, bonus, head)


def duel(m: int, rng: np.random.Generator, *, dice: int = 6, faces: Faces = OFFICIAL_FACES) -> int:
    """Fight the death ray duel between `m` tied leaders (Game End).

    Parameters
    ----------
    m
        How many are tied, at least one.
    rng
        Where chance comes from.
    dice, faces
        How many dice each of them rolls, and which.

    Returns
    -------
    int
        Which of them wins, counted from 0.

    Raises
    ------
    UsageError
        If nobody is tied, or these dice could never part them.
    """
    rays = _sides(faces).count("R")
    if m > 1 and (dice < 1 or rays in (0, len(_sides(faces)))):
        raise UsageError(
            "these dice could never decide a duel",
            rule="Game End: the tied player who rolls more death rays wins",
            remedy="one die or more, with a death ray and something else on it",
        )
    return rolled_duel(m, dice_of(rng, faces), dice=dice)


def rolled_duel(m: int, roll_dice: Rolls, *, dice: int = 6) -> int:
    """Fight the duel of :func:`duel` with dice that somebody else rolls.

    Raises
    ------
    UsageError
        If nobody is tied.
    GameError
        If the dice are not the ones asked for.
    """
    if m < 1:
        raise UsageError(f"a duel between {m} players", remedy="one player or more")
    standing = list(range(m))
    while len(standing) > 1:
        rays = [_counted(roll_dice(dice), dice)["R"] for _ in standing]
        most = max(rays)
        standing = [who for who, shown in zip(standing, rays, strict=True) if shown == most]
    return standing[0]


def _legal(aside: Mapping[str, int], roll: Mapping[str, int]) -> tuple[str, ...]:
    """Return the letters that step 3 allows: each species once a turn, death rays always."""
    species = [kind for kind in EARTHLINGS if roll[kind] and not aside[kind]]
    return ("R", *species) if roll["R"] else tuple(species)


def _score(aside: Mapping[str, int], bonus: int, head: int) -> int:
    if aside["T"] > aside["R"]:
        return 0
    captured = [aside[kind] for kind in EARTHLINGS]
    return head * sum(captured) + (bonus if all(captured) else 0)


def _taken(
    chooser: Chooser, aside: dict[str, int], roll: dict[str, int], legal: tuple[str, ...]
) -> str:
    letter = chooser.choose_take(dict(aside), dict(roll), legal)
    if letter not in legal:
        raise GameError(
            f"the player set aside {letter!r} from the roll {_written(roll)} with"
            f" {_written(aside)} set aside",
            rule="On Your Turn, step 3: one type other than tanks that the roll shows; a"
            " species only once a turn",
            remedy=f"legal are {', '.join(legal)}",
        )
    return letter


def _stops(chooser: Chooser, aside: dict[str, int]) -> bool:
    answer: object = chooser.choose_stop(dict(aside))
    if not isinstance(answer, bool):
        raise GameError(
            f"asked whether to stop with {_written(aside)} set aside, the player said {answer!r}",
            rule="On Your Turn, step 4: end the turn, or roll again",
            remedy="True to stop, False to roll",
        )
    return answer


def _counted(shown: Sequence[str], dice: int) -> dict[str, int]:
    roll = {letter: shown.count(letter) for letter in LETTERS}
    if len(shown) != dice or sum(roll.values()) != dice:
        raise GameError(
            f"{dice} dice were to be rolled, and they show {''.join(shown)!r}",
            rule="On Your Turn, step 1: all available dice are rolled",
            remedy=f"one of the letters {', '.join(LETTERS)} for each die",
        )
    return roll


@lru_cache(maxsize=64)
def _sides(faces: Faces) -> tuple[str, ...]:
    for letter, _ in faces:
        if letter not in LETTERS:
            raise UsageError(
                f"the die has a face {letter!r}", remedy=f"letters: {', '.join(LETTERS)}"
            )
    return tuple(str(letter) for letter, weight in Die(faces) for _ in range(weight))


def _view(aside: Mapping[str, int], shown: Sequence[str] | None = None) -> TurnView:
    roll = None if shown is None else tuple(shown)
    return TurnView(aside["T"], aside["R"], aside["H"], aside["C"], aside["K"], roll)


def _written(counts: Mapping[str, int]) -> str:
    return " ".join(f"{letter}{n}" for letter, n in counts.items() if n) or "nothing"
