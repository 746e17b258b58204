"""The course of a game: the table, the cards nobody sees, who is asked, and what was written down.

Every step of a turn works on it. Rules that many steps need stand here: a Martian comes to the
map or leaves it, tokens change hands, somebody has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from solver.games.martians.board.components import ITEMS, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.cards import CardSet, Moment
from solver.games.martians.cards.cards import Card, names
from solver.games.martians.combat import MOST_TOKENS
from solver.referee.martians_game.questions import Chance, Question, Source
from solver.referee.martians_game.rules import Ending, Lost, Result, Rules, Team
from solver.referee.martians_game.table import Seat, Table

T = TypeVar("T")
DIE = (1, 2, 3, 4, 5, 6)


class GameOver(Exception):  # noqa: N818  no error: a game ends
    """The game is over."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result


@dataclass(frozen=True, slots=True)
class Fight:
    """A losing roll that waits to be paid.

    Parameters
    ----------
    roll
        What the die shows.
    short
        Bullet tokens that would win.
    rerolls
        Re-rolls of the weapon that are left.
    weapon
        The weapon's card, None for bare hands.
    """

    roll: int
    short: int
    rerolls: int
    weapon: str | None


@dataclass(slots=True)
class Pile:
    """A deck of cards and its discard pile."""

    deck: list[str]
    discarded: list[str] = field(default_factory=list)

    def draw(self, course: Course, chance: Chance) -> str | None:
        """Draw a card; the discard pile is shuffled when the deck is exhausted."""
        if not self.deck:
            self.deck, self.discarded = sorted(self.discarded), []
        if not self.deck:
            return None
        name = course.fall(chance, self.deck)
        self.deck.remove(name)
        return name


class Course:
    """A game as it goes.

    Parameters
    ----------
    table
        The table.
    cards
        The cards.
    source
        Where decisions and chances come from.
    """

    __slots__ = (
        "_martian",
        "card",
        "cards",
        "down",
        "events",
        "extra",
        "fight",
        "hands",
        "log",
        "martian_cards",
        "moment",
        "source",
        "table",
    )

    def __init__(self, table: Table, cards: CardSet, source: Source) -> None:
        self.table, self.cards, self.source = table, cards, source
        self.card: dict[str, Card] = cards.by_name()
        events, martians = names(cards.events), names(cards.martians)
        together = table.rules.together
        self.events = Pile(sorted(events if together else events + martians))
        self.martian_cards = Pile(sorted(martians if together else ()))
        self._martian = frozenset(martians)
        self.hands: list[list[str]] = [[] for _ in table.seats]
        self.log: list[tuple[str, Any, Any, str]] = []
        self.moment: Moment = Moment.START
        self.fight: Fight | None = None
        self.down = False
        """Whether the player on turn has died in this turn."""
        self.extra = 0
        """What cards add to a movement roll that is not made yet."""

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.table.rules

    def seat(self, who: int) -> Seat:
        """Return a player by his index."""
        return self.table.seats[who]

    def begin(self) -> None:
        """Begin a turn: until then nothing of it has happened."""
        turn, seat = self.table.turn + 1, self.table.on_turn + 1
        self.source.begin(turn, seat)
        self.table.turn = turn
        self.log.append(("turn", turn, seat, ""))

    def ask(self, who: int, question: Question, options: Sequence[T]) -> T:
        """Return what a player chooses; he is not asked where there is nothing to choose."""
        if len(options) == 1:
            return options[0]
        moment = self.moment if question is Question.CARD else ""
        chosen: T = self.source.choose(question, who + 1, options, moment)
        if question is not Question.CARD or chosen is not None:
            self.log.append((question, who + 1, chosen, moment))
        return chosen

    def fall(self, chance: Chance, pool: Sequence[T]) -> T:
        """Return what chance decides: one of a pool."""
        fallen: T = self.source.fall(chance, pool)
        self.log.append((chance, None, fallen, ""))
        return fallen

    def put_away(self, card: str) -> None:
        """Put a card on the discard pile of its deck."""
        own = self.rules.together and card in self._martian
        (self.martian_cards if own else self.events).discarded.append(card)

    # --- Martians

    def place_martian(self, square: Square) -> None:
        """Place a Martian from the supply; with the last one the cooperative game is lost."""
        table = self.table
        table.martians.add(square)
        table.supply -= 1
        if table.rules.together and not table.supply:
            self.end(Ending.INVADED)

    def remove_martian(self, square: Square) -> None:
        """Take a Martian off the map that nobody collects."""
        self.table.martians.remove(square)
        self._give_up(1)

    def collect(self, who: int, square: Square) -> None:
        """Add a killed Martian to a player's collection."""
        self.table.martians.remove(square)
        seat = self.seat(who)
        seat.martians += 1
        if not self.rules.together and seat.martians >= self.rules.goal:
            self.end(Ending.COLLECTED, who)

    def lose_half(self, who: int) -> None:
        """Take half of a player's Martians, rounded up."""
        seat = self.seat(who)
        lost = (seat.martians + 1) // 2
        seat.martians -= lost
        self._give_up(lost, by_death=True)

    def _give_up(self, number: int, *, by_death: bool = False) -> None:
        if self.rules.together or (by_death and self.rules.lost is Lost.BOX):
            self.table.box += number
        else:
            self.table.supply += number

    # --- tokens

    def gain(self, who: int, token: Token, number: int) -> None:
        """Give a player life or bullet tokens from the bank, five at most."""
        seat, bank = self.seat(who), self.table.bank
        has = seat.lives if token is Token.LIFE else seat.bullets
        number = min(number, MOST_TOKENS - has, bank[token])
        bank[token] -= number
        self._count(seat, token, has + number)

    def pay(self, who: int, token: Token, number: int) -> None:
        """Take life or bullet tokens from a player, as far as he has them."""
        seat = self.seat(who)
        has = seat.lives if token is Token.LIFE else seat.bullets
        number = min(number, has)
        self.table.bank[token] += number
        self._count(seat, token, has - number)

    @staticmethod
    def _count(seat: Seat, token: Token, number: int) -> None:
        if token is Token.LIFE:
            seat.lives = number
        else:
            seat.bullets = number

    # --- the end

    def end(self, ending: Ending, *who: int) -> NoReturn:
        """End the game.

        Raises
        ------
        GameOver
            Always.
        """
        raise GameOver(Result(ending, tuple(i + 1 for i in who), self.table.turn))

    def check_ship(self) -> None:
        """End the game if the Mother Ship is reached with all items.

        Raises
        ------
        GameOver
            If it is.
        """
        table = self.table
        ship = table.mother_ship
        if ship is None or ship in table.martians:
            return
        there = [who for who, seat in enumerate(table.seats) if seat.at == ship]
        complete = [who for who in there if len(table.seats[who].items) == len(ITEMS)]
        if not self.rules.together:
            if complete:
                self.end(Ending.SHIP, complete[0])
            return
        everyone = range(len(table.seats))
        whose = {
            Team.EVERYONE: everyone if len(there) == len(everyone) else (),
            Team.CARRIERS: there,
            Team.ONE: complete,
        }[self.rules.team]
        if {item for who in whose for item in table.seats[who].items} == set(ITEMS):
            self.end(Ending.SHIP, *everyone)
