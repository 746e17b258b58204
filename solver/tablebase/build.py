"""Building tables: the recipes, and how each kind is made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError, unknown
from solver.games.martians.hunt_position import LONGEST
from solver.games.protocol import Choose, Game, is_bust, objectives_of, payoff_of, sign_of
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name
from solver.games.registry import known_games
from solver.games.source import source_digest
from solver.match.race import Progress
from solver.match.solve import solve_score_race
from solver.tablebase.fractions import to_bytes
from solver.tablebase.goals import alone_table, pairs_table
from solver.tablebase.manifest import TableEntry
from solver.tablebase.mixes import mixes_as_arrays
from solver.tablebase.policy_rows import (
    BUST_SCALE,
    last_states,
    open_states,
    policy_rows,
    rows_error,
)
from solver.tablebase.sheets import sheet_table
from solver.tablebase.states import PolicyStates, policy_states
from solver.tablebase.write import write_table
from solver.turn.compile import compile_turn
from solver.turn.exact import evaluate_exact, solve_exact
from solver.turn.graph import DECISION, TurnGraph
from solver.turn.solve import solve_turn


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a table holds: a game's turn for one objective, or its race for a number of seats.

    Parameters
    ----------
    game, parameters
        The rules.
    seats
        Number of seats; 0 for one turn, 1 for turns to a goal or a score sheet alone.
    objective
        What a turn is played for.
    policy
        Whether to expand the policy, for answers without a solver (two seats at most); None for
        "if it comes to no more than 16 MiB".
    shipped
        Whether the table is committed and comes with the package.
    """

    game: str
    seats: int = 0
    objective: str = "points"
    policy: bool | None = True
    shipped: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def make_game(self) -> Game:
        """Return the game with the recipe's parameters."""
        return game_by_name(self.game, **self.parameters)


_LONGEST = {"fights": LONGEST}

RECIPES: dict[str, Recipe] = {
    "alien-crew-points": Recipe("alien-crew"),
    "martian-dice-points": Recipe("martian-dice"),
    "martian-dice-win-2": Recipe("martian-dice", seats=2),
    "martian-dice-win-3": Recipe("martian-dice", seats=3, policy=False),
    "martian-dice-win-4": Recipe("martian-dice", seats=4, policy=False, shipped=False),
    "martians-gauntlet": Recipe("martians-fights", objective="survive", parameters=_LONGEST),
    "martians-gauntlet-kills": Recipe("martians-fights", objective="kills", parameters=_LONGEST),
    **{
        f"martians-turns-{income}": Recipe("martians", seats=1, parameters={"income": income})
        for income in ("none", "scarce", "steady", "rich")
    },
    **{
        f"martians-win-2-{income}": Recipe(
            "martians", seats=2, shipped=False, parameters={"income": income}
        )
        for income in ("none", "scarce", "steady", "rich")
    },
    "pig-win-2": Recipe("pig", seats=2, policy=False),
    **{
        f"yahtzee-{joker}": Recipe(
            "yahtzee", 1, "total", policy=False, shipped=False, parameters={"joker": joker}
        )
        for joker in ("free", "hasbro", "none")
    },
}
"""The tables that can be built by name; others are named by their game, see :func:`recipe_of`."""

_MOST_POLICY = 2**24  # bytes of an expanded policy that is made without being asked for
_SEATS = re.compile("win-([2-9])")


