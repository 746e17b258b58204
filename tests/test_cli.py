"""The command line: what the contract says works, and bad input ends in one message."""

from __future__ import annotations

import dataclasses
import errno
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_boards import house_and_farm

import solver
from solver.apps.cli.main import cli, run
from solver.apps.cli.options import Bar
from solver.games import files, registry
from solver.games.martians.board import (
    start_position,
    synthetic_tiles,
    write_position,
    write_tiles,
)
from solver.games.martians.cards import synthetic_cards, write_cards
from solver.games.registry import GAMES
from solver.tablebase import build

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "tables"
EXIT_CODES = {0, 2, 3, 4, 5, 6, 130}
SMALL_RULES = {
    "martian-dice": {"dice": 3, "target": 4},
    "martians": {"goal": 2},
    "martians-fights": {"fights": 2},
    "pig": {"target": 8},
}
SMALL = {
    name: dataclasses.replace(recipe, shipped=True, parameters=SMALL_RULES.get(recipe.game, {}))
    for name, recipe in build.RECIPES.items()
    if recipe.seats <= 2 and recipe.game in SMALL_RULES
}
"""The tables of one and two seats, of games small enough to be solved in a blink."""


@pytest.fixture
def done(capsys):
    """Run a command line that must work; return what it prints."""

    def call(line):
        words = shlex.split(line) if isinstance(line, str) else list(line)
        capsys.readouterr()
        code = run(words)
        out, err = capsys.readouterr()
        assert (code, err) == (0, ""), words
        return out

    return call


@pytest.fixture
def refused(capsys):
    """Run a command line that must be refused; return its one message."""

    def call(line, code):
        words = shlex.split(line) if isinstance(line, str) else list(line)
        capsys.readouterr()
        assert run(words) == code
        out, err = capsys.readouterr()
        assert out == ""
        one_message(err)
        return err

    return call


def one_message(err):
    assert err.startswith(("error: ", "Usage: "))
    assert len(re.findall(r"^(?:error|Error|Usage): .", err, re.MULTILINE)) == (
        2 if err.startswith("Usage: ") and "Error: " in err else 1
    )
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 16 + len(GAMES)  # the usage of a group has a line a game


# --- the contract


ADVISE = {
    "which to take, for points": '--aside "T2 R3 H4" --roll "R2 C1 K1"',
    "roll or stop": '--aside "2 tanks, 3 death rays, 4 humans"',
    "for the win": '--aside "T2 R3 H4" --roll "R2 C1 K1" --scores 12,20 --seat 1',
    "other rules": '--aside "T2 R3 H4" --roll "R2 C1 K1" --set target=40 --set end=immediate'
    " --objective at-least:7",
}
OPTION_NAMES = ["action", "then", "value", "exact", "loss", "bust", "best"]


@pytest.mark.parametrize("question", ADVISE)
def test_advise_as_the_contract_has_it(done, question):
    line = f"advise martian-dice {ADVISE[question]}"
    answer = json.loads(done(f"{line} --json"))
    assert answer.keys() >= {
        "game",
        "rules",
        "objective",
        "position",
        "exactness",
        "table",
        "options",
    }
    assert answer["game"] == "martian-dice"
    assert answer["exactness"]["kind"] in ("exact", "bounded")
    assert (answer["exactness"]["error"] == 0) == (answer["exactness"]["kind"] == "exact")
    actions = [option["action"] for option in answer["options"]]
    assert set(actions) <= {"death-rays", "human", "cow", "chicken", "roll", "stop"}
    for option in answer["options"]:
        assert list(option)[: len(OPTION_NAMES)] == OPTION_NAMES
        assert option["best"] is (option["loss"] == 0)
    best = answer["options"][0]
    assert best["best"] is True
    assert best["value"] == max(option["value"] for option in answer["options"])
    text = done(line)
    shown = [line for line in text.splitlines() if line.startswith("  ") and " %" in line]
    assert len(shown) == len(actions)
    for option, row in zip(answer["options"], shown, strict=True):
        assert option["action"].replace("-", " ") in row
        assert ("best" in row or "as good" in row) == option["best"]
    assert str(answer["table"] or "on the spot") in text


