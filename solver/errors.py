"""One tree of errors.

Every error that a user can cause says four things: what was wrong, where it stands (the text
with a caret under the offending letter, when there is a text), which rule it breaks, and what
to do. Each class knows the exit code of the command line and the problem type that a service
reports, so that every front door refuses in the same words.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar


class ShouldIRollError(Exception):
    """Base of every error this library raises on purpose.

    Parameters
    ----------
    what
        What was wrong, in one sentence.
    text, at
        The text that was read and the offset of the offending character in it.
    rule
        The rule that is broken, cited by the section of its sheet.
    remedy
        What to do about it.
    field
        Name of the input field at fault (``aside``, ``scores``, ...), if one is.
    """

    exit_code: ClassVar[int] = 1
    problem: ClassVar[str] = "error"

    def __init__(
        self,
        what: str,
        *,
        text: str | None = None,
        at: int | None = None,
        rule: str | None = None,
        remedy: str | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.text = text
        self.at = at
        self.rule = rule
        self.remedy = remedy
        self.field = field

    def __str__(self) -> str:
        lines = [self.what]
        if self.text is not None:
            shown = "".join(c if c.isprintable() else " " for c in self.text)  # one column each
            lines.append(f"  {shown}")
            if self.at is not None:
                lines.append("  " + " " * self.at + "^")
        if self.rule:
            lines.append(f"rule: {self.rule}")
        if self.remedy:
            lines.append(f"try: {self.remedy}")
        return "\n".join(lines)


class UsageError(ShouldIRollError):
    """The request itself is wrong: a name, an option or a value."""

    exit_code = 2
    problem = "bad-request"


class UnknownNameError(UsageError):
    """A game, objective, parameter or reading that does not exist."""

    problem = "unknown-name"


class NotationError(UsageError):
    """A text that cannot be read as dice, scores or a parameter."""

    problem = "bad-notation"


class PositionError(UsageError):
    """A position that the rules do not allow."""

    problem = "illegal-position"


class GameError(ShouldIRollError):
    """The author's rules break the protocol; the first offending state is named."""

    exit_code = 3
    problem = "bad-game"


class TooLargeError(ShouldIRollError):
    """The work does not fit the limits given; nothing was started."""

    exit_code = 4
    problem = "too-large"


class TableError(ShouldIRollError):
    """A table cannot be used; no answer is given from it."""

    exit_code = 5
    problem = "bad-table"


class MissingTableError(TableError):
    """No table of that name or for those rules is there."""

    problem = "missing-table"


class StaleTableError(TableError):
    """The table was built for other rules than the ones installed."""

    problem = "stale-table"


class CorruptTableError(TableError):
    """The bytes of the table are not the ones its manifest promises."""

    problem = "corrupt-table"


class WriteError(TableError):
    """A table could not be written; the old one is whole."""

    problem = "cannot-write"


class ProofError(ShouldIRollError):
    """A bound could not be proven; no value is returned."""

    exit_code = 6
    problem = "no-proof"


class ClusterError(ShouldIRollError):
    """A cluster cannot be reached, or died."""

    exit_code = 7
    problem = "cluster"


def unknown(
    kind: str, name: str, known: Iterable[str], *, field: str | None = None
) -> UnknownNameError:
    """Return the error for an unknown name, with the nearest known one suggested.

    Parameters
    ----------
    kind
        What the name should have been, as a singular noun (``"game"``, ``"reading of end"``).
    name
        The name that was given.
    known
        The names that exist.
    field
        The input field at fault.
    """
    choices = list(known)
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    noun, of, rest = kind.partition(" of ")
    remedy = f"{noun}s{of}{rest}: {', '.join(choices)}"
    if near:
        remedy = f"did you mean {near[0]!r}? {remedy}"
    return UnknownNameError(f"unknown {kind} {name!r}", remedy=remedy, field=field)
