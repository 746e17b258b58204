"""Scores of all seats and the seat on turn, checked against the rules of a race."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.errors import PositionError
from solver.games.protocol import ScoreRace
from solver.games.readings import End
from solver.match.boundary import Ints

_ROUND = "Game End: the round is completed, then the most points win"
_AT_ONCE = "end=immediate: the first seat to reach the target has won"


def checked_scores(
    race: ScoreRace, seats: int, most: int, scores: Sequence[int], seat: int
) -> Ints:
    """Return the scores as an array of one state.

    Parameters
    ----------
    race
        Target and end.
    seats
        Number of seats the match is for.
    most
        The most points a turn can bring.
    scores
        Points of every seat, seat 1 first.
    seat
        The seat on turn, from 1.

    Returns
    -------
    ndarray
        int64, shape (1, seats): the scores, counted in steps of the race.

    Raises
    ------
    PositionError
        If there are too many or too few scores, one is negative or no multiple of the race's
        step, the seat does not exist, or the match is over.
    """
    if len(scores) != seats:
        raise PositionError(
            f"--scores lists {len(scores)} scores, and the match has {seats} seats",
            remedy="list every seat's score in playing order: 12,20",
            field="scores",
        )
    if not 1 <= seat <= seats:
        raise PositionError(
            f"--seat {seat}: there is no such seat",
            remedy=f"the seat on turn, from 1 to {seats}; seat 1 opens each round",
            field="seat",
        )
    for i, score in enumerate(scores, 1):
        if score < 0:
            raise PositionError(f"seat {i} has {score} points: less than nothing", field="scores")
        if score % race.step:
            raise PositionError(
                f"seat {i} cannot have {score} points: they are multiples of {race.step}",
                field="scores",
            )
        if score < race.target:
            continue
        if race.end is End.IMMEDIATE:
            raise PositionError(
                f"the match is over: seat {i} has {score} of {race.target} points",
                rule=_AT_ONCE,
                field="scores",
            )
        if i >= seat:
            raise PositionError(
                f"the match is over, or seat {i} has not played yet: it has {score} of"
                f" {race.target} points before its turn in this round",
                rule=_ROUND,
                remedy="only seats that have played this round can have reached the target",
                field="scores",
            )
        if score > race.target - race.step + most:
            raise PositionError(
                f"seat {i} cannot have {score} points: it had at most {race.target - race.step}"
                f" before this round, and a turn brings at most {most}",
                rule=_ROUND,
                field="scores",
            )
    return np.array([scores], dtype=np.int64) // race.step
