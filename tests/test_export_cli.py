"""The command ``export``: what it writes, what it says, what it refuses."""

from __future__ import annotations

import json

import pytest

from solver.apps.cli.main import run


@pytest.mark.parametrize(
    ("words", "begins", "said"),
    [
        ("pig {} --to drn", "@type: MDP", 'R{"points"}max=? [F "done"]'),
        ("threes {} --to drn --set dice=2", "@type: MDP", 'R{"points"}min=? [F "done"]'),
        ("martians {} --to drn --set goal=1", "@type: MDP", 'R{"turns"}min=? [F "done"]'),
        (
            "pig {} --to drn --objective win --seat 2 --set target=3",
            "@type: MDP",
            'Pmax=? [F "win_2"]',
        ),
        ("alien-crew {} --to graphml --beginning trio", "<graphml", "states"),
        ("pig {} --to node-link --objective win --set target=3", "{", "states"),
        ("martians-fights {} --to policy-csv --set fights=2", "kind,left", "decisions"),
        ("pig {} --to policy-json --objective at-least:20", "{", "decisions"),
    ],
)
def test_a_file_is_written_and_counted(tmp_path, capsys, words, begins, said):
    file = tmp_path / "out.file"
    assert run(["export", *words.format(file).split()]) == 0
    out = capsys.readouterr().out
    assert f"written: {file} (" in out
    assert said in out
    assert file.read_text().startswith(begins)


def test_json_says_what_was_written(tmp_path, capsys):
    file = tmp_path / "pig.drn"
    assert run(["export", "pig", str(file), "--to", "drn", "--decimals", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counted"] == {"states": 298, "choices": 395, "branches": 876}
    assert told["property"] == 'R{"points"}max=? [F "done"]'
    assert told["rules"]["target"] == 100
    assert repr(1 / 6) in file.read_text()


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        ("pig F --to drn --objective win", 2, "both seats decide"),
        ("pig F --to drn --seat 1", 2, "--seat is for a match"),
        ("pig F --to graphml --decimals", 2, "--decimals is for drn"),
        ("pig F --to policy-csv --objective win --seat 1", 2, "--seat is for a match"),
        ("alien-crew F --to graphml --objective win --beginning trio", 2, "--beginning is for"),
        ("martians F --to policy-csv --objective turns", 2, "race alone"),
        ("pig F --to drn --objective poinst", 2, "did you mean 'points'"),
        ("pgi F --to drn", 2, "did you mean 'pig'"),
        ("yahtzee F --to graphml --objective win", 3, "no match for 2 seats"),
        ("pig F --to pdf", 2, "'pdf' is not one of"),
        ("pig /no/such/folder/f.drn --to drn", 2, "cannot be written"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, monkeypatch, capsys, words, code, why):
    monkeypatch.chdir(tmp_path)
    assert run(["export", *words.split()]) == code
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
