"""The complete game of Martians!!! by command: played by bots, recorded, in tournaments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plan_boards import house_and_farm

from solver.apps.cli.main import run
from solver.games.martians.board import (
    Play,
    read_position,
    start_position,
    synthetic_tiles,
    write_position,
)

MARTIANS = Path(__file__).parent.parent / "solver" / "games" / "martians"
TILES = MARTIANS / "board" / "data" / "synthetic-tiles.json"
CARDS = MARTIANS / "cards" / "data" / "synthetic-cards.json"


def test_bots_play_the_complete_game_and_leave_a_record(tmp_path, capsys):
    record = tmp_path / "game.jsonl"
    line = ["play", "martians", "--seats", "Ann=greedy, Bob=random", "--seed", "1"]
    assert run([*line, "--set", "goal=3", "--record", str(record)]) == 0
    shown = capsys.readouterr().out
    assert "Turn 1: Ann" in shown
    assert "Ann won" in shown
    assert all(json.loads(part) for part in record.read_text(encoding="utf-8").splitlines())


def test_a_tournament_of_games_that_are_played(capsys):
    line = ["tournament", "martians", "--policies", "greedy,random", "--games", "4", "--seed", "1"]
    assert run([*line, "--set", "goal=3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 4
    assert [score["policy"] for score in found["scores"]] == ["greedy", "random"]
    assert sum(score["wins"] for score in found["scores"]) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tournament pig --policies hold,optimal --games 4", "matches of pig are computed"),
        ("tournament martian-dice --policies points,greedy --seed 1", "--seed is for games"),
        ("play pig --hunt", "--hunt is for Martians!!!"),
        ("play martians --hunt --position here.json", "--position is for Martians!!!"),
        ("play martians --json", "--record FILE"),
    ],
)
def test_words_of_the_complete_game_are_refused_elsewhere(words, said, capsys):
    assert run(words.split()) == 2
    assert said in capsys.readouterr().err


@pytest.fixture
def small(tmp_path):
    """The House and one farm with an empty crop circle, nothing hidden."""
    file = tmp_path / "small.json"
    file.write_text(write_position(house_and_farm()), encoding="utf-8")
    return file


def test_a_position_is_begun_checked_and_drawn(tmp_path, capsys):
    assert run(["board", "new", "--players", "Ann, Bob", "--cooperative"]) == 0
    text = capsys.readouterr().out
    assert read_position(text) == start_position(
        synthetic_tiles(), ["Ann", "Bob"], Play.COOPERATIVE
    )
    file = tmp_path / "position.json"
    file.write_text(text, encoding="utf-8")
    assert run(["board", "check", str(file)]) == 0
    assert "a legal position: 1 tiles, 0 Martians, 2 players, step 1" in capsys.readouterr().out
    assert run(["board", "draw", str(file)]) == 0
    assert "Ann (seat 1), step 1" in capsys.readouterr().out
    picture = tmp_path / "position.svg"
    assert run(["board", "draw", str(file), str(picture), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"picture": str(picture)}
    assert picture.read_text(encoding="utf-8").startswith("<svg ")


def test_the_sets_that_ship_are_found_without_fault(capsys):
    files = [str(TILES), str(CARDS)]
    assert run(["board", "check", *files, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        files[0]: "a tile set: 30 tiles, named synthetic",
        files[1]: "a card set: 40 event cards, 30 Martian cards, named synthetic",
    }


def test_a_small_world_is_solved_from_its_file(small, capsys):
    """docs/how-to/plan-a-turn.md; the solver has its witnesses in tests/test_plan_world.py."""
    line = ["board", "race", str(small), "--set", "goal=martians", "--set", "martians=3"]
    assert run([*line, "--set", "march=stay", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["turns"] == pytest.approx(3.3111155576, abs=1e-9)
    assert found["error"] < 1e-12
    assert run([*line, "--set", "march=stay", "--objective", "within:4"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("at most 6,480 standings"), "its size is told before it is solved"
    assert "within   3 turns:  77.857082 %" in shown


def test_the_deadline_of_the_cooperative_game(tmp_path, capsys):
    file = tmp_path / "position.json"
    file.write_text(write_position(start_position(synthetic_tiles(), ["Ann"])), encoding="utf-8")
    assert run(["board", "deadline", str(file)]) == 0
    assert "after 26.6 turns on average" in capsys.readouterr().out
    assert run(["board", "deadline", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sum(told["chance"]) + told["never"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("race {small}", 4, "more than 400,000 states"),
        ("race {small} --objective soon", 2, "remedy: turns, or within:10"),
        ("race {small} --set gaol=ship", 2, "did you mean 'goal'?"),
        ("race {small} --set martians=0", 2, "martians takes a whole number from 1 to 100"),
        ("draw {small} picture.png", 2, "a name that ends in .svg"),
        ("draw nowhere.json", 2, "cannot be read"),
        ("new --players Ann,Ann", 2, "names of their own"),
        ("check {other}", 2, '/format: "pig-1" is no format of a board file'),
        ("check {broken}", 2, "line 2 is no JSON"),
        ("deadline {small} --emptied 2", 2, "0<=x<=1"),
    ],
)
def test_a_mistake_about_a_board_file_gets_one_message(words, code, said, small, tmp_path, capsys):
    other, broken = tmp_path / "other.json", tmp_path / "broken.json"
    other.write_text('{"format": "pig-1"}', encoding="utf-8")
    broken.write_text("[1,\n", encoding="utf-8")
    files = {"small": small, "other": other, "broken": broken}
    assert run(["board", *words.format(**files).split()]) == code
    assert said.replace("remedy: ", "try: ") in capsys.readouterr().err
