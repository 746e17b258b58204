"""Advice from a position on the board, at every front door."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import solver
from solver.advisor.board import BoardReadings, advise_board
from solver.advisor.board.objectives import OBJECTIVES
from solver.advisor.goals import GoalValues
from solver.apps.cli.main import run
from solver.errors import NotationError, PositionError, TooLargeError, UsageError
from solver.games.martians.board import (
    Play,
    Token,
    arrive,
    read_position,
    start_position,
    synthetic_tiles,
    write_position,
)
from solver.games.martians.hunt import Hunt
from solver.games.martians.plan import most_martians
from solver.games.martians.plan.ground import ground_of
from solver.games.martians.weapons import Weapon, Weapons
from solver.tablebase.read import open_tables
from solver.turn.board import plan_movement


def position(step=4, moves=None, **me):
    """House, diner, tee and farm; red stands on the road of the House tile, blue at the House."""
    here = start_position(synthetic_tiles(), ["red", "blue"])
    for name in ("diner", "tee", "farm"):
        here = arrive(here, here.layout.placements(name)[0])
    red = replace(here.players[0], at=(1, 1), **me)
    return replace(here, players=(red, here.players[1]), step=step, moves=moves)


def test_every_option_is_listed_best_first_with_what_it_costs():
    advice = advise_board(position(5, 3), "martians")
    plan = plan_movement(ground_of(position(5, 3)), most_martians(), 3)
    assert len(advice.options) == len(plan.options)
    assert advice.best.value == pytest.approx(plan.value)
    assert advice.best.loss == 0.0
    values = [option.value for option in advice.options]
    assert values == sorted(values, reverse=True)
    for option in advice.options:
        assert option.loss == pytest.approx(advice.best.value - option.value, abs=1e-12)
    assert advice.objective == advice.unit == "martians"
    assert advice.exactness.kind == "bounded"
    assert 0 < advice.exactness.error < 1e-9
    assert advice.rules == {"last-life": "dies", "at-five": "goes-back"}
    assert "cards" in advice.assumption


def test_moves_that_a_card_added_beyond_eleven_are_planned_and_can_be_saved():
    """A card adds up to nine (event cards); die and life tokens alone come to eleven."""
    here = position(5, 14)
    assert read_position(write_position(here)) == here
    plan = plan_movement(ground_of(here), most_martians(), 14)
    assert advise_board(here, "martians").best.value == pytest.approx(plan.value)
    assert plan.value >= plan_movement(ground_of(here), most_martians(), 11).value


def test_a_movement_roll_that_is_told_gives_the_moves():
    told = advise_board(position(4), "martians", roll=2)
    moved = advise_board(position(5, 5), "martians")
    assert told.position["moves"] == "5"
    assert [(o.action, o.value) for o in told.options] == [
        (o.action, o.value) for o in moved.options
    ]
    before = advise_board(position(4), "martians")
    assert [o.action for o in before.options] == ["roll"]
    rolls = [advise_board(position(4), "martians", roll=n).best.value for n in range(1, 7)]
    assert before.best.value == pytest.approx(sum(rolls) / 6)
    assert "no choice" in before.note


def test_a_fight_on_the_own_square_is_mended():
    met = replace(position(2, lives=1, bullets=2), martians=((1, 1),), supply=80)
    advice = advise_board(met, "survive", rolled=3)
    assert {o.action for o in advice.options} == {"spend", "forfeit"}
    assert advice.best.action == "spend"
    forfeit = advice.options[-1]
    assert (forfeit.value, forfeit.bust) == (0.0, 1.0)
    armed = replace(
        met, players=(replace(met.players[0], weapons=Weapons((Weapon(1),))), met.players[1])
    )
    use = advise_board(armed, "survive")
    assert {o.action for o in use.options} == {"use-+1", "bare-hands"}
    with pytest.raises(PositionError, match="wins this fight"):
        advise_board(armed, "survive", rolled=3, using="+1")


def test_the_martians_moves_are_advised_in_step_six():
    advice = advise_board(position(6, 2), "martians")
    assert all(o.action.startswith("move ") for o in advice.options)
    assert advice.bust_means == "You die in your next turn"
    assert "no way is better" in advice.note
    told = advise_board(position(6), "martians", roll=2)
    assert [o.value for o in told.options] == [o.value for o in advice.options]
    with pytest.raises(PositionError, match="die for the Martians is not told"):
        advise_board(position(6), "martians")


class Hunts:
    """Hunts that are told, not solved: a turn for each Martian that is missing, and for tokens."""

    def __init__(self):
        names = [(k, l, b, 0) for k in range(30) for l in range(1, 6) for b in range(6)]
        self.standings = SimpleNamespace(names=names, number=names.index)

    def alone(self, _game):
        values = [30.0 - k + 2.0 / l + 1.0 / (1 + b) for k, l, b, _ in self.standings.names]
        return GoalValues(self.standings, np.array(values), 1e-12, "a-table")

    def pairs(self, _game, _progress=None):
        own = np.array([k + l / 10 + b / 100 for k, l, b, _ in self.standings.names])
        return GoalValues(self.standings, 0.5 + (own[:, None] - own) / 70, 1e-12, None)


def test_turns_are_those_of_the_solved_hunts():
    """To stay is one turn more than from here; a Martian more is a turn less."""
    me = {"lives": 2, "bullets": 4, "martians": 11}
    advice = advise_board(position(5, 3, **me), "turns", hunts=Hunts())
    stay = next(o for o in advice.options if o.action == "stop")
    assert stay.value == pytest.approx(1.0 + 30 - 11 + 1.0 + 0.2)
    assert advice.best.value < stay.value
    assert advice.unit == "turns"
    assert advice.table == "a-table"
    assert advice.rules["income"] == "steady"
    assert "open field" in advice.assumption


def test_the_win_is_against_the_other_player_or_whoever_is_told():
    me = {"lives": 2, "bullets": 4, "martians": 11}
    advice = advise_board(position(5, 3, **me), "win", hunts=Hunts())
    stay = next(o for o in advice.options if o.action == "stop")
    assert stay.value == pytest.approx(1.0 - (0.5 + (0.33 - 11.24) / 70))
    told = advise_board(position(5, 3, **me), "win", hunts=Hunts(), opponent="20,5,5")
    stay = next(o for o in told.options if o.action == "stop")
    assert stay.value == pytest.approx(1.0 - (0.5 + (20.55 - 11.24) / 70))
    assert told.unit == "win_probability"


@pytest.mark.slow
def test_turns_come_from_the_table_that_is_shipped():
    me = {"lives": 2, "bullets": 4, "martians": 11}
    advice = advise_board(position(5, 3, **me), "turns")
    stay = next(o for o in advice.options if o.action == "stop")
    with open_tables(None) as tables:
        hunts = solver.Advisor(tables).goals.alone(Hunt(income=BoardReadings().income))
        ahead = hunts.values[hunts.standings.number((11, 2, 4, 0))]
    assert stay.value == pytest.approx(1.0 + ahead)
    assert advice.table == "martians-turns-steady"


def test_the_square_to_reach_is_named_by_its_coordinates():
    advice = advise_board(position(5, 4), "reach:1,0")
    assert advice.best.value == pytest.approx(1.0)
    assert advice.best.then is None or "1,0" in f"{advice.best.action} {advice.best.then}"
    with pytest.raises(NotationError, match="takes a square"):
        advise_board(position(5, 4), "reach:4")
    with pytest.raises(PositionError, match="nobody can stand on 50,50"):
        advise_board(position(5, 4), "reach:50,50")


@pytest.mark.parametrize("objective", ["items", "tokens", "survive", "win-now"])
def test_every_objective_is_answered(objective):
    advice = advise_board(position(5, 3), objective)
    assert advice.objective == objective
    assert advice.why


def test_readings_can_be_changed():
    full = position(5, 3, lives=5)
    assert (
        advise_board(full, "tokens", parameters={"at-five": "is-lost"}).rules["at-five"]
        == "is-lost"
    )
    with pytest.raises(UsageError, match="unknown parameter"):
        advise_board(full, "tokens", parameters={"at-six": "x"})


def test_the_cooperative_game_is_played_for_items():
    here = replace(position(5, 3), play=Play.COOPERATIVE)
    assert advise_board(here).objective == "items"
    with pytest.raises(UsageError, match="in the cooperative game nobody wins by them"):
        advise_board(here, "turns")


@pytest.mark.parametrize(
    ("where", "told", "what"),
    [
        ((7, None), {}, "in step 7 of the turn nothing is planned"),
        ((5, 3), {"roll": 3}, "rolled already"),
        ((4, None), {"roll": 7}, "--roll 7 is not possible"),
        ((5, 3), {"rolled": 2}, "no Martian is on the player's square"),
        ((5, 3), {"opponent": "1,2,3"}, "--opponent is for the win"),
        ((5, 3), {"objective": "marsians"}, "unknown objective"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(where, told, what):
    with pytest.raises(UsageError, match=what) as refused:
        advise_board(position(*where), told.pop("objective", "martians"), **told)
    assert refused.value.remedy


def test_a_plan_that_is_too_large_is_refused_with_an_estimate():
    with pytest.raises(TooLargeError, match=r"about \d+ nodes .* and 3 are allowed"):
        advise_board(position(5, 9), "martians", most_nodes=3)


def test_the_front_door_has_it():
    text = write_position(position(5, 3, items=(Token.FUEL,)))
    assert solver.advise_board(text, "items").best.value >= 1.0
    assert solver.advise_board(text.encode(), "items").position["items"] == "fuel"


# --- the command


@pytest.fixture
def board(tmp_path):
    file = tmp_path / "position.json"
    file.write_text(write_position(position(4)), encoding="utf-8")
    return str(file)


def test_the_command_answers_from_a_file(board, capsys):
    assert run(["advise", "martians", "--board", board, "--roll", "3", "--for", "martians"]) == 0
    shown = capsys.readouterr().out
    assert "martians-board, for martians" in shown
    assert "go to" in shown
    words = ["advise", "martians", "--board", board, "--roll", "3", "--for", "martians", "--json"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "martians-board"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--roll", "3"], "--roll is about a position on the board"),
        (["--for", "items"], "--for is about a position on the board"),
        (["--board", "BOARD", "--lives", "3"], "--lives is told by the position"),
        (["--board", "BOARD", "--for", "items", "--objective", "turns"], "are the same"),
        (["--board", "/nowhere.json"], "cannot be read"),
    ],
)
def test_the_command_refuses_what_does_not_go_together(board, words, what, capsys):
    told = [board if word == "BOARD" else word for word in words]
    assert run(["advise", "martians", *told]) == 2
    assert what in capsys.readouterr().err


def test_hunts_are_still_advised_without_a_board(capsys):
    assert (
        run(["advise", "martians", "--fight", "--lives", "3", "--bullets", "2", "--rolled", "2"])
        == 0
    )
    assert "spend" in capsys.readouterr().out


def test_help_tells_of_the_board(capsys):
    assert run(["advise", "martians", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--board FILE" in shown
    assert all(name.partition(":")[0] in shown for name in OBJECTIVES)


# --- the service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A service with one small table, so that it is ready at once."""
    from starlette.testclient import TestClient
    from test_http import copied

    from solver.apps.http.app import make_app
    from solver.apps.http.settings import Settings

    directory = copied(tmp_path_factory.mktemp("tables"), ["pig-win-2"])
    app = make_app(Settings(tables=str(directory), rate=0, log_requests=False))
    app.state.service.load()
    with TestClient(app) as found:
        yield found


