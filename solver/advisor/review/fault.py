"""A fault in a record: first without its place in the text, then as an error with one."""

from __future__ import annotations

from solver.errors import NotationError


class Fault(Exception):  # noqa: N818  it is caught by the reader, which makes an error of it
    """What is wrong with one part of a line.

    Parameters
    ----------
    what
        What is wrong, in words.
    at
        Offset within the part; None for its beginning.
    rule, remedy
        As in :class:`solver.errors.ShouldIRollError`.
    """

    def __init__(
        self,
        what: str,
        at: int | None = None,
        *,
        rule: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what, self.at, self.rule, self.remedy = what, at or 0, rule, remedy


def placed(fault: Fault, number: int, line: str, at: int) -> NotationError:
    """Return the error for a fault.

    Parameters
    ----------
    fault
        What is wrong.
    number
        The line's number, from 1.
    line
        The line.
    at
        Where the part that is at fault begins.
    """
    return NotationError(
        f"line {number}: {fault.what}",
        text=line,
        at=min(at + fault.at, len(line)),
        rule=fault.rule,
        remedy=fault.remedy,
        field="record",
    )
