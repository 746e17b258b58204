"""Compiled turns for tests of what comes after compiling: one graph for every rules, kept."""

from functools import cache

from solver.turn import compile_turn

turn_of = cache(compile_turn)
"""The turn graph of rules that are hashable. It never changes, so tests may share it."""
