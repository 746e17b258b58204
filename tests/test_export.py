"""What is exported is the game: each file is read back and solved by code of its own."""

from __future__ import annotations

import csv
import doctest
import io
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from goal_games import Coin
from small_games import Lottery

import solver
from solver import export
from solver.errors import GameError, TooLargeError, UsageError
from solver.export.course import Boundary, Ended, course_of
from solver.export.model import Builder
from solver.games.martian_dice import MartianDice
from solver.games.pig import Pig
from solver.games.protocol import Bank, Choose, Roll, ScoreRace
from solver.games.readings import End
from solver.match.goal.solve import solve_alone, solve_goal_race

TURNS = [
    ("pig", {"target": 30}, {}),
    ("martian-dice", {"dice": 5}, {}),
    ("martian-dice", {"dice": 4, "faces": "T1 R2 H2 C1 K1"}, {}),
    ("alien-crew", {}, {"beginning": "captain"}),
    ("alien-crew", {"trio": "reset", "crew": "both"}, {}),
    ("martians-fights", {"fights": 3, "weapon": "+1,reroll:1"}, {"objective": "kills"}),
    ("martians-fights", {"fights": 3}, {"objective": "survive"}),
    ("threes", {"dice": 3}, {"objective": "points"}),
    ("threes", {"dice": 3}, {"objective": "at-most:2"}),
    ("pig", {"target": 30}, {"objective": "at-least:25"}),
]


# --- a reader of DRN that knows nothing of the writer


def read_drn(lines):
    """The file as [(marks, [(reward, {state: chance})])]."""
    rows = [line for line in lines if line]
    kind, states = rows[0], int(rows[rows.index("@nr_states") + 1])
    choices = int(rows[rows.index("@nr_choices") + 1])
    assert kind == "@type: MDP"
    found = []
    for line in rows[rows.index("@model") + 1 :]:
        if line.startswith("state "):
            number, *marks = line.split()[1:]
            assert int(number) == len(found)
            found.append((set(marks), []))
        elif line.startswith("\taction "):
            assert re.fullmatch(r"\taction \w+ \[\d+\]", line)
            found[-1][1].append((int(line.split("[")[1].rstrip("]")), {}))
        else:
            to, chance = line.strip().split(" : ")
            branches = found[-1][1][-1][1]
            assert int(to) not in branches
            branches[int(to)] = Fraction(chance)
    assert len(found) == states
    assert sum(len(options) for _, options in found) == choices
    assert all(sum(branches.values()) == 1 for _, options in found for _, branches in options)
    return found


def marked(states, mark):
    (state,) = (i for i, (marks, _) in enumerate(states) if mark in marks)
    return state


def acyclic_value(states, best):
    """The exact value of the first state; states without a circle but the last's own."""
    done = marked(states, "done")
    known = {done: Fraction(0)}
    stack = [marked(states, "init")]
    while stack:
        at = stack[-1]
        missing = [t for _, b in states[at][1] for t in b if t not in known]
        if missing:
            stack += missing
            continue
        stack.pop()
        known[at] = best(r + sum(p * known[t] for t, p in b.items()) for r, b in states[at][1])
    return known[marked(states, "init")]


def iterated_value(states, best, goal=None, sweeps=5000):
    """The value of the first state in floats: rewards added up, or the chance of a goal."""
    values = [1.0 if goal in marks else 0.0 for marks, _ in states]
    open_ = [
        (at, [(0 if goal else r, [(t, float(p)) for t, p in b.items()]) for r, b in options])
        for at, (marks, options) in enumerate(states)
        if not {goal, "done"} & marks
    ]
    for _ in range(sweeps):
        change = 0.0
        for at, options in open_:
            new = best(r + sum(p * values[t] for t, p in branches) for r, branches in options)
            change = max(change, abs(new - values[at]))
            values[at] = new
        if change < 1e-15:
            break
    return values[marked(states, "init")]


@pytest.mark.parametrize(("name", "rules", "how"), TURNS)
def test_the_file_for_storm_has_the_exact_value_of_the_turn(name, rules, how):
    game = solver.game(name, **rules)
    objective = how.get("objective", "points")
    model = export.turn_model(game, objective, beginning=how.get("beginning"))
    least = "min=" in export.drn_property(model)
    read = read_drn(export.drn_text(model))
    turn = solver.solve_turn(game, objective, exact=True, beginning=how.get("beginning"))
    assert acyclic_value(read, min if least else max) == turn.exact
    assert least == (name == "threes" and objective == "points")


