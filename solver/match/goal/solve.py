"""Solving matches to a goal: from the rules to turns and chances, with a proof."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError, TooLargeError, UsageError
from solver.games.protocol import Game, GoalRace
from solver.games.readings import rules_of
from solver.match.estimate import available
from solver.match.goal.alone import fewest_turns, finished
from solver.match.goal.proof import prove_pairs
from solver.match.goal.race import VECTORS, Progress, solve_pairs
from solver.match.goal.result import AloneSolution, GoalRaceSolution
from solver.match.goal.standings import Standings, standings_of
from solver.turn.compile import compile_turn
from solver.turn.graph import DECISION, TurnGraph
from solver.turn.result import Exactness

_SHOWN = 0.999  # the chances to be done within n turns are given until there
_MOST_SHOWN = 100
_BASE = 150 * 2**20


def goal_race_of(game: Game) -> GoalRace:
    """Return the race to a goal that turns of `game` add up to.

    Raises
    ------
    GameError
        If the game names none.
    """
    race = getattr(game, "goal_race", None)
    if not isinstance(race, GoalRace):
        raise GameError(
            f"{game.name} has no race to a goal",
            remedy="use a turn objective, or the win with --scores",
        )
    return race


def solve_alone(game: Game, *, graph: TurnGraph | None = None, workers: int = 1) -> AloneSolution:
    """Return the fewest expected turns to the goal from every standing, alone.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    graph
        The compiled turn, if there is one already.
    workers
        Threads.

    Raises
    ------
    GameError
        If the game names no race to a goal, or the goal cannot be reached.
    ProofError
        If no bound could be proven.

    Examples
    --------
    >>> from solver.games.martians import Hunt
    >>> round(solve_alone(Hunt(goal=2)).turns((0, 3, 3, 0)), 6)
    1.015674
    """
    race = goal_race_of(game)
    graph = compile_turn(game) if graph is None else graph
    standings = standings_of(graph, race.after)
    found = fewest_turns(graph, standings, workers=workers)
    start = float(found.turns[0])
    return AloneSolution(
        game=game.name,
        rules=rules_of(game),
        assumption=assumption_of(game),
        exactness=Exactness("bounded", start * found.relative_error),
        expected_turns=found.turns,
        relative_error=found.relative_error,
        within=finished(graph, standings, found.turns, _SHOWN, _MOST_SHOWN),
        iterations=found.iterations,
        standings=standings,
        graph=graph,
    )


def solve_goal_race(
    game: Game,
    *,
    graph: TurnGraph | None = None,
    workers: int = 1,
    max_memory: int | None = None,
    proof: bool = True,
    progress: Progress | None = None,
) -> GoalRaceSolution:
    """Return the chance to win for every pair of standings of two seats.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    graph
        The compiled turn, if there is one already.
    workers
        Threads.
    max_memory
        Bytes of memory allowed; None for what the machine has to spare.
    proof
        Whether to prove a bound.
    progress
        Called with (done, in all) from time to time.

    Raises
    ------
    GameError
        If the game names no race to a goal, or the goal cannot be reached.
    TooLargeError
        If it does not fit the memory; nothing was started.
    ProofError
        If the proof fails.

    Examples
    --------
    >>> from solver.games.martians import Hunt
    >>> round(solve_goal_race(Hunt(goal=2)).win_probability[0], 6)
    0.984802
    """
    race = goal_race_of(game)
    graph = compile_turn(game) if graph is None else graph
    _check_memory(game, graph, max_memory)
    standings = standings_of(graph, race.after)
    alone = fewest_turns(graph, standings, workers=workers).turns
    guess = alone[None, :] / (alone[:, None] + alone[None, :])  # two clocks, whose rings first
    table = solve_pairs(graph, standings, guess, workers=workers, progress=progress)
    error = turns_at_most = None
    if proof:
        proven = prove_pairs(graph, standings, table.chance, alone, workers=workers)
        error, turns_at_most = proven.error, float(proven.turns[0])
    table.chance.flags.writeable = False
    return GoalRaceSolution(
        game=game.name,
        rules=rules_of(game),
        assumption=assumption_of(game),
        exactness=Exactness("bounded", error),
        chance=table.chance,
        turns_at_most=turns_at_most,
        iterations=table.iterations,
        sweeps=table.sweeps,
        standings=standings,
        graph=graph,
    )


def two_seats(seats: int) -> None:
    """Raise UsageError unless there are two seats."""
    if seats != 2:
        raise UsageError(
            f"--seats {seats}: a race to a goal is solved for two seats",
            rule="Object of the Game: the first player to collect the Martians wins",
            remedy="--seats 2; alone, --objective turns",
            field="seats",
        )


def assumption_of(game: Game) -> str | None:
    """Return what the numbers of a game assume that its rules do not say."""
    return cast("str | None", getattr(game, "assumption", None))


def payoffs_ahead(standings: Standings, chance: NDArray[np.float64], other: int) -> list[float]:
    """Return the chance to win of the seat on turn after each outcome of its turn.

    Parameters
    ----------
    standings, chance
        The standings, and the chance for every pair of them.
    other
        The other seat's standing.
    """
    ahead = 1.0 - chance[other][standings.after]
    ahead[standings.after < 0] = 1.0
    return [float(p) for p in ahead]


def _check_memory(game: Game, graph: TurnGraph, max_memory: int | None) -> None:
    pairs = len(graph.roots) ** 2
    decisions = int((graph.kind == DECISION).sum())
    outcomes = len(graph.outcomes) * len(graph.roots) * 8 * 2
    needed = _BASE + pairs * 8 * VECTORS + 2 * decisions * len(graph.roots) + outcomes
    limit = available() if max_memory is None else max_memory
    if limit is not None and needed > limit:
        raise TooLargeError(
            f"{game.name}: {len(graph.roots):,} standings make {pairs:,} pairs, which all lead to"
            f" each other: about {needed / 2**20:,.0f} MiB, and {limit / 2**20:,.0f} MiB are free",
            remedy="a nearer goal, no weapons, or --max-memory if there is more",
            field="max-memory",
        )
