"""A turn in a match: what its states are worth for the win of the seat on turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.advisor.values import PolicyTable, TableValues, WinValues
from solver.games.protocol import Game, Outcome, points_of, race_of
from solver.match.boundary import Floats, Ints, RaceValues
from solver.match.mixing import STEP
from solver.match.race import Mixes
from solver.tablebase.policy_rows import boundary_index
from solver.turn.graph import TurnGraph
from solver.turn.kernel import evaluate_batch
from solver.turn.result import TurnSolution
from solver.turn.solve import solve_turn


@dataclass(frozen=True, slots=True, eq=False)
class MatchValues:
    """A solved match, from a table or on the spot.

    Parameters
    ----------
    values, mixes
        All boundary states, and where seats mix two turns.
    exactness, error
        How exact the values are.
    """

    values: RaceValues
    mixes: Mixes
    exactness: Literal["exact", "bounded", "equilibrium"]
    error: float | None


def from_policy(
    game: Game, source: MatchValues, policy: PolicyTable, scores: Ints, seat: int
) -> TableValues:
    """Return the values of a turn from a policy table of two seats.

    Parameters
    ----------
    game, source, policy
        The match and its expanded policy.
    scores
        int64, shape (2,).
    seat
        The seat on turn, from 0.
    """
    values = source.values
    chances = values.after(scores[None], seat)[0, :, seat]
    by_points = dict(zip(values.points.tolist(), chances.tolist(), strict=True))
    step = race_of(game).step

    def payoff(outcome: Outcome) -> tuple[float, None]:
        return by_points[points_of(game, outcome) // step], None

    return policy.values(boundary_index(values, scores, seat), payoff, seat)


def from_match(
    game: Game, graph: TurnGraph, source: MatchValues, scores: Ints, seat: int
) -> WinValues:
    """Return the values of a turn by solving it from the match's values.

    Parameters
    ----------
    game, graph, source
        The match and its compiled turn.
    scores
        int64, shape (seats,).
    seat
        The seat on turn, from 0.
    """
    ahead = source.values.after(scores[None], seat)[0, :, : source.values.seats]
    mixed = None
    mix = source.mixes.get((tuple(scores.tolist()), seat))
    if mix is not None:
        nothing = graph.points == 0
        above, below = (
            _turn(game, graph, np.where(nothing, mix.breakpoint + step, ahead[:, seat]))
            for step in (STEP, -STEP)
        )
        mixed = mix.share, above, below
    return from_ahead(game, graph, ahead, seat, mixed)


def from_ahead(
    game: Game,
    graph: TurnGraph,
    ahead: Floats,
    seat: int,
    mixed: tuple[float, TurnSolution, TurnSolution] | None = None,
) -> WinValues:
    """Return the values of a turn by solving it.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    ahead
        float64, shape (outcomes, seats): every seat's chance after each outcome.
    seat
        The seat on turn, from 0.
    mixed
        Share, and the turns just above and just below the breakpoint, if the seat mixes.
    """
    turn = _turn(game, graph, ahead[:, seat])
    edges = np.repeat(turn.nodes.chosen_edges[:, None], ahead.shape[1], axis=1)
    return WinValues(turn, evaluate_batch(graph, ahead, edges), mixed)


def _turn(game: Game, graph: TurnGraph, payoffs: Floats) -> TurnSolution:
    payoff = dict(zip(graph.outcomes, payoffs.tolist(), strict=True))
    return solve_turn(game, payoff, graph=graph, prefer_points=True)
