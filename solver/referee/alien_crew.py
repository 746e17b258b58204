"""Alien Battleship, Captain, First Mate and Crew, played with real dice.

Source: the game's rule sheet, read by itself: every die keeps its place on the table, is thrown
on its own, and is set aside as soon as it counts. A turn, the death round and the match of
rounds; a *stage* is how much of the trio a player has: 0 nothing, 1 battleship, 2 captain,
3 first mate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from solver.errors import GameError, PositionError, UsageError

BATTLESHIP, CAPTAIN, FIRST_MATE = 6, 5, 4
ORDER = (BATTLESHIP, CAPTAIN, FIRST_MATE)
"""The faces of the trio, in the only order in which they count."""

MAX_ROUNDS = 1_000_000
_CUP = 16

Turn = tuple[int, int]
"""What a turn leaves: points and stage."""

Rolls = Callable[[int], Sequence[int]]
"""Rolls that many dice and tells what each of them shows."""

ChooseAgain = Callable[[tuple[int, ...], int], Sequence[bool]]
"""A player of a turn: (crew as it lies, throws left) -> for each die whether to throw it again."""

Seat = Callable[[int, int, tuple[int, ...], tuple[int, ...], np.random.Generator], Turn]
"""Plays one turn of a match: (round from 1, own seat, scores, stages, rng) -> the turn."""

DeathTurn = Callable[[int, tuple[int, ...], Mapping[int, int], int, np.random.Generator], Turn]
"""Plays one turn of a death round: (best crew of this death round so far, -1 before the first;
who holds it; the stages of all who are in it; who plays; rng) -> the turn."""


def dice_of(rng: np.random.Generator) -> Rolls:
    """Return real dice: each shows 1 to 6, all equally likely.

    The generator is asked for many throws at a time, so how far it has moved on does not tell
    how many dice were rolled.
    """
    cup: list[int] = []  # throws not yet looked at: one call of the generator for many

    def roll(dice: int) -> list[int]:
        while len(cup) < dice:
            cup.extend(rng.integers(1, 7, size=_CUP).tolist())
        shown = cup[:dice]
        del cup[:dice]
        return shown

    return roll


def play_turn(
    choose_again: ChooseAgain,
    rng: np.random.Generator,
    *,
    stage: int = 0,
    dice: int = 5,
    throws: int = 3,
    keep_trio: bool = True,
    either: bool = True,
) -> Turn:
    """Play one turn with dice rolled from `rng`.

    Parameters
    ----------
    choose_again
        The player: asked while the crew is complete and throws are left; no die ends the turn.
    rng
        Where chance comes from.
    stage
        What the player has of the trio from earlier turns.
    dice, throws
        How many dice, the trio's three included, and how many throws.
    keep_trio
        Whether what a turn brings of the trio stays for later turns.
    either
        Whether one crew die alone can be thrown again; else all of them or none.

    Returns
    -------
    tuple
        Points of the turn, and the stage with which the player's next turn begins.

    Raises
    ------
    UsageError
        If there can be no such turn; PositionError if it cannot begin at that stage.
    GameError
        If the player answers against the rules.
    """
    return play_rolled_turn(
        choose_again,
        dice_of(rng),
        stage=stage,
        dice=dice,
        throws=throws,
        keep_trio=keep_trio,
        either=either,
    )


def play_rolled_turn(
    choose_again: ChooseAgain,
    roll_dice: Rolls,
    *,
    stage: int = 0,
    dice: int = 5,
    throws: int = 3,
    keep_trio: bool = True,
    either: bool = True,
) -> Turn:
    """Play one turn with dice that somebody else rolls; see :func:`play_turn`.

    Raises
    ------
    UsageError
        If there can be no such turn; PositionError if it cannot begin at that stage.
    GameError
        If the player answers against the rules, or the dice are not the ones asked for.
    """
    _check_turn(stage, dice, throws, keep_trio=keep_trio)
    table = [0] * (dice - stage)  # the dice that are not set aside, each in its place
    again = list(range(len(table)))
    while again:
        for die, shown in zip(again, _rolled(roll_dice, len(again)), strict=True):
            table[die] = shown
        throws -= 1
        while stage < len(ORDER) and ORDER[stage] in table:
            table.remove(ORDER[stage])
            stage += 1
        if not throws:
            break
        again = list(range(len(table)))
        if stage == len(ORDER):
            answers = _answered(choose_again, tuple(table), throws, either=either)
            again = [die for die in again if answers[die]]
    crew = sum(table) if stage == len(ORDER) else 0
    return crew, stage if keep_trio else 0


def death_round(
    stages: Sequence[int],
    players: Sequence[DeathTurn],
    rng: np.random.Generator,
    *,
    max_rounds: int = MAX_ROUNDS,
) -> int:
    """Part tied players: one more full turn each, in seat order, until one crew is the highest.

    Parameters
    ----------
    stages
        What each of the tied players has of the trio, in seat order.
    players
        The players, in the same order. They are told each other by their place in it.
    rng
        Where chance comes from.
    max_rounds
        After that many death rounds without a winner the players are taken to be stuck.

    Returns
    -------
    int
        Who wins, counted from 0.

    Raises
    ------
    UsageError
        If nobody is tied, or stages and players are not equally many.
    GameError
        If a turn is none, or the death round does not end.
    """
    if not players or len(stages) != len(players):
        raise UsageError(
            f"a death round of {len(players)} players with {len(stages)} stages",
            remedy="one player or more, and a stage for each",
        )
    tied = dict(enumerate(stages))
    for _ in range(max_rounds):
        if len(tied) == 1:
            break
        best = -1
        holders: tuple[int, ...] = ()
        for player in list(tied):
            turn = players[player](best, holders, dict(tied), player, rng)
            points, tied[player] = _checked(turn, f"player {player}", tied[player])
            if points > best:
                best, holders = points, ()
            if points == best:
                holders = (*holders, player)
        tied = {player: tied[player] for player in holders}
    if len(tied) > 1:
        raise GameError(
            f"after {max_rounds} death rounds {len(tied)} players are still tied",
            remedy="players whose turns can differ, or a larger max_rounds",
        )
    return next(iter(tied))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended.

    Parameters
    ----------
    scores, stages
        Points and part of the trio by seat after the last round, before any death round.
    rounds
        Rounds played; all seats have had that many turns.
    leaders
        Seats with the most points: several if they had to play the death round.
    winner
        The seat that won.
    """

    scores: tuple[int, ...]
    stages: tuple[int, ...]
    rounds: int
    leaders: tuple[int, ...]
    winner: int

    @property
    def tied(self) -> bool:
        """Whether the death round was needed."""
        return len(self.leaders) > 1


