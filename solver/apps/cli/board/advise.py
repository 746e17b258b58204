"""``advise martians --board FILE``: a movement, a fight or the Martians' moves, from a position."""

from __future__ import annotations

from typing import Any

import click

from solver.apps.cli.files import read_text
from solver.apps.cli.options import Bar, read_settings
from solver.apps.cli.show import print_advice, print_json
from solver.errors import UsageError

_OWN = ("roll", "wanted", "landed")
_SHARED = ("rolled", "using", "opponent")
_EXAMPLES = """

\b
On the board:
  should-i-roll advise martians --board position.json
  should-i-roll advise martians --board position.json --roll 3 --for martians
  should-i-roll advise martians --board position.json --for reach:4,1
  should-i-roll advise martians --board position.json --rolled 2
"""


def with_board(command: click.Command) -> click.Command:
    """Return a command for advice on hunts that also takes a position on the board.

    Parameters
    ----------
    command
        The command ``advise martians``; it is changed.
    """
    inner: Any = command.callback

    def run(**told: Any) -> Any:
        board = told.pop("board")
        own = {name: told.pop(name) for name in _OWN}
        if board is not None:
            return _advise(board, own, told)
        for name, value in own.items():
            if value:
                option = "for" if name == "wanted" else name
                raise UsageError(
                    f"--{option} is about a position on the board",
                    remedy="--board position.json, the file of a position",
                    field=option,
                )
        return inner(**told)

    command.callback = run
    command.params += [
        click.Option(["--board"], metavar="FILE", help="The file of a position on the board."),
        click.Option(
            ["--roll"],
            metavar="N",
            help="With --board: what the die of the next step shows, for moves or for Martians.",
        ),
        click.Option(
            ["wanted", "--for"],
            metavar="NAME",
            help="With --board: turns (the default), martians, items, tokens, survive, reach:X,Y,"
            " win-now or win.",
        ),
        click.Option(
            ["--landed"],
            is_flag=True,
            help="With --board: the square was just entered, a crop circle there may be turned.",
        ),
    ]
    command.help = f"{command.help}{_EXAMPLES}"
    return command


def _advise(board: str, own: dict[str, Any], told: dict[str, Any]) -> None:
    from solver.advisor.board import advise_board  # noqa: PLC0415  --help needs no numbers

    settings, as_json = told.pop("settings"), told.pop("as_json")
    directory, objective = told.pop("directory"), told.pop("objective")
    shared = {name: told.pop(name) for name in _SHARED}
    for name, value in told.items():
        if value not in (None, False, ()):
            raise UsageError(
                f"--{name.replace('_', '-')} is told by the position on the board",
                remedy="leave it out, or leave --board out",
                field=name,
            )
    if own["wanted"] is not None and objective is not None:
        raise UsageError(
            "--for and --objective are the same", remedy="leave one out", field="objective"
        )
    with Bar("solving the race") as bar:
        advice = advise_board(
            read_text(board),
            own["wanted"] or objective,
            tables=directory,
            roll=own["roll"],
            landed=own["landed"],
            parameters=read_settings(settings),
            progress=bar,
            **shared,
        )
    if as_json:
        print_json(advice.as_dict())
    else:
        print_advice(advice)
