"""``should-i-roll card GAME FILE``: one page to play from."""

from __future__ import annotations

import click

from solver.apps.cli.files import write_whole
from solver.apps.cli.options import Bar, game_argument, json_option, read_settings, set_option
from solver.errors import UsageError
from solver.games.registry import game as game_by_name


def form_of(file: str) -> str:
    """Return the kind of picture that a file's name asks for.

    Raises
    ------
    UsageError
        If it ends otherwise.
    """
    from solver.plots.canvas import FORMATS  # noqa: PLC0415  --help needs no pictures

    ending = file.rpartition(".")[2].lower()
    if ending not in FORMATS:
        raise UsageError(
            f"{file} does not end in a kind of picture",
            remedy=f"one of .{', .'.join(FORMATS)}",
            field="file",
        )
    return ending


@click.command(short_help="A strategy card of GAME: one printable A5 page.")
@game_argument()
@click.argument("file")
@set_option()
@json_option()
def card(game: str, file: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Draw a strategy card of GAME: one printable A5 page, as .pdf, .svg or .png.

    It states a rule that can be followed at the table, and what following it costs: computed by
    playing exactly that rule.

    \b
    Example:
      should-i-roll card martian-dice card.pdf
      should-i-roll card martians card.svg --set goal=20 --set income=steady
      should-i-roll card martians-fights card.pdf
    """
    from solver.plots.canvas import render  # noqa: PLC0415  --help needs no pictures
    from solver.plots.card import make_card  # noqa: PLC0415

    form = form_of(file)
    rules = game_by_name(game, **read_settings(settings))
    with Bar("playing the card") as bar:
        drawn = make_card(rules, progress=bar)
    write_whole(file, render(drawn.figure, form))
    if as_json:
        from solver.apps.cli.show import print_json  # noqa: PLC0415  numbers

        print_json({"game": game, "file": file} | drawn.as_dict())
        return
    cost = drawn.cost
    click.echo(f"{file}: a card for {game}")
    what = {"points": "points a turn from", "survive": "survives so many Martians:"}
    for name, mean in cost.mean.items():
        brings = what.get(cost.unit, "turns to the goal")
        begins = brings.removesuffix(" from") if name is None else f"{brings} {name}"
        click.echo(f"  {begins}: {mean:.6f}, best play {cost.best[name]:.6f}")
    for seat, (own, top) in enumerate(zip(cost.win or (), cost.best_win or (), strict=True), 1):
        chance = f"{100 * own:.3f} %, best play {100 * top:.3f} %"
        click.echo(f"  wins in seat {seat} against best play: {chance}")