def play_match(
    seats: Sequence[Seat],
    rng: np.random.Generator,
    *,
    rounds: int | None = 10,
    target: int | None = 100,
    death_turns: Sequence[DeathTurn] | None = None,
    max_rounds: int = MAX_ROUNDS,
) -> MatchResult:
    """Play rounds until the last one, or the one in which somebody reaches the target.

    Parameters
    ----------
    seats
        The players in order, each a function that plays a turn; one or more.
    rng
        Where chance comes from.
    rounds
        Rounds after which the match ends; None to play to the target alone.
    target
        Points that end the match once the round is completed; None to play the rounds alone.
    death_turns
        For each seat, how it plays a death round; by default like one more round of the match,
        with the scores as they stand, and without a look at what is to beat.
    max_rounds
        After that many rounds without an end the players are taken to be stuck.

    Returns
    -------
    MatchResult
        Scores, stages, rounds, and who won.

    Raises
    ------
    UsageError
        If there is no seat or no end, or `death_turns` are not one for each seat.
    GameError
        If a turn is none, or the match does not end.
    """
    _check_match(seats, rounds, target, death_turns)
    scores, stages = [0] * len(seats), [0] * len(seats)
    number = 0
    while number != rounds and not (target is not None and max(scores) >= target):
        if number >= max_rounds:
            raise GameError(
                f"after {number} rounds the scores are {scores}, and the match has not ended",
                remedy="seats that score now and then, or a larger max_rounds",
            )
        number += 1
        for seat, play in enumerate(seats):
            turn = play(number, seat, tuple(scores), tuple(stages), rng)
            points, stages[seat] = _checked(turn, f"seat {seat}", stages[seat])
            scores[seat] += points
    most = max(scores)
    leaders = tuple(seat for seat, score in enumerate(scores) if score == most)
    turns = [
        _one_more_round(seats[seat], seat, number, scores, stages, leaders)
        if death_turns is None
        else death_turns[seat]
        for seat in leaders
    ]
    won = death_round([stages[seat] for seat in leaders], turns, rng)
    return MatchResult(tuple(scores), tuple(stages), number, leaders, leaders[won])


