"""Strategy cards: one page to play from, with what following it costs printed on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError
from solver.games.alien_crew import AlienCrew
from solver.games.martian_dice import MartianDice
from solver.games.martians.gauntlet import Gauntlet
from solver.games.martians.hunt import Hunt
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
        What the rule brings, and what best play does, in the unit: points a turn by beginning of
        the turn, turns to the goal, or chances to survive by number of fights.
    win
        The rule's chance to win against an opponent who plays the best, in each of two seats;
        None where there is no match.
    best_win
        The same for best play.
    unit
        ``"points"``, ``"turns"`` or ``"survive"``.
    """

    mean: dict[Any, float]
    best: dict[Any, float]
    win: tuple[float, float] | None
    best_win: tuple[float, float] | None
    unit: str = "points"


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
            "unit": cost.unit,
            cost.unit: {str(name): mean for name, mean in cost.mean.items()},
            f"best_{cost.unit}": {str(name): best for name, best in cost.best.items()},
            "win_probability": None if cost.win is None else list(cost.win),
            "best_win_probability": None if cost.best_win is None else list(cost.best_win),
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
    if isinstance(game, Gauntlet):
        from solver.plots.card_fight_rule import fight_rule  # noqa: PLC0415
        from solver.plots.card_fights import draw_fights_card, fights_cost  # noqa: PLC0415

        fights = fight_rule(game)
        cost = fights_cost(fights)
        return Card(draw_fights_card(fights, cost), fights, cost)
    if isinstance(game, Hunt):
        from solver.plots.card_fight_rule import hunt_rule  # noqa: PLC0415
        from solver.plots.card_hunt import draw_hunt_card, hunt_cost  # noqa: PLC0415

        hunt = hunt_rule(game)
        cost = hunt_cost(game, hunt, progress)
        return Card(draw_hunt_card(hunt, cost), hunt, cost)
    raise UsageError(
        f"there is no card for {game.name}",
        remedy="martian-dice, alien-crew, martians or martians-fights",
        field="game",
    )


def rules_note(game: Game, *but: str) -> str:
    """Return the rules that differ from the official ones, in a few words.

    Parameters
    ----------
    game
        The rules.
    but
        Parameters that are left out.
    """
    official = rules_of(type(game)())
    changed = [
        f"{name}={v}"
        for name, v in rules_of(game).items()
        if official[name] != v and name not in but
    ]
    return f"rules: {', '.join(changed) or 'as on the sheet'}"


def _pair(chances: tuple[float, ...]) -> tuple[float, float]:
    return chances[0], chances[1]
