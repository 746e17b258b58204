"""``should-i-roll tournament GAME``: a round robin of policies, computed, or games played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import (
    Bar,
    game_argument,
    json_option,
    read_settings,
    set_option,
    workers_option,
)
from solver.apps.cli.show import columns, print_json, rules_line
from solver.errors import UsageError
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.policies.arena.tournament import Tournament


@click.command(short_help="Every policy against every other: computed, or played.")
@game_argument()
@click.option(
    "--policies", required=True, metavar="LIST", help="Two policies or more, commas between."
)
@click.option("--exploit", is_flag=True, help="Add a best response to every policy.")
@click.option(
    "--games",
    type=click.IntRange(min=1, max=1_000_000),
    metavar="N",
    help="Play N complete games of Martians!!! with bots: planner, greedy, random.",
)
@click.option("--seed", type=int, metavar="N", help="Of the games' dice; by default 1.")
@workers_option()
@set_option()
@json_option()
def tournament(
    game: str,
    policies: str,
    exploit: bool,
    games: int | None,
    seed: int | None,
    workers: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compute a round robin of two seats: every policy against every other, in both seatings.

    \b
    Examples:
      should-i-roll tournament martian-dice --policies optimal,points,capped,greedy
      should-i-roll tournament martian-dice --policies points,greedy --exploit
      should-i-roll tournament martians --policies optimal,turns,greedy --set goal=10
      should-i-roll tournament martians --policies planner,greedy --games 200 --seed 1
    """
    if games is not None:
        _play_games(game, policies, games, 1 if seed is None else seed, settings, as_json=as_json)
        return
    if seed is not None:
        raise UsageError(
            "--seed is for games that are played; these are computed",
            remedy="--games 200 --seed 1, of martians",
            field="seed",
        )
    from solver.policies.arena.matches import Arena  # noqa: PLC0415  --help needs no numbers
    from solver.policies.arena.tournament import run_tournament  # noqa: PLC0415

    rules = game_by_name(game, **read_settings(settings))
    with Bar(f"tournament of {game}") as bar:
        arena = Arena(rules, workers=workers)
        found = run_tournament(arena, policies.split(","), exploit=exploit, progress=bar)
    if as_json:
        print_json(_as_dict(found))
    else:
        _print(found)


def _play_games(
    game: str, policies: str, games: int, seed: int, settings: tuple[str, ...], *, as_json: bool
) -> None:
    """Play complete games of Martians!!!; other games are computed."""
    if game != "martians":
        raise UsageError(
            f"matches of {game} are computed, none is played",
            remedy="leave --games out; it is for the complete game of martians",
            field="games",
        )
    from solver.apps.cli.board.tournament import tournament_board  # noqa: PLC0415
    from solver.apps.players.planner import PLAYERS  # noqa: PLC0415

    tournament_board(
        policies,
        games=games,
        seed=seed,
        settings=read_settings(settings),
        as_json=as_json,
        bots=PLAYERS,
    )


def _as_dict(found: Tournament) -> dict[str, Any]:
    exploited = found.exploited
    return {
        "game": found.game,
        "rules": dict(found.rules),
        "objective": "win",
        "seats": 2,
        "policies": list(found.policies),
        "first_wins": found.first_wins.tolist(),
        "second_wins": found.second_wins.tolist(),
        "mean": found.mean.tolist(),
        "score": found.score.tolist(),
        "nobody_wins": found.nobody.tolist(),
        "error": found.error,
        "best_wins": None if found.best_wins is None else found.best_wins.tolist(),
        "exploited": None if exploited is None else exploited.tolist(),
    }


def _print(found: Tournament) -> None:
    click.echo(f"{found.game}: chance that the row wins, in percent")
    labels = [chr(ord("a") + i) if i < 26 else str(i) for i in range(len(found.policies))]
    matrices = [
        ("moving first", found.first_wins),
        ("moving second", found.second_wins),
        ("seats drawn by lot", found.mean),
    ]
    if found.nobody.any():
        matrices.append(("nobody ever wins, the row moving first", found.nobody))
    for title, matrix in matrices:
        rows = [["", *labels, ""]]
        for label, name, row in zip(labels, found.policies, matrix.tolist(), strict=True):
            rows.append([label, *(f"{100 * chance:.3f}" for chance in row), name])
        click.echo(f"  {title}")
        for line in columns(rows, right=tuple(range(1, len(labels) + 1))):
            click.echo(f"    {line}")
    click.echo("  against one of the others, drawn by lot")
    rows = [["", "wins", "", ""]]
    exploited = found.exploited
    order = sorted(range(len(labels)), key=lambda i: -found.score[i])
    for i in order:
        lost = (
            ""
            if exploited is None
            else f"best response wins {100 * abs(exploited[i]):.3f} above half"
        )
        rows.append([labels[i], f"{100 * found.score[i]:.3f}", lost, found.policies[i]])
    for line in columns(rows, right=(1,)):
        click.echo(f"    {line}")
    if found.error is not None:
        click.echo(f"  error     at most {found.error:.1e}")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