def _one_more_round(
    play: Seat, seat: int, last: int, scores: list[int], stages: list[int], leaders: tuple[int, ...]
) -> DeathTurn:
    """Return how a seat plays a death round as if it were the next round of the match."""
    number = count(last + 1)

    def turn(_best: int, _holders: Any, tied: Mapping[int, int], _: int, rng: Any) -> Turn:
        now = stages.copy()
        for player, stage in tied.items():
            now[leaders[player]] = stage
        return play(next(number), seat, tuple(scores), tuple(now), rng)

    return turn


def _rolled(roll_dice: Rolls, dice: int) -> list[int]:
    shown = list(roll_dice(dice))
    if len(shown) != dice or not all(face in range(1, 7) for face in shown):
        raise GameError(
            f"{dice} dice were to be thrown, and they show {shown!r}",
            rule="the sheet on rolling: all dice that are not set aside or kept are thrown",
            remedy="a face from 1 to 6 for each die",
        )
    return shown


def _answered(
    choose_again: ChooseAgain, crew: tuple[int, ...], throws: int, *, either: bool
) -> tuple[bool, ...]:
    answer: object = choose_again(crew, throws)
    if (
        not isinstance(answer, tuple | list)
        or len(answer) != len(crew)
        or not all(isinstance(again, bool) for again in answer)
    ):
        raise GameError(
            f"asked which dice of the crew {crew} to throw again, the player said {answer!r}",
            rule="the sheet on the crew: any of the crew dice can be thrown again",
            remedy="True or False for each die; no True ends the turn",
        )
    if not either and any(answer) and not all(answer):
        raise GameError(
            f"the player throws {sum(answer)} of the crew {crew} again",
            rule="this reading of the sheet: the crew is thrown again together",
            remedy="True for all dice or for none",
        )
    return tuple(answer)


def _checked(turn: object, who: str, before: int) -> Turn:
    if isinstance(turn, tuple) and len(turn) == 2:
        points, stage = turn
        if type(points) is int and type(stage) is int and points >= 0 and before <= stage <= 3:
            return points, stage
    raise GameError(
        f"the turn of {who}, begun at stage {before}, left {turn!r}",
        rule="a turn leaves points and a stage, and what a player has of the trio stays",
        remedy="points from 0, and a stage up to 3 that is not below the one before",
    )


def _check_turn(stage: int, dice: int, throws: int, *, keep_trio: bool) -> None:
    if dice <= len(ORDER) or throws < 1:
        raise UsageError(
            f"a turn with {dice} dice and {throws} throws",
            rule="the sheet: three dice for the trio, others for the crew",
            remedy="four dice or more, one throw or more",
        )
    if stage not in range(len(ORDER) + 1):
        raise PositionError(f"there is no stage {stage!r}", remedy="stages are 0 to 3")
    if stage and not keep_trio:
        raise PositionError(
            f"a turn cannot begin at stage {stage}",
            rule="this reading of the sheet: every turn begins with all dice",
            remedy="stage=0, or keep_trio=True",
        )


def _check_match(
    seats: Sequence[Seat],
    rounds: int | None,
    target: int | None,
    death_turns: Sequence[DeathTurn] | None,
) -> None:
    ends = [end for end in (rounds, target) if end is not None]
    if not seats or not ends or min(ends) < 1:
        raise UsageError(
            f"a match of {len(seats)} seats, {rounds} rounds and the target {target}",
            remedy="one seat or more, and rounds or a target of one or more",
        )
    if death_turns is not None and len(death_turns) != len(seats):
        raise UsageError(
            f"{len(death_turns)} death turns for {len(seats)} seats", remedy="one for each seat"
        )
