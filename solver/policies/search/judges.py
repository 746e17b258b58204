"""What short rules are judged by: points a turn, a chance, or the turns to a goal."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from solver.games.protocol import Game, default_objective, objectives_of, payoff_of
from solver.policies.arena.goal.alone import evaluate_alone
from solver.policies.board import Floats, Places
from solver.policies.evaluate import evaluate_turn
from solver.policies.policy import Policy
from solver.policies.search.board import RuleBoard
from solver.policies.search.family import Candidate
from solver.policies.search.runs import RunBoard
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact

Number = Fraction | float

CANDIDATES, FEWER_CANDIDATES = 10_000, 3_000
"""Rules tried by default; fewer where each is a run of turns."""


class Judge(Protocol):
    """Measures rules of a family, quickly and then exactly."""

    unit: str
    """What is measured: ``"points"``, ``"turns"``, or an objective of the game."""
    candidates: int
    """Rules tried by default."""

    def choices(self, rule: Candidate) -> Places:
        """Return where a rule leads from each decision, -1 where no line applies."""

    def values(self, choices: Sequence[Places]) -> Floats:
        """Return what each of a batch of choices is worth: the more, the better."""

    def measured(self, policy: Policy) -> tuple[Number, Number]:
        """Return what a rule brings, and what it loses against the best play."""

    @property
    def best(self) -> Number:
        """What the best play brings."""


class TurnJudge:
    """Points a turn, or what else the game counts, in exact rationals.

    Parameters
    ----------
    game
        The rules.
    """

    candidates = CANDIDATES

    def __init__(self, game: Game) -> None:
        self.game = game
        objective = default_objective(game)
        self.unit = objective if objective in objectives_of(game) else "points"
        self._board = RuleBoard(game, payoff=lambda x: payoff_of(game, self.unit, x))
        self.choices, self.values = self._board.choices, self._board.values

    def measured(self, policy: Policy) -> tuple[Fraction, Fraction]:
        """Return what a rule brings in a turn, and what it loses."""
        turn = evaluate_turn(self.game, policy)
        worth = sum(
            (payoff_of(self.game, self.unit, x) * p for x, p in turn.distribution.items()),
            Fraction(0),
        )
        return worth, self.best - worth

    @property
    def best(self) -> Fraction:
        """What the best play brings in a turn."""
        graph = cached_turn(self.game)
        payoffs = [payoff_of(self.game, self.unit, x) for x in graph.outcomes]
        return solve_exact(graph, payoffs).value(graph.root)


class RunJudge:
    """Expected turns to the goal of a race, alone: the fewer, the better.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    """

    unit = "turns"
    candidates = FEWER_CANDIDATES

    def __init__(self, game: Game) -> None:
        self.game = game
        self._board = RunBoard(game)
        self.choices, self.values = self._board.choices, self._board.values
        self._best: float | None = None

    def measured(self, policy: Policy) -> tuple[float, float]:
        """Return the turns of a rule, and how many more they are than the fewest."""
        run = evaluate_alone(self.game, policy)
        self._best = run.best
        return (run.mean, run.lost) if run.reaches == 1.0 else (run.lost, run.lost)

    @property
    def best(self) -> float:
        """The fewest expected turns."""
        if self._best is None:
            from solver.policies.optimal import FewestTurnsPolicy  # noqa: PLC0415  only if asked

            self._best = evaluate_alone(self.game, FewestTurnsPolicy(self.game)).best
        return self._best


def judge_of(game: Game) -> Judge:
    """Return what the short rules of a game are judged by."""
    return RunJudge(game) if hasattr(game, "goal_race") else TurnJudge(game)
