r"""A record reviewed: what each decision cost, and what the dice brought.

Let V be the value of a position under best play, in points or as a seat's chance to win. Along a
match V changes only where dice are rolled or somebody decides, so

.. math:: \text{result} = V(\text{start}) + \sum_{\text{dice}} \Delta V
          + \sum_{\text{decisions}} \Delta V ,

a sum that telescopes. The first sum is *luck*: its mean is zero, whatever is played. In the
second the seat's own part is never positive: it is the *skill lost*, the sum of the regrets. What
the others' decisions changed is *gained* from them (with three and more seats it may be less than
nothing). For points every turn is looked at alone, and nothing is gained from others.

In a race to a goal a seat's turns make one run: V is the expected number of turns, those that were
had included. Fewer are better, so there luck is what dice saved, and the result is
start - luck + lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import fsum
from typing import Any

from solver.advisor.review.judged import Account, Judged
from solver.advisor.review.reader import read_record
from solver.advisor.review.record import PlayedTurn, Record, Step
from solver.advisor.review.values import AloneValues, ReviewSource, WinSource, win_values
from solver.errors import GameError, TooLargeError
from solver.games.readings import rules_of
from solver.match.boundary import Floats
from solver.match.race import Progress
from solver.tablebase.read import Tables, open_tables
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE

WORST = 3
"""Decisions that are marked as the worst of a match."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed record.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    seats
        Names in playing order.
    over
        Whether the match is over.
    scores
        Points of every seat; in a race to a goal what it has.
    winners
        Seats, from 1, that won, or share the win; empty while the match goes on.
    points, win
        Every seat's account, in the unit and in chances to win; None for the win if it was not
        reviewed.
    steps
        Every roll and decision, in order.
    exactness
        How exact the chances to win are, without these the turns to a goal: kind, error, table.
    note
        Why the win was not reviewed, if it was not.
    unit
        What `points` are in: ``"points"``, ``"turns"`` to the goal of a race, or another
        objective of the game, such as the chance to ``"survive"``.
    """

    game: str
    rules: Mapping[str, int | str]
    seats: tuple[str, ...]
    over: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    points: tuple[Account, ...]
    win: tuple[Account, ...] | None
    steps: tuple[Judged, ...]
    exactness: Mapping[str, Any]
    note: str | None
    unit: str = "points"

    @property
    def worst(self) -> tuple[Judged, ...]:
        """The worst decisions, the most costly first."""
        marked = [step for step in self.steps if step.worst]
        return tuple(sorted(marked, key=lambda s: -(s.points if s.win is None else s.win)))

    def as_dict(self) -> dict[str, Any]:
        """Return the review as plain values, the JSON of every front door."""
        plain = asdict(self)
        for name in ("rules", "exactness"):
            plain[name] = dict(plain[name])
        for name in ("seats", "scores", "winners", "points", "steps"):
            plain[name] = list(plain[name])
        plain["win"] = None if self.win is None else list(plain["win"])
        return plain


def review_record(
    text: str,
    tables: Tables | None = None,
    *,
    source: ReviewSource | None = None,
    progress: Progress | None = None,
) -> Review:
    r"""Return the review of a game record.

    Parameters
    ----------
    text
        The record, as ``docs/reference/game-record.md`` describes.
    tables
        Open tables; by default those within reach.
    source
        Where values come from, to review several records with the same solved matches; then
        `tables` is not looked at.
    progress
        Called from time to time while a match is solved.

    Raises
    ------
    NotationError
        If the record cannot be read or breaks the rules, with line, place and rule.
    TableError
        If the table for these rules is damaged or stale.

    Examples
    --------
    >>> review = review_record("game: pig\nseats: Ann\nAnn:\n 6 -> roll\n 5 -> roll\n 1\n= 0")
    >>> review.scores, round(review.points[0].lost, 6), review.points[0].result
    ((0,), 0.0, 0.0)
    """
    record = read_record(text)
    if source is not None:
        return review(record, source, progress=progress)
    if tables is not None:
        return review(record, ReviewSource(tables), progress=progress)
    with open_tables() as opened:
        return review(record, ReviewSource(opened), progress=progress)


def review(record: Record, source: ReviewSource, *, progress: Progress | None = None) -> Review:
    """Return the review of a record that was read; see :func:`review_record`."""
    game, seats = record.game, len(record.seats)
    graph = source.graph(game)
    won: WinSource | None = None
    note = "alone there is nobody to win against" if seats == 1 else None
    if seats > 1:
        try:
            won = source.win(game, graph, seats, progress)
        except (TooLargeError, GameError) as error:
            note = f"not reviewed for the win: {error.what}"
    alone = source.alone(game, graph)
    book = _Book(record, graph, alone, won)
    return Review(
        game=game.name,
        rules=rules_of(game),
        seats=record.seats,
        over=record.over,
        scores=record.scores,
        winners=_winners(record),
        points=book.points,
        win=book.win,
        steps=book.steps,
        exactness=dict(alone.exactness)
        if won is None
        else {"kind": won.kind, "error": won.error, "table": won.table},
        note=note,
        unit=alone.unit,
    )


def _winners(record: Record) -> tuple[int, ...]:
    if not record.over:
        return ()
    leaders = record.leaders if record.winner is None else (record.winner,)
    return tuple(seat + 1 for seat in leaders)


class _Sums:
    """The account of one seat while it is added up."""

    def __init__(self) -> None:
        self.start: list[float] = []
        self.own: list[float] = []
        self.others: list[float] = []
        self.lost: list[float] = []
        self.gained: list[float] = []
        self.result: list[float] = []

    def account(self, sign: int = 1) -> Account:
        return Account(
            start=sign * fsum(self.start),
            luck=fsum([*self.own, *self.others]),
            own_luck=fsum(self.own),
            lost=fsum(self.lost),
            gained=fsum(self.gained),
            result=sign * fsum(self.result),
        )


class _Book:
    """Goes through a record and keeps every seat's accounts."""

    def __init__(
        self, record: Record, graph: TurnGraph, alone: AloneValues, won: WinSource | None
    ) -> None:
        self.record, self.graph, self.game = record, graph, record.game
        self.alone = alone
        self._had = [0] * len(record.seats)  # turns
        self.chances = [] if won is None else win_values(graph, won, record.turns)
        seats = range(len(record.seats))
        self._points, self._win = [_Sums() for _ in seats], [_Sums() for _ in seats]
        judged: list[Judged] = []
        for number, turn in enumerate(record.turns):
            self._turn(turn, number)
            judged += [self._judged(turn, number, step) for step in turn.steps]
        if won is not None:
            self._settle(won)
        for sums in self._points:
            if alone.run and not sums.start:
                sums.start = sums.result = [self._worth(record.game.start())]
        self.points = tuple(sums.account(alone.sign) for sums in self._points)
        self.win = None if won is None else tuple(sums.account() for sums in self._win)
        self.steps = _marked(judged)

    def _turn(self, turn: PlayedTurn, number: int) -> None:
        """Add one turn to all accounts."""
        mine = self._points[turn.seat]
        last = turn.steps[-1].after if turn.steps else turn.start
        self._begin(mine, turn, last)
        for step in turn.steps:
            change = self._worth(step.after) - self._worth(step.state)
            if step.kind == "dice":
                mine.own.append(change)
            else:
                mine.lost.append(-change)
        if not self.chances:
            return
        for seat, sums in enumerate(self._win):
            for step in turn.steps:
                before, after = (self._chance(number, s, seat) for s in (step.state, step.after))
                own = seat == turn.seat
                if step.kind == "dice":
                    (sums.own if own else sums.others).append(after - before)
                elif own:
                    sums.lost.append(before - after)
                else:
                    sums.gained.append(after - before)
            if number == 0:
                sums.start = [self._chance(0, turn.start, seat)]
            sums.result = [self._chance(number, last, seat)]

    def _begin(self, mine: _Sums, turn: PlayedTurn, last: Any) -> None:
        """Add where a turn begins and ends to its seat's account."""
        start, end = self._worth(turn.start), self._worth(last)
        if not self.alone.run:
            mine.start.append(start)
            mine.result.append(end)
            return
        had = self._had[turn.seat]
        if mine.start:
            mine.own.append(start - had - mine.result[0])  # rounding of the values before and now
        else:
            mine.start = [start - had]
        mine.result = [end - had]
        self._had[turn.seat] += 1

    def _settle(self, won: WinSource) -> None:
        """Add what parted a tie, or the value at the start if nothing was played."""
        record = self.record
        if not record.turns:
            nobody = PlayedTurn(
                0, 0, 1, record.scores, record.stages, record.game.start(), (), None
            )
            ((values, _),) = win_values(self.graph, won, [nobody])
            for seat, sums in enumerate(self._win):
                sums.start = sums.result = [float(values[self.graph.root, seat])]
        if record.over and record.winner is not None:
            for seat, sums in enumerate(self._win):
                result = float(seat == record.winner)
                sums.others.append(result - fsum(sums.result))
                sums.result = [result]

    def _worth(self, state: Any) -> float:
        return self.alone.worth[self.graph.node(state)]

    def _chance(self, number: int, state: Any, seat: int) -> float:
        values: Floats = self.chances[number][0]
        return float(values[self.graph.node(state), seat])

    def _judged(self, turn: PlayedTurn, number: int, step: Step) -> Judged:
        sign = 1.0 if step.kind == "dice" else -1.0
        points = sign * (self._worth(step.after) - self._worth(step.state))
        win = None
        if self.chances:
            win = sign * (
                self._chance(number, step.after, turn.seat)
                - self._chance(number, step.state, turn.seat)
            )
        options: list[dict[str, Any]] = []
        goods: list[float] = []
        for action, state in step.options.items():
            chance = self._chance(number, state, turn.seat) if self.chances else None
            worth = self._worth(state)
            read = {self.alone.unit: self.alone.sign * worth, "win_probability": chance}
            options.append({"action": action} | read)
            goods.append(worth if chance is None else chance)
        tie = TIE if self.chances else self.alone.tie
        least = max(goods, default=0.0) - tie
        best = tuple(o["action"] for o, good in zip(options, goods, strict=True) if good >= least)
        if step.kind == "choice":
            points = 0.0 if points <= self.alone.tie else points
            win = win if win is None else 0.0 if win <= TIE else win
        return Judged(
            step.line,
            number + 1,
            turn.seat + 1,
            turn.round,
            step.kind,
            step.text,
            step.told,
            points,
            win,
            best,
            tuple(options),
        )


def _marked(steps: list[Judged]) -> tuple[Judged, ...]:
    """Return the steps with the worst decisions marked."""
    cost = [
        (step.points if step.win is None else step.win) if step.kind == "choice" else 0.0
        for step in steps
    ]
    order = sorted((i for i, lost in enumerate(cost) if lost > 0.0), key=lambda i: -cost[i])
    worst = set(order[:WORST])
    return tuple(replace(step, worst=i in worst) for i, step in enumerate(steps))
