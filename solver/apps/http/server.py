"""The server: uvicorn as this service needs it."""

from __future__ import annotations

import gc
import os
import socket
import sys
import tempfile
from importlib.util import find_spec
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI

from solver.apps.http import logs
from solver.apps.http.app import make_app
from solver.apps.http.connection import GuardedProtocol
from solver.apps.http.metrics import MULTIPROCESS
from solver.apps.http.settings import Settings
from solver.errors import UsageError

VARIABLE = "SHOULD_I_ROLL_SERVE"
"""How a worker process gets its settings: as JSON in its environment."""

STOPPING_SECONDS = 10
"""Time for requests under way to end when the service stops."""


def worker_app() -> FastAPI:
    """Return the application of a worker process, ready before it takes connections.

    A worker that replaces a dead one shares the address with those that live.
    """
    logs.configure()
    settings = msgspec.json.decode(os.environ.get(VARIABLE, "{}"), type=Settings)
    app = _app(settings)
    app.state.service.load()
    return app


def _app(settings: Settings) -> FastAPI:
    """Return the application of a process that does nothing else."""
    app = make_app(settings)
    app.state.service.when_ready = _spare_what_stays
    return app


def _spare_what_stays() -> None:
    """Let the garbage collector never look at modules and tables again: they stay to the end.

    A full collection takes tens of milliseconds of a request otherwise.
    """
    gc.collect()
    gc.freeze()


def options(host: str, port: int, proxy: str | None) -> dict[str, Any]:
    """Return uvicorn's options.

    Parameters
    ----------
    host, port
        Where it listens.
    proxy
        Address of the proxy in front, whose word on the client's address is taken; None for none.
    """
    return {
        "host": host,
        "port": port,
        "http": GuardedProtocol,
        "ws": "none",
        "loop": "uvloop" if find_spec("uvloop") else "asyncio",
        "lifespan": "on",
        "access_log": False,
        "log_config": None,
        "server_header": False,
        "proxy_headers": proxy is not None,
        "forwarded_allow_ips": proxy,
        "timeout_keep_alive": 15,
        "timeout_graceful_shutdown": STOPPING_SECONDS,
        "backlog": 512,
    }


def run(settings: Settings, host: str, port: int, *, workers: int, proxy: str | None) -> int:
    """Serve until the process is told to stop, and return its exit code.

    Parameters
    ----------
    settings
        How the service runs.
    host, port
        Where it listens.
    workers
        Processes; one that dies is replaced.
    proxy
        Address of the proxy in front, None for none.

    Raises
    ------
    UsageError
        If it cannot listen there.
    """
    check_address(host, port)
    logs.configure()
    if workers == 1:
        server = uvicorn.Server(uvicorn.Config(_app(settings), **options(host, port, proxy)))
        server.run()
        return 0 if server.started else 1
    with tempfile.TemporaryDirectory(prefix="should-i-roll-") as folder:
        os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
        os.environ[MULTIPROCESS] = folder
        try:
            uvicorn.run(
                "solver.apps.http.server:worker_app",
                factory=True,
                workers=workers,
                **options(host, port, proxy),
            )
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        finally:
            sys.stderr.flush()
    return 0


def check_address(host: str, port: int) -> None:
    """Raise UsageError unless the service can listen at an address.

    Parameters
    ----------
    host, port
        The address.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        raise UsageError(
            f"cannot listen at {host}, port {port}: {error.strerror or error}",
            remedy="--host an address of this machine, --port one that is free; 0 takes any",
            field="port",
        ) from None
