"""Random legal positions of the page's games: turns played at random with real dice."""

from __future__ import annotations

import random
from typing import Any

FACES = "TRRHCK"
SPECIES = "HCK"
Told = dict[str, Any]


def martian_dice(random_: random.Random, dice: int = 13) -> Told:
    """Return dice set aside and rolled, before or after a type is taken."""
    while True:
        aside = dict.fromkeys("TRHCK", 0)
        stop_after = random_.randrange(1, 8)
        for number in range(stop_after):
            left = dice - sum(aside.values())
            if not left:
                return {"aside": _counts(aside)}
            rolled = [random_.choice(FACES) for _ in range(left)]
            roll = {face: rolled.count(face) for face in "TRHCK"}
            free = [f for f in "RHCK" if roll[f] and (f == "R" or not aside[f])]
            if not free or (number == stop_after - 1 and random_.random() < 0.7):
                return {"aside": _counts(aside), "roll": _counts(roll)}
            taken = random_.choice(free)
            aside["T"] += roll["T"]
            aside[taken] += roll[taken]
        return {"aside": _counts(aside)}


def race_scores(random_: random.Random, seats: int, target: int = 25) -> tuple[list[int], int]:
    """Return scores and the seat on turn (from 1), in open play or in the last turns."""
    seat = random_.randrange(seats)
    scores = [random_.randrange(target) for _ in range(seats)]
    if seat and random_.random() < 0.25:
        who = random_.randrange(seat)
        scores[who] = target + random_.randrange(12)
        for other in range(seat):
            if random_.random() < 0.3:
                scores[other] = scores[who]
    return scores, seat + 1


def alien_crew(
    random_: random.Random, *, kept: bool = True, throws: int = 3, least: int = 0
) -> Told:
    """Return a stage, at least `least`, with dice just thrown, or a crew."""
    left = random_.randrange(throws)
    stage = random_.randrange(least, 4) if kept or left < throws - 1 else 0
    dice = sorted(random_.randint(1, 6) for _ in range(5 - stage))
    field = random_.choice(["roll", "crew"]) if stage == 3 and left < throws - 1 else "roll"
    return {
        "stage": ("nothing", "battleship", "captain", "trio")[stage],
        field: " ".join(map(str, dice)),
        "throws": str(left),
    }


def fight(random_: random.Random, fights: int, least: int, weapons: list[str]) -> Told:
    """Return tokens and, mostly, a roll of a fight."""
    told: Told = {
        "facing": random_.randint(1, fights),
        "lives": random_.randint(least, 5),
        "bullets": random_.randint(0, 5),
    }
    if random_.random() < 0.9:
        told["rolled"] = random_.randint(1, 6)
        using = random_.choice([*weapons, "none"])
        if using != "none":
            told["using"] = using
    return told


def _counts(faces: dict[str, int]) -> str:
    return " ".join(f"{face}{count}" for face, count in faces.items() if count)
