"""A moment of a turn on the board, as it is told: what is decided now, and with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from solver.advisor.board.objectives import BoardReadings
from solver.errors import PositionError
from solver.games.martians.board import Position
from solver.games.martians.fight_position import read_number, read_roll, read_using
from solver.games.martians.plan.ground import Ground, ground_of
from solver.games.martians.weapons import Weapons


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a turn on the board, as it was told.

    Parameters
    ----------
    position
        The position.
    ground
        Where the player on turn moves, and with what.
    moves
        Moves left; None before the movement roll.
    march
        The number of Martians to be moved, in step 6; else None.
    short, bonus, rerolls, settled
        The fight at hand, as in :meth:`.Movement.plan`.
    landed
        Whether the player has just entered his square.
    """

    position: Position
    ground: Ground
    moves: int | None
    march: int | None = None
    short: int | None = None
    bonus: int = 0
    rerolls: int = 0
    settled: bool = False
    landed: bool = False


def read_moment(
    position: Position,
    readings: BoardReadings,
    *,
    roll: Any = None,
    rolled: Any = None,
    using: str | None = None,
    landed: bool = False,
) -> Moment:
    """Return the moment that is asked about.

    Parameters
    ----------
    position, readings, roll, rolled, using, landed
        As in :func:`advise_board`.

    Raises
    ------
    PositionError
        If nothing is decided there, or what is told does not fit it.
    """
    ground = ground_of(position, last_life=readings.last_life, at_five=readings.at_five)
    die = None if roll is None else read_number(roll, "roll", 1, 6, "a six-sided die")
    if position.step > 6:
        raise PositionError(
            f"in step {position.step} of the turn nothing is planned",
            rule="Turn Sequence Overview 7, 8",
            remedy="step 1 to 5 for a movement, 6 for the Martians",
            field="/step",
        )
    if position.step == 6:
        if rolled is not None or using is not None or landed:
            raise _not_now("rolled" if rolled is not None else "using" if using else "landed")
        if position.moves is not None and die is not None:
            raise _not_now("roll")
        number = die if position.moves is None else position.moves
        if number is None:
            raise PositionError(
                "the die for the Martians is not told",
                rule="Turn Sequence Overview 6",
                remedy="--roll 3, or moves in the position",
                field="roll",
            )
        return Moment(position, ground, None, number)
    moves = position.moves
    if die is not None:
        if moves is not None:
            raise _not_now("roll")
        if ground.standing >> ground.at & 1:
            raise PositionError(
                "the Martian on the own square is fought before the movement roll",
                rule="Turn Sequence Overview 2, 4",
                remedy="leave --roll out; after the fight, step 4 and the Martian gone",
                field="roll",
            )
        moves = die + ground.lives
    met = bool(ground.standing >> ground.at & 1)
    if not met and (rolled is not None or using is not None):
        raise _not_now("using" if rolled is None else "rolled")
    bonus, rerolls = read_using(Weapons(ground.weapons), using)
    short = None
    if rolled is not None:
        short = read_roll(rolled, bonus)
        if not short:
            raise PositionError(
                f"a {rolled} wins this fight: there is nothing to decide",
                rule="Combat Rules",
                remedy="take the Martian off the board and add it to the player's",
                field="rolled",
            )
    return Moment(position, ground, moves, None, short, bonus, rerolls, using is not None, landed)


def _not_now(field: str) -> PositionError:
    what = {
        "roll": "the die that --roll tells is rolled already: the position has its moves",
        "rolled": "--rolled is about a fight, and no Martian is on the player's square",
        "using": "--using is about a fight, and no Martian is on the player's square",
        "landed": "--landed is about a movement",
    }[field]
    return PositionError(what, remedy=f"leave --{field} out", field=field)
