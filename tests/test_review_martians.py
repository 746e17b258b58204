"""Hunts and fights of Martians!!!, recorded in the sheet's words and reviewed."""

from __future__ import annotations

import io
import json
import random
from fractions import Fraction

import pytest
from recorded import hunt_game

import solver
from solver.advisor.review import ReviewSource, read_record, review_record
from solver.advisor.review.play import Play
from solver.apps.cli.main import run
from solver.errors import NotationError
from solver.match.goal import solve_alone, solve_goal_race

HUNT = """\
game: martians
rules: goal=6
seats: Ann, Bob

Ann:
  move 4 -> fight
  1 -> forfeit a life
  5 -> fight on
  4
  4 -> stop
  = 3 Martians, 2 lives, 3 bullets
Bob:
  5 -> fight
  2 -> spend 2 bullets, stop
  = 1
Ann:
  move 3 -> fight
  6
  2 -> spend, fight
  3 -> spend, stop
"""


@pytest.fixture(scope="module")
def source():
    with solver.open_tables() as tables:
        yield ReviewSource(tables)


def gaps(found):
    for account in found.points:
        sign = -1 if found.unit == "turns" else 1
        change = account.luck - account.lost + account.gained
        yield abs(account.start + sign * change - account.result)
    for account in found.win or ():
        change = account.luck - account.lost + account.gained
        yield abs(account.start + change - account.result)


# --- the record


def test_a_hunt_is_told_in_the_words_of_the_sheet():
    record = read_record(HUNT)
    ann, bob, again = record.turns
    assert [step.text for step in ann.steps] == [
        "move 4", "fight", "1", "forfeit", "5", "fight", "4", "fight", "4", "stop",
    ]  # fmt: skip
    assert ann.outcome == (3, 2, 3, 0, "stopped")
    assert bob.outcome == (1, 3, 1, 0, "stopped")
    assert again.outcome[-1] == "goal"
    assert (record.scores, record.over, record.leaders) == ((6, 1), True, (0,))
    told = [step.told for step in ann.steps if step.kind == "choice"]
    assert told[1] == {
        "martians": "0", "lives": "3", "bullets": "3", "moves": "6", "rolled": "1",
    }  # fmt: skip


def test_where_a_turn_stands_can_be_asked_about(source):
    """Every decision of a record is a position that advice takes, and says the same of."""
    found = review_record(HUNT, source=source)
    game = solver.game("martians", goal=6)
    advise = solver.Advisor(source._tables)
    for step in found.steps:
        if step.kind == "choice" and len(step.options) > 1:
            advice = advise(game, **step.told)
            worth = {option.action: option.value for option in advice.options}
            for option in step.options:
                assert worth[option["action"]] == pytest.approx(option["turns"], abs=1e-9)


@pytest.mark.parametrize("tokens", [None, Fraction(3, 2)])
def test_games_that_the_referee_has_played_are_read_and_add_up(tokens, source):
    for seed in range(4):
        text, scores, winners = hunt_game(seed, tokens=tokens)
        found = review_record(text, source=source)
        assert list(found.scores) == scores
        assert [seat - 1 for seat in found.winners] == winners
        assert max(gaps(found)) < 1e-10
        assert [account.result for account in found.win] == pytest.approx(
            [float(seat in winners) for seat in range(2)], abs=1e-12
        )
        turns = sum(line == f"{found.seats[winners[0]]}:" for line in text.split("\n"))
        assert found.points[winners[0]].result == pytest.approx(turns, abs=1e-10)
        for account in (*found.points, *found.win):
            assert account.lost >= 0.0
        one, two = found.win
        assert one.gained == pytest.approx(two.lost, abs=1e-12)


@pytest.mark.parametrize(
    "game",
    [
        solver.game("martians", goal=4),
        solver.game("martians", goal=3, income="rich", weapon="+1,reroll:1"),
        solver.game("martians", goal=3, income="0,0:1/2 2,1:1/2", last_life="one-more-roll"),
        solver.game("martians-fights", fights=3, weapon="reroll:2"),
    ],
    ids=["hunt", "weapons", "other readings", "fights"],
)
def test_a_played_match_and_its_record_agree(game):
    for seed in range(5):
        dice = random.Random(seed)
        play = Play(game, ["Ann", "Bob"])
        for _ in range(120):
            if play.waits_for == "nothing":
                break
            if play.waits_for == "roll":
                play.throw(dice)
            else:
                play.act(dice.choice(list(play.options)))
        record = read_record(play.record())
        assert record.game == game
        assert list(record.scores) == play.course.scores
        assert record.over == play.course.over
        assert not record.over or record.leaders == play.winners


@pytest.mark.parametrize(
    ("old", "new", "line", "at", "says"),
    [
        ("move 4", "move 7", 6, "7", "'7' is no face of the die"),
        ("1 -> forfeit a life", "1 -> retreat", 7, "retreat", "'retreat' cannot be done here"),
        ("spend 2 bullets", "spend 1 bullet", 14, "spend 1", "cannot be done here"),
        ("2 -> spend 2 bullets, stop", "2", 15, None, "a decision is missing before the score"),
        ("= 3 Martians, 2 lives", "= 3 Martians, 3 lives", 11, "3 Martians", "the turn ends with"),
        ("= 1\n", "= 2\n", 15, "2", "the turn ends with 1 Martian, 3 lives, 1 bullet, not 2"),
        ("3 -> spend, stop", "3 -> spend, fight", 20, "fight", "the turn is over"),
    ],
)
def test_a_fault_is_told_with_its_line_its_place_and_the_rule(old, new, line, at, says):
    with pytest.raises(NotationError, match="line") as refused:
        read_record(HUNT.replace(old, new, 1))
    error = refused.value
    assert error.what.startswith(f"line {line}: ")
    assert says in error.what
    assert error.rule or error.remedy
    if at is not None:
        assert error.text[error.at :].strip().startswith(at)


