"""``should-i-roll board``: begin, look at, check and solve positions of Martians!!! on the board.

The board is imported by each command: the help of all others needs none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from solver.apps.cli.files import read_text, write_whole
from solver.apps.cli.options import json_option, read_settings, set_option
from solver.apps.cli.show import print_json
from solver.errors import UsageError


@click.group(short_help="Positions of Martians!!!: begin, draw, check, solve.")
def board() -> None:
    """Positions of Martians!!! on the board: begin, draw, check, solve.

    \b
    Examples:
      should-i-roll board new > position.json
      should-i-roll board draw position.json
      should-i-roll board draw position.json position.svg
      should-i-roll board check my-tiles.json
      should-i-roll board deadline position.json --emptied 0.5

    For advice see `advise martians --board FILE`, for a game `play martians`.
    """


@board.command()
@click.option("--players", default="red,blue", metavar="NAMES", help="1 to 6 names, with commas.")
@click.option("--cooperative", is_flag=True, help="The cooperative game.")
@click.option("--tiles", metavar="FILE", help="A tile set of your own.")
@json_option()
def new(players: str, cooperative: bool, tiles: str | None, as_json: bool) -> None:
    """Print the position in which a game begins.

    It is JSON, with and without --json.

    \b
    Example:
      should-i-roll board new --players Ann,Bob > position.json
    """
    from solver.apps.cli.board.positions import beginning  # noqa: PLC0415

    del as_json  # a position's file is JSON
    names = [name.strip() for name in players.split(",")]
    click.echo(beginning(names, cooperative, tiles), nl=False)


@board.command(short_help="Draw a position as text, or into a .svg file.")
@click.argument("file")
@click.argument("picture", required=False)
@json_option()
def draw(file: str, picture: str | None, as_json: bool) -> None:
    """Draw the position in FILE as text, or into the file PICTURE (.svg).

    \b
    Examples:
      should-i-roll board draw position.json
      should-i-roll board draw position.json position.svg
    """
    from solver.games.martians.board import read_position  # noqa: PLC0415
    from solver.games.martians.board.drawing import draw_svg, draw_text  # noqa: PLC0415

    position = read_position(read_text(file))
    if picture is None:
        text = draw_text(position).rstrip("\n")
        print_json({"text": text}) if as_json else click.echo(text)
        return
    if Path(picture).suffix.lower() != ".svg":
        raise UsageError(
            f"{picture} is no .svg file", remedy="a name that ends in .svg", field="picture"
        )
    write_whole(picture, draw_svg(position).encode())
    print_json({"picture": picture}) if as_json else click.echo(picture)


@board.command(short_help="Check files of positions, tile sets or card sets.")
@click.argument("files", nargs=-1, required=True)
@json_option()
def check(files: Sequence[str], as_json: bool) -> None:
    """Check FILES of positions, tile sets or card sets, and tell what each is.

    The first fault is told with its JSON pointer and what was expected; the exit code is 2 then.

    \b
    Examples:
      should-i-roll board check position.json
      should-i-roll board check my-tiles.json my-cards.json
    """
    from solver.apps.cli.board.positions import checked  # noqa: PLC0415

    found = {file: checked(read_text(file)) for file in files}
    if as_json:
        print_json(found)
        return
    for file, told in found.items():
        click.echo(f"{file}: {told}")


@board.command(short_help="Solve the race of one player on a small, known board.")
@click.argument("file")
@click.option(
    "--objective",
    default="turns",
    metavar="NAME",
    help="turns (fewest expected; the default) or within:N (the best chance within N turns).",
)
@set_option()
@json_option()
def race(file: str, objective: str, settings: Sequence[str], as_json: bool) -> None:
    """Solve the whole race of one player on the small, fully known board in FILE.

    How large it can be is told first; a board that is too large is refused before anything is
    solved. Rules: goal=either, ship or martians; martians=N that win; march=best or stay (whether
    Martians move in step 6); last-life=dies or plays; at-five=goes-back or stays.

    \b
    Examples:
      should-i-roll board race small.json --set goal=martians --set martians=3 --set march=stay
      should-i-roll board race small.json --set martians=3 --set march=stay --objective within:10
    """
    from solver.apps.cli.board.worlds import solve_world  # noqa: PLC0415

    solve_world(read_text(file), objective, read_settings(settings), as_json=as_json)


@board.command(short_help="Tell when the last Martian of the cooperative game is placed.")
@click.argument("file")
@click.option(
    "--emptied",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="The chance of each crop circle to be without a Martian at the end of a turn.",
)
@click.option(
    "--discarded",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The chance of each tile not to fit.",
)
@click.option(
    "--ship-after",
    type=click.IntRange(0, 400),
    help="Turns until the Mother Ship is revealed; by default it is not.",
)
@json_option()
def deadline(
    file: str, emptied: float, discarded: float, ship_after: int | None, as_json: bool
) -> None:
    """Tell when the last Martian is placed (the cooperative game is lost then), from FILE on.

    \b
    Example:
      should-i-roll board deadline position.json --emptied 0.5
    """
    from solver.apps.cli.board.worlds import tell_deadline  # noqa: PLC0415

    tell_deadline(read_text(file), emptied, discarded, ship_after, as_json=as_json)
