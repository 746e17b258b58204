"""Advice over HTTP: the command line's answers, problems that say what to do, files that last."""

import asyncio
import contextlib
import hashlib
import json
import logging
import shutil
import socket
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from http_server import QUIET, ready_client, wait_until
from starlette.testclient import TestClient

import solver
from solver.apps.answers.problem import STATUS, TITLES
from solver.apps.cli.main import cli
from solver.apps.http.app import make_app
from solver.apps.http.logs import LOGGER, JsonLines
from solver.apps.http.settings import BATCH, Settings
from solver.games.registry import GAMES
from solver.tablebase import open_tables

ROOT = Path(__file__).parent.parent
ADVICE = "/v1/games/martian-dice/advice"
ISSUE = "?aside=T2+R3+H4&roll=R2+C1+K1&scores=12,20&seat=1"
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def client():
    with ready_client() as found:
        yield found


@pytest.fixture(scope="module")
def advisor():
    with open_tables() as tables:
        yield solver.Advisor(tables)


def told(path):
    return {
        "alien-crew": "?stage=captain&roll=4+3+3&throws=2",
        "pig": "?total=18",
        "martian-dice": "?aside=T2+R3+H4",
    }.get(path, "")


# What is answered


def test_the_answer_is_the_json_of_the_command_line(client):
    words = ["advise", "martian-dice", "--aside", "T2 R3 H4", "--roll", "R2 C1 K1"]
    words += ["--scores", "12,20", "--seat", "1", "--json"]
    printed = CliRunner().invoke(cli, words)
    assert printed.exit_code == 0
    answer = client.get(ADVICE + ISSUE)
    assert answer.status_code == 200
    assert answer.json() == json.loads(printed.output)
    assert answer.headers["should-i-roll-schema"] == "1"


@pytest.mark.parametrize(
    ("query", "position"),
    [
        ({"aside": "T2 R3 H4"}, {}),
        ({"aside": "2 tanks, 3 death rays, 4 humans"}, {}),
        ({"aside": "T2 R3 H4", "scores": "12,20,15", "seat": "2"}, {}),
        ({"aside": "T2 R3 H4", "objective": "at-least:7"}, {}),
        ({"set": "end=round"}, {"set": None, "parameters": {"end": "round"}}),
    ],
)
def test_every_objective_answers_as_python_does(client, advisor, query, position):
    asked = {k: v for k, v in {**query, **position}.items() if v is not None}
    right = advisor("martian-dice", **asked).as_dict()
    assert client.get(ADVICE, params=query).json() == json.loads(msgspec.json.encode(right))


@pytest.mark.parametrize("game", ["martian-dice", "alien-crew", "pig"])
def test_a_body_asks_what_a_query_asks(client, game):
    path = f"/v1/games/{game}/advice{told(game)}"
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    body = dict(part.split("=") for part in told(game)[1:].replace("+", " ").split("&"))
    assert client.post(path.partition("?")[0], json=body).json() == answer.json()


def test_numbers_and_lists_in_a_body_are_read_like_texts(client):
    body = {"aside": "T2 R3 H4", "roll": "R2 C1 K1", "scores": [12, 20], "seat": 1}
    assert client.post(ADVICE, json=body).json() == client.get(ADVICE + ISSUE).json()


def test_rules_are_set_by_an_object_or_by_texts(client):
    right = client.get(f"{ADVICE}?set=end=round&set=bonus=3").json()
    for settings in ({"end": "round", "bonus": 3}, ["end=round", "bonus=3"]):
        assert client.post(ADVICE, json={"set": settings}).json() == right


def test_a_batch_answers_each_question_in_order_with_an_advice_or_a_problem(client):
    asked = [{"aside": "T2 R3 H4"}, {"aside": "T2 X"}, 4, {"scores": "12,20,15", "seat": 3}]
    answers = client.post(f"{ADVICE}:batch", json={"positions": asked}).json()["answers"]
    assert [list(answer) for answer in answers] == [
        ["advice"],
        ["problem"],
        ["problem"],
        ["advice"],
    ]
    assert answers[0]["advice"] == client.get(f"{ADVICE}?aside=T2+R3+H4").json()
    assert answers[1]["problem"]["pointer"] == "#/positions/1/aside"
    assert answers[2]["problem"]["pointer"] == "#/positions/2"


