r"""A proof of a two-seat race's values, in integers alone.

Let :math:`T` take values of all boundary states to the values of best play one turn ahead, for
the first seat's chance to win: the first seat maximises, the second minimises. :math:`T` is
monotone. If every turn scores with positive chance whatever its player does, the match ends
with probability one and :math:`T` has exactly one fixed point :math:`v`, so

.. math:: T U \le U \Rightarrow v \le U, \qquad T L \ge L \Rightarrow v \ge L.

Given values :math:`V` from anywhere, :math:`U = V + e` and :math:`L = V - e` are tried, with a
small margin :math:`e` that grows with the number of turns to come, and the two inequalities are
checked at every boundary state in fixed point with 56 binary digits, each chance rounded up for
:math:`U` and down for :math:`L`. Nothing is shared with the solver but the turn graph; no
floating-point operation takes part in the inequalities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.games.readings import End
from solver.match.boundary import RaceValues
from solver.turn.exact import solve_exact
from solver.turn.graph import CHANCE, DECISION, TurnGraph

BITS = 56
ONE = 1 << BITS
_LIMB = 28
_WIDEST = 1 << 34  # weights times a limb, and their sum, stay below 2**62
_CHUNK = 128
_MOST_ERROR = 1e-12

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proven bound.

    Parameters
    ----------
    error
        No value of the table is further than this from the truth.
    states
        Boundary states at which both inequalities were checked.
    """

    error: float
    states: int


def certify_two_seats(graph: TurnGraph, values: RaceValues, *, root: int) -> Certificate:
    """Prove a bound on every value of a two-seat race.

    Parameters
    ----------
    graph
        The turn.
    values
        The values to check; they are not trusted.
    root
        Node in which turns begin; those of a seat without points at the race's own beginning for
        them, if it names one. (In a last turn such a seat needs more than any opening score.)

    Raises
    ------
    ProofError
        If a turn may surely score nothing, or no bound of 1e-12 can be proven: the values are
        wrong, or the race is too long for this margin.
    """
    nothing = solve_exact(graph, [int(p == 0) for p in graph.points.tolist()])
    race = _TwoSeats(graph, values, root)
    if max(nothing.value(begin) for begin in race.begins) >= 1:
        raise ProofError(
            "a player could choose never to score: the match need not end",
            remedy="no bound is claimed for such a game",
        )
    margin = 1e-15
    while True:
        spread = race.spread(margin)
        upper, lower = race.shifted(spread), race.shifted(-spread)
        error = race.error(upper, lower)
        if error > _MOST_ERROR:
            raise ProofError(
                "the values do not satisfy the equations of best play within 1e-12",
                remedy="rebuild the table",
            )
        if race.holds(upper, up=True) and race.holds(lower, up=False):
            return Certificate(error, len(spread))
        margin *= 2.0


