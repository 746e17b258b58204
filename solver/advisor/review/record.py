"""What a game record holds: turns, and the steps they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from solver.games.protocol import Game, Outcome, State


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened in a turn.

    Parameters
    ----------
    line
        Number of the line in the record, from 1.
    kind
        Whether dice were rolled or the player decided.
    text
        What the dice showed, or the action.
    state, after
        The state of the rules before and after it.
    options
        The legal actions, each with the state it leads to; empty for dice.
    told
        The position before it, in the fields in which advice is asked.
    """

    line: int
    kind: Literal["dice", "choice"]
    text: str
    state: State
    after: State
    options: Mapping[str, State]
    told: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a record.

    Parameters
    ----------
    line
        The line on which it begins.
    seat, round
        Who played it, from 0, and in which round, from 1.
    scores, stages
        Of every seat before the turn.
    start
        The state in which it began.
    steps
        What happened.
    outcome
        How it ended; None if the record stops within it.
    """

    line: int
    seat: int
    round: int
    scores: tuple[int, ...]
    stages: tuple[int, ...]
    start: State
    steps: tuple[Step, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was played.

    Parameters
    ----------
    game, seats
        The rules, and the names of the seats in playing order.
    turns
        Every turn.
    scores, stages
        Of every seat at the end of the record.
    over
        Whether the match is over.
    leaders
        Seats, from 0, with the most points.
    winner
        The seat that the record names as the winner, from 0; None if it names none.
    """

    game: Game
    seats: tuple[str, ...]
    turns: tuple[PlayedTurn, ...]
    scores: tuple[int, ...]
    stages: tuple[int, ...]
    over: bool
    leaders: tuple[int, ...]
    winner: int | None
