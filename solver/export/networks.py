"""networkx: the process as a directed multigraph, and its GraphML and node-link JSON.

A node is a state's number, with ``label`` (what it stands for), ``seat`` (who decides, 0 for
nobody) and ``marks``. An edge goes from a state to one that a choice can lead to; its key is the
number of the choice, a dot and that of the branch, its attributes ``choice``, ``action``,
``reward``, ``weight``, ``total`` and ``probability``, which is weight over total.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from solver.export.model import Model

if TYPE_CHECKING:
    import networkx as nx

_LONG = 2**63


def to_networkx(model: Model) -> nx.MultiDiGraph[int]:
    """Return the process as a networkx graph, with its name, unit and first state as attributes.

    Examples
    --------
    >>> from solver.export.turns import turn_model
    >>> from solver.games.pig import Pig
    >>> graph = to_networkx(turn_model(Pig(target=4)))
    >>> graph.number_of_nodes(), graph.number_of_edges()
    (10, 16)
    """
    import networkx as nx  # noqa: PLC0415  only for this

    graph: Any = nx.MultiDiGraph(
        name=model.name, unit=model.unit, minimise=model.minimise, initial=model.initial
    )
    marked: dict[int, list[str]] = {}
    for mark, states in sorted(model.marks.items()):
        for state in states:
            marked.setdefault(state, []).append(mark)
    for state, label in enumerate(model.labels):
        marks = " ".join(marked.get(state, ()))
        graph.add_node(state, label=_label(label), seat=model.deciders[state], marks=marks)
    for state, choices in enumerate(model.choices):
        for number, choice in enumerate(choices):
            total = choice.total
            for branch, (weight, to) in enumerate(choice.branches):
                graph.add_edge(
                    state,
                    to,
                    key=f"{number}.{branch}",
                    choice=number,
                    action=choice.action,
                    reward=choice.reward,
                    weight=weight,
                    total=total,
                    probability=weight / total,
                )
    found: nx.MultiDiGraph[int] = graph
    return found


def graphml_text(model: Model) -> str:
    """Return the graph as GraphML; weights beyond 64 bits are texts."""
    import networkx as nx  # noqa: PLC0415  only for this

    graph: Any = to_networkx(model)
    edges = graph.edges(keys=True, data=True)
    if any(data["total"] >= _LONG for *_, data in edges):
        for *_, data in edges:
            data["weight"], data["total"] = str(data["weight"]), str(data["total"])
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def node_link_text(model: Model) -> str:
    """Return the graph as node-link JSON, which networkx and D3 read."""
    import networkx as nx  # noqa: PLC0415  only for this

    return json.dumps(nx.node_link_data(to_networkx(model), edges="links"), indent=1) + "\n"


def _label(label: object) -> str:
    return label if isinstance(label, str) else repr(label)