def test_a_batch_holds_at_most_256_questions(client):
    most = client.post(f"{ADVICE}:batch", json={"positions": [{}] * BATCH})
    assert len(most.json()["answers"]) == BATCH
    more = client.post(f"{ADVICE}:batch", json={"positions": [{}] * (BATCH + 1)})
    assert (more.status_code, more.json()["type"]) == (413, "/v1/problems/too-long")


@pytest.mark.parametrize("body", [{}, {"positions": []}, {"positions": {}}, {"position": [{}]}])
def test_a_batch_without_questions_is_refused(client, body):
    assert client.post(f"{ADVICE}:batch", json=body).status_code == 422


def test_head_is_answered_without_a_body(client):
    answer = client.head(ADVICE + ISSUE)
    assert answer.status_code == 200
    assert answer.headers["etag"] == client.get(ADVICE + ISSUE).headers["etag"]


# What may be kept


def test_what_the_caller_has_is_not_sent_again(client):
    tag = client.get(ADVICE + ISSUE).headers["etag"]
    again = client.get(ADVICE + ISSUE, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)


def test_a_tag_changes_with_the_question_and_with_the_tables(client, tmp_path):
    tag = client.get(ADVICE + ISSUE).headers["etag"]
    assert client.get(ADVICE + ISSUE.replace("12", "13")).headers["etag"] != tag
    with ready_client(Settings(rate=0, tables=str(copied(tmp_path, ["pig-win-2"])), **QUIET)) as o:
        path = "/v1/games/pig/advice?total=18"
        assert o.get(path).headers["etag"] != client.get(path).headers["etag"]


def test_the_same_question_has_the_same_tag_after_a_restart(client):
    with ready_client() as other:
        tags = [c.get(ADVICE + ISSUE).headers["etag"] for c in (client, other)]
    assert tags[0] == tags[1]


# What is refused


@pytest.mark.parametrize(
    ("query", "status", "kind", "pointer"),
    [
        ("?aside=T2+X", 422, "bad-notation", "#/aside"),
        ("?aside=T2&roll=R2", 422, "illegal-position", "#/aside"),
        ("?aside=T9+R9", 422, "illegal-position", "#/aside"),
        ("?asid=T2", 422, "unknown-name", "#/asid"),
        ("?aside=T2&aside=T3", 422, "bad-request", "#/aside"),
        ("?aside=%ff", 400, "malformed", None),
        ("?aside=\u00e9", 422, "bad-notation", "#/aside"),
        ("?seat=1", 422, "bad-request", "#/objective"),
        ("?scores=12,20", 422, "bad-request", "#/seat"),
        ("?scores=12,20&seat=x", 422, "bad-notation", "#/seat"),
        ("?scores=12,20&seat=3", 422, "illegal-position", "#/seat"),
        ("?scores=12,,20&seat=1", 422, "bad-notation", "#/scores"),
        ("?scores=30,20&seat=1", 422, "illegal-position", "#/scores"),
        ("?objective=most", 422, "unknown-name", "#/objective"),
        ("?objective=at-least:x", 422, "bad-request", "#/objective"),
        ("?set=bonus", 422, "bad-notation", "#/set"),
        ("?set=bonus=x", 422, "bad-notation", "#/bonus"),
        ("?set=nothing=1", 422, "unknown-name", "#/nothing"),
        ("?set=end=round&set=end=immediate", 422, "bad-request", "#/set"),
        ("?" + "&".join(f"a{i}=1" for i in range(100)), 400, "malformed", None),
        ("?aside=" + "T" * 1001, 422, "bad-request", "#/aside"),
        ("?aside=" + "T" * 9000, 413, "too-long", None),
    ],
)
def test_a_bad_question_is_a_problem_that_points_at_the_field(client, query, status, kind, pointer):
    answer = client.get(ADVICE + query)
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (status, f"/v1/problems/{kind}"), problem
    assert answer.headers["content-type"] == PROBLEM
    assert problem["status"] == status
    assert problem.get("pointer") == pointer
    assert all((problem["title"], problem["detail"]))


