"""The rules that the cards of Martians!!! state: read off best play, then played as stated.

A losing roll. By what the die shows, by life and by bullet tokens the card says: spend, give a
life, or spend only while no more than so many Martians (in a hunt: moves) are left.

Fighting on. By life and by bullet tokens the card says from how many Martians to how many to stop.

In fights each number is that of best play for survival. In a hunt it is the one that loses least
against the fewest expected turns alone, weighted by how often the position comes up on the way to
the goal. What the whole rule costs is then computed by playing exactly it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.games.martians.combat import MOST_TOKENS, WINS, least_lives
from solver.games.martians.gauntlet import Gauntlet
from solver.games.martians.hunt import Hunt
from solver.games.martians.hunt_position import LONGEST
from solver.games.protocol import Choose, payoff_of
from solver.match.goal.standings import standings_of
from solver.policies.arena.goal.turns.decide import Decider
from solver.policies.arena.goal.turns.seat import given_turns
from solver.policies.optimal import FewestTurnsPolicy
from solver.policies.words.standing import ALONE, Standing, Watched
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact

ALWAYS = 99
"""Spend however many are left."""
NEVER = -1
"""Give a life however many are left."""
_UNSEEN = 1e-9  # weight of positions that best play never comes to

MendKey = tuple[int, int, int]
"""What the die shows; life tokens; bullet tokens."""
StopKey = tuple[int, int]
"""Life tokens; bullet tokens."""


@dataclass(frozen=True, slots=True)
class FightRule:
    """The rule of a card, a policy.

    Parameters
    ----------
    game
        The rules it is for.
    mend
        Spend with at most so many Martians (in a hunt: moves) left; :data:`ALWAYS`, :data:`NEVER`.
    stop
        In a hunt: the fewest and the most Martians with which to stop; those missing fight on.
    name
        How results call it.
    """

    game: Gauntlet | Hunt
    mend: Mapping[MendKey, int]
    stop: Mapping[StopKey, tuple[int, int]]
    name: str = "card"

    def choose(
        self, state: Any, actions: tuple[Any, ...], standing: Standing | Watched = ALONE
    ) -> Any:
        """Return what the card says."""
        del standing
        if len(actions) == 1:
            return actions[0]
        hunt = isinstance(self.game, Hunt)
        if state[0] == "ready":
            martians, lives, bullets = state[1:4]
            low, high = self.stop.get((lives, bullets), (1, 0))
            return "stop" if low <= martians <= high else "fight"
        lives, bullets = state[2:4]
        left = state[5] if hunt else state[1]
        return "spend" if left <= self.mend[WINS - state[-1], lives, bullets] else "forfeit"


def fight_rule(game: Gauntlet) -> FightRule:
    """Return the rule of the card for fights in a row: best play for survival.

    Parameters
    ----------
    game
        The rules; the card is for rows of up to twelve, or as many as these rules have.

    Raises
    ------
    UsageError
        If weapons are held.
    """
    _bare_hands(game)
    longest = Gauntlet(max(game.fights, LONGEST), game.last_life, game.weapon)
    graph = cached_turn(longest)
    best = solve_exact(graph, [payoff_of(longest, "survive", x) for x in graph.outcomes])
    cells: dict[MendKey, _Cell] = defaultdict(_Cell)
    for key in _losing(longest):
        roll, lives, bullets = key
        for left in range(1, longest.fights + 1):
            options = longest.mend(left, lives, bullets, 0, 0, WINS - roll)
            if len(options) > 1:
                worth = {action: best.value(graph.node(to)) for action, to in options.items()}
                cells[key].add(left, 1.0, float(worth["spend"] - worth["forfeit"]))
    return FightRule(longest, {key: cell.most() for key, cell in cells.items()}, {})


def hunt_rule(game: Hunt) -> FightRule:
    """Return the rule of the card for a hunt.

    Parameters
    ----------
    game
        The rules.

    Raises
    ------
    UsageError
        If weapons are held.
    """
    _bare_hands(game)
    policy = FewestTurnsPolicy(game)
    often = _often(game, policy)
    values = policy.turn.nodes
    mend: dict[MendKey, _Cell] = defaultdict(_Cell)
    stop: dict[StopKey, _Cell] = defaultdict(_Cell)
    graph = cached_turn(game)
    for state, weight in often.items():
        expansion = game.expand(state)
        if not isinstance(expansion, Choose) or len(expansion.options) < 2:
            continue
        worth = {a: float(values.value[graph.node(to)]) for a, to in expansion.options.items()}
        martians, lives, bullets = state[1:4]
        if state[0] == "ready":
            stop[lives, bullets].add(martians, weight, worth["stop"] - worth["fight"])
        else:
            key = WINS - state[-1], lives, bullets
            mend[key].add(state[5], weight, worth["spend"] - worth["forfeit"])
    spans = {key: cell.span() for key, cell in stop.items()}
    return FightRule(
        game,
        {key: cell.most() for key, cell in mend.items()},
        {key: span for key, span in spans.items() if span is not None},
    )


def _bare_hands(game: Gauntlet | Hunt) -> None:
    if game.weapon.held:
        raise UsageError(
            "a card is for bare hands: with weapons there is more to decide than fits a page",
            remedy="--set weapon=none",
            field="set weapon",
        )


def _losing(game: Gauntlet | Hunt) -> list[MendKey]:
    """Return every losing roll with the tokens that a player may have who can spend on it."""
    return [
        (roll, lives, bullets)
        for roll in range(WINS - 1, 0, -1)
        for lives in range(least_lives(game.last_life), MOST_TOKENS + 1)
        for bullets in range(WINS - roll, MOST_TOKENS + 1)
    ]


def _often(game: Hunt, policy: FewestTurnsPolicy) -> dict[Any, float]:
    """Return how often best play comes to each state on its way from the start to the goal."""
    graph = cached_turn(game)
    standings = standings_of(graph, game.after)
    turns = given_turns(policy, graph, standings)
    decider = Decider(policy, graph.outcomes)
    begins = decider.board.states.starts
    starts = np.array([begins[name] for name in standings.names])
    begun = np.zeros((decider.edges.states, 1), dtype=np.bool_)
    begun[starts] = True
    chance = decider.chances({}, begun)[0]
    reach = np.zeros(decider.edges.states)
    reach[starts] = _visits(turns.matrices[0])
    first, child = decider.edges.first, decider.edges.child
    for i in range(len(reach)):
        if reach[i]:
            ahead = slice(first[i], first[i + 1])
            inside = child[ahead] < len(reach)
            np.add.at(reach, child[ahead][inside], reach[i] * chance[ahead][inside])
    states = decider.board.states.states
    return {state: float(here) + _UNSEEN for state, here in zip(states, reach, strict=True)}


def _visits(leads: Any) -> NDArray[np.float64]:
    """Return how many turns of a run begin in each standing, the first in the first."""
    from scipy import sparse  # noqa: PLC0415  only for hunts
    from scipy.sparse.linalg import splu  # noqa: PLC0415

    size = leads.shape[0]
    once = np.zeros(size)
    once[0] = 1.0
    on: Any = (sparse.identity(size, format="csc") - leads.tocsc()).tocsc()
    found: NDArray[np.float64] = splu(on).solve(once, trans="T")
    return np.maximum(found, 0.0)


class _Cell:
    """What one cell of a card would gain by a thing, by a number that is looked at."""

    def __init__(self) -> None:
        self.gain: dict[int, float] = defaultdict(float)

    def add(self, number: int, weight: float, gain: float) -> None:
        """Add a position with this number, which comes up so often."""
        self.gain[number] += weight * gain

    def most(self) -> int:
        """Return up to which number the thing is done; of equals the most."""
        numbers = sorted(self.gain)
        sums = {high: sum(self.gain[n] for n in numbers if n <= high) for high in numbers}
        best = max(numbers, key=lambda high: (round(sums[high], 15), high))
        if round(sums[best], 15) < 0.0:
            return NEVER
        return ALWAYS if best == numbers[-1] else best

    def span(self) -> tuple[int, int] | None:
        """Return the run of numbers in which it gains the most, None if in none."""
        best: tuple[float, int, int] | None = None
        numbers = sorted(self.gain)
        for i, low in enumerate(numbers):
            total = 0.0
            for high in numbers[i:]:
                total += self.gain[high]
                if total > 1e-12 and (best is None or total > best[0]):
                    best = total, low, high
        return None if best is None else best[1:]
