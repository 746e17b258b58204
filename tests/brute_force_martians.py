"""Martians!!! by brute force: every order in which the die can fall, in exact fractions.

Written from the rulebook alone, and slow on purpose: tokens are letters in a string that is
handed over letter by letter, each face of the die is looked at by itself, each token of an income
is drawn by itself, and nothing of the library is used. Standings are (Martians, lives, bullets,
armed); weapons are texts, ``"+1"`` or ``"reroll:2"``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

FACES = range(1, 7)
TOKENS = range(6)

Number = Any
Standing = tuple[int, int, int, int]
FightPayoff = Callable[[int, int, int, bool], Number]
"""(kills, lives, bullets, dead) -> what it is worth."""
HuntPayoff = Callable[[int, int, int, int, str], Number]
"""(Martians, lives, bullets, armed, ending) -> what it is worth."""


def average(values: Sequence[Number]) -> Number:
    return sum(values, Fraction(0)) / len(values)


def weapon(text: str) -> tuple[int, int]:
    """What a weapon adds to the die, and how often a roll can be made again."""
    kind, _, number = text.partition(":")
    return (0, int(number)) if kind == "reroll" else (int(text.removeprefix("+")), 0)


class Combat:
    """Fights, whatever comes after them: `where` tells what has been and what is ahead."""

    def __init__(self, last_life: str = "dies", weapons: Sequence[str] = ()) -> None:
        self.one_more_roll = last_life == "one-more-roll"
        self.weapons = [weapon(text) for text in weapons]
        self.known: dict[Hashable, Number] = {}

    def won(self, where: Any, lives: str, bullets: str) -> Number:
        raise NotImplementedError

    def died(self, where: Any, bullets: str) -> Number:
        raise NotImplementedError

    def fight(self, where: Any, lives: str, bullets: str, *, armed: bool) -> Number:
        """One weapon may be used in a fight; which, is said before the first roll."""
        weapons = self.weapons if armed else []
        return max(self.roll(where, lives, bullets, *use) for use in [(0, 0), *weapons])

    def roll(self, where: Any, lives: str, bullets: str, bonus: int, again: int) -> Number:
        key = where, lives, bullets, bonus, again
        if key not in self.known:
            self.known[key] = average([self.see(face, *key) for face in FACES])
        return self.known[key]

    def see(
        self, face: int, where: Any, lives: str, bullets: str, bonus: int, again: int
    ) -> Number:
        """Four, five and six win; else spend, or roll again for a life or for the weapon's sake."""
        if face + bonus >= 4:
            return self.won(where, lives, bullets)
        ways = []
        if face + bonus + len(bullets) >= 4:
            ways.append(self.won(where, lives, bullets[4 - face - bonus :]))
        if again:
            ways.append(self.roll(where, lives, bullets, bonus, again - 1))
        out_of_lives = lives == "" if self.one_more_roll else lives == "L"
        if out_of_lives:
            ways.append(self.died(where, bullets))
        else:
            ways.append(self.roll(where, lives[1:], bullets, bonus, again))
        return max(ways)


class Fights(Combat):
    """The best expected payoff of so many fights in a row; `where` counts the kills."""

    def __init__(self, fights: int, payoff: FightPayoff, **rules: Any) -> None:
        super().__init__(**rules)
        self.fights, self.payoff = fights, payoff

    def best(self, lives: int, bullets: int) -> Number:
        return self.won(-1, "L" * lives, "B" * bullets)

    def won(self, where: int, lives: str, bullets: str) -> Number:
        kills = where + 1
        if kills == self.fights:
            return self.payoff(kills, len(lives), len(bullets), False)
        return self.fight(kills, lives, bullets, armed=True)

    def died(self, where: int, bullets: str) -> Number:
        return self.payoff(where, 0, len(bullets), True)


def surviving(_kills: int, _lives: int, _bullets: int, dead: bool) -> Fraction:
    return Fraction(not dead)


def killing(kills: int, _lives: int, _bullets: int, _dead: bool) -> Fraction:
    return Fraction(kills)


def income_of_tokens(rate: Fraction) -> dict[tuple[int, int], Fraction]:
    """Tokens one by one, in every order: one in three is a life, as in the box."""
    sure = int(rate)
    chances: dict[tuple[int, int], Fraction] = {}
    for tokens, chance in ((sure, 1 - rate + sure), (sure + 1, rate - sure)):
        for found in product("LBB", repeat=tokens):
            gift = found.count("L"), found.count("B")
            chances[gift] = chances.get(gift, Fraction(0)) + chance / 3**tokens
    return {gift: chance for gift, chance in chances.items() if chance}


