"""README's words come true: its Python is run, its numbers are the library's."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import solver
from solver.apps.cli.main import run

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_the_python_of_the_readme_runs():
    found = doctest.testfile(str(README), module_relative=False)
    assert found.attempted > 3
    assert found.failed == 0


def test_the_answer_shown_is_the_answer_given(capsys):
    shown = TEXT.split("```\nmartian-dice, for points")[1].split("```")[0].strip("\n")
    command = ["advise", "martian-dice", "--aside", "T2 R3 H4", "--roll", "R2 C1 K1"]
    assert run(command) == 0
    assert f"martian-dice, for points{shown}" in capsys.readouterr().out


def test_the_sample_turn_is_reviewed_rightly():
    rows = re.findall(r'^\| `--aside "([^"]*)"(?: --roll "([^"]*)")?` \| (.*)$', TEXT, re.MULTILINE)
    assert len(rows) == 4
    takes = ["death-rays", "chicken", "death-rays", "stop"]
    for (aside, roll, rest), zax in zip(rows, takes, strict=True):
        own, best, worth = re.fullmatch(r".*\| ([\d.]+) \| (.*) \| ([\d.]+) \|", rest).groups()
        advice = solver.advise("martian-dice", aside=aside, roll=roll or None)
        played = next(o for o in advice.options if o.action == zax)
        assert f"{played.value:.3f}" == own
        assert f"{advice.best.value:.3f}" == worth
        assert played.best == (best == "the same")


@pytest.mark.parametrize(
    ("roll", "loss"), [("T2 H4 R3 C2 K2", 0.0), ("T2 H4 R4 C2 K1", 0.46)], ids=["right", "greedy"]
)
def test_what_is_said_of_the_first_roll(roll, loss):
    advice = solver.advise("martian-dice", aside="", roll=roll)
    humans = next(o for o in advice.options if o.action == "human")
    assert round(humans.loss, 2) == loss


def test_the_chances_named_are_those_of_the_tables():
    with solver.open_tables() as tables:
        two = tables["martian-dice-win-2"].entry
        three = tables["martian-dice-win-3"].entry
    assert f"seat wins {100 * two.numbers['win_probability'][0]:.2f} %" in TEXT
    a, b, c = (f"{100 * chance:.2f}" for chance in three.numbers["win_probability"])
    assert f"{a}, {b} and {c} % for three" in TEXT
    assert f"{two.error:.1e} for the table" in TEXT
