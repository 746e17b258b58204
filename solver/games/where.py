"""Where in an author's file something went wrong: for messages that show the line."""

from __future__ import annotations

import sys
import traceback


def raised_in(error: BaseException, file: str) -> tuple[str, str | None]:
    """Return where in a file an error was raised (``, line 12``), and the line itself.

    Empty and None if it was raised elsewhere.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == file:
            return f", line {frame.lineno}", frame.line or None
    return "", None


def raised_by(error: BaseException, game: object) -> tuple[str, str | None]:
    """Return where in the file of a game's class an error was raised, as :func:`raised_in`."""
    module = sys.modules.get(type(game).__module__)
    return raised_in(error, str(getattr(module, "__file__", None) or ""))
