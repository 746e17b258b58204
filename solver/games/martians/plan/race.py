"""A small world: the whole race of one player on a board on which nothing is hidden.

Every turn is a fight on the own square, the movement roll, the movement, then steps 6 and 7: the
Martians are moved by the player as suits him best (or stay, if they are told to) and new ones
arrive. No tile is drawn, no card is played, nobody else is there. Source: the rulebook, Object of
the Game; Turn Sequence Overview; Combat Rules (Player death); readings `death`, `Martian moves`,
`crop refill`.

After a death the items lie in the nearest buildings without a token: by a pawn's steps from where
the player died, then in reading order; an item for which there is none is out of the game. The
Martians that he loses go back to the supply.

A *standing* is (square, lives, bullets, Martians collected, squares with a Martian, finds).
Martians are counted only if the race is to a number of them. States are those of
:mod:`.movement`, and

* ``("invade", *standing)``: the die for the Martians is rolled;
* ``("march", *standing, number)``: so many are moved;
* ``("over", outcome)``: the outcome is ``("won",)`` or ``("next", *standing)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import comb
from typing import Any, ClassVar

from solver.errors import PositionError, TooLargeError
from solver.games.check import children_of
from solver.games.martians.board.components import MARTIANS
from solver.games.martians.board.position import Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.combat import FACES, MOST_TOKENS, START_TOKENS
from solver.games.martians.plan.finds import ITEM_BITS, squares_in
from solver.games.martians.plan.ground import Ground, ground_of
from solver.games.martians.plan.invaders import Invaders, invaders_of
from solver.games.martians.plan.losses import replaced
from solver.games.martians.plan.movement import NOT_ROLLED, Movement, Place, State
from solver.games.protocol import Bank, Choose, Expansion, GoalRace, Roll
from solver.games.readings import Reading

MOST_STATES = 400_000
MOST_WAYS = 20_000
_TOLD_EVERY = 2_000
_WON = ("over", ("won",))

Standing = tuple[Any, ...]


class March(Reading):
    """Whether Martians move in step 6."""

    BEST = "best"
    """As suits the player best: "that number of Martians", of his choice."""
    STAY = "stay"
    """They stay where they are: a simpler world, in which more is small enough."""


class Goal(Reading):
    """What the race is to."""

    EITHER = "either"
    """To whichever comes first."""
    SHIP = "ship"
    """To the Mother Ship with all three items."""
    MARTIANS = "martians"
    """To a number of Martians."""


@dataclass(frozen=True, slots=True, init=False)
class BoardRace(Movement):
    """The race of one player on a board that is fully known.

    Parameters
    ----------
    ground
        Where it begins.
    invaders
        Where Martians can go and arrive; the supply is what it is at the beginning.
    buildings
        The squares of each named building, in reading order.
    goal
        What the race is to; the number of Martians is the ground's goal.
    march
        Whether Martians move.
    most_states
        Limit of the states of all turns.

    Raises
    ------
    PositionError
        If something on the board is hidden, the player holds weapons (a death would take them), or
        the Martians of the box could run out.
    TooLargeError
        If the world is larger than the limit: found out before anything is solved.
    """

    name: ClassVar[str] = "martians-small-world"
    bust_means: ClassVar[str] = "You die in this turn"
    assumption: ClassVar[str] = "nobody else is there, no tile is drawn, no card is played"

    ground: Ground
    invaders: Invaders
    buildings: tuple[tuple[int, ...], ...]
    goal: Goal
    march: March
    most_states: int
    _starts: dict[Standing, State] = field(compare=False, repr=False)

    def __init__(
        self,
        ground: Ground,
        invaders: Invaders,
        buildings: tuple[tuple[int, ...], ...] = (),
        *,
        goal: Goal = Goal.EITHER,
        march: March = March.BEST,
        most_states: int = MOST_STATES,
    ) -> None:
        _check(ground, goal)
        if goal is Goal.SHIP:
            ground = replace(ground, goal=0)
        told = {
            "ground": ground,
            "invaders": invaders,
            "buildings": buildings,
            "goal": goal,
            "march": march,
            "most_states": most_states,
            "_starts": {},
        }
        for name, value in told.items():
            object.__setattr__(self, name, value)

    @property
    def goal_race(self) -> GoalRace:
        """The race to the goal."""
        return GoalRace(self.after)

    @staticmethod
    def after(outcome: Any) -> Standing | None:
        """Return the standing in which the next turn begins, None at the goal."""
        return None if outcome == _WON[1] else outcome[1:]

    def first(self) -> Standing:
        """Return the standing in which the race begins."""
        g = self.ground
        return (g.at, g.lives, g.bullets, self._counted(g.martians), g.standing, g.finds)

    def start(self) -> State:
        """Return the state in which the first turn begins."""
        return self.turn(self.first())

    def starts(self, progress: Callable[[int, int], None] | None = None) -> dict[Standing, State]:
        """Return the first state of a turn by standing: all that the race can come to.

        Parameters
        ----------
        progress
            Called with the states walked through and their limit.

        Raises
        ------
        TooLargeError
            Beyond the limit of states.
        """
        if not self._starts:
            self._starts.update(_reached(self, progress))
        return self._starts

    def turn(self, standing: Standing) -> State:
        """Return the first state of a turn."""
        at, lives, bullets, martians, squares, finds = standing
        return self.begin((at, lives, bullets, martians, squares, finds, NOT_ROLLED))

    def expand(self, state: State) -> Expansion:
        """Return what happens at `state`."""
        kind = state[0]
        if kind == "over":
            return Bank(state[1])
        if kind == "invade":
            return Roll([(1, ("march", *state[1:], face)) for face in FACES])
        if kind == "march":
            return self._march(state[1:7], state[7])
        return self.move(state)

    def stopped(self, place: Place) -> State:
        """Return the state in which the Martians' die is rolled."""
        return self._moved(place[:6])

    def dead(self, place: Place) -> State:
        """Return the state after a death: at the House, with what is left."""
        at, _, _, martians, standing, finds, _ = place
        left = replaced(self.ground, self.buildings, finds, at)
        tokens = START_TOKENS, START_TOKENS
        return self._moved((self.ground.house, *tokens, martians // 2, standing, left))

    def collected(self, place: Place) -> State:
        """Return the end of the race by Martians."""
        del place
        return _WON

    def aboard(self, place: Place) -> State:
        """Return the end of the race at the Mother Ship, or the state after passing it."""
        return self.free(place) if self.goal is Goal.MARTIANS else _WON

    def points(self, outcome: tuple[Any, ...]) -> int:
        """Return the Martians that the player has after the turn, as far as they are counted."""
        return self.ground.goal if outcome == _WON[1] else int(outcome[4])

    def bust(self, outcome: tuple[Any, ...]) -> bool:
        """Return whether the turn has not won the race."""
        return outcome != _WON[1]

    def _counted(self, martians: int) -> int:
        return 0 if self.goal is Goal.SHIP else martians

    def _moved(self, standing: Standing) -> State:
        at, lives, bullets, martians, squares, finds = standing
        now = at, lives, bullets, self._counted(martians), squares, finds
        if self.march is March.STAY or not squares:
            return self._next(now)
        return ("invade", *now)

    def _next(self, standing: Standing) -> State:
        *before, squares, finds = standing
        return ("over", ("next", *before, self.invaders.arrived(squares), finds))

    def _march(self, standing: Standing, number: int) -> Expansion:
        ways = self.invaders.ways(standing[4], number, MOST_WAYS)
        if ways is None:
            raise TooLargeError(
                f"there are more than {MOST_WAYS:,} ways to move {number} Martians here",
                remedy="a smaller board, fewer Martians, or --set march=stay",
                field="board",
            )
        options: dict[str, State] = {}
        reached: set[State] = set()
        for squares, way in ways.items():
            after = self._next((*standing[:4], squares, standing[5]))
            if after not in reached:
                reached.add(after)
                names = [self.ground.squares[square] for step in way for square in step]
                pairs = zip(names[::2], names[1::2], strict=True)
                told = " ".join(f"{a[0]},{a[1]}-{b[0]},{b[1]}" for a, b in pairs)
                options[told or "none"] = after
        return Choose(options)


def race_of(
    position: Position,
    *,
    goal: Goal = Goal.EITHER,
    martians: int | None = None,
    march: March = March.BEST,
    most_states: int = MOST_STATES,
    **readings: Any,
) -> BoardRace:
    """Return the race of the player on turn, alone on the board of a position.

    Parameters
    ----------
    position
        The position; other players are left out.
    goal
        What the race is to.
    martians
        Martians that win; by default those of the sheet.
    march, most_states
        As in :class:`BoardRace`.
    **readings
        As in :func:`.ground_of`.

    Raises
    ------
    PositionError
        If it is no small world, see :class:`BoardRace`.
    """
    ground = ground_of(position, **readings)
    if martians is not None:
        ground = replace(ground, goal=martians)
    steps = steps_of(position.layout)
    found: dict[Any, list[int]] = {}
    for number, square in enumerate(steps.squares):
        building = position.layout.building(square)
        if building is not None:
            found.setdefault(building, []).append(number)
    invaders = replace(invaders_of(position), supply=MARTIANS)
    buildings = tuple(map(tuple, found.values()))
    return BoardRace(ground, invaders, buildings, goal=goal, march=march, most_states=most_states)


def _check(ground: Ground, goal: Goal) -> None:
    finds = ground.finds
    if finds.hidden or finds.circles:
        raise PositionError(
            "a small world is fully known, and something on this board is face-down",
            remedy="give the faces: tokens for hidden, empty or mother-ship for crop circles",
            field="/hidden" if finds.hidden else "/crop_circles",
        )
    if ground.weapons:
        raise PositionError(
            "a small world is without weapons: a death would take them",
            rule="Combat Rules: player death",
            remedy='"weapons": "none"',
            field="/players",
        )
    if goal is not Goal.SHIP and not 0 < ground.goal <= MARTIANS - len(ground.squares):
        raise PositionError(
            f"{ground.goal} Martians on {len(ground.squares)} squares: the box could run out",
            rule=f"Contents: {MARTIANS} Martians",
            remedy=f"a race to 1 to {max(MARTIANS - len(ground.squares), 1)}",
            field="martians",
        )


def _reached(race: BoardRace, progress: Callable[[int, int], None] | None) -> dict[Standing, State]:
    """Return the first state of a turn for every standing that the race can come to."""
    starts: dict[Standing, State] = {}
    pending: list[Standing] = [race.first()]
    seen: set[State] = set()
    while pending:
        standing = pending.pop()
        if standing in starts:
            continue
        stack: list[Any] = [starts.setdefault(standing, race.turn(standing))]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            if progress is not None and len(seen) % _TOLD_EVERY == 0:
                progress(len(seen), race.most_states)
            if len(seen) > race.most_states:
                raise TooLargeError(
                    f"this world has more than {race.most_states:,} states, of more than"
                    f" {len(starts):,} and at most {most_standings(race):,} standings",
                    remedy="a smaller board, fewer Martians to collect, or march=stay",
                    field="board",
                )
            expansion = race.expand(state)
            if isinstance(expansion, Bank):
                after = race.after(expansion.outcome)
                if after is not None:
                    pending.append(after)
            else:
                stack += children_of(expansion)
    return starts


def most_standings(race: BoardRace) -> int:
    """Return a number of standings that the race cannot have more of, without walking through it.

    Parameters
    ----------
    race
        The race.
    """
    g, finds = race.ground, race.ground.finds
    free = len(list(squares_in(g.standing))) + len(race.invaders.circles)
    arriving = bool(race.invaders.circles)
    squares = len(g.squares)
    if race.march is March.STAY:
        boards = 2 ** min(free + len(race.invaders.ship_tile), squares)
    elif arriving:
        boards = 2**squares
    else:
        boards = sum(comb(squares, n) for n in range(g.standing.bit_count() + 1))
    items = [token for _, token in finds.known if token in dict(ITEM_BITS)]
    carried = len(items) + finds.held.bit_count()
    places = sum(map(len, race.buildings)) + 3
    lying = 2 ** (len(finds.known) - len(items)) * places**carried
    pawns = sum(1 for near in g.near if near) or 1
    counted = max(g.goal, 1)
    found: int = pawns * (MOST_TOKENS + 1) ** 2 * counted * boards * lying
    return found
