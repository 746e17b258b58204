"""Game records: a match in plain text, read and replayed under its rules.

The form is documented in ``docs/reference/game-record.md``::

    game: martian-dice
    seats: Ann, Bob

    Ann:
      T2 R3 H4 C2 K2 -> humans, roll
      T1 R2 C3 H1 -> death rays, stop
      = 4

A line holds what was rolled and what was done with it. Everything is checked against the rules
as it is read: the first thing they do not allow ends the reading with its line and place.
"""

from __future__ import annotations

from solver.advisor.review.course import Course
from solver.advisor.review.fault import Fault, placed
from solver.advisor.review.follow import follow_turn
from solver.advisor.review.header import Header, HeaderReader
from solver.advisor.review.record import PlayedTurn, Record, Step
from solver.advisor.review.words import TurnWords
from solver.errors import TooLargeError
from solver.games.notation import whole_number
from solver.games.protocol import Bank, Game, Outcome, State, points_of

MOST_CHARACTERS = 2_000_000
ARROW = "->"


def read_record(text: str) -> Record:
    """Return the record that a text holds.

    Parameters
    ----------
    text
        The whole record.

    Raises
    ------
    NotationError
        On the first thing that cannot be read or that the rules do not allow: with the number
        of the line, the place in it, and the rule.
    TooLargeError
        If the text is longer than any match.
    """
    if len(text) > MOST_CHARACTERS:
        raise TooLargeError(
            f"a record of {len(text)} characters is too long",
            remedy=f"at most {MOST_CHARACTERS} characters, one match a record",
            field="record",
        )
    head = HeaderReader()
    reader: _Reader | None = None
    number, line = 0, ""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        body = line.partition("#")[0].rstrip()
        if not body.strip():
            continue
        at = len(body) - len(body.lstrip())
        key, colon, rest = body.partition(":")
        try:
            if reader is None and colon and rest.strip():
                head.check(key.strip().lower())
                at = len(key) + 1
                head.read(key.strip().lower(), rest)
                continue
            if reader is None:
                at = 0
                reader = _Reader(head.finish())
                at = len(body) - len(body.lstrip())
            at = reader.read(number, body, at)
        except Fault as fault:
            place = at if reader is None else reader.at(at)
            raise placed(fault, number, line, place) from None
    try:
        reader = _Reader(head.finish()) if reader is None else reader
    except Fault as fault:
        raise placed(fault, number, line, 0) from None
    return reader.record()


