r"""A turn in which one parameter of the rules is left open.

Two kinds of parameter keep the shape of a turn, and change only numbers in it:

* *payoff*: the points of an outcome are affine in it (set bonus, points a head), so the value
  under a fixed policy is :math:`A + B x`;
* *face*: the chance p of one face of the die, the other faces sharing :math:`1 - p` as their
  weights say. A branch of a roll of n dice then has the chance

  .. math:: \sum_t c_t \, p^t r^{n - t}, \qquad r = (1 - p) / s,

  with s the sum of the other weights, and the value under a fixed policy is a polynomial.

The integers :math:`c_t` are read off the rules themselves: with the face's weight set to a large
power of two X, a branch's weight is :math:`\sum_t c_t X^t`, and its digits to the base X are the
coefficients. No game has to know that it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from solver.dice import Die
from solver.errors import UsageError, unknown
from solver.games.check import walk
from solver.games.protocol import Bank, Choose, Game, Roll, State, points_of, starts_of
from solver.games.readings import make, parameters_of, rules_of

Term = tuple[int, int]
"""Power of the open chance, and its integer coefficient."""


@dataclass(frozen=True, slots=True, eq=False)
class ParametricTurn:
    """A turn with an open parameter, as nodes with children before parents; equal ones merged.

    Parameters
    ----------
    game
        Rules whose states the turn knows; positions are read by them.
    name, kind
        The parameter, and how values depend on it.
    nominal
        Its value under the rules as they are.
    low, high
        The values it can take.
    outcomes
        (A, B) by outcome: the points are A + B x for a payoff parameter, A else.
    options
        By node: the children of a decision in canonical order, else empty.
    branches
        By node: (child, terms) of a chance, else empty. For a payoff parameter there is one term,
        (0, weight).
    dice
        By node: the degree n of a chance.
    others
        The sum s of the other faces' weights; 1 for a payoff parameter.
    node_of, actions
        State -> node; decision state -> actions with the node of each.
    root
        Where the turn begins.
    """

    game: Game
    name: str
    kind: Literal["payoff", "face"]
    nominal: Fraction
    low: Fraction
    high: Fraction
    outcomes: tuple[tuple[int, int], ...]
    options: tuple[tuple[int, ...], ...]
    branches: tuple[tuple[tuple[int, tuple[Term, ...]], ...], ...]
    dice: tuple[int, ...]
    others: int
    node_of: Mapping[State, int]
    actions: Mapping[State, Mapping[Any, int]]
    root: int

    @property
    def nodes(self) -> int:
        """Number of nodes; the first are the outcomes."""
        return len(self.options)

    def points(self, node: int, x: Fraction) -> Fraction:
        """Return the points of an outcome at the value `x` of the parameter."""
        constant, slope = self.outcomes[node]
        return constant + slope * x

    def weights(self, x: Fraction) -> Callable[[int, tuple[Term, ...]], int]:
        """Return what turns (dice, terms) into an integer weight at the value `x`.

        The weights of a chance of n dice sum to ``(others * x.denominator) ** n`` for a face.
        """
        if self.kind == "payoff":
            return lambda _, terms: terms[0][1]
        face, rest = x.numerator * self.others, x.denominator - x.numerator
        most = max(self.dice)
        powers = [face**k for k in range(most + 1)], [rest**k for k in range(most + 1)]

        def weight(dice: int, terms: tuple[Term, ...]) -> int:
            return sum(c * powers[0][t] * powers[1][dice - t] for t, c in terms)

        return weight

    def check(self, x: Fraction) -> None:
        """Raise UsageError unless the parameter can have the value `x`."""
        if not self.low <= x <= self.high:
            raise UsageError(
                f"{self.name}={x} is out of range",
                remedy=f"{self.name} from {self.low} to {self.high}",
                field="vary",
            )


class OtherTurnError(UsageError):
    """A parameter makes another turn of each value: each is solved on its own."""


def parametric_turn(game: Game, name: str) -> ParametricTurn:
    """Return the turn of `game` with one parameter left open.

    Parameters
    ----------
    game
        The rules.
    name
        A parameter in which points are affine (``bonus``, ``head``), or a face of the die as
        ``faces.T`` (Martian Dice) or ``die.1`` (Pig): then the parameter is its chance.

    Raises
    ------
    UnknownNameError
        If there is no such parameter or face.
    OtherTurnError
        If it changes the turn in another way: then values are no polynomials in it.
    UsageError
        If it is no number, or no die has such a face.
    """
    field, dot, face = name.partition(".")
    known = parameters_of(type(game))
    field = field.replace("_", "-")
    if field not in known:
        raise unknown("parameter", field, known, field="vary")
    value = getattr(game, known[field].name)
    if dot or isinstance(value, Die):
        return _open_face(game, name, value, known[field].name, face)
    if not isinstance(value, int):
        raise _no_number(field)
    return _open_payoff(game, field)


def _no_number(field: str) -> UsageError:
    return UsageError(
        f"{field} is no number that can be varied",
        remedy="a whole number of the rules, or the chance of a face: faces.T",
        field="vary",
    )


class _Nodes:
    """Nodes while they are made: equal ones are one, and a single child is its parent."""

    def __init__(self, outcomes: Sequence[tuple[int, int]]) -> None:
        self.outcomes = sorted(set(outcomes))
        self.known: dict[Any, int] = {}
        count = len(self.outcomes)
        self.options: list[tuple[int, ...]] = [()] * count
        self.branches: list[tuple[tuple[int, tuple[Term, ...]], ...]] = [()] * count
        self.dice = [0] * count

    def decision(self, children: Sequence[int]) -> int:
        distinct = tuple(dict.fromkeys(children))
        if len(distinct) == 1:
            return distinct[0]
        return self._node(("decision", distinct), distinct, (), 0)

    def chance(self, branches: Mapping[int, tuple[Term, ...]], dice: int) -> int:
        if len(branches) == 1:
            return next(iter(branches))
        listed = tuple(sorted(branches.items()))
        return self._node(("chance", listed), (), listed, dice)

    def _node(self, key: Any, options: Any, branches: Any, dice: int) -> int:
        if key not in self.known:
            self.known[key] = len(self.options)
            self.options.append(options)
            self.branches.append(branches)
            self.dice.append(dice)
        return self.known[key]


def _open_face(game: Game, name: str, die: Any, field: str, face: str) -> ParametricTurn:
    if not isinstance(die, Die):
        raise UsageError(f"{name}: {field} is no die", remedy=f"--vary {field}=0..6", field="vary")
    faces = {str(f): f for f in die.faces}
    if face not in faces:
        raise unknown("face", face, [f"{field}.{f}" for f in faces], field="vary")
    others = die.denominator - die.weight(faces[face])
    if not others:
        raise UsageError(f"{name}: the die has no other face", field="vary")
    most = int(getattr(game, "dice", 1))
    base = 1 << ((1 + others) ** most).bit_length()  # above every sum of coefficients
    weights = {f: base if f == faces[face] else w for f, w in die}
    large: Any = replace(game, **{field: Die.of(weights)})  # type: ignore[type-var]
    order = list(walk(large))
    banked = {s: points_of(game, e.outcome) for s, e in order if isinstance(e, Bank)}
    nodes = _Nodes([(points, 0) for points in banked.values()])
    number = {points: i for i, points in enumerate(nodes.outcomes)}
    at: dict[State, int] = {}
    actions: dict[State, dict[Any, int]] = {}
    for state, expansion in order:
        if isinstance(expansion, Bank):
            at[state] = number[banked[state], 0]
        elif isinstance(expansion, Choose):
            actions[state] = {a: at[s] for a, s in expansion.options.items()}
            at[state] = nodes.decision(list(actions[state].values()))
        else:
            merged: dict[int, int] = {}
            for weight, after in expansion.branches:
                merged[at[after]] = merged.get(at[after], 0) + weight
            whole = _digits(sum(merged.values()), base)
            terms = {child: tuple(_digits(w, base).items()) for child, w in merged.items()}
            at[state] = nodes.chance(terms, max(whole))
    nominal = Fraction(die.weight(faces[face]), die.denominator)
    return ParametricTurn(
        large,
        name,
        "face",
        nominal,
        Fraction(0),
        Fraction(1),
        tuple(nodes.outcomes),
        tuple(nodes.options),
        tuple(nodes.branches),
        tuple(nodes.dice),
        others,
        at,
        actions,
        at[next(iter(starts_of(large).values()))],
    )


def _digits(number: int, base: int) -> dict[int, int]:
    """Return the digits of a number that are not zero, by place."""
    found: dict[int, int] = {}
    place = 0
    while number:
        number, digit = divmod(number, base)
        if digit:
            found[place] = digit
        place += 1
    return found


def _open_payoff(game: Game, field: str) -> ParametricTurn:
    """Return the turn walked under three values of a parameter side by side."""
    declared = parameters_of(type(game))[field]
    low = declared.metadata.get("at_least")
    high = declared.metadata.get("at_most")
    if low is None or high is None or high - low < 2:
        raise _no_number(field)
    nominal = int(getattr(game, declared.name))
    values = (low, low + 1, nominal if nominal > low + 1 else low + 2)
    try:
        games = [make(type(game), {**rules_of(game), field: value}) for value in values]
    except UsageError as error:  # a parameter that takes only some of the whole numbers
        raise OtherTurnError(
            f"{field} is not free between its limits: {error.what}",
            remedy=error.remedy,
            field="vary",
        ) from None
    triples = _side_by_side(games, field)
    affine: dict[tuple[State, ...], tuple[int, int]] = {}
    for states, expansions in triples:
        if isinstance(expansions[0], Bank):
            at_low, above, at_third = (
                points_of(g, e.outcome) for g, e in zip(games, expansions, strict=True)
            )
            slope = above - at_low
            if at_third - at_low != slope * (values[2] - low):
                raise _changes_the_turn(field)
            affine[states] = at_low - slope * low, slope
    nodes = _Nodes(list(affine.values()))
    number = {pair: i for i, pair in enumerate(nodes.outcomes)}
    at: dict[tuple[State, ...], int] = {}
    actions: dict[State, dict[Any, int]] = {}
    for states, expansions in triples:
        first = expansions[0]
        if isinstance(first, Bank):
            at[states] = number[affine[states]]
        elif isinstance(first, Choose):
            found = {a: at[tuple(e.options[a] for e in expansions)] for a in first.options}
            actions[states[0]] = found
            at[states] = nodes.decision(list(found.values()))
        else:
            merged: dict[int, int] = {}
            for branch in zip(*(e.branches for e in expansions), strict=True):
                child = at[tuple(state for _, state in branch)]
                merged[child] = merged.get(child, 0) + branch[0][0]
            at[states] = nodes.chance({c: ((0, w),) for c, w in merged.items()}, 0)
    start = tuple(next(iter(starts_of(g).values())) for g in games)
    return ParametricTurn(
        game,
        field,
        "payoff",
        Fraction(nominal),
        Fraction(low),
        Fraction(high),
        tuple(nodes.outcomes),
        tuple(nodes.options),
        tuple(nodes.branches),
        tuple(nodes.dice),
        1,
        {states[0]: node for states, node in at.items()},
        actions,
        at[start],
    )


def _changes_the_turn(field: str) -> OtherTurnError:
    return OtherTurnError(
        f"{field} changes the turn itself: its value is no polynomial in it",
        remedy="parameters in which points are affine, or the chance of a face: faces.T",
        field="vary",
    )


def _side_by_side(games: Sequence[Game], field: str) -> list[tuple[tuple[State, ...], list[Any]]]:
    """Return the states of several games that differ in points only, children before parents."""
    done: dict[tuple[State, ...], list[Any]] = {}
    order: list[tuple[tuple[State, ...], list[Any]]] = []
    stack = [(tuple(next(iter(starts_of(g).values())) for g in games), False)]
    while stack:
        states, ready = stack.pop()
        if ready:
            order.append((states, done[states]))
            continue
        if states in done:
            continue
        expansions: list[Any] = [g.expand(s) for g, s in zip(games, states, strict=True)]
        done[states] = expansions
        stack.append((states, True))
        stack.extend((child, False) for child in _children(expansions, field) if child not in done)
    return order


def _children(expansions: Sequence[Any], field: str) -> list[tuple[State, ...]]:
    first = expansions[0]
    if any(type(e) is not type(first) for e in expansions):
        raise _changes_the_turn(field)
    if isinstance(first, Choose):
        if any(list(e.options) != list(first.options) for e in expansions):
            raise _changes_the_turn(field)
        return [tuple(e.options[a] for e in expansions) for a in first.options]
    if isinstance(first, Roll):
        weights = [[w for w, _ in e.branches] for e in expansions]
        if any(w != weights[0] for w in weights):
            raise _changes_the_turn(field)
        return [
            tuple(state for _, state in branch)
            for branch in zip(*(e.branches for e in expansions), strict=True)
        ]
    return []
