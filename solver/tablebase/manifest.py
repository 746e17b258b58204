"""The manifest: what tables there are, of which rules, and what their bytes must be.

One ``MANIFEST.json`` stands in a directory of tables. Data files carry a part of their hash in
their names, so that a new build never touches the files of the old one, and replacing the
manifest is the one step that switches from old to new.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec

from solver.errors import CorruptTableError, MissingTableError

SCHEMA = 1
MANIFEST = "MANIFEST.json"


class DataFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ``.npy`` file of a table: its path below the directory, and what it holds."""

    path: str
    dtype: str
    shape: tuple[int, ...]
    bytes: int
    sha256: str


class TableEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table.

    Attributes
    ----------
    kind
        ``"turn"`` (one turn, one objective), ``"race"`` (a score race for the win), ``"alone"``
        (turns to a goal; its error is a share of each value), ``"pairs"`` (a race of two to a
        goal) or ``"sheet"`` (totals of a score sheet).
    game, rules, objective, seats
        What was solved; a turn has no seats (0).
    graph
        Digest of the turn graph; of a sheet, of the graph and the compiled sheet.
    source
        Digest of the rules' source text: equal source needs no compiling to be trusted.
    exactness, error, bust_error
        How exact values and bust chances are.
    tags
        Names of the kinds of state, by number, in the first column of a state array.
    columns
        Names of the other columns.
    numbers
        The results at the start of a turn or match.
    files
        What the file is for -> the file.
    seal
        SHA-256 of the rest of the entry: see :func:`sealed`.
    """

    kind: Literal["turn", "race", "alone", "pairs", "sheet"]
    game: str
    rules: dict[str, int | str]
    objective: str
    seats: int
    graph: str
    source: str
    exactness: Literal["exact", "bounded", "equilibrium"]
    error: float
    bust_error: float
    tags: tuple[str, ...]
    columns: tuple[str, ...]
    numbers: dict[str, Any]
    files: dict[str, DataFile]
    seal: str = ""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of a directory."""

    schema: int
    tables: dict[str, TableEntry]


def read_manifest(directory: Path) -> Manifest:
    """Return the manifest of a directory.

    Raises
    ------
    MissingTableError
        If there is none.
    CorruptTableError
        If it cannot be read, is of another schema, or names a file outside the directory.
    """
    path = directory / MANIFEST
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MissingTableError(
            f"no tables at {directory}: {error.strerror or error}",
            remedy="build them: should-i-roll tables build --to DIR",
        ) from None
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptTableError(
            f"{path} is no manifest: {error}", remedy="should-i-roll tables build"
        ) from None
    if manifest.schema != SCHEMA:
        raise CorruptTableError(
            f"{path} has schema {manifest.schema}, and this version reads {SCHEMA}",
            remedy="should-i-roll tables build",
        )
    for name, entry in manifest.tables.items():
        if sealed(entry).seal != entry.seal:
            raise CorruptTableError(
                f"{path}: the entry of {name} is damaged", remedy="should-i-roll tables build"
            )
        for file in entry.files.values():
            if Path(file.path).is_absolute() or ".." in Path(file.path).parts:
                raise CorruptTableError(f"{path} names a file outside its folder: {file.path}")
    return manifest


def sealed(entry: TableEntry) -> TableEntry:
    """Return the entry with its seal, the hash of all else in it."""
    bare = msgspec.structs.replace(entry, seal="")
    digest = hashlib.sha256(msgspec.json.encode(bare, order="sorted")).hexdigest()
    return msgspec.structs.replace(bare, seal=digest)


def encode(manifest: Manifest) -> bytes:
    """Return the manifest as JSON text, the same for equal manifests."""
    ordered = msgspec.structs.replace(manifest, tables=dict(sorted(manifest.tables.items())))
    return msgspec.json.format(msgspec.json.encode(ordered), indent=1) + b"\n"


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal text."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
