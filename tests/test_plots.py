"""Pictures say what the numbers say, are the same in every run, and fit their page."""

from __future__ import annotations

import json
from fractions import Fraction
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from pictures import texts_outside

import solver
from solver.apps.cli.main import run
from solver.errors import UsageError
from solver.games.martian_dice import MartianDice
from solver.plots import (
    FrontierPoint,
    draw_distributions,
    draw_frontier,
    draw_stop_map,
    draw_surface,
    make_card,
    render,
)
from solver.plots.card_alien import alien_rule
from solver.plots.card_rule import BEHIND, RAYS, card_rule
from solver.plots.source import points_values, turn_distributions, win_surface, win_turn_values
from solver.plots.stop_map import StopCell, stop_cells
from solver.policies.evaluate import evaluate_turn
from solver.turn import evaluate_policy

GAME = solver.game("martian-dice")


@pytest.fixture(scope="module")
def tables():
    with solver.open_tables() as opened:
        yield opened


@pytest.fixture(scope="module")
def rule():
    return card_rule(GAME)


# --- files


@pytest.mark.parametrize(
    "form",
    ["svg", *(pytest.param(form, marks=pytest.mark.slow) for form in ("png", "pdf"))],
)
def test_a_picture_is_the_same_bytes_every_time(form):
    points = [FrontierPoint(0, 1.7, 0.4), FrontierPoint(1, 0.3, 0.1)]
    one, two = (render(draw_frontier(points, "rules"), form) for _ in range(2))
    assert one == two
    for word in (b"CreationDate", b"<dc:date"):
        assert word not in one


def test_an_unknown_kind_of_file_is_refused(capsys, tmp_path):
    assert run(["plot", "win", "martian-dice", str(tmp_path / "a.doc")]) == 2
    assert "one of .svg, .png, .pdf" in capsys.readouterr().err
    assert run(["plot", "win", "martian-dice", str(tmp_path / "no" / "a.svg")]) == 2
    assert "cannot be written" in capsys.readouterr().err


# --- stop or roll


def test_the_stop_map_for_points_is_best_play():
    graph, values, _ = points_values(GAME)
    cells = stop_cells(GAME, graph, values)
    with solver.open_tables() as opened:
        advise = solver.Advisor(opened)
        for aside, cell, points in (
            ("T3 R3 H5 K1", (1, 0, 2), 6),
            ("T3 R3 H4 K1", (2, 0, 2), 5),
            ("T2 R2 H6", (3, 0, 1), 6),
            ("T2 R2 H4", (5, 0, 1), 4),
            ("T2 R4 H4 K1", (2, 2, 2), 5),
            ("T3 R2 H4 K1", (3, -1, 2), 0),
        ):
            best = advise("martian-dice", aside=aside).best.action
            assert cells[cell].stops[points] == (best == "stop"), aside


def test_stopping_for_points_needs_eight_numbers_and_no_more():
    """Level, few dice left and enough points, or all three species: else roll."""
    graph, values, _ = points_values(GAME)
    shown = {cell: c.text for cell, c in stop_cells(GAME, graph, values).items()}
    level = {1: ["stop", "3+", "6+", "7+", "8+"], 2: ["4+", "7+", "10+"]}
    for (left, lead, kinds), text in shown.items():
        if kinds == 0 or lead < 0:
            assert text == "roll"
        elif kinds == 3:
            assert text == "stop"
        elif lead > 0 or left > len(level[kinds]):
            assert text == "roll"
        else:
            assert text == level[kinds][left - 1]


def test_a_cell_names_every_run_of_points():
    assert StopCell({3: True, 4: True, 5: False, 9: True}).text == "3-4, 9+"
    assert StopCell({3: False, 4: True, 5: False}).text == "4"
    assert StopCell({3: True}).text == "stop"
    assert StopCell({3: False}).text == "roll"


def test_the_stop_map_for_the_win_follows_the_scores(tables):
    graph, values, goal = win_turn_values(GAME, "12,20", 1, None, tables)
    assert "12 : 20" in goal
    cells = stop_cells(GAME, graph, values)
    for aside, cell, points in (("T2 R2 H6 C2", (1, 0, 2), 8), ("T3 R3 H4 K1", (2, 0, 2), 5)):
        advice = solver.advise("martian-dice", aside=aside, scores=(12, 20), seat=1, tables=tables)
        assert cells[cell].stops[points] == (advice.best.action == "stop")
    assert texts_outside(draw_stop_map(GAME, graph, values, goal)) == []


def test_maps_are_drawn_for_the_games_that_have_one():
    alien = solver.game("alien-crew")
    assert texts_outside(draw_stop_map(alien, *points_values(alien))) == []
    with pytest.raises(UsageError, match="no stop-or-roll map"):
        draw_stop_map(solver.game("pig", target=5), *points_values(solver.game("pig", target=5)))
    uneven = MartianDice(dice=3, faces=solver.game("martian-dice", faces="T1 R2 H2 C1 K1").faces)
    with pytest.raises(UsageError, match="species alike"):
        draw_stop_map(uneven, *points_values(uneven))


# --- surfaces, distributions, frontiers


def test_the_surface_is_the_table(tables):
    chances, title, _ = win_surface(GAME, 2, None, tables)
    assert chances.shape == (25, 25)
    advice = solver.advise("martian-dice", scores=(20, 12), seat=2, tables=tables)
    assert chances[12, 20] == pytest.approx(advice.best.value, abs=1e-12)
    assert (np.diff(chances, axis=0) > 0).all()  # own points help
    assert texts_outside(draw_surface(chances, title, "")) == []


