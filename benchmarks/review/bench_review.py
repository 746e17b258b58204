"""How long a review takes: records of simulated matches, read, replayed and valued.

python benchmarks/review/bench_review.py --games 50
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from recorded import alien_game, martian_game

from solver.advisor.review import ReviewSource, read_record, review_record
from solver.tablebase import open_tables


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=50)
    games = options.parse_args().games
    print(f"{'matches':<28}{'turns':>7}{'steps':>7}{'read, ms':>10}{'review, ms':>12}{'gap':>10}")
    with open_tables() as tables:
        source = ReviewSource(tables)
        for name, make, rules in (
            ("Martian Dice, two seats", martian_game, {}),
            ("Martian Dice, three seats", martian_game, {"seats": 3}),
            ("Alien Crew, two seats", alien_game, {}),
        ):
            texts = [make(seed, **rules)[0] for seed in range(games)]
            review_record(texts[0], source=source)  # solved once
            begin = time.perf_counter()
            records = [read_record(text) for text in texts]
            read = time.perf_counter() - begin
            begin = time.perf_counter()
            reviews = [review_record(text, source=source) for text in texts]
            whole = time.perf_counter() - begin
            turns = sum(len(record.turns) for record in records) / games
            steps = sum(len(turn.steps) for record in records for turn in record.turns) / games
            gap = max(
                abs(a.start + a.luck - a.lost + a.gained - a.result)
                for found in reviews
                for a in (*found.points, *(found.win or ()))
            )
            print(
                f"{name:<28}{turns:>7.1f}{steps:>7.1f}{1000 * read / games:>10.1f}"
                f"{1000 * whole / games:>12.1f}{gap:>10.1e}"
            )


if __name__ == "__main__":
    main()
