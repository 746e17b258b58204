"""``should-i-roll solve GAME``: a turn or a match, from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from solver.apps.cli.options import (
    Bar,
    GameGroup,
    beginning_fields,
    field_option,
    json_option,
    read_settings,
    read_size,
    set_option,
    workers_option,
)
from solver.apps.cli.show import (
    match_as_dict,
    print_beat,
    print_json,
    print_match,
    print_turn,
    turn_as_dict,
)
from solver.apps.cli.solve_goals import is_goal_objective, solve_goals
from solver.apps.cli.solve_sheets import is_sheet_objective, solve_sheets
from solver.errors import NotationError, UsageError
from solver.games.notation import whole_number
from solver.games.protocol import Game, default_objective
from solver.games.readings import rules_of
from solver.games.registry import game as game_by_name
from solver.games.registry import game_class


def _command(game: str) -> click.Command:
    @json_option()
    @set_option()
    @click.option("--no-proof", is_flag=True, help="Leave out the proof of the result.")
    @click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, or local:N.")
    @click.option("--checkpoint", metavar="DIR", help="Keep finished layers; a killed run goes on.")
    @click.option("--max-memory", metavar="SIZE", help="Refuse what needs more: 500MiB, 4GiB.")
    @workers_option()
    @click.option("--seats", type=int, metavar="N", help="Number of seats, for the win.")
    @click.option("--exact", is_flag=True, help="Exact rationals instead of float64 with a bound.")
    @click.option("--objective", metavar="NAME", help=_objectives(game))
    def run(**options: Any) -> None:
        _solve(game, **options)

    for field in reversed(beginning_fields(game)):
        run = field_option(field)(run)
    kind = game_class(game)
    matched = any(hasattr(kind, name) for name in ("race", "rounds_match", "goal_race"))
    usual = ("--exact", "--objective win --seats 2") if matched else ("--exact",)
    examples = getattr(kind, "solve_examples", usual)
    lines = "\n".join(f"  should-i-roll solve {game} {example}" for example in examples)
    return click.command(
        name=game,
        help=f"Solve one turn of {game}, or its match for the win.\n\n\b\nExamples:\n{lines}",
        short_help=f"Solve one turn of {game}, or its match.",
    )(run)


def _objectives(game: str) -> str:
    kind = game_class(game)
    own = [*getattr(kind, "objectives", ()), *getattr(kind, "match_objectives", ())]
    if hasattr(kind, "rounds_match"):
        own.append("beat:N")
    default = getattr(kind, "default_objective", "points")
    return f"{', '.join([*own, 'points', 'at-least:N', 'capped:N', 'win'])}; by default {default}."


solve = GameGroup(
    _command,
    name="solve",
    help="Solve one turn of a game, or its match for the win.\n\n\b\nExamples:\n"
    "  should-i-roll solve martian-dice --objective points --exact\n"
    "  should-i-roll solve martian-dice --objective win --seats 2 --set end=round\n"
    "  should-i-roll solve martian-dice --objective win --seats 4 --checkpoint /tmp/four\n"
    "  should-i-roll solve alien-crew --objective beat:60\n"
    "  should-i-roll solve martians --objective survive:5 --lives 3 --bullets 3 --exact",
)


def _solve(
    game: str,
    *,
    objective: str | None,
    exact: bool,
    seats: int | None,
    workers: int,
    max_memory: str | None,
    checkpoint: str | None,
    cluster: str | None,
    no_proof: bool,
    settings: tuple[str, ...],
    as_json: bool,
    **told: Any,
) -> None:
    from solver.turn.cache import cached_turn  # noqa: PLC0415  --help needs no numbers

    rules = game_by_name(game, **read_settings(settings))
    objective = default_objective(rules) if objective is None else objective
    if hasattr(rules, "game_for"):
        rules, objective = rules.game_for(objective)
    if is_sheet_objective(rules, objective):
        solve_sheets(
            rules,
            objective,
            seats,
            exact=exact,
            workers=workers,
            max_memory=None if max_memory is None else read_size(max_memory),
            refused={"checkpoint": checkpoint, "cluster": cluster},
            as_json=as_json,
        )
        return
    if is_goal_objective(rules, objective):
        _refuse(exact and objective != "kills", checkpoint, cluster)
        solve_goals(
            rules,
            objective,
            seats,
            told,
            workers=workers,
            max_memory=None if max_memory is None else read_size(max_memory),
            proof=not no_proof,
            as_json=as_json,
        )
        return
    if objective.startswith("beat:"):
        _solve_beat(rules, objective, seats, as_json=as_json)
        return
    if objective != "win":
        if seats is not None:
            raise UsageError(
                f"--seats is for the win; the objective is {objective}",
                remedy="--objective win, or leave --seats out",
                field="seats",
            )
        from solver.turn import solve_turn  # noqa: PLC0415  --help needs no numbers

        graph = cached_turn(rules)
        asked = _beginning(rules, graph.roots, told)
        turns = {
            name: solve_turn(rules, objective, exact=exact, graph=graph, beginning=name)
            for name in (graph.roots if asked is None else [asked])
        }
        turn = next(iter(turns.values()))
        if as_json:
            print_json(turn_as_dict(turn, turns))
        else:
            print_turn(turn, turns)
        return
    if exact:
        raise UsageError(
            "a match is not solved in exact rationals: they grow to tens of thousands of digits",
            remedy="leave --exact out: the chances carry a proven bound",
            field="exact",
        )
    from solver.match import solve_match  # noqa: PLC0415  --help needs no numbers

    with Bar(f"solving {game}") as bar:
        match = solve_match(
            rules,
            2 if seats is None else seats,
            graph=cached_turn(rules),
            workers=workers,
            max_memory=None if max_memory is None else read_size(max_memory),
            checkpoint=checkpoint,
            cluster=cluster,
            proof=not no_proof,
            progress=bar,
        )
    if as_json:
        print_json(match_as_dict(match))
    else:
        print_match(match)


def _beginning(rules: Game, roots: Mapping[Any, int], told: Mapping[str, Any]) -> Any:
    """Return the beginning that was asked for, None if none was."""
    given = {name: value for name, value in told.items() if value is not None}
    if not given:
        return None
    if hasattr(rules, "goal_race") and "opponent" in given:
        raise UsageError(
            "--opponent is for the win", remedy="--objective win, or leave it out", field="opponent"
        )
    read: Any = rules.read_beginning  # type: ignore[attr-defined]
    beginning = read(**given)
    assert beginning in roots
    return beginning


def _refuse(exact: bool, checkpoint: str | None, cluster: str | None) -> None:
    if exact:
        raise UsageError(
            "a race to a goal is not solved in exact rationals: the equations are circular",
            remedy="leave --exact out: the values carry a proven bound",
            field="exact",
        )
    for option, given in (("checkpoint", checkpoint), ("cluster", cluster)):
        if given is not None:
            raise UsageError(
                f"--{option} is for score races: a race to a goal takes seconds",
                remedy=f"leave --{option} out",
                field=option,
            )


def _solve_beat(rules: Game, objective: str, seats: int | None, *, as_json: bool) -> None:
    from solver.match.solo import solve_beat, total_distribution  # noqa: PLC0415  as above
    from solver.turn.cache import cached_turn  # noqa: PLC0415

    above = whole_number(objective.partition(":")[2])
    if above is None or above > 10_000:
        raise NotationError(
            "beat takes a total from 0 to 10000",
            text=objective,
            at=len("beat:"),
            remedy="beat:60",
            field="objective",
        )
    if seats not in (None, 1):
        raise UsageError("a total is beaten alone", remedy="leave --seats out", field="seats")
    graph = cached_turn(rules)
    best = solve_beat(rules, graph, above).ahead[0][0][0]
    totals = total_distribution(rules, graph)
    found = {
        "game": rules.name,
        "rules": rules_of(rules),
        "objective": objective,
        "exactness": {"kind": "exact", "error": 0.0},
        "value": float(best),
        "exact": str(best),
        "playing_for_points": {
            "value": float(sum(p for total, p in totals.items() if total > above)),
            "mean": float(sum(total * p for total, p in totals.items())),
            "distribution": {str(total): float(p) for total, p in totals.items()},
        },
    }
    if as_json:
        print_json(found)
    else:
        print_beat(found)
