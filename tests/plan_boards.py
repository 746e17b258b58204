"""Small random boards for tests of the planner, as the library and as brute force see them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from brute_force_board import ITEMS, Board

from solver.games.martians.board import (
    Circle,
    CropCircle,
    Position,
    arrive,
    start_position,
    synthetic_tiles,
)
from solver.games.martians.combat import LastLife
from solver.games.martians.plan import AtFive, Ground
from solver.games.martians.plan.finds import Finds, bits
from solver.games.martians.weapons import read_weapons

NUMBER = {"life": 0, "bullet": 1, "fuel": 2, "fertilizer": 3, "dynamite": 4}


def house_and_farm() -> Position:
    """The House and one farm whose crop circle is empty, a Martian on it: nothing is hidden."""
    here = start_position(synthetic_tiles(), ["red"])
    here = arrive(here, here.layout.placements("farm")[0])
    (circle,) = here.crop_circles
    return replace(here, crop_circles=(CropCircle(circle.at, Circle.EMPTY),), step=2)


def random_graph(rng: Random, count: int) -> list[list[int]]:
    """A connected graph: a tree and some more steps."""
    pairs = {(rng.randrange(n), n) for n in range(1, count)}
    for _ in range(rng.randrange(count)):
        one, other = sorted(rng.sample(range(count), 2))
        pairs.add((one, other))
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in sorted(pairs):
        near[one].append(other)
        near[other].append(one)
    return [sorted(others) for others in near]


def random_board(
    rng: Random, *, squares: int = 7, tokens: int = 4, circles: bool = True
) -> tuple[Board, Ground, dict]:
    """A board, the same ground for the library, and the player: at, lives, bullets, ..."""
    count = rng.randint(3, squares)
    near = random_graph(rng, count)
    places = list(range(count))
    at, house = rng.choice(places), rng.choice(places)
    martians = frozenset(s for s in places if rng.random() < rng.choice((0.2, 0.6, 0.9)))
    if rng.random() < 0.7:
        martians -= {at}
    free = [s for s in places if s != at or rng.random() < 0.2]  # it may lie under the pawn
    rng.shuffle(free)
    held = [item for item in ITEMS if rng.random() < 0.5]
    pool = [item for item in ITEMS for _ in range(rng.randint(0, 2))]
    known: dict[int, str] = {}
    buildings: list[tuple[list[int], list[str]]] = []
    left = rng.randint(0, min(tokens, len(free)))
    items = 0
    while left and free:
        size = rng.randint(1, min(left, 3, len(free)))
        faces = [rng.choice(("life", "bullet")) for _ in range(size)]
        if rng.random() < 0.6 and items < min(2, len(pool)):
            faces[0] = "item"
            items += 1
        group = [free.pop() for _ in range(size)]
        if rng.random() < 0.3 and "item" not in faces:
            known |= dict(zip(group, faces, strict=True))
        elif rng.random() < 0.2:
            known[group[0]] = rng.choice(ITEMS)
            items -= faces[0] == "item"
        else:
            buildings.append((group, faces))
        left -= size
    down = [free.pop() for _ in range(rng.randint(0, min(2, len(free))))] if circles else []
    elsewhere = rng.randint(0, 2)
    ship = free.pop() if circles and free and rng.random() < 0.3 else None
    if ship is not None:
        down, elsewhere = [], 0
    board = Board(
        steps=dict(enumerate(near)),
        house=house,
        martians=martians,
        known=known,
        buildings=buildings,
        pool=pool,
        circles=down,
        circles_elsewhere=elsewhere,
        ship=ship,
        goal=rng.choice((0, 30, 30, 3)),
        at_five=rng.choice(("goes-back", "goes-back", "is-lost")),
        last_life=rng.choice(("dies", "dies", "one-more-roll")),
        weapons=rng.choice(((), (), ("+1",), ("reroll:1",), ("+1", "reroll:1"))),
    )
    player = {
        "at": at,
        "lives": rng.randint(1, 5),
        "bullets": rng.randint(0, 5),
        "martians": rng.randint(0, 2),
        "items": tuple(held),
    }
    return board, ground_for(board, player), player


def ground_for(board: Board, player: dict) -> Ground:
    """The same board for the library; squares have the coordinates (number, 0)."""
    finds = Finds(
        known=tuple(sorted((square, NUMBER[face]) for square, face in board.known.items())),
        hidden=tuple(
            (bits(group), faces.count("life"), faces.count("bullet"), faces.count("item"))
            for group, faces in board.buildings
        ),
        unseen=tuple(board.pool.count(item) for item in ITEMS),
        held=sum(1 << ITEMS.index(item) for item in player["items"]),
        circles=bits(board.circles),
        ship=-1 if board.ship is None else board.ship,
        unturned=len(board.circles) + board.circles_elsewhere,
    )
    return Ground(
        squares=tuple((square, 0) for square in board.steps),
        near=tuple(tuple(others) for others in board.steps.values()),
        house=board.house,
        at=player["at"],
        lives=player["lives"],
        bullets=player["bullets"],
        martians=player["martians"],
        weapons=read_weapons(",".join(board.weapons)).held,
        standing=bits(board.martians),
        finds=finds,
        goal=board.goal,
        last_life=LastLife(board.last_life),
        at_five=AtFive(board.at_five),
    )


def told(outcome) -> dict:
    """An outcome of the library as brute force tells it."""
    return {
        "at": outcome.at[0],
        "lives": outcome.lives,
        "bullets": outcome.bullets,
        "martians": outcome.martians,
        "items": [str(item) for item in outcome.items],
        "ship": None if outcome.ship is None else outcome.ship[0],
        "ending": outcome.ending,
    }
