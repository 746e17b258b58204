"""The numbers of the pictures: from solved turns, solved matches, and policies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from solver.advisor.review.record import PlayedTurn
from solver.advisor.review.values import GoalChances, ReviewSource, win_values
from solver.advisor.standing import checked_standing, read_stages
from solver.errors import NotationError, UsageError, unknown
from solver.games.notation import whole_number
from solver.games.protocol import Game, RoundsMatch, match_of, race_of, starts_of
from solver.match.boundary import RaceValues
from solver.match.check_scores import checked_scores
from solver.plots.frontier import FrontierPoint
from solver.policies import read_policy
from solver.policies.evaluate import evaluate_turn
from solver.policies.search import Frontier
from solver.tablebase.read import Tables
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph

Progress = Callable[[int, int], None]


def points_values(game: Game) -> tuple[TurnGraph, list[float], str]:
    """Return the turn, by node the best expected points, and what they are."""
    graph = cached_turn(game)
    best = solve_exact(graph, graph.points.tolist())
    return graph, [float(best.value(node)) for node in range(graph.nodes)], "points"


def win_turn_values(
    game: Game,
    scores: str,
    seat: int,
    number: int | None,
    tables: Tables,
    progress: Progress | None = None,
) -> tuple[TurnGraph, list[float], str]:
    """Return the turn, by node the mover's chance to win, and what it is.

    Parameters
    ----------
    game
        The rules.
    scores
        Every seat's points, parted by commas.
    seat
        The seat on turn, from 1.
    number
        The round, for a match of rounds; every seat with points has the whole trio then.
    tables
        Open tables.
    progress
        Called from time to time while a match is solved.

    Raises
    ------
    NotationError, PositionError, UsageError
        If the scores cannot be read, or the rules do not allow them.
    """
    told = tuple(_scores(scores))
    source = ReviewSource(tables)
    graph = source.graph(game)
    match = match_of(game)
    stages: Sequence[int] = [0] * len(told)
    where = f"{' : '.join(map(str, told))}, seat {seat} on turn"
    if isinstance(match, RoundsMatch):
        if number is None:
            raise UsageError("--round is needed too", remedy="--round 10", field="round")
        names = [str(name) for name in graph.roots]
        stages = read_stages(None, len(told), names, told)
        checked_standing(match, graph, told, stages, number, seat)
        where += f", round {number}"
    else:
        checked_scores(race_of(game), len(told), int(graph.points.max()), told, seat)
    start = next(iter(starts_of(game).values()))
    turn = PlayedTurn(0, seat - 1, number or 1, told, tuple(stages), start, (), None)
    won = source.win(game, graph, len(told), progress)
    ((values, _),) = win_values(graph, won, [turn])
    return graph, values[:, seat - 1].tolist(), f"the win at {where}"


def _scores(text: str) -> list[int]:
    found = [whole_number(part) for part in text.split(",")]
    if None in found:
        raise NotationError(
            "--scores takes every seat's points", text=text, at=0, remedy="12,20", field="scores"
        )
    return [score for score in found if score is not None]


def win_surface(
    game: Game, seat: int, number: int | None, tables: Tables, progress: Progress | None = None
) -> tuple[NDArray[np.float64], str, str]:
    """Return the chances to win of two seats over both scores, a title and a subtitle.

    Parameters
    ----------
    game
        The rules.
    seat
        The seat on turn, from 1.
    number
        The round of a match of rounds, both seats with the whole trio; the middle one by default.
    tables
        Open tables.
    progress
        Called from time to time while a match is solved.

    Returns
    -------
    chances : ndarray
        float64, shape (own scores, other's scores).
    title, subtitle : str
        What it is.
    """
    source = ReviewSource(tables)
    graph = source.graph(game)
    values = source.win(game, graph, 2, progress).values
    if isinstance(values, GoalChances):
        raise UsageError(
            f"{game.name}: a standing is more than a score, and no picture of two",
            remedy="should-i-roll match tells the chances from standings",
            field="game",
        )
    mover = seat - 1
    title = f"{getattr(type(game), 'title', game.name)}: chance to win"
    opens = "who opens the round" if seat == 1 else "who closes the round"
    if isinstance(values, RaceValues):
        if number is not None:
            raise UsageError("--round is for matches of rounds", field="round")
        chances = values.open_play[mover, ..., mover]
        target = race_of(game).target
        return (
            chances if seat == 1 else chances.T,
            title,
            f"of the player on turn, {opens}; race to {target}, both at their best",
        )
    rounds = values.match.rounds
    at = number if number is not None or rounds is None else max(1, rounds // 2)
    if rounds is None or at is None or not 1 <= at <= rounds:
        raise UsageError(
            f"--round {number}: there is no such round",
            remedy=f"1 to {rounds}" if rounds else "a match with a number of rounds",
            field="round",
        )
    table = values.open_play[at - 1][mover][:, -1, :, -1, mover]
    return (
        table if seat == 1 else table.T,
        "Alien Crew: chance to win" if game.name == "alien-crew" else title,
        f"of the player on turn, {opens}; round {at} of {rounds}, both with the trio",
    )


def turn_distributions(
    game: Game, policies: Sequence[str], beginning: Hashable = None
) -> dict[str, dict[int, float]]:
    """Return the exact distribution of a turn's points under each policy.

    Parameters
    ----------
    game
        The rules.
    policies
        Names or rules texts.
    beginning
        How the turn begins; None for the first or only way.

    Raises
    ------
    UnknownNameError, NotationError, UsageError
        If a policy or beginning does not exist, or cannot be read.
    """
    graph = cached_turn(game)
    if beginning is not None and beginning not in graph.roots:
        raise unknown("beginning", str(beginning), map(str, graph.roots), field="beginning")
    found = {}
    for text in policies:
        policy = read_policy(game, text)
        turn = evaluate_turn(game, policy, beginning=beginning, graph=graph)
        found[policy.name] = {points: float(chance) for points, chance in turn.points.items()}
    return found


def frontier_points(found: Frontier) -> list[FrontierPoint]:
    """Return what a picture shows of a frontier of short rules."""
    return [FrontierPoint(rule.conditions, float(rule.lost), rule.win_lost) for rule in found.found]
