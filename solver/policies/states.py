"""Every state of a turn in arrays, for policies that look at states.

The turn graph merges positions that lead to equal futures; a policy may tell them apart (it may
count tanks where tanks no longer matter). So policies are walked through the states themselves,
many standings at once: chances are pushed forward from the beginning, and only where they arrive
is the policy asked.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.check import walk
from solver.games.protocol import Bank, Choose, Game, Outcome, Roll, State, starts_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNIT = 2.0**-53


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """A roll: where it leads, states in which the turn goes on apart from its ends.

    Parameters
    ----------
    children, chances
        int64 and float64, shape (branches,): states that go on, each once, and their chances.
    ends
        (outcome, chance) of the branches that end the turn.
    """

    children: Ints
    chances: Floats
    ends: tuple[tuple[Outcome, float], ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision: its actions, and the state that each leads to."""

    actions: tuple[Any, ...]
    children: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TurnStates:
    """A turn's states, parents before children.

    Parameters
    ----------
    game
        The rules.
    states
        The states; state i leads to later ones only.
    steps
        By state: what happens there; None where the turn is over.
    outcome
        State -> its outcome, where the turn is over.
    starts
        Beginning of the turn -> state.
    rounding
        Bound on the relative error with which a chance arrives at any outcome.
    """

    game: Game
    states: tuple[State, ...]
    steps: tuple[Branches | Decision | None, ...]
    outcome: Mapping[int, Outcome]
    starts: Mapping[Hashable, int]
    rounding: float


@lru_cache(maxsize=8)
def turn_states(game: Game) -> TurnStates:
    """Return the states of a turn of `game`.

    Raises
    ------
    GameError, TooLargeError
        As when the turn is walked.
    """
    order = list(walk(game))[::-1]
    number = {state: i for i, (state, _) in enumerate(order)}
    outcome = {i: what.outcome for i, (_, what) in enumerate(order) if isinstance(what, Bank)}
    steps: list[Branches | Decision | None] = []
    children: list[list[int]] = []
    for _, what in order:
        step: Branches | Decision | None = None
        ahead: list[int] = []
        if isinstance(what, Choose):
            ahead = [number[state] for state in what.options.values()]
            step = Decision(tuple(what.options), tuple(ahead))
        elif isinstance(what, Roll):
            merged: dict[int, int] = {}
            for weight, state in what.branches:
                merged[number[state]] = merged.get(number[state], 0) + weight
            whole = sum(merged.values())
            ahead = list(merged)
            on = [i for i in ahead if i not in outcome]
            step = Branches(
                np.array(on, dtype=np.int64),
                np.array([merged[i] / whole for i in on]),
                tuple((outcome[i], merged[i] / whole) for i in ahead if i in outcome),
            )
        steps.append(step)
        children.append(ahead)
    starts = {name: number[state] for name, state in starts_of(game).items()}
    states = tuple(state for state, _ in order)
    return TurnStates(game, states, tuple(steps), outcome, starts, _rounding(children, outcome))


def _rounding(children: list[list[int]], outcome: Mapping[int, Outcome]) -> float:
    """Return a bound on the relative error of chances pushed forward to the outcomes.

    A step multiplies by a rounded chance, and a state adds up what arrives: with k arrivals
    that is (k - 1) + 2 roundings on top of the worst arrival. Outcomes are added up with the
    rounding errors carried along, which leaves two roundings, whatever k is.
    """
    arrivals = np.zeros(len(children), dtype=np.int64)
    for ahead in children:
        for child in ahead:
            arrivals[child] += 1
    worst = np.zeros(len(children))
    for i, ahead in enumerate(children):
        worst[i] += 4 if i in outcome else arrivals[i] + 1
        for child in ahead:
            worst[child] = max(worst[child], worst[i])
    return float(worst.max(initial=0.0)) * _UNIT * 1.01
