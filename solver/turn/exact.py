r"""Exact rationals on the turn graph.

Values are kept as integers over one integer: a chance with weights :math:`w_c` over :math:`W`
and children :math:`n_c / d_c` has the value

.. math:: \frac{\sum_c w_c \, n_c \, (L / d_c)}{W L}, \qquad L = \operatorname{lcm}_c d_c,

brought to lowest terms once a node. Comparisons are exact, so a tie is a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from solver.turn.graph import CHANCE, DECISION, TurnGraph
from solver.turn.objective import Number


@dataclass(frozen=True, slots=True, eq=False)
class ExactValues:
    """Exact value, canonical choice and bust chance of every node.

    Parameters
    ----------
    numerator, denominator
        The value of node i is ``numerator[i] / denominator[i]``, in lowest terms.
    chosen
        The child that a decision picks: the first best in canonical order; -1 elsewhere.
    """

    numerator: list[int]
    denominator: list[int]
    chosen: list[int]

    def value(self, node: int) -> Fraction:
        """Return the value of a node."""
        return Fraction(self.numerator[node], self.denominator[node])


def solve_exact(graph: TurnGraph, payoffs: Sequence[Number]) -> ExactValues:
    """Return the exact best value of every node.

    Parameters
    ----------
    graph
        The turn.
    payoffs
        A number for each outcome; a float counts as the rational it is.
    """
    start = [Fraction(p) for p in payoffs]
    return _backward(graph, start, None)


def evaluate_exact(
    graph: TurnGraph, payoffs: Sequence[Number], chosen: Sequence[int]
) -> ExactValues:
    """Return the exact value of every node when decisions pick the children in `chosen`."""
    return _backward(graph, [Fraction(p) for p in payoffs], chosen)


def _backward(
    graph: TurnGraph, payoffs: Sequence[Fraction], fixed: Sequence[int] | None
) -> ExactValues:
    num = [p.numerator for p in payoffs]
    den = [p.denominator for p in payoffs]
    chosen = [-1] * len(payoffs)
    first, child = graph.first.tolist(), graph.child.tolist()
    weight, total = graph.weight.tolist(), graph.total.tolist()
    kinds = graph.kind.tolist()
    for node in range(len(payoffs), graph.nodes):
        low, high = first[node], first[node + 1]
        if kinds[node] == DECISION:
            best = child[low] if fixed is None else fixed[node]
            if fixed is None:
                n, d = num[best], den[best]
                for c in child[low + 1 : high]:
                    if num[c] * d > n * den[c]:
                        best, n, d = c, num[c], den[c]
            chosen.append(best)
            num.append(num[best])
            den.append(den[best])
            continue
        children = child[low:high]
        common = lcm(*{den[c] for c in children})
        scale = {d: common // d for d in {den[c] for c in children}}
        top = sum(
            w * num[c] * scale[den[c]] for w, c in zip(weight[low:high], children, strict=True)
        )
        bottom = total[node] * common
        shared = gcd(top, bottom)
        chosen.append(-1)
        num.append(top // shared)
        den.append(bottom // shared)
    return ExactValues(num, den, chosen)


def exact_distribution(graph: TurnGraph, chosen: Sequence[int], root: int) -> tuple[Fraction, ...]:
    """Return the exact chance of each outcome from `root` when decisions pick `chosen`.

    Returns
    -------
    tuple of Fraction
        In the order of ``graph.outcomes``; they sum to exactly one.
    """
    parts: list[dict[int, int]] = [{} for _ in range(root + 1)]  # denominator -> numerator
    parts[root] = {1: 1}
    reach = [Fraction(0)] * len(graph.outcomes)
    for node in range(root, -1, -1):
        if not parts[node]:
            continue
        common = lcm(*parts[node])
        top = sum(n * (common // d) for d, n in parts[node].items())
        shared = gcd(top, common)
        top, bottom = top // shared, common // shared
        if node < len(reach):
            reach[node] = Fraction(top, bottom)
        elif graph.kind[node] == CHANCE:
            low, high = int(graph.first[node]), int(graph.first[node + 1])
            below = bottom * int(graph.total[node])
            edges = zip(
                graph.child[low:high].tolist(), graph.weight[low:high].tolist(), strict=True
            )
            for c, w in edges:
                parts[c][below] = parts[c].get(below, 0) + top * w
        else:
            c = chosen[node]
            parts[c][bottom] = parts[c].get(bottom, 0) + top
        parts[node] = {}
    return tuple(reach)
