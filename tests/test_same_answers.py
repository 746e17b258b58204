"""The same answer from every door: Python, HTTP and assistants, on random legal positions."""

import asyncio
import json
import random

import msgspec
import pytest
from http_server import ask_app, ready_client
from mcp import Client

import solver
from solver.apps.mcp.server import make_server
from solver.games.registry import GAMES
from solver.tablebase import open_tables

FACES = "TRRHCK"


def martian_dice(dice):
    """A turn of raw dice played at random and left at a random decision; perhaps in a match."""
    aside, left, told = dict.fromkeys("TRHCK", 0), 13, {}
    while left:
        roll = [dice.choice(FACES) for _ in range(left)]
        told = {"aside": spelled(aside), "roll": spelled({f: roll.count(f) for f in "TRHCK"})}
        aside["T"] += roll.count("T")
        free = [f for f in "RHCK" if f in roll and (f == "R" or not aside[f])]
        if not free or dice.random() < 0.3:
            break
        taken = dice.choice(free)
        aside[taken] += roll.count(taken)
        left = 13 - sum(aside.values())
        told = {"aside": spelled(aside)}
        if dice.random() < 0.3:
            break
    seats = dice.choice([0] * 4 + [2] * 5 + [3])
    return told | (race(dice, seats, 25, True) if seats else {})


def spelled(counts):
    return " ".join(f"{face}{count}" for face, count in counts.items() if count)


def race(dice, seats, target, last_turns):
    """Scores of seats and the seat on turn; perhaps somebody has reached the target."""
    scores = [dice.randrange(target) for _ in range(seats)]
    seat = dice.randrange(seats) + 1
    if last_turns and seat > 1 and dice.random() < 0.2:
        scores[dice.randrange(seat - 1)] = target + dice.randrange(10)
    return {"scores": ",".join(map(str, scores)), "seat": str(seat)}


def alien_crew(dice):
    stage = dice.choice(["nothing", "battleship", "captain", "trio"])
    number = {"nothing": 5, "battleship": 4, "captain": 3, "trio": 2}[stage]
    field = dice.choice(["roll", "crew"]) if stage == "trio" else "roll"
    faces = " ".join(str(dice.randrange(6) + 1) for _ in range(number))
    return {"stage": stage, field: faces, "throws": str(dice.randrange(3))}


def pig(dice):
    told = {"total": str(dice.choice([0, *range(2, 100)]))}
    return told | dice.choice([{}, race(dice, 2, 100, False)])


def any_game(name):
    """Positions of a game about which nothing is known but its fields: what it takes of them."""
    form = {f.name: f for f in solver.apps.answers.question.all_forms()[name].fields}

    def tell(dice):
        told = {}
        for field in form.values():
            if dice.random() < 0.5:
                numbers = [str(dice.randrange(7)), str(dice.randrange(3))]
                told[field.name] = "true" if field.flag else dice.choice([*numbers, field.example])
        return told

    return tell


def yahtzee(dice):
    """A turn alone: the total takes a table, which is built on demand."""
    told = {"dice": " ".join(str(dice.randrange(6) + 1) for _ in range(5))}
    told |= {"rolls": str(dice.randrange(3)), "objective": dice.choice(["points", "at-least:25"])}
    filled = {"open": "aces, full house, yahtzee, chance", "upper": str(dice.randrange(70))}
    return told | dice.choice([{}, filled])


def two_dice_pig(dice):
    """A turn alone: the race takes a table, which is built on demand."""
    told = {"score": str(dice.randrange(100)), "total": str(dice.randrange(0, 60, 2))}
    return told | {"objective": dice.choice(["points", "at-least:70"])}


def farkle(dice):
    left = dice.choice([6, 6, 5, 4])
    roll = " ".join(str(dice.randrange(6) + 1) for _ in range(left))
    return {"total": {6: "0", 5: "100", 4: "200"}[left], "roll": roll}


def zombie_dice(dice):
    brains = {c: dice.randrange(3) for c in "GYR"}
    shotguns = dice.choice(["", "G1", "Y1", "R1", "Y1 R1", "R2"])
    return {"brains": spelled(brains), "shotguns": shotguns, "feet": dice.choice(["", "G1", "R1"])}


KNOWN = {
    "martian-dice": martian_dice,
    "alien-crew": alien_crew,
    "pig": pig,
    "yahtzee": yahtzee,
    "two-dice-pig": two_dice_pig,
    "farkle": farkle,
    "zombie-dice": zombie_dice,
}
LEAST = {"piglet": 4, "hog": 0}
"""Positions that a small game has more than; others have plenty."""


def python_answer(advisor, game, told):
    """The advice as the JSON of the command line, None if the position is none."""
    try:
        told = {name: True if value == "true" else value for name, value in told.items()}
        return json.loads(msgspec.json.encode(advisor(game, **told).as_dict()))
    except solver.ShouldIRollError:
        return None


async def assistant_answers(desk, game, positions):
    """What an assistant is told, asked through the protocol."""
    found = []
    async with Client(make_server(desk)) as client:
        for told in positions:
            place = {name: True if value == "true" else value for name, value in told.items()}
            result = await client.call_tool("advise", {"game": game, "position": place})
            found.append(result.structured_content)
    return found


def check_doors(game, count, seed):
    """Ask three doors about `count` legal positions; return how many different ones there were."""
    positions, right, wrong = python_answers(game, count, seed)
    path = f"/v1/games/{game}/advice"
    with ready_client() as client:

        async def ask(asked):
            return [await ask_app(client.app, path, told) for told in asked]

        refused = asyncio.run(ask(wrong))
        assert [status for status, _ in refused] == [422] * len(wrong)
        for told, (status, body), answer in zip(
            positions, asyncio.run(ask(positions)), right, strict=True
        ):
            assert (status, body) == (200, answer), told
        batches = []
        for low in range(0, count, 256):
            body = {"positions": [bodied(told) for told in positions[low : low + 256]]}
            batches += client.post(f"{path}:batch", json=body).json()["answers"]
        assert batches == [{"advice": answer} for answer in right]
        desk = client.app.state.service.desk
        assert asyncio.run(assistant_answers(desk, game, positions)) == right
    return len({json.dumps(told) for told in positions})


def python_answers(game, count, seed):
    """`count` legal positions, their advice from the library, and up to as many illegal ones."""
    dice = random.Random(seed)
    tell = KNOWN.get(game) or any_game(game)
    positions, right, wrong = [], [], []
    with open_tables() as tables:
        advisor = solver.Advisor(tables)
        for _ in range(200 * count):
            told = tell(dice)
            answer = python_answer(advisor, game, told)
            if answer is not None:
                positions.append(told)
                right.append(answer)
            elif len(wrong) < count:
                wrong.append(told)
            if len(positions) == count:
                return positions, right, wrong
    raise AssertionError("hardly any position is legal")


def bodied(told):
    return {name: True if value == "true" else value for name, value in told.items()}


# Left to the slow test: large turns, which both sides read anew, and games that have own tests.
SLOW = ("martians", "zombie-dice", "farkle", "hog", "two-dice-pig", "threes", "piglet")


@pytest.mark.parametrize("game", [name for name in GAMES if name not in SLOW])
def test_every_door_gives_the_same_answer(game):
    assert check_doors(game, 30, seed=1) > 15


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_door_gives_the_same_answer_ten_thousand_times(game):
    assert check_doors(game, 10_000, seed=2) > LEAST.get(game, 20)
