"""A match played turn by turn: who goes on, when it ends, who has won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.errors import GameError, UsageError, unknown
from solver.games.readings import End, Tie
from solver.referee import martian_dice

Seat = Callable[[tuple[int, ...], int, np.random.Generator], int]
"""Plays one turn: (everybody's score, own seat, rng) -> points of the turn."""

Duel = Callable[[int, np.random.Generator], int]
"""Parts tied leaders: (how many, rng) -> which of them wins, counted from 0."""

MAX_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended.

    Parameters
    ----------
    scores
        Final points by seat.
    rounds
        Rounds played, the last one counted even if the match ended within it.
    leaders
        Seats between which the win stood when play ended, before any duel.
    winners
        Seats that won: one, or all `leaders` where a tie is shared.
    """

    scores: tuple[int, ...]
    rounds: int
    leaders: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def tied(self) -> bool:
        """Whether several seats were tied when play ended."""
        return len(self.leaders) > 1

    @property
    def winner(self) -> int | None:
        """The one seat that won; None if the win is shared."""
        return self.winners[0] if len(self.winners) == 1 else None

    def share(self, seat: int) -> float:
        """Return the part of the win that falls to a seat."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


def play_match(
    seats: Sequence[Seat],
    rng: np.random.Generator,
    *,
    target: int,
    end: End | str = End.ROUND,
    tie: Tie | str = Tie.DUEL,
    duel: Duel = martian_dice.duel,
    max_rounds: int = MAX_ROUNDS,
) -> MatchResult:
    """Play a race to `target` points.

    Parameters
    ----------
    seats
        The players in order, each a function that plays a turn; one or more.
    rng
        Where chance comes from.
    target
        Points that trigger the end.
    end
        ``"round"``: the round is completed, so that all have had equally many turns, and most
        points win; ``"immediate"``: the first seat to reach the target has won.
    tie
        ``"duel"``: several leaders are parted by `duel`; ``"shared"``: they share the win.
    duel
        The duel; that of Martian Dice with its official dice by default.
    max_rounds
        After that many rounds without an end the players are taken to be stuck.

    Returns
    -------
    MatchResult
        The scores, the rounds, and who won.

    Raises
    ------
    UsageError
        If there is no seat, the target is below one, or a reading does not exist.
    GameError
        If a turn's points are no whole number of at least zero, the duel names somebody who
        is not in it, or the match does not end.
    """
    if not seats or target < 1:
        raise UsageError(
            f"a match of {len(seats)} seats to {target} points",
            remedy="one seat or more, one point or more",
        )
    end, tie = End(_known("end", end, End)), Tie(_known("tie", tie, Tie))
    scores = [0] * len(seats)
    for number in range(1, max_rounds + 1):
        for seat, play in enumerate(seats):
            scores[seat] += _checked(play(tuple(scores), seat, rng), seat)
            if end is End.IMMEDIATE and scores[seat] >= target:
                return MatchResult(tuple(scores), number, (seat,), (seat,))
        most = max(scores)
        if most >= target:
            leaders = tuple(seat for seat, score in enumerate(scores) if score == most)
            if tie is Tie.DUEL and len(leaders) > 1:
                winners: tuple[int, ...] = (_duelled(duel, leaders, rng),)
            else:
                winners = leaders
            return MatchResult(tuple(scores), number, leaders, winners)
    raise GameError(
        f"after {max_rounds} rounds the scores are {scores}, and the match has not ended",
        remedy="seats that score now and then, or a larger max_rounds",
    )


def _known(kind: str, name: str, readings: type[End | Tie]) -> str:
    known = [str(reading) for reading in readings]
    if str(name) not in known:
        raise unknown(f"reading of {kind}", str(name), known, field=kind)
    return str(name)


def _checked(points: object, seat: int) -> int:
    if isinstance(points, bool) or not isinstance(points, int) or points < 0:
        raise GameError(
            f"seat {seat} scored {points!r} in a turn", remedy="a whole number, zero or more"
        )
    return points


def _duelled(duel: Duel, leaders: tuple[int, ...], rng: np.random.Generator) -> int:
    which = duel(len(leaders), rng)
    if which not in range(len(leaders)):
        raise GameError(
            f"a duel between {len(leaders)} leaders was won by number {which!r}",
            remedy="the duel tells which of them wins, counted from 0",
        )
    return leaders[which]
