"""Whatever strangers send, only the library's own errors come out: the fuzzers' corpus, replayed.

Each seed is replayed as it is and with small changes by a fixed seed. The long runs are by hand:
``python benchmarks/fuzz/run.py``.
"""

from __future__ import annotations

import random

import fuzz_targets
import pytest

SLOW = {"tables": 12, "forged_tables": 8, "standings": 40, "bodies": 40, "queries": 40}
"""Targets of which fewer changed inputs are tried."""
CHANGED = 150
TOKENS = (
    *(b"-1", b"0", b"999999999999999999999", b"1e309", b"NaN", b"\xff", b"\xc3\xa9", b"\0"),
    *(b" ", b",", b":", b"=", b"->", b"(", b'"', b"{", b"[[[[", b"\n", b"\t", b"%00", b"None"),
)


def changed(data, rng):
    """The data with one to four small changes."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(found))
        what = rng.randrange(5)
        if what == 0 and at < len(found):
            found[at] = rng.randrange(256)
        elif what == 1:
            del found[at : at + rng.randint(1, 8)]
        elif what == 2:
            found[at:at] = rng.choice(TOKENS)
        elif what == 3:
            found[at:at] = found[at : at + rng.randint(1, 30)] * rng.randint(1, 3)
        else:
            end = rng.randint(at, min(len(found), at + 6))
            found[at:end] = rng.choice(TOKENS)
    return bytes(found)


@pytest.mark.parametrize("name", fuzz_targets.TARGETS)
def test_only_own_errors_come_out(name):
    target, seeds = fuzz_targets.TARGETS[name], fuzz_targets.seeds(name)
    assert seeds
    for seed in seeds:
        target(seed)
    rng = random.Random(name)
    for _ in range(SLOW.get(name, CHANGED)):
        target(changed(rng.choice(seeds), rng))


@pytest.mark.parametrize("error", [ValueError("x"), KeyError("x"), RecursionError()])
def test_an_error_that_is_not_our_own_would_be_noticed(error):
    def target(_):
        raise error

    with pytest.raises(type(error)):
        fuzz_targets.guarded(target)(b"")


def test_a_seed_that_does_nothing_would_be_noticed():
    """The unchanged seeds are good inputs: nearly all of them are read without an error."""
    game, told = fuzz_targets.picked(b"\x00T2 R3 H4\0R2 C1 K1")
    position = fuzz_targets.read_position(
        fuzz_targets.official(game),
        dict(zip(("aside", "roll"), fuzz_targets.words(told), strict=True)),
    )
    assert set(position.options) == {"death-rays", "cow", "chicken"}
