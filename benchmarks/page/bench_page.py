"""What the page costs: bytes, the first answer, and the time from the last tap to the answer.

    python benchmarks/page/bench_page.py

Needs Playwright (``pip install playwright``) and a Chromium of the system. The page is exported
and served by Python's own file server on loopback; every figure is of a new browser profile.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from solver.apps.web import export_site, site_directory
from solver.tablebase.read import open_tables

PHONE = {"width": 390, "height": 844}
ROUNDS = 20
TAPS = """async (rounds) => {
  const times = { drawn: [], painted: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < 12; i += 1) {
      document.querySelectorAll('#table .face')[1 + ((i + round) % 4)].click();
    }
    const began = performance.now();
    document.querySelectorAll('#table .face')[1].click();
    if (!document.querySelector('.verdict')) throw new Error('no answer');
    document.querySelector('.verdict').getBoundingClientRect();
    times.drawn.push(performance.now() - began);
    await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));
    times.painted.push(performance.now() - began);
    for (let i = 0; i < 13; i += 1) document.querySelector('#undo').click();
  }
  return times;
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections
    disable_nagle_algorithm = (
        True  # or each file waits for an acknowledgement, as no real host does
    )

    def log_message(self, *args: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *args: Any) -> None:
        pass  # a tab was closed while its tables came


def line(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    worst = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(f"{what:58} median {statistics.median(times):7.1f} ms   95 % {worst:7.1f} ms")


def sizes() -> None:
    files = [p for p in site_directory().rglob("*") if p.is_file()]
    whole = sum(p.stat().st_size for p in files)
    packed = sum(len(gzip.compress(p.read_bytes(), 6)) for p in files)
    print(f"page: {len(files)} files, {whole:,} bytes, {packed:,} gzipped file by file")
    with open_tables() as tables:
        for name in tables.names:
            print(f"  table {name}: {tables[name].size:,} bytes")


def first_answer(browser: Any, url: str, link: str) -> tuple[float, float]:
    """Return milliseconds to the answer: seen from outside, and by the page's own clock."""
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    began = time.perf_counter()
    page.goto(url + link, wait_until="commit")
    page.wait_for_selector(".verdict")
    took = 1000 * (time.perf_counter() - began)
    drawn: float = page.evaluate(
        "(() => { const e = performance.getEntriesByName('draw').at(-1);"
        " return e.startTime + e.duration; })()"
    )
    context.close()
    return took, drawn


def last_tap(browser: Any, url: str, game: str) -> dict[str, list[float]]:
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    page.goto(url)
    page.get_by_role("button", name=game).click()
    page.wait_for_timeout(4000)
    found: dict[str, list[float]] = page.evaluate(TAPS, ROUNDS)
    context.close()
    return found


def whole_match(browser: Any, url: str) -> float:
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    began = time.perf_counter()
    page.goto(url + "#/alien-crew?scores=0,0&roll=6+5+4+3+3&throws=2", wait_until="commit")
    page.wait_for_selector(".strip .extra:has-text('% to win')", timeout=120_000)
    took = time.perf_counter() - began
    context.close()
    return took


def main() -> None:
    sizes()
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        with open_tables() as tables:
            export_site(Path(directory), tables)
        handler = functools.partial(Quiet, directory=directory)
        server = Server(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        print(f"Chromium {browser.version}")
        links = {
            "alone, for points (exact table)": "#/martian-dice?aside=T2+R3+H4&roll=R2+C1+K1",
            "two seats": "#/martian-dice?aside=T2+R3+H4&roll=R2+C1+K1&scores=12,20&seat=1",
            "three seats": "#/martian-dice?aside=T2+R3+H4&scores=12,20,15&seat=2",
            "Martians!!!": "#/martians-fights?facing=4&lives=3&bullets=2&rolled=2&set=fights%3D5",
        }
        for what, link in links.items():
            times = [first_answer(browser, url, link) for _ in range(5)]
            line(f"first visit to the answer, {what}", [seen for seen, _ in times])
            line("  from the navigation, by the page's clock", [drawn for _, drawn in times])
        for game in ("Martian Dice, alone", "Martian Dice, 2 players", "Martian Dice, 3 players"):
            times = last_tap(browser, url, game)
            line(f"last tap to the answer laid out, {game}", times["drawn"])
            line(f"last tap to the frame after, {game}", times["painted"])
        took = whole_match(browser, url)
        print(f"Alien Crew, first visit to the chances of a whole match of two: {took:.1f} s")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
