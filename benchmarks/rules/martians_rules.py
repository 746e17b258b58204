"""Figures of Martians!!!: fights in a row, dying on purpose, and what tokens a turn change.

Run with ``python benchmarks/rules/martians_rules.py``. Hunts are in the open field: there is always
a Martian within reach.
"""

from __future__ import annotations

from fractions import Fraction

from solver.games.martians import Gauntlet
from solver.games.registry import game
from solver.match.goal import solve_alone
from solver.turn.cache import cached_turn
from solver.turn.solve import solve_turn

SHORT = ("spend", "forfeit")


def gauntlets() -> None:
    """Print the chance to survive, and where surviving and killing want different things."""
    print("chance to survive k Martians in a row, from 3 lives and 3 bullets")
    survive = solve_turn(Gauntlet(12), "survive", exact=True)
    kills = solve_turn(Gauntlet(12), "kills", exact=True)
    for k in range(1, 13):
        chance = survive.exact_at(("fight", k, 3, 3, 0, 0))
        assert chance is not None
        print(f"  {k:2d}  {float(chance):.9f}  {chance}")
    print("where best play to survive and to kill most differ (12 in a row), first ten of each k")
    differ = 0
    for state in survive.graph.node_of:
        if state[0] != "short":
            continue
        options = [turn.options(state) for turn in (survive, kills)]
        best = [{o.action for o in found if o.best} for found in options]
        if best[0] & best[1]:
            continue
        differ += 1
        if differ <= 10:
            _, left, lives, bullets, _, _, short = state
            loss = max(o.loss for o in options[0] if o.action in best[1])
            names = " / ".join("or ".join(sorted(b)) for b in best)
            print(f"  {left} to go, {lives} lives, {bullets} bullets, short by {short}: {names}"
                  f" (costs {100 * loss:.3f} % of survival)")  # fmt: skip
    decisions = sum(1 for s in survive.graph.node_of if s[0] == "short" and s[3] >= s[6])
    print(f"  {differ} of {decisions} decisions between bullets and a life")


def dying() -> None:
    """Print in how many places best play alone forfeits the last life though bullets would do."""
    print("dying on purpose: the last life is forfeited though bullets would win the fight")
    for income in ("none", "scarce", "steady", "rich"):
        rules = game("martians", income=income)
        graph = cached_turn(rules)
        alone = solve_alone(rules, graph=graph)
        ahead = dict(zip(graph.outcomes, _payoffs(alone), strict=True))
        turn = solve_turn(rules, ahead, graph=graph, prefer_points=True)
        asked = right = 0
        most: tuple[int, tuple[int, ...]] = (0, ())
        for state in graph.node_of:
            if state[0] != "short" or state[2] != 1 or state[3] < state[8]:
                continue
            asked += 1
            options = turn.options(state)
            spend, forfeit = (o.value for o in options)
            if forfeit > spend + 1e-9:
                right += 1
                most = max(most, (state[1], state[1:]))
        where = [most[1][i] for i in (1, 2, 4, 7)]
        print(
            f"  {income:7s} {right:5d} of {asked} decisions; with the most Martians: {most[0]}"
            f" (lives, bullets, moves, short by: {where})"
        )


def _payoffs(alone: object) -> list[float]:
    turns, after = alone.expected_turns, alone.standings.after  # type: ignore[attr-defined]
    return [-1.0 - (0.0 if to < 0 else float(turns[to])) for to in after]


def tokens() -> None:
    """Print the turns to 10, 20 and 30 Martians by the tokens found in a turn."""
    print("fewest expected turns alone, by tokens a turn (each a life with chance 1/3)")
    print("  tokens   to 10     to 20      to 30")
    for rate in (0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1, Fraction(3, 2), 2, 3, 5):
        row = [
            solve_alone(game("martians", goal=goal, income=f"tokens:{rate}")).expected_turns[0]
            for goal in (10, 20, 30)
        ]
        print(f"  {float(rate):5.2f}  {row[0]:8.4f}  {row[1]:8.4f}  {row[2]:9.4f}")


if __name__ == "__main__":
    gauntlets()
    dying()
    tokens()