def test_tokens_that_the_map_never_gives_are_refused():
    text = "game: martians\nrules: income=steady\nseats: A\nA:\n  found {} bullets\n"
    assert read_record(text.format(1)).turns[0].steps[0].text == "found 1 bullet"
    with pytest.raises(NotationError, match="the map never gives 2 bullets") as refused:
        read_record(text.format(2))
    assert "income=steady" in str(refused.value)
    with pytest.raises(NotationError, match=r"found two|unknown"):
        read_record(text.format("two"))


# --- the review


def test_a_hunt_is_reviewed_in_turns_and_a_stop_too_soon_costs_one(source):
    found = review_record(HUNT, source=source)
    alone = solve_alone(solver.game("martians", goal=6))
    ann, bob = found.points
    assert found.unit == "turns"
    assert ann.start == bob.start == pytest.approx(alone.turns((0, 3, 3, 0)), abs=1e-9)
    assert ann.result == pytest.approx(2.0, abs=1e-10)  # it was there in its second turn
    assert ann.lost == pytest.approx(1.0, abs=0.01)  # four moves were left
    after = 1.0 + alone.turns((1, 3, 1, 0))
    assert bob.result == pytest.approx(after, abs=1e-9)  # one turn had, the rest to come
    assert max(gaps(found)) < 1e-10
    race = solve_goal_race(solver.game("martians", goal=6))
    assert found.win[0].start == pytest.approx(race.win_probability[0], abs=1e-12)
    worst = found.worst[0]
    assert (worst.text, worst.best) == ("stop", ("fight",))


def test_fights_are_reviewed_by_the_chance_to_survive(source):
    text = "game: martians-fights\nrules: fights=4\nseats: A\nA:\n 2 -> forfeit\n 5\n 4\n 6\n 4\n"
    found = review_record(text, source=source)
    (account,) = found.points
    assert found.unit == "survive"
    assert account.start == pytest.approx(0.8454861111, abs=1e-9)
    assert (account.result, account.lost > 0.0) == (1.0, True)
    assert found.scores == (4,)
    assert max(gaps(found)) < 1e-12
    best = next(step for step in found.steps if step.kind == "choice")
    values = {option["action"]: option["survive"] for option in best.options}
    assert account.lost == pytest.approx(values["spend"] - values["forfeit"], abs=1e-15)


def test_more_than_two_seats_are_reviewed_in_turns_alone(source):
    text, scores, _ = hunt_game(2, seats=3)
    found = review_record(text, source=source)
    assert found.win is None
    assert "two seats" in found.note
    assert list(found.scores) == scores
    assert max(gaps(found)) < 1e-10


def test_the_command_shows_turns_and_their_cost(tmp_path, capsys):
    file = tmp_path / "hunt.txt"
    file.write_text(HUNT, encoding="utf-8")
    assert run(["review", str(file), "--all"]) == 0
    shown = capsys.readouterr().out
    assert "reviewed for turns to the goal and the win: Ann 6, Bob 1; Ann wins" in shown
    assert "- luck  + skill lost  = result" in shown
    alone = HUNT.replace("seats: Ann, Bob", "seats: Ann")
    alone = alone[: alone.index("Bob:")] + alone[alone.index("Ann:\n  move 3") :]
    file.write_text(alone, encoding="utf-8")
    assert run(["review", str(file)]) == 0
    assert "stop; better fight: 1.00 turns" in capsys.readouterr().out


# --- at the keyboard


def test_a_hunt_is_played_with_real_dice(monkeypatch, capsys):
    typed = ["3", "fight", "2", "?", "spend 2 bullets", "stop", "q"]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{word}\n" for word in typed)))
    line = [
        "play",
        "martians",
        "--hunt",
        "--set",
        "goal=2",
        "--own-dice",
        "--seats",
        "Ann, Bob",
        "--json",
    ]
    assert run(line) == 0
    out, shown = capsys.readouterr()
    assert "the movement die shows:" in shown
    assert "the combat die shows:" in shown
    assert "martians, for the win: martians 0; lives 3; bullets 3; moves 5; rolled 2" in shown
    found = json.loads(out)
    assert found["record"].splitlines()[4:] == [
        "Ann:",
        "  move 3 -> fight",
        "  2 -> spend, stop",
        "  = 1 Martian, 3 lives, 1 bullet",
        "Bob:",
    ]
    assert found["review"]["unit"] == "turns"
    assert found["review"]["win"][0]["lost"] > 0.0


@pytest.mark.parametrize(
    ("seats", "rules"),
    [
        ("A=optimal, B=greedy", ["goal=3"]),
        ("A=turns, B=random", ["goal=3", "weapon=reroll:1"]),
        ("A=optimal", ["goal=3", "weapon=+1", "income=steady"]),
    ],
)
def test_bots_hunt_to_the_end(monkeypatch, capsys, seats, rules):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    line = ["play", "martians", "--hunt", "--seats", seats, "--seed", "3", "--json"]
    assert run([*line, *(word for rule in rules for word in ("--set", rule))]) == 0
    found = json.loads(capsys.readouterr().out)["review"]
    assert found["over"]
    if "optimal" in seats:
        best = (found["win"] or found["points"])[0]
        assert best["lost"] == pytest.approx(0.0, abs=1e-9)  # that bot makes no mistake
