"""Positions on the board of Martians!!!, planned at an address."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solver.apps.answers.boards import read_board_question
from solver.apps.answers.desk import SCHEMA
from solver.apps.answers.problem import problem_of
from solver.apps.http.requests import RequestError, read_object
from solver.apps.http.routes import problem_response, refusal
from solver.apps.http.service import Service
from solver.apps.http.settings import BOARD_BYTES
from solver.errors import ShouldIRollError


class BoardRoutes:
    """Advice on positions on the board.

    Parameters
    ----------
    service
        What answers.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def post(self, request: Request) -> Response:
        """Advise on the position on the board in the body."""
        try:
            question = read_board_question(await read_object(request, BOARD_BYTES))
            advice = await self._service.board(question, request.scope["client_name"])
        except (ShouldIRollError, RequestError) as error:
            if isinstance(error, ShouldIRollError) and (error.field or "").startswith("/"):
                return self._in_the_position(error)
            return refusal(self._service, error, {})
        return Response(
            msgspec.json.encode(advice.as_dict()),
            headers={"Should-I-Roll-Schema": str(SCHEMA), "Cache-Control": "no-store"},
            media_type="application/json",
        )

    def _in_the_position(self, error: ShouldIRollError) -> Response:
        """Return the problem with a place in the position, by its JSON pointer."""
        self._service.metrics.refused.labels(error.problem).inc()
        problem = problem_of(error)
        return problem_response(
            msgspec.structs.replace(problem, pointer=f"#/position{error.field}")
        )
