"""A match of two seats as boundary states and where a turn's outcome leads from there.

Written from the protocol's kinds of match alone, one boundary state at a time; the match layer
keeps them in arrays by score. With one seat it is a hunt for the goal alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from solver.errors import GameError, UsageError
from solver.games.protocol import (
    Game,
    GoalRace,
    Outcome,
    RoundsMatch,
    ScoreRace,
    ScoreSheet,
    match_of,
    points_of,
    starts_of,
)
from solver.games.readings import End


class Boundary(NamedTuple):
    """What is left of a match between two turns.

    Parameters
    ----------
    seat
        The seat on turn, from 1.
    standings
        What each seat has: its score; its score and stage; in a race to a goal its standing.
    number
        The round, from 1, in a match with a limited number; else zero.
    shown
        In the round that parts a tie: what the first seat has shown, None before; else an empty
        tuple.
    """

    seat: int
    standings: tuple[Any, ...]
    number: int = 0
    shown: Any = ()


class Ended(NamedTuple):
    """The match is over; `halves` of the win, of two, are the first seat's."""

    halves: int


After = Callable[[Boundary, Outcome], Boundary | Ended]


class Course(NamedTuple):
    """How a match goes on.

    Parameters
    ----------
    start
        The boundary state in which it begins.
    after
        Where a turn's outcome leads.
    beginning
        Which of the game's beginnings the turn of a boundary state has.
    """

    start: Boundary
    after: After
    beginning: Callable[[Boundary], Hashable]


def course_of(game: Game, seats: int = 2) -> Course:
    """Return the course of a match of two seats, or of a race to a goal alone.

    Parameters
    ----------
    game
        The rules; they must name a match.
    seats
        Two; one for a race to a goal alone.

    Raises
    ------
    GameError
        If the game names no match for so many seats.
    """
    match = match_of(game)
    if isinstance(match, ScoreSheet) or (seats == 1 and not isinstance(match, GoalRace)):
        raise GameError(
            f"{game.name} has no match for {seats} seat{'s' * (seats > 1)} that can be exported",
            remedy="export a turn: --objective points",
        )
    if isinstance(match, GoalRace):
        return _goal_course(game, match, seats)
    if isinstance(match, RoundsMatch):
        return _rounds_course(game, match)
    return _score_course(game, match)


def _score_course(game: Game, race: ScoreRace) -> Course:
    first = next(iter(starts_of(game)))
    tied = Boundary(1, (race.target, race.target), 0, None)

    def after(at: Boundary, outcome: Outcome) -> Boundary | Ended:
        points = points_of(game, outcome)
        if at.shown != ():
            if at.seat == 1:
                return tied._replace(seat=2, shown=points)
            end = leading(at.shown, points)
            return end if end.halves != 1 else tied
        scores = _with(at.standings, at.seat, at.standings[at.seat - 1] + points)
        over = max(scores) >= race.target
        if over and race.end is End.IMMEDIATE:
            return Ended(2 if at.seat == 1 else 0)
        if over and at.seat == 2:
            end = leading(*scores)
            return tied if race.tie_round and end.halves == 1 else end
        return Boundary(3 - at.seat, scores)

    def beginning(at: Boundary) -> Hashable:
        opened = race.unopened is None or at.standings[at.seat - 1] > 0
        return first if opened else race.unopened

    return Course(Boundary(1, (0, 0)), after, beginning)


def _rounds_course(game: Game, match: RoundsMatch) -> Course:
    beginnings = list(starts_of(game))

    def after(at: Boundary, outcome: Outcome) -> Boundary | Ended:
        points, stage = _pair(game, outcome)
        score = at.standings[at.seat - 1][0]
        if at.shown != ():
            return death(at, points, stage)
        standings = _with(at.standings, at.seat, (score + points, stage))
        if at.seat == 1:
            return Boundary(2, standings, at.number)
        (one, _), (two, _) = standings
        reached = match.target is not None and max(one, two) >= match.target
        if not reached and (match.rounds is None or at.number < match.rounds):
            return Boundary(1, standings, at.number and at.number + 1)
        end = leading(one, two)
        return end if end.halves != 1 else _tied(standings)

    def death(at: Boundary, points: int, stage: int) -> Boundary | Ended:
        standings = _with(at.standings, at.seat, (0, stage))
        if at.seat == 1:
            return Boundary(2, standings, 0, points)
        end = leading(at.shown, points)
        return end if end.halves != 1 else _tied(standings)

    nothing = (0, 0), (0, 0)
    start = Boundary(1, nothing, int(match.rounds is not None))
    return Course(start, after, lambda at: beginnings[at.standings[at.seat - 1][1]])


def _goal_course(game: Game, race: GoalRace, seats: int) -> Course:
    first = next(iter(starts_of(game)))

    def after(at: Boundary, outcome: Outcome) -> Boundary | Ended:
        standing = race.after(outcome)
        if standing is None:
            return Ended(2 if at.seat == 1 else 0)
        standings = _with(at.standings, at.seat, standing)
        return Boundary(3 - at.seat if seats == 2 else 1, standings)

    return Course(Boundary(1, (first,) * seats), after, lambda at: at.standings[at.seat - 1])


def leading(one: int, two: int) -> Ended:
    """Return the end of a match with these points: the most win, a tie is even."""
    return Ended(1 + (one > two) - (one < two))


def _tied(standings: tuple[Any, ...]) -> Boundary:
    """Return the beginning of a death round: only the stages count."""
    return Boundary(1, tuple((0, stage) for _, stage in standings), 0, None)


def _with(standings: tuple[Any, ...], seat: int, own: Any) -> tuple[Any, ...]:
    return tuple(own if i == seat else other for i, other in enumerate(standings, 1))


def _pair(game: Game, outcome: Any) -> tuple[int, int]:
    if not (isinstance(outcome, tuple) and len(outcome) == 2):
        raise UsageError(f"{game.name}: the outcome {outcome!r} is no (points, stage)")
    return outcome
