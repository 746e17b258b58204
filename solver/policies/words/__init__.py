"""The words in which policies speak of a position and of the match."""

from solver.policies.words.standing import ALONE, Standing
from solver.policies.words.vocabulary import Situation, Vocabulary, vocabulary_of

__all__ = ["ALONE", "Situation", "Standing", "Vocabulary", "vocabulary_of"]
