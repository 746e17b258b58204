"""``should-i-roll mcp``: advice for assistants."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

import click

from solver.apps.cli.options import tables_option
from solver.errors import UsageError


@click.command(short_help="Serve an assistant over standard input and output.")
@tables_option("Directory of tables; else those within reach.")
def mcp(directory: str | None) -> None:
    """Serve an assistant over standard input and output (Model Context Protocol).

    The tools are advise, list_games and explain_rules. Nothing is solved but single turns;
    answers come from verified tables. An assistant starts this command itself:

    \b
    Examples:
      should-i-roll mcp
      {"mcpServers": {"should-i-roll": {"command": "should-i-roll", "args": ["mcp"]}}}
    """
    if find_spec("mcp") is None:
        raise UsageError("mcp takes the MCP SDK", remedy='pip install "should-i-roll[mcp]"')
    from solver.apps.mcp.server import serve  # noqa: PLC0415  --help needs no server

    asyncio.run(serve(directory))
