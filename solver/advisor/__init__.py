"""Advice on a position, from tables or solved on the spot."""

from solver.advisor.advice import Advice, Option
from solver.advisor.advise import Advisor, advise

__all__ = ["Advice", "Advisor", "Option", "advise"]
