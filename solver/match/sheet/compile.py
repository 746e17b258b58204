"""Compiling a score sheet: the walk from an empty sheet to full ones.

Sets of open boxes are visited by their number of boxes, most first: a turn fills one, so a set is
complete when it is visited. Tallies, cases and marks are numbered as the walk comes to them, which
depends on the rules alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from solver.errors import GameError, TooLargeError
from solver.games.protocol import MOST_POINTS, Game
from solver.match.sheet.standings import BoxScores, Ints, Sheet, sheet_of
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph, spelled

MOST_STANDINGS = 20_000_000
MOST_CASES = 10_000
MOST_CELLS = 100_000_000
"""Sets of open boxes times tallies."""
_FEWER = "fewer boxes, or tallies that are cut where more cannot matter"
_POINTS = "points are whole numbers from 0 to 2**53"


def rules_digest(game: Game) -> str:
    """Return the digest of a game's compiled rules: of its turn, and of its sheet if it has one."""
    graph = compile_turn(game)
    return compile_sheet(game, graph).digest if hasattr(game, "score_sheet") else graph.digest


def compile_sheet(game: Game, graph: TurnGraph) -> Sheet:
    """Compile the score sheet of a game.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.

    Raises
    ------
    GameError
        If the sheet breaks the protocol.
    TooLargeError
        If there are too many standings or cases.
    """
    walk = _Walk(game, graph)
    walk.run()
    return walk.finish()


