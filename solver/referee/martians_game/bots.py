"""Two bots: one that does anything, and one that takes what is nearest.

They set a floor for better ones. Both see what a player sees, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from solver.errors import unknown
from solver.games.martians.board.components import ITEMS, Circle, Token
from solver.games.martians.board.layout import Square
from solver.games.martians.cards.effects import (
    Attack,
    Combat,
    Draw,
    Effect,
    Searchlight,
    Squares,
    Tokens,
    Weapon,
)
from solver.games.martians.combat import MOST_TOKENS
from solver.referee.martians_game.player import Player, View
from solver.referee.martians_game.questions import Question
from solver.referee.martians_game.rules import Team
from solver.referee.martians_game.table.ground import Placement


class RandomBot(Player):
    """Every legal answer is equally likely.

    Parameters
    ----------
    rng
        Where chance comes from.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._cup: list[float] = []

    def decide(self, question: Question, view: View, options: Sequence[Any]) -> Any:
        """Answer anything."""
        del question, view
        if not self._cup:
            self._cup = self._rng.random(64).tolist()
        return options[int(self._cup.pop() * len(options))]


class GreedyBot(Player):
    """Goes for the nearest thing that is worth having, and fights while it can afford to.

    * A tile is placed as near to the own pawn's tile as possible, in columns plus rows.
    * It uses the weapon that adds most, else the one with most re-rolls. A losing roll is made
      again if a weapon allows it, else paid with bullets, else with a life.
    * It is *careful* with one life token and fewer than three bullets: then it wants no Martian
      and enters no square with one, unless there is nothing else to walk to.
    * It walks a shortest way (of those, to the least next square) to the nearest of what it wants,
      and stops if there is nothing: the Mother Ship once it is revealed and the items are
      complete, and nothing else then; otherwise squares with a token it can use or does not know,
      unturned crop circles, and Martians unless it is careful.
    * It turns over every crop circle.
    * It moves the Martian that gets nearest to its own pawn without stepping on it.
    * It plays weapons, tokens for itself below the limit, moves for itself, searchlights, cards
      that draw; in the noncooperative game attacks and what harms the others; a better combat
      roll only over a losing one. The victim is who has most Martians, then the first seat.
    * It discards the first card that it would never play.
    """

    def placement(self, view: View, options: Sequence[Placement]) -> Placement:
        """Place the tile near the own pawn."""
        x, y = view.me.at
        return min(options, key=lambda p: abs(p[0] - x // 3) + abs(p[1] - y // 3))

    def arm(self, view: View, options: Sequence[str | None]) -> str | None:
        """Use the best weapon."""

        def strength(name: str | None) -> tuple[int, int]:
            weapon = view.card(name).weapon if name else None
            return (weapon.bonus, weapon.rerolls) if weapon else (0, 0)

        return max(options, key=strength)

    def pay(self, view: View, options: Sequence[str]) -> str:
        """Roll again, else spend, else forfeit."""
        del view
        return next(word for word in ("reroll", "spend", "forfeit") if word in options)

    def step(self, view: View, options: Sequence[Square | None]) -> Square | None:
        """Walk to the nearest thing that it wants."""
        if _careful(view):
            to = _way(view, options, _wanted(view, careful=True), view.table.martians)
            if to is not None:
                return to
        return _way(view, options, _wanted(view, careful=False), set())

    def martian(
        self, view: View, options: Sequence[tuple[Square, Square]]
    ) -> tuple[Square, Square]:
        """Bring a Martian near."""
        near = view.table.ground.martian
        ends = {to for _, to in options}
        ring = [view.me.at]
        seen = set(ring)
        while ring:
            ring = [to for here in ring for to in near[here] if to not in seen]
            seen.update(ring)
            found = ends.intersection(ring)
            if found:
                return next(way for way in options if way[1] in found)
        return options[0]

    def card(self, view: View, options: Sequence[str | None]) -> str | None:
        """Play the first card that helps now."""
        for name in options:
            if name and all(self._helps(view, effect) for effect in view.card(name).effects):
                return name
        return None

    def target(self, view: View, options: Sequence[int]) -> int:
        """Choose the leader."""
        return max(options, key=lambda seat: view.table.seats[seat - 1].martians)

    def discard(self, view: View, options: Sequence[str | None]) -> str | None:
        """Discard a card that is of no use."""
        for name in options:
            if name and not all(_useful(view, effect) for effect in view.card(name).effects):
                return name
        return None if None in options else options[0]

    @staticmethod
    def _helps(view: View, effect: Effect) -> bool:
        if not _useful(view, effect):
            return False
        if isinstance(effect, Combat):
            return view.my_turn and view.fight is not None
        if isinstance(effect, Tokens) and effect.who == "self":
            lacks_life = effect.lives > 0 and view.me.lives < MOST_TOKENS
            return lacks_life or (effect.bullets > 0 and view.me.bullets < MOST_TOKENS)
        return True


def _useful(view: View, effect: Effect) -> bool:
    """Return whether it would ever play a card with this effect."""
    against = not view.rules.together
    if isinstance(effect, Attack):
        return against
    if isinstance(effect, Tokens):
        if effect.who == "self":
            return effect.lives >= 0 and effect.bullets >= 0
        return against and effect.who == "victim" and effect.lives <= 0 and effect.bullets <= 0
    if isinstance(effect, Squares):
        return effect.number > 0 if effect.who == "self" else against and effect.number < 0
    if isinstance(effect, Combat):
        return effect.bonus > 0 and effect.who == "self"
    return isinstance(effect, Weapon | Searchlight | Draw)


def _careful(view: View) -> bool:
    return view.me.lives <= 1 and view.me.bullets < 3


def _way(
    view: View, options: Sequence[Square | None], wanted: set[Square], closed: set[Square]
) -> Square | None:
    """Return the first square of a shortest way to what is wanted; None if there is no way."""
    near = view.table.ground.pawn
    seen = {view.me.at}
    ring: list[tuple[Square, Square]] = [(to, to) for to in options if to is not None]
    while ring:
        ahead: list[tuple[Square, Square]] = []
        for here, first in ring:
            if here in seen or here in closed:
                continue
            if here in wanted:
                return first
            seen.add(here)
            ahead += [(there, first) for there in near[here] if there not in seen]
        ring = ahead
    return None


def _wanted(view: View, *, careful: bool) -> set[Square]:
    """Return the squares worth walking to."""
    table, me = view.table, view.me
    team = view.rules.together and view.rules.team is not Team.ONE
    owners = table.seats if team else [me]
    ship = table.mother_ship
    if ship is not None and {item for seat in owners for item in seat.items} == set(ITEMS):
        return {ship}
    full = {
        token
        for token, has in ((Token.LIFE, me.lives), (Token.BULLET, me.bullets))
        if has >= MOST_TOKENS
    }
    wanted = {square for square, token in table.known.items() if token not in full | me.items}
    wanted.update(square for group in table.hidden.values() for square in group.squares)
    wanted.update(square for square, shows in table.circles.items() if shows is Circle.FACE_DOWN)
    if not careful:
        wanted |= table.martians
    return wanted


Maker = Callable[[np.random.Generator], Player]
"""Makes a player out of a generator of its own."""

BOTS: dict[str, Maker] = {"random": RandomBot, "greedy": lambda _rng: GreedyBot()}


def bot(name: str, rng: np.random.Generator) -> Player:
    """Return a bot by its name.

    Raises
    ------
    UnknownNameError
        If there is none, with the nearest.
    """
    if name not in BOTS:
        raise unknown("bot", name, BOTS, field="policies")
    return BOTS[name](rng)
