"""The page's files where they are installed, and a copy of them beside tables for a static host."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from solver.errors import UsageError, WriteError
from solver.tablebase.manifest import MANIFEST, SCHEMA, Manifest, encode
from solver.tablebase.read import Table, Tables

GAMES = ("martian-dice", "alien-crew", "martians-fights")
"""Games that the page plays: static/js/games.js has the same list."""


@dataclass(frozen=True, slots=True)
class Site:
    """A page that was exported.

    Parameters
    ----------
    directory
        Where it is.
    page_bytes, table_bytes
        Bytes of the page's own files, and of the tables beside them.
    tables
        Names of the tables.
    """

    directory: Path
    page_bytes: int
    table_bytes: int
    tables: tuple[str, ...]


def site_directory() -> Path:
    """Return the directory of the page's files; ``tables/`` must be served beside them.

    Examples
    --------
    >>> (site_directory() / "index.html").is_file()
    True
    """
    return Path(__file__).resolve().parent / "static"


def export_site(directory: Path, tables: Tables) -> Site:
    """Write the page and its tables to a directory, as plain files for any static host.

    What an earlier export wrote is replaced; the manifest, which the page reads first, last.

    Parameters
    ----------
    directory
        Where to write; made if it is missing.
    tables
        Open tables; those of the page's games are copied, each byte checked.

    Returns
    -------
    Site
        What was written.

    Raises
    ------
    UsageError
        If the directory holds something that is no page.
    WriteError
        If something could not be written.
    TableError
        If a table is damaged.
    """
    chosen = [tables[name] for name in tables.names if tables[name].entry.game in GAMES]
    try:
        _check_free(directory)
        page = 0
        for source in _files():
            target = directory / source.relative_to(site_directory())
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            page += source.stat().st_size
        copied = sum(_copy(table, directory / "tables") for table in chosen)
        manifest = Manifest(SCHEMA, {table.name: table.entry for table in chosen})
        temporary = directory / "tables" / f".{MANIFEST}.tmp"
        temporary.parent.mkdir(exist_ok=True)
        temporary.write_bytes(encode(manifest))
        temporary.replace(directory / "tables" / MANIFEST)
        _sweep(directory / "tables", chosen)
    except OSError as error:
        raise WriteError(
            f"the page could not be written to {directory}: {error.strerror or error}",
            remedy="name a folder that can be written",
        ) from error
    return Site(directory, page, copied, tuple(table.name for table in chosen))


def _files() -> list[Path]:
    return sorted(path for path in site_directory().rglob("*") if path.is_file())


def _check_free(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise UsageError(
            f"{directory} is a file",
            remedy="name a new folder, or that of an earlier export",
            field="directory",
        )
    if directory.is_dir() and any(directory.iterdir()) and not (directory / "sw.js").is_file():
        raise UsageError(
            f"{directory} is not empty, and holds no page",
            remedy="name a new folder, or that of an earlier export",
            field="directory",
        )


def _copy(table: Table, directory: Path) -> int:
    copied = 0
    for label, file in table.entry.files.items():
        table.array(label)  # checks every byte
        target = directory / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(table.directory / file.path, target)
        copied += file.bytes
    return copied


def _sweep(directory: Path, tables: list[Table]) -> None:
    """Remove tables' files that the manifest no longer names."""
    named = {directory / file.path for table in tables for file in table.entry.files.values()}
    for path in directory.glob("*/*.npy"):
        if path not in named:
            path.unlink()
