"""Games of one's own: a Python file that the user names, run in this process.

Nothing is ever looked for: no folder is searched, nothing is fetched, and a name that arrives in a
question, a record or a table is never taken for a path. The file holds one game:

* what is called ``game`` in it, if anything is: a game, or the class of one;
* else the one object in it that is a game;
* else the one class written in it that is a game's, made without arguments.

A game has a name and the methods ``start`` and ``expand``; see :mod:`solver.games.protocol`.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from solver.errors import GameError, UsageError
from solver.games.position import fields_of, match_fields_of
from solver.games.protocol import Game
from solver.games.registry import GAMES, changed, make_known
from solver.games.registry import game as game_by_name
from solver.games.where import raised_in

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_HOW = "see docs/tutorials/your-own-game.md"
_RESERVED = ("objective", "scores", "seat", "set", "tables", "json", "game", "parameters")
_loaded: dict[Path, GameFile] = {}


@dataclass(frozen=True, slots=True)
class GameFile:
    """The game of a file.

    Parameters
    ----------
    path, digest
        The file, and the SHA-256 of its content.
    game
        The game, with the parameters it has in the file.
    taken
        Which of the file's names it is: ``the class Dicey``, ``the object game``.
    """

    path: Path
    digest: str
    game: Game
    taken: str


def is_path(name: object) -> bool:
    """Return whether a name is that of a file rather than of a game.

    Examples
    --------
    >>> is_path("pig"), is_path("pig.py"), is_path("games/pig"), is_path(Path("pig"))
    (False, True, True, True)
    """
    if isinstance(name, os.PathLike):
        return True
    text = str(name)
    return text.endswith(".py") or "/" in text or os.sep in text


def game(name: str | os.PathLike[str], /, **parameters: Any) -> Game:
    """Return a game by name, or the game in a file, with parameters and readings changed.

    Parameters
    ----------
    name
        A name, or the path of a Python file; the file is run.
    **parameters
        Parameter -> value or its text (``target=40``, ``end="immediate"``).

    Returns
    -------
    Game
        The game; from now on a file's game is known by its own name too.

    Raises
    ------
    UnknownNameError
        On an unknown game, parameter or reading.
    UsageError
        If there is no such file, or on a value outside its limits.
    GameError
        If the file cannot be run, or holds no game, or several.

    Examples
    --------
    >>> game("martian-dice", target=40).race.target
    40
    """
    if not is_path(name):
        return game_by_name(str(name), **parameters)
    return changed(load(name).game, parameters)


def load(path: str | os.PathLike[str]) -> GameFile:
    """Run a file and return the game in it, which is known by its name from now on.

    A file that has not changed is not run again.

    Raises
    ------
    UsageError
        If there is no such file.
    GameError
        If it cannot be run, or holds no game, or several, or one whose name is taken.
    """
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(
            f"the game {file} cannot be read: {error.strerror}",
            remedy="name a Python file: --game path/to/my_game.py",
            field="game",
        ) from None
    digest = hashlib.sha256(content).hexdigest()
    known = _loaded.get(file.resolve())
    if known is not None and known.digest == digest:
        return known
    module = _run(file, content)
    taken, found = _taken(file, module)
    _check(file, taken, found)
    for other in _loaded.values():
        if other.game.name == found.name and other.path != file.resolve():
            raise GameError(
                f"{file} and {other.path} both hold a game called {found.name}",
                remedy="give one of them another name",
            )
    loaded = GameFile(file.resolve(), digest, found, taken)
    _loaded[loaded.path] = loaded
    make_known(found)
    return loaded


def loaded() -> tuple[GameFile, ...]:
    """Return the files whose games are known in this process."""
    return tuple(_loaded.values())


def _run(file: Path, content: bytes) -> ModuleType:
    """Return the module of a file, run."""
    try:
        tree = ast.parse(content, str(file))
        code = compile(tree, str(file.resolve()), "exec")
    except SyntaxError as error:
        raise _unreadable(file, error) from None
    except ValueError as error:  # null bytes
        raise GameError(f"{file} is no Python: {error}") from None
    _check_dicts(file, tree, content.decode("utf-8", "replace").splitlines())
    name = _module_name(file)
    module = ModuleType(name)
    module.__file__ = str(file.resolve())
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        exec(code, vars(module))  # noqa: S102  the user has named the file to be run
    except (Exception, SystemExit) as error:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        where, line = raised_in(error, str(file.resolve()))
        raise GameError(
            f"{file}{where}: {type(error).__name__}: {error}", text=line, remedy=_HOW
        ) from error
    return module


def _unreadable(file: Path, error: SyntaxError) -> GameError:
    """Return the error for a file that is no Python, with a caret where it stops being any."""
    where = f", line {error.lineno}" if error.lineno else ""
    text = (error.text or "").rstrip("\n")
    indent = len(text) - len(text.lstrip())
    if not text.strip():
        return GameError(f"{file}{where}: {error.msg}")
    at = max(0, (error.offset or 1) - 1 - indent)
    return GameError(f"{file}{where}: {error.msg}", text=text.lstrip(), at=at)


def _module_name(file: Path) -> str:
    """Return the name that a file's module has here: the same wherever the file lies, if it can."""
    plain = f"own_game_{re.sub(r'[^A-Za-z0-9]', '_', file.stem)}"
    other = getattr(sys.modules.get(plain), "__file__", None)
    if other is None or Path(other).resolve() == file.resolve():
        return plain
    return f"{plain}_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]}"


