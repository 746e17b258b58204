"""Small games for tests: a turn is one pick among lotteries over points."""

from __future__ import annotations

from dataclasses import dataclass

from solver.games.protocol import Bank, Choose, Expansion, Roll, RoundsMatch, ScoreRace
from solver.games.readings import End, Tie

Lotteries = tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Lottery:
    """Pick one of several lotteries, each a tuple of (points, weight)."""

    lotteries: Lotteries
    target: int
    end: End = End.ROUND
    name = "lottery"

    @property
    def race(self) -> ScoreRace:
        return ScoreRace(self.target, self.end, Tie.SHARED)

    def start(self) -> tuple[str, ...]:
        return ("pick",)

    def expand(self, state: tuple) -> Expansion:
        if state[0] == "pick":
            return Choose({f"lottery-{i}": ("draw", i) for i in range(len(self.lotteries))})
        if state[0] == "draw":
            return Roll([(w, ("bank", p)) for p, w in self.lotteries[state[1]]])
        return Bank(state[1])


CHASE = Lottery((((0, 6), (4, 6)), ((0, 1), (1, 5), (4, 5))), target=4)
"""Three seats chase each other at the scores (2, 1, 0): seat 2 and seat 3 must mix there."""

CHASE_OF_THREE_LOTTERIES = Lottery(
    (((0, 6), (2, 6), (1, 4)), ((0, 5), (2, 4), (1, 6)), ((0, 6), (4, 3))), target=4
)
"""Another: seat 1 and seat 2 must mix at the scores (3, 2, 0)."""


@dataclass(frozen=True)
class StagedLottery:
    """Pick a lottery of one's stage, a tuple of ((points, stage), weight); rounds are counted."""

    stages: tuple[tuple[tuple[tuple[tuple[int, int], int], ...], ...], ...]
    rounds: int | None = 2
    target: int | None = None
    name = "staged-lottery"

    @property
    def rounds_match(self) -> RoundsMatch:
        return RoundsMatch(self.rounds, self.target)

    def start(self) -> tuple[str, int]:
        return ("pick", 0)

    def starts(self) -> dict[int, tuple[str, int]]:
        return {stage: ("pick", stage) for stage in range(len(self.stages))}

    def points(self, outcome: tuple[int, int]) -> int:
        return outcome[0]

    def expand(self, state: tuple) -> Expansion:
        if state[0] == "pick":
            stage = state[1]
            return Choose(
                {f"lottery-{i}": ("draw", stage, i) for i in range(len(self.stages[stage]))}
            )
        if state[0] == "draw":
            lottery = self.stages[state[1]][state[2]]
            return Roll([(w, ("bank", outcome)) for outcome, w in lottery])
        return Bank(state[1])


TWO_STAGES = (
    ((((0, 0), 2), ((2, 0), 1), ((1, 1), 1)), (((0, 0), 1), ((1, 0), 2), ((1, 1), 3))),
    ((((0, 1), 3), ((2, 1), 4)), (((0, 1), 1), ((1, 1), 4), ((2, 1), 1))),
)
"""Safe or daring, at each of two stages; the second is better, and is kept."""
