"""Small games for tests: a turn is one pick among lotteries over points."""

from __future__ import annotations

from dataclasses import dataclass

from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
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
