"""A player of the complete game of Martians!!! that moves, fights and moves Martians by plan.

What a movement is played for: the fewest turns to the Martians that win, as if the turns to come
were hunts in the open field with a steady income of tokens; to win at once, by Martians or at the
Mother Ship, is the best there is. An item is worth `ITEM` turns, for it helps to win at the Mother
Ship. A step between the square on which the movement ends and the nearest Martian of the beginning
costs `STEP` turns: the open field always has one near, and the board has not. In the cooperative
game items are worth a turn each, and Martians nothing.

The plan for that is exact; what it is played for is a guess at what makes a game go well. What it
does not plan (tiles, cards) it does as the greedy bot, and so it does where a plan would be too
large. So it moves Martians too, unless it is told to look at boards: then it moves them so that its
own next turn is worth most, one at a time, looking at those that differ nearest to its pawn. With
four boards looked at it won 19 of 40 games against the greedy bot, with none 130 of 200: what is
good for the next turn alone, with nobody else at the table, is not what a game of two asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from solver.advisor import Advisor
from solver.advisor.board.objectives import BoardReadings, fewest_turns
from solver.errors import TooLargeError
from solver.games.martians.board.layout import Square
from solver.games.martians.combat import LastLife
from solver.games.martians.hunt import Hunt
from solver.games.martians.plan import ground_of
from solver.games.martians.plan.finds import squares_in
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.invaders import invaders_of
from solver.games.martians.plan.outcome import BoardOutcome, Payoff, Use
from solver.referee.martians_game import GreedyBot, View
from solver.referee.martians_game.bots import Maker
from solver.tablebase.read import open_tables
from solver.turn.board import Follower, plan_march

ITEM = 0.3
STEP = 0.12
MOST_NODES = 60_000
LOOKED_AT = 0
"""Boards that are looked at for each Martian that is moved; 0 to move them as the greedy bot."""
_USES: frozenset[Use] = frozenset({"place", "tokens", "martians", "items", "win"})
_FAR = 20


class PlannerBot(GreedyBot):
    """Plays by plan.

    Parameters
    ----------
    looked_at
        Boards that are looked at for each Martian that is moved; 0 to move them as the greedy bot.
    most_nodes
        Limit of a plan.
    """

    def __init__(self, *, looked_at: int = LOOKED_AT, most_nodes: int = MOST_NODES) -> None:
        self._looked_at, self._most_nodes = looked_at, most_nodes
        self._turn = -1
        self._follower: Follower | None = None
        self._march: list[tuple[Square, Square]] = []
        self._left: tuple[int, int | None] | None = None

    def step(self, view: View, options: Sequence[Square | None]) -> Square | None:
        """Take the next step of the plan, or stop."""
        ground, moves = self._ground(view)
        try:
            route = self._following(view, ground).route(ground, moves or 0)
        except TooLargeError:
            return super().step(view, options)
        to = ground.squares[route.squares[0]] if route.squares else None
        return to if to in options else None

    def pay(self, view: View, options: Sequence[str]) -> str:
        """Spend, roll again or bleed as planned."""
        fight = view.fight
        assert fight is not None
        weapon = view.card(fight.weapon).weapon if fight.weapon else None
        bonus = view.table.combat_bonus(view.seat - 1) + (weapon.bonus if weapon else 0)
        action = self._fight(view, fight.short, bonus, fight.rerolls)
        return action if action in options else super().pay(view, options)

    def arm(self, view: View, options: Sequence[str | None]) -> str | None:
        """Use the weapon that is planned."""
        action = self._fight(view, None)
        for name in options:
            weapon = view.card(name).weapon if name else None
            if weapon is None:
                continue
            does = f"+{weapon.bonus}" if weapon.bonus else f"reroll:{weapon.rerolls}"
            if action == f"use-{does}":
                return name
        return None if action == "bare-hands" else super().arm(view, options)

    def turn_over(self, view: View, options: Sequence[bool]) -> bool:
        """Turn a crop circle over unless that does harm."""
        ground, moves = self._ground(view)
        try:
            return self._following(view, ground).turns_circle(ground, moves or 0)
        except TooLargeError:
            return super().turn_over(view, options)

    def martian(
        self, view: View, options: Sequence[tuple[Square, Square]]
    ) -> tuple[Square, Square]:
        """Move Martians to where the next turn is worth most."""
        turn, left = view.table.turn, view.table.moves
        if self._left != (turn, left):
            self._march = self._ways(view, left or 0)
        if self._march and self._march[0] in options:
            self._left = turn, (left or 1) - 1
            return self._march.pop(0)
        self._left = None
        return super().martian(view, options)

    def _ways(self, view: View, number: int) -> list[tuple[Square, Square]]:
        if not self._looked_at:
            return []
        ground, _ = self._ground(view)
        try:
            march = plan_march(
                ground,
                invaders_of(view.position),
                number,
                self._payoff(view, ground),
                most_boards=0,
                most_looked_at=self._looked_at,
                most_nodes=self._most_nodes,
                bounded=False,
            )
        except TooLargeError:
            return []
        return [(ground.squares[here], ground.squares[there]) for here, there in march.steps]

    def _fight(self, view: View, short: int | None, bonus: int = 0, rerolls: int = 0) -> str:
        ground, moves = self._ground(view)
        follower = self._following(view, ground)
        try:
            return follower.fight(ground, moves, short, bonus, rerolls).action
        except TooLargeError:
            return "none"

    @staticmethod
    def _ground(view: View) -> tuple[Ground, int | None]:
        """Return the own ground, and the moves left in step 5."""
        position = view.position
        ground = ground_of(position, view.seat, last_life=view.rules.last_life)
        if ground.goal:
            ground = replace(ground, goal=view.rules.goal)
        return ground, position.moves if position.step == 5 else None

    def _following(self, view: View, ground: Ground) -> Follower:
        """Return the follower of this turn's payoff."""
        if self._follower is None or self._turn != view.table.turn:
            self._turn = view.table.turn
            self._follower = Follower(self._payoff(view, ground), most_nodes=self._most_nodes)
        return self._follower

    @staticmethod
    def _payoff(view: View, ground: Ground) -> Payoff:
        ahead = None if view.rules.together else _turns(ground.goal, ground.last_life)
        item = 1.0 if ahead is None else ITEM
        steps = _steps_to_a_martian(ground)
        far = {square: STEP * count for square, count in zip(ground.squares, steps, strict=True)}

        def worth(end: BoardOutcome) -> float:
            if end.ending in {"ship", "martians"}:
                return 0.0
            turns = -1.0 if ahead is None else float(ahead(end))
            return turns + item * len(end.items) - far[end.at]

        return Payoff("planner", "payoff", worth, _USES, None, view.table.turn)


@lru_cache(maxsize=64)
def _turns(goal: int, last_life: LastLife) -> Payoff:
    """Return the payoff for the fewest turns, from the hunts' table where there is one.

    Weapons are left out of the turns to come.
    """
    hunt = Hunt(goal=goal, income=BoardReadings().income, last_life=last_life)
    with open_tables(None) as tables:
        return fewest_turns(hunt, Advisor(tables).goals).payoff


def _steps_to_a_martian(ground: Ground) -> list[int]:
    """Return for each square the fewest steps to a Martian, at most `_FAR`."""
    steps = [_FAR] * len(ground.squares)
    ring = list(squares_in(ground.standing))
    for square in ring:
        steps[square] = 0
    count = 0
    while ring:
        count += 1
        ahead: list[int] = []
        for square in ring:
            for other in ground.near[square]:
                if steps[other] > count:
                    steps[other] = count
                    ahead.append(other)
        ring = ahead
    return steps


PLAYERS: Mapping[str, Maker] = {"planner": lambda _rng: PlannerBot()}
"""Players by name, as :func:`solver.referee.martians_game.makers` takes them."""
