r"""Step 6: which Martians to move where, so that the player's own next turn is best.

A way of moving them is worth what the next turn is worth before its movement roll, on the board as
it then is: step 7 has placed new Martians, and nothing else has changed. The other players, the
next tile and cards are left out.

*Exactly*, every way is valued: where they come to boards that do not differ within reach of the
next turn they are one. Where there are too many ways, Martians are moved *one at a time*, each to
where the turn is then worth most; of those that can be told apart by the next turn the nearest to
the player are looked at. That need not be the best way. A bound says how far it can be off: no way
is worth more than a turn in which every Martian that is on a square, or that can be moved there,
need only be met if the player likes, and anew each time: he can then do all that he could do after
any of the moves. Where that bound is reached, one at a time was best too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from solver.errors import TooLargeError
from solver.games.martians.plan.finds import squares_in
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.invaders import Invaders, Step
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.before import BeforeRoll
from solver.turn.board.nodes import MOST_NODES

MOST_WAYS = 5_000
MOST_BOARDS = 200
MOST_LOOKED_AT = 24
MOST_WORK = 4_000_000

Method = Literal["exact", "one at a time"]


@dataclass(frozen=True, slots=True)
class March:
    """A way of moving Martians.

    Parameters
    ----------
    steps
        From which square to which, in order, by their numbers.
    value, death
        What the player's next turn is worth then, and the chance to die in it.
    stay
        What it would be worth if no Martian were moved.
    method
        ``"exact"``: no way is better; ``"one at a time"``: see the module.
    bound
        No way is worth more; None if it was not computed.
    boards, nodes
        How many boards were valued, and their nodes together.
    first
        Every first step that was valued, best first: (step, value, chance to die).
    whole
        Whether those are the values of the best ways that begin so; else of that step alone.
    tie
        Values that differ by no more are equal.
    """

    steps: tuple[Step, ...]
    value: float
    death: float
    stay: float
    method: Method
    bound: float | None
    boards: int
    nodes: int
    first: tuple[tuple[Step, float, float], ...]
    whole: bool
    tie: float


def plan_march(
    ground: Ground,
    invaders: Invaders,
    number: int,
    payoff: Payoff,
    *,
    most_boards: int = MOST_BOARDS,
    most_looked_at: int = MOST_LOOKED_AT,
    most_nodes: int = MOST_NODES,
    most_work: int = MOST_WORK,
    bounded: bool = True,
) -> March:
    """Return how to move Martians.

    Parameters
    ----------
    ground
        The player's ground as it is now; the tokens are those of the next turn.
    invaders
        Where Martians can go, and where new ones arrive.
    number
        What the die shows.
    payoff
        What the next turn is played for.
    most_boards
        Boards up to which all are valued.
    most_looked_at
        Boards looked at for each Martian that is moved one at a time.
    most_nodes, most_work
        Limits of the nodes of one valuation, and of all together.
    bounded
        Whether to compute a bound, one at a time.

    Raises
    ------
    TooLargeError
        If a turn has more nodes, or all turns together.
    """
    turns = _Turns(ground, invaders, payoff, most_nodes, most_work)
    ways = invaders.ways(ground.standing, number, MOST_WAYS)
    if ways is not None:
        by_board: dict[int, tuple[Step, ...]] = {}
        for standing, way in ways.items():
            by_board.setdefault(turns.board(standing), way)
        if len(by_board) <= most_boards:
            return _exactly(turns, ground.standing, ways)
    found = _one_at_a_time(turns, ground, invaders, number, most_looked_at)
    if not bounded:
        return found
    bound = turns.bound(ground.standing)
    exact = bound is not None and found.value >= bound - turns.tie
    method: Method = "exact" if exact else "one at a time"
    return replace(found, method=method, bound=bound, nodes=turns.work)


class _Turns:
    """Values of the next turn by where Martians stand."""

    def __init__(
        self,
        ground: Ground,
        invaders: Invaders,
        payoff: Payoff,
        most_nodes: int,
        most_work: int,
    ) -> None:
        self.ground, self.invaders, self.payoff = ground, invaders, payoff
        self.most_nodes, self.most_work, self.work = most_nodes, most_work, 0
        empty = BeforeRoll(ground, payoff, [])
        self.ball = empty.ball
        self.levels = [
            empty.nodes.within(ground.at, steps) for steps in range(empty.nodes.moves + 1)
        ]
        self.known: dict[int, tuple[float, float]] = {}
        self.tie = 0.0

    @property
    def count(self) -> int:
        """Boards that were valued."""
        return len(self.known)

    def board(self, standing: int) -> int:
        """Return what the next turn can tell of a board."""
        return self.invaders.arrived(standing) & self.ball

    def distance(self, standing: int, before: int) -> int:
        """Return how near the player is to where two boards differ."""
        differs = standing ^ before
        return next((n for n, level in enumerate(self.levels) if level & differs), len(self.levels))

    def value(self, boards: Iterable[int]) -> None:
        """Value boards, together while they fit the limit, else one by one."""
        new = [board for board in dict.fromkeys(boards) if board not in self.known]
        while new:
            some = new
            while True:
                try:
                    turns = BeforeRoll(self.ground, self.payoff, some, most_nodes=self.most_nodes)
                except TooLargeError:
                    if len(some) == 1:
                        raise
                    some = some[: len(some) // 2]
                    continue
                break
            self.tie = max(self.tie, turns.values.tie)
            self.work += len(turns.nodes.kind)
            if self.work > self.most_work:
                raise TooLargeError(
                    f"to move the Martians, turns of more than {self.most_work:,} nodes would have"
                    " to be valued",
                    remedy="fewer Martians to move, or a higher limit",
                    field="moves",
                )
            self.known |= {board: turns.worth(board) for board in some}
            new = new[len(some) :]

    def bound(self, standing: int) -> float | None:
        """Return what no way of moving can be better than; None if that would take too long."""
        near = self.invaders.near
        can = standing | sum(1 << circle for circle in self.invaders.circles)
        for square in self.invaders.ship_tile:
            can |= 1 << square
        for square in squares_in(standing):
            for other in near[square]:
                can |= 1 << other
        can |= standing
        try:
            turns = BeforeRoll(
                self.ground, self.payoff, [can], most_nodes=self.most_nodes, perhaps=can
            )
        except TooLargeError:
            return None
        return turns.worth(can)[0]


def _exactly(turns: _Turns, standing: int, ways: dict[int, tuple[Step, ...]]) -> March:
    now = turns.board(standing)
    turns.value([now, *map(turns.board, ways)])
    first: dict[Step, tuple[float, float]] = {}
    best: tuple[float, float, tuple[Step, ...]] | None = None
    for end, way in ways.items():
        value, death = turns.known[turns.board(end)]
        if way and (way[0] not in first or _better((value, death), first[way[0]], turns.tie)):
            first[way[0]] = value, death
        if best is None or _better((value, death), best[:2], turns.tie):
            best = value, death, way
    assert best is not None
    value, death, way = best
    stay = turns.known[now][0]
    shown = _best_first(first, way)
    return March(
        way, value, death, stay, "exact", value, turns.count, turns.work, shown, True, turns.tie
    )


def _better(one: tuple[float, float], other: tuple[float, float], tie: float) -> bool:
    """Return whether a value with its chance to die is better than another."""
    return one[0] > other[0] + tie or (one[0] >= other[0] - tie and one[1] < other[1])


def _best_first(
    first: dict[Step, tuple[float, float]], way: tuple[Step, ...]
) -> tuple[tuple[Step, float, float], ...]:
    order = sorted(first.items(), key=lambda entry: (entry[0] not in way[:1], -entry[1][0]))
    return tuple((step, *worth) for step, worth in order)


def _one_at_a_time(
    turns: _Turns, ground: Ground, invaders: Invaders, number: int, most: int
) -> March:
    now, moved = ground.standing, 0
    way: list[Step] = []
    first: dict[Step, tuple[float, float]] = {}
    start = turns.board(now)
    turns.value([start])
    for _ in range(number):
        steps: dict[int, tuple[Step, int, int]] = {}
        for square, other in invaders.steps(now, moved):
            there = now & ~(1 << square) | 1 << other
            steps.setdefault(turns.board(there), ((square, other), there, moved | 1 << other))
        if not steps:
            break
        here = turns.board(now)
        boards = sorted(steps, key=lambda board: turns.distance(board, here))[:most]
        if here in steps and here not in boards:
            boards.append(here)
        turns.value(boards)
        worth = {board: turns.known[board] for board in boards}
        if not way:
            first = {steps[board][0]: worth[board] for board in boards}
        most_value = max(value for value, _ in worth.values())
        tied = [board for board in boards if worth[board][0] >= most_value - turns.tie]
        chosen = here if here in tied else min(tied, key=lambda board: worth[board][1])
        step, now, moved = steps[chosen]
        way.append(step)
    value, death = turns.known[turns.board(now)]
    shown, stay = _best_first(first, tuple(way)), turns.known[start][0]
    found = tuple(way), value, death, stay
    return March(*found, "one at a time", None, turns.count, turns.work, shown, False, turns.tie)
