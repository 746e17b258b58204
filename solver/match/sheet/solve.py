r"""Score sheets solved: the most expected total from every standing.

Let :math:`v(O, t)` be the most expected points still to come with the boxes :math:`O` open and the
tally :math:`t`, and :math:`T` the value of a turn as an operator on payoffs. Then

.. math::

   v(\emptyset, t) = \text{closing}(t), \qquad
   v(O, t) = T f_{O,t}, \qquad
   f_{O,t}(x) = \max_{b \in O} \; p_b(x) + v(O \setminus b, \; t \cdot m_b(x)),

with the points :math:`p_b(x)` and the mark :math:`m_b(x)` of outcome :math:`x` in box :math:`b`.
The choice of a box comes after the turn and is part of its payoff, so one turn graph serves all
standings. A turn fills one box: standings are solved by the number of open boxes, and nothing has
to converge.

Error: a turn's value is off by at most the largest payoff times
:func:`solver.turn.kernel.error_bound`, a payoff by half a unit in its last place on top of the
error of what it looks ahead to. These add up over the boxes that are open: that is the bound.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from solver.errors import TooLargeError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.match.estimate import available
from solver.match.race import Progress
from solver.match.sheet.compile import compile_sheet
from solver.match.sheet.result import SheetSolution
from solver.match.sheet.standings import Sheet
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.result import Exactness
from solver.turn.roots import ValueSolver, value_solver

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 4096
"""Standings solved as one batch, about."""
_BASE = 150 * 2**20  # the interpreter, numpy, the compiled kernel and the graph
_COPIES = 3  # of a chunk's payoffs that live at once


def solve_sheet(
    game: Game,
    *,
    graph: TurnGraph | None = None,
    workers: int = 1,
    max_memory: int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
) -> SheetSolution:
    """Return the most expected total of a score sheet, from every standing.

    Parameters
    ----------
    game
        The rules; they must name a ``score_sheet``.
    graph
        The compiled turn, if there is one already.
    workers
        Threads.
    max_memory
        Bytes of memory allowed; None for what the machine has to spare.
    compiled
        Whether to use numba; None for "if it is installed".
    progress
        Called with (standings done, in all) from time to time.

    Raises
    ------
    GameError
        If the game has no score sheet, or one that breaks the protocol.
    TooLargeError
        If it does not fit the memory; nothing was solved.

    Examples
    --------
    >>> from solver.games import game
    >>> small = game("yahtzee", dice=2, boxes="aces, yahtzee")
    >>> round(solve_sheet(small).total, 6)
    51.719781
    """
    graph = compile_turn(game) if graph is None else graph
    sheet = compile_sheet(game, graph)
    _check_memory(game, graph, sheet, workers, max_memory)
    value = np.full(sheet.case.shape, np.nan)
    value[0] = np.where(sheet.case[0] >= 0, sheet.closing, np.nan)
    error = _Error(graph)
    solve = value_solver(graph, compiled=compiled)
    tell = _Told(sheet.standings, progress)
    with ThreadPoolExecutor(max(1, workers)) as pool:
        for layer in sheet.layers()[1:]:

            def work(sets: Ints) -> float:
                count, largest = _solve_sets(sheet, value, sets, solve)
                tell(count)
                return largest

            error.add(max(pool.map(work, _chunks(sheet, layer)), default=0.0))
    value.flags.writeable = False
    return SheetSolution(
        game=game.name,
        rules=rules_of(game),
        exactness=Exactness("bounded", error.bound),
        total=float(value[-1, 0]),
        exact=None,
        values=value,
        sheet=sheet,
        graph=graph,
    )


def payoffs_at(sheet: Sheet, value: Floats, number: int, case: int, tallies: Ints) -> Floats:
    """Return the payoff of every outcome at standings of one set of open boxes and one case.

    Parameters
    ----------
    sheet
        The sheet.
    value
        float64, shape (sets of open boxes, tallies): points to come; those with fewer open boxes
        are looked up.
    number
        The set of open boxes.
    case
        The case.
    tallies
        int64, shape (standings,).

    Returns
    -------
    ndarray
        float64, shape (outcomes, standings).
    """
    best: Floats | None = None
    for i, box in enumerate(sheet.scores[case]):
        if not number >> i & 1 or not len(box.points):
            continue
        ahead = value[number ^ 1 << i][sheet.advance[tallies, box.mark[:, None]]]
        ahead += box.points[:, None]
        if (box.score == len(box.points)).any():
            ahead = np.concatenate([ahead, np.full((1, len(tallies)), -np.inf)])
        entered = ahead[box.score]
        best = entered if best is None else np.maximum(best, entered, out=best)
    assert best is not None  # every outcome can be entered somewhere
    return best


class _Told:
    """Progress that threads tell together."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, total, progress
        self.lock = threading.Lock()

    def __call__(self, count: int) -> None:
        if self.progress is not None:
            with self.lock:
                self.done += count
                self.progress(self.done, self.total)


class _Error:
    """The bound on the error of values, layer by layer; see the module."""

    def __init__(self, graph: TurnGraph) -> None:
        self.of_a_turn = error_bound(graph, tolerance=0.0) + 2.0**-53
        self.bound = 0.0

    def add(self, largest: float) -> None:
        """Count a layer whose largest payoff is `largest`."""
        self.bound += 1.01 * largest * self.of_a_turn


def _chunks(sheet: Sheet, layer: Ints) -> Iterator[Ints]:
    """Yield sets of open boxes with about CHUNK standings together."""
    counts = np.cumsum((sheet.case[layer] >= 0).sum(axis=1))
    bounds = np.searchsorted(counts, np.arange(CHUNK, int(counts[-1]) + CHUNK, CHUNK)) + 1
    begin = 0
    for end in np.minimum(bounds, len(layer)).tolist():
        if end > begin:
            yield layer[begin:end]
        begin = end


def _solve_sets(sheet: Sheet, value: Floats, sets: Ints, solve: ValueSolver) -> tuple[int, float]:
    """Solve all standings of some sets of open boxes; return how many, and the largest payoff."""
    groups: list[tuple[int, Ints, Floats]] = []
    for number in sets.tolist():
        cases = sheet.case[number]
        for case in np.unique(cases[cases >= 0]).tolist():
            tallies = np.flatnonzero(cases == case)
            groups.append((number, tallies, payoffs_at(sheet, value, number, case, tallies)))
    if not groups:
        return 0, 0.0
    payoffs = np.concatenate([payoff for _, _, payoff in groups], axis=1).T
    found = solve(np.ascontiguousarray(payoffs))
    begin = 0
    for number, tallies, _ in groups:
        value[number, tallies] = found[begin : begin + len(tallies)]
        begin += len(tallies)
    return len(found), float(payoffs.max())


def _check_memory(
    game: Game, graph: TurnGraph, sheet: Sheet, workers: int, max_memory: int | None
) -> None:
    chunk = CHUNK * len(graph.outcomes) * 8 * _COPIES * max(1, workers)
    needed = _BASE + sheet.case.size * 12 + chunk
    limit = available() if max_memory is None else max_memory
    if limit is not None and needed > limit:
        raise TooLargeError(
            f"{game.name}: {sheet.standings:,} standings take about {needed / 2**20:,.0f} MiB,"
            f" and {limit / 2**20:,.0f} MiB are free",
            remedy="fewer boxes, or --max-memory if there is more",
            field="max-memory",
        )
