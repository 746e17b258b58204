"""Game records, reviewed at an address."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solver.apps.answers.desk import SCHEMA
from solver.apps.answers.question import read_record_field
from solver.apps.http.requests import RequestError, read_text_or_object
from solver.apps.http.routes import refusal
from solver.apps.http.service import Service
from solver.apps.http.settings import RECORD_BYTES
from solver.errors import ShouldIRollError


class ReviewRoutes:
    """Reviews of game records.

    Parameters
    ----------
    service
        What answers.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def post(self, request: Request) -> Response:
        """Review the game record in the body: plain text, or the field `record` of an object."""
        try:
            body = await read_text_or_object(request, RECORD_BYTES)
            text = body if isinstance(body, str) else read_record_field(body)
            review = await self._service.review(text, request.scope["client_name"])
        except (ShouldIRollError, RequestError) as error:
            return refusal(self._service, error, {})
        return Response(
            msgspec.json.encode(review),
            headers={"Should-I-Roll-Schema": str(SCHEMA), "Cache-Control": "no-store"},
            media_type="application/json",
        )
