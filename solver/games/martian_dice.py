"""Martian Dice: the rules of one turn, and the race to the target.

Source: the Martian Dice rulebook (sections On Your Turn, Scoring, Game End). A turn:

1. roll all dice that are not set aside;
2. set aside all tanks;
3. set aside all dice of one other type: death rays (any number of times), or a species not yet
   taken this turn; if there is none, the turn is over;
4. stop, or roll again.

Tanks > death rays score nothing; otherwise each earthling scores, and all three species
together earn a bonus.

States
------
Species of equal weight are interchangeable: only how many kinds of them are taken, and how many
heads together, matter. With the official die that is one class of three species. ``taken`` is
the number of kinds taken in each class; ``groups`` the sizes, each once and ascending, of the
takeable groups in the roll, class by class.

* ``("roll", tanks, rays, heads, *taken)``: the remaining dice are rolled;
* ``("take", tanks, rays, heads, *taken, rolled_rays, groups)``: the roll's tanks are already
  among the tanks, a type is to be taken;
* ``("aside", tanks, rays, heads, *taken)``: a type was taken: stop or roll;
* ``("bank", points)``: the turn is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from solver.dice import Die, multinomial, project
from solver.errors import UsageError
from solver.games.martian_position import POSITION_FIELDS, SPECIES, read_faces, read_position
from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Reading, Tie, check_limits, parameter

OFFICIAL_DIE = Die.of({"T": 1, "R": 2, "H": 1, "C": 1, "K": 1})


class Take(Reading):
    """Must a type that can be taken be taken before the player may stop?"""

    FORCED = "forced"
    """Yes: On Your Turn puts taking (step 3) before the decision to stop (step 4)."""


class NoTake(Reading):
    """What becomes of a turn in which nothing can be taken?"""

    SCORED = "scored"
    """It ends and is scored as it stands, the new tanks included (On Your Turn, step 3)."""


@dataclass(frozen=True, slots=True)
class MartianDice:
    """Martian Dice with all its parameters and readings.

    Raises
    ------
    UsageError
        If a parameter is out of its range or the rules could not be played.
    """

    name: ClassVar[str] = "martian-dice"
    title: ClassVar[str] = "Martian Dice"
    vary_example: ClassVar[str] = "bonus=0..6"
    position_fields: ClassVar[tuple[PositionField, ...]] = POSITION_FIELDS

    dice: int = parameter(13, "number of dice", at_least=1, at_most=60)
    faces: Die = parameter(OFFICIAL_DIE, "faces with their weights", read=read_faces)
    bonus: int = parameter(3, "points for all three species", at_least=0, at_most=1000)
    head: int = parameter(1, "points for an earthling", at_least=1, at_most=1000)
    take: Take = parameter(Take.FORCED, "a type that can be taken is taken before stopping")
    no_take: NoTake = parameter(NoTake.SCORED, "a turn in which nothing can be taken is scored")
    target: int = parameter(
        25, "points that trigger the end", scope="match", at_least=1, at_most=100_000
    )
    end: End = parameter(End.ROUND, "when somebody reaches the target", scope="match")
    tie: Tie = parameter(Tie.DUEL, "several leaders at the end", scope="match")
    duel_dice: int = parameter(6, "dice in the duel", scope="match", at_least=1, at_most=60)

    def __post_init__(self) -> None:
        check_limits(self)
        rays = self.faces.weight("R")
        if self.tie is Tie.DUEL and rays in (0, self.faces.denominator):
            raise UsageError(
                "no duel could ever be decided with this die",
                rule="Game End: the player who rolls more death rays wins",
                remedy="use tie=shared",
                field="tie",
            )

    @property
    def race(self) -> ScoreRace:
        """The race to the target (rulebook, Game End)."""
        return ScoreRace(self.target, self.end, self.tie)

    @property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """Species that are interchangeable, as letters: those of equal weight."""
        by_weight: dict[int, tuple[str, ...]] = {}
        for letter in SPECIES:
            weight = self.faces.weight(letter)
            by_weight[weight] = (*by_weight.get(weight, ()), letter)
        return tuple(by_weight.values())

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the variables in a ``roll`` state, for tables."""
        kinds = ["kinds", *(f"kinds_{i}" for i in range(1, len(self.classes)))]
        return ("tanks", "death_rays", "heads", *kinds)

    def score(self, tanks: int, rays: int, heads: int, kinds: int) -> int:
        """Return the points of a turn that ends with these dice set aside (Scoring)."""
        if tanks > rays:
            return 0
        return heads * self.head + (self.bonus if kinds == len(SPECIES) else 0)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first roll."""
        return ("roll", 0, 0, 0, *(0 for _ in self.classes))

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind = state[0]
        if kind == "bank":
            return Bank(state[1])
        tanks, rays, heads = state[1:4]
        taken = state[4 : 4 + len(self.classes)]
        if kind == "aside":
            stop = ("bank", self.score(tanks, rays, heads, sum(taken)))
            if tanks + rays + heads == self.dice:
                return Choose({"stop": stop})
            return Choose({"stop": stop, "roll": ("roll", *state[1:])})
        if kind == "take":
            return Choose(self._takings(state, tanks, rays, heads, taken))
        if kind != "roll":
            raise ValueError(f"no such kind of state: {kind!r}")
        left = self.dice - tanks - rays - heads
        branches: list[tuple[int, tuple[Any, ...]]] = []
        for weight, new_tanks, new_rays, groups in _rolls(self.faces, self.classes, left, taken):
            if new_rays or any(groups):
                after = ("take", tanks + new_tanks, rays, heads, *taken, new_rays, groups)
                branches.append((weight, after))
            else:
                points = self.score(tanks + new_tanks, rays, heads, sum(taken))
                branches.append((weight, ("bank", points)))
        return Roll(branches)

    def _takings(
        self, state: tuple[Any, ...], tanks: int, rays: int, heads: int, taken: tuple[int, ...]
    ) -> dict[Any, tuple[Any, ...]]:
        new_rays, groups = state[-2:]
        options: dict[Any, tuple[Any, ...]] = {}
        if new_rays:
            options["death-rays"] = ("aside", tanks, rays + new_rays, heads, *taken)
        if len(groups) == 1:  # the official die: all species alike
            for size in groups[0]:
                options["group", size] = ("aside", tanks, rays, heads + size, taken[0] + 1)
            return options
        for size, i in sorted((size, i) for i, sizes in enumerate(groups) for size in sizes):
            more = (*taken[:i], taken[i] + 1, *taken[i + 1 :])
            options["group", size, i] = ("aside", tanks, rays, heads + size, *more)
        return options

    def read_position(
        self,
        aside: str | Mapping[str, int] = "",
        roll: str | Mapping[str, int] | None = None,
    ) -> Position:
        """Return the position with these dice set aside and, perhaps, these just rolled.

        Parameters
        ----------
        aside
            Dice set aside in earlier rolls of this turn, as a text or face -> count.
        roll
            All dice just rolled, tanks included; None if a type has just been set aside.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or no legal turn comes to this position.
        """
        return read_position(self, aside, roll)


@lru_cache(maxsize=4096)
def _rolls(
    faces: Die, classes: tuple[tuple[str, ...], ...], dice: int, taken: tuple[int, ...]
) -> tuple[tuple[int, int, int, tuple[tuple[int, ...], ...]], ...]:
    """Return (weight, tanks, rays, takeable group sizes by class) for a roll of `dice` dice."""
    free = [len(letters) - count for letters, count in zip(classes, taken, strict=True)]
    weights = [faces.weight("T"), faces.weight("R")]
    dead = 0
    spans: list[tuple[int, int]] = []
    for letters, count in zip(classes, free, strict=True):
        weight = faces.weight(letters[0])
        spans.append((len(weights), len(weights) + count))
        weights.extend([weight] * count)
        dead += weight * (len(letters) - count)
    weights.append(dead)

    def seen(counts: tuple[int, ...]) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
        groups = tuple(
            tuple(sorted({size for size in counts[low:high] if size})) for low, high in spans
        )
        return counts[0], counts[1], groups

    merged = project(multinomial(weights, dice), seen)
    return tuple((weight, *key) for key, weight in merged.items())
