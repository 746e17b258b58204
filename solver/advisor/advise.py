"""Should I roll? From a position to an answer.

An answer comes from a table where there is one for exactly these rules, and is solved on the
spot where there is none.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from solver.advisor.advice import Advice, AdviceExactness
from solver.advisor.assemble import EXACT, Answered, assemble
from solver.advisor.goals import GoalAnswers
from solver.advisor.rounds import RoundsAsked, answer_rounds
from solver.advisor.sheets import SheetAnswers
from solver.advisor.standing import read_number
from solver.advisor.values import PolicyTable, SolvedValues
from solver.advisor.win import MatchValues, from_match, from_policy
from solver.errors import NotationError, PositionError, UsageError
from solver.games.notation import whole_number
from solver.games.position import Position, fields_of, match_fields_of, read_position
from solver.games.protocol import (
    Game,
    Outcome,
    default_objective,
    objectives_of,
    payoff_of,
    race_of,
    sign_of,
)
from solver.games.registry import game as game_by_name
from solver.match.check_scores import checked_scores
from solver.match.race import Progress
from solver.match.result import SolvedRounds
from solver.match.solve import solve_score_race
from solver.tablebase.read import Table, Tables, open_tables
from solver.turn.cache import cached_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.objective import Number
from solver.turn.result import TurnSolution
from solver.turn.solve import solve_turn

_PROVEN_ON_THE_SPOT = 3  # seats; more take minutes to prove
_TURNS_KEPT = 4  # solved turns, of up to a hundred MiB each


def advise(
    game: str | Game,
    *,
    objective: str | Mapping[Outcome, Number] | None = None,
    scores: str | Sequence[int] | None = None,
    seat: int | None = None,
    tables: Tables | str | os.PathLike[str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    **position: Any,
) -> Advice:
    """Return every legal option at a position, best first.

    Parameters
    ----------
    game
        A game or its name.
    objective
        ``"points"``, ``"at-least:N"``, ``"capped:N"``, ``"win"`` or a mapping outcome -> payoff;
        by default ``"win"`` with `scores`, else ``"points"``.
    scores
        Points of every seat in playing order, seat 1 first.
    seat
        The seat on turn, from 1; seat 1 opens each round.
    tables
        Open tables, or their directory; by default those within reach. To answer several
        questions keep an :class:`Advisor`.
    parameters
        Changes to the rules, if `game` is a name.
    progress
        Called from time to time while a match is solved on the spot.
    **position
        The fields of the game's positions; for Martian Dice `aside` and `roll`.

    Returns
    -------
    Advice
        All options with value, loss and bust chance.

    Raises
    ------
    UsageError
        If something asked for does not exist or cannot be read (NotationError,
        UnknownNameError), or the rules do not allow the position (PositionError).
    TableError
        If the table for these rules is damaged or stale.

    Examples
    --------
    >>> advice = advise("martian-dice", aside="T2 R3 H4", roll="R2 C1 K1")
    >>> [(o.action, o.then, o.best) for o in advice.options][0]
    ('cow', 'roll', True)
    """
    if isinstance(tables, Tables):
        return Advisor(tables)(
            game, objective, scores, seat, parameters=parameters, progress=progress, **position
        )
    with open_tables(tables) as opened:
        return Advisor(opened)(
            game, objective, scores, seat, parameters=parameters, progress=progress, **position
        )


class Advisor:
    """Answers questions from the same open tables; what it has looked up it remembers."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._games: dict[Any, Game] = {}
        self._found: dict[tuple[Game, str, int], tuple[Table, PolicyTable | None] | None] = {}
        self._graphs: dict[Game, TurnGraph] = {}
        self._solved: dict[tuple[Game, int], MatchValues] = {}
        self._held: dict[tuple[Game, int], MatchValues] = {}
        self._rounds: dict[Any, Any] = {}
        self._turns: dict[tuple[Game, str], TurnSolution] = {}
        self._goals = GoalAnswers(self._only_table, self._graph)
        self._sheets = SheetAnswers(self._only_table, self._graph)

    def __call__(
        self,
        game: str | Game,
        objective: str | Mapping[Outcome, Number] | None = None,
        scores: str | Sequence[int] | None = None,
        seat: int | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        progress: Progress | None = None,
        **told: Any,
    ) -> Advice:
        """Return the advice; see :func:`advise`."""
        rules = self._game(game, parameters)
        _check_fields(rules, told)
        match = getattr(rules, "rounds_match", None)
        beyond = {f.name: told.pop(f.name, None) for f in match_fields_of(rules)}
        rules, told = part_of(rules, told, objective)
        position = read_position(rules, told)
        if position.standing is not None and not isinstance(objective, Mapping):
            _refuse_scores(rules, scores, seat)
            return self._sheets.answer(rules, position, objective, progress)
        if "opponent" in beyond:
            _refuse_scores(rules, scores, seat)
            return self._to_goal(rules, position, objective, beyond["opponent"], progress)
        if match is not None and (
            scores is not None or any(v is not None for v in beyond.values())
        ):
            asked = RoundsAsked(_read_scores(scores), seat, **beyond)
            return answer_rounds(
                rules, self._graph(rules), match, position, asked, self._rounds, progress
            )
        points = _read_scores(scores)
        if points is not None and len(points) < 2:
            raise PositionError(
                "--scores lists one score: the win needs somebody to beat",
                remedy="every seat's points in playing order: 12,20",
                field="scores",
            )
        if seat is not None:
            seat = read_number(seat, "seat", "the seat on turn, from 1; seat 1 opens each round")
        if objective is None:
            objective = "win" if points is not None else default_objective(rules)
        if objective != "win":
            if points is not None or seat is not None:
                raise UsageError(
                    f"--scores and --seat are for the win; the objective is {objective}",
                    remedy="leave them out, or give both and leave --objective out",
                    field="objective",
                )
            return self._for_turn(rules, position, objective)
        if points is None or seat is None:
            missing = "scores" if points is None else "seat"
            raise UsageError(
                f"to play for the win, --{missing} is needed too",
                remedy="--scores 12,20 --seat 1: every seat's points in playing order, and the"
                " seat on turn",
                field=missing,
            )
        return self._for_win(rules, position, points, seat, progress)

    @property
    def goals(self) -> GoalAnswers:
        """Races to a goal, from the same tables."""
        return self._goals

    def solved_rounds(self, game: Game, seats: int) -> SolvedRounds | None:
        """Return a match of rounds that was solved for an answer before, None if it was not."""
        found: SolvedRounds | None = self._rounds.get((game, seats))
        return found

    def _game(self, game: str | Game, parameters: Mapping[str, Any] | None) -> Game:
        if not isinstance(game, str):
            return game
        key = (game, tuple(sorted((k, str(v)) for k, v in (parameters or {}).items())))
        if key not in self._games:
            self._games[key] = game_by_name(game, **(parameters or {}))
        return self._games[key]

    def _graph(self, game: Game) -> TurnGraph:
        if game not in self._graphs:
            self._graphs[game] = cached_turn(game)
        return self._graphs[game]

    def _table(
        self, game: Game, objective: str, seats: int
    ) -> tuple[Table, PolicyTable | None] | None:
        key = (game, objective, seats)
        if key not in self._found:
            table = self.tables.find(game, objective, seats)
            found = None
            if table is not None:
                table.check_identity(game)
                found = table, PolicyTable(table, game) if table.has_policy() else None
            self._found[key] = found
        return self._found[key]

    def _only_table(self, game: Game, objective: str, seats: int) -> Table | None:
        found = self._table(game, objective, seats)
        return None if found is None else found[0]

    def _for_turn(
        self, game: Game, position: Position, objective: str | Mapping[Outcome, Number]
    ) -> Advice:
        found = self._table(game, objective, 0) if isinstance(objective, str) else None
        table, policy = found or (None, None)
        if table is not None and policy is not None:
            own: Any = objectives_of(game).get(str(objective), "points")

            def payoff(outcome: Outcome) -> tuple[float, Fraction]:
                worth = payoff_of(game, str(objective), outcome)
                return float(worth), Fraction(worth)

            sign = sign_of(game, str(objective))
            answered = Answered(
                str(objective), own, EXACT, table.name, table.entry.graph, sign=sign
            )
            return assemble(game, position, policy.values(0, payoff, sign=sign), answered)
        graph = self._graph(game)
        turn = self._turn(game, graph, objective)
        answered = Answered(turn.objective, turn.unit, EXACT, None, graph.digest, sign=turn.sign)
        return assemble(game, position, SolvedValues(turn), answered)

    def _turn(
        self, game: Game, graph: TurnGraph, objective: str | Mapping[Outcome, Number]
    ) -> TurnSolution:
        """Return the solved turn; the last few are kept, for whoever asks on."""
        if not isinstance(objective, str):
            return solve_turn(game, objective, exact=True, graph=graph)
        key = game, objective
        if key not in self._turns:
            if len(self._turns) >= _TURNS_KEPT:
                self._turns.pop(next(iter(self._turns)))
            self._turns[key] = solve_turn(game, objective, exact=True, graph=graph)
        return self._turns[key]

    def _to_goal(
        self,
        game: Game,
        position: Position,
        objective: str | Mapping[Outcome, Number] | None,
        opponent: Any,
        progress: Progress | None,
    ) -> Advice:
        if match_fields_of(game) and (objective is None or isinstance(objective, str)):
            found = self._goals.answer(game, position, objective, opponent, progress)
            if found is not None:
                return found
        elif opponent is not None:
            raise UsageError(
                "--opponent is for hunts: a fight is between a player and Martians",
                remedy="leave it out",
                field="opponent",
            )
        return self._for_turn(game, position, objective or default_objective(game))

    def _for_win(
        self,
        game: Game,
        position: Position,
        scores: tuple[int, ...],
        seat: int,
        progress: Progress | None,
    ) -> Advice:
        table, policy = self._table(game, "win", len(scores)) or (None, None)
        race = race_of(game)
        if table is not None:
            source = self._from_table(game, table)
            most = (source.values.reach - 1) * race.step
        else:
            most = int(self._graph(game).points.max())
        at = checked_scores(race, len(scores), most, scores, seat)[0]
        if table is None:
            source = self._solve(game, len(scores), progress)
        where = {"scores": list(scores), "seat": seat}
        name = None if table is None else table.name
        if table is not None and policy is not None:
            exactness = AdviceExactness("bounded", source.error, table.entry.bust_error)
            answered = Answered("win", "win_probability", exactness, name, table.entry.graph, where)
            return assemble(
                game, position, from_policy(game, source, policy, at, seat - 1), answered
            )
        graph = self._graph(game)
        rounding = error_bound(graph)
        error = None if source.error is None else source.error + rounding
        exactness = AdviceExactness(source.exactness, error, rounding)
        answered = Answered("win", "win_probability", exactness, name, graph.digest, where)
        return assemble(game, position, from_match(game, graph, source, at, seat - 1), answered)

    def _from_table(self, game: Game, table: Table) -> MatchValues:
        key = game, table.entry.seats
        if key not in self._held:
            entry = table.entry
            self._held[key] = MatchValues(
                table.race_values(game), table.mixes(), entry.exactness, entry.error
            )
        return self._held[key]

    def _solve(self, game: Game, seats: int, progress: Progress | None) -> MatchValues:
        key = (game, seats)
        if key not in self._solved:
            match = solve_score_race(
                game,
                seats,
                self._graph(game),
                proof=seats <= _PROVEN_ON_THE_SPOT,
                progress=progress,
            )
            exactness = match.exactness
            self._solved[key] = MatchValues(
                match.values, match.mixes, exactness.kind, exactness.error
            )
        return self._solved[key]


