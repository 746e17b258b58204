"""Matches of rounds and stages of a game, solved: from the rules to chances to win."""

from __future__ import annotations

from typing import Literal

import numpy as np

from solver.errors import GameError, TooLargeError
from solver.games.protocol import Game, RoundsMatch
from solver.games.readings import rules_of
from solver.match.certify_rounds import certify_rounds
from solver.match.death_round import solve_death_round
from solver.match.estimate import available
from solver.match.race import Progress
from solver.match.result import SolvedRounds
from solver.match.rounds import RoundsValues, solve_rounds
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.result import Exactness
from solver.turn.roots import root_solver


def solve_staged(
    game: Game,
    match: RoundsMatch,
    seats: int,
    graph: TurnGraph,
    *,
    workers: int = 1,
    max_memory: int | None = None,
    proof: bool = True,
    progress: Progress | None = None,
) -> SolvedRounds:
    """Return the match of rounds and stages of `game` under best play of every seat.

    Parameters
    ----------
    game, match, graph
        The rules, the match they name and the compiled turn.
    seats
        Number of seats, at least two.
    workers
        Threads.
    max_memory
        Bytes of memory allowed; None for what the machine has to spare.
    proof
        Whether to prove a bound on the result.
    progress
        Called with (done, in all) from time to time.

    Raises
    ------
    GameError
        If the outcomes are not (points, stage) with a beginning for each stage.
    TooLargeError
        If it does not fit the memory; nothing was started.
    ProofError
        If the proof fails.
    """
    _check(game, graph)
    states = _states(match, seats, graph)
    memory = states * (seats + 2) * 8
    limit = available() if max_memory is None else max_memory
    if limit is not None and memory * 1.2 > limit:
        raise TooLargeError(
            f"a match of {seats} seats does not fit {limit / 2**20:,.0f} MiB of memory: it has"
            f" {states:,} boundary states of {(seats + 2) * 8} bytes,"
            f" {memory / 2**20:,.0f} MiB",
            remedy="fewer seats or rounds, a smaller target, or --max-memory if there is more",
            field="seats",
        )
    zero = [int(p == 0) for p in graph.points.tolist()]
    idle = solve_exact(graph, zero)
    nothing = max(float(idle.value(root)) for root in graph.roots.values())
    if nothing >= 1.0 and match.rounds is None:
        raise GameError(f"{game.name}: a player could choose never to score: it need not end")
    solvers = [root_solver(graph, root=root) for root in graph.roots.values()]
    death = solve_death_round(graph, len(solvers), seats)
    values = solve_rounds(
        match,
        seats,
        graph.outcomes,
        solvers,
        death,
        nothing=nothing,
        workers=workers,
        progress=progress,
    )
    start = values.at_start()
    return SolvedRounds(
        game=game.name,
        rules=rules_of(game),
        seats=seats,
        exactness=_exactness(graph, values, nothing, proof=proof),
        win_probability=tuple(start[:seats].tolist()),
        expected_rounds=1.0 + float(start[seats]),
        tie_probability=float(start[seats + 1]),
        cells=states,
        turns=sum(values.payoffs()) * len(solvers),
        mixes={},
        values=values,
        graph=graph,
    )


def _check(game: Game, graph: TurnGraph) -> None:
    stages = range(len(graph.roots))
    for outcome in graph.outcomes:
        if not (isinstance(outcome, tuple) and len(outcome) == 2 and outcome[1] in stages):
            raise GameError(
                f"{game.name}: the outcome {outcome!r} is no (points, stage)",
                rule="a match of rounds has a beginning for each stage that a turn can leave",
            )


def _states(match: RoundsMatch, seats: int, graph: TurnGraph) -> int:
    """Return how many boundary states there are, without making any."""
    points = np.array([p for p, _ in graph.outcomes], dtype=np.int64)
    stage = np.array([s for _, s in graph.outcomes], dtype=np.int64)
    empty = RoundsValues(match, seats, len(graph.roots), points, stage, [], None)
    return sum(empty.payoffs(mover_stages=True))


def _exactness(graph: TurnGraph, values: RoundsValues, nothing: float, *, proof: bool) -> Exactness:
    kind: Literal["bounded", "equilibrium"] = "bounded" if values.seats == 2 else "equilibrium"
    if not proof:
        return Exactness(kind, None)
    match = values.match
    if match.rounds is not None:
        rounds: float = match.rounds
    else:  # so many are expected at most, whatever is played
        least = int(values.points[values.points > 0].min())
        rounds = -(-(match.target or 1) // least) / (1.0 - nothing)
    if values.seats == 2:
        return Exactness(kind, certify_rounds(graph, values, rounds))
    # Backward induction: each turn gives away no more than its own error, in match and death round
    turns = values.seats * (rounds + 1.0 / (1.0 - nothing**values.seats) + 1.0)
    return Exactness(kind, 2.0 * turns * error_bound(graph))
