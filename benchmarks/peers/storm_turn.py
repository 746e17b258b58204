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
from drn import PROPERTY, write_drn
from stormpy import environments

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
    """The turn in Storm."""

    def __init__(self, graph: TurnGraph, folder: Path) -> None:
        self.graph = graph
        decimals, fractions = folder / "decimals.drn", folder / "fractions.drn"
        begin = perf_counter()
        write_drn(graph, decimals, fractions=False)
        self.written = perf_counter() - begin
        write_drn(graph, fractions, fractions=True)
        self.builds: dict[str, Callable[[], Any]] = {
            FLOATS: lambda: stormpy.build_model_from_drn(decimals),
            RATIONALS: lambda: stormpy.build_model_from_drn[stormpy.Rational](fractions),
        }
        self.models = {name: build() for name, build in self.builds.items()}
        self.settings = storm_settings()
        (self.formula,) = stormpy.parse_properties(PROPERTY)

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
        root, nodes = self.graph.root, range(self.graph.nodes)
        theirs = found.get_value_vector()
        exact = [ours.value(node) for node in nodes]
        if self.settings[setting][0] == RATIONALS:
            theirs = [Fraction(str(theirs[node])) for node in nodes]
            apart = max(abs(theirs[node] - exact[node]) / max(exact[node], 1) for node in nodes)
        else:
            values = np.array([float(x) for x in exact])
            apart = (np.abs(np.array(theirs[: len(nodes)]) - values) / np.maximum(values, 1)).max()
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
