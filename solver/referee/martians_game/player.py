"""Who decides: the interface of a player, and what a player sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.games.martians.board.layout import Square
from solver.games.martians.board.position import Position
from solver.games.martians.cards.cards import Card
from solver.referee.martians_game.course import Course, Fight
from solver.referee.martians_game.positions import position_of
from solver.referee.martians_game.questions import Question
from solver.referee.martians_game.rules import Rules
from solver.referee.martians_game.table import Seat, Table
from solver.referee.martians_game.table.ground import Building, Placement


class View:
    """What one player sees: the table, his own hand, and what he is asked about.

    The table is the real one and nothing on it is decided that is not known; look, do not touch.
    """

    __slots__ = ("_course", "seat")

    def __init__(self, course: Course, seat: int) -> None:
        self._course = course
        self.seat = seat
        """The player's seat, from 1."""

    @property
    def table(self) -> Table:
        """The table."""
        return self._course.table

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._course.rules

    @property
    def me(self) -> Seat:
        """The player: pawn, tokens, Martians, items, weapons."""
        return self._course.table.seats[self.seat - 1]

    @property
    def my_turn(self) -> bool:
        """Whether the player is on turn."""
        return self._course.table.on_turn == self.seat - 1

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the player's event cards."""
        return tuple(self._course.hands[self.seat - 1])

    @property
    def fight(self) -> Fight | None:
        """The losing roll that waits to be paid, if there is one."""
        return self._course.fight

    @property
    def position(self) -> Position:
        """The position on the board, a value of its own that does not change."""
        return position_of(self._course)

    def card(self, name: str) -> Card:
        """Return a card by its name."""
        return self._course.card[name]


class Player:
    """A player: a method for each :class:`.Question`, all of the same form.

    Each gets the view and the legal answers, two or more, and returns one of them. By default
    every method passes the question on to :meth:`decide`, which takes the first answer.
    """

    def decide(self, question: Question, view: View, options: Sequence[Any]) -> Any:
        """Answer a question that has no answer of its own."""
        del question, view
        return options[0]

    def placement(self, view: View, options: Sequence[Placement]) -> Placement:
        """Choose where the drawn tile is placed: (column, row, quarter turns)."""
        answer: Placement = self.decide(Question.PLACEMENT, view, options)
        return answer

    def lay(self, view: View, options: Sequence[tuple[Square, ...]]) -> tuple[Square, ...]:
        """Choose the squares on which the tokens of a building lie."""
        answer: tuple[Square, ...] = self.decide(Question.LAY, view, options)
        return answer

    def arm(self, view: View, options: Sequence[str | None]) -> str | None:
        """Choose the weapon of the fight that begins; None for bare hands."""
        answer: str | None = self.decide(Question.ARM, view, options)
        return answer

    def pay(self, view: View, options: Sequence[str]) -> str:
        """Choose what is done about the losing roll `view.fight`: spend, reroll, forfeit."""
        answer: str = self.decide(Question.PAY, view, options)
        return answer

    def step(self, view: View, options: Sequence[Square | None]) -> Square | None:
        """Choose the next square, or None to stop; `view.table.moves` are left."""
        answer: Square | None = self.decide(Question.STEP, view, options)
        return answer

    def turn_over(self, view: View, options: Sequence[bool]) -> bool:
        """Choose whether the crop circle token under the pawn is turned over."""
        answer: bool = self.decide(Question.TURN_OVER, view, options)
        return answer

    def martian(
        self, view: View, options: Sequence[tuple[Square, Square]]
    ) -> tuple[Square, Square]:
        """Choose a Martian and the square it is moved to."""
        answer: tuple[Square, Square] = self.decide(Question.MARTIAN, view, options)
        return answer

    def beam(self, view: View, options: Sequence[Square]) -> Square:
        """Choose where on the Mother Ship's tile a Martian arrives."""
        answer: Square = self.decide(Question.BEAM, view, options)
        return answer

    def card(self, view: View, options: Sequence[str | None]) -> str | None:
        """Choose a card to play now, or None."""
        answer: str | None = self.decide(Question.CARD, view, options)
        return answer

    def target(self, view: View, options: Sequence[int]) -> int:
        """Choose the seat that a card is about."""
        answer: int = self.decide(Question.TARGET, view, options)
        return answer

    def space(self, view: View, options: Sequence[Square]) -> Square:
        """Choose where a card places a Martian."""
        answer: Square = self.decide(Question.SPACE, view, options)
        return answer

    def removal(self, view: View, options: Sequence[Square]) -> Square:
        """Choose which Martian a card removes."""
        answer: Square = self.decide(Question.REMOVAL, view, options)
        return answer

    def building(self, view: View, options: Sequence[Building]) -> Building:
        """Choose the building whose face-down tokens are looked at."""
        answer: Building = self.decide(Question.BUILDING, view, options)
        return answer

    def discard(self, view: View, options: Sequence[str | None]) -> str | None:
        """Choose an event card to discard, or None."""
        answer: str | None = self.decide(Question.DISCARD, view, options)
        return answer
