"""What can still matter in a movement: positions that differ in nothing else are one.

Martians, tokens and circles farther away than the moves left cannot be reached. Martians collected
matter if the payoff counts them, or the Martians that win are within reach; items if it counts
them, or the game can be won at the Mother Ship; circles if it asks for the Mother Ship. Where lives
(or bullets) are *full*, a token of that kind is of use only if a Martian can still be met before it
is come to.
"""

from __future__ import annotations

from solver.games.martians.combat import MOST_TOKENS
from solver.games.martians.plan.finds import (
    ALL_ITEMS,
    BULLET,
    FIRST_ITEM,
    ITEM_BITS,
    LIFE,
    Finds,
    squares_in,
    token_squares,
)
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff

LIVES_FULL, BULLETS_FULL = 1, 2
FULL = {LIFE: LIVES_FULL, BULLET: BULLETS_FULL}
BIT_OF = dict(ITEM_BITS)

Key = tuple[int, int, int, int, int, int]
"""Square, moves left, Martians within reach, Martians collected, number of finds, what is full."""


class Matter:
    """What can matter, for one payoff on one ground.

    Parameters
    ----------
    ground
        Where the player moves.
    payoff
        What for.
    moves
        The most moves that the movement can have.

    Attributes
    ----------
    finds, tokens
        Finds by their number, and the squares of their tokens.
    five
        Token -> whether a player could come to have five of them and find another.
    counts_martians, counts_items, counts_circles, counts_ship
        What of it can matter.
    """

    def __init__(self, ground: Ground, payoff: Payoff, moves: int) -> None:
        self.ground, self.moves = ground, moves
        self.finds: list[Finds] = []
        self.tokens: list[int] = []
        self._number: dict[Finds, int] = {}
        self._known_of: list[int] = []
        self._useful: dict[tuple[int, int, int, int, int], int] = {}
        self._balls: dict[int, list[int]] = {}
        self._cuts: dict[tuple[int, int, int], int] = {}
        lives, bullets, items = self._within_reach()
        self.five = {
            LIFE: ground.lives + lives > MOST_TOKENS,
            BULLET: ground.bullets + bullets > MOST_TOKENS,
        }
        boards = ground.finds.held.bit_count() + items >= ALL_ITEMS.bit_count()
        self.counts_ship = "ship" in payoff.uses
        self.counts_circles = self.counts_ship or ("win" in payoff.uses and boards)
        self.counts_items = "items" in payoff.uses or boards
        wins = 0 < ground.goal <= ground.martians + moves + 1
        self.counts_martians = "martians" in payoff.uses or wins

    def key(
        self, at: int, moves: int, standing: int, martians: int, finds: Finds, full: int = 0
    ) -> Key:
        """Return what matters of a place.

        Parameters
        ----------
        at, moves, standing, martians, finds
            Square, moves left, squares with a Martian, Martians collected, what can be found.
        full
            `LIVES_FULL`, `BULLETS_FULL` or both, if only that is asked for.
        """
        counted = martians if self.counts_martians else 0
        return self.place(at, moves, standing, counted, self.numbered(finds), full)

    def rests(self, number: int) -> int:
        """Return the squares on which something happens besides the meeting of a Martian."""
        finds = self.finds[number]
        rests = self.tokens[number] | finds.circles
        if finds.ship >= 0 and finds.held == ALL_ITEMS:
            rests |= 1 << finds.ship
        return rests

    def place(
        self, at: int, moves: int, standing: int, martians: int, number: int, full: int
    ) -> Key:
        """Return what matters of a place, told by the numbers of its finds.

        Parameters
        ----------
        at, moves, standing, martians, number, full
            As in a key.
        """
        standing &= self.within(at, moves)
        number = self._cut(number, at, moves)
        if full and self._known_of[number] & full:
            number = self._without_useless(number, at, moves, standing, full)
        return at, moves, standing, martians, number, full

    def _without_useless(self, number: int, at: int, moves: int, standing: int, full: int) -> int:
        """Return finds without the tokens that are full and will not be short in time."""
        asked = number, at, moves, standing, full
        found = self._useful.get(asked)
        if found is None:
            finds = self.finds[number]
            known = tuple(
                (square, token)
                for square, token in finds.known
                if not FULL.get(token, 0) & full or self.after_a_fight(at, square, moves, standing)
            )
            found = self.numbered(finds._replace(known=known))
            self._useful[asked] = found
        return found

    def after_a_fight(self, at: int, square: int, moves: int, standing: int) -> bool:
        """Return whether a square can be come to by way of a Martian.

        Parameters
        ----------
        at, square, moves, standing
            From where to where, within how many moves, and where Martians stand.
        """
        return any(
            standing & self.within(at, steps) & self.within(square, moves - steps)
            for steps in range(moves + 1)
        )

    def _within_reach(self) -> tuple[int, int, int]:
        """Return how many life, bullet and item tokens can be come to at most."""
        finds, ball = self.ground.finds, self.within(self.ground.at, self.moves)
        known = [token for square, token in finds.known if ball >> square & 1]
        hidden = [counts for squares, *counts in finds.hidden if squares & ball]
        lives = known.count(LIFE) + sum(counts[0] for counts in hidden)
        bullets = known.count(BULLET) + sum(counts[1] for counts in hidden)
        return lives, bullets, sum(t >= FIRST_ITEM for t in known) + sum(c[2] for c in hidden)

    def numbered(self, finds: Finds) -> int:
        """Return the number of finds."""
        number = self._number.get(finds)
        if number is None:
            number = self._number[finds] = len(self.finds)
            self.finds.append(finds)
            self.tokens.append(token_squares(finds))
            kinds = 0
            for _, token in finds.known:
                kinds |= FULL.get(token, 0)
            self._known_of.append(kinds)
        return number

    def within(self, at: int, moves: int) -> int:
        """Return the squares within so many steps, whatever stands in the way, as bits."""
        balls = self._balls.get(at)
        if balls is None:
            inside = ring = 1 << at
            balls = [inside]
            for _ in range(self.moves):
                ahead = 0
                for square in squares_in(ring):
                    for other in self.ground.near[square]:
                        ahead |= 1 << other
                ring = ahead & ~inside
                inside |= ring
                balls.append(inside)
            self._balls[at] = balls
        return balls[moves]

    def _cut(self, number: int, at: int, moves: int) -> int:
        """Return the finds without what cannot matter within so many moves."""
        cut = self._cuts.get((number, at, moves))
        if cut is None:
            cut = self.numbered(self._only(self.finds[number], self.within(at, moves)))
            self._cuts[number, at, moves] = cut
        return cut

    def _only(self, finds: Finds, ball: int) -> Finds:
        items = self.counts_items
        known = tuple(
            (square, token)
            for square, token in finds.known
            if ball >> square & 1
            and (token < FIRST_ITEM or (items and not finds.held & BIT_OF[token]))
        )
        hidden = tuple(
            (squares & ball, lives, bullets, number)
            for squares, lives, bullets, number in finds.hidden
            if squares & ball and (items or lives or bullets)
        )
        unseen = finds.unseen if items and any(group[3] for group in hidden) else (0, 0, 0)
        circles = finds.circles & ball if self.counts_circles else 0
        ship = finds.ship
        if ship >= 0 and not self.counts_ship and not ball >> ship & 1:
            ship = -1
        unturned = finds.unturned if circles else 0
        return Finds(known, hidden, unseen, finds.held, circles, ship, unturned)
