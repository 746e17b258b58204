"""A movement on the board by brute force: every order in which dice and tokens can fall.

Written from the rulebook alone, and slow on purpose; nothing of the library is used. What is
hidden is a list of *worlds*, each as likely as any other: in a world every face-down token and
every crop circle has its face. The player knows what he has seen, which leaves some worlds.
Lives and bullets are strings that are handed over letter by letter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from typing import Any

FACES = range(1, 7)
ITEMS = ("fuel", "fertilizer", "dynamite")
Square = Any
Number = Any
World = dict[Square, str]
Payoff = Callable[[dict[str, Any]], Number]
"""How it ends: at, lives, bullets, martians, items, ship, ending, what is left on the table
(standing, tokens), and where a dead player died with which items -> what it is worth."""


@dataclass
class Board:
    """Everything that a rulebook's reader sees on the table."""

    steps: Mapping[Square, list[Square]]
    house: Square
    martians: frozenset[Square]
    known: dict[Square, str] = field(default_factory=dict)
    buildings: list[tuple[list[Square], list[str]]] = field(default_factory=list)
    """(Squares, faces), a face being life, bullet or item."""
    pool: list[str] = field(default_factory=list)
    """The items that nobody has seen, each token by itself."""
    circles: list[Square] = field(default_factory=list)
    """Face-down crop circles on the board."""
    circles_elsewhere: int = 0
    """Face-down crop circles that are not placed."""
    ship: Square = None
    goal: int = 30
    at_five: str = "goes-back"
    last_life: str = "dies"
    weapons: tuple[str, ...] = ()


def worlds_of(board: Board) -> list[World]:
    """Every way in which what is hidden can lie, once for each order of the tokens."""
    number = sum(faces.count("item") for _, faces in board.buildings)
    deals = list(permutations(board.pool, number))
    lies = [list(permutations(faces)) for _, faces in board.buildings]
    elsewhere = [f"token {n}" for n in range(board.circles_elsewhere)]
    turned = [None] if board.ship is not None else [*board.circles, *elsewhere]
    worlds = []
    for deal, faces, ship in product(deals, product(*lies), turned or [None]):
        left = list(deal)
        world: World = {}
        for (squares, _), order in zip(board.buildings, faces, strict=True):
            for square, face in zip(squares, order, strict=True):
                world[square] = left.pop(0) if face == "item" else face
        for circle in board.circles:
            world[circle] = "ship" if circle == ship and board.ship is None else "nothing"
        worlds.append(world)
    return worlds


def average(values: list[Number]) -> Number:
    return sum(values, Fraction(0)) / len(values)


