"""The course of a match: who is on turn, what everybody has, when it is over."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from solver.games.protocol import Game, Outcome, RoundsMatch, ScoreRace, points_of, starts_of
from solver.games.readings import End


class Course:
    """A match as it goes on, turn by turn.

    Parameters
    ----------
    game
        The rules; a game that names no match is a row of turns that never ends.
    seats
        Number of seats, at least one.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self._game = game
        self._beginnings = list(starts_of(game))
        match: Any = getattr(game, "rounds_match", None) or getattr(game, "race", None)
        self.match: RoundsMatch | ScoreRace | None = match
        self.scores = [0] * seats
        self.stages = [0] * seats
        self.round = 1
        self.seat = 0
        self.over = False

    @property
    def beginning(self) -> Hashable:
        """How the turn of the seat on turn begins."""
        return self._beginnings[self.stages[self.seat]]

    @property
    def leaders(self) -> tuple[int, ...]:
        """Seats (from 0) with the most points; with an immediate end the one that reached it."""
        most = max(self.scores)
        return tuple(i for i, score in enumerate(self.scores) if score == most)

    def end_turn(self, outcome: Outcome) -> None:
        """Add a turn to the match and pass the dice on."""
        points = points_of(self._game, outcome)
        self.scores[self.seat] += points
        if isinstance(self.match, RoundsMatch) and isinstance(outcome, tuple):
            self.stages[self.seat] = int(outcome[1])
        if self._ends(last=self.seat == len(self.scores) - 1):
            self.over = True
            return
        self.seat = (self.seat + 1) % len(self.scores)
        self.round += self.seat == 0

    def _ends(self, *, last: bool) -> bool:
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
        if isinstance(self.match, ScoreRace) and self.match.end is End.IMMEDIATE:
            return "end=immediate: the first seat to reach the target has won"
        return "the end: the round is completed, then the most points win"
