"""Opening tables: lazily, memory-mapped, and only if every byte is the promised one."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from solver.errors import CorruptTableError, StaleTableError, unknown
from solver.games.protocol import Game, race_of
from solver.games.readings import End, rules_of
from solver.games.source import source_digest
from solver.match.boundary import RaceValues
from solver.match.race import Mixes
from solver.match.sheet.compile import rules_digest
from solver.tablebase.locate import directories
from solver.tablebase.manifest import DataFile, Manifest, TableEntry, read_manifest, sha256_of
from solver.tablebase.mixes import SHARES, STATES, mixes_from_arrays


class Table:
    """One table. Files are checked and mapped when they are first asked for."""

    def __init__(self, name: str, entry: TableEntry, directory: Path) -> None:
        self.name = name
        self.entry = entry
        self.directory = directory
        self._arrays: dict[str, NDArray[Any]] = {}

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.bytes for file in self.entry.files.values())

    def array(self, label: str) -> NDArray[Any]:
        """Return one of the table's arrays, read-only.

        Raises
        ------
        CorruptTableError
            If the file is missing, truncated or altered.
        """
        if label not in self._arrays:
            if label not in self.entry.files:
                raise self.damaged(f"it has no {label}")
            self._arrays[label] = self._load(self.entry.files[label])
        return self._arrays[label]

    def damaged(self, what: str) -> CorruptTableError:
        """Return the error for a table that is not what it must be."""
        return CorruptTableError(
            f"the table {self.name} is damaged: {what}",
            remedy=f"should-i-roll tables build {self.name}",
        )

    def has_policy(self) -> bool:
        """Return whether the table answers without a solver."""
        return "policy-value" in self.entry.files

    def race_values(self, game: Game) -> RaceValues:
        """Return the values of all boundary states."""
        last = {
            (int(r), int(k)): np.asarray(self.array(label))
            for label in self.entry.files
            if label.startswith("last-")
            for _, r, k in [label.split("-")]
        }
        points, open_play = np.asarray(self.array("points")), np.asarray(self.array("open-play"))
        race, seats = race_of(game).in_steps, self.entry.seats
        reach = int(points.max()) + 1
        shapes = {table.shape == (*(reach,) * r, r + 2) for (r, _), table in last.items()}
        if open_play.shape != (seats, *(race.target,) * seats, seats + 2) or False in shapes:
            raise self.damaged("the shapes of its arrays are those of another race")
        tied = np.asarray(self.array("tied")) if "tied" in self.entry.files else None
        if (tied is not None) != (race.tie_round and race.end is End.ROUND) or (
            tied is not None and tied.shape != (2,)
        ):
            raise self.damaged("its ties are those of another race")
        return RaceValues(race, seats, points, open_play, last, tied)

    def mixes(self) -> Mixes:
        """Return where seats mix two turns."""
        if STATES not in self.entry.files:
            return {}
        return mixes_from_arrays({label: self.array(label) for label in (STATES, SHARES)})

    def check_identity(self, game: Game, *, thorough: bool = False) -> None:
        """Raise StaleTableError unless the table is of the installed rules of `game`.

        Parameters
        ----------
        game
            The game with the table's parameters.
        thorough
            Compile the turn even if the rules' source is the one of the build.
        """
        if not thorough and source_digest(game) == self.entry.source:
            return
        if rules_digest(game) != self.entry.graph:
            raise StaleTableError(
                f"the table {self.name} was built for other rules than the installed ones",
                remedy=f"should-i-roll tables build {self.name}",
            )

    def _load(self, file: DataFile) -> NDArray[Any]:
        path = self.directory / file.path
        try:
            size = path.stat().st_size
            if size != file.bytes:
                raise self.damaged(f"{file.path} has {size} bytes instead of {file.bytes}")
            if sha256_of(path) != file.sha256:
                raise self.damaged(f"the content of {file.path} has changed")
        except OSError as error:
            raise self.damaged(f"{file.path} cannot be read: {error}") from None
        try:
            array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
        except Exception:  # noqa: BLE001  numpy's reader raises errors of many kinds
            raise self.damaged(f"{file.path} does not begin as a file of NumPy's does") from None
        if array.dtype.str != file.dtype or array.shape != file.shape:
            raise self.damaged(f"{file.path} holds {array.dtype.str} {array.shape}")
        return array

    def close(self) -> None:
        """Let go of the mapped files."""
        self._arrays.clear()

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {self.size} bytes, in {self.directory})"


class Tables:
    """Every table within reach; the first directory that has one wins.

    Examples
    --------
    >>> with open_tables() as tables:
    ...     "martian-dice-points" in tables.names
    True
    """

    def __init__(self, found: list[tuple[Path, Manifest]]) -> None:
        self._tables: dict[str, Table] = {}
        for directory, manifest in found:
            for name, entry in manifest.tables.items():
                self._tables.setdefault(name, Table(name, entry, directory))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tables."""
        return tuple(self._tables)

    def __getitem__(self, name: str) -> Table:
        """Return a table by name.

        Raises
        ------
        UnknownNameError
            If there is none of that name.
        """
        if name not in self._tables:
            raise unknown("table", name, self._tables, field="table")
        return self._tables[name]

    def find(self, game: Game, objective: str, seats: int = 0) -> Table | None:
        """Return the table of a game's rules, objective and seats, or None.

        A turn's table answers whatever the match is; a race's only under the same rules.
        """
        turn = rules_of(game, scope="turn")
        whole = rules_of(game)
        for table in self._tables.values():
            entry = table.entry
            if (entry.game, entry.objective, entry.seats) != (game.name, objective, seats):
                continue
            wanted = turn if entry.kind == "turn" else whole
            if {key: entry.rules.get(key) for key in wanted} == wanted:
                return table
        return None

    def close(self) -> None:
        """Close all tables."""
        for table in self._tables.values():
            table.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_tables(path: str | os.PathLike[str] | None = None) -> Tables:
    """Return the tables within reach.

    Parameters
    ----------
    path
        A directory of tables: then only that one. Else the directory named by
        ``SHOULD_I_ROLL_TABLES``, the tables shipped with the package, the checkout's.

    Raises
    ------
    MissingTableError
        If a directory that was named holds no tables.
    CorruptTableError
        If a manifest cannot be read.
    """
    return Tables([(directory, read_manifest(directory)) for directory in directories(path)])
