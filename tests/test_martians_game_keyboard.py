"""The complete game of Martians!!! at the keyboard and in tournaments on the command line."""

from __future__ import annotations

import io
import json

import pytest
from martians_table import DINER, HOUSE, player, position

from solver.apps.cli.board.play import play_board
from solver.apps.cli.board.tournament import tournament_board
from solver.apps.cli.board.words import answer, read_answer, read_fallen
from solver.errors import NotationError, UnknownNameError, UsageError
from solver.games.martians.board import synthetic_tiles, write_position, write_tiles
from solver.games.martians.cards import synthetic_cards, write_cards
from solver.referee.martians_game import Question, replay


@pytest.fixture
def typed(monkeypatch, capsys):
    """Play with these lines typed; return what was printed."""

    def call(lines, *args, **more):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        play_board(*args, **more)
        return capsys.readouterr().out

    return call


def test_answers_are_typed_as_words_or_numbers():
    step = [None, (2, 1), (-1, 4)]
    assert [answer(Question.STEP, option) for option in step] == ["stop", "2,1", "-1,4"]
    assert read_answer(Question.STEP, step, "-1, 4") == (-1, 4)
    assert read_answer(Question.STEP, step, "1") is None
    martian = [((3, 1), (4, 1)), ((3, 1), (2, 1))]
    assert read_answer(Question.MARTIAN, martian, " 3,1  2,1 ") == ((3, 1), (2, 1))
    assert read_answer(Question.TURN_OVER, [True, False], "No") is False
    assert read_answer(Question.ARM, ["net", None], "bare-hands") is None
    assert read_answer(Question.TARGET, [2, 3], "3") == 3  # the seat, not its place in the list
    for wrong in ("0", "4", "5,5", ""):
        with pytest.raises(NotationError, match="none of the answers"):
            read_answer(Question.STEP, step, wrong)


def test_what_chance_decided_is_typed():
    assert read_fallen((1, 2, 3), " 2 ") == 2
    assert read_fallen(["diner", "farm"], "Farm") == "farm"
    with pytest.raises(NotationError, match="'7' is none of the answers"):
        read_fallen((1, 2, 3), "7")


def test_a_game_at_the_keyboard_leaves_a_record(typed, tmp_path):
    file = tmp_path / "game.jsonl"
    lines = ["foo", "map", "hand", "pass", "1", "stop", "q"]
    out = typed(lines, "Ann, Zed=greedy", seed=3, record=str(file))
    assert "Turn 1: Ann" in out
    assert "'foo' is none of the answers" in out
    assert out.count("squares: pawn") == 2  # the map at the beginning and when asked for
    assert "panic, reinforcements" in out
    assert "Play a card?" in out
    assert out.count("Play a card?") == 1  # after `pass` nobody asks in this turn
    assert f"stopped; the record so far is in {file}" in out
    found = replay(file.read_text())
    assert [seat.name for seat in found.course.table.seats] == ["Ann", "Zed"]
    with pytest.raises(UsageError, match="is there already"):
        typed([], "Ann", record=str(file))
    out = typed(["q"], "Ann, Zed=greedy", carry_on=str(file))
    assert "stopped" in out


def test_bots_play_a_game_to_its_end(typed, tmp_path):
    file = tmp_path / "game.jsonl"
    out = typed([], "Zed=greedy, Zax=random", seed=1, record=str(file), settings={"goal": "5"})
    assert "Zed won: collected" in out
    assert replay(file.read_text()).result.seats == (1,)
    out = typed([], "Zed=greedy", seed=1, settings={"play": "cooperative", "team": "one"})
    assert "won: ship" in out or "Nobody has won: " in out


def test_real_dice_and_cards_are_typed(typed):
    lines = ["club", "joker", "net", "truck", "pass", "four-way", "1", "7", "6", "q"]
    out = typed(lines, "Ann", own_dice=True)
    assert "the event card: " in out
    assert "'joker' is none of the answers" in out
    assert "the movement roll: " in out
    assert "'7' is none of the answers" in out
    assert "Where to? 9 left" in out


def test_a_game_begins_from_a_position_and_with_own_tiles_and_cards(typed, tmp_path):
    where = position([player("Ann", at=(4, 1)), player("Zed")], layout=[HOUSE, DINER])
    for name, text in (
        ("position", write_position(where)),
        ("tiles", write_tiles(synthetic_tiles())),
        ("cards", write_cards(synthetic_cards())),
    ):
        (tmp_path / name).write_text(text)
    out = typed(["q"], "Ann, Zed=greedy", position=str(tmp_path / "position"),
                cards=str(tmp_path / "cards"))  # fmt: skip
    assert "Where to? 4 left" in out
    out = typed(["q"], "Ann", tiles=str(tmp_path / "tiles"))
    assert "Turn 1: Ann" in out
    with pytest.raises(UsageError, match="cannot be read"):
        typed([], "Ann", tiles=str(tmp_path / "none"))
    with pytest.raises(UsageError, match="1 players for 2 seats"):
        typed([], "Ann", position=str(tmp_path / "position"))
    with pytest.raises(UnknownNameError, match="unknown policy 'gredy'"):
        typed([], "Ann=gredy")


def test_a_tournament_prints_who_wins_and_how_sure_that_is(capsys):
    tournament_board("random,greedy", games=4, settings={"goal": "4"})
    out = capsys.readouterr().out
    assert "4 games, 2 deals, seed 1" in out
    assert "95 % interval" in out
    assert "random against greedy" in out
    tournament_board("random,greedy", games=4, settings={"goal": "4"}, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == "games played"
    assert [score["policy"] for score in found["scores"]] == ["random", "greedy"]
    assert found["scores"][1]["share"] == found["scores"][1]["wins"] / 4
    with pytest.raises(UnknownNameError, match="unknown parameter 'gaol'"):
        tournament_board("random,greedy", settings={"gaol": "4"})
