"""``should-i-roll rules GAME``: short rules for people, and what each costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import Bar, json_option, read_settings, set_option
from solver.apps.cli.show import columns, print_json, rules_line
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.policies.search import Frontier


@click.command()
@click.argument("game")
@click.option(
    "--conditions", type=int, default=3, metavar="N", help="The most conditions a rule may have."
)
@click.option("--candidates", type=int, metavar="N", help="Rules to try; by default 10000.")
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

    A condition is a comparison or a limit. What is lost is computed exactly: points a turn against
    the best play for points, and the chance to win a match of two against the best play for the
    win, seats drawn by lot.

    \b
    Examples:
      should-i-roll rules martian-dice --conditions 3
      should-i-roll rules alien-crew --conditions 4 --candidates 50000
    """
    from solver.policies.search import find_rules  # noqa: PLC0415  --help needs no numbers
    from solver.policies.search.frontier import CANDIDATES  # noqa: PLC0415

    wanted = game_by_name(game, **read_settings(settings))
    with Bar(f"rules of {game}") as bar:
        found = find_rules(
            wanted,
            conditions,
            candidates=CANDIDATES if candidates is None else candidates,
            win=not no_win,
            progress=bar,
        )
    if as_json:
        print_json(_as_dict(found))
    else:
        _print(found)


def _as_dict(found: Frontier) -> dict[str, Any]:
    return {
        "game": found.game,
        "rules": dict(found.rules),
        "best": float(found.best),
        "candidates": found.candidates,
        "error": found.error,
        "frontier": [
            {
                "conditions": rule.conditions,
                "rule": rule.text,
                "points": float(rule.points),
                "points_lost": float(rule.points_lost),
                "exact": str(rule.points),
                "win_probability_lost": rule.win_lost,
            }
            for rule in found.found
        ],
    }


def _print(found: Frontier) -> None:
    click.echo(
        f"{found.game}: short rules, the best of {found.candidates} tried;"
        f" the best play brings {float(found.best):.6f} points a turn"
    )
    rows = [["conditions", "points lost", "win lost", "rule"]]
    for rule in found.found:
        win = "" if rule.win_lost is None else f"{100 * rule.win_lost:.3f} %"
        rows.append([str(rule.conditions), f"{float(rule.points_lost):.6f}", win, rule.text])
    for line in columns(rows, right=(0, 1, 2)):
        click.echo(f"  {line}")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
