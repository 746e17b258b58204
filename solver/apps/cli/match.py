"""``should-i-roll match GAME``: a match between policies, computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.evaluate import read_scores
from solver.apps.cli.options import (
    Bar,
    game_argument,
    json_option,
    read_settings,
    set_option,
    workers_option,
)
from solver.apps.cli.show import columns, print_json, rules_line
from solver.errors import NotationError, UsageError, unknown
from solver.games.protocol import starts_of
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.games.protocol import Game
    from solver.policies.arena.matches import PolicyMatch


@click.command(short_help="Compute a match between policies: each seat's chance to win.")
@game_argument()
@click.option(
    "--policies",
    required=True,
    metavar="LIST",
    help="A policy for each seat, with commas between; `best` is a best response to the others.",
)
@click.option("--scores", metavar="LIST", help="The chances from these scores, instead of zero.")
@click.option(
    "--standings",
    metavar="LIST",
    help='In a race to a goal, the chances from these standings: "5,2,3 7,3,1".',
)
@click.option("--seat", type=int, default=1, metavar="N", help="The seat on turn there, from 1.")
@workers_option()
@set_option()
@json_option()
def match(
    game: str,
    policies: str,
    scores: str | None,
    standings: str | None,
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
      should-i-roll match martians --policies optimal,turns --set goal=10
      should-i-roll match martians --policies turns,greedy --set goal=10 --standings "5,2,3 7,3,1"
    """
    from solver.policies.arena.matches import Arena  # noqa: PLC0415  --help needs no numbers

    rules = game_by_name(game, **read_settings(settings))
    with Bar(f"playing {game}") as bar:
        arena = Arena(rules, workers=workers, progress=bar)
        found = arena.play([arena.read(text) for text in policies.split(",")])
    start: _Start | None = None
    if standings is not None:
        if scores is not None:
            raise UsageError("--scores and --standings are two questions", field="standings")
        named = read_standings(rules, standings)
        start = _Start("standings", list(map(list, named)), standings, seat)
        start = replace(start, chances=found.chances_from(named, seat))
    elif scores is not None:
        told = read_scores(scores)
        start = _Start("scores", list(told), scores, seat, found.chances(told, seat))
    if as_json:
        print_json(_as_dict(found, start))
    else:
        _print(found, start)


@dataclass(frozen=True, slots=True)
class _Start:
    """Where the chances are asked for from, and what they are there."""

    field: str
    told: list[Any]
    text: str
    seat: int
    chances: tuple[float, ...] = ()


def read_standings(rules: Game, text: str) -> tuple[Any, ...]:
    """Return the standings of two seats in a race to a goal.

    Parameters
    ----------
    rules
        The game; one that cannot be told standings in words has them as Python literals.
    text
        As the game tells an opponent's, with blanks between: ``"5,2,3 7,3,1"``.

    Raises
    ------
    NotationError, PositionError
        If there are not two, or one cannot be read.
    """
    read: Any = getattr(rules, "read_opponent", None)
    parts = text.replace(";", " ").split()
    if len(parts) != 2:
        raise NotationError(
            "--standings takes one for each of two seats",
            text=text,
            at=0,
            remedy='--standings "5,2,3 7,3,1": seat 1, a blank, seat 2',
            field="standings",
        )
    if read is not None:
        return tuple(read(part) for part in parts)
    names = {"".join(str(name).split()): name for name in starts_of(rules)}
    for part in parts:
        if part not in names:
            raise unknown("standing", part, list(names)[:12], field="standings")
    return tuple(names[part] for part in parts)


def _as_dict(found: PolicyMatch, start: _Start | None) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "game": found.game,
        "rules": dict(found.rules),
        "objective": "win",
        "seats": found.seats,
        "policies": list(found.policies),
        "exactness": {"kind": found.exactness.kind, "error": found.exactness.error},
        "win_probability": list(found.win_probability if start is None else start.chances),
        "error": found.exactness.error,
        "gain": found.gain,
    }
    if start is None:
        answer["expected_rounds"] = found.expected_rounds
        answer["tie_probability"] = found.tie_probability
        answer["nobody_wins"] = found.neither
    else:
        answer["nobody_wins"] = _nobody(found, start)
        answer[start.field] = start.told
        answer["seat"] = start.seat
    return answer


def _nobody(found: PolicyMatch, start: _Start | None) -> float:
    """Return the chance that nobody ever wins: none but in races to a goal."""
    if start is None:
        return found.neither
    return max(0.0, 1.0 - sum(start.chances)) if start.field == "standings" else 0.0


def _print(found: PolicyMatch, start: _Start | None) -> None:
    where = ""
    if start is not None:
        where = f", from the {start.field} {start.text} with seat {start.seat} on turn"
    click.echo(f"{found.game}: a match of {found.seats} seats{where}")
    chances = found.win_probability if start is None else start.chances
    rows = [
        [f"seat {i}", name, f"{chance:.12f}"]
        for i, (name, chance) in enumerate(zip(found.policies, chances, strict=True), 1)
    ]
    for line in columns(rows, right=(2,)):
        click.echo(f"  {line}")
    nobody = _nobody(found, start)
    if nobody > (found.exactness.error or 0.0):
        click.echo(f"  nobody    {nobody:.12f}: both seats come to stop for ever")
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
        some = ", of matches that somebody wins" if found.neither else ""
        click.echo(f"  rounds    {found.expected_rounds:.6f} on average{some}")
        if found.race is not None or found.tie_probability:
            click.echo(f"  tie       {100 * found.tie_probability:.3f} %")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