def test_a_problem_has_the_words_of_the_command_line(client):
    problem = client.get(f"{ADVICE}?aside=T2+R3+H4&roll=R2").json()
    with pytest.raises(solver.ShouldIRollError) as refused:
        solver.advise("martian-dice", aside="T2 R3 H4", roll="R2")
    error = refused.value
    assert (problem["detail"], problem["rule"], problem["remedy"]) == (
        error.what,
        error.rule,
        error.remedy,
    )
    assert problem["position"] == {"aside": "T2 R3 H4", "roll": "R2"}


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"", "malformed", 400),
        (b"{", "malformed", 400),
        (b"[]", "malformed", 400),
        (b'"T2"', "malformed", 400),
        (b'{"aside": "T2\xff"}', "malformed", 400),
        (b'{"aside": ' + b"[" * 5000 + b"]" * 3000, "malformed", 400),
        (b'{"aside": {"T": 2}}', "bad-request", 422),
        (b'{"aside": 1e400}', "bad-request", 422),
        (b'{"seat": ' + b"9" * 400 + b"}", "bad-request", 422),
        (b'{"seat": true}', "bad-request", 422),
        (b'{"scores": [[12], 20], "seat": 1}', "bad-request", 422),
        (b'{"aside": "' + b"T" * 9000 + b'"}', "too-long", 413),
    ],
)
def test_a_bad_body_is_a_problem(client, content, kind, status):
    headers = {"Content-Type": "application/json"}
    answer = client.post(ADVICE, content=content, headers=headers)
    assert answer.headers["content-type"] == PROBLEM
    problem = answer.json()
    if kind == "bad-request" and answer.status_code == 400:  # a number no JSON reader takes
        kind, status = "malformed", 400
    assert (answer.status_code, problem["type"]) == (status, f"/v1/problems/{kind}"), problem


def test_a_body_that_is_no_json_is_refused_by_its_type(client):
    answer = client.post(ADVICE, content=b"aside=T2", headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["type"]) == (415, "/v1/problems/not-json")


def test_an_unknown_game_is_not_found_and_the_nearest_is_named(client):
    for path in ("/v1/games/martian-dic", "/v1/games/martian-dic/advice"):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)
        assert "did you mean 'martian-dice'?" in answer.json()["remedy"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/docs", 404),
        ("GET", "/v1/tables/", 404),
        ("PUT", ADVICE, 405),
        ("POST", "/v1/games", 405),
        ("GET", "/v1/problems/nothing", 404),
    ],
)
def test_what_is_not_there_is_a_problem_too(client, method, path, status):
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert answer.json()["status"] == status
    assert ("allow" in answer.headers) == (status == 405)


def test_all_methods_of_an_address_are_named(client):
    assert client.put(ADVICE).headers["allow"] == "GET, HEAD, POST"
    assert client.put("/v1/games").headers["allow"] == "GET, HEAD"


def test_the_page_is_served_and_may_load_nothing_from_elsewhere(client):
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert page.headers["cache-control"] == "no-cache"
    assert client.get("/../pyproject.toml").status_code == 404
    assert client.get("/%2e%2e/%2e%2e/errors.py").status_code == 404


def test_every_problem_type_is_described_at_its_address(client):
    assert set(STATUS) == set(TITLES)
    for name, status in STATUS.items():
        assert client.get(f"/v1/problems/{name}").json()["status"] == status


@pytest.mark.parametrize(
    ("path", "remedy"),
    [
        (f"{ADVICE}?scores=1,2,3,4&seat=1", "--scores 1,2,3,4"),
        (f"{ADVICE}?set=bonus=5", "--set bonus=5"),
        (f"{ADVICE}?scores=1,2&seat=1&set=target=30", "--set target=30"),
        ("/v1/games/alien-crew/advice?scores=9,0&round=2&seat=1", "--solve alien-crew:2"),
        ("/v1/games/alien-crew/advice?beat=61&scores=40&round=7", "--beat 61"),
        ("/v1/games/pig/advice?total=3&scores=1,2,3&seat=1", "should-i-roll advise pig --total 3"),
    ],
)
def test_a_match_in_no_table_is_refused_and_never_solved(client, monkeypatch, path, remedy):
    for name in ("solve_score_race", "answer_rounds", "cached_turn"):
        monkeypatch.setattr(sys.modules["solver.advisor.advise"], name, None)
    answer = client.get(path)
    assert (answer.status_code, answer.json()["type"]) == (422, "/v1/problems/needs-solving")
    assert remedy in answer.json()["remedy"]


def test_what_is_wrong_with_a_position_comes_before_that_its_match_is_in_no_table(client):
    answer = client.get(f"{ADVICE}?aside=T2+X&scores=1,2,3,4&seat=1")
    assert answer.json()["type"] == "/v1/problems/bad-notation"