def part_of(
    game: Game, told: dict[str, Any], objective: str | Mapping[Outcome, Number] | None = None
) -> tuple[Game, dict[str, Any]]:
    """Return the game that a position is about, and what is told of it.

    Most games are one; of Martians!!! it is a hunt or fights.
    """
    choose = getattr(game, "part_for", None)
    if choose is None:
        return game, told
    named = objective if isinstance(objective, str) else None
    return cast("tuple[Game, dict[str, Any]]", choose(told, named))


def _refuse_scores(game: Game, scores: Any, seat: Any) -> None:
    known = (*fields_of(game), *match_fields_of(game))
    for name, told in (("scores", scores), ("seat", seat)):
        if told is not None:
            raise UsageError(
                f"{game.name} is not told by --{name}: the advice is for the player on turn",
                remedy=f"it is told by {', '.join(f'--{f.name}' for f in known)}",
                field=name,
            )


def _check_fields(game: Game, told: Mapping[str, Any]) -> None:
    known = [f.name for f in (*fields_of(game), *match_fields_of(game))]
    for name in told:
        if name not in known:
            raise UsageError(
                f"positions of {game.name} are not told by {name!r}",
                remedy=f"fields: {', '.join(known)}",
                field=name,
            )


def _read_scores(scores: str | Sequence[int] | None) -> tuple[int, ...] | None:
    if scores is None:
        return None
    if not isinstance(scores, str):
        listed = scores if isinstance(scores, Iterable) else (scores,)
        scores = ",".join(str(score) for score in listed)
    found: list[int] = []
    at = 0
    for part in scores.split(","):
        text = part.strip()
        score = whole_number(text.removeprefix("-"))
        if score is None:
            raise NotationError(
                "--scores: a score is a whole number",
                text=scores,
                at=at + len(part) - len(part.lstrip()),
                remedy="every seat's points in playing order: 12,20",
                field="scores",
            )
        found.append(-score if text.startswith("-") else score)
        at += len(part) + 1
    return tuple(found)
