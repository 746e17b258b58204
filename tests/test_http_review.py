"""Reviews over HTTP: those of the library, from held tables alone, and faults with their line."""

import json
import time

import msgspec
import pytest
from http_server import QUIET, ready_client, wait_until
from recorded import alien_game, martian_game

from solver.advisor.review import ReviewSource, review_record
from solver.apps.http.settings import RECORD_BYTES, Settings
from solver.tablebase import open_tables

REVIEW = "/v1/review"
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}
PIG = "game: pig\nseats: Ann, Bob\nAnn:\n 6 -> roll\n 5 -> stop\n = 11 (11)\nBob:\n 2 -> roll\n"


@pytest.fixture(scope="module")
def client():
    with ready_client() as found:
        yield found


@pytest.fixture(scope="module")
def source():
    with open_tables() as tables:
        yield ReviewSource(tables)


def python_review(text, source):
    found = review_record(text, source=source)
    return json.loads(msgspec.json.encode(found.as_dict()))


@pytest.mark.parametrize(
    ("text", "reviewed_for_the_win"),
    [
        (martian_game(1)[0], True),
        (martian_game(2, seats=3)[0], True),
        (martian_game(3, seats=4)[0], False),
        (PIG, True),
        (alien_game(4, seats=1)[0], False),
    ],
)
def test_a_review_is_that_of_python(client, source, text, reviewed_for_the_win):
    answer = client.post(REVIEW, content=text.encode(), headers=PLAIN)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json() == python_review(text, source)
    assert (answer.json()["win"] is not None) is reviewed_for_the_win


def test_a_hunt_is_reviewed_in_turns_where_no_table_is_of_its_race(client, source):
    """Alone from the table of turns; of two seats the race would have to be solved."""
    turn = "Ann:\n  move 4 -> fight\n  1 -> forfeit\n  5 -> stop\n"
    alone = f"game: martians\nseats: Ann\n{turn}"
    answer = client.post(REVIEW, json={"record": alone})
    assert answer.json() == python_review(alone, source)
    assert (answer.json()["unit"], answer.json()["exactness"]["table"]) == (
        "turns",
        "martians-turns-none",
    )
    two = client.post(REVIEW, json={"record": alone.replace("Ann\n", "Ann, Bob\n", 1)}).json()
    assert two["win"] is None
    assert "no table of this service" in two["note"]
    assert two["points"][0]["lost"] == answer.json()["points"][0]["lost"] > 0.0


def test_a_record_may_stand_in_a_field(client):
    plain = client.post(REVIEW, content=PIG.encode(), headers=PLAIN)
    assert client.post(REVIEW, json={"record": PIG}).json() == plain.json()


@pytest.mark.slow
def test_a_match_that_was_solved_after_the_start_is_reviewed(source):
    settings = Settings(rate=0, solve=(("alien-crew", 2),), **QUIET)
    text = alien_game(1)[0].replace("rules: rounds=10\n", "")
    with ready_client(settings) as client:

        def reviewed():
            return client.post(REVIEW, json={"record": text}).status_code == 200

        wait_until(reviewed, 300.0)
        assert client.post(REVIEW, json={"record": text}).json() == python_review(text, source)


@pytest.mark.parametrize(
    ("text", "line", "at", "rule"),
    [
        ("game: martian-dice\nseats: A\nA:\n  T2 R3 -> rays\n", 4, 2, "On Your Turn, step 1"),
        ("game: martian-dice\nseats: A, B\nB:\n", 3, 0, "turns go round"),
        ("game: martian-dic\nseats: A\n", 1, 6, None),
        ("game: pig\nseats: A\nA:\n 6 -> rool\n", 4, 6, None),
        ("game: pig\nrules: target=-4\nseats: A\n", 2, 7, None),
        ("", 1, 0, None),
    ],
)
def test_a_fault_is_told_with_its_line_its_place_and_the_rule(client, text, line, at, rule):
    answer = client.post(REVIEW, content=text.encode(), headers=PLAIN)
    problem = answer.json()
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert problem["detail"].startswith(f"line {line}: ")
    assert problem["text"] == text.split("\n")[line - 1]
    assert (problem["at"], problem["pointer"]) == (at, "#/record")
    assert rule is None or problem["rule"].startswith(rule)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (alien_game(1)[0], "should-i-roll review FILE"),
        ("game: alien-crew\nseats: A, B\n", "serve --solve alien-crew:2"),
        ("game: martian-dice\nrules: target=26\nseats: A, B\n", "should-i-roll review FILE"),
        ("game: martian-dice\nrules: dice=60\nseats: A\n", "should-i-roll review FILE"),
        ("game: pig\nseats: A, B, C\n", "should-i-roll review FILE"),
    ],
)
def test_what_no_table_holds_is_refused_at_once(client, text, remedy):
    began = time.monotonic()
    problem = client.post(REVIEW, json={"record": text}).json()
    assert time.monotonic() - began < 2.0
    assert problem["type"] == "/v1/problems/needs-solving"
    assert remedy in problem["remedy"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"content": b"game: pig", "headers": {"Content-Type": "text/html"}}, 415),
        ({"content": b"\xff\xfe", "headers": PLAIN}, 400),
        ({"content": b"#" * (RECORD_BYTES + 1), "headers": PLAIN}, 413),
        ({"json": {"record": "#" * RECORD_BYTES}}, 413),
        ({"json": {"record": 4}}, 422),
        ({"json": {"records": ""}}, 422),
        ({"json": {}}, 422),
        ({"json": []}, 400),
    ],
)
def test_a_body_that_is_no_record_is_a_problem(client, asked, status):
    answer = client.post(REVIEW, **asked)
    assert (answer.status_code, answer.json()["status"]) == (status, status)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_record_of_the_most_letters_is_read(client):
    text = PIG + "#" * (RECORD_BYTES - len(PIG))
    assert client.post(REVIEW, content=text.encode(), headers=PLAIN).status_code == 200


def test_a_record_of_more_turns_than_a_match_has_is_refused_before_memory_is_taken(client):
    lost = "Ann:\n T13\nBob:\n T13\n"
    text = "game: martian-dice\nseats: Ann, Bob\n" + lost * (RECORD_BYTES // len(lost) - 2)
    began = time.monotonic()
    problem = client.post(REVIEW, content=text.encode(), headers=PLAIN).json()
    assert time.monotonic() - began < 5.0
    assert problem["type"] == "/v1/problems/too-large"
    assert "turns" in problem["detail"]


def test_a_review_costs_what_its_length_is_and_is_counted():
    with ready_client(Settings(rate=1, burst=60, **QUIET)) as client:
        long = PIG + "#" * (RECORD_BYTES - len(PIG))
        first = client.post(REVIEW, content=long.encode(), headers=PLAIN)
        again = client.post(REVIEW, content=PIG.encode(), headers=PLAIN)
        assert (first.status_code, again.status_code) == (200, 429)
        assert int(again.headers["Retry-After"]) > 100
        assert 'should_i_roll_reviews_total{game="pig"} 1.0' in client.get("/metrics").text
