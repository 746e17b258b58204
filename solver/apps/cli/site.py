"""``should-i-roll site``: the page as plain files."""

from __future__ import annotations

from pathlib import Path

import click

from solver.apps.cli.options import json_option, tables_option
from solver.apps.cli.show import print_json
from solver.tablebase.read import open_tables


@click.command()
@click.argument("to", metavar="DIR", type=click.Path(path_type=Path))
@tables_option("Directory of the tables to put beside the page.")
@json_option()
def site(to: Path, directory: str | None, as_json: bool) -> None:
    """Write the page with its tables to DIR, for any static host.

    The page needs no server and works offline: it reads the tables in the browser.

    \b
    Example:
      should-i-roll site /tmp/site
      python3 -m http.server --directory /tmp/site
    """
    from solver.apps.web import export_site  # noqa: PLC0415  --help is quick

    with open_tables(directory) as opened:
        made = export_site(to, opened)
    if as_json:
        print_json(
            {
                "directory": str(made.directory),
                "page_bytes": made.page_bytes,
                "table_bytes": made.table_bytes,
                "tables": list(made.tables),
            }
        )
        return
    click.echo(
        f"{made.directory}: {made.page_bytes:,} bytes of page, {made.table_bytes:,} bytes of"
        f" tables ({', '.join(made.tables)})"
    )
