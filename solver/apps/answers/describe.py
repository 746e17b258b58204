"""Games described for those who ask by machine: fields, rules, readings."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from typing import Any

from solver.apps.answers.question import COMMON
from solver.games.position import fields_of, match_fields_of
from solver.games.protocol import Game
from solver.games.readings import parameters_of, rules_of


def summary_of(game: Game) -> dict[str, Any]:
    """Return a game's name, title and the fields in which its positions are told."""
    return {
        "name": game.name,
        "title": getattr(type(game), "title", game.name),
        "position": {f.name: _field(f) for f in fields_of(game)},
        "match": {f.name: _field(f) for f in match_fields_of(game)},
        "common": COMMON,
    }


def description_of(game: Game) -> dict[str, Any]:
    """Return a game's summary, every parameter and reading, and examples of questions."""
    kind = type(game)
    return {
        **summary_of(game),
        "about": _about(kind),
        "rules": rules_of(game),
        "parameters": {
            name: _parameter(f.metadata, f.default) for name, f in parameters_of(kind).items()
        },
        "examples": list(getattr(kind, "position_examples", ())),
    }


def _about(kind: type) -> str:
    """Return what the game's module says of the rules, up to its first section."""
    text = inspect.cleandoc(getattr(inspect.getmodule(kind), "__doc__", None) or "")
    return re.split(r"\n\n[^\n]+\n-{3,}\n", text)[0]


def _field(field: Any) -> dict[str, Any]:
    return {"help": field.help, "example": field.example, "flag": field.flag}


def _parameter(about: Any, default: Any) -> dict[str, Any]:
    told: dict[str, Any] = {
        "help": about.get("help", ""),
        "default": default if type(default) is int else str(default),
        "shapes": about.get("scope", "turn"),
    }
    if about.get("at_least") is not None:
        told["at_least"] = about["at_least"]
    if about.get("at_most") is not None:
        told["at_most"] = about["at_most"]
    if isinstance(default, Enum):
        told["question"] = inspect.cleandoc(type(default).__doc__ or "")
        told["readings"] = [str(option.value) for option in type(default)]
    return told