def test_the_surface_of_rounds_is_the_match(tables):
    alien = solver.game("alien-crew", rounds=1)
    chances, *_ = win_surface(alien, 1, 1, tables)
    advice = solver.advise(alien, stage="trio", throws=3, scores=(0, 0), stages="trio,trio",
                           round=1, seat=1)  # fmt: skip
    assert chances[0, 0] == pytest.approx(advice.best.value, abs=1e-12)


def test_distributions_are_exact_and_sum_to_one():
    small = solver.game("martian-dice", dice=5)
    turns = turn_distributions(small, ["points", "greedy"])
    best = solver.solve_turn(small, exact=True)
    assert turns["points"] == pytest.approx({int(p): c for p, c in best.distribution.items()})
    for turn in turns.values():
        assert sum(turn.values()) == pytest.approx(1, abs=1e-12)
    assert texts_outside(draw_distributions(turns, "a turn", "exact")) == []
    with pytest.raises(UsageError):
        draw_distributions({}, "none")


def test_a_frontier_shows_every_number():
    points = [FrontierPoint(k, 1 / (k + 1), 0.1 / (k + 1), "rule") for k in range(4)]
    figure = draw_frontier(points, "rules", "what they cost")
    assert texts_outside(figure) == []
    shown = [t.get_text() for axes in figure.axes for t in axes.texts]
    assert "0.250\nrule" in shown
    assert "2.5\nrule" in shown
    with pytest.raises(UsageError):
        draw_frontier([], "none")


# --- cards


def test_the_card_of_martian_dice_states_what_it_plays(rule):
    """The rule as a person reads it from the card, written again, loses what the card says."""

    def read_from_the_card(state, actions):
        kind, tanks, rays, heads, kinds, *rest = state
        behind = tanks - rays
        if kind == "take":
            rolled, (sizes,) = rest
            groups = [a for a in actions if a != "death-rays"]
            biggest = max(groups, key=lambda a: a[1]) if groups else None
            if not groups or not rolled:
                return biggest or "death-rays"
            if behind <= 0:
                return biggest
            least = rule.take[kinds, min(behind, BEHIND), min(rolled, RAYS)]
            return biggest if least is not None and max(sizes) >= least else "death-rays"
        if behind > 0 or kinds == 0:
            return "roll"
        if kinds == 3:
            return "stop"
        level = {1: {1: 2, 2: 3, 3: 6, 4: 7, 5: 8}, 2: {1: 4, 2: 7, 3: 10}}[kinds]
        left = 13 - tanks - rays - heads
        return "stop" if behind == 0 and left in level and heads >= level[left] else "roll"

    found = evaluate_policy(GAME, read_from_the_card)
    mean = sum((points * p for points, p in found.items()), Fraction(0))
    turn = evaluate_turn(GAME, rule)
    assert turn.mean == mean
    assert 0 < turn.loss < Fraction(3, 100)  # points a turn
    assert float(turn.mean) == pytest.approx(3.0845, abs=5e-5)


def test_the_card_of_alien_crew_is_best_play_for_points():
    alien = solver.game("alien-crew")
    words = alien_rule(alien)
    assert words.limits == {1: 3, 2: 4}
    for beginning in ("nothing", "trio"):
        assert evaluate_turn(alien, words, beginning=beginning).loss == 0


def test_a_card_prints_its_cost_and_fits_its_page():
    small = solver.game("martian-dice", dice=5, target=4)
    card = make_card(small)
    assert texts_outside(card.figure) == []
    (mean,) = card.cost.mean.values()
    printed = "\n".join(text.get_text() for axes in card.figure.axes for text in axes.texts)
    assert f"{mean:.3f} points a turn" in printed
    assert "dice=5, target=4" in printed
    for own, best in zip(card.cost.win, card.cost.best_win, strict=True):
        assert own <= best + 1e-12
        assert f"{100 * own:.1f} % ({100 * best:.1f})" in printed
    assert sum(card.cost.best_win) == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
def test_the_page_of_a_card_is_a5(tmp_path, capsys):
    file = tmp_path / "card.svg"
    line = ["card", "alien-crew", str(file), "--set", "rounds=1", "--json"]
    assert run(line) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["points"]["trio"] == pytest.approx(28 / 3)
    page = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314  our own file
    size = [float(page.attrib[name].removesuffix("pt")) for name in ("width", "height")]
    assert size == pytest.approx([210 / 25.4 * 72, 148 / 25.4 * 72], abs=0.01)
    assert run(["card", "pig", str(file)]) == 2
    assert "there is no card for pig" in capsys.readouterr().err


@pytest.mark.slow
def test_official_cards_fit_their_page():
    for name in ("martian-dice", "alien-crew"):
        card = make_card(solver.game(name))
        assert texts_outside(card.figure) == []
        for own, best in zip(card.cost.win, card.cost.best_win, strict=True):
            assert own <= best


# --- commands


@pytest.mark.slow
def test_every_picture_has_its_command(tmp_path, capsys):
    for line in (
        "stop-map martian-dice {}",
        "win pig {} --set target=10",
        "distribution pig {} --policies points",
    ):
        file = tmp_path / "picture.svg"
        assert run(["plot", *line.format(file).split()]) == 0
        assert file.read_text(encoding="utf-8").startswith("<?xml")
        capsys.readouterr()
    assert run(["plot", "stop-map", "martian-dice", str(file), "--scores", "12,20"]) == 2
    assert run(["plot", "stop-map", "martian-dice", str(file), "--scores", "a", "--seat", "1"]) == 2
