"""Short rules for people: a family of rule texts, searched for the one that loses least."""

from solver.policies.search.family import FAMILIES, Family, family_of
from solver.policies.search.frontier import Frontier, ShortRule, find_rules

__all__ = ["FAMILIES", "Family", "Frontier", "ShortRule", "family_of", "find_rules"]
