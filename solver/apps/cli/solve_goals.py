"""``solve`` for races to a goal: turns alone, chances of two seats, kills without end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from solver.apps.cli.options import Bar
from solver.apps.cli.show import columns, print_json, rules_line
from solver.errors import UsageError
from solver.games.protocol import Game
from solver.games.readings import rules_of
from solver.turn.graph import TurnGraph


def is_goal_objective(rules: Game, objective: str) -> bool:
    """Return whether an objective is one of a race to a goal rather than of a turn."""
    if not hasattr(rules, "goal_race"):
        return False
    return objective in ("turns", "win", "kills") or objective.startswith("within:")


def solve_goals(
    rules: Game,
    objective: str,
    seats: int | None,
    told: Mapping[str, Any],
    *,
    workers: int,
    max_memory: int | None,
    proof: bool,
    as_json: bool,
) -> None:
    """Solve a race to a goal and print it.

    Parameters
    ----------
    rules
        The game.
    objective
        ``turns``, ``within:N``, ``kills`` or ``win``.
    seats
        Number of seats, for the win.
    told
        The standing that is asked about, in the fields of the game's positions.
    workers, max_memory, proof, as_json
        As for the command.

    Raises
    ------
    UsageError, PositionError
        If something is missing, or the rules do not allow it.
    """
    from solver.turn.cache import cached_turn  # noqa: PLC0415  --help needs no numbers

    if objective != "win" and seats not in (None, 1):
        raise UsageError(
            f"--seats is for the win; the objective is {objective}",
            remedy="--objective win, or leave --seats out",
            field="seats",
        )
    own = {name: value for name, value in told.items() if name != "opponent"}
    if objective != "win" and told.get("opponent") is not None:
        raise UsageError(
            f"--opponent is for the win; the objective is {objective}", field="opponent"
        )
    if objective == "kills":
        found = _kills(rules, own)
    else:
        graph = cached_turn(rules)
        standing = _standing(rules, own)
        if objective == "turns":
            found = _turns(rules, graph, standing, workers)
        elif objective == "win":
            found = _win(rules, graph, standing, told, seats, workers, max_memory, proof=proof)
        else:
            found = _within(rules, graph, standing, objective)
    if as_json:
        print_json(found)
    else:
        _print(found)


def _standing(rules: Game, told: Mapping[str, Any]) -> Any:
    """Return the standing that is asked about, that of the start if none is told."""
    read: Any = rules.read_beginning  # type: ignore[attr-defined]
    return read(**{name: value for name, value in told.items() if value is not None})


def _about(rules: Game, objective: str, standing: Any) -> dict[str, Any]:
    return {
        "game": rules.name,
        "rules": rules_of(rules),
        "objective": objective,
        "assumption": getattr(rules, "assumption", None),
        "standing": list(standing),
    }


def _turns(rules: Game, graph: TurnGraph, standing: Any, workers: int) -> dict[str, Any]:
    from solver.match.goal import solve_alone  # noqa: PLC0415

    alone = solve_alone(rules, graph=graph, workers=workers)
    value = alone.turns(standing)
    return {
        **_about(rules, "turns", standing),
        "exactness": {"kind": "bounded", "error": value * alone.relative_error},
        "value": value,
        "within": alone.within.tolist(),
        "standings": len(alone.standings),
        "components": list(alone.standings.components),
        "policies": alone.iterations,
        "graph": _graph(graph),
    }


def _within(rules: Game, graph: TurnGraph, standing: Any, objective: str) -> dict[str, Any]:
    from solver.advisor.goals import read_within  # noqa: PLC0415
    from solver.match.goal.alone import within  # noqa: PLC0415
    from solver.match.goal.solve import goal_race_of  # noqa: PLC0415
    from solver.match.goal.standings import standings_of  # noqa: PLC0415
    from solver.turn.kernel import error_bound  # noqa: PLC0415

    number = read_within(objective)
    standings = standings_of(graph, goal_race_of(rules).after)
    best = within(graph, standings, number)[:, standings.number(tuple(standing))]
    return {
        **_about(rules, objective, standing),
        "exactness": {"kind": "bounded", "error": number * error_bound(graph)},
        "value": float(best[-1]),
        "within": best.tolist(),
        "graph": _graph(graph),
    }


def _win(
    rules: Game,
    graph: TurnGraph,
    standing: Any,
    told: Mapping[str, Any],
    seats: int | None,
    workers: int,
    max_memory: int | None,
    *,
    proof: bool,
) -> dict[str, Any]:
    from solver.match.goal import solve_goal_race  # noqa: PLC0415
    from solver.match.goal.solve import two_seats  # noqa: PLC0415

    two_seats(2 if seats is None else seats)
    read: Any = rules.read_opponent  # type: ignore[attr-defined]
    opponent = told.get("opponent")
    other = graph_start(graph) if opponent is None else read(opponent)
    with Bar(f"solving {rules.name}") as bar:
        race = solve_goal_race(
            rules,
            graph=graph,
            workers=workers,
            max_memory=max_memory,
            proof=proof,
            progress=bar,
        )
    chance = race.win(tuple(standing), tuple(other))
    return {
        **_about(rules, "win", standing),
        "opponent": list(other),
        "seats": 2,
        "exactness": {"kind": "bounded", "error": race.exactness.error},
        "error": race.exactness.error,
        "win_probability": [chance, 1.0 - chance],
        "average": 0.5,
        "turns_at_most": race.turns_at_most,
        "standings": len(race.standings),
        "pairs": race.chance.size,
        "components": list(race.standings.components),
        "policies": race.iterations,
        "sweeps": race.sweeps,
        "graph": _graph(graph),
    }


def graph_start(graph: TurnGraph) -> Any:
    """Return the standing at the start of a match."""
    return next(iter(graph.roots))


def _kills(rules: Game, told: Mapping[str, Any]) -> dict[str, Any]:
    from solver.match.goal.kills import endless  # noqa: PLC0415
    from solver.turn.compile import compile_turn  # noqa: PLC0415

    fights: Any = rules.fights(1)  # type: ignore[attr-defined]
    asked = {"lives": 3, "bullets": 3} | {k: v for k, v in told.items() if v is not None}
    tokens = fights.read_beginning(**asked)
    standings, values = endless(compile_turn(fights), fights.standing_after)
    value = values[standings.number(tokens)]
    return {
        "game": rules.name,
        "rules": rules_of(fights),
        "objective": "kills",
        "assumption": "fights without end, until the player dies",
        "standing": list(tokens),
        "exactness": {"kind": "exact", "error": 0.0},
        "value": float(value),
        "exact": str(value),
        "by_tokens": [
            {"lives": lives, "bullets": bullets, "value": float(v), "exact": str(v)}
            for (lives, bullets), v in sorted(zip(standings.names, values, strict=True))
        ],
    }


def _graph(graph: TurnGraph) -> dict[str, Any]:
    return {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "outcomes": len(graph.outcomes),
        "digest": graph.digest,
    }


def _print(found: Mapping[str, Any]) -> None:
    what = {
        "turns": "the fewest expected turns to the goal, alone",
        "win": "two seats, both playing their best",
        "kills": "the most expected kills",
    }.get(found["objective"], "the greatest chance to reach the goal in time, alone")
    click.echo(f"{found['game']}: {what}")
    click.echo(f"  from         {', '.join(map(str, found['standing']))}")
    if found["objective"] == "win":
        click.echo(f"  opponent     {', '.join(map(str, found['opponent']))}")
        for seat, chance in enumerate(found["win_probability"], 1):
            click.echo(f"  seat {seat} wins  {chance:.15f}{' (on turn)' if seat == 1 else ''}")
    else:
        click.echo(f"  value        {found['value']!r}")
    error = found["exactness"]["error"]
    if found["exactness"]["kind"] == "exact":
        click.echo(f"  exactly      {found['exact']}")
    else:
        proof = "none asked for" if error is None else f"at most {error:.1e}"
        click.echo(f"  error        {proof}")
    if found.get("turns_at_most"):
        click.echo(f"  turns        at most {found['turns_at_most']:.3f} a seat, on average")
    if "within" in found:
        _print_within(found["within"])
    if "pairs" in found:
        click.echo(
            f"  solved       {found['pairs']:,} pairs of standings, {found['policies']} policies,"
            f" {found['sweeps']} sweeps"
        )
    for row in found.get("by_tokens", ()):
        click.echo(f"    {row['lives']} lives, {row['bullets']} bullets: {row['exact']}")
    if found["assumption"]:
        click.echo(f"  assumption   {found['assumption']}")
    click.echo(click.style(f"rules: {rules_line(found['rules'])}", dim=True))


def _print_within(chances: list[float]) -> None:
    step = max(1, (len(chances) - 1) // 12)
    shown = sorted({*range(step, len(chances), step), len(chances) - 1} - {0})
    rows = [[f"within {n}", f"{chances[n]:.6f}", "#" * round(40 * chances[n])] for n in shown]
    for line in columns(rows, right=(0, 1)):
        click.echo(f"    {line}")
