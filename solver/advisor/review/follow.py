"""Which class follows a turn of a game in words.

A game without a class of its own is followed by :class:`LiteralTurn`, which writes states as
Python literals, so that every game can be recorded.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from solver.advisor.review.alien_turn import AlienTurn
from solver.advisor.review.fault import Fault
from solver.advisor.review.hunt_turn import FightTurn, HuntTurn
from solver.advisor.review.martian_turn import MartianTurn
from solver.advisor.review.words import PlainTurn, Random, TurnWords
from solver.errors import PositionError
from solver.games.alien_crew import AlienCrew
from solver.games.martian_dice import MartianDice
from solver.games.martians.gauntlet import Gauntlet
from solver.games.martians.hunt import Hunt
from solver.games.notation import whole_number
from solver.games.pig import Pig
from solver.games.protocol import Game, Roll, State


class PigTurn(PlainTurn):
    """A turn of Pig: a roll is the face that is shown."""

    def __init__(self, game: Pig, beginning: Hashable = None) -> None:
        super().__init__(game, beginning)
        self._game = game

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled next."""
        return bool(self.state[0] == "roll")

    def roll(self, text: str) -> str:
        """Read what the die shows, move on, and return it."""
        face = whole_number(text)
        if face is None or not self._game.die.weight(face):
            shown = ", ".join(str(side) for side in self._game.die.faces)
            raise Fault(f"{text.strip()!r} is no face of the die", 0, remedy=f"faces: {shown}")
        total = int(self.state[1])
        after = total + face
        self.state = ("bank", 0) if face == 1 else ("total", min(after, self._game.target))
        return str(face)

    def throw(self, random: Random) -> str:
        """Return what the rolled die could show."""
        at = random.randrange(self._game.die.denominator)
        for face, weight in self._game.die:
            at -= weight
            if at < 0:
                return str(face)
        raise AssertionError("weights sum to the denominator")

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""
        return {} if self.rolls else self.choices(self._game)

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""
        return self.plain(word)

    def act(self, action: str) -> None:
        """Do it."""
        self.state = self.options()[action]

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        return {"total": str(self.state[1])}


class LiteralTurn(PlainTurn):
    """A turn of any game: what the dice bring is written as the state they lead to."""

    def __init__(self, game: Game, beginning: Hashable) -> None:
        super().__init__(game, beginning)
        self._game = game

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled next."""
        return isinstance(self._game.expand(self.state), Roll)

    def roll(self, text: str) -> str:
        """Read the state that the dice lead to, and move there."""
        spelled = text.strip()
        for state in self._branches():
            if spelled == repr(state):
                self.state = state
                return spelled
        known = ", ".join(repr(state) for state in list(self._branches())[:3])
        raise Fault(
            f"the dice do not lead to {spelled}", 0, remedy=f"the state they lead to: {known}, ..."
        )

    def throw(self, random: Random) -> str:
        """Return a state that the dice could lead to."""
        branches = self._branches()
        at = random.randrange(sum(branches.values()))
        for state, weight in branches.items():
            at -= weight
            if at < 0:
                return repr(state)
        raise AssertionError("weights sum to the denominator")

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""
        return {} if self.rolls else self.choices(self._game)

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""
        return word.strip() if word.strip() in self.options() else self.plain(word)

    def act(self, action: str) -> None:
        """Do it."""
        self.state = self.options()[action]

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        return {"state": repr(self.state)}

    def _branches(self) -> dict[State, int]:
        expansion = self._game.expand(self.state)
        if not isinstance(expansion, Roll):
            raise PositionError(f"no dice are rolled at {self.state!r}")
        merged: dict[State, int] = {}
        for weight, state in expansion.branches:
            merged[state] = merged.get(state, 0) + weight
        return merged


def follow_turn(game: Game, beginning: Hashable) -> TurnWords:
    """Return a new turn of `game` to be followed in words.

    Parameters
    ----------
    game
        The rules.
    beginning
        Which of the game's beginnings the turn starts from.
    """
    if isinstance(game, MartianDice):
        return MartianTurn(game, beginning)
    if isinstance(game, AlienCrew):
        return AlienTurn(game, beginning)
    if isinstance(game, Pig):
        return PigTurn(game, beginning)
    if isinstance(game, Hunt):
        return HuntTurn(game, beginning)
    if isinstance(game, Gauntlet):
        return FightTurn(game, beginning)
    return LiteralTurn(game, beginning)
