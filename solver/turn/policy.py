"""Any policy, evaluated exactly on the rules themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from solver.errors import GameError
from solver.games.check import walk
from solver.games.protocol import Bank, Choose, Game, Outcome, State, starts_of

Chooser = Callable[[Any, tuple[Any, ...]], Any]
"""A policy: (state, legal actions in canonical order) -> action."""


def evaluate_policy(game: Game, choose: Chooser) -> dict[Outcome, Fraction]:
    """Return the exact distribution of outcomes when `choose` decides.

    Parameters
    ----------
    game
        The rules; the turn begins at the first beginning.
    choose
        Called once for each decision that the policy comes to.

    Returns
    -------
    dict
        Outcome -> chance; the chances sum to exactly one.

    Raises
    ------
    GameError
        If the policy names an action that is not legal.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> hold = lambda state, actions: "stop" if state[1] >= 20 else "roll"
    >>> float(round(evaluate_policy(Pig(), hold)[0], 4))
    0.6245
    """
    order = list(walk(game))
    reach: dict[State, Fraction] = {next(iter(starts_of(game).values())): Fraction(1)}
    result: dict[Outcome, Fraction] = {}
    for state, expansion in reversed(order):
        chance = reach.pop(state, None)
        if chance is None:
            continue
        if isinstance(expansion, Bank):
            result[expansion.outcome] = result.get(expansion.outcome, Fraction(0)) + chance
        elif isinstance(expansion, Choose):
            actions = tuple(expansion.options)
            action = actions[0] if len(actions) == 1 else choose(state, actions)
            if action not in expansion.options:
                raise GameError(
                    f"{game.name}: the policy chose {action!r} at {state!r}",
                    rule=f"legal are {', '.join(map(repr, actions))}",
                )
            after = expansion.options[action]
            reach[after] = reach.get(after, Fraction(0)) + chance
        else:
            whole = sum(weight for weight, _ in expansion.branches)
            for weight, after in expansion.branches:
                part = chance * Fraction(weight, whole)
                reach[after] = reach.get(after, Fraction(0)) + part
    return result
