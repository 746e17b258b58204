"""The cards of Martians!!!: what they say is what they play, and what it costs is printed."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from pictures import printed, texts_outside, texts_over_each_other

import solver
from solver.apps.cli.main import run
from solver.errors import UsageError
from solver.games.martians import Gauntlet, Hunt
from solver.plots import make_card, render
from solver.plots.card import Cost
from solver.plots.card_fight_rule import ALWAYS, NEVER, fight_rule, hunt_rule
from solver.plots.card_fights import draw_fights_card, fights_cost, survivals
from solver.plots.card_hunt import draw_hunt_card
from solver.policies.arena.goal.alone import evaluate_alone
from solver.policies.evaluate import evaluate_turn
from solver.turn import evaluate_policy, solve_turn


def alive(chances):
    return sum((p for x, p in chances.items() if not x[-1]), Fraction(0))


# --- fights


def test_the_card_of_fights_is_best_play_for_survival():
    chances = survivals(fight_rule(Gauntlet()))
    for fights, tokens in ((5, (3, 3)), (8, (5, 5)), (7, (2, 2))):
        best = solve_turn(Gauntlet(fights), "survive", exact=True, beginning=tokens)
        assert chances[fights, *tokens] == best.exact, (fights, tokens)


def test_the_card_of_fights_says_what_it_plays():
    """A 3 is paid with a bullet, a 1 with a life; a 2 as one table of sixteen numbers tells."""
    rule = fight_rule(Gauntlet())
    for (roll, lives, bullets), most in rule.mend.items():
        if roll == 3 or lives == 1:
            assert most == ALWAYS
        if roll == 1 and lives > 1:
            assert most == (2 if bullets == 5 else 1)
    twos = {2: [7, ALWAYS, ALWAYS, ALWAYS], 3: [2, 7, ALWAYS, ALWAYS], 4: [1, 3, 8, ALWAYS],
            5: [1, 2, 5, 10]}  # fmt: skip

    def read_from_the_card(state, actions):
        if len(actions) == 1:
            return actions[0]
        left, lives, bullets = state[1:4]
        short = state[-1]
        if short == 1 or lives == 1:
            return "spend"
        if short == 3:
            return "spend" if left <= (2 if bullets == 5 else 1) else "forfeit"
        return "spend" if left <= twos[lives][bullets - 2] else "forfeit"

    game = Gauntlet(6)
    found = alive(evaluate_policy(game, read_from_the_card))
    assert found == survivals(rule)[6, 3, 3]
    assert float(found) == pytest.approx(0.6004694, abs=1e-6)


def test_a_card_of_fights_prints_its_cost_and_fits_its_page():
    card = make_card(Gauntlet())
    shown = printed(card.figure)
    assert texts_outside(card.figure) == []
    assert texts_over_each_other(card.figure) == []
    assert "What it costs: nothing" in shown
    assert "84.5" in shown  # four Martians from three and three
    assert card.as_dict()["unit"] == "survive"
    assert card.as_dict()["survive"]["5"] == pytest.approx(card.as_dict()["best_survive"]["5"])
    assert card.as_dict()["win_probability"] is None


@pytest.mark.slow
def test_the_card_of_fights_loses_nothing_from_any_tokens_under_both_readings():
    for game in (Gauntlet(), solver.game("martians-fights", last_life="one-more-roll")):
        rule = fight_rule(game)
        chances = survivals(rule)
        for tokens in rule.game.starts():
            best = solve_turn(rule.game, "survive", exact=True, beginning=tokens)
            assert chances[rule.game.fights, *tokens] == best.exact
        figure = draw_fights_card(rule, fights_cost(rule))
        assert texts_outside(figure) == texts_over_each_other(figure) == []


# --- hunts


@pytest.fixture(scope="module")
def hunting():
    game = solver.game("martians", goal=4, income="rich")
    return game, hunt_rule(game)


def test_the_card_of_a_hunt_says_what_it_plays_and_loses_little(hunting):
    """The rule as a person reads it from the card, written again, takes as many turns."""
    game, rule = hunting

    class Reader:
        name = "reader"

        def __init__(self):
            self.game = game

        def choose(self, state, actions, standing=None):
            del standing
            if len(actions) == 1:
                return actions[0]
            martians, lives, bullets = state[1:4]
            if state[0] == "ready":
                low, high = rule.stop.get((lives, bullets), (99, 99))
                return "stop" if low <= martians <= high else "fight"
            most = rule.mend[4 - state[-1], lives, bullets]
            if most in (ALWAYS, NEVER):
                return "spend" if most == ALWAYS else "forfeit"
            return "spend" if state[5] <= most else "forfeit"

    run_ = evaluate_alone(game, rule)
    assert evaluate_alone(game, Reader()).mean == pytest.approx(run_.mean, abs=1e-12)
    assert run_.reaches == 1.0
    assert 0.0 <= run_.lost < 0.02 * run_.best
    # what its turn brings is exact, too
    assert evaluate_turn(game, rule).mean == evaluate_turn(game, Reader()).mean


@pytest.mark.slow
@pytest.mark.parametrize(
    ("income", "lost"), [("scarce", 0.16), ("steady", 0.12), ("rich", 0.07), ("none", 16.0)]
)
def test_the_card_of_thirty_martians_loses_less_than_a_hundredth(income, lost):
    game = solver.game("martians", income=income)
    rule = hunt_rule(game)
    found = evaluate_alone(game, rule)
    assert found.reaches == 1.0
    assert found.lost < lost
    assert found.lost < 0.01 * found.best
    figure = draw_hunt_card(rule, Cost({None: 1.0}, {None: 1.0}, (0.5, 0.5), (0.5, 0.5), "turns"))
    assert texts_outside(figure) == texts_over_each_other(figure) == []


@pytest.mark.parametrize(
    "rules",
    [
        {"goal": 3, "income": "none"},
        pytest.param(
            {"goal": 4, "income": "0,0:1/2 1,0:1/4 0,1:1/4", "last_life": "one-more-roll"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_card_of_a_hunt_prints_its_cost_and_fits_its_page(rules):
    game = solver.game("martians", **rules)
    card = make_card(game)
    assert texts_outside(card.figure) == []
    assert texts_over_each_other(card.figure) == []
    (mean,) = card.cost.mean.values()
    shown = printed(card.figure)
    assert f"{mean:.2f} turns on average" in shown
    for own, best in zip(card.cost.win, card.cost.best_win, strict=True):
        assert own <= best + 1e-12
        assert f"{100 * own:.1f} % ({100 * best:.1f})" in shown
    assert sum(card.cost.best_win) == pytest.approx(1, abs=1e-12)
    assert card.as_dict()["turns"] == {"None": mean}


@pytest.mark.slow
def test_a_card_can_be_had_as_svg_and_pdf(hunting):
    game, rule = hunting
    cost = Cost({None: 1.0}, {None: 1.0}, (0.5, 0.5), (0.5, 0.5), "turns")
    figure = draw_hunt_card(rule, cost)
    assert texts_outside(figure) == texts_over_each_other(figure) == []
    assert render(figure, "svg").startswith(b"<?xml")
    assert render(figure, "pdf").startswith(b"%PDF")
    assert isinstance(game, Hunt)


def test_a_card_is_for_bare_hands():
    for game in (Hunt(goal=2), Gauntlet()):
        armed = type(game)(weapon=solver.game("martians", weapon="+1").weapon)
        with pytest.raises(UsageError, match="bare hands"):
            make_card(armed)


@pytest.mark.slow
def test_the_command_draws_cards_of_fights_and_hunts(capsys, tmp_path):
    file = tmp_path / "card.svg"
    assert run(["card", "martians-fights", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unit"] == "survive"
    assert run(["card", "martians", str(file), "--set", "goal=2"]) == 0
    assert "turns to the goal: 1.0" in capsys.readouterr().out


# --- pictures tell their numbers


def test_every_picture_tells_its_numbers_as_json(capsys, tmp_path):
    file = str(tmp_path / "picture.svg")

    def told(*words):
        assert run(["plot", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    stops = told("stop-map", "alien-crew", file)
    assert (stops["file"], stops["goal"], len(stops["stops"])) == (file, "points", 2 * 21)
    assert {"throws": 1, "low": 4, "high": 5, "again": "keep"} in stops["stops"]
    chances = told("win", "pig", file, "--set", "target=3")["win_probability"]
    assert [len(row) for row in chances] == [3, 3, 3]
    spread = told("distribution", "pig", file, "--policies", "points", "--set", "target=4")
    assert sum(spread["distributions"]["points"].values()) == pytest.approx(1.0)
    found = told("frontier", "pig", file, "--conditions", "1", "--candidates", "100",
                 "--set", "target=4")  # fmt: skip
    assert found["unit"] == "points"
    assert found["frontier"][0]["rule"]
    assert run(["plot", "win", "martians", file, "--set", "goal=2"]) == 2
    assert "a standing is more than a score" in capsys.readouterr().err
