"""``should-i-roll export GAME FILE --to FORMAT``: turns and small matches for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.files import write_whole
from solver.apps.cli.options import game_argument, json_option, read_settings, set_option
from solver.apps.cli.show import print_json
from solver.errors import UsageError
from solver.games.protocol import Game, default_objective
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.export import Model

FORMATS = ("drn", "graphml", "node-link", "policy-csv", "policy-json")


@click.command(short_help="Write a turn, a match or best play for another program.")
@game_argument()
@click.argument("file")
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMATS),
    required=True,
    help="drn: Storm; graphml, node-link: networkx and others; policy-csv, policy-json: best play.",
)
@click.option(
    "--objective",
    metavar="NAME",
    help="Of a turn: points, at-least:N, ...; win: a match of two seats; turns: a race alone.",
)
@click.option("--beginning", metavar="NAME", help="How the turn begins: trio, in Alien Crew.")
@click.option(
    "--seat",
    type=click.IntRange(1, 2),
    help="For the win: the seat that decides, against the other's best play.",
)
@click.option("--decimals", is_flag=True, help="drn: chances as decimals, not fractions.")
@set_option()
@json_option()
def export(
    game: str,
    file: str,
    form: str,
    objective: str | None,
    beginning: str | None,
    seat: int | None,
    decimals: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write a turn, a small match of two or its best play for another program.

    Gymnasium and OpenSpiel take no file: see docs/how-to/export.md.

    \b
    Examples:
      should-i-roll export pig turn.drn --to drn
      should-i-roll export alien-crew trio.graphml --to graphml --beginning trio
      should-i-roll export piglet race.drn --to drn --objective win --seat 1
      should-i-roll export martians alone.drn --to drn --objective turns --set goal=5
      should-i-roll export alien-crew play.csv --to policy-csv --beginning trio
      should-i-roll export piglet play.json --to policy-json --objective win
    """
    rules = game_by_name(game, **read_settings(settings))
    wanted = _default(rules, form) if objective is None else objective
    if hasattr(rules, "game_for"):
        rules, wanted = rules.game_for(wanted)
    _check(wanted, form, beginning, seat, decimals=decimals)
    if form.startswith("policy"):
        content, told = _policy(rules, wanted, beginning, form)
    else:
        content, told = _process(rules, wanted, beginning, seat, form, fractions=not decimals)
    write_whole(file, content.encode())
    if as_json:
        about = {"game": rules.name, "rules": rules_of(rules), "objective": wanted}
        print_json({"file": file, "format": form, **about, **told})
        return
    counts = ", ".join(f"{n:,} {what}" for what, n in told["counted"].items())
    click.echo(f"written: {file} ({counts})")
    if "property" in told:
        click.echo(f"what to ask Storm: {told['property']}")


def _default(rules: Game, form: str) -> str:
    """Return what a game is played for, or points if that is no turn and no race alone."""
    own = default_objective(rules)
    alone = own == "turns" and not form.startswith("policy")
    return own if alone or own not in getattr(rules, "match_objectives", ()) else "points"


def _check(
    objective: str, form: str, beginning: str | None, seat: int | None, *, decimals: bool
) -> None:
    if decimals and form != "drn":
        raise UsageError(f"--decimals is for drn, not for {form}", field="decimals")
    if objective in ("win", "turns") and beginning is not None:
        raise UsageError(
            "--beginning is for a turn", remedy=f"leave it out for {objective}", field="beginning"
        )
    if seat is not None and (objective != "win" or form.startswith("policy")):
        raise UsageError(
            "--seat is for a match that is written as a process",
            remedy="--objective win --to drn, or leave --seat out",
            field="seat",
        )
    if objective == "turns" and form.startswith("policy"):
        raise UsageError(
            "best play of a race alone is not written as a table of turns",
            remedy="--to drn, --objective points or --objective win",
            field="objective",
        )
    if objective == "win" and form == "drn" and seat is None:
        raise UsageError(
            "a file for Storm has one player, and in a match both seats decide",
            remedy="--seat 1, or 2: then the other seat plays its best, as solved here",
            field="seat",
        )


def _process(
    rules: Game,
    objective: str,
    beginning: str | None,
    seat: int | None,
    form: str,
    *,
    fractions: bool,
) -> tuple[str, dict[str, Any]]:
    from solver.export import drn_property, drn_text, graphml_text, node_link_text  # noqa: PLC0415

    model = _model(rules, objective, beginning, seat)
    told: dict[str, Any] = {"counted": model.counted(), "unit": model.unit}
    if form == "graphml":
        return graphml_text(model), told
    if form == "node-link":
        return node_link_text(model), told
    told["property"] = drn_property(model)
    return "\n".join([*drn_text(model, fractions=fractions), ""]), told


def _model(rules: Game, objective: str, beginning: str | None, seat: int | None) -> Model:
    from solver.export import alone_model, match_model, turn_model  # noqa: PLC0415

    if objective == "win":
        return match_model(rules, seat=seat)
    if objective == "turns":
        return alone_model(rules)
    return turn_model(rules, objective, beginning=beginning)


def _policy(
    rules: Game, objective: str, beginning: str | None, form: str
) -> tuple[str, dict[str, Any]]:
    from solver.export import (  # noqa: PLC0415  --help needs no numbers
        csv_text,
        json_text,
        match_policy,
        policy_rows,
        turn_policy,
    )

    play: Any = (
        match_policy(rules)
        if objective == "win"
        else turn_policy(rules, objective, beginning=beginning)
    )
    columns, rows = policy_rows(rules, play)
    told = {"counted": {"decisions": len(rows)}, "columns": list(columns)}
    if form == "policy-csv":
        return csv_text(columns, rows), told
    about = {"game": rules.name, "rules": rules_of(rules), "objective": objective}
    return json_text(columns, rows, **about), told
