"""The complete game of Martians!!! by command: played by bots, recorded, in tournaments."""

from __future__ import annotations

import json

import pytest

from solver.apps.cli.main import run


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
