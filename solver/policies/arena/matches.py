"""Matches between policies, computed: every seat's chance to win, from everywhere."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from solver.errors import GameError, UsageError
from solver.games.protocol import Game, GoalRace, RoundsMatch, ScoreRace, match_of
from solver.games.readings import rules_of
from solver.match.boundary import points_in_steps
from solver.match.estimate import estimate, fits, too_large
from solver.match.race import Progress
from solver.match.seated import SeatedRace, evaluate_race
from solver.match.seated_rounds import SeatedRounds
from solver.policies.arena.goal.plays import GoalPlays
from solver.policies.arena.goal.result import ManyGoal, SeatedGoal
from solver.policies.arena.rounds import RoundsPlays
from solver.policies.arena.seating import RacePlays
from solver.policies.named import BEST, read_policy
from solver.policies.policy import Policy
from solver.turn.cache import cached_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.result import Exactness
from solver.turn.roots import root_solver


@dataclass(frozen=True, slots=True, eq=False)
class PolicyMatch:
    """A match between policies, evaluated. Seats are numbered from 1 in playing order.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    policies
        By seat; ``best`` for a best response to the others.
    exactness
        How exact the chances are.
    win_probability
        Each seat's chance to win from the start.
    expected_rounds
        Expected number of rounds begun.
    tie_probability
        Chance that several leaders have to be parted at the end.
    neither
        Chance that the match goes on for ever and nobody wins: only in a race to a goal, where
        both seats can come to stop for ever. The expected rounds leave such matches out.
    gain
        What the best response wins more than ``optimal`` would in its seat, against the same
        others; None without one seat that plays it.
    values
        The value of every boundary state.
    race
        The race as the game names it, if it is one.
    """

    game: str
    rules: Mapping[str, int | str]
    policies: tuple[str, ...]
    exactness: Exactness
    win_probability: tuple[float, ...]
    expected_rounds: float
    tie_probability: float
    gain: float | None
    values: SeatedRace | SeatedRounds | SeatedGoal | ManyGoal = field(repr=False)
    neither: float = 0.0
    race: ScoreRace | None = None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.policies)

    def chances(self, scores: Sequence[int], seat: int) -> tuple[float, ...]:
        """Return each seat's chance to win a race from other scores.

        Parameters
        ----------
        scores
            Points of every seat, seat 1 first.
        seat
            The seat on turn, from 1.

        Raises
        ------
        PositionError
            If the rules do not allow these scores with this seat on turn.
        UsageError
            If the match is not a race to a target.
        """
        from solver.match.check_scores import checked_scores  # noqa: PLC0415  only when asked

        if not isinstance(self.values, SeatedRace) or self.race is None:
            raise UsageError("scores are told for races to a target", field="scores")
        values = self.values.values
        most = (values.reach - 1) * self.race.step
        at = checked_scores(self.race, self.seats, most, tuple(scores), seat)
        return tuple(values.at(at, seat - 1)[0, : self.seats].tolist())

    def chances_from(self, standings: Sequence[Hashable], seat: int) -> tuple[float, ...]:
        """Return both seats' chances to win a race to a goal from other standings.

        Parameters
        ----------
        standings
            Of seat 1 and seat 2, as the game has them: the beginnings of a turn.
        seat
            The seat on turn, from 1.

        Raises
        ------
        PositionError
            If no turn begins so.
        UsageError
            If the match is not a race of two seats to a goal.
        """
        if not isinstance(self.values, SeatedGoal):
            raise UsageError(
                "standings are told for races of two seats to a goal", field="standings"
            )
        return self.values.chances(standings, seat)


class Arena:
    """A game made ready for matches between policies: turns are walked and solved once.

    Parameters
    ----------
    game
        The rules; they must name a match.
    graph
        The compiled turn, if there is one already.
    workers
        Threads.
    progress
        Called with (done, in all) from time to time, also while a match is solved for seats
        that play for the win.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> arena = Arena(Pig())
    >>> hold = arena.read("stop if points >= 20 or points >= needed")
    >>> round(arena.play([hold, hold]).win_probability[0], 4)
    0.5347
    """

    def __init__(
        self,
        game: Game,
        *,
        graph: TurnGraph | None = None,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.game = game
        match = match_of(game)
        if not isinstance(match, ScoreRace | RoundsMatch | GoalRace):
            raise UsageError(
                f"{game.name} is played alone: there is nobody to beat",
                remedy=f"should-i-roll evaluate {game.name} measures a policy turn by turn",
                field="game",
            )
        if isinstance(match, ScoreRace) and (match.unopened is not None or match.tie_round):
            what = "a tiebreaker round" if match.tie_round else "an opening score"
            raise UsageError(
                f"{game.name}: policies are not compared with {what}",
                remedy="--set tie=shared" if match.tie_round else "--set opening=0",
                field="game",
            )
        self.match: ScoreRace | RoundsMatch | GoalRace = match
        self.graph = cached_turn(game) if graph is None else graph
        self.workers, self.progress = workers, progress
        if not self.graph.points.any():
            raise GameError(f"{game.name}: no turn scores under these rules: no match ever ends")
        self._plays: dict[int, RacePlays | RoundsPlays | GoalPlays] = {}

    def read(self, text: str) -> Policy | None:
        """Return the policy that a text stands for; None for ``best``."""
        return None if text.strip() == BEST else read_policy(self.game, text)

    def play(self, policies: Sequence[Policy | None]) -> PolicyMatch:
        """Return the match of these policies.

        Parameters
        ----------
        policies
            By seat, at least two; None for a seat that plays a best response to the others.

        Raises
        ------
        UsageError, GameError, PositionError
            If there are fewer than two seats, or a policy cannot decide.
        TooLargeError
            If it does not fit the memory.
        ProofError
            If nobody need ever score.
        """
        seats = len(policies)
        if seats < 2:
            raise UsageError(
                f"{seats} policy: a match needs somebody to beat",
                remedy="--policies optimal,points: one for each seat",
                field="policies",
            )
        seated = self._seated(policies)
        free = [m for m, policy in enumerate(policies) if policy is None]
        gain = None
        if len(free) == 1:
            stand_in = [read_policy(self.game, "optimal") if p is None else p for p in policies]
            other = self._seated(stand_in)
            gain = seated.win_probability[free[0]] - other.win_probability[free[0]]
        two = isinstance(self.match, GoalRace)  # two seats that play their best have one value
        kind = "bounded" if len(free) < 2 or two else "equilibrium"
        return PolicyMatch(
            game=self.game.name,
            rules=rules_of(self.game),
            policies=tuple(BEST if p is None else p.name for p in policies),
            exactness=Exactness("bounded" if kind == "bounded" else "equilibrium", seated.error),
            win_probability=seated.win_probability,
            expected_rounds=seated.expected_rounds,
            tie_probability=seated.tie_probability,
            gain=gain,
            values=seated,
            neither=seated.neither if isinstance(seated, SeatedGoal | ManyGoal) else 0.0,
            race=self.match if isinstance(self.match, ScoreRace) else None,
        )

    def _seated(
        self, policies: Sequence[Policy | None]
    ) -> SeatedRace | SeatedRounds | SeatedGoal | ManyGoal:
        plays = self.plays(len(policies))
        if isinstance(plays, RoundsPlays | GoalPlays):
            return plays.evaluate(policies)
        return evaluate_race(
            plays.race.in_steps,
            plays.points,
            [None if p is None else plays.of(p, seat) for seat, p in enumerate(policies)],
            plays.solve,
            turn_error=error_bound(self.graph),
            progress=self.progress,
        )

    def plays(self, seats: int) -> RacePlays | RoundsPlays | GoalPlays:
        """Return the maker of plays for so many seats."""
        match = self.match
        if isinstance(match, GoalRace):
            return self.goal_plays(match)
        if seats not in self._plays:
            if isinstance(match, RoundsMatch):
                self._plays[seats] = RoundsPlays(
                    self.game,
                    match,
                    self.graph,
                    seats,
                    workers=self.workers,
                    progress=self.progress,
                )
            else:
                solve = root_solver(self.graph, workers=self.workers)
                race = match.in_steps
                points = points_in_steps(match, self.graph.points, self.game.name)
                if not fits(estimate(race, seats, points, self.workers), None):
                    needs = estimate(race, seats, points, self.workers, solve)
                    raise too_large(needs, None, seats)
                self._plays[seats] = RacePlays(
                    self.game,
                    match,
                    self.graph,
                    seats,
                    solve,
                    workers=self.workers,
                    progress=self.progress,
                )
        return self._plays[seats]

    def goal_plays(self, match: GoalRace) -> GoalPlays:
        """Return the maker of turns in a race to a goal, whatever the number of seats."""
        if 0 not in self._plays:
            self._plays[0] = GoalPlays(
                self.game, match, self.graph, workers=self.workers, progress=self.progress
            )
        found = self._plays[0]
        assert isinstance(found, GoalPlays)
        return found
