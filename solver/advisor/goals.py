"""A turn in a race to a goal: alone in the fewest turns, or for the win against another seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from solver.advisor.advice import Advice, AdviceExactness
from solver.advisor.assemble import Answered, assemble
from solver.advisor.values import SolvedValues
from solver.advisor.win import from_ahead
from solver.errors import NotationError, PositionError, UsageError
from solver.games.notation import whole_number
from solver.games.position import Position, match_fields_of
from solver.games.protocol import Game
from solver.match.goal.alone import within
from solver.match.goal.solve import goal_race_of, payoffs_ahead, solve_alone, solve_goal_race
from solver.match.goal.standings import Standings, standings_of
from solver.match.race import Progress
from solver.tablebase.read import Table
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.solve import solve_turn

MOST_TURNS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class GoalValues:
    """A solved race to a goal, from a table or on the spot.

    Parameters
    ----------
    standings
        The standings.
    values
        Alone: float64, shape (standings,), the fewest expected turns. For the win: float64, shape
        (standings, standings), the chance of the seat on turn.
    error
        The proven bound; alone as a share of each value.
    table
        Name of the table; None if it was solved on the spot.
    """

    standings: Standings
    values: NDArray[np.float64]
    error: float | None
    table: str | None


class GoalAnswers:
    """Answers about races to a goal; what it has solved or looked up it remembers.

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
        self._known: dict[tuple[Game, str], GoalValues] = {}

    def answer(
        self,
        game: Game,
        position: Position,
        objective: str | None,
        opponent: Any,
        progress: Progress | None,
    ) -> Advice | None:
        """Return the advice at a position; None if the objective is one of the turn alone.

        Parameters
        ----------
        game, position
            The rules and what lies on the table.
        objective
            ``"turns"``, ``"within:N"`` or ``"win"``; by default the win with an opponent, else
            ``"turns"``.
        opponent
            The opponent's standing as it was told, or None.
        progress
            Called from time to time while the race is solved on the spot.

        Raises
        ------
        UsageError, PositionError
            If something is missing, or the rules do not allow it.
        """
        if objective is None:
            objective = "turns" if opponent is None else "win"
        if objective == "win":
            if opponent is None:
                asked = next((f for f in match_fields_of(game) if f.name == "opponent"), None)
                remedy = "give the game a field opponent"
                if asked is not None:
                    remedy = f"--opponent {asked.example}: {asked.help}"
                raise UsageError(
                    "to play for the win, --opponent is needed too", remedy=remedy, field="opponent"
                )
            return self._for_win(game, position, opponent, progress)
        if objective != "turns" and not objective.startswith("within:"):
            if opponent is not None:
                raise _only_for_win(objective)
            return None
        if opponent is not None:
            raise _only_for_win(objective)
        graph = self._graph(game)
        if objective == "turns":
            known = self._alone(game, graph)
            payoffs = -(1.0 + _ahead(known.standings, known.values, 0.0))
            turn = solve_turn(game, _by_outcome(graph, payoffs), graph=graph, prefer_points=True)
            most = float(-payoffs.min())
            error = most * ((known.error or 0.0) + 2.0 * error_bound(graph))
            answered = Answered(
                objective,
                "turns",
                AdviceExactness("bounded", error, error_bound(graph)),
                known.table,
                graph.digest,
                sign=-1,
                tolerance=turn.nodes.tolerance,
            )
            return assemble(game, position, SolvedValues(turn), answered)
        number = read_within(objective)
        standings = standings_of(graph, goal_race_of(game).after)
        best = within(graph, standings, number - 1)[number - 1]
        payoffs = _ahead(standings, best, 1.0)
        turn = solve_turn(game, _by_outcome(graph, payoffs), graph=graph, prefer_points=True)
        error = number * error_bound(graph)
        exactness = AdviceExactness("bounded", error, error_bound(graph))
        answered = Answered(objective, "probability", exactness, None, graph.digest)
        return assemble(game, position, SolvedValues(turn), answered)

    def alone(self, game: Game) -> GoalValues:
        """Return the fewest expected turns to the goal from every standing, alone.

        Parameters
        ----------
        game
            The rules; they must name a ``goal_race``.

        Raises
        ------
        GameError
            If they name none, or the goal cannot be reached.
        """
        return self._alone(game, self._graph(game))

    def pairs(self, game: Game, progress: Progress | None = None) -> GoalValues:
        """Return the chance to win for every pair of standings of two seats.

        Parameters
        ----------
        game
            The rules; they must name a ``goal_race``.
        progress
            Called from time to time while the race is solved on the spot.

        Raises
        ------
        GameError
            If they name none, or the goal cannot be reached.
        TooLargeError
            If it does not fit the memory.
        """
        return self._pairs(game, self._graph(game), progress)

    def _for_win(
        self, game: Game, position: Position, opponent: Any, progress: Progress | None
    ) -> Advice:
        read: Any = getattr(game, "read_opponent", None)
        if read is None:
            raise UsageError(f"{game.name} cannot be told an opponent", field="opponent")
        other = read(opponent)
        graph = self._graph(game)
        known = self._pairs(game, graph, progress)
        ahead = np.array(
            payoffs_ahead(known.standings, known.values, known.standings.number(other))
        )
        both = np.stack([ahead, 1.0 - ahead], axis=1)
        rounding = error_bound(graph)
        error = None if known.error is None else known.error + rounding
        where = {"opponent": ",".join(map(str, other[:3]))}
        exactness = AdviceExactness("bounded", error, rounding)
        answered = Answered("win", "win_probability", exactness, known.table, graph.digest, where)
        return assemble(game, position, from_ahead(game, graph, both, 0), answered)

    def _alone(self, game: Game, graph: TurnGraph) -> GoalValues:
        def solve() -> GoalValues:
            found = solve_alone(game, graph=graph)
            return GoalValues(found.standings, found.expected_turns, found.relative_error, None)

        return self._values(game, graph, ("turns", 1, "turns"), solve)

    def _pairs(self, game: Game, graph: TurnGraph, progress: Progress | None) -> GoalValues:
        def solve() -> GoalValues:
            race = solve_goal_race(game, graph=graph, workers=2, progress=progress)
            return GoalValues(race.standings, race.chance, race.exactness.error, None)

        return self._values(game, graph, ("win", 2, "chance"), solve)

    def _values(
        self,
        game: Game,
        graph: TurnGraph,
        wanted: tuple[str, int, str],
        solve: Callable[[], GoalValues],
    ) -> GoalValues:
        """Return values by objective, seats and label: remembered, from a table, or solved."""
        objective, seats, label = wanted
        if (game, objective) not in self._known:
            table = self._table(game, objective, seats)
            if table is None:
                found = solve()
            else:
                standings = standings_of(graph, goal_race_of(game).after)
                values = np.asarray(table.array(label))
                found = GoalValues(standings, values, table.entry.error, table.name)
            self._known[game, objective] = found
        return self._known[game, objective]


def read_within(objective: str) -> int:
    """Return the number of turns of an objective ``within:N``.

    Raises
    ------
    NotationError
        If it is no number from 1 to 10000.
    """
    number = whole_number(objective.partition(":")[2])
    if number is None or not 1 <= number <= MOST_TURNS:
        raise NotationError(
            f"within takes a number of turns from 1 to {MOST_TURNS}",
            text=objective,
            at=len("within:"),
            remedy="within:20",
            field="objective",
        )
    return number


def _only_for_win(objective: str) -> PositionError:
    return PositionError(
        f"--opponent is for the win; the objective is {objective}",
        remedy="leave --opponent out, or --objective win",
        field="opponent",
    )


def _ahead(standings: Standings, values: NDArray[np.float64], goal: float) -> NDArray[np.float64]:
    found = np.append(values, goal)[standings.after]
    return cast("NDArray[np.float64]", found)


def _by_outcome(graph: TurnGraph, payoffs: NDArray[np.float64]) -> dict[Any, float]:
    return dict(zip(graph.outcomes, payoffs.tolist(), strict=True))
