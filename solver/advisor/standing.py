"""Where a match of rounds stands, as a player tells it: checked against the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.errors import NotationError, PositionError, unknown
from solver.games.notation import whole_number
from solver.games.protocol import RoundsMatch
from solver.match.boundary import Ints
from solver.turn.graph import TurnGraph

_ROUNDS = "the sheet on the end: all rounds are played evenly, then the most points win"


@dataclass(frozen=True, slots=True)
class Standing:
    """Round and standings, checked.

    Parameters
    ----------
    number, seat
        The round and the seat on turn, from 0.
    scores, stages
        int64, shape (seats,).
    """

    number: int
    seat: int
    scores: Ints
    stages: Ints


def read_stages(
    given: str | Sequence[Any] | None, seats: int, names: Sequence[str], scores: Sequence[int]
) -> list[int]:
    """Return the stage of every seat.

    Parameters
    ----------
    given
        Names or numbers of stages, parted by commas; None for the least that the scores allow.
    seats
        Number of seats.
    names
        The stages' names in order.
    scores
        Every seat's points.

    Raises
    ------
    UnknownNameError, PositionError
        If one is no stage, or their number is wrong.
    """
    if given is None:
        return [len(names) - 1 if score else 0 for score in scores]
    listed = given.split(",") if isinstance(given, str) else list(given)
    if len(listed) != seats:
        raise PositionError(
            f"--stages lists {len(listed)} stages, and --scores {seats} seats",
            remedy=f"every seat's stage in playing order: {','.join([names[-1]] * seats)}",
            field="stages",
        )
    found = []
    for word in listed:
        text = str(word).strip().lower()
        number = whole_number(text)
        if text not in names and (number is None or number >= len(names)):
            raise unknown("stage", text, names, field="stages")
        found.append(names.index(text) if text in names else int(number or 0))
    return found


def checked_standing(
    match: RoundsMatch,
    graph: TurnGraph,
    scores: Sequence[int],
    stages: Sequence[int],
    number: int,
    seat: int,
) -> Standing:
    """Return where a match stands.

    Parameters
    ----------
    match, graph
        The match and its compiled turn.
    scores, stages
        Of every seat.
    number, seat
        The round and the seat on turn, from 1.

    Raises
    ------
    PositionError
        If the rules do not allow it.
    """
    most = int(graph.points.max())
    least = int(graph.points[graph.points > 0].min())
    if number < 1 or (match.rounds is not None and number > match.rounds):
        raise PositionError(
            f"--round {number}: the match is over after {match.rounds} rounds"
            if number > 0
            else f"--round {number}: rounds are counted from 1",
            rule=_ROUNDS,
            field="round",
        )
    if not 1 <= seat <= len(scores):
        raise PositionError(
            f"--seat {seat}: there is no such seat",
            remedy=f"the seat on turn, from 1 to {len(scores)}; seat 1 opens each round",
            field="seat",
        )
    for i, (score, stage) in enumerate(zip(scores, stages, strict=True), 1):
        played = number if i < seat else number - 1
        if not 0 <= score <= most * played or 0 < score < least:
            raise PositionError(
                f"seat {i} cannot have {score} points after {played} turns: a turn brings"
                f" nothing, or {least} to {most}",
                rule="the sheet on the crew: its two dice are what a turn counts",
                field="scores",
            )
        if score and stage != len(graph.roots) - 1:
            raise PositionError(
                f"seat {i} has {score} points without the trio",
                rule="the sheet on the crew: no crew before battleship, captain and first mate",
                remedy="give its stage as trio",
                field="stages",
            )
        if match.target is not None and score >= match.target and i >= seat:
            raise PositionError(
                f"the match is over, or seat {i} has not played yet: it has {score} of"
                f" {match.target} points before its turn in this round",
                rule=_ROUNDS,
                field="scores",
            )
        if match.target is not None and score > match.target - 1 + most:
            raise PositionError(
                f"seat {i} cannot have {score} points: it had at most {match.target - 1} before"
                " this round",
                rule=_ROUNDS,
                field="scores",
            )
    return Standing(
        number - 1, seat - 1, np.array(scores, np.int64), np.array(stages, dtype=np.int64)
    )


def read_number(given: Any, field: str, what: str) -> int:
    """Return a whole number that may be negative, so that the rules can refuse it.

    Raises
    ------
    NotationError
        If it is none.
    """
    text = str(given).strip()
    number = whole_number(text.removeprefix("-"))
    if number is None:
        raise NotationError(
            f"--{field} takes a whole number", text=text, at=0, remedy=what, field=field
        )
    return -number if text.startswith("-") else number