class _TwoSeats:
    """The operator on fixed-point values of all boundary states, as one flat vector.

    First the last turns of the second seat by deficit, then open play by mover and scores.
    """

    def __init__(self, graph: TurnGraph, values: RaceValues, root: int) -> None:
        self.graph, self.root = graph, root
        self.race, self.points = values.race, values.points.tolist()
        self.reach = max(self.points) + 1
        self.rounded = self.race.end is End.ROUND
        parts = [values.open_play[..., :].reshape(-1, 4)]
        if self.rounded:
            last = values.last_turns[1, 1]
            parts.insert(0, np.column_stack([last[:, :2], np.zeros(len(last)), last[:, 2]]))
        table = np.concatenate(parts)
        self.first = np.ldexp(table[:, 0], BITS)
        self.second = np.ldexp(table[:, 1], BITS)
        self.rounds = table[:, 2]
        self.next, self.known = self._links()
        self.second_moves = self._second_moves()
        self.begin = self._begin()
        self.begins: list[int] = np.unique(self.begin).tolist()
        self.tied = self._tied(values)

    def _second_moves(self) -> NDArray[np.bool_]:
        cells = self.race.target**2
        open_play = np.repeat([False, True], cells)
        return np.concatenate([np.ones(len(self.first) - 2 * cells, dtype=bool), open_play])

    def _tied(self, values: RaceValues) -> tuple[int, int] | None:
        """Return proven bounds on the first of two tied seats, None if ties are parted evenly."""
        from solver.match.tiebreak import prove_tiebreak  # noqa: PLC0415  it uses this module

        if values.tied is None or not self.rounded:
            return None
        return prove_tiebreak(self.graph, values.points, self.root, float(values.tied[0]))

    def _begin(self) -> Ints:
        """Return the node in which the turn of each state begins."""
        begin = np.full(len(self.first), self.root, dtype=np.int64)
        if self.race.unopened is not None:
            cells = np.arange(self.race.target**2).reshape(self.race.target, -1)
            offset = len(self.first) - 2 * cells.size
            for mover, without in enumerate((cells[0], cells[:, 0])):
                fresh = offset + mover * cells.size + without
                begin[fresh] = self.graph.roots[self.race.unopened]
        return begin

    def _links(self) -> tuple[Ints, Ints]:
        """For each state and outcome: the state it leads to, or -1 and the known value."""
        target, offset = self.race.target, self.reach if self.rounded else 0
        a, b = (x.ravel() for x in np.meshgrid(*[np.arange(target)] * 2, indexing="ij"))
        cells = target * target
        to: list[list[Ints]] = [[], []]
        known: list[list[Ints]] = [[], []]
        for gain in self.points:
            over = a + gain >= target
            deficit = np.minimum(a + gain - b, self.reach)
            ended = deficit - 1 if self.rounded else np.full(cells, -1)
            to[0].append(np.where(over, ended, offset + cells + (a + gain) * target + b))
            known[0].append(np.where(over, ONE, 0))
            over = b + gain >= target
            to[1].append(np.where(over, -1, offset + a * target + b + gain))
            known[1].append(np.zeros(cells, dtype=np.int64))
        stacked = [np.stack(x, axis=1) for x in (*to, *known)]
        links, values = np.concatenate(stacked[:2]), np.concatenate(stacked[2:])
        if self.rounded:
            deficits = np.arange(1, self.reach + 1)[:, None]
            gains = np.array(self.points)[None, :]
            settled = np.where(gains < deficits, ONE, np.where(gains == deficits, ONE // 2, 0))
            links = np.concatenate([np.full(settled.shape, -1), links])
            values = np.concatenate([settled, values])
        return links.astype(np.int64), values.astype(np.int64)

    def spread(self, margin: float) -> Ints:
        """Return the margin of each state in units of the last binary digit.

        It must fall by about `margin` a turn: with R rounds still expected, 4 + 2R before the
        first seat's turn and 3 + 2R before the second's do.
        """
        turns = 4.0 + 2.0 * self.rounds - self.second_moves
        spread: Ints = np.ceil(np.ldexp(margin * turns, BITS)).astype(np.int64)
        return spread

    def shifted(self, spread: Ints) -> Ints:
        """Return the values moved by `spread`, rounded the same way, within [0, 1]."""
        up = spread[0] > 0
        base = (np.ceil if up else np.floor)(self.first).astype(np.int64)
        shifted: Ints = np.clip(base + spread, 0, ONE)
        return shifted

    def error(self, upper: Ints, lower: Ints) -> float:
        """Return how far either seat's table value can be from anything in between."""
        first = np.maximum(
            upper - np.floor(self.first).astype(np.int64),
            np.ceil(self.first).astype(np.int64) - lower,
        )
        second = np.maximum(
            ONE - lower - np.floor(self.second).astype(np.int64),
            np.ceil(self.second).astype(np.int64) - (ONE - upper),
        )
        return float(max(first.max(), second.max())) / ONE

    def holds(self, values: Ints, *, up: bool) -> bool:
        """Return whether T U <= U (up) or T L >= L (not up) at every state."""
        for minimise in (False, True):
            states = np.flatnonzero(self.second_moves == minimise)
            for low in range(0, len(states), _CHUNK):
                rows = states[low : low + _CHUNK]
                link = self.next[rows]
                known = self.known[rows]
                if self.tied is not None:
                    known = np.where(known == ONE // 2, self.tied[up], known)
                payoffs = np.where(link >= 0, values[link], known)
                turn = fixed_point_turn(self.graph, payoffs.T, minimise=minimise, up=up)
                ahead = turn[self.begin[rows], np.arange(len(rows))]
                here = values[rows]
                if not ((ahead <= here) if up else (ahead >= here)).all():
                    return False
        return True


def fixed_point_turn(graph: TurnGraph, payoffs: Ints, *, minimise: bool = False, up: bool) -> Ints:
    """Return the value of best play at every node in fixed point, rounded in one direction.

    Parameters
    ----------
    graph
        The turn.
    payoffs
        int64, shape (outcomes, B): values from 0 to ``ONE``.
    minimise
        Whether the player makes the value small instead of large.
    up
        Whether each chance is rounded up; else down.

    Returns
    -------
    ndarray
        int64, shape (nodes, B).
    """
    value = np.empty((graph.nodes, payoffs.shape[1]), dtype=np.int64)
    value[: len(graph.outcomes)] = payoffs
    pick = np.minimum if minimise else np.maximum
    for begin, end, kind in graph.blocks:
        low, high = int(graph.first[begin]), int(graph.first[end])
        starts = graph.first[begin:end] - low
        if kind == DECISION:
            value[begin:end] = pick.reduceat(value[graph.child[low:high]], starts, axis=0)
        elif kind == CHANCE:
            below = value[graph.child[low:high]]
            weight = graph.weight[low:high, None]
            total = graph.total[begin:end, None]
            value[begin:end] = _average(below, weight, total, starts, up=up)
    return value


def _average(below: Ints, weight: Any, total: Any, starts: Any, *, up: bool) -> Any:
    if weight.dtype == object or int(total.max()) >= _WIDEST:
        top = np.add.reduceat(below.astype(object) * weight, starts, axis=0)
        return -(-top // total) if up else top // total
    high = np.add.reduceat((below >> _LIMB) * weight, starts, axis=0)
    low = np.add.reduceat((below & ((1 << _LIMB) - 1)) * weight, starts, axis=0)
    whole = high // total
    rest = ((high - whole * total) << _LIMB) + low
    part = -(-rest // total) if up else rest // total
    return (whole << _LIMB) + part