def test_the_objective_follows_from_the_scores(done):
    for question, objective in (
        ("which to take, for points", "points"),
        ("roll or stop", "points"),
        ("for the win", "win"),
        ("other rules", "at-least:7"),
    ):
        line = f"advise martian-dice {ADVISE[question]} --json"
        assert json.loads(done(line))["objective"] == objective


def test_solve_a_turn_as_the_contract_has_it(done):
    line = "solve martian-dice --objective points --exact"
    answer = json.loads(done(f"{line} --json"))
    expected = solver.solve_turn(solver.game("martian-dice"), "points", exact=True)
    names = {"value", "exact", "distribution", "mean", "variance", "bust"}
    assert answer.keys() >= names
    assert Fraction(answer["exact"]) == expected.exact
    assert answer["value"] == answer["mean"] == float(expected.exact)
    assert answer["distribution"] == {str(x): p for x, p in expected.distribution.items()}
    assert answer["bust"] == answer["distribution"]["0"]
    chances = {int(x): p for x, p in answer["distribution"].items()}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    square = sum(p * x * x for x, p in chances.items())
    assert answer["variance"] == pytest.approx(square - answer["mean"] ** 2, abs=1e-9)
    assert sum(map(Fraction, answer["exact_distribution"].values())) == 1
    text = done(line)
    assert str(expected.exact) in text
    assert repr(expected.value) in text


def test_solve_a_turn_in_float64(done):
    answer = json.loads(done("solve martian-dice --json"))
    assert answer["exact"] is None
    assert answer["exactness"]["kind"] == "bounded"
    exact = solver.solve_turn(solver.game("martian-dice"), exact=True).exact
    assert abs(Fraction(answer["value"]) - exact) <= Fraction(answer["exactness"]["error"])


def test_solve_the_match_as_the_contract_has_it(done):
    """The race to 25 again, from the rules: the numbers of the committed table."""
    line = "solve martian-dice --objective win --seats 2 --set end=round --json"
    answer = json.loads(done(line))
    names = ("win_probability", "error", "expected_rounds", "tie_probability")
    assert answer.keys() >= set(names)
    with solver.open_tables(TABLES) as tables:
        numbers = tables["martian-dice-win-2"].entry.numbers
    for name in names:
        assert answer[name] == pytest.approx(numbers[name], abs=1e-12), name
    assert 0 < answer["error"] <= 1e-12
    assert sum(answer["win_probability"]) == pytest.approx(1, abs=1e-13)


def test_solve_a_small_match_for_reading(done):
    line = "solve martian-dice --objective win --seats 2 --set dice=1 --set target=1"
    text = done(line)
    assert re.search(r"seat 1 wins +0\.5000", text)
    assert re.search(r"rounds +1\.3333", text)
    assert re.search(r"tie +33\.3 %", text)
    assert json.loads(done(f"{line} --set end=immediate --json"))["win_probability"] == (
        pytest.approx([2 / 3, 1 / 3], abs=1e-13)
    )


def test_games_lists_every_game_and_what_can_be_changed(done):
    assert "martian-dice" in done("games")
    told = json.loads(done("games --json"))
    assert set(told) >= {"martian-dice", "pig"}
    about = done("games martian-dice")
    for name in ("dice", "faces", "target", "end", "tie", "bonus", "head", "duel-dice"):
        assert re.search(rf"^ +{name} ", about, re.MULTILINE), name
        assert name in told["martian-dice"]["parameters"]
    assert "round|immediate (default round)" in about
    assert set(told["martian-dice"]["position"]) == {"aside", "roll"}
    assert set(json.loads(done("games pig --json"))) == {"pig"}


def test_tables_list_tells_what_there_is(done):
    rows = json.loads(done(f"tables list --tables {TABLES} --json"))
    about = {row["name"]: row for row in rows}
    assert about["martian-dice-points"]["error"] == 0
    assert 0 < about["martian-dice-win-2"]["error"] <= 1e-12
    assert about["martian-dice-win-2"]["bytes"] > 10**6
    text = done("tables list")
    assert all(name in text for name in about)


