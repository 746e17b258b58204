"""Matches of one seat in which every turn's outcome is entered in one box of a sheet."""

from solver.match.sheet.solve import solve_sheet

__all__ = ["solve_sheet"]
