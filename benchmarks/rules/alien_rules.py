"""Short rules for the crew dice of Alien Crew: what each costs, exactly.

Run: python benchmarks/rules/alien_rules.py [--json]
About a minute. Points are exact rationals, printed rounded; chances to win are float64. These are
the figures of docs/how-to/play-alien-crew.md.

A rule says, from the throws left and the two dice, which dice to throw again. It is played in
every turn, against an opponent who knows it and plays its best for the win: so "lost" is what the
rule costs at most. A death round is played by both at their best.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from solver import game, solve_turn
from solver.games.alien_crew import STAGES, AlienCrew, Trio
from solver.match.death_round import solve_death_round
from solver.match.rounds import RoundsValues, solve_rounds
from solver.match.solo import total_distribution
from solver.turn.policy import evaluate_policy
from solver.turn.roots import root_solver

Dice = tuple[int, ...]
Rule = Callable[[int, Dice], Dice]
Turns = list[dict[tuple[int, int], Fraction]]


def up_to(two: int, one: int | None = None) -> Rule:
    """Throw each die again that shows `two` or less; `one` or less with one throw left."""
    limits = (one or two, two)
    return lambda left, dice: tuple(d for d in dice if d <= limits[left > 1])


def both_up_to(two: int, one: int | None = None) -> Rule:
    """Throw both again if they make `two` or less; `one` or less with one throw left."""
    limits = (one or two, two)
    return lambda left, dice: dice if sum(dice) <= limits[left > 1] else ()


def lower(limit: int) -> Rule:
    """Throw the lower die again if it shows `limit` or less, never the higher."""
    return lambda _, dice: dice[:1] if dice[0] <= limit else ()


def enough(total: int) -> Rule:
    """Keep `total` or more; else play the best for points."""
    return lambda left, dice: () if sum(dice) >= total else BEST(left, dice)


def needing(total: int) -> Rule:
    """Stop with `total`; else keep a good die if a 6 beside it would do; else throw both."""

    def rule(left: int, dice: Dice) -> Dice:
        good = max(5 if left > 1 and total >= 9 else 4, total - 6)
        again = dice[:1] if dice[-1] >= good else dice
        return again if sum(dice) < total else ()

    return rule


BEST = up_to(4, 3)
RULES: dict[str, Rule] = {
    "4 or less with two throws left, 3 or less with one": BEST,
    "each die of 3 or less": up_to(3),
    "each die of 4 or less": up_to(4),
    "the same, but stop at 10": enough(10),
    "the same, but stop at 9": enough(9),
    "the same, but stop at 8": enough(8),
    "the lower die if 4 or less, never the higher": lower(4),
    "each die of 2 or less": up_to(2),
    "each die of 5 or less: use all throws": up_to(5),
    "the lower die while it is not a 6, never the higher": lower(5),
    "both at 7 or less with two throws left, 6 or less with one": both_up_to(7, 6),
    "both at 6 or less": both_up_to(6),
    "both at 7 or less": both_up_to(7),
    "both at 8 or less": both_up_to(8),
    "1s only": up_to(1),
    "nothing": up_to(0),
}
"""What to throw again, by its words; "the same" is the first."""

BEST_BOTH = "both at 7 or less with two throws left, 6 or less with one"
BOTH = (BEST_BOTH, "both at 7 or less", "both at 6 or less", "both at 8 or less", "nothing")
"""Rules that only throw both together, which reading crew=both allows."""


@dataclass(frozen=True)
class From:
    """The rules of a turn that begins at one stage."""

    rules: AlienCrew
    stage: int
    name: str = "alien-crew"

    def start(self):
        return ("throw", self.stage, self.rules.throws)

    def expand(self, state):
        return self.rules.expand(state)


def action(rule: Rule, left: int, dice: Dice) -> str:
    again = rule(left, dice)
    return "roll-" + "-".join(map(str, again)) if again else "stop"


def turns_of(rules: AlienCrew, rule: Rule) -> Turns:
    """Return the exact distribution of a turn's outcomes from each stage."""

    def choose(state, _actions):
        return action(rule, state[1], state[2:])

    return [evaluate_policy(From(rules, i), choose) for i in range(len(rules.starts()))]


