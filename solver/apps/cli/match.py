"""``should-i-roll match GAME``: a match between policies, computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.evaluate import read_scores
from solver.apps.cli.options import Bar, json_option, read_settings, set_option, workers_option
from solver.apps.cli.show import columns, print_json, rules_line
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.policies.arena.matches import PolicyMatch


@click.command()
@click.argument("game")
@click.option(
    "--policies",
    required=True,
    metavar="LIST",
    help="A policy for each seat, with commas between; `best` is a best response to the others.",
)
@click.option("--scores", metavar="LIST", help="The chances from these scores, instead of zero.")
@click.option("--seat", type=int, default=1, metavar="N", help="The seat on turn there, from 1.")
@workers_option()
@set_option()
@json_option()
def match(
    game: str,
    policies: str,
    scores: str | None,
    seat: int,
    workers: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compute a match between policies: each seat's chance to win, and the rounds it takes.

    \b
    Examples:
      should-i-roll match martian-dice --policies optimal,points
      should-i-roll match martian-dice --policies best,points
      should-i-roll match martian-dice --policies "points,capped,stop at 4 points;
        take the largest group; take death-rays"
    """
    from solver.policies.arena.matches import Arena  # noqa: PLC0415  --help needs no numbers

    rules = game_by_name(game, **read_settings(settings))
    with Bar(f"playing {game}") as bar:
        arena = Arena(rules, workers=workers, progress=bar)
        found = arena.play([arena.read(text) for text in policies.split(",")])
    start = None if scores is None else found.chances(read_scores(scores), seat)
    if as_json:
        print_json(_as_dict(found, scores, seat, start))
        return
    _print(found, scores, seat, start)


def _as_dict(
    found: PolicyMatch, scores: str | None, seat: int, start: tuple[float, ...] | None
) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "game": found.game,
        "rules": dict(found.rules),
        "objective": "win",
        "seats": found.seats,
        "policies": list(found.policies),
        "exactness": {"kind": found.exactness.kind, "error": found.exactness.error},
        "win_probability": list(found.win_probability if start is None else start),
        "error": found.exactness.error,
        "gain": found.gain,
    }
    if start is None:
        answer["expected_rounds"] = found.expected_rounds
        answer["tie_probability"] = found.tie_probability
    else:
        answer["scores"] = list(read_scores(scores or ""))
        answer["seat"] = seat
    return answer


def _print(
    found: PolicyMatch, scores: str | None, seat: int, start: tuple[float, ...] | None
) -> None:
    where = "" if start is None else f", from the scores {scores} with seat {seat} on turn"
    click.echo(f"{found.game}: a match of {found.seats} seats{where}")
    chances = found.win_probability if start is None else start
    rows = [
        [f"seat {i}", name, f"{chance:.12f}"]
        for i, (name, chance) in enumerate(zip(found.policies, chances, strict=True), 1)
    ]
    for line in columns(rows, right=(2,)):
        click.echo(f"  {line}")
    error = found.exactness.error
    if error is None:
        click.echo("  error     no bound: no seat with a given policy scores in every turn")
    elif found.exactness.kind == "equilibrium":
        click.echo(f"  error     a seat that plays best could gain at most {error:.1e}")
    else:
        click.echo(f"  error     at most {error:.1e}")
    if found.gain is not None:
        click.echo(f"  gain      best wins {found.gain:.6e} more than optimal would in its seat")
    if start is None:
        click.echo(f"  rounds    {found.expected_rounds:.6f} on average")
        click.echo(f"  tie       {100 * found.tie_probability:.3f} %")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