def test_a_remedy_quotes_what_was_told(client):
    asked = {"scores": "1,2,3,4;reboot", "seat": "1"}
    assert "--scores '1,2,3,4;reboot'" in client.get(ADVICE, params=asked).json()["remedy"]


def test_an_unexpected_error_is_a_problem_without_its_text(client, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("T2 secret")

    monkeypatch.setattr(client.app.state.service, "answer", fail)
    logger = logging.getLogger(LOGGER)
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(logger, "disabled", False)  # as a configuration of logging leaves it
    with caplog.at_level(logging.ERROR, LOGGER):
        answer = client.get(ADVICE + ISSUE)
    assert (answer.status_code, answer.headers["content-type"]) == (500, PROBLEM)
    assert "secret" not in answer.text
    line = JsonLines().format(caplog.records[-1])
    assert "RuntimeError" in line
    assert "secret" not in line
    assert answer.headers["x-request-id"] in line


# Games and tables


def test_games_are_listed_with_the_fields_of_their_positions(client):
    games = {game["name"]: game for game in client.get("/v1/games").json()["games"]}
    assert set(games) == set(GAMES)
    assert list(games["martian-dice"]["position"]) == ["aside", "roll"]
    assert list(games["alien-crew"]["match"]) == ["stages", "round", "beat"]


def test_a_game_is_described_with_its_readings(client):
    game = client.get("/v1/games/martian-dice").json()
    assert game["rules"]["target"] == 25
    assert game["parameters"]["end"]["readings"] == ["round", "immediate"]
    assert game["parameters"]["dice"]["at_most"] == 60
    assert "set aside all tanks" in game["about"]


def test_the_manifest_is_that_of_the_tables(client):
    committed = json.loads((ROOT / "tables" / "MANIFEST.json").read_bytes())
    answer = client.get("/v1/tables")
    assert answer.json() == committed
    assert client.get("/tables/MANIFEST.json").content == answer.content
    tag = answer.headers["etag"]
    assert client.get("/v1/tables", headers={"If-None-Match": tag}).status_code == 304


def test_every_file_of_every_table_is_served_as_it_is_and_for_ever(client):
    manifest = client.get("/v1/tables").json()
    for entry in manifest["tables"].values():
        for file in entry["files"].values():
            answer = client.get(f"/v1/tables/{file['path']}")
            assert hashlib.sha256(answer.content).hexdigest() == file["sha256"]
            assert answer.headers["content-length"] == str(file["bytes"])
            assert "immutable" in answer.headers["cache-control"]
            assert answer.headers["etag"].strip('"') in file["path"]


@pytest.fixture(scope="module")
def a_file(client):
    files = client.get("/v1/tables").json()["tables"]["martian-dice-points"]["files"]
    path = f"/v1/tables/{files['policy-value']['path']}"
    return path, client.get(path).content


@pytest.mark.parametrize(
    ("wanted", "low", "high"),
    [("0-9", 0, 9), ("100-", 100, None), ("-7", -7, None), ("0-99999", 0, None)],
)
def test_a_range_of_bytes_is_served(client, a_file, wanted, low, high):
    path, whole = a_file
    answer = client.get(path, headers={"Range": f"bytes={wanted}"})
    assert answer.status_code == 206
    assert answer.content == (whole[low:] if high is None else whole[low : high + 1])
    first = low % len(whole)
    last = first + len(answer.content) - 1
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{len(whole)}"


@pytest.mark.parametrize("wanted", ["bytes=99999-", "bytes=-0"])
def test_bytes_that_are_not_there_cannot_be_asked_for(client, a_file, wanted):
    path, whole = a_file
    answer = client.get(path, headers={"Range": wanted})
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{len(whole)}")
    assert answer.headers["content-type"] == PROBLEM


@pytest.mark.parametrize(
    "headers",
    [
        {"Range": "bytes=0-1,5-6"},
        {"Range": "lines=0-1"},
        {"Range": "bytes=5-2"},
        {"Range": "bytes=x-y"},
        {"Range": "bytes=0-9", "If-Range": '"other"'},
    ],
)
def test_what_is_no_range_gets_the_whole_file(client, a_file, headers):
    path, whole = a_file
    answer = client.get(path, headers=headers)
    assert (answer.status_code, answer.content) == (200, whole)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/tables/../pyproject.toml",
        "/v1/tables/%2e%2e/pyproject.toml",
        "/v1/tables/..%2fpyproject.toml",
        "/v1/tables/martian-dice-points/..%2f..%2fpyproject.toml",
        "/v1/tables/martian-dice-points/%2fetc%2fpasswd",
        "/v1/tables//etc/passwd",
        "/v1/tables/martian-dice-points/.lock",
        "/v1/tables/martian-dice-points/policy-value.npy",
        "/v1/tables/martian-dice-points/policy-value.%00.npy",
        "/v1/tables/martian-dice-points\\..\\MANIFEST.json",
        "/tables/../../etc/passwd",
    ],
)
def test_no_path_leads_out_of_the_tables(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, PROBLEM)


