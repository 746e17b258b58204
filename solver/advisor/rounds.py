"""A turn in a match of rounds: for the win against others, or alone against a total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.advisor.advice import Advice, AdviceExactness
from solver.advisor.assemble import EXACT, Answered, assemble
from solver.advisor.standing import checked_standing, read_number, read_stages
from solver.advisor.values import SolvedValues
from solver.advisor.win import from_ahead
from solver.errors import PositionError, UsageError
from solver.games.position import Position
from solver.games.protocol import Game, RoundsMatch
from solver.match.race import Progress
from solver.match.result import SolvedRounds
from solver.match.solo import BeatValues, limited_rounds, solve_beat
from solver.match.staged import solve_staged
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound
from solver.turn.solve import solve_turn


@dataclass(frozen=True, slots=True)
class RoundsAsked:
    """What was told of a match of rounds, as it was told.

    Parameters
    ----------
    scores
        Every seat's points.
    seat, round, beat
        The seat on turn, the round, the total to beat alone; numbers or their texts.
    stages
        Every seat's stage.
    """

    scores: tuple[int, ...] | None
    seat: Any
    stages: str | Sequence[Any] | None
    round: Any
    beat: Any


def answer_rounds(
    game: Game,
    graph: TurnGraph,
    match: RoundsMatch,
    position: Position,
    asked: RoundsAsked,
    solved: dict[Any, Any],
    progress: Progress | None = None,
) -> Advice:
    """Return the advice at a position in a match of rounds.

    Parameters
    ----------
    game, graph, match
        The rules, their compiled turn and the match.
    position
        What lies on the table.
    asked
        What was told of the match.
    solved
        Matches solved before; this one is added.
    progress
        Called from time to time while the match is solved.

    Raises
    ------
    UsageError, PositionError
        If something is missing, or the rules do not allow it.
    """
    if asked.beat is not None:
        return _against_a_total(game, graph, position, asked, solved)
    if asked.scores is None or asked.seat is None or asked.round is None:
        told = {"scores": asked.scores, "seat": asked.seat, "round": asked.round}
        missing = next(name for name, value in told.items() if value is None)
        raise UsageError(
            f"to play for the win, --{missing} is needed too",
            remedy="--scores 40,0 --stages trio,captain --round 7 --seat 1; alone, --beat 61"
            " --scores 40 --round 7",
            field=missing,
        )
    seats = len(asked.scores)
    if seats < 2:
        raise PositionError(
            "--scores lists one score: the win needs somebody to beat",
            remedy="every seat's points in playing order, or --beat a total alone",
            field="scores",
        )
    names = [str(name) for name in graph.roots]
    stages = read_stages(asked.stages, seats, names, asked.scores)
    number = read_number(asked.round, "round", "the round, from 1")
    seat = read_number(asked.seat, "seat", "the seat on turn, from 1")
    standing = checked_standing(match, graph, asked.scores, stages, number, seat)
    key = (game, seats)
    if key not in solved:
        solved[key] = solve_staged(game, match, seats, graph, progress=progress)
    found: SolvedRounds = solved[key]
    ahead = found.values.after(
        standing.number, standing.seat, standing.scores[None], standing.stages[None]
    )[0, :, :seats]
    rounding = error_bound(graph)
    error = None if found.error is None else found.error + rounding
    where = {
        "scores": list(asked.scores),
        "stages": [names[stage] for stage in stages],
        "round": number,
        "seat": seat,
    }
    exactness = AdviceExactness(found.exactness.kind, error, rounding)
    answered = Answered("win", "win_probability", exactness, None, graph.digest, where)
    return assemble(game, position, from_ahead(game, graph, ahead, standing.seat), answered)


def _against_a_total(
    game: Game,
    graph: TurnGraph,
    position: Position,
    asked: RoundsAsked,
    solved: dict[Any, Any],
) -> Advice:
    rounds = limited_rounds(game)
    above = read_number(asked.beat, "beat", "the total to beat")
    number = read_number(1 if asked.round is None else asked.round, "round", "the round, from 1")
    scores = (0,) if asked.scores is None else asked.scores
    if len(scores) != 1 or asked.seat not in (None, 1, "1"):
        raise UsageError(
            "--beat is for playing alone: one score, no other seats",
            remedy="--beat 61 --scores 40 --round 7",
            field="scores",
        )
    if not 0 <= above <= 10_000:
        raise UsageError(f"--beat {above}: a total is from 0 to 10000", field="beat")
    names = [str(name) for name in graph.roots]
    stages = read_stages(asked.stages, 1, names, scores)
    alone = RoundsMatch(rounds, None)  # alone the target ends nothing
    checked_standing(alone, graph, scores, stages, number, 1)
    key = (game, "beat", above)
    if key not in solved:
        solved[key] = solve_beat(game, graph, above)
    found: BeatValues = solved[key]
    payoffs = found.payoffs(number - 1, min(scores[0], above + 1))
    payoff: Mapping[Any, Any] = dict(zip(graph.outcomes, payoffs, strict=True))
    turn = solve_turn(game, payoff, exact=True, graph=graph)
    where = {"beat": above, "scores": list(scores), "round": number}
    answered = Answered(f"beat:{above}", "probability", EXACT, None, graph.digest, where)
    return assemble(game, position, SolvedValues(turn), answered)
