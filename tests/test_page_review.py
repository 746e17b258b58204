"""The review tab: it writes records that Python reads, and finds in them what Python finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="pip install playwright")

from page_browser import (  # noqa: F401  fixtures
    DESKTOP,
    PHONE,
    browser_fixture,
    follow,
    host_fixture,
    opened,
    phone_fixture,
    scores,
    tap_dice,
)
from page_games import play
from playwright.sync_api import expect

from solver.advisor.advise import Advisor
from solver.advisor.review import Review, ReviewSource, read_record, review_record
from solver.tablebase.read import open_tables

SHEET = ("start", "luck", "own_luck", "lost", "gained", "result")


@pytest.fixture(scope="module")
def source() -> Iterator[ReviewSource]:
    with open_tables() as tables:
        yield ReviewSource(tables)


@pytest.fixture(scope="module")
def modules(browser: Any, host: Any) -> Iterator[Any]:
    context = browser.new_context(service_workers="block")
    yield opened(context, host.url)
    context.close()


def near(value: float) -> Any:
    return pytest.approx(value, abs=1e-9)


def added_up(sheet: dict[str, float]) -> float:
    return sheet["start"] + sheet["luck"] - sheet["lost"] + sheet["gained"] + sheet["unseen"]


def compared(found: Any, wanted: Review, *, win_from: int | None = 0) -> None:
    """Compare step by step, and all accounts; `win_from` is the first turn known for the win."""
    assert len(found["steps"]) == len(wanted.steps)
    for mine, theirs in zip(found["steps"], wanted.steps, strict=True):
        where = (mine, theirs)
        for name in ("turn", "seat", "round", "kind"):
            assert mine[name] == getattr(theirs, name), where
        assert mine["points"] == near(theirs.points), where
        known = win_from is not None and mine["turn"] > win_from
        assert (mine["win"] is not None) == known, where
        if known:
            assert mine["win"] == near(theirs.win), where
        assert mine["options"] == len(theirs.options), where
        if mine["kind"] == "choice" and known == (theirs.win is not None):
            assert sorted(mine["best"]) == sorted(theirs.best), where
            assert mine["worst"] == theirs.worst or win_from, where
    for mine, theirs in zip(found["points"], wanted.points, strict=True):
        assert mine["unseen"] == 0
        assert {name: mine[name] for name in SHEET} == {
            name: near(getattr(theirs, name)) for name in SHEET
        }
    if win_from == 0:
        for mine, theirs in zip(found["win"], wanted.win or (), strict=True):
            assert {name: mine[name] for name in SHEET} == {
                name: near(getattr(theirs, name)) for name in SHEET
            }
    for sheet in [*found["points"], *(found["win"] or [])]:
        assert added_up(sheet) == near(sheet["result"])


ANN, BOB, EVE = NAMES = ["Ann", "Bob", "Eve"]


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_martian_dice_is_reviewed_as_in_python(modules, source, seats):
    found = play(modules, "martian-dice", NAMES[:seats], 11 * seats, careful=0.75)
    assert found["over"]
    assert found["whole"]
    wanted = review_record(found["record"], source=source)
    assert wanted.over
    compared(found, wanted, win_from=0 if seats > 1 else None)
    assert any(step["worst"] for step in found["steps"])
    lost = [sum(sheet["lost"] for sheet in found[unit] or []) for unit in ("points", "win")]
    assert lost[0] > 0
    assert seats == 1 or lost[1] > 0


@pytest.mark.parametrize(
    ("seats", "rules", "win_from"),
    [(1, {}, None), (2, {"rounds": 3}, 0), (2, {"rounds": 2, "trio": "reset"}, 0)],
    ids=str,
)
def test_alien_crew_is_reviewed_as_in_python(modules, source, seats, rules, win_from):
    found = play(modules, "alien-crew", NAMES[:seats], 5 + seats, rules=rules, careful=0.6)
    assert found["over"]
    compared(found, review_record(found["record"], source=source), win_from=win_from)


def test_a_death_round_is_luck(modules, source):
    rules = {"rounds": 1}
    for seed in range(40):
        found = play(modules, "alien-crew", [ANN, BOB], seed, rules=rules)
        if "winner:" in found["record"]:
            break
    assert found["record"].rstrip().rpartition("\n")[2] in ("winner: Ann", "winner: Bob")
    compared(found, review_record(found["record"], source=source))
    assert sorted(sheet["result"] for sheet in found["win"]) == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_many_games_are_reviewed_as_in_python(modules, source, seats):
    for seed in range(15):
        how = {"careful": 0.3 + 0.1 * (seed % 7), "turns": 3 + seed if seed % 2 else 10_000}
        found = play(modules, "martian-dice", NAMES[:seats], 1000 + seed, **how)
        compared(
            found, review_record(found["record"], source=source), win_from=0 if seats > 1 else None
        )
        rules = {"rounds": 2 + seed % 2}
        found = play(modules, "alien-crew", NAMES[: min(seats, 2)], seed, rules=rules, **how)
        compared(
            found, review_record(found["record"], source=source), win_from=0 if seats > 1 else None
        )


@pytest.mark.parametrize("seats", [2, 1])
def test_a_game_that_stops_within_a_turn_is_reviewed(modules, source, seats):
    found = play(modules, "martian-dice", NAMES[:seats], 21, turns=3)
    compared(
        found, review_record(found["record"], source=source), win_from=0 if seats > 1 else None
    )
    assert not found["over"]


def test_names_and_rules_of_the_page_can_stand_in_a_record(modules):
    strange = ["Winner", "A: > #=,B", "a b", "Ünal 🛸"]
    rules = {"target": 15, "end": "immediate", "tie": "shared"}
    found = play(modules, "martian-dice", strange, 4, rules=rules)
    record = read_record(found["record"])
    assert record.seats == ("Seat 1", "A B", "Seat 3", "Ünal 🛸")
    assert (record.game.target, record.over) == (15, True)
    assert found["win"] is None  # there is no table for these rules


def test_what_was_entered_as_a_score_is_left_out_and_the_rest_adds_up(modules):
    found = play(modules, "martian-dice", [ANN, BOB], 31, edits=[[2, [3, 9]], [4, [4, 20]]])
    assert found["cuts"][:5] == [False, False, True, False, True]
    assert not found["whole"]
    assert len(read_record(found["record"]).turns) == 2
    assert any(sheet["unseen"] for sheet in found["win"])
    for sheet in [*found["points"], *found["win"]]:
        assert added_up(sheet) == near(sheet["result"])
    with open_tables() as tables:
        advise = Advisor(tables)
        asked = 0
        for step in found["steps"]:
            if step["kind"] == "dice" or step["options"] < 2:
                continue
            at, seat = found["starts"][step["turn"] - 1]
            advice = advise("martian-dice", "win", at, seat, **step["shown"])
            loss = next(o.loss for o in advice.options if o.action == step["text"])
            assert step["win"] == near(loss), step
            asked += 1
    assert asked > 20


# --- the tab itself


def test_a_game_by_taps_is_recorded_and_reviewed(browser, host, source, tmp_path):
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = opened(context, host.url)
    page.get_by_role("button", name="Martian Dice, 2 players").click()
    tap_dice(page, "T3 R3 H3 C2 K2", pointer=True)
    page.locator('.option[data-action="cow"]').click()
    page.locator('.option[data-action="roll"]').click()
    tap_dice(page, "T1 R4 H1 C1 K1")
    page.locator('.option[data-action="death-rays"]').click()
    page.locator("#undo").click()
    page.locator('.option[data-action="death-rays"]').click()
    page.locator('.option[data-action="stop"]').click()
    tap_dice(page, "T2 R5 H2 C2 K2")
    page.reload()  # the record stays
    page.wait_for_selector(".verdict")
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".sheet")).to_have_count(2)
    text = page.locator(".record textarea").input_value()
    assert text == (
        "game: martian-dice\nseats: Player 1, Player 2\n\nPlayer 1:\n"
        "  T3 R3 H3 C2 K2 -> cows, roll\n  T1 R4 H1 C1 K1 -> death rays, stop\n  = 2 (2)\n"
        "Player 2:\n  T2 R5 H2 C2 K2\n"
    )
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save game.txt").click()
    assert saving.value.suggested_filename == "game.txt"
    saving.value.save_as(tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_text(encoding="utf-8") == text
    wanted = review_record(text, source=source)
    worst = wanted.worst[0]
    first = page.locator(".worst li").first
    expect(first).to_contain_text(f"−{100 * (worst.win or 0):.1f}")  # noqa: RUF001
    assert wanted.win is not None
    cells = page.locator(".sheet").first.locator("tbody").first.locator("td")
    expect(cells.last).to_have_text(f"{100 * wanted.win[0].result:.1f}")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".verdict")).to_be_visible()
    assert scores(page) == [2, 0]
    context.close()


def test_a_game_that_was_joined_in_the_middle_says_so(phone, host):
    page = opened(phone, host.url + "#/martian-dice?scores=12,20&seat=1&round=3&names=Ann,Bob")
    tap_dice(page, "T3 R3 H3 C2 K2")
    page.locator('.option[data-action="cow"]').click()
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".notice").first).to_contain_text("before Ann’s turn in round 3")  # noqa: RUF001
    expect(page.locator(".notice").nth(1)).to_contain_text("there is none to save")
    expect(page.locator(".record")).to_have_count(0)
    expect(page.locator(".worst")).to_contain_text("Ann, round 3")
    page.locator("#review").click()
    page.locator("#new").click()
    page.get_by_role("button", name="Martian Dice, alone").click()
    page.locator("#review").click()
    expect(page.locator("#reviewed")).to_contain_text("Nothing to review yet")


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone-light"),
        pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.slow),
        pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.slow),
    ],
)
def test_the_review_with_the_keyboard_breaks_no_rule_of_axe(browser, host, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport=size, color_scheme=scheme, service_workers="block", reduced_motion="reduce"
    )
    page = opened(context, host.url + "#/martian-dice?scores=0,0")
    page.keyboard.type("tttrrrhhhcckk")
    for _ in range(2):
        page.locator(".option").last.focus()
        page.keyboard.press("Enter")
    page.keyboard.press("v")
    expect(page.locator("#reviewed h2")).to_be_focused()
    expect(page.locator(".sheet")).to_have_count(2)
    found = axe.run(page).response["violations"]
    assert not found, [(v["id"], v["nodes"][0]["html"]) for v in found]
    for width in (320, 390, 844, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Back to the game")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#review")).to_be_focused()
    context.close()


@pytest.mark.slow
def test_a_game_is_reviewed_offline(browser, host):
    context = browser.new_context(viewport=PHONE)
    page = opened(context, host.url)
    page.get_by_role("button", name="Alien Battleship, Captain & Crew, alone").click()
    page.wait_for_selector("html[data-kept]")
    host.stop()
    try:
        page.reload()
        page.wait_for_selector("html[data-ready]")
        tap_dice(page, "6 5 4 1 2")
        page.locator('.option[data-action="stop"]').click()
        page.locator("#review").click()
        expect(page.locator(".worst")).to_contain_text("better roll the 1 and the 2 again")
        assert len(read_record(page.locator(".record textarea").input_value()).turns) == 1
    finally:
        host.start()
    context.close()


@pytest.mark.slow
def test_fights_have_no_review_and_their_button_is_hidden(phone, host):
    page = opened(phone, host.url + "#/martian-dice")
    expect(page.locator("#review")).to_be_visible()
    follow(page, "#/martians-fights")
    expect(page.locator("#review")).to_be_hidden()
