"""Best play of whole matches: for the win, and alone to a goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from solver.errors import UsageError
from solver.games.protocol import Action, Game, State
from solver.match.goal.alone import fewest_turns
from solver.match.goal.solve import goal_race_of
from solver.match.goal.standings import standings_of
from solver.policies.words.standing import ALONE, Standing, Watched
from solver.tablebase.read import open_tables
from solver.turn.cache import cached_turn
from solver.turn.result import TurnSolution
from solver.turn.solve import solve_turn


@dataclass(frozen=True, slots=True)
class OptimalPolicy:
    """Best play for the win against opponents who play their best.

    With more than two seats: the play of the equilibrium under the tie rule.
    :mod:`solver.policies.arena.seating` turns it into turns, for the seats there are.
    """

    game: Game
    name: str = "optimal"

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Refuse: a single turn has no win in it.

        Raises
        ------
        UsageError
            Always; :func:`solver.policies.turns.optimal_chooser` plays one turn of a match.
        """
        del state, actions, standing
        raise UsageError(
            "the policy optimal plays for the win: it needs the scores and the seat on turn",
            remedy=_alone(self.game),
            field="policy",
        )


def _alone(game: Game) -> str:
    if hasattr(game, "goal_race"):
        return f"the policy turns is best alone; should-i-roll match {game.name} plays for the win"
    return "--scores 0,0 --seat 1, or the policy points for a single turn"


@dataclass(frozen=True, slots=True)
class FewestTurnsPolicy:
    """Best play alone in a race to a goal: the fewest expected turns.

    Of equal options the one with more points after the turn, then the first in canonical order.

    Raises
    ------
    GameError
        If the game names no race to a goal.
    """

    game: Game
    name: str = "turns"
    turn: TurnSolution = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turn", _fewest(self.game))

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Return the action after which the fewest turns are to be expected."""
        del actions, standing
        best: Action = self.turn.choice_at(state)
        return best


@lru_cache(maxsize=4)
def _fewest(game: Game) -> TurnSolution:
    """Return the turn of best play alone, from a table or solved on the spot."""
    graph = cached_turn(game)
    standings = standings_of(graph, goal_race_of(game).after)
    turns = None
    with open_tables() as tables:
        table = tables.find(game, "turns", 1)
        if table is not None:
            table.check_identity(game)
            turns = np.array(table.array("turns"), dtype=np.float64)
    if turns is None:
        turns = fewest_turns(graph, standings).turns
    ahead = -(1.0 + np.append(turns, 0.0)[standings.after])
    payoff = dict(zip(graph.outcomes, ahead.tolist(), strict=True))
    return solve_turn(game, payoff, graph=graph, prefer_points=True)
