"""Questions about a position on the board of Martians!!!, answered within limits."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from solver.advisor import Advice
from solver.advisor.board import BoardReadings, advise_board
from solver.advisor.goals import GoalAnswers, GoalValues
from solver.apps.answers.held import HeldTables
from solver.apps.answers.question import MOST_LETTERS, refused
from solver.apps.answers.refusal import NeedsSolvingError
from solver.games.martians.hunt import Hunt
from solver.games.readings import describe
from solver.match.race import Progress

MOST_NODES = 20_000
"""The largest plan: about a second."""
MARCH_EFFORT = {
    "most_boards": 40,
    "most_looked_at": 8,
    "most_work": 80_000,
    "bounded": False,
}
"""Limits for the Martians' moves; about four seconds."""

_Text = Annotated[str, msgspec.Meta(max_length=MOST_LETTERS)]
_Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
_READINGS = "; ".join(f"{name}: {told}" for name, told in describe(BoardReadings).items())


class BoardQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position on the board, and what is asked about it.

    Attributes
    ----------
    position
        The position, as its file holds it.
    objective
        What is played for; by default the fewest turns, in the cooperative game items.
    roll
        What the die shows that is rolled next: for moves in steps 1 to 4, for Martians in step 6.
    rolled, using
        In a fight on the own square: what the combat die showed, and the weapon in use.
    landed
        Whether the square was just entered: a crop circle there may be turned.
    opponent
        For the win: the opponent's Martians, lives and bullets.
    set
        Readings by name.
    """

    position: Annotated[
        dict[str, Any],
        msgspec.Meta(description="a position, of the format martians-position-1"),
    ]
    objective: (
        Annotated[
            str,
            msgspec.Meta(
                max_length=40,
                description="turns, martians, items, tokens, survive, reach:X,Y, win-now, win",
                examples=["martians"],
            ),
        ]
        | None
    ) = None
    roll: _Die | None = None
    rolled: _Die | None = None
    using: _Text | None = None
    landed: bool = False
    opponent: _Text | None = None
    set: Annotated[dict[_Text, _Text], msgspec.Meta(max_length=8, description=_READINGS)] = {}


def read_board_question(values: dict[str, Any]) -> BoardQuestion:
    """Return the question in a body.

    Raises
    ------
    UsageError
        If a field is missing, unknown, or of the wrong kind.
    """
    try:
        return msgspec.convert(values, BoardQuestion)
    except msgspec.ValidationError as error:
        raise refused(str(error)) from None


def answer_board(question: BoardQuestion, tables: HeldTables, goals: GoalAnswers) -> Advice:
    """Return the advice; nothing heavy is started.

    Parameters
    ----------
    question
        What is asked.
    tables
        Verified tables, for hunts.
    goals
        Answers from them.

    Raises
    ------
    NeedsSolvingError
        If a hunt would have to be solved.
    TooLargeError
        If the plan is larger than the limits.
    UsageError
        If the question makes no sense.
    """
    return advise_board(
        msgspec.json.encode(question.position),
        question.objective,
        hunts=_HeldHunts(tables, goals),
        roll=question.roll,
        rolled=question.rolled,
        using=question.using,
        landed=question.landed,
        opponent=question.opponent,
        parameters=question.set,
        most_nodes=MOST_NODES,
        march_effort=MARCH_EFFORT,
    )


class _HeldHunts:
    """Hunts from held tables; others are refused."""

    def __init__(self, tables: HeldTables, goals: GoalAnswers) -> None:
        self._tables, self._goals = tables, goals

    def alone(self, game: Hunt) -> GoalValues:
        if self._tables.find(game, "turns", 1) is None:
            raise _refused("the fewest turns with these weapons and readings")
        return self._goals.alone(game)

    def pairs(self, game: Hunt, progress: Progress | None = None) -> GoalValues:
        if self._tables.find(game, "win", 2) is None:
            raise _refused("the chance to win against an opponent")
        return self._goals.pairs(game, progress)


def _refused(what: str) -> NeedsSolvingError:
    return NeedsSolvingError(
        f"{what} is in no table, and no request starts solving",
        remedy="another objective (martians, items, survive, ...), or on your own machine"
        " should-i-roll advise martians --board FILE",
        field="objective",
    )
