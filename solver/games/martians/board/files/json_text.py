"""JSON read with pointers to its faults, and written as people lay it out."""

from __future__ import annotations

import difflib
import json
import re
from typing import Any, TypeVar

import msgspec

from solver.errors import NotationError
from solver.games.martians.board.faults import misfit, pointer

T = TypeVar("T", bound=msgspec.Struct)
LARGEST = 1_000_000
"""Bytes of the largest file that is read."""
_WIDTH = 96
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<number>\d+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")


class _Twice(dict[str, Any]):
    """An object in which a name stands twice."""

    name = ""


def read_json(content: bytes | str, kind: type[T]) -> T:
    """Return the record that a JSON text holds.

    Parameters
    ----------
    content
        The file's bytes or text.
    kind
        The record's type.

    Raises
    ------
    NotationError
        On the first fault: with the line and a caret if it is no JSON, with the JSON pointer in
        the message and in ``field`` if a value is missing, unknown or of the wrong shape.
    """
    if len(content) > LARGEST:
        raise misfit("", f"more than {LARGEST} bytes", "this is no file of tiles or of a position")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        raw = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
        _check_names(raw, "")
    except UnicodeDecodeError as error:
        raise misfit("", f"byte {error.start} is no UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        line = text.split("\n")[error.lineno - 1]  # as the parser counts lines
        start = max(0, error.colno - 60)
        raise NotationError(
            f"line {error.lineno} is no JSON: {error.msg}",
            text=line[start : start + 100],
            at=error.colno - 1 - start,
            field="",
        ) from None
    except ValueError as error:
        raise misfit("", str(error), "whole numbers of a few digits") from None
    except RecursionError:
        raise misfit("", "nested too deeply", "the file has a few levels") from None
    try:
        return msgspec.convert(raw, type=kind)
    except msgspec.ValidationError as error:
        raise _explained(str(error), raw, kind) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    names = [name for name, _ in pairs]
    twice = _Twice(plain)
    twice.name = next(name for name in names if names.count(name) > 1)
    return twice


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _check_names(value: Any, at: str) -> None:
    if isinstance(value, _Twice):
        raise misfit(
            at + pointer(value.name), f"the name {value.name!r} stands twice", "keep one of the two"
        )
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_names(inner, at + pointer(name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check_names(inner, at + pointer(number))


def _explained(message: str, raw: Any, kind: type[msgspec.Struct]) -> NotationError:
    what, at, where = message.rpartition(" - at `$")
    if not at:  # the record itself; its names may hold dots and brackets
        what, where = message, ""
    parts: list[str | int] = [
        step["name"] or int(step["number"]) for step in _STEP.finditer(where.rstrip("`"))
    ]
    missing, extra = _MISSING.fullmatch(what), _UNKNOWN.fullmatch(what)
    value = raw
    try:
        for part in parts:
            value = value[part]
    except (IndexError, KeyError, TypeError):  # a name of the file's that looks like a place
        value, parts = raw, []
    schema = msgspec.json.schema(kind)
    here = _described(schema, parts)
    if missing:
        wanted = _described(schema, [*parts, missing[1]]).get("description")
        return misfit(pointer(*parts, missing[1]), "it is missing", wanted)
    if extra:
        known = list(here.get("properties", {}))
        near = difflib.get_close_matches(extra[1], known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return misfit(
            pointer(*parts, extra[1]),
            f"the name {extra[1]!r} is unknown here",
            f"{hint}names: {', '.join(known)}",
        )
    shown = json.dumps(value, ensure_ascii=False)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    expected = ": " + what[0].lower() + what[1:].replace("`", "")
    if "regex" in what or "enum" in what:
        expected = ""  # the remedy says it better
    around = [*parts]
    while around and isinstance(around[-1], int) and "description" not in here:
        around.pop()  # what an element is, its list may say
        here = _described(schema, around)
    return misfit(pointer(*parts), f"{shown} does not fit{expected}", here.get("description"))


def _described(schema: dict[str, Any], parts: list[str | int]) -> dict[str, Any]:
    """Return the part of a schema that describes what a path leads to."""

    def opened(node: dict[str, Any]) -> dict[str, Any]:
        for option in node.get("anyOf", []):
            if "$ref" in option:
                node = {
                    **option,
                    **({"description": node["description"]} if "description" in node else {}),
                }
        while "$ref" in node:
            reference = node["$ref"].rpartition("/")[2]
            above = {key: v for key, v in node.items() if key != "$ref"}
            node = {**schema["$defs"][reference], **above}
        return node

    node = opened(schema)
    for part in parts:
        if isinstance(part, str):
            node = opened(node.get("properties", {}).get(part, {}))
        else:
            listed = node.get("prefixItems", [])
            inner = listed[part] if part < len(listed) else node.get("items", {})
            node = opened(inner if isinstance(inner, dict) else {})
    return node


def json_text(value: Any) -> str:
    """Return plain values as JSON text, laid out for people, always in the same bytes.

    What fits on a line stands on one, except the file itself and the map of a tile, which keeps a
    line for each row; long lists of squares fill their lines.
    """
    return _laid_out(value, 0, "") + "\n"


def _laid_out(value: Any, indent: int, name: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    room = _WIDTH - indent - len(name) - 4
    if not isinstance(value, dict | list | tuple) or not value:
        return flat
    if indent and name != "map" and len(flat) <= room and '"map"' not in flat:
        return flat
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_laid_out(v, indent + 1, key)}" for key, v in value.items()]
        opening, closing = "{", "}"
    else:
        lines = [_laid_out(v, indent + 1, "") for v in value]
        if all(isinstance(v, list | tuple) for v in value):
            lines = _filled(lines, _WIDTH - indent - 1)
        opening, closing = "[", "]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{' ' * indent}{closing}"


def _filled(pieces: list[str], width: int) -> list[str]:
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 3 + len(piece) <= width:
            lines[-1] += ", " + piece
        else:
            lines.append(piece)
    return lines
