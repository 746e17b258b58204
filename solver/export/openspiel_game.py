"""A match of two seats as a Python game of OpenSpiel, played turn by turn on the rules.

The extra ``openspiel`` is needed. Nothing is solved or merged: a state is the standing before the
turn and the rules' own state within it, an action the number of an option in canonical order, a
roll an explicit chance node. A turn that begins with a roll begins with the action ``begin``: so
chance alone never goes round in a circle, which OpenSpiel's algorithms do not expect.

A win returns 1, a loss -1; a tie that is duelled by equal chances returns 0, which is what it is
worth. After `horizon` turns a match is given up and returns 0; how many turns were played is no
part of a state's text, so that value iteration sees the match as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from solver.errors import UsageError
from solver.export.course import Course, Ended, course_of
from solver.export.model import spelled
from solver.games.check import checked_expansion, walk
from solver.games.protocol import Bank, Choose, Expansion, Game, Roll, starts_of
from solver.games.readings import rules_of
from solver.games.registry import GAMES
from solver.games.registry import game as game_by_name

try:
    import pyspiel
except ImportError:  # the extra is not installed: see the functions
    pyspiel = None

_Game: Any = object if pyspiel is None else pyspiel.Game
_State: Any = object if pyspiel is None else pyspiel.State

HORIZON = 1000
_MOST_LENGTH = 2**31 - 1  # of OpenSpiel's own kind of number
PREFIX = "should_i_roll_"


class Widths(NamedTuple):
    """The most that a turn has of each: options, branches of a roll, steps."""

    options: int
    branches: int
    steps: int


@lru_cache(maxsize=16)
def widths(game: Game) -> Widths:
    """Return the most options, branches and steps that a turn of `game` has."""
    options = branches = 1
    length: dict[Any, int] = {}
    for state, found in walk(game):
        after: list[Any] = []
        if isinstance(found, Choose):
            options = max(options, len(found.options))
            after = list(found.options.values())
        elif isinstance(found, Roll):
            after = list({to for _, to in found.branches})
            branches = max(branches, len(after))
        length[state] = 1 + max((length[to] for to in after), default=-1)
    return Widths(options, branches, max(length.values()))


def spiel_game(game: Game, *, horizon: int = HORIZON) -> MatchGame:
    """Return the match of two seats of a game.

    Parameters
    ----------
    game
        The rules; they must name a match.
    horizon
        Turns after which a match is given up.

    Raises
    ------
    GameError
        If the game names no match of two seats.
    UsageError
        If OpenSpiel is not installed.
    """
    _require()
    return MatchGame(game, _type_of(game.name, rules_of(game)), {}, horizon)


def register_games() -> tuple[str, ...]:
    """Register the match of each game that has one, and return the names.

    Afterwards ``pyspiel.load_game("should_i_roll_pig(target=20)")`` finds it, with the game's
    parameters and readings, and the parameter ``horizon``. Dashes are written as underlines.

    Raises
    ------
    UsageError
        If OpenSpiel is not installed.
    """
    _require()
    names: list[str] = []
    for name in GAMES:
        rules = game_by_name(name)
        if not any(hasattr(rules, kind) for kind in ("race", "rounds_match", "goal_race")):
            continue
        kind = _type_of(name, {**rules_of(rules), "horizon": HORIZON})
        if kind.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind, _maker(name, kind))
        names.append(kind.short_name)
    return tuple(names)


def _maker(name: str, kind: Any) -> type[MatchGame]:
    """Return the class that OpenSpiel makes games of this name from.

    A class and not a function: OpenSpiel keeps it until after the interpreter has ended, when
    nothing of Python may be freed, and classes of its own kinds never are.
    """

    class Registered(MatchGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = dict(params or {})
            horizon = given.pop("horizon", HORIZON)
            rules = game_by_name(name, **{key.replace("_", "-"): v for key, v in given.items()})
            super().__init__(rules, kind, params or {}, horizon)

    return Registered


def _type_of(name: str, rules: dict[str, int | str]) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=PREFIX + name.replace("-", "_"),
        long_name=f"should-i-roll: {name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={key.replace("-", "_"): value for key, value in rules.items()},
    )


def _require() -> None:
    if pyspiel is None:
        raise UsageError("this takes OpenSpiel", remedy='pip install "should-i-roll[openspiel]"')


def _once(found: Expansion) -> Expansion:
    if not isinstance(found, Roll):
        return found
    weights: dict[Any, int] = {}
    for weight, state in found.branches:
        weights[state] = weights.get(state, 0) + weight
    return Roll([(weight, state) for state, weight in weights.items()])


class _Table:
    """The rules that the states of a match share; a copied state keeps it."""

    def __init__(self, rules: Game, horizon: int) -> None:
        self.rules, self.horizon = rules, horizon
        self.course: Course = course_of(rules)
        self.starts = starts_of(rules)
        self._expanded: dict[Any, Expansion] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> _Table:
        del memo
        return self

    def __reduce__(self) -> tuple[type[_Table], tuple[Game, int]]:
        return _Table, (self.rules, self.horizon)

    def expand(self, state: Any) -> Expansion:
        """Return what happens at a state of the turn; a roll leads to each state once."""
        if state not in self._expanded:
            self._expanded[state] = _once(checked_expansion(self.rules, state))
        return self._expanded[state]


class MatchGame(_Game):  # type: ignore[misc]  # without the extra there is no such class
    """A match of two seats; made by :func:`spiel_game` or ``pyspiel.load_game``."""

    def __init__(self, rules: Game, kind: Any, params: dict[str, Any], horizon: int) -> None:
        self.table = _Table(rules, horizon)
        most = widths(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=most.options,
            max_chance_outcomes=most.branches,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=min(horizon * (most.steps + 1), _MOST_LENGTH),
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> MatchState:
        """Return the state at the start of a match."""
        return MatchState(self)


class MatchState(_State):  # type: ignore[misc]  # as above
    """A state of a match."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self._table = game.table
        self._turns = 0
        self._ended: Ended | None = None
        self._boundary = self._table.course.start
        self._state: Any = None
        self._waits = True
        self._begin()

    def current_player(self) -> int:
        """Return the seat that decides, from 0, or OpenSpiel's number of chance or of the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(self._found, Roll) and not self._waits:
            return int(pyspiel.PlayerId.CHANCE)
        return self._boundary.seat - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the number of each branch of the roll, with its chance."""
        branches = self._branches()
        whole = sum(weight for weight, _ in branches)
        return [(i, weight / whole) for i, (weight, _) in enumerate(branches)]

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self._ended is not None

    def returns(self) -> list[float]:
        """Return 1 for the seat that has won, -1 for the other; 0 for a tie or an open match."""
        first = 0.0 if self._ended is None else float(self._ended.halves - 1)
        return [first, -first]

    def __str__(self) -> str:
        if self._ended is not None:
            return f"over, {self._ended.halves} halves"
        at = self._boundary
        number = f"round {at.number}, " if at.number else ""
        death = "" if at.shown == () else f", death round {at.shown!r}"
        standings = " : ".join(map(repr, at.standings))
        state = "to begin" if self._waits else repr(self._state)
        return f"{number}seat {at.seat}, {standings}{death}: {state}"

    # These three names are OpenSpiel's.

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return [0] if self._waits else list(range(len(self._options())))

    def _apply_action(self, action: int) -> None:
        if self._waits:
            self._waits = False
        elif isinstance(self._found, Roll):
            self._go_to(self._branches()[action][1])
        else:
            self._go_to(list(self._options().values())[action])

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        if self._waits:
            return "begin"
        if isinstance(self._found, Roll):
            return f"rolled {self._branches()[action][1]!r}"
        return spelled(list(self._options())[action])

    @property
    def _found(self) -> Expansion:
        return self._table.expand(self._state)

    def _options(self) -> Mapping[Any, Any]:
        return self._found.options if isinstance(self._found, Choose) else {}

    def _branches(self) -> Sequence[tuple[int, Any]]:
        return self._found.branches if isinstance(self._found, Roll) else ()

    def _begin(self) -> None:
        self._go_to(self._table.starts[self._table.course.beginning(self._boundary)])
        self._waits = isinstance(self._found, Roll) and self._ended is None

    def _go_to(self, state: Any) -> None:
        self._state = state
        if not isinstance(self._found, Bank):
            return
        self._turns += 1
        ahead = self._table.course.after(self._boundary, self._found.outcome)
        if isinstance(ahead, Ended):
            self._ended = ahead
        elif self._turns >= self._table.horizon:
            self._ended = Ended(1)
        else:
            self._boundary = ahead
            self._begin()
