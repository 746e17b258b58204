r"""The death round: tied leaders take one more full turn each, in seat order, until one is ahead.

Later players see what they must beat, so the shares are not equal. Let m players be tied with
stages :math:`s_1 \dots s_m` (what they have of the trio stays). Each in turn takes a turn; the
highest crew wins, those still tied go again with the stages they have then. The value is a
vector of shares, one for each player. Every player maximises its own share; ties are settled as
everywhere: equal within 1e-13, then more points, then the canonical order.

Stages never fall, so groups are solved by their total stage, the highest first. A group can lead
to itself (nobody gains anything and all are tied again): that fixed point is policy iteration
with its linear part, one unknown vector, solved exactly.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import ProofError
from solver.turn.graph import TurnGraph
from solver.turn.kernel import distribution_batch, solve_batch

Floats = NDArray[np.float64]
Stages = tuple[int, ...]

_MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True, eq=False)
class DeathRound:
    """Shares of tied players.

    Parameters
    ----------
    shares
        Stages of the tied players in seat order -> each player's chance to win.
    """

    shares: dict[Stages, Floats]

    def table(self, players: int, stages: int) -> Floats:
        """Return the shares of so many tied players, shape (stages, ..., stages, players)."""
        found = np.empty((*(stages,) * players, players))
        for group in itertools.product(range(stages), repeat=players):
            found[group] = self.shares[group]
        return found


def solve_death_round(graph: TurnGraph, stages: int, most: int) -> DeathRound:
    """Return the shares of up to `most` tied players, for all their stages.

    Parameters
    ----------
    graph
        The turn, with a root for each stage; outcomes are (points, stage).
    stages
        Number of stages a player can be in.
    most
        Most tied players, at least two.

    Raises
    ------
    ProofError
        If no equilibrium was found.
    """
    shares: dict[Stages, Floats] = {(s,): np.ones(1) for s in range(stages)}
    roots = list(graph.roots.values())
    for m in range(2, most + 1):
        groups = itertools.product(range(stages), repeat=m)
        for group in sorted(groups, key=lambda g: (-sum(g), g)):
            shares[group] = _Group(graph, roots, shares, group).solve()
    return DeathRound(shares)


Shown = tuple[int, tuple[int, ...], Stages]
"""What the players before have shown: the best crew, who holds it, and their stages."""


class _Group:
    """The fixed point of one group of tied players.

    Whoever is behind is out, so what the players before have shown comes down to the best crew
    and its holders. The turns of one player are solved as a batch, for all of what may have been
    shown; the last player first.
    """

    def __init__(
        self, graph: TurnGraph, roots: list[int], shares: dict[Stages, Floats], group: Stages
    ) -> None:
        self.graph, self.roots, self.shares, self.group = graph, roots, shares, group
        self.tiebreak = graph.points.astype(np.float64)
        nothing: Shown = (-1, (), ())
        self.shown: list[dict[Shown, int]] = [{nothing: 0}]
        self.after: list[NDArray[np.int64]] = []
        for at in range(len(group)):
            number: dict[Shown, int] = {}
            rows = [
                [
                    number.setdefault(_next(shown, at, *outcome), len(number))
                    if outcome[1] >= group[at]  # a stage never falls
                    else 0
                    for outcome in graph.outcomes
                ]
                for shown in self.shown[at]
            ]
            self.shown.append(number)
            self.after.append(np.array(rows, dtype=np.int64))

    def solve(self) -> Floats:
        m = len(self.group)
        guess = np.full(m, 1.0 / m)
        before: list[Floats] = []
        for _ in range(_MOST_ROUNDS):
            value, again, policy = self._play(guess)
            fixed: Floats = value / (1.0 - again)
            if before and all(map(np.array_equal, before, policy)):
                return fixed
            before, guess = policy, fixed
        raise ProofError(f"no equilibrium of the death round of the stages {self.group} was found")

    def _play(self, guess: Floats) -> tuple[Floats, float, list[Floats]]:
        """Return the shares but for coming back to this group, the chance of that, the policy."""
        m = len(self.group)
        value = np.zeros((len(self.shown[m]), m))
        again = np.zeros(len(value))
        for (_, holders, stages), i in self.shown[m].items():
            if stages == self.group:
                again[i] = 1.0
            else:
                value[i, list(holders)] = self.shares[stages]
        policy = []
        for at in range(m - 1, -1, -1):
            ahead, back = value[self.after[at]], again[self.after[at]]
            payoffs = np.ascontiguousarray((ahead[:, :, at] + back * guess[at]).T)
            batch = solve_batch(self.graph, payoffs, tiebreak=self.tiebreak)
            chance = distribution_batch(self.graph, batch.chosen, self.roots[self.group[at]]).T
            policy.append(chance)
            value = np.einsum("so,som->sm", chance, ahead)
            again = np.einsum("so,so->s", chance, back)
        return value[0], float(again[0]), policy


def _next(shown: Shown, player: int, points: int, stage: int) -> Shown:
    best, holders, stages = shown
    if points > best:
        return points, (player,), (stage,)
    if points == best:
        return best, (*holders, player), (*stages, stage)
    return shown
