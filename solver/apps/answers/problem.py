"""Problems: an error as the plain values of RFC 9457, the same for every service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec

from solver.apps.answers import refusal
from solver.errors import ShouldIRollError

STATUS: dict[str, int] = {
    "bad-request": 422,
    "unknown-name": 422,
    "bad-notation": 422,
    "illegal-position": 422,
    "needs-solving": 422,
    "too-large": 422,
    "malformed": 400,
    "not-found": 404,
    "wrong-method": 405,
    "too-long": 413,
    "not-json": 415,
    "not-text": 415,
    "no-range": 416,
    "too-many": 429,
    "head-too-long": 431,
    "error": 500,
    "bad-game": 500,
    "no-proof": 500,
    "bad-table": 503,
    "missing-table": 503,
    "stale-table": 503,
    "corrupt-table": 503,
    "not-ready": 503,
    "busy": 503,
}
"""Problem type -> HTTP status."""

TITLES: dict[str, str] = {
    "bad-request": "The question itself is wrong",
    "unknown-name": "Something asked for does not exist",
    "bad-notation": "A text cannot be read",
    "illegal-position": "The rules do not allow the position",
    "needs-solving": "The answer is in no table, and no request starts solving",
    "too-large": "The work does not fit the limits",
    "malformed": "The request cannot be read",
    "not-found": "There is nothing here",
    "wrong-method": "This is not asked for in this way",
    "too-long": "The request is too long",
    "not-json": "The body is not JSON",
    "not-text": "The body is neither plain text nor JSON",
    "no-range": "There are no such bytes",
    "too-many": "Too many requests",
    "head-too-long": "The head of the request is too long",
    "error": "Something went wrong here",
    "bad-game": "The rules of the game are broken",
    "no-proof": "A bound could not be proven",
    "bad-table": "A table cannot be used",
    "missing-table": "A table is missing",
    "stale-table": "A table is of other rules",
    "corrupt-table": "A table is damaged",
    "not-ready": "The tables are not verified yet",
    "busy": "Too many turns are waiting to be solved",
}
"""Problem type -> title."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong (RFC 9457).

    Attributes
    ----------
    type
        ``/v1/problems/`` and a name; the address describes it.
    title
        The kind of problem.
    status
        The HTTP status.
    detail
        What is wrong in this request.
    field, pointer
        The field at fault, and where it is in a body (RFC 6901).
    text, at
        What was read, and the offset of the offending character in it.
    rule
        The rule that is broken.
    remedy
        What to do.
    position
        What was asked.
    """

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    pointer: str | None = None
    text: str | None = None
    at: int | None = None
    rule: str | None = None
    remedy: str | None = None
    position: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A problem that no error of the library stands for: its kind, and what is wrong."""

    problem: str
    detail: str
    remedy: str | None = None


def problem_of(
    error: ShouldIRollError | Said,
    position: Mapping[str, Any] | None = None,
    within: str = "",
) -> Problem:
    """Return an error as a problem.

    Parameters
    ----------
    error
        What went wrong.
    position
        What was asked.
    within
        JSON pointer of the question in the body (``/positions/3``).
    """
    kind = error.problem if error.problem in STATUS else "error"
    where = f"/v1/problems/{kind}"
    shown = None if position is None else dict(position)
    if isinstance(error, Said):
        return Problem(where, TITLES[kind], STATUS[kind], error.detail, remedy=error.remedy)
    pointer = f"#{within}" if within else None
    if error.field is not None:
        name = error.field.partition(" ")[0].replace("~", "~0").replace("/", "~1")
        pointer = f"#{within}/{name}"
    return Problem(
        where,
        TITLES[kind],
        STATUS[kind],
        error.what,
        error.field,
        pointer,
        error.text,
        error.at,
        error.rule,
        error.remedy,
        shown,
    )


def retry_after(error: object) -> int | None:
    """Return after how many seconds asking again makes sense, None if it does not."""
    return error.retry_after if isinstance(error, refusal.RefusedError) else None


def described(kind: str) -> dict[str, Any]:
    """Return what a problem type means.

    Raises
    ------
    KeyError
        If there is none of that name.
    """
    status = STATUS[kind]
    return {
        "type": f"/v1/problems/{kind}",
        "title": TITLES[kind],
        "status": status,
        "phrase": HTTPStatus(status).phrase,
    }
