"""Reading fights of Martians!!! as people at a table tell them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from solver.errors import NotationError, PositionError
from solver.games.martians.combat import MOST_TOKENS, WINS, LastLife, least_lives
from solver.games.martians.weapons import Weapon, Weapons, read_weapons
from solver.games.position import Position, PositionField

if TYPE_CHECKING:
    from solver.games.martians.gauntlet import Gauntlet

LIVES = PositionField("lives", "3", "life tokens")
BULLETS = PositionField("bullets", "2", "bullet tokens")
ROLLED = PositionField("rolled", "2", "what the combat die just showed")
USING = PositionField(
    "using", "reroll:1", "the weapon used in this fight, with the re-rolls it has left"
)
TOKENS = (LIVES, BULLETS)
FIELDS = (
    *TOKENS,
    ROLLED,
    PositionField("facing", "4", "Martians to fight in a row, this one included"),
    USING,
)
TOKENS_RULE = "Additional Rules: no player may have more than five life or bullet tokens"
_NUMBER = re.compile(r"-?\d{1,4}")


def read_number(
    given: str | int | None,
    field: str,
    low: int,
    high: int,
    rule: str,
    *,
    remedy: str | None = None,
) -> int:
    """Return a number that a player tells.

    Parameters
    ----------
    given
        A whole number or its text.
    field
        Name of the field, for messages.
    low, high
        Its limits, both included.
    rule
        The rule that sets them.
    remedy
        What to do about a number outside them; by default the range is told.

    Raises
    ------
    NotationError
        If it is no whole number.
    PositionError
        If it is missing or outside the limits.
    """
    known = f"--{field} {low} to {high}" if low < high else f"--{field} {low}"
    if given is None:
        raise PositionError(f"--{field} is needed", rule=rule, remedy=known, field=field)
    text = str(given).strip()
    if isinstance(given, bool) or _NUMBER.fullmatch(text) is None:
        raise NotationError(f"--{field} takes a whole number", text=str(given), at=0, field=field)
    number = int(text)
    if not low <= number <= high:
        raise PositionError(
            f"--{field} {number} is not possible", rule=rule, remedy=remedy or known, field=field
        )
    return number


def read_tokens(last_life: LastLife, lives: Any, bullets: Any) -> tuple[int, int]:
    """Return life and bullet tokens.

    Raises
    ------
    NotationError, PositionError
        If one is no number, over five, or so few that the player is dead.
    """
    least = least_lives(last_life)
    life = read_number(lives, "lives", 0, MOST_TOKENS, TOKENS_RULE)
    if life < least:
        raise PositionError(
            "a player without a life token is dead, and fights no more",
            rule="Combat Rules: combat continues until the player runs out of life tokens"
            f" (last-life={last_life})",
            remedy="--lives 1 to 5, or --set last-life=one-more-roll",
            field="lives",
        )
    return life, read_number(bullets, "bullets", 0, MOST_TOKENS, TOKENS_RULE)


def read_using(held: Weapons, using: str | None) -> tuple[int, int]:
    """Return the bonus and the re-rolls left of the weapon in use.

    Raises
    ------
    NotationError, PositionError
        If it cannot be read, is not held, or has more re-rolls left than it has.
    """
    if using is None or str(using).strip() in ("none", ""):
        return 0, 0
    text = str(using).strip()
    if text == "reroll:0":
        return 0, 0
    named = read_weapons(text).held
    most = max((w.rerolls for w in held.held), default=0)
    if len(named) > 1:
        raise PositionError(
            f"--using {text}: one weapon is used in a fight",
            rule="Additional Rules: only one weapon during combat",
            field="using",
        )
    weapon: Weapon = named[0]
    known = weapon in held.held if weapon.bonus else weapon.rerolls <= most
    if not known:
        raise PositionError(
            f"--using {weapon}: the player holds {held}",
            rule="readings, weapons: a weapon is data, given by --set weapon=...",
            remedy=f"--set weapon={weapon}",
            field="using",
        )
    return weapon.bonus, weapon.rerolls


def no_using(using: str | None) -> None:
    """Raise PositionError if a weapon is said to be in use before any roll."""
    if using is not None:
        raise PositionError(
            f"--using {using}, and nothing was rolled",
            rule="Additional Rules: one weapon is used in a fight, and named before its first roll",
            remedy="--rolled what the combat die showed, or leave --using out",
            field="using",
        )


def read_roll(rolled: Any, bonus: int) -> int:
    """Return how many bullets a combat roll is short by, zero if it wins.

    Raises
    ------
    NotationError, PositionError
        If it is no face of the die.
    """
    face = read_number(rolled, "rolled", 1, 6, "Combat Rules: combat is a roll of one d6")
    return max(0, WINS - face - bonus)


def read_fight(
    game: Gauntlet,
    lives: Any = None,
    bullets: Any = None,
    rolled: Any = None,
    facing: Any = None,
    using: str | None = None,
) -> Position:
    """Return the position in a fight.

    Parameters
    ----------
    game
        The rules; `facing` Martians are fought under them.
    lives, bullets
        Tokens.
    rolled
        What the die showed; None before the roll.
    facing
        Martians in a row, this one included; by default all of the game's.
    using
        The weapon in use.

    Raises
    ------
    NotationError, PositionError
        If a text cannot be read or the rules do not allow the position.
    """
    left = (
        game.fights
        if facing is None
        else read_number(facing, "facing", 1, game.fights, "a gauntlet ends with its last fight")
    )
    tokens = read_tokens(game.last_life, lives, bullets)
    shown = {"facing": str(left), "lives": str(tokens[0]), "bullets": str(tokens[1])}
    if rolled is None:
        no_using(using)
        state = game.before(left, *tokens)
        if state[0] == "arm":
            expansion: Any = game.expand(state)
            return Position(shown, state, dict(expansion.options))
        return Position(shown, state, {"roll": state}, "there is no choice: the die is rolled")
    bonus, rerolls = read_using(game.weapon, using)
    short = read_roll(rolled, bonus)
    shown["rolled"] = str(rolled).strip()
    if bonus or rerolls:
        shown["using"] = str(using).strip()
    if not short:
        state = game.before(left - 1, *tokens)
        return Position(shown, state, {"go-on": state}, "this roll wins")
    state = ("short", left, *tokens, bonus, rerolls, short)
    return Position(shown, state, game.mend(left, *tokens, bonus, rerolls, short))
