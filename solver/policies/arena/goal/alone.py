"""A policy alone on its way to a goal: how many turns it takes, and how many the best play does."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.match.goal.alone import fewest_turns
from solver.match.goal.result import number_of
from solver.match.goal.solve import goal_race_of
from solver.match.goal.standings import Standings, standings_of
from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.equations.pairs import never_error
from solver.policies.arena.goal.turns.seat import given_turns
from solver.policies.policy import Policy
from solver.tablebase.read import open_tables
from solver.turn.cache import cached_turn
from solver.turn.graph import TurnGraph

Floats = NDArray[np.float64]

_SHOWN = 0.999  # the chances to be done within n turns are given until there
_MOST_SHOWN = 100
_UNIT = 2.0**-53


@dataclass(frozen=True, slots=True, eq=False)
class AloneRun:
    """The turns that a policy takes to a goal.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    policy
        The policy's name.
    standing
        Where it begins.
    reaches
        The chance to reach the goal some day; exactly one unless it can come to stop for ever.
    mean, variance
        Of the number of turns, over the runs that reach it; nan where none does.
    error
        Bound on the error of the chance and of the mean.
    best
        The fewest expected turns of any play.
    within
        float64, shape (turns + 1,): the chance to have reached the goal within 0, 1, ... turns.
    """

    game: str
    rules: Mapping[str, int | str]
    policy: str
    standing: Hashable
    reaches: float
    mean: float
    variance: float
    error: float
    best: float
    within: Floats

    @property
    def lost(self) -> float:
        """Turns more than the best play takes; infinite if it may never reach the goal."""
        return self.mean - self.best if self.reaches == 1.0 else float("inf")

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values; a mean of nothing, and an infinite loss, are None."""
        there = self.reaches > 0.0
        return {
            "standing": str(self.standing),
            "reaches_goal": self.reaches,
            "turns": self.mean if there else None,
            "variance": self.variance if there else None,
            "error": self.error,
            "best": self.best,
            "lost": self.lost if self.reaches == 1.0 else None,
            "within": self.within.tolist(),
        }


def evaluate_alone(
    game: Game,
    policy: Policy,
    *,
    beginning: Hashable = None,
    graph: TurnGraph | None = None,
    workers: int = 1,
) -> AloneRun:
    """Return how many turns a policy takes to the goal, alone.

    Parameters
    ----------
    game
        The rules; they must name a ``goal_race``.
    policy
        A policy for `game`; it sees an opponent who stands where it does itself.
    beginning
        The standing in which it begins; None for that of a new match.
    graph
        The compiled turn, if there is one already.
    workers
        Threads, for best play.

    Raises
    ------
    GameError
        If the game names no race to a goal, or the policy cannot decide.
    UsageError
        If the policy looks at the other seat: alone there is none.
    ProofError
        If the goal is too far away for a bound.

    Examples
    --------
    >>> from solver.games.martians import Hunt
    >>> from solver.policies import read_policy
    >>> run = evaluate_alone(Hunt(goal=2), read_policy(Hunt(goal=2), "fight; spend"))
    >>> round(run.mean, 6), round(run.best, 6)
    (1.028571, 1.015674)
    """
    race = goal_race_of(game)
    graph = cached_turn(game) if graph is None else graph
    standings = standings_of(graph, race.after)
    turns = given_turns(policy, graph, standings)
    if not turns.blind:
        raise UsageError(
            f"{policy.name} looks at the other seat: alone there is none",
            remedy=f"should-i-roll match {game.name} --policies optimal,...",
            field="policy",
        )
    at = 0 if beginning is None else number_of(standings, beginning, game.name)
    clock = Clock.of(turns)
    mean, variance = (float(moment[at]) for moment in clock.moments)
    reaches = float(clock.wins[at])
    best = float(_best(game, graph, standings, workers)[at])
    return AloneRun(
        game.name,
        rules_of(game),
        policy.name,
        standings.names[at],
        reaches,
        mean,
        variance,
        _error(clock, at),
        best,
        _within(clock, at),
    )


def _error(clock: Clock, at: int) -> float:
    """Return a bound on the error of the chance and the mean."""
    if not clock.reaches[at]:
        return 0.0
    means, _ = clock.moments
    first = np.where(clock.reaches, means * clock.wins, 0.0)
    off = np.abs(clock.wins + clock.matrix @ first - first)[clock.reaches].max()
    rounding = (clock.rounding + (len(first) + 4) * _UNIT) * float(first.max() + 1.0)
    most = float(clock.turns.max())
    chance = never_error(clock) if not clock.reaches.all() else 0.0
    wins, mean = float(clock.wins[at]), float(means[at])
    return ((float(off) + rounding) * most + chance * (most + mean)) / wins


def _within(clock: Clock, at: int) -> Floats:
    row = np.zeros(len(clock.goal))
    row[at] = 1.0
    found, wanted = [0.0], _SHOWN * float(clock.wins[at])
    while found[-1] < wanted and len(found) <= _MOST_SHOWN:
        found.append(found[-1] + float(row @ clock.goal))
        row = row @ clock.matrix
    return np.array(found)


def _best(game: Game, graph: TurnGraph, standings: Standings, workers: int) -> Floats:
    """Return the fewest expected turns, from a table or solved on the spot."""
    with open_tables() as tables:
        table = tables.find(game, "turns", 1)
        if table is not None:
            table.check_identity(game)
            return np.array(table.array("turns"), dtype=np.float64)
    return fewest_turns(graph, standings, workers=workers).turns
