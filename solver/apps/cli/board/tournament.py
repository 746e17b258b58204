"""A tournament of bots in the complete game of Martians!!!, played and printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from solver.apps.cli.files import read_text
from solver.apps.cli.options import Bar
from solver.apps.cli.show import columns, print_json, rules_line
from solver.games.martians.board import read_tiles
from solver.games.martians.cards import read_cards
from solver.games.readings import make
from solver.referee.martians_game import Rules, Standings, makers, run_games
from solver.referee.martians_game.bots import Maker


def tournament_board(
    policies: str,
    *,
    games: int = 200,
    seed: int = 1,
    seats: int | None = None,
    settings: Mapping[str, str] | None = None,
    tiles: str | None = None,
    cards: str | None = None,
    as_json: bool = False,
    bots: Mapping[str, Maker] | None = None,
) -> None:
    """Play a tournament and print what came out.

    Parameters
    ----------
    policies
        Names of bots with commas between them.
    games, seed, seats
        As for :func:`.run_games`.
    settings
        Rules and readings by name.
    tiles, cards
        Files of a tile set and of a card set.
    as_json
        Whether JSON is printed.
    bots
        Bots that the referee does not have.

    Raises
    ------
    UsageError
        If a name is unknown or a number out of range.
    """
    with Bar("tournament of Martians!!!") as bar:
        found = run_games(
            makers(policies.split(","), bots),
            games=games,
            seed=seed,
            seats=seats,
            rules=make(Rules, settings or {}),
            tiles=None if tiles is None else read_tiles(read_text(tiles)),
            cards=None if cards is None else read_cards(read_text(cards)),
            progress=bar,
        )
    if as_json:
        print_json(standings_as_dict(found))
    else:
        _print(found)


def standings_as_dict(found: Standings) -> dict[str, Any]:
    """Return the result of a tournament as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(found)
    for score, told in zip(found.scores, plain["scores"], strict=True):
        told["share"] = score.share
    return {"game": "martians", "method": "games played", **plain}


def _print(found: Standings) -> None:
    click.echo(f"martians, the complete game: {found.games} games, {found.deals} deals,"
               f" seed {found.seed}")  # fmt: skip
    rows = [["", "wins", "percent", "95 % interval", "Martians at the end"]]
    for score in found.scores:
        interval = f"{100 * score.low:.1f} to {100 * score.high:.1f}"
        rows.append(
            [
                score.policy,
                f"{score.wins}/{score.games}",
                f"{100 * score.share:.1f}",
                interval,
                f"{score.martians:.2f}",
            ]
        )
    for line in columns(rows, right=(1, 2, 3, 4)):
        click.echo(f"  {line}")
    for pair in found.pairs:
        decided = "decided" if pair.decided else "not decided"
        click.echo(
            f"  {pair.one} against {pair.other}: {100 * pair.difference:+.1f} games in a hundred,"
            f" 95 % interval {100 * pair.low:+.1f} to {100 * pair.high:+.1f}, {decided}"
        )
    seats = ", ".join(map(str, found.seat_wins))
    click.echo(f"  wins by seat: {seats}; {found.turns:.1f} turns a game")
    endings = ", ".join(f"{name} {count}" for name, count in found.endings.items())
    click.echo(f"  endings: {endings}")
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))
