"""Best play for the win in a race to a goal, as turns: from a table or solved on the spot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Game
from solver.match.goal.alone import fewest_turns
from solver.match.goal.proof import prove_pairs
from solver.match.goal.race import Progress
from solver.match.goal.solve import solve_goal_race
from solver.match.goal.standings import Standings
from solver.policies.arena.goal.turns.seat import ChosenTurns
from solver.tablebase.read import open_tables
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.sweep import Sweep

Floats = NDArray[np.float64]

TIE = 1e-14
"""Options within this of the best tie: the one that hurries more is played."""


@dataclass(frozen=True, slots=True, eq=False)
class GoalOptimum:
    """Best play of two seats.

    Parameters
    ----------
    chance
        float64, shape (standings, standings): the chance to win of the seat on turn.
    error
        Bound on the error of every chance.
    turns
        float64, shape (standings,): a seat that plays so has reached the goal, or lost, within so
        many of its own turns on average, whatever the other does.
    play
        The play itself: of options that tie, the one with the fewest turns to come.
    """

    chance: Floats
    error: float
    turns: Floats
    play: ChosenTurns


def solve_optimum(
    game: Game,
    graph: TurnGraph,
    standings: Standings,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> GoalOptimum:
    """Return best play of two seats, proven.

    Parameters
    ----------
    game, graph, standings
        The rules, the compiled turn, and its standings.
    workers
        Threads.
    progress
        Called from time to time while the race is solved, where there is no table of it.

    Raises
    ------
    TooLargeError
        If it does not fit the memory.
    ProofError
        If no bound could be proven.
    TableError
        If the table of the race is damaged or stale.
    """
    chance: Floats | None = None
    with open_tables() as tables:
        table = tables.find(game, "win", 2)
        if table is not None:
            table.check_identity(game)
            chance = np.array(table.array("chance"), dtype=np.float64)
    if chance is None:
        race = solve_goal_race(game, graph=graph, workers=workers, proof=False, progress=progress)
        chance = race.chance
    alone = fewest_turns(graph, standings, workers=workers).turns
    proven = prove_pairs(graph, standings, chance, alone, workers=workers)
    size = len(standings)
    sweep = Sweep(graph, standings.roots, workers=workers)
    choice = sweep.no_choices(size)
    play = ChosenTurns(
        graph, standings, sweep, choice, np.arange(size), error_bound(graph, tolerance=0.0)
    )
    delay = -np.append(proven.turns, 0.0)[standings.after]
    sweep.best_by_two(play.payoffs(1.0 - chance.T, 1.0), delay, choice, tolerance=TIE)
    return GoalOptimum(chance, proven.error, proven.turns, play)
