"""A checker for authors of games, and the walk through a turn that it shares with the compiler."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solver.errors import GameError, TooLargeError
from solver.games.protocol import (
    Bank,
    Choose,
    Expansion,
    Game,
    Roll,
    State,
    points_of,
    race_of,
    starts_of,
)
from solver.games.where import raised_by

MAX_STATES = 5_000_000
_SHOWN = 8  # states of a cycle, and sizes of steps, in a message


@dataclass(frozen=True, slots=True)
class GameReport:
    """What a sound game consists of.

    Parameters
    ----------
    states, decisions, rolls, edges
        How many of each a turn has before equal positions are merged.
    outcomes
        The distinct outcomes, in order of appearance.
    """

    states: int
    decisions: int
    rolls: int
    edges: int
    outcomes: tuple[Any, ...]


def walk(game: Game, *, max_states: int = MAX_STATES) -> Iterator[tuple[State, Expansion]]:
    """Yield every state of a turn with its checked expansion, children before parents.

    The order depends on the rules alone. An explicit stack is used: turns may be longer than
    Python's recursion limit.

    Raises
    ------
    GameError
        On the first violation of the protocol, with its state.
    TooLargeError
        If there are more than `max_states` states.
    """
    done: set[State] = set()
    open_: dict[State, Expansion] = {}
    starts = list(starts_of(game).values())
    for start in starts:
        _check_hashable(game, start, None)
    stack = starts[::-1]
    while stack:
        state = stack[-1]
        if state in done:
            stack.pop()
            continue
        expansion = open_.get(state)
        if expansion is None:
            if len(done) + len(open_) >= max_states:
                raise TooLargeError(
                    f"{game.name}: a turn has more than {max_states} states, such as {state!r}:"
                    f" {growth_of(game, max_states)}",
                    remedy="merge equivalent positions into equal states; cut what grows without"
                    " end, as a total is cut at the target; or raise max_states",
                )
            expansion = checked_expansion(game, state)
            open_[state] = expansion
            pushed = len(stack)
            for child in reversed(children_of(expansion)):
                if child not in done:
                    if child in open_:
                        raise GameError(
                            f"{game.name}: the turn need not end: {child!r} is reached again"
                            f" from {state!r}, round and round: {_cycle(child, list(open_))}",
                            rule="a turn is over after finitely many steps, whatever happens",
                            remedy="put what makes the positions different into the state",
                        )
                    stack.append(child)
            if len(stack) > pushed:
                continue
        stack.pop()
        del open_[state]
        done.add(state)
        yield state, expansion


def _cycle(back: State, open_: list[State]) -> str:
    """Return the states of a cycle, those in the middle of a long one left out."""
    way = [repr(state) for state in (*open_[open_.index(back) :], back)]
    if len(way) > _SHOWN + 1:
        way[_SHOWN // 2 : -_SHOWN // 2] = [f"({len(way) - _SHOWN} more)"]
    return " -> ".join(way)


def growth_of(game: Game, most: int) -> str:
    """Return how the number of states grows from step to step, and what that comes to.

    Parameters
    ----------
    game
        The rules.
    most
        The limit that was passed; a fiftieth of so many states is looked at.
    """
    level = list(dict.fromkeys(starts_of(game).values()))
    seen, sizes = set(level), [len(level)]
    while level and len(seen) < max(100, most // 50):
        after: dict[State, None] = {}
        for state in level:
            for child in children_of(checked_expansion(game, state)):
                if child not in seen:
                    after[child] = None
        seen.update(after)
        level = list(after)
        sizes.append(len(level))
    steps = f"the last of {len(sizes)} steps from the start find"
    found = f"{steps} {', '.join(map(str, sizes[-_SHOWN:]))} new ones"
    rate = (sizes[-1] / sizes[-3]) ** 0.5 if len(sizes) > 2 and sizes[-3] else 1.0
    if rate >= 1.0:
        return f"{found}, each {rate:.2f} times the one before: no end is in sight"
    whole = len(seen) + sizes[-1] * rate / (1.0 - rate)
    return f"{found}, which makes about {whole:.0e} in all if it goes on so"


def children_of(expansion: Expansion) -> list[State]:
    """Return the states that an expansion leads to, in its order."""
    if isinstance(expansion, Choose):
        return list(expansion.options.values())
    if isinstance(expansion, Roll):
        return [state for _, state in expansion.branches]
    return []


def checked_expansion(game: Game, state: State) -> Expansion:
    """Return ``game.expand(state)`` after checking it against the protocol.

    Raises
    ------
    GameError
        If it raises, or is none of the three kinds, or has no action, no branch, a weight that
        is no positive integer, or a state or outcome that cannot be hashed.
    """
    try:
        expansion = game.expand(state)
    except Exception as error:
        where, line = raised_by(error, game)
        raise GameError(
            f"{game.name}: expand({state!r}) raised {type(error).__name__}: {error}{where}",
            text=line,
        ) from error
    if isinstance(expansion, Roll):
        branches = expansion.branches
        if not isinstance(branches, list | tuple):
            raise GameError(
                f"{game.name}: the roll at {state!r} has {branches!r} for branches",
                rule="branches are a list or tuple of (weight, state)",
            )
        if not branches:
            raise GameError(f"{game.name}: the roll at {state!r} has no branch")
        for branch in branches:
            if not isinstance(branch, tuple) or len(branch) != 2:
                raise GameError(
                    f"{game.name}: the roll at {state!r} has the branch {branch!r}",
                    rule="a branch is a pair (weight, state)",
                )
            weight, child = branch
            if type(weight) is not int or weight <= 0:
                raise GameError(
                    f"{game.name}: the roll at {state!r} leads to {child!r} with weight {weight!r}"
                    f"{_sum_of(branches)}",
                    rule="weights are positive whole numbers over their sum",
                    remedy="whole numbers in proportion: 1 and 5 for chances of 1/6 and 5/6",
                )
            _check_hashable(game, child, state)
    elif isinstance(expansion, Choose):
        if not isinstance(expansion.options, Mapping):
            raise GameError(
                f"{game.name}: the decision at {state!r} has {expansion.options!r} for options",
                rule="options are a mapping action -> state",
            )
        if not expansion.options:
            raise GameError(
                f"{game.name}: the player has no action at {state!r}",
                rule="a decision has at least one action; a turn that is over is a Bank",
            )
        _check_names(game, state, expansion)
        for child in expansion.options.values():
            _check_hashable(game, child, state)
    elif isinstance(expansion, Bank):
        _check_hashable(game, expansion.outcome, state)
    else:
        raise GameError(
            f"{game.name}: expand({state!r}) returned {expansion!r}",
            rule="expand returns Bank(outcome), Choose({action: state}) or Roll([(weight, state)])",
        )
    return expansion


def _sum_of(branches: Sequence[object]) -> str:
    """Return what chances sum to, if weights are chances that do not sum to one."""
    chances = [b[0] for b in branches if isinstance(b, tuple) and len(b) == 2]
    if len(chances) < len(branches) or not all(type(c) in (float, Fraction) for c in chances):
        return ""
    whole = math.fsum(chances)
    return f", and its chances sum to {whole!r}" if abs(whole - 1.0) > 1e-9 else ""


def _check_names(game: Game, state: State, expansion: Choose) -> None:
    """Raise GameError if two actions are spelled the same."""
    if all(type(action) is str for action in expansion.options):
        return
    seen: dict[str, object] = {}
    for action in expansion.options:
        if str(action) in seen:
            raise GameError(
                f"{game.name}: two actions at {state!r} are called {str(action)!r}:"
                f" {seen[str(action)]!r} and {action!r}",
                rule="each action has a name of its own",
            )
        seen[str(action)] = action


def _check_hashable(game: Game, value: object, parent: object) -> None:
    try:
        hash(value)
    except TypeError as error:
        raise GameError(
            f"{game.name}: {value!r} after {parent!r} cannot be a state or outcome: {error}",
            remedy="use tuples, numbers, strings or frozen dataclasses",
        ) from None


def _points_at(game: Game, state: State, outcome: Any) -> int:
    try:
        return points_of(game, outcome)
    except GameError as error:
        raise GameError(f"{error.what}, at {state!r}", remedy=error.remedy) from error


def check_game(game: Game, *, max_states: int = MAX_STATES) -> GameReport:
    """Check a game against the protocol, the whole turn through.

    Parameters
    ----------
    game
        The rules.
    max_states
        Stop with an error beyond this many states.

    Returns
    -------
    GameReport
        The counts of what was found.

    Raises
    ------
    GameError
        On the first violation, with the state it stands at: weights, actions, a turn that need
        not end, outcomes without points, a match that no turn moves.
    TooLargeError
        If there are more than `max_states` states.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> check_game(Pig(target=10)).rolls
    9
    """
    if not isinstance(getattr(game, "name", None), str) or not game.name:
        raise GameError("a game needs a name", remedy="give the class a string attribute name")
    decisions = rolls = edges = states = 0
    outcomes: dict[Any, int] = {}
    for state, expansion in walk(game, max_states=max_states):
        states += 1
        edges += len(children_of(expansion))
        decisions += isinstance(expansion, Choose)
        rolls += isinstance(expansion, Roll)
        if isinstance(expansion, Bank) and expansion.outcome not in outcomes:
            outcomes[expansion.outcome] = _points_at(game, state, expansion.outcome)
    if getattr(game, "race", None) is not None:
        target = race_of(game).target
        if not any(outcomes.values()):
            raise GameError(f"{game.name}: no turn scores: the race to {target} never ends")
    return GameReport(states, decisions, rolls, edges, tuple(outcomes))
