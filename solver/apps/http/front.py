"""What happens to every request: limit, headers, count, log, and no error without a problem."""

from __future__ import annotations

import itertools
import logging
import os
import time
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.apps.answers.problem import Problem, Said, problem_of
from solver.apps.http.limits import RateLimit, client_name
from solver.apps.http.logs import LOGGER
from solver.apps.http.metrics import Metrics
from solver.apps.http.settings import QUERY_BYTES, Settings

PROBLEM_TYPE = b"application/problem+json"

_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
_DATA_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load: its own origin's files and nothing else."""

_UNLIMITED = ("/healthz", "/readyz", "/metrics")


class Front:
    """The outermost layer of the service.

    Parameters
    ----------
    app
        What answers.
    settings, limit, metrics
        The service's.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, limit: RateLimit, metrics: Metrics
    ) -> None:
        self._app, self._settings = app, settings
        self._limit, self._metrics = limit, metrics
        self._log = logging.getLogger(LOGGER)
        self._start = os.urandom(4).hex()
        self._numbers = itertools.count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        number = f"{self._start}-{next(self._numbers)}"
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.setdefault("headers", [])
                headers.extend(_ALWAYS)
                headers.append((b"x-request-id", number.encode()))
                if not any(name == b"content-security-policy" for name, _ in headers):
                    headers.append(_DATA_POLICY)
            await send(message)

        if scope["method"] == "HEAD":  # the server leaves the body out
            scope = {**scope, "method": "GET"}
        client = client_name(scope["client"][0] if scope.get("client") else None)
        scope["client_name"] = client
        try:
            refused = self._refused(scope, client)
            if refused is not None:
                await send_problem(send_on, *refused)
            else:
                await self._app(scope, receive, send_on)
        except Exception as error:  # noqa: BLE001  whatever it is, the client gets a problem
            self._log.error("request failed", exc_info=error, extra={"fields": {"id": number}})
            if not status:
                await send_problem(send_on, _unexpected(number))
        finally:
            self._count(scope, number, status, time.perf_counter() - began)

    def _refused(self, scope: Scope, client: str) -> tuple[Problem, int | None] | None:
        if len(scope["query_string"]) > QUERY_BYTES:
            said = Said("too-long", f"the query is longer than {QUERY_BYTES} bytes")
            return problem_of(said), None
        if scope["path"] in _UNLIMITED:
            return None
        wait = self._limit.admit(client, time.monotonic())
        if not wait:
            return None
        said = Said(
            "too-many",
            "this client asks too much",
            f"ask again in {wait} s; {self._settings.rate:g} questions a second are answered",
        )
        return problem_of(said), wait

    def _count(self, scope: Scope, number: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.count(route, status, seconds)
        if not self._settings.log_requests:
            return
        fields: dict[str, Any] = {
            "id": number,
            "method": scope["method"],
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 2),
        }
        if self._settings.log_positions:
            fields["query"] = scope["query_string"].decode("latin-1")
        self._log.info("request", extra={"fields": fields})


def _unexpected(number: str) -> Problem:
    return problem_of(
        Said("error", "an unexpected error, and no fault of the request", f"report it: {number}")
    )


async def send_problem(send: Send, problem: Problem, wait: int | None = None) -> None:
    """Send a problem as the whole answer.

    Parameters
    ----------
    send
        Where to.
    problem
        What went wrong.
    wait
        Seconds for ``Retry-After``, if any.
    """
    body = msgspec.json.encode(problem)
    headers = [
        (b"content-type", PROBLEM_TYPE),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if wait is not None:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
