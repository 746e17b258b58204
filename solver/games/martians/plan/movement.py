"""The rules of a movement on the board, as states; what comes after it is told by who uses them.

Source: the rulebook, Turn Sequence Overview; Player Movement Rules; Combat Rules; Martian Ship
Tokens; readings `movement`, `pickup`, `face-down`, `crop circle`, `last-life`, `at-five`, `death`.

A state tells, after its kind, the *place*: (square, lives, bullets, Martians collected, squares
with a Martian, finds, moves left); moves are -1 before the movement roll.

* ``("roll", *place)``: the movement roll gives d6 + life tokens moves;
* ``("walk", *place)``: stop, or take a step;
* ``("arm", *place)``: weapons are held, one may be used in this fight;
* ``("fight", *place, bonus, rerolls)``: the die is rolled;
* ``("short", *place, bonus, rerolls, short)``: a losing roll, to be mended;
* ``("find", *place)``: a token is turned over and taken;
* ``("circle", *place)``: a face-down crop circle, which may be turned;
* ``("turned", *place)``: it is being turned.
"""

from __future__ import annotations

from typing import Any

from solver.games.martians.combat import FACES, MOST_TOKENS, arms, choices, rolls
from solver.games.martians.plan.finds import (
    ALL_ITEMS,
    BULLET,
    ITEM_BITS,
    LIFE,
    Finds,
    put_back,
    reveal,
    token_squares,
    turn_circle,
)
from solver.games.martians.plan.ground import AtFive, Ground
from solver.games.martians.weapons import Weapon
from solver.games.protocol import Choose, Expansion, Roll

State = tuple[Any, ...]
Place = tuple[int, int, int, int, int, Finds, int]
NOT_ROLLED = -1

_BIT_OF = dict(ITEM_BITS)


class Movement:
    """The rules of a movement; a class that has a ``ground`` and says how a movement ends."""

    __slots__ = ()

    ground: Ground

    def stopped(self, place: Place) -> State:
        """Return the state after a movement that ended otherwise than by death or victory."""
        raise NotImplementedError

    def dead(self, place: Place) -> State:
        """Return the state after a death."""
        raise NotImplementedError

    def collected(self, place: Place) -> State:
        """Return the state after the Martian that wins."""
        raise NotImplementedError

    def aboard(self, place: Place) -> State:
        """Return the state of a player at the Mother Ship with all items."""
        raise NotImplementedError

    def weapons(self, place: Place) -> tuple[Weapon, ...]:
        """Return the weapons that the player holds."""
        del place
        return self.ground.weapons

    def begin(self, place: Place) -> State:
        """Return the state in which a movement begins: with the fight on the own square."""
        return self._met(place) if place[4] >> place[0] & 1 else self.free(place)

    def move(self, state: State) -> Expansion:
        """Return what happens at a state of a movement."""
        kind = state[0]
        place: Place = state[1:8]
        if kind == "roll":
            return Roll([(1, self.free((*place[:6], face + place[1]))) for face in FACES])
        if kind == "walk":
            return Choose({"stop": self.stopped(place), **self.steps(place)})
        if kind == "arm":
            use = arms(self.weapons(place))
            return Choose({name: ("fight", *place, *how) for name, how in use.items()})
        if kind == "find":
            found = reveal(place[5], place[0])
            return Roll([(w, self._taken(place, token, left)) for w, token, left in found])
        if kind == "circle":
            return Choose({"turn": ("turned", *place), "leave": self.free(place)})
        if kind == "turned":
            shown = turn_circle(place[5], place[0])
            return Roll([(w, self._landed((*place[:5], left, place[6]))) for w, left in shown])
        bonus, rerolls = state[8:10]
        if kind == "fight":
            wins, losses = rolls(bonus)
            branches: list[tuple[int, State]] = [(wins, self.won(place))]
            branches += [(w, ("short", *state[1:], short)) for short, w in losses.items()]
            return Roll(branches)
        return Choose(self.mend(place, bonus, rerolls, state[10]))

    def steps(self, place: Place) -> dict[str, State]:
        """Return where each step leads, by the square's coordinates (``4,1``)."""
        options: dict[str, State] = {}
        for square in self.ground.near[place[0]]:
            x, y = self.ground.squares[square]
            options[f"{x},{y}"] = self._entered((square, *place[1:6], place[6] - 1))
        return options

    def mend(self, place: Place, bonus: int, rerolls: int, short: int) -> dict[str, State]:
        """Return what can be done about a losing roll, in canonical order."""
        at, lives, bullets, martians, standing, finds, moves = place
        rest = martians, standing, finds, moves
        options: dict[str, State] = {}
        last_life = self.ground.last_life
        for action, after in choices(last_life, lives, bullets, rerolls, short).items():
            ending, lives_left, bullets_left, rerolls_left = after
            if ending == "won":
                options[action] = self.won((at, lives_left, bullets_left, *rest))
            elif ending == "again":
                there = at, lives_left, bullets_left, *rest
                options[action] = ("fight", *there, bonus, rerolls_left)
            else:
                options[action] = self.dead(place)
        return options

    def won(self, place: Place) -> State:
        """Return the state after a fight is won on a square."""
        at, lives, bullets, martians, standing, finds, moves = place
        after = at, lives, bullets, martians + 1, standing & ~(1 << at), finds, moves
        if 0 < self.ground.goal <= martians + 1:
            return self.collected(after)
        return self.free(after) if moves == NOT_ROLLED else self._landed(after)

    def free(self, place: Place) -> State:
        """Return the state in which the player may go on, or has no moves left."""
        if place[6] == NOT_ROLLED:
            return ("roll", *place)
        return ("walk", *place) if place[6] else self.stopped(place)

    def _entered(self, place: Place) -> State:
        return self._met(place) if place[4] >> place[0] & 1 else self._landed(place)

    def _met(self, place: Place) -> State:
        return ("arm", *place) if self.weapons(place) else ("fight", *place, 0, 0)

    def _landed(self, place: Place) -> State:
        """Return the state on a square that was entered and has no Martian to be met."""
        at, finds = place[0], place[5]
        if at == finds.ship and finds.held == ALL_ITEMS:
            return self.aboard(place)
        if token_squares(finds) >> at & 1:
            return ("find", *place)
        return ("circle", *place) if finds.circles >> at & 1 else self.free(place)

    def _taken(self, place: Place, token: int, left: Finds) -> State:
        at, lives, bullets, martians, standing, _, moves = place
        if token in _BIT_OF:
            bit = _BIT_OF[token]
            taken = left._replace(held=left.held | bit)
            left = put_back(left, at, token) if left.held & bit else taken
        elif (lives if token == LIFE else bullets) == MOST_TOKENS:
            left = put_back(left, at, token) if self.ground.at_five is AtFive.GOES_BACK else left
        else:
            lives, bullets = lives + (token == LIFE), bullets + (token == BULLET)
        return self.free((at, lives, bullets, martians, standing, left, moves))
