"""The exported page behind a plain file server, in a real Chromium without a window."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from solver.advisor.advise import Advisor
from solver.apps.web import export_site
from solver.tablebase.read import open_tables

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
TAKE = "#/martian-dice?aside=T2+R3+H4&roll=R2+C1+K1&scores=12,20&seat=1&round=3"
DECIDE = "#/martian-dice?aside=T2+R3+H4&scores=12,20,15&seat=2"
CREW = "#/alien-crew?stage=trio&kept=5&roll=2&throws=1&scores=40,35&stages=trio,trio&round=7&seat=1"
FIGHT = "#/martians-fights?facing=4&lives=3&bullets=2&rolled=2&scores=1&set=fights%3D5"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The file server of Python's library, without its log, keeping connections."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """A file server that lets go of its connections when it is told to."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.connections: list[socket.socket] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a tab was closed while its tables came

    def let_go(self) -> None:
        for connection in self.connections:
            with suppress(OSError):  # it is closed already
                connection.shutdown(socket.SHUT_RDWR)


class Host:
    """A static host of one folder, which can be switched off and on again at the same address."""

    def __init__(self, directory: Path) -> None:
        self.handler = functools.partial(Quiet, directory=str(directory))
        self.port = 0
        self.server: Server | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        self.server = Server(("127.0.0.1", self.port), self.handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.let_go()
            self.server.server_close()
            self.server = None


def chromium() -> str:
    """Return the system's Chromium, or skip the test and say how to get one."""
    found = next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    return found


@contextmanager
def running_browser() -> Iterator[Any]:
    """Yield a browser."""
    executable = chromium()
    api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(context: Any, url: str) -> Any:
    """Return a tab at an address, once the page is ready."""
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    return page


@pytest.fixture(scope="module", name="host")
def host_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    directory: Path = tmp_path_factory.mktemp("site")
    with open_tables() as tables:
        export_site(directory, tables)
    served = Host(directory)
    yield served
    served.stop()


@pytest.fixture(scope="module", name="browser")
def browser_fixture() -> Iterator[Any]:
    with running_browser() as running:
        yield running


@pytest.fixture(scope="module", name="advise")
def advise_fixture() -> Iterator[Advisor]:
    with open_tables() as tables:
        yield Advisor(tables)


@pytest.fixture(
    name="context",
    params=[PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)],
    ids=["phone", "desktop"],
)
def context_fixture(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    phone = request.param is PHONE
    made = browser.new_context(viewport=request.param, has_touch=phone, service_workers="block")
    yield made
    made.close()


@pytest.fixture(name="phone")
def phone_fixture(browser: Any) -> Iterator[Any]:
    made = browser.new_context(viewport=PHONE, has_touch=True, service_workers="block")
    yield made
    made.close()


def tap_dice(page: Any, dice: str) -> None:
    """Tap each face as often as a text says: T2 R3."""
    for face, count in re.findall(r"([A-Z1-6])x?(\d*)", dice):
        for _ in range(int(count or 1)):
            page.locator(f'#table .face[data-face="{face}"]').click()


def follow(page: Any, link: str) -> None:
    """Follow a link within the page."""
    page.evaluate("link => { location.hash = link; }", link)


def scores(page: Any) -> list[int]:
    return [int(text.split()[0]) for text in page.locator(".strip .score").all_inner_texts()]
