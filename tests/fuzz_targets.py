"""What strangers can send: every reader of this library, as a function of bytes.

A target returns, or raises one of the library's own errors; anything else is a fault. The corpus
in ``data/fuzz`` (a file a target) is replayed with small changes by ``test_fuzz_corpus.py``;
``benchmarks/fuzz/run.py`` fuzzes a target for as long as it is given.
"""

from __future__ import annotations

import ast
import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from http_server import QUIET, ready_client

import solver
from solver.advisor.advise import _read_scores
from solver.advisor.review import read_record
from solver.apps.cli.evaluate import read_scores
from solver.apps.cli.options import read_settings, read_size
from solver.apps.http.settings import Settings
from solver.errors import ShouldIRollError
from solver.games.check import children_of
from solver.games.martians.board import read_position as read_board
from solver.games.martians.board import read_tiles
from solver.games.martians.cards.files import read_cards
from solver.games.position import fields_of, match_fields_of, read_position
from solver.games.protocol import Choose, Game
from solver.games.readings import rules_of
from solver.games.registry import GAMES, game_class
from solver.games.registry import game as game_by_name
from solver.policies.text import TextPolicy
from solver.tablebase import open_tables
from solver.tablebase.manifest import DataFile, Manifest, encode, read_manifest, sealed, sha256_of
from solver.tablebase.verify import verify_table

CORPUS = Path(__file__).parent / "data" / "fuzz"
TABLES = Path(__file__).resolve().parent.parent / "tables"
OUR_GAMES = tuple(GAMES)
"""The games by number: a byte picks one."""
HEAVY = {"zombie-dice", "farkle"}
"""Games of which a roll alone takes a second to write down."""


class Fault(Exception):  # noqa: N818  found by fuzzing, raised by no library code
    """Something that must not come out of the library."""


def guarded(target: Callable[[bytes], object]) -> Callable[[bytes], None]:
    """The target, whose only errors are faults: own errors are caught, and must be readable."""

    def call(data: bytes) -> None:
        try:
            target(data)
        except ShouldIRollError as error:
            text = str(error)
            if not error.what or "Traceback" in text or " object at 0x" in text:
                raise Fault(f"an error that says nothing: {text!r}") from error

    call.__name__, call.__doc__ = target.__name__, target.__doc__
    return call


def words(data: bytes, errors: str = "surrogateescape") -> list[str]:
    """Texts parted by zero bytes; by default as a command line brings them."""
    return [part.decode("utf-8", errors) for part in data.split(b"\0")]


def picked(data: bytes) -> tuple[str, bytes]:
    """A game by the first byte, and the rest."""
    return OUR_GAMES[data[0] % len(OUR_GAMES) if data else 0], data[1:]


@cache
def official(name: str) -> Game:
    return game_by_name(name)


# --- positions, settings, scores


def positions(data: bytes) -> None:
    """Fields of a game's positions, told as texts; then what the rules say of the position."""
    name, rest = picked(data)
    game = official(name)
    told = {}
    for field, text in zip(fields_of(game), words(rest), strict=False):
        if text:
            told[field.name] = True if field.flag else text
    position = read_position(game, told)
    for state in (position.state, *position.options.values()):
        found = game.expand(state)
        if isinstance(found, Choose) and not found.options:
            raise Fault(f"nothing can be done at {state!r}")
    if not position.options:
        raise Fault("a position without options")


def beginnings(data: bytes) -> None:
    """A beginning of a turn, and the other seat's standing."""
    name, rest = picked(data)
    game = official(name)
    texts = words(rest)
    fields = getattr(game_class(name), "beginning_fields", ())
    told = {
        f.name: True if f.flag else text for f, text in zip(fields, texts, strict=False) if text
    }
    told.pop("opponent", None)
    if told:
        game.read_beginning(**told)
    if hasattr(game, "read_opponent"):
        game.read_opponent(texts[-1])


def settings(data: bytes) -> None:
    """``--set NAME=VALUE`` texts, and the game that they make."""
    name, rest = picked(data)
    game = game_by_name(name, **read_settings(words(rest)))
    if game_by_name(name, **rules_of(game)) != game:
        raise Fault(f"{game!r} is not what its own rules make")


def sizes(data: bytes) -> None:
    """``--max-memory``."""
    for text in words(data):
        if read_size(text) < 0:
            raise Fault("less than nothing")


