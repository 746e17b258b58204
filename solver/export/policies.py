"""Best play as a table: the variables of each state with a decision -> action and value.

A state is a tuple of its kind and its variables, and the columns of a table are the variables'
names. A game names them in ``columns``, for states that it stores; kinds that have more are
named here, and whatever has no name is called by its place. In a match of two seats the columns of
the standing come first.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solver.errors import UsageError
from solver.export.best import BestPlay
from solver.export.course import Boundary, Ended, course_of
from solver.export.model import spelled
from solver.export.turns import start_at
from solver.games.check import children_of
from solver.games.protocol import Choose, Game, State, starts_of
from solver.turn.compile import compile_turn
from solver.turn.graph import OUTCOME
from solver.turn.solve import solve_turn

_NAMES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("martian-dice", "take"): ("rolled_death_rays", "rolled_groups"),  # after the columns
    ("alien-crew", "crew"): ("throws", *(f"die_{i}" for i in range(1, 6))),
    ("alien-crew", "throw"): ("stage", "throws"),
    ("yahtzee", "dice"): ("rolls_left", *(f"die_{i}" for i in range(1, 6))),
}
_AFTER_COLUMNS = {("martian-dice", "take")}


@dataclass(frozen=True, slots=True)
class Decision:
    """What best play does at a state.

    Parameters
    ----------
    action
        In the rules' words.
    value
        Best expected payoff.
    exact
        The same as a fraction, if it is known.
    as_good
        Further actions that are exactly as good; in a match, within the solver's tolerance.
    """

    action: str
    value: float
    exact: Fraction | None
    as_good: tuple[str, ...] = ()


def turn_policy(
    game: Game, objective: str = "points", *, beginning: Hashable = None
) -> dict[State, Decision]:
    """Return best play of one turn, exactly: every state with a decision -> what to do.

    Parameters
    ----------
    game
        The rules.
    objective
        ``"points"``, ``"at-least:N"``, ``"capped:N"`` or one of the game's own.
    beginning
        Which of the game's beginnings; None for the first.

    Raises
    ------
    UsageError
        If there is no such objective or beginning.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> policy = turn_policy(Pig(target=40))
    >>> policy[("total", 19)].action, policy[("total", 20)].action, policy[("total", 20)].as_good
    ('roll', 'stop', ('roll',))
    """
    first = start_at(game, beginning)
    name = next(key for key, state in starts_of(game).items() if state == first)
    turn = solve_turn(game, objective, exact=True, beginning=name)
    found: dict[State, Decision] = {}
    for state in _below(game, first, turn.graph.node_of):
        options = turn.options(state)
        if len(options) > 1:
            chosen = turn.choice_at(state)
            best = next(o for o in options if o.action == chosen)
            same = (spelled(o.action) for o in options if o.best and o.action != chosen)
            found[state] = Decision(spelled(chosen), best.value, best.exact, tuple(same))
    return found


def match_policy(game: Game) -> dict[tuple[Boundary, State], Decision]:
    """Return best play of a match of two seats, for the win of the seat on turn.

    Parameters
    ----------
    game
        The rules; they must name a match.

    Returns
    -------
    dict
        (boundary state, state of the turn) -> what to do, for all that best play and any other
        come to.
    """
    course = course_of(game)
    graph = compile_turn(game)
    best = BestPlay(game, graph, course)
    below: dict[int, list[State]] = {}
    found: dict[tuple[Boundary, State], Decision] = {}
    seen, open_ = {course.start}, [course.start]
    while open_:
        at = open_.pop()
        root = best.root(at)
        if root not in below:
            first = starts_of(game)[course.beginning(at)]
            below[root] = list(_below(game, first, graph.node_of))
        turn = best.turn(at)
        for state in below[root]:
            node = graph.node_of[state]
            if graph.kind[node] == OUTCOME:
                ahead = course.after(at, graph.outcomes[node])
                if not isinstance(ahead, Ended) and ahead not in seen:
                    seen.add(ahead)
                    open_.append(ahead)
            expansion = game.expand(state)
            if isinstance(expansion, Choose) and len(expansion.options) > 1:
                nodes = {spelled(a): graph.node_of[s] for a, s in expansion.options.items()}
                value = float(turn.value[node, 0])
                edge = int(turn.chosen[node, 0])
                same = len(set(nodes.values())) == 1
                good = [a for a, n in nodes.items() if same or n == graph.child[edge]]
                found[at, state] = Decision(good[0], value, None, tuple(good[1:]))
    return found


def policy_rows(
    game: Game, policy: Mapping[Any, Decision]
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Return the columns of a policy, and its rows as column -> value.

    Parameters
    ----------
    game
        The rules.
    policy
        As :func:`turn_policy` or :func:`match_policy` return it.

    Raises
    ------
    UsageError
        If a state is no tuple that begins with its kind.
    """
    rows: list[dict[str, Any]] = []
    columns: dict[str, None] = {}
    for key, decision in policy.items():
        row: dict[str, Any] = {}
        state = key
        if len(key) == 2 and isinstance(key[0], Boundary):
            row.update(_standing(key[0]))
            state = key[1]
        row["kind"] = _checked(game, state)[0]
        row.update(zip(variables_of(game, state), state[1:], strict=True))
        columns.update(dict.fromkeys(row))
        row |= {
            "action": decision.action,
            "value": decision.value,
            "exact": None if decision.exact is None else str(decision.exact),
            "as_good": list(decision.as_good),
        }
        rows.append(row)
    return (*columns, "action", "value", "exact", "as_good"), rows


