"""Any policy, evaluated exactly on the rules themselves.

A policy answers a decision with an action, or with several and the chance of each: such a
decision is weighed exactly, so that a player who throws coins has an exact value too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

from solver.errors import GameError, unknown
from solver.games.check import walk
from solver.games.protocol import Action, Bank, Choose, Game, Outcome, State, starts_of

Chooser = Callable[[Any, tuple[Any, ...]], Any]
"""A policy: (state, legal actions in canonical order) -> action, or action -> chance."""


def evaluate_policy(
    game: Game, choose: Chooser, *, beginning: Hashable = None
) -> dict[Outcome, Fraction]:
    """Return the exact distribution of outcomes when `choose` decides.

    Parameters
    ----------
    game
        The rules.
    choose
        Called once for each decision that the policy comes to; it names an action, or several
        with their chances.
    beginning
        Which of the game's beginnings the turn starts from; None for the first or only one.

    Returns
    -------
    dict
        Outcome -> chance; the chances sum to exactly one.

    Raises
    ------
    GameError
        If the policy names an action that is not legal, or its chances are none.
    UnknownNameError
        If there is no such beginning.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> hold = lambda state, actions: "stop" if state[1] >= 20 else "roll"
    >>> float(round(evaluate_policy(Pig(), hold)[0], 4))
    0.6245
    >>> coin = lambda state, actions: {action: Fraction(1, len(actions)) for action in actions}
    >>> evaluate_policy(Pig(target=3), coin)
    {3: Fraction(53, 72), 2: Fraction(1, 12), 0: Fraction(13, 72)}
    """
    order = list(walk(game))
    starts = starts_of(game)
    if beginning is not None and beginning not in starts:
        raise unknown("beginning", str(beginning), map(str, starts), field="beginning")
    first = next(iter(starts.values())) if beginning is None else starts[beginning]
    reach: dict[State, Fraction] = {first: Fraction(1)}
    result: dict[Outcome, Fraction] = {}
    for state, expansion in reversed(order):
        chance = reach.pop(state, None)
        if chance is None:
            continue
        if isinstance(expansion, Bank):
            result[expansion.outcome] = result.get(expansion.outcome, Fraction(0)) + chance
        elif isinstance(expansion, Choose):
            actions = tuple(expansion.options)
            decided = actions[0] if len(actions) == 1 else choose(state, actions)
            for action, share in shares_of(game, state, actions, decided).items():
                after = expansion.options[action]
                reach[after] = reach.get(after, Fraction(0)) + chance * share
        else:
            whole = sum(weight for weight, _ in expansion.branches)
            for weight, after in expansion.branches:
                part = chance * Fraction(weight, whole)
                reach[after] = reach.get(after, Fraction(0)) + part
    return result


def shares_of(
    game: Game, state: State, actions: tuple[Action, ...], decided: Any
) -> dict[Action, Fraction]:
    """Return the chance of each action that a policy takes; those it never takes are left out.

    Parameters
    ----------
    game, state, actions
        Where it was asked, and what is legal there.
    decided
        What it answered: an action, or a mapping action -> chance.

    Raises
    ------
    GameError
        If an action is not legal, or chances are negative or do not sum to exactly one.
    """
    chances = list(decided.items()) if isinstance(decided, Mapping) else [(decided, 1)]
    shares: dict[Action, Fraction] = {}
    for action, chance in chances:
        if action not in actions:
            raise GameError(
                f"{game.name}: the policy chose {action!r} at {state!r}",
                rule=f"legal are {', '.join(map(repr, actions))}",
            )
        share = Fraction(chance)
        if share < 0:
            raise GameError(f"{game.name}: the chance of {action!r} at {state!r} is {chance!r}")
        if share:
            shares[action] = share
    if sum(shares.values()) != 1:
        raise GameError(
            f"{game.name}: the chances at {state!r} sum to {float(sum(shares.values()))!r}",
            rule="the chances of a decision sum to exactly one",
            remedy="use fractions.Fraction where decimals do not add up",
        )
    return shares
