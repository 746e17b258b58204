"""A turn graph as a Markov decision process in Storm's DRN format.

Every node is a state. A decision has one action a child, a chance one action. An outcome's one
action earns its points and leads to an extra last state, labelled ``done``, which ends it: so
``R{"points"}max=? [F "done"]`` is the expected points under best play.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from solver.turn.graph import DECISION, OUTCOME, TurnGraph

PROPERTY = 'R{"points"}max=? [F "done"]'


def write_drn(graph: TurnGraph, path: Path, *, fractions: bool) -> None:
    """Write the turn; probabilities as fractions, or as the decimals of the nearest floats."""
    lines = list(_states(graph, fractions))
    choices = sum(line.startswith("\taction") for line in lines)
    head = ["@type: MDP", "@parameters", "", "@reward_models", "points"]
    head += ["@nr_states", str(graph.nodes + 1), "@nr_choices", str(choices), "@model"]
    path.write_text("\n".join([*head, *lines, ""]))


def _states(graph: TurnGraph, fractions: bool) -> Iterator[str]:
    first, child, points = graph.first.tolist(), graph.child.tolist(), graph.points.tolist()
    weight, total = graph.weight.tolist(), graph.total.tolist()
    probability = graph.probability.tolist()
    done = graph.nodes
    for node, kind in enumerate(graph.kind.tolist()):
        yield f"state {node} init" if node == graph.root else f"state {node}"
        edges = range(first[node], first[node + 1])
        if kind == OUTCOME:
            yield f"\taction bank [{points[node]}]"
            yield f"\t\t{done} : 1"
        elif kind == DECISION:
            for option, edge in enumerate(edges):
                yield f"\taction option{option} [0]"
                yield f"\t\t{child[edge]} : 1"
        else:
            yield "\taction roll [0]"
            for edge in edges:
                p = f"{weight[edge]}/{total[node]}" if fractions else repr(probability[edge])
                yield f"\t\t{child[edge]} : {p}"
    yield f"state {done} done"
    yield "\taction stay [0]"
    yield f"\t\t{done} : 1"