def test_tables_build_and_verify(done, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "RECIPES", SMALL)
    one = tmp_path / "one"
    assert "built martian-dice-points" in done(f"tables build martian-dice-points --to {one}")
    (checked,) = json.loads(done(f"tables verify martian-dice-points --tables {one} --json"))
    assert (checked["name"], checked["error"]) == ("martian-dice-points", 0)
    assert checked["bytes"] > 1000
    assert checked["rolls_checked"] > 5
    all_ = tmp_path / "all"
    assert {row["name"] for row in json.loads(done(f"tables build --to {all_} --json"))} == (
        set(SMALL)
    )
    text = done(f"tables verify --tables {all_}")
    assert {line.partition(":")[0] for line in text.splitlines()} == set(SMALL)
    assert "exact" in text
    assert "error at most" in text


# --- help


def commands():
    """Every command and subcommand with its words."""

    def below(command, words):
        yield words, command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                yield from below(command.get_command(context, name), [*words, name])

    return list(below(cli, []))


def examples(command):
    found = []
    for line in (command.help or "").splitlines():
        if found and found[-1].count('"') % 2:
            found[-1] += f" {line.strip()}"  # a text that goes on in the next line
        elif line.strip().startswith("should-i-roll "):
            found.append(line.strip())
    return found


@pytest.mark.parametrize("words", [words for words, _ in commands()], ids=" ".join)
def test_help_has_an_example(done, words):
    for flag in ("--help", "-h") if not words or words[0] == "advise" else ("--help",):
        text = done([*words, flag])
        assert "Usage: should-i-roll" in text
        assert f"  {' '.join(['should-i-roll', *words])}" in text
        assert "Example" in text


EXAMPLES = sorted({line for _, command in commands() for line in examples(command)})


def for_two(line):
    """An example for more seats, which the compiled kernel alone can prove, for two."""
    return (
        line.replace("win-4", "win-2").replace("win-3", "win-2").replace("--seats 4", "--seats 2")
    )


UNTIL_STOPPED = {"serve", "mcp"}  # they run until stopped; their own tests start and stop them
SMALL_MATCH = {
    "martian-dice": ["--set", "dice=4", "--set", "target=3"],
    "alien-crew": ["--set", "rounds=2", "--set", "end=rounds"],
    "pig": ["--set", "target=8"],
    "martians": ["--set", "goal=3"],
}
FILES = {
    "game.txt": "game: martian-dice\nseats: Zax\n\nZax:\n  T2 R3 H4 C2 K2 -> humans\n",
    "my_policy.py": "def choose(position):\n    return position.actions[-1]\n",
    "my_game.py": """
from solver.games import Bank, Choose, Roll


class MyGame:
    name = "my-game"

    def start(self):
        return ("total", 1)

    def expand(self, state):
        kind, n = state
        if kind == "bank":
            return Bank(n)
        if kind == "total":
            return Choose({"stop": ("bank", n), "roll": ("roll", n)})
        return Roll([(1, ("bank", 0)), (5, ("total", n + 1) if n < 3 else ("bank", 4))])
""",
}


FILES["small.json"] = write_position(house_and_farm())
FILES["position.json"] = write_position(start_position(synthetic_tiles(), ["red", "blue"]))
FILES["my-tiles.json"] = write_tiles(synthetic_tiles())
FILES["my-cards.json"] = write_cards(synthetic_cards())

