"""Policies as short texts: a small grammar, and playing by it."""

from solver.policies.text.grammar import parse
from solver.policies.text.rules import TextPolicy

__all__ = ["TextPolicy", "parse"]
