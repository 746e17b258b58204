"""Requests read: a query or a body becomes plain values, or is refused."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from solver.apps.answers.problem import Said
from solver.apps.http.settings import BATCH
from solver.errors import UsageError

_FIELDS = 64


class RequestError(Exception):
    """A request that cannot be read.

    Parameters
    ----------
    said
        The problem.
    """

    def __init__(self, said: Said) -> None:
        super().__init__(said.detail)
        self.said = said


def read_query(query: bytes) -> dict[str, Any]:
    """Return the fields of a query; ``set`` may come several times.

    Raises
    ------
    RequestError
        If it cannot be decoded.
    UsageError
        If another field comes twice.
    """
    if not query:
        return {}
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS
        )
    except ValueError:  # not ASCII, not UTF-8 once decoded, or too many fields
        raise RequestError(
            Said("malformed", "the query cannot be read", "name=value, UTF-8, percent-encoded")
        ) from None
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name == "set":
            values.setdefault(name, []).append(value)
        elif name in values:
            raise UsageError(f"{name[:80]} is given twice", field=name[:80])
        else:
            values[name] = value
    return values


async def read_object(request: Request, most: int) -> dict[str, Any]:
    """Return the JSON object in a body.

    Parameters
    ----------
    request
        The request.
    most
        Bytes that it may have.

    Raises
    ------
    RequestError
        If it is too long, not JSON or no object.
    """
    if _kind(request) != "application/json":
        raise RequestError(
            Said("not-json", "the body is not JSON", "Content-Type: application/json")
        )
    return _object(await _body(request, most))


async def read_text_or_object(request: Request, most: int) -> str | dict[str, Any]:
    """Return the plain text or the JSON object in a body.

    Parameters
    ----------
    request
        The request.
    most
        Bytes that it may have.

    Raises
    ------
    RequestError
        If it is too long, neither, or cannot be read.
    """
    kind = _kind(request)
    if kind not in ("text/plain", "application/json"):
        remedy = "Content-Type: text/plain, or application/json"
        raise RequestError(Said("not-text", "the body is neither plain text nor JSON", remedy))
    body = await _body(request, most)
    if kind == "application/json":
        return _object(body)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        said = Said("malformed", f"the body is not UTF-8: {error.reason} at byte {error.start}")
        raise RequestError(said) from None


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def _body(request: Request, most: int) -> bytearray:
    too_long = RequestError(Said("too-long", f"the body is longer than {most} bytes"))
    if int(request.headers.get("content-length", 0)) > most:
        raise too_long
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_long
    return body


def _object(body: bytearray) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise RequestError(Said("malformed", f"the body is not JSON: {why}")) from None
    if not isinstance(value, dict):
        raise RequestError(Said("malformed", "the body is no JSON object", '{"aside": "T2 R3"}'))
    return value


def read_batch(body: dict[str, Any]) -> list[Any]:
    """Return the questions of a batch, each still unread.

    Raises
    ------
    RequestError
        If there are none, or too many.
    UsageError
        If something else is in the body.
    """
    for name in body:
        if name != "positions":
            raise UsageError(
                f"a batch has no {name[:80]!r}", remedy="positions: a list", field=name[:80]
            )
    positions = body.get("positions")
    if not isinstance(positions, list) or not positions:
        raise UsageError("positions: a list of questions, at least one", field="positions")
    if len(positions) > BATCH:
        raise RequestError(
            Said("too-long", f"a batch holds at most {BATCH} questions, and this {len(positions)}")
        )
    return positions


def matches(header: str | None, tag: str) -> bool:
    """Return whether an ``If-None-Match`` or ``If-Range`` header names a tag (RFC 9110, 13.1).

    Examples
    --------
    >>> matches('W/"a", "b"', '"b"'), matches("*", '"b"'), matches(None, '"b"')
    (True, True, False)
    """
    if header is None:
        return False
    named = [part.strip().removeprefix("W/") for part in header.split(",")]
    return tag in named or "*" in named


def read_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Return the first and last byte that a ``Range`` header asks for, None for all.

    Several ranges at once, and what is no range, are answered with all (RFC 9110, 14.2).

    Raises
    ------
    ValueError
        If there are no such bytes.

    Examples
    --------
    >>> read_range("bytes=2-3", 10), read_range("bytes=-4", 10), read_range("bytes=7-", 10)
    ((2, 3), (6, 9), (7, 9))
    """
    unit, _, wanted = (header or "").partition("=")
    first, dash, last = wanted.strip().partition("-")
    digits = (first + last).isascii() and (first + last).isdigit() and len(wanted) <= 40
    if unit.strip().lower() != "bytes" or not dash or not digits:
        return None
    if not first:
        low, high = max(0, size - int(last)), size - 1
    else:
        low, high = int(first), min(int(last), size - 1) if last else size - 1
        if last and int(last) < low:
            return None
    if low > high or low >= size:
        raise ValueError(header)
    return low, high
