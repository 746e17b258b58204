"""Where tables are: an explicit path, ``SHOULD_I_ROLL_TABLES``, the shipped copy, the checkout."""

from __future__ import annotations

import os
from pathlib import Path

from solver.errors import MissingTableError, WriteError
from solver.tablebase.manifest import MANIFEST

VARIABLE = "SHOULD_I_ROLL_TABLES"
_PACKAGE = Path(__file__).resolve().parent.parent


def directories(path: str | os.PathLike[str] | None = None) -> list[Path]:
    """Return the directories of tables to search, in order.

    Parameters
    ----------
    path
        An explicit directory: then only this one.

    Raises
    ------
    MissingTableError
        If an explicit directory, or the one in the environment, has no manifest.
    """
    if path is not None:
        return [_existing(Path(path), "the folder given")]
    found = []
    named = os.environ.get(VARIABLE)
    if named:
        found.append(_existing(Path(named), f"the folder in {VARIABLE}"))
    found.extend(d for d in (_PACKAGE / "_tables", checkout()) if d and (d / MANIFEST).is_file())
    return found


def checkout() -> Path | None:
    """Return the ``tables`` folder of the checkout that is running, if one is."""
    root = _PACKAGE.parent
    return root / "tables" if (root / "pyproject.toml").is_file() else None


def build_directory(path: str | os.PathLike[str] | None = None) -> Path:
    """Return the directory in which tables are built.

    Raises
    ------
    WriteError
        If none is given and this is no checkout: installed tables are read-only.
    """
    if path is not None:
        return Path(path)
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
    found = checkout()
    if found is None:
        raise WriteError(
            "the installed tables are read-only",
            remedy=f"name a folder: should-i-roll tables build --to DIR, or set {VARIABLE}",
        )
    return found


def _existing(directory: Path, what: str) -> Path:
    if not (directory / MANIFEST).is_file():
        raise MissingTableError(
            f"{what}, {directory}, holds no tables",
            remedy=f"build them: should-i-roll tables build --to {directory}",
        )
    return directory
