"""The page in a real Chromium: links, rules, keyboard, accessibility, offline, speed."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright.sync_api", reason="pip install playwright")

from page_browser import (  # noqa: F401  fixtures
    CREW,
    DECIDE,
    DESKTOP,
    FIGHT,
    PHONE,
    TAKE,
    advise_fixture,
    browser_fixture,
    context_fixture,
    follow,
    host_fixture,
    opened,
    phone_fixture,
    scores,
    tap_dice,
)
from playwright.sync_api import expect

# --- links, rules


def test_a_link_shares_the_whole_position(context, host, browser):
    page = opened(context, host.url)
    page.get_by_role("button", name="Martian Dice, 3 players").click()
    tap_dice(page, "T2 R4 H3 C2 K2")
    page.locator('.option[data-action="human"]').click()
    shown = page.locator("#advice").inner_text()
    other = browser.new_context(viewport=DESKTOP, service_workers="block")
    friend = opened(other, page.url)
    expect(friend.locator("#advice")).to_contain_text("to win")
    friend.wait_for_selector(".verdict")
    assert friend.locator("#advice").inner_text() == shown
    assert friend.url == page.url
    other.close()


@pytest.mark.slow
def test_a_link_stays_as_it_was_when_the_page_has_read_it(phone, host):
    page = opened(phone, host.url)
    for link in (TAKE, DECIDE, CREW, FIGHT):
        follow(page, link)
        page.wait_for_selector(".verdict")
        written = page.evaluate("location.hash")
        for part in link.split("?")[1].split("&"):
            assert part in written.replace("%2C", ","), part
        follow(page, "#/martian-dice")
        follow(page, written)
        page.wait_for_selector(".verdict")
        assert page.evaluate("location.hash") == written


BROKEN = {
    "#/martian-dice?aside=T9+R9": "18 dice are set aside, and there are only 13",
    "#/martian-dice?aside=T2+X3": '"X3" cannot be read',
    "#/martian-dice?scores=1,2,3,4,5": "1 to 4 seats, not 5",
    "#/martian-dice?aside=T3": "only tanks set aside",
    "#/martian-dice?set=end%3Dnever": 'end is round or immediate, not "never"',
    "#/martian-dice?scores=30,12&seat=1": "the match is over, or seat 1 has not played yet",
    "#/chess": 'knows no game "chess"',
    "#/alien-crew?stage=admiral": "a stage is a whole number from 0 to 3",
    "#/alien-crew?roll=1+2+3+4+5+6": "6 dice are shown, and 5 were thrown",
    "#/martians-fights?lives=9": "lives is a whole number from 1 to 5",
}


def test_a_link_that_cannot_be_followed_says_why(phone, host):
    page = opened(phone, host.url)
    for link, told in BROKEN.items():
        follow(page, link)
        expect(page.get_by_role("alert")).to_contain_text(told)
        expect(page.get_by_role("heading", name="What are you playing?")).to_be_visible()


@pytest.mark.slow
def test_rules_without_a_table_are_answered_with_an_honest_message(context, host, advise):
    page = opened(context, host.url + TAKE)
    page.locator("#rules").click()
    page.get_by_label("When somebody reaches the target").select_option("immediate")
    expect(page.locator(".told")).to_contain_text("no table for the win under these rules")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_contain_text("the advice is for the most points")
    tap_dice(page, "T2 R4 H3 C2 K2")
    best = advise("martian-dice", roll="T2 R4 H3 C2 K2").best
    expect(page.locator(".verdict b").first).to_have_text(f"{best.value:.2f}")


@pytest.mark.slow
def test_scores_and_players_can_be_corrected(context, host, advise):
    page = opened(context, host.url + TAKE)
    page.locator("#rules").click()
    page.get_by_label("name of seat 2").fill("Zoë")
    page.get_by_label("score of seat 2").fill("7")
    page.get_by_role("button", name="Save").click()
    assert scores(page) == [12, 7]
    expect(page.locator(".strip")).to_contain_text("Zoë")
    best = advise("martian-dice", aside="T2 R3 H4", roll="R2 C1 K1", scores=(12, 7), seat=1).best
    expect(page.locator(".verdict b").first).to_have_text(f"{100 * best.value:.1f} %")


@pytest.mark.slow
def test_dice_set_aside_before_can_be_told_by_taps(phone, host):
    page = opened(phone, host.url)
    page.get_by_role("button", name="Martian Dice, alone").click()
    page.get_by_role("button", name="Correct the dice set aside").click()
    tap_dice(page, "T2 R3 H4")
    page.get_by_role("button", name="Done: roll the rest").click()
    tap_dice(page, "R2 C1 K1")
    expect(page.locator(".verdict .do")).to_have_text("Take the cows, then roll")
    expect(page.locator(".verdict b").first).to_have_text("6.78")


# --- keyboard and screen reader


def test_a_turn_with_the_keyboard_alone(context, host, advise):
    page = opened(context, host.url)
    press = page.keyboard.press
    for _ in range(12):
        press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == (
            "Martian Dice, 2 players"
        ):
            break
    press("Enter")
    page.keyboard.type("ttrrrrhhhcckk")
    expect(page.locator(".verdict")).to_be_focused()
    best = page.locator(".option").first.get_attribute("data-action")
    assert best == advise("martian-dice", roll="T2 R4 H3 C2 K2", scores=(0, 0), seat=1).best.action
    press("Enter")
    expect(page.locator("#table .face").first).to_be_focused()
    press("Backspace")
    expect(page.locator(".option").first).to_have_attribute("data-action", best)
    press("u")
    expect(page.locator(".ask")).to_contain_text("1 more of 13")


@pytest.mark.slow
def test_the_advice_is_announced(phone, host):
    page = opened(phone, host.url + "#/martian-dice?aside=T2+R3+H4&roll=R2+C1")
    expect(page.locator("#announce")).to_have_text("")
    tap_dice(page, "K1")
    expect(page.locator("#announce")).to_contain_text("Take the cows, then roll. Take the cows")


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone-light"),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.slow),
        pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.slow),
    ],
)
def test_no_accessibility_rule_of_axe_is_broken(browser, host, scheme, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport=size, color_scheme=scheme, service_workers="block", reduced_motion="reduce"
    )
    page = opened(context, host.url)

    def check(what: str) -> None:
        found = axe.run(page).response["violations"]
        assert not found, (what, [(v["id"], v["nodes"][0]["html"]) for v in found])

    check("start")
    whole = size is DESKTOP or scheme == "dark"  # the quick test sees less
    half = "#/martian-dice?aside=T2+R3+H4&roll=R2&scores=12,20&seat=1"
    over = "#/martian-dice?scores=26,20&seat=2&over=1"
    for link in (half, DECIDE, CREW, FIGHT, over, TAKE) if whole else (CREW, TAKE):
        follow(page, link)
        if link not in (half, over):
            page.wait_for_selector(".verdict")
        check(link)
    for button in ("#rules", "#about") if whole else ("#rules",):
        page.locator(button).click()
        page.wait_for_selector("dialog[open] button")
        check(button)
        page.keyboard.press("Escape")
    context.close()


@pytest.mark.slow
def test_nothing_sticks_out_at_any_width(phone, host):
    page = opened(phone, host.url)
    six = "#/alien-crew?scores=12,0,100,7,8,9&seat=2&roll=1+2&names=Bartholomew,B,C,D,E,F"
    many = "#/martian-dice?aside=T2+R1+H1+C1+K1&roll=T1+R2+H1+C2+K1&scores=1,2,3,4&seat=2"
    for link in ("", TAKE, DECIDE, CREW, FIGHT, six, many):
        follow(page, link)
        for width in (320, 600, 1280):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (link, width)


# --- offline, speed, own origin


def test_the_page_works_offline_after_one_visit(browser, host, advise):
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = opened(context, host.url)
    page.get_by_role("button", name="Martian Dice, 2 players").click()
    page.wait_for_selector("html[data-kept]")
    page.wait_for_function(
        "async () => (await (await caches.open('tables')).keys())"
        ".filter(({ url }) => /win-2.open-play|points.policy-value/.test(url)).length >= 3",
        timeout=20_000,
    )
    host.stop()
    try:
        page.reload()
        page.wait_for_selector("html[data-ready]")
        tap_dice(page, "T2 R4 H3 C2 K2")
        best = advise("martian-dice", roll="T2 R4 H3 C2 K2", scores=(0, 0), seat=1).best
        expect(page.locator(".option").first).to_have_attribute("data-action", best.action)
        expect(page.locator(".verdict b").first).to_have_text(f"{100 * best.value:.1f} %")
        for link, what in ((CREW, "Roll the 2 again"), (FIGHT, "Forfeit a life, roll again")):
            page.goto(host.url + link)
            expect(page.locator(".verdict .do")).to_have_text(what)
        page.goto(host.url + DECIDE)  # three seats were never asked for
        expect(page.locator(".notice")).to_contain_text("is not on this device")
    finally:
        host.start()
    context.close()


@pytest.mark.slow
def test_all_tables_can_be_kept_for_offline_use(browser, host):
    context = browser.new_context(viewport=PHONE)
    page = opened(context, host.url)
    page.wait_for_selector("html[data-kept]")
    page.locator("#about").click()
    page.get_by_role("button", name="Keep all tables on this device").click()
    expect(page.get_by_text("Everything is on this device")).to_be_visible(timeout=15_000)
    host.stop()
    try:
        page.goto(host.url + DECIDE)
        page.reload()
        expect(page.locator(".verdict .do")).to_have_text("Roll")
    finally:
        host.start()
    context.close()


def test_a_damaged_table_is_not_answered_from(phone, host):
    page = phone.new_page()
    page.route(
        re.compile(r"policy-value.*\.npy$"),
        lambda route: route.fulfill(body=b"\x93NUMPY" + bytes(4946)),
    )
    page.goto(host.url + "#/martian-dice?aside=T2+R3+H4")
    expect(page.locator(".notice")).to_contain_text("the table martian-dice-points is damaged")
    expect(page.locator(".verdict")).to_have_count(0)


def test_nothing_is_asked_of_any_other_origin(phone, host):
    page = phone.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(host.url + FIGHT)
    page.wait_for_selector(".verdict")
    assert len(asked) > 20
    assert {url.split("/")[2] for url in asked} == {host.url.split("/")[2]}


@pytest.mark.slow
def test_the_answer_is_there_fifty_milliseconds_after_the_last_tap(phone, host):
    page = opened(phone, host.url)
    page.get_by_role("button", name="Martian Dice, 3 players").click()
    page.wait_for_timeout(1500)  # nobody taps thirteen dice faster
    times = page.evaluate(
        """() => {
          const times = [];
          for (let round = 0; round < 8; round += 1) {
            for (let i = 0; i < 12; i += 1) {
              document.querySelectorAll("#table .face")[1 + (i % 4)].click();
            }
            const began = performance.now();
            document.querySelectorAll('#table .face')[1].click();
            document.querySelector('.verdict').getBoundingClientRect(); // laid out
            times.push(performance.now() - began);
            for (let i = 0; i < 13; i += 1) document.querySelector('#undo').click();
          }
          return times;
        }"""
    )
    assert min(times) < 50, times  # others may use the processor; benchmarks/page tells the rest


def test_the_first_answer_takes_less_than_a_second(phone, host):
    taken: list[float] = []
    while len(taken) < 6 and min(taken, default=1000) >= 1000:  # others may use the processor
        page = phone.new_page()
        page.goto(host.url + "#/martian-dice?aside=T2+R3+H4&roll=R2+C1+K1", wait_until="commit")
        page.wait_for_selector(".verdict")
        taken.append(page.evaluate("performance.getEntriesByName('draw').at(-1).startTime"))
        page.close()
    assert min(taken) < 1000, taken
