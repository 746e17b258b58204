"""One Bellman sweep over the rolls that a table stores, written on the rules themselves.

Each stored roll must be the average of what its branches are worth by the table; each stored
choice must be a best option. No graph and no solver takes part: what lies between rolls follows
from ``expand``. Boundary states are swept side by side.

Options that tie may differ in their bust chance, and between takings a table keeps no choice: so
bust chances are carried as the least and the greatest of the options that tie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import CorruptTableError
from solver.games.protocol import (
    Bank,
    Choose,
    Game,
    Outcome,
    Roll,
    State,
    is_bust,
    payoff_of,
    points_of,
    race_of,
    sign_of,
)
from solver.match.boundary import Floats, RaceValues
from solver.tablebase.fractions import fraction_at
from solver.tablebase.policy_rows import BUST_SCALE
from solver.tablebase.read import Table
from solver.tablebase.states import decoded
from solver.turn.kernel import TIE

_TOLERANCE = 1e-12
_CHUNK = 256

Worth = tuple[Any, Any, Any]
"""Values, and least and greatest bust chances, by boundary state."""


def sweep_exact(table: Table, game: Game) -> int:
    """Sweep a turn's table in exact rationals; return how many rolls it stores.

    Raises
    ------
    CorruptTableError
        If a roll, a choice or a bust chance contradicts the rules.
    """
    top, bottom = table.array("numerator"), table.array("denominator")
    floats, busts = table.array("policy-value")[0], table.array("policy-bust")[0]
    stored: dict[State, Worth] = {}
    sign = sign_of(game, table.entry.objective)
    for state, row in _rolls(table):
        value, bust = fraction_at(top, bottom, row), float(busts[row])
        if float(value) != float(floats[row]):
            raise _wrong(table, state, float(value), float(floats[row]))
        stored[state] = _object(sign * value), _object(bust), _object(bust)
    sweep = _Sweep(table, game, stored, 0, 0.0, 0.0)
    sweep.run(
        lambda outcome: _object(Fraction(payoff_of(game, table.entry.objective, outcome))),
        slice(0, 1),
    )
    return len(stored)


def sweep_race(table: Table, game: Game, values: RaceValues, payoffs: Floats) -> int:
    """Sweep a race's expanded policy at every boundary state; return how many rolls that is.

    Parameters
    ----------
    table, game, values
        The table, its rules and its values.
    payoffs
        float64, shape (boundary states, outcomes): the payoffs of each boundary state.

    Raises
    ------
    CorruptTableError
        If a roll, a choice or a bust chance contradicts the rules.
    """
    step = race_of(game).step
    column = {step * points: i for i, points in enumerate(values.points.tolist())}
    rolls = list(_rolls(table))
    for low in range(0, len(payoffs), _CHUNK):
        part = slice(low, min(low + _CHUNK, len(payoffs)))
        value, bust = table.array("policy-value")[part], table.array("policy-bust")[part]
        here = payoffs[part]
        stored: dict[State, Worth] = {}
        for state, row in rolls:
            chance = bust[:, row] / BUST_SCALE
            stored[state] = np.asarray(value[:, row]), chance, chance
        sweep = _Sweep(table, game, stored, low, _TOLERANCE, TIE)
        sweep.run(lambda x, here=here: here[:, column[points_of(game, x)]], part)  # type: ignore[misc]
    return len(rolls) * len(payoffs)


def _rolls(table: Table) -> Sequence[tuple[State, int]]:
    rows = table.array("roll-rows").tolist()
    states = decoded(table.array("roll-states"), table.entry.tags)
    return list(zip(states, rows, strict=True))


def _object(value: Any) -> NDArray[Any]:
    """Return one exact number as an array of one boundary state."""
    array = np.empty(1, dtype=object)
    array[0] = value
    return array


class _Sweep:
    """A sweep over some boundary states, numbered from `first`."""

    def __init__(
        self,
        table: Table,
        game: Game,
        stored: dict[State, Worth],
        first: int,
        slack: float,
        tie: float,
    ) -> None:
        self.table, self.game, self.stored, self.first = table, game, stored, first
        self.exact = not slack
        self.slack: Any = slack or Fraction(0)
        self.tie: Any = tie or Fraction(0)
        self.known: dict[State, Worth] = {}
        self.chosen: dict[State, NDArray[Any]] = {}
        self.payoff: Callable[[Outcome], Any] = lambda _: None

    def run(self, payoff: Callable[[Outcome], Any], part: slice) -> None:
        self.payoff = payoff
        choices = np.asarray(self.table.array("policy-choice")[part])
        decisions = decoded(self.table.array("decision-states"), self.table.entry.tags)
        self.chosen = {state: choices[:, i] for i, state in enumerate(decisions)}
        slack = self.table.entry.bust_error + 1e-12  # bust chances are floats, in both
        for state, (value, bust, _) in self.stored.items():
            expansion = self.game.expand(state)
            if not isinstance(expansion, Roll):
                raise _wrong(self.table, state, float("nan"), float(value[0]))
            whole = sum(weight for weight, _ in expansion.branches)
            parts = [(weight, *self.worth(after)) for weight, after in expansion.branches]
            shares = [self._share(weight, whole) for weight, *_ in parts]
            mean, low, high = (
                np.sum([share * part[i] for share, part in zip(shares, parts, strict=True)], axis=0)
                for i in (1, 2, 3)
            )
            self._check(state, np.abs(mean - value) <= self.slack, mean, value)
            self._check(state, (bust >= low - slack) & (bust <= high + slack), low, bust)
        for state in self.chosen:
            self.worth(state)

    def _share(self, weight: int, whole: int) -> Any:
        return Fraction(weight, whole) if self.exact else weight / whole

    def worth(self, state: State) -> Worth:
        """Return what a state is worth by the table's own rolls and choices."""
        found = self.stored.get(state) or self.known.get(state)
        if found is None:
            expansion = self.game.expand(state)
            if isinstance(expansion, Bank):
                value = self.payoff(expansion.outcome)
                bust = np.full(len(value), float(is_bust(self.game, expansion.outcome)))
                found = value, bust, bust
            elif isinstance(expansion, Choose):
                found = self._best(state, [self.worth(s) for s in expansion.options.values()])
            else:
                raise _wrong(self.table, state, float("nan"), float("nan"))
            self.known[state] = found
        return found

    def _best(self, state: State, options: list[Worth]) -> Worth:
        value = np.array([option[0] for option in options])
        low = np.array([option[1] for option in options])
        high = np.array([option[2] for option in options])
        best = value.max(axis=0)
        if state in self.chosen:
            choice, at = self.chosen[state].astype(np.int64), np.arange(value.shape[1])
            taken = value[np.minimum(choice, len(options) - 1), at]
            fine = (choice < len(options)) & (taken >= best - self.slack)
            self._check(state, fine, best, taken)
            return taken, low[choice, at], high[choice, at]
        tied = value >= best - self.tie
        return (
            best,
            np.where(tied, low, np.inf).min(axis=0),
            np.where(tied, high, -np.inf).max(axis=0),
        )

    def _check(self, state: State, fine: Any, right: Any, stored: Any) -> None:
        wrong = np.flatnonzero(~np.asarray(fine, dtype=bool))
        if len(wrong):
            at = int(wrong[0])
            raise _wrong(self.table, state, float(right[at]), float(stored[at]), self.first + at)


def _wrong(
    table: Table, state: State, right: float, stored: float, boundary: int = 0
) -> CorruptTableError:
    return CorruptTableError(
        f"the table {table.name} contradicts the rules at {state!r} (boundary state {boundary}):"
        f" it says {stored!r}, and one step of best play gives {right!r}",
        remedy=f"should-i-roll tables build {table.name}",
    )
