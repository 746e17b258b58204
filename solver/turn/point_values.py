"""Best play, or a given one, at one value of a turn's open parameter: in exact rationals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from solver.turn.parametric import ParametricTurn


@dataclass(frozen=True, slots=True, eq=False)
class PointValues:
    """Best play at one value of the parameter, in exact rationals.

    Parameters
    ----------
    x
        The value.
    value
        By node.
    chosen
        By node: the child that a decision picks, the first best; -1 elsewhere.
    """

    x: Fraction
    value: tuple[Fraction, ...]
    chosen: tuple[int, ...]


def solve_at(turn: ParametricTurn, x: Fraction) -> PointValues:
    """Return best play for points with the parameter at `x`.

    Raises
    ------
    UsageError
        If the parameter cannot have that value.
    """
    turn.check(x)
    return _backward(turn, x, None)


def evaluate_at(turn: ParametricTurn, x: Fraction, chosen: Sequence[int]) -> PointValues:
    """Return the values at `x` when decisions pick the children in `chosen`."""
    turn.check(x)
    return _backward(turn, x, chosen)


def _backward(turn: ParametricTurn, x: Fraction, fixed: Sequence[int] | None) -> PointValues:
    num: list[int] = []
    den: list[int] = []
    chosen: list[int] = []
    weight = turn.weights(x)
    for node in range(turn.nodes):
        pick = -1
        if node < len(turn.outcomes):
            points = turn.points(node, x)
            top, bottom = points.numerator, points.denominator
        elif turn.options[node]:
            pick = _best(turn.options[node], num, den) if fixed is None else fixed[node]
            top, bottom = num[pick], den[pick]
        else:
            common = 1
            for child, _ in turn.branches[node]:
                common = lcm(common, den[child])
            top = whole = 0
            for child, terms in turn.branches[node]:
                w = weight(turn.dice[node], terms)
                whole += w
                top += w * num[child] * (common // den[child])
            bottom = whole * common
            shared = gcd(top, bottom)
            top, bottom = top // shared, bottom // shared
        num.append(top)
        den.append(bottom)
        chosen.append(pick)
    values = tuple(Fraction(n, d) for n, d in zip(num, den, strict=True))
    return PointValues(x, values, tuple(chosen))


def _best(options: Sequence[int], num: list[int], den: list[int]) -> int:
    best = options[0]
    for child in options[1:]:
        if num[child] * den[best] > num[best] * den[child]:
            best = child
    return best
