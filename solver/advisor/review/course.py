"""The course of a match: who is on turn, what everybody has, when it is over."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from solver.errors import UsageError
from solver.games.protocol import (
    Game,
    GoalRace,
    Outcome,
    RoundsMatch,
    ScoreRace,
    points_of,
    starts_of,
)
from solver.games.readings import End


class Course:
    """A match as it goes on, turn by turn.

    Parameters
    ----------
    game
        The rules; a game that names no match is a row of turns that never ends.
    seats
        Number of seats, at least one.

    Raises
    ------
    UsageError
        If turns are entered in a score sheet: a record has no place for that.
    """

    def __init__(self, game: Game, seats: int) -> None:
        if hasattr(game, "score_sheet"):
            raise UsageError(
                f"{game.name} is neither recorded nor reviewed: its turns fill a score sheet",
                remedy=f"should-i-roll advise {game.name} answers turn by turn",
                field="game",
            )
        self._game = game
        self._beginnings = list(starts_of(game))
        kinds = ("rounds_match", "goal_race", "race")
        match: Any = next((m for kind in kinds if (m := getattr(game, kind, None))), None)
        self.match: RoundsMatch | ScoreRace | GoalRace | None = match
        self._reached: int | None = None  # the seat at the goal
        self.scores = [0] * seats
        self.stages = [0] * seats
        self.round = 1
        self.seat = 0
        self.over = False

    @property
    def beginning(self) -> Hashable:
        """How the turn of the seat on turn begins."""
        unopened = self.match.unopened if isinstance(self.match, ScoreRace) else None
        if unopened is not None and not self.scores[self.seat]:
            return unopened
        return self._beginnings[self.stages[self.seat]]

    @property
    def standings(self) -> list[Any]:
        """By seat, with what its next turn begins: what a race to a goal is about."""
        return [self._beginnings[stage] for stage in self.stages]

    @property
    def leaders(self) -> tuple[int, ...]:
        """Seats (from 0) with the most points; with an immediate end the one that reached it."""
        if self._reached is not None:
            return (self._reached,)
        most = max(self.scores)
        return tuple(i for i, score in enumerate(self.scores) if score == most)

    def end_turn(self, outcome: Outcome) -> None:
        """Add a turn to the match and pass the dice on."""
        points = points_of(self._game, outcome)
        if isinstance(self.match, GoalRace):
            self._go_to(self.match.after(outcome), points)
        else:
            self.scores[self.seat] += points
        if isinstance(self.match, RoundsMatch) and isinstance(outcome, tuple):
            self.stages[self.seat] = int(outcome[1])
        if self._ends(last=self.seat == len(self.scores) - 1):
            self.over = True
            return
        self.seat = (self.seat + 1) % len(self.scores)
        self.round += self.seat == 0

    def _go_to(self, standing: Hashable | None, points: int) -> None:
        """Move the seat on turn to a standing, None for the goal: what it has now is `points`."""
        self.scores[self.seat] = points
        if standing is None:
            self._reached = self.seat
        else:
            self.stages[self.seat] = self._beginnings.index(standing)

    def _ends(self, *, last: bool) -> bool:
        if self._reached is not None:
            return True
        if isinstance(self.match, ScoreRace):
            reached = max(self.scores) >= self.match.target
            return reached and (last or self.match.end is End.IMMEDIATE)
        if isinstance(self.match, RoundsMatch) and last:
            target = self.match.target
            reached = target is not None and max(self.scores) >= target
            return reached or self.round == self.match.rounds
        return False

    def why_over(self) -> str:
        """Return the rule by which the match is over."""
        if isinstance(self.match, GoalRace):
            return "Object of the Game: the first to reach the goal has won"
        if isinstance(self.match, ScoreRace) and self.match.end is End.IMMEDIATE:
            return "end=immediate: the first seat to reach the target has won"
        return "the end: the round is completed, then the most points win"