def mean(turn: dict[tuple[int, int], Fraction]) -> Fraction:
    return sum((points * p for (points, _), p in turn.items()), Fraction(0))


def total_mean(turns: Turns, rounds: int) -> Fraction:
    """Return the exact mean of so many rounds, stages carried from turn to turn."""
    total, at = Fraction(0), [Fraction(not stage) for stage in range(len(turns))]
    for _ in range(rounds):
        then = [Fraction(0)] * len(turns)
        for p, turn in zip(at, turns, strict=True):
            total += p * mean(turn)
            for (_, stage), q in turn.items():
                then[stage] += p * q
        at = then
    return total


def disagreements(rules: AlienCrew, rule: Rule, goal="points") -> dict[str, list]:
    """Return the crew states where the rule is worse than the optimum, and those with ties."""
    solution = solve_turn(rules, goal, exact=True)
    found = {"worse": [], "tied": []}
    for left, a, b in product(range(1, rules.throws), range(1, 7), range(1, 7)):
        if a > b:
            continue
        state = ("crew", left, a, b)
        best = [option.action for option in solution.options(state) if option.best]
        if action(rule, left, (a, b)) not in best:
            found["worse"].append(state)
        if len(best) > 1:
            found["tied"].append((state, best))
    return found


class Match:
    """Two seats, one of which plays a given turn."""

    def __init__(self, rules: AlienCrew) -> None:
        self.rules = rules
        self.graph = solve_turn(rules).graph
        self.solvers = [root_solver(self.graph, root=r) for r in self.graph.roots.values()]
        self.death = solve_death_round(self.graph, len(self.solvers), 2)

    def win(self, seat: int | None = None, turns: Turns | None = None, late: int = 0) -> float:
        """Return the chance of `seat` (from 0), whose turns are given but in the last rounds."""
        fixed = {}
        if turns is not None and seat is not None:
            for turn, best in zip(turns, self.solvers, strict=True):
                row = np.array([float(turn.get(o, 0)) for o in self.graph.outcomes])
                one = _stand_in(row, best, self._payoffs(seat, late))
                fixed.setdefault(seat, []).append(one)
        arguments = self.rules.rounds_match, 2, self.graph.outcomes, self.solvers, self.death
        values = solve_rounds(*arguments, nothing=0.5, fixed=fixed)
        return float(values.at_start()[seat or 0])

    def _payoffs(self, seat: int, late: int) -> int:
        """Return how many payoffs the seat's last rounds have: they are solved first."""
        points, stage = np.array(self.graph.outcomes).T
        size = RoundsValues(self.rules.rounds_match, 2, len(self.solvers), points, stage, [], None)
        counts = list(size.payoffs())[seat::2]
        return sum(counts[len(counts) - late :])


def _stand_in(row, best, first: int):
    """Return a solver that plays its best in its first payoffs, then always `row`."""
    seen = 0

    def solve(payoffs):
        nonlocal seen
        seen += len(payoffs)
        fixed = payoffs @ row, np.broadcast_to(row, payoffs.shape)
        return best(payoffs) if seen <= first else fixed

    return solve


@cache
def match(crew: str) -> tuple[Match, tuple[float, float]]:
    """Return the match and both seats' chances when both play their best."""
    found = Match(game("alien-crew", crew=crew))
    first = found.win()
    return found, (first, 1.0 - first)


def points_row(name: str, crew: str) -> list[str]:
    """Return the points a rule loses a turn, from nothing and with the trio; ten-round means."""
    kept, reset = (turns_of(game("alien-crew", crew=crew, trio=t), RULES[name]) for t in Trio)
    best = turns_of(game("alien-crew", crew=crew), BEST if crew == "either" else RULES[BEST_BOTH])
    return [
        *(f"{float(mean(best[i]) - mean(kept[i])):.3f}" for i in (0, 3)),
        *(f"{float(total_mean(turns, 10)):.2f}" for turns in (kept, reset)),
    ]


