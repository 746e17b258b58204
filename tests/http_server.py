"""The service for tests: in this process, behind a real socket, or in a process of its own."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlencode

import httpx
import uvicorn
from starlette.testclient import TestClient

from solver.apps.http.app import make_app
from solver.apps.http.connection import GuardedProtocol
from solver.apps.http.server import options
from solver.apps.http.settings import Settings

QUIET = {"log_requests": False}


@contextlib.contextmanager
def ready_client(settings=None, client=("192.0.2.1", 50000)):
    app = make_app(settings or Settings(rate=0, **QUIET))
    with TestClient(app, raise_server_exceptions=False, client=client) as found:
        wait_until(lambda: found.get("/readyz").status_code == 200)
        yield found


async def ask_app(app, path, params):
    """Ask the application itself, with no client between; return (status, JSON)."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET"}
    scope |= {"path": path, "raw_path": path.encode(), "query_string": urlencode(params).encode()}
    scope |= {"scheme": "http", "root_path": "", "headers": [], "client": ("192.0.2.1", 1)}
    scope |= {"server": ("localhost", 80), "state": {}}
    await app(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body)


class LiveServer:
    """uvicorn in a thread; the protocol's deadlines can be shortened."""

    def __init__(self, settings=None, **limits):
        protocol = type("Protocol", (GuardedProtocol,), limits)
        app = make_app(settings or Settings(rate=0, **QUIET))
        self.app = app
        config = uvicorn.Config(app, **{**options("127.0.0.1", 0, None), "http": protocol})
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self):
        self.thread.start()
        wait_until(lambda: self.server.started)
        self.port = self.server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        wait_until(lambda: httpx.get(f"{self.url}/readyz").status_code == 200)
        return self

    def __exit__(self, *ended):
        self.server.should_exit = True
        self.thread.join(30)

    def connect(self):
        opened = socket.create_connection(("127.0.0.1", self.port))
        opened.settimeout(10)
        return opened


@contextlib.contextmanager
def serve_process(*arguments, log=subprocess.DEVNULL):
    """The command itself in a process; yields (process, port)."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "solver", "serve", "--port", str(port), *arguments], stderr=log
    )
    try:
        yield process, port
    finally:
        process.terminate()
        process.wait(30)


def is_ready(port):
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def wait_until(done, seconds=60.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
