"""Records of games: read, replayed, reviewed, and written while playing."""

from solver.advisor.review.judged import Account, Judged
from solver.advisor.review.reader import read_record
from solver.advisor.review.record import Record
from solver.advisor.review.review import Review, review_record
from solver.advisor.review.values import ReviewSource

__all__ = [
    "Account",
    "Judged",
    "Record",
    "Review",
    "ReviewSource",
    "read_record",
    "review_record",
]
