"""Objectives: what a turn is played for, as a payoff on its outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast

from solver.errors import NotationError, UsageError, unknown
from solver.games.notation import whole_number
from solver.games.protocol import Game, Outcome, objectives_of, payoff_of, wants_fewest

Number = int | float | Fraction
Unit = Literal[
    "points",
    "probability",
    "win_probability",
    "payoff",
    "kills",
    "turns",
    "martians",
    "items",
    "tokens",
]

TURN_OBJECTIVES = ("points", "at-least:N", "capped:N")
FEWEST_OBJECTIVES = ("points", "at-most:N")
"""Where fewer points are better."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A payoff on the outcomes of a turn.

    Parameters
    ----------
    name
        As it is written: ``points``, ``at-least:7``, ``capped:10``, ``win``.
    unit
        What the payoff counts.
    payoffs
        One number for each outcome, in the graph's order; more is better.
    sign
        What makes of a payoff the number that people read: -1 where fewer points are better.
    """

    name: str
    unit: Unit
    payoffs: tuple[Number, ...]
    sign: int = 1


def turn_objective(
    wanted: str | Mapping[Outcome, Number],
    outcomes: Sequence[Outcome],
    points: Sequence[int],
    game: Game | None = None,
) -> Objective:
    """Return the objective that a name or a mapping stands for.

    Parameters
    ----------
    wanted
        ``"points"`` (most expected points), ``"at-least:N"`` (the chance of at least N),
        ``"capped:N"`` (the expectation of the points, N at most), or a mapping
        outcome -> payoff, or one of the game's own objectives. Where fewer points are better:
        ``"points"`` (fewest expected points) and ``"at-most:N"`` (the chance of at most N).
    outcomes, points
        The turn's outcomes and their points.
    game
        The rules, for objectives of their own.

    Raises
    ------
    UnknownNameError, NotationError
        If the name is none of these, or its number is none.
    UsageError
        If the mapping leaves out an outcome or has a payoff that is no finite number.
    """
    if not isinstance(wanted, str):
        return _mapped(wanted, outcomes)
    fewest = game is not None and wants_fewest(game)
    if wanted == "points":
        sign = -1 if fewest else 1
        return Objective(wanted, "points", tuple(sign * int(p) for p in points), sign)
    own = {} if game is None else objectives_of(game)
    if game is not None and wanted in own:
        payoffs = tuple(payoff_of(game, wanted, x) for x in outcomes)
        return Objective(wanted, cast("Unit", own[wanted]), payoffs)
    head, colon, tail = wanted.partition(":")
    if head not in (("at-most",) if fewest else ("at-least", "capped")) or not colon:
        beyond = getattr(game, "match_objectives", ())
        known = (*own, *beyond, *(FEWEST_OBJECTIVES if fewest else TURN_OBJECTIVES), "win")
        raise unknown("objective", wanted, known, field="objective")
    bound = whole_number(tail)
    if bound is None:
        raise NotationError(
            f"{head} takes a whole number",
            text=wanted,
            at=len(head) + 1,
            remedy=f"{head}:7",
            field="objective",
        )
    if head == "at-most":
        return Objective(f"at-most:{bound}", "probability", tuple(int(p <= bound) for p in points))
    if head == "at-least":
        return Objective(f"at-least:{bound}", "probability", tuple(int(p >= bound) for p in points))
    return Objective(f"capped:{bound}", "points", tuple(min(int(p), bound) for p in points))


def _mapped(payoff: Mapping[Outcome, Number], outcomes: Sequence[Outcome]) -> Objective:
    values: list[Number] = []
    for outcome in outcomes:
        if outcome not in payoff:
            raise UsageError(
                f"the payoff says nothing about the outcome {outcome!r}",
                remedy="give a number for each outcome of the turn",
                field="objective",
            )
        value = payoff[outcome]
        try:
            Fraction(value)
        except (TypeError, ValueError, OverflowError):
            raise UsageError(
                f"the payoff of {outcome!r} is {value!r}, no finite number", field="objective"
            ) from None
        values.append(value)
    return Objective("payoff", "payoff", tuple(values))
