"""Settings of the service."""

from __future__ import annotations

import msgspec

BATCH = 256
"""Most questions in a batch."""

QUERY_BYTES = 8 * 1024
BODY_BYTES = 8 * 1024
BATCH_BYTES = 64 * 1024
RECORD_BYTES = 64 * 1024
BOARD_BYTES = 64 * 1024
HEAD_BYTES = 16 * 1024
"""Most bytes of a query, of a body, of a batch, of a game record, of a position on the board, and
of a request's head."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the service runs.

    Attributes
    ----------
    tables
        Directory of tables; None for those within reach.
    rate, burst
        Questions a second that a client may ask for long, and at once; a rate of 0 is no limit.
    origins
        Origins whose pages may ask (CORS); none by default.
    log_requests, log_positions
        Whether a line is logged for each request, and whether it tells the question.
    solve
        Matches solved once after the start, (game, seats) each.
    games
        Files of games of the operator's own, each run once in every process.
    """

    tables: str | None = None
    rate: float = 100.0
    burst: float = 300.0
    origins: tuple[str, ...] = ()
    log_requests: bool = True
    log_positions: bool = False
    solve: tuple[tuple[str, int], ...] = ()
    games: tuple[str, ...] = ()
