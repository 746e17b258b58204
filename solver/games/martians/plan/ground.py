"""The ground of a movement: a position seen by one player, as numbers and sets of bits."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import PositionError, UsageError
from solver.games.martians.board.components import FARMS, ITEMS, Circle, Play, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.board.position import Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.combat import START_TOKENS, LastLife, least_lives
from solver.games.martians.plan.finds import ALL_ITEMS, FIRST_ITEM, ITEM_BITS, Finds, bits
from solver.games.martians.plan.outcome import BoardOutcome, Ending
from solver.games.martians.weapons import Weapon
from solver.games.readings import Reading

MARTIANS_TO_WIN = 30
"""Martians that win the noncooperative game (Object of the Game)."""
_TOKENS = (Token.LIFE, Token.BULLET, *ITEMS)


class AtFive(Reading):
    """What becomes of a life or bullet token that is found by a player who has five of them."""

    GOES_BACK = "goes-back"
    """It is put back on its square, as a duplicate item is."""
    IS_LOST = "is-lost"
    """It is off the board."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a player moves, and with what.

    Parameters
    ----------
    squares
        The squares; their order numbers them.
    near
        For each square the numbers of those one step away for a pawn.
    house
        The House square.
    at, lives, bullets, martians, weapons
        The player.
    standing
        The squares with a Martian, as bits.
    finds
        What can be found.
    goal
        Martians that win, 0 if there is no such end.
    last_life, at_five
        The readings.
    """

    squares: tuple[Square, ...]
    near: tuple[tuple[int, ...], ...]
    house: int
    at: int
    lives: int
    bullets: int
    martians: int
    weapons: tuple[Weapon, ...]
    standing: int
    finds: Finds
    goal: int = MARTIANS_TO_WIN
    last_life: LastLife = LastLife.DIES
    at_five: AtFive = AtFive.GOES_BACK

    def number(self, square: Square) -> int:
        """Return the number of a square.

        Raises
        ------
        PositionError
            If there is no such square.
        """
        try:
            return self.squares.index(square)
        except ValueError:
            raise PositionError(
                f"nobody can stand on {square[0]},{square[1]}",
                rule="Player Movement Rules: roads and named buildings",
                remedy="draw the board: its edges have the coordinates",
                field="square",
            ) from None

    def outcome(
        self, at: int, tokens: tuple[int, int], martians: int, finds: Finds, ending: Ending
    ) -> BoardOutcome:
        """Return the outcome of a movement that did not end in death."""
        return BoardOutcome(
            self.squares[at],
            *tokens,
            martians,
            items_of(finds.held),
            None if finds.ship < 0 else self.squares[finds.ship],
            ending,
        )

    def death(self, martians: int, finds: Finds) -> BoardOutcome:
        """Return the outcome of a death: House, half the Martians (rounded up) and all items lost.

        Parameters
        ----------
        martians
            Martians collected so far.
        finds
            What was found.
        """
        ship = None if finds.ship < 0 else self.squares[finds.ship]
        tokens = START_TOKENS, START_TOKENS
        return BoardOutcome(self.squares[self.house], *tokens, martians // 2, (), ship, "dead")


def items_of(held: int) -> tuple[Token, ...]:
    """Return a set of items as tokens, in the order of the sheet."""
    return tuple(item for item, (_, bit) in zip(ITEMS, ITEM_BITS, strict=True) if held & bit)


def ground_of(
    position: Position,
    seat: int | None = None,
    *,
    last_life: LastLife = LastLife.DIES,
    at_five: AtFive = AtFive.GOES_BACK,
) -> Ground:
    """Return the ground of a player's movement.

    A player without life tokens has died and begins the next turn with three and three.

    Parameters
    ----------
    position
        The position.
    seat
        Whose movement, from 1; by default the seat on turn.
    last_life, at_five
        The readings.

    Raises
    ------
    UsageError
        If there is no such seat.
    """
    seat = position.seat if seat is None else seat
    if not 1 <= seat <= len(position.players):
        raise UsageError(
            f"there is no seat {seat}", remedy=f"1 to {len(position.players)}", field="seat"
        )
    player = position.players[seat - 1]
    steps = steps_of(position.layout)
    number = steps.number
    shows = {circle.at: circle.shows for circle in position.crop_circles}
    ships = [number(at) for at, shown in shows.items() if shown is Circle.MOTHER_SHIP]
    face_down = [number(at) for at, shown in shows.items() if shown is Circle.FACE_DOWN]
    turned = [shown for shown in shows.values() if shown is not Circle.FACE_DOWN]
    unseen = [count for _, count in position.unseen_items]
    finds = Finds(
        known=tuple(
            sorted((number(known.at), _TOKENS.index(known.token)) for known in position.tokens)
        ),
        hidden=tuple(
            (bits(map(number, group.squares)), group.lives, group.bullets, group.items)
            for group in sorted(position.hidden, key=lambda group: number(group.squares[0]))
        ),
        unseen=(unseen[0], unseen[1], unseen[2]),
        held=sum(
            bit for item, (_, bit) in zip(ITEMS, ITEM_BITS, strict=True) if item in player.items
        ),
        circles=0 if ships else bits(face_down),
        ship=ships[0] if ships else -1,
        unturned=FARMS - len(turned),
    )
    dead = player.lives < least_lives(last_life)
    noncooperative = position.play is Play.NONCOOPERATIVE
    return Ground(
        squares=steps.squares,
        near=steps.pawn,
        house=number(position.layout.house),
        at=number(player.at),
        lives=START_TOKENS if dead else player.lives,
        bullets=START_TOKENS if dead else player.bullets,
        martians=player.martians,
        weapons=player.weapons.held,
        standing=bits(number(square) for square in position.martians),
        finds=finds,
        goal=MARTIANS_TO_WIN if noncooperative else 0,
        last_life=last_life,
        at_five=at_five,
    )


__all__ = [
    "ALL_ITEMS",
    "FIRST_ITEM",
    "MARTIANS_TO_WIN",
    "AtFive",
    "Ground",
    "ground_of",
    "items_of",
]
