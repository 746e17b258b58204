"""The search for short rules, and the frontier it draws: conditions against what they cost.

A beam search. The rules without conditions are all tried; the best of so many conditions are
extended by one in every way their family knows, then improved by exchanging single conditions.
Every candidate is judged by its expected points a turn (in a race to a goal by its expected turns
to the goal, in fights by the chance to survive), computed, not by how often it agrees with the best
play. What is reported is computed again, turns in exact rationals. The search is thorough, not
exhaustive: a better rule of three conditions may exist.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.errors import UsageError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.policies.arena.matches import Arena
from solver.policies.board import Places
from solver.policies.search.family import Candidate, Family, family_of
from solver.policies.search.judges import Judge, Number, judge_of
from solver.policies.text.rules import TextPolicy

MOST_CONDITIONS = 8
_BATCH = 64
_BEAM = 40
_FEW = 10
_LEAST = 1e-12  # what a further condition has to bring


@dataclass(frozen=True, slots=True)
class ShortRule:
    """A rule on the frontier.

    Parameters
    ----------
    conditions
        Comparisons and limits in it.
    text
        The rule, as ``evaluate --policy`` takes it.
    value
        What it brings, in the unit of its frontier: expected points a turn, turns to the goal.
    lost
        What is lost of it against the best play; of turns, how many there are more.
    win_lost
        Win probability lost against an opponent who plays the best for the win, two seats drawn
        by lot; None if it was not asked for, or there is no match.
    """

    conditions: int
    text: str
    value: Number
    lost: Number
    win_lost: float | None


@dataclass(frozen=True, slots=True)
class Frontier:
    """Conditions against what the best rule found with so many loses.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    unit
        ``"points"`` a turn, ``"turns"`` to the goal, or an objective of the game.
    best
        What the best play brings.
    candidates
        Rules tried.
    found
        The frontier, by number of conditions; a number that brings nothing new is left out.
    error
        Bound on the error of the win probabilities; None without them.
    """

    game: str
    rules: Mapping[str, int | str]
    unit: str
    best: Number
    candidates: int
    found: tuple[ShortRule, ...]
    error: float | None


def find_rules(
    game: Game,
    conditions: int,
    *,
    candidates: int | None = None,
    win: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Frontier:
    """Return the best short rules found for `game`, by number of conditions.

    Parameters
    ----------
    game
        The rules.
    conditions
        The most conditions a rule may have.
    candidates
        Rules to try; by default 10000, in a race to a goal 3000.
    win
        Whether to compute what each loses in a match of two, where turns add up to one.
    progress
        Called with (done, in all).

    Raises
    ------
    UsageError
        If there is no family of rules for the game, or a number is out of range.
    """
    family = family_of(game)
    if not 0 <= conditions <= MOST_CONDITIONS:
        raise UsageError(
            f"--conditions {conditions} is out of range",
            remedy=f"0 to {MOST_CONDITIONS}",
            field="conditions",
        )
    judge = judge_of(game)
    candidates = judge.candidates if candidates is None else candidates
    if not 100 <= candidates <= 10_000_000:
        raise UsageError(
            f"--candidates {candidates} is out of range",
            remedy="100 to 10000000",
            field="candidates",
        )
    win = win and any(hasattr(game, name) for name in ("race", "rounds_match", "goal_race"))
    reserve = candidates // 2 if win else 0  # of the progress, for the matches
    search = _Search(judge, family, candidates, progress, candidates + reserve)
    best = search.run(conditions)
    policies = [TextPolicy.read(game, rule.text) for rule in best]
    measured = [judge.measured(policy) for policy in policies]
    lost: list[float | None] = [None] * len(best)
    error: float | None = None
    if win:
        arena = Arena(game)
        optimal = arena.read("optimal")
        errors = [0.0]
        for i, policy in enumerate(policies):
            ways = [arena.play(seats) for seats in ([policy, optimal], [optimal, policy])]
            won = ways[0].win_probability[0] + ways[1].win_probability[1]
            lost[i] = 0.5 - won / 2.0
            errors += [way.exactness.error or 0.0 for way in ways]
            if progress is not None:
                progress(candidates + (i + 1) * reserve // len(policies), candidates + reserve)
        error = max(errors)
    return Frontier(
        game.name,
        rules_of(game),
        judge.unit,
        judge.best,
        search.done,
        tuple(
            ShortRule(rule.conditions, rule.text, *worth, lost_win)
            for rule, worth, lost_win in zip(best, measured, lost, strict=True)
        ),
        error,
    )


class _Search:
    def __init__(
        self,
        judge: Judge,
        family: Family,
        candidates: int,
        progress: Callable[[int, int], None] | None,
        total: int,
    ) -> None:
        self.judge, self.family = judge, family
        self.candidates, self.progress, self.total = candidates, progress, total
        self.done = 0
        self.seen: set[Candidate] = set()

    def run(self, conditions: int) -> list[Candidate]:
        """Return the best rule of each number of conditions that improves on fewer."""
        beams = [self._ranked(self.family.bases(), self.candidates)]
        for k in range(1, conditions + 1):
            stop = self.done + (self.candidates - self.done) // (conditions - k + 1)
            before_last = beams[-2][:_FEW] if k > 1 else []  # a limit and a condition: two at once
            parents = [rule for beam in (before_last, beams[-1]) for _, rule in beam]
            longer = (rule for parent in parents for rule in self.family.extended(parent))
            level = self._ranked(
                (rule for rule in longer if rule.conditions == k),
                self.done + (stop - self.done) * 2 // 3,
            )
            while self.done < stop and level:
                changed = (rule for _, parent in level for rule in self.family.changed(parent))
                new = self._ranked((rule for rule in changed if rule.conditions == k), stop)
                before = level[0][0]
                level = _best([*level, *new])
                if level[0][0] <= before + _LEAST:
                    break
            if not level:
                break
            beams.append(level)
        found = [beam[0] for beam in beams]
        kept = [found[0]]
        for value, rule in found[1:]:
            if value > kept[-1][0] + _LEAST:
                kept.append((value, rule))
        if self.progress is not None:
            self.progress(self.candidates, self.total)
        return [rule for _, rule in kept]

    def _ranked(self, rules: Iterable[Candidate], stop: int) -> list[tuple[float, Candidate]]:
        """Return the best of new rules, tried until `stop` are done; equal play counts once."""
        ranked: list[tuple[float, Candidate]] = []
        plays: set[bytes] = set()
        fresh = self._fresh(rules)
        while self.done < stop:
            batch = list(itertools.islice(fresh, min(_BATCH, stop - self.done)))
            if not batch:
                break
            choices = [self.judge.choices(rule) for rule in batch]
            kept: list[tuple[Candidate, Places]] = []
            for rule, choice in zip(batch, choices, strict=True):
                key = choice.tobytes()
                if choice.min(initial=0) >= 0 and key not in plays:
                    plays.add(key)
                    kept.append((rule, choice))
            self.done += len(batch)
            if kept:
                values = self.judge.values([choice for _, choice in kept])
                ranked += zip(values.tolist(), [rule for rule, _ in kept], strict=True)
            ranked = _best(ranked)
            if self.progress is not None:
                self.progress(min(self.done, self.candidates), self.total)
        return ranked

    def _fresh(self, rules: Iterable[Candidate]) -> Iterable[Candidate]:
        for rule in rules:
            if rule not in self.seen:
                self.seen.add(rule)
                yield rule


def _best(ranked: list[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
    """Return the best, and of equals the shortest text first."""
    order = sorted(ranked, key=lambda item: (-np.round(item[0], 12), len(item[1].text)))
    return order[:_BEAM]
