"""The desk: answers questions from held tables, and starts nothing heavy.

An expanded policy table answers in well under a millisecond: such questions are answered where
they arrive. A turn solved from the values of a committed table takes tens of milliseconds: such
questions go through one lane, in a thread. A match that is in no table is refused. Which kind a
question is shows in its first answer; until then it goes through the lane.

The thread has an advisor of its own, so that no advisor is ever used by two threads; what both
read is held tables, which never change.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from solver.advisor import Advice, Advisor
from solver.apps.answers.gate import Gate, Way, seats_of
from solver.apps.answers.held import HeldTables
from solver.apps.answers.lane import Lane
from solver.apps.answers.question import Form, Question
from solver.apps.answers.refusal import NeedsSolvingError
from solver.errors import UsageError
from solver.games.protocol import Game, RoundsMatch
from solver.games.readings import rules_of
from solver.match.result import SolvedRounds

if TYPE_CHECKING:
    from solver.apps.answers.boards import BoardQuestion
    from solver.apps.answers.reviews import Reviewer

SCHEMA = 1
"""Version of the answers' form; it rises when a field changes its meaning or goes."""

_KEPT = 8192  # answers, of about 2 kB each
_TURNS = 1024  # turns solved after which their advisor forgets, for it remembers objectives
_SHAPES = 4096  # kinds of question


@dataclass(frozen=True, slots=True)
class Answer:
    """An encoded answer.

    Parameters
    ----------
    body
        The advice as JSON.
    tag
        Changes with the question, the tables and the version.
    """

    body: bytes
    tag: str


class Desk:
    """Answers questions.

    Parameters
    ----------
    tables
        Verified tables in memory.
    lane
        Where turns are solved.
    forms
        The form of each game that is asked about.
    """

    def __init__(self, tables: HeldTables, lane: Lane, forms: Mapping[str, Form]) -> None:
        self.tables = tables
        self.forms = forms
        self._lane = lane
        self._gate = Gate(tables, forms)
        self._quick = Advisor(tables)
        self._slow = Advisor(tables)
        self._turns = 0
        self._by_table: set[tuple[object, ...]] = set()
        self._matches: dict[tuple[str, int], Advisor] = {}
        self._kept: OrderedDict[Question, Answer] = OrderedDict()
        self._reviewer: Reviewer | None = None

    def known(self, question: Question) -> Answer | None:
        """Return the answer if it was given before."""
        answer = self._kept.get(question)
        if answer is not None:
            self._kept.move_to_end(question)
        return answer

    def way(self, question: Question) -> Way:
        """Return how a question is answered: from a policy table, or by solving a turn.

        Raises
        ------
        NeedsSolvingError
            If neither is enough.
        UsageError
            If the question makes no sense.
        """
        possible = self._gate.possible(question)
        return possible if _shape(question) in self._by_table else "turn"

    async def advice(self, question: Question, way: Way) -> Advice:
        """Return the advice that answers a question.

        Parameters
        ----------
        question
            What is asked.
        way
            What :meth:`way` says of it.

        Raises
        ------
        BusyError
            If too many turns wait to be solved.
        ShouldIRollError
            What the advisor refuses.
        """
        game = self._gate.game(question)
        if way == "table":
            return _advice(self._quick, game, question)
        advice = await self._lane.run(lambda: self._by_solving(game, question))
        if advice.table is not None and self.tables[advice.table].has_policy():
            if len(self._by_table) >= _SHAPES:
                self._by_table.clear()
            self._by_table.add(_shape(question))
        return advice

    def keep(self, question: Question, advice: Advice) -> Answer:
        """Return an advice encoded, and keep it for whoever asks the same."""
        body = msgspec.json.encode(advice)
        asked = self.tables.digest.encode() + msgspec.json.encode(question)
        self._kept[question] = Answer(body, hashlib.sha256(asked).hexdigest()[:24])
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return self._kept[question]

    async def answer(self, question: Question) -> Answer:
        """Return the answer to a question: known, or by whichever way.

        Raises
        ------
        ShouldIRollError
            What the advisor or the desk refuses.
        """
        known = self.known(question)
        if known is not None:
            return known
        return self.keep(question, await self.advice(question, self.way(question)))

    async def review(self, record: str) -> dict[str, Any]:
        """Return the review of a game record, as ``Review.as_dict`` has it.

        Parameters
        ----------
        record
            The record, as ``docs/reference/game-record.md`` describes.

        Raises
        ------
        BusyError
            If too much waits in the lane.
        NotationError
            If the record cannot be read or breaks the rules: with line, place and rule.
        NeedsSolvingError
            If no table is of its rules or its match.
        TooLargeError
            If it has more turns than a match has.
        """
        return await self._lane.run(lambda: self._reviewed(record))

    async def board(self, question: BoardQuestion) -> Advice:
        """Return the advice on a position on the board.

        Parameters
        ----------
        question
            What is asked.

        Raises
        ------
        BusyError
            If too much waits in the lane.
        ShouldIRollError
            What the advisor refuses, or what would take too long.
        """
        from solver.apps.answers.boards import answer_board  # noqa: PLC0415  not for the start

        return await self._lane.run(lambda: answer_board(question, self.tables, self._slow.goals))

    def solve_match(self, game: str, seats: int) -> None:
        """Solve a match of rounds once, in seconds, so that it can be asked about.

        Raises
        ------
        UsageError
            If the game has no such match.
        """
        rules = self._gate.game(Question(game, ()))  # the very game that is asked about
        if not isinstance(getattr(rules, "rounds_match", None), RoundsMatch) or not 2 <= seats <= 9:
            raise UsageError(
                f"no match of {seats} seats of {game} is solved ahead",
                remedy="games of rounds alone, such as alien-crew:2; races are tables:"
                " should-i-roll tables build",
                field="solve",
            )
        advisor = Advisor(self.tables)
        advisor(rules, None, (0,) * seats, 1, round=1)
        self._matches[game, seats] = advisor
        self._gate.matches.add((game, seats))

    def _reviewed(self, record: str) -> dict[str, Any]:
        if self._reviewer is None:
            from solver.apps.answers.reviews import Reviewer  # noqa: PLC0415  not for the start

            self._reviewer = Reviewer(self.tables, self._gate, self._solved_rounds)
        return self._reviewer(record)

    def _solved_rounds(self, game: Game, seats: int) -> SolvedRounds | None:
        advisor = self._matches.get((game.name, seats))
        official = self._gate.game(Question(game.name, ()))
        if advisor is None or rules_of(game) != rules_of(official):
            return None
        return advisor.solved_rounds(official, seats)

    def _by_solving(self, game: Game, question: Question) -> Advice:
        match = self._matches.get((question.game, seats_of(question)))
        if match is not None and self._gate.in_match(question, game):
            return _advice(match, game, question)
        self._turns += 1
        if self._turns % _TURNS == 0:
            self._slow = Advisor(self.tables)
        return _advice(self._slow, game, question)


def _shape(question: Question) -> tuple[object, ...]:
    """Return what kind of question it is: all but the dice and the points."""
    names = tuple(name for name, _ in question.told)
    return question.game, question.rules, question.objective, seats_of(question), names


def _advice(advisor: Advisor, game: Game, question: Question) -> Advice:
    told: dict[str, Any] = dict(question.told)
    told["seat"] = question.seat  # a text is read like a number
    return advisor(game, question.objective, question.scores, progress=_nothing_heavy, **told)


def _nothing_heavy(done: int, total: int) -> None:
    """Stop a match from being solved in a request, should the advisor begin to."""
    del done, total
    raise NeedsSolvingError("this would take a match to be solved, which no request starts")
