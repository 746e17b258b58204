"""The rule that a strategy card states for Martian Dice: read off best play, then played as stated.

Stopping. With nothing to lose (tanks above death rays) nobody stops. Otherwise the card tells by
dice left, by species taken and by whether rays and tanks are level or the rays ahead, from how
many points to stop.

Taking. Not behind: the biggest group. Behind by b (tanks above death rays, the new tanks
included): the biggest group if it has at least so many dice as the card tells for b, for the
number of rays rolled and of species taken; else the rays.

Each number is the one that loses least against best play for points, weighted by how often the
position comes up. What the whole rule costs is then computed by playing exactly it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import UsageError
from solver.games.check import walk
from solver.games.martian_dice import MartianDice
from solver.games.protocol import Choose, Expansion, Roll, State
from solver.policies.words.standing import ALONE, Standing, Watched
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact

BEHIND, RAYS = 4, 7
"""Columns and rows that stand for all beyond them too."""
_UNSEEN = 1e-9  # weight of positions that best play never comes to

StopKey = tuple[int, int, int]
"""Dice left; 0 level, 1 ahead; species taken."""
TakeKey = tuple[int, int, int]
"""Species taken; behind by; rays rolled."""


@dataclass(frozen=True, slots=True)
class CardRule:
    """The rule of the card, a policy.

    Parameters
    ----------
    game
        The rules it is for.
    stop
        Points from which to stop; 0 for always, None for never.
    take
        Dice the biggest group needs at least to be taken before the rays; 0 for always, None for
        never.
    name
        How results call it.
    """

    game: MartianDice
    stop: Mapping[StopKey, int | None]
    take: Mapping[TakeKey, int | None]
    name: str = "card"

    def choose(
        self, state: Any, actions: tuple[Any, ...], standing: Standing | Watched = ALONE
    ) -> Any:
        """Return what the card says."""
        if len(actions) == 1:
            return actions[0]
        kind, tanks, rays, heads, kinds, *rest = state
        if kind == "take":
            return self._taken(actions, tanks - rays, kinds, *rest)
        points = self.game.score(tanks, rays, heads, kinds)
        if standing.last:  # somebody has reached the target: only being ahead counts
            return "stop" if points >= standing.needed else "roll"
        if rays < tanks:
            return "roll"
        left = self.game.dice - tanks - rays - heads
        least = self.stop.get((left, min(rays - tanks, 1), kinds))
        return "roll" if least is None or points < least else "stop"

    def _taken(
        self, actions: tuple[Any, ...], behind: int, kinds: int, rays: int, groups: Any
    ) -> Any:
        sizes = groups[0]
        if not sizes:
            return "death-rays"
        biggest = ("group", sizes[-1])
        if not rays or behind <= 0:
            return biggest if biggest in actions else actions[0]
        least = self.take.get((kinds, min(behind, BEHIND), min(rays, RAYS)))
        return biggest if least is not None and sizes[-1] >= least else "death-rays"


def card_rule(game: MartianDice) -> CardRule:
    """Return the rule of the card for `game`.

    Raises
    ------
    UsageError
        If the three species of the die are not alike.
    """
    if len(game.classes) != 1:
        raise UsageError(
            "a card is for dice with three species alike", remedy="--set faces='T1 R2 H1 C1 K1'"
        )
    graph = cached_turn(game)
    best = solve_exact(graph, graph.points.tolist())
    order = list(walk(game))
    value = {s: best.numerator[n] / best.denominator[n] for s, n in graph.node_of.items()}
    reached = _reached(order, value)
    stop: dict[StopKey, _Cell] = defaultdict(_Cell)
    take: dict[TakeKey, _Cell] = defaultdict(_Cell)
    for state, options in _decisions(order):
        kind, tanks, rays, heads, kinds, *rest = state
        weight = reached.get(state, 0.0) + _UNSEEN
        worth = {action: value[after] for action, after in options.items()}
        if kind == "aside" and rays >= tanks:
            points = game.score(tanks, rays, heads, kinds)
            cell = stop[game.dice - tanks - rays - heads, min(rays - tanks, 1), kinds]
            cell.add(points, weight, worth["stop"] - worth["roll"])
        if kind == "take" and tanks > rays and rest[0] and rest[1][0]:
            size = rest[1][0][-1]
            cell = take[kinds, min(tanks - rays, BEHIND), min(rest[0], RAYS)]
            cell.add(size, weight, worth["group", size] - worth["death-rays"])
    return CardRule(
        game,
        {key: cell.threshold() for key, cell in sorted(stop.items())},
        {key: cell.threshold() for key, cell in sorted(take.items())},
    )


class _Cell:
    """What is gained in one cell of the card by doing the one thing rather than the other."""

    def __init__(self) -> None:
        self.gain: dict[int, float] = defaultdict(float)

    def add(self, number: int, weight: float, gain: float) -> None:
        """Add a position with this number, which comes up so often."""
        self.gain[number] += weight * gain

    def threshold(self) -> int | None:
        """Return the least number from which on the thing is done: 0 for always, None for never."""
        numbers = sorted(self.gain)
        sums = {low: sum(self.gain[n] for n in numbers if n >= low) for low in numbers}
        best = max(numbers, key=lambda low: (round(sums[low], 15), -low))
        if round(sums[best], 15) < 0.0:
            return None
        return 0 if best == numbers[0] else best


def _decisions(
    order: Sequence[tuple[State, Expansion]],
) -> Iterator[tuple[Any, Mapping[Any, State]]]:
    for state, expansion in order:
        if isinstance(expansion, Choose) and len(expansion.options) > 1:
            yield state, expansion.options


def _reached(
    order: Sequence[tuple[State, Expansion]], value: Mapping[State, float]
) -> dict[State, float]:
    """Return how often best play comes to each state in a turn."""
    chance: dict[State, float] = defaultdict(float)
    chance[order[-1][0]] = 1.0
    for state, expansion in reversed(order):
        here = chance[state]
        if isinstance(expansion, Choose):
            chance[max(expansion.options.values(), key=value.__getitem__)] += here
        elif isinstance(expansion, Roll):
            whole = sum(weight for weight, _ in expansion.branches)
            for weight, after in expansion.branches:
                chance[after] += here * weight / whole
    return chance
