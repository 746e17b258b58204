"""Solving a match of a game: from the rules to chances to win, with a proof."""

from __future__ import annotations

import numpy as np

from solver.errors import UsageError
from solver.games.protocol import Game, race_of
from solver.games.readings import rules_of
from solver.match.certify import certify_two_seats
from solver.match.race import Progress, solve_race
from solver.match.result import MatchSolution, start_of
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.result import Exactness
from solver.turn.roots import root_solver


def solve_match(
    game: Game,
    seats: int = 2,
    *,
    graph: TurnGraph | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> MatchSolution:
    """Return the match of `game` under best play of every seat.

    Parameters
    ----------
    game
        The rules; they must name a race.
    seats
        Number of seats, 2.
    graph
        The compiled turn of `game`, if there is one already.
    workers
        Threads that solve turns.
    progress
        Called with (cells done, cells in all) from time to time.

    Returns
    -------
    MatchSolution
        Chances to win of every boundary state, within a proven bound.

    Raises
    ------
    UsageError
        On a number of seats that cannot be solved.
    GameError
        If the game names no race.
    ProofError
        If no bound can be proven.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> from solver.dice import Die
    >>> piglet = Pig(die=Die.of({1: 1, 2: 1}), target=4)
    >>> [round(p, 12) for p in solve_match(piglet).win_probability]
    [0.571428571429, 0.428571428571]
    """
    if seats != 2:
        what = "one seat has nobody to beat" if seats == 1 else f"{seats} seats cannot be solved"
        raise UsageError(
            f"--seats {seats}: {what}", remedy="a match of 2 seats: --seats 2", field="seats"
        )
    race = race_of(game)
    graph = compile_turn(game) if graph is None else graph
    solution = solve_race(
        race, seats, graph.points, root_solver(graph, workers=workers), progress=progress
    )
    proof = certify_two_seats(graph, solution.values, root=graph.root)
    start = start_of(solution.values)
    chances: np.ndarray = start[:seats]
    return MatchSolution(
        game=game.name,
        rules=rules_of(game),
        seats=seats,
        exactness=Exactness("bounded", proof.error),
        win_probability=tuple(chances.tolist()),
        expected_rounds=1.0 + float(start[seats]),
        tie_probability=float(start[seats + 1]),
        cells=solution.cells,
        turns=solution.turns,
        values=solution.values,
        graph=graph,
    )
