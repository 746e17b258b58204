"""The rules protocol: two names, ``start`` and ``expand``.

A game says where a turn begins and what happens at a state:

* ``Bank(outcome)``: the turn is over;
* ``Choose({action: state, ...})``: the player decides; the order of the actions is the game's
  *canonical order*, by which exact ties are settled;
* ``Roll([(weight, state), ...])``: the dice decide, with integer weights over their sum.

States and outcomes are hashable values. The author picks states so that equivalent positions
are equal: the fewer states, the faster everything after. A turn must end: no state may be
reached again from itself.

Everything else is optional, and read through the functions at the end of this module:
``starts()`` where turns begin in several ways, ``points(outcome)`` where the outcome is not
itself the number of points, ``bust(outcome)`` where failing is more than having no points,
``fewest = True`` where fewer points are better,
``race`` (or ``rounds_match``, ``goal_race``, ``score_sheet``) where turns add up to a match,
``objectives`` and ``payoff(objective, outcome)`` where turns are played for more than points,
``read_position`` where people describe positions in the rule sheet's words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from solver.errors import GameError
from solver.games.readings import End, Tie
from solver.games.where import raised_by

MOST_POINTS = 2**53
"""The most points an outcome can be worth: above it float64 skips numbers."""

State = Hashable
Outcome = Hashable
Action = Hashable


@dataclass(frozen=True, slots=True)
class Bank:
    """The turn is over with this outcome."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Choose:
    """The player picks an action; each leads to a state."""

    options: Mapping[Any, State]


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance picks a state, each with its integer weight over the sum of the weights."""

    branches: Sequence[tuple[int, State]]


Expansion = Bank | Choose | Roll


@runtime_checkable
class Game(Hashable, Protocol):
    """What every game provides. Frozen: a game with other parameters is another game."""

    @property
    def name(self) -> str:
        """The game's name, as commands and tables spell it."""

    def start(self) -> State:
        """Return the state in which a turn begins."""

    def expand(self, state: Any) -> Expansion:
        """Return what happens at `state`."""