class HuntTurn(Combat):
    """The best expected payoff of a turn; `where` is (Martians, moves left, armed)."""

    def __init__(
        self,
        goal: int,
        payoff: HuntPayoff,
        *,
        income: Mapping[tuple[int, int], Number] | None = None,
        **rules: Any,
    ) -> None:
        super().__init__(**rules)
        self.goal, self.payoff = goal, payoff
        self.income = {(0, 0): Fraction(1)} if income is None else income

    def best(self, martians: int, lives: int, bullets: int, armed: int = 0) -> Number:
        value: Number = Fraction(0)
        for (more_lives, more_bullets), chance in self.income.items():
            now = ("L" * (lives + more_lives))[:5], ("B" * (bullets + more_bullets))[:5]
            value += chance * self.move(martians, *now, armed)
        return value

    def move(self, martians: int, lives: str, bullets: str, armed: int) -> Number:
        key = martians, lives, bullets, armed
        if key not in self.known:
            moves = [face + len(lives) for face in FACES]
            self.known[key] = average([self.ready((martians, n, armed), *key[1:3]) for n in moves])
        return self.known[key]

    def ready(self, where: tuple[int, int, int], lives: str, bullets: str) -> Number:
        """Between fights: at the goal, out of moves, or free to stop or go on."""
        martians, moves, armed = where
        if martians == self.goal:
            return self.payoff(self.goal, 0, 0, 0, "goal")
        stop = self.payoff(martians, len(lives), len(bullets), armed, "stopped")
        if not moves:
            return stop
        ahead = martians, moves - 1, armed
        return max(stop, self.fight(ahead, lives, bullets, armed=bool(armed)))

    def won(self, where: tuple[int, int, int], lives: str, bullets: str) -> Number:
        martians, moves, armed = where
        return self.ready((martians + 1, moves, armed), lives, bullets)

    def died(self, where: tuple[int, int, int], _bullets: str) -> Number:
        """Half of the collection is lost, of an odd number the greater half."""
        collection = "M" * where[0]
        return self.payoff(len(collection[1::2]), 3, 3, 0, "dead")


def standings(goal: int, last_life: str = "dies", *, armed: bool = False) -> list[Standing]:
    """Every standing with which a turn can begin."""
    everything = product(range(goal), TOKENS, TOKENS, (0, 1) if armed else (0,))
    return [s for s in everything if s[1] or last_life == "one-more-roll"]


def turns_alone(
    goal: int, *, sweeps: int, start: Mapping[Standing, float] | None = None, **rules: Any
) -> dict[Standing, float]:
    """The fewest expected turns to the goal, by so many sweeps of value iteration from zero.

    Cut off after so many turns, the number can only be too small, and grows with the sweeps.
    `start` is what earlier sweeps have come to.
    """
    turns = dict.fromkeys(_standings(goal, rules), 0.0) if start is None else dict(start)
    for _ in range(sweeps):
        before = dict(turns)

        def less(martians, lives, bullets, armed, ending, before=before):
            return 0.0 if ending == "goal" else -before[martians, lives, bullets, armed]

        turn = HuntTurn(goal, less, **rules)
        turns = {standing: 1.0 - turn.best(*standing) for standing in turns}
    return turns


def chance_within(goal: int, turns: int, **rules: Any) -> dict[Standing, Fraction]:
    """The best chance to have the goal within so many turns."""
    chance: dict[Standing, Number] = dict.fromkeys(_standings(goal, rules), Fraction(0))
    for _ in range(turns):
        before = dict(chance)

        def ahead(martians, lives, bullets, armed, ending, before=before):
            return Fraction(1) if ending == "goal" else before[martians, lives, bullets, armed]

        turn = HuntTurn(goal, ahead, **rules)
        chance = {standing: turn.best(*standing) for standing in chance}
    return chance


def race_of_two(
    goal: int, *, sweeps: int, start: float, **rules: Any
) -> dict[tuple[Standing, Standing], float]:
    """The chance of the player on turn to be first at the goal, (own, other) standing.

    Value iteration: cut off after so many turns, what is still open counts as `start` for the one
    then on turn. From 0 and from 1 the truth is between the two.
    """
    every = _standings(goal, rules)
    wins = {(own, other): start for own in every for other in every}
    for _ in range(sweeps):
        before = dict(wins)
        for other in every:

            def ahead(martians, lives, bullets, armed, ending, before=before, other=other):
                after = martians, lives, bullets, armed
                return 1.0 if ending == "goal" else 1.0 - before[other, after]

            turn = HuntTurn(goal, ahead, **rules)
            wins |= {(own, other): turn.best(*own) for own in every}
    return wins


def _standings(goal: int, rules: Mapping[str, Any]) -> list[Standing]:
    return standings(goal, rules.get("last_life", "dies"), armed=bool(rules.get("weapons")))
