"""Martian Dice with its species apart: for players to whom two equal groups are two choices.

The rules merge equal positions, and so keep each size of group once. A player who picks any
*type* with the same chance sees more: of two groups of one size each counts. These are the same
rules with every group kept; outcomes are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from solver.dice import Die, multinomial, project
from solver.games.martian_dice import MartianDice
from solver.games.protocol import Action, Choose, Expansion, Roll, State
from solver.policies.words.standing import ALONE, Standing, Watched


@dataclass(frozen=True, slots=True)
class TypesApart:
    """Martian Dice whose ``take`` states hold the size of every group that can be taken.

    Parameters
    ----------
    merged
        The rules; all but rolls and takings is theirs.

    Notes
    -----
    ``("take", tanks, rays, heads, *taken, rolled_rays, groups)``, with the groups of each class
    ascending, equal ones repeated. The actions are ``("death-rays", 0, 0)`` and
    ``(size, class, place)``.
    """

    merged: MartianDice

    @property
    def name(self) -> str:
        """The game's name."""
        return self.merged.name

    def start(self) -> State:
        """Return the state before the first roll."""
        return self.merged.start()

    def expand(self, state: Any) -> Expansion:
        """Return what happens at `state`."""
        rules, classes = self.merged, self.merged.classes
        kind, *rest = state
        if kind not in ("roll", "take"):
            return rules.expand(state)
        tanks, rays, heads = rest[:3]
        taken = tuple(rest[3 : 3 + len(classes)])
        if kind == "roll":
            left = rules.dice - tanks - rays - heads
            branches: list[tuple[int, State]] = []
            for weight, more, new_rays, groups in _rolls(rules.faces, classes, left, taken):
                after: State = ("take", tanks + more, rays, heads, *taken, new_rays, groups)
                if not new_rays and not any(groups):
                    after = ("bank", rules.score(tanks + more, rays, heads, sum(taken)))
                branches.append((weight, after))
            return Roll(branches)
        new_rays, groups = rest[-2:]
        options: dict[Any, State] = {}
        if new_rays:
            options["death-rays", 0, 0] = ("aside", tanks, rays + new_rays, heads, *taken)
        for i, sizes in enumerate(groups):
            more_taken = (*taken[:i], taken[i] + 1, *taken[i + 1 :])
            for place, size in enumerate(sizes):
                options[size, i, place] = ("aside", tanks, rays, heads + size, *more_taken)
        return Choose(options)


@lru_cache(maxsize=1024)
def _rolls(
    faces: Die, classes: tuple[tuple[str, ...], ...], dice: int, taken: tuple[int, ...]
) -> tuple[tuple[int, int, int, tuple[tuple[int, ...], ...]], ...]:
    """Return (weight, tanks, rays, groups by class) for a roll of `dice` dice."""
    weights = [faces.weight("T"), faces.weight("R")]
    spans: list[tuple[int, int]] = []
    dead = 0
    for letters, count in zip(classes, taken, strict=True):
        free = len(letters) - count
        spans.append((len(weights), len(weights) + free))
        weights.extend([faces.weight(letters[0])] * free)
        dead += faces.weight(letters[0]) * count
    weights.append(dead)

    def seen(counts: tuple[int, ...]) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
        groups = tuple(tuple(sorted(n for n in counts[low:high] if n)) for low, high in spans)
        return counts[0], counts[1], groups

    merged = project(multinomial(weights, dice), seen)
    return tuple((weight, *key) for key, weight in merged.items())


@dataclass(frozen=True, slots=True)
class UniformTypes:
    """Any type that can be taken, each as likely; then a coin decides whether to stop.

    It never stops with nothing, and always once all three species score.
    """

    name: str
    game: TypesApart

    def choose(
        self, state: Any, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Any:
        """Return each action with its chance.

        Asked about a position of the merged rules, equal groups count as one.
        """
        del standing
        if state[0] != "aside":
            return dict.fromkeys(actions, Fraction(1, len(actions)))
        rules = self.game.merged
        kinds = sum(state[4 : 4 + len(rules.classes)])
        tanks, rays, heads = state[1:4]
        points = rules.score(tanks, rays, heads, kinds)
        if not points:
            return "roll"
        every = sum(len(letters) for letters in rules.classes)
        return "stop" if kinds == every else dict.fromkeys(("stop", "roll"), Fraction(1, 2))
