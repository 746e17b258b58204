"""A turn that is entered in a score sheet: what to keep, and in which box it belongs.

The choice of a box comes after the turn and is part of its payoff. Advice shows it in two places:
an option that ends the turn says in which box the dice then go, and where no dice can be rolled
any more the boxes themselves are the options.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.advisor.advice import Advice, AdviceExactness
from solver.advisor.assemble import EXACT, Answered, assemble
from solver.advisor.values import Entered, SolvedValues, Worth
from solver.errors import UsageError
from solver.games.position import Position
from solver.games.protocol import Bank, Game, Outcome, ScoreSheet, State
from solver.games.readings import rules_of
from solver.match.race import Progress
from solver.match.sheet.solve import solve_sheet
from solver.match.sheet.standings import sheet_of
from solver.tablebase.read import Table
from solver.tablebase.sheets import SheetTable
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound, evaluate_batch
from solver.turn.objective import Number, turn_objective
from solver.turn.result import TurnSolution
from solver.turn.solve import solve_turn

TOTAL = "total"
"""The objective of a whole sheet: the points of this turn and all that are to come."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSheet:
    """A solved score sheet, from a table or on the spot.

    Parameters
    ----------
    to_come
        (Open boxes, tally) -> the most expected points still to come.
    error
        The proven bound.
    table
        Name of the table; None if it was solved on the spot.
    """

    to_come: Callable[[frozenset[str], Hashable], float]
    error: float
    table: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One box in which an outcome may be entered: its points, and what that is worth."""

    box: str
    points: int
    worth: Number


class SheetAnswers:
    """Answers about turns that are entered in a sheet; what it has solved it remembers.

    Parameters
    ----------
    table
        Game, objective and seats -> the table for it, or None.
    graph
        Game -> its compiled turn.
    """

    def __init__(
        self, table: Callable[[Game, str, int], Table | None], graph: Callable[[Game], TurnGraph]
    ) -> None:
        self._table, self._graph = table, graph
        self._known: dict[Game, KnownSheet] = {}

    def answer(
        self, game: Game, position: Position, objective: str | None, progress: Progress | None
    ) -> Advice:
        """Return the advice at a position.

        Parameters
        ----------
        game, position
            The rules and what lies on the table.
        objective
            ``"total"``, by default; or one of a turn, which looks at this turn's entry alone.
        progress
            Called from time to time while the sheet is solved on the spot.

        Raises
        ------
        UsageError, PositionError
            If the objective is none, or the rules do not allow the position.
        """
        graph, rules = self._graph(game), sheet_of(game)
        assert position.standing is not None
        objective = objective or TOTAL
        if objective == TOTAL:
            known = self._sheet(game, graph, progress)
            entries = _for_total(graph, rules, position.standing, known)
        else:
            entries = _for_turn(game, graph, rules, position.standing, objective)
        payoff = {x: max(e.worth for e in found) for x, found in entries.items()}
        turn = solve_turn(game, payoff, exact=objective != TOTAL, graph=graph)
        values = EntryValues(game, turn, entries)
        if isinstance(game.expand(position.state), Bank):
            position = _boxes(game, position, entries)
        if objective == TOTAL:
            if known.table is None:
                position = replace(position, note=_on_the_spot(game, position.note))
            rounding = error_bound(graph)
            largest = max(float(worth) for worth in payoff.values())
            exactness = AdviceExactness("bounded", known.error + largest * rounding, rounding)
            answered = Answered(
                TOTAL,
                "points",
                exactness,
                known.table,
                graph.digest,
                tolerance=turn.nodes.tolerance,
            )
            return assemble(game, position, values, answered)
        asked = turn_objective(objective, (), (), game)
        return assemble(
            game, position, values, Answered(asked.name, asked.unit, EXACT, None, graph.digest)
        )

    def _sheet(self, game: Game, graph: TurnGraph, progress: Progress | None) -> KnownSheet:
        if game not in self._known:
            table = self._table(game, TOTAL, 1)
            if table is None:
                found = solve_sheet(game, graph=graph, workers=2, progress=progress)
                known = KnownSheet(found.to_come, found.exactness.error or 0.0, None)
            else:
                stored = SheetTable(table, sheet_of(game))
                known = KnownSheet(stored.to_come, table.entry.error, table.name)
            self._known[game] = known
        return self._known[game]


class EntryValues(SolvedValues):
    """Values of a turn whose outcomes are entered in boxes.

    Parameters
    ----------
    game, solution
        The rules, and the turn solved for the best entries.
    entries
        Outcome -> the boxes in which it may be entered, in the sheet's order.
    """

    def __init__(
        self, game: Game, solution: TurnSolution, entries: Mapping[Outcome, list[Entry]]
    ) -> None:
        super().__init__(solution)
        self._game, self._turn, self._entries = game, solution, entries
        graph = solution.graph
        tolerance = solution.nodes.tolerance
        self._best = {x: _first_best(found, tolerance) for x, found in entries.items()}
        zero = np.array([[float(self._best[x].points == 0)] for x in graph.outcomes])
        self._bust: NDArray[np.float64] = evaluate_batch(
            graph, zero, solution.nodes.chosen_edges[:, None]
        )[:, 0]

    def at(self, state: State) -> Worth:
        """Return what a state is worth, and the chance that the turn is entered as a zero."""
        if isinstance(state, Entered):
            entry = next(e for e in self._entries[state.outcome] if e.box == state.box)
            exact = Fraction(entry.worth) if self._turn.nodes.exact is not None else None
            return Worth(float(entry.worth), exact, float(entry.points == 0))
        bust = float(self._bust[self._turn.graph.node(state)])
        return Worth(self._turn.value_at(state), self._turn.exact_at(state), bust)

    def choice(self, state: State) -> Any:
        """Return what best play does at a state; where the turn is over, in which box it goes."""
        if isinstance(state, Entered):
            return None
        expansion = self._game.expand(state)
        if isinstance(expansion, Bank):
            return action_of(self._best[expansion.outcome].box)
        return self._turn.choice_at(state)


def action_of(box: str) -> str:
    """Return the action of entering an outcome in a box."""
    return f"enter {box}"


def _first_best(entries: list[Entry], tolerance: float) -> Entry:
    best = max(entry.worth for entry in entries)
    return next(entry for entry in entries if entry.worth >= best - tolerance)


def _boxes(game: Game, position: Position, entries: Mapping[Outcome, list[Entry]]) -> Position:
    """Return the position with the boxes as its options."""
    expansion = game.expand(position.state)
    assert isinstance(expansion, Bank)
    outcome = expansion.outcome
    options = {action_of(e.box): Entered(outcome, e.box) for e in entries[outcome]}
    return replace(position, options=options)


def _on_the_spot(game: Game, note: str | None) -> str:
    """Return a note that says how to have the answer sooner the next time."""
    from solver.tablebase.build import RECIPES  # noqa: PLC0415  only where there is no table

    found = (
        name
        for name, recipe in RECIPES.items()
        if recipe.game == game.name and rules_of(recipe.make_game()) == rules_of(game)
    )
    name = next(found, None)
    keep = f": should-i-roll tables build {name} keeps it" if name else ""
    solved = f"there is no table of these rules, so the whole sheet was solved{keep}"
    return f"{note}; {solved}" if note else solved


def _legal(
    graph: TurnGraph, rules: ScoreSheet, standing: tuple[frozenset[str], Any]
) -> dict[Outcome, list[tuple[str, int, Hashable]]]:
    """Return for each outcome the open boxes it may be entered in, with points and mark."""
    open_boxes, tally = standing
    case = rules.case(open_boxes, tally)
    found: dict[Outcome, list[tuple[str, int, Hashable]]] = {}
    for outcome in graph.outcomes:
        entries = rules.entries(case, outcome)
        boxes = [box for box in rules.boxes if box in entries and box in open_boxes]
        found[outcome] = [(box, *entries[box]) for box in boxes]
    return found


def _for_total(
    graph: TurnGraph,
    rules: ScoreSheet,
    standing: tuple[frozenset[str], Any],
    known: KnownSheet,
) -> dict[Outcome, list[Entry]]:
    open_boxes, tally = standing
    ahead: dict[tuple[str, Hashable], float] = {}
    found: dict[Outcome, list[Entry]] = {}
    for outcome, legal in _legal(graph, rules, standing).items():
        found[outcome] = []
        for box, points, mark in legal:
            if (box, mark) not in ahead:
                after = rules.advance(tally, mark)
                ahead[box, mark] = float(known.to_come(open_boxes - {box}, after))
            found[outcome].append(Entry(box, points, points + ahead[box, mark]))
    return found


def _for_turn(
    game: Game,
    graph: TurnGraph,
    rules: ScoreSheet,
    standing: tuple[frozenset[str], Any],
    objective: str,
) -> dict[Outcome, list[Entry]]:
    if objective == "win":
        raise UsageError(
            f"{game.name} is played alone here: there is nobody to beat",
            remedy=f"--objective {TOTAL}, points, at-least:N or capped:N",
            field="objective",
        )
    found: dict[Outcome, list[Entry]] = {}
    for outcome, legal in _legal(graph, rules, standing).items():
        points = [p for _, p, _ in legal]
        worth = turn_objective(objective, points, points, game).payoffs
        boxes = [box for box, _, _ in legal]
        found[outcome] = [Entry(*e) for e in zip(boxes, points, worth, strict=True)]
    return found
