"""Policies seated in a match of rounds: what each seat plays in every boundary state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from solver.errors import GameError
from solver.games.protocol import Game, RoundsMatch
from solver.match.boundary import Floats, Ints
from solver.match.death_round import Shown, Stages
from solver.match.race import Progress
from solver.match.result import SolvedRounds
from solver.match.rounds import RoundsValues
from solver.match.seated_rounds import (
    RoundsPlay,
    SeatedRounds,
    best_death_play,
    evaluate_rounds,
)
from solver.match.staged import solve_staged
from solver.policies.policy import Policy
from solver.policies.turns import TurnBook, graph_rounding
from solver.policies.words.standing import FAR
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.roots import RootSolver, root_solver


class RoundsPlays:
    """Makes the play of seats in a match of rounds, and evaluates it.

    Parameters
    ----------
    game, match, graph
        The rules, the match they name, and the compiled turn.
    seats
        Number of seats.
    workers
        Threads.
    progress
        Called with (done, in all) from time to time.
    """

    def __init__(
        self,
        game: Game,
        match: RoundsMatch,
        graph: TurnGraph,
        seats: int,
        *,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.game, self.match, self.graph, self.seats = game, match, graph, seats
        self.workers, self.progress = workers, progress
        self.beginnings = list(graph.roots)
        self._books: dict[int, tuple[Policy, TurnBook]] = {}

    @cached_property
    def solvers(self) -> list[RootSolver]:
        """For each stage, the solver of turns that begin there."""
        return [
            root_solver(self.graph, root=root, workers=self.workers)
            for root in self.graph.roots.values()
        ]

    @cached_property
    def optimum(self) -> RoundsValues:
        """Values of best play of every seat."""
        solved = solve_staged(
            self.game,
            self.match,
            self.seats,
            self.graph,
            workers=self.workers,
            proof=False,
            progress=self.progress,
        )
        return _values(solved)

    def evaluate(self, policies: Sequence[Policy | None]) -> SeatedRounds:
        """Return the match of these policies, by seat; None for a best response.

        Raises
        ------
        GameError
            If a player could choose never to score, and nothing else ends the match.
        """
        zero = [int(p == 0) for p in self.graph.points.tolist()]
        idle = solve_exact(self.graph, zero)
        nothing = max(float(idle.value(root)) for root in self.graph.roots.values())
        if nothing >= 1.0 and self.match.rounds is None:
            raise GameError(
                f"{self.game.name}: a player could choose never to score: it need not end"
            )
        return evaluate_rounds(
            self.match,
            self.graph,
            [None if p is None else self.of(p, seat) for seat, p in enumerate(policies)],
            self.solvers,
            nothing=nothing,
            turn_error=error_bound(self.graph),
            progress=self.progress,
        )

    def of(self, policy: Policy, seat: int) -> RoundsPlay:
        """Return how a policy plays in a seat, from 0."""
        if policy.name == "optimal":
            return self._optimal(seat)
        if id(policy) not in self._books:
            self._books[id(policy)] = policy, TurnBook(policy, self.graph)
        book = self._books[id(policy)][1]
        rounds, target = self.match.rounds, self.match.target

        def turn(number: int, scores: Ints, stages: Ints, stage: int) -> Floats:
            del stages
            own = scores[:, seat]
            best = np.delete(scores, seat, axis=1).max(axis=1)
            over = np.full(len(own), rounds == number + 1)
            if target is not None:
                over |= (scores[:, :seat] >= target).any(axis=1)
            to_target = np.full_like(own, FAR) if target is None else target - own
            left = FAR if rounds is None else rounds - 1 - number
            return book.chances(
                {
                    "needed": np.where(over, np.maximum(best + 1 - own, 0), to_target),
                    "lead": own - best,
                    "last": over.astype(np.int64),
                    "rounds": np.where(over, 0, left),
                },
                self.beginnings[stage],
            )

        def death(group: Stages, at: int, shown: Sequence[Shown]) -> Floats:
            best = np.array([points for points, _, _ in shown], dtype=np.int64)
            opens = best < 0  # nobody has shown anything yet
            return book.chances(
                {
                    "needed": np.where(opens, FAR, best + 1),
                    "lead": np.where(opens, 0, -best),
                    "last": np.ones_like(best),
                    "rounds": np.zeros_like(best),
                },
                self.beginnings[group[at]],
            )

        return RoundsPlay(turn, death, book.rounding)

    def _optimal(self, seat: int) -> RoundsPlay:
        values = self.optimum
        shares = {} if values.death is None else values.death.shares

        def turn(number: int, scores: Ints, stages: Ints, stage: int) -> Floats:
            payoffs = values.after(number, seat, scores, stages)[:, :, seat]
            return self.solvers[stage](np.ascontiguousarray(payoffs))[1]

        def death(group: Stages, at: int, shown: Sequence[Shown]) -> Floats:
            del shown  # the places are those of the group's own list
            return best_death_play(self.graph, shares, group)[at]

        return RoundsPlay(turn, death, graph_rounding(self.graph))


def _values(solved: SolvedRounds) -> RoundsValues:
    return solved.values
