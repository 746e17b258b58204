"""Strategy cards: one page to play from, with what following it costs printed on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError
from solver.games.alien_crew import AlienCrew
from solver.games.martian_dice import MartianDice
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.policies.arena import Arena
from solver.policies.evaluate import evaluate_turn
from solver.policies.policy import Policy

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Cost:
    """What following a card costs, computed by playing exactly its rule.

    Parameters
    ----------
    mean, best
        Points a turn of the rule, and of best play; by beginning of the turn.
    win
        The rule's chance to win against an opponent who plays the best, in each of two seats.
    best_win
        The same for best play.
    """

    mean: dict[Any, float]
    best: dict[Any, float]
    win: tuple[float, float]
    best_win: tuple[float, float]


def cost_of(game: Game, rule: Policy, progress: Callable[[int, int], None] | None = None) -> Cost:
    """Return what a rule costs.

    Parameters
    ----------
    game, rule
        The rules, and the policy.
    progress
        Called from time to time while matches are solved.
    """
    arena = Arena(game, progress=progress)
    graph = arena.graph
    turns = {name: evaluate_turn(game, rule, beginning=name, graph=graph) for name in graph.roots}
    best = arena.read("optimal")
    return Cost(
        {name: float(turn.mean) for name, turn in turns.items()},
        {name: float(turn.best) for name, turn in turns.items()},
        (
            arena.play([rule, best]).win_probability[0],
            arena.play([best, rule]).win_probability[1],
        ),
        _pair(arena.play([best, best]).win_probability),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A strategy card.

    Parameters
    ----------
    figure
        The page, A5 across.
    rule
        What it states, as a policy.
    cost
        What following it costs.
    """

    figure: Figure
    rule: Policy
    cost: Cost

    def as_dict(self) -> dict[str, Any]:
        """Return what the card costs as plain values."""
        cost = self.cost
        return {
            "points": {str(name): mean for name, mean in cost.mean.items()},
            "best_points": {str(name): best for name, best in cost.best.items()},
            "win_probability": list(cost.win),
            "best_win_probability": list(cost.best_win),
        }


def make_card(game: Game, *, progress: Callable[[int, int], None] | None = None) -> Card:
    """Return the strategy card of a game.

    Parameters
    ----------
    game
        The rules.
    progress
        Called from time to time while matches are solved.

    Raises
    ------
    UsageError
        If there is no card for the game.
    """
    if isinstance(game, MartianDice):
        from solver.plots.card_martian import draw_martian_card  # noqa: PLC0415  its own layout
        from solver.plots.card_rule import card_rule  # noqa: PLC0415

        rule = card_rule(game)
        cost = cost_of(game, rule, progress)
        return Card(draw_martian_card(rule, cost), rule, cost)
    if isinstance(game, AlienCrew):
        from solver.plots.card_alien import alien_rule, draw_alien_card  # noqa: PLC0415

        words = alien_rule(game)
        cost = cost_of(game, words, progress)
        return Card(draw_alien_card(words, cost), words, cost)
    raise UsageError(
        f"there is no card for {game.name}",
        remedy="martian-dice or alien-crew",
        field="game",
    )


def rules_note(game: Game) -> str:
    """Return the rules that differ from the official ones, in a few words."""
    official = rules_of(type(game)())
    changed = [f"{name}={v}" for name, v in rules_of(game).items() if official[name] != v]
    return f"rules: {', '.join(changed) or 'as on the sheet'}"


def _pair(chances: tuple[float, ...]) -> tuple[float, float]:
    return chances[0], chances[1]
