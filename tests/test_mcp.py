"""The assistant's tools: the same answers, with a schema, and refusals that a model can use."""

import asyncio
import json
import sys

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from recorded import martian_game

import solver
from solver.advisor.review import review_record
from solver.apps.answers.desk import Desk
from solver.apps.answers.held import HeldTables
from solver.apps.answers.lane import Lane
from solver.apps.answers.question import all_forms
from solver.apps.cli.main import cli
from solver.apps.mcp.server import advice_schema, make_server
from solver.games.registry import GAMES
from solver.tablebase import open_tables


@pytest.fixture(scope="module")
def desk():
    return Desk(HeldTables(), Lane(), all_forms())


@pytest.fixture(scope="module")
def call(desk):
    """Call a tool through the protocol, in this process."""

    def call(name, **arguments):
        async def ask():
            async with Client(make_server(desk)) as client:
                return await client.call_tool(name, arguments)

        return asyncio.run(ask())

    return call


@pytest.fixture(scope="module")
def advisor():
    with open_tables() as tables:
        yield solver.Advisor(tables)


def plain(advice):
    return json.loads(msgspec.json.encode(advice.as_dict()))


POSITION = {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"scores": [12, 20], "seat": 1},
        {"scores": [12, 20, 15], "seat": 2},
        {"objective": "at-least:7"},
    ],
)
def test_advice_is_that_of_python(call, advisor, more):
    result = call("advise", game="martian-dice", position=POSITION, **more)
    assert not result.is_error
    assert result.structured_content == plain(advisor("martian-dice", **POSITION, **more))
    assert json.loads(result.content[0].text) == result.structured_content


def test_advice_keeps_to_the_schema_that_the_tool_declares(call):
    result = call(
        "advise", game="alien-crew", position={"stage": "captain", "roll": "4 3 3", "throws": 2}
    )
    jsonschema.validate(result.structured_content, advice_schema())
    broken = {**result.structured_content, "options": [{"action": 3}]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, advice_schema())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "martian-dic", "position": {}}, "did you mean 'martian-dice'?"),
        ({"game": "martian-dice", "position": {"aside": "T2 X"}}, "  T2 X\n     ^\n"),
        ({"game": "martian-dice", "position": {"asid": "T2"}}, "did you mean 'aside'?"),
        ({"game": "martian-dice", "position": {"aside": "T9 R9"}}, "rule: "),
        (
            {"game": "martian-dice", "position": {"seat": 1}, "seat": 1, "scores": [1, 2]},
            "seat is told twice",
        ),
        (
            {"game": "martian-dice", "position": {}, "scores": [1, 2, 3, 4], "seat": 1},
            "should-i-roll advise martian-dice --scores 1,2,3,4",
        ),
        ({"game": "martian-dice", "position": {}, "rules": {"bonus": 5}}, "--set bonus=5"),
        ({"game": "martian-dice", "position": {"aside": ["T2"] * 3}}, "aside"),
        ({"game": "martian-dice"}, "position"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_to_do(call, arguments, says):
    result = call("advise", **arguments)
    assert result.is_error
    assert says in result.content[0].text
    assert "Traceback" not in result.content[0].text


def test_a_review_is_that_of_python(call):
    text = martian_game(1)[0]
    result = call("review", record=text)
    with open_tables() as tables:
        right = review_record(text, tables)
    assert not result.is_error
    assert result.structured_content == plain(right)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (
            "game: martian-dice\nseats: A\nA:\n  T2 R3 -> rays",
            "line 4: the roll shows 5 dice, and 13 are rolled",
        ),
        ("game: martian-dice\nseats: A\nA:\n  T2 R3 -> rays", "  T2 R3 -> rays\n    ^\nrule: "),
        ("game: alien-crew\nseats: A, B\n", "should-i-roll review FILE"),
    ],
)
def test_a_record_that_is_not_reviewed_is_told_where_and_why(call, record, says):
    result = call("review", record=record)
    assert result.is_error
    assert says in result.content[0].text


def test_all_games_are_listed_with_their_fields(call):
    games = call("list_games").structured_content["games"]
    assert [game["name"] for game in games] == list(GAMES)
    assert games[0]["position"]["aside"]["example"] == "T2 R3 H4"


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_are_explained(call, game):
    told = call("explain_rules", game=game).structured_content
    assert told["about"]
    assert set(told["rules"]) == set(told["parameters"])
    for parameter in told["parameters"].values():
        assert parameter["help"]
        assert "readings" not in parameter or parameter["default"] in parameter["readings"]


def test_a_game_that_is_not_there_cannot_be_explained(call):
    result = call("explain_rules", game="pigs")
    assert result.is_error
    assert "did you mean 'pig'?" in result.content[0].text


def test_the_tools_say_that_they_only_read(desk):
    async def ask():
        async with Client(make_server(desk)) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(ask())}
    assert set(tools) == {"advise", "review", "list_games", "explain_rules"}
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert all(tool.description and tool.output_schema for tool in tools.values())
    assert tools["advise"].output_schema == advice_schema()


def test_the_command_serves_an_assistant_over_standard_input_and_output():
    started = StdioServerParameters(command=sys.executable, args=["-m", "solver", "mcp"])

    async def ask():
        async with Client(stdio_client(started)) as client:
            asked = {"game": "martian-dice", "position": POSITION}
            return await client.call_tool("advise", asked)

    result = asyncio.run(asyncio.wait_for(ask(), 120))
    assert result.structured_content == plain(solver.advise("martian-dice", **POSITION))


def test_without_its_package_the_command_says_what_to_install(monkeypatch):
    command = sys.modules["solver.apps.cli.mcp"]
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    result = CliRunner().invoke(cli, ["mcp"])
    assert "should-i-roll[mcp]" in str(result.exception)


def test_damaged_tables_end_the_command_with_their_own_exit_code(tmp_path):
    from solver.apps.cli.main import run

    (tmp_path / "MANIFEST.json").write_text("{")
    assert run(["mcp", "--tables", str(tmp_path)]) == 5
