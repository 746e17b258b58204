"""Tables: solutions as files that can be checked and rebuilt."""

from solver.tablebase.build import RECIPES, build_table
from solver.tablebase.read import Table, Tables, open_tables

__all__ = ["RECIPES", "Table", "Tables", "build_table", "open_tables"]
