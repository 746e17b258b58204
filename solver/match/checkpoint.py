"""Finished layers on disk, so that a killed run goes on and ends with the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solver.errors import CorruptTableError, StaleTableError, WriteError
from solver.match.cells import SolvedCells
from solver.match.mixing import Mix

_HEADER = "checkpoint.json"
_VERSION = 1


class LayerStore:
    """A folder with one file for each finished layer of one race.

    Parameters
    ----------
    folder
        The folder; made if it is missing.
    identity
        What is being solved: game, rules, seats, digest of the turn graph.

    Raises
    ------
    StaleTableError
        If the folder holds layers of something else.
    WriteError
        If it cannot be written.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self._folder = folder
        wanted = {"version": _VERSION, **identity}
        header = folder / _HEADER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not header.exists():
                _replace(header, json.dumps(wanted, indent=1, sort_keys=True).encode())
            found = json.loads(header.read_text())
        except ValueError:
            found = None
        except OSError as error:
            raise WriteError(
                f"the checkpoint folder {folder} cannot be used: {error.strerror or error}",
                remedy="name a folder that can be written",
            ) from None
        if found != json.loads(json.dumps(wanted)):
            raise StaleTableError(
                f"the checkpoint in {folder} is of another game, other rules or another version",
                remedy="name another folder, or remove this one",
            )

    def read(self, number: int) -> SolvedCells | None:
        """Return a finished layer, None if there is none.

        Raises
        ------
        CorruptTableError
            If the file is not what was written.
        """
        path = self._path(number)
        if not path.exists():
            return None
        content = path.read_bytes()
        digest, body = content[:64], content[64:]
        if hashlib.sha256(body).hexdigest().encode() != digest:
            raise CorruptTableError(
                f"the checkpoint {path} is damaged", remedy="remove this file and start again"
            )
        size = int.from_bytes(body[:8], "little")
        head = json.loads(body[8 : 8 + size])
        value = np.frombuffer(body[8 + size :], dtype="<f8").reshape(head["shape"])
        mixes = {
            int(row): {int(m): Mix(*mix) for m, mix in by_seat.items()}
            for row, by_seat in head["mixes"].items()
        }
        return SolvedCells(value.copy(), int(head["turns"]), mixes)

    def write(self, number: int, layer: SolvedCells) -> None:
        """Keep a finished layer.

        Raises
        ------
        WriteError
            If it could not be written; the layers before it are whole.
        """
        mixes = {
            str(row): {str(m): [mix.share, mix.breakpoint] for m, mix in by_seat.items()}
            for row, by_seat in layer.mixes.items()
        }
        head = json.dumps({"shape": layer.value.shape, "turns": layer.turns, "mixes": mixes})
        body = len(head.encode()).to_bytes(8, "little") + head.encode()
        body += np.ascontiguousarray(layer.value, dtype="<f8").tobytes()
        try:
            _replace(self._path(number), hashlib.sha256(body).hexdigest().encode() + body)
        except OSError as error:
            raise WriteError(
                f"the checkpoint of layer {number} could not be written: {error}",
                remedy="make room: the layers before it are whole, the run goes on from there",
            ) from None

    def _path(self, number: int) -> Path:
        return self._folder / f"layer-{number:05d}.bin"


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
