"""Best play of a two-seat match, asked one boundary state at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.export.course import Boundary, Course, Ended
from solver.games.protocol import Game
from solver.match.goal.result import GoalRaceSolution
from solver.match.goal.solve import solve_goal_race
from solver.match.result import MatchSolution, SolvedRace, SolvedRounds
from solver.match.solve import solve_match
from solver.turn.graph import TurnGraph
from solver.turn.kernel import BatchValues, solve_batch


class BestPlay:
    """A solved match of two seats.

    Parameters
    ----------
    game, graph, course
        The rules, their compiled turn and how the match goes on.
    """

    def __init__(self, game: Game, graph: TurnGraph, course: Course) -> None:
        self.graph, self.course = graph, course
        self.solution: MatchSolution | GoalRaceSolution = (
            solve_goal_race(game, graph=graph)
            if hasattr(game, "goal_race")
            else solve_match(game, graph=graph)
        )
        self._known: dict[Boundary, float] = {}

    def chance(self, at: Boundary) -> float:
        """Return the first seat's chance to win at a boundary state."""
        found = self._known.get(at)
        if found is None:
            found = self._known[at] = self._look_up(at)
        return found

    def turn(self, at: Boundary) -> BatchValues:
        """Return the values of the nodes for the seat on turn and its edges; one column."""
        payoffs = np.array([self._payoff(at, x) for x in self.graph.outcomes], dtype=np.float64)
        points = self.graph.points.astype(np.float64)
        return solve_batch(self.graph, payoffs[:, None], tiebreak=points)

    def chosen(self, at: Boundary) -> NDArray[np.int32]:
        """Return the edge that each decision takes, -1 elsewhere."""
        edges: NDArray[np.int32] = self.turn(at).chosen[:, 0]
        return edges

    def root(self, at: Boundary) -> int:
        """Return the node in which the turn of a boundary state begins."""
        return self.graph.roots[self.course.beginning(at)]

    def _payoff(self, at: Boundary, outcome: Any) -> float:
        try:
            ahead = self.course.after(at, outcome)
        except KeyError:  # an outcome of another beginning
            return 0.0
        first = ahead.halves / 2 if isinstance(ahead, Ended) else self.chance(ahead)
        return first if at.seat == 1 else 1.0 - first

    def _look_up(self, at: Boundary) -> float:
        solution = self.solution
        if isinstance(solution, GoalRaceSolution):
            own, other = at.standings[at.seat - 1], at.standings[2 - at.seat]
            win = solution.win(own, other)
            return win if at.seat == 1 else 1.0 - win
        if at.shown == ():
            return self._open(at)
        if at.seat == 2:
            return 1.0 - float(self.turn(at).value[self.root(at), 0])
        if isinstance(solution, SolvedRace):
            assert solution.values.tied is not None
            return float(solution.values.tied[0])
        assert isinstance(solution, SolvedRounds)
        (_, own), (_, other) = at.standings
        return float(solution.values.shares(2)[own, other, 0])

    def _open(self, at: Boundary) -> float:
        if isinstance(self.solution, SolvedRace):
            return self.solution.chances(at.standings, at.seat)[0]
        assert isinstance(self.solution, SolvedRounds)
        scores, stages = (np.array([column]) for column in zip(*at.standings, strict=True))
        number = max(at.number - 1, 0)
        return float(self.solution.values.at(number, at.seat - 1, scores, stages)[0, 0])
