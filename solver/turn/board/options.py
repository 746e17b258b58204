"""The options of a player at one moment of a movement, with what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.games.martians.combat import choices
from solver.games.martians.plan.ground import Ground
from solver.turn.board.fights import Grids
from solver.turn.board.route import Route
from solver.turn.board.values import Values


@dataclass(frozen=True, slots=True)
class PlannedOption:
    """One option at a moment of a movement.

    Parameters
    ----------
    action
        ``stop``; a square, ``4,1``; ``roll``; ``use-+1`` or ``bare-hands``; ``spend``, ``reroll``
        or ``forfeit``; ``turn`` or ``leave``.
    value
        What it is worth under best play after it.
    death
        The chance to die in this turn under that play.
    then
        After a step onto a square on which nothing happens: what best play does next.
    """

    action: str
    value: float
    death: float
    then: Route | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlan:
    """What a moment of a movement is worth, and each option.

    Parameters
    ----------
    value, death
        Of best play: the payoff, and the chance to die in this turn.
    options
        In canonical order.
    error, tie
        Proven bound on the error of a value; values that differ by no more than `tie` are equal.
    nodes
        How many nodes were valued.
    """

    value: float
    death: float
    options: tuple[PlannedOption, ...]
    error: float
    tie: float
    nodes: int = field(compare=False)

    @property
    def best(self) -> PlannedOption:
        """The best option: among equals the one with the least chance to die, then the first."""
        tied = [o for o in self.options if o.value >= self.value - self.tie]
        return min(tied, key=lambda option: option.death)


def board_plan(values: Values, options: Sequence[PlannedOption]) -> BoardPlan:
    """Return the plan of a moment with these options.

    Parameters
    ----------
    values
        What nodes are worth.
    options
        In canonical order.
    """
    value = max(option.value for option in options)
    death = min(o.death for o in options if o.value >= value - values.tie)
    nodes = len(values.nodes.kind)
    return BoardPlan(value, death, tuple(options), values.error, values.tie, nodes)


def fight_options(
    values: Values,
    ground: Ground,
    won: Grids,
    lost: float,
    short: int | None,
    bonus: int = 0,
    rerolls: int = 0,
    *,
    settled: bool = False,
) -> list[PlannedOption]:
    """Return the options in a fight: what to fight with, the roll, or how to mend one.

    Parameters
    ----------
    values
        What nodes are worth.
    ground
        The player's tokens and weapons.
    won, lost
        What follows when it is won, by tokens, shape (6, 6); what a death is worth.
    short
        By how many bullets the last roll is short; None before the roll.
    bonus, rerolls
        What the weapon in use adds, and its re-rolls left.
    settled
        Before the roll: whether it is settled what the fight is fought with.
    """
    fights, tokens = values.fights, (ground.lives, ground.bullets)
    several, dead = Grids(won.value[None], won.death[None]), np.array([lost])
    if short is None:
        arms = [(f"use-{w}", (w.bonus, w.rerolls)) for w in ground.weapons]
        arms = [*arms, ("bare-hands", (0, 0))] if arms else []
        if settled or not arms:
            arms = [("roll", (bonus, rerolls))]
        return [
            PlannedOption(action, *_cell(fights.rolled(several, dead, *use)[-1][0], *tokens))
            for action, use in arms
        ]
    rolled = fights.rolled(several, dead, bonus, rerolls)
    options: list[PlannedOption] = []
    ways = choices(ground.last_life, *tokens, rerolls, short)
    for action, (ending, lives, bullets, left) in ways.items():
        if ending == "dead":
            options.append(PlannedOption(action, lost, 1.0))
        else:
            grid = won if ending == "won" else rolled[left][0]
            options.append(PlannedOption(action, *_cell(grid, lives, bullets)))
    return options


def _cell(grid: Grids, lives: int, bullets: int) -> tuple[float, float]:
    return float(grid.value[lives, bullets]), float(grid.death[lives, bullets])
