"""Writing a table so that a killed build leaves the old one whole.

Data files are written under names that carry their hash, flushed to disk, and only then does a
new manifest replace the old in one step. What the new manifest no longer names is swept last.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from solver.errors import CorruptTableError, MissingTableError, WriteError
from solver.tablebase.manifest import (
    MANIFEST,
    SCHEMA,
    DataFile,
    Manifest,
    TableEntry,
    encode,
    read_manifest,
    sealed,
)


def write_table(
    directory: Path, name: str, entry: TableEntry, arrays: Mapping[str, NDArray[Any]]
) -> TableEntry:
    """Write a table and put it in the directory's manifest.

    Parameters
    ----------
    directory
        Directory of tables; made if it is missing.
    name
        Name of the table.
    entry
        The entry, its files still missing.
    arrays
        What a file is for -> the array.

    Returns
    -------
    TableEntry
        The entry with its files.

    Raises
    ------
    WriteError
        If something could not be written; what was there before is untouched.
    """
    try:
        folder = directory / name
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(directory / ".lock", timeout=60):
            try:
                files = {
                    label: _write_array(directory, name, label, array)
                    for label, array in arrays.items()
                }
                entry = sealed(msgspec.structs.replace(entry, files=files))
                tables = {**_current(directory).tables, name: entry}
                _replace(directory / MANIFEST, encode(Manifest(SCHEMA, tables)))
            finally:
                _sweep(directory, name)
    except (OSError, Timeout) as error:
        raise WriteError(
            f"the table {name} could not be written to {directory}: {error}",
            remedy="the old table, if there was one, is whole; make room or name another folder"
            " with --to",
        ) from error
    return entry


def _write_array(directory: Path, name: str, label: str, array: NDArray[Any]) -> DataFile:
    little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, little, version=(1, 0), allow_pickle=False)
    content = buffer.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    path = directory / name / f"{label}.{digest[:12]}.npy"
    if not path.exists() or path.read_bytes() != content:
        _replace(path, content)
    return DataFile(f"{name}/{path.name}", little.dtype.str, little.shape, len(content), digest)


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def _current(directory: Path) -> Manifest:
    try:
        return read_manifest(directory)
    except (MissingTableError, CorruptTableError):
        return Manifest(SCHEMA, {})


def _sweep(directory: Path, name: str) -> None:
    """Remove what the manifest on disk does not name, whichever build left it there."""
    entry = _current(directory).tables.get(name)
    named = set() if entry is None else {Path(file.path).name for file in entry.files.values()}
    for path in (directory / name).iterdir():
        if path.name not in named:
            path.unlink()
    for path in directory.glob(f".{MANIFEST}.*.tmp"):
        path.unlink()
