"""Solving a match of a game: from the rules to chances to win, with a proof."""

from __future__ import annotations

import os
from pathlib import Path

from solver.errors import GameError, UsageError
from solver.games.protocol import Game, RoundsMatch, ScoreRace, match_of, race_of
from solver.games.readings import rules_of
from solver.match.boundary import points_in_steps
from solver.match.certify import certify_two_seats
from solver.match.checkpoint import LayerStore
from solver.match.cluster import on_cluster
from solver.match.equilibrium import check_equilibrium
from solver.match.estimate import estimate, fits, too_large
from solver.match.race import Progress, RaceSolution, solve_race, threads
from solver.match.result import MatchSolution, SolvedRace, start_of
from solver.match.staged import solve_staged
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.result import Exactness
from solver.turn.roots import RootSolver, root_solver


def solve_match(
    game: Game,
    seats: int = 2,
    *,
    graph: TurnGraph | None = None,
    workers: int = 1,
    max_memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cluster: str | None = None,
    proof: bool = True,
    progress: Progress | None = None,
) -> MatchSolution:
    """Return the match of `game` under best play of every seat.

    Parameters
    ----------
    game
        The rules; they must name a race, or a match of rounds.
    seats
        Number of seats, at least 2.
    graph
        The compiled turn of `game`, if there is one already.
    workers
        Threads.
    max_memory
        Bytes of memory allowed; None for what the machine has to spare.
    checkpoint
        Folder for finished layers: a run that was killed goes on from there, and ends with the
        same bytes.
    cluster
        Address of a Dask scheduler (``tcp://host:8786``), or ``local:N`` for N workers on this
        machine; the extra ``cluster`` is needed.
    proof
        Whether to prove the result: for two seats a bound on every value, for more that no
        seat gains by deviating.
    progress
        Called with (done, in all) from time to time.

    Returns
    -------
    MatchSolution
        Chances to win of every boundary state. With two seats they are the value of the game
        within a proven bound; with more, those of an equilibrium under the tie rule (equal
        within 1e-13, then more expected points, then the canonical order).

    Raises
    ------
    UsageError
        If there are fewer than two seats.
    TooLargeError
        If it does not fit the memory; nothing was started.
    GameError
        If the game names no race.
    ProofError
        If the proof fails.
    ClusterError
        If the cluster cannot be reached, or dies.

    Examples
    --------
    >>> from solver.dice import Die
    >>> from solver.games.pig import Pig
    >>> piglet = Pig(die=Die.of({1: 1, 2: 1}), target=4)
    >>> [round(p, 12) for p in solve_match(piglet).win_probability]
    [0.571428571429, 0.428571428571]
    """
    if seats < 2:
        raise UsageError(
            f"--seats {seats}: the win needs somebody to beat",
            remedy="--seats 2 or more; alone, play for points: --objective points",
            field="seats",
        )
    graph = compile_turn(game) if graph is None else graph
    match = match_of(game)
    if isinstance(match, RoundsMatch):
        for option, given in (("checkpoint", checkpoint), ("cluster", cluster)):
            if given is not None:
                raise UsageError(
                    f"--{option} is for score races: a match of rounds takes seconds",
                    remedy=f"leave --{option} out",
                    field=option,
                )
        return solve_staged(
            game,
            match,
            seats,
            graph,
            workers=workers,
            max_memory=max_memory,
            proof=proof,
            progress=progress,
        )
    return solve_score_race(
        game,
        seats,
        graph,
        workers=workers,
        max_memory=max_memory,
        checkpoint=checkpoint,
        cluster=cluster,
        proof=proof,
        progress=progress,
    )


def solve_score_race(
    game: Game,
    seats: int,
    graph: TurnGraph,
    *,
    workers: int = 1,
    max_memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cluster: str | None = None,
    proof: bool = True,
    progress: Progress | None = None,
) -> SolvedRace:
    """Return the score race of `game`; parameters and errors as for :func:`solve_match`."""
    declared = race_of(game)
    if not graph.points.any():
        raise GameError(
            f"{game.name}: no turn scores under these rules: the race to {declared.target} never"
            " ends"
        )
    _check_seats(game, declared, seats, cluster)
    race, points = declared.in_steps, points_in_steps(declared, graph.points, game.name)
    solve, unopened = root_solver(graph), _unopened(game, declared, graph)
    if not fits(estimate(race, seats, points, workers), max_memory):
        raise too_large(estimate(race, seats, points, workers, solve), max_memory, seats)
    identity = {
        "game": game.name,
        "rules": rules_of(game),
        "seats": seats,
        "graph": graph.digest,
    }
    solution = solve_race(
        race,
        seats,
        points,
        solve,
        runner=threads(solve, workers, unopened=unopened)
        if cluster is None
        else on_cluster(cluster, game, seats),
        progress=progress,
        kept=None if checkpoint is None else LayerStore(Path(checkpoint), identity),
    )
    exactness = _unproven(seats)
    if proof:
        exactness = _prove(graph, solution, workers, progress)
    return _match(game, declared, graph, solution, exactness)


def _check_seats(game: Game, race: ScoreRace, seats: int, cluster: str | None) -> None:
    """Raise UsageError if a race is not solved for so many seats, or not on a cluster."""
    if seats == 2 and cluster is None:
        return
    for what, has, remedy in (
        ("an opening score", race.unopened is not None, "no opening score"),
        ("a tiebreaker round", race.tie_round, "--set tie=shared"),
    ):
        if has:
            raise UsageError(
                f"{game.name}: with {what} the race is solved for two seats, on this machine",
                remedy=f"--seats 2, without --cluster; or {remedy}",
                field="seats",
            )


def _unopened(game: Game, race: ScoreRace, graph: TurnGraph) -> RootSolver | None:
    """Return the solver of turns of seats without points, None if all turns begin alike."""
    if race.unopened is None:
        return None
    if race.unopened not in graph.roots:
        raise GameError(
            f"{game.name}: no turn begins with {race.unopened!r}",
            rule="a race's unopened is one of the game's starts()",
        )
    return root_solver(graph, root=graph.roots[race.unopened])


def _match(
    game: Game,
    race: ScoreRace,
    graph: TurnGraph,
    solution: RaceSolution,
    exactness: Exactness,
) -> SolvedRace:
    seats = solution.values.seats
    start = start_of(solution.values)
    return SolvedRace(
        game=game.name,
        rules=rules_of(game),
        seats=seats,
        exactness=exactness,
        win_probability=tuple(start[:seats].tolist()),
        expected_rounds=1.0 + float(start[seats]),
        tie_probability=float(start[seats + 1]),
        cells=solution.cells,
        turns=solution.turns,
        mixes=solution.mixes,
        values=solution.values,
        graph=graph,
        race=race,
    )


def _prove(
    graph: TurnGraph, solution: RaceSolution, workers: int, progress: Progress | None
) -> Exactness:
    if solution.values.seats == 2:
        bound = certify_two_seats(graph, solution.values, root=graph.root).error
        return Exactness("bounded", bound)
    check = check_equilibrium(
        graph, solution.values, solution.mixes, workers=workers, progress=progress
    )
    return Exactness("equilibrium", check.gain)


def _unproven(seats: int) -> Exactness:
    return Exactness("bounded" if seats == 2 else "equilibrium", None)
