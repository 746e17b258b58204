"""Alone against a total: matches of rounds for one seat.

Two questions of the rule sheet's solitaire game. *Beat*: play so that the total after the last
round is above a given one with the greatest chance; what is best depends on the round, the score
and the stage. *Total*: the distribution of the total when every turn is played for points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from solver.errors import GameError, UsageError
from solver.games.protocol import Game, RoundsMatch, match_of
from solver.turn.exact import exact_distribution, solve_exact
from solver.turn.graph import TurnGraph


@dataclass(frozen=True, slots=True, eq=False)
class BeatValues:
    """The exact chance to end above a total, from every round, score and stage.

    Parameters
    ----------
    above
        The total to beat.
    ahead
        By round: by score, the chance at each stage before the turn. One more entry than
        rounds: the last is the end.
    outcomes
        (points, stage) of each outcome of a turn.
    """

    above: int
    ahead: Sequence[Sequence[Sequence[Fraction]]]
    outcomes: tuple[tuple[int, int], ...]

    def payoffs(self, number: int, score: int) -> list[Fraction]:
        """Return what each outcome of a turn is worth.

        Parameters
        ----------
        number
            The round, from 0.
        score
            Points before the turn.
        """
        after = self.ahead[number + 1]
        return [after[min(score + p, len(after) - 1)][s] for p, s in self.outcomes]


def limited_rounds(game: Game) -> int:
    """Return the number of rounds of a game's match.

    Raises
    ------
    GameError
        If the game has no match of rounds.
    UsageError
        If their number is unlimited.
    """
    match = match_of(game)
    if not isinstance(match, RoundsMatch):
        raise GameError(
            f"{game.name} has no match of rounds: there is no total to beat",
            remedy="play for points, or for the win with --scores",
        )
    if match.rounds is None:
        raise UsageError(
            "a total is beaten in a given number of rounds, and end=target has no limit",
            remedy="--set end=first or --set end=rounds",
            field="objective",
        )
    return match.rounds


def solve_beat(game: Game, graph: TurnGraph, above: int) -> BeatValues:
    """Return the greatest chance to end above a total, from everywhere, in exact rationals.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    above
        The total to beat.

    Raises
    ------
    GameError, UsageError
        If the game's match has no given number of rounds.
    """
    rounds = limited_rounds(game)
    roots = list(graph.roots.values())
    top = above + 1  # more is as good
    end = [[Fraction(score > above)] * len(roots) for score in range(top + 1)]
    ahead: list[Sequence[Sequence[Fraction]]] = [end]
    for _ in range(rounds):
        known = BeatValues(above, [end, ahead[0]], graph.outcomes)
        turns = (solve_exact(graph, known.payoffs(0, score)) for score in range(top + 1))
        ahead.insert(0, [[turn.value(root) for root in roots] for turn in turns])
    return BeatValues(above, ahead, graph.outcomes)


def total_distribution(game: Game, graph: TurnGraph) -> dict[int, Fraction]:
    """Return the exact distribution of the total when every turn is played for points.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.

    Returns
    -------
    dict
        Total after the last round -> chance; the chances sum to exactly one.

    Raises
    ------
    GameError, UsageError
        If the game's match has no given number of rounds.
    """
    rounds = limited_rounds(game)
    best = solve_exact(graph, graph.points.tolist())
    turns = [exact_distribution(graph, best.chosen, root) for root in graph.roots.values()]
    now = {(0, 0): Fraction(1)}
    for _ in range(rounds):
        then: dict[tuple[int, int], Fraction] = {}
        for (score, stage), chance in now.items():
            for (points, after), p in zip(graph.outcomes, turns[stage], strict=True):
                if p:
                    key = score + points, after
                    then[key] = then.get(key, Fraction(0)) + chance * p
        now = then
    totals: dict[int, Fraction] = {}
    for (score, _), chance in now.items():
        totals[score] = totals.get(score, Fraction(0)) + chance
    return dict(sorted(totals.items()))
