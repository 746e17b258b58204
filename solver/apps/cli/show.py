"""How results look on a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
import msgspec

from solver.advisor.advice import Advice
from solver.advisor.explain import percent, phrase
from solver.match.result import MatchSolution, SolvedRace
from solver.turn.result import TurnSolution


def print_json(value: Any) -> None:
    """Print plain values as JSON."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Return rows as lines with aligned columns, those in `right` flush right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def rules_line(rules: Mapping[str, int | str]) -> str:
    """Return the rules in one line."""
    return ", ".join(f"{name}={value}" for name, value in rules.items())


def print_advice(advice: Advice) -> None:
    """Print an advice for reading at the table."""
    place = "; ".join(f"{k} {_plain(v) or 'nothing'}" for k, v in advice.position.items())
    click.echo(f"{advice.game}, for {_goal(advice.objective)}: {place}")
    if advice.note:
        click.echo(f"note: {advice.note}")
    click.echo()
    win = advice.unit in ("win_probability", "probability")
    rows = [["", "to win" if advice.objective == "win" else "worth", "loss", "bust", ""]]
    for option in advice.options:
        value = f"{100 * option.value:.3f} %" if win else f"{option.value:.4f}"
        loss = f"{100 * option.loss:.3f} %" if win else f"{option.loss:.4f}"
        mark = ("best" if option is advice.best else "as good") if option.best else ""
        if option.mix is not None:
            mark += f", taken with chance {option.mix:.4f}"
        rows.append([phrase(option), value, loss, percent(option.bust), mark])
    if not advice.bust_means:  # a turn that cannot fail
        rows = [[*row[:3], "", row[4]] for row in rows]
    for i, line in enumerate(columns(rows, right=(1, 2, 3))):
        click.echo(click.style(f"  {line}", bold=i == 1, dim=i == 0))
    click.echo(f"\n{advice.why}\n")
    if advice.best.win_probability is not None and len(advice.best.win_probability) > 2:
        seats = ", ".join(percent(chance) for chance in advice.best.win_probability)
        click.echo(f"each seat's chance to win after it: {seats}\n")
    source = f"table {advice.table}" if advice.table else "solved on the spot"
    exact = advice.exactness
    certain = {
        "exact": "exact",
        "bounded": f"error at most {exact.error or 0:.1e}",
        "equilibrium": "equilibrium under the tie rule: "
        + ("not proven" if exact.error is None else f"no deviation gains {exact.error:.1e}"),
    }[exact.kind]
    if advice.assumption:
        click.echo(click.style(f"assumption: {advice.assumption}", dim=True))
    click.echo(click.style(f"{certain}; {source}", dim=True))
    click.echo(click.style(f"rules: {rules_line(advice.rules)}", dim=True))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _goal(objective: str) -> str:
    return {"win": "the win", "points": "points"}.get(objective, objective)


def turn_as_dict(turn: TurnSolution, beginnings: Mapping[Any, TurnSolution]) -> dict[str, Any]:
    """Return a solved turn as the JSON of ``solve``, with all ways in which it can begin."""
    fractions = turn.exact_distribution
    found = {
        "game": turn.game,
        "rules": dict(turn.rules),
        "objective": turn.objective,
        "unit": turn.unit,
        "exactness": {"kind": turn.exactness.kind, "error": turn.exactness.error},
        "value": turn.value,
        "exact": None if turn.exact is None else str(turn.exact),
        "distribution": {str(x): p for x, p in turn.distribution.items()},
        "exact_distribution": None
        if fractions is None
        else {str(x): str(p) for x, p in fractions.items()},
        "mean": turn.mean,
        "variance": turn.variance,
        "bust": turn.bust,
        "graph": _graph(turn),
    }
    if len(beginnings) > 1:
        found["beginnings"] = {
            str(name): {
                "value": other.value,
                "exact": None if other.exact is None else str(other.exact),
                "distribution": {str(x): p for x, p in other.distribution.items()},
                "mean": other.mean,
                "variance": other.variance,
                "bust": other.bust,
            }
            for name, other in beginnings.items()
        }
    return found


def _graph(solution: TurnSolution | MatchSolution) -> dict[str, Any]:
    graph = solution.graph
    return {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "outcomes": len(graph.outcomes),
        "digest": graph.digest,
    }


