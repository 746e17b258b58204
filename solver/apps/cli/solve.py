"""``should-i-roll solve GAME``: a turn or a match, from the rules."""

from __future__ import annotations

import click

from solver.apps.cli.options import (
    Bar,
    json_option,
    read_settings,
    read_size,
    set_option,
    workers_option,
)
from solver.apps.cli.show import match_as_dict, print_json, print_match, print_turn, turn_as_dict
from solver.errors import UsageError
from solver.games.registry import game as game_by_name


@click.command()
@click.argument("game")
@click.option(
    "--objective",
    default="points",
    metavar="NAME",
    help="points, at-least:N, capped:N, or win (needs --seats).",
)
@click.option("--exact", is_flag=True, help="Exact rationals instead of float64 with a bound.")
@click.option("--seats", type=int, metavar="N", help="Number of seats, for the win.")
@workers_option()
@click.option("--max-memory", metavar="SIZE", help="Refuse what needs more: 500MiB, 4GiB.")
@click.option("--checkpoint", metavar="DIR", help="Keep finished layers; a killed run goes on.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, or local:N.")
@click.option("--no-proof", is_flag=True, help="Leave out the proof of the result.")
@set_option()
@json_option()
def solve(
    game: str,
    objective: str,
    exact: bool,
    seats: int | None,
    workers: int,
    max_memory: str | None,
    checkpoint: str | None,
    cluster: str | None,
    no_proof: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Solve one turn of GAME, or its match for the win.

    \b
    Examples:
      should-i-roll solve martian-dice --objective points --exact
      should-i-roll solve martian-dice --objective win --seats 2 --set end=round
      should-i-roll solve martian-dice --objective win --seats 4 --checkpoint /tmp/four
    """
    from solver.turn.cache import cached_turn  # noqa: PLC0415  --help needs no numbers

    rules = game_by_name(game, **read_settings(settings))
    if objective != "win":
        if seats is not None:
            raise UsageError(
                f"--seats is for the win; the objective is {objective}",
                remedy="--objective win, or leave --seats out",
                field="seats",
            )
        from solver.turn import solve_turn  # noqa: PLC0415  --help needs no numbers

        turn = solve_turn(rules, objective, exact=exact, graph=cached_turn(rules))
        if as_json:
            print_json(turn_as_dict(turn))
        else:
            print_turn(turn)
        return
    if exact:
        raise UsageError(
            "a match is not solved in exact rationals: they grow to tens of thousands of digits",
            remedy="leave --exact out: the chances carry a proven bound",
            field="exact",
        )
    from solver.match import solve_match  # noqa: PLC0415  --help needs no numbers

    with Bar(f"solving {game}") as bar:
        match = solve_match(
            rules,
            2 if seats is None else seats,
            graph=cached_turn(rules),
            workers=workers,
            max_memory=None if max_memory is None else read_size(max_memory),
            checkpoint=checkpoint,
            cluster=cluster,
            proof=not no_proof,
            progress=bar,
        )
    if as_json:
        print_json(match_as_dict(match))
    else:
        print_match(match)
