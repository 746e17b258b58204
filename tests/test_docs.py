"""What the documentation says comes true: commands and Python run, figures are printed.

Tables whose last column is a command in backticks: the figure is the column before it.
"""

from __future__ import annotations

import doctest
import re
import shlex
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from plan_boards import house_and_farm

from solver.apps.cli.main import run
from solver.games.martians.board import synthetic_tiles, write_position, write_tiles

ROOT = Path(__file__).resolve()
while not (ROOT / "pyproject.toml").exists():
    ROOT = ROOT.parent
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
FIGURE_PAGES = ("reference/results.md", "explanation/readings-in-numbers.md")
ROW = re.compile(
    r"^\|.*\| (?P<figure>[^|]+) \| `(?P<command>should-i-roll [^`]+)` \|$", re.MULTILINE
)
NUMBER = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")
QUICK = (
    "advise martian-dice --aside",
    "games martian-dice",
    "tables list",
    "evaluate martian-dice",
)
"""Commands whose page is checked in every run; the others are slow together."""
PRINTED: dict[str, str] = {}
"""What commands have printed: several figures of a page are of one command."""
GAME = re.search(
    r"```text\n(.*?)```", (ROOT / "docs/reference/game-record.md").read_text("utf-8"), re.DOTALL
)


def figures():
    for page in FIGURE_PAGES:
        for row in ROW.finditer((ROOT / "docs" / page).read_text(encoding="utf-8")):
            yield pytest.param(row["figure"], row["command"], id=row["command"])


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "command"), list(figures()))
def test_the_command_beside_a_figure_prints_it(figure, command, capsys):
    if command not in PRINTED:
        assert run(shlex.split(command)[1:]) == 0
        PRINTED[command] = capsys.readouterr().out
    printed = PRINTED[command]
    assert is_printed(figure.strip(), printed), printed[:1500]


def is_printed(figure, printed):
    """Return whether a fraction stands there, or a number that is the figure when rounded."""
    if "/" in figure:
        return re.search(rf"(?<![\d/]){re.escape(figure)}(?![\d/])", printed) is not None
    places = len(figure.partition(".")[2])
    unit = Decimal(1).scaleb(-places)
    numbers = (found for found in NUMBER.findall(printed) if len(found.partition(".")[2]) >= places)
    return any(
        Decimal(number).quantize(unit, ROUND_HALF_EVEN) == Decimal(figure) for number in numbers
    )


@pytest.mark.parametrize(
    ("figure", "printed", "same"),
    [
        ("0.269457775", '"bust": 0.26945777450', False),  # half to even: it is no witness
        ("0.269457774", '"bust": 0.26945777473', False),  # cut off, not rounded
        ("0.269457775", '"bust": 0.26945777473', True),
        ("0.2694577747", "0.26945777", False),  # fewer digits say nothing
        ("28/3", "exactly 28/3", True),
        ("8/3", "exactly 28/3", False),
    ],
)
def test_figures_are_rounded_and_not_cut_off(figure, printed, same):
    assert is_printed(figure, printed) is same


OWN_TESTS = ("your-own-game.md", "enter-your-own-tiles.md")
"""Pages that write files first: tests beside what they are about run them."""


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if p.name not in OWN_TESTS],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_the_python_of_a_page_runs(page):
    if ">>>" not in page.read_text(encoding="utf-8"):
        pytest.skip("no Python")
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted
    assert not found.failed


def blocks(page, *languages):
    """Yield the code blocks of a page in some languages."""
    for found in re.finditer(
        r"^```(\w*)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        if found[1] in languages:
            yield found[2]


PROGRAMS = {
    page: [code for code in blocks(page, "python") if ">>>" not in code]
    for page in PAGES
    if page.name not in (*OWN_TESTS, "play-martians.md", "enter-your-own-cards.md")
}
"""Python without prompts; tests beside the complete game run that of its pages."""


@pytest.mark.parametrize(
    "page",
    [page for page, programs in PROGRAMS.items() if programs],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_the_programs_of_a_page_run_one_after_the_other(page, in_a_folder):
    del in_a_folder
    names: dict[str, object] = {}
    for code in PROGRAMS[page]:
        try:
            exec(compile(code, str(page), "exec"), names)  # noqa: S102  our own page
        except ModuleNotFoundError as error:
            if error.name not in ("gymnasium", "pyspiel"):
                raise


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    """A folder with the files that pages speak of."""
    monkeypatch.chdir(tmp_path)
    board = ROOT / "docs/reference/board-files.md"
    (tmp_path / "game.txt").write_text(GAME[1], encoding="utf-8")
    (tmp_path / "position.json").write_text(next(blocks(board, "json")), encoding="utf-8")
    (tmp_path / "small.json").write_text(write_position(house_and_farm()), encoding="utf-8")
    (tmp_path / "my-tiles.json").write_text(write_tiles(synthetic_tiles()), encoding="utf-8")
    return tmp_path


def commands():
    """Yield our commands in blocks of a shell; what else is there is of other programs."""
    seen = set()
    for page in (page for page in PAGES if page.name not in OWN_TESTS):
        for block in blocks(page, "console", "sh"):
            for line in re.findall(
                r"^(?:\$ )?(should-i-roll .*?)(?:  +#.*)?$", block, re.MULTILINE
            ):
                if line not in seen:
                    seen.add(line)
                    slow = [] if any(word in line for word in QUICK) else [pytest.mark.slow]
                    yield pytest.param(line, id=line, marks=slow)


WAITS = ("serve", "mcp", "play")
"""Commands that wait for somebody: only their words are checked."""
ELSEWHERE = ("~/", "/tmp/", "/srv/", "--cluster")  # noqa: S108  of the reader
"""Of commands with places and machines of the reader only the name is checked."""


@pytest.mark.parametrize("line", list(commands()))
def test_a_command_of_the_documentation_runs(line, capsys, in_a_folder):
    del in_a_folder
    words = shlex.split(line)[1:]
    if words[0] in WAITS or any(word in line for word in ELSEWHERE):
        words = [*words, "--help"]
    assert run(words) == 0, capsys.readouterr().err


@pytest.mark.parametrize("game", ["martian-dice", "alien-crew"])
def test_every_rule_of_a_sheet_names_tests_that_exist(game):
    text = (ROOT / f"docs/reference/{game}-conformance.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", text))
    assert len(named) > 10
    assert not {name for name in named if f"def {name}(" not in code}
