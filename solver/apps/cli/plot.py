"""``should-i-roll plot KIND GAME FILE``: pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.card import form_of
from solver.apps.cli.files import write_whole
from solver.apps.cli.options import (
    Bar,
    game_argument,
    json_option,
    read_settings,
    set_option,
    tables_option,
)
from solver.apps.cli.rules import frontier_as_dict
from solver.errors import UsageError
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 150
_LOST = {
    "points": "points a turn lost",
    "turns": "turns lost, alone to the goal",
    "survive": "chance to survive lost",
}
"""Unit of a frontier -> what its picture shows."""


@click.group()
def plot() -> None:
    """Draw a picture into a .svg, .png or .pdf file.

    \b
    Examples:
      should-i-roll plot stop-map martian-dice map.svg
      should-i-roll plot stop-map martian-dice map.svg --scores 12,20 --seat 1
      should-i-roll plot win martian-dice win.svg
      should-i-roll plot distribution martian-dice turns.svg --policies points,greedy,random
      should-i-roll plot frontier martian-dice frontier.svg --conditions 3

    With --json the file and the numbers that are drawn are printed as JSON.
    """


def _save(figure: Figure, file: str, drawn: Mapping[str, Any] | None) -> None:
    """Write a picture, and say so: in words, or as JSON with the numbers that are drawn."""
    from solver.plots.canvas import render  # noqa: PLC0415  --help needs no pictures

    write_whole(file, render(figure, form_of(file), dpi=_DPI))
    if drawn is None:
        click.echo(f"drawn: {file}")
        return
    from solver.apps.cli.show import print_json  # noqa: PLC0415  numbers

    print_json({"file": file} | dict(drawn))


@plot.command("stop-map")
@game_argument()
@click.argument("file")
@click.option("--scores", metavar="A,B", help="Every seat's points: then for the win.")
@click.option("--seat", type=int, metavar="K", help="The seat on turn, from 1.")
@click.option("--round", "number", type=int, metavar="N", help="The round, in Alien Crew.")
@tables_option("Directory of tables; else those within reach.")
@set_option()
@json_option()
def stop_map(
    game: str,
    file: str,
    scores: str | None,
    seat: int | None,
    number: int | None,
    directory: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Draw where to stop and where to roll.

    Martian Dice: by dice left and by tanks against rays. Alien Crew: by the crew.

    \b
    Example:
      should-i-roll plot stop-map martian-dice map.svg
      should-i-roll plot stop-map martian-dice map.svg --scores 12,20 --seat 1
    """
    from solver.plots.source import points_values, win_turn_values  # noqa: PLC0415
    from solver.plots.stop_map import draw_stop_map, stop_positions  # noqa: PLC0415
    from solver.tablebase import open_tables  # noqa: PLC0415

    form_of(file)
    rules = game_by_name(game, **read_settings(settings))
    if scores is None and (seat, number) == (None, None):
        graph, values, goal = points_values(rules)
    else:
        if scores is None or seat is None:
            raise UsageError(
                "for the win, --scores and --seat are both needed",
                remedy="--scores 12,20 --seat 1",
                field="scores" if scores is None else "seat",
            )
        with open_tables(directory) as tables, Bar("solving the match") as bar:
            graph, values, goal = win_turn_values(rules, scores, seat, number, tables, bar)
    drawn: dict[str, Any] | None = None
    if as_json:
        drawn = {"game": game, "goal": goal, "stops": stop_positions(rules, graph, values)}
    _save(draw_stop_map(rules, graph, values, goal), file, drawn)


