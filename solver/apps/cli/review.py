"""``should-i-roll review FILE``: what each decision cost, and what the dice brought."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.files import read_text
from solver.apps.cli.options import Bar, json_option, tables_option

if TYPE_CHECKING:
    from solver.advisor.review import Account, Judged, Review


@click.command()
@click.argument("file")
@click.option("--all", "every", is_flag=True, help="Show every roll and decision, not the worst.")
@tables_option("Directory of tables; else those within reach.")
@json_option()
def review(file: str, every: bool, directory: str | None, as_json: bool) -> None:
    """Review the record of a game in FILE (- for standard input).

    What every decision cost, the worst ones marked, and how the result came about: value at
    the start, plus luck, less the skill lost. The form of a record is described in
    docs/reference/game-record.md; `should-i-roll play` writes one.

    \b
    Example:
      should-i-roll review game.txt
      should-i-roll review game.txt --all
    """
    from solver.advisor.review import review_record  # noqa: PLC0415  --help needs no numbers
    from solver.tablebase import open_tables  # noqa: PLC0415

    text = read_text(file)
    with open_tables(directory) as tables, Bar("solving the match") as bar:
        found = review_record(text, tables, progress=bar)
    if as_json:
        from solver.apps.cli.show import print_json  # noqa: PLC0415

        print_json(found.as_dict())
    else:
        print_review(found, every=every)


_GOALS = {"turns": "turns to the goal", "survive": "survival"}
_TITLES = {"points": "in points", "turns": "turns to the goal", "survive": "chance to survive, %"}
_CHANCES = ("survive",)
"""Units that are chances, and shown in percent."""


def print_review(found: Review, *, every: bool = False) -> None:
    """Print a review for reading.

    Parameters
    ----------
    found
        The review.
    every
        Show every roll and decision; else the worst decisions.
    """
    from solver.apps.cli.show import columns, rules_line  # noqa: PLC0415  numbers, as above

    win = found.win is not None
    goal = (
        f"{_GOALS.get(found.unit, found.unit)} and the win"
        if win
        else _GOALS.get(found.unit, found.unit)
    )
    click.echo(f"{found.game}, reviewed for {goal}: {_scores(found)}")
    if found.note:
        click.echo(f"note: {found.note}")
    click.echo()
    if every:
        for line in _steps(found):
            click.echo(line)
    else:
        click.echo("The worst decisions:" if found.worst else "No decision cost anything.")
        for step in found.worst:
            click.echo(f"  {_where(step, found)}: {_decision(step, found)}")
        click.echo()
    titled = _TITLES.get(found.unit, f"in {found.unit}")
    for title, accounts, percent in (
        (titled, found.points, found.unit in _CHANCES),
        ("chance to win, %", found.win, True),
    ):
        if accounts is None:
            continue
        fewer = accounts is found.points and found.unit == "turns"
        head = [
            title,
            "start",
            *(("- luck", "+ skill lost") if fewer else ("+ luck", "- skill lost")),
        ]
        others = accounts is found.win and len(found.seats) > 1
        head += ["+ from others", "= result"] if others else ["= result"]
        rows = [head]
        rows += [
            _row(name, account, percent=percent, others=others)
            for name, account in zip(found.seats, accounts, strict=True)
        ]
        for i, line in enumerate(columns(rows, right=range(1, len(head)))):
            click.echo(click.style(line, dim=i == 0))
        click.echo()
    click.echo(click.style(f"rules: {rules_line(found.rules)}", dim=True))


def _scores(found: Review) -> str:
    scores = ", ".join(f"{n} {s}" for n, s in zip(found.seats, found.scores, strict=True))
    if not found.over:
        return f"{scores}; not over"
    names = [found.seats[seat - 1] for seat in found.winners]
    return f"{scores}; {' and '.join(names)} {'wins' if len(names) == 1 else 'share the win'}"


def _row(name: str, account: Account, *, percent: bool, others: bool) -> list[str]:
    unit = 100.0 if percent else 1.0
    numbers = [account.start, account.luck, account.lost]
    numbers += [account.gained, account.result] if others else [account.result]
    shown = [f"{unit * number:.2f}" for number in numbers]
    shown[1] = f"{unit * account.luck:+.2f}"
    if others:
        shown[3] = f"{unit * account.gained:+.2f}"
    return [f"  {name}", *shown]


def _where(step: Judged, found: Review) -> str:
    place = "; ".join(f"{k} {v or 'nothing'}" for k, v in step.told.items())
    return f"line {step.line}, round {step.round}, {found.seats[step.seat - 1]} ({place})"


def _decision(step: Judged, found: Review) -> str:
    best = " or ".join(step.best)
    cost = _measured(step.points, found)
    if found.win is not None and step.win is not None:
        cost = f"{100 * step.win:.2f} % of the win, {cost}"
    return f"{step.text}; better {best}: {cost}"


def _measured(amount: float, found: Review) -> str:
    """Return an amount with its unit."""
    if found.unit in _CHANCES:
        return f"{100 * amount:.2f} % of the chance to {found.unit}"
    return f"{amount:.2f} {found.unit}"


def _steps(found: Review) -> list[str]:
    lines: list[str] = []
    turn = 0
    for step in found.steps:
        if step.turn != turn:
            turn = step.turn
            lines.append(f"{found.seats[step.seat - 1]}, round {step.round}:")
        lines.append(_step(step, found))
    return [*lines, ""]


def _step(step: Judged, found: Review) -> str:
    chance = step.win is not None or found.unit in _CHANCES
    change: Any = step.points if step.win is None else step.win
    change, unit = (100 * change, "%") if chance else (change, found.unit)
    if step.kind == "dice":
        return f"  {step.line:>4}  {step.text:<24} luck {change:+.2f} {unit}"
    mark = " <-- one of the worst" if step.worst else ""
    cost = f"lost {change:.2f} {unit}, better {' or '.join(step.best)}" if change else "best"
    if step.options and len(step.options) == 1:
        cost = "forced"
    return f"  {step.line:>4}    -> {step.text:<20} {cost}{mark}"
