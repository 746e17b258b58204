"""``solve`` for score sheets: the most expected total, alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from solver.apps.cli.options import Bar
from solver.apps.cli.show import print_json, rules_line
from solver.errors import UsageError
from solver.games.protocol import Game


def is_sheet_objective(rules: Game, objective: str) -> bool:
    """Return whether an objective is the total of a score sheet rather than one of a turn."""
    return hasattr(rules, "score_sheet") and objective in ("total", "win")


def solve_sheets(
    rules: Game,
    objective: str,
    seats: int | None,
    *,
    exact: bool,
    workers: int,
    max_memory: int | None,
    refused: Mapping[str, str | None],
    as_json: bool,
) -> None:
    """Solve a score sheet and print the most expected total.

    Parameters
    ----------
    rules
        The game.
    objective
        ``total``; a sheet has nobody to win against.
    seats
        Number of seats: one, or none told.
    exact
        Whether to solve in exact rationals.
    workers, max_memory, as_json
        As for the command.
    refused
        Options that a sheet does not take -> what was told.

    Raises
    ------
    UsageError
        If something was told that a sheet does not take.
    TooLargeError
        If it takes too much memory, or too long in exact rationals.
    """
    if objective == "win" or seats not in (None, 1):
        raise UsageError(
            f"{rules.name} is played alone here: there is nobody to win against",
            remedy="--objective total, and leave --seats out",
            field="objective" if objective == "win" else "seats",
        )
    for option, told in refused.items():
        if told is not None:
            raise UsageError(
                f"--{option} is for score races: a score sheet takes seconds",
                remedy=f"leave --{option} out",
                field=option,
            )
    from solver.match.sheet import solve_sheet  # noqa: PLC0415  --help needs no numbers
    from solver.match.sheet.exact import solve_sheet_exact  # noqa: PLC0415
    from solver.turn.cache import cached_turn  # noqa: PLC0415

    graph = cached_turn(rules)
    if exact:
        solution = solve_sheet_exact(rules, graph=graph)
    else:
        with Bar(f"solving {rules.name}") as bar:
            solution = solve_sheet(
                rules, graph=graph, workers=workers, max_memory=max_memory, progress=bar
            )
    found: dict[str, Any] = {
        "game": rules.name,
        "rules": dict(solution.rules),
        "objective": "total",
        "unit": "points",
        "exactness": {"kind": solution.exactness.kind, "error": solution.exactness.error},
        "value": solution.total,
        "exact": None if solution.exact is None else str(solution.exact),
        "boxes": list(solution.sheet.rules.boxes),
        "standings": solution.standings,
        "tallies": len(solution.sheet.tallies),
        "graph": {
            "nodes": graph.nodes,
            "edges": graph.edges,
            "outcomes": len(graph.outcomes),
            "digest": graph.digest,
        },
    }
    if as_json:
        print_json(found)
    else:
        _print(found)


def _print(found: Mapping[str, Any]) -> None:
    boxes = len(found["boxes"])
    click.echo(f"{found['game']}: the most expected total of {boxes} turns, alone")
    click.echo(f"  total        {found['value']!r}")
    if found["exact"] is None:
        click.echo(f"  error        at most {found['exactness']['error']:.1e}")
    else:
        click.echo(f"  exactly      {found['exact']}")
    click.echo(
        f"  solved       {found['standings']:,} standings, a turn of {found['graph']['nodes']:,}"
        " nodes each"
    )
    click.echo(click.style(f"rules: {rules_line(found['rules'])}", dim=True))
