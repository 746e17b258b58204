"""Policies seated in a race to a goal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from solver.errors import TooLargeError, UsageError
from solver.games.protocol import Game, GoalRace
from solver.match.estimate import available
from solver.match.goal.race import Progress
from solver.match.goal.standings import Standings, standings_of
from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.equations.linked import race_of_turns
from solver.policies.arena.goal.equations.many import race_of_many
from solver.policies.arena.goal.equations.pairs import PairValues, race_of_clocks
from solver.policies.arena.goal.optimum import GoalOptimum, solve_optimum
from solver.policies.arena.goal.respond import best_response
from solver.policies.arena.goal.result import ManyGoal, SeatedGoal
from solver.policies.arena.goal.turns.seat import GivenTurns, SeatTurns, given_turns
from solver.policies.policy import Policy
from solver.turn.graph import TurnGraph

_TABLES = 24
"""Tables of all pairs that are held at once, at most."""


class GoalPlays:
    """Makes the turns of seats in a race to a goal, and evaluates the match.

    Parameters
    ----------
    game, match, graph
        The rules, the match they name, and the compiled turn.
    workers
        Threads.
    progress
        Called with (done, in all) from time to time.
    """

    def __init__(
        self,
        game: Game,
        match: GoalRace,
        graph: TurnGraph,
        *,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.game, self.match, self.graph = game, match, graph
        self.workers, self.progress = workers, progress
        self._given: dict[int, tuple[Policy, GivenTurns, Clock | None]] = {}

    @cached_property
    def standings(self) -> Standings:
        """The standings."""
        return standings_of(self.graph, self.match.after)

    @cached_property
    def optimum(self) -> GoalOptimum:
        """Best play of both seats."""
        return solve_optimum(
            self.game, self.graph, self.standings, workers=self.workers, progress=self.progress
        )

    def given(self, policy: Policy) -> tuple[GivenTurns, Clock | None]:
        """Return the turns of a policy, and its clock if it looks at nobody."""
        if id(policy) not in self._given:
            turns = given_turns(policy, self.graph, self.standings)
            self._given[id(policy)] = policy, turns, Clock.of(turns) if turns.blind else None
        return self._given[id(policy)][1:]

    def evaluate(self, policies: Sequence[Policy | None]) -> SeatedGoal | ManyGoal:
        """Return the match of these policies, by seat; None for a best response.

        Raises
        ------
        UsageError
            If there are more than two seats of which one looks at the others.
        TooLargeError
            If it does not fit the memory.
        GameError, PositionError
            If a policy cannot decide.
        ProofError
            If the match is too long for a bound.
        """
        if len(policies) > 2:
            return self._many(policies)
        self._check_memory()
        one, two = (None if policy is None else self._turns(policy) for policy in policies)
        if one is None and two is None:  # best responses to each other
            one = two = self.optimum.play
        elif one is None or two is None:
            given = two if one is None else one
            assert given is not None
            found = best_response(
                self.optimum.play,
                given,
                self.standings,
                self.optimum.chance,
                progress=self.progress,
            )
            one, two = (found, given) if one is None else (given, found)
        assert one is not None
        assert two is not None
        return SeatedGoal(self.game.name, self.standings, self._values(one, two))

    def _turns(self, policy: Policy) -> SeatTurns:
        return self.optimum.play if policy.name == "optimal" else self.given(policy)[0]

    def _values(self, one: SeatTurns, two: SeatTurns) -> PairValues:
        clocks = [self._clock(turns) for turns in (one, two)]
        stages = self.standings.stages
        if clocks[0] is not None and clocks[1] is not None:
            return race_of_clocks(clocks[0], clocks[1], stages)
        sure = [float(c.turns.max()) for c in clocks if c is not None and c.reaches.all()]
        guess = None
        if "optimum" in self.__dict__:
            guess = self.optimum.chance
            if any(turns is self.optimum.play for turns in (one, two)):
                sure.append(float(self.optimum.turns.max()))
        return race_of_turns(
            one,
            two,
            stages,
            sure=min(sure) if sure else None,
            guess=guess,
            progress=self.progress,
        )

    def _clock(self, turns: SeatTurns) -> Clock | None:
        return next((clock for _, known, clock in self._given.values() if known is turns), None)

    def _many(self, policies: Sequence[Policy | None]) -> ManyGoal:
        clocks: list[Clock] = []
        for policy in policies:
            looks = policy is None or policy.name == "optimal"
            clock = None if policy is None or looks else self.given(policy)[1]
            if clock is None:
                name = "best" if policy is None else policy.name
                raise UsageError(
                    f"{name} looks at the other seat, and here are {len(policies)}: races to a goal"
                    " are solved for two",
                    rule="more seats: policies that do not look at the others",
                    remedy="two policies, or such as points, greedy, random or a text without lead",
                    field="policies",
                )
            clocks.append(clock)
        found = race_of_many(clocks, [0] * len(clocks), self.progress)
        return ManyGoal(found.wins, found.rounds, 1.0 - found.ends, found.error)

    def _check_memory(self) -> None:
        size = len(self.standings)
        needed = size * size * 8 * _TABLES + len(self.graph.outcomes) * size * 16
        limit = available()
        if limit is not None and needed > limit:
            raise TooLargeError(
                f"{self.game.name}: {size:,} standings make {size * size:,} pairs: about"
                f" {needed / 2**20:,.0f} MiB, and {limit / 2**20:,.0f} MiB are free",
                remedy="a nearer goal, or no weapons",
                field="policies",
            )
