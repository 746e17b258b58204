"""Compiled turns in the user's cache folder, so that a game is compiled once, not once a question.

A file is named by the digest of the rules' source, of the compiler's and of the parameters, and
starts with the hash of its content. Whatever does not fit is compiled again; nothing is refused.
``SHOULD_I_ROLL_CACHE`` names another folder; empty, it turns the cache off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import platformdirs

from solver.games.protocol import Game
from solver.games.source import source_digest
from solver.turn import compile as compiler
from solver.turn import graph as graph_module
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph, spelled

VARIABLE = "SHOULD_I_ROLL_CACHE"
_ARRAYS = ("points", "kind", "first", "child", "weight", "total", "probability")


class _Stored(msgspec.Struct):
    """A graph as plain values; arrays as little-endian bytes with dtype and shape."""

    game: str
    outcomes: list[Any]
    arrays: dict[str, tuple[str, list[int], bytes]]
    blocks: list[tuple[int, int, int]]
    roots: list[tuple[Any, int]]
    states: list[Any]
    nodes: bytes
    digest: str


def cached_turn(game: Game) -> TurnGraph:
    """Return the compiled turn of `game`, from the cache if it is there.

    Parameters
    ----------
    game
        The rules.

    Returns
    -------
    TurnGraph
        The same graph as :func:`solver.turn.compile.compile_turn` returns.

    Raises
    ------
    GameError, TooLargeError
        As when compiling.
    """
    folder = cache_folder()
    if folder is None:
        return compile_turn(game)
    path = folder / f"{_key(game)}.graph"
    found = _read(path)
    if found is not None:
        return found
    graph = compile_turn(game)
    _write(path, graph)
    return graph


def cache_folder() -> Path | None:
    """Return the folder of compiled turns, None if the cache is turned off."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    return Path(platformdirs.user_cache_dir("should-i-roll")) / "graphs"


def _key(game: Game) -> str:
    sha = hashlib.sha256(source_digest(game).encode())
    for module in (compiler, graph_module):
        sha.update(Path(str(module.__file__)).read_bytes())
    return sha.hexdigest()


def _read(path: Path) -> TurnGraph | None:
    try:
        whole = path.read_bytes()
        head, body = whole[:64], whole[64:]
        if hashlib.sha256(body).hexdigest().encode() != head:
            return None
        stored = msgspec.msgpack.decode(body, type=_Stored)
        arrays: dict[str, Any] = {
            name: np.frombuffer(content, dtype).reshape(shape)
            for name, (dtype, shape, content) in stored.arrays.items()
        }
        nodes = np.frombuffer(stored.nodes, "<i4").tolist()
        return TurnGraph(
            game=stored.game,
            outcomes=tuple(map(_tuple, stored.outcomes)),
            **arrays,
            blocks=tuple(stored.blocks),
            roots={_tuple(name): node for name, node in stored.roots},
            node_of=dict(zip(map(_tuple, stored.states), nodes, strict=True)),
            digest=stored.digest,
        )
    except (OSError, ValueError, TypeError, msgspec.MsgspecError):
        return None


def _write(path: Path, graph: TurnGraph) -> None:
    """Keep a graph if it can be kept: a cache that cannot be written is no error."""
    if graph.weight.dtype == object:
        return
    arrays: dict[str, tuple[str, list[int], bytes]] = {}
    for name in _ARRAYS:
        array = getattr(graph, name)
        little = array.astype(array.dtype.newbyteorder("<"))
        arrays[name] = little.dtype.str, list(little.shape), little.tobytes()
    states = list(graph.node_of)
    outcomes = list(graph.outcomes)
    stored = _Stored(
        graph.game,
        outcomes,
        arrays,
        list(graph.blocks),
        list(graph.roots.items()),
        states,
        np.array(list(graph.node_of.values()), dtype="<i4").tobytes(),
        graph.digest,
    )
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        body = msgspec.msgpack.encode(stored)
        kept = msgspec.msgpack.decode(body, type=_Stored)
        for values, read in ((states, kept.states), (outcomes, kept.outcomes)):
            if [spelled(_tuple(value)) for value in read] != [*map(spelled, values)]:
                return  # plain values do not carry these, or come back as another type
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(hashlib.sha256(body).hexdigest().encode() + body)
        temporary.replace(path)
    except (OSError, TypeError, ValueError, OverflowError):
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