class Movement:
    """The best that a player can do; what he has seen is a set of (square, face)."""

    def __init__(self, board: Board, payoff: Payoff) -> None:
        self.board, self.payoff = board, payoff
        self.worlds = worlds_of(board)
        self.possible: dict[frozenset, list[World]] = {}
        self.memory: dict[Any, Number] = {}

    def best(self, at, lives, bullets, martians=0, items=(), moves=None):
        """Before the movement roll if moves is None, else with so many moves left."""
        me = (at, "L" * lives, "B" * bullets, martians, frozenset(items))
        tokens = frozenset(self.board.known.items())
        table = (self.board.martians, tokens, frozenset(), self.board.ship)
        if at in self.board.martians:
            return self.meet(me, table, moves)
        return self.go_on(me, table, moves)

    # what lies on the table: Martians, known tokens, what was seen, the Mother Ship

    def go_on(self, me, table, moves):
        key = "go on", me, table, moves
        if key not in self.memory:
            self.memory[key] = self._go_on(me, table, moves)
        return self.memory[key]

    def _go_on(self, me, table, moves):
        at, lives = me[:2]
        if moves is None:
            return average([self.go_on(me, table, face + len(lives)) for face in FACES])
        ways = [self.end(me, table, "stopped")]
        if moves > 0:
            ways += [self.enter((to, *me[1:]), table, moves - 1) for to in self.board.steps[at]]
        return max(ways)

    def enter(self, me, table, moves):
        return self.meet(me, table, moves) if me[0] in table[0] else self.look(me, table, moves)

    def look(self, me, table, moves):
        """No Martian is here (any more)."""
        at, _, _, _, items = me
        martians, tokens, seen, ship = table
        if at == ship and len(items) == 3:
            return self.end(me, table, "ship")
        face = dict(tokens).get(at)
        if face is not None:
            return self.take(me, (martians, tokens - {(at, face)}, seen, ship), face, moves)
        seen_here = at in {square for square, _ in seen}
        if any(at in squares for squares, _ in self.board.buildings) and not seen_here:
            return average(
                [self.take(me, after, face, moves) for face, after in self.turn_over(at, table)]
            )
        if at in self.board.circles and ship is None and not seen_here:
            shown = []
            for face, after in self.turn_over(at, table):
                found = (*after[:3], at if face == "ship" else after[3])
                shown.append(self.look(me, found, moves))
            return max(average(shown), self.go_on(me, table, moves))
        return self.go_on(me, table, moves)

    def turn_over(self, at, table):
        """Each face that may lie here, as often as there are worlds with it."""
        martians, tokens, seen, ship = table
        if seen not in self.possible:
            self.possible[seen] = [
                world
                for world in self.worlds
                if all(world[square] == face for square, face in seen)
            ]
        return [
            (world[at], (martians, tokens, seen | {(at, world[at])}, ship))
            for world in self.possible[seen]
        ]

    def take(self, me, table, face, moves):
        at, lives, bullets, martians, items = me
        left = table
        back = (table[0], table[1] | {(at, face)}, table[2], table[3])
        if face in ITEMS:
            if face in items:
                left = back
            items = items | {face}
        else:
            had = lives if face == "life" else bullets
            if len(had) == 5:
                left = back if self.board.at_five == "goes-back" else table
            elif face == "life":
                lives += "L"
            else:
                bullets += "B"
        return self.go_on((at, lives, bullets, martians, items), left, moves)

    def meet(self, me, table, moves):
        ways = [self.roll(me, table, moves, 0, 0)]
        for weapon in self.board.weapons:
            kind, _, number = weapon.partition(":")
            if kind == "reroll":
                ways.append(self.roll(me, table, moves, 0, int(number)))
            else:
                ways.append(self.roll(me, table, moves, int(kind.removeprefix("+")), 0))
        return max(ways)

    def roll(self, me, table, moves, bonus, again):
        key = "roll", me, table, moves, bonus, again
        if key not in self.memory:
            self.memory[key] = average(
                [self.see(face + bonus, me, table, moves, bonus, again) for face in FACES]
            )
        return self.memory[key]

    def see(self, total, me, table, moves, bonus, again):
        at, lives, bullets, martians, items = me
        if total >= 4:
            return self.win(me, table, moves)
        ways = []
        if total + len(bullets) >= 4:
            paid = bullets[4 - total :]
            ways.append(self.win((at, lives, paid, martians, items), table, moves))
        if again:
            ways.append(self.roll(me, table, moves, bonus, again - 1))
        if lives == ("" if self.board.last_life == "one-more-roll" else "L"):
            ways.append(self.end(me, table, "dead"))
        else:
            poorer = at, lives[1:], bullets, martians, items
            ways.append(self.roll(poorer, table, moves, bonus, again))
        return max(ways)

    def win(self, me, table, moves):
        at, lives, bullets, martians, items = me
        me = at, lives, bullets, martians + 1, items
        table = (table[0] - {at}, *table[1:])
        if self.board.goal and martians + 1 >= self.board.goal:
            return self.end(me, table, "martians")
        return self.go_on(me, table, None) if moves is None else self.look(me, table, moves)

    def end(self, me, table, ending):
        at, lives, bullets, martians, items = me
        how = {
            "at": at,
            "lives": len(lives),
            "bullets": len(bullets),
            "martians": martians,
            "items": [item for item in ITEMS if item in items],
            "ship": table[3],
            "ending": ending,
            "standing": table[0],
            "tokens": table[1],
            "died_at": at,
            "died_with": items,
        }
        if ending == "dead":
            half = martians - -(-martians // 2)
            how |= {"at": self.board.house, "lives": 3, "bullets": 3, "martians": half, "items": []}
        return Fraction(self.payoff(how))
