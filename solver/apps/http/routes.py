"""Routes: what is answered at which address."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from solver import __version__
from solver.apps.answers.describe import description_of, summary_of
from solver.apps.answers.desk import SCHEMA, Answer
from solver.apps.answers.problem import Problem, Said, described, problem_of, retry_after
from solver.apps.answers.question import Form
from solver.apps.http.metrics import CONTENT_TYPE
from solver.apps.http.requests import (
    RequestError,
    matches,
    read_batch,
    read_object,
    read_query,
    read_range,
)
from solver.apps.http.service import Service
from solver.apps.http.settings import BATCH_BYTES, BODY_BYTES
from solver.errors import ShouldIRollError, TableError, UsageError, unknown

Handler = Callable[[Request], Awaitable[Response]]

_CHUNK = 64 * 1024
_BILLION = 10**9
_BREATH = 0.005  # seconds of a batch before others have their turn
_ADVICE = {"Cache-Control": "public, max-age=60", "Should-I-Roll-Schema": str(SCHEMA)}
_FRESH = {"Cache-Control": "no-cache"}
_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable", "Accept-Ranges": "bytes"}


class AdviceRoutes:
    """Advice on positions of one game.

    Parameters
    ----------
    service
        What answers.
    form
        The game's form.
    """

    def __init__(self, service: Service, form: Form) -> None:
        self._service, self._form = service, form

    async def get(self, request: Request) -> Response:
        """Answer the question in the query."""
        values: Mapping[str, Any] = {}
        try:
            values = read_query(request.scope["query_string"])
            question = self._form.read(values, texts=True)
            answer = await self._service.answer(question, request.scope["client_name"])
        except (ShouldIRollError, RequestError) as error:
            return refusal(self._service, error, values)
        headers = {"ETag": f'"{answer.tag}"', **_ADVICE}
        if matches(request.headers.get("if-none-match"), headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return Response(answer.body, headers=headers, media_type="application/json")

    async def post(self, request: Request) -> Response:
        """Answer the question in the body."""
        values: Mapping[str, Any] = {}
        try:
            values = await read_object(request, BODY_BYTES)
            question = self._form.read(values)
            answer = await self._service.answer(question, request.scope["client_name"])
        except (ShouldIRollError, RequestError) as error:
            return refusal(self._service, error, values)
        headers = {"ETag": f'"{answer.tag}"', "Should-I-Roll-Schema": str(SCHEMA)}
        return Response(answer.body, headers=headers, media_type="application/json")

    async def batch(self, request: Request) -> Response:
        """Answer each question of a batch, with an advice or a problem."""
        try:
            positions = read_batch(await read_object(request, BATCH_BYTES))
            self._service.desk  # noqa: B018  raises if it is not ready
        except (ShouldIRollError, RequestError) as error:
            return refusal(self._service, error, {})
        client = request.scope["client_name"]
        self._service.limit.charge(client, len(positions) - 1)
        parts: list[bytes] = []
        since = time.monotonic()
        for i, values in enumerate(positions):
            parts.append(await self._part(values, client, f"/positions/{i}"))
            if time.monotonic() - since > _BREATH:
                await asyncio.sleep(0)
                since = time.monotonic()
        body = b'{"answers":[' + b",".join(parts) + b"]}"
        headers = {"Should-I-Roll-Schema": str(SCHEMA)}
        return Response(body, headers=headers, media_type="application/json")

    async def _part(self, values: Any, client: str, within: str) -> bytes:
        try:
            if not isinstance(values, dict):
                raise UsageError("a question is an object of fields")
            answer: Answer = await self._service.answer(self._form.read(values), client)
        except ShouldIRollError as error:
            shown = _echo(values) if isinstance(values, dict) else None
            problem = problem_of(error, shown, within)
            self._service.metrics.refused.labels(error.problem).inc()
            return b'{"problem":' + msgspec.json.encode(problem) + b"}"
        return b'{"advice":' + answer.body + b"}"


def refusal(
    service: Service, error: ShouldIRollError | RequestError, values: Mapping[str, Any]
) -> Response:
    """Return the problem for a question that is refused, and count it.

    Parameters
    ----------
    service
        What counts.
    error
        What is wrong.
    values
        What was asked.
    """
    if isinstance(error, RequestError):
        problem = problem_of(error.said)
    else:
        problem = problem_of(error, _echo(values) if values else None)
    service.metrics.refused.labels(problem.type.rpartition("/")[2]).inc()
    return problem_response(problem, retry_after(error))


class DataRoutes:
    """Games, tables, problem types, health and metrics.

    Parameters
    ----------
    service
        What answers.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def games(self, request: Request) -> Response:
        """List the games."""
        del request
        forms = self._service.forms
        return _json({"games": [summary_of(form.game) for form in forms.values()]}, _FRESH)

    async def game(self, request: Request) -> Response:
        """Describe one game: fields, parameters, readings."""
        name = request.path_params["game"]
        if name not in self._service.forms:
            return self.unknown_game(name)
        return _json(description_of(self._service.forms[name].game), _FRESH)

    async def no_game(self, request: Request) -> Response:
        """Refuse advice on a game that does not exist."""
        return self.unknown_game(request.path_params["game"])

    def unknown_game(self, name: str) -> Response:
        """Return the problem for a game that does not exist."""
        problem = problem_of(unknown("game", name[:80], self._service.forms, field="game"))
        return problem_response(msgspec.structs.replace(problem, status=404))

    async def tables(self, request: Request) -> Response:
        """List the tables: the manifest of all that are served."""
        try:
            held = self._service.desk.tables
        except ShouldIRollError as error:
            return problem_response(problem_of(error), retry_after(error))
        headers = {"ETag": f'"{held.digest[:24]}"', **_FRESH}
        if matches(request.headers.get("if-none-match"), headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return Response(held.manifest, headers=headers, media_type="application/json")

    async def table_file(self, request: Request) -> Response:
        """Return a file of a table, or a range of its bytes; its name carries its hash."""
        try:
            held = self._service.desk.tables
        except ShouldIRollError as error:
            return problem_response(problem_of(error), retry_after(error))
        path = f"{request.path_params['table']}/{request.path_params['file']}"
        if path not in held.files:  # a name in the manifest, never a path on the disk
            return problem_response(
                problem_of(Said("not-found", "no table has such a file", "names: GET /v1/tables"))
            )
        content = held.files[path]
        headers = {"ETag": f'"{path.split(".")[-2]}"', **_FOR_EVER}
        if matches(request.headers.get("if-none-match"), headers["ETag"]):
            return Response(status_code=304, headers=headers)
        wanted = request.headers.get("range")
        condition = request.headers.get("if-range")
        if condition is not None and not matches(condition, headers["ETag"]):
            wanted = None
        try:
            part = read_range(wanted, len(content))
        except ValueError:
            headers = {"Content-Range": f"bytes */{len(content)}", "Accept-Ranges": "bytes"}
            return problem_response(
                problem_of(Said("no-range", "the file has no such bytes")), headers=headers
            )
        low, high = part or (0, len(content) - 1)
        if part is not None:
            headers["Content-Range"] = f"bytes {low}-{high}/{len(content)}"
        headers["Content-Length"] = str(high + 1 - low)
        return StreamingResponse(
            _pieces(memoryview(content)[low : high + 1]),
            status_code=200 if part is None else 206,
            headers=headers,
            media_type="application/octet-stream",
        )

    async def problem(self, request: Request) -> Response:
        """Describe a problem type."""
        try:
            return _json(described(request.path_params["name"]), _FRESH)
        except KeyError:
            return problem_response(problem_of(Said("not-found", "there is no such problem type")))

    async def health(self, request: Request) -> Response:
        """Say that the process answers."""
        del request
        return _json({"status": "ok", "version": __version__}, {"Cache-Control": "no-store"})

    async def ready(self, request: Request) -> Response:
        """Say whether the tables are verified: hashes of all bytes, and the rules they are of."""
        del request
        try:
            tables = self._service.desk.tables
        except (ShouldIRollError, TableError) as error:
            return problem_response(problem_of(error), retry_after(error))
        told = {
            "status": "ready",
            "verified": "every byte of every table, and that they are of the installed rules",
            "tables": list(tables.names),
            "digest": tables.digest,
        }
        return _json(told, {"Cache-Control": "no-store"})

    async def metrics(self, request: Request) -> Response:
        """Return what is counted, for Prometheus."""
        del request
        return Response(self._service.metrics.page(), headers={"Content-Type": CONTENT_TYPE})


def problem_response(
    problem: Problem, wait: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a problem as a response.

    Parameters
    ----------
    problem
        What went wrong.
    wait
        Seconds for ``Retry-After``, if any.
    headers
        More headers.
    """
    more = {"Cache-Control": "no-store", **(headers or {})}
    if wait is not None:
        more["Retry-After"] = str(wait)
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        headers=more,
        media_type="application/problem+json",
    )


def _json(value: Any, headers: Mapping[str, str]) -> Response:
    return Response(msgspec.json.encode(value), headers=headers, media_type="application/json")


def _echo(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked, for the problem: texts cut, and what is no text or number left out."""
    return {
        name[:80]: value[:200] if isinstance(value, str) else value
        for name, value in values.items()
        if isinstance(value, str) or (isinstance(value, int) and abs(value) < _BILLION)
    }


async def _pieces(content: memoryview) -> AsyncIterator[memoryview]:
    for low in range(0, len(content), _CHUNK):
        yield content[low : low + _CHUNK]
