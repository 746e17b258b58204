r"""Exact polynomials in a parameter of the rules, and where a decision flips.

Under a fixed policy the value of a turn is a polynomial in an open parameter
(:mod:`solver.turn.parametric`). For the chance p of a face it is kept homogeneous in p and
:math:`r = (1 - p) / s`, with :math:`p + s r = 1`,

.. math:: V = \sum_{k=0}^{M} a_k \, p^k r^{M - k},

integers throughout: a roll of n dice only shifts the coefficients of its children, and a child of
lower degree is raised by multiplying with :math:`p + s r`. sympy makes a polynomial of it and
finds its real roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError
from solver.turn.parametric import ParametricTurn
from solver.turn.point_values import PointValues, evaluate_at

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicValue:
    """The value of a state under a fixed policy, as a polynomial.

    Parameters
    ----------
    parameter
        What varies.
    polynomial
        Over the rationals, in the variable ``x``: the parameter, or the chance of the face.
    """

    parameter: str
    polynomial: sympy.Poly

    @property
    def degree(self) -> int:
        """Degree of the polynomial; 0 for a constant."""
        return max(int(self.polynomial.degree()), 0)

    def at(self, x: Fraction | int) -> Fraction:
        """Return the exact value at `x`."""
        found = Fraction(0)
        for coefficient in fractions_of(self):
            found = found * x + coefficient
        return found

    def coefficients(self) -> list[str]:
        """Return the coefficients as texts, the constant one first."""
        return [str(c) for c in reversed(self.polynomial.all_coeffs())]


def symbolic_value(
    turn: ParametricTurn, chosen: Sequence[int], node: int | None = None
) -> SymbolicValue:
    """Return the value under a fixed policy as an exact polynomial.

    Parameters
    ----------
    turn
        The turn with its open parameter.
    chosen
        By node: the child that a decision picks, as :class:`PointValues` has it.
    node
        Where to begin; by default at the root.

    Raises
    ------
    UsageError
        If sympy is not installed.
    """
    at = turn.root if node is None else node
    sympy = _sympy()
    x = sympy.Symbol("x")
    if turn.kind == "payoff":
        constant = evaluate_at(turn, Fraction(turn.low), chosen).value[at]
        slope = evaluate_at(turn, Fraction(turn.low + 1), chosen).value[at] - constant
        line = [slope, constant - slope * turn.low]
        rational = [sympy.Rational(c.numerator, c.denominator) for c in line]
        return SymbolicValue(turn.name, sympy.Poly(rational, x, domain="QQ"))
    homogeneous = _homogeneous(turn, chosen, at)
    degree = len(homogeneous) - 1
    # the sum over k of a_k p^k (1 - p)^(M - k) / s^(M - k), by Horner's rule in p / (1 - p)
    field = sympy.QQ
    one_less = sympy.Poly([-1, 1], x, domain=field)
    variable = sympy.Poly([1, 0], x, domain=field)
    found = sympy.Poly(0, x, domain=field)
    power = sympy.Poly(1, x, domain=field)  # (1 - p)^(M - k)
    for k in range(degree, -1, -1):
        scale = sympy.Rational(homogeneous[k], turn.others ** (degree - k))
        found = found * variable + power * scale if k < degree else power * scale
        power = power * one_less
    return SymbolicValue(turn.name, found)


def _homogeneous(turn: ParametricTurn, chosen: Sequence[int], root: int) -> list[int]:
    """Return the coefficients a_0 ... a_M at a node, for a face."""
    needed = {root}
    for node in range(root, -1, -1):
        if node in needed:
            picked = (chosen[node],) if turn.options[node] else ()
            needed.update(picked or (child for child, _ in turn.branches[node]))
    known: dict[int, list[int]] = {}
    for node in sorted(needed):
        if node < len(turn.outcomes):
            known[node] = [turn.outcomes[node][0]]
        elif turn.options[node]:
            known[node] = known[chosen[node]]
        else:
            known[node] = _rolled(turn, node, known)
    return known[root]


def _rolled(turn: ParametricTurn, node: int, known: dict[int, list[int]]) -> list[int]:
    by_degree: dict[int, list[int]] = {}
    dice = turn.dice[node]
    for child, terms in turn.branches[node]:
        value = known[child]
        added = by_degree.setdefault(len(value), [0] * (len(value) + dice))
        for power, coefficient in terms:
            for k, a in enumerate(value):
                if a:
                    added[k + power] += coefficient * a
    low, high = min(by_degree), max(by_degree)
    total = by_degree[low]
    for length in range(low + 1, high + 1):
        raised = [turn.others * a for a in total]
        raised.append(0)
        for k, a in enumerate(total):
            raised[k + 1] += a
        total = raised
        if length in by_degree:
            total = [a + b for a, b in zip(total, by_degree[length], strict=True)]
    return total


def fractions_of(value: SymbolicValue) -> list[Fraction]:
    """Return the coefficients of a polynomial, the leading one first."""
    return [Fraction(int(c.p), int(c.q)) for c in value.polynomial.all_coeffs()]


def optimal_range(turn: ParametricTurn, at: PointValues) -> tuple[Fraction | None, Fraction | None]:
    """Return the values of a payoff parameter for which a policy stays best in every position.

    Parameters
    ----------
    turn
        The turn; its parameter must be one of points.
    at
        Best play at one value.

    Returns
    -------
    tuple
        The least and the greatest value, None where the parameter's own limit comes first.
        Between the two no decision of the turn, whether the policy comes to it or not, is gained
        by another option; so the policy is optimal there, and beyond them it is not.

    Raises
    ------
    UsageError
        If the parameter is the chance of a face.
    """
    if turn.kind != "payoff":
        raise UsageError("the range of a face's chance is not linear", field="vary")
    constant = evaluate_at(turn, turn.low, at.chosen).value
    above = evaluate_at(turn, turn.low + 1, at.chosen).value
    least: Fraction | None = None
    most: Fraction | None = None
    for node in range(len(turn.outcomes), turn.nodes):
        pick = at.chosen[node]
        for option in turn.options[node]:
            gap = constant[pick] - constant[option]
            slope = (above[pick] - above[option]) - gap
            if slope:
                root = turn.low - gap / slope
                if slope > 0:
                    least = root if least is None else max(least, root)
                else:
                    most = root if most is None else min(most, root)
    return (
        None if least is None or least < turn.low else least,
        None if most is None or most > turn.high else most,
    )


def _sympy() -> Any:
    try:
        import sympy  # noqa: PLC0415  it is heavy, and an extra
    except ImportError:
        raise UsageError(
            "exact polynomials need sympy, which is not installed",
            remedy="pip install 'should-i-roll[symbolic]'",
        ) from None
    return sympy
