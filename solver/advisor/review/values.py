"""What every position of a record is worth: alone, and in chances to win.

Alone a turn is looked at by itself, for points or what the game counts instead: its value is
exact. Turns of a race to a goal are looked at as a run of one seat, in expected turns to come. For
the win a turn is solved from the values of the match, for all turns of a record at once; every
seat's chance follows the same play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.advisor.review.record import PlayedTurn
from solver.errors import GameError, TooLargeError
from solver.games.protocol import (
    Game,
    GoalRace,
    RoundsMatch,
    ScoreRace,
    default_objective,
    objectives_of,
    payoff_of,
    sign_of,
)
from solver.match.boundary import Floats, RaceValues
from solver.match.goal.alone import fewest_turns
from solver.match.goal.solve import payoffs_ahead, solve_goal_race
from solver.match.goal.standings import Standings, standings_of
from solver.match.mixing import STEP
from solver.match.race import Mixes, Progress
from solver.match.rounds import RoundsValues
from solver.match.solve import solve_score_race
from solver.match.staged import solve_staged
from solver.tablebase.read import Tables
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE, evaluate_batch, solve_batch

_CHUNK = 32
_ON_THE_SPOT = 3  # seats; races of more take minutes: they need a table


@dataclass(frozen=True, slots=True, eq=False)
class AloneValues:
    """What positions of a turn are worth to a seat by itself.

    Parameters
    ----------
    unit
        ``"points"``, another objective of the game, or ``"turns"`` to the goal of a race.
    worth
        By node of the turn: the more, the better.
    sign
        What makes of it the number that people read: -1 where fewer are better.
    run
        Whether a seat's turns make one run, as they do to a goal; else each stands alone.
    tie
        Options within this of the best tie.
    exactness
        How exact it is: kind, error, table; nothing where it is exact.
    """

    unit: str
    worth: list[float]
    sign: int
    run: bool
    tie: float
    exactness: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class GoalChances:
    """A solved race of two seats to a goal.

    Parameters
    ----------
    standings
        The standings.
    chance
        float64, shape (standings, standings): of the seat on turn, by its own standing and the
        other's.
    """

    standings: Standings
    chance: Floats
    seats: int = 2

    def ahead(self, turn: PlayedTurn) -> Floats:
        """Return both seats' chances after each outcome of a turn, shape (outcomes, 2)."""
        other = turn.stages[1 - turn.seat]
        mine = np.array(payoffs_ahead(self.standings, self.chance, other))
        both = (mine, 1.0 - mine) if turn.seat == 0 else (1.0 - mine, mine)
        return np.stack(both, axis=1)


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
    step
        Points in a step of the race's scores.
    """

    values: RaceValues | RoundsValues | GoalChances
    mixes: Mixes
    table: str | None
    kind: str
    error: float | None
    step: int = 1

    def ahead(self, turn: PlayedTurn) -> Floats:
        """Return every seat's chance after each outcome of a turn, shape (outcomes, seats)."""
        if isinstance(self.values, GoalChances):
            return self.values.ahead(turn)
        scores = np.array([turn.scores], dtype=np.int64) // self.step
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
        self._alone: dict[Game, AloneValues] = {}
        self._wins: dict[tuple[Game, int], WinSource] = {}

    def graph(self, game: Game) -> TurnGraph:
        """Return the compiled turn of a game."""
        if game not in self._graphs:
            self._graphs[game] = cached_turn(game)
        return self._graphs[game]

    def alone(self, game: Game, graph: TurnGraph) -> AloneValues:
        """Return what every node of the turn is worth to a seat by itself."""
        if game not in self._alone:
            goal = isinstance(getattr(game, "goal_race", None), GoalRace)
            self._alone[game] = self._turns(game, graph) if goal else _one_turn(game, graph)
        return self._alone[game]

    def _turns(self, game: Game, graph: TurnGraph) -> AloneValues:
        """Return the expected turns to come from every node, this one included, with a minus."""
        race: Any = getattr(game, "goal_race", None)
        standings = standings_of(graph, race.after)
        table = self._tables.find(game, "turns", 1)
        if table is None:
            solved = fewest_turns(graph, standings)
            turns, name = solved.turns, None
            error: float | None = solved.relative_error
        else:
            table.check_identity(game)
            turns, name = np.asarray(table.array("turns")), table.name
            error = table.entry.error
        ahead = -(1.0 + np.append(turns, 0.0)[standings.after])
        points = graph.points.astype(np.float64)
        worth = solve_batch(graph, ahead[:, None], tiebreak=points).value[:, 0]
        most = float(-worth.min())
        exactness = {"kind": "bounded", "error": most * (error or 0.0), "table": name}
        return AloneValues("turns", worth.tolist(), -1, True, TIE * (1.0 + most), exactness)

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
        goal = getattr(game, "goal_race", None)
        if isinstance(goal, GoalRace):
            return self._goal(game, graph, goal, seats, progress)
        declared = getattr(game, "race", None)
        if not isinstance(declared, ScoreRace):
            raise GameError(f"{game.name} has no match that is reviewed for the win")
        table = self._tables.find(game, "win", seats)
        if table is not None:
            table.check_identity(game)
            entry = table.entry
            return WinSource(
                table.race_values(game),
                table.mixes(),
                table.name,
                entry.exactness,
                entry.error,
                declared.step,
            )
        if seats > _ON_THE_SPOT:
            raise TooLargeError(
                f"a match of {seats} seats is not solved on the spot, and there is no table for"
                " these rules",
                remedy="build one (should-i-roll tables build) and name its folder with --tables",
            )
        race = solve_score_race(game, seats, graph, proof=seats == 2, progress=progress)
        exact = race.exactness
        return WinSource(race.values, race.mixes, None, exact.kind, exact.error, declared.step)

    def _goal(
        self, game: Game, graph: TurnGraph, goal: GoalRace, seats: int, progress: Progress | None
    ) -> WinSource:
        if seats != 2:
            raise GameError(f"{game.name}: a race to a goal is reviewed for the win with two seats")
        table = self._tables.find(game, "win", seats)
        error: float | None
        if table is not None:
            table.check_identity(game)
            standings = standings_of(graph, goal.after)
            chance, name = np.asarray(table.array("chance")), table.name
            kind, error = table.entry.exactness, table.entry.error
        else:
            race = solve_goal_race(game, graph=graph, workers=2, progress=progress)
            standings, chance, name = race.standings, race.chance, None
            kind, error = race.exactness.kind, race.exactness.error
        return WinSource(GoalChances(standings, chance), {}, name, kind, error)


def _one_turn(game: Game, graph: TurnGraph) -> AloneValues:
    """Return the best expected points of the turn from every node, or what the game counts."""
    objective = default_objective(game)
    objective = objective if objective in objectives_of(game) else "points"
    best = solve_exact(graph, [payoff_of(game, objective, x) for x in graph.outcomes])
    worth = [float(best.value(node)) for node in range(graph.nodes)]
    return AloneValues(objective, worth, sign_of(game, objective), False, TIE, {})


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
    mix = source.mixes.get((tuple(s // source.step for s in turn.scores), turn.seat))
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
