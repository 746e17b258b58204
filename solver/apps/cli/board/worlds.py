"""Small worlds and the co-operative deadline, solved and told for ``should-i-roll board``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from solver.apps.cli.options import Bar
from solver.apps.cli.show import columns, print_json, rules_line
from solver.errors import NotationError
from solver.games.martians.board import read_position
from solver.games.martians.board.components import MARTIANS
from solver.games.martians.combat import LastLife
from solver.games.martians.plan.ground import AtFive
from solver.games.martians.plan.race import Goal, March, most_standings, race_of
from solver.games.readings import check_limits, make, parameter, rules_of
from solver.match.board import small_world
from solver.match.board.deadline import deadline

_QUANTILES = (0.1, 0.5, 0.9)


@dataclass(frozen=True, slots=True)
class WorldRules:
    """What is raced to in a small world, and how the sheet is read."""

    goal: Goal = parameter(Goal.EITHER, "what the race is to")
    martians: int = parameter(30, "Martians that win", at_least=1, at_most=MARTIANS)
    march: March = parameter(March.BEST, "whether Martians move in step 6")
    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    at_five: AtFive = parameter(AtFive.GOES_BACK, "a life or bullet found by one who has five")

    def __post_init__(self) -> None:
        check_limits(self)


def solve_world(text: str, objective: str, settings: Mapping[str, str], *, as_json: bool) -> None:
    """Solve a small world and print what comes out.

    Parameters
    ----------
    text
        The position's file.
    objective
        ``turns`` or ``within:N``.
    settings
        Rules and readings by name, see :class:`WorldRules`.
    as_json
        Whether JSON is printed.

    Raises
    ------
    NotationError
        If there is no such objective.
    PositionError, TooLargeError
        If it is no small world.
    """
    turns = _turns_of(objective)
    rules = make(WorldRules, settings)
    race = race_of(
        read_position(text),
        goal=rules.goal,
        martians=rules.martians,
        march=rules.march,
        last_life=rules.last_life,
        at_five=rules.at_five,
    )
    if not as_json:
        click.echo(
            f"at most {most_standings(race):,} standings; up to {race.most_states:,} states are"
            " walked through"
        )
    with Bar("walking through the world") as bar:
        world = small_world(race, bar)
    if turns is None:
        value, error = world.fewest_turns()
        answer: dict[str, Any] = {"turns": value}
        lines = [f"fewest expected turns: {value:.10f}"]
    else:
        chances, error = world.chance_within(turns)
        answer = {"chances": chances}
        lines = [f"within {n:3} turns: {100 * c:10.6f} %" for n, c in enumerate(chances)]
    size = {"standings": world.size.standings, "nodes": world.size.nodes}
    told = rules_of(rules)
    if as_json:
        print_json({"game": "martians", **answer, "error": error, "size": size, "rules": told})
        return
    for line in lines:
        click.echo(line)
    for line in (
        f"assumption: {race.assumption}",
        f"error at most {error:.1e}; {size['standings']:,} standings, {size['nodes']:,} nodes",
        f"rules: {rules_line(told)}",
    ):
        click.echo(click.style(line, dim=True))


def tell_deadline(
    text: str, emptied: float, discarded: float, ship_after: int | None, *, as_json: bool
) -> None:
    """Print when the last Martian is placed.

    Parameters
    ----------
    text
        The position's file.
    emptied, discarded, ship_after
        As for :func:`solver.match.board.deadline.deadline`.
    as_json
        Whether JSON is printed.
    """
    found = deadline(
        read_position(text), emptied=emptied, discarded=discarded, ship_after=ship_after
    )
    if as_json:
        print_json({"chance": found.chance, "never": found.never, "mean": found.mean})
        return
    mean = "not in every game" if found.mean is None else f"after {found.mean:.1f} turns on average"
    click.echo(f"the last Martian is placed {mean}")
    rows = [["games in which it is", "by turn"]]
    for share in _QUANTILES:
        turn = found.quantile(share)
        rows.append([f"{share:.0%}", "never" if turn is None else str(turn)])
    for line in columns(rows, right=(0, 1)):
        click.echo(f"  {line}")
    told = {"emptied": str(emptied), "discarded": str(discarded)}
    told["ship-after"] = "never" if ship_after is None else str(ship_after)
    click.echo(click.style(f"assumption: {rules_line(told)}; no card places any", dim=True))


def _turns_of(objective: str) -> int | None:
    if objective == "turns":
        return None
    within = re.fullmatch(r"within:([1-9]\d{0,2})", objective)
    if within is None:
        raise NotationError(
            f"there is no objective {objective!r} for a small world",
            text=objective,
            at=0,
            remedy="turns, or within:10",
            field="objective",
        )
    return int(within[1])
