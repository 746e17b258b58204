"""The JSON Schemas of the files, made from the types that read them."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec

from solver.games.martians.board.files.records import PositionRecord, TileSetRecord

SchemaName = Literal["tiles", "position"]
_KINDS: dict[SchemaName, tuple[type[msgspec.Struct], str]] = {
    "tiles": (TileSetRecord, "Map tiles of Martians!!!"),
    "position": (PositionRecord, "A position of Martians!!! on the board"),
}


def schema(name: SchemaName) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file.

    Parameters
    ----------
    name
        ``tiles`` or ``position``.
    """
    kind, title = _KINDS[name]
    made = msgspec.json.schema(kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **made,
    }


def schema_text(name: SchemaName) -> str:
    """Return the text of the schema file ``data/NAME.schema.json``."""
    return json.dumps(schema(name), indent=1, ensure_ascii=False) + "\n"