@plot.command("win")
@game_argument()
@click.argument("file")
@click.option("--seat", type=click.IntRange(1, 2), default=1, help="The seat on turn.")
@click.option("--round", "number", type=int, metavar="N", help="The round, in Alien Crew.")
@tables_option("Directory of tables; else those within reach.")
@set_option()
@json_option()
def win(
    game: str,
    file: str,
    seat: int,
    number: int | None,
    directory: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Draw the chance to win of two seats over both scores.

    \b
    Example:
      should-i-roll plot win martian-dice win.svg --seat 2
    """
    from solver.plots.source import win_surface  # noqa: PLC0415  --help needs no pictures
    from solver.plots.surface import draw_surface  # noqa: PLC0415
    from solver.tablebase import open_tables  # noqa: PLC0415

    form_of(file)
    rules = game_by_name(game, **read_settings(settings))
    with open_tables(directory) as tables, Bar("solving the match") as bar:
        chances, title, subtitle = win_surface(rules, seat, number, tables, bar)
    shown: dict[str, Any] = {"game": game, "title": title, "subtitle": subtitle, "seat": seat}
    shown["win_probability"] = chances.tolist()
    _save(draw_surface(chances, title, subtitle), file, shown if as_json else None)


@plot.command("distribution")
@game_argument()
@click.argument("file")
@click.option(
    "--policies",
    default="points,greedy,random",
    metavar="A,B",
    help="Named policies, parted by commas, or one rules text with --policy.",
)
@click.option("--policy", "texts", multiple=True, metavar="TEXT", help="A rules text; repeatable.")
@click.option("--beginning", metavar="NAME", help="How the turn begins: trio, in Alien Crew.")
@set_option()
@json_option()
def distribution(
    game: str,
    file: str,
    policies: str,
    texts: tuple[str, ...],
    beginning: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Draw what a turn brings under several policies.

    \b
    Example:
      should-i-roll plot distribution martian-dice turns.svg --policies points,greedy,random
    """
    from solver.plots.distribution import draw_distributions  # noqa: PLC0415
    from solver.plots.source import turn_distributions  # noqa: PLC0415  --help needs no pictures

    form_of(file)
    rules = game_by_name(game, **read_settings(settings))
    names = [name.strip() for name in policies.split(",") if name.strip()]
    turns = turn_distributions(rules, [*names, *texts], beginning)
    title = f"{_title(rules)}: the points of a turn"
    begins = f", begun with {beginning}" if beginning else ""
    shown: dict[str, Any] = {"game": game, "title": title, "beginning": beginning}
    shown["distributions"] = {
        name: {str(points): chance for points, chance in turn.items()}
        for name, turn in turns.items()
    }
    figure = draw_distributions(turns, title, f"exact chances{begins}")
    _save(figure, file, shown if as_json else None)


@plot.command("frontier")
@game_argument()
@click.argument("file")
@click.option("--conditions", type=click.IntRange(1, 8), default=3, help="Most conditions.")
@click.option("--candidates", type=click.IntRange(1), metavar="N", help="Rules to try.")
@set_option()
@json_option()
def frontier(
    game: str,
    file: str,
    conditions: int,
    candidates: int | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Draw what short rules cost: conditions against value lost.

    \b
    Example:
      should-i-roll plot frontier martian-dice frontier.svg --conditions 3
    """
    from solver.plots.frontier import draw_frontier  # noqa: PLC0415  --help needs no pictures
    from solver.plots.source import frontier_points  # noqa: PLC0415
    from solver.policies.search import find_rules  # noqa: PLC0415

    form_of(file)
    rules = game_by_name(game, **read_settings(settings))
    with Bar("searching rules") as bar:
        found = find_rules(rules, conditions, candidates=candidates, progress=bar)
    subtitle = "the best rule found of each length, against best play"
    title = f"{_title(rules)}: what short rules cost"
    shown: dict[str, Any] = {"game": game, "title": title, **frontier_as_dict(found)}
    lost_in = _LOST.get(found.unit, f"{found.unit} lost")
    figure = draw_frontier(frontier_points(found), title, subtitle, lost_in=lost_in)
    _save(figure, file, shown if as_json else None)


def _title(rules: Any) -> str:
    return str(getattr(type(rules), "title", rules.name)).replace(
        "Alien Battleship, Captain, First Mate and Crew", "Alien Crew"
    )