@dataclass(frozen=True, slots=True)
class ScoreRace:
    """A match in which each turn's points are added to the seat's score.

    Parameters
    ----------
    target
        Points that trigger the end, at least one.
    end
        Whether the round is completed once a seat has reached the target.
    tie
        How several leaders at the end are parted.
    step
        All points are multiples of it: a match is solved on scores counted in steps.
    unopened
        The beginning of a turn of a seat that has no points yet, where the game has one of its
        own for that (an opening score); None if all turns begin alike.
    tie_round
        Whether the leaders play one more round, in order, until one is ahead; `tie` is then no
        matter.
    """

    target: int
    end: End = End.ROUND
    tie: Tie = Tie.DUEL
    step: int = 1
    unopened: Hashable = None
    tie_round: bool = False

    @property
    def in_steps(self) -> ScoreRace:
        """The same race with scores counted in steps."""
        if self.step == 1:
            return self
        return replace(self, target=-(-self.target // self.step), step=1)


@dataclass(frozen=True, slots=True)
class RoundsMatch:
    """A match in which a seat's standing is its score and the stage its last turn has left.

    Outcomes are (points, stage); a turn begins at the beginning of the seat's stage. The round is
    completed; the most points win; tied leaders play on, a turn each, from the stages they have.

    Parameters
    ----------
    rounds
        Rounds in the match, None if only the target ends it.
    target
        Points that end the match after the round, None if only the rounds do.
    """

    rounds: int | None
    target: int | None


@dataclass(frozen=True, slots=True)
class GoalRace:
    """A match whose standings are the beginnings of a turn: the first to reach the goal wins.

    Standings can fall as well as rise, so boundary states may come back.

    Parameters
    ----------
    after
        Outcome of a turn -> the beginning of the seat's next turn, None if it has won.
    """

    after: Callable[[Any], Hashable | None]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A match of one seat: every turn's outcome is entered in one open box of a sheet.

    A *standing* is the set of open boxes and a *tally*, which is whatever else the rules carry
    along (points towards a bonus). Where an outcome may be entered, and for how much, depends on
    the standing through its *case* alone: the fewer cases, the faster everything after. The
    match is over when no box is open; the most points are best.

    Parameters
    ----------
    boxes
        Names of the boxes, in canonical order.
    tally
        The tally of an empty sheet.
    case
        (Open boxes, tally) -> the case of the standing.
    entries
        (Case, outcome) -> the boxes in which the outcome may be entered, each with its points and
        its *mark*, which is what the entry does to the tally. Boxes that are not open may be
        named too, and are passed over; some open box must be named.
    advance
        (Tally, mark) -> the tally after the entry.
    closing
        Tally -> points that are added at the end.
    """

    boxes: tuple[str, ...]
    tally: Hashable
    case: Callable[[frozenset[str], Any], Hashable]
    entries: Callable[[Any, Any], Mapping[str, tuple[int, Hashable]]]
    advance: Callable[[Any, Any], Hashable]
    closing: Callable[[Any], int]


def starts_of(game: Game) -> dict[Hashable, State]:
    """Return the ways in which a turn of `game` begins, each with its first state.

    A game with one beginning has it under the key None.

    Raises
    ------
    GameError
        If there is none, or the game cannot tell.
    """
    starts = getattr(game, "starts", None)
    try:
        found = {None: game.start()} if starts is None else dict(starts())
    except Exception as error:
        what = "start" if starts is None else "starts"
        where, line = raised_by(error, game)
        raise GameError(
            f"{game.name}: {what}() raised {type(error).__name__}: {error}{where}", text=line
        ) from error
    if not found:
        raise GameError(f"{game.name}: starts() names no beginning of a turn")
    return found


def points_of(game: Game, outcome: Outcome) -> int:
    """Return the points that `outcome` is worth.

    Raises
    ------
    GameError
        If the game has no ``points`` and the outcome is not an integer, or ``points`` does
        not return an integer of at least zero.
    """
    points = getattr(game, "points", None)
    try:
        worth = outcome if points is None else points(outcome)
    except Exception as error:
        where, line = raised_by(error, game)
        raise GameError(
            f"{game.name}: points({outcome!r}) raised {type(error).__name__}: {error}{where}",
            text=line,
        ) from error
    if isinstance(worth, bool) or not isinstance(worth, int) or not 0 <= worth <= MOST_POINTS:
        raise GameError(
            f"{game.name}: the outcome {outcome!r} is worth {worth!r} points",
            remedy="points are whole numbers from 0 to 2**53; give the game a method"
            " points(outcome) if its outcomes are not points",
        )
    return worth


def wants_fewest(game: Game) -> bool:
    """Return whether fewer points are better: the game says so by ``fewest = True``."""
    return bool(getattr(game, "fewest", False))


def is_bust(game: Game, outcome: Outcome) -> bool:
    """Return whether a turn that ends so has failed: the game says, else if it has no points.

    Where fewer points are better, no turn fails unless the game says so.
    """
    bust = getattr(game, "bust", None)
    if bust is not None:
        return bool(bust(outcome))
    return points_of(game, outcome) == 0 and not wants_fewest(game)


def objectives_of(game: Game) -> Mapping[str, str]:
    """Return the objectives that a game adds to points, each with the unit that it counts in."""
    found: Mapping[str, str] = getattr(game, "objectives", {})
    return found


def default_objective(game: Game) -> str:
    """Return what turns of a game are played for where nothing else is asked for."""
    return str(getattr(game, "default_objective", "points"))


def payoff_of(game: Game, objective: str, outcome: Outcome) -> int:
    """Return what an outcome is worth: its points, or by one of the game's own objectives.

    More is better: where the fewest points are wanted, each counts as one less.

    Raises
    ------
    GameError
        If the game does not give a whole number.
    """
    if objective not in objectives_of(game):
        points = points_of(game, outcome)
        return -points if wants_fewest(game) else points
    payoff: Any = getattr(game, "payoff", None)
    worth = None if payoff is None else payoff(objective, outcome)
    if type(worth) is not int:
        raise GameError(f"{game.name}: payoff({objective!r}, {outcome!r}) is {worth!r}, no number")
    return worth


def sign_of(game: Game, objective: str) -> int:
    """Return what makes of a payoff the number that people read: -1 for fewest points, else 1."""
    return -1 if wants_fewest(game) and objective == "points" else 1


def match_of(game: Game) -> ScoreRace | RoundsMatch | GoalRace | ScoreSheet:
    """Return the match that turns of `game` add up to, of whichever kind.

    Raises
    ------
    GameError
        If the game names none.
    """
    for name in ("rounds_match", "goal_race", "score_sheet"):
        match = getattr(game, name, None)
        if isinstance(match, RoundsMatch | GoalRace | ScoreSheet):
            return match
    return race_of(game)


def race_of(game: Game) -> ScoreRace:
    """Return the match that turns of `game` add up to.

    Raises
    ------
    GameError
        If the game names none.
    """
    race = getattr(game, "race", None)
    if race is None and hasattr(game, "score_sheet"):
        raise GameError(
            f"{game.name} is played alone: its turns fill a score sheet",
            remedy="play for the total: --objective total",
        )
    if race is None:
        raise GameError(
            f"{game.name} is a single turn: it names no match",
            remedy="use a turn objective (points, at-least:N, capped:N), or give the game a"
            " property race",
        )
    if not isinstance(race, ScoreRace):
        raise GameError(f"{game.name}: its race is {race!r}", rule="a race is a ScoreRace")
    if race.target < 1:
        raise GameError(
            f"{game.name}: the target {race.target} is reached at the start",
            rule="a race has a target of at least one point",
        )
    return race
