"""The exported page behind a plain file server, in a real Chromium without a window."""

from __future__ import annotations

import atexit
import functools
import http.server
import re
import shutil
import socket
import tempfile
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

TAP = """faces => {
  for (const face of faces) {
    const button = document.querySelector(`#table .face[data-face="${face}"]`);
    if (button.disabled) throw new Error(`${face} cannot be tapped`);
    button.click();
  }
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The file server of Python's library, without its log, keeping connections."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # or each file waits for an acknowledgement, as no real host does
    )

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


@functools.cache
def exported() -> Path:
    """Return the folder of the exported page: one for all tests, which only read it."""
    directory = Path(tempfile.mkdtemp(prefix="site-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    with open_tables() as tables:
        export_site(directory, tables)
    return directory


@pytest.fixture(scope="module", name="host")
def host_fixture() -> Iterator[Host]:
    served = Host(exported())
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


@functools.cache
def shared_context(browser: Any, size: str) -> Any:
    """Return one context of a browser for many tests: files are fetched once."""
    viewport = PHONE if size == "phone" else DESKTOP
    return browser.new_context(
        viewport=viewport, has_touch=size == "phone", service_workers="block"
    )


def left_clean(context: Any) -> None:
    """Close the tabs of a context, and forget what they have stored."""
    for page in context.pages:
        with suppress(Exception):  # a tab that shows no page has no storage
            page.evaluate("localStorage.clear()")
        page.close()


@pytest.fixture(
    name="context",
    params=["phone", pytest.param("desktop", marks=pytest.mark.slow)],
)
def context_fixture(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    context = shared_context(browser, request.param)
    yield context
    left_clean(context)


@pytest.fixture(name="phone")
def phone_fixture(browser: Any) -> Iterator[Any]:
    context = shared_context(browser, "phone")
    yield context
    left_clean(context)


def tap_dice(page: Any, dice: str, *, pointer: bool = False) -> None:
    """Tap each face as often as a text says: T2 R3; with the pointer, or at once in the page."""
    faces = [
        face
        for face, count in re.findall(r"([A-Z1-6])x?(\d*)", dice)
        for _ in range(int(count or 1))
    ]
    page.wait_for_selector(f'#table .face[data-face="{faces[0]}"]:enabled')
    if not pointer:
        page.evaluate(TAP, faces)
        return
    for face in faces:
        page.locator(f'#table .face[data-face="{face}"]').click()


def follow(page: Any, link: str) -> None:
    """Follow a link within the page."""
    page.evaluate("link => { location.hash = link; }", link)


def scores(page: Any) -> list[int]:
    return [int(text.split()[0]) for text in page.locator(".strip .score").all_inner_texts()]
