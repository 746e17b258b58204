"""``should-i-roll evaluate GAME``: one turn of a policy, measured exactly."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import Bar, game_argument, json_option, read_settings, set_option
from solver.apps.cli.show import columns, print_json, rules_line
from solver.errors import NotationError, ProofError, TooLargeError, UsageError, unknown
from solver.games.notation import whole_number
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.games.protocol import Game
    from solver.policies.arena.goal.alone import AloneRun
    from solver.policies.evaluate import PolicyTurn
    from solver.policies.policy import Policy
    from solver.policies.words.standing import Standing
    from solver.turn.graph import TurnGraph

MOST_BEGINNINGS = 12
"""So many are shown without being asked for."""
POLICY_HELP = "A name, a rule text, or my_policy.py:choose."


@click.command(short_help="Measure one turn of a policy: what it brings and what it loses.")
@game_argument()
@click.option("--policy", required=True, metavar="POLICY", help=POLICY_HELP)
@click.option("--beginning", metavar="NAME", help="Where the turn begins, if there are several.")
@click.option("--scores", metavar="LIST", help="Every seat's score, for what depends on it.")
@click.option("--seat", type=int, default=1, metavar="N", help="The seat on turn, from 1.")
@set_option()
@json_option()
def evaluate(
    game: str,
    policy: str,
    beginning: str | None,
    scores: str | None,
    seat: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure one turn of a policy: points, bust chance and what it loses, exactly.

    \b
    Examples:
      should-i-roll evaluate martian-dice --policy points
      should-i-roll evaluate martian-dice --policy "take death-rays while tanks > rays;
        take the largest group; stop at 6 points or with no tank covered by 1"
      should-i-roll evaluate martian-dice --policy my_policy.py:choose
      should-i-roll evaluate martian-dice --policy optimal --scores 20,24 --seat 1
      should-i-roll evaluate martians --policy "stop while lives = 1; spend" --set income=steady

    Policies by name are listed by `should-i-roll evaluate GAME --policy ?`.
    """
    from solver.policies import policy_names, read_policy  # noqa: PLC0415  --help needs no numbers
    from solver.policies.evaluate import evaluate_turn  # noqa: PLC0415
    from solver.turn.cache import cached_turn  # noqa: PLC0415

    rules = game_by_name(game, **read_settings(settings))
    if policy == "?":
        for line in columns([[name, about] for name, about in policy_names(rules).items()]):
            click.echo(line)
        return
    graph = cached_turn(rules)
    player = read_policy(rules, policy)
    with Bar(f"evaluating {game}") as bar:
        player, standing = _at(rules, player, scores, seat, bar)
        turns: list[PolicyTurn] = []
        wanted = _beginnings(list(graph.roots), beginning)
        for name in wanted:
            turns.append(
                evaluate_turn(rules, player, standing=standing, beginning=name, graph=graph)
            )
            bar(len(turns), len(wanted))
        alone: AloneRun | str | None = None
        if hasattr(rules, "goal_race") and scores is None:
            alone = _alone(rules, player, wanted[0], graph)
    if not as_json:
        _print(turns, alone)
        return
    found = _as_dict(turns)
    if isinstance(alone, str):
        found |= {"alone": None, "note": alone}
    elif alone is not None:
        found["alone"] = alone.as_dict()
    print_json(found)


def _alone(rules: Game, player: Policy, beginning: Hashable, graph: TurnGraph) -> AloneRun | str:
    """Return the run of a policy to the goal, or why there is none."""
    from solver.policies.arena.goal.alone import evaluate_alone  # noqa: PLC0415

    try:
        return evaluate_alone(rules, player, beginning=beginning, graph=graph)
    except (UsageError, TooLargeError, ProofError) as error:  # its turn alone is known
        return f"alone to the goal it is not told: {error.what}"


def _beginnings(known: list[Hashable], wanted: str | None) -> list[Hashable]:
    """Return the beginnings to show: the one that is named, all if they are few, or the first.

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    """
    if wanted is None:
        return known if len(known) <= MOST_BEGINNINGS else known[:1]
    names = {"".join(str(name).split()): name for name in known}
    spelled = "".join(wanted.split())
    for text in (spelled, f"({spelled})"):
        if text in names:
            return [names[text]]
    raise unknown("beginning", wanted, list(names)[:MOST_BEGINNINGS], field="beginning")


