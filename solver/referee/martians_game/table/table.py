"""Everything that lies open on the table, as it changes during a game.

What nobody has seen is not decided either: a face-down token, the next tile or card gets its
face when it is turned over, each that it can be being equally likely. So this is what every
player may look at, and a position file can hold it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.games.martians.board.components import (
    BULLET_TOKENS,
    FARMS,
    ITEMS,
    LIFE_TOKENS,
    Circle,
    Token,
)
from solver.games.martians.board.layout import Square
from solver.referee.martians_game.rules import Rules
from solver.referee.martians_game.table.ground import Building, Ground


@dataclass(slots=True)
class Seat:
    """A player: his pawn and what lies in front of him.

    Parameters
    ----------
    name
        His name.
    at
        His pawn's square.
    lives, bullets
        Life and bullet tokens.
    martians
        Martians he has killed and collected.
    items
        Item tokens.
    weapons
        Names of the weapon cards in play.
    played
        Whether he has played a card since the beginning of his last turn.
    fallen
        Whether he has died and not begun a turn since.
    """

    name: str
    at: Square
    lives: int
    bullets: int
    martians: int = 0
    items: set[Token] = field(default_factory=set)
    weapons: list[str] = field(default_factory=list)
    played: bool = False
    fallen: bool = False


@dataclass(slots=True)
class Group:
    """The face-down tokens of a building: where they lie, and how many are of each kind."""

    squares: list[Square]
    lives: int
    bullets: int
    items: int


@dataclass(frozen=True, slots=True)
class Spell:
    """An effect that lasts, of a card that lies in front of a player.

    Parameters
    ----------
    card
        The card's name; None if another effect of the card lasts as long, and the card lies there
        for that one.
    by
        The player's index.
    whom
        The indices of the players it is about.
    bonus
        What it adds to their combat rolls.
    whole_round
        Whether it lasts to the beginning of the player's next turn, not only of this one.
    """

    card: str | None
    by: int
    whom: frozenset[int]
    bonus: int
    whole_round: bool


@dataclass(slots=True)
class Table:
    """The table. Players look at it and leave it as it is.

    Parameters
    ----------
    rules
        The rules.
    ground
        The map.
    seats
        The players, clockwise.
    deck
        Names of the tiles in the map deck; the order says nothing.
    supply
        Martians left to be placed.
    box
        Martians out of the game.
    bank
        Life and bullet tokens beside the map.
    unseen
        How many of each item nobody has seen.
    beside
        How many item tokens lie beside the map.
    hidden, known
        Face-down tokens by building; tokens whose face everybody knows, by square.
    circles
        Crop circle tokens on the map, by square.
    aboard
        Whether it is known that the Mother Ship is on the map.
    turn
        Turns begun.
    on_turn
        Index of the player on turn.
    step
        The step of the Turn Sequence.
    moves
        Moves left in step 5 or 6; None while the die is not rolled.
    """

    rules: Rules
    ground: Ground
    seats: list[Seat]
    deck: list[str]
    supply: int
    box: int = 0
    drawn: str | None = None
    discarded: list[str] = field(default_factory=list)
    martians: set[Square] = field(default_factory=set)
    bank: dict[Token, int] = field(
        default_factory=lambda: {Token.LIFE: LIFE_TOKENS, Token.BULLET: BULLET_TOKENS}
    )
    unseen: dict[Token, int] = field(default_factory=dict)
    beside: int = 0
    hidden: dict[Building, Group] = field(default_factory=dict)
    known: dict[Square, Token] = field(default_factory=dict)
    circles: dict[Square, Circle] = field(default_factory=dict)
    aboard: bool = False
    spells: list[Spell] = field(default_factory=list)
    turn: int = 0
    on_turn: int = 0
    step: int = 1
    moves: int | None = None

    @property
    def mother_ship(self) -> Square | None:
        """The square of the Mother Ship, once it is revealed."""
        for square, shows in self.circles.items():
            if shows is Circle.MOTHER_SHIP:
                return square
        return None

    @property
    def unturned(self) -> int:
        """How many crop circle tokens can be the Mother Ship; none once it is revealed."""
        shown = list(self.circles.values())
        if Circle.MOTHER_SHIP in shown:
            return 0
        face_down = shown.count(Circle.FACE_DOWN)
        return face_down if self.aboard else face_down + FARMS - len(shown)

    def clockwise(self) -> list[int]:
        """Return the players' indices, beginning with the one on turn."""
        count = len(self.seats)
        return [(self.on_turn + n) % count for n in range(count)]

    def has_tokens(self, building: Building) -> bool:
        """Return whether a token lies in a building."""
        inside = self.ground.buildings[building]
        return building in self.hidden or any(square in self.known for square in inside)

    def token_at(self, square: Square) -> bool:
        """Return whether a token lies on a square, whatever it is."""
        if square in self.known:
            return True
        group = self.hidden.get(self.ground.building_of.get(square, (0, 0, "")))
        return group is not None and square in group.squares

    def combat_bonus(self, who: int) -> int:
        """Return what the cards on the table add to a player's combat rolls."""
        return sum(spell.bonus for spell in self.spells if who in spell.whom)

    def items_lacked(self, who: int) -> tuple[Token, ...]:
        """Return the items a player does not have."""
        return tuple(item for item in ITEMS if item not in self.seats[who].items)