def scores(data: bytes) -> None:
    """``--scores``, as two commands read it."""
    text = data.decode("utf-8", "surrogateescape")
    for read in (read_scores, _read_scores):
        with contextlib.suppress(ShouldIRollError):
            if not all(type(score) is int for score in read(text)):
                raise Fault(f"{text!r} is no scores")


def standings(data: bytes) -> None:
    """Scores, seat, round, stages, opponent, objective: what advice is told besides a position.

    No match is solved: what would need that is refused by the gate of the service.
    """
    name, rest = picked(data)
    names = ("objective", "scores", "seat", *(f.name for f in match_fields_of(official(name))))
    told = {key: text for key, text in zip(names, words(rest, "replace"), strict=False) if text}
    if name in HEAVY and "scores" not in told:
        return
    answer = client().get(f"/v1/games/{name}/advice", params=told)
    checked(answer)


# --- texts and files


def policies(data: bytes) -> None:
    """A policy as a text, and what it does at the first decisions of a turn."""
    name, rest = picked(data)
    if name in HEAVY:
        return
    game = official(name)
    policy = TextPolicy.read(game, rest.decode("utf-8", "surrogateescape"))
    for state, actions in first_decisions(name):
        if policy.choose(state, actions) not in actions:
            raise Fault(f"no legal action at {state!r}")


@cache
def first_decisions(name: str) -> tuple[tuple[object, tuple[object, ...]], ...]:
    game = official(name)
    found, open_, seen = [], [game.start()], set()
    while open_ and len(found) < 12:
        state = open_.pop()
        expansion = game.expand(state)
        if isinstance(expansion, Choose):
            found.append((state, tuple(expansion.options)))
        for after in children_of(expansion)[-3:]:
            if after not in seen:
                seen.add(after)
                open_.append(after)
    return tuple(found)


def records(data: bytes) -> None:
    """The record of a game."""
    read_record(data.decode("utf-8", "surrogateescape"))


def tiles(data: bytes) -> None:
    """A file of map tiles."""
    read_tiles(data)


def boards(data: bytes) -> None:
    """A file with a position on the map."""
    read_board(data)


def cards(data: bytes) -> None:
    """A file of cards."""
    read_cards(data)


# --- tables


