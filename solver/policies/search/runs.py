"""Rule texts of a family in a race to a goal: how many turns each takes, alone.

The turns of a rule lead from standing to standing, and the expected number of turns from the start
solves one linear system. Only standings count that some play comes to from the start, and of a turn
only the states that it can come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Game
from solver.match.goal.solve import goal_race_of
from solver.match.goal.standings import standings_of
from solver.policies.arena.goal.turns.decide import Edges, edges_of, options_of
from solver.policies.board import Floats, Places
from solver.policies.search.board import RuleBoard
from solver.turn.cache import cached_turn

Ints = NDArray[np.int64]

_MOST_TURNS = 2.0**40


class RunBoard(RuleBoard):
    """A race to a goal laid out for the rules of a family.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    compiled
        Whether to use the compiled pass (numba); None for "if it is installed".
    """

    def __init__(self, game: Game, *, compiled: bool | None = None) -> None:
        super().__init__(game, compiled=compiled)
        graph = cached_turn(game)
        standings = standings_of(graph, goal_race_of(game).after)
        self.size = len(standings)
        after = np.where(standings.after < 0, self.size, standings.after).tolist()
        ends = dict(zip(graph.outcomes, after, strict=True))
        self.edges: Edges = edges_of(self.board, ends)
        self._options = options_of(self.board, self.edges)
        starts = self.board.states.starts
        begin = np.array([starts[name] for name in standings.names], dtype=np.int64)
        self.below, self.first_below, self.members = self._reached(begin)

    def _reached(self, begin: Ints) -> tuple[NDArray[np.int32], Ints, Ints]:
        """Return the states of each turn in order, and the standings, that the start leads to."""
        edges, size = self.edges, self.edges.states
        members: list[int] = [0]
        known = {0}
        states: list[NDArray[np.int64]] = []
        for at in members:
            seen = np.zeros(size + self.size + 1, dtype=np.bool_)
            seen[begin[at]] = True
            for i in range(int(begin[at]), size):
                if seen[i]:
                    seen[edges.child[edges.first[i] : edges.first[i + 1]]] = True
            states.append(np.flatnonzero(seen[:size]))
            for standing in np.flatnonzero(seen[size : size + self.size]).tolist():
                if standing not in known:
                    known.add(standing)
                    members.append(standing)
        first = np.zeros(len(members) + 1, dtype=np.int64)
        first[1:] = np.cumsum([len(s) for s in states])
        return np.concatenate(states).astype(np.int32), first, np.array(members, dtype=np.int64)

    def values(self, choices: Sequence[Places]) -> Floats:
        """Return the expected turns to the goal for each of a batch of choices, with a minus.

        Minus infinity for a rule that may never reach it.
        """
        edge, row, child = self._options
        found = np.empty(len(choices))
        for b, chosen in enumerate(choices):
            chance = self.edges.chance.copy()
            chance[edge] = chosen[row] == child
            found[b] = -self._turns(self._spread(chance))
        return found

    def _spread(self, chance: Floats) -> Floats:
        """Return where the turn from each member leads: members, then the goal."""
        if self.compiled:
            from solver.policies.arena.goal.turns.loops import (  # noqa: PLC0415  numba is heavy
                spread_below,
            )

            push: Any = spread_below  # numba's types say nothing of its arguments
            spread: Floats = push(
                self.edges.first,
                self.edges.child,
                chance,
                self.below,
                self.first_below,
                self.size + 1,
            )
        else:
            spread = self._plainly(chance)
        columns: Floats = spread[:, np.append(self.members, self.size)]
        return columns

    def _plainly(self, chance: Floats) -> Floats:
        edges, size = self.edges, self.edges.states
        found = np.zeros((len(self.members), self.size + 1))
        for m in range(len(self.members)):
            states = self.below[self.first_below[m] : self.first_below[m + 1]]
            reach = np.zeros(size + self.size + 1)
            reach[states[0]] = 1.0
            for i in states.tolist():
                if reach[i]:
                    ahead = slice(edges.first[i], edges.first[i + 1])
                    np.add.at(reach, edges.child[ahead], reach[i] * chance[ahead])
            found[m] = reach[size:]
        return found

    @staticmethod
    def _turns(spread: Floats) -> float:
        """Return the expected turns from the first member, infinite if the goal can be missed."""
        leads, goal = spread[:, :-1], spread[:, -1]
        come = np.zeros(len(leads), dtype=np.bool_)
        come[0] = True
        possible = leads > 0.0
        while True:  # the standings that the rule itself comes to
            more = come | possible[come].any(axis=0)
            if np.array_equal(more, come):
                break
            come = more
        here = np.flatnonzero(come)
        inside, ring = leads[np.ix_(here, here)], goal[here] > 0.0
        while True:  # those from which the goal can be reached
            more = ring | (inside[:, ring] > 0.0).any(axis=1)
            if np.array_equal(more, ring):
                break
            ring = more
        if not ring.all():
            return float("inf")
        turns = np.linalg.solve(np.eye(len(here)) - inside, np.ones(len(here)))
        first = float(turns[np.searchsorted(here, 0)])
        return first if 0.0 < first < _MOST_TURNS else float("inf")
