"""Review: every account adds up, every value is the advisor's, every fault has its place."""

from __future__ import annotations

import contextlib
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import alien_game, martian_game
from small_games import CHASE

import solver
from solver.advisor.review import ReviewSource, read_record, review_record
from solver.advisor.review.header import Header
from solver.advisor.review.play import Play
from solver.advisor.review.reader import _Reader
from solver.advisor.review.review import review
from solver.advisor.review.values import win_values
from solver.apps.cli.main import run
from solver.errors import NotationError, ShouldIRollError
from solver.games.protocol import Roll

ZAX = """\
# the rulebook's sample turn; dice that it does not name are made up
game: martian-dice
seats: Zax, Bob

Zax:
  T2 R3 H4 C2 K2 -> humans, roll
  T1 R2 C3 H1 -> death rays, roll
  K1 H3 -> chicken, roll
  R1 C1 H1 -> death ray, stop
  = 5 (5)
Bob:
  T2 R3 H4 C2 K2 -> humans
"""


@pytest.fixture(scope="module")
def source():
    with solver.open_tables() as tables:
        yield ReviewSource(tables)


def gap(account):
    return abs(account.start + account.luck - account.lost + account.gained - account.result)


def check(text, scores, winners, source):
    """A simulated match: the scores are the referee's, and every account adds up."""
    found = review_record(text, source=source)
    assert list(found.scores) == scores
    assert [seat - 1 for seat in found.winners] == winners
    for seat, account in enumerate(found.points):
        assert gap(account) <= 1e-12
        assert account.result == pytest.approx(scores[seat], abs=1e-12)
        assert account.gained == 0.0
    for seat, account in enumerate(found.win):
        share = 1 / len(winners) if seat in winners else 0.0
        assert gap(account) <= 1e-12
        assert account.result == pytest.approx(share, abs=1e-12)
    for account in (*found.points, *found.win):
        assert account.lost >= -1e-12
    return found


# --- luck, skill, result


@pytest.mark.parametrize("seed", range(6))
def test_luck_less_skill_lost_is_the_result(seed, source):
    found = check(*martian_game(seed), source)
    one, two = found.win
    assert one.start + two.start == pytest.approx(1, abs=1e-12)
    assert one.gained == pytest.approx(
        two.lost, abs=1e-12
    )  # of two, one's loss is the other's gain
    assert one.luck == pytest.approx(-two.luck, abs=1e-12)


@pytest.mark.parametrize(
    "rules",
    [
        {"end": "immediate", "target": 12},
        {"tie": "shared", "target": 5, "dice": 6},
        {"seats": 3},
        {"seats": 4, "target": 4, "dice": 4},
    ],
    ids=["immediate", "shared", "three seats", "four seats"],
)
def test_accounts_add_up_under_other_rules_and_with_more_seats(rules, source):
    for seed in range(3):
        if rules.get("seats") == 4:
            found = review_record(martian_game(seed, **rules)[0], source=source)
            assert found.win is None  # four seats are not solved on the spot
            assert "table" in found.note
            assert all(gap(account) <= 1e-12 for account in found.points)
        else:
            check(*martian_game(seed, **rules), source)


@pytest.mark.parametrize(("seats", "rounds"), [(2, 4), (3, 1)])
def test_accounts_add_up_in_alien_crew(seats, rounds, source):
    for seed in range(5):
        check(*alien_game(seed, seats=seats, rounds=rounds), source)


@pytest.mark.slow
def test_accounts_add_up_in_a_thousand_games(source):
    for seed in range(1000):
        check(*martian_game(1000 + seed), source)


@pytest.mark.slow
def test_accounts_add_up_in_many_games_of_three_seats_and_of_alien_crew(source):
    for seed in range(100):
        check(*martian_game(5000 + seed, seats=3), source)
        check(*alien_game(5000 + seed), source)


