"""Exports: turns and small matches for other people's programs, one file a target.

A turn or a small match of two seats becomes an explicit decision process (:class:`Model`), and
that a file for Storm, a networkx graph, a Gymnasium environment; a match becomes a game of
OpenSpiel; best play becomes a table keyed by the state's own variables.

Names are loaded when they are first used: each target needs a library of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.export.drn import drn_property, drn_text
    from solver.export.gymnasium_env import ModelEnv, make_environment, register_environments
    from solver.export.matches import alone_model, match_model
    from solver.export.model import Choice, Model
    from solver.export.networks import graphml_text, node_link_text, to_networkx
    from solver.export.openspiel_game import register_games, spiel_game
    from solver.export.policies import (
        Decision,
        csv_text,
        json_text,
        match_policy,
        policy_rows,
        turn_policy,
    )
    from solver.export.turns import turn_model

_HOME = {
    "Choice": "model",
    "Decision": "policies",
    "Model": "model",
    "ModelEnv": "gymnasium_env",
    "alone_model": "matches",
    "csv_text": "policies",
    "drn_property": "drn",
    "drn_text": "drn",
    "graphml_text": "networks",
    "json_text": "policies",
    "make_environment": "gymnasium_env",
    "match_model": "matches",
    "match_policy": "policies",
    "node_link_text": "networks",
    "policy_rows": "policies",
    "register_environments": "gymnasium_env",
    "register_games": "openspiel_game",
    "spiel_game": "openspiel_game",
    "to_networkx": "networks",
    "turn_model": "turns",
    "turn_policy": "policies",
}

__all__ = [
    "Choice",
    "Decision",
    "Model",
    "ModelEnv",
    "alone_model",
    "csv_text",
    "drn_property",
    "drn_text",
    "graphml_text",
    "json_text",
    "make_environment",
    "match_model",
    "match_policy",
    "node_link_text",
    "policy_rows",
    "register_environments",
    "register_games",
    "spiel_game",
    "to_networkx",
    "turn_model",
    "turn_policy",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"solver.export.{_HOME[name]}"), name)
    raise AttributeError(f"module 'solver.export' has no attribute {name!r}")