class _Reader:
    """Replays the turns of a record."""

    def __init__(self, head: Header) -> None:
        self.head = head
        self.course = Course(head.game, len(head.seats))
        self.turns: list[PlayedTurn] = []
        self.turn: TurnWords | None = None
        self.steps: list[Step] = []
        self.begun: tuple[int, State] = (0, None)
        self.ended = False
        self.winner: int | None = None
        self._at: int | None = None

    def at(self, line_at: int) -> int:
        """Return where the part that was read last begins."""
        return line_at if self._at is None else self._at

    def read(self, number: int, body: str, at: int) -> int:
        """Read one line; return where it begins."""
        self._at = at
        text = body.strip()
        if text.lower().startswith("winner:"):
            self._at = body.index(":") + 1
            self._named_winner(body[self._at :])
        elif text.startswith("="):
            self._score(body)
        elif text.endswith(":"):
            self._begin(number, text[:-1].strip())
        elif ":" in text and self.turn is None:
            raise Fault(
                "the head of a record stands before the first turn",
                remedy="a turn begins with the name of its seat and a colon, on a line of its own",
            )
        else:
            self._roll(number, body)
        return at

    def _begin(self, number: int, name: str) -> None:
        names = [seat.lower() for seat in self.head.seats]
        if name.lower() not in names:
            raise Fault(
                f"no seat is called {name!r}", remedy=f"seats: {', '.join(self.head.seats)}"
            )
        self._close("before the next turn")
        if self.course.over:
            raise Fault("the match is over: no turn is left", rule=self.course.why_over())
        on_turn = self.course.seat
        if names.index(name.lower()) != on_turn:
            raise Fault(
                f"{self.head.seats[on_turn]} is on turn, not {name}",
                rule="turns go round in the order of the seats",
            )
        self.turn = follow_turn(self.head.game, self.course.beginning)
        self.begun = number, self.turn.state
        self.steps, self.ended = [], False

    def _roll(self, number: int, body: str) -> None:
        if self.turn is None:
            raise Fault(
                "this is no line of a record before the first turn",
                remedy=f"a turn begins with the name of its seat: {self.head.seats[0]}:",
            )
        dice, arrow, done = body.partition(ARROW)
        if dice.strip():
            self._settle(self.turn.goes_on, number, then="dice are rolled")
            if not self.turn.rolls:
                what = "something must be decided first" if not self._over() else "the turn is over"
                raise Fault(f"no dice can be rolled here: {what}", remedy=self._remedy())
            before, told = self.turn.state, self.turn.told()
            self._at = len(dice) - len(dice.lstrip())
            shown = self.turn.roll(dice.strip())
            self.steps.append(Step(number, "dice", shown, before, self.turn.state, {}, told))
        at = len(dice) + len(ARROW)
        for part in done.split(",") if arrow else ():
            self._at = at + len(part) - len(part.lstrip())
            self._act(number, part)
            at += len(part) + 1

    def _act(self, number: int, part: str) -> None:
        assert self.turn is not None
        word = part.strip()
        if not word:
            raise Fault("what was done is missing", remedy=self._remedy())
        action = self.turn.action(word)
        while not (self.turn.rolls or self._over()):
            options = self.turn.options()
            if action in options:
                self._take(number, str(action))
                return
            if len(options) > 1 or not str(action).startswith(("roll", "stop")):
                break
            self._take(number, next(iter(options)))  # forced, and not written down
        if action == ("roll" if self.turn.rolls else "stop") and not self.turn.options():
            return  # there is no choice, and it says so
        if self._over():
            raise Fault(
                f"the turn is over: {word!r} cannot be done", rule=_turn_over(self.head.game)
            )
        if self.turn.rolls:
            raise Fault(f"nothing is decided here: {word!r} cannot be done", remedy="roll the dice")
        raise Fault(
            f"{word!r} cannot be done here",
            rule=_deciding(self.head.game),
            remedy=self._remedy(),
        )

    def _take(self, number: int, action: str) -> None:
        assert self.turn is not None
        before, told, options = self.turn.state, self.turn.told(), self.turn.options()
        self.turn.act(action)
        self.steps.append(Step(number, "choice", action, before, self.turn.state, options, told))

    def _settle(self, action: str, number: int, then: str) -> None:
        """Do what goes without saying: what is forced, or what the next line shows was done."""
        while self.turn is not None and (options := self.turn.options()):
            if len(options) == 1:
                self._take(number, next(iter(options)))
            elif action in options:
                self._take(number, action)
            else:
                raise Fault(f"a decision is missing before {then}", remedy=self._remedy())

    def _score(self, body: str) -> None:
        if self.turn is None:
            raise Fault("a score without a turn")
        self._settle("stop", self.steps[-1].line if self.steps else self.begun[0], "the score")
        expansion = self._over()
        if expansion is None:
            raise Fault(
                "the turn is not over: dice must be rolled", remedy="the roll that is missing"
            )
        if self.ended:
            raise Fault("the score is told twice")
        self.ended = True
        ending = self.turn.ending(expansion.outcome)
        if ending is not None:
            self._ended_as(body, ending, points_of(self.head.game, expansion.outcome))
            return
        told, _, total = body.partition("=")[2].partition("(")
        points = points_of(self.head.game, expansion.outcome)
        self._number(told, body.index("=") + 1, points, "the turn brings")
        if total:
            score = self.course.scores[self.course.seat] + points
            self._number(total.rstrip(" )"), body.index("(") + 1, score, "the score is then")

    def _ended_as(self, body: str, ending: str, points: int) -> None:
        """Check what a turn has ended with, told in words or by its points alone."""
        self._at = body.index("=") + 1
        told = body[self._at :]
        self._at += len(told) - len(told.lstrip())
        shown = " ".join(told.lower().split())
        if shown not in (ending.lower(), str(points)):
            raise Fault(
                f"the turn ends with {ending}, not {told.strip() or 'nothing'}",
                rule=_scoring(self.head.game),
                remedy=f"= {ending}; or = {points}",
            )

    def _number(self, text: str, at: int, right: int, what: str) -> None:
        self._at = at + len(text) - len(text.lstrip())
        found = whole_number(text)
        if found is None:
            raise Fault("a score is a whole number", remedy="= 5, or with the total: = 5 (12)")
        if found != right:
            raise Fault(f"{what} {right}, not {found}", rule=_scoring(self.head.game))

    def _named_winner(self, text: str) -> None:
        self._at = (self._at or 0) + len(text) - len(text.lstrip())
        names = [seat.lower() for seat in self.head.seats]
        name = text.strip()
        if name.lower() not in names:
            raise Fault(
                f"no seat is called {name!r}", remedy=f"seats: {', '.join(self.head.seats)}"
            )
        self._close("before the winner is named")
        if not self.course.over:
            raise Fault("nobody has won: the match is not over", rule=self.course.why_over())
        found = names.index(name.lower())
        if found not in self.course.leaders:
            best = " and ".join(self.head.seats[i] for i in self.course.leaders)
            raise Fault(f"{name} has not won: {best} lead", rule=self.course.why_over())
        if len(self.course.leaders) > 1 and str(getattr(self.course.match, "tie", "")) == "shared":
            raise Fault(
                "nobody wins alone: the leaders are tied", rule="tie=shared: the win is split"
            )
        if self.winner is not None:
            raise Fault("the winner is named twice")
        self.winner = found

    def _close(self, when: str) -> None:
        """End the turn that is being read, if there is one."""
        if self.turn is None:
            return
        last = self.steps[-1].line if self.steps else self.begun[0]
        self._settle("stop", last, then=when)
        expansion = self._over()
        if expansion is None:
            name = self.head.seats[self.course.seat]
            raise Fault(f"{name}'s turn is not over {when}", remedy=self._remedy())
        self._add(expansion.outcome)
        self.course.end_turn(expansion.outcome)
        self.turn = None

    def _add(self, outcome: Outcome | None) -> None:
        course = self.course
        self.turns.append(
            PlayedTurn(
                self.begun[0],
                course.seat,
                course.round,
                tuple(course.scores),
                tuple(course.stages),
                self.begun[1],
                tuple(self.steps),
                outcome,
            )
        )

    def _over(self) -> Bank | None:
        """Return how the turn has ended; None if it has not."""
        assert self.turn is not None
        if self.turn.rolls:
            return None
        expansion = self.head.game.expand(self.turn.state)
        return expansion if isinstance(expansion, Bank) else None

    def _remedy(self) -> str:
        assert self.turn is not None
        options = self.turn.options()
        if options:
            return f"one of: {', '.join(options)}"
        if self.turn.rolls:
            dice = self.turn.dice
            return f"what the {dice} dice show" if dice > 1 else f"the next line: {self.turn.asks}"
        return "a new turn begins with the name of its seat and a colon"

    def record(self) -> Record:
        """Return what was read; the last turn may be unfinished."""
        if self.turn is not None:
            if self._over() or set(self.turn.options()) == {"stop"}:
                self._close("at the end")
            else:
                self._add(None)
        course = self.course
        return Record(
            self.head.game,
            self.head.seats,
            tuple(self.turns),
            tuple(course.scores),
            tuple(course.stages),
            course.over,
            course.leaders,
            self.winner,
        )


