"""Playing at the keyboard, with scripted answers; what is left is a record that can be reviewed."""

from __future__ import annotations

import io
import random

import pytest

import solver
from solver.advisor.review import read_record, review_record
from solver.advisor.review.play import Play
from solver.apps.cli.main import run
from solver.errors import UsageError


@pytest.fixture
def keyboard(monkeypatch, capsys):
    """Run a command with typed lines; return exit code, output and errors."""

    def type_in(arguments, *lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        code = run(arguments)
        return code, *capsys.readouterr()

    return type_in


@pytest.mark.parametrize(
    "game",
    [
        solver.game("martian-dice", target=6),
        solver.game("martian-dice", faces="T1 R2 H2 C1 K1", target=5, tie="shared"),
        solver.game("alien-crew", rounds=2),
        solver.game("pig", target=15),
    ],
    ids=["martian-dice", "uneven species", "alien-crew", "pig"],
)
def test_a_played_match_and_its_record_agree(game):
    for seed in range(6):
        dice = random.Random(seed)
        play = Play(game, ["Ann", "Bob"])
        while (waits := play.waits_for) != "nothing":
            if waits == "roll":
                play.throw(dice)
            elif waits == "choice":
                play.act(dice.choice(list(play.options)))
            else:
                play.name_winner(play.course.leaders[-1])
        record = read_record(play.record())
        assert record.game == game
        assert record.over
        assert list(record.scores) == play.course.scores
        winner = play.winners if record.winner is None else (record.winner,)
        assert winner == play.winners


def test_real_dice_are_typed_and_refused_if_they_cannot_be(keyboard, tmp_path):
    file = tmp_path / "game.txt"
    code, out, _ = keyboard(
        ["play", "martian-dice", "--own-dice", "--seats", "Zax", "--record", str(file)],
        "T2 R3 H4 C2",  # eleven dice
        "T2 R3 H4 C2 K2", "tanks", "humans", "roll",
        "T1 R2 C3 H1", "1", "2",  # by the number of the option
        "K1 H3", "roll",
        "R1 C1 H1", "death rays", "stop",
        "q",
    )  # fmt: skip
    assert code == 0
    assert "the roll shows 11 dice, and 13 are rolled" in out
    assert "'tanks' cannot be done here" in out
    assert "= 5" in out
    found = review_record(file.read_text(encoding="utf-8"))
    assert found.points[0].lost == pytest.approx(0.2037037037, abs=1e-9)
    assert found.scores == (5,)


def test_a_hint_is_the_advice_on_the_position(keyboard):
    code, out, _ = keyboard(
        ["play", "martian-dice", "--own-dice", "--seats", "Ann, Bob"],
        "T2 R3 H4 C2 K2", "humans", "roll", "T1 R2 C3 H1", "?", "q",
    )  # fmt: skip
    assert code == 0
    advice = solver.advise("martian-dice", aside="T2 H4", roll="T1 R2 C3 H1", scores=(0, 0), seat=1)
    assert advice.why in out


@pytest.mark.slow
def test_bots_play_to_the_end_and_the_same_seed_is_the_same_match(keyboard, tmp_path):
    texts = []
    for name in ("one", "two"):
        file = tmp_path / name
        code, out, _ = keyboard(
            ["play", "martian-dice", "--seats", "Best=optimal, Greedy=greedy", "--seed", "4",
             "--set", "target=3", "--record", str(file)],
        )  # fmt: skip
        assert code == 0
        assert "wins" in out or "share" in out
        texts.append(file.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    found = review_record(texts[0])
    assert found.over
    assert found.win[0].lost == pytest.approx(0.0, abs=1e-12)  # that bot makes no mistake


def test_a_tied_match_of_rounds_goes_to_the_death_round(keyboard, tmp_path):
    file = tmp_path / "tie.txt"
    turn = ("6 5 4 3 3", "stop")
    code, out, _ = keyboard(
        ["play", "alien-crew", "--own-dice", "--seats", "Ann, Bob", "--set", "rounds=1",
         "--record", str(file)],
        *turn, *turn,
        "1 2", "stop", "5 5", "stop",  # the death round: two dice each, the trio is kept
    )  # fmt: skip
    assert code == 0
    assert "Ann and Bob are tied" in out
    assert "Bob wins" in out
    found = review_record(file.read_text(encoding="utf-8"))
    assert found.winners == (2,)
    assert found.win[1].result == 1.0


def test_the_end_of_input_stops_and_keeps_the_record(keyboard, tmp_path):
    file = tmp_path / "game.txt"
    code, out, _ = keyboard(
        ["play", "pig", "--own-dice", "--seats", "Ann", "--record", str(file)], "6", "roll"
    )
    assert code == 0
    assert "stopped" in out
    assert read_record(file.read_text(encoding="utf-8")).turns[0].steps[0].text == "6"


def test_what_cannot_be_played_is_refused(keyboard, tmp_path):
    there = tmp_path / "there"
    there.write_text("mine", encoding="utf-8")
    for arguments, what in (
        (["play", "martian-dice", "--record", str(there)], "not written over"),
        (["play", "martian-dice", "--seats", "A, a"], "two seats are called"),
        (["play", "martian-dice", "--seats", "A=nobody"], "unknown policy"),
        (["play", "chess"], "unknown game"),
        (["play", "pig", "--record", str(tmp_path / "no" / "file")], "cannot be written"),
    ):
        code, _, error = keyboard(arguments)
        assert code == 2, error
        assert what in error
    assert there.read_text(encoding="utf-8") == "mine"


def test_nothing_is_parted_that_is_not_tied():
    play = Play(solver.game("pig", target=5), ["A", "B"])
    with pytest.raises(UsageError):
        play.death_round()
    play.roll("5")
    with pytest.raises(UsageError, match="tied leaders"):
        play.name_winner(1)