def variables_of(game: Game, state: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the names of a state's variables, those after its kind.

    Examples
    --------
    >>> from solver.games.martian_dice import MartianDice
    >>> variables_of(MartianDice(), ("aside", 3, 3, 5, 2))
    ('tanks', 'death_rays', 'heads', 'kinds')
    """
    columns: tuple[str, ...] = getattr(game, "columns", ())
    key = game.name, str(state[0])
    own = _NAMES.get(key, columns)
    names = (*columns, *own) if key in _AFTER_COLUMNS else own
    count = len(state) - 1
    return (*names[:count], *(f"variable_{i}" for i in range(len(names) + 1, count + 1)))


def csv_text(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a variable that holds several numbers is written as JSON."""
    names = list(columns)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue()


def json_text(columns: Iterable[str], rows: Iterable[Mapping[str, Any]], **about: Any) -> str:
    """Return rows as one JSON object: what it is about, its columns and its rows."""
    content = {**about, "columns": list(columns), "policy": list(rows)}
    return json.dumps(content, indent=1) + "\n"


def _cell(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "|".join(value)
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value


def _checked(game: Game, state: Any) -> tuple[Any, ...]:
    if isinstance(state, tuple) and state and isinstance(state[0], str):
        return state
    raise UsageError(
        f"{game.name}: the state {state!r} has no variables to be columns",
        rule="a state in a table is a tuple of its kind and its variables",
        remedy="write it as ('roll', 3, 1)",
    )


def _standing(at: Boundary) -> dict[str, Any]:
    row: dict[str, Any] = {"round": at.number} if at.number else {}
    row["seat"] = at.seat
    for i, standing in enumerate(at.standings, 1):
        if not isinstance(standing, tuple):
            row[f"score_{i}"] = standing
        elif at.number or at.shown != ():
            row |= {f"score_{i}": standing[0], f"stage_{i}": standing[1]}
        else:
            row |= {f"standing_{i}_{k}": part for k, part in enumerate(standing, 1)}
    if at.shown != ():
        row["death_round"] = -1 if at.shown is None else at.shown
    return row


def _below(game: Game, first: State, order: Iterable[State]) -> Iterator[State]:
    """Yield the states that a turn beginning so comes to, in the graph's order."""
    reached, stack = {first}, [first]
    while stack:
        for after in children_of(game.expand(stack.pop())):
            if after not in reached:
                reached.add(after)
                stack.append(after)
    return (state for state in order if state in reached)