class _Walk:
    """The walk from an empty sheet to full ones."""

    def __init__(self, game: Game, graph: TurnGraph) -> None:
        self.game, self.graph, self.rules = game, graph, sheet_of(game)
        self.tallies: dict[Any, int] = {self.rules.tally: 0}
        self.marks: dict[Any, int] = {}
        self.cases: dict[Any, int] = {}
        self.scores: list[tuple[BoxScores, ...]] = []
        self.marked: list[tuple[Ints, ...]] = []  # the different marks of `scores`
        self.known: dict[Any, BoxScores] = {}
        self.advance = np.full((16, 16), -1, dtype=np.int64)
        sets = 1 << len(self.rules.boxes)
        self.case = np.full((sets, 16), -1, dtype=np.int32)
        self.reached = np.zeros((sets, 16), dtype=bool)
        self.reached[-1, 0] = True
        self.found = 0

    def _ask(self, what: str, *arguments: Any) -> Any:
        """Return what a function of the sheet says.

        Raises
        ------
        GameError
            If it raises.
        """
        try:
            return getattr(self.rules, what)(*arguments)
        except Exception as error:
            told = ", ".join(map(repr, arguments))
            raise GameError(
                f"{self.game.name}: {what}({told}) raised {type(error).__name__}: {error}"
            ) from error

    def run(self) -> None:
        for number in sorted(range(1, len(self.case)), key=int.bit_count, reverse=True):
            tallies = np.flatnonzero(self.reached[number])
            if len(tallies):
                self.found += len(tallies)
                if self.found > MOST_STANDINGS:
                    raise TooLargeError(
                        f"{self.game.name}: the sheet has more than {MOST_STANDINGS:,} standings",
                        remedy=_FEWER,
                    )
                self._from(number, tallies)

    def _from(self, number: int, tallies: Ints) -> None:
        boxes = self.rules.boxes
        open_boxes = frozenset(box for i, box in enumerate(boxes) if number >> i & 1)
        names = list(self.tallies)
        cases = np.array([self._case(open_boxes, names[t]) for t in tallies.tolist()])
        self.case[number, tallies] = cases
        for case in np.unique(cases).tolist():
            here = tallies[cases == case]
            self._check(case, number, names[int(here[0])])
            for i in range(len(boxes)):
                if number >> i & 1 and len(marks := self.marked[case][i]):
                    after = self.advance[here[:, None], marks]
                    if (after < 0).any():
                        after = self._advance(here, marks)
                    self.reached[number ^ 1 << i, after] = True

    def _case(self, open_boxes: frozenset[str], tally: Any) -> int:
        case = self._ask("case", open_boxes, tally)
        found = self.cases.get(case) if isinstance(case, Hashable) else None
        if found is None:
            _check_hashable(self.game, "case", case)
            if len(self.cases) >= MOST_CASES:
                raise TooLargeError(
                    f"{self.game.name}: the sheet has more than {MOST_CASES:,} cases",
                    remedy="let the case say no more of a standing than its entries depend on",
                )
            found = self.cases[case] = len(self.cases)
            self.scores.append(self._scores(case))
            self.marked.append(tuple(np.unique(box.mark) for box in self.scores[-1]))
        return found

    def _scores(self, case: Any) -> tuple[BoxScores, ...]:
        rows = [self._entries(case, outcome) for outcome in self.graph.outcomes]
        return tuple(self._in_box([row.get(box) for row in rows]) for box in self.rules.boxes)

    def _entries(self, case: Any, outcome: Any) -> Mapping[str, tuple[int, Hashable]]:
        entries = self._ask("entries", case, outcome)
        place = f"{self.game.name}: entries({case!r}, {outcome!r})"
        if not isinstance(entries, Mapping) or not all(
            isinstance(entry, tuple) and len(entry) == 2 for entry in entries.values()
        ):
            raise GameError(f"{place} is {entries!r}", rule="box -> (points, mark)")
        for box, (points, mark) in entries.items():
            if box not in self.rules.boxes:
                raise GameError(
                    f"{place} names the box {box!r}", rule=f"boxes: {', '.join(self.rules.boxes)}"
                )
            if type(points) is not int or not 0 <= points <= MOST_POINTS:
                raise GameError(f"{place} has the points {points!r}", rule=_POINTS)
            _check_hashable(self.game, "mark", mark)
        return entries

    def _in_box(self, entries: Sequence[tuple[int, Hashable] | None]) -> BoxScores:
        numbers: dict[tuple[int, int], int] = {}
        score: list[int] = []
        for entry in entries:
            if entry is None:
                score.append(-1)
                continue
            points, mark = entry
            key = points, self.marks.setdefault(mark, len(self.marks))
            score.append(numbers.setdefault(key, len(numbers)))
        content = tuple(numbers), tuple(score)
        if content not in self.known:
            self.known[content] = BoxScores(
                np.array([points for points, _ in numbers], dtype=np.int64),
                np.array([mark for _, mark in numbers], dtype=np.int64),
                np.array([s if s >= 0 else len(numbers) for s in score], dtype=np.int64),
            )
        self._room()
        return self.known[content]

    def _check(self, case: int, number: int, tally: Any) -> None:
        """Raise GameError if some outcome may not be entered in any open box."""
        entered = np.zeros(len(self.graph.outcomes), dtype=bool)
        for i, box in enumerate(self.scores[case]):
            if number >> i & 1:
                entered |= box.score < len(box.points)
        if not entered.all():
            outcome = self.graph.outcomes[int(np.argmin(entered))]
            names = [box for i, box in enumerate(self.rules.boxes) if number >> i & 1]
            raise GameError(
                f"{self.game.name}: the outcome {outcome!r} may not be entered anywhere with"
                f" {', '.join(names)} open and the tally {tally!r}",
                rule="every outcome of a turn is entered in some open box, if only as a zero",
            )

    def _advance(self, tallies: Ints, marks: Ints) -> Ints:
        """Return where entries lead, and note what was not known."""
        names, kinds = list(self.tallies), list(self.marks)
        for t in tallies.tolist():
            for m in marks.tolist():
                if self.advance[t, m] < 0:
                    after = self._ask("advance", names[t], kinds[m])
                    _check_hashable(self.game, "tally", after)
                    number = self.tallies.setdefault(after, len(self.tallies))
                    self._room()
                    self.advance[t, m] = number
        return self.advance[tallies[:, None], marks]

    def _room(self) -> None:
        """Make the arrays larger where tallies or marks have outgrown them."""
        tallies, marks = self.advance.shape
        if len(self.tallies) > tallies or len(self.marks) > marks:
            more = max(0, len(self.tallies) - tallies) and tallies
            wider = max(0, len(self.marks) - marks) and max(marks, len(self.marks))
            if len(self.case) * (tallies + more) > MOST_CELLS:
                raise TooLargeError(
                    f"{self.game.name}: the sheet has {len(self.case):,} sets of open boxes and"
                    f" more than {tallies:,} tallies",
                    remedy=_FEWER,
                )
            self.advance = np.pad(self.advance, ((0, more), (0, wider)), constant_values=-1)
            self.case = np.pad(self.case, ((0, 0), (0, more)), constant_values=-1)
            self.reached = np.pad(self.reached, ((0, 0), (0, more)))

    def finish(self) -> Sheet:
        tallies = tuple(self.tallies)
        case = np.ascontiguousarray(self.case[:, : len(tallies)])
        ended = self.reached[0, : len(tallies)]
        case[0, ended] = 0
        closing = [self._closing(t) if over else 0 for t, over in zip(tallies, ended, strict=True)]
        advance = np.ascontiguousarray(self.advance[: len(tallies), : len(self.marks)])
        sha = hashlib.sha256(b"score sheet 1\n")
        sha.update(self.graph.digest.encode())
        sha.update(spelled((self.rules.boxes, tallies, tuple(closing))).encode())
        for array in (case, advance):
            sha.update(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"))).data)
        for boxes in self.scores:
            for box in boxes:
                for array in (box.points, box.mark, box.score):
                    sha.update(f"{array.tolist()}".encode())
        arrays = case, advance, np.array(closing, dtype=np.int64)
        for array in arrays:
            array.flags.writeable = False
        return Sheet(
            self.rules, tallies, arrays[0], tuple(self.scores), *arrays[1:], sha.hexdigest()
        )

    def _closing(self, tally: Any) -> int:
        points = self._ask("closing", tally)
        if type(points) is not int or not 0 <= points <= MOST_POINTS:
            raise GameError(f"{self.game.name}: closing({tally!r}) is {points!r}", rule=_POINTS)
        return points


def _check_hashable(game: Game, what: str, value: object) -> None:
    try:
        hash(value)
    except TypeError:
        raise GameError(
            f"{game.name}: {value!r} cannot be a {what}, it cannot be hashed",
            remedy="use tuples, numbers, strings or frozen dataclasses",
        ) from None
