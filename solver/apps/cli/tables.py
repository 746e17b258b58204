"""``should-i-roll tables``: list, build and verify the tables that answers come from."""

from __future__ import annotations

from typing import Any

import click

from solver.apps.cli.options import Bar, json_option, tables_option, workers_option
from solver.apps.cli.show import columns, print_json
from solver.tablebase.read import Table, open_tables


@click.group()
def tables() -> None:
    """List, build and verify tables.

    \b
    Examples:
      should-i-roll tables list
      should-i-roll tables build martian-dice-win-2 --to /tmp/tables
      should-i-roll tables verify
    """


@tables.command("list")
@tables_option()
@json_option()
def list_(directory: str | None, as_json: bool) -> None:
    """List the tables within reach.

    \b
    Example:
      should-i-roll tables list --json
    """
    with open_tables(directory) as opened:
        found = [_about(opened[name]) for name in opened.names]
    if as_json:
        print_json(found)
        return
    rows = [["name", "objective", "exactness", "bytes", "directory"]]
    for about in found:
        exactness = _proven(about["exactness"], about["error"])
        row = [about["name"], about["objective"], exactness, f"{about['bytes']:,}"]
        rows.append([*row, about["directory"]])
    for line in columns(rows, right=(3,)):
        click.echo(line)


@tables.command()
@click.argument("name", required=False)
@click.option("to", "--to", metavar="DIR", help="Where to write; else the checkout's tables.")
@workers_option()
@json_option()
def build(name: str | None, to: str | None, workers: int, as_json: bool) -> None:
    """Build one table, or all that are shipped.

    A build that is interrupted or fails leaves the old table whole.

    \b
    Example:
      should-i-roll tables build martian-dice-points --to /tmp/tables
      should-i-roll tables build martian-dice-win-4 --to /tmp/tables
    """
    from solver.tablebase.build import RECIPES, build_table  # noqa: PLC0415  --help is quick
    from solver.tablebase.locate import build_directory  # noqa: PLC0415

    directory = build_directory(to)
    built = []
    shipped = [known for known, recipe in RECIPES.items() if recipe.shipped]
    for wanted in shipped if name is None else [name]:
        with Bar(f"building {wanted}") as bar:
            entry = build_table(wanted, directory, workers=workers, progress=bar)
        built.append(_about(Table(wanted, entry, directory)))
        if not as_json:
            click.echo(f"built {wanted}: {built[-1]['bytes']:,} bytes in {directory}")
    if as_json:
        print_json(built)


@tables.command(short_help="Check every byte, the rules, and the equations of best play.")
@click.argument("name", required=False)
@workers_option()
@tables_option()
@json_option()
def verify(name: str | None, workers: int, directory: str | None, as_json: bool) -> None:
    """Check tables: every byte, the rules they are of, and the equations of best play.

    \b
    Example:
      should-i-roll tables verify martian-dice-points
    """
    from solver.tablebase.verify import verify_table  # noqa: PLC0415  --help is quick

    checked = []
    with open_tables(directory) as opened:
        for wanted in opened.names if name is None else [name]:
            with Bar(f"verifying {wanted}") as bar:
                result = verify_table(opened[wanted], workers=workers, progress=bar)
            checked.append(
                {
                    "name": wanted,
                    "bytes": result.bytes,
                    "error": result.error,
                    "rolls_checked": result.rolls,
                }
            )
            if not as_json:
                proven = _proven(opened[wanted].entry.exactness, result.error)
                click.echo(
                    f"{wanted}: {result.bytes:,} bytes whole, rules as installed, {proven},"
                    f" {result.rolls} rolls averaged again"
                )
    if as_json:
        print_json(checked)


def _proven(exactness: str, error: float | None) -> str:
    if error is None:
        return "proof left out (it takes numba)"
    if exactness == "exact":
        return "exact"
    what = "error at most" if exactness == "bounded" else "no deviation gains more than"
    return f"{what} {error:.1e}"


def _about(table: Table) -> dict[str, Any]:
    entry = table.entry
    return {
        "name": table.name,
        "kind": entry.kind,
        "game": entry.game,
        "rules": entry.rules,
        "objective": entry.objective,
        "seats": entry.seats,
        "exactness": entry.exactness,
        "error": entry.error,
        "bytes": table.size,
        "graph": entry.graph,
        "numbers": entry.numbers,
        "directory": str(table.directory),
    }
