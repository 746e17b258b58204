"""Reviews of game records from held tables: what would have to be solved first is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.advisor.review import ReviewSource, read_record
from solver.advisor.review.review import review
from solver.advisor.review.values import WinSource
from solver.apps.answers.gate import Gate
from solver.apps.answers.held import HeldTables
from solver.apps.answers.refusal import NeedsSolvingError
from solver.errors import TooLargeError
from solver.games.protocol import Game, RoundsMatch, ScoreRace
from solver.match.race import Progress
from solver.match.result import SolvedRounds
from solver.turn.graph import TurnGraph

MOST_TURNS = 200
"""Turns of a record that is reviewed; a review holds the values of every turn, 0.2 MB each."""

Solved = Callable[[Game, int], SolvedRounds | None]

_SOLVED = 3  # seats up to which a review would solve a race; with more it tells the points alone


class Reviewer:
    """Reviews records; it is used by one thread alone.

    Parameters
    ----------
    tables
        Verified tables.
    gate
        Which rules are served.
    solved
        (Game, seats) -> the match of rounds, if it was solved after the start.
    """

    def __init__(self, tables: HeldTables, gate: Gate, solved: Solved) -> None:
        self._gate = gate
        self._source = HeldSource(tables, solved)

    def __call__(self, text: str) -> dict[str, Any]:
        """Return the review of a record, as ``Review.as_dict`` has it.

        Raises
        ------
        NotationError
            If the record cannot be read or breaks the rules: with line, place and rule.
        NeedsSolvingError
            If no table is of its rules or its match.
        TooLargeError
            If it has more than 200 turns.
        """
        record = read_record(text)
        if len(record.turns) > MOST_TURNS:
            raise TooLargeError(
                f"a record of {len(record.turns)} turns: this service reviews {MOST_TURNS} at most",
                remedy="should-i-roll review FILE reviews it on your own machine",
                field="record",
            )
        if not self._gate.serves(record.game):
            raise _refused(record.game, "these rules")
        return review(record, self._source, progress=_nothing_heavy).as_dict()


class HeldSource(ReviewSource):
    """Where a review takes its values from: held tables, and matches solved after the start.

    Parameters
    ----------
    tables, solved
        As in :class:`Reviewer`.
    """

    def __init__(self, tables: HeldTables, solved: Solved) -> None:
        super().__init__(tables)
        self._held, self._ahead = tables, solved

    def win(
        self, game: Game, graph: TurnGraph, seats: int, progress: Progress | None = None
    ) -> WinSource:
        """Return the solved match; see the base class.

        Raises
        ------
        NeedsSolvingError
            If it would have to be solved.
        """
        what = f"a match of {seats} seats"
        if hasattr(game, "goal_race") and self._held.find(game, "win", seats) is None:
            raise TooLargeError(f"no table of this service is of {what} of {game.name}")
        if isinstance(getattr(game, "rounds_match", None), RoundsMatch):
            found = self._ahead(game, seats)
            if found is None:
                raise _refused(game, what, f"; or should-i-roll serve --solve {game.name}:{seats}")
            return WinSource(found.values, {}, None, found.exactness.kind, found.exactness.error)
        race = isinstance(getattr(game, "race", None), ScoreRace)
        if race and seats <= _SOLVED and self._held.find(game, "win", seats) is None:
            raise _refused(game, what)
        return super().win(game, graph, seats, progress)


def _refused(game: Game, what: str, more: str = "") -> NeedsSolvingError:
    return NeedsSolvingError(
        f"no table of this service is of {what} of {game.name}",
        remedy=f"should-i-roll review FILE reviews it on your own machine{more}",
        field="record",
    )


def _nothing_heavy(done: int, total: int) -> None:
    """Stop a match from being solved in a request, should the review begin to."""
    del done, total
    raise NeedsSolvingError("this would take a match to be solved, which no request starts")
