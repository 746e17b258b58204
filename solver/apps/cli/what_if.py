"""``should-i-roll what-if GAME``: what changes if one number of the rules does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import (
    Bar,
    GameGroup,
    json_option,
    position_fields,
    read_settings,
    set_option,
)
from solver.errors import NotationError, UsageError
from solver.games.readings import parameters_of
from solver.games.registry import game as game_by_name
from solver.games.registry import game_class

if TYPE_CHECKING:
    from solver.games.position import Position
    from solver.turn.flips import Flip
    from solver.turn.parametric import ParametricTurn
    from solver.turn.point_values import PointValues

_FEWEST, _MOST = 2, 60


@dataclass(frozen=True, slots=True)
class Range:
    """A parameter and the values that are looked at: ``bonus=0..6``."""

    name: str
    low: Fraction
    high: Fraction

    def cuts(self, steps: int | None) -> list[Fraction]:
        """Return the values: whole numbers if both ends are, else so many equal steps."""
        width = self.high - self.low
        whole = self.low.denominator == self.high.denominator == 1
        if steps is None:
            steps = int(width) if whole and _FEWEST <= width <= _MOST else 12
        return [self.low + width * Fraction(i, steps) for i in range(steps + 1)]


def read_range(text: str) -> Range:
    """Return the range that ``--vary`` names.

    Raises
    ------
    NotationError
        With a caret at what cannot be read.
    """
    name, equals, rest = text.partition("=")
    low, dots, high = rest.partition("..")
    remedy = "--vary bonus=0..6, or the chance of a face: --vary faces.T=1/12..1/3"
    if not equals or not dots or not name.strip():
        at = len(text) if equals else len(name)
        raise NotationError(
            "--vary takes NAME=FROM..TO", text=text, at=at, remedy=remedy, field="vary"
        )
    ends = []
    for part, at in ((low, len(name) + 1), (high, len(name) + 1 + len(low) + 2)):
        try:
            ends.append(Fraction(part.strip() if len(part) <= 40 else ""))
        except (ValueError, ZeroDivisionError):
            raise NotationError(
                "this is no number", text=text, at=at, remedy=remedy, field="vary"
            ) from None
    if ends[0] >= ends[1]:
        raise NotationError("the range is empty", text=text, at=len(name) + 1, field="vary")
    return Range(name.strip(), ends[0], ends[1])


def example_of(kind: type) -> str | None:
    """Return what ``--vary`` can be told for a game; None if it has no number to vary.

    Parameters
    ----------
    kind
        A game's class: its ``vary_example``, else a range around its first number.
    """
    told: str | None = getattr(kind, "vary_example", None)
    if told is not None:
        return told
    for name, declared in parameters_of(kind).items():
        if type(declared.default) is int:
            least, most = declared.metadata.get("at_least"), declared.metadata.get("at_most")
            low = declared.default - 2 if least is None else max(least, declared.default - 2)
            high = declared.default + 2 if most is None else min(most, declared.default + 2)
            return f"{name}={low}..{high}"
    return None


def _command(game: str) -> click.Command:
    fields = position_fields(game)
    example = example_of(game_class(game))

    @json_option()
    @set_option()
    @click.option(
        "--steps", type=click.IntRange(1, 200), metavar="N", help="Cut the range into N parts."
    )
    @click.option(
        "--vary",
        required=True,
        metavar="NAME=A..B",
        help="The parameter, or a face of the die for its chance, and its range.",
    )
    def run(
        vary: str, steps: int | None, settings: tuple[str, ...], as_json: bool, **told: Any
    ) -> None:
        rules = game_by_name(game, **read_settings(settings))
        wanted = read_range(vary)
        given = {name: text for name, text in told.items() if text is not None}
        with Bar("solving turns") as bar:
            found = _answer(rules, wanted, steps, given, bar)
        if as_json:
            from solver.apps.cli.show import print_json  # noqa: PLC0415  numbers

            print_json(found)
        else:
            _print(found)

    for field in reversed(fields):
        run = click.option(f"--{field.name}", metavar=f'"{field.example}"', help=field.help)(run)
    return click.command(
        name=game,
        help=f"What a turn of {game} is worth if a number of its rules changes.\n\n"
        "With a position: the exact value at which its decision flips."
        + (f"\n\n\b\nExample:\n  should-i-roll what-if {game} --vary {example}" if example else ""),
        short_help=f"What changes in {game}.",
    )(run)


what_if = GameGroup(
    _command,
    name="what-if",
    short_help="What changes if one number of the rules does.",
    help="What changes if one number of the rules does: the value of a turn as an exact"
    " polynomial, and where decisions flip.\n\n\b\nExamples:\n"
    "  should-i-roll what-if martian-dice --vary bonus=0..6\n"
    '  should-i-roll what-if martian-dice --vary bonus=0..6 --aside "T3 R3 H4 K1"\n'
    "  should-i-roll what-if martian-dice --vary faces.T=1/12..1/3\n"
    "  should-i-roll what-if alien-crew --vary throws=1..4",
)


def _answer(
    rules: Any, wanted: Range, steps: int | None, told: Mapping[str, Any], bar: Bar
) -> dict[str, Any]:
    from solver.games.readings import rules_of  # noqa: PLC0415
    from solver.turn.parametric import (  # noqa: PLC0415  --help needs no numbers
        OtherTurnError,
        parametric_turn,
    )

    found: dict[str, Any] = {
        "game": rules.name,
        "rules": rules_of(rules),
        "objective": "points",
        "vary": wanted.name,
        "from": str(wanted.low),
        "to": str(wanted.high),
    }
    try:
        turn = parametric_turn(rules, wanted.name)
    except OtherTurnError as error:
        if told:
            raise UsageError(
                f"{error.what}: no decision can be followed", remedy=error.remedy, field="vary"
            ) from None
        return found | {"kind": "rules", "values": _other_turns(rules, wanted, steps, bar)}
    turn.check(wanted.low)
    turn.check(wanted.high)
    return found | {"kind": turn.kind} | _open(turn, wanted, steps, told, bar)


def _other_turns(rules: Any, wanted: Range, steps: int | None, bar: Bar) -> list[dict[str, Any]]:
    """Return the turn's value for whole numbers, each solved on its own."""
    from solver.games.readings import make, rules_of  # noqa: PLC0415
    from solver.turn import solve_turn  # noqa: PLC0415

    whole = wanted.low.denominator * wanted.high.denominator == 1
    if steps is None and wanted.high - wanted.low <= _MOST:
        steps = int(wanted.high - wanted.low)
    cuts = wanted.cuts(steps) if whole and steps is not None else []
    if not cuts or any(x.denominator != 1 for x in cuts):
        raise UsageError(
            f"{wanted.name} takes whole numbers, at most {_MOST} apart unless --steps is told",
            remedy=f"--vary {wanted.name}=1..4, or --steps with which each value is whole",
            field="vary",
        )
    rows = []
    for i, x in enumerate(map(int, cuts)):
        changed = make(type(rules), {**rules_of(rules), wanted.name: x})
        best = solve_turn(changed, "points", exact=True)
        rows.append({"x": str(x), "value": best.value, "exact": str(best.exact), "bust": best.bust})
        bar(i + 1, len(cuts))
    return rows