def _at(
    rules: Game, player: Policy, scores: str | None, seat: int, bar: Bar
) -> tuple[Policy, Standing]:
    """Return the policy and the standing of the turn."""
    from solver.match.check_scores import checked_scores  # noqa: PLC0415
    from solver.policies.arena.matches import Arena  # noqa: PLC0415  as above
    from solver.policies.arena.seating import RacePlays, optimal_turn, standing_at  # noqa: PLC0415
    from solver.policies.words.standing import ALONE  # noqa: PLC0415

    if scores is None:
        return player, ALONE
    told = read_scores(scores)
    plays = Arena(rules, progress=bar).plays(len(told))
    if not isinstance(plays, RacePlays):
        raise UsageError(
            f"{rules.name}: scores are told for races to a target",
            remedy="leave --scores out, or compare policies with should-i-roll match",
            field="scores",
        )
    most = int(plays.graph.points.max())
    at = checked_scores(plays.race, len(told), most, told, seat)[0]
    if player.name == "optimal":
        player = optimal_turn(plays, at, seat - 1)
    return player, standing_at(plays.race, at, seat - 1)


def read_scores(text: str) -> tuple[int, ...]:
    """Return the scores of a list.

    Raises
    ------
    NotationError
        If one is no whole number, or there are fewer than two.
    """
    found: list[int] = []
    at = 0
    for part in text.split(","):
        score = whole_number(part)
        if score is None:
            raise NotationError(
                "--scores takes whole numbers",
                text=text,
                at=at,
                remedy="--scores 12,20: every seat's score in playing order",
                field="scores",
            )
        found.append(score)
        at += len(part) + 1
    if len(found) < 2:
        raise NotationError(
            "--scores lists every seat", text=text, at=0, remedy="--scores 12,20", field="scores"
        )
    return tuple(found)


def _as_dict(turns: Sequence[PolicyTurn]) -> dict[str, Any]:
    def one(turn: PolicyTurn) -> dict[str, Any]:
        return {
            "value": float(turn.mean),
            "exact": str(turn.mean),
            "distribution": {str(p): float(chance) for p, chance in turn.points.items()},
            "exact_distribution": {str(p): str(chance) for p, chance in turn.points.items()},
            "mean": float(turn.mean),
            "variance": float(turn.variance),
            "bust": float(turn.bust),
            "best": float(turn.best),
            "loss": float(turn.loss),
        }

    first = turns[0]
    found: dict[str, Any] = {
        "game": first.game,
        "rules": dict(first.rules),
        "policy": first.policy,
        "beginning": None if first.beginning is None else str(first.beginning),
        "objective": "points",
        "exactness": {"kind": "exact", "error": 0.0},
        **one(first),
    }
    if len(turns) > 1:
        found["beginnings"] = {str(turn.beginning): one(turn) for turn in turns}
    return found


def _print(turns: Sequence[PolicyTurn], alone: AloneRun | str | None) -> None:
    from solver.advisor.explain import percent  # noqa: PLC0415  --help needs none of it

    turn = turns[0]
    begins = "" if turn.beginning is None or len(turns) > 1 else f", from {turn.beginning}"
    click.echo(f"{turn.game}: one turn of the policy {turn.policy}{begins}")
    click.echo(f"  points    mean {float(turn.mean):.9f}, variance {float(turn.variance):.6f}")
    click.echo(f"  loses     {float(turn.loss):.9f} points a turn to the best play")
    click.echo(f"  bust      {percent(float(turn.bust))} ({float(turn.bust)!r})")
    if len(turns) > 1:
        click.echo("  by the beginning of the turn:")
        rows = [
            [
                str(other.beginning),
                f"{float(other.mean):.6f}",
                f"loses {float(other.loss):.6f}",
                f"bust {percent(float(other.bust))}",
            ]
            for other in turns
        ]
        for line in columns(rows, right=(1,)):
            click.echo(f"    {line}")
    click.echo("  points of a turn:")
    for line in columns(_bars(turn.points), right=(0, 1)):
        click.echo(f"    {line}")
    click.echo("  exact")
    if isinstance(alone, str):
        click.echo(f"  {alone}")
    elif alone is not None:
        _print_alone(alone)
    click.echo(click.style(f"rules: {rules_line(turn.rules)}", dim=True))


def _print_alone(alone: AloneRun) -> None:
    """Print how many turns a policy takes to the goal."""
    click.echo(f"  alone to the goal, from {alone.standing}")
    if alone.reaches < 1.0:
        click.echo(f"    reaches it  with chance {alone.reaches:.9g}; else it stops for ever")
    if alone.reaches > 0.0:
        some = "" if alone.reaches == 1.0 else ", where it does"
        click.echo(f"    turns       mean {alone.mean:.9f}, variance {alone.variance:.6f}{some}")
    lost = f", {alone.lost:.9f} less" if alone.reaches == 1.0 else ""
    click.echo(f"    best play   {alone.best:.9f}{lost}")
    click.echo(f"    error       at most {alone.error:.1e}")


def _bars(points: Mapping[int, Any]) -> list[list[str]]:
    top = float(max(points.values()))
    return [
        [str(p), f"{float(chance):.6f}", "#" * max(1, round(40 * float(chance) / top))]
        for p, chance in points.items()
    ]
