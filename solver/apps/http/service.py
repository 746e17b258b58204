"""The service: from the start, over the verified tables, to answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from solver.advisor import Advice
from solver.apps.answers.boards import BoardQuestion
from solver.apps.answers.desk import Answer, Desk
from solver.apps.answers.held import HeldTables
from solver.apps.answers.lane import Lane
from solver.apps.answers.question import Question, all_forms
from solver.apps.answers.refusal import NotReadyError
from solver.apps.http.limits import RateLimit
from solver.apps.http.logs import LOGGER
from solver.apps.http.metrics import Metrics
from solver.apps.http.settings import Settings
from solver.errors import ShouldIRollError, TableError
from solver.games.files import load

TURN_COST = 4
"""Tokens of a question for which a turn is solved; another costs one."""

BOARD_COST = 16
"""Tokens of a position on the board, for which a movement is planned."""

REVIEW_LETTERS = 256
"""Letters of a game record that cost a token: a match of two, sixteen."""


class Service:
    """What all routes share.

    Attributes
    ----------
    settings, limit, metrics, forms
        How it runs, who may ask how much, what is counted, what may be asked.
    failure
        Why the tables could not be used, None while they can.
    when_ready
        What a process of its own does once the tables are held.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limit = RateLimit(settings.rate, settings.burst)
        self.metrics = Metrics()
        for file in settings.games:
            load(file)
        self.forms = all_forms()
        self.failure: ShouldIRollError | None = None
        self.when_ready: Callable[[], None] | None = None
        self._desk: Desk | None = None
        self._lane = Lane()
        self._log = logging.getLogger(LOGGER)

    @property
    def desk(self) -> Desk:
        """The desk that answers.

        Raises
        ------
        NotReadyError
            Before the tables are verified.
        TableError
            If they could not be.
        """
        if self._desk is None:
            if self.failure is not None:
                raise self.failure
            raise NotReadyError("the tables are being verified", remedy="ask again in a second")
        return self._desk

    def load(self) -> None:
        """Verify the tables; then the service is ready, or has failed."""
        try:
            tables = HeldTables(self.settings.tables)
        except ShouldIRollError as error:
            self.failure = error
            self._log.error("tables refused", extra={"fields": {"why": error.what}})
            return
        except Exception:  # noqa: BLE001  the service stays up and says that it is not ready
            self.failure = TableError("the tables could not be read", remedy="see the log")
            self._log.exception("tables refused")
            return
        self._desk = Desk(tables, self._lane, self.forms)
        if self.when_ready is not None:
            self.when_ready()
        self.metrics.ready.set(1)
        self._log.info("ready", extra={"fields": {"tables": len(tables.names)}})

    async def start(self) -> None:
        """Load the tables, if that is not done, then solve the matches that were asked for."""
        starting = Lane(patience=None)
        if self._desk is None:
            await starting.run(self.load)
        if self._desk is None:
            return
        desk = self._desk
        for game, seats in self.settings.solve:
            about = {"fields": {"game": game, "seats": seats}}
            try:
                await starting.run(lambda g=game, s=seats: desk.solve_match(g, s))  # type: ignore[misc]
            except Exception:  # noqa: BLE001  logged; all else is answered
                self._log.exception("match not solved", extra=about)
            else:
                self._log.info("match solved", extra=about)

    async def answer(self, question: Question, client: str) -> Answer:
        """Return the answer to a question.

        Parameters
        ----------
        question
            What is asked.
        client
            Who pays for it.

        Raises
        ------
        ShouldIRollError
            If it is refused.
        """
        desk = self.desk
        known = desk.known(question)
        if known is not None:
            self.metrics.asked(question.game, "known")
            return known
        way = desk.way(question)
        if way == "table":
            advice = await desk.advice(question, way)
        else:
            self.limit.charge(client, TURN_COST - 1)
            self.metrics.waiting.inc()
            try:
                advice = await desk.advice(question, way)
            finally:
                self.metrics.waiting.dec()
        self.metrics.asked(question.game, way)
        return desk.keep(question, advice)

    async def review(self, record: str, client: str) -> dict[str, Any]:
        """Return the review of a game record.

        Parameters
        ----------
        record
            The record.
        client
            Who pays for it.

        Raises
        ------
        ShouldIRollError
            If it is refused.
        """
        desk = self.desk
        self.limit.charge(client, len(record) / REVIEW_LETTERS)
        self.metrics.waiting.inc()
        try:
            review = await desk.review(record)
        finally:
            self.metrics.waiting.dec()
        self.metrics.reviews.labels(review["game"]).inc()
        return review

    async def board(self, question: BoardQuestion, client: str) -> Advice:
        """Return the advice on a position on the board.

        Parameters
        ----------
        question
            What is asked.
        client
            Who pays for it.

        Raises
        ------
        ShouldIRollError
            If it is refused.
        """
        desk = self.desk
        self.limit.charge(client, BOARD_COST - 1)
        self.metrics.waiting.inc()
        try:
            advice = await desk.board(question)
        finally:
            self.metrics.waiting.dec()
        self.metrics.asked(advice.game, "turn")
        return advice


async def started(service: Service) -> asyncio.Task[None]:
    """Return the task in which the service starts, already begun."""
    return asyncio.get_running_loop().create_task(service.start())
