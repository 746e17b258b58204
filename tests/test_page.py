"""Games at the page in a real Chromium: whole turns by taps, undo, the end of a match."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="pip install playwright")

from page_browser import (  # noqa: F401  fixtures
    DESKTOP,
    FIGHT,
    PHONE,
    TAKE,
    advise_fixture,
    browser_fixture,
    context_fixture,
    host_fixture,
    opened,
    phone_fixture,
    scores,
    tap_dice,
)
from playwright.sync_api import expect

import solver

# --- a game by taps


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_whole_turn_by_taps_is_advised_as_python_does(browser, host, advise, size):
    context = browser.new_context(viewport=size, service_workers="block")
    page = opened(context, host.url)
    page.get_by_role("button", name="Martian Dice, 2 players").click()
    random_ = random.Random(54)
    word = {"death-rays": "R", "human": "H", "cow": "C", "chicken": "K"}
    aside, rolls = dict.fromkeys("TRHCK", 0), 0

    def asked(roll: str | None = None) -> Any:
        """Look what the page and Python find best, and that they agree."""
        told = " ".join(f"{face}{count}" for face, count in aside.items() if count)
        advice = advise("martian-dice", None, (0, 0), 1, aside=told, roll=roll)
        expect(page.locator(".option").first).to_have_attribute("data-action", advice.best.action)
        expect(page.locator(".verdict b").first).to_have_text(f"{100 * advice.best.value:.1f} %")
        page.locator(f'.option[data-action="{advice.best.action}"]').click()
        return advice.best.action

    while True:
        rolled = [random_.choice("TRRHCK") for _ in range(13 - sum(aside.values()))]
        roll = {face: rolled.count(face) for face in aside if face in rolled}
        expect(page.locator(".verdict")).to_have_count(0)
        text = " ".join(f"{face}{count}" for face, count in roll.items())
        tap_dice(page, text, pointer=size is PHONE)
        rolls += 1
        taken = word[asked(text)]
        aside["T"] += roll.get("T", 0)
        aside[taken] += roll[taken]
        if asked() == "stop":
            break
    assert rolls > 2
    kinds = sum(1 for s in "HCK" if aside[s])
    worth = solver.game("martian-dice").score(
        aside["T"], aside["R"], sum(aside[s] for s in "HCK"), kinds
    )
    assert worth > 0
    assert scores(page) == [worth, 0]
    expect(page.locator(".headline")).to_contain_text("Player 2’s turn")  # noqa: RUF001
    context.close()


@pytest.mark.slow
def test_the_big_button_does_all_that_it_says(context, host):
    page = opened(context, host.url + TAKE)
    expect(page.locator(".verdict .do")).to_have_text("Take the cows, then roll")
    page.locator(".verdict").click()
    expect(page.locator(".groups").first).to_contain_text("× 1")  # noqa: RUF001
    expect(page.locator(".ask")).to_contain_text("3 more of 3")


@pytest.mark.slow
def test_a_bust_scores_nothing_and_passes_the_dice_on(context, host):
    page = opened(context, host.url + "#/martian-dice?aside=T2+R2+H4&scores=12,20&seat=2&roll=")
    tap_dice(page, "T3 H2")
    expect(page.locator(".verdict .do")).to_have_text("Score 0, next player")
    page.locator(".verdict").click()
    assert scores(page) == [12, 20]
    expect(page.locator(".headline")).to_contain_text("Player 1’s turn · round 2")  # noqa: RUF001


@pytest.mark.slow
def test_the_round_is_completed_before_somebody_has_won(context, host):
    page = opened(
        context, host.url + "#/martian-dice?aside=R4+H6&scores=22,20&seat=1&names=Ann,Bob"
    )
    page.locator('.option[data-action="stop"]').click()
    assert scores(page) == [28, 20]
    expect(page.locator(".over")).to_have_count(0)
    tap_dice(page, "T13")
    page.locator(".verdict").click()
    expect(page.locator(".over")).to_contain_text("Ann wins")


def test_a_turn_of_alien_crew_by_taps(context, host, advise):
    page = opened(context, host.url + "#/alien-crew?scores=0,0&objective=points")
    tap_dice(page, "6 5 3 2 2")
    expect(page.locator(".verdict .do")).to_have_text("Throw the other dice")
    page.locator(".verdict").click()
    expect(page.locator(".trio .on")).to_have_count(2)
    tap_dice(page, "4 1 5")
    best = advise("alien-crew", stage="captain", roll="4 1 5", throws=1).best
    assert best.action == "roll-1"
    expect(page.locator(".verdict .do")).to_have_text("Roll the 1 again")
    expect(page.locator(".verdict b").first).to_have_text(f"{best.value:.2f}")
    page.locator(".verdict").click()
    tap_dice(page, "6")
    expect(page.locator(".verdict .do")).to_have_text("Score 11, next player")
    page.locator(".verdict").click()
    assert scores(page) == [11, 0]
    expect(page.locator(".strip li").first.locator(".mark.on")).to_have_count(3)
    expect(page.locator(".headline")).to_contain_text("Player 2’s turn")  # noqa: RUF001


@pytest.mark.slow
def test_a_tie_after_ten_rounds_is_settled_by_a_death_round(phone, host):
    page = opened(
        phone,
        host.url + "#/alien-crew?stage=trio&roll=1+1&throws=0&stages=trio,trio"
        "&scores=42,40&round=10&seat=2",
    )
    page.locator(".verdict").click()
    expect(page.locator(".headline")).to_contain_text("Death round · Player 1’s turn")  # noqa: RUF001
    tap_dice(page, "2 2")
    expect(page.locator(".option").first).to_have_attribute("data-action", "roll-2-2")
    page.locator('.option[data-action="stop"]').click()
    tap_dice(page, "1 4")
    expect(page.locator(".verdict b").first).to_have_text("100 %")  # 5 beats 4
    page.locator('.option.best[data-action="stop"]').click()
    expect(page.locator(".over")).to_contain_text("Player 2 wins")


@pytest.mark.slow
def test_the_last_round_of_alien_crew_is_played_for_the_win(context, host, advise):
    page = opened(
        context,
        host.url + "#/alien-crew?stage=trio&kept=6&roll=5&throws=1&scores=80,68&round=10&seat=2"
        "&stages=trio,trio",
    )
    expect(page.locator(".verdict .do")).to_have_text("Roll the 5 again")  # 11 would lose
    told = {"stage": "trio", "crew": "5 6", "throws": 1}
    assert advise("alien-crew", **told).best.action == "stop"
    best = advise("alien-crew", scores=(80, 68), stages="trio,trio", round=10, seat=2, **told).best
    assert best.action == "roll-5"
    expect(page.locator(".verdict b").first).to_have_text(f"{100 * best.value:.1f} %")


@pytest.mark.slow
def test_a_win_that_is_not_worked_out_yet_is_answered_for_points_and_says_so(phone, host):
    page = opened(phone, host.url + "#/alien-crew?scores=0,0,0,0,0&roll=6+5+4+1&throws=2")
    tap_dice(page, "2")
    expect(page.locator(".notice")).to_contain_text("worked out here near the end of the match")
    expect(page.locator(".verdict")).to_contain_text("points, on average")


def test_fights_are_tracked_to_the_end(context, host):
    page = opened(context, host.url + FIGHT)
    first = solver.solve_turn(
        solver.game("martians-fights", fights=5),
        {outcome: int(not outcome[3]) for outcome in _outcomes(5)},
        exact=True,
    ).value_at(("short", 4, 3, 2, 0, 0, 2))
    expect(page.locator(".verdict b").first).to_have_text(f"{100 * first:.1f} %")
    page.locator('.option[data-action="spend"]').click()
    for _ in range(3):
        tap_dice(page, "6")
        page.locator(".verdict").click()
    expect(page.locator(".over")).to_contain_text("You survived")
    expect(page.locator(".over")).to_contain_text("3 life tokens and 0 bullet tokens")


def _outcomes(fights: int) -> list[Any]:
    from solver.turn import compile_turn

    return list(compile_turn(solver.game("martians-fights", fights=fights)).outcomes)


def test_undo_takes_back_tap_by_tap(context, host):
    page = opened(context, host.url + TAKE)
    page.locator('.option[data-action="death-rays"]').click()
    page.locator('.option[data-action="stop"]').click()
    assert scores(page) == [16, 20]
    page.locator("#undo").click()
    page.locator("#undo").click()
    assert scores(page) == [12, 20]
    expect(page.locator(".tapped li")).to_have_count(3)
    expect(page.locator(".option")).to_have_count(3)
    expect(page.locator("#undo")).to_be_disabled()
