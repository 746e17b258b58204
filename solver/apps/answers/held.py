"""Tables held in memory: read once, checked once, and from then on nobody's to change.

A mapped file follows whatever happens to it on disk: rewritten in place it would give other
numbers, truncated it would kill the process. A server therefore reads every file once, checks
the bytes it has read, and answers from them alone.
"""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import __version__
from solver.games.protocol import Game
from solver.games.registry import game as game_by_name
from solver.match.boundary import Floats, Ints, RaceValues
from solver.tablebase.locate import directories
from solver.tablebase.manifest import SCHEMA, Manifest, encode, read_manifest
from solver.tablebase.read import Table, Tables

_REMEMBERED = 4096


@dataclass(frozen=True, slots=True, eq=False)
class HeldValues(RaceValues):
    """A race's values that remember the payoffs of the boundary states asked for.

    Parameters
    ----------
    seen
        (Scores as bytes, seat) -> payoffs; emptied when it is full.
    """

    seen: dict[tuple[bytes, int], Floats] = field(default_factory=dict)

    def after(self, scores: Ints, seat: int) -> Floats:
        """Return the value vector that each outcome leads to; see the base class."""
        if len(scores) != 1:
            return RaceValues.after(self, scores, seat)
        key = (scores.tobytes(), seat)
        found = self.seen.get(key)
        if found is None:
            found = RaceValues.after(self, scores, seat)
            found.setflags(write=False)
            if len(self.seen) >= _REMEMBERED:
                self.seen.clear()
            self.seen[key] = found
        return found


class HeldTable(Table):
    """One table with all its bytes in memory.

    Attributes
    ----------
    contents
        Path of a file below the directory -> its bytes, checked against the manifest.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(table.name, table.entry, table.directory)
        self.contents: dict[str, bytes] = {}
        self._values: dict[Game, RaceValues] = {}
        self._identified: set[Game] = set()

    def hold(self, game: Game) -> None:
        """Read and check every file, and that the table is of the installed rules.

        Parameters
        ----------
        game
            The game with the table's parameters.

        Raises
        ------
        CorruptTableError
            If a file is missing, truncated or altered.
        StaleTableError
            If the table is of other rules.
        """
        for label, file in self.entry.files.items():
            try:
                content = (self.directory / file.path).read_bytes()
            except OSError as error:
                raise self.damaged(f"{file.path} cannot be read: {error.strerror}") from None
            if len(content) != file.bytes:
                raise self.damaged(f"{file.path} has {len(content)} bytes instead of {file.bytes}")
            if hashlib.sha256(content).hexdigest() != file.sha256:
                raise self.damaged(f"the content of {file.path} has changed")
            self._arrays[label] = self._parsed(file.path, content)
            if (self._arrays[label].dtype.str, self._arrays[label].shape) != (
                file.dtype,
                file.shape,
            ):
                raise self.damaged(f"{file.path} holds another array than the manifest says")
            self.contents[file.path] = content
        self.check_identity(game)

    def _parsed(self, path: str, content: bytes) -> NDArray[Any]:
        """Return the array in the bytes of a ``.npy`` file, without copying them."""
        stream = io.BytesIO(content)
        try:
            np.lib.format.read_magic(stream)
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
            array = np.frombuffer(content, dtype, offset=stream.tell())
            return array.reshape(shape, order="F" if fortran else "C")
        except (ValueError, TypeError) as error:
            raise self.damaged(f"{path} cannot be read: {error}") from None

    def array(self, label: str) -> NDArray[Any]:
        """Return one of the table's arrays, read-only.

        Raises
        ------
        CorruptTableError
            If the table has no such array.
        """
        if label not in self._arrays:
            raise self.damaged(f"it has no {label}")
        return self._arrays[label]

    def check_identity(self, game: Game, *, thorough: bool = False) -> None:
        """Raise StaleTableError unless the table is of the installed rules, checked once."""
        if thorough or game not in self._identified:
            super().check_identity(game, thorough=thorough)
            self._identified.add(game)

    def race_values(self, game: Game) -> RaceValues:
        """Return the values of all boundary states, made once for each game."""
        if game not in self._values:
            v = super().race_values(game)
            self._values[game] = HeldValues(
                v.race, v.seats, v.points, v.open_play, v.last_turns, v.tied
            )
        return self._values[game]

    def close(self) -> None:
        """Do nothing: what is held stays until the process ends."""


class HeldTables(Tables):
    """Every table within reach, in memory.

    Parameters
    ----------
    path
        A directory of tables, by default those within reach.

    Raises
    ------
    TableError
        If one is missing, damaged or stale: then none is served.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        super().__init__([(folder, read_manifest(folder)) for folder in directories(path)])
        self.held = {name: HeldTable(table) for name, table in self._tables.items()}
        self._tables = dict(self.held)
        games: dict[tuple[str, str], Game] = {}
        for table in self.held.values():
            key = table.entry.game, repr(sorted(table.entry.rules.items()))
            if key not in games:
                games[key] = game_by_name(table.entry.game, **table.entry.rules)
            table.hold(games[key])
        self.games = tuple(games.values())
        """The games, with their rules, that tables are of."""
        entries = {name: table.entry for name, table in self.held.items()}
        self.manifest = encode(Manifest(SCHEMA, entries))
        self.files = {
            path: content
            for table in self.held.values()
            for path, content in table.contents.items()
        }
        self._found: dict[tuple[Game, str, int], Table | None] = {}
        sealed = "\n".join([__version__, *sorted(entry.seal for entry in entries.values())])
        self.digest = hashlib.sha256(sealed.encode()).hexdigest()
        """Of all tables and this version: it changes when an answer could."""

    def find(self, game: Game, objective: str, seats: int = 0) -> Table | None:
        """Return the table of a game's rules, objective and seats, or None."""
        key = game, objective, seats
        if key not in self._found:
            found = super().find(game, objective, seats)
            if found is None:  # what is not there is not remembered: it may be anything
                return None
            self._found[key] = found
        return self._found[key]
