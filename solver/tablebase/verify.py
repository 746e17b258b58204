"""Checking a table: integrity, identity, consistency.

* *integrity*: every byte is the one the manifest promises;
* *identity*: the digest of the turn graph is that of the installed rules;
* *consistency*: every stored number satisfies the equations of best play. A turn's table and an
  expanded policy are swept once on the rules themselves (:mod:`solver.tablebase.sweep`), a score
  sheet at every standing (:mod:`solver.tablebase.sheets`); a race of two is proven in integers,
  each row of its policy too; with more seats it is proven that no seat gains by deviating. The
  numbers that the manifest repeats are held against the arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from solver.errors import CorruptTableError, ProofError, ShouldIRollError, TableError
from solver.games.registry import game as game_by_name
from solver.match.boundary import Floats, RaceValues
from solver.match.cells import best_turns
from solver.match.certify import certify_two_seats
from solver.match.equilibrium import check_equilibrium
from solver.match.race import Progress
from solver.match.result import start_of
from solver.tablebase.goals import verify_goal
from solver.tablebase.policy_rows import last_states, open_states, rows_error
from solver.tablebase.read import Table
from solver.tablebase.sheets import verify_sheet
from solver.tablebase.states import policy_states
from solver.tablebase.sweep import sweep_exact, sweep_race
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.roots import root_solver
from solver.turn.solve import solve_turn

_OTHER_COLUMNS = 1e-9  # rounds and ties: averages, not proven


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
        The bound as proven again; zero for an exact table, None if the proof was left out, for
        it takes numba with three and more seats.
    rolls
        Stored rolls that were averaged again on the rules, over all boundary states.
    """

    name: str
    bytes: int
    error: float | None
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
    try:
        return _verified(table, workers, progress)
    except (TableError, ProofError):
        raise
    except (ShouldIRollError, LookupError, ValueError, TypeError, ArithmeticError) as error:
        raise CorruptTableError(
            f"the table {table.name} contradicts itself: {type(error).__name__}: {error}",
            remedy=f"should-i-roll tables build {table.name}",
        ) from error


def _verified(table: Table, workers: int, progress: Progress | None) -> Verification:
    entry = table.entry
    for label in entry.files:
        table.array(label)
    game = game_by_name(entry.game, **entry.rules)
    table.check_identity(game, thorough=True)
    graph = compile_turn(game)
    if entry.kind == "turn":
        rolls = sweep_exact(table, game)
        turn = solve_turn(game, entry.objective, exact=True, graph=graph)
        right = {"value": turn.value, "exact": str(turn.exact), "mean": turn.mean}
        right |= {"variance": turn.variance, "bust": turn.bust}
        _check_numbers(table, right)
        return Verification(table.name, table.size, 0.0, rolls)
    if entry.kind in ("alone", "pairs"):
        error, right = verify_goal(table, game, graph, workers)
        _check_numbers(table, right)
        _check_claim(table, error)
        return Verification(table.name, table.size, error, 0)
    if entry.kind == "sheet":
        error, right, swept = verify_sheet(table, game, graph, progress)
        _check_numbers(table, right)
        _check_claim(table, error)
        return Verification(table.name, table.size, error, swept)
    values = table.race_values(game)
    bound = _prove(table, graph, values, workers, progress)
    _check_columns(table, graph, values)
    start = start_of(values)
    right = {
        "win_probability": start[: entry.seats].tolist(),
        "expected_rounds": 1.0 + float(start[entry.seats]),
        "tie_probability": float(start[entry.seats + 1]),
    }
    _check_numbers(table, right, claims=("error",))
    rolls = 0
    proven: float | None = bound
    if table.has_policy() and bound is not None:
        payoffs = np.concatenate([open_states(values), last_states(values)])
        rows = np.asarray(table.array("policy-value"))
        proven = bound + rows_error(graph, policy_states(game, graph), payoffs, rows)
        rolls = sweep_race(table, game, values, payoffs)
    _check_claim(table, proven)
    return Verification(table.name, table.size, proven, rolls)


def _check_claim(table: Table, error: float | None) -> None:
    if error is not None and error > table.entry.error:
        raise CorruptTableError(
            f"the table {table.name} claims an error of {table.entry.error:.1e}, and only"
            f" {error:.1e} can be proven",
            remedy=f"should-i-roll tables build {table.name}",
        )


def _prove(
    table: Table, graph: TurnGraph, values: RaceValues, workers: int, progress: Progress | None
) -> float | None:
    if table.entry.seats == 2:
        return certify_two_seats(graph, values, root=graph.root).error
    if find_spec("numba") is None:
        return None
    mixes = table.mixes()
    return check_equilibrium(graph, values, mixes, workers=workers, progress=progress).gain


def _check_numbers(table: Table, right: dict[str, Any], claims: tuple[str, ...] = ()) -> None:
    """Hold the results that the manifest repeats against the arrays they were taken from."""
    stored = table.entry.numbers
    wrong = [name for name in right if stored.get(name) != right[name]]
    if wrong or set(stored) != {*right, *claims}:
        raise CorruptTableError(
            f"the manifest of {table.name} says other numbers than its arrays:"
            f" {', '.join(wrong) or 'names'}",
            remedy=f"should-i-roll tables build {table.name}",
        )


def _check_columns(table: Table, graph: TurnGraph, values: RaceValues) -> None:
    """Hold every column, rounds and ties too, against one turn of play from each state."""
    if table.mixes():
        return  # the equilibrium check has been through the mixed states; the rest is below
    n, target = values.seats, values.race.target
    solve, fresh = root_solver(graph), values.race.unopened
    unopened = None if fresh is None else root_solver(graph, root=graph.roots[fresh])
    cells = np.stack(
        np.meshgrid(*[np.arange(target)] * n, indexing="ij"), axis=-1, dtype=np.int64
    ).reshape(-1, n)
    for chunk in np.array_split(cells, -(-len(cells) // 2048)):
        for seat in range(n):
            ahead = values.after(chunk, seat)
            payoffs = np.ascontiguousarray(ahead[:, :, seat])
            chances = best_turns(payoffs, chunk[:, seat], solve, unopened)
            right: Floats = np.einsum("so,sov->sv", chances, ahead)
            miss = np.abs(right - values.at(chunk, seat))
            if not miss.max() <= _OTHER_COLUMNS:
                row = int(miss.max(axis=1).argmax())
                raise CorruptTableError(
                    f"the table {table.name} contradicts the rules at the scores"
                    f" {tuple(chunk[row].tolist())}, seat {seat + 1} on turn: one turn of play"
                    f" misses it by {miss.max():.1e}",
                    remedy=f"should-i-roll tables build {table.name}",
                )
