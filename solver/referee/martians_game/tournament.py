"""Tournaments of bots in the complete game: many games, seats exchanged, with error bars.

A *deal* is one stream of chance. Noncooperative: all policies sit at one table, and each deal is
played once for each rotation of the seats. Cooperative: each policy plays each deal with a team
of its own. So policies are compared on equal deals, and what is told about a pair is the mean of
the differences deal by deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt

import numpy as np

from solver.errors import UsageError, unknown
from solver.games.martians.board import TileSet
from solver.games.martians.board.components import PAWNS
from solver.games.martians.cards import CardSet
from solver.games.readings import rules_of
from solver.referee.martians_game.bots import BOTS, Maker
from solver.referee.martians_game.game import MAX_TURNS, new_game
from solver.referee.martians_game.rules import Result, Rules

Z95 = 1.959963984540054
"""Of a normal variable 95 % lie within so many standard deviations."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Score:
    """What a policy has reached.

    Parameters
    ----------
    policy
        Its name.
    games
        Games played.
    wins
        Games won.
    low, high
        Wilson's 95 % interval of the chance to win, as if all games were independent.
    martians
        Martians that one player has collected at the end, on average.
    """

    policy: str
    games: int
    wins: int
    low: float
    high: float
    martians: float

    @property
    def share(self) -> float:
        """Games won of games played."""
        return self.wins / self.games


@dataclass(frozen=True, slots=True)
class Pair:
    """Two policies on equal deals.

    Parameters
    ----------
    one, other
        Their names.
    difference
        Mean over the deals: games won by the one less those won by the other, per game.
    low, high
        The 95 % interval by the deals' own spread: :func:`paired`.
    """

    one: str
    other: str
    difference: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes that both are equally good."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Standings:
    """The result of a tournament.

    Parameters
    ----------
    rules
        The rules, with tile set and card set.
    seed, deals, games, seats
        How it was played.
    scores
        By policy, in the order given.
    pairs
        Every two policies.
    seat_wins
        Games won from each seat.
    turns
        Turns of a game, of all players together, on average.
    endings
        How often games ended in each way.
    """

    rules: Mapping[str, int | str]
    seed: int
    deals: int
    games: int
    seats: int
    scores: tuple[Score, ...]
    pairs: tuple[Pair, ...]
    seat_wins: tuple[int, ...]
    turns: float
    endings: Mapping[str, int]


def makers(names: Sequence[str], more: Mapping[str, Maker] | None = None) -> dict[str, Maker]:
    """Return policies by their names, those of the referee and others.

    Parameters
    ----------
    names
        Names; one that stands twice is told apart by a number.
    more
        Policies that the referee does not have.

    Raises
    ------
    UnknownNameError
        On a name of none.
    """
    known = {**BOTS, **(more or {})}
    found: dict[str, Maker] = {}
    for word in names:
        name = word.strip()
        if name not in known:
            raise unknown("policy", name, known, field="policies")
        count = sum(taken.partition("#")[0] == name for taken in found)
        found[f"{name}#{count + 1}" if count else name] = known[name]
    return found


