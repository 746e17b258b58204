"""Why a service does not answer although the question is sound."""

from __future__ import annotations

from typing import ClassVar

from solver.errors import ShouldIRollError


class NeedsSolvingError(ShouldIRollError):
    """The answer is in no table: a match would have to be solved, which no request starts."""

    exit_code = 4
    problem = "needs-solving"


class RefusedError(ShouldIRollError):
    """Not now: ask again later.

    Attributes
    ----------
    retry_after
        Seconds after which asking again makes sense.
    """

    retry_after: ClassVar[int] = 1


class NotReadyError(RefusedError):
    """The tables are not verified yet."""

    exit_code = 5
    problem = "not-ready"


class BusyError(RefusedError):
    """Too many questions that need a turn solved are waiting."""

    exit_code = 4
    problem = "busy"
