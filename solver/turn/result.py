"""What solving a turn returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Choose, Game, State
from solver.turn.graph import TurnGraph
from solver.turn.objective import Unit


@dataclass(frozen=True, slots=True)
class Exactness:
    """How exact a number is.

    Parameters
    ----------
    kind
        ``"exact"``: a rational, rounded only for display; ``"bounded"``: a float64 whose
        distance from the truth is proven to be at most `error`; ``"equilibrium"``: the chances
        of an equilibrium under the tie rule, in which no seat can gain more than `error` by
        deviating (there may be other equilibria).
    error
        The bound, in the units of the value; zero if exact, None if it was not computed.
    """

    kind: Literal["exact", "bounded", "equilibrium"]
    error: float | None


EXACT = Exactness("exact", 0.0)


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One action at a decision.

    Parameters
    ----------
    action
        As the rules name it.
    state
        Where it leads.
    value, loss
        Best value after it, and how far that is below the best action's.
    exact
        The value as a fraction, if known exactly.
    bust
        Chance that the turn ends with nothing, under canonical best play after it.
    best
        Whether no action is better; several can be.
    """

    action: Any
    state: State
    value: float
    loss: float
    exact: Fraction | None
    bust: float
    best: bool


@dataclass(frozen=True, slots=True, eq=False)
class NodeValues:
    """Every node, exact or float64: chosen child and its edge (-1 if none), value, bust chance."""

    chosen: list[int]
    chosen_edges: NDArray[np.int32]
    value: list[float]
    bust: list[float]
    exact: list[Fraction] | None
    tolerance: float


@dataclass(frozen=True, slots=True, eq=False)
class TurnSolution:
    """A turn solved for one objective, under the canonical choice among ties.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    objective, unit
        What was maximised, and what its value counts.
    exactness
        How exact the numbers are.
    value
        Best expected payoff of a turn.
    exact
        The same as a fraction, in exact mode.
    distribution
        Outcome -> probability under best play; outcomes that cannot happen are left out.
    exact_distribution
        The same as fractions that sum to exactly one, in exact mode.
    mean, variance
        Of the points, in points and points squared.
    bust
        Chance of a turn without points.
    graph
        The compiled turn.
    sign
        -1 where the least is the best (fewest points): `nodes` then has what is maximised, the
        negative of all values told here.
    """

    game: str
    rules: Mapping[str, int | str]
    objective: str
    unit: Unit
    exactness: Exactness
    value: float
    exact: Fraction | None
    distribution: Mapping[Any, float]
    exact_distribution: Mapping[Any, Fraction] | None
    mean: float
    variance: float
    bust: float
    graph: TurnGraph = field(repr=False)
    nodes: NodeValues = field(repr=False)
    _game: Game = field(repr=False)
    sign: int = 1

    def value_at(self, state: State) -> float:
        """Return the best expected payoff from a state.

        Raises
        ------
        PositionError
            If no legal turn comes to the state.
        """
        return self.sign * self.nodes.value[self.graph.node(state)]

    def exact_at(self, state: State) -> Fraction | None:
        """Return the same as a fraction, in exact mode."""
        node = self.graph.node(state)
        return None if self.nodes.exact is None else self.sign * self.nodes.exact[node]

    def bust_at(self, state: State) -> float:
        """Return the chance that the turn ends with nothing, from a state."""
        return self.nodes.bust[self.graph.node(state)]

    def choice_at(self, state: State) -> Any:
        """Return the action that canonical best play takes, None if nothing is decided."""
        chosen = self.nodes.chosen[self.graph.node(state)]
        expansion = self._game.expand(state)
        if not isinstance(expansion, Choose):
            return None
        actions = expansion.options
        same = len({self.graph.node_of[s] for s in actions.values()}) == 1
        return next(a for a, s in actions.items() if same or self.graph.node_of[s] == chosen)

    def options(self, state: State) -> tuple[OptionValue, ...]:
        """Return every action at a decision with its value, in canonical order.

        Empty where nothing is decided.

        Raises
        ------
        PositionError
            If no legal turn comes to the state.
        """
        self.graph.node(state)
        expansion = self._game.expand(state)
        if not isinstance(expansion, Choose):
            return ()
        return self.compare(expansion.options)

    def compare(self, options: Mapping[Any, State]) -> tuple[OptionValue, ...]:
        """Return the actions in `options`, each with the value of the state it leads to."""
        values = {action: self.value_at(state) for action, state in options.items()}
        exact = {action: self.exact_at(state) for action, state in options.items()}
        best = max(self.sign * value for value in values.values())
        best_exact = max((self.sign * e for e in exact.values() if e is not None), default=None)
        compared: list[OptionValue] = []
        for action, state in options.items():
            fraction = exact[action]
            if fraction is not None and best_exact is not None:
                loss = float(best_exact - self.sign * fraction)
                is_best = self.sign * fraction == best_exact
            else:
                worth = self.sign * values[action]
                is_best = worth >= best - self.nodes.tolerance
                loss = 0.0 if is_best else best - worth
            compared.append(
                OptionValue(
                    action, state, values[action], loss, fraction, self.bust_at(state), is_best
                )
            )
        return tuple(compared)