def exact_points(crew: str) -> dict[str, dict[str, str]]:
    """Return each rule's exact points of a turn, by the stage at its beginning."""
    rules, names = game("alien-crew", crew=crew), BOTH if crew == "both" else RULES
    turns = {name: map(mean, turns_of(rules, RULES[name])) for name in names}
    return {name: dict(zip(STAGES, map(str, row), strict=True)) for name, row in turns.items()}


def lost_row(name: str, crew: str, late: int = 0) -> list[str]:
    """Return percentage points of winning that a rule loses, as seat 1 and as seat 2."""
    found, best = match(crew)
    turns = turns_of(found.rules, RULES[name])
    return [f"{100 * (best[seat] - found.win(seat, turns, late)):.2f}" for seat in (0, 1)]


_RULE = "throw again | lost a turn, from nothing | with the trio | ten rounds, `kept` | `reset`"
_WIN = " | win lost as seat 1, % | as seat 2, %"
HEADS = {"either": _RULE + _WIN, "late": "last rounds for the win" + _WIN, "both": _RULE + _WIN}


def table(kind: str) -> list[list[str]]:
    """Return the rows of a table: rules under `either` or `both`, or rounds played for the win."""
    if kind == "late":
        best = next(iter(RULES))
        return [[str(late), *lost_row(best, "either", late)] for late in (0, 1, 2, 3, 5)]
    names = BOTH if kind == "both" else RULES
    return [[name, *points_row(name, kind), *lost_row(name, kind)] for name in names]


def facts() -> dict[str, dict[str, str]]:
    """Return the facts of the page, as it spells them."""
    best = turns_of(game("alien-crew"), BEST)
    worth = dict(zip(STAGES, map(mean, best), strict=True))
    found: dict[str, dict[str, str]] = {"trio": {}, "death": {}, "ten": {}}
    found["turn"] = {name: f"{value} = {float(value):.4f}" for name, value in worth.items()}
    for throws in (1, 2, 3):
        nothing = turns_of(game("alien-crew", throws=throws), BEST)[0]
        chance = sum(p for (_, stage), p in nothing.items() if stage == 3)
        found["trio"][str(throws)] = f"{chance} = {100 * float(chance):.2f} %"
    for players in (2, 3, 4):
        shares = solve_death_round(match("either")[0].graph, 4, players).shares
        found["death"][str(players)] = ", ".join(f"{100 * x:.2f}" for x in shares[(3,) * players])
    for trio in ("kept", "reset"):
        rules = game("alien-crew", trio=trio)
        totals = total_distribution(rules, solve_turn(rules).graph)
        average = sum(total * p for total, p in totals.items())
        hundred = sum(p for total, p in totals.items() if total >= 100)
        found["ten"][trio] = f"{float(average):.2f}, {100 * float(hundred):.3f} %"
    found["seats"] = {"1": f"{100 * match('either')[1][0]:.2f} %"}
    return found


def optimum() -> dict[str, dict[str, list]]:
    """Return where the words for an optimum are worse than it, and where it has ties."""
    either, both = (game("alien-crew", crew=crew) for crew in ("either", "both"))
    found = {"either": disagreements(either, BEST)}
    found["both"] = disagreements(both, RULES[BEST_BOTH])
    goals = {f"at-least:{n}": needing(n) for n in range(2, 13)}
    return found | {goal: disagreements(either, rule, goal) for goal, rule in goals.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    tables = {kind: table(kind) for kind in HEADS}
    if args.json:
        exact = {crew: exact_points(crew) for crew in ("either", "both")}
        found = {"tables": tables, "exact": exact, "facts": facts(), "optimum": optimum()}
        print(json.dumps(found, indent=1))
        return
    for kind, rows in tables.items():
        print(f"\n| {HEADS[kind]} |\n|---{'|---:' * HEADS[kind].count(' | ')}|")
        print("\n".join("| " + " | ".join(row) + " |" for row in rows))
    print()
    for kind, found in facts().items():
        print(*(f"{kind} {key}: {value}" for key, value in found.items()), sep="\n")
    worse = {name: check["worse"] for name, check in optimum().items() if check["worse"]}
    print("words that are worse than the optimum:", worse or "none")


if __name__ == "__main__":
    main()
