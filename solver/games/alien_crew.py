"""Alien Battleship, Captain, First Mate and Crew: the rules of one turn.

Source: the game's rule sheet. A turn has three throws. A 6 is the battleship, then a 5 the
captain, then a 4 the first mate: each is set aside at once when it is shown and needed, one roll
can bring several, and whatever else is shown is rolled again. With the whole trio the two
remaining dice are the crew, as they lie after the throw that completed it: their sum is the
turn's points, and while throws remain either or
both may be rolled again; the last number rolled counts.

A *stage* is how much of the trio a seat has: 0 nothing, 1 battleship, 2 captain, 3 the trio. What
a turn leaves is its outcome: points and stage.

States
------
* ``("throw", stage, throws)``: the dice that are not set aside are thrown, `throws` are left with
  this one;
* ``("crew", throws, *dice)``: the trio is complete and the crew shows these, ascending; keep them
  or throw some again;
* ``("again", throws, *kept)``: the crew dice that are not kept are thrown again; a 0 stands for a
  die that is thrown;
* ``("bank", points, stage)``: the turn is over.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from solver.dice import Die, multinomial, project
from solver.games.alien_position import POSITION_FIELDS, read_position
from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, Roll, RoundsMatch
from solver.games.readings import Reading, check_limits, parameter

STAGES = ("nothing", "battleship", "captain", "trio")
"""How much of the trio a seat has, by number."""
TRIO = (6, 5, 4)
_D6 = Die.fair(6)


class Trio(Reading):
    """What becomes of the part of the trio that a turn has brought?"""

    KEPT = "kept"
    """It stays for the rest of the game: the sheet speaks of whatever part a player may still
    need, and of zeros until crew members are taken on."""
    RESET = "reset"
    """Every turn starts from five dice, as in the classic ship-captain-crew."""


class Crew(Reading):
    """Which crew dice may be thrown again?"""

    EITHER = "either"
    """One or both, while throws remain."""
    BOTH = "both"
    """Only both together."""


class MatchEnd(Reading):
    """When is the match over?"""

    FIRST = "first"
    """After the last round, or the round in which a seat reaches the target, whichever is first."""
    ROUNDS = "rounds"
    """After the last round only."""
    TARGET = "target"
    """After the round in which a seat reaches the target only."""


@dataclass(frozen=True, slots=True)
class AlienCrew:
    """Alien Battleship, Captain, First Mate and Crew with all its parameters and readings.

    Raises
    ------
    UsageError
        If a parameter is out of its range.
    """

    name: ClassVar[str] = "alien-crew"
    title: ClassVar[str] = "Alien Battleship, Captain, First Mate and Crew"
    vary_example: ClassVar[str] = "throws=1..4"
    position_fields: ClassVar[tuple[PositionField, ...]] = POSITION_FIELDS

    position_examples: ClassVar[tuple[str, ...]] = (
        '--stage trio --crew "2 5" --throws 1',
        '--stage captain --roll "4 3 3" --throws 2',
        '--stage trio --crew "2 5" --throws 1 --scores 40,35 --round 7 --seat 1',
        '--stage trio --crew "2 5" --throws 1 --beat 61 --scores 40 --round 7',
    )

    dice: int = parameter(5, "number of dice, the trio's three included", at_least=4, at_most=8)
    throws: int = parameter(3, "throws in a turn", at_least=1, at_most=6)
    trio: Trio = parameter(Trio.KEPT, "a part of the trio at the end of a turn")
    crew: Crew = parameter(Crew.EITHER, "crew dice that may be thrown again")
    target: int = parameter(
        100, "points that end the match", scope="match", at_least=1, at_most=1000
    )
    rounds: int = parameter(10, "rounds in a match", scope="match", at_least=1, at_most=100)
    end: MatchEnd = parameter(MatchEnd.FIRST, "when the match is over", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def rounds_match(self) -> RoundsMatch:
        """The match: rounds, target, or whichever comes first."""
        return RoundsMatch(
            None if self.end is MatchEnd.TARGET else self.rounds,
            None if self.end is MatchEnd.ROUNDS else self.target,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the variables in a stored state, for tables: of throw and of again states."""
        more = (f"die_{i + 1}" for i in range(1, self.crew_dice))
        return ("stage_or_throws", "throws_or_die_1", *more)

    @property
    def crew_dice(self) -> int:
        """Number of dice that make the crew."""
        return self.dice - len(TRIO)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first throw of a seat that has nothing yet."""
        return ("throw", 0, self.throws)

    def starts(self) -> dict[Hashable, tuple[Any, ...]]:
        """Return the state before the first throw, by the stage of the seat on turn."""
        stages = STAGES if self.trio is Trio.KEPT else STAGES[:1]
        return {stage: ("throw", i, self.throws) for i, stage in enumerate(stages)}

    def points(self, outcome: tuple[int, int]) -> int:
        """Return the points of an outcome: the crew."""
        return outcome[0]

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind, *rest = state
        if kind == "bank":
            points, stage = rest
            return Bank((points, stage if self.trio is Trio.KEPT else 0))
        if kind == "throw":
            stage, throws = rest
            seen = _locks(stage, self.dice - min(stage, len(TRIO)))
            return Roll([(w, self._thrown(*key, throws - 1)) for key, w in seen.items()])
        throws, *dice = rest
        if kind == "again":
            kept = tuple(d for d in dice if d)
            rolled = _sorted_rolls(len(dice) - len(kept))
            return Roll(
                [(w, ("crew", throws - 1, *sorted((*kept, *new)))) for new, w in rolled.items()]
            )
        if kind != "crew":
            raise ValueError(f"no such kind of state: {kind!r}")
        return Choose(self.crew_options(throws, tuple(dice)))

    def crew_options(self, throws: int, dice: tuple[int, ...]) -> dict[str, tuple[Any, ...]]:
        """Return the options with this crew: keep it, or throw dice again, fewest first.

        Parameters
        ----------
        throws
            Throws left.
        dice
            What the crew shows, ascending.
        """
        options: dict[str, tuple[Any, ...]] = {"stop": ("bank", sum(dice), len(TRIO))}
        if throws:
            least = 1 if self.crew is Crew.EITHER else len(dice)
            for count in range(least, len(dice) + 1):
                for again in combinations(range(len(dice)), count):
                    kept = tuple(d for i, d in enumerate(dice) if i not in again)
                    name = "roll-" + "-".join(str(dice[i]) for i in again)
                    options[name] = ("again", throws, *(0 for _ in again), *kept)
        return options

    def _thrown(self, stage: int, crew: tuple[int, ...], throws: int) -> tuple[Any, ...]:
        if stage == len(TRIO):
            return ("crew", throws, *crew)
        return ("throw", stage, throws) if throws else ("bank", 0, stage)

    def read_position(self, **told: Any) -> Position:
        """Return the position that a player describes.

        Parameters
        ----------
        **told
            ``stage``, ``roll``, ``crew`` and ``throws``, as
            :func:`solver.games.alien_position.read_position` takes them.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or the rules do not allow the position.
        """
        return read_position(self, **told)


def lock(stage: int, dice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the stage after a roll, and the dice that are not set aside, ascending.

    A 6 allows a 5 of the same roll, and that a 4; of several sixes one is set aside.

    Examples
    --------
    >>> lock(0, (6, 6, 5, 3, 1))
    (2, (1, 3, 6))
    >>> lock(1, (4, 3, 2, 2))
    (1, (2, 2, 3, 4))
    """
    left = sorted(dice)
    while stage < len(TRIO) and TRIO[stage] in left:
        left.remove(TRIO[stage])
        stage += 1
    return stage, tuple(left)


@lru_cache(maxsize=256)
def _locks(stage: int, dice: int) -> dict[tuple[int, tuple[int, ...]], int]:
    """Return (stage after the roll, crew if it is complete) -> weight."""

    def seen(counts: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        shown = tuple(face for face, count in enumerate(counts, 1) for _ in range(count))
        after, left = lock(stage, shown)
        return after, left if after == len(TRIO) else ()

    return project(multinomial(_D6.weights, dice), seen)


@lru_cache(maxsize=64)
def _sorted_rolls(dice: int) -> dict[tuple[int, ...], int]:
    """Return what `dice` dice show, ascending -> weight."""
    return project(
        multinomial(_D6.weights, dice),
        lambda counts: tuple(f for f, count in enumerate(counts, 1) for _ in range(count)),
    )