def _turn_over(game: Game) -> str:
    if game.name == "martian-dice":
        return "On Your Turn, step 3: if nothing can be set aside, the turn is over"
    return f"the rules of {game.name}: the turn ends there"


def _deciding(game: Game) -> str | None:
    return {
        "martian-dice": "On Your Turn, step 3: one type other than tanks that the roll shows; a"
        " species only once a turn",
        "martians": "Combat Rules: spend the bullets that a losing roll is short by, or forfeit a"
        " life token; between fights, fight on or stop",
        "martians-fights": "Combat Rules: spend the bullets that a losing roll is short by, or"
        " forfeit a life token",
        "alien-crew": "the sheet on the crew: one or both dice may be rolled again while throws"
        " are left",
    }.get(game.name)


def _scoring(game: Game) -> str:
    return {
        "martian-dice": "Scoring: nothing with more tanks than death rays; else each earthling,"
        " and the bonus for all three species",
        "alien-crew": "the sheet on the crew: its dice are what a turn counts, with the whole trio",
        "pig": "a 1 loses the turn's points, any other face adds to them",
        "martians": "Combat Rules: each fight won is a Martian; a death loses half, rounded up, and"
        " leaves three tokens of each kind",
        "martians-fights": "Combat Rules: each fight won is a Martian",
    }.get(game.name, f"the rules of {game.name}")