def run_games(
    policies: Mapping[str, Maker],
    *,
    games: int = 200,
    seed: int = 1,
    seats: int | None = None,
    rules: Rules | None = None,
    tiles: TileSet | None = None,
    cards: CardSet | None = None,
    max_turns: int = MAX_TURNS,
    progress: Progress | None = None,
) -> Standings:
    """Play a tournament.

    Parameters
    ----------
    policies
        Who plays: name -> maker of a player; :func:`makers` finds them.
    games
        Games to play; rounded up so that every deal is played in full.
    seed
        Makes it repeatable.
    seats
        Players of a team in the cooperative game, two by default. In the noncooperative game as
        many as there are policies.
    rules, tiles, cards
        As for a game.
    max_turns
        Turns after which nobody has won.
    progress
        Told after each game how many are played, and of how many.

    Raises
    ------
    UsageError
        If the policies are too few or too many, or a number is below one.
    """
    rules = Rules() if rules is None else rules
    names = list(policies)
    fewest, most = (1, len(names)) if rules.together else (2, PAWNS)
    if not fewest <= len(names) <= max(most, 1) or games < 1 or max_turns < 1:
        raise UsageError(
            f"a tournament of {len(names)} policies, {games} games, {max_turns} turns",
            remedy=f"{fewest} to {PAWNS} policies, a game and a turn or more",
            field="policies",
        )
    at_table = (2 if seats is None else seats) if rules.together else len(names)
    if not 1 <= at_table <= PAWNS or (seats not in (None, at_table)):
        raise UsageError(
            f"{seats} seats for {len(names)} policies",
            remedy=f"1 to {PAWNS} for a team; in the noncooperative game one for each policy",
            field="seats",
        )
    deals = -(-games // len(names))
    tally = _Tally(names, at_table)
    for deal in range(deals):
        tally.new_deal()
        for turn in range(len(names)):
            if rules.together:
                seated = [turn] * at_table
            else:
                seated = [(turn + n) % len(names) for n in range(at_table)]
            bots = [
                policies[names[one]](np.random.default_rng([seed, deal, 1 + one, place]))
                for place, one in enumerate(seated)
            ]
            game = new_game(
                bots,
                np.random.default_rng([seed, deal, 0]),
                rules=rules,
                tiles=tiles,
                cards=cards,
            )
            result = game.play(max_turns)
            martians = [seat.martians for seat in game.course.table.seats]
            tally.add(seated, result, martians)
            if progress is not None:
                progress(tally.games, deals * len(names))
    start = game.start
    told = {**rules_of(rules), "tiles": start.tiles.name, "cards": game.cards.name}
    return tally.standings(told, seed, deals, together=rules.together)


class _Tally:
    """What is counted while games are played."""

    def __init__(self, names: Sequence[str], seats: int) -> None:
        self.names = names
        self.games = self.turns = 0
        self.endings: Counter[str] = Counter()
        self.by_seat = [0] * seats
        self.wins: list[list[int]] = []
        self.martians = [0] * len(names)
        self.hands = [0] * len(names)

    def new_deal(self) -> None:
        self.wins.append([0] * len(self.names))

    def add(self, seated: Sequence[int], result: Result, martians: Sequence[int]) -> None:
        self.games += 1
        self.turns += result.turns
        self.endings[result.ending.value] += 1
        for seat in result.seats:
            self.by_seat[seat - 1] += 1
        for one in {seated[seat - 1] for seat in result.seats}:
            self.wins[-1][one] += 1
        for one, killed in zip(seated, martians, strict=True):
            self.martians[one] += killed
            self.hands[one] += 1

    def standings(
        self, rules: Mapping[str, int | str], seed: int, deals: int, *, together: bool
    ) -> Standings:
        count = len(self.names)
        a_deal = 1 if together else count
        scores = []
        for one, name in enumerate(self.names):
            wins = sum(deal[one] for deal in self.wins)
            low, high = wilson(wins, deals * a_deal)
            average = self.martians[one] / self.hands[one]
            scores.append(Score(name, deals * a_deal, wins, low, high, average))
        pairs = []
        for one, other in combinations(range(count), 2):
            found = paired([(deal[one] - deal[other]) / a_deal for deal in self.wins])
            pairs.append(Pair(self.names[one], self.names[other], *found))
        return Standings(
            rules=rules,
            seed=seed,
            deals=deals,
            games=self.games,
            seats=len(self.by_seat),
            scores=tuple(scores),
            pairs=tuple(pairs),
            seat_wins=tuple(self.by_seat),
            turns=self.turns / self.games,
            endings=dict(sorted(self.endings.items())),
        )


def wilson(wins: int, games: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval of a chance.

    Parameters
    ----------
    wins, games
        How often it happened, and how often it could have.
    z
        Standard deviations; for 95 % by default.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927).
    """
    share = wins / games
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    low = (middle - half) / whole if wins else 0.0
    return low, (middle + half) / whole if wins < games else 1.0


def paired(differences: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of differences between -1 and 1, and a 95 % interval of what they are of.

    Student's interval, once a deal won wholly by each side is added: what has not happened yet in
    a few deals can still happen, so that few or equal differences decide nothing. (The idea is
    Agresti and Caffo's for two shares.) For deals of two games the interval holds the true
    difference in 93.7 % of all cases or more, whatever the chances are: tested by enumeration.

    Parameters
    ----------
    differences
        Games won less games lost per game, by deal.

    References
    ----------
    A. Agresti and B. Caffo, "Simple and effective confidence intervals for proportions and
    differences of proportions result from adding two successes and two failures", The American
    Statistician 54 (2000).
    """
    from scipy.special import stdtrit  # noqa: PLC0415  only tournaments need it

    mean = sum(differences) / len(differences)
    widened = [*differences, 1.0, -1.0]
    count = len(widened)
    middle = sum(widened) / count
    spread = sum((value - middle) ** 2 for value in widened) / (count - 1)
    half = float(stdtrit(count - 1, 0.975)) * sqrt(spread / count)
    return mean, max(-1.0, middle - half), min(1.0, middle + half)
