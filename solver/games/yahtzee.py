"""Yahtzee, alone: thirteen turns, each of which is entered in one box of the score sheet.

Source: Milton Bradley's rule sheet of Yahtzee (Hasbro), sections on rolling, on the upper and
lower section, on the Yahtzee bonus and on joker rules. A turn has three rolls; after the first
and the second any of the dice are kept and the others rolled again. The dice are then entered in
a box that is still open. An upper box counts the dice of its number; 63 points there bring 35
more at the end. Of the lower boxes three of a kind, four of a kind and chance count all dice, the
others 25, 30, 40 and 50. A Yahtzee after one that was entered with 50 brings 100 points more,
wherever it goes.

States
------
* ``("roll", left, *kept)``: the dice that are not kept are rolled, one after another, with `left`
  rolls left after this one;
* ``("dice", left, *dice)``: the dice show these, ascending; with rolls left, keep some of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreSheet
from solver.games.readings import Reading, check_limits, parameter
from solver.games.yahtzee_position import POSITION_FIELDS, read_boxes, read_position

FACES = range(1, 7)
UPPER = ("aces", "twos", "threes", "fours", "fives", "sixes")
LOWER = (
    "three-of-a-kind",
    "four-of-a-kind",
    "full-house",
    "small-straight",
    "large-straight",
    "yahtzee",
    "chance",
)
BOXES = (*UPPER, *LOWER)
"""The boxes in the sheet's order."""
FIXED = {"full-house": 25, "small-straight": 30, "large-straight": 40, "yahtzee": 50}
"""Points of the boxes that count the same whatever numbers the dice show."""
AGAIN = 100
"""Points for a Yahtzee after one that was entered with 50."""

Dice = tuple[int, ...]
Tally = tuple[int, int]
"""Points in the upper section, as many as can matter; and 1 if the Yahtzee box holds 50."""
Case = tuple[int, tuple[bool, ...], bool] | None
"""With the Yahtzee box filled: 1 if with 50, which upper boxes are open, and whether a lower is."""


class Joker(Reading):
    """What is a Yahtzee worth when the Yahtzee box is filled?"""

    FREE = "free"
    """It may be entered in any open box. If the upper box of its number is filled it is a joker:
    full house and straights count in full. It is the reading of T. Verhoeff (1999)."""
    HASBRO = "hasbro"
    """It must be entered in the upper box of its number; if that is filled, as a joker in any
    open lower box; if none is open, as a zero in an upper box: the sheet's joker rules."""
    NONE = "none"
    """No more than any other dice: neither the bonus of 100 nor a joker."""


