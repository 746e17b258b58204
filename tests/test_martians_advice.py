"""Advice on fights and hunts, the command line, the tables, and every kind of bad input."""

import json
from fractions import Fraction

import numpy as np
import pytest

from solver.advisor import advise
from solver.apps.cli.main import run
from solver.errors import ShouldIRollError
from solver.games.martians import Gauntlet, Hunt
from solver.games.registry import game
from solver.match.goal import solve_alone, solve_goal_race
from solver.tablebase.build import build_table
from solver.tablebase.read import open_tables
from solver.tablebase.states import decoded
from solver.tablebase.verify import verify_table
from solver.turn.solve import solve_turn


def _json(capsys, *words):
    assert run([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_with_bullets_to_spare_a_losing_roll_is_bought_off():
    advice = advise("martians", fight=True, lives=3, bullets=2, rolled=2)
    assert [(o.action, o.value) for o in advice.options] == [
        ("spend", 1.0),
        ("forfeit", 1 - (1 / 6) ** 2),
    ]
    assert advice.assumption is None


def test_with_more_to_come_the_bullets_can_be_worth_more_than_a_life():
    """Two bullets for a 2 leave three fights to win with three lives: one half."""
    advice = advise("martians", fight=True, lives=3, bullets=2, rolled=2, facing=4)
    assert advice.best.action == "forfeit"
    assert Fraction(advice.options[1].exact) == Fraction(1, 2)
    assert Fraction(advice.best.exact) > Fraction(1, 2)


def test_facing_a_number_is_the_gauntlet_of_that_number():
    for facing in (1, 5, 12, 14):
        told = {"lives": 2, "bullets": 4, "rolled": 3, "facing": facing}
        advice = advise("martians", fight=True, **told)
        turn = solve_turn(Gauntlet(facing), "survive", exact=True)
        options = turn.options(("short", facing, 2, 4, 0, 0, 1))
        assert {o.action: o.exact for o in advice.options} == {
            o.action: str(o.exact) for o in options
        }


def test_kills_count_from_this_fight_on():
    advice = advise("martians", objective="kills", fight=True, lives=1, bullets=0, facing=3)
    assert Fraction(advice.best.exact) == Fraction(1, 2) + Fraction(1, 4) + Fraction(1, 8)


def test_the_hunt_tells_turns_alone_and_chances_against_an_opponent():
    told = {"hunt": True, "martians": 5, "lives": 2, "bullets": 3, "moves": 4}
    rules = {"goal": 8}
    alone = advise("martians", **told, parameters=rules)
    assert (alone.objective, alone.unit) == ("turns", "turns")
    assert alone.best.value < alone.options[1].value  # fewer turns are better
    assert alone.options[1].loss == pytest.approx(alone.options[1].value - alone.best.value)
    assert alone.assumption.startswith("open field")
    win = advise("martians", **told, opponent="6,3,1", parameters=rules)
    assert win.objective == "win"
    assert sum(win.best.win_probability) == pytest.approx(1.0, abs=1e-12)
    stop = next(o for o in win.options if o.action == "stop")
    race = solve_goal_race(Hunt(goal=8))
    assert stop.value == pytest.approx(1.0 - race.win((6, 3, 1, 0), (5, 2, 3, 0)), abs=1e-12)
    assert advise("martians", **told, objective="points", parameters=rules).unit == "points"


def test_stopping_is_worth_the_next_turn():
    told = {"martians": 3, "lives": 2, "bullets": 1, "moves": 2}
    advice = advise("martians", **told, parameters={"goal": 6, "income": "steady"})
    stop = next(o for o in advice.options if o.action == "stop")
    alone = solve_alone(game("martians", goal=6, income="steady"))
    assert stop.value == pytest.approx(1.0 + alone.turns((3, 2, 1, 0)), rel=1e-12)
    assert stop.bust == 0.0


def test_a_winning_roll_adds_a_martian():
    told = {"martians": 3, "lives": 2, "bullets": 1, "moves": 2, "parameters": {"goal": 6}}
    won = advise("martians", **told, rolled=5)
    assert "this roll wins: 4 Martians" in won.note
    told["martians"] = 4
    assert [o.value for o in won.options] == [o.value for o in advise("martians", **told).options]


@pytest.mark.parametrize(
    ("told", "note"),
    [
        ({"martians": 4, "moves": 0}, "no moves are left"),
        ({"martians": 4, "moves": 0, "rolled": 6}, "this roll wins: 5 Martians; no moves are left"),
        ({"martians": 5, "moves": 0, "rolled": 6}, "the goal is reached"),
        ({"martians": 4}, "movement roll"),
    ],
)
def test_where_nothing_is_decided_the_note_says_why(told, note):
    advice = advise("martians", lives=2, bullets=2, parameters={"goal": 6}, **told)
    assert note in advice.note
    assert len(advice.options) == 1


def test_dying_on_purpose_can_be_right_and_is_explained():
    """A last life and a few bullets are worth less than three and three, once little is lost."""
    turn_values = {}
    for bullets in (1, 2, 3):
        advice = advise(
            "martians", martians=0, lives=1, bullets=bullets, moves=0, rolled=4 - bullets
        )
        turn_values[bullets] = advice
        assert "to forfeit is to die: 0 Martians are left" in advice.note
    best = {b: a.best.action for b, a in turn_values.items()}
    assert "forfeit" in best.values()


def test_within_is_the_best_chance_in_time():
    told = {"martians": 4, "lives": 1, "bullets": 0, "moves": 1, "parameters": {"goal": 5}}
    advice = advise("martians", **told, objective="within:1")
    assert {o.action: o.value for o in advice.options} == {"fight": 0.5, "stop": 0.0}


def test_the_commands_of_the_contract(capsys):
    fight = ("advise", "martians", "--fight", "--lives", "3", "--bullets", "2", "--rolled", "2")
    assert _json(capsys, *fight)["options"][0]["action"] == "spend"
    assert _json(capsys, *fight, "--facing", "4")["options"][0]["action"] == "forfeit"
    hunt = ("advise", "martians", "--hunt", "--martians", "12", "--lives", "2", "--bullets", "3")
    found = _json(capsys, *hunt, "--moves", "4")
    assert (found["objective"], found["options"][0]["action"]) == ("turns", "fight")
    assert found["assumption"].startswith("open field")
    small = "advise martians --hunt --martians 3 --lives 2 --bullets 3 --moves 1 --set goal=4"
    assert _json(capsys, *small.split(), "--opponent", "3,3,1")["objective"] == "win"
    solve = ("solve", "martians", "--objective")
    survive = _json(capsys, *solve, "survive:5", "--lives", "3", "--bullets", "3", "--exact")
    assert survive["exact"] == "2519/3456"
    turns = _json(capsys, *solve, "turns", "--set", "goal=10", "--set", "income=none")
    assert turns["value"] == pytest.approx(3.905909064593786, rel=1e-12)
    win = _json(capsys, *solve, "win", "--seats", "2", "--set", "goal=10", "--set", "income=none")
    assert win["win_probability"][0] == pytest.approx(0.597798277968204, abs=1e-11)
    assert sum(win["win_probability"]) == 1.0
    assert win["exactness"]["error"] < 1e-11
    kills = _json(capsys, *solve, "kills")
    assert kills["exact"] == "1651/243"
    assert _json(capsys, *solve, "within:4", "--set", "goal=2")["value"] > 0.999


BAD = [
    ("advise martians --fight --lives 6 --bullets 2", "Additional Rules"),
    ("advise martians --fight --lives 3 --bullets -1", "Additional Rules"),
    ("advise martians --fight --lives 3 --bullets 2 --rolled 7", "one d6"),
    ("advise martians --fight --lives 3 --bullets 2 --rolled x", "whole number"),
    ("advise martians --fight --lives 0 --bullets 2", "Combat Rules"),
    ("advise martians --fight --bullets 2", "--lives is needed"),
    ("advise martians --fight --lives 3 --bullets 2 --moves 3", "is for hunts"),
    ("advise martians --fight --hunt", "two questions"),
    ("advise martians --fight --lives 3 --bullets 2 --facing 0", "1 to 60"),
    ("advise martians --fight --lives 3 --bullets 2 --opponent 1,2,3", "is for hunts"),
    ("advise martians --hunt --lives 3 --bullets 2 --facing 4", "may stop"),
    ("advise martians --martians 30 --lives 3 --bullets 2 --moves 1", "Object of the Game"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 12", "Player Movement Rules"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --rolled 2", "--moves is needed"),
    ("advise martians --martians 0 --lives 1 --bullets 2 --moves 10", "no legal turn"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --opponent 40,1,1", "Object of"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --opponent 4,1", "20,3,1"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --scores 1,2", "--opponent"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --objective win", "--opponent"),
    (
        "advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --using +1",
        "nothing was rolled",
    ),
    ("advise martians --fight --lives 3 --bullets 2 --rolled 2 --using +1", "holds none"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --seat 2", "player on turn"),
    ("advise martians --fight --lives 3 --bullets 2 --seat 1", "player on turn"),
    ("advise martians --martians 3 --lives 3 --bullets 2 --moves 2 --objective foo", "within:N"),
    ("solve martians --objective points --opponent 1,1,1 --set goal=2", "is for the win"),
    ("solve martians --objective foo --set goal=2", "turns"),
    ("solve martians --set income=0,0:1/2", "sum to 1/2"),
    ("solve martians --set income=0,0:1/0", "over zero"),
    ("solve martians --set income=plenty", "is no income"),
    ("solve martians --set income=tokens:6", "Additional Rules"),
    ("solve martians --set income=6,0:1", "Additional Rules"),
    ("solve martians --set weapon=bazooka", "is no weapon"),
    ("solve martians --set weapon=+1,+1", "held twice"),
    ("solve martians --set goal=0", "out of range"),
    ("solve martians --objective turns --martians 30", "Object of the Game"),
    ("solve martians --objective turns --exact", "proven bound"),
    ("solve martians --objective turns --seats 2", "is for the win"),
    ("solve martians --objective win --seats 3", "two seats"),
    ("solve martians --objective survive:0", "1 to 60"),
    ("solve martians --objective survive:5 --martians 3", "is for hunts"),
    ("solve martians --objective within:0 --set goal=2", "1 to 10000"),
    ("solve martians --objective turns --opponent 1,1,1", "is for the win"),
]


@pytest.mark.parametrize(("line", "says"), BAD)
def test_bad_input_gets_one_message_and_no_traceback(capsys, line, says):
    assert run(line.split()) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert "Traceback" not in told.err


def test_a_component_too_large_is_refused_with_estimate_and_limit(capsys):
    words = ["solve", "martians", "--objective", "win", "--max-memory", "50MiB"]
    assert run(words) == 4
    assert "810,000 pairs" in capsys.readouterr().err


def test_the_gauntlet_table_answers_and_is_the_closed_form():
    with open_tables() as tables:
        advice = advise("martians", tables=tables, fight=True, lives=3, bullets=2, rolled=2)
        assert advice.table == "martians-gauntlet"
        values = tables["martians-gauntlet"]
        states = decoded(values.array("roll-states"), values.entry.tags)
        rows = dict(zip(states, values.array("roll-rows").tolist(), strict=True))
        for lives in range(1, 6):
            for bullets in range(4):
                chance = values.array("policy-value")[0, rows["fight", 1, lives, bullets, 0, 0]]
                right = 1 - ((3 - bullets) / 6) ** lives
                assert chance == pytest.approx(right, abs=1e-15)


def test_the_table_of_turns_answers_like_the_solver(tmp_path):
    told = {"martians": 12, "lives": 2, "bullets": 3, "moves": 4}
    rules = {"income": "steady"}
    from_table = advise("martians", **told, parameters=rules)
    assert from_table.table == "martians-turns-steady"
    (tmp_path / "MANIFEST.json").write_text('{"schema": 1, "tables": {}}')
    solved = advise("martians", **told, parameters=rules, tables=tmp_path)
    assert solved.table is None
    for a, b in zip(from_table.options, solved.options, strict=True):
        assert a.value == pytest.approx(b.value, rel=1e-12)


@pytest.mark.parametrize(
    "name",
    ["martians-gauntlet", pytest.param("martians-turns-rich", marks=pytest.mark.slow)],
)
def test_tables_are_verified_and_a_wrong_one_is_found(tmp_path, name):
    build_table(name, tmp_path)
    with open_tables(tmp_path) as tables:
        assert verify_table(tables[name]).name == name
        label = "turns" if "turns" in name else "policy-value"
        array = np.array(tables[name].array(label))
        array.flat[5] += 1e-3
        array.flags.writeable = False
        tables[name]._arrays[label] = array
        with pytest.raises(ShouldIRollError):
            verify_table(tables[name])
