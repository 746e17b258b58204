"""Policies seated in a race: what each seat plays in every boundary state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from solver.errors import UsageError
from solver.games.protocol import Action, Game, ScoreRace, State
from solver.games.readings import End
from solver.match.boundary import Floats, Ints, RaceValues, points_in_steps
from solver.match.mixing import STEP
from solver.match.race import Mixes, Progress
from solver.match.result import SolvedRace
from solver.match.seated import SeatPlay, best_play
from solver.match.solve import solve_match
from solver.policies.policy import Policy
from solver.policies.turns import TurnBook, graph_rounding
from solver.policies.words.standing import ALONE, FAR, Standing, Watched
from solver.tablebase.read import open_tables
from solver.turn.graph import TurnGraph
from solver.turn.result import TurnSolution
from solver.turn.roots import RootSolver
from solver.turn.solve import solve_turn


class RacePlays:
    """Makes the play of seats in a race; equal policies are walked once.

    Parameters
    ----------
    game, race, graph
        The rules, the race they name, and the compiled turn.
    seats
        Number of seats.
    solve
        Solver of a batch of turns.
    progress
        Told about solving the match, where some seat plays for the win.
    """

    def __init__(
        self,
        game: Game,
        race: ScoreRace,
        graph: TurnGraph,
        seats: int,
        solve: RootSolver,
        *,
        workers: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.game, self.race, self.graph = game, race, graph
        self.points = points_in_steps(race, graph.points, game.name)
        self.seats, self.solve = seats, solve
        self.workers, self.progress = workers, progress
        self._turns: dict[int, tuple[Policy, _Rows]] = {}
        self._optimal: list[SeatPlay] | None = None
        self._optimum: tuple[RaceValues, Mixes] | None = None

    def of(self, policy: Policy, seat: int) -> SeatPlay:
        """Return how a policy plays in a seat, from 0."""
        if policy.name == "optimal":
            return self.optimal()[seat]
        if id(policy) not in self._turns:
            self._turns[id(policy)] = policy, _Rows(policy, self.race, self.graph)
        return self._turns[id(policy)][1].play(seat)

    def optimum(self) -> tuple[RaceValues, Mixes]:
        """Return the values of best play of every seat, from a table or solved on the spot."""
        if self._optimum is None:
            with open_tables() as tables:
                table = tables.find(self.game, "win", self.seats)
                if table is not None:
                    table.check_identity(self.game)
                    held = table.race_values(self.game)
                    copied = RaceValues(
                        held.race,
                        held.seats,
                        np.array(held.points),
                        np.array(held.open_play),
                        {key: np.array(last) for key, last in held.last_turns.items()},
                        held.tied,
                    )
                    self._optimum = copied, dict(table.mixes())
            if self._optimum is None:
                match = solve_match(
                    self.game,
                    self.seats,
                    graph=self.graph,
                    workers=self.workers,
                    proof=False,
                    progress=self.progress,
                )
                if not isinstance(match, SolvedRace):
                    raise TypeError("a score race is solved as one")
                self._optimum = match.values, match.mixes
        return self._optimum

    def optimal(self) -> list[SeatPlay]:
        """Return, by seat, the play of the optimum (an equilibrium with three and more)."""
        if self._optimal is None:
            values, mixes = self.optimum()
            rounding = graph_rounding(self.graph)
            self._optimal = [
                replace(_kept(play, values, m, mixes, self.solve), rounding=rounding)
                for m, play in enumerate(best_play(values, self.solve))
            ]
        return self._optimal


def _kept(
    play: SeatPlay, values: RaceValues, seat: int, mixes: Mixes, solve: RootSolver
) -> SeatPlay:
    """Return the same play, its turns solved once; where the seat mixes, mixed."""
    seats, target = values.seats, values.race.target
    cells = np.stack(
        np.meshgrid(*[np.arange(target)] * seats, indexing="ij"), axis=-1, dtype=np.int64
    ).reshape(-1, seats)
    step = max(1, 200_000 // max(1, len(values.points)))
    rows = np.concatenate(
        [play.open_play(cells[low : low + step]) for low in range(0, len(cells), step)]
    ).reshape(*(target,) * seats, -1)
    for (scores, m), mix in mixes.items():
        if m != seat:
            continue
        ahead = values.after(np.array([scores], dtype=np.int64), m)[0, :, m]
        nothing = values.points == 0
        sides = [np.where(nothing, mix.breakpoint + side, ahead) for side in (STEP, -STEP)]
        above, below = solve(np.stack(sides))[1]
        rows[scores] = mix.share * above + (1.0 - mix.share) * below

    def open_play(scores: Ints) -> Floats:
        found: Floats = rows[tuple(scores.T)]
        return found

    return replace(play, open_play=open_play)


class _Rows:
    """A policy's turns in every standing of a race."""

    def __init__(self, policy: Policy, race: ScoreRace, graph: TurnGraph) -> None:
        book, step = TurnBook(policy, graph), race.step
        target = race.in_steps.target
        own, other = (step * axis.reshape(-1) for axis in np.indices((target, target)))
        self.open_rows, kind = book.kinds(
            {
                "needed": race.target - own,
                "lead": own - other,
                "last": np.zeros_like(own),
                "rounds": np.full_like(own, FAR),
            }
        )
        self.open_kind = kind.reshape(target, target)
        self.last = np.empty((0, len(graph.outcomes)))
        if race.end is End.ROUND:
            behind = step * np.arange(1, int(graph.points.max()) // step + 2)
            self.last = book.chances(
                {
                    "needed": behind + step,
                    "lead": -behind,
                    "last": np.ones_like(behind),
                    "rounds": np.zeros_like(behind),
                }
            )
        self.rounding = book.rounding

    def play(self, seat: int) -> SeatPlay:
        """Return the play of a seat."""

        def open_play(scores: Ints) -> Floats:
            others = np.delete(scores, seat, axis=1).max(axis=1)
            found: Floats = self.open_rows[self.open_kind[scores[:, seat], others]]
            return found

        def last_turn(deficits: Ints, holders: int) -> Floats:
            del holders
            found: Floats = self.last[deficits[:, 0] - 1]
            return found

        return SeatPlay(open_play, last_turn, self.rounding)


def standing_at(race: ScoreRace, scores: Ints, seat: int) -> Standing:
    """Return what a policy sees of a race before a turn.

    Parameters
    ----------
    race
        Target and end.
    scores
        int64, shape (seats,), counted in steps of the race.
    seat
        The seat on turn, from 0.
    """
    scores = scores * race.step
    own, best = int(scores[seat]), int(np.delete(scores, seat).max())
    if (scores[:seat] >= race.target).any():
        behind = int(scores[:seat].max()) - own
        return Standing(needed=behind + race.step, lead=-behind, last=1, rounds=0)
    return Standing(needed=race.target - own, lead=own - best)


@dataclass(frozen=True, slots=True)
class ChosenTurn:
    """The policy of one solved turn, whatever the match."""

    name: str
    game: Game
    turn: TurnSolution = field(repr=False)

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Return the best action of the solved turn."""
        del actions, standing
        best: Action = self.turn.choice_at(state)
        return best


def optimal_turn(plays: RacePlays, scores: Ints, seat: int) -> ChosenTurn:
    """Return best play for the win in one turn of a race, as a policy of that turn.

    Parameters
    ----------
    plays
        The race.
    scores
        int64, shape (seats,): the scores before the turn.
    seat
        The seat on turn, from 0.
    """
    values, mixes = plays.optimum()
    if (tuple(scores.tolist()), seat) in mixes:
        raise UsageError(
            "the optimum mixes two turns at these scores: it is not one turn",
            remedy="should-i-roll match evaluates it",
            field="scores",
        )
    ahead = values.after(scores[None], seat)[0, :, seat]
    payoff = dict(zip(plays.graph.outcomes, ahead.tolist(), strict=True))
    turn = solve_turn(plays.game, payoff, graph=plays.graph, prefer_points=True)
    return ChosenTurn("optimal", plays.game, turn)
