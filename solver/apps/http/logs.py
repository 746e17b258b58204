"""Logs: a line of JSON each, without positions and addresses unless asked for."""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import Any

import msgspec

LOGGER = "should-i-roll"


class JsonLines(logging.Formatter):
    """A record as one line of JSON; what a record has under ``fields`` stands beside it."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["at"] = places(record.exc_info[2])
        return msgspec.json.encode(line).decode()


def places(trace: TracebackType | None) -> list[str]:
    """Return where an error came through; its message, which may tell a position, is left out."""
    return [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(trace)[-8:]]


def configure() -> None:
    """Send the logs of the service and of uvicorn to the standard error, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in (LOGGER, "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False
