"""The hunt of Martians!!!: how many fights in a turn, and what to do about each losing roll.

One turn in the *open field*: there is always a Martian within reach, whatever was moved before.
That is an assumption, and it is stated wherever a number is shown; what the map gives besides
Martians is the parameter `income`. Source: the rulebook, Turn Sequence 4 and 5, Player Movement
Rules, Combat Rules; readings `movement`, `death`, `last-life`, `weapon`.

At the start of the turn the income arrives (at most five tokens of a kind), then the movement roll
gives d6 + life tokens moves. Each fight costs a move; before each the player may stop. `goal`
Martians end the turn at once. Death costs half the Martians, rounded up, and all weapons; the next
turn begins with 3 life and 3 bullet tokens.

A *standing* is (Martians, lives, bullets, armed), `armed` being 1 while weapons are held. States:

* ``("turn", *standing)``: before the income (left out where there is none);
* ``("move", *standing)``: before the movement roll;
* ``("ready", *standing, moves)``: fight or stop;
* ``("arm", *standing, moves)``: weapons are held, one may be used in this fight;
* ``("fight", *standing, moves, bonus, rerolls)``: the die is rolled; this move is paid;
* ``("short", *standing, moves, bonus, rerolls, short)``: a losing roll, to be mended;
* ``("over", outcome)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from solver.games.martians.combat import (
    FACES,
    MOST_TOKENS,
    START_TOKENS,
    LastLife,
    arms,
    choices,
    least_lives,
    rolls,
)
from solver.games.martians.gauntlet import Gauntlet
from solver.games.martians.hunt_position import (
    FIELDS,
    STANDING,
    game_for,
    part_for,
    read_hunt,
    read_opponent,
    read_standing,
)
from solver.games.martians.income import Income, read_income
from solver.games.martians.weapons import Weapons, read_weapons
from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, GoalRace, Roll
from solver.games.readings import check_limits, parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from solver.games.protocol import Game

State = tuple[Any, ...]
Standing = tuple[int, int, int, int]
Ending = Literal["stopped", "dead", "goal"]


class HuntOutcome(NamedTuple):
    """How a turn ends: the standing before the next one, and in which way.

    Outcomes are plain tuples of these five; ``HuntOutcome(*outcome)`` names them. After a
    death the Martians are those left, the tokens those of the next turn. At the goal tokens
    are no matter and zero.
    """

    martians: int
    lives: int
    bullets: int
    armed: int
    ending: Ending


@dataclass(frozen=True, slots=True)
class Hunt:
    """A turn of a hunt in the open field, and the race of such turns to a number of Martians.

    Raises
    ------
    UsageError
        If a parameter is out of range.
    """

    name: ClassVar[str] = "martians"
    title: ClassVar[str] = "Martians!!! (hunts in the open field, and fights)"
    vary_example: ClassVar[str] = "goal=2..8"
    columns: ClassVar[tuple[str, ...]] = (
        "martians",
        "lives",
        "bullets",
        "armed",
        "moves",
        "bonus",
        "rerolls",
        "short",
    )
    default_objective: ClassVar[str] = "turns"
    bust_means: ClassVar[str] = "You die in this turn"
    assumption: ClassVar[str] = "open field: there is always a Martian within reach"
    position_fields: ClassVar[tuple[PositionField, ...]] = FIELDS
    beginning_fields: ClassVar[tuple[PositionField, ...]] = STANDING
    match_objectives: ClassVar[tuple[str, ...]] = (
        "turns",
        "within:N",
        "survive:N",
        "kills",
        "kills:N",
    )
    solve_examples: ClassVar[tuple[str, ...]] = (
        "--objective survive:5 --lives 3 --bullets 3 --exact",
        "--objective turns --set goal=10 --set income=none",
        "--objective within:20 --set income=steady",
        "--objective win --seats 2 --set goal=10 --set income=none",
    )
    position_examples: ClassVar[tuple[str, ...]] = (
        "--fight --lives 3 --bullets 2 --rolled 2 --facing 4",
        "--hunt --martians 12 --lives 2 --bullets 3 --moves 4",
        "--hunt --martians 5 --lives 2 --bullets 3 --moves 4 --opponent 7,3,1 --set goal=10",
    )

    goal: int = parameter(30, "Martians that win", at_least=1, at_most=100)
    income: Income = parameter(
        Income(),
        "tokens found in a turn: none, scarce, steady, rich (0, 1/2, 1, 2 on average),"
        " tokens:R, or lives,bullets:chance ...",
        read=read_income,
    )
    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    weapon: Weapons = parameter(
        Weapons(), "weapons held: none, or +n and reroll:n with commas", read=read_weapons
    )

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def goal_race(self) -> GoalRace:
        """The race to the goal."""
        return GoalRace(self.after)

    def start(self) -> State:
        """Return the state in which the first turn begins."""
        return self.turn((0, START_TOKENS, START_TOKENS, int(bool(self.weapon.held))))

    def starts(self) -> dict[Standing, State]:
        """Return the first state of a turn by standing, that of the game's start first."""
        armed = (1, 0) if self.weapon.held else (0,)
        every = [
            (martians, lives, bullets, held)
            for martians in range(self.goal)
            for lives in range(least_lives(self.last_life), MOST_TOKENS + 1)
            for bullets in range(MOST_TOKENS + 1)
            for held in armed
        ]
        first = (0, START_TOKENS, START_TOKENS, armed[0])
        every.sort(key=lambda standing: standing != first)
        return {standing: self.turn(standing) for standing in every}

    def after(self, outcome: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the standing in which the next turn begins, None at the goal."""
        *standing, ending = outcome
        return None if ending == "goal" else tuple(standing)

    def turn(self, standing: Standing) -> State:
        """Return the first state of a turn."""
        return ("move" if self.income == Income() else "turn", *standing)

    def expand(self, state: State) -> Expansion:
        """Return what happens at `state`."""
        kind, rest = state[0], state[1:]
        if kind == "over":
            return Bank(state[1])
        martians, lives, bullets, armed = rest[:4]
        standing = martians, lives, bullets, armed
        if kind == "turn":
            return self._income(martians, lives, bullets, armed)
        if kind == "move":
            return Roll([(1, self.ready(*standing, face + lives)) for face in FACES])
        moves = rest[4]
        if kind == "ready":
            stop = ("over", (martians, lives, bullets, armed, "stopped"))
            return Choose({"stop": stop, "fight": self._fight(*rest)})
        if kind == "arm":
            use = arms(self.weapon.held)
            return Choose({name: ("fight", *rest, *how) for name, how in use.items()})
        bonus, rerolls = rest[5:7]
        if kind == "fight":
            wins, losses = rolls(bonus)
            branches: list[tuple[int, State]] = [
                (wins, self.ready(martians + 1, lives, bullets, armed, moves))
            ]
            branches += [(w, ("short", *rest, short)) for short, w in losses.items()]
            return Roll(branches)
        return Choose(self.mend(standing, moves, bonus, rerolls, rest[7]))

    def ready(self, martians: int, lives: int, bullets: int, armed: int, moves: int) -> State:
        """Return the state between two fights."""
        if martians >= self.goal:
            return ("over", (self.goal, 0, 0, 0, "goal"))
        if not moves:
            return ("over", (martians, lives, bullets, armed, "stopped"))
        return ("ready", martians, lives, bullets, armed, moves)

    def mend(
        self, standing: Standing, moves: int, bonus: int, rerolls: int, short: int
    ) -> dict[str, State]:
        """Return what can be done about a losing roll, in canonical order."""
        martians, lives, bullets, armed = standing
        options: dict[str, State] = {}
        for action, after in choices(self.last_life, lives, bullets, rerolls, short).items():
            ending, lives_left, bullets_left, rerolls_left = after
            tokens = lives_left, bullets_left, armed
            if ending == "won":
                options[action] = self.ready(martians + 1, *tokens, moves)
            elif ending == "again":
                options[action] = ("fight", martians, *tokens, moves, bonus, rerolls_left)
            else:
                options[action] = ("over", self.death(martians))
        return options

    def death(self, martians: int) -> tuple[Any, ...]:
        """Return the outcome of a death with so many Martians: half are lost, rounded up."""
        return (martians // 2, START_TOKENS, START_TOKENS, 0, "dead")

    def points(self, outcome: tuple[Any, ...]) -> int:
        """Return the Martians that the player has after the turn."""
        return HuntOutcome(*outcome).martians

    def bust(self, outcome: tuple[Any, ...]) -> bool:
        """Return whether the player has died in the turn."""
        return HuntOutcome(*outcome).ending == "dead"

    def part_for(
        self, told: Mapping[str, Any], objective: str | None
    ) -> tuple[Game, dict[str, Any]]:
        """Return the game that a position is about, and what is told of it: a hunt or fights."""
        return part_for(self, told, objective)

    def game_for(self, objective: str) -> tuple[Game, str]:
        """Return the game that an objective is about: fights in a row for ``survive:N``."""
        return game_for(self, objective)

    def fights(self, number: int) -> Gauntlet:
        """Return so many fights in a row under the same readings."""
        return Gauntlet(number, self.last_life, self.weapon)

    def read_beginning(
        self,
        martians: Any = 0,
        lives: Any = START_TOKENS,
        bullets: Any = START_TOKENS,
        unarmed: bool = False,
    ) -> Standing:
        """Return the standing that is told; see :func:`.read_standing`."""
        return read_standing(self, martians, lives, bullets, unarmed=unarmed)

    def read_opponent(self, told: Any) -> Standing:
        """Return the other seat's standing; see :func:`.read_opponent`."""
        return read_opponent(self, told)

    def read_position(self, **told: Any) -> Position:
        """Return the position that a player describes; see :func:`.read_hunt`."""
        return read_hunt(self, **told)

    def _income(self, martians: int, lives: int, bullets: int, armed: int) -> Roll:
        common = lcm(*(p.denominator for _, p in self.income.branches))
        branches: dict[State, int] = {}
        for (more_lives, more_bullets), p in self.income.branches:
            tokens = min(lives + more_lives, MOST_TOKENS), min(bullets + more_bullets, MOST_TOKENS)
            state = ("move", martians, *tokens, armed)
            branches[state] = branches.get(state, 0) + int(p * common)
        return Roll([(weight, state) for state, weight in branches.items()])

    def _fight(self, martians: int, lives: int, bullets: int, armed: int, moves: int) -> State:
        if armed:
            return ("arm", martians, lives, bullets, armed, moves - 1)
        return ("fight", martians, lives, bullets, armed, moves - 1, 0, 0)