def print_turn(turn: TurnSolution, beginnings: Mapping[Any, TurnSolution]) -> None:
    """Print a solved turn, and its value from every way in which it can begin."""
    click.echo(f"{turn.game}: one turn for {_goal(turn.objective)}")
    click.echo(f"  value     {turn.value!r}")
    if turn.exact is not None:
        click.echo(f"  exactly   {turn.exact}")
    else:
        click.echo(f"  error     at most {turn.exactness.error:.1e}")
    click.echo(f"  points    mean {turn.mean:.6f}, variance {turn.variance:.6f}")
    click.echo(f"  bust      {percent(turn.bust)} ({turn.bust!r})")
    if len(beginnings) > 1:
        click.echo("  by the beginning:")
        for line in columns(
            [
                [str(name), f"{t.value:.6f}", f"bust {percent(t.bust)}", str(t.exact or "")]
                for name, t in beginnings.items()
            ],
            right=(1,),
        ):
            click.echo(f"    {line}")
    click.echo("  outcomes under best play:")
    top = max(turn.distribution.values())
    rows = [
        [str(x), f"{p:.6f}", "#" * max(1, round(40 * p / top))]
        for x, p in turn.distribution.items()
    ]
    for line in columns(rows, right=(0, 1)):
        click.echo(f"    {line}")
    click.echo(click.style(f"rules: {rules_line(turn.rules)}", dim=True))


def match_as_dict(match: MatchSolution) -> dict[str, Any]:
    """Return a solved match as the JSON of ``solve``."""
    return {
        "game": match.game,
        "rules": dict(match.rules),
        "objective": "win",
        "seats": match.seats,
        "exactness": {"kind": match.exactness.kind, "error": match.exactness.error},
        "win_probability": list(match.win_probability),
        "average": sum(match.win_probability) / match.seats,
        "error": match.error,
        "mixes": [
            {
                "scores": list(scores),
                "seat": seat + 1,
                "share": mix.share,
                "breakpoint": mix.breakpoint,
            }
            for (scores, seat), mix in sorted(match.mixes.items())
        ],
        "expected_rounds": match.expected_rounds,
        "tie_probability": match.tie_probability,
        "cells": match.cells,
        "turns_solved": match.turns,
        "graph": _graph(match),
    }


def print_match(match: MatchSolution) -> None:
    """Print a solved match."""
    click.echo(f"{match.game}: the match of {match.seats} seats, all playing their best")
    for seat, chance in enumerate(match.win_probability, 1):
        click.echo(f"  seat {seat} wins  {chance:.15f}")
    click.echo(f"  on average   {sum(match.win_probability) / match.seats:.6f}, seats drawn by lot")
    click.echo(f"  {_proven(match)}")
    click.echo(f"  rounds       {match.expected_rounds:.6f} on average")
    click.echo(f"  tie          {percent(match.tie_probability)} ({match.tie_probability:.9f})")
    what = "cells" if isinstance(match, SolvedRace) else "boundary states"
    click.echo(f"  solved       {match.cells} {what}, {match.turns} turns")
    for (scores, seat), mix in sorted(match.mixes.items()):
        click.echo(f"  mixed        at the scores {scores} seat {seat + 1}: share {mix.share:.6f}")
    click.echo(click.style(f"rules: {rules_line(match.rules)}", dim=True))


def _proven(match: MatchSolution) -> str:
    if match.error is None:
        return "proof        none asked for"
    if match.seats == 2:
        return f"error        at most {match.error:.1e}"
    return f"equilibrium  no seat gains more than {match.error:.1e} by deviating"


def print_beat(found: Mapping[str, Any]) -> None:
    """Print the chance to beat a total alone."""
    above = found["objective"].partition(":")[2]
    points = found["playing_for_points"]
    click.echo(f"{found['game']}: alone, more than {above} points in all")
    click.echo(f"  best play    {found['value']!r}")
    click.echo(f"  for points   {points['value']!r}, {points['mean']:.6f} points on average")
    click.echo("  exact")
    click.echo(click.style(f"rules: {rules_line(found['rules'])}", dim=True))