OWN_TESTS = {"--game", "--board"}
"""Words of commands about a file of the reader's; its own tests have one."""
SEARCHES = {"rules", "frontier", "distribution", "--policy", "--policies", "--vary", "yahtzee"} | {
    "card",
    "farkle",
    "hog",
    "zombie-dice",
}
"""Words of commands that take seconds even on small games; their own tests are quicker."""


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(e, marks=[pytest.mark.slow] if SEARCHES & set(e.split()) else [])
        for e in EXAMPLES
        if e.split()[1] not in UNTIL_STOPPED and not OWN_TESTS & set(e.split())
    ],
)
def test_every_example_of_the_help_works(done, tmp_path, monkeypatch, line):
    """Tables and matches are small ones here; the words are those of the help."""
    monkeypatch.setattr(build, "RECIPES", SMALL)
    monkeypatch.setattr(registry, "_own", {})  # a game of the user's own is forgotten again
    monkeypatch.setattr(files, "_loaded", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    for name, text in FILES.items():
        if "--record" not in line:  # a record is not written over
            Path(name).write_text(text, encoding="utf-8")
    line = line.partition(" > ")[0]
    words = shlex.split(for_two(line).replace("/tmp/", f"{tmp_path}/"))[1:]  # noqa: S108
    if "verify" in words:
        done(f"tables build martian-dice-points --to {tmp_path}")
        words += ["--tables", str(tmp_path)]
    matches = {"match", "tournament", "card"} & set(words[:1]) or {"win", "win-surface"} & set(
        words
    )
    game = next((name for name in SMALL_MATCH if name in words), None)
    if words[:2] == ["advise", "alien-crew"] and "--seat" in words:
        words += ["--set", "target=50"]  # nobody has it: the rest of a shorter match
    if words[:2] == ["solve", "martians"] and not any(w.startswith("goal=") for w in words):
        words += ["--set", "goal=5"]
    if matches and game and not any(word.startswith("goal=") for word in words):
        words += SMALL_MATCH[game]
    if "frontier" in words or words[0] == "rules":
        words += ["--candidates", "100", "--conditions", "1"]
    assert done(words)


@pytest.mark.parametrize("group", ["", "advise", "board", "plot", "solve", "tables", "what-if"])
def test_a_list_of_commands_is_not_cut_off_on_eighty_columns(group, done, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    listed = done([*group.split(), "--help"]).partition("Commands:")[2]
    assert listed
    assert "..." not in listed


def test_the_version_is_the_package_s(done):
    assert done("--version").strip().endswith(solver.__version__)


# --- bad input: exit code, one message, no traceback


TWO, OVER = 2, "the match is over"
M = "advise martian-dice"
BAD = [
    # dice
    (f'{M} --aside "T2 R3 H4" --roll "R2 C1 K2"', 2, ["shows 5 dice, but 4", "13 less the 9",
                                                      "On Your Turn, step 1"]),
    (f'{M} --aside "T2 R3 H4" --roll "R2 C1"', 2, ["shows 3 dice, but 4", "give all 4 dice"]),
    (f'{M} --roll "R2"', 2, ["shows 2 dice, but 13"]),
    (f'{M} --roll ""', 2, ["shows 0 dice, but 13"]),
    (f'{M} --aside "T2 R3 H9"', 2, ["14 dice are set aside", "only 13"]),
    (f'{M} --set dice=5 --aside "H6"', 2, ["6 dice are set aside", "only 5"]),
    (f"{M} --aside R13 --roll R1", 2, ["there is nothing to roll", "leave --roll out"]),
    (f'{M} --aside "T3"', 2, ["only tanks set aside and 10 dice left", "step 3",
                              "in --roll"]),
    (f'{M} --aside "T3" --roll "R10"', 2, ["only tanks set aside"]),
    (f'{M} --aside "R-2"', 2, ["a count cannot be negative", "T tank"]),
    (f'{M} --aside "-2 rays"', 2, ["a count cannot be negative"]),
    (f'{M} --aside "R1{"0" * 30}"', 2, [f"1{'0' * 30} dice are set aside", "only 13"]),
    (f'{M} --aside "1{"0" * 30} rays"', 2, [f"1{'0' * 30} dice are set aside"]),
    (f'{M} --roll "R1{"0" * 30}"', 2, [f"shows 1{'0' * 30} dice, but 13"]),
    (f'{M} --roll "R1{"0" * 3000}"', 2, ["no game has that many dice"]),
    (f'{M} --aside "2 3 rays"', 2, ["two counts in a row"]),
    (f'{M} --aside "R2 3"', 2, ["a count without a face"]),
    (f'{M} --aside "2 zebras"', 2, ["unknown face 'zebras'", "T tank, R death ray, H human"]),
    (f'{M} --set "faces=T1 R2 H3" --aside "K1"', 2, ["--aside shows K", "faces=T1 R2 H3"]),
    # scores and seats
    (f"{M} --scores 12 --seat 1", 2, []),
    (f"{M} --scores '' --seat 1", 2, ["--scores", "12,20"]),
    (f"{M} --scores 12, --seat 1", 2, ["--scores", "12,20"]),
    (f"{M} --scores 12,x --seat 1", 2, ["--scores: a score is a whole number"]),
    (f"{M} --scores 12,1.5 --seat 1", 2, ["--scores: a score is a whole number"]),
    (f"{M} --scores 12,1{'0' * 30} --seat 1", 2, ["--scores: a score is a whole number"]),
    (f"{M} --scores -1,20 --seat 1", 2, ["seat 1 has -1 points"]),
    (f"{M} --scores 3,-20 --seat 1", 2, ["seat 2 has -20 points"]),
    (f"{M} --scores 25,20 --seat 1", 2, ["seat 1 has not played yet", "the round is completed"]),
    (f"{M} --scores 20,25 --seat 1", 2, [OVER, "seat 2", "the round is completed"]),
    (f"{M} --scores 20,25 --seat 2", 2, [OVER, "seat 2", "the round is completed"]),
    (f"{M} --scores 41,20 --seat 2", 2, ["cannot have 41", "at most 24", "at most 16"]),
    (f"{M} --scores 3,1 --seat 2 --set end=immediate --set target=3 --set dice=2", 2,
     [OVER, "seat 1 has 3 of 3", "the first seat to reach the target has won"]),
    (f"{M} --scores 1,3 --seat 1 --set end=immediate --set target=3 --set dice=2", 2,
     [OVER, "seat 2 has 3 of 3"]),
    (f"{M} --scores 12,20 --seat 0", 2, ["--seat 0", "from 1 to 2"]),
    (f"{M} --scores 12,20 --seat 3", 2, ["--seat 3", "from 1 to 2"]),
    (f"{M} --scores 12,20 --seat -1", 2, ["--seat -1", "from 1 to 2"]),
    (f"{M} --scores 12,20 --seat x", 2, ["'--seat'", "'x'"]),
    (f"{M} --scores 12,20", 2, ["--seat is needed", "--scores 12,20 --seat 1"]),
    (f"{M} --seat 1", 2, ["--scores"]),
    (f"{M} --objective win", 2, ["--scores is needed"]),
    (f"{M} --objective win --seat 2", 2, ["--scores is needed"]),
    (f"{M} --objective points --scores 12,20 --seat 1", 2, ["for the win", "points"]),
    # names
    ("advise martain-dice", 2, ["unknown game 'martain-dice'", "did you mean 'martian-dice'?"]),
    ("solve pgi", 2, ["unknown game 'pgi'", "did you mean 'pig'?"]),
    ("games martian-dic", 2, ["unknown game", "did you mean 'martian-dice'?"]),
    ("advise chess", 2, ["unknown game 'chess'", "martian-dice"]),
    (f"{M} --objective pionts", 2, ["unknown objective", "did you mean 'points'?"]),
    (f"{M} --objective at-lest:7", 2, ["unknown objective", "did you mean 'at-least:N'?"]),
    (f"{M} --objective at-least:many", 2, ["at-least takes a whole number", "at-least:7"]),
    (f"{M} --objective capped:-1", 2, ["capped takes a whole number"]),
    (f"{M} --objective capped:1{'0' * 30}", 2, ["capped takes a whole number"]),
    ("solve martian-dice --objective wim", 2, ["unknown objective", "did you mean 'win'?"]),
    (f"{M} --asied R1", 2, ["No such option", "--aside"]),
    (f"{M} --total 3", 2, ["No such option"]),
    ("advise pig --aside R1", 2, ["No such option"]),
    (f"{M} R1", 2, ["unexpected extra argument"]),
    ("advse", 2, ["No such command", "advse"]),
    ("tables verfy", 2, ["No such command", "verfy"]),
    ("tables verify martian-dice-pionts", 2, ["did you mean 'martian-dice-points'?"]),
    ("tables build martian-dice-win2", 2, ["did you mean 'martian-dice-win-2'?"]),
    # rules
    (f"{M} --set targt=40", 2, ["unknown parameter 'targt'", "did you mean 'target'?"]),
    (f"{M} --set end=rond", 2, ["unknown reading of end 'rond'", "did you mean 'round'?"]),
    (f"{M} --set tie=draw", 2, ["unknown reading of tie 'draw'", "duel, shared"]),
    (f"{M} --set take=optional", 2, ["unknown reading of take", "forced"]),
    (f"{M} --set target", 2, ["NAME=VALUE", "--set target=40"]),
    (f"{M} --set target=", 2, ["NAME=VALUE", "--set target=40"]),
    (f"{M} --set =40", 2, ["NAME=VALUE", "--set target=40"]),
    (f"{M} --set target=40 --set target=41", 2, ["--set target is given twice"]),
    (f"{M} --set target=x", 2, ["target takes a whole number"]),
    (f"{M} --set target=0", 2, ["target=0 is out of range", "from 1"]),
    (f"{M} --set dice=1{'0' * 30}", 2, ["out of range", "from 1 to 60"]),
    (f"{M} --set dice=1{'0' * 6000}", 2, ["dice takes a whole number"]),
    (f"{M} --set dice=-3", 2, ["dice=-3 is out of range"]),
    (f"{M} --set faces=T0", 2, ["at least one face"]),
    (f"{M} --set faces=X1", 2, ["unknown letter 'X'", "T tank"]),
    (f"{M} --set faces=T1", 2, ["no duel could ever be decided", "use tie=shared"]),
    (f"{M} --set faces=R99999T1", 2, ["more than 10000"]),
    ("solve pig --set die=d1", 2, ["a 1 and with a face above 1"]),
    ("solve pig --set die=d0", 2, ["0 sides"]),
    ("solve pig --set die=6", 2, ["a 1"]),
    ("solve pig --set die=1:1,x", 2, ["not a face", "d6, or faces with weights"]),
    ("advise pig --total -1", 2, ["--total takes a whole number"]),
    # solve
    ("solve martian-dice --seats 2", 2, ["--seats is for the win", "--objective win"]),
    ("solve martian-dice --objective win --seats 1", 2, ["--seats 1"]),
    ("solve martian-dice --objective win --seats 0", 2, ["--seats 0"]),
    ("solve martian-dice --objective win --seats x", 2, ["'--seats'", "'x'"]),
    ("solve martian-dice --objective win --exact", 2, ["leave --exact out"]),
    ("solve pig --workers 0", 2, ["'--workers'"]),
    ("solve", 2, ["COMMAND", "Examples"]),
    # a die whose zero could be rolled for ever
    ("solve pig --set die=0:1,1:1,2:1 --set target=5", 3, ["the turn need not end"]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "hints"), BAD, ids=[b[0][:60] for b in BAD])
def test_bad_input_ends_in_one_message(refused, line, code, hints):
    err = refused(line, code)
    for hint in hints:
        assert hint in err


@pytest.mark.parametrize(
    "line",
    [
        f"{M} --tables /nowhere/at/all",
        f"{M} --scores 12,20 --seat 1 --tables /nowhere/at/all",
        "tables list --tables /nowhere/at/all",
        "tables verify --tables /nowhere/at/all",
    ],
)
def test_a_missing_folder_of_tables_says_how_to_build(refused, monkeypatch, line):
    err = refused(line, 5)
    assert "should-i-roll tables build --to /nowhere/at/all" in err
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", "/nowhere/at/all")
    err = refused(line.partition(" --tables")[0], 5)
    assert "SHOULD_I_ROLL_TABLES" in err
    assert "should-i-roll tables build --to /nowhere/at/all" in err


def test_json_does_not_change_how_bad_input_ends(refused):
    for line in (f"{M} --aside X2 --json", "games chess --json", f"{M} --tables /nowhere --json"):
        code = 5 if "/nowhere" in line else 2
        assert refused(line, code) == refused(line.removesuffix(" --json"), code)


@pytest.mark.parametrize(
    ("option", "text", "offender"),
    [
        ("--aside", "T2 X3 H4", "X"),
        ("--aside", "2 tanks, 3 zebras", "zebras"),
        ("--roll", "R2, C1; ?1", "?"),
        ("--roll", "R2 C1 K-1", "-"),
        ("--roll", "K1 R2 C2 7", "7"),
        ("--aside", "q", "q"),
        ("--scores", "12,  2o", "2o"),
        ("--set", "target", ""),
        ("--objective", "at-least:x", "x"),
    ],
)
def test_the_caret_stands_under_the_offender(refused, option, text, offender):
    words = ["advise", "martian-dice", option, text]
    if option == "--scores":
        words += ["--seat", "1"]
    lines = refused(words, 2).splitlines()
    at = lines.index(f"  {text}")
    assert lines[at + 1].strip() == "^"
    offset = lines[at + 1].index("^") - 2
    assert offset == (text.index(offender) if offender else len(text))


def test_an_unknown_letter_is_told_the_legend(refused):
    err = refused([*M.split(), "--aside", "T2 X3"], 2)
    assert "try: letters: T tank, R death ray, H human, C cow, K chicken" in err


@pytest.mark.parametrize("command", ["advise", "solve"])
def test_a_parameter_called_name_is_unknown(refused, command):
    assert "unknown parameter 'name'" in refused(f"{command} martian-dice --set name=x", 2)


@pytest.mark.parametrize(
    "line",
    [
        f"{M} --scores ²,3 --seat 1",
        f"{M} --objective at-least:²",
        "solve martian-dice --objective capped:²",
        "advise pig --total ²",
        "solve pig --set die=d²",
        "solve pig --set die=²:1",
    ],
)
def test_digits_that_are_no_numbers_are_refused(refused, line):
    """A superscript is a digit and no number."""
    refused(line, 2)


@pytest.mark.parametrize("scores", ["12", "0"])
def test_one_score_is_told_of_scores(refused, scores):
    err = refused(f"{M} --scores {scores} --seat 1", 2)
    assert "--scores" in err
    assert "--seats" not in err


def test_a_parameter_spelled_in_two_ways_is_given_twice(refused):
    err = refused("solve martian-dice --set dice=2 --set duel-dice=3 --set duel_dice=4", 2)
    assert "twice" in err


@pytest.mark.parametrize(
    "line",
    [
        'solve martian-dice --objective win --set "faces=T1 R1" --set dice=2 --set target=2',
        "solve martian-dice --objective win --set faces=T1 --set tie=shared --set dice=2",
    ],
)
def test_a_match_in_which_nobody_can_score_is_refused(capsys, line):
    assert run(shlex.split(line)) in (3, 6)
    one_message(capsys.readouterr().err)


def test_a_turn_without_any_choice_or_chance_is_solved(done):
    """Nothing but tanks: every turn scores nothing."""
    answer = json.loads(done("solve martian-dice --set faces=T1 --set tie=shared --json"))
    assert (answer["value"], answer["bust"]) == (0, 1)


# --- whatever is typed


TYPED = st.text(st.sampled_from("TRHCKtrhck0123456789 ,;:+-=.'\"_xyz~é☃\t\n"), max_size=12)
WORDS = st.sampled_from(
    ["points", "at-least:", "capped:", "win", "target=", "dice=3", "end=", "round", "tank", "rays",
     "and", "12,20", "1", "2", "T2", "R3", "--json", "--aside"]
)  # fmt: skip


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(
    option=st.sampled_from(["--aside", "--roll", "--scores", "--seat", "--objective", "--set"]),
    text=TYPED | st.lists(WORDS | TYPED, max_size=3).map(" ".join),
)
def test_whatever_is_typed_ends_in_an_answer_or_one_message(option, text):
    out, err = io.StringIO(), io.StringIO()
    words = ["advise", "martian-dice", option, text, "--set", "dice=2"]
    if option == "--scores":
        words += ["--seat", "2", "--set", "target=4"]
    stdout, stderr = sys.stdout, sys.stderr
    try:
        sys.stdout, sys.stderr = out, err
        code = run(words)
    finally:
        sys.stdout, sys.stderr = stdout, stderr
    assert code in EXIT_CODES
    if code:
        assert out.getvalue() == ""
        assert err.getvalue().startswith(("error: ", "Usage: "))
        assert "Traceback" not in err.getvalue()
    else:
        assert "for" in out.getvalue()


# --- the process


def start(*words, program="from solver.apps.cli.main import main; main()", **options):
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("SHOULD_I_ROLL_TABLES", None)
    return subprocess.Popen(
        [sys.executable, "-c", program, *words], env=environment, text=True, **options
    )


def finished(*words, **options):
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    with start(*words, **piped) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_the_process_answers_and_exits_with_the_code():
    code, out, err = finished(*shlex.split(f"{M} {ADVISE['roll or stop']} --json"))
    assert (code, err) == (0, "")
    assert json.loads(out)["options"][0]["action"] == "roll"
    code, out, err = finished(*M.split(), "--aside", "X1")
    assert (code, out) == (2, "")
    one_message(err)
    code, out, err = finished(*M.split(), "--tables", "/nowhere")
    assert (code, out) == (5, "")
    one_message(err)


def test_a_reader_that_has_gone_is_no_error():
    """As in `| head -c 1`, the pipe closed before anything was written: not a word of it."""
    for words in (["games", "--json"], [*M.split(), "--json"], ["--help"]):
        read, write = os.pipe()
        os.close(read)
        code, _, err = finished(*words, stdout=write)
        os.close(write)
        assert err == ""
        assert code in (0, 1)


@pytest.mark.skipif(shutil.which("head") is None, reason="needs head")
def test_piping_into_head_is_quiet():
    with start("games", "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        head = subprocess.run(
            ["head", "-c", "1"], stdin=process.stdout, capture_output=True, check=True
        )
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(60) in (0, 1)
    assert head.stdout == b"{"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_answer_that_cannot_be_written_is_one_message():
    with Path("/dev/full").open("w") as full:
        code, _, err = finished("games", "--json", stdout=full)
    assert code != 0
    assert os.strerror(errno.ENOSPC) in err
    assert "Traceback" not in err


INTERRUPTED = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background too
from pathlib import Path
from solver.apps.cli import options, solve
def wait(self, done, total):
    Path(sys.argv.pop()).touch()
    while True:
        time.sleep(0.01)
options.Bar.__call__ = wait
from solver.apps.cli.main import run
sys.exit(run(sys.argv[1:-1]))
"""


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_ends_with_130_and_no_traceback(tmp_path):
    mark = tmp_path / "working"
    words = shlex.split("solve martian-dice --objective win --set dice=2 --set target=3")
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start(*words, str(mark), program=INTERRUPTED, **piped) as process:
        waited = 0.0
        while not mark.exists():
            assert process.poll() is None
            assert waited < 60
            time.sleep(0.02)
            waited += 0.02
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.strip() == "interrupted; nothing was changed"


@pytest.mark.parametrize("where", ["solve", "advise", "build"])
def test_ctrl_c_anywhere_ends_with_130(monkeypatch, capsys, tmp_path, where):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "__call__", interrupt)
    monkeypatch.setattr(build, "RECIPES", SMALL)
    race = "--set dice=2 --set target=3"
    line = {
        "solve": f"solve martian-dice --objective win {race}",
        "advise": f"{M} --scores 1,1 --seat 1 {race}",
        "build": f"tables build martian-dice-win-2 --to {tmp_path}",
    }[where]
    assert run(shlex.split(line)) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == "interrupted; nothing was changed"


def test_a_piped_message_stream_shows_no_progress():
    words = "solve martian-dice --objective win --set dice=4 --set target=12 --json"
    code, out, err = finished(*words.split())
    assert (code, err) == (0, "")
    assert json.loads(out)["seats"] == 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_progress_is_for_terminals_only(monkeypatch, stream):
    """The same long work: a bar on a terminal, not a letter elsewhere."""
    clock = iter(range(0, 10**6, 3))
    monkeypatch.setattr("tqdm.std.time", lambda: float(next(clock)))
    shown = stream()
    monkeypatch.setattr(sys, "stderr", shown)
    with Bar("solving") as bar:
        for done in range(1, 9):
            bar(done, 9)
    assert ("solving" in shown.getvalue()) == (stream is Terminal)
