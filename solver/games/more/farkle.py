"""Farkle: six dice, set scoring dice aside and roll the rest; a roll that scores nothing loses all.

Source: the rule sheet of Farkle (Patch Products, 1996), as E. Farmer tells it in Analysis of Farkle
(possiblywrong.wordpress.com, 2013), section Rules of the Game; house rules are those of M. Busche,
Maximizing Expected Scores in the Game of Zilch (mattbusche.org, 2010), and of the computer game
Kingdom Come: Deliverance. After each roll at least one scoring die is set aside, then the turn's
points are banked or the other dice are rolled. If all six have scored, all six may be rolled again
(*hot dice*). A turn total is cut at the target: no more can be needed.

States
------
Points are multiples of fifty. ``new`` is 1 for a seat that has yet to make its opening score.

* ``("roll", dice, total, new)``: so many dice are rolled;
* ``("take", dice, total, new, *options)``: the roll can be scored in these ways, a pair of
  numbers each: dice set aside, and their points;
* ``("aside", dice, total, new)``: stop, or roll so many dice;
* ``("bank", points)``: the turn is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

from solver.dice import multinomial, project
from solver.errors import PositionError, UsageError
from solver.games.notation import read_faces, read_number
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Reading, Tie, check_limits, parameter, rules_of

DICE = 6
STEP = 50
"""All points are multiples of this."""
_SINGLE = {1: 100, 5: 50}
_SHOWN = tuple[int, ...]  # how many dice show each face


class Kinds(Reading):
    """What do four, five and six of a kind score?"""

    FIXED = "fixed"
    """1000, 2000 and 3000 points, whatever the face."""
    DOUBLE = "double"
    """Twice as much with each die more than three."""
    ADD = "add"
    """The triple once more with each die more than three."""
    TRIPLES = "triples"
    """Nothing of their own: six of a kind are two triples."""


class HotDice(Reading):
    """What if all six dice have scored?"""

    MAY = "may"
    """All six may be rolled again, or the points banked."""
    MUST = "must"
    """All six must be rolled again."""


def _points(default: int, text: str) -> Any:
    return parameter(default, text, at_least=0, at_most=10_000)


@dataclass(frozen=True, slots=True)
class Farkle:
    """Farkle with the house rules as switches.

    Raises
    ------
    UsageError
        If a parameter is out of its range or no multiple of fifty.
    """

    name: ClassVar[str] = "farkle"
    title: ClassVar[str] = "Farkle"
    vary_example: ClassVar[str] = "straight=0..2500 --steps 5"
    columns: ClassVar[tuple[str, ...]] = ("dice", "total", "new")
    bust_means: ClassVar[str] = "The turn then ends with a farkle"
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("total", "400", "points set aside so far this turn"),
        PositionField("roll", "1 1 3 5 6 6", "all dice just rolled"),
        PositionField("left", "3", "dice to be rolled next, where none lie on the table"),
        PositionField("new", "", "the opening score is still to be made", flag=True),
    )
    position_examples: ClassVar[tuple[str, ...]] = (
        '--roll "1 2 2 2 5 6"',
        "--total 400 --left 3",
        "--total 400 --left 3 --scores 9000,9500 --seat 1",
    )

    three_ones: int = _points(300, "points for three 1s")
    kinds: Kinds = parameter(Kinds.FIXED, "four, five and six of a kind")
    straight: int = _points(1500, "points for 1 to 6; 0 for none")
    three_pairs: int = _points(1500, "points for three pairs; 0 for none")
    four_pair: int = _points(1500, "points for four of a kind and a pair; 0 for none")
    two_triplets: int = _points(2500, "points for two triplets; 0 for none")
    low_straight: int = _points(0, "points for 1 to 5; 0 for none")
    high_straight: int = _points(0, "points for 2 to 6; 0 for none")
    nothing: int = _points(0, "points for six dice of which none scores; 0 for none")
    hot_dice: HotDice = parameter(HotDice.MAY, "all six dice have scored")
    least: int = _points(0, "least points that can be banked")
    opening: int = _points(0, "least points of a seat's first score")
    target: int = parameter(10_000, "points that trigger the end", at_least=STEP, at_most=100_000)
    end: End = parameter(End.ROUND, "when somebody reaches the target", scope="match")
    tie: Tie = parameter(Tie.SHARED, "several leaders at the end", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)
        for name, value in rules_of(self).items():
            if isinstance(value, int) and value % STEP:
                raise UsageError(
                    f"{name}={value} is no multiple of {STEP}",
                    rule="all points are multiples of fifty",
                    field=name,
                )

    @property
    def race(self) -> ScoreRace:
        """The race to the target, counted in fifties."""
        unopened = "new" if self.opening else None
        return ScoreRace(self.target, self.end, self.tie, STEP, unopened)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first roll of a seat that has made its opening score."""
        return ("roll", DICE, 0, 0)

    def starts(self) -> dict[str | None, tuple[Any, ...]]:
        """Return the states before a first roll; ``new`` is that of the opening score."""
        if not self.opening:
            return {None: self.start()}
        return {"on-the-board": self.start(), "new": ("roll", DICE, 0, 1)}

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind, *rest = state
        if kind == "bank":
            return Bank(rest[0])
        dice, total, new = rest[:3]
        if kind == "roll":
            seen = _rolls(self, dice)
            return Roll([
                (ways, ("take", dice, total, new, *options) if options else ("bank", 0))
                for options, ways in seen.items()
            ])  # fmt: skip
        if kind == "aside":
            stop = {"stop": ("bank", total)} if total >= self._floor(new) else {}
            return Choose(stop | {"roll": ("roll", dice, total, new)})
        pairs = zip(rest[3::2], rest[4::2], strict=True)
        return Choose({
            f"{used} dice for {points}": self._taken(dice, total, new, used, points)
            for used, points in pairs
        })  # fmt: skip

    def _floor(self, new: int) -> int:
        """Return the least points with which a turn can be ended."""
        return max(self.least, self.opening if new else 0)

    def _taken(self, dice: int, total: int, new: int, used: int, points: int) -> tuple[Any, ...]:
        """Return the state after dice were set aside."""
        together = total + points
        if together >= self.target:
            return ("bank", self.target)
        still = int(bool(new) and together < self.opening)
        if dice > used:
            return ("aside", dice - used, together, still)
        hot = "roll" if self.hot_dice is HotDice.MUST else "aside"
        return (hot, DICE, together, still)

    def read_position(
        self, total: Any = 0, roll: Any = None, left: Any = None, new: bool = False
    ) -> Position:
        """Return the position with these points set aside and, perhaps, these dice rolled.

        Parameters
        ----------
        total
            Points set aside so far this turn.
        roll
            What all dice just rolled show, or None before a roll.
        left
            How many dice are to be rolled, if none lie on the table; by default all six.
        new
            Whether the opening score is still to be made.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or the rules do not allow the position.
        """
        before = read_number(total, "total")
        if before % STEP or before >= self.target:
            raise PositionError(
                f"--total {before}: a turn total is a multiple of {STEP} below {self.target}",
                remedy="the points of the dice set aside so far this turn: --total 400",
                field="total",
            )
        still = int(new and before < self.opening)
        shown = {"total": str(before)} | ({"new": "opening score to be made"} if still else {})
        if roll is not None:
            if left is not None:
                raise PositionError(
                    "--left is for dice that are not rolled yet",
                    remedy="leave it out",
                    field="left",
                )
            return self._rolled(before, still, read_faces(roll, "roll", range(1, 7)), shown)
        dice = DICE if left is None else read_number(left, "left", least=1, most=DICE)
        told = shown | {"left": str(dice)}
        if not before and left is None:
            return position_at(self, ("roll", dice, 0, still), told)
        return position_at(self, ("aside", dice, before, still), told)

    def _rolled(
        self, total: int, new: int, faces: tuple[int, ...], told: dict[str, str]
    ) -> Position:
        if len(faces) > DICE:
            raise PositionError(f"{len(faces)} dice are more than {DICE}", field="roll")
        told = told | {"roll": " ".join(map(str, faces))}
        counts = tuple(faces.count(face) for face in range(1, 7))
        kept = self.scoring(counts)
        if not kept:
            over = ("bank", 0)
            return Position(told, over, {"stop": over}, "a farkle: nothing scores")
        options = {}
        for dice, points in kept.items():
            shown = " ".join(str(face) for face, n in enumerate(dice, 1) for _ in range(n))
            after = self._taken(len(faces), total, new, sum(dice), points)
            options[f"keep {shown}"] = after
        state = ("take", len(faces), total, new, *_options(self, counts))
        return Position(told, state, options)

    def scoring(self, counts: _SHOWN) -> dict[_SHOWN, int]:
        """Return every set of dice that scores, all of it, with its points, most points first.

        Parameters
        ----------
        counts
            How many dice show each face, 1 to 6.
        """
        found: dict[_SHOWN, int] = {}
        ways = ([n for n in range(count + 1) if not n or self._alike(face, n)]
                for face, count in enumerate(counts, 1))  # fmt: skip
        for dice in product(*ways):
            found[dice] = sum(self._alike(face, n) for face, n in enumerate(dice, 1))
        for dice, points in self._together(counts):
            rest = tuple(count - n for count, n in zip(counts, dice, strict=True))
            singles = ([n for n in range(count + 1) if not n or self._alike(face, n)]
                       for face, count in enumerate(rest, 1))  # fmt: skip
            for more in product(*singles):
                both = tuple(a + b for a, b in zip(dice, more, strict=True))
                worth = points + sum(self._alike(face, n) for face, n in enumerate(more, 1))
                found[both] = max(worth, found.get(both, 0))
        if self.nothing and sum(counts) == DICE and not any(found.values()):
            found[counts] = self.nothing
        scoring = [(dice, points) for dice, points in found.items() if points]
        return dict(sorted(scoring, key=lambda way: (-way[1], sum(way[0]), way[0])))

    def _alike(self, face: int, dice: int) -> int:
        """Return the points of so many dice of one face, 0 if they do not all score."""
        best = [0, *([-1] * dice)]
        for n in range(1, dice + 1):
            for last in range(1, n + 1):
                worth = self._kind(face, last)
                if worth and best[n - last] >= 0:
                    best[n] = max(best[n], best[n - last] + worth)
        return max(best[dice], 0)

    def _kind(self, face: int, dice: int) -> int:
        if dice < 3:
            return _SINGLE.get(face, 0) if dice == 1 else 0
        triple = self.three_ones if face == 1 else 100 * face
        if dice == 3:
            return triple
        return {
            Kinds.FIXED: 1000 * (dice - 3),
            Kinds.DOUBLE: triple << (dice - 3),
            Kinds.ADD: triple * (dice - 2),
            Kinds.TRIPLES: 0,
        }[self.kinds]

    def _together(self, counts: _SHOWN) -> Iterator[tuple[_SHOWN, int]]:
        """Yield sets of dice of several faces that score together."""
        pattern = sorted((count for count in counts if count), reverse=True)
        whole = {
            (1, 1, 1, 1, 1, 1): self.straight,
            (2, 2, 2): self.three_pairs,
            (4, 2): self.four_pair,
            (3, 3): self.two_triplets,
        }.get(tuple(pattern), 0)
        if whole:
            yield counts, whole
        for first, points in ((1, self.low_straight), (2, self.high_straight)):
            run = tuple(int(first <= face < first + 5) for face in range(1, 7))
            if points and all(count >= n for count, n in zip(counts, run, strict=True)):
                yield run, points


@lru_cache(maxsize=4096)
def _options(game: Farkle, counts: _SHOWN) -> tuple[int, ...]:
    """Return the distinct ways to score a roll: dice set aside, their points, and so on."""
    ways = dict.fromkeys((sum(dice), points) for dice, points in game.scoring(counts).items())
    return tuple(number for way in ways for number in way)


@lru_cache(maxsize=64)
def _rolls(game: Farkle, dice: int) -> dict[tuple[int, ...], int]:
    """Return the ways to score -> weight, for a roll of so many dice."""
    return project(multinomial((1,) * 6, dice), lambda counts: _options(game, counts))