def recipe_of(name: str) -> Recipe:
    """Return the recipe of a table.

    Parameters
    ----------
    name
        One of :data:`RECIPES`, or a game's name and what it is solved for: ``hog-points``,
        ``hog-win-2`` (a race of so many seats), ``two-dice-pig-turns`` (a race to a goal, alone).

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name in RECIPES:
        return RECIPES[name]
    for known in sorted(known_games(), key=len, reverse=True):
        if not name.startswith(f"{known}-"):
            continue
        wanted, game = name.removeprefix(f"{known}-"), game_by_name(known)
        seats = _SEATS.fullmatch(wanted)
        if wanted == "points" or wanted in objectives_of(game):
            return Recipe(known, objective=wanted, shipped=False)
        if wanted == "turns" and hasattr(game, "goal_race"):
            return Recipe(known, seats=1, shipped=False)
        if seats is not None and (hasattr(game, "goal_race") or hasattr(game, "race")):
            return Recipe(known, seats=int(seats[1]), policy=None, shipped=False)
    wanted = "GAME-points, GAME-win-2, GAME-turns"
    raise unknown("table", name, (*RECIPES, wanted), field="table")


def build_table(
    name: str, directory: Path, *, workers: int = 1, progress: Progress | None = None
) -> TableEntry:
    """Build a table and write it to a directory.

    Parameters
    ----------
    name
        Name of the table, as :func:`recipe_of` reads it.
    directory
        Where it is written.
    workers
        Threads that solve turns.
    progress
        Called with (done, in all) from time to time.

    Raises
    ------
    UnknownNameError
        If there is no such recipe.
    WriteError
        If it could not be written.
    """
    recipe = recipe_of(name)
    game = recipe.make_game()
    graph = compile_turn(game)
    if hasattr(game, "goal_race") and recipe.seats:
        entry, arrays = _goal(game, graph, recipe, workers, progress)
    elif hasattr(game, "score_sheet"):
        digest, about, arrays = sheet_table(game, graph, workers, progress)
        entry = _entry(game, digest, exactness="bounded", bust_error=0.0, tags=(), **about)
    elif recipe.seats:
        entry, arrays = _race(game, graph, recipe, workers, progress)
    else:
        entry, arrays = _turn(game, graph, recipe.objective)
    return write_table(directory, name, entry, arrays)


def _entry(game: Game, digest: str, **rest: Any) -> TableEntry:
    return TableEntry(
        game=game.name,
        rules=rules_of(game),
        graph=digest,
        source=source_digest(game),
        columns=getattr(game, "columns", ()),
        files={},
        **rest,
    )


def _states(states: PolicyStates) -> dict[str, NDArray[Any]]:
    return {
        "roll-states": states.encoded(states.rolls),
        "roll-rows": states.row,
        "decision-states": states.encoded(states.decisions),
    }


def _turn(
    game: Game, graph: TurnGraph, objective: str
) -> tuple[TableEntry, dict[str, NDArray[Any]]]:
    states = policy_states(game, graph)
    sign = sign_of(game, objective)
    best = solve_exact(graph, [payoff_of(game, objective, x) for x in graph.outcomes])
    bust = evaluate_exact(graph, [int(is_bust(game, x)) for x in graph.outcomes], best.chosen)
    rows = states.nodes.tolist()
    choice = np.zeros((1, len(states.decisions)), dtype=np.uint8)
    for i, state in enumerate(states.decisions):
        expansion = game.expand(state)
        assert isinstance(expansion, Choose)
        to = [graph.node_of[s] for s in expansion.options.values()]
        node = graph.node_of[state]
        if graph.kind[node] == DECISION and len(set(to)) > 1:
            choice[0, i] = to.index(best.chosen[node])
    arrays = {
        **_states(states),
        "policy-value": np.array([[float(sign * best.value(n)) for n in rows]]),
        "policy-bust": np.array([[float(bust.value(n)) for n in rows]]),
        "policy-choice": choice,
        "numerator": to_bytes([sign * best.numerator[n] for n in rows]),
        "denominator": to_bytes([best.denominator[n] for n in rows]),
    }
    turn = solve_turn(game, objective, exact=True, graph=graph)
    numbers = {
        "value": turn.value,
        "exact": str(turn.exact),
        "mean": turn.mean,
        "variance": turn.variance,
        "bust": turn.bust,
    }
    entry = _entry(
        game,
        graph.digest,
        kind="turn",
        objective=objective,
        seats=0,
        exactness="exact",
        error=0.0,
        bust_error=0.0,
        tags=states.tags,
        numbers=numbers,
    )
    return entry, arrays


def _goal(
    game: Game, graph: TurnGraph, recipe: Recipe, workers: int, progress: Progress | None
) -> tuple[TableEntry, dict[str, NDArray[Any]]]:
    if recipe.seats == 1:
        about, arrays = alone_table(game, graph)
    else:
        about, arrays = pairs_table(game, graph, workers, progress)
    return _entry(game, graph.digest, exactness="bounded", bust_error=0.0, tags=(), **about), arrays


def _expanded(
    game: Game, graph: TurnGraph, recipe: Recipe, outcomes: int, target: int
) -> PolicyStates | None:
    """Return the states of the expanded policy, None if it is not to be made."""
    if recipe.policy is not None:
        return policy_states(game, graph) if recipe.policy else None
    if recipe.seats != 2:
        return None
    try:
        states = policy_states(game, graph)
    except UsageError:  # states that are no names followed by integers
        return None
    row = 12 * len(states.nodes) + len(states.decisions)
    return states if (2 * target**2 + outcomes) * row <= _MOST_POLICY else None


def _race(
    game: Game, graph: TurnGraph, recipe: Recipe, workers: int, progress: Progress | None
) -> tuple[TableEntry, dict[str, NDArray[Any]]]:
    match = solve_score_race(game, recipe.seats, graph, workers=workers, progress=progress)
    values, error = match.values, match.error
    assert error is not None  # the proof was asked for
    arrays: dict[str, NDArray[Any]] = {"points": values.points, "open-play": values.open_play}
    for (left, holders), table in values.last_turns.items():
        arrays[f"last-{left}-{holders}"] = table
    if values.tied is not None:
        arrays["tied"] = values.tied
    arrays |= mixes_as_arrays(match.mixes, recipe.seats)
    tags: tuple[str, ...] = ()
    states = _expanded(game, graph, recipe, len(values.points), values.race.target)
    if states is not None:
        tags = states.tags
        payoffs = np.concatenate([open_states(values), last_states(values)])
        arrays |= _states(states)
        arrays |= policy_rows(game, graph, states, payoffs)
        error += rows_error(graph, states, payoffs, arrays["policy-value"])
    numbers = {
        "win_probability": match.win_probability,
        "error": match.error,
        "expected_rounds": match.expected_rounds,
        "tie_probability": match.tie_probability,
    }
    entry = _entry(
        game,
        graph.digest,
        kind="race",
        objective="win",
        seats=recipe.seats,
        exactness=match.exactness.kind,
        error=error,
        bust_error=1.0 / BUST_SCALE,
        tags=tags,
        numbers=numbers,
    )
    return entry, arrays