@dataclass(frozen=True, slots=True)
class Yahtzee:
    """Yahtzee with all its parameters and readings.

    Raises
    ------
    UsageError
        If a parameter is out of its range.
    NotationError
        If `boxes` names one that is not on the sheet.
    """

    name: ClassVar[str] = "yahtzee"
    title: ClassVar[str] = "Yahtzee"
    vary_example: ClassVar[str] = "rolls=1..4"
    default_objective: ClassVar[str] = "total"
    match_objectives: ClassVar[tuple[str, ...]] = ("total",)
    bust_means: ClassVar[str] = "The turn is entered as a zero"
    position_fields: ClassVar[tuple[PositionField, ...]] = POSITION_FIELDS
    position_examples: ClassVar[tuple[str, ...]] = (
        '--dice "1 3 3 5 6" --rolls 2',
        '--dice "1 3 3 5 6" --rolls 2 --open "aces, threes, chance" --upper 52 --yahtzee 0',
        '--dice "5 5 5 5 5" --rolls 0 --open "aces, full house, chance" --upper 61 --yahtzee 50',
    )
    solve_examples: ClassVar[tuple[str, ...]] = (
        "",
        "--set joker=hasbro",
        '--exact --set dice=2 --set boxes="aces twos yahtzee"',
    )

    joker: Joker = parameter(Joker.FREE, "a Yahtzee with the Yahtzee box filled", scope="match")
    dice: int = parameter(5, "number of dice", at_least=2, at_most=6)
    rolls: int = parameter(3, "rolls in a turn", at_least=1, at_most=6)
    boxes: str = parameter("all", "the boxes on the sheet, one turn each", scope="match")
    bonus_at: int = parameter(
        63, "points in the upper section for the bonus", scope="match", at_least=1, at_most=200
    )
    bonus: int = parameter(
        35, "points of the upper section's bonus", scope="match", at_least=0, at_most=1000
    )
    sheet: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The boxes on the sheet, in its order."""

    def __post_init__(self) -> None:
        check_limits(self)
        sheet = read_boxes(self.boxes, BOXES, "boxes")
        object.__setattr__(self, "sheet", sheet)
        object.__setattr__(self, "boxes", "all" if sheet == BOXES else " ".join(sheet))

    @property
    def score_sheet(self) -> ScoreSheet:
        """The match: a turn for each box."""
        return ScoreSheet(self.sheet, (0, 0), self.case, self.entries, self.advance, self.closing)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first roll of a turn."""
        return ("roll", self.rolls - 1)

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind, left, *dice = state
        if kind == "roll":
            return Roll([(1, self._with(left, dice, face)) for face in FACES])
        if kind != "dice":
            raise ValueError(f"no such kind of state: {kind!r}")
        return Choose(self.keeps(left, tuple(dice))) if left else Bank(tuple(dice))

    def _with(self, left: int, dice: list[int], face: int) -> tuple[Any, ...]:
        more = sorted((*dice, face))
        return ("dice" if len(more) == self.dice else "roll", left, *more)

    def keeps(self, left: int, dice: Dice) -> dict[str, tuple[Any, ...]]:
        """Return what can be done with rolls left: stop, keep some dice, or roll all.

        Parameters
        ----------
        left
            Rolls left, at least one.
        dice
            What the dice show, ascending.
        """
        options: dict[str, tuple[Any, ...]] = {"stop": ("dice", 0, *dice)}
        for count in range(len(dice) - 1, 0, -1):
            for kept in combinations(dice, count):
                options[f"keep {' '.join(map(str, kept))}"] = ("roll", left - 1, *kept)
        options["roll"] = ("roll", left - 1)
        return options

    def points(self, outcome: Dice) -> int:
        """Return the most points that the dice bring on an empty sheet."""
        return max(points for box, (points, _) in _plain(outcome).items() if box in self.sheet)

    def bust(self, outcome: Dice) -> bool:
        """Return whether no box of an empty sheet counts anything for the dice."""
        return self.points(outcome) == 0

    def case(self, open_boxes: frozenset[str], tally: Tally) -> Case:
        """Return what of a standing decides how dice may be entered; see :data:`Case`."""
        if self.joker is Joker.NONE or "yahtzee" in open_boxes or "yahtzee" not in self.sheet:
            return None
        upper, lower = _sections(open_boxes)
        return tally[1], upper, lower and self.joker is Joker.HASBRO

    def entries(self, case: Case, dice: Dice) -> Mapping[str, tuple[int, Tally]]:
        """Return the boxes in which the dice may be entered, with points and mark.

        A mark is what comes to the upper section, and 1 for 50 in the Yahtzee box.
        """
        plain = {box: entry for box, entry in _plain(dice).items() if box in self.sheet}
        if self.joker is Joker.NONE:
            return {box: (points, (mark[0], 0)) for box, (points, mark) in plain.items()}
        if case is None or len(set(dice)) > 1:
            return plain
        fifty, upper_open, lower_open = case
        own = dice[0] - 1
        legal: tuple[str, ...] = self.sheet
        if self.joker is Joker.HASBRO:
            legal = (UPPER[own],) if upper_open[own] else LOWER if lower_open else UPPER
        found: dict[str, tuple[int, Tally]] = {}
        for box, (points, mark) in plain.items():
            if box in legal:
                wild = box in FIXED and box != "yahtzee" and not upper_open[own]
                found[box] = (FIXED[box] if wild else points) + AGAIN * fifty, mark
        return found

    def advance(self, tally: Tally, mark: Tally) -> Tally:
        """Return the tally after an entry."""
        return min(tally[0] + mark[0], self.bonus_at), tally[1] | mark[1]

    def closing(self, tally: Tally) -> int:
        """Return the bonus of the upper section."""
        return self.bonus if tally[0] >= self.bonus_at else 0

    def read_position(self, **told: Any) -> Position:
        """Return the position that a player describes.

        Parameters
        ----------
        **told
            ``dice``, ``rolls``, ``open``, ``upper`` and ``yahtzee``, as
            :func:`solver.games.yahtzee_position.read_position` takes them.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or the rules do not allow the position.
        """
        return read_position(self, **told)


@lru_cache(maxsize=1 << 13)
def _sections(open_boxes: frozenset[str]) -> tuple[tuple[bool, ...], bool]:
    """Return which upper boxes are open, and whether a lower one is."""
    return tuple(box in open_boxes for box in UPPER), not open_boxes.isdisjoint(LOWER)


@lru_cache(maxsize=1024)
def _plain(dice: Dice) -> Mapping[str, tuple[int, Tally]]:
    """Return what the dice count in each box, without jokers; see :meth:`Yahtzee.entries`."""
    found: dict[str, tuple[int, Tally]] = {}
    for face, box in zip(FACES, UPPER, strict=True):
        points = face * dice.count(face)
        found[box] = points, (points, 0)
    most, *rest = sorted(Counter(dice).values(), reverse=True)
    run = _longest_run(set(dice))
    makes = {
        "three-of-a-kind": most >= 3,
        "four-of-a-kind": most >= 4,
        "full-house": most >= 3 and bool(rest) and rest[0] >= 2,
        "small-straight": run >= 4,
        "large-straight": run >= 5,
        "yahtzee": not rest,
        "chance": True,
    }
    for box in LOWER:
        points = FIXED.get(box, sum(dice)) if makes[box] else 0
        found[box] = points, (0, int(box == "yahtzee" and points > 0))
    return found


def _longest_run(faces: set[int]) -> int:
    run = longest = 0
    for face in FACES:
        run = run + 1 if face in faces else 0
        longest = max(longest, run)
    return longest