def test_the_file_for_storm_word_for_word():
    assert "\n".join(export.drn_text(export.turn_model(Pig(target=2)))).split("@model\n")[1] == (
        "state 0 done\n\taction stay [0]\n\t\t0 : 1\n"
        "state 1\n\taction end [0]\n\t\t0 : 1\n"
        "state 2\n\taction end [2]\n\t\t0 : 1\n"
        "state 3 init\n\taction roll [0]\n\t\t1 : 1/6\n\t\t2 : 5/6"
    )


def test_decimals_are_the_nearest_floats():
    model = export.turn_model(MartianDice(dice=2))
    fractions, decimals = (
        [line.split(" : ")[1] for line in export.drn_text(model, fractions=how) if " : " in line]
        for how in (True, False)
    )
    assert "/" in "".join(fractions)
    assert "/" not in "".join(decimals)
    assert [float(Fraction(p)) for p in fractions] == [float(p) for p in decimals]


def test_labels_are_the_rules_own_states():
    game = MartianDice(dice=3)
    model = export.turn_model(game)
    assert model.labels[model.initial] == game.start()
    assert set(model.labels) - {"done"} <= set(solver.compile_turn(game).node_of)


# --- matches


@dataclass(frozen=True)
class Opening:
    """Pick a lottery; who has nothing yet can win but a single point."""

    target: int
    unopened: str | None = None
    tie_round: bool = False
    name = "opening"

    @property
    def race(self):
        how = {"unopened": self.unopened, "tie_round": self.tie_round}
        return ScoreRace(self.target, End.ROUND, **how)

    def start(self):
        return ("pick",)

    def starts(self):
        return {"old": ("pick",), "new": ("draw", 2)}

    def expand(self, state):
        if state[0] == "pick":
            return Choose({"safe": ("draw", 0), "bold": ("draw", 1)})
        draws = ((0, 1), (1, 3)), ((0, 2), (3, 1)), ((0, 2), (1, 1))
        if state[0] == "draw":
            return Roll([(weight, ("bank", points)) for points, weight in draws[state[1]]])
        return Bank(state[1])


MATCHES = [
    Pig(target=6),
    Pig(target=7, end=End.ROUND),
    MartianDice(dice=3, target=2),
    MartianDice(dice=3, target=2, end=End.IMMEDIATE),
    Lottery((((0, 1), (3, 1)), ((1, 2), (2, 1))), target=5),
    solver.game("alien-crew", rounds=1, dice=4, throws=2),
    Opening(target=4, unopened="new"),
    Opening(target=3, tie_round=True),
]


@pytest.mark.parametrize("game", MATCHES, ids=lambda g: f"{g.name}")
def test_each_seat_can_win_what_the_match_layer_says_and_no_more(game):
    """The other plays its best; both values are bounds, from above and from below."""
    match = solver.solve_match(game)
    for seat in (1, 2):
        model = export.match_model(game, seat=seat)
        assert export.drn_property(model) == f'Pmax=? [F "win_{seat}"]'
        read = read_drn(export.drn_text(model))
        found = iterated_value(read, max, f"win_{seat}")
        assert found == pytest.approx(match.win_probability[seat - 1], abs=1e-12)
        assert iterated_value(read, max) == pytest.approx(found, abs=1e-12)  # as rewards, too


def test_a_race_to_a_goal_is_exported_for_two_and_alone():
    game = solver.game("two-dice-pig", target=6)
    race = solve_goal_race(game)
    for seat in (1, 2):
        read = read_drn(export.drn_text(export.match_model(game, seat=seat)))
        found = iterated_value(read, max, f"win_{seat}")
        assert found == pytest.approx(race.win_probability[seat - 1], abs=1e-12)
    alone = export.alone_model(game)
    assert export.drn_property(alone) == 'R{"turns"}min=? [F "done"]'
    turns = float(solve_alone(game).expected_turns[0])
    found = iterated_value(read_drn(export.drn_text(alone)), min)
    assert found == pytest.approx(turns, abs=1e-10)
    assert turns > 1.2


