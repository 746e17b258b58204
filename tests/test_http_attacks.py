"""The service attacked: whatever one client does, others are answered, and rightly."""

import json
import os
import signal
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest
from http_server import QUIET, LiveServer, is_ready, serve_process, wait_until

from solver.apps.http.settings import HEAD_BYTES, Settings

ADVICE = "/v1/games/martian-dice/advice"
ISSUE = "?aside=T2+R3+H4&roll=R2+C1+K1&scores=12,20&seat=1"
GET = f"GET {ADVICE}{ISSUE} HTTP/1.1\r\nHost: a\r\n"
BEST = "cow"


@pytest.fixture(scope="module")
def live():
    limits = {"request_seconds": 1.0, "reading_seconds": 1.0, "most_connections": 60}
    with LiveServer(**limits) as server:
        yield server


def answered(live):
    answer = httpx.get(f"{live.url}{ADVICE}{ISSUE}", timeout=5)
    return answer.status_code == 200 and answer.json()["options"][0]["action"] == BEST


def until_closed(opened, seconds=8):
    """What comes until the other side hangs up."""
    opened.settimeout(seconds)
    got = b""
    try:
        while part := opened.recv(65536):
            got += part
    except ConnectionError:
        pass
    return got


def is_cut_off(opened, parts, pause=0.0):
    """Whether the other side hangs up before all parts are sent."""
    try:
        for part in parts:
            opened.sendall(part)
            time.sleep(pause)
    except (ConnectionResetError, BrokenPipeError):
        return True
    return False


def status_of(reply):
    return int(reply.split(b" ", 2)[1])


# Slow and half-open


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /",
        GET.encode(),
        b"\r\n",
        f"POST {ADVICE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        "Content-Length: 40\r\n\r\n{".encode(),
        f"{GET}\r\n{GET}".encode(),
    ],
    ids=["nothing", "half a line", "half a head", "an empty line", "half a body", "half a second"],
)
def test_a_request_that_does_not_come_to_its_end_is_cut_off(live, sent):
    with live.connect() as opened:
        opened.sendall(sent)
        began = time.monotonic()
        until_closed(opened)
        assert time.monotonic() - began < 5
    assert answered(live)


def test_a_head_that_trickles_is_cut_off(live):
    with live.connect() as opened:
        began = time.monotonic()
        assert is_cut_off(
            opened, [letter.encode() for letter in "GET / HTTP/1.1\r\n" + "X-A: b\r\n" * 50], 0.05
        )
        assert time.monotonic() - began < 6


def test_who_shuts_one_side_gets_no_place_for_ever(live):
    with live.connect() as opened:
        opened.sendall(b"GET / HTT")
        opened.shutdown(socket.SHUT_WR)
        until_closed(opened)
    assert answered(live)


def test_who_does_not_read_is_cut_off(live):
    files = httpx.get(f"{live.url}/v1/tables").json()["tables"]["martian-dice-win-2"]["files"]
    path = f"/v1/tables/{files['policy-value']['path']}"
    with live.connect() as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        wait_until(lambda: not live_connections(live), 8)
    assert answered(live)


def live_connections(live):
    return len(live.server.server_state.connections)


def test_connections_that_only_stand_there_make_room_for_others(live):
    standing = [live.connect() for _ in range(150)]
    try:
        assert answered(live)
        assert live_connections(live) <= 61
    finally:
        for opened in standing:
            opened.close()


# Too long


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"a" * (2 * HEAD_BYTES) + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        f"{GET}X-Long: {'a' * HEAD_BYTES}\r\n\r\n".encode(),
        (GET + "".join(f"X-{i}: b\r\n" for i in range(4000)) + "\r\n").encode(),
    ],
    ids=["line", "header", "many headers"],
)
def test_a_head_that_is_too_long_is_refused_with_a_problem(live, sent):
    with live.connect() as opened:
        opened.sendall(sent)
        reply = until_closed(opened)
    assert status_of(reply) == 431
    assert b"application/problem+json" in reply
    assert answered(live)


def test_a_head_without_end_is_cut_off(live):
    with live.connect() as opened:
        opened.sendall(GET.encode())
        assert is_cut_off(opened, [b"X-A: " + b"b" * 1000 + b"\r\n"] * 2000, 0.001)
    assert answered(live)


def test_a_body_without_end_is_refused_and_cut_off(live):
    head = f"POST {ADVICE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    with live.connect() as opened:
        opened.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        assert is_cut_off(opened, [b"1000\r\n" + b"a" * 4096 + b"\r\n"] * 4000)
        reply = until_closed(opened)
    assert not reply or status_of(reply) == 413
    assert answered(live)


