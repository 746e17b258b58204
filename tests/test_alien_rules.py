"""The page on how to play Alien Crew: its words are the optimum, its figures what is computed."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

import solver

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/how-to/play-alien-crew.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location(
        "alien_rules", ROOT / "benchmarks/rules/alien_rules.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["alien_rules"] = module
    spec.loader.exec_module(module)
    return module


def table(head: str, number: int = 0) -> list[list[str]]:
    """Return the rows of the page's table that has this head, the `number`-th of them."""
    found = PAGE.split(f"| {head} |\n")[1 + number]
    lines = found.split("\n\n")[0].strip().split("\n")[1:]
    return [line.strip("| ").split(" | ") for line in lines]


class TestWords:
    def test_the_words_are_the_optimum_everywhere(self, script):
        for name, found in script.optimum().items():
            assert not found["worse"], name

    def test_the_optimum_for_points_has_no_ties_but_sevens_of_both(self, script):
        found = script.optimum()
        assert found["either"]["tied"] == []
        assert [state for state, _ in found["both"]["tied"]] == [
            ("crew", 1, 1, 6),
            ("crew", 1, 2, 5),
            ("crew", 1, 3, 4),
        ]

    def test_a_wrong_rule_is_told_from_the_optimum(self, script):
        game = solver.game("alien-crew")
        found = script.disagreements(game, script.up_to(3))["worse"]
        assert found == [("crew", 2, a, 4) for a in (1, 2, 3, 4)] + [
            ("crew", 2, 4, 5),
            ("crew", 2, 4, 6),
        ]

    @pytest.mark.parametrize("trio", ["kept", "reset"])
    def test_the_rule_brings_what_the_solver_says(self, script, trio):
        game = solver.game("alien-crew", trio=trio)
        turns = script.turns_of(game, script.BEST)
        assert script.mean(turns[0]) == solver.solve_turn(game, exact=True).exact
        for turn in turns:
            assert sum(turn.values()) == 1


@pytest.mark.slow
class TestTables:
    @pytest.mark.parametrize("kind", ["either", "both"])
    def test_points(self, script, kind):
        rows = table(script.HEADS[kind], int(kind == "both"))
        assert [row[0] for row in rows] == list(script.RULES if kind == "either" else script.BOTH)
        for name, *cells in rows:
            assert cells[:4] == script.points_row(name, kind), name

    def test_chances_to_win(self, script):
        """A few rows; the script prints all of them in a minute."""
        rows = {name: cells for name, *cells in table(script.HEADS["either"])}
        late = {row[0]: row[1:] for row in table(script.HEADS["late"])}
        best = next(iter(script.RULES))
        assert late["0"] == rows[best][4:]
        assert rows["each die of 3 or less"][4:] == script.lost_row(
            "each die of 3 or less", "either"
        )
        assert late["1"] == script.lost_row(best, "either", 1)
        first = script.match("either")[1][0]
        assert f"seat 1 wins {100 * first:.2f} % and seat 2 {100 - 100 * first:.2f} %" in PAGE

    def test_facts(self, script):
        facts = script.facts()
        heads = {
            "turn": "has | points",
            "trio": "within throws | chance",
            "ten": "reading | mean, and chance of 100 or more",
            "death": "tied | %",
        }
        for kind, head in heads.items():
            assert dict(table(head)) == facts[kind]

    def test_points_and_win_differ_as_told(self):
        rows = table("position | for points | for the win | it wins | points' choice wins")
        assert len(rows) == 6
        with solver.open_tables() as tables:
            advise = solver.Advisor(tables)
            for position, points, win, chance, other in rows:
                told = dict(re.findall(r'--(\w+) "?([\d, ]*\d)', position))
                crew = {"stage": "trio", "crew": told["crew"], "throws": int(told["throws"])}
                assert advise("alien-crew", **crew).best.action == points
                scores = tuple(map(int, told["scores"].split(",")))
                advice = advise(
                    "alien-crew", scores=scores, seat=int(told["seat"]), round=10, **crew
                )
                assert advice.best.action == win
                values = {option.action: option.value for option in advice.options}
                assert f"{100 * values[win]:.2f} %" == chance
                assert f"{100 * values[points]:.2f} %" == other

    def test_alone(self):
        from solver.match.solo import solve_beat, total_distribution
        from solver.turn import compile_turn

        found = {}
        for trio, above, best, points in table(
            "reading | more than | best play | always for points"
        ):
            game = solver.game("alien-crew", trio=trio)
            graph = compile_turn(game)
            if trio not in found:
                found[trio] = total_distribution(game, graph)
            chance = solve_beat(game, graph, int(above)).ahead[0][0][0]
            assert f"{100 * float(chance):.2f} %" == best
            plain = sum(p for total, p in found[trio].items() if total > int(above))
            assert f"{100 * float(plain):.2f} %" == points
