"""Checking a table: integrity, identity, consistency.

* *integrity*: every byte is the one the manifest promises;
* *identity*: the digest of the turn graph is that of the installed rules;
* *consistency*: the values satisfy the equations of best play. For a race of two that is the
  proof in integers, and each row of the policy solved again in fixed point; for more seats it is
  the proof that no seat gains by deviating. For stored rolls it is one
  Bellman sweep written on the rules themselves, without graph or solver: each roll's value and
  bust chance is the average of what its branches are worth by the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from solver.errors import CorruptTableError, TableError
from solver.games.protocol import Bank, Choose, Game, Roll, State, points_of
from solver.games.registry import game as game_by_name
from solver.match.boundary import RaceValues
from solver.match.certify import certify_two_seats
from solver.match.equilibrium import check_equilibrium
from solver.match.race import Progress
from solver.tablebase.fractions import fraction_at
from solver.tablebase.policy_rows import BUST_SCALE, last_states, open_states, rows_error
from solver.tablebase.read import Table
from solver.tablebase.states import decoded, policy_states
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE

_TOLERANCE = 1e-12
_SAMPLE = 8

Worth = tuple[Any, float, float]
"""Value, and the least and greatest bust chance: options that tie may differ in it."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked of a table.

    Parameters
    ----------
    name
        The table.
    bytes
        Size of the files whose hashes were checked.
    error
        Bound on the values as proven again; zero for an exact table.
    rolls
        Stored rolls that were averaged again on the rules.
    """

    name: str
    bytes: int
    error: float
    rolls: int


def verify_table(
    table: Table, *, workers: int = 1, progress: Progress | None = None
) -> Verification:
    """Check a table in all three ways.

    Parameters
    ----------
    table
        The table.
    workers
        Threads, for races of three and more seats.
    progress
        Called from time to time, for these.

    Raises
    ------
    CorruptTableError
        If a file or a value is not what it must be.
    StaleTableError
        If the table is of other rules than the installed ones.
    """
    entry = table.entry
    for label in entry.files:
        table.array(label)
    game = game_by_name(entry.game, **entry.rules)
    table.check_identity(game, thorough=True)
    graph = compile_turn(game)
    if entry.kind == "turn":
        return Verification(table.name, table.size, 0.0, _sweep_exact(table, game))
    values = table.race_values(game)
    if entry.seats == 2:
        error = certify_two_seats(graph, values, root=graph.root).error
    else:
        check = check_equilibrium(graph, values, table.mixes(), workers=workers, progress=progress)
        error = check.gain
    rolls = 0
    if table.has_policy():
        error += _check_rows(table, game, graph, values)
        rolls = _sweep_sample(table, game, values)
    if error > entry.error:
        raise CorruptTableError(
            f"the table {table.name} claims an error of {entry.error:.1e}, and only"
            f" {error:.1e} can be proven",
            remedy=f"should-i-roll tables build {table.name}",
        )
    return Verification(table.name, table.size, error, rolls)


def _check_rows(table: Table, game: Game, graph: TurnGraph, values: RaceValues) -> float:
    payoffs = np.concatenate([open_states(values), last_states(values)])
    return rows_error(
        graph, policy_states(game, graph), payoffs, np.asarray(table.array("policy-value"))
    )


def _sweep_exact(table: Table, game: Game) -> int:
    """Average every stored roll again in exact rationals; return how many there are."""
    top, bottom = table.array("numerator"), table.array("denominator")
    rows = table.array("roll-rows").tolist()
    rolls = decoded(table.array("roll-states"), table.entry.tags)
    floats, busts = table.array("policy-value")[0], table.array("policy-bust")[0]
    stored: dict[State, Worth] = {}
    for state, row in zip(rolls, rows, strict=True):
        value = fraction_at(top, bottom, row)
        if float(value) != float(floats[row]):
            raise _inconsistent(table, state, float(value), float(floats[row]))
        stored[state] = value, float(busts[row]), float(busts[row])
    _sweep(table, game, stored, 0, lambda outcome: Fraction(points_of(game, outcome)), exact=True)
    return len(stored)


def _sweep_sample(table: Table, game: Game, values: RaceValues) -> int:
    """Average the rolls of some boundary states again; return how many rolls that were."""
    payoffs = np.concatenate([open_states(values), last_states(values)])
    rows = table.array("roll-rows").tolist()
    rolls = decoded(table.array("roll-states"), table.entry.tags)
    points = [int(p) for p in values.points]
    checked = 0
    for boundary in np.linspace(0, len(payoffs) - 1, _SAMPLE).astype(int).tolist():
        value = table.array("policy-value")[boundary]
        bust = table.array("policy-bust")[boundary]
        stored: dict[State, Worth] = {
            state: (float(value[row]), bust[row] / BUST_SCALE, bust[row] / BUST_SCALE)
            for state, row in zip(rolls, rows, strict=True)
        }
        worth = dict(zip(points, payoffs[boundary].tolist(), strict=True))
        _sweep(table, game, stored, boundary, lambda x, w=worth: w[points_of(game, x)])  # type: ignore[misc]
        checked += len(stored)
    return checked


def _sweep(
    table: Table,
    game: Game,
    stored: dict[State, Worth],
    boundary: int,
    payoff: Callable[[Any], Any],
    *,
    exact: bool = False,
) -> None:
    decisions = decoded(table.array("decision-states"), table.entry.tags)
    chosen = dict(zip(decisions, table.array("policy-choice")[boundary].tolist(), strict=True))
    known: dict[State, Worth] = {}

    def worth(state: State) -> Worth:
        if state in stored:
            return stored[state]
        if state not in known:
            expansion = game.expand(state)
            if isinstance(expansion, Bank):
                nothing = float(points_of(game, expansion.outcome) == 0)
                known[state] = payoff(expansion.outcome), nothing, nothing
            elif isinstance(expansion, Choose):
                known[state] = choose(state, map(worth, expansion.options.values()))
        return known[state]

    def choose(state: State, options: Iterable[Worth]) -> Worth:
        all_ = list(options)
        best = max(value for value, *_ in all_)
        slack, tie = (0, 0) if exact else (_TOLERANCE, TIE)
        if state in chosen:
            taken: Worth = all_[chosen[state]]
            if taken[0] < best - slack:
                raise _inconsistent(table, state, float(best), float(taken[0]))
            return taken
        tied = [option for option in all_ if option[0] >= best - tie]
        return best, min(low for _, low, _ in tied), max(high for *_, high in tied)

    for state, (value, bust, _) in stored.items():
        expansion = game.expand(state)
        if not isinstance(expansion, Roll):
            raise _inconsistent(table, state, float("nan"), float(value))
        whole = sum(weight for weight, _ in expansion.branches)
        ahead = [(weight, *worth(after)) for weight, after in expansion.branches]
        mean = sum(w * v for w, v, *_ in ahead) / (Fraction(whole) if exact else whole)
        if (mean != value) if exact else abs(mean - value) > _TOLERANCE:
            raise _inconsistent(table, state, float(mean), float(value))
        low = sum(w * b for w, _, b, _ in ahead) / whole
        high = sum(w * b for w, *_, b in ahead) / whole
        slack = table.entry.bust_error + 1e-12
        if not low - slack <= bust <= high + slack:
            raise _inconsistent(table, state, low, bust)


def _inconsistent(table: Table, state: State, right: float, stored: float) -> TableError:
    return CorruptTableError(
        f"the table {table.name} contradicts the rules at {state!r}: it says {stored!r}, and"
        f" one step of best play gives {right!r}",
        remedy=f"should-i-roll tables build {table.name}",
    )
