"""Fights of Martians!!!, one after another: how many, with which tokens, and who survives.

A *gauntlet* is a number of Martians that must all be fought in a row, the first of them being the
fight at hand. Source: the rulebook, Combat Rules; readings `last-life` and `weapon`.

States, where `left` counts the Martians not yet beaten, the one being fought included:

* ``("arm", left, lives, bullets)``: weapons are held, one may be used in this fight;
* ``("fight", left, lives, bullets, bonus, rerolls)``: the die is rolled;
* ``("short", left, lives, bullets, bonus, rerolls, short)``: a losing roll, to be mended;
* ``("over", outcome)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from solver.errors import UsageError
from solver.games.martians.combat import (
    MOST_TOKENS,
    START_TOKENS,
    LastLife,
    arms,
    choices,
    least_lives,
    rolls,
)
from solver.games.martians.fight_position import FIELDS, TOKENS, read_fight, read_tokens
from solver.games.martians.weapons import Weapons, read_weapons
from solver.games.position import Position, PositionField
from solver.games.protocol import Bank, Choose, Expansion, Roll
from solver.games.readings import check_limits, parameter

State = tuple[Any, ...]


class FightOutcome(NamedTuple):
    """How a gauntlet ends: Martians beaten, tokens left, and whether the player is dead.

    Outcomes are plain tuples of these four; ``FightOutcome(*outcome)`` names them.
    """

    kills: int
    lives: int
    bullets: int
    dead: bool


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """A number of Martians, fought one after another.

    Raises
    ------
    UsageError
        If a parameter is out of range.
    """

    name: ClassVar[str] = "martians-fights"
    title: ClassVar[str] = "Martians!!! (fights in a row)"
    vary_example: ClassVar[str] = "fights=1..12"
    columns: ClassVar[tuple[str, ...]] = (
        "left",
        "lives",
        "bullets",
        "bonus",
        "rerolls",
        "short",
    )
    objectives: ClassVar[Mapping[str, str]] = {"survive": "probability", "kills": "kills"}
    default_objective: ClassVar[str] = "survive"
    bust_means: ClassVar[str] = "You die"
    position_fields: ClassVar[tuple[PositionField, ...]] = FIELDS
    beginning_fields: ClassVar[tuple[PositionField, ...]] = TOKENS
    solve_examples: ClassVar[tuple[str, ...]] = (
        "--objective survive --set fights=5 --lives 3 --bullets 3 --exact",
        "--objective kills --set fights=5 --exact",
    )
    position_examples: ClassVar[tuple[str, ...]] = (
        "--lives 3 --bullets 2 --rolled 2",
        "--lives 3 --bullets 2 --rolled 2 --facing 4 --set fights=4",
    )

    fights: int = parameter(1, "Martians in a row", at_least=1, at_most=60)
    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    weapon: Weapons = parameter(
        Weapons(), "weapons held: none, or +n and reroll:n with commas", read=read_weapons
    )

    def __post_init__(self) -> None:
        check_limits(self)

    def start(self) -> State:
        """Return the state of a player with the tokens of the start."""
        return self.before(self.fights, START_TOKENS, START_TOKENS)

    def starts(self) -> dict[tuple[int, int], State]:
        """Return the beginnings by (lives, bullets), those of the game's start first."""
        every = [
            (lives, bullets)
            for lives in range(least_lives(self.last_life), MOST_TOKENS + 1)
            for bullets in range(MOST_TOKENS + 1)
        ]
        every.sort(key=lambda tokens: tokens != (START_TOKENS, START_TOKENS))
        return {tokens: self.before(self.fights, *tokens) for tokens in every}

    def before(self, left: int, lives: int, bullets: int) -> State:
        """Return the state before a fight."""
        if not left:
            return ("over", (self.fights, lives, bullets, False))
        if self.weapon.held:
            return ("arm", left, lives, bullets)
        return ("fight", left, lives, bullets, 0, 0)

    def expand(self, state: State) -> Expansion:
        """Return what happens at `state`."""
        kind = state[0]
        if kind == "over":
            return Bank(state[1])
        if kind == "arm":
            armed = arms(self.weapon.held)
            return Choose({name: ("fight", *state[1:], *use) for name, use in armed.items()})
        left, lives, bullets, bonus, rerolls = state[1:6]
        if kind == "fight":
            wins, losses = rolls(bonus)
            branches: list[tuple[int, State]] = [(wins, self.before(left - 1, lives, bullets))]
            branches += [(w, ("short", *state[1:], short)) for short, w in losses.items()]
            return Roll(branches)
        return Choose(self.mend(left, lives, bullets, bonus, rerolls, state[6]))

    def mend(
        self, left: int, lives: int, bullets: int, bonus: int, rerolls: int, short: int
    ) -> dict[str, State]:
        """Return what can be done about a losing roll, in canonical order."""
        options: dict[str, State] = {}
        for action, after in choices(self.last_life, lives, bullets, rerolls, short).items():
            ending, *rest = after
            if ending == "won":
                options[action] = self.before(left - 1, rest[0], rest[1])
            elif ending == "again":
                options[action] = ("fight", left, rest[0], rest[1], bonus, rest[2])
            else:
                beaten = self.fights - left
                options[action] = ("over", (beaten, 0, rest[1], True))
        return options

    def standing_after(self, outcome: tuple[Any, ...]) -> tuple[int, int] | None:
        """Return the tokens with which the next fight begins, None if the player is dead."""
        end = FightOutcome(*outcome)
        return None if end.dead else (end.lives, end.bullets)

    def points(self, outcome: tuple[Any, ...]) -> int:
        """Return the Martians beaten."""
        return FightOutcome(*outcome).kills

    def bust(self, outcome: tuple[Any, ...]) -> bool:
        """Return whether the player is dead."""
        return FightOutcome(*outcome).dead

    def payoff(self, objective: str, outcome: tuple[Any, ...]) -> int:
        """Return what an outcome is worth for an objective of this game."""
        end = FightOutcome(*outcome)
        return end.kills if objective == "kills" else int(not end.dead)

    def read_beginning(self, lives: Any = None, bullets: Any = None, **other: Any) -> Any:
        """Return the beginning with these tokens.

        Raises
        ------
        UsageError, PositionError
            If something else is told, or the rules do not allow it.
        """
        if other:
            raise UsageError(
                f"--{next(iter(other))} is for hunts: fights begin with --lives and --bullets",
                field=next(iter(other)),
            )
        return read_tokens(self.last_life, lives, bullets)

    def read_position(self, **told: Any) -> Position:
        """Return the position that a player describes; see :func:`.read_fight`."""
        return read_fight(self, **told)
