"""Records of the complete game of Martians!!!: written, replayed, resumed; faults have a line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from martians_table import DINER, HOUSE, player, position

from solver.errors import GameError, NotationError, PositionError, UsageError
from solver.games.martians.board import write_position
from solver.games.readings import make
from solver.referee.martians_game import (
    Game,
    Live,
    Player,
    Question,
    RandomBot,
    Rules,
    new_game,
    record_text,
    replay,
    resume,
)
from solver.referee.martians_game.questions import RULES, Chance


def bots(count, seed):
    return [RandomBot(np.random.default_rng([seed, n])) for n in range(count)]


def a_game(turns=9, seed=3, count=2, **rules):
    found = new_game(bots(count, seed), np.random.default_rng(seed), rules=make(Rules, rules))
    for _ in range(turns):
        if found.result is None:
            found.play_turn()
    return found


@pytest.fixture(scope="module")
def text():
    return record_text(a_game())


def edited(text, find, change):
    """The record with the first line that holds some entries changed; and the line's number."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        says = json.loads(line)
        if find.items() <= says.items():
            lines[number] = json.dumps({**says, **change}) if change else ""
            return "\n".join(lines), number + 1
    raise AssertionError(find)


def test_a_line_is_a_turn_a_chance_a_choice_or_the_end(text):
    header, *lines = map(json.loads, text.splitlines())
    assert header["format"] == "martians-game-1"
    assert header["players"] == ["red", "blue"]
    assert header["rules"]["last-life"] == "dies"
    assert {next(iter(line)) for line in lines} == {"turn", "chance", "seat"}
    for line in lines:
        if "choice" in line:
            assert line["choice"] in list(Question)
        elif "chance" in line:
            assert line["chance"] in list(Chance)


def test_what_is_forced_and_that_nobody_plays_a_card_is_not_written(text):
    assert not [
        line
        for line in map(json.loads, text.splitlines())
        if line.get("choice") == "card" and line["is"] is None
    ]


@pytest.mark.parametrize("play", ["noncooperative", "cooperative"])
def test_a_record_replays_to_the_same_position_and_record(play):
    played = a_game(turns=60, play=play, last_life="one-more-roll", refill="one")
    text = record_text(played)
    again = replay(text)
    assert write_position(again.position) == write_position(played.position)
    assert record_text(again) == text
    assert again.result == played.result
    assert again.rules == played.rules
    if played.result:
        assert json.loads(text.splitlines()[-1])["end"] == played.result.ending


def test_a_game_starts_from_a_position_and_its_record_holds_it():
    where = position(
        [player(at=(4, 1), items=["fuel"], weapons="+1", hand=2), player("blue", hand=3)],
        layout=[HOUSE, DINER],
        martians=[[3, 1], [5, 1]],
        moves=3,
    )
    found = Game(where, Live(bots(2, 1), np.random.default_rng(1)))
    assert found.position == where
    cards = [*found.course.events.deck, *found.course.hands[0], *found.course.hands[1]]
    assert cards.count("club") == 2  # the third of three is in play
    for _ in range(3):
        found.play_turn()
    again = replay(record_text(found))
    assert again.start == where
    assert write_position(again.position) == write_position(found.position)


def test_a_record_may_stop_anywhere(text):
    lines = text.splitlines()
    last = None
    for stop in (*range(7, len(lines), 6), len(lines)):
        last = replay("\n".join(lines[:stop]))
        assert record_text(last).splitlines() == lines[:stop]
    assert write_position(last.position) == write_position(a_game().position)


def test_a_record_is_played_on_by_others(text):
    lines = text.splitlines()[:-5]
    found = resume("\n".join(lines), Live(bots(2, 9), np.random.default_rng(9)))
    for _ in range(5):
        found.play_turn()
    assert found.course.table.turn > 9
    assert record_text(found).splitlines()[: len(lines)] == lines
    assert write_position(replay(record_text(found)).position) == write_position(found.position)
    with pytest.raises(UsageError, match="1 players for 2 seats"):
        resume(text, Live(bots(1, 9), np.random.default_rng(9)))


