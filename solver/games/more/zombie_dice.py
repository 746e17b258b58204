"""Zombie Dice: eat brains, do not get shot three times; thirteen dice of three colours in a cup.

Source: the rule sheet of Zombie Dice (Steve Jackson Games, 2010), its sections on the turn, on
running out of dice and on the end. On your turn:

1. three dice are drawn from the cup unseen and rolled; brains go to the left and shotguns to the
   right, feet stay in front of you;
2. with three shotguns the turn is over and scores nothing;
3. stop and score a point for each brain, or go on: with the feet, and enough new dice from the
   cup to make three, roll again. If the cup has too few dice, the brains are noted down and their
   dice go back into the cup first; shotguns stay where they are.

Three feet that are rolled again and show three feet are the position that was there before: who
rolls once in it rolls until something else shows. So that is how a roll of three feet is counted;
it changes no value of a position, and keeps a turn finite. For the same reason a turn is over with
`most` brains, of which twenty is beyond all but three turns in a million.

States
------
Dice by colour are one number with a digit each, green, yellow and red: 643 is the full cup.
``noted`` counts the brains whose dice went back; the dice on the left are what is nowhere else.

* ``("roll", noted, cup, feet, shotguns)``: dice are drawn and rolled;
* ``("aside", noted, cup, feet, shotguns)``: stop, or roll again;
* ``("bank", points)``: the turn is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb
from typing import Any, ClassVar

from solver.errors import PositionError, UsageError
from solver.games.notation import read_counts, read_number, write_counts
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, Roll, ScoreRace
from solver.games.readings import End, Reading, Tie, check_limits, parameter

HAND = 3
"""Dice that are rolled at a time, and shotguns that end a turn."""
_FACES = ((3, 2, 1), (2, 2, 2), (1, 2, 3))  # brains, feet, shotguns: green, yellow, red
_PLACES = (100, 10, 1)
_NAMES = {
    spelling: letter
    for letter, word in (("G", "green"), ("Y", "yellow"), ("R", "red"))
    for spelling in (letter.lower(), word, f"{word}s")
}
_LEGEND = "letters are G green, Y yellow, R red: G2 Y1"


class Tiebreak(Reading):
    """How are tied leaders parted?"""

    ROUND = "round"
    """They play a tiebreaker round, and another while the best are tied still."""
    SHARED = "shared"
    """The win is split evenly."""


class Refill(Reading):
    """When do the brains go back into the cup?"""

    THREE = "three"
    """If dice must be drawn and fewer than three are in the cup, as the sheet has it."""
    NEEDED = "needed"
    """If there are fewer in the cup than must be drawn."""


@dataclass(frozen=True, slots=True)
class ZombieDice:
    """Zombie Dice with any number of dice of the three colours.

    Raises
    ------
    UsageError
        If a parameter is out of its range, or the dice could run out.
    """

    name: ClassVar[str] = "zombie-dice"
    title: ClassVar[str] = "Zombie Dice"
    vary_example: ClassVar[str] = "red=2..4"
    columns: ClassVar[tuple[str, ...]] = ("noted", "cup", "feet", "shotguns")
    bust_means: ClassVar[str] = "The turn then ends with no brains"
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("brains", "G2 Y1", "brain dice on your left"),
        PositionField("shotguns", "R1", "shotgun dice on your right"),
        PositionField("feet", "G1 Y1", "feet in front of you"),
        PositionField("noted", "9", "brains noted down whose dice went back into the cup"),
    )
    position_examples: ClassVar[tuple[str, ...]] = (
        '--brains "G2 Y1" --shotguns "Y1 R1" --feet G1',
        '--brains "G2 Y1" --shotguns "Y1 R1" --feet G1 --scores 10,12 --seat 1',
    )

    green: int = parameter(6, "green dice: 3 brains, 2 feet, 1 shotgun", at_least=0, at_most=9)
    yellow: int = parameter(4, "yellow dice: 2 of each", at_least=0, at_most=9)
    red: int = parameter(3, "red dice: 1 brain, 2 feet, 3 shotguns", at_least=0, at_most=9)
    refill: Refill = parameter(Refill.THREE, "when brains go back into the cup")
    most: int = parameter(20, "brains with which a turn is over", at_least=1, at_most=60)
    target: int = parameter(
        13, "brains that trigger the end", scope="match", at_least=1, at_most=1000
    )
    end: End = parameter(End.ROUND, "when somebody reaches the target", scope="match")
    tie: Tiebreak = parameter(Tiebreak.ROUND, "several leaders at the end", scope="match")

    def __post_init__(self) -> None:
        check_limits(self)
        if _count(self.full) < 2 * HAND - 1:
            raise UsageError(
                f"with {_count(self.full)} dice there may be none left to draw",
                rule="three dice are rolled, while two shotguns lie aside",
                remedy="five dice or more",
                field="green",
            )

    @property
    def full(self) -> int:
        """The full cup."""
        return _code((self.green, self.yellow, self.red))

    @property
    def race(self) -> ScoreRace:
        """The race to the target."""
        tie_round = self.tie is Tiebreak.ROUND
        return ScoreRace(self.target, self.end, Tie.SHARED, tie_round=tie_round)

    def start(self) -> tuple[Any, ...]:
        """Return the state before the first roll."""
        return ("roll", 0, self.full, 0, 0)

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        if state[0] == "bank":
            return Bank(state[1])
        kind, noted, cup, feet, shotguns = state
        left = self.full - cup - feet - shotguns
        brains = noted + _count(left)
        if kind == "aside":
            stop = ("bank", brains)
            return Choose({"stop": stop, "roll": self._again(noted, cup, left, feet, shotguns)})
        lost = _count(shotguns)
        branches: list[tuple[int, tuple[Any, ...]]] = []
        busts = scored = 0
        for weight, drawn, kept, shot, eaten, hits in _rolled(cup, feet):
            if lost + hits >= HAND:
                busts += weight
            elif brains + eaten >= self.most:
                scored += weight
            else:
                branches.append((weight, ("aside", noted, cup - drawn, kept, shotguns + shot)))
        for weight, points in ((scored, self.most), (busts, 0)):
            if weight:
                branches.append((weight, ("bank", points)))
        return Roll(branches)

    def _again(self, noted: int, cup: int, left: int, feet: int, shotguns: int) -> tuple[Any, ...]:
        """Return the state in which is rolled again, the brains put back if they must be."""
        needed = HAND - _count(feet)
        enough = HAND if self.refill is Refill.THREE else needed
        if needed and _count(cup) < enough:
            return ("roll", noted + _count(left), cup + left, feet, shotguns)
        return ("roll", noted, cup, feet, shotguns)

    def read_position(
        self, brains: Any = "", shotguns: Any = "", feet: Any = "", noted: Any = 0
    ) -> Position:
        """Return the position with these dice on the table.

        Parameters
        ----------
        brains, shotguns, feet
            Dice by colour, as texts (``"G2 Y1"``) or colour -> count.
        noted
            Brains whose dice went back into the cup.

        Raises
        ------
        NotationError, PositionError
            If a text cannot be read, or there are not so many dice.
        """
        told = {"brains": brains, "shotguns": shotguns, "feet": feet}
        lying = {
            field: read_counts(given or "", _NAMES, legend=_LEGEND, field=field)
            for field, given in told.items()
        }
        for letter, there in (("G", self.green), ("Y", self.yellow), ("R", self.red)):
            number = sum(counts.get(letter, 0) for counts in lying.values())
            if number > there:
                raise PositionError(
                    f"{number} dice are {_NAMES_OF[letter]}, and there are {there}",
                    remedy=_LEGEND,
                    field="brains",
                )
        for field, most in (("shotguns", HAND - 1), ("feet", HAND)):
            if sum(lying[field].values()) > most:
                raise PositionError(
                    f"--{field}: there are at most {most} while the turn goes on",
                    rule="three dice are rolled at a time, and three shotguns end the turn",
                    field=field,
                )
        codes = {f: _code(counts.get(c, 0) for c in "GYR") for f, counts in lying.items()}
        before = read_number(noted, "noted")
        shown = {field: write_counts(counts) for field, counts in lying.items()}
        shown |= {"noted": str(before)} if before else {}
        if not any(codes.values()) and not before:
            return position_at(self, self.start(), shown)
        cup = self.full - sum(codes.values())
        state = ("aside", before, cup, codes["feet"], codes["shotguns"])
        return position_at(self, state, shown)


_NAMES_OF = {"G": "green", "Y": "yellow", "R": "red"}


def _code(dice: Any) -> int:
    return sum(place * count for place, count in zip(_PLACES, dice, strict=True))


@lru_cache(maxsize=1024)
def _count(code: int) -> int:
    """Return the number of dice."""
    return sum(map(int, str(code)))


def _digits(code: int) -> tuple[int, int, int]:
    return code // 100, code // 10 % 10, code % 10


@lru_cache(maxsize=8192)
def _rolled(cup: int, feet: int) -> tuple[tuple[int, ...], ...]:
    """Return (weight, dice drawn, feet, new shotguns, number of brains and shotguns) of a roll.

    Dice are drawn until there are three with the feet. Where all three are feet, the same three
    feet are no result.
    """
    needed = HAND - _count(feet)
    merged: dict[tuple[int, int, int], int] = {}
    for counts in product(*(range(min(needed, there) + 1) for there in _digits(cup))):
        if sum(counts) != needed:
            continue
        ways = 1
        for there, count in zip(_digits(cup), counts, strict=True):
            ways *= comb(there, count)
        drawn = _code(counts)
        for weight, kept, shot in _shown(_digits(feet + drawn)):
            if needed or kept != feet:
                key = drawn, kept, shot
                merged[key] = merged.get(key, 0) + ways * weight
    return tuple(
        (weight, drawn, kept, shot, HAND - _count(kept) - _count(shot), _count(shot))
        for (drawn, kept, shot), weight in merged.items()
    )


@lru_cache(maxsize=64)
def _shown(hand: tuple[int, int, int]) -> tuple[tuple[int, int, int], ...]:
    """Return (weight, feet, shotguns) of all that a hand can show."""
    by_colour: list[list[tuple[int, int, int]]] = []
    for (brain, foot, shotgun), dice in zip(_FACES, hand, strict=True):
        by_colour.append(
            [
                (
                    comb(dice, f)
                    * comb(dice - f, s)
                    * foot**f
                    * shotgun**s
                    * brain ** (dice - f - s),
                    f,
                    s,
                )
                for f in range(dice + 1)
                for s in range(dice - f + 1)
            ]
        )
    shown = []
    for green, yellow, red in product(*by_colour):
        weight = green[0] * yellow[0] * red[0]
        shown.append((weight, _code(p[1] for p in (green, yellow, red)),
                      _code(p[2] for p in (green, yellow, red))))  # fmt: skip
    return tuple(shown)
