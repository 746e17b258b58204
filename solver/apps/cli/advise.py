"""``should-i-roll advise GAME``: what to do, why, and what each alternative costs."""

from __future__ import annotations

from typing import Any

import click

from solver.apps.cli.board.advise import with_board
from solver.apps.cli.options import (
    Bar,
    GameGroup,
    field_option,
    json_option,
    match_fields,
    position_fields,
    read_settings,
    set_option,
    tables_option,
)
from solver.apps.cli.show import print_advice, print_json
from solver.games.registry import game_class


def _command(game: str) -> click.Command:
    fields = position_fields(game)
    together = " ".join(f'--{f.name} "{f.example}"' for f in fields)
    examples = getattr(game_class(game), "position_examples", (together,))
    lines = "\n".join(f"  should-i-roll advise {game} {example}" for example in examples)

    @json_option()
    @tables_option("Directory of tables; else those within reach.")
    @set_option()
    @click.option(
        "--objective",
        metavar="NAME",
        help=_objectives(game),
    )
    @click.option("--seat", type=int, metavar="K", help="The seat on turn; seat 1 opens rounds.")
    @click.option("--scores", metavar="A,B", help="Every seat's points, in playing order.")
    def run(
        scores: str | None,
        seat: int | None,
        objective: str | None,
        settings: tuple[str, ...],
        directory: str | None,
        as_json: bool,
        **told: Any,
    ) -> None:
        from solver.advisor import advise as answer  # noqa: PLC0415  --help needs no numbers

        with Bar("solving the match") as bar:
            advice = answer(
                game,
                objective=objective,
                scores=scores,
                seat=seat,
                tables=directory,
                parameters=read_settings(settings),
                progress=bar,
                **told,
            )
        if as_json:
            print_json(advice.as_dict())
        else:
            print_advice(advice)

    for field in reversed((*fields, *match_fields(game))):
        run = field_option(field)(run)
    made = click.command(
        name=game,
        help=f"Advice on a position of {game}.\n\n\b\nExample:\n{lines}",
        short_help=f"Advice on a position of {game}.",
    )(run)
    return with_board(made) if game == "martians" else made


def _objectives(game: str) -> str:
    kind = game_class(game)
    own = [*getattr(kind, "objectives", ()), *getattr(kind, "match_objectives", ())]
    known = [*own, "points", "at-least:N", "capped:N", "win"]
    default = getattr(kind, "default_objective", "points")
    return f"{', '.join(known)}; by default win with --scores, else {default}."


advise = GameGroup(
    _command,
    name="advise",
    short_help="What to do at a position, why, and what else would cost.",
    help="What to do at a position, why, and what each alternative costs.\n\n\b\nExamples:\n"
    '  should-i-roll advise martian-dice --aside "T2 R3 H4" --roll "R2 C1 K1"\n'
    '  should-i-roll advise martian-dice --aside "2 tanks, 3 death rays, 4 humans"\n'
    '  should-i-roll advise martian-dice --aside "T2 R3 H4" --scores 12,20 --seat 1',
)
