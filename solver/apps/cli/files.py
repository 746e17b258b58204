"""Files that a command reads or writes, and what is said if that fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from solver.errors import UsageError

MOST_BYTES = 10_000_000


def read_text(file: str) -> str:
    """Return the text in a file, or of standard input if its name is ``-``.

    Raises
    ------
    UsageError
        If it cannot be read, is too long, or is no text.
    """
    try:
        if file == "-":
            return sys.stdin.read()
        path = Path(file)
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{file} is too large to be a text of this kind", field="file")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}",
            remedy="the name of a file, or - for standard input",
            field="file",
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{file} is no text: byte {error.start} is not UTF-8", field="file"
        ) from None


def write_whole(file: str, content: bytes) -> None:
    """Write a file so that whoever reads it finds the old or the new one whole.

    Raises
    ------
    UsageError
        If it cannot be written.
    """
    path = Path(file)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True) if temporary.parent.is_dir() else None
        raise UsageError(
            f"{file} cannot be written: {error.strerror}",
            remedy="a file in a folder that is there",
            field="file",
        ) from None
