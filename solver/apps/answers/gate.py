"""The gate: which questions are answered, and how quickly they can be.

Rules that no table is of, matches and goals that no table holds would take seconds to minutes of
solving, and as much memory: they are refused before anything begins, with the command that solves
them where the asker has a machine of their own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any, Literal

from solver.advisor.advise import part_of
from solver.advisor.sheets import TOTAL
from solver.apps.answers.held import HeldTables
from solver.apps.answers.question import Form, Question
from solver.apps.answers.refusal import NeedsSolvingError
from solver.apps.answers.remembered import remembered
from solver.errors import UsageError
from solver.games.position import match_fields_of, read_position
from solver.games.protocol import Game, RoundsMatch, default_objective
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name

Way = Literal["table", "turn"]

_RULES = 256  # spellings of rules that are remembered
_OBJECTIVE = re.compile(r"[a-z][a-z-]{0,31}(:[0-9]{1,4})?")
_GOALS = {"turns": 1, "win": 2}  # objectives of a race to a goal, and the seats of their tables


class Gate:
    """What a service with these tables answers.

    Parameters
    ----------
    tables
        Verified tables.
    forms
        The form of each game.

    Attributes
    ----------
    matches
        (Game, seats) of matches of rounds that were solved after the start.
    """

    def __init__(self, tables: HeldTables, forms: Mapping[str, Form]) -> None:
        self.matches: set[tuple[str, int]] = set()
        self._tables = tables
        self._official = {name: remembered(form.game) for name, form in forms.items()}
        self._games: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}
        served = [*(form.game for form in forms.values()), *tables.games]
        self._served = {_identity(game) for game in served}

    def game(self, question: Question) -> Game:
        """Return the game that a question is about, with its rules.

        Raises
        ------
        NeedsSolvingError
            If the rules are neither the official ones nor those of a table.
        UsageError
            If there are no such rules.
        """
        if not question.rules:
            return self._official[question.game]
        key = question.game, question.rules
        if key not in self._games:
            game = game_by_name(question.game, **dict(question.rules))
            if _identity(game) not in self._served:
                raise _refused(question, game, "these rules", "set")
            if len(self._games) >= _RULES:
                self._games.clear()
            self._games[key] = remembered(game)
        return self._games[key]

    def serves(self, game: Game) -> bool:
        """Return whether rules are the official ones of a game, or those of a table."""
        return _identity(game) in self._served

    def possible(self, question: Question) -> Way:
        """Return the quickest way in which a question can be answered.

        Raises
        ------
        NeedsSolvingError
            If neither a table nor the solution of a turn is enough.
        UsageError
            If the question makes no sense.
        """
        whole = self.game(question)
        game, told = part_of(whole, dict(question.told), question.objective)
        objective = question.objective or default_objective(game)
        if _OBJECTIVE.fullmatch(objective) is None:
            raise UsageError(
                f"there is no objective {objective!r}",
                remedy="objectives are words, some with a number of at most four digits:"
                " at-least:7",
                field="objective",
            )
        if hasattr(game, "goal_race"):
            return self._to_goal(question, game, told)
        if hasattr(game, "score_sheet"):
            return self._on_sheet(question, game, told, objective)
        if self.in_match(question, game):
            if (question.game, seats_of(question)) in self.matches and not question.rules:
                return "turn"
            return self._in_match(question, game, told)
        table = self._tables.find(game, objective)
        return "table" if table is not None and table.has_policy() else "turn"

    def in_match(self, question: Question, game: Game) -> bool:
        """Return whether a question tells of a match and not of one turn alone."""
        names = {f.name for f in match_fields_of(game)}
        return (
            question.scores is not None
            or question.seat is not None
            or question.objective == "win"
            or any(name in names for name, _ in question.told)
        )

    def _in_match(self, question: Question, game: Game, told: Mapping[str, Any]) -> Way:
        """Return how a position in a match is answered.

        Raises
        ------
        NeedsSolvingError
            If the match is in no table.
        """
        seats = seats_of(question)
        if not isinstance(getattr(game, "rounds_match", None), RoundsMatch):
            if question.objective not in (None, "win") or seats < 2:
                return "turn"  # the advisor says what is wrong
            table = self._tables.find(game, "win", seats)
            if table is not None:
                return "table" if table.has_policy() else "turn"
        self._check_position(game, told)
        what = f"a match of {seats} seats" if seats > 1 else "this match"
        field = None if question.scores is None else "scores"
        raise _refused(question, game, what, field)

    def _to_goal(self, question: Question, game: Game, told: Mapping[str, Any]) -> Way:
        against = "opponent" in told or question.scores is not None
        objective = question.objective or ("win" if against else "turns")
        within = objective.startswith("within:")
        if not within and objective not in _GOALS:
            return "turn"
        if within or self._tables.find(game, objective, _GOALS[objective]) is None:
            self._check_position(game, told)
            raise _refused(question, game, f"the objective {objective}", "objective")
        return "turn"

    def _on_sheet(
        self, question: Question, game: Game, told: Mapping[str, Any], objective: str
    ) -> Way:
        """Return how a turn that is entered in a sheet is answered; for one turn, on the spot."""
        whole = objective == TOTAL and question.scores is None and question.seat is None
        if whole and self._tables.find(game, objective, 1) is None:
            self._check_position(game, told)
            raise _refused(question, game, f"the objective {objective}", "objective")
        return "turn"

    def _check_position(self, game: Game, told: Mapping[str, Any]) -> None:
        """Raise what is wrong with a position: that comes before what is in no table."""
        match = {f.name for f in match_fields_of(game)}
        read_position(game, {name: value for name, value in told.items() if name not in match})


def seats_of(question: Question) -> int:
    """Return how many seats a question tells the scores of."""
    return 0 if question.scores is None else question.scores.count(",") + 1


def _refused(question: Question, game: Game, what: str, field: str | None) -> NeedsSolvingError:
    told = " ".join(_option(name, value) for name, value in question.shown().items())
    remedy = f"should-i-roll advise {question.game} {told} answers on your own machine"
    seats = seats_of(question)
    if hasattr(game, "rounds_match") and seats > 1:
        remedy += f"; or should-i-roll serve --solve {question.game}:{seats}"
    return NeedsSolvingError(
        f"no table of this service is of {what} of {question.game}", remedy=remedy, field=field
    )


def _identity(game: Game) -> tuple[str, tuple[tuple[str, int | str], ...]]:
    return game.name, tuple(rules_of(game).items())


def _option(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"--set {shlex.quote(f'{key}={text}')}" for key, text in value.items())
    return f"--{name}" if value is True else f"--{name} {shlex.quote(value)}"
