"""Small games that race to a goal, with answers known by hand."""

from __future__ import annotations

from dataclasses import dataclass

from solver.games.protocol import Bank, Choose, GoalRace, Roll


@dataclass(frozen=True)
class Walk:
    """A fair coin a turn: one step up or one down, never below zero; a player may stand still.

    From a to the goal g takes g(g + 1) - a(a + 1) turns on average.
    """

    goal: int
    name = "walk"

    @property
    def goal_race(self):
        return GoalRace(lambda x: None if x == self.goal else x)

    def start(self):
        return ("turn", 0)

    def starts(self):
        return {a: ("turn", a) for a in range(self.goal)}

    def points(self, outcome):
        return outcome

    def expand(self, state):
        kind, a = state
        if kind == "over":
            return Bank(a)
        if kind == "turn":
            return Choose({"stand": ("over", a), "flip": ("flip", a)})
        return Roll([(1, ("over", a + 1)), (1, ("over", max(a - 1, 0)))])


@dataclass(frozen=True)
class Coin:
    """One coin a turn: heads wins. The first of two seats wins 2/3."""

    name = "coin"

    @property
    def goal_race(self):
        return GoalRace(lambda x: None if x else "start")

    def start(self):
        return "flip"

    def starts(self):
        return {"start": "flip"}

    def expand(self, state):
        if state == "flip":
            return Roll([(1, 0), (1, 1)])
        return Bank(state)


@dataclass(frozen=True)
class Detour:
    """Up one by a sure step, or a gamble: the goal with chance p/10, else back to zero.

    The sure step is open only from even standings: from odd ones the gamble must be taken.
    """

    goal: int
    tenths: int
    name = "detour"

    @property
    def goal_race(self):
        return GoalRace(lambda x: None if x >= self.goal else x)

    def start(self):
        return ("turn", 0)

    def starts(self):
        return {a: ("turn", a) for a in range(self.goal)}

    def points(self, outcome):
        return outcome

    def expand(self, state):
        kind, a = state
        if kind == "over":
            return Bank(a)
        if kind == "turn":
            step = {"step": ("over", a + 1)} if a % 2 == 0 else {}
            return Choose({"stand": ("over", a), **step, "gamble": ("gamble", a)})
        return Roll([(self.tenths, ("over", self.goal)), (10 - self.tenths, ("over", 0))])


@dataclass(frozen=True)
class Stuck:
    """A turn that leads nowhere."""

    name = "stuck"

    @property
    def goal_race(self):
        return GoalRace(lambda x: None if x == 1 else x)

    def start(self):
        return ("over", 0)

    def starts(self):
        return {0: ("over", 0)}

    def expand(self, state):
        return Bank(state[1])