def _open(
    turn: ParametricTurn, wanted: Range, steps: int | None, told: Mapping[str, Any], bar: Bar
) -> dict[str, Any]:
    from solver.games.position import read_position  # noqa: PLC0415
    from solver.turn.flips import flips  # noqa: PLC0415
    from solver.turn.point_values import evaluate_at, solve_at  # noqa: PLC0415
    from solver.turn.symbolic import optimal_range, symbolic_value  # noqa: PLC0415

    today = solve_at(turn, turn.nominal)
    position = read_position(turn.game, told) if told else None
    options = {} if position is None else _options(turn, position)
    cuts = wanted.cuts(steps)
    rows = []
    for i, x in enumerate(cuts):
        best, kept = solve_at(turn, x), evaluate_at(turn, x, today.chosen)
        row: dict[str, Any] = {
            "x": str(x),
            "value": float(best.value[turn.root]),
            "exact": str(best.value[turn.root]),
            "same_play": float(kept.value[turn.root]),
            "first_rolls_changed": _changed(turn, today, best),
        }
        if options:
            worth = {action: best.value[node] for action, node in options.items()}
            most = max(worth.values())
            row["best"] = [action for action, value in worth.items() if value == most]
            row["options"] = {action: float(value) for action, value in worth.items()}
        rows.append(row)
        bar(i + 1, len(cuts))
    polynomial = symbolic_value(turn, today.chosen)
    found: dict[str, Any] = {
        "nominal": str(turn.nominal),
        "values": rows,
        "same_play": {
            "degree": polynomial.degree,
            "coefficients": polynomial.coefficients(),
        },
    }
    if turn.kind == "payoff":
        found["optimal_range"] = [None if x is None else str(x) for x in optimal_range(turn, today)]
    if position is not None:
        found["position"] = dict(position.shown)
        steps_seen = max(12, len(cuts) - 1)
        seen = (
            flips(turn, options, wanted.low, wanted.high, steps=steps_seen, progress=bar)
            if len(options) > 1
            else []
        )
        found["flips"] = [_flip(flip) for flip in seen]
    return found


