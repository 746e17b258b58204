"""The movement of one turn on the board, with its fights and finds, as rules on the protocol.

From the fight on the own square (Turn Sequence 2) or the movement roll (4) to the end of the
movement (5). Tiles, cards and the other players do not come in. Source: the rulebook, Turn
Sequence Overview; Player Movement Rules; Combat Rules; Martian Ship Tokens; readings `movement`,
`pickup`, `face-down`, `crop circle`, `last-life`, `at-five`, `death`.

States are those of :mod:`.movement`, and ``("over", outcome)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from solver.games.martians.combat import LastLife
from solver.games.martians.plan.ground import AtFive, Ground
from solver.games.martians.plan.movement import NOT_ROLLED, Movement, Place, State
from solver.games.martians.plan.outcome import (
    BoardOutcome,
    Ending,
    most_items,
    most_tokens,
    survival,
)
from solver.games.protocol import Bank, Expansion
from solver.games.readings import parameter

_PAYOFFS = {"survive": survival(), "items": most_items(), "tokens": most_tokens()}


@dataclass(frozen=True, slots=True, init=False)
class BoardTurn(Movement):
    """The movement of a player whose position is known.

    Parameters
    ----------
    ground
        Where the player moves, and with what; a Martian on his square is fought first.
    moves
        Moves left, the step onto the own square being paid; None before the movement roll.
    """

    name: ClassVar[str] = "martians-board"
    title: ClassVar[str] = "Martians!!! (a movement on the board)"
    bust_means: ClassVar[str] = "You die in this turn"
    assumption: ClassVar[str] = "cards, and what the other players do, are left out"
    objectives: ClassVar[Mapping[str, str]] = dict.fromkeys(_PAYOFFS, "payoff")

    ground: Ground = field(init=False)
    moves: int | None = field(init=False)
    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    at_five: AtFive = parameter(AtFive.GOES_BACK, "a life or bullet found by one who has five")

    def __init__(self, ground: Ground, moves: int | None = None) -> None:
        object.__setattr__(self, "ground", ground)
        object.__setattr__(self, "moves", moves)
        object.__setattr__(self, "last_life", ground.last_life)
        object.__setattr__(self, "at_five", ground.at_five)

    def start(self) -> State:
        """Return the state in which the movement, or what is left of it, begins."""
        g = self.ground
        moves = NOT_ROLLED if self.moves is None else self.moves
        return self.begin((g.at, g.lives, g.bullets, g.martians, g.standing, g.finds, moves))

    def expand(self, state: State) -> Expansion:
        """Return what happens at `state`."""
        return Bank(state[1]) if state[0] == "over" else self.move(state)

    def stopped(self, place: Place) -> State:
        """Return the end of a movement that the player, or his last move, ends."""
        return self._end(place, "stopped")

    def dead(self, place: Place) -> State:
        """Return the end of a movement by death."""
        return ("over", self.ground.death(place[3], place[5]))

    def collected(self, place: Place) -> State:
        """Return the end of the game by the Martian that wins."""
        return self._end(place, "martians")

    def aboard(self, place: Place) -> State:
        """Return the end of the game at the Mother Ship."""
        return self._end(place, "ship")

    def _end(self, place: Place, ending: Ending) -> State:
        at, lives, bullets, martians, _, finds, _ = place
        return ("over", self.ground.outcome(at, (lives, bullets), martians, finds, ending))

    def points(self, outcome: tuple[Any, ...]) -> int:
        """Return the Martians that the player has after the turn."""
        return BoardOutcome(*outcome).martians

    def bust(self, outcome: tuple[Any, ...]) -> bool:
        """Return whether the player has died in the turn."""
        return not BoardOutcome(*outcome).alive

    def payoff(self, objective: str, outcome: tuple[Any, ...]) -> int:
        """Return what an outcome is worth for an objective of this game."""
        return int(_PAYOFFS[objective](BoardOutcome(*outcome)))
