"""Score sheets in exact rationals: for small ones, and as a witness of the fast way."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from solver.errors import TooLargeError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.match.sheet.compile import compile_sheet
from solver.match.sheet.result import SheetSolution
from solver.match.sheet.solve import payoffs_at
from solver.turn.compile import compile_turn
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.result import EXACT

MOST_WORK = 20_000_000
"""Standings times edges of the turn graph; about a minute."""


def solve_sheet_exact(game: Game, *, graph: TurnGraph | None = None) -> SheetSolution:
    """Return the most expected total of a score sheet from every standing, as fractions.

    Parameters
    ----------
    game
        The rules; they must name a ``score_sheet``.
    graph
        The compiled turn, if there is one already.

    Raises
    ------
    GameError
        If the game has no score sheet, or one that breaks the protocol.
    TooLargeError
        If it would take more than about a minute; nothing was solved.

    Examples
    --------
    >>> from solver.games import game
    >>> solve_sheet_exact(game("yahtzee", dice=2, rolls=2, boxes="aces, yahtzee")).exact
    Fraction(139121, 3888)
    """
    graph = compile_turn(game) if graph is None else graph
    sheet = compile_sheet(game, graph)
    work = sheet.standings * graph.edges
    if work > MOST_WORK:
        raise TooLargeError(
            f"{game.name}: {sheet.standings:,} standings of a turn of {graph.edges:,} edges are"
            " too many for exact rationals",
            remedy="leave --exact out: the totals carry a proven bound; or fewer boxes and dice",
            field="exact",
        )
    value = np.full(sheet.case.shape, None, dtype=object)
    for tally in np.flatnonzero(sheet.case[0] >= 0).tolist():
        value[0, tally] = Fraction(int(sheet.closing[tally]))
    for layer in sheet.layers()[1:]:
        for number in layer.tolist():
            for case in np.unique(sheet.case[number]).tolist():
                tallies = np.flatnonzero(sheet.case[number] == case)
                if case < 0:
                    continue
                payoffs = payoffs_at(sheet, value, number, case, tallies)
                for column, tally in enumerate(tallies.tolist()):
                    turn = solve_exact(graph, payoffs[:, column].tolist())
                    value[number, tally] = turn.value(graph.root)
    value.flags.writeable = False
    exact: Fraction = value[-1, 0]
    return SheetSolution(
        game=game.name,
        rules=rules_of(game),
        exactness=EXACT,
        total=float(exact),
        exact=exact,
        values=value,
        sheet=sheet,
        graph=graph,
    )