ADDRESS = "/v1/games/martians-board/advice"


def ask(client, here, **more):
    return client.post(ADDRESS, json={"position": json.loads(write_position(here)), **more})


def test_the_service_answers_what_the_library_answers(client):
    answer = ask(client, position(4), roll=3, objective="martians")
    assert answer.status_code == 200
    wanted = advise_board(position(4), "martians", roll=3).as_dict()
    assert answer.json() == json.loads(json.dumps(wanted))


def test_the_service_points_into_the_position(client):
    twice = replace(position(4), martians=((1, 0), (1, 0)))
    answer = ask(client, twice)
    assert answer.status_code == 422
    assert answer.json()["pointer"] == "#/position/martians/1"
    assert "rule" in answer.json()
    assert ask(client, position(4), roll=7).json()["pointer"] == "#/roll"
    assert client.post(ADDRESS, json={}).status_code == 422
    assert client.post(ADDRESS, content=b"x").status_code == 415


def test_the_service_starts_nothing_heavy(client):
    armed = position(4, weapons=Weapons((Weapon(1),)))
    answer = ask(client, armed, objective="turns", roll=2)
    assert answer.json()["type"].endswith("needs-solving")
    assert (
        ask(client, position(4), objective="win", roll=2).json()["type"].endswith("needs-solving")
    )
    assert ask(client, position(6), objective="martians", roll=2).status_code == 200


def test_the_service_documents_the_question(client):
    told = client.get("/v1/openapi.json").json()
    operation = told["paths"][ADDRESS]["post"]
    assert operation["operationId"] == "advise-martians-board"
    assert "position" in told["components"]["schemas"]["BoardQuestion"]["required"]
