"""A user's own game: a file that is named, run, checked, and then known by its name."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from http_server import QUIET, ready_client

import solver
from solver.advisor.review import read_record
from solver.apps.cli.main import run
from solver.apps.http.settings import Settings
from solver.errors import GameError, ShouldIRollError, StaleTableError, UsageError
from solver.games import files, registry
from solver.games.check import MAX_STATES, check_game, growth_of
from solver.games.protocol import Choose
from solver.tablebase import build_table, open_tables

TUTORIAL = Path(__file__).parent.parent / "docs" / "tutorials" / "your-own-game.md"
TEXT = TUTORIAL.read_text(encoding="utf-8")
DOUBLES = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]

MINE = """
from solver.games import Bank, Choose, Roll


class Mine:
    name = "mine"

    def start(self):
        return ("roll", 0)

    def expand(self, state):
        kind, n = state
        if kind == "bank":
            return Bank(n)
        if kind == "total":
            return Choose({{"stop": ("bank", n), "roll": ("roll", n)}})
        {roll}
"""
SOUND = 'return Roll([(1, ("bank", 0)), (5, ("total", n + 1) if n < 3 else ("bank", 4))])'


WHOLE = MINE.format(roll=SOUND)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch, tmp_path):
    """No file is known at first, nor after; paths are told from an empty folder."""
    monkeypatch.setattr(registry, "_own", {})
    monkeypatch.setattr(files, "_loaded", {})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOULD_I_ROLL_CACHE", "")
    yield
    for name in [name for name in sys.modules if name.startswith("own_game_")]:
        del sys.modules[name]


def write(text, name="mine.py"):
    Path(name).write_text(text, encoding="utf-8")
    return name


def mine(roll=SOUND):
    return write(MINE.format(roll=roll))


def said(capsys, *words):
    """What a command that fails says, and how it ends."""
    code = run(words)
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert shown.out == ""
    return code, shown.err


def small_tables():
    """A folder with one small table: a service verifies all that it has."""
    build_table("piglet-points", Path("few"))
    return "few"


# --- the tutorial, from the first line to the last


def test_the_game_of_the_tutorial_is_short():
    assert len(DOUBLES.splitlines()) < 40


def test_the_commands_of_the_tutorial_print_what_it_shows(capsys):
    write(DOUBLES, "doubles.py")
    printed, compared = "", 0
    for kind, block in re.findall(r"```(console|text)\n(.*?)```", TEXT, re.DOTALL):
        if kind == "text":
            for line in block.splitlines():
                assert line in printed, line
                compared += 1
            continue
        printed = ""
        for line in block.splitlines():
            words = shlex.split(line.removeprefix("$ should-i-roll "))
            assert run(words) == 0, line
            printed += capsys.readouterr().out
    assert compared == 14
    for picture in ("turns.svg", "win.svg"):
        assert Path(picture).read_text(encoding="utf-8").startswith("<?xml")


def test_the_python_of_the_tutorial_runs():
    write(DOUBLES, "doubles.py")
    found = doctest.testfile(str(TUTORIAL), module_relative=False)
    assert (found.attempted, found.failed) == (4, 0)


def test_what_the_tutorial_says_of_the_win():
    write(DOUBLES, "doubles.py")
    doubles = solver.game("doubles.py")
    assert solver.advise(doubles, total=24).best.action == "stop"
    assert solver.advise(doubles, total=24, scores=(0, 0), seat=1).best.action == "roll"


# --- a game that was named is a game like any other


def test_a_file_is_known_by_name_and_by_its_path(capsys):
    path = mine()
    by_path = solver.game(path)
    assert solver.game("mine") is by_path
    assert registry.known_games()[-1] == "mine"
    for words in (
        ("--game", path, "advise", "mine", "--state", "('total', 2)", "--json"),
        ("advise", path, "--state", "('total', 2)", "--json"),
    ):
        assert run(words) == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)["game"] == "mine"
        assert "mine: the class Mine in mine.py" in shown.err
    assert run(["--game", path, "games"]) == 0
    assert "mine: mine" in capsys.readouterr().out


def test_parameters_of_an_object_are_those_it_has(capsys):
    write(DOUBLES + "\n\ngame = Doubles(target=30)\n", "doubles.py")
    assert solver.game("doubles.py").target == 30
    assert solver.game("doubles", target=25).target == 25
    assert solver.game("doubles.py", target="40").race.target == 40
    assert run(["advise", "doubles.py", "--total", "29", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rules"] == {"target": 30}
    with pytest.raises(UsageError, match="unknown parameter 'goal'"):
        solver.game("doubles", goal=3)


def test_a_changed_file_is_run_again():
    write(DOUBLES, "doubles.py")
    before = solver.game("doubles.py")
    assert solver.game("doubles.py") is before
    write(DOUBLES.replace("(40,", "(30,"), "doubles.py")
    assert solver.game("doubles.py").target == 30


def test_a_table_of_other_rules_is_stale():
    write(DOUBLES, "doubles.py")
    assert run(["--game", "doubles.py", "tables", "build", "doubles-points", "--to", "t"]) == 0
    with open_tables("t") as tables:
        advice = solver.advise(solver.game("doubles.py"), total=24, tables=tables)
        assert advice.table == "doubles-points"
    write(DOUBLES.replace("a == b", "a == b == 1"), "doubles.py")
    with open_tables("t") as tables, pytest.raises(StaleTableError):
        solver.advise(solver.game("doubles.py"), total=24, tables=tables)


def test_the_service_answers_about_it():
    write(DOUBLES, "doubles.py")
    path = str(Path("doubles.py").resolve())
    with ready_client(Settings(tables=small_tables(), rate=0, games=(path,), **QUIET)) as web:
        answer = web.get("/v1/games/doubles/advice", params={"total": "24"})
        assert answer.status_code == 200
        told = solver.advise("doubles", total="24").as_dict()
        assert answer.json() == json.loads(json.dumps(told))
        assert "doubles" in [game["name"] for game in web.get("/v1/games").json()["games"]]
        refused = web.get("/v1/games/doubles/advice", params={"total": "x"})
        assert refused.status_code in (422, 500)
        assert "read_position" in refused.json()["detail"]


# --- only what the user names is ever run


def test_no_name_that_comes_from_elsewhere_is_taken_for_a_path():
    """Not in a record, a question over HTTP, or by name: the file is not run."""
    write("import pathlib\npathlib.Path('ran').touch()\n", "trap.py")
    with pytest.raises(ShouldIRollError):
        read_record("game: trap.py\nseats: Ann, Bob\n")
    with pytest.raises(UsageError, match=r"unknown game 'trap\.py'"):
        registry.game("trap.py")
    with pytest.raises(UsageError, match=r"unknown game 'trap\.py'"):
        solver.advise("trap.py")
    with ready_client(Settings(tables=small_tables(), rate=0, **QUIET)) as web:
        assert web.get("/v1/games/trap.py/advice").status_code == 404
        posted = web.post("/v1/review", content="game: trap.py\nseats: Ann, Bob\n")
        assert posted.status_code in (415, 422)
    assert not Path("ran").exists()


# --- bad files: one message each


def test_syntax_errors_are_shown_with_a_caret(capsys):
    write("class G:\n    name = 'g'\n    def start(self:\n        return 1\n")
    code, text = said(capsys, "--game", "mine.py")
    assert code == 3
    assert "mine.py, line 3: '(' was never closed" in text
    assert "  def start(self:\n           ^" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "there is no game in mine.py"),
        ("class A:\n def start(self): ...\n", "A has a method start, and none called expand"),
        ("class A:\n def expand(self, s): ...\n", "A has a method expand, and none called start"),
        ("a = 1\n\nimport nosuchmodule\n", "mine.py, line 3: ModuleNotFoundError"),
        ("import sys\nsys.exit(1)\n", "mine.py, line 2: SystemExit: 1"),
        ("\0", "mine.py: source code string cannot contain null bytes"),
        (WHOLE.replace("mine", "My game"), "the name of the class Mine is 'My game'"),
        (WHOLE.replace('"mine"', '"pig"'), "there is a game called pig already"),
        (WHOLE + "class Two(Mine):\n    name = 'two'\n", "several games: Mine, Two"),
        (WHOLE.replace("start(self)", "__init__(self, n)"), "Mine has a method expand, and none"),
        (WHOLE.replace("name =", "def __init__(self, n): ...\n    name ="), "Mine() raised Type"),
        (
            DOUBLES.replace("(frozen=True)", ""),
            "the class Doubles cannot be hashed",
        ),
        (
            DOUBLES.replace('PositionField("total"', 'PositionField("seat"'),
            "a position cannot be told by a field 'seat'",
        ),
    ],
    ids=range(13),
)  # fmt: skip
def test_a_file_without_one_sound_game_in_it(capsys, text, message):
    write(text)
    code, told = said(capsys, "--game", "mine.py")
    assert code == 3
    assert message in told


def test_a_file_that_is_not_there(capsys):
    code, text = said(capsys, "--game", "nowhere.py", "advise", "pig")
    assert (code, "nowhere.py cannot be read: No such file" in text) == (2, True)


def test_two_files_with_one_name(capsys):
    mine()
    write(WHOLE, "other.py")
    code, text = said(capsys, "--game", "mine.py", "--game", "other.py")
    assert (code, "both hold a game called mine" in text) == (3, True)


@pytest.mark.parametrize(
    ("roll", "messages"),
    [
        (
            'return Roll([(1, ("bank", 0)), (5, ("total", 0 if n > 1 else n + 1))])',
            [
                "('roll', 0) is reached again from ('total', 0)",
                "('roll', 0) -> ('total', 1) -> ('roll', 1) -> ('total', 2)",
                "('roll', 2) -> ('total', 0) -> ('roll', 0)",
            ],
        ),
        (
            'return Roll([(0.5, ("bank", 0)), (0.4, ("bank", 1))])',
            ["the roll at ('roll', 0)", "with weight 0.5, and its chances sum to 0.9"],
        ),
        (
            'return Roll([(0.5, ("bank", 0)), (0.5, ("bank", 1))])',
            ["with weight 0.5\n", "whole numbers in proportion"],
        ),
        ('return Roll([(-1, ("bank", 0))])', ["('roll', 0)", "with weight -1"]),
        ('return Roll([(1, ["bank", 0])])', ["['bank', 0] after ('roll', 0) cannot be a state"]),
        (
            'return Choose({1: ("bank", n), "1": ("bank", 2)})',
            ["two actions at ('roll', 0) are called '1': 1 and '1'"],
        ),
        (
            'return Choose({"stop": ("bank", n), "stop": ("bank", 2)})',
            ["mine.py, line 17: 'stop' is named twice", '\n  return Choose({"stop"', "^\n"],
        ),
        (
            'return Roll([(1, ("bank", 1 // n))])',
            ["expand(('roll', 0)) raised ZeroDivisionError", ", line 17\n", "  return Roll([(1, "],
        ),
        ('return Roll([(1, ("bank", -1))])', ["the outcome -1 is worth -1 points, at ('bank'"]),
        ("return None", ["expand(('roll', 0)) returned None"]),
    ],
    ids=["cycle", "sum", "floats", "negative", "unhashable", "alike", "twice", "raises", "points",
         "nothing"],
)  # fmt: skip
def test_rules_that_are_broken_are_named_with_the_state(capsys, roll, messages):
    mine(roll)
    code, text = said(capsys, "advise", "mine.py")
    assert code == 3
    for message in messages:
        assert message in text


def test_a_long_cycle_is_cut_in_the_middle(capsys):
    mine('return Roll([(1, ("bank", 0)), (5, ("total", 0 if n > 20 else n + 1))])')
    _, text = said(capsys, "--game", "mine.py")
    assert "(37 more)" in text


@pytest.mark.parametrize(
    ("roll", "growth"),
    [
        ('return Roll([(1, ("bank", 0)), (1, ("total", n + 1))])', "no end is in sight"),
        (
            'return Roll([(1, ("bank", 0)), *((1, ("total", n * 6 + f)) for f in range(1, 7))])',
            "times the one before: no end is in sight",
        ),
    ],
    ids=["chain", "tree"],
)
def test_too_many_states_are_refused_with_an_estimate(monkeypatch, capsys, roll, growth):
    write(MINE.format(roll=roll).replace("return Bank(n)", "return Bank(0)"))
    monkeypatch.setattr("solver.apps.cli.own.MOST_STATES", 5000)
    code, text = said(capsys, "--game", "mine.py")
    assert code == 4
    assert "a turn has more than 5000 states, such as" in text
    assert growth in text


def test_an_end_that_is_in_sight_is_estimated():
    """A tree that thins out: 400 at the widest, and each step finds fewer."""

    class Thinning:
        name = "thinning"

        def start(self):
            return (0, 0)

        def expand(self, state):
            depth, at = state
            wide = max(1, 400 // 2 ** max(0, depth - 1))
            if depth == 11:
                return solver.games.Bank(0)
            after = {f"{depth}-{i}": (depth + 1, i) for i in range(wide) if (i - at) % 2 == 0}
            return Choose(after or {"on": (depth + 1, 0)})

    report = check_game(Thinning())
    estimate = growth_of(Thinning(), 50 * 700)
    found = float(re.search(r"about (\S+) in all", estimate)[1])
    assert report.states / 3 < found < 3 * report.states
    assert report.states < MAX_STATES


def test_errors_of_the_file_in_other_places_are_its_own(capsys):
    """A property that raises is told with its line, and is no traceback."""
    write(DOUBLES.replace("return ScoreRace(self.target, End.IMMEDIATE)", "return 1 // 0"))
    code, text = said(capsys, "solve", "mine.py", "--objective", "win")
    assert code == 3
    assert "ZeroDivisionError" in text
    assert "return 1 // 0" in text


def test_a_game_needs_no_more_than_a_name_start_and_expand():
    loaded = files.load(mine())
    assert loaded.taken == "the class Mine"
    assert solver.solve_turn(loaded.game, "points").value > 0
    with pytest.raises(GameError, match="names no match"):
        solver.solve_match(loaded.game)
