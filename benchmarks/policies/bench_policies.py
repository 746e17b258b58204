"""Policies: what evaluating one takes against solving, and how fast rules are searched.

Run: python benchmarks/policies/bench_policies.py [--repeat 5] [--candidates 10000] [--json]

Times are seconds of the processor on one thread, the least of some runs; what matters are the
ratios. "first" has the policy asked and its turns walked,
"again" has its turns already; both bound their error. Solving is without proof, its kernel warm;
what both need (the compiled turn, the list of states) is not counted.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

from solver.games import game
from solver.match import solve_match
from solver.policies import read_policy
from solver.policies.arena import Arena
from solver.policies.board import board_of
from solver.policies.evaluate import evaluate_turn
from solver.policies.search.board import RuleBoard
from solver.policies.search.family import FAMILIES
from solver.policies.search.frontier import find_rules
from solver.policies.states import turn_states
from solver.turn import solve_turn
from solver.turn.cache import cached_turn

POLICIES = {
    "points": "points",
    "greedy": "greedy",
    "capped": "capped",
    "bot-random": "bot-random",
    "bot-defensive": "bot-defensive",
    "text": "take death-rays while tanks > rays; take the largest group;"
    " stop at 6 points or with no tank covered by 1",
    "text, of the match": "stop if points >= needed or (points > 3 and lead >= 0);"
    " take the largest group; take death-rays; roll",
}


def least(repeat: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(repeat: int, candidates: int) -> dict:
    rules = game("martian-dice")
    graph = cached_turn(rules)
    turn_states(rules)
    solve_match(rules, 2, graph=graph, proof=False)  # warm
    solve = least(repeat, lambda: solve_match(rules, 2, graph=graph, proof=False))
    proven = least(1, lambda: solve_match(rules, 2, graph=graph))
    found: dict = {"solve_s": solve, "solve_and_prove_s": proven, "policies": {}}
    for name, text in POLICIES.items():
        first, again = [], []
        for _ in range(repeat):
            arena = Arena(rules, graph=graph)
            player = arena.read(text)
            turn_states(player.game)
            board_of(rules)
            arena.plays(2)
            first.append(least(1, lambda arena=arena, p=player: arena.play([p, p])))
            again.append(least(1, lambda arena=arena, p=player: arena.play([p, p])))
        turn = least(1, lambda text=text: evaluate_turn(rules, read_policy(rules, text)))
        found["policies"][name] = {
            "first_to_solve": min(first) / solve,
            "again_to_solve": min(again) / solve,
            "exact_turn_to_solve": turn / solve,
        }
    found["exact_turn_s"] = least(repeat, lambda: solve_turn(rules, "points", exact=True))
    family = FAMILIES[rules.name]
    batch = [rule for base in family.bases() for rule in family.extended(base)][:64]
    for compiled in (True, False):
        board = RuleBoard(rules, compiled=compiled)
        board.values([board.choices(rule) for rule in batch])
        took = least(
            repeat, lambda b=board, batch=batch: b.values([b.choices(rule) for rule in batch])
        )
        found["us_a_candidate" + ("" if compiled else "_numpy")] = took / len(batch) * 1e6
    start = time.process_time()
    search = find_rules(rules, 3, candidates=candidates, win=False)
    found["search_candidates"] = search.candidates
    found["search_s"] = time.process_time() - start
    found["search_to_solve"] = found["search_s"] / solve
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.repeat, options.candidates)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for key, value in found.items():
        if isinstance(value, dict):
            for name, ratios in value.items():
                shown = "  ".join(f"{k} {v:.2f}" for k, v in ratios.items())
                print(f"  {name:20s} {shown}")
        else:
            print(f"{key:24s} {value:.3f}" if isinstance(value, float) else f"{key:24s} {value}")


if __name__ == "__main__":
    main()
