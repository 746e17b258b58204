r"""Where a decision flips: the exact values of a parameter at which another option is best.

Best play after an
option changes with the parameter too, so each flip is bracketed by exact solutions on both sides
until the same polynomial is the difference of the two options at both ends of the bracket; the
flip is its real root there. Two flips closer than the step of the search hide each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solver.errors import PositionError, UsageError
from solver.games.protocol import State
from solver.turn.parametric import ParametricTurn
from solver.turn.point_values import PointValues, solve_at
from solver.turn.symbolic import SymbolicValue, fractions_of, symbolic_value

Progress = Callable[[int, int], None]

_NARROW = Fraction(1, 2**40)
_MOST_STEPS = 100
_LOOK = 10  # steps after which the polynomials are compared though the play differs


@dataclass(frozen=True, slots=True, eq=False)
class Flip:
    """A value of the parameter at which a decision flips.

    Parameters
    ----------
    below, above
        The best action on either side.
    exact
        The value, if it is rational; else None.
    low, high
        Rational bounds; equal if it is rational.
    difference
        The polynomial that is zero there: value of `below` less that of `above`.
    """

    below: Any
    above: Any
    exact: Fraction | None
    low: Fraction
    high: Fraction
    difference: SymbolicValue

    @property
    def value(self) -> float:
        """The value as a number."""
        return float((self.low + self.high) / 2)


def flips(
    turn: ParametricTurn,
    options: dict[Any, int],
    low: Fraction,
    high: Fraction,
    *,
    steps: int = 12,
    progress: Progress | None = None,
) -> list[Flip]:
    """Return where the best of some options changes, from `low` to `high`.

    Parameters
    ----------
    turn
        The turn with its open parameter.
    options
        Actions in canonical order, each with the node it leads to.
    low, high
        The range that is searched.
    steps
        The range is cut into so many parts; two flips within one part are not seen.
    progress
        Called with (parts done, parts).

    Raises
    ------
    UsageError
        If the range is empty or not allowed, or sympy is not installed.
    """
    if low >= high:
        raise UsageError(
            f"the range from {low} to {high} is empty", remedy="--vary bonus=0..6", field="vary"
        )
    turn.check(low)
    turn.check(high)
    cuts = [low + (high - low) * Fraction(i, steps) for i in range(steps + 1)]
    found: list[Flip] = []
    before = solve_at(turn, cuts[0])
    for i, x in enumerate(cuts[1:], 1):
        after = solve_at(turn, x)
        left = before
        while _best(left, options) != _best(after, options):
            flip, left = _flip(turn, options, left, after)
            found.append(flip)
        before = after
        if progress is not None:
            progress(i, steps)
    return found


def _best(values: PointValues, options: dict[Any, int]) -> Any:
    return max(options, key=lambda action: values.value[options[action]])  # the first of equals


def _flip(
    turn: ParametricTurn, options: dict[Any, int], left: PointValues, right: PointValues
) -> tuple[Flip, PointValues]:
    """Return the first flip between two solutions that was found, and the solution beyond it."""
    below = _best(left, options)
    for step in range(1, _MOST_STEPS):
        above = _best(right, options)
        ends = options[below], options[above]
        if step % _LOOK == 0 or all(_same_play(turn, left, right, node) for node in ends):
            found = _bracketed(turn, options, (below, above), (left, right))
            if found is not None:
                return found
        middle = solve_at(turn, (left.x + right.x) / 2)
        if _best(middle, options) == below:
            left = middle
        else:
            right = middle
    raise PositionError("the flip could not be bracketed: the options stay equal over a range")


def _same_play(turn: ParametricTurn, one: PointValues, other: PointValues, root: int) -> bool:
    """Return whether two solutions decide alike wherever play comes to from a node."""
    reached = {root}
    for node in range(root, -1, -1):
        if node not in reached:
            continue
        if turn.options[node]:
            if one.chosen[node] != other.chosen[node]:
                return False
            reached.add(one.chosen[node])
        reached.update(child for child, _ in turn.branches[node])
    return True


def _bracketed(
    turn: ParametricTurn,
    options: dict[Any, int],
    actions: tuple[Any, Any],
    sides: tuple[PointValues, PointValues],
) -> tuple[Flip, PointValues] | None:
    """Return the flip if one polynomial is the difference at both ends, and has one root."""
    below, above = actions
    left, right = sides
    mine = symbolic_value(turn, left.chosen, options[below])
    other = symbolic_value(turn, right.chosen, options[above])
    difference = SymbolicValue(turn.name, mine.polynomial - other.polynomial)
    bounds = _root(difference, left.x, right.x)
    if bounds is None:
        return None
    at_root = [solve_at(turn, x) for x in (bounds if bounds[0] < bounds[1] else bounds[:1])]
    for side, action in ((at_root[0], below), (at_root[-1], above)):
        if side.value[options[action]] != side.value[options[_best(side, options)]]:
            return None  # a third option is better there: flips come before
    for side in (left, right, *at_root):
        for action, value in ((below, mine), (above, other)):
            if value.at(side.x) != side.value[options[action]]:
                return None
    exact = bounds[0] if bounds[0] == bounds[1] else None
    return Flip(below, above, exact, *bounds, difference), right


def _root(
    difference: SymbolicValue, low: Fraction, high: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Return close bounds of a real root in an interval; None if none is certain.

    Between the bounds the polynomial changes its sign, and its slope does not: they hold one
    root and no more.
    """
    if difference.degree == 0:
        return None
    if difference.degree == 1:
        slope, constant = fractions_of(difference)
        root = -constant / slope
        return (root, root) if low <= root <= high else None
    at_low, at_high = difference.at(low), difference.at(high)
    if not at_low:
        return low, low
    if (at_low > 0) == (at_high > 0):
        return None
    while high - low > _NARROW:
        middle = (low + high) / 2
        value = difference.at(middle)
        if not value:
            return middle, middle
        if (value > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    least = most = Fraction(0)  # of the slope, by Horner's rule on intervals
    degree = difference.degree
    for k, c in enumerate(fractions_of(difference)[:-1]):
        products = [a * b for a in (least, most) for b in (low, high)]
        term = c * (degree - k)
        least, most = min(products) + term, max(products) + term
    return (low, high) if least > 0 or most < 0 else None


def decision(turn: ParametricTurn, state: State) -> dict[Any, int]:
    """Return the actions at a state of the turn's own rules, each with the node it leads to.

    Raises
    ------
    PositionError
        If nothing is decided there.
    """
    if state not in turn.actions:
        raise PositionError(f"nothing is decided at {state!r}, or no legal turn comes to it")
    return dict(turn.actions[state])