def _options(turn: ParametricTurn, position: Position) -> dict[str, int]:
    """Return the actions in the sheet's words, each with its node; empty if none is decided."""
    known = turn.actions.get(position.state)
    if known is None:
        return {}
    expansion: Any = turn.game.expand(position.state)
    node = {state: known[action] for action, state in expansion.options.items()}
    return {word: node[state] for word, state in position.options.items()}


def _changed(turn: ParametricTurn, today: PointValues, best: PointValues) -> float:
    """Return the chance of a first roll for which today's best choice is not best."""
    weight = turn.weights(best.x)
    whole = changed = 0
    for child, terms in turn.branches[turn.root]:
        w = weight(turn.dice[turn.root], terms)
        whole += w
        if turn.options[child] and best.value[today.chosen[child]] < best.value[child]:
            changed += w
    return changed / whole if whole else 0.0


def _flip(flip: Flip) -> dict[str, Any]:
    return {
        "at": flip.value,
        "exact": None if flip.exact is None else str(flip.exact),
        "low": str(flip.low),
        "high": str(flip.high),
        "below": flip.below,
        "above": flip.above,
        "degree": flip.difference.degree,
        "difference": flip.difference.coefficients(),
    }


def _print(found: Mapping[str, Any]) -> None:
    from solver.advisor.explain import percent  # noqa: PLC0415
    from solver.apps.cli.show import columns, rules_line  # noqa: PLC0415

    vary = found["vary"]
    what = f"the chance of {vary}" if found["kind"] == "face" else vary
    click.echo(f"{found['game']}: a turn for points, {what} from {found['from']} to {found['to']}")
    click.echo()
    rows = []
    if found["kind"] == "rules":
        rows.append([vary, "best play", "bust", "exactly"])
        for row in found["values"]:
            exact = row["exact"] if len(row["exact"]) < 40 else "(--json)"
            rows.append([row["x"], f"{row['value']:.6f}", percent(row["bust"]), exact])
    else:
        best = "position" in found
        head = [vary, "best play", "today's play", "first rolls decided otherwise"]
        rows.append([*head, "best here"] if best else head)
        for row in found["values"]:
            cells = [row["x"], f"{row['value']:.6f}", f"{row['same_play']:.6f}"]
            cells.append(percent(row["first_rolls_changed"]))
            rows.append([*cells, " = ".join(row["best"])] if best else cells)
    right = range(1, 3) if found["kind"] == "rules" else range(1, 4)
    for i, line in enumerate(columns(rows, right=right)):
        click.echo(click.style(f"  {line}", dim=i == 0))
    click.echo()
    if found["kind"] != "rules":
        _print_symbolic(found)
    click.echo(click.style(f"rules: {rules_line(found['rules'])}", dim=True))


def _print_symbolic(found: Mapping[str, Any]) -> None:
    vary = found["vary"]
    coefficients = found["same_play"]["coefficients"]
    if found["kind"] == "payoff":
        click.echo(f"The play that is best at {vary}={found['nominal']} is worth exactly a + b x:")
        for name, text in zip("ab", [*coefficients, "0"], strict=False):
            click.echo(f"  {name} = {text}  ({float(Fraction(text)):.9f})")
        low, high = found["optimal_range"]
        click.echo(
            f"It is best in every position from {vary}={low or 'the least'}"
            f" to {high or 'the most'}."
        )
    else:
        degree = found["same_play"]["degree"]
        click.echo(
            f"The play that is best at {found['nominal']} is worth a polynomial of degree"
            f" {degree} in the chance; its exact coefficients: --json."
        )
    if "position" not in found:
        click.echo()
        return
    place = "; ".join(f"{k} {v or 'nothing'}" for k, v in found["position"].items())
    click.echo(f"\nThe decision at {place}:")
    for flip in found["flips"]:
        exact = flip["exact"]
        at = f"{exact} = {flip['at']:.9f}" if exact else f"{flip['at']:.12f}"
        root = "" if exact else f", a root of a polynomial of degree {flip['degree']}"
        click.echo(f"  flips at {at}{root}: {flip['below']} below, {flip['above']} above")
    if not found["flips"]:
        click.echo("  does not flip in this range")
    click.echo()