# Readiness


def copied(tmp_path, names):
    """A directory with some of the committed tables."""
    folder = tmp_path / "tables"
    shutil.copytree(ROOT / "tables", folder, ignore=lambda *_: {".lock"})
    manifest = json.loads((folder / "MANIFEST.json").read_bytes())
    manifest["tables"] = {name: manifest["tables"][name] for name in names}
    (folder / "MANIFEST.json").write_text(json.dumps(manifest))
    return folder


def test_the_service_is_not_ready_until_the_tables_are_verified(monkeypatch):
    from solver.apps.http import service

    go = threading.Event()
    real = service.HeldTables
    monkeypatch.setattr(service, "HeldTables", lambda path: (go.wait(30), real(path))[1])
    with TestClient(make_app(Settings(rate=0, **QUIET))) as client:
        assert client.get("/healthz").json()["status"] == "ok"
        for path in ("/readyz", ADVICE + ISSUE, "/v1/tables"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["type"]) == (503, "/v1/problems/not-ready")
            assert answer.headers["retry-after"] == "1"
        go.set()
        wait_until(lambda: client.get("/readyz").status_code == 200)
        assert client.get(ADVICE + ISSUE).status_code == 200
        assert "should_i_roll_ready 1.0" in client.get("/metrics").text


@pytest.mark.parametrize("how", ["altered", "truncated", "removed", "manifest"])
def test_a_service_over_a_damaged_table_never_gets_ready_and_says_why(tmp_path, how):
    folder = copied(tmp_path, ["pig-win-2"])
    path = next((folder / "pig-win-2").glob("open-play.*"))
    content = path.read_bytes()
    if how == "altered":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif how == "truncated":
        path.write_bytes(content[:-1])
    elif how == "removed":
        path.unlink()
    else:
        (folder / "MANIFEST.json").write_text("{")
    with TestClient(make_app(Settings(rate=0, tables=str(folder), **QUIET))) as client:
        service = client.app.state.service
        wait_until(lambda: service.failure is not None)
        for asked in ("/readyz", "/v1/games/pig/advice?total=3", "/v1/tables"):
            answer = client.get(asked)
            assert (answer.status_code, answer.json()["type"]) == (
                503,
                "/v1/problems/corrupt-table",
            )
        assert client.get("/healthz").status_code == 200


def harmed(path, how):
    size = len(path.read_bytes())
    if how == "rewritten":
        path.write_bytes(bytes(size))
    elif how == "truncated":
        path.write_bytes(b"")
    elif how == "removed":
        path.unlink()
    else:
        other = path.with_suffix(".new")
        other.write_bytes(bytes(size + 1))
        other.replace(path)


def test_what_happens_to_a_file_under_a_running_service_changes_no_answer(tmp_path, advisor):
    names = ["martian-dice-win-2", "martian-dice-win-3"]
    folder = copied(tmp_path, names)
    paths = [path for name in names for path in (folder / name).iterdir()]
    with ready_client(Settings(rate=0, tables=str(folder), **QUIET)) as client:
        for i, how in enumerate(("rewritten", "truncated", "replaced", "removed")):
            for path in paths:
                harmed(path, how)
            (folder / "MANIFEST.json").unlink(missing_ok=True)
            for scores in (f"1{i},20", f"1{i},21", f"1{i},20,5"):
                asked = {"aside": "T2 R3 H4", "scores": scores, "seat": 1}
                right = json.loads(msgspec.json.encode(advisor("martian-dice", **asked)))
                assert client.get(ADVICE, params=asked).json() == right, (how, scores)
            files = client.get("/v1/tables").json()["tables"]["martian-dice-win-2"]["files"]
            for file in files.values():
                served = client.get(f"/v1/tables/{file['path']}").content
                assert hashlib.sha256(served).hexdigest() == file["sha256"]


