"""Tables of score sheets: the points still to come from every standing.

Arrays: ``tallies`` int32, shape (tallies, fields), the tallies by number; ``first`` int32, shape
(sets of open boxes + 1,): the standings of a set, whose bits are the open boxes, are
``first[set]:first[set + 1]``; ``tally`` uint32, shape (standings,), ascending within a set;
``to-come`` float64, shape (standings,). Full sheets are included.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import CorruptTableError, UsageError
from solver.games.check import walk
from solver.games.protocol import Bank, Choose, Game, ScoreSheet
from solver.match.race import Progress
from solver.match.sheet.compile import compile_sheet
from solver.match.sheet.solve import solve_sheet
from solver.match.sheet.standings import (
    Sheet,
    no_standing,
    open_number,
    sheet_of,
)
from solver.tablebase.read import Table
from solver.turn.graph import TurnGraph

Arrays = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]

_MARGIN = 4.5  # on the solver's bound: a proof adds a rounding of its own to what it finds
_CHUNK = 2048


def sheet_table(
    game: Game, graph: TurnGraph, workers: int, progress: Progress | None
) -> tuple[str, dict[str, Any], Arrays]:
    """Return the digest of a score sheet, what the manifest says of it, and the arrays.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    workers, progress
        As for :func:`solver.match.sheet.solve_sheet`.

    Raises
    ------
    UsageError
        If a tally is no tuple of whole numbers.
    """
    found = solve_sheet(game, graph=graph, workers=workers, progress=progress)
    entry = {
        "kind": "sheet",
        "objective": "total",
        "seats": 1,
        "error": _MARGIN * (found.exactness.error or 0.0),
        "numbers": {"total": found.total},
    }
    there = found.sheet.case >= 0
    arrays = {**_standings(game, found.sheet), "to-come": found.values[there]}
    return found.sheet.digest, entry, arrays


def _standings(game: Game, sheet: Sheet) -> Arrays:
    for tally in sheet.tallies:
        if not isinstance(tally, tuple) or not all(
            type(part) is int and abs(part) < 2**31 for part in tally
        ):
            raise UsageError(
                f"{game.name}: the tally {tally!r} cannot be put in a table",
                rule="a stored tally is a tuple of integers",
            )
    there = sheet.case >= 0
    return {
        "tallies": np.array(sheet.tallies, dtype=np.int32),
        "first": np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32),
        "tally": np.nonzero(there)[1].astype(np.uint32),
    }


class SheetTable:
    """A table of a score sheet made ready for look-ups.

    Parameters
    ----------
    table, rules
        The table and the sheet it is of.

    Raises
    ------
    CorruptTableError
        If its arrays do not belong together.
    """

    def __init__(self, table: Table, rules: ScoreSheet) -> None:
        self._rules = rules
        self._first, self._tally = table.array("first"), table.array("tally")
        self._to_come = table.array("to-come")
        names = table.array("tallies").tolist()
        self._number: dict[Hashable, int] = {tuple(name): i for i, name in enumerate(names)}
        if (
            self._first.shape != (2 ** len(rules.boxes) + 1,)
            or self._first[-1] != len(self._tally)
            or self._to_come.shape != self._tally.shape
        ):
            raise table.damaged("the shapes of its arrays are those of another sheet")

    def to_come(self, open_boxes: frozenset[str], tally: Hashable) -> float:
        """Return the most expected points still to come from a standing.

        Raises
        ------
        PositionError
            If no game comes to it.
        """
        at = open_number(self._rules, open_boxes)
        low, high = int(self._first[at]), int(self._first[at + 1])
        number = self._number.get(tally, -1)
        row = low + int(np.searchsorted(self._tally[low:high], number)) if number >= 0 else high
        if row >= high or self._tally[row] != number:
            raise no_standing(open_boxes, tally)
        return float(self._to_come[row])


def verify_sheet(
    table: Table, game: Game, graph: TurnGraph, progress: Progress | None
) -> tuple[float, dict[str, Any], int]:
    """Hold every standing of a table against one turn of best play, on the rules themselves.

    Parameters
    ----------
    table, game, graph
        The table, its rules and their compiled turn.
    progress
        Called with (standings done, in all) from time to time.

    Returns
    -------
    error, numbers, standings
        The bound as proven again, the results that the manifest must repeat, and how many
        standings were swept.

    Raises
    ------
    CorruptTableError
        If the arrays are those of another sheet, or a full sheet counts something else.
    """
    sheet = compile_sheet(game, graph)
    for label, array in _standings(game, sheet).items():
        if not np.array_equal(table.array(label), array):
            raise CorruptTableError(
                f"the {label} of the table {table.name} are those of another sheet",
                remedy=f"should-i-roll tables build {table.name}",
            )
    value = np.full(sheet.case.shape, np.nan)
    value[sheet.case >= 0] = table.array("to-come")
    for tally in np.flatnonzero(sheet.case[0] >= 0).tolist():
        closing = sheet.rules.closing(sheet.tallies[tally])
        if value[0, tally] != closing:
            raise table.damaged(
                f"a full sheet with the tally {sheet.tallies[tally]!r} counts {closing} more, and"
                f" it says {value[0, tally]!r}"
            )
    sweep = _Sweep(game, sheet, value)
    bound, done = 0.0, 0
    for layer in sheet.layers()[1:]:
        worst = 0.0
        for groups in _groups(sheet, layer.tolist()):
            miss, largest, count = sweep.run(groups)
            worst = max(worst, miss + 1.01 * largest * (sweep.rounding + 2.0**-53))
            done += count
            if progress is not None:
                progress(done, sheet.standings)
        bound += worst
    return bound, {"total": float(value[-1, 0])}, done


def _groups(sheet: Sheet, sets: list[int]) -> list[list[tuple[int, list[int]]]]:
    """Return standings as (set, tallies), in lists of about _CHUNK standings."""
    found: list[list[tuple[int, list[int]]]] = []
    room = 0
    for number in sets:
        tallies = np.flatnonzero(sheet.case[number] >= 0).tolist()
        if room < len(tallies) or not found:
            found.append([])
            room = _CHUNK
        found[-1].append((number, tallies))
        room -= len(tallies)
    return found


class _Sweep:
    """One turn of best play from many standings side by side, by ``expand`` and ``entries``."""

    def __init__(self, game: Game, sheet: Sheet, value: Floats) -> None:
        self.sheet, self.rules = sheet, sheet_of(game)
        self.value = np.pad(value, ((0, 0), (0, 1)), constant_values=np.nan)
        self.order = list(walk(game))
        self.start = game.start()
        self.outcomes = [x.outcome for _, x in self.order if isinstance(x, Bank)]
        self.number = {tally: i for i, tally in enumerate(sheet.tallies)}
        self.after: dict[Hashable, NDArray[np.int64]] = {}
        self.ways: dict[Hashable, _Ways] = {}
        self.rounding = self._rounding()

    def _rounding(self) -> float:
        """Return a bound on the rounding of a turn's value, for payoffs of at most one."""
        cost: dict[Hashable, float] = {}
        for state, happens in self.order:
            if isinstance(happens, Bank):
                cost[state] = 0.0
            elif isinstance(happens, Choose):
                cost[state] = max(cost[s] for s in happens.options.values())
            else:
                whole = sum(weight for weight, _ in happens.branches)
                below = sum(weight / whole * cost[s] for weight, s in happens.branches)
                cost[state] = below + (len(happens.branches) + 1) * 2.0**-53
        return 1.01 * cost[self.start]

    def run(self, groups: list[tuple[int, list[int]]]) -> tuple[float, float, int]:
        """Return the largest miss and the largest payoff of standings, and how many they are."""
        payoffs = np.concatenate([self._entered(*group) for group in groups], axis=1)
        banked = dict(zip(self.outcomes, payoffs, strict=True))
        worth: dict[Hashable, Floats] = {}
        for state, happens in self.order:
            if isinstance(happens, Bank):
                worth[state] = banked[happens.outcome]
            elif isinstance(happens, Choose):
                worth[state] = np.maximum.reduce([worth[s] for s in happens.options.values()])
            else:
                whole = sum(weight for weight, _ in happens.branches)
                parts = [weight * worth[s] for weight, s in happens.branches]
                worth[state] = np.sum(parts, axis=0) / whole
        stored = np.concatenate([self.value[number, tallies] for number, tallies in groups])
        miss = float(np.abs(worth[self.start] - stored).max())
        return miss if np.isfinite(miss) else np.inf, float(payoffs.max()), len(stored)

    def _entered(self, number: int, tallies: list[int]) -> Floats:
        """Return what outcomes are worth at standings of one set: shape (outcomes, tallies)."""
        open_boxes = frozenset(b for i, b in enumerate(self.rules.boxes) if number >> i & 1)
        cases: dict[Hashable, list[int]] = {}
        for column, tally in enumerate(tallies):
            case = self.rules.case(open_boxes, self.sheet.tallies[tally])
            cases.setdefault(case, []).append(column)
        found = np.empty((len(self.outcomes), len(tallies)))
        for case, columns in cases.items():
            if case not in self.ways:
                self.ways[case] = _Ways(self.rules, case, self.outcomes)
            ways = self.ways[case]
            ahead = np.full((len(ways.known) + 1, len(columns)), -np.inf)
            for (box, points, mark), row in ways.known.items():
                if box in open_boxes:
                    then = self._advanced(mark)[tallies][columns]
                    left = number - (1 << self.rules.boxes.index(box))
                    ahead[row] = self.value[left, then] + points
            found[:, columns] = ahead[ways.rows].max(axis=1)
        return found

    def _advanced(self, mark: Hashable) -> NDArray[np.int64]:
        """Return the number of the tally that each tally becomes by an entry."""
        if mark not in self.after:
            after = [self.rules.advance(tally, mark) for tally in self.sheet.tallies]
            beyond = len(self.sheet.tallies)  # no game comes to: NaN, which no standing equals
            self.after[mark] = np.array([self.number.get(tally, beyond) for tally in after])
        return self.after[mark]


class _Ways:
    """In which ways outcomes can be entered in one case.

    Attributes
    ----------
    known
        (Box, points, mark) -> row.
    rows
        int64, shape (outcomes, ways): the rows of each outcome; -1 fills up.
    """

    def __init__(self, rules: ScoreSheet, case: Hashable, outcomes: list[Any]) -> None:
        self.known: dict[tuple[str, int, Hashable], int] = {}
        ways: list[list[int]] = []
        for outcome in outcomes:
            entries = rules.entries(case, outcome)
            ways.append([self._row(box, *entry) for box, entry in entries.items()])
        most = max(map(len, ways))
        self.rows = np.array([way + [-1] * (most - len(way)) for way in ways])

    def _row(self, box: str, points: int, mark: Hashable) -> int:
        return self.known.setdefault((box, points, mark), len(self.known))
