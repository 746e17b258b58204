"""Tables of races to a goal: the turns alone, and the chances of two seats.

Arrays: ``standings`` int16, shape (standings, fields); alone ``turns`` float64, shape
(standings,), the fewest expected turns; for two seats ``chance`` float64, shape
(standings, standings), of the seat on turn by its own standing and the other seat's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import CorruptTableError
from solver.games.protocol import Game
from solver.match.goal.alone import fewest_turns, relative_error
from solver.match.goal.proof import prove_pairs
from solver.match.goal.solve import goal_race_of, solve_alone, solve_goal_race
from solver.match.goal.standings import Standings, standings_of
from solver.match.race import Progress
from solver.tablebase.read import Table
from solver.turn.graph import TurnGraph

Arrays = dict[str, NDArray[Any]]
_MARGIN = 1.5  # on the proven error: another machine may round its proof otherwise


def alone_table(game: Game, graph: TurnGraph) -> tuple[dict[str, Any], Arrays]:
    """Return what the manifest says of a game played alone to its goal, and the arrays.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    """
    found = solve_alone(game, graph=graph)
    entry = {
        "kind": "alone",
        "objective": "turns",
        "seats": 1,
        "error": _MARGIN * found.relative_error,
        "numbers": {"turns": float(found.expected_turns[0])},
    }
    return entry, {"standings": _names(found.standings), "turns": found.expected_turns}


def pairs_table(
    game: Game, graph: TurnGraph, workers: int, progress: Progress | None
) -> tuple[dict[str, Any], Arrays]:
    """Return what the manifest says of the race of two seats to the goal, and the arrays.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    workers, progress
        As for :func:`solver.match.goal.solve_goal_race`.
    """
    found = solve_goal_race(game, graph=graph, workers=workers, progress=progress)
    entry = {
        "kind": "pairs",
        "objective": "win",
        "seats": 2,
        "error": _MARGIN * (found.exactness.error or 0.0),
        "numbers": {"win_probability": list(found.win_probability)},
    }
    return entry, {"standings": _names(found.standings), "chance": found.chance}


def verify_goal(
    table: Table, game: Game, graph: TurnGraph, workers: int
) -> tuple[float, dict[str, Any]]:
    """Prove a table of a race to a goal again.

    Parameters
    ----------
    table, game, graph
        The table, its rules and their compiled turn.
    workers
        Threads.

    Returns
    -------
    error, numbers
        The bound as proven again, and the results that the manifest must repeat.

    Raises
    ------
    CorruptTableError
        If the arrays are those of another race.
    ProofError
        If the values miss their equations.
    """
    standings = standings_of(graph, goal_race_of(game).after)
    if not np.array_equal(table.array("standings"), _names(standings)):
        raise CorruptTableError(
            f"the standings of the table {table.name} are those of another race",
            remedy=f"should-i-roll tables build {table.name}",
        )
    if table.entry.kind == "alone":
        turns = np.asarray(table.array("turns"))
        return relative_error(graph, standings, turns), {"turns": float(turns[0])}
    chance = np.asarray(table.array("chance"))
    guess = fewest_turns(graph, standings).turns
    error = prove_pairs(graph, standings, chance, guess, workers=workers).error
    first = float(chance[0, 0])
    return error, {"win_probability": [first, 1.0 - first]}


def _names(standings: Standings) -> NDArray[np.int16]:
    return np.array(standings.names, dtype=np.int16)
