"""Connections that do not misbehave for long: heads too long, requests too slow, too many at once.

uvicorn closes connections that are idle between requests, and no others: one that sends half a
head keeps its place for ever. This protocol adds what is missing:

* a request that does not arrive in time, or is too long, is cut off;
* an answer that nobody reads is cut off;
* when there are too many connections, the one that has waited longest without a request under way
  makes room, so that somebody who only opens connections keeps nobody else out.

A timer a connection looks once a second; a request costs two clock readings.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, ClassVar

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from solver.apps.answers.problem import Said, problem_of
from solver.apps.http.settings import HEAD_BYTES

_PHRASES = {400: "Bad Request", 431: "Request Header Fields Too Large"}


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with deadlines and limits.

    Attributes
    ----------
    request_seconds
        Time for a request to arrive, from the opening of the connection or its first byte.
    reading_seconds
        Time for a client to go on reading an answer longer than what is on its way.
    most_connections
        Open connections of a process; more push out the longest idle ones.
    most_bytes
        Bytes of a request after which it is cut off; a body that is too long is refused long
        before, and what still comes of it thrown away.
    """

    request_seconds: ClassVar[float] = 10.0
    reading_seconds: ClassVar[float] = 30.0
    most_connections: ClassVar[int] = 500
    most_bytes: ClassVar[int] = 1 << 20

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin the time for the first request, and make room if there are too many."""
        self._since = time.monotonic()  # when the client's or the server's turn began
        self._partial = True  # whether a request is arriving
        self._head = True  # whether its head still is
        self._bytes = 0  # of it, but for those in one packet with what came before
        self._fresh = False  # whether it began in this packet
        self._refused = False
        self._stuck: float | None = None  # when the client stopped reading
        super().connection_made(transport)
        self._timer = self.loop.call_later(1.0, self._look)
        if len(self.connections) > self.most_connections:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop looking."""
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless the request is too long."""
        if self._refused:
            return
        self._fresh = False
        super().data_received(data)
        if self._partial and not self._fresh:
            self._bytes += len(data)
        if self._bytes > (HEAD_BYTES if self._head else self.most_bytes):
            self._refuse("head-too-long", f"the head is longer than {HEAD_BYTES} bytes")

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._since = time.monotonic()
        self._partial = self._head = True
        self._fresh = self._bytes > 0 or self.cycle is not None
        self._bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start the request, unless its head is too long."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > HEAD_BYTES:
            self._refuse("head-too-long", f"the head is longer than {HEAD_BYTES} bytes")
        if self._refused:
            return
        self._head = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the client has said all it has to say."""
        self._partial = False
        self._bytes = 0
        if not self._refused:
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Begin the time for the client to read on."""
        self._stuck = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        """End it."""
        self._stuck = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP with a problem."""
        self._head = True  # nothing of it is answered yet
        self._refuse("malformed", msg)

    @property
    def waits_since(self) -> float | None:
        """When the connection began to wait for the client; None while a request is answered."""
        return self._since if self.cycle is None or self.cycle.response_complete else None

    def _overdue(self, now: float) -> bool:
        if self._stuck is not None:
            return now - self._stuck > self.reading_seconds
        if self._partial:
            return now - self._since > self.request_seconds
        return self.waits_since is not None and now - self._since > self.timeout_keep_alive + 1.0

    def _look(self) -> None:
        if self._overdue(time.monotonic()):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(1.0, self._look)

    def _refuse(self, kind: str, what: str) -> None:
        """Answer that the request is refused, if nothing is answered yet, and hang up."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        if not self._head or self.waits_since is None:
            self.transport.abort()
            return
        problem = problem_of(Said(kind, what))
        body = msgspec.json.encode(problem)
        head = (
            f"HTTP/1.1 {problem.status} {_PHRASES[problem.status]}\r\nconnection: close\r\n"
            f"content-type: application/problem+json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _make_room(self) -> None:
        """Cut off the connection that has waited longest for its client; else this one."""
        waiting: list[tuple[float, Any]] = [
            (connection.waits_since, connection)
            for connection in self.connections
            if isinstance(connection, GuardedProtocol)
            and connection is not self
            and connection.waits_since is not None
        ]
        victim = min(waiting, key=lambda pair: pair[0])[1] if waiting else self
        victim.transport.abort()
