"""The table of the rules of Martians!!! and the tests of the referee agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = next(folder for folder in HERE.parents if (folder / "pyproject.toml").is_file())
TABLE = ROOT / "docs" / "reference" / "martians-conformance.md"
RULES = {
    "Contents": ("co", 11),
    "Object of the Game": ("ob", 2),
    "Game Setup, noncooperative": ("sn", 5),
    "Game Setup, cooperative": ("sc", 6),
    "Turn Sequence Overview": ("ts", 8),
    "Placing Map Tiles": ("pt", 8),
    "Player Movement Rules": ("pm", 6),
    "Combat Rules": ("cb", 5),
    "Martians Deck Rules": ("md", 4),
    "Event Card Rules": ("ec", 6),
    "Martian Movement Rules": ("mm", 4),
    "Martian Ship Tokens": ("ms", 4),
    "Additional Rules and Clarifications": ("ar", 7),
}
"""The sections of the sheet: how tests name them, and how many points each has."""
CODES = {code for code, _ in RULES.values()}
TESTS = [
    name
    for file in sorted(HERE.rglob("test_martians_game_*.py"))
    for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| section")
]


def codes(test):
    """The rules that a test names: (code, number)."""
    found = re.match(r"test_((?:[a-z]{2}\d+_)+)", test)
    parts = (
        [re.fullmatch(r"([a-z]{2})(\d+)", part) for part in found[1].split("_")[:-1]]
        if found
        else []
    )
    return {(part[1], int(part[2])) for part in parts if part and part[1] in CODES}


def named(row):
    return re.findall(r"`(test_\w+)`", row[4])


def test_every_rule_of_the_sheet_is_in_the_table_once():
    told = [(section, int(number)) for section, number, *_ in ROWS]
    assert told == [
        (section, number + 1) for section, (_, count) in RULES.items() for number in range(count)
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_every_rule_says_how_it_is_kept_and_names_tests_that_exist(row):
    assert re.match(r"implemented|data|read so|this table", row[3])
    assert named(row)
    assert set(named(row)) <= set(TESTS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_every_test_of_a_rule_is_named_there(row):
    code, number = RULES[row[0]][0], int(row[1])
    about = {test for test in TESTS if (code, number) in codes(test)}
    assert about <= set(named(row))


def test_no_test_names_a_rule_that_is_not_in_the_sheet():
    last = dict(RULES.values())
    for test in TESTS:
        for code, number in codes(test):
            assert number <= last[code], test
