"""Many rule texts of a family at once: their choices as arrays, their values by one pass back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.games.protocol import Game, Outcome
from solver.policies.board import Board, Everywhere, Floats, Places, board_of
from solver.policies.search.family import Candidate
from solver.policies.states import Branches, Decision
from solver.policies.text.grammar import parse
from solver.policies.text.rules import limit_of

Flags = NDArray[np.bool_]


class RuleBoard:
    """A turn laid out for the rules of a family.

    Parameters
    ----------
    game
        The rules.
    beginning
        Which of the game's beginnings the turn starts from; None for the first.
    compiled
        Whether to use the compiled pass (numba); None for "if it is installed".
    payoff
        What an outcome is worth; by default its points.
    """

    def __init__(
        self,
        game: Game,
        beginning: Hashable = None,
        *,
        compiled: bool | None = None,
        payoff: Callable[[Outcome], float] | None = None,
    ) -> None:
        self.board: Board = board_of(game)
        self.worth = self.board.worth if payoff is None else self.board.worth_of(payoff)
        starts = self.board.states.starts
        self.start = next(iter(starts.values())) if beginning is None else starts[beginning]
        self.compiled = find_spec("numba") is not None if compiled is None else compiled
        self._tables: dict[str, Places] = {}
        self._tests: dict[str, Flags] = {}

    def choices(self, rule: Candidate) -> Places:
        """Return where a rule leads from each decision, int32, shape (decisions,).

        -1 where no line applies.
        """
        chosen = np.full(len(self.board.decisions), -1, dtype=np.int32)
        for line in rule.lines:
            table = self._table(line.phrase)
            free = (chosen < 0) & (table >= 0)
            if line.clauses:
                holds = np.zeros(len(chosen), dtype=np.bool_)
                for clause in line.clauses:
                    every = self._test(clause[0])
                    for condition in clause[1:]:
                        every = every & self._test(condition)
                    holds |= every
                free &= holds
            chosen[free] = table[free]
        return chosen

    def _table(self, phrase: str) -> Places:
        if phrase not in self._tables:
            rule = parse(phrase, self.board.words)[0]
            limit = limit_of(rule, Everywhere(self.board, {}))
            self._tables[phrase] = self.board.table(rule.phrase, limit)
        return self._tables[phrase]

    def _test(self, condition: str) -> Flags:
        if condition not in self._tests:
            action = " ".join(self.board.words.phrases[0].words)
            test = parse(f"{action} if {condition}", self.board.words)[0].test
            if test is None:
                raise TypeError("a condition makes a test")
            holds = np.asarray(test(Everywhere(self.board, {})), dtype=np.bool_)
            self._tests[condition] = np.broadcast_to(holds, (1, len(self.board.decisions)))[0]
        return self._tests[condition]

    def values(self, choices: Sequence[Places]) -> Floats:
        """Return the expected points of a turn, or payoff, for each of a batch of choices."""
        if self.compiled:
            from solver.policies.loops import value_many  # noqa: PLC0415  numba is heavy

            one_by_one: Any = value_many  # numba's types say nothing of its arguments
            compiled: Floats = one_by_one(
                *self.board.edges, self.worth, self.board.row, np.stack(choices), self.start
            )
            return compiled
        chosen = np.stack(choices, axis=1)
        batch = chosen.shape[1]
        value = np.repeat(self.worth[:, None], batch, axis=1)
        columns = np.arange(batch)
        for level in self._levels:
            if len(level.rolls):
                products = value[level.child] * level.chance[:, None]
                value[level.rolls] += np.add.reduceat(products, level.first, axis=0)
            if len(level.forced):
                value[level.forced] = value[level.forced_child]
            if len(level.chosen):
                value[level.chosen] = value[chosen[level.rows], columns]
        found: Floats = value[self.start]
        return found

    @cached_property
    def _levels(self) -> list[_Level]:
        """The states by level, those that lead to no others but ends first."""
        steps, row = self.board.states.steps, self.board.row
        children = [
            list(step.children)
            if isinstance(step, Decision)
            else []
            if step is None
            else step.children.tolist()
            for step in steps
        ]
        level = np.zeros(len(steps), dtype=np.int64)
        for i in range(len(level) - 1, -1, -1):
            if children[i]:
                level[i] = 1 + max(level[c] for c in children[i])
        found: list[_Level] = []
        for n in range(1, int(level.max()) + 1):
            here = np.flatnonzero(level == n).tolist()
            rolls = [i for i in here if isinstance(steps[i], Branches)]
            forced = [i for i in here if isinstance(steps[i], Decision) and row[i] < 0]
            chosen = [i for i in here if row[i] >= 0]
            found.append(_Level(self.board, rolls, forced, chosen, children))
        return found


class _Level:
    """States of one level as arrays."""

    def __init__(
        self,
        board: Board,
        rolls: list[int],
        forced: list[int],
        chosen: list[int],
        children: list[list[int]],
    ) -> None:
        first, child, chance = board.edges
        spans = [slice(first[i], first[i + 1]) for i in rolls]
        lengths = [span.stop - span.start for span in spans]
        none: list[Any] = [np.empty(0)]
        self.rolls = np.array(rolls, dtype=np.int64)
        self.child = np.concatenate([child[span] for span in spans] or none).astype(np.int64)
        self.chance = np.concatenate([chance[span] for span in spans] or none)
        self.first = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        self.forced = np.array(forced, dtype=np.int64)
        self.forced_child = np.array([children[i][0] for i in forced], dtype=np.int64)
        self.chosen = np.array(chosen, dtype=np.int64)
        self.rows = board.row[self.chosen]
