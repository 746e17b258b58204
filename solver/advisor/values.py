"""What a state of the rules is worth: read from a policy table, or from a solved turn.

A table stores rolls and the choices next to them; what lies between follows from the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.games.position import Position
from solver.games.protocol import Bank, Choose, Game, Outcome, State, is_bust
from solver.tablebase.fractions import fraction_at
from solver.tablebase.policy_rows import BUST_SCALE
from solver.tablebase.read import Table
from solver.tablebase.states import decoded
from solver.turn.kernel import TIE
from solver.turn.result import TurnSolution

Payoff = Callable[[Outcome], tuple[float, Fraction | None]]


@dataclass(frozen=True, slots=True)
class Worth:
    """Value of a state under best play, and the chance that the turn ends with nothing.

    More is better: fewest points are negative here.
    """

    value: float
    exact: Fraction | None
    bust: float


@dataclass(frozen=True, slots=True)
class Entered:
    """What an option leads to that enters the outcome of a turn in a box of a score sheet."""

    outcome: Outcome
    box: str


class StateValues(Protocol):
    """What every source of values answers."""

    def at(self, state: State) -> Worth:
        """Return what a state is worth."""

    def choice(self, state: State) -> Any:
        """Return the action that canonical best play takes there, None if none is decided."""

    def chances(self, state: State) -> tuple[float, ...] | None:
        """Return every seat's chance to win from there, None if it is not about winning."""

    def mix(self, position: Position) -> Mapping[str, float]:
        """Return the chances of options that equilibrium play mixes; empty where it need not."""


class SolvedValues:
    """Values from a turn solved on the spot."""

    def __init__(self, solution: TurnSolution) -> None:
        self._solution = solution

    def chances(self, state: State) -> tuple[float, ...] | None:
        """Return None: a turn alone is not about winning."""
        del state
        return None

    def mix(self, position: Position) -> Mapping[str, float]:
        """Return nothing: alone, one best option is enough."""
        del position
        return {}

    def at(self, state: State) -> Worth:
        """Return what a state is worth."""
        turn = self._solution
        exact = turn.exact_at(state)
        return Worth(
            turn.sign * turn.value_at(state),
            None if exact is None else turn.sign * exact,
            turn.bust_at(state),
        )

    def choice(self, state: State) -> Any:
        """Return the action that canonical best play takes there, None if none is decided."""
        return self._solution.choice_at(state)


class WinValues(SolvedValues):
    """Values of a turn in a match, solved on the spot from the match's values.

    Parameters
    ----------
    solution
        The turn, solved for the chance to win of the seat on turn.
    chances
        float64, shape (nodes, seats): every seat's chance under the same play.
    mixed
        Share, and the turns just above and just below the breakpoint, if the seat mixes.
    """

    def __init__(
        self,
        solution: TurnSolution,
        chances: NDArray[np.float64],
        mixed: tuple[float, TurnSolution, TurnSolution] | None,
    ) -> None:
        super().__init__(solution)
        self._chances, self._mixed = chances, mixed

    def chances(self, state: State) -> tuple[float, ...] | None:
        """Return every seat's chance to win from there."""
        return tuple(self._chances[self._solution.graph.node(state)].tolist())

    def mix(self, position: Position) -> Mapping[str, float]:
        """Return the chances of options that equilibrium play mixes; empty where it need not."""
        if self._mixed is None:
            return {}
        share, above, below = self._mixed
        graph = self._solution.graph
        node = graph.node(position.state)
        to = {
            graph.node(state): action for action, state in reversed(list(position.options.items()))
        }
        first, second = above.nodes.chosen[node], below.nodes.chosen[node]
        if first == second or first not in to or second not in to:
            return {}
        return {to[first]: share, to[second]: 1.0 - share}


class PolicyTable:
    """A policy table made ready for look-ups: its states by value."""

    def __init__(self, table: Table, game: Game) -> None:
        self.game = game
        tags = table.entry.tags
        for label in ("roll-states", "decision-states"):
            if not (table.array(label)[:, 0] >= 0).all() or (
                table.array(label)[:, 0].max(initial=-1) >= len(tags)
            ):
                raise table.damaged(f"{label} name kinds of state that it does not")
        rows = np.asarray(table.array("roll-rows")).tolist()
        rolls = decoded(table.array("roll-states"), tags)
        self.row: dict[State, int] = dict(zip(rolls, rows, strict=True))
        decisions = decoded(table.array("decision-states"), tags)
        self.decision: dict[State, int] = {state: i for i, state in enumerate(decisions)}
        self.value = table.array("policy-value")
        self.bust = table.array("policy-bust")
        self.chosen = table.array("policy-choice")
        self.fractions: tuple[Any, Any] | None = None
        if "numerator" in table.entry.files:
            self.fractions = table.array("numerator"), table.array("denominator")
            if not self.fractions[1].any(axis=1).all():
                raise table.damaged("a denominator is zero")

    def values(
        self, boundary: int, payoff: Payoff, seat: int | None = None, *, sign: int = 1
    ) -> TableValues:
        """Return the values at one boundary state.

        Parameters
        ----------
        boundary
            Number of the boundary state.
        payoff
            The payoff of an outcome there.
        seat
            The seat on turn of two, from 0; None for a turn alone.
        sign
            -1 if the table counts what is to be few.
        """
        return TableValues(self, boundary, payoff, seat, sign)


class TableValues:
    """Values from a policy table at one boundary state."""

    def __init__(
        self, policy: PolicyTable, boundary: int, payoff: Payoff, seat: int | None, sign: int
    ) -> None:
        self._policy, self._payoff, self._seat, self._sign = policy, payoff, seat, sign
        self._value, self._bust = policy.value[boundary], policy.bust[boundary]
        self._chosen = policy.chosen[boundary]
        self._unit = 1.0 if policy.bust.dtype.kind == "f" else 1.0 / BUST_SCALE

    def at(self, state: State) -> Worth:
        """Return what a state is worth."""
        policy = self._policy
        row = policy.row.get(state)
        if row is not None:
            exact = None
            if policy.fractions is not None:
                exact = self._sign * fraction_at(*policy.fractions, row)
            value = self._sign * float(self._value[row])
            return Worth(value, exact, float(self._bust[row]) * self._unit)
        expansion = policy.game.expand(state)
        if isinstance(expansion, Bank):
            value, exact = self._payoff(expansion.outcome)
            return Worth(value, exact, float(is_bust(policy.game, expansion.outcome)))
        if isinstance(expansion, Choose):
            return self.at(expansion.options[self.choice(state)])
        raise KeyError(state)

    def choice(self, state: State) -> Any:
        """Return the action that canonical best play takes there, None if none is decided."""
        expansion = self._policy.game.expand(state)
        if not isinstance(expansion, Choose):
            return None
        number = self._policy.decision.get(state)
        if number is not None:
            return list(expansion.options)[int(self._chosen[number])]
        values = {action: self.at(after).value for action, after in expansion.options.items()}
        best = max(values.values())
        return next(action for action, value in values.items() if value >= best - TIE)

    def chances(self, state: State) -> tuple[float, ...] | None:
        """Return both seats' chances to win from there, None if it is not about winning."""
        if self._seat is None:
            return None
        own = self.at(state).value
        return (own, 1.0 - own) if self._seat == 0 else (1.0 - own, own)

    def mix(self, position: Position) -> Mapping[str, float]:
        """Return nothing: two seats have an equilibrium in pure play."""
        del position
        return {}
