"""``should-i-roll serve``: advice over HTTP."""

from __future__ import annotations

from importlib.util import find_spec

import click

from solver.apps.cli.options import tables_option
from solver.errors import NotationError, UsageError
from solver.games.files import loaded
from solver.games.registry import game_class, known_games

_NEEDED = ("fastapi", "uvicorn", "httptools", "prometheus_client")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", default=8377, show_default=True, type=click.IntRange(0, 65535), help="0 for any."
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Processes; limits are kept by each.",
)
@click.option(
    "--rate",
    default=100.0,
    show_default=True,
    type=click.FloatRange(0, 1e6),
    help="Questions a second that one client may ask for long; 0 for no limit.",
)
@click.option(
    "--burst",
    default=300.0,
    show_default=True,
    type=click.FloatRange(1, 1e6),
    help="Questions that one client may ask at once.",
)
@click.option(
    "--cors",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="An origin whose pages may ask, or `*`; may be repeated.",
)
@click.option(
    "--proxy",
    metavar="ADDRESS",
    help="A proxy in front: its X-Forwarded-For names the client.",
)
@click.option(
    "--solve",
    "matches",
    multiple=True,
    metavar="GAME:SEATS",
    help="Solve a match of rounds after the start, to advise in it; takes seconds and 200 MiB.",
)
@click.option("--log-positions", is_flag=True, help="Log what is asked, not only that it is.")
@click.option("--no-log", is_flag=True, help="Log no requests.")
@click.option("--openapi", is_flag=True, help="Print the OpenAPI document and end.")
@tables_option("Directory of tables; else those within reach.")
def serve(
    host: str,
    port: int,
    workers: int,
    rate: float,
    burst: float,
    origins: tuple[str, ...],
    proxy: str | None,
    matches: tuple[str, ...],
    log_positions: bool,
    no_log: bool,
    openapi: bool,
    directory: str | None,
) -> int:
    """Answer over HTTP, and serve the page.

    Answers come from tables, which are verified at the start and then held in memory. Listens on
    this machine alone unless --host says otherwise.

    \b
    Examples:
      should-i-roll serve
      should-i-roll serve --host 0.0.0.0 --port 80 --workers 2
      should-i-roll serve --proxy 127.0.0.1 --cors https://example.org
      curl 'http://127.0.0.1:8377/v1/games/martian-dice/advice?aside=T2+R3+H4'
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"serve takes {', '.join(missing)}", remedy='pip install "should-i-roll[serve]"'
        )
    from solver.apps.http.app import make_app  # noqa: PLC0415  --help needs no server
    from solver.apps.http.server import run  # noqa: PLC0415
    from solver.apps.http.settings import Settings  # noqa: PLC0415

    settings = Settings(
        tables=directory,
        rate=rate,
        burst=burst,
        origins=origins,
        log_requests=not no_log,
        log_positions=log_positions,
        solve=tuple(_match(text) for text in matches),
        games=tuple(str(file.path) for file in loaded()),
    )
    if openapi:
        from solver.apps.cli.show import print_json  # noqa: PLC0415

        print_json(make_app(settings).openapi())
        return 0
    return run(settings, host, port, workers=workers, proxy=proxy)


def _match(text: str) -> tuple[str, int]:
    """Return the match that ``GAME:SEATS`` names."""
    name, colon, seats = text.partition(":")
    if not colon or seats not in ("2", "3", "4"):
        raise NotationError(
            "--solve takes GAME:SEATS",
            text=text,
            at=len(name) + len(colon),
            remedy="--solve alien-crew:2",
            field="solve",
        )
    if not hasattr(game_class(name), "rounds_match"):
        rounds = [known for known in known_games() if hasattr(game_class(known), "rounds_match")]
        raise UsageError(
            f"{name} has no match of rounds",
            remedy=f"games of rounds: {', '.join(rounds)}; races are tables: should-i-roll tables"
            " build",
            field="solve",
        )
    return name, int(seats)
