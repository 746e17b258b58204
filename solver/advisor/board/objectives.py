"""What a movement on the board can be played for, by the names that people ask with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from solver.advisor.goals import GoalValues
from solver.errors import NotationError, UsageError, unknown
from solver.games.martians.board.components import Play
from solver.games.martians.board.position import Position
from solver.games.martians.combat import START_TOKENS, LastLife, least_lives
from solver.games.martians.hunt import Hunt
from solver.games.martians.income import PRESETS, Income, read_income, tokens
from solver.games.martians.plan.ground import AtFive, Ground
from solver.games.martians.plan.outcome import (
    BoardOutcome,
    Payoff,
    after_turn,
    boarding,
    most_items,
    most_martians,
    most_tokens,
    reaching,
    survival,
)
from solver.games.martians.weapons import Weapons
from solver.games.readings import parameter
from solver.match.race import Progress
from solver.turn.objective import Unit

OBJECTIVES = (
    "turns",
    "martians",
    "items",
    "tokens",
    "survive",
    "reach:X,Y",
    "win-now",
    "win",
)
"""The objectives; see :func:`asked_for`."""

_SQUARE = re.compile(r"\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*")
_SIMPLE: dict[str, tuple[Callable[[], Payoff], Unit]] = {
    "martians": (most_martians, "martians"),
    "items": (most_items, "items"),
    "tokens": (most_tokens, "tokens"),
    "survive": (survival, "probability"),
    "win-now": (boarding, "probability"),
}


@dataclass(frozen=True, slots=True)
class BoardReadings:
    """How the sheet is read, and what is assumed of the turns to come."""

    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    at_five: AtFive = parameter(AtFive.GOES_BACK, "a life or bullet found by one who has five")
    income: Income = parameter(
        tokens(PRESETS["steady"]),
        "tokens found in each turn after this one, for turns and win",
        read=read_income,
    )


class Hunts(Protocol):
    """Solved hunts in the open field: what the turns to come are worth."""

    def alone(self, game: Hunt) -> GoalValues:
        """Return the fewest expected turns to the goal from every standing."""

    def pairs(self, game: Hunt, progress: Progress | None = None) -> GoalValues:
        """Return the chance to win for every pair of standings."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An objective, ready to be planned for.

    Parameters
    ----------
    payoff, unit
        What is maximised, and what it counts.
    sign
        -1 where less is better: values are shown times it.
    error
        Bound on the error of a payoff.
    table
        The table that payoffs come from, None without.
    assumption
        What they assume of the turns to come, None without.
    """

    payoff: Payoff
    unit: Unit
    sign: int = 1
    error: float | None = 0.0
    table: str | None = None
    assumption: str | None = None


def default_objective(position: Position) -> str:
    """Return what is asked for where nothing is told: the fewest turns, or items in the team."""
    return "turns" if position.play is Play.NONCOOPERATIVE else "items"


def asked_for(
    name: str,
    position: Position,
    ground: Ground,
    readings: BoardReadings,
    hunts: Hunts,
    *,
    opponent: str | Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Asked:
    """Return the objective of a name.

    Parameters
    ----------
    name
        ``martians`` (the most after the turn), ``items``, ``tokens``, ``survive``,
        ``reach:X,Y`` (alive on that square when the movement is over), ``win-now`` (the game won
        in this turn), ``turns`` (the fewest to 30 Martians, this one counted, if the turns to
        come are hunts in the open field), ``win`` (the chance to be the first there).
    position, ground, readings
        What is asked about.
    hunts
        Solved hunts, for ``turns`` and ``win``.
    opponent
        For ``win``: the opponent's standing; by default that of the other player, if there is one.
    progress
        Called from time to time while hunts are solved on the spot.

    Raises
    ------
    UnknownNameError, NotationError
        If there is no such objective, or no such square.
    UsageError
        If it makes no sense here.
    """
    if opponent is not None and name != "win":
        raise UsageError(
            f"--opponent is for the win; this is for {name}",
            remedy="leave --opponent out, or --for win",
            field="opponent",
        )
    if name in _SIMPLE:
        make, unit = _SIMPLE[name]
        return Asked(make(), unit)
    head, colon, tail = name.partition(":")
    if head == "reach" and colon:
        found = _SQUARE.fullmatch(tail)
        if found is None:
            raise NotationError(
                "reach takes a square",
                text=name,
                at=len("reach:"),
                remedy="reach:4,1: x and y as on the edges of the drawn board",
                field="objective",
            )
        square = int(found[1]), int(found[2])
        ground.number(square)
        return Asked(reaching(square), "probability")
    if name not in ("turns", "win"):
        raise unknown("objective", name, OBJECTIVES, field="objective")
    if not ground.goal:
        raise UsageError(
            f"for {name} Martians are collected, and in the cooperative game nobody wins by them",
            rule="Object of the Game",
            remedy="--for items, reach:X,Y or win-now",
            field="objective",
        )
    hunt = Hunt(
        goal=ground.goal,
        income=readings.income,
        last_life=readings.last_life,
        weapon=Weapons(ground.weapons),
    )
    if name == "turns":
        return fewest_turns(hunt, hunts)
    told = opponent if opponent is not None else _other(position, ground, hunt)
    both = hunts.pairs(hunt, progress)
    standing = hunt.read_opponent(told)
    chances = both.values[both.standings.number(standing)]
    payoff = _by_standing(name, both, hunt, lambda n: 1.0 - float(chances[n]), 1.0)
    payoff = replace(payoff, key=(payoff.key, standing))
    return Asked(payoff, "win_probability", 1, both.error, both.table, _assumed(hunt))


def fewest_turns(hunt: Hunt, hunts: Hunts) -> Asked:
    """Return the objective of the fewest turns to the Martians that win, this one counted.

    Parameters
    ----------
    hunt
        What the turns to come are.
    hunts
        Solved hunts.
    """
    known = hunts.alone(hunt)
    worth = [float(turns) for turns in known.values]
    payoff = _by_standing("turns", known, hunt, lambda n: -(1.0 + worth[n]), -1.0)
    error = None if known.error is None else known.error * (max(worth) + 1.0)
    return Asked(payoff, "turns", -1, error, known.table, _assumed(hunt))


def _assumed(hunt: Hunt) -> str:
    return f"after this turn an {hunt.assumption}; income {hunt.income}"


def _by_standing(
    name: str, known: GoalValues, hunt: Hunt, worth: Callable[[int], float], won: float
) -> Payoff:
    numbers = {standing: n for n, standing in enumerate(known.standings.names)}

    def value(end: BoardOutcome) -> float:
        if end.ending in {"ship", "martians"}:
            return won
        armed = int(bool(hunt.weapon.held) and end.alive)
        return worth(numbers[end.martians, end.lives, end.bullets, armed])

    return after_turn(name, "payoff", _only_living(value, hunt), (name, hunt))


def _only_living(
    value: Callable[[BoardOutcome], float], hunt: Hunt
) -> Callable[[BoardOutcome], float]:
    """Return the same, defined for tokens that no living player has too: they are asked about."""
    least = least_lives(hunt.last_life)

    def worth(end: BoardOutcome) -> float:
        return value(end if end.lives >= least else end._replace(lives=least))

    return worth


def _other(position: Position, ground: Ground, hunt: Hunt) -> tuple[Any, ...]:
    others = [player for player in position.players if player is not position.on_turn]
    if len(others) != 1:
        raise UsageError(
            f"to play for the win against {len(others)} others, one must be told",
            remedy="--opponent 20,3,1: Martians, lives and bullets of the one to beat",
            field="opponent",
        )
    other = others[0]
    dead = other.lives < least_lives(hunt.last_life)
    tokens_held = (START_TOKENS, START_TOKENS) if dead else (other.lives, other.bullets)
    del ground
    return (other.martians, *tokens_held)
