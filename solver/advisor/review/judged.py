"""What a review says of a seat, and of one roll or decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Account:
    """How one seat's result came about: ``start + luck - lost + gained``, in one unit.

    In turns, of which fewer are better, it is ``start - luck + lost``.

    Parameters
    ----------
    start
        Value at the start: of all turns the seat began, in points; or its chance to win; or the
        expected turns to the goal.
    luck
        What dice changed: its own, the others', and those that parted a tie.
    own_luck
        The part of its own dice.
    lost
        The sum of the regrets of its decisions: skill lost.
    gained
        What the others' decisions changed.
    result
        Points, or 1 for a win, 0 for none, a share if tied leaders were not parted; or the turns
        to the goal. The value at the last position if the record stops before the end.
    """

    start: float
    luck: float
    own_luck: float
    lost: float
    gained: float
    result: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What one roll or decision changed for the seat on turn.

    Parameters
    ----------
    line, turn
        Where it stands: line of the record, and number of the turn, from 1.
    seat, round
        Who was on turn, from 1, and in which round.
    kind
        ``"dice"`` or ``"choice"``.
    text
        What the dice showed, or what was done.
    told
        The position before it.
    points, win
        For dice the luck, for a decision the regret: in the unit of the review, and in chance to
        win (None if the win was not reviewed).
    best
        The best actions, for the win if that was reviewed; empty for dice.
    options
        Every legal action with its value (by the name of the unit) and chance to win; empty for
        dice.
    worst
        Whether it is one of the worst decisions of the match.
    """

    line: int
    turn: int
    seat: int
    round: int
    kind: str
    text: str
    told: Mapping[str, str]
    points: float
    win: float | None
    best: tuple[str, ...]
    options: tuple[dict[str, Any], ...]
    worst: bool = False
