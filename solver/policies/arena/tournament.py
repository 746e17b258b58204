"""A round robin, computed: every policy against every other, in both seatings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.games.readings import rules_of
from solver.policies.arena.matches import Arena
from solver.policies.named import BEST


@dataclass(frozen=True, slots=True, eq=False)
class Tournament:
    """The matrix of a round robin of two seats.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    policies
        Names, in the order given.
    first_wins
        float64, shape (policies, policies): chance that the row wins, moving first against the
        column.
    second_wins
        The same for the row moving second.
    error
        Bound on the error of every chance; None if some match has none.
    best_wins
        float64, shape (2, policies), or None: chance that a best response to the policy wins,
        moving first and second.
    nobody
        float64, shape (policies, policies): chance that nobody ever wins, the row moving first; 0
        but in races to a goal.
    """

    game: str
    rules: Mapping[str, int | str]
    policies: tuple[str, ...]
    first_wins: NDArray[np.float64]
    second_wins: NDArray[np.float64]
    error: float | None
    best_wins: NDArray[np.float64] | None
    nobody: NDArray[np.float64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Chance that the row beats the column, seats drawn by lot, shape as the matrices'."""
        both: NDArray[np.float64] = (self.first_wins + self.second_wins) / 2.0
        return both

    @property
    def score(self) -> NDArray[np.float64]:
        """Each policy's chance to win against one of the others, drawn by lot."""
        others = len(self.policies) - 1
        mean = self.mean
        total: NDArray[np.float64] = (mean.sum(axis=1) - np.diag(mean)) / others
        return total

    @property
    def exploited(self) -> NDArray[np.float64] | None:
        """By policy: what a best response wins against it above one half, seats drawn by lot."""
        return None if self.best_wins is None else self.best_wins.mean(axis=0) - 0.5


def run_tournament(
    arena: Arena,
    texts: Sequence[str],
    *,
    exploit: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Return the round robin of two seats between policies.

    Parameters
    ----------
    arena
        The game.
    texts
        At least two policies: names, files or rule texts.
    exploit
        Whether to add a best response to each.
    progress
        Called with (matches done, matches in all).

    Raises
    ------
    UsageError
        If there are fewer than two, one is given twice, or one is ``best``.
    """
    if len(texts) < 2:
        raise UsageError(
            "a tournament takes two policies or more",
            remedy="--policies optimal,points,capped",
            field="policies",
        )
    names = [text.strip() for text in texts]
    for i, name in enumerate(names):
        if name == BEST:
            raise UsageError(
                "best is a response to one opponent, and has none in a tournament",
                remedy="--exploit adds a best response to every policy",
                field="policies",
            )
        if name in names[:i]:
            raise UsageError(f"the policy {name} is given twice", field="policies")
    policies = [arena.read(name) for name in names]
    count = len(policies)
    total = count * count + 2 * count * exploit
    first, second, nobody = (np.empty((count, count)) for _ in range(3))
    errors: list[float | None] = []
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    for i, row in enumerate(policies):
        for j, column in enumerate(policies):
            match = arena.play([row, column])
            first[i, j], second[j, i] = match.win_probability
            nobody[i, j] = match.neither
            errors.append(match.exactness.error)
            tick()
    best = np.empty((2, count)) if exploit else None
    if best is not None:
        for i, policy in enumerate(policies):
            for seat in (0, 1):
                seats = [policy, policy]
                seats[seat] = None
                best[seat, i] = arena.play(seats).win_probability[seat]
                tick()
    bound = None if None in errors else max(e for e in errors if e is not None)
    shown = tuple("" if policy is None else policy.name for policy in policies)
    rules = rules_of(arena.game)
    return Tournament(arena.game.name, rules, shown, first, second, bound, best, nobody)