@cache
def small_tables(*more: str) -> Path:
    """Two small tables, and others by name, with a manifest of their own."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-tables-"))
    manifest = read_manifest(TABLES)
    names = "martians-gauntlet", "alien-crew-points", *more
    kept = {name: manifest.tables[name] for name in names}
    for entry in kept.values():
        for file in entry.files.values():
            (folder / file.path).parent.mkdir(exist_ok=True)
            shutil.copy(TABLES / file.path, folder / file.path)
    small = msgspec.structs.replace(manifest, tables=kept)
    (folder / "MANIFEST.json").write_bytes(encode(small))
    return folder


@contextlib.contextmanager
def changed_tables(data: bytes) -> Iterator[Path]:
    """A copy of the small tables, of which the data says what is changed in it.

    The first byte picks a file (the manifest often), the second says how: bytes written over, cut
    off, put in; then come places and bytes.
    """
    source = small_tables()
    files = sorted(str(p.relative_to(source)) for p in source.rglob("*") if p.is_file())
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        for file in files:
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).symlink_to(source / file)
        which = data[0] if data else 0
        victim = "MANIFEST.json" if which % 2 else files[which // 2 % len(files)]
        content = bytearray((source / victim).read_bytes())
        way = data[1] % 3 if len(data) > 1 else 1
        edits = data[2:]
        for i in range(0, len(edits), 4):
            at = int.from_bytes(edits[i : i + 3], "little") % (len(content) + 1)
            new = edits[i + 3 : i + 4]
            if way == 0:
                content[at : at + 1] = new
            elif way == 1:
                del content[at:]
            else:
                content[at:at] = new * 3
        (folder / victim).unlink()
        (folder / victim).write_bytes(bytes(content))
        yield folder


def used(folder: Path, *, verify: bool) -> None:
    """Everything that is asked of tables."""
    with open_tables(folder) as opened:
        for name in opened.names:
            table = opened[name]
            for label in table.entry.files:
                np.asarray(table.array(label)).sum()
            table.has_policy()
            table.mixes()
            if verify:
                verify_table(table)
        for name in ("alien-crew", "martians-fights"):
            solver.Advisor(opened)(name)


def tables(data: bytes) -> None:
    """Tables of which a byte or more has changed on the disk."""
    with changed_tables(data) as folder:
        used(folder, verify=False)


def forged_tables(data: bytes) -> None:
    """The same with every hash made right again: what does not fit together must be found."""
    with changed_tables(data) as folder:
        manifest = read_manifest_unsealed(folder)
        entries = {}
        for name, entry in manifest.tables.items():
            files = {label: forged(file, folder) for label, file in entry.files.items()}
            entries[name] = sealed(msgspec.structs.replace(entry, files=files))
        whole = msgspec.structs.replace(manifest, tables=entries)
        (folder / "MANIFEST.json").unlink()
        (folder / "MANIFEST.json").write_bytes(encode(whole))
        with open_tables(folder) as opened:
            for name in opened.names:
                verify_table(opened[name])


def forged(file: DataFile, folder: Path) -> DataFile:
    path = folder / file.path
    if ".." in path.parts or not path.is_file():
        return file
    return msgspec.structs.replace(file, sha256=sha256_of(path), bytes=path.stat().st_size)


def read_manifest_unsealed(folder: Path):
    try:
        return msgspec.json.decode((folder / "MANIFEST.json").read_bytes(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise solver.errors.CorruptTableError("no manifest") from None


# --- the service


@cache
def client():
    """One client of one service, for as long as the process lives."""
    settings = Settings(rate=0, tables=str(small_tables("martian-dice-points")), **QUIET)
    return contextlib.ExitStack().enter_context(ready_client(settings))


def checked(answer) -> None:
    """What every answer of the service keeps to."""
    if answer.status_code >= 500 and answer.status_code not in (501, 503):
        raise Fault(f"{answer.status_code}: {answer.text[:400]}")
    kind = answer.headers.get("content-type", "")
    if answer.status_code >= 400:
        if not kind.startswith("application/problem+json"):
            raise Fault(f"{answer.status_code} as {kind}")
        problem = answer.json()
        if problem["status"] != answer.status_code or not problem["title"]:
            raise Fault(f"a problem that says nothing: {problem}")
    elif kind.startswith("application/json"):
        json.loads(answer.content)


PATHS = (
    *(f"/v1/games/{name}/advice" for name in OUR_GAMES),
    *(f"/v1/games/{name}" for name in OUR_GAMES),
    "/v1/review",
    "/v1/batch",
    "/v1/games",
    "/v1/tables",
    "/v1/games/martians-board/advice",
)


def queries(data: bytes) -> None:
    """Any query at any address: the first byte picks the address."""
    path = PATHS[data[0] % len(PATHS)] if data else "/"
    query = bytes(b for b in data[1:2000] if 0x21 <= b <= 0x7E)
    checked(client().get(f"{path}?{query.decode('ascii')}"))


def bodies(data: bytes) -> None:
    """Any body to any address, as JSON or as text."""
    path = PATHS[data[0] % len(PATHS)] if data else "/"
    kind = "text/plain" if data[1:2] and data[1] % 4 == 0 else "application/json"
    checked(client().post(path, content=data[2:], headers={"Content-Type": kind}))


def addresses(data: bytes) -> None:
    """Any path at all."""
    path = "/" + "".join(chr(b) if 0x21 <= b <= 0x7E else f"%{b:02X}" for b in data[:300])
    server = str(client().base_url).rstrip("/")  # two slashes at the start would be another server
    answer = client().get(server + path)
    if answer.status_code < 400 or not path.startswith("/v1"):
        if answer.status_code >= 500:
            raise Fault(f"{answer.status_code} at {path!r}")
        return
    checked(answer)


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: guarded(target)
    for target in (
        positions,
        beginnings,
        settings,
        sizes,
        scores,
        standings,
        policies,
        records,
        tiles,
        boards,
        cards,
        tables,
        forged_tables,
        queries,
        bodies,
        addresses,
    )
}
"""Name -> the target, which raises nothing but what must not be."""


def seeds(name: str) -> list[bytes]:
    """The corpus of a target: a bytes literal a line."""
    lines = (CORPUS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [ast.literal_eval(line) for line in lines]
