"""A match while it is played: what comes next, and the record of what was.

No input or output here: a front door asks :class:`Play` what it waits for, and tells it what was
rolled and done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from solver.advisor.review.course import Course
from solver.advisor.review.fault import Fault
from solver.advisor.review.follow import follow_turn
from solver.advisor.review.header import write_header
from solver.advisor.review.reader import ARROW
from solver.advisor.review.record import PlayedTurn
from solver.advisor.review.words import Random, TurnWords
from solver.errors import UsageError
from solver.games.protocol import Bank, Choose, Game, RoundsMatch, State, points_of
from solver.games.readings import make, rules_of

Waits = Literal["roll", "choice", "winner", "nothing"]


class Play:
    """A match of `game`, played from the start.

    Parameters
    ----------
    game
        The rules.
    seats
        Names in playing order.

    Raises
    ------
    UsageError
        If the names cannot stand in a record.

    Examples
    --------
    >>> from solver.games import game
    >>> play = Play(game("pig", target=5), ["Ann"])
    >>> play.roll("5")
    '5'
    >>> play.waits_for, play.course.scores
    ('nothing', [5])
    """

    def __init__(self, game: Game, seats: Sequence[str]) -> None:
        self.game, self.seats = game, tuple(seats)
        try:
            self._lines = [*write_header(game, seats), ""]
        except Fault as fault:
            raise UsageError(fault.what, remedy=fault.remedy, field="seats") from None
        self.course = Course(game, len(seats))
        self._winner: int | None = None
        self.last_turn: str | None = None
        self._begin()

    @property
    def waits_for(self) -> Waits:
        """What must be told next: a roll, a choice, who won a tie; or nothing: it is over."""
        if self.course.over:
            return "winner" if self._parted and self._winner is None else "nothing"
        return "roll" if self.turn.rolls else "choice"

    @property
    def _parted(self) -> bool:
        tie = str(getattr(self.course.match, "tie", "duel"))
        return len(self.course.leaders) > 1 and tie == "duel"

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats, from 0, that won or share the win; empty while the match goes on."""
        if not self.course.over:
            return ()
        return self.course.leaders if self._winner is None else (self._winner,)

    @property
    def options(self) -> Mapping[str, State]:
        """The actions at a decision, in canonical order."""
        return {} if self.course.over else self.turn.options()

    def roll(self, text: str) -> str:
        """Take what the dice show; return it in short notation.

        Raises
        ------
        UsageError
            If it cannot be read, or the dice cannot fall so; nothing has changed then.
        """
        try:
            shown = self.turn.roll(text)
        except Fault as fault:
            raise UsageError(
                fault.what, text=text, at=fault.at, rule=fault.rule, remedy=fault.remedy
            ) from None
        self._lines.append(f"  {shown}")
        self._go_on()
        return shown

    def throw(self, random: Random) -> str:
        """Roll the dice here; return what they show."""
        return self.roll(self.turn.throw(random))

    def read_action(self, word: str) -> str:
        """Return the action that a word or the number of an option stands for.

        Raises
        ------
        UsageError
            If it stands for none that is legal.
        """
        options = list(self.options)
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(options):
            return options[int(word) - 1]
        action = self.turn.action(word)
        if action not in options:
            raise UsageError(
                f"{word!r} cannot be done here", remedy=f"one of: {', '.join(options)}"
            )
        return str(action)

    def act(self, action: str) -> None:
        """Do one of the options."""
        self._write(action)
        self.turn.act(action)
        self._go_on()

    def name_winner(self, seat: int) -> None:
        """Tell which of the tied leaders, from 0, has won.

        Raises
        ------
        UsageError
            If that seat is no leader.
        """
        if seat not in self.course.leaders:
            names = " or ".join(self.seats[i] for i in self.course.leaders)
            raise UsageError("the winner is one of the tied leaders", remedy=names)
        self._winner = seat
        self._lines += ["", f"winner: {self.seats[seat]}"]

    def record(self) -> str:
        """Return the record of the match so far."""
        return "\n".join([*self._lines, ""])

    def position(self) -> PlayedTurn:
        """Return the turn that is being played, as a turn of a record."""
        course = self.course
        return PlayedTurn(
            0,
            course.seat,
            course.round,
            tuple(course.scores),
            tuple(course.stages),
            self._start,
            (),
            None,
        )

    def _begin(self) -> None:
        self.turn: TurnWords = follow_turn(self.game, self.course.beginning)
        self._start: State = self.turn.state
        self._lines.append(f"{self.seats[self.course.seat]}:")
        self._written = len(self._lines)

    def _write(self, action: str) -> None:
        word = action.replace("-", " ")
        if len(self._lines) == self._written:
            self._lines.append(f"  {ARROW} {word}")
        else:
            between = "," if ARROW in self._lines[-1] else f" {ARROW}"
            self._lines[-1] += f"{between} {word}"

    def _go_on(self) -> None:
        """Do what is forced, and end the turn if it is over."""
        while True:
            if self.turn.rolls:
                return
            expansion: Any = self.game.expand(self.turn.state)
            if isinstance(expansion, Bank):
                break
            options = self.turn.options()
            if not isinstance(expansion, Choose) or len(options) > 1:
                return
            (forced,) = options
            if forced != "stop":  # that goes without saying
                self._write(forced)
            self.turn.act(forced)
        points = points_of(self.game, expansion.outcome)
        seat = self.course.seat
        ending = self.turn.ending(expansion.outcome)
        self.last_turn = str(points) if ending is None else ending
        self.course.end_turn(expansion.outcome)
        self._lines.append(f"  = {ending or f'{points} ({self.course.scores[seat]})'}")
        if not self.course.over:
            self._begin()

    def death_round(self) -> Play:
        """Return one more full turn each for the tied leaders, as a match of its own.

        Raises
        ------
        UsageError
            If the match is not one of rounds, or nobody is tied.
        """
        if not isinstance(self.course.match, RoundsMatch) or self.waits_for != "winner":
            raise UsageError("there is no death round to play here")
        tied = self.course.leaders
        changes = {"rounds": 1, "end": "rounds"}
        rules = make(type(self.game), {**rules_of(self.game), **changes})
        more = Play(rules, [self.seats[i] for i in tied])
        more.course.stages = [self.course.stages[i] for i in tied]
        more._begin()
        return more
