"""Second witnesses for the games of other people: plain recursions that share nothing with them.

Dice are ordered and enumerated one by one, scoring is by taking dice away, and values that hang
on themselves are found by going round until they stand still.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import combinations, product

# --- Threes


@cache
def fewest(dice, nothing=3):
    """Fewest expected points of so many dice, every roll and every choice looked at."""
    if not dice:
        return Fraction(0)
    total = Fraction(0)
    for shown in product(range(1, 7), repeat=dice):
        worth = [0 if face == nothing else face for face in shown]
        total += min(
            sum(worth[i] for i in kept) + fewest(dice - len(kept), nothing)
            for count in range(1, dice + 1)
            for kept in combinations(range(dice), count)
        )
    return total / 6**dice


# --- Zombie Dice: every die is itself, and three feet are rolled until the values stand still

FACES = {"G": "BBBFFS", "Y": "BBFFSS", "R": "BFFSSS"}


class Zombie:
    """A turn with the dice in `cup`, over with `most` brains; by value iteration."""

    def __init__(self, cup, most, literal):
        self.all, self.most, self.literal = tuple(sorted(cup)), most, literal
        self.after = {}
        self.start = (0, self.all, (), ())
        open_ = [self.start]
        while open_:
            state = open_.pop()
            if state not in self.after:
                self.after[state] = self.rolled(state)
                open_ += [s for s in self.after[state] if s and self.brains(s) < most]

    def solve(self):
        value = dict.fromkeys(self.after, 0.0)
        for _ in range(500):
            off = 0.0
            for state, after in self.after.items():
                worth = sum(chance * self.worth(s, value) for s, chance in after.items())
                off = max(off, abs(worth - value[state]))
                value[state] = worth
            if off < 1e-15:
                return value[self.start]
        raise AssertionError("it does not settle")

    def brains(self, state):
        noted, cup, feet, shot = state
        return noted + len(self.all) - len(cup) - len(feet) - len(shot)

    def worth(self, state, value):
        """Of a state after a roll: stop, or roll again."""
        if state is None:
            return 0.0
        brains = min(self.brains(state), self.most)
        return float(brains) if brains == self.most else max(float(brains), value[state])

    def rolled(self, state):
        """State after a roll (None after three shotguns) -> chance; draws and faces in order."""
        noted, cup, feet, shot = state
        need = 3 - len(feet)
        if need and len(cup) < (3 if self.literal else need):
            away = Counter(self.all) - Counter(cup) - Counter(feet) - Counter(shot)
            noted += sum(away.values())
            cup = tuple(sorted((*cup, *away.elements())))
        draws = list(combinations(range(len(cup)), need))
        found = Counter()
        for drawn in draws:
            hand = (*feet, *(cup[i] for i in drawn))
            rest = tuple(d for i, d in enumerate(cup) if i not in drawn)
            for faces in product(*(FACES[d] for d in hand)):
                shown = list(zip(hand, faces, strict=True))
                hits = tuple(sorted((*shot, *(d for d, f in shown if f == "S"))))
                kept = tuple(sorted(d for d, f in shown if f == "F"))
                found[(noted, rest, kept, hits) if len(hits) < 3 else None] += 1
        return {after: count / len(draws) / 216 for after, count in found.items()}


# --- Farkle: what a roll can be scored for, by taking combinations away


def combos(rules):
    """Every combination of dice that scores, with its points."""
    found = [((1,), 100), ((5,), 50)]
    for face in range(1, 7):
        triple = rules.get("three_ones", 300) if face == 1 else 100 * face
        found.append(((face,) * 3, triple))
        for count in (4, 5, 6):
            kinds = rules.get("kinds", "fixed")
            worth = {
                "fixed": 1000 * (count - 3),
                "double": triple * 2 ** (count - 3),
                "add": triple * (count - 2),
                "triples": 0,
            }[kinds]
            if worth:
                found.append(((face,) * count, worth))
    pairs = list(combinations(range(1, 7), 2))
    found.append(((1, 2, 3, 4, 5, 6), rules.get("straight", 1500)))
    found += [((a, a, b, b, c, c), rules.get("three_pairs", 1500))
              for a, b, c in combinations(range(1, 7), 3)]  # fmt: skip
    for a, b in pairs:
        found.append(((a,) * 3 + (b,) * 3, rules.get("two_triplets", 2500)))
        found.append(((a,) * 4 + (b,) * 2, rules.get("four_pair", 1500)))
        found.append(((a,) * 2 + (b,) * 4, rules.get("four_pair", 1500)))
    found.append(((1, 2, 3, 4, 5), rules.get("low_straight", 0)))
    found.append(((2, 3, 4, 5, 6), rules.get("high_straight", 0)))
    return [(Counter(dice), points) for dice, points in found if points]


def ways(roll, scoring):
    """(Dice kept, ascending) -> most points, for every set of dice that scores, all of it."""
    found = {}

    def take(left, kept, points):
        key = tuple(sorted(kept.elements()))
        if key in found and found[key] >= points:
            return
        found[key] = points
        for dice, worth in scoring:
            if all(left[face] >= n for face, n in dice.items()):
                take(left - dice, kept + dice, points + worth)

    take(Counter(roll), Counter(), 0)
    del found[()]
    return found


class FarkleTurn:
    """A turn of Farkle by plain recursion, for any payoff of its points."""

    def __init__(self, rules, target, floor=0):
        self.target, self.floor = target, floor
        scoring = combos(rules)
        self.rolls = {}
        for dice in range(1, 7):
            shown = Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))
            self.rolls[dice] = Counter()
            for roll, count in shown.items():
                found = {(len(kept), points) for kept, points in ways(roll, scoring).items()}
                self.rolls[dice][tuple(sorted(found))] += count

    def best(self, payoff):
        """The best expectation of payoff(points) from the first roll on."""

        @cache
        def rolled(dice, total):
            worth = 0
            for options, count in self.rolls[dice].items():
                after = [aside(dice - used or 6, total + points) for used, points in options]
                worth += count * max(after, default=payoff(0))
            return Fraction(worth, 6**dice) if isinstance(worth, int) else worth / 6**dice

        @cache
        def aside(left, total):
            if total >= self.target:
                return payoff(self.target)
            again = rolled(left, total)
            return max(payoff(total), again) if total >= self.floor else again

        return rolled(6, 0)


def farkle_race(rules, target, *, immediate, opening=0, rounds=400):
    """Chances of the seat on turn in a race of two, by going round: {(mover, own, other): chance}.

    Scores are counted in fifties; a tie is shared.
    """
    turns = {False: FarkleTurn(rules, target), True: copy(FarkleTurn(rules, target))}
    turns[True].floor = opening
    size = target // 50
    won = {}
    chance = {(m, a, b): 0.5 for m in (0, 1) for a in range(size) for b in range(size)}

    def last(lead, own):
        """The second seat's chance when the first has reached the target."""
        if (lead, own) not in won:

            def payoff(points):
                return float(own + points // 50 > lead) + 0.5 * (own + points // 50 == lead)

            won[lead, own] = turns[bool(opening) and own == 0].best(payoff)
        return won[lead, own]

    for _ in range(rounds):
        off = 0.0
        for (m, a, b), known in chance.items():

            def payoff(points, m=m, a=a, b=b):
                after = a + points // 50
                if after >= size and (immediate or m == 1):
                    return 1.0
                if after >= size:
                    return 1.0 - last(after, b)
                return 1.0 - chance[1 - m, b, after]

            value = turns[bool(opening) and a == 0].best(payoff)
            off = max(off, abs(value - known))
            chance[m, a, b] = value
        if off < 1e-14:
            return chance
    raise AssertionError("it does not settle")
