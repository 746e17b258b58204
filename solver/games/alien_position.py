"""Reading positions of Alien Battleship, Captain, First Mate and Crew in the sheet's words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from solver.errors import NotationError, PositionError, unknown
from solver.games.notation import whole_number
from solver.games.position import Position, PositionField

if TYPE_CHECKING:
    from solver.games.alien_crew import AlienCrew

POSITION_FIELDS = (
    PositionField(
        "stage", "captain", "what was set aside before the dice on the table were thrown"
    ),
    PositionField("roll", "4 3 3", "all dice just thrown, the trio's not yet set aside"),
    PositionField("crew", "2 5", "the crew dice, with the whole trio set aside"),
    PositionField("throws", "2", "throws still left after the dice on the table"),
)
STAGE_NAMES = {
    "nothing": 0,
    "none": 0,
    "battleship": 1,
    "ship": 1,
    "captain": 2,
    "trio": 3,
    "mate": 3,
    "first mate": 3,
}
WORDS = {
    **{str(face): face for face in range(1, 7)},
    **{word: i for i, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)},
    "battleship": 6,
    "captain": 5,
    "mate": 4,
}
_TOKEN = re.compile(r"(?P<digit>[0-9])|(?P<word>[A-Za-z]+)|(?P<gap>[\s,;+]+)|(?P<bad>.)", re.DOTALL)
_LOCKS = "the sheet on rolling: a 6, then a 5, then a 4 is set aside as soon as it counts"


def read_dice(given: str | int | Iterable[int], field: str) -> tuple[int, ...]:
    """Return what dice show, ascending.

    Parameters
    ----------
    given
        Faces as digits or words (``"4 3 3"``, ``"four three three"``), or as numbers.
    field
        Name of the field, for messages.

    Raises
    ------
    NotationError
        With a caret under the first thing that is no face.
    """
    if isinstance(given, str | int):
        text = str(given)
    else:
        listed = [str(word) for word in given]
        text = " ".join(listed)
        for i, word in enumerate(listed):
            if word.lower() not in WORDS:
                raise _no_face(word, text, len(" ".join(listed[:i])) + (i > 0), field)
    dice = []
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "gap" or token.group().lower() == "and":
            continue
        face = WORDS.get(token.group().lower())
        if face is None:
            raise _no_face(token.group(), text, token.start(), field)
        dice.append(face)
    return tuple(sorted(dice))


def _no_face(shown: str, text: str, at: int, field: str) -> NotationError:
    return NotationError(
        f"--{field}: {shown!r} is no face of a die",
        text=text,
        at=at,
        remedy="faces are 1 to 6, as digits or words: 4 3 3",
        field=field,
    )


def read_stage(given: str | int) -> int:
    """Return the number of a stage.

    Raises
    ------
    UnknownNameError
        If there is no such stage.
    """
    text = str(given).strip().lower().replace("-", " ")
    if text in STAGE_NAMES:
        return STAGE_NAMES[text]
    if text in ("0", "1", "2", "3"):
        return int(text)
    raise unknown("stage", str(given), ("nothing", "battleship", "captain", "trio"), field="stage")


def read_position(
    game: AlienCrew,
    stage: str | int = "nothing",
    roll: str | int | Iterable[int] | None = None,
    crew: str | int | Iterable[int] | None = None,
    throws: str | int | None = None,
) -> Position:
    """Return the position that a player describes.

    Parameters
    ----------
    game
        The rules.
    stage
        What was set aside before the dice on the table were thrown.
    roll
        All dice just thrown.
    crew
        The crew dice, instead of `roll`, when the trio is set aside.
    throws
        Throws still left after the dice on the table; by default all of the turn's if nothing
        is on the table.

    Raises
    ------
    NotationError, PositionError, UnknownNameError
        If a text cannot be read, or the rules do not allow the position.
    """
    have = read_stage(stage)
    shown = {"stage": _name(have)}
    if roll is not None and crew is not None:
        raise PositionError(
            "--roll and --crew are the same dice",
            remedy="--roll for dice just thrown, --crew for the crew with the trio set aside",
            field="crew",
        )
    if crew is not None and have < 3:
        raise PositionError(
            f"a crew is on the table, and the stage is {_name(have)}",
            rule="the sheet on the crew: no crew is taken on before battleship, captain and mate",
            remedy="--stage trio, or give all dice just thrown as --roll",
            field="stage",
        )
    field = "roll" if crew is None else "crew"
    on_table = roll if crew is None else crew
    left = _throws(game, throws, on_table is not None)
    shown["throws"] = str(left)
    if on_table is None:
        if not left:
            raise PositionError(
                "no throws are left and no dice are on the table",
                remedy="give the dice on the table as --roll or --crew",
                field="throws",
            )
        state: tuple[Any, ...] = ("throw", have, left)
        return Position(shown, state, {"roll": state}, "there is no choice: the dice are thrown")
    if roll is not None and left == game.throws - 1 and _name(have) not in game.starts():
        raise PositionError(
            f"{_name(have)} before the first throw: every turn starts from {game.dice} dice",
            rule="trio=reset: nothing stays from the turn before",
            remedy="--stage nothing, or fewer --throws",
            field="stage",
        )
    dice = read_dice(on_table, field)
    shown[field] = " ".join(map(str, dice))
    _check_number(game, have, dice, field)
    return _after_throw(game, shown, have, dice, left)


def _after_throw(
    game: AlienCrew, shown: dict[str, str], have: int, dice: tuple[int, ...], left: int
) -> Position:
    from solver.games.alien_crew import lock  # noqa: PLC0415  that module reads positions by this

    stage, others = lock(have, dice)
    note = None
    if stage > have:
        gained = ", ".join(("battleship", "captain", "first mate")[have:stage])
        note = f"set aside: {gained}"
    if stage == 3:
        state: tuple[Any, ...] = ("crew", left, *others)
        options = game.crew_options(left, others)
        if not left:
            note = (note + "; " if note else "") + "no throws are left: the crew counts"
        return Position(shown, state, options, note)
    if left:
        state = ("throw", stage, left)
        more = f"{_name(stage)} so far: the other dice must be thrown again"
        return Position(shown, state, {"roll": state}, f"{note}; {more}" if note else more)
    state = ("bank", 0, stage)
    over = f"the turn is over without a crew, at the stage {_name(stage)}"
    return Position(shown, state, {"stop": state}, f"{note}; {over}" if note else over)


def _throws(game: AlienCrew, given: str | int | None, dice_on_table: bool) -> int:
    most = game.throws - (1 if dice_on_table else 0)
    if given is None:
        if not dice_on_table:
            return game.throws
        raise PositionError(
            "--throws is needed: how many throws are left after the dice on the table",
            remedy=f"--throws 0 to {most}",
            field="throws",
        )
    count = whole_number(str(given))
    if count is None:
        raise NotationError("--throws takes a whole number", text=str(given), at=0, field="throws")
    if count > most:
        raise PositionError(
            f"--throws {count}: at most {most} can be left",
            rule=f"the sheet on rolls: {game.throws} throws a turn, the one on the table included",
            field="throws",
        )
    return count


def _check_number(game: AlienCrew, have: int, dice: tuple[int, ...], field: str) -> None:
    from solver.games.alien_crew import lock  # noqa: PLC0415  as above

    wanted = game.dice - have
    if len(dice) == wanted:
        return
    before = game.dice - len(dice)
    if 0 <= before < have and lock(before, dice)[0] >= have:
        raise PositionError(
            f"the stage {_name(have)} contradicts the dice: these {len(dice)} were thrown at the"
            f" stage {_name(before)}",
            rule=_LOCKS,
            remedy=f"--stage {_name(before)}: the stage before this throw",
            field="stage",
        )
    raise PositionError(
        f"--{field} shows {len(dice)} dice, and {wanted} are thrown at the stage {_name(have)}",
        rule=_LOCKS,
        remedy=f"give all {wanted} dice on the table that were not set aside before the throw",
        field=field,
    )


def _name(stage: int) -> str:
    return ("nothing", "battleship", "captain", "trio")[stage]
