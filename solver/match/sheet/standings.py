"""A score sheet as arrays: its standings, and what may be entered at each of them.

A standing is (open boxes, tally). Open boxes are the bits of a number, the first box the lowest
bit; tallies and cases are numbered. For each case and box the outcomes fall into few *scores*, a
score being points and mark: that is what makes half a million standings cheap, for what is to come
is looked up once for each score and not once for each outcome.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import GameError, PositionError
from solver.games.protocol import Game, ScoreSheet

Ints = NDArray[np.int64]

MOST_BOXES = 20


@dataclass(frozen=True, slots=True, eq=False)
class BoxScores:
    """What the outcomes of a turn score in one box, in one case.

    Parameters
    ----------
    points
        int64, shape (scores,).
    mark
        int64, shape (scores,): number of the mark.
    score
        int64, shape (outcomes,): the score of each outcome; the number of scores where it may
        not be entered here.
    """

    points: Ints
    mark: Ints
    score: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A game's score sheet, compiled.

    Parameters
    ----------
    rules
        The sheet as the game tells it.
    tallies
        The tallies by number; 0 is that of an empty sheet.
    case
        int32, shape (sets of open boxes, tallies): number of the standing's case, -1 where no
        game comes to it.
    scores
        By case and box.
    advance
        int64, shape (tallies, marks): the tally after an entry; -1 where that never happens.
    closing
        int64, shape (tallies,): points at the end; 0 where no game ends so.
    digest
        SHA-256 over all of it and over the turn graph's, as hexadecimal text.
    """

    rules: ScoreSheet
    tallies: tuple[Any, ...]
    case: NDArray[np.int32]
    scores: tuple[tuple[BoxScores, ...], ...]
    advance: Ints
    closing: Ints
    digest: str

    @property
    def boxes(self) -> int:
        """Number of boxes."""
        return len(self.rules.boxes)

    @property
    def standings(self) -> int:
        """Number of standings in which a turn begins."""
        return int((self.case[1:] >= 0).sum())

    def place(self, open_boxes: frozenset[str], tally: Hashable) -> tuple[int, int]:
        """Return the row and column of a standing.

        Raises
        ------
        PositionError
            If no game comes to it.
        """
        row = open_number(self.rules, open_boxes)
        column = self.tallies.index(tally) if tally in self.tallies else -1
        if column < 0 or self.case[row, column] < 0:
            raise no_standing(open_boxes, tally)
        return row, column

    def layers(self) -> list[Ints]:
        """Return the sets of open boxes by their number, from none to all."""
        sets = np.arange(len(self.case))
        size = np.array([number.bit_count() for number in range(len(self.case))])
        return [sets[size == n] for n in range(self.boxes + 1)]


def open_number(rules: ScoreSheet, open_boxes: frozenset[str]) -> int:
    """Return the number whose bits are the open boxes."""
    return sum(1 << i for i, box in enumerate(rules.boxes) if box in open_boxes)


def no_standing(open_boxes: frozenset[str], tally: Hashable) -> PositionError:
    """Return the error for a standing that no game comes to."""
    return PositionError(
        f"no game comes to the open boxes {', '.join(sorted(open_boxes)) or 'none'} with the"
        f" tally {tally!r}",
        field="open",
    )


def sheet_of(game: Game) -> ScoreSheet:
    """Return the score sheet of a game.

    Raises
    ------
    GameError
        If it has none, or one without boxes.
    """
    sheet = getattr(game, "score_sheet", None)
    if not isinstance(sheet, ScoreSheet):
        raise GameError(
            f"{game.name} has no score sheet: its turns are not entered in boxes",
            remedy="play for points, or for the win",
        )
    if not 1 <= len(sheet.boxes) == len(set(sheet.boxes)) <= MOST_BOXES:
        raise GameError(
            f"{game.name}: the score sheet has the boxes {sheet.boxes!r}",
            rule=f"a sheet has 1 to {MOST_BOXES} boxes, each of another name",
        )
    return sheet
