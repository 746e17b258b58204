"""What the nodes of a turn graph stand for: it keeps no names of actions."""

from __future__ import annotations

from solver.export.model import spelled
from solver.games.protocol import Bank, Choose, Expansion, Game, Roll, State
from solver.turn.graph import TurnGraph


class Named:
    """A state of the rules for each node of the graph, and its actions' names.

    Of the states that are one node the first is taken in which its children part.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.

    Attributes
    ----------
    state
        Node -> state.
    """

    def __init__(self, game: Game, graph: TurnGraph) -> None:
        self.graph = graph
        self.state: dict[int, State] = {}
        self._actions: dict[int, dict[int, str]] = {}
        for state, node in graph.node_of.items():
            if node in self.state:
                continue
            found = game.expand(state)
            if isinstance(found, Bank):
                self.state[node] = state
                continue
            names: dict[int, str] = {}
            for name, after in _named_children(found):
                names.setdefault(graph.node_of[after], name)
            if len(names) > 1:
                self.state[node] = state
                self._actions[node] = names

    def branches(self, node: int) -> list[tuple[int, int]]:
        """Return (child, weight) of a roll."""
        low, high = int(self.graph.first[node]), int(self.graph.first[node + 1])
        children, weights = self.graph.child[low:high].tolist(), self.graph.weight[low:high]
        return list(zip(children, weights.tolist(), strict=True))

    def action(self, node: int, child: int) -> str:
        """Return the name of the action that leads from a decision to a child."""
        return self._actions[node][child]


def _named_children(found: Expansion) -> list[tuple[str, State]]:
    if isinstance(found, Choose):
        return [(spelled(action), after) for action, after in found.options.items()]
    assert isinstance(found, Roll)
    return [("roll", after) for _, after in found.branches]