def test_mixing_seats_are_reviewed_by_the_mix(source):
    """In this game of three seats two must mix: what others' chances are follows the mix."""
    solved = solver.solve_match(CHASE, 3)
    assert solved.mixes
    visited = set()
    for first in ("0", "1"):
        reader = _Reader(Header(CHASE, ("A", "B", "C")))
        lines = [
            "A:", f" -> lottery-{first}", " ('bank', 1)" if first == "1" else " ('bank', 0)",
            "B:", " -> lottery-1", " ('bank', 1)",
            "C:", " -> lottery-0", " ('bank', 0)",
            "A:", " -> lottery-1", " ('bank', 1)",
            "B:", " -> lottery-0", " ('bank', 0)",
            "C:", " -> lottery-1", " ('bank', 4)",
        ]  # fmt: skip
        for number, line in enumerate(lines, 1):
            reader.read(number, line, 0)
        record = reader.record()
        visited |= {(turn.scores, turn.seat) for turn in record.turns}
        found = review(record, source)
        assert all(gap(account) <= 1e-12 for account in found.win)
    assert visited & set(solved.mixes)


def test_luck_is_zero_on_average_at_every_roll(source):
    """Whatever was rolled, what could have been rolled changes nobody's chance on average."""
    text, *_ = martian_game(7, seats=3)
    record = read_record(text)
    graph = source.graph(record.game)
    won = source.win(record.game, graph, 3)
    rolls = 0
    for turn, (values, _) in zip(record.turns, win_values(graph, won, record.turns), strict=True):
        for step in turn.steps:
            if step.kind != "dice":
                continue
            expansion = record.game.expand(step.state)
            assert isinstance(expansion, Roll)
            whole = sum(weight for weight, _ in expansion.branches)
            for seat in range(3):
                mean = sum(w * values[graph.node(s), seat] for w, s in expansion.branches) / whole
                assert mean == pytest.approx(values[graph.node(step.state), seat], abs=1e-12)
            rolls += 1
    assert rolls > 20


def test_every_value_is_the_one_that_advice_gives(source):
    """The review solves whole turns; advice reads a table: two ways to the same numbers."""
    text, *_ = martian_game(3)
    record = read_record(text)
    found = review_record(text, source=source)
    compared = 0
    with solver.open_tables() as tables:
        advise = solver.Advisor(tables)
        for step in found.steps:
            compared += step.turn <= 4 and agrees(step, record, advise)
    assert compared > 10


def agrees(step, record, advise):
    """One decision, compared with the advice on it; False for dice."""
    if step.kind != "choice":
        return False
    turn = record.turns[step.turn - 1]
    for_points = advise("martian-dice", **step.told)
    for_win = advise("martian-dice", scores=turn.scores, seat=step.seat, **step.told)
    options = {option["action"]: option for option in step.options}
    assert set(options) == {option.action for option in for_points.options}
    for option in for_points.options:
        assert options[option.action]["points"] == pytest.approx(option.value, abs=1e-12)
    for option in for_win.options:
        win = options[option.action]["win_probability"]
        assert win == pytest.approx(option.value, abs=1e-12)
        if option.action == step.text:
            assert step.win == pytest.approx(option.loss, abs=1e-12)
    assert set(step.best) == {o.action for o in for_win.options if o.best}
    return True


# --- the sample turn


def test_the_sample_turn_of_the_rulebook():
    found = review_record(ZAX)
    zax = found.points[0]
    assert zax.result == 5.0
    assert zax.lost == pytest.approx(0.2037037037037037, abs=1e-12)  # stopping: 5.2037... to roll
    (worst,) = found.worst
    assert (worst.line, worst.text, worst.best, worst.worst) == (9, "stop", ("roll",), True)
    assert not found.over
    assert found.winners == ()


def test_a_record_that_stops_within_a_turn_ends_with_the_value_there():
    bob = review_record(ZAX).points[1]
    worth = solver.advise("martian-dice", aside="T2 H4").best.value
    assert bob.result == pytest.approx(worth, abs=1e-12)


