"""A position on the board: everything that all players see at one moment of a game.

What is hidden is told as far as it is known: a named building's face-down tokens by how many of
them are life, bullet and item tokens; an item by the pool of items not yet seen; a crop circle by
those not yet turned (readings `face-down` and `crop circle`). The deck is known as a set.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

from solver.games.martians.board.components import (
    FARMS,
    ITEMS,
    Circle,
    Play,
    Token,
)
from solver.games.martians.board.layout import Layout, Square, canonical, reading_order
from solver.games.martians.board.tile import TileSet
from solver.games.martians.combat import START_TOKENS
from solver.games.martians.weapons import Weapons


@dataclass(frozen=True, slots=True)
class Player:
    """One player.

    Parameters
    ----------
    name
        How the player is called; by the pawn's colour, for instance.
    at
        The pawn's square.
    lives, bullets
        Life and bullet tokens, 0 to 5.
    martians
        Martians killed and collected.
    items
        Item tokens, each at most once, in the order of `ITEMS`.
    weapons
        Weapon cards in play.
    hand
        Event cards in the hand.
    played
        Whether a card was played since the beginning of the player's last turn.
    """

    name: str
    at: Square
    lives: int = START_TOKENS
    bullets: int = START_TOKENS
    martians: int = 0
    items: tuple[Token, ...] = ()
    weapons: Weapons = Weapons()  # noqa: RUF009  a frozen value
    hand: int = 0
    played: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A token of which everybody knows what it is, face-up or not.

    Parameters
    ----------
    at
        Its square.
    token
        What it is.
    """

    at: Square
    token: Token


@dataclass(frozen=True, slots=True)
class Hidden:
    """The face-down tokens of one named building.

    Parameters
    ----------
    squares
        Where they lie, by y and then x.
    lives, bullets, items
        How many of each there are; together as many as squares.
    """

    squares: tuple[Square, ...]
    lives: int = 0
    bullets: int = 0
    items: int = 0


@dataclass(frozen=True, slots=True)
class CropCircle:
    """The crop circle token of a placed farm.

    Parameters
    ----------
    at
        The middle square of the farm.
    shows
        What it shows.
    """

    at: Square
    shows: Circle = Circle.FACE_DOWN


@dataclass(frozen=True, slots=True)
class Position:
    """A position; :func:`.check_position` tells whether the rules allow it.

    Parameters
    ----------
    play
        Which of the two games.
    layout
        The placed tiles, with their tile set.
    discarded
        Tiles that could not be placed.
    drawn
        The tile that was drawn and is not placed yet.
    martians
        The squares with a Martian.
    supply
        Martians left to be placed.
    tokens
        Tokens whose face is known.
    hidden
        Face-down tokens, by building.
    crop_circles
        One for each placed farm.
    players
        The players, clockwise.
    seat
        The seat on turn, from 1.
    step
        The step of the Turn Sequence, 1 to 8.
    moves
        Moves left: the player's in step 5, Martians' in step 6; None while the die is not rolled.
    """

    play: Play
    layout: Layout
    discarded: tuple[str, ...]
    drawn: str | None
    martians: tuple[Square, ...]
    supply: int
    tokens: tuple[Known, ...]
    hidden: tuple[Hidden, ...]
    crop_circles: tuple[CropCircle, ...]
    players: tuple[Player, ...]
    seat: int
    step: int
    moves: int | None

    @property
    def tiles(self) -> TileSet:
        """The tile set."""
        return self.layout.tiles

    @property
    def on_turn(self) -> Player:
        """The player on turn."""
        return self.players[self.seat - 1]

    @property
    def deck(self) -> tuple[str, ...]:
        """The tiles in the map deck, as a known set in the order of the tile set."""
        gone = Counter(placed.tile for placed in self.layout.placed)
        gone.update(self.discarded)
        if self.drawn is not None:
            gone[self.drawn] += 1
        return tuple(
            tile.name for tile in self.tiles.tiles for _ in range(tile.copies - gone[tile.name])
        )

    @property
    def unseen_items(self) -> tuple[tuple[Token, int], ...]:
        """How many tokens of each item nobody has seen: face-down on the board, or not placed."""
        seen = Counter(item for player in self.players for item in player.items)
        seen.update(known.token for known in self.tokens)
        return tuple((item, self.play.of_each_item - seen[item]) for item in ITEMS)

    @property
    def items_to_place(self) -> int:
        """How many item tokens lie beside the board."""
        return sum(n for _, n in self.unseen_items) - sum(group.items for group in self.hidden)

    @property
    def mother_ship_chance(self) -> Fraction:
        """The chance of each face-down crop circle to be the Mother Ship."""
        shown = [circle.shows for circle in self.crop_circles]
        if Circle.MOTHER_SHIP in shown:
            return Fraction(0)
        return Fraction(1, FARMS - shown.count(Circle.EMPTY))

    def token_chances(self, square: Square) -> dict[Token, Fraction]:
        """Return what a player may find on a square: token -> chance; empty without a token.

        Parameters
        ----------
        square
            A square of a named building.
        """
        for known in self.tokens:
            if known.at == square:
                return {known.token: Fraction(1)}
        for group in self.hidden:
            if square in group.squares:
                size, pool = len(group.squares), dict(self.unseen_items)
                of_all = max(sum(pool.values()), 1)
                chances = {
                    Token.LIFE: Fraction(group.lives, size),
                    Token.BULLET: Fraction(group.bullets, size),
                    **{i: Fraction(group.items * pool[i], size * of_all) for i in ITEMS},
                }
                return {token: chance for token, chance in chances.items() if chance}
        return {}

    def canonical(self) -> Position:
        """Return the same position with everything that has no order sorted."""
        hidden = [replace(group, squares=reading_order(group.squares)) for group in self.hidden]
        return replace(
            self,
            layout=canonical(self.layout),
            discarded=tuple(sorted(self.discarded)),
            martians=reading_order(self.martians),
            tokens=tuple(sorted(self.tokens, key=lambda known: known.at[::-1])),
            hidden=tuple(sorted(hidden, key=lambda group: group.squares[0][::-1])),
            crop_circles=tuple(sorted(self.crop_circles, key=lambda circle: circle.at[::-1])),
            players=tuple(
                replace(player, items=tuple(item for item in ITEMS if item in player.items))
                for player in self.players
            ),
        )
