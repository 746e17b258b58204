"""Should I roll? From a position to an answer.

An answer comes from a table where there is one for exactly these rules, and is solved on the
spot where there is none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from solver.advisor.advice import Advice, AdviceExactness, Option
from solver.advisor.explain import reason
from solver.advisor.values import PolicyTable, SolvedValues, StateValues
from solver.errors import NotationError, PositionError, UsageError
from solver.games.position import Position, fields_of, read_position
from solver.games.protocol import Game, Outcome, points_of, race_of
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name
from solver.match.boundary import RaceValues
from solver.match.check_scores import checked_scores
from solver.match.race import Progress
from solver.match.solve import solve_match
from solver.tablebase.policy_rows import boundary_index
from solver.tablebase.read import Table, Tables, open_tables
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE, error_bound
from solver.turn.objective import Number, Unit
from solver.turn.solve import solve_turn


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
        self._solved: dict[tuple[Game, int], tuple[RaceValues, float]] = {}

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
        position = read_position(rules, told)
        points = _read_scores(scores)
        if objective is None:
            objective = "points" if points is None else "win"
        if objective != "win":
            if points is not None or seat is not None:
                raise UsageError(
                    f"--scores and --seat are for the win; the objective is {objective}",
                    remedy="leave them out, or leave --objective out",
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

    def _game(self, game: str | Game, parameters: Mapping[str, Any] | None) -> Game:
        if not isinstance(game, str):
            return game
        key = (game, tuple(sorted((k, str(v)) for k, v in (parameters or {}).items())))
        if key not in self._games:
            self._games[key] = game_by_name(game, **(parameters or {}))
        return self._games[key]

    def _graph(self, game: Game) -> TurnGraph:
        if game not in self._graphs:
            self._graphs[game] = compile_turn(game)
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

    def _for_turn(
        self, game: Game, position: Position, objective: str | Mapping[Outcome, Number]
    ) -> Advice:
        found = self._table(game, objective, 0) if isinstance(objective, str) else None
        table, policy = found or (None, None)
        if table is not None and policy is not None:

            def payoff(outcome: Outcome) -> tuple[float, Fraction]:
                worth = points_of(game, outcome)
                return float(worth), Fraction(worth)

            values: StateValues = policy.values(0, payoff)
            exactness = AdviceExactness("exact", 0.0, 0.0)
            return _advice(
                game, position, values, objective="points", unit="points", exactness=exactness,
                table=table.name, graph=table.entry.graph,
            )  # fmt: skip
        graph = self._graph(game)
        turn = solve_turn(game, objective, exact=True, graph=graph)
        return _advice(
            game, position, SolvedValues(turn), objective=turn.objective, unit=turn.unit,
            exactness=AdviceExactness("exact", 0.0, 0.0), table=None, graph=graph.digest,
        )  # fmt: skip

    def _for_win(
        self,
        game: Game,
        position: Position,
        scores: tuple[int, ...],
        seat: int,
        progress: Progress | None,
    ) -> Advice:
        race, seats = race_of(game), len(scores)
        table, policy = self._table(game, "win", seats) or (None, None)
        if table is not None:
            race_values, error = table.race_values(game), table.entry.error
        else:
            race_values, error = self._solve(game, seats, progress)
        most = race_values.reach - 1
        at = checked_scores(race, seats, most, scores, seat)
        chances = race_values.after(at, seat - 1)[0, :, seat - 1]
        where = {"scores": list(scores), "seat": seat}
        if table is not None and policy is not None:
            by_points = dict(zip(race_values.points.tolist(), chances.tolist(), strict=True))

            def payoff(outcome: Outcome) -> tuple[float, None]:
                return by_points[points_of(game, outcome)], None

            index = boundary_index(race_values, at[0], seat - 1)
            return _advice(
                game, position, policy.values(index, payoff), objective="win",
                unit="win_probability", where=where, table=table.name, graph=table.entry.graph,
                exactness=AdviceExactness("bounded", error, table.entry.bust_error),
            )  # fmt: skip
        graph = self._graph(game)
        turn = solve_turn(
            game,
            dict(zip(graph.outcomes, chances.tolist(), strict=True)),
            graph=graph,
            prefer_points=True,
        )
        bound = error_bound(graph)
        return _advice(
            game, position, SolvedValues(turn), objective="win", unit="win_probability",
            exactness=AdviceExactness("bounded", error + bound, bound), where=where,
            table=None if table is None else table.name, graph=graph.digest,
        )  # fmt: skip

    def _solve(self, game: Game, seats: int, progress: Progress | None) -> tuple[RaceValues, float]:
        key = (game, seats)
        if key not in self._solved:
            match = solve_match(game, seats, graph=self._graph(game), progress=progress)
            self._solved[key] = match.values, match.error
        return self._solved[key]


def _advice(
    game: Game,
    position: Position,
    values: StateValues,
    *,
    objective: str,
    unit: Unit,
    exactness: AdviceExactness,
    table: str | None,
    graph: str,
    where: Mapping[str, Any] | None = None,
) -> Advice:
    try:
        worth = {action: values.at(state) for action, state in position.options.items()}
    except (KeyError, PositionError):
        raise PositionError(
            f"no legal turn of {game.name} comes to this position: {dict(position.shown)}"
        ) from None
    best = max(w.value for w in worth.values())
    best_exact = max((w.exact for w in worth.values() if w.exact is not None), default=None)
    options: list[Option] = []
    for action, w in worth.items():
        if w.exact is not None and best_exact is not None:
            loss, is_best = float(best_exact - w.exact), w.exact == best_exact
        else:
            is_best = w.value >= best - TIE
            loss = 0.0 if is_best else best - w.value
        then = values.choice(position.options[action])
        options.append(
            Option(
                action,
                None if then is None else str(then),
                w.value,
                None if w.exact is None else str(w.exact),
                loss,
                w.bust,
                is_best,
            )
        )
    options.sort(key=lambda o: (not o.best, 0.0 if o.best else -o.value))
    return Advice(
        game=game.name,
        rules=rules_of(game),
        objective=objective,
        unit=unit,
        position={**position.shown, **(where or {})},
        exactness=exactness,
        table=table,
        graph=graph,
        options=tuple(options),
        note=position.note,
        why=reason(options, unit, position.note),
    )


def _check_fields(game: Game, told: Mapping[str, Any]) -> None:
    known = [f.name for f in fields_of(game)]
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
        return tuple(int(score) for score in scores)
    found: list[int] = []
    at = 0
    for part in scores.split(","):
        text = part.strip()
        sign = text.removeprefix("-")
        if not sign.isdigit() or len(text) > 9:
            raise NotationError(
                "--scores: a score is a whole number",
                text=scores,
                at=at + len(part) - len(part.lstrip()),
                remedy="every seat's points in playing order: 12,20",
                field="scores",
            )
        found.append(int(text))
        at += len(part) + 1
    return tuple(found)
