"""Two-dice Pig: roll two dice as often as you like; a 1 loses the turn, two 1s the whole score.

Source: B. Butler, Durango Bill's Pig Analysis (durangobill.com), version 1; the same game is in
T. W. Neller and C. G. M. Presser, Pigtail: A Pig Addendum, The UMAP Journal 26(4), 2005. The first
to have the target wins at once.

Scores fall as well as rise, so a turn depends on the score it begins with, and an outcome is the
score it leaves: (score, ending), the ending ``held``, ``lost`` (the turn), ``ruined`` (all) or
``goal``. A standing is ``(score,)``. States: ``("roll", score, total)``, ``("total", score,
total)`` (stop or roll), ``("over", score, ending)``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from solver.errors import PositionError
from solver.games.notation import read_number
from solver.games.position import Position, PositionField, position_at
from solver.games.protocol import Bank, Choose, Expansion, GoalRace, Roll
from solver.games.readings import check_limits, parameter

Standing = tuple[int]
_SCORE = PositionField("score", "90", "your score before this turn")
_SUMS = tuple(sorted(Counter(a + b for a in range(2, 7) for b in range(2, 7)).items()))
_ONE_ONE, _ONE = 1, 10  # of the 36 pairs


@dataclass(frozen=True, slots=True)
class TwoDicePig:
    """Two-dice Pig, to any target.

    Raises
    ------
    UsageError
        If the target is out of its range.
    """

    name: ClassVar[str] = "two-dice-pig"
    title: ClassVar[str] = "Two-dice Pig"
    columns: ClassVar[tuple[str, ...]] = ("score", "total")
    default_objective: ClassVar[str] = "turns"
    bust_means: ClassVar[str] = "The turn's points are lost, or all"
    position_fields: ClassVar[tuple[PositionField, ...]] = (
        _SCORE,
        PositionField("total", "12", "points rolled so far this turn"),
    )
    match_fields: ClassVar[tuple[PositionField, ...]] = (
        PositionField("opponent", "80", "for the win: the opponent's score"),
    )
    beginning_fields: ClassVar[tuple[PositionField, ...]] = (_SCORE, *match_fields)
    match_objectives: ClassVar[tuple[str, ...]] = ("turns", "within:N")
    position_examples: ClassVar[tuple[str, ...]] = (
        "--score 60 --total 18",
        "--score 90 --total 4 --objective within:2",
        "--score 60 --total 18 --opponent 80",
    )
    solve_examples: ClassVar[tuple[str, ...]] = (
        "--objective turns",
        "--objective within:3 --score 90",
        "--objective win --seats 2",
    )

    target: int = parameter(100, "points that win", at_least=1, at_most=500)

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def goal_race(self) -> GoalRace:
        """The race to the target."""
        return GoalRace(self.after)

    def start(self) -> tuple[Any, ...]:
        """Return the state in which the first turn begins."""
        return ("roll", 0, 0)

    def starts(self) -> dict[Standing, tuple[Any, ...]]:
        """Return the first state of a turn by standing."""
        return {(score,): ("roll", score, 0) for score in range(self.target)}

    def after(self, outcome: tuple[int, str]) -> Standing | None:
        """Return the standing in which the next turn begins, None at the target."""
        score, ending = outcome
        return None if ending == "goal" else (score,)

    def points(self, outcome: tuple[int, str]) -> int:
        """Return the score after the turn."""
        return outcome[0]

    def bust(self, outcome: tuple[int, str]) -> bool:
        """Return whether the turn's points are lost, or all."""
        return outcome[1] in ("lost", "ruined")

    def expand(self, state: tuple[Any, ...]) -> Expansion:
        """Return what happens at `state`."""
        kind, score, rest = state
        if kind == "over":
            return Bank((score, rest))
        if kind == "total":
            if score + rest >= self.target:
                return Bank((self.target, "goal"))
            stop = ("over", score + rest, "held")
            return Choose({"stop": stop, "roll": ("roll", score, rest)})
        most = self.target - score
        sums = ((ways, ("total", score, min(rest + points, most))) for points, ways in _SUMS)
        lost = ((_ONE_ONE, ("over", 0, "ruined")), (_ONE, ("over", score, "lost")))
        return Roll([*lost, *sums])

    def read_beginning(self, score: Any = 0) -> Standing:
        """Return the standing that is told: a score below the target.

        Raises
        ------
        NotationError, PositionError
            If it cannot be read, or the match is over.
        """
        return (self._score(score, "score"),)

    def read_opponent(self, told: Any) -> Standing:
        """Return the other seat's standing; errors as for :meth:`read_beginning`."""
        return (self._score(told, "opponent"),)

    def read_position(self, score: Any = 0, total: Any = 0) -> Position:
        """Return the position with this score and turn total.

        Raises
        ------
        NotationError, PositionError
            If a number cannot be read, or the match is over.
        """
        own = self._score(score, "score")
        points = min(read_number(total, "total"), self.target - own)
        state = ("total", own, points) if points else ("roll", own, 0)
        return position_at(self, state, {"score": str(own), "total": str(points)})

    def _score(self, told: Any, field: str) -> int:
        score = read_number(told, field)
        if score >= self.target:
            raise PositionError(
                f"--{field} {score}: the target of {self.target} is reached, the match is over",
                rule="the first to have the target wins at once",
                remedy=f"--{field} 0 to {self.target - 1}, or --set target=N",
                field=field,
            )
        return score