def test_a_body_that_is_announced_too_long_is_not_waited_for(live):
    head = f"POST {ADVICE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    with live.connect() as opened:
        opened.sendall(f"{head}Content-Length: 99999999999\r\n\r\n".encode())
        reply = opened.recv(65536)
    assert status_of(reply) == 413
    assert answered(live)


# No HTTP


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(50),
        b"HELO you\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n b\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz\r\n",
    ],
)
def test_what_is_no_http_is_refused_with_a_problem(live, sent):
    with live.connect() as opened:
        opened.sendall(sent)
        reply = until_closed(opened)
    assert 400 <= status_of(reply) < 500
    assert b"application/problem+json" in reply
    assert answered(live)


def test_many_requests_in_one_packet_are_answered_in_order(live):
    with live.connect() as opened:
        opened.sendall(f"{GET}\r\n".encode() * 200 + f"{GET}Connection: close\r\n\r\n".encode())
        reply = until_closed(opened)
    assert reply.count(b"HTTP/1.1 200 OK") == 201


# A flood


def test_a_flood_is_refused_and_the_service_stays_ready_for_others():
    settings = Settings(rate=20, burst=20, **QUIET)
    with LiveServer(settings) as live:
        stop = threading.Event()
        statuses = []

        def flood():
            with httpx.Client() as client:
                while not stop.is_set():
                    answer = client.get(f"{live.url}{ADVICE}{ISSUE}")
                    statuses.append((answer.status_code, answer.headers.get("retry-after")))

        threads = [threading.Thread(target=flood) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            wait_until(lambda: (429, "1") in statuses)
            transport = httpx.HTTPTransport(local_address="127.0.0.2")  # somebody else
            with httpx.Client(transport=transport) as other:
                for _ in range(10):
                    assert other.get(f"{live.url}{ADVICE}{ISSUE}").status_code == 200
                assert other.get(f"{live.url}/readyz").status_code == 200
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert {status for status, _ in statuses} == {200, 429}


# The end


def test_requests_under_way_are_answered_when_the_service_is_told_to_stop():
    with LiveServer() as live:
        slow = f"{ADVICE}?objective=at-least:9"
        found = []
        asking = threading.Thread(
            target=lambda: found.append(httpx.get(f"{live.url}{slow}", timeout=30))
        )
        service = live.app.state.service
        entered = threading.Event()
        real = service.desk._by_solving

        def late(*told):
            entered.set()
            time.sleep(0.7)
            return real(*told)

        service.desk._by_solving = late
        asking.start()
        assert entered.wait(20)
        live.server.should_exit = True
        asking.join(30)
        live.thread.join(30)
        assert found[0].status_code == 200
        assert not live.thread.is_alive()
        with pytest.raises(OSError):
            live.connect()


@pytest.mark.slow
def test_the_process_ends_at_once_with_idle_connections():
    with serve_process("--no-log") as (process, port):
        wait_until(lambda: is_ready(port))
        with socket.create_connection(("127.0.0.1", port)):
            process.send_signal(signal.SIGTERM)
            began = time.monotonic()
            process.wait(20)
        assert time.monotonic() - began < 12


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_the_other_answers(tmp_path):
    words = ("--workers", "2", "--rate", "0", "--no-log")
    with (
        (tmp_path / "log").open("w") as log,
        serve_process(*words, log=log) as (process, port),
    ):
        wait_until(lambda: is_ready(port))
        url = f"http://127.0.0.1:{port}"
        children = workers_of(process.pid)
        assert len(children) == 2
        os.kill(children[0], signal.SIGKILL)
        wait_until(
            lambda: workers_of(process.pid) != children and len(workers_of(process.pid)) == 2
        )

        def all_ready():
            return all(is_ready(port) for _ in range(20))

        wait_until(all_ready)
        for _ in range(20):
            answer = httpx.get(f"{url}{ADVICE}{ISSUE}")
            assert answer.json()["options"][0]["action"] == BEST
        page = httpx.get(f"{url}/metrics").text
        assert f'should_i_roll_requests_total{{route="{ADVICE}",status="200"}} 20.0' in page


def workers_of(pid):
    """Process ids of the children that serve, oldest first."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                serves = "spawn_main" in (folder / "cmdline").read_text()
            except OSError:
                continue
            if parent == pid and serves:
                found.append(int(folder.name))
    return sorted(found)


@pytest.mark.slow
def test_the_log_of_the_process_is_lines_of_json_without_positions(tmp_path):
    with (tmp_path / "log").open("w") as log, serve_process(log=log) as (_, port):
        wait_until(lambda: is_ready(port))
        httpx.get(f"http://127.0.0.1:{port}{ADVICE}{ISSUE}")
        httpx.get(f"http://127.0.0.1:{port}{ADVICE}?aside=T2+X")
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["status"] for line in lines if line.get("route") == ADVICE] == [200, 422]
    assert "R3" not in json.dumps(lines)