# Limits


def test_who_asks_too_much_is_told_when_to_ask_again_and_others_are_answered():
    app = make_app(Settings(rate=0.5, burst=3, **QUIET))
    with TestClient(app, client=("192.0.2.1", 1)) as flood:
        wait_until(lambda: flood.get("/readyz").status_code == 200)
        statuses = [flood.get("/v1/games").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        refused = flood.get(ADVICE + ISSUE)
        assert refused.headers["content-type"] == PROBLEM
        assert 1 <= int(refused.headers["retry-after"]) <= 2
        assert flood.get("/healthz").status_code == 200
        other = TestClient(app, client=("192.0.2.2", 1))
        assert other.get(ADVICE + ISSUE).status_code == 200


def test_a_batch_costs_as_much_as_its_questions():
    with ready_client(Settings(rate=1, burst=10, **QUIET)) as client:
        answer = client.post(f"{ADVICE}:batch", json={"positions": [{}] * 60})
        assert answer.status_code == 200
        refused = client.get(ADVICE)
        assert refused.status_code == 429
        assert 48 <= int(refused.headers["retry-after"]) <= 56


def test_turns_that_must_be_solved_wait_in_a_short_queue():
    from solver.apps.answers.lane import Lane
    from solver.apps.answers.refusal import BusyError

    async def crowd():
        go = threading.Event()
        lane = Lane(waiting=2)
        jobs = [asyncio.create_task(lane.run(lambda: go.wait(10)))]
        await asyncio.sleep(0.2)  # the first is at work
        jobs += [asyncio.create_task(lane.run(lambda: go.wait(10))) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(BusyError):
            await lane.run(lambda: True)
        go.set()
        assert await asyncio.gather(*jobs) == [True, True, True]
        with pytest.raises(BusyError):
            await Lane(patience=0.05).run(lambda: threading.Event().wait(1))

    asyncio.run(crowd())


def test_no_set_of_questions_makes_the_service_grow(client):
    desk = client.app.state.service.desk
    form = desk.forms["martian-dice"]
    letters = "abcdefghijklmnopqrstuvwxyz"

    def questions(i):
        yield {"objective": f"at-least:x{i}"}
        yield {"objective": f"name-{letters[i % 26]}{letters[i // 26]}"}
        yield {"set": f"bonus={i}"}
        yield {"set": ["end=round", *[f"{'-' * j}target=25" for j in range(i % 2)]]}
        yield {"scores": "1," * i + "2", "seat": "1"}

    async def ask():
        for i in range(300):
            for values in questions(i):
                with contextlib.suppress(solver.ShouldIRollError):
                    await desk.answer(form.read(values, texts=True))

    asyncio.run(ask())
    assert len(desk._gate._games) <= 256
    assert len(desk._quick._found) <= 2 * len(desk.tables.names)
    assert len(desk._slow._found) <= 1024 + len(desk.tables.names)
    assert len(desk.tables._found) <= 2 * len(desk.tables.names)


# Around the answers


def test_answers_forbid_to_be_framed_guessed_or_run(client):
    for path in (ADVICE + ISSUE, "/v1/games", "/nothing", "/v1/tables", "/healthz"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_other_origins_may_ask_only_if_they_are_named(client):
    asked = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in client.get("/v1/games", headers=asked).headers
    with ready_client(Settings(rate=0, origins=("https://example.org",), **QUIET)) as open_:
        answer = open_.get("/v1/games", headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        other = open_.get("/v1/games", headers={"Origin": "https://example.com"})
        assert "access-control-allow-origin" not in other.headers
        preflight = {**asked, "Access-Control-Request-Method": "POST"}
        assert open_.options(ADVICE, headers=preflight).status_code == 200


@pytest.mark.parametrize("told_too", [False, True])
def test_positions_are_logged_only_if_asked_for(caplog, monkeypatch, told_too):
    logger = logging.getLogger(LOGGER)
    monkeypatch.setattr(logger, "propagate", True)
    monkeypatch.setattr(logger, "disabled", False)  # as a configuration of logging leaves it
    with (
        caplog.at_level(logging.INFO, LOGGER),
        ready_client(Settings(rate=0, log_positions=told_too)) as client,
    ):
        caplog.clear()
        client.get(ADVICE + ISSUE)
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    line = next(line for line in lines if line["event"] == "request")
    assert (line["method"], line["route"], line["status"]) == ("GET", ADVICE, 200)
    assert ("R3" in json.dumps(lines)) == told_too
    assert "192.0.2.1" not in json.dumps(lines)


def test_what_is_answered_is_counted(client):
    client.get(f"{ADVICE}?aside=R5+H1")
    client.get(f"{ADVICE}?aside=R5+H1")
    client.get(f"{ADVICE}?aside=T2+X")
    page = client.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain")
    assert f'should_i_roll_requests_total{{route="{ADVICE}",status="200"}}' in page.text
    assert 'should_i_roll_advice_total{game="martian-dice",way="known"}' in page.text
    assert 'should_i_roll_refused_total{problem="bad-notation"}' in page.text


# The document


def test_the_committed_document_is_that_of_the_application(client):
    """If it is not: should-i-roll serve --openapi > docs/reference/openapi.json."""
    committed = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_bytes())
    assert committed == json.loads(json.dumps(client.app.openapi()))
    assert client.get("/v1/openapi.json").json() == committed
    assert committed["openapi"].startswith("3.1")


def test_the_command_prints_the_document(client):
    printed = CliRunner().invoke(cli, ["serve", "--openapi"])
    assert json.loads(printed.output) == client.app.openapi()


def test_every_position_field_of_every_game_is_in_the_document(client):
    paths = client.app.openapi()["paths"]
    for name, form in client.app.state.service.forms.items():
        query = paths[f"/v1/games/{name}/advice"]["get"]["parameters"]
        names = [p["name"] for p in query if p["in"] == "query"]
        assert names == form.known
        assert {f.name for f in form.fields} <= set(names)


# The command


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--solve", "alien-crew"], "--solve takes GAME:SEATS"),
        (["--solve", "alien-crew:9"], "--solve takes GAME:SEATS"),
        (["--solve", "martian-dice:4"], "martian-dice has no match of rounds"),
        (["--solve", "nothing:2"], "unknown game"),
    ],
)
def test_a_match_that_cannot_be_solved_ahead_is_refused_at_the_start(words, says):
    result = CliRunner().invoke(cli, ["serve", *words])
    assert isinstance(result.exception, solver.ShouldIRollError)
    assert says in str(result.exception)


@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.1", "no such host"])
def test_an_address_that_cannot_be_had_is_refused_before_anything_starts(host):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli, ["serve", "--host", host, "--port", str(port)])
    assert isinstance(result.exception, solver.ShouldIRollError)
    assert f"cannot listen at {host}, port {port}" in str(result.exception)


