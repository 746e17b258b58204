"""``should-i-roll rules GAME``: short rules for people, and what each costs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import Bar, game_argument, json_option, read_settings, set_option
from solver.apps.cli.show import columns, print_json, rules_line
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.policies.search import Frontier


@click.command(short_help="Search for short rules that lose little.")
@game_argument()
@click.option(
    "--conditions", type=int, default=3, metavar="N", help="The most conditions a rule may have."
)
@click.option(
    "--candidates",
    type=int,
    metavar="N",
    help="Rules to try; by default 10000, in a race to a goal 3000.",
)
@click.option("--no-win", is_flag=True, help="Leave out what each rule loses in a match of two.")
@set_option()
@json_option()
def rules(
    game: str,
    conditions: int,
    candidates: int | None,
    no_win: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Search for short rules that lose little, one for each number of conditions.

    A condition is a comparison or a limit. What is lost is computed: points a turn against the best
    play for points (in a hunt turns to the goal, in fights the chance to survive), and the chance
    to win a match of two against the best play for the win, seats drawn by lot.

    \b
    Examples:
      should-i-roll rules martian-dice --conditions 3
      should-i-roll rules alien-crew --conditions 4 --candidates 50000
      should-i-roll rules martians --set goal=10 --set income=steady
      should-i-roll rules martians-fights --set fights=5
    """
    from solver.policies.search import find_rules  # noqa: PLC0415  --help needs no numbers

    wanted = game_by_name(game, **read_settings(settings))
    with Bar(f"rules of {game}") as bar:
        found = find_rules(
            wanted,
            conditions,
            candidates=candidates,
            win=not no_win,
            progress=bar,
        )
    if as_json:
        rules_of_game = {"game": found.game, "rules": dict(found.rules)}
        print_json(rules_of_game | frontier_as_dict(found))
    else:
        _print(found)


def frontier_as_dict(found: Frontier) -> dict[str, Any]:
    """Return a frontier as plain values; what rules bring and lose has the name of its unit."""
    unit = found.unit
    exact = isinstance(found.best, Fraction)
    return {
        "unit": unit,
        "best": float(found.best),
        "candidates": found.candidates,
        "error": found.error,
        "frontier": [
            {
                "conditions": rule.conditions,
                "rule": rule.text,
                unit: float(rule.value),
                f"{unit}_lost": float(rule.lost),
                "exact": str(rule.value) if exact else None,
                "win_probability_lost": rule.win_lost,
            }
            for rule in found.found
        ],
    }


_BRINGS = {
    "points": "brings {:.6f} points a turn",
    "turns": "takes {:.6f} turns to the goal, alone",
    "survive": "survives with chance {:.6f}",
}
"""Unit -> what the best play does."""
_LOST = {"points": "points lost", "turns": "turns lost", "survive": "survival lost"}


def _print(found: Frontier) -> None:
    brings = _BRINGS.get(found.unit, f"brings {{:.6f}} {found.unit}").format(float(found.best))
    click.echo(
        f"{found.game}: short rules, the best of {found.candidates} tried; the best play {brings}"
    )
    win = any(rule.win_lost is not None for rule in found.found)
    lost = _LOST.get(found.unit, f"{found.unit} lost")
    rows = [["conditions", lost, *(["win lost"] if win else []), "rule"]]
    for rule in found.found:
        chance = [] if rule.win_lost is None else [f"{100 * rule.win_lost:.3f} %"]
        rows.append([str(rule.conditions), f"{float(rule.lost):.6f}", *chance, rule.text])
    for line in columns(rows, right=range(len(rows[0]) - 1)):
        click.echo(f"  {line}")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
