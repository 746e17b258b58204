"""``should-i-roll games``: what can be asked about, and what can be changed."""

from __future__ import annotations

from typing import Any

import click

from solver.apps.cli.options import json_option, position_fields
from solver.apps.cli.own import named
from solver.apps.cli.show import columns, print_json
from solver.games.readings import describe
from solver.games.registry import game_class, known_games


@click.command()
@click.argument("name", required=False)
@json_option()
def games(name: str | None, as_json: bool) -> None:
    """List the games, or the parameters and readings of one.

    \b
    Examples:
      should-i-roll games
      should-i-roll games martian-dice
    """
    names = list(known_games()) if name is None else [named(name)]
    told = {known: _describe(known) for known in names}
    if as_json:
        print_json(told)
        return
    for known, about in told.items():
        click.echo(click.style(f"{known}: {about['title']}", bold=True))
        if name is None:
            continue
        click.echo("  positions:")
        rows = [[f"--{f}", text] for f, text in about["position"].items()]
        for line in columns(rows):
            click.echo(f"    {line}")
        click.echo("  rules (--set NAME=VALUE):")
        rows = [[key, text] for key, text in about["parameters"].items()]
        for line in columns(rows):
            click.echo(f"    {line}")


def _describe(name: str) -> dict[str, Any]:
    kind = game_class(name)
    return {
        "title": getattr(kind, "title", name),
        "position": {f.name: f'{f.help} ("{f.example}")' for f in position_fields(name)},
        "parameters": describe(kind),
    }