def test_without_its_packages_the_command_says_what_to_install(monkeypatch):
    import importlib

    command = importlib.import_module("solver.apps.cli.serve")
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "fastapi" else name)
    result = CliRunner().invoke(cli, ["serve"])
    assert "should-i-roll[serve]" in str(result.exception)


@pytest.mark.slow
def test_a_match_solved_ahead_is_answered_like_on_the_command_line():
    settings = Settings(rate=0, solve=(("alien-crew", 2),), **QUIET)
    asked = {"stage": "trio", "crew": "2 5", "throws": "1", "scores": "40,35", "round": "7"}
    with ready_client(settings) as client:
        path = "/v1/games/alien-crew/advice"
        early = client.get(path, params={**asked, "seat": "1"})
        assert early.status_code in (200, 422)
        wait_until(lambda: client.get(path, params={**asked, "seat": "1"}).status_code == 200, 120)
        with open_tables() as tables:
            advisor = solver.Advisor(tables)
            for seat in (1, 2):
                right = advisor("alien-crew", seat=seat, **asked).as_dict()
                got = client.get(path, params={**asked, "seat": str(seat)}).json()
                assert got == json.loads(msgspec.json.encode(right))


def test_the_systemd_unit_runs_a_command_that_exists():
    unit = (ROOT / "deploy" / "should-i-roll.service").read_text()
    line = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    program, name, *words = line.removeprefix("ExecStart=").split()
    assert program.endswith("/should-i-roll")
    command = cli.commands[name]
    assert command.make_context(name, words).params["proxy"] == "127.0.0.1"