def _check_dicts(file: Path, tree: ast.AST, lines: list[str]) -> None:
    """Raise GameError if a dict names a key twice: of two actions one would be lost, unseen."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Dict):
            continue
        seen: set[Any] = set()
        for key in node.keys:
            if not isinstance(key, ast.Constant):
                continue
            if key.value in seen:
                line = lines[key.lineno - 1]
                indent = len(line) - len(line.lstrip())
                raise GameError(
                    f"{file}, line {key.lineno}: {key.value!r} is named twice",
                    text=line.strip(),
                    at=key.col_offset - indent,
                    rule="each action has a name of its own: of two alike the first is lost",
                )
            seen.add(key.value)


def _taken(file: Path, module: ModuleType) -> tuple[str, Any]:
    """Return which of a module's names is the game, and the game."""
    chosen = vars(module).get("game")
    if _plays(chosen):
        what = "class" if isinstance(chosen, type) else "object"
        return f"the {what} game", _made(file, chosen)
    public = {name: v for name, v in vars(module).items() if not name.startswith("_")}
    objects = {id(v): name for name, v in public.items() if not isinstance(v, type) and _plays(v)}
    classes = [
        v
        for v in dict.fromkeys(v for v in public.values() if isinstance(v, type))
        if v.__module__ == module.__name__ and _plays(v)
    ]
    names = list(objects.values()) or [kind.__name__ for kind in classes]
    if len(names) > 1:
        raise GameError(
            f"{file} holds several games: {', '.join(names)}",
            rule="a file holds one game",
            remedy=f"say which: a line game = {names[-1]}{'' if objects else '()'} at the end",
        )
    if objects:
        return f"the object {names[0]}", public[names[0]]
    if not classes:
        raise _no_game(file, module)
    return f"the class {names[0]}", _made(file, classes[0])


def _plays(value: Any) -> bool:
    return all(callable(getattr(value, method, None)) for method in ("start", "expand"))


def _no_game(file: Path, module: ModuleType) -> GameError:
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        has = [m for m in ("start", "expand") if callable(getattr(value, m, None))]
        if has:
            lacks = "expand" if has == ["start"] else "start"
            return GameError(
                f"{file}: {name} has a method {has[0]}, and none called {lacks}",
                rule="a game has the methods start() and expand(state)",
                remedy=_HOW,
            )
    return GameError(
        f"there is no game in {file}",
        rule="a game is a class with a name and the methods start() and expand(state)",
        remedy=_HOW,
    )


def _made(file: Path, chosen: Any) -> Any:
    if not isinstance(chosen, type):
        return chosen
    try:
        return chosen()
    except Exception as error:
        where, line = raised_in(error, str(file.resolve()))
        raise GameError(
            f"{file}{where}: {chosen.__name__}() raised {type(error).__name__}: {error}",
            text=line,
            rule="a game's class is made without arguments: parameters have defaults",
            remedy=f"or name an object: game = {chosen.__name__}(...)",
        ) from error


def _check(file: Path, taken: str, found: Any) -> None:
    """Raise GameError unless a game has a name that it can be called by, and can be looked up."""
    name = getattr(found, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise GameError(
            f"{file}: the name of {taken} is {name!r}",
            rule="a game's name is of lower-case letters, digits and dashes",
            remedy='a line name = "my-game" in the class',
        )
    if name in GAMES:
        raise GameError(
            f"{file}: there is a game called {name} already", remedy="give yours another name"
        )
    for field in (*fields_of(found), *match_fields_of(found)):
        if field.name in _RESERVED or not re.fullmatch("[a-z][a-z0-9_]*", field.name):
            raise GameError(
                f"{file}: a position cannot be told by a field {field.name!r}",
                rule=f"a field is one lower-case word, and none of {', '.join(_RESERVED)}",
            )
    try:
        hash(found)
    except TypeError:
        raise GameError(
            f"{file}: {taken} cannot be hashed",
            rule="a game with other parameters is another game: it never changes",
            remedy="@dataclass(frozen=True)",
        ) from None
