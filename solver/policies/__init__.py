"""Policies: ways to play, read, named, measured exactly and compared."""

from solver.policies.named import named_policy, policy_names, read_policy
from solver.policies.policy import FunctionPolicy, Policy
from solver.policies.text.rules import TextPolicy
from solver.policies.words import Situation, vocabulary_of
from solver.policies.words.standing import ALONE, FAR, Standing

__all__ = [
    "ALONE",
    "FAR",
    "FunctionPolicy",
    "Policy",
    "Situation",
    "Standing",
    "TextPolicy",
    "named_policy",
    "policy_names",
    "read_policy",
    "vocabulary_of",
]
