"""The source text of a game's rules, as a digest: equal text and parameters, equal turns.

That is what tells without compiling whether a table or a cached graph is of the installed rules.
The digest covers the module that defines the game, every module of this library that it takes
names from, and the game's parameters.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import ModuleType

from solver.games.protocol import Game
from solver.games.readings import rules_of

_RULES = ("solver.games", "solver.dice")


def source_digest(game: Game) -> str:
    """Return the digest of the source text of a game's rules, and of its turn parameters."""
    sha = hashlib.sha256(b"rules source 1\n")
    for name, module in sorted(_closure(sys.modules[type(game).__module__]).items()):
        path = getattr(module, "__file__", None)
        text = Path(path).read_bytes().replace(b"\r\n", b"\n") if path else b""
        sha.update(f"{name} {len(text)}\n".encode())
        sha.update(text)
    sha.update(repr(sorted(rules_of(game, scope="turn").items())).encode())
    return sha.hexdigest()


def _closure(module: ModuleType) -> dict[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    open_ = [module]
    while open_:
        current = open_.pop()
        if current.__name__ in found:
            continue
        found[current.__name__] = current
        for value in list(vars(current).values()):
            home = value.__name__ if isinstance(value, ModuleType) else _home(value)
            if home in sys.modules and (home.startswith(_RULES) or home == module.__name__):
                open_.append(sys.modules[home])
    return found


def _home(value: object) -> str:
    home = getattr(value, "__module__", None)
    return home if isinstance(home, str) else ""
