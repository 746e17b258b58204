"""A turn graph in Storm: models in floats and in rationals, and a check for each setting.

Importing this module imports stormpy.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import stormpy
from stormpy import environments

from solver.export import drn_property, drn_text, turn_model
from solver.games.protocol import Game
from solver.turn.exact import ExactValues
from solver.turn.graph import TurnGraph

FLOATS, RATIONALS = "floats", "rationals"
ROUNDING = 1e-12
ITERATED = 1e-5
"""Ten times the precision that methods which iterate are asked for: one does not keep it."""


def storm_settings() -> dict[str, tuple[str, Any, float]]:
    """Return Storm's settings by name: the model, the environment, the distance we allow."""
    settings = {
        "default settings": (FLOATS, environments.Environment(), ROUNDING),
        "sound": (FLOATS, environments.sound(), ROUNDING),
        "exact rationals": (RATIONALS, environments.exact(), 0.0),
    }
    methods = environments.MinMaxMethod
    for name, method, sound in (
        ("value iteration", methods.VALUE_ITERATION, False),
        ("sound, interval iteration", methods.INTERVAL_ITERATION, True),
        ("sound, sound value iteration", methods.SOUND_VALUE_ITERATION, True),
        ("sound, optimistic value iteration", methods.OPTIMISTIC_VALUE_ITERATION, True),
    ):
        environment = environments.sound() if sound else environments.Environment()
        environment.solver().min_max().method = method
        settings[name] = (FLOATS, environment, ITERATED)
    return settings


class Storm:
    """The turn in Storm, node by node of its graph."""

    def __init__(self, rules: Game, graph: TurnGraph, folder: Path) -> None:
        model = turn_model(rules, "points", graph=graph)
        self.root = model.initial
        self.node = {
            state: graph.node_of[label]
            for state, label in enumerate(model.labels)
            if state != model.done
        }
        decimals, fractions = folder / "decimals.drn", folder / "fractions.drn"
        begin = perf_counter()
        decimals.write_text("\n".join([*drn_text(model, fractions=False), ""]))
        self.written = perf_counter() - begin
        fractions.write_text("\n".join([*drn_text(model), ""]))
        self.builds: dict[str, Callable[[], Any]] = {
            FLOATS: lambda: stormpy.build_model_from_drn(decimals),
            RATIONALS: lambda: stormpy.build_model_from_drn[stormpy.Rational](fractions),
        }
        self.models = {name: build() for name, build in self.builds.items()}
        self.settings = storm_settings()
        (self.formula,) = stormpy.parse_properties(drn_property(model))

    def check(self, setting: str) -> Any:
        """Return Storm's result for all states."""
        model, environment, _ = self.settings[setting]
        return stormpy.model_checking(self.models[model], self.formula, environment=environment)

    def checks(self) -> dict[str, Callable[[], Any]]:
        """Return the check of each setting."""
        return {name: lambda name=name: self.check(name) for name in self.settings}

    def compare(self, setting: str, ours: ExactValues) -> dict[str, Any]:
        """Return Storm's value, distances from the exact values, and the interval it gives.

        The distance at the root is absolute; the largest over all nodes is relative to values
        above one. In rationals they are zero if all fractions are equal.
        """
        found = self.check(setting)
        values = found.get_value_vector()
        root, states = self.root, list(self.node)
        exact = {state: ours.value(node) for state, node in self.node.items()}
        if self.settings[setting][0] == RATIONALS:
            theirs = {state: Fraction(str(values[state])) for state in states}
            apart = max(abs(theirs[s] - exact[s]) / max(exact[s], 1) for s in states)
        else:
            theirs = {state: values[state] for state in states}
            own = np.array([float(exact[state]) for state in states])
            apart = (np.abs([theirs[s] for s in states] - own) / np.maximum(own, 1)).max()
        row = {
            "value": float(theirs[root]),
            "distance": float(abs(Fraction(theirs[root]) - exact[root])),
            "largest distance": float(apart),
        }
        if isinstance(theirs[root], Fraction):
            row["fraction"] = str(theirs[root])
        elif found.has_lower_bounds() and found.has_upper_bounds():
            low, high = found.get_lower_bound(root), found.get_upper_bound(root)
            outside = max(Fraction(low) - exact[root], exact[root] - Fraction(high), 0)
            row |= {"interval": (low, high), "excluded by": float(outside)}
        return row