def test_the_coin_is_two_thirds():
    read = read_drn(export.drn_text(export.match_model(Coin(), seat=1)))
    assert iterated_value(read, max, "win_1") == pytest.approx(2 / 3, abs=1e-14)


def test_both_seats_may_decide_in_a_graph_but_not_in_a_file_for_storm():
    model = export.match_model(Pig(target=3))
    assert model.seats == (1, 2)
    with pytest.raises(UsageError, match="both seats decide"):
        list(export.drn_text(model))


def test_the_death_round_goes_on_from_the_stages_that_are_there():
    course = course_of(solver.game("alien-crew", rounds=1))
    first = course.after(course.start, (7, 3))
    assert first == Boundary(2, ((7, 3), (0, 0)), 1)
    tied = course.after(first, (7, 3))
    assert tied == Boundary(1, ((0, 3), (0, 3)), 0, None)
    shown = course.after(tied, (9, 3))
    assert shown == Boundary(2, ((0, 3), (0, 3)), 0, 9)
    assert course.after(shown, (9, 3)) == tied
    assert course.after(shown, (10, 3)) == Ended(0)
    assert course.after(shown, (8, 3)) == Ended(2)
    assert course.after(first, (6, 3)) == Ended(2)


def test_a_round_is_completed_before_the_end():
    course = course_of(Pig(target=5, end=End.ROUND))
    leads = course.after(course.start, 5)
    assert leads == Boundary(2, (5, 0))
    assert course.after(leads, 6) == Ended(0)
    assert course.after(leads, 5) == Ended(1)
    assert course.after(leads, 0) == Ended(2)
    at_once = course_of(Pig(target=5))
    assert at_once.after(at_once.start, 5) == Ended(2)


def test_what_cannot_be_exported_is_refused():
    with pytest.raises(GameError, match="no match for 2 seats"):
        export.match_model(solver.game("yahtzee"))
    with pytest.raises(GameError, match="no match for 1 seat "):
        export.alone_model(Pig())
    with pytest.raises(UsageError, match="seats are 1 and 2"):
        export.match_model(Pig(target=3), seat=3)
    with pytest.raises(TooLargeError, match="more than 100 states"):
        export.match_model(Pig(target=10), seat=1, max_states=100)
    with pytest.raises(UsageError, match="unknown beginning 'trip'"):
        export.turn_model(solver.game("alien-crew"), beginning="trip")


def test_numbers_are_given_in_order():
    build = Builder("x")
    assert build.reserve("a") == 1
    assert build.model(1, "points").done == 0


# --- networkx


def test_the_graph_has_every_choice_and_its_chances():
    model = export.turn_model(MartianDice(dice=4))
    graph = export.to_networkx(model)
    assert graph.graph["initial"] == model.initial
    for state, choices in enumerate(model.choices):
        edges = list(graph.out_edges(state, keys=True, data=True))
        assert len(edges) == sum(len(choice.branches) for choice in choices)
        for number, choice in enumerate(choices):
            own = [data for *_, data in edges if data["choice"] == number]
            assert sum(Fraction(data["weight"], data["total"]) for data in own) == 1
            assert {data["action"] for data in own} == {choice.action}
    assert nx.is_directed_acyclic_graph(graph)
    assert graph.nodes[model.initial]["label"] == repr(MartianDice(dice=4).start())


def test_graph_files_are_read_back():
    model = export.match_model(Pig(target=3))
    whole = export.to_networkx(model)
    graphml = nx.parse_graphml(export.graphml_text(model), node_type=int, force_multigraph=True)
    linked = nx.node_link_graph(json.loads(export.node_link_text(model)), edges="links")
    for read in (graphml, linked):
        assert read.graph["initial"] == model.initial
        assert dict(read.nodes(data="label")) == dict(whole.nodes(data="label"))
        assert sorted(read.edges(data="probability")) == sorted(whole.edges(data="probability"))


def test_weights_beyond_sixty_four_bits_are_kept_in_graphml():
    game = Lottery((((1, 2**70), (2, 3)),), target=2)
    read = nx.parse_graphml(export.graphml_text(export.turn_model(game)), force_multigraph=True)
    weights = {int(w) for _, _, w in read.edges(data="weight")}
    assert 2**70 in weights


# --- policies


