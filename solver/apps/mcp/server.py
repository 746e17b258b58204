"""The MCP server: four tools over standard input and output, with structured results."""

from __future__ import annotations

from typing import Annotated, Any

import anyio.to_thread
import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from solver import __version__
from solver.advisor import Advice
from solver.apps.answers.describe import description_of, summary_of
from solver.apps.answers.desk import Desk
from solver.apps.answers.held import HeldTables
from solver.apps.answers.lane import Lane
from solver.apps.answers.question import MOST_LETTERS, MOST_RECORD_LETTERS, all_forms
from solver.errors import ShouldIRollError, unknown

_INSTRUCTIONS = """Advice on push-your-luck dice games, from exact solutions: never guess a move.
Call list_games for the names of games and of the fields that tell a position, explain_rules for
how a game is read, advise for every legal option at a position, best first, review for what each
decision of a recorded game cost. Values are exact or carry a proven bound; a refusal says what is
wrong and what to do."""

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

Text = Annotated[str, Field(max_length=MOST_LETTERS)]
Value = Text | int | bool | list[Text | int]


class Assistant:
    """The tools.

    Parameters
    ----------
    desk
        What answers.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def advise(
        self,
        game: Annotated[str, Field(description="Name of the game, such as martian-dice.")],
        position: Annotated[
            dict[str, Value],
            Field(
                description="Fields of the position by name, as list_games tells them: for"
                ' martian-dice {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}.'
            ),
        ],
        scores: Annotated[
            list[int] | None,
            Field(description="Every seat's points in playing order: then advice is for the win."),
        ] = None,
        seat: Annotated[int | None, Field(description="The seat on turn, from 1.")] = None,
        objective: Annotated[
            str | None, Field(description="points, at-least:N, capped:N or win.")
        ] = None,
        rules: Annotated[
            dict[str, str | int] | None,
            Field(description="Changes to the rules, as explain_rules names them."),
        ] = None,
    ) -> dict[str, Any]:
        """Return every legal option at a position, best first, with value, loss and bust chance."""
        form = self._desk.forms.get(game)
        if form is None:
            raise ToolError(str(unknown("game", game[:80], self._desk.forms)))
        asked = {"scores": scores, "seat": seat, "objective": objective, "set": rules}
        twice = [name for name, value in asked.items() if value is not None and name in position]
        if twice:
            raise ToolError(f"{twice[0]} is told twice: in the position, and beside it")
        values = position | {name: value for name, value in asked.items() if value is not None}
        try:
            question = form.read(values)
            advice = await self._desk.advice(question, self._desk.way(question))
        except ShouldIRollError as error:
            raise ToolError(str(error)) from None
        return advice.as_dict()

    async def review(
        self,
        record: Annotated[
            str,
            Field(
                max_length=MOST_RECORD_LETTERS,
                description="The game in plain text, a line each: 'game: martian-dice', optional"
                " 'rules: NAME=VALUE, ...', 'seats: Ann, Bob'; then for every turn 'Ann:', its"
                " rolls as 'T2 R3 H4 C2 K2 -> humans, roll', and '= POINTS' at its end.",
            ),
        ],
    ) -> dict[str, Any]:
        """Return what every decision of a recorded game cost, luck and skill, the worst marked."""
        try:
            return await self._desk.review(record)
        except ShouldIRollError as error:
            raise ToolError(str(error)) from None

    def list_games(self) -> dict[str, Any]:
        """Return all games with the fields in which their positions are told."""
        return {"games": [summary_of(form.game) for form in self._desk.forms.values()]}

    def explain_rules(
        self, game: Annotated[str, Field(description="Name of the game.")]
    ) -> dict[str, Any]:
        """Return how a game's rules are read: parameters, readings, defaults, examples."""
        form = self._desk.forms.get(game)
        if form is None:
            raise ToolError(str(unknown("game", game[:80], self._desk.forms)))
        return description_of(form.game)


def make_server(desk: Desk) -> MCPServer[Any]:
    """Return the server.

    Parameters
    ----------
    desk
        What answers.
    """
    assistant = Assistant(desk)
    tools = [
        Tool.from_function(fn, annotations=_READS, structured_output=True)
        for fn in (
            assistant.advise,
            assistant.review,
            assistant.list_games,
            assistant.explain_rules,
        )
    ]
    tools[0].fn_metadata.output_schema = advice_schema()
    return MCPServer(
        "should-i-roll",
        title="Should I roll?",
        instructions=_INSTRUCTIONS,
        version=__version__,
        tools=tools,
        log_level="WARNING",
    )


def advice_schema() -> dict[str, Any]:
    """Return the JSON schema of an advice."""
    schema = msgspec.json.schema(Advice)
    return {**schema["$defs"]["Advice"], "$defs": schema["$defs"]}


async def serve(directory: str | None) -> None:
    """Serve one assistant over standard input and output, until it hangs up.

    Parameters
    ----------
    directory
        Directory of tables, None for those within reach.

    Raises
    ------
    TableError
        If a table is missing, damaged or stale.
    """
    tables = await anyio.to_thread.run_sync(HeldTables, directory)
    await make_server(Desk(tables, Lane(), all_forms())).run_stdio_async()