@pytest.mark.parametrize(
    ("find", "change", "rule"),
    [
        ({"choice": "placement"}, {"is": [5, 5, 0]}, "Placing Map Tiles 1"),
        ({"choice": "placement"}, {"is": None}, "Placing Map Tiles 1"),
        ({"choice": "step"}, {"is": [9, 9]}, "Player Movement Rules"),
        ({"choice": "martian"}, {"is": [[0, 0], [9, 9]]}, "Martian Movement Rules"),
        ({"chance": "movement"}, {"is": 7}, "Turn Sequence Overview 4"),
        ({"chance": "movement"}, {"is": True}, "Turn Sequence Overview 4"),
        ({"chance": "combat"}, {"is": 0}, "Combat Rules 2"),
        ({"chance": "tile"}, {"is": "house"}, "Turn Sequence Overview 1"),
        ({"chance": "event card"}, {"is": "joker"}, "Turn Sequence Overview 3"),
        ({"turn": 2}, {"seat": 1}, "Turn Sequence Overview"),
        ({"choice": "step"}, {"seat": 2}, "Turn Sequence Overview"),
        ({"chance": "movement"}, None, "Turn Sequence Overview"),
    ],
)
def test_an_illegal_line_is_named_with_its_number_and_the_rule(text, find, change, rule):
    bad, number = edited(text, find, change)
    with pytest.raises(PositionError) as caught:
        replay(bad)
    error = caught.value
    assert error.rule.startswith(rule)
    assert error.remedy
    named = int(error.field.removeprefix("line "))
    assert named == number if change else named >= number
    assert error.what.startswith(error.field)


def test_every_question_and_chance_has_its_rule():
    assert set(RULES) == {*Question, *Chance}


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("", "the record is empty"),
        ("{", "line 1 is no JSON"),
        ("[]", "line 1 is no object"),
        ('{"format": "martians-game-2"}', "line 1: /format"),
        ('{"format": "martians-game-1"}', "line 1: a game is of 1 to 6 players"),
        (
            '{"format": "martians-game-1", "players": ["a"], "rules": {"lost": "b"}}',
            "unknown reading of lost",
        ),
        (
            '{"format": "martians-game-1", "players": ["a"], "tile": 1}',
            "the name 'tile' is unknown",
        ),
        ('{"format": "martians-game-1", "position": {}}', "line 1: /format"),
        ('{"format": "martians-game-1", "players": ["a"]}', "before the hands are dealt"),
    ],
)
def test_a_record_that_cannot_be_read_says_why(bad, says):
    with pytest.raises((NotationError, UsageError), match=says) as caught:
        replay(bad)
    assert caught.value.field is not None


def test_nothing_may_follow_the_end():
    played = a_game(turns=200, play="cooperative", count=1)
    text = record_text(played)
    assert played.result is not None
    with pytest.raises(PositionError, match="the game is over before it"):
        replay(text + '{"turn": 500, "seat": 1}\n')
    bad, number = edited(text, {"end": played.result.ending.value}, {"end": "collected"})
    with pytest.raises(PositionError, match=f"line {number}: the end"):
        replay(bad)
    with pytest.raises(UsageError, match="is over"):
        resume(text, Live(bots(1, 1), np.random.default_rng(1)))
    with pytest.raises(UsageError, match="the game is over"):
        played.play_turn()


def test_a_player_who_breaks_the_rules_is_stopped():
    class Cheat(Player):
        def placement(self, _view, _options):
            return (0, 0, 0)

    found = new_game([Cheat()], np.random.default_rng(1))
    with pytest.raises(GameError, match="placement") as caught:
        found.play_turn()
    assert caught.value.rule == RULES[Question.PLACEMENT]