def test_an_empty_record_is_the_start():
    found = review_record("game: martian-dice\nseats: A, B\n")
    assert found.steps == ()
    assert found.win[0].start == found.win[0].result == pytest.approx(0.48412297659, abs=1e-9)


def test_the_dice_of_a_tie_are_luck(source):
    text, _, winners = next(
        game for seed in range(200) if "winner" in (game := martian_game(seed, target=5))[0]
    )
    named = review_record(text, source=source)
    open_ = review_record(re.sub(r"winner: .*", "", text), source=source)
    won = winners[0]
    assert open_.win[won].result == pytest.approx(0.5, abs=1e-12)
    assert named.win[won].luck - open_.win[won].luck == pytest.approx(0.5, abs=1e-12)
    assert named.win[won].own_luck == open_.win[won].own_luck


def test_alone_a_match_is_reviewed_for_points(source):
    found = review_record("game: alien-crew\nseats: Ann\nAnn:\n 6 5 4 1 2\n", source=source)
    assert found.win is None
    assert found.points[0].start == pytest.approx(169123624727 / 39182082048)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-> humans, roll", "-> H,roll"),
        ("-> humans, roll", "-> take the humans, roll again"),
        ("-> humans, roll", "-> human"),  # the next roll shows that dice were rolled
        (
            "T2 R3 H4 C2 K2 -> humans, roll",
            "2 tanks, 3 death rays, 4 humans, 2 cows, 2 chickens -> H",
        ),
        ("-> chicken, roll", "-> roll"),  # one type only: it goes without saying
        ("-> chicken, roll", ""),
        ("-> death ray, stop\n  = 5 (5)", "-> death ray"),
        ("\n", "\r\n"),
        ("# the", "\ufeff# the"),
    ],
)
@pytest.mark.slow
def test_what_goes_without_saying_may_be_left_out(one, other):
    assert one in ZAX
    plain, short = (
        review_record(ZAX),
        review_record(ZAX.replace(one, other, 1 if one != "\n" else -1)),
    )
    assert short.points == plain.points
    assert short.win == plain.win


# --- faults


FAULTS = [
    ("K1 H3 -> chicken", "K1 H4 -> chicken", 8, "K1", "5 dice, and 4 are rolled", "step 1"),
    ("K1 H3 -> chicken", "K1 H2 X1 -> chicken", 8, "X1", "unknown letter 'X'", None),
    ("chicken, roll", "cow, roll", 8, "cow", "'cow' cannot be done here", "step 3"),
    ("humans, roll\n  T1", "tanks, roll\n  T1", 6, "tanks", "'tanks' cannot", "step 3"),
    ("humans, roll\n  T1", "humans, stop\n  T1", 7, "T1", "the turn is over", None),
    ("= 5 (5)", "= 6 (5)", 10, "6", "the turn brings 5, not 6", "Scoring"),
    ("= 5 (5)", "= 5 (7)", 10, "7", "the score is then 5, not 7", "Scoring"),
    ("= 5 (5)", "= five", 10, "five", "whole number", None),
    ("Bob:", "Zax:", 11, "Zax", "Bob is on turn, not Zax", "order of the seats"),
    ("Bob:", "Cid:", 11, "Cid", "no seat is called 'Cid'", None),
    ("Bob:", "winner: Bob\nBob:", 11, "Bob", "not over", "completed"),
    ("martian-dice", "martian-dce", 2, "martian-dce", "unknown game", None),
    ("seats:", "rules: target=0\nseats:", 3, "target=0", "out of range", None),
    ("seats:", "rules: bonus\nseats:", 3, "bonus", "NAME=VALUE", None),
    ("seats:", "seat:", 3, "seat:", "unknown line 'seat'", None),
    ("Zax, Bob", "Zax, zax", 3, "zax", "two seats are called", None),
    ("Zax, Bob", "Zax, , Bob", 3, ",", "needs a name", None),
    ("Zax:", "", 6, "T2", "before the first turn", None),
    ("  R1 C1 H1 -> death ray, stop\n", "", 9, "= 5", "dice must be rolled", None),
]


