"""Faults of a board's files: one message each, with the JSON pointer of what is at fault."""

from __future__ import annotations

from solver.errors import NotationError, PositionError


def pointer(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) of a path of names and numbers.

    Examples
    --------
    >>> pointer("players", 0, "lives")
    '/players/0/lives'
    """
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def fault(at: str, what: str, rule: str | None = None, remedy: str | None = None) -> PositionError:
    """Return the error for something that can be read and that the rules do not allow.

    Parameters
    ----------
    at
        JSON pointer of the value at fault; it becomes the error's field.
    what
        What is wrong.
    rule, remedy
        The rule, cited by section, and what to do.
    """
    return PositionError(f"{at or 'the file'}: {what}", rule=rule, remedy=remedy, field=at)


def misfit(at: str, what: str, remedy: str | None = None) -> NotationError:
    """Return the error for something that cannot be read; see :func:`fault`."""
    return NotationError(f"{at or 'the file'}: {what}", remedy=remedy, field=at)
