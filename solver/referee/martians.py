"""Martians!!!, played with a real die: fights, gauntlets, hunts in the open field and races.

Source: the game's rulebook (player movement, combat, player death, clarifications), read by
itself: every die is rolled, every token is handed over. Of the map nothing is played but the
*open field*, in which the next Martian is always one move away. What the map gives arrives as
tokens at the beginning of a turn, before the movement roll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Literal, NamedTuple

import numpy as np

from solver.errors import GameError, PositionError, UsageError
from solver.referee.martians_combat import (
    Die,
    LostRoll,
    Pawn,
    Player,
    Standing,
    Weapon,
    check_standing,
    die_of,
    rolled,
)

__all__ = [
    "Die",
    "Fought",
    "Hunted",
    "Income",
    "LostRoll",
    "Player",
    "RaceResult",
    "Seat",
    "Standing",
    "Weapon",
    "die_of",
    "income_of",
    "no_income",
    "play_fight",
    "play_gauntlet",
    "play_hunt",
    "play_race",
    "tokens_of",
]

MAX_TURNS = 1_000_000

Income = Callable[[], tuple[int, int]]
"""What the map gives before a turn: life tokens and bullet tokens."""

Ending = Literal["stopped", "dead", "goal"]


class Fought(NamedTuple):
    """How a gauntlet ended."""

    kills: int
    lives: int
    bullets: int
    dead: bool


class Hunted(NamedTuple):
    """How a turn ended: with what the next turn begins, and why it is over."""

    standing: Standing
    ending: Ending


class RaceResult(NamedTuple):
    """How a race ended: by seat what they have, the turns the winner has had, and who won."""

    standings: tuple[Standing, ...]
    turns: int
    winner: int


Seat = Callable[[int, tuple[Standing, ...]], Player]
"""(own seat, all standings before the turn) -> who decides in this turn of a race."""


def no_income() -> tuple[int, int]:
    """Give nothing: the map is bare."""
    return 0, 0


def income_of(
    chances: Iterable[tuple[tuple[int, int], Fraction]], rng: np.random.Generator
) -> Income:
    """Return an income that is drawn from a bag of slips, each (life tokens, bullet tokens).

    Parameters
    ----------
    chances
        Pairs of (life tokens, bullet tokens) and how likely they are.
    rng
        Where chance comes from.

    Raises
    ------
    UsageError
        If the chances do not sum to one.
    """
    slips = list(chances)
    if sum(chance for _, chance in slips) != 1 or any(chance < 0 for _, chance in slips):
        raise UsageError(f"the chances of the income {slips!r} do not sum to one")
    whole = lcm(*(chance.denominator for _, chance in slips))
    bag = [gift for gift, chance in slips for _ in range(int(chance * whole))]
    return lambda: bag[rng.integers(len(bag))]


def tokens_of(average: Fraction, rng: np.random.Generator) -> Income:
    """Return an income of `average` tokens a turn, each found on its own.

    So many as the whole part of `average` are found for sure, and one more as often as the rest
    says; one token in three is a life token, as in the box (30 and 60).

    Raises
    ------
    UsageError
        If the average is below zero.
    """
    if average < 0:
        raise UsageError(f"{average} tokens a turn", remedy="an average of zero or more")
    sure, rest = divmod(average, 1)

    def found() -> tuple[int, int]:
        more = rng.integers(rest.denominator) < rest.numerator
        tokens = ["life" if rng.integers(90) < 30 else "bullet" for _ in range(sure + more)]
        return tokens.count("life"), tokens.count("bullet")

    return found


def play_fight(
    player: Player, die: Die, standing: Standing | None = None, *, last_life: str = "dies"
) -> Fought:
    """Fight one Martian; see :func:`play_gauntlet`.

    Raises
    ------
    PositionError, UsageError
        If there can be no such fight.
    GameError
        If the player or the die breaks the rules.
    """
    return play_gauntlet(player, die, 1, standing, last_life=last_life)


def play_gauntlet(
    player: Player,
    die: Die,
    fights: int,
    standing: Standing | None = None,
    *,
    last_life: str = "dies",
) -> Fought:
    """Fight Martians one after another until all have been fought or the player is dead.

    Parameters
    ----------
    player
        Who decides.
    die
        The die; :func:`die_of` makes a real one.
    fights
        How many Martians there are.
    standing
        With what the player begins; None for three lives and three bullets.
    last_life
        ``"dies"`` or ``"one-more-roll"``.

    Returns
    -------
    Fought
        Kills, and the tokens that are left.

    Raises
    ------
    PositionError, UsageError
        If there can be no such gauntlet.
    GameError
        If the player or the die breaks the rules.
    """
    standing = Standing() if standing is None else standing
    check_standing(standing, last_life)
    if fights < 1:
        raise UsageError(f"a gauntlet of {fights} Martians", remedy="one Martian or more")
    pawn = Pawn(standing, last_life)
    dead = False
    for ahead in reversed(range(fights)):
        dead = not pawn.fight(player, die, ahead)
        if dead:
            break
    return Fought(pawn.martians - standing.martians, pawn.lives, pawn.bullets, dead)


def play_hunt(
    player: Player,
    die: Die,
    standing: Standing | None = None,
    *,
    goal: int = 30,
    income: Income = no_income,
    last_life: str = "dies",
) -> Hunted:
    """Play one turn in the open field: income, movement roll, and fights until it is over.

    Parameters
    ----------
    player
        Who decides.
    die
        The die, of movement and of combat.
    standing
        With what the turn begins; None for the beginning of the game.
    goal
        So many Martians collected end the turn at once.
    income
        What the map gives before the movement roll; what is above five tokens is left lying.
    last_life
        ``"dies"`` or ``"one-more-roll"``.

    Returns
    -------
    Hunted
        With what the next turn begins, and how this one ended.

    Raises
    ------
    PositionError, UsageError
        If there can be no such turn.
    GameError
        If the player, the die or the income breaks the rules.
    """
    standing = Standing() if standing is None else standing
    check_standing(standing, last_life)
    if standing.martians >= goal:
        raise PositionError(
            f"{standing.martians} Martians are collected, and the goal is {goal}",
            rule="object of the game: who has collected enough Martians has won",
            remedy="a goal that is still ahead",
        )
    pawn = Pawn(standing, last_life)
    pawn.receive(income())
    moves = rolled(die) + pawn.lives  # the number will not change as lives are lost
    while pawn.martians < goal:
        if not moves or not _wants(player, pawn.seen(), moves):
            return Hunted(pawn.seen(), "stopped")
        moves -= 1
        if not pawn.fight(player, die, moves):
            lost = (pawn.martians + 1) // 2
            return Hunted(Standing(pawn.martians - lost), "dead")
    return Hunted(pawn.seen(), "goal")


def play_race(
    seats: Sequence[Seat],
    die: Die,
    *,
    goal: int = 30,
    standings: Sequence[Standing] | None = None,
    income: Income = no_income,
    last_life: str = "dies",
    max_turns: int = MAX_TURNS,
) -> RaceResult:
    """Play turns round the table until somebody has the goal; one seat races alone.

    Parameters
    ----------
    seats
        The players in order; the first has the first turn.
    die, goal, income, last_life
        As in :func:`play_hunt`.
    standings
        With what each seat begins; None for the beginning of the game.
    max_turns
        After so many turns for each the players are taken to be stuck.

    Returns
    -------
    RaceResult
        The standings at the end, the turns of the winner, and who won.

    Raises
    ------
    PositionError, UsageError
        If there can be no such race.
    GameError
        If a player, the die or the income breaks the rules, or the race does not end.
    """
    now = [Standing() for _ in seats] if standings is None else list(standings)
    if not seats or len(now) != len(seats):
        raise UsageError(
            f"a race of {len(seats)} seats with {len(now)} standings",
            remedy="one seat or more, and a standing for each",
        )
    for turns in range(1, max_turns + 1):
        for seat, players in enumerate(seats):
            player = players(seat, tuple(now))
            turn = play_hunt(player, die, now[seat], goal=goal, income=income, last_life=last_life)
            now[seat] = turn.standing
            if turn.ending == "goal":
                return RaceResult(tuple(now), turns, seat)
    raise GameError(
        f"after {max_turns} turns for each nobody has collected {goal} Martians",
        remedy="players that fight, a smaller goal, or a larger max_turns",
    )


def _wants(player: Player, standing: Standing, moves: int) -> bool:
    answer: object = player.fight_on(standing, moves)
    if not isinstance(answer, bool):
        raise GameError(
            f"asked whether to fight on, the player said {answer!r}",
            remedy="True to fight on, False to stop",
        )
    return answer