@pytest.mark.parametrize(("one", "other", "line", "under", "what", "rule"), FAULTS)
def test_a_fault_is_shown_with_line_place_and_rule(one, other, line, under, what, rule):
    text = ZAX.replace(one, other, 1)
    with pytest.raises(NotationError) as caught:
        read_record(text)
    error = caught.value
    assert error.what.startswith(f"line {line}: ")
    assert what in error.what
    assert error.text == text.split("\n")[line - 1]
    assert error.text[error.at :].lstrip(" ").startswith(under)
    assert rule is None or rule in error.rule
    assert rule is not None or error.remedy is not None or error.rule is not None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "does not tell the game"),
        ("game: pig\n", "does not tell the seats"),
        ("game: pig\nseats: A\nA:\n 7", "'7' is no face"),
        ("game: alien-crew\nseats: A\nA:\n 6 5 4 1", "4 dice, and 5 are thrown"),
        ("game: alien-crew\nseats: A\nA:\n 6 5 4 1 2 -> roll 3", "'roll 3' cannot"),
        ("game: alien-crew\nseats: A\nA:\n 6 5 4 1 2\n 3 3", "a decision is missing"),
        ("game: alien-crew\nseats: A\nA:\n 6 5 4 1 2 -> roll 1\n 3 3", "2 dice, and 1 are"),
        ("game: alien-crew\nseats: A\nA:\n 1 1 1 2 2 -> stop", "nothing is decided here"),
        ("game: alien-crew\nseats: A\nA:\n 6 5 4 1 2 -> stop\nwinner: A", "not over"),
        ("game: pig\nrules: target=5\nseats: A\nA:\n 5\nA:\n 5", "the match is over"),
        ("game: pig\nrules: target=5\nseats: A, B\nA:\n 5\nwinner: B", "B has not won"),
        ("game: pig\nrules: target=5\nseats: A\nA:\n 5\n= 5\n= 5", "told twice"),
    ],
)
def test_other_games_refuse_in_their_words(text, what):
    with pytest.raises(ShouldIRollError, match=what):
        read_record(text)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_text_ends_in_anything_but_a_message(data):
    text = data.draw(
        st.sampled_from([ZAX, martian_game(1, target=5)[0], alien_game(1, rounds=2)[0]])
    )
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    added = data.draw(st.text(max_size=4) | st.sampled_from(["->", "\n=", ":", "(", "T99", "\n\n"]))
    changed = text[:at] + added + text[at + cut :]
    with contextlib.suppress(ShouldIRollError):
        assert read_record(changed).seats


# --- front doors


def test_the_command_prints_what_the_function_returns(tmp_path, capsys):
    file = tmp_path / "game.txt"
    file.write_text(ZAX, encoding="utf-8")
    assert run(["review", str(file), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == json.loads(json.dumps(review_record(ZAX).as_dict()))
    assert run(["review", str(file)]) == 0
    out = capsys.readouterr().out
    assert "line 9, round 1, Zax" in out
    assert "better roll: 0.98 % of the win, 0.20 points" in out
    assert run(["review", str(file), "--all"]) == 0
    assert "<-- one of the worst" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_one_message(tmp_path, capsys):
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name in ("missing", "bytes", "."):
        assert run(["review", str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert "Traceback" not in error


def test_every_record_that_play_writes_can_be_read():
    play = Play(solver.game("martian-dice", bonus=5), ["A", "B"])
    play.roll("T2 R3 H4 C2 K2")
    play.act("human")
    record = read_record(play.record())
    assert record.game == play.game
    assert record.turns[0].steps[-1].after == play.turn.state
