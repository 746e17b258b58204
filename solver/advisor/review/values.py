"""What every position of a record is worth: in points, and in chances to win.

In points a turn is looked at alone: its value is exact. For the win a turn is solved from the
values of the match, for all turns of a record at once; every seat's chance follows the same play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.advisor.review.record import PlayedTurn
from solver.errors import GameError, TooLargeError
from solver.games.protocol import Game, RoundsMatch, ScoreRace
from solver.match.boundary import Floats, RaceValues
from solver.match.mixing import STEP
from solver.match.race import Mixes, Progress
from solver.match.rounds import RoundsValues
from solver.match.solve import solve_score_race
from solver.match.staged import solve_staged
from solver.tablebase.read import Tables
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import evaluate_batch, solve_batch

_CHUNK = 32
_ON_THE_SPOT = 3  # seats; races of more take minutes: they need a table


@dataclass(frozen=True, slots=True, eq=False)
class WinSource:
    """A solved match.

    Parameters
    ----------
    values
        The value of every boundary state.
    mixes
        Where seats mix two turns.
    table
        Name of the table; None if it was solved on the spot.
    kind, error
        How exact the values are.
    """

    values: RaceValues | RoundsValues
    mixes: Mixes
    table: str | None
    kind: str
    error: float | None

    def ahead(self, turn: PlayedTurn) -> Floats:
        """Return every seat's chance after each outcome of a turn, shape (outcomes, seats)."""
        scores = np.array([turn.scores], dtype=np.int64)
        if isinstance(self.values, RaceValues):
            found = self.values.after(scores, turn.seat)
        else:
            stages = np.array([turn.stages], dtype=np.int64)
            found = self.values.after(turn.round - 1, turn.seat, scores, stages)
        chances: Floats = found[0, :, : self.values.seats]
        return chances


class ReviewSource:
    """Where a review takes its values from; what it has solved it remembers.

    Parameters
    ----------
    tables
        Open tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._graphs: dict[Game, TurnGraph] = {}
        self._points: dict[Game, list[float]] = {}
        self._wins: dict[tuple[Game, int], WinSource] = {}

    def graph(self, game: Game) -> TurnGraph:
        """Return the compiled turn of a game."""
        if game not in self._graphs:
            self._graphs[game] = cached_turn(game)
        return self._graphs[game]

    def points(self, game: Game, graph: TurnGraph) -> list[float]:
        """Return the best expected points of the turn from every node."""
        if game not in self._points:
            best = solve_exact(graph, graph.points.tolist())
            self._points[game] = [float(best.value(node)) for node in range(graph.nodes)]
        return self._points[game]

    def win(
        self, game: Game, graph: TurnGraph, seats: int, progress: Progress | None = None
    ) -> WinSource:
        """Return the solved match.

        Raises
        ------
        GameError
            If the game names no match, or one of another kind.
        TooLargeError
            If it is too large to be solved on the spot.
        TableError
            If the table for these rules is damaged or stale.
        """
        key = game, seats
        if key not in self._wins:
            self._wins[key] = self._solved(game, graph, seats, progress)
        return self._wins[key]

    def _solved(
        self, game: Game, graph: TurnGraph, seats: int, progress: Progress | None
    ) -> WinSource:
        match: Any = getattr(game, "rounds_match", None)
        if isinstance(match, RoundsMatch):
            staged = solve_staged(game, match, seats, graph, progress=progress)
            exact = staged.exactness
            return WinSource(staged.values, {}, None, exact.kind, exact.error)
        if not isinstance(getattr(game, "race", None), ScoreRace):
            raise GameError(f"{game.name} has no match that is reviewed for the win")
        table = self._tables.find(game, "win", seats)
        if table is not None:
            table.check_identity(game)
            entry = table.entry
            return WinSource(
                table.race_values(game), table.mixes(), table.name, entry.exactness, entry.error
            )
        if seats > _ON_THE_SPOT:
            raise TooLargeError(
                f"a match of {seats} seats is not solved on the spot, and there is no table for"
                " these rules",
                remedy="build one (should-i-roll tables build) and name its folder with --tables",
            )
        race = solve_score_race(game, seats, graph, proof=seats == 2, progress=progress)
        exact = race.exactness
        return WinSource(race.values, race.mixes, None, exact.kind, exact.error)


def win_values(
    graph: TurnGraph, source: WinSource, turns: Sequence[PlayedTurn]
) -> list[tuple[Floats, Floats]]:
    """Return the chances within each turn, and after each of its outcomes.

    Parameters
    ----------
    graph
        The compiled turn.
    source
        The solved match.
    turns
        The turns of one record.

    Returns
    -------
    list of (ndarray, ndarray)
        float64, shapes (nodes, seats) and (outcomes, seats), for each turn.
    """
    found: list[tuple[Floats, Floats]] = []
    for low in range(0, len(turns), _CHUNK):
        part = turns[low : low + _CHUNK]
        aheads = [source.ahead(turn) for turn in part]
        movers = [turn.seat for turn in part]
        payoffs = np.stack([a[:, m] for a, m in zip(aheads, movers, strict=True)], axis=1)
        values = _played(graph, payoffs, np.stack(aheads, axis=1))
        for i, turn in enumerate(part):
            mixed = _mixed(graph, source, turn, aheads[i])
            found.append((values[:, i] if mixed is None else mixed, aheads[i]))
    return found


def _played(graph: TurnGraph, payoffs: Floats, ahead: Floats) -> Floats:
    """Return what each node is worth to all under the mover's best; (nodes, turns, seats)."""
    batch = solve_batch(graph, payoffs, tiebreak=graph.points.astype(np.float64))
    seats = ahead.shape[2]
    chosen = np.repeat(batch.chosen, seats, axis=1)
    values = evaluate_batch(graph, ahead.reshape(len(ahead), -1), chosen)
    return values.reshape(graph.nodes, -1, seats)


def _mixed(graph: TurnGraph, source: WinSource, turn: PlayedTurn, ahead: Floats) -> Floats | None:
    """Return the values of a turn that equilibrium play mixes of two; None if it does not."""
    mix = source.mixes.get((turn.scores, turn.seat))
    if mix is None:
        return None
    nothing = graph.points == 0
    above, below = (
        _played(
            graph,
            np.where(nothing, mix.breakpoint + step, ahead[:, turn.seat])[:, None],
            ahead[:, None],
        )[:, 0]
        for step in (STEP, -STEP)
    )
    mean: Floats = mix.share * above + (1.0 - mix.share) * below
    return mean
