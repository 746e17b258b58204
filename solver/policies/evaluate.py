"""One turn of a policy, measured exactly, and what it costs against best play."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solver.games.protocol import Game, is_bust, points_of, sign_of
from solver.games.readings import rules_of
from solver.policies.policy import Policy
from solver.policies.words.standing import ALONE, Standing
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact
from solver.turn.graph import TurnGraph
from solver.turn.policy import evaluate_policy


@dataclass(frozen=True, slots=True, eq=False)
class PolicyTurn:
    """A turn of a policy, in exact rationals.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    policy
        The policy's name.
    beginning
        Which beginning the turn starts from; None if the game has one only.
    distribution
        Outcome -> chance; the chances sum to exactly one.
    points
        Points -> chance, ascending.
    mean, variance
        Of the points, in points and points squared.
    bust
        Chance of a turn that fails: without points, or as the game says.
    best
        Expected points of best play for points.
    sign
        -1 where fewer points are better.
    """

    game: str
    rules: Mapping[str, int | str]
    policy: str
    beginning: Hashable
    distribution: Mapping[Any, Fraction]
    points: Mapping[int, Fraction]
    mean: Fraction
    variance: Fraction
    bust: Fraction
    best: Fraction
    sign: int = 1

    @property
    def loss(self) -> Fraction:
        """Points a turn lost against best play for points."""
        return self.sign * (self.best - self.mean)


def evaluate_turn(
    game: Game,
    policy: Policy,
    *,
    standing: Standing = ALONE,
    beginning: Hashable = None,
    graph: TurnGraph | None = None,
) -> PolicyTurn:
    """Return what one turn of a policy brings, exactly.

    Parameters
    ----------
    game
        The rules.
    policy
        A policy for `game`.
    standing
        Where the match stands; alone by default.
    beginning
        Which of the game's beginnings the turn starts from; None for the first or only one.
    graph
        The compiled turn of `game`, if there is one already.

    Raises
    ------
    GameError, UsageError, PositionError
        If the policy's answers are no legal decisions.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> from solver.policies import read_policy
    >>> hold = evaluate_turn(Pig(), read_policy(Pig(), "stop at 20 points; roll"))
    >>> round(float(hold.mean), 4), round(float(hold.bust), 4), hold.loss
    (8.1418, 0.6245, Fraction(0, 1))
    """
    graph = cached_turn(game) if graph is None else graph
    root = graph.root if beginning is None else graph.roots[beginning]
    found = evaluate_policy(
        policy.game,
        lambda state, actions: policy.choose(state, actions, standing),
        beginning=beginning,
    )
    points: dict[int, Fraction] = {}
    for outcome, chance in found.items():
        worth = points_of(game, outcome)
        points[worth] = points.get(worth, Fraction(0)) + chance
    mean = sum((worth * chance for worth, chance in points.items()), Fraction(0))
    square = sum((worth * worth * chance for worth, chance in points.items()), Fraction(0))
    order = {outcome: i for i, outcome in enumerate(graph.outcomes)}
    sign = sign_of(game, "points")
    best = solve_exact(graph, [sign * p for p in graph.points.tolist()]).value(root)
    return PolicyTurn(
        game=game.name,
        rules=rules_of(game),
        policy=policy.name,
        beginning=beginning,
        distribution=dict(sorted(found.items(), key=lambda item: order[item[0]])),
        points=dict(sorted(points.items())),
        mean=mean,
        variance=square - mean * mean,
        bust=sum((c for outcome, c in found.items() if is_bust(game, outcome)), Fraction(0)),
        best=sign * best,
        sign=sign,
    )
