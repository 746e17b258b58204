"""The command ``should-i-roll`` and how it ends: 0, or an error's own exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from solver import __version__
from solver.apps.cli.advise import advise
from solver.apps.cli.board.command import board
from solver.apps.cli.card import card
from solver.apps.cli.evaluate import evaluate
from solver.apps.cli.export import export
from solver.apps.cli.games import games
from solver.apps.cli.match import match
from solver.apps.cli.mcp import mcp
from solver.apps.cli.own import describe, fault_of, take
from solver.apps.cli.play import play
from solver.apps.cli.plot import plot
from solver.apps.cli.review import review
from solver.apps.cli.rules import rules
from solver.apps.cli.serve import serve
from solver.apps.cli.site import site
from solver.apps.cli.solve import solve
from solver.apps.cli.tables import tables
from solver.apps.cli.tournament import tournament
from solver.apps.cli.what_if import what_if
from solver.errors import ShouldIRollError

INTERRUPTED = 130


@click.group(
    invoke_without_command=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 2 bad input, 3 a game's rules are broken, 4 too large,"
    " 5 a table is missing, stale or damaged, 6 no proof, 130 interrupted.",
)
@click.version_option(__version__, prog_name="should-i-roll")
@click.option(
    "files",
    "--game",
    multiple=True,
    metavar="FILE",
    help="A game of your own: run this Python file, and know its game by name.",
)
@click.pass_context
def cli(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Should I roll? Push-your-luck dice games, solved.

    \b
    Examples:
      should-i-roll advise martian-dice --aside "T2 R3 H4" --roll "R2 C1 K1"
      should-i-roll --game my_game.py
      should-i-roll --game my_game.py advise my-game
    """
    taken = {file: take(file) for file in files}
    if ctx.invoked_subcommand is None:
        for file, (found, report) in taken.items():
            describe(file, found.game, report)


for command in (
    advise,
    solve,
    games,
    board,
    tables,
    serve,
    mcp,
    play,
    review,
    what_if,
    plot,
    card,
    export,
    site,
    evaluate,
    match,
    tournament,
    rules,
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    arguments
        The words after the command's name; by default those of the process.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        result = cli.main(
            args=None if arguments is None else list(arguments),
            prog_name="should-i-roll",
            standalone_mode=False,
        )
    except ShouldIRollError as error:
        click.echo(f"error: {error}", err=True)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing was changed", err=True)
        return INTERRUPTED
    except SystemExit as end:  # click ends so when the reader of a pipe has gone
        return 0 if end.code == 1 else int(end.code or 0)
    except OSError as error:
        click.echo(f"error: the answer could not be written: {error.strerror}", err=True)
        return 1
    except Exception as error:
        fault = fault_of(error)
        if fault is None:
            raise
        click.echo(f"error: {fault}", err=True)
        return fault.exit_code
    return result if isinstance(result, int) else 0