@pytest.mark.parametrize("name", ["martian-dice", "pig", "alien-crew", "martians-fights", "threes"])
def test_a_policy_table_plays_as_well_as_the_best(name):
    game = solver.game(name, **{"martian-dice": {"dice": 5}, "threes": {"dice": 3}}.get(name, {}))
    policy = export.turn_policy(game, "points")
    columns, rows = export.policy_rows(game, policy)
    keys = [tuple(map(repr, (row.get(c) for c in columns[:-4]))) for row in rows]
    assert len(set(keys)) == len(rows)  # the variables tell states apart

    def play(state, actions):
        named = {export.model.spelled(a): a for a in actions}
        return named[policy[state].action]

    chances = solver.evaluate_policy(game, play)
    points = getattr(game, "points", lambda outcome: outcome)
    value = sum(p * points(outcome) for outcome, p in chances.items())
    assert value == solver.solve_turn(game, "points", exact=True).exact


def test_a_policy_is_written_as_csv_and_as_json():
    game = MartianDice(dice=4)
    columns, rows = export.policy_rows(game, export.turn_policy(game))
    read = list(csv.DictReader(io.StringIO(export.csv_text(columns, rows))))
    assert len(read) == len(rows)
    assert read[0].keys() == {
        *("kind", "tanks", "death_rays", "heads", "kinds", "rolled_death_rays", "rolled_groups"),
        *("action", "value", "exact", "as_good"),
    }
    for row, cells in zip(rows, read, strict=True):
        assert cells["action"] == row["action"]
        assert Fraction(cells["exact"]) == Fraction(row["exact"])
        assert float(cells["value"]) == row["value"]
    whole = json.loads(export.json_text(columns, rows, game="martian-dice"))
    assert whole["game"] == "martian-dice"
    assert len(whole["policy"]) == len(rows)
    assert [c for c in whole["columns"] if c in whole["policy"][0]] == list(whole["policy"][0])


def test_a_match_policy_says_what_advice_says():
    game = Pig(target=8)
    policy = export.match_policy(game)
    columns, rows = export.policy_rows(game, policy)
    assert columns[:5] == ("seat", "score_1", "score_2", "kind", "total")
    with solver.open_tables() as tables:
        advisor = solver.Advisor(tables)
        for row in rows[::31]:
            scores = row["score_1"], row["score_2"]
            advice = advisor(game, "win", scores, row["seat"], total=row["total"])
            assert row["action"] in [o.action for o in advice.options if o.best]
            assert row["value"] == pytest.approx(advice.best.value, abs=1e-12)


def test_the_variables_of_a_stage_match_have_names():
    game = solver.game("alien-crew", rounds=1, dice=4, throws=2)
    columns, rows = export.policy_rows(game, export.match_policy(game))
    assert {"round", "score_1", "stage_1", "death_round", "throws", "die_1"} <= set(columns)
    assert {row["death_round"] for row in rows if "death_round" in row} >= {-1, 2}


def test_a_state_without_variables_is_refused():
    with pytest.raises(UsageError, match="no variables"):
        export.policy_rows(Coin(), {"flip": export.Decision("flip", 0.0, None)})


def test_the_python_of_the_how_to_runs():
    file = Path(__file__).resolve().parent.parent / "docs" / "how-to" / "export.md"
    found = doctest.testfile(str(file), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


# --- without the extras


def test_without_gymnasium_it_is_said_what_to_install(monkeypatch):
    from solver.export import gymnasium_env

    monkeypatch.setattr(gymnasium_env, "gymnasium", None)
    with pytest.raises(UsageError) as refused:
        gymnasium_env.register_environments()
    assert refused.value.remedy == 'pip install "should-i-roll[gymnasium]"'


def test_without_openspiel_it_is_said_what_to_install(monkeypatch):
    from solver.export import openspiel_game

    monkeypatch.setattr(openspiel_game, "pyspiel", None)
    for call in (openspiel_game.register_games, lambda: openspiel_game.spiel_game(Pig())):
        with pytest.raises(UsageError) as refused:
            call()
        assert refused.value.remedy == 'pip install "should-i-roll[openspiel]"'


def test_every_name_of_the_folder_is_there():
    for name in export.__all__:
        assert getattr(export, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'turn_modle'"):
        _ = export.turn_modle
