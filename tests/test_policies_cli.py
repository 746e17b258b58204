"""The commands that measure and compare policies."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from solver.apps.cli.main import run


def told(capsys, *words):
    assert run(list(words)) == 0
    return capsys.readouterr().out


def test_evaluate_prints_the_exact_distribution(capsys):
    found = json.loads(told(capsys, "evaluate", "pig", "--policy", "stop at 20 points", "--json"))
    chances = {int(p): Fraction(c) for p, c in found["exact_distribution"].items()}
    assert sum(chances.values()) == 1
    mean = sum(p * c for p, c in chances.items())
    assert found["value"] == found["mean"] == float(mean)
    assert found["variance"] == float(sum(p * p * c for p, c in chances.items()) - mean**2)
    assert found["bust"] == float(chances[0]) == found["distribution"]["0"]
    assert found["loss"] == 0.0
    assert "bust" in told(capsys, "evaluate", "pig", "--policy", "greedy")


def test_evaluate_shows_every_beginning(capsys):
    found = json.loads(told(capsys, "evaluate", "alien-crew", "--policy", "points", "--json"))
    assert list(found["beginnings"]) == ["nothing", "battleship", "captain", "trio"]
    assert found["beginnings"]["trio"]["value"] == float(Fraction(28, 3))
    assert "trio" in told(capsys, "evaluate", "alien-crew", "--policy", "stop")


def test_evaluate_from_one_of_many_beginnings(capsys):
    """Nine hundred standings of a hunt: the first, or the one that is named."""
    words = ["evaluate", "martians", "--set", "goal=3", "--json", "--policy"]
    text = "stop if martians >= 1; spend while bullets > 1"
    first = json.loads(told(capsys, *words, text))
    assert first["beginning"] == "(0, 3, 3, 0)"
    other = json.loads(told(capsys, *words, text, "--beginning", "0,1,0,0"))
    assert other["beginning"] == "(0, 1, 0, 0)"
    assert other["value"] == 0.5  # one life and no bullet: one fight, won with 4 or more
    assert other["value"] < first["value"]
    assert run([*words, text, "--beginning", "9,9,9,9"]) == 2


def test_fights_are_evaluated_by_their_words(capsys):
    words = ["evaluate", "martians-fights", "--set", "fights=2", "--beginning", "2,1", "--json"]
    found = json.loads(told(capsys, *words, "--policy", "spend; forfeit"))
    spend = "spend while short = 1; forfeit; spend"
    assert found["beginning"] == "(2, 1)"
    assert json.loads(told(capsys, *words, "--policy", spend))["value"] <= found["best"] + 1e-12


def test_evaluate_at_scores(capsys):
    """One point short and behind in the last turn: the optimum plays to be ahead."""
    words = ["evaluate", "martian-dice", "--set", "dice=4", "--set", "target=6"]
    at = [*words, "--scores", "6,3", "--seat", "2", "--json", "--policy"]
    optimal = json.loads(told(capsys, *at, "optimal"))
    points = json.loads(told(capsys, *at, "points"))

    def ahead(found):
        return sum(
            chance * (1.0 if int(p) > 3 else 0.5 if int(p) == 3 else 0.0)
            for p, chance in found["distribution"].items()
        )

    assert ahead(optimal) > ahead(points) + 1e-6
    assert optimal["value"] < points["value"]


def test_evaluate_lists_the_names(capsys):
    shown = told(capsys, "evaluate", "martian-dice", "--policy", "?")
    assert "bot-defensive" in shown
    assert "optimal" in shown


def test_match_names_seats_chances_error_and_rounds(capsys):
    words = ["match", "martian-dice", "--set", "dice=3", "--set", "target=4", "--policies"]
    found = json.loads(told(capsys, *words, "best,points", "--json"))
    assert abs(sum(found["win_probability"]) - 1.0) < 1e-12
    assert found["policies"] == ["best", "points"]
    assert found["gain"] >= 0.0
    assert 0.0 < found["error"] < 1e-9
    assert found["expected_rounds"] > 1.0
    three = json.loads(told(capsys, *words, "optimal,random,greedy", "--json"))
    assert len(three["win_probability"]) == 3
    shown = told(capsys, *words, "best,points")
    assert "gain" in shown
    assert "rounds" in shown
    there = json.loads(told(capsys, *words, "points,points", "--scores", "3,0", "--json"))
    assert there["win_probability"][0] > 0.6


def test_tournament_is_a_matrix_with_both_seatings(capsys):
    words = ["tournament", "martian-dice", "--set", "dice=3", "--set", "target=4"]
    words += ["--policies", "optimal,points,stop; take the largest group; take death-rays"]
    found = json.loads(told(capsys, *words, "--exploit", "--json"))
    assert len(found["first_wins"]) == len(found["second_wins"]) == 3
    for i in range(3):
        for j in range(3):
            both = found["first_wins"][i][j] + found["second_wins"][j][i]
            assert abs(both - 1.0) < 1e-12
    assert abs(found["exploited"][0]) < 1e-10
    shown = told(capsys, *words)
    for line in ("moving first", "moving second", "seats drawn by lot"):
        assert line in shown


def test_rules_draws_the_frontier(capsys):
    words = ["rules", "pig", "--conditions", "1", "--candidates", "200", "--no-win"]
    found = json.loads(told(capsys, *words, "--json"))
    assert found["frontier"][-1]["points_lost"] == 0.0
    assert found["frontier"][-1]["win_probability_lost"] is None
    assert "stop if points >= 20" in told(capsys, *words)


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("evaluate martian-dice --policy pionts", 2, "did you mean 'points'"),
        ("evaluate pig --policy bot-random", 2, "is for martian-dice, not for pig"),
        ("evaluate pig --policy optimal", 2, "it needs the scores"),
        ("evaluate pig --policy nowhere.py:choose", 2, "there is no file nowhere.py"),
        ("evaluate pig --policy points --scores 1,x", 2, "--scores takes whole numbers"),
        ("evaluate pig --policy points --scores 1", 2, "--scores lists every seat"),
        ("evaluate pig --policy points --scores 100,0", 2, "the match is over"),
        ("evaluate alien-crew --policy points --scores 1,2", 2, "races to a target"),
        ("match pig --policies points", 2, "somebody to beat"),
        ("match pig --policies points,", 2, "there is no policy"),
        ("tournament pig --policies points,points", 2, "given twice"),
        ("tournament pig --policies points,best", 2, "best is a response"),
        ("rules pig --conditions 99", 2, "out of range"),
        ("match nothing --policies points,points", 2, "unknown game"),
    ],
)
def test_bad_input_is_one_clear_message(capsys, line, code, says):
    assert run(line.split()) == code
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


def test_an_illegal_action_is_named_with_its_position(capsys, tmp_path):
    file = tmp_path / "my_policy.py"
    file.write_text("def choose(position):\n    return 'take death-rays'\n")
    assert run(["evaluate", "martian-dice", "--policy", f"{file}:choose"]) == 2
    error = capsys.readouterr().err
    assert "chose 'take death-rays', which is not legal" in error
    assert "to take:" in error


@pytest.mark.parametrize("command", ["evaluate", "match", "tournament", "rules"])
def test_help_has_an_example(capsys, command):
    assert f"should-i-roll {command} martian-dice" in told(capsys, command, "--help")


# --- races to a goal


def test_evaluate_tells_the_turns_to_the_goal_alone(capsys):
    words = ["evaluate", "martians", "--set", "goal=2", "--policy"]
    found = json.loads(told(capsys, *words, "fight; spend", "--json"))["alone"]
    assert found["turns"] == pytest.approx(1.0285714286, abs=1e-9)
    assert found["best"] == pytest.approx(1.0156739812, abs=1e-9)
    assert found["lost"] == pytest.approx(found["turns"] - found["best"], abs=1e-12)
    assert found["within"][1] == pytest.approx(0.9722222222, abs=1e-9)
    shown = told(capsys, *words, "greedy")
    assert "reaches it  with chance 0.832167832; else it stops for ever" in shown
    looks = json.loads(told(capsys, *words, "fight while lead < 2; spend", "--json"))
    assert looks["alone"] is None
    assert "looks at the other seat" in looks["note"]
    assert looks["bust"] < 0.1


def test_match_and_tournament_of_hunts(capsys):
    small = ["--set", "goal=2"]
    found = json.loads(told(capsys, "match", "martians", "--policies", "turns,greedy", *small,
                            "--json"))  # fmt: skip
    assert sum(found["win_probability"]) + found["nobody_wins"] == pytest.approx(1.0)
    at = ["--standings", "1,1,0 1,3,3", "--seat", "2"]
    told_at = told(capsys, "match", "martians", "--policies", "turns,greedy", *small, *at)
    assert "from the standings 1,1,0 1,3,3 with seat 2 on turn" in told_at
    nobody = told(capsys, "match", "martians", "--policies", "stop,greedy", "--set", "goal=2")
    assert "both seats come to stop for ever" in nobody
    assert "of matches that somebody wins" in nobody
    table = json.loads(told(capsys, "tournament", "martians", "--policies", "turns,greedy", *small,
                            "--json"))  # fmt: skip
    assert table["nobody_wins"][1][1] > 0.01
    assert table["nobody_wins"][0] == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("match martians --policies turns,turns --standings 1,1", "one for each of two seats"),
        ("match martians --policies turns,greedy,best --set goal=2", "looks at the other seat"),
        ("match martians --policies capped,turns --set goal=2", "is not for martians"),
        ("evaluate martians --policy optimal --set goal=2", "the policy turns is best alone"),
        ("evaluate pig --policy turns", "is not for pig"),
    ],
)
def test_what_a_race_to_a_goal_cannot_be_asked(capsys, line, says):
    rules = [] if "--set" in line or "pig" in line else ["--set", "goal=2"]
    assert run([*line.split(), *rules]) == 2
    assert says in "".join(capsys.readouterr())
