"""What the pages about cards and records of Martians!!! show is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from solver.errors import NotationError, PositionError
from solver.games.martians.cards import Moment, read_cards
from solver.games.martians.cards.effects import KINDS
from solver.referee.martians_game import Chance, Ending, Question, record_text, replay

ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
CARDS = (ROOT / "docs/how-to/enter-your-own-cards.md").read_text("utf-8")
RECORD = (ROOT / "docs/reference/martians-game-record.md").read_text("utf-8")


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def first_cells(page, heading):
    """The code words in the first cells of the tables below a heading."""
    below = page.split(heading, 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (`.*?) \|", below, re.MULTILINE)
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def test_the_cards_of_the_guide_can_be_read():
    (example,) = blocks(CARDS, "json")
    assert len(read_cards(example).by_name()) == 4


def test_the_guide_names_every_effect_and_moment():
    assert first_cells(CARDS, "## What a card can do") == {"do", *KINDS}
    moments = CARDS.split("The moments: ")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", moments)) == set(Moment)


def test_the_fault_of_the_guide_is_told_so():
    example = json.loads(blocks(CARDS, "json")[0])
    example["events"][0]["effects"][0]["do"] = "wepon"
    with pytest.raises(NotationError) as caught:
        read_cards(json.dumps(example))
    assert str(caught.value) == blocks(CARDS, "text")[0].rstrip("\n")


def test_the_record_of_the_page_replays():
    example = blocks(RECORD, "text")[0]
    found = replay(example)
    assert found.course.table.seats[0].bullets == 1
    written = record_text(found).splitlines()[1:]
    assert written == example.splitlines()[1:]


def test_the_page_names_every_question_chance_and_end():
    words = first_cells(RECORD, "## The other lines")
    assert {*Question, *Chance, *Ending} - {Ending.LIMIT} <= words


def test_the_fault_of_the_page_is_told_so():
    lines = blocks(RECORD, "text")[0].splitlines()
    number = next(n for n, line in enumerate(lines) if '"movement"' in line)
    lines[number] = '{"chance": "movement", "is": 7}'
    with pytest.raises(PositionError) as caught:
        replay("\n".join(lines))
    assert str(caught.value) == blocks(RECORD, "text")[1].rstrip("\n")


def test_the_python_of_the_guide_runs(capsys):
    page = (ROOT / "docs/how-to/play-martians.md").read_text("utf-8")
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(block.replace("games=40", "games=4"), names)  # noqa: S102  our own page
    assert names["result"].ending in list(Ending)
    assert replay(names["record"]).result == names["result"]
    assert "timid: " in capsys.readouterr().out
