"""A turn of Alien Battleship, Captain, First Mate and Crew, followed in words."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from solver.advisor.review.fault import Fault
from solver.advisor.review.words import PlainTurn, Random
from solver.errors import NotationError
from solver.games.alien_crew import STAGES, AlienCrew
from solver.games.alien_position import read_dice
from solver.games.alien_position import read_position as read_alien
from solver.games.protocol import State


class AlienTurn(PlainTurn):
    """A turn of Alien Battleship, Captain, First Mate and Crew."""

    def __init__(self, game: AlienCrew, beginning: Hashable = "nothing") -> None:
        super().__init__(game, beginning)
        self._game = game

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled next."""
        return self.state[0] in ("throw", "again")

    @property
    def dice(self) -> int:
        """How many dice are rolled next."""
        kind, *rest = self.state
        if kind == "throw":
            return self._game.dice - int(rest[0])
        return rest[1:].count(0) if kind == "again" else 0

    def roll(self, text: str) -> str:
        """Read what the dice show, move on, and return it in short notation."""
        try:
            shown = read_dice(text, "roll")
        except NotationError as error:
            raise Fault(
                error.what.removeprefix("--roll: "), error.at, remedy=error.remedy
            ) from None
        if len(shown) != self.dice:
            raise Fault(
                f"the roll shows {len(shown)} dice, and {self.dice} are thrown",
                rule="the sheet on rolling: what is set aside or kept is not thrown",
                remedy="only the dice just thrown, each as one number: 4 3 3",
            )
        kind, *rest = self.state
        if kind == "throw":
            stage, throws = rest
            self.state = read_alien(self._game, stage=stage, roll=shown, throws=throws - 1).state
        else:
            throws, *kept = rest
            crew = sorted([*(d for d in kept if d), *shown])
            self.state = ("crew", throws - 1, *crew)
        return " ".join(map(str, shown))

    def throw(self, random: Random) -> str:
        """Return what rolled dice could show, as a text that :meth:`roll` reads."""
        return " ".join(str(random.randrange(6) + 1) for _ in range(self.dice))

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""
        return {} if self.rolls else self.choices(self._game)

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""
        spelled = word.lower().replace("-", " ").split()
        if spelled[:1] not in (["roll"], ["again"]) or len(spelled) == 1:
            return self.plain(word)
        if spelled[1:] in (["both"], ["all"]) and self.state[0] == "crew":
            faces = tuple(map(int, self.state[2:]))
        else:
            rest = [text for text in spelled[1:] if text not in ("the", "and", "again")]
            try:
                faces = read_dice(" ".join(rest), "roll")
            except NotationError:
                return None
        return "roll-" + "-".join(map(str, faces))

    def act(self, action: str) -> None:
        """Do it."""
        self.state = self.options()[action]

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        kind, *rest = self.state
        if kind == "crew":
            throws, *crew = rest
            return {"stage": "trio", "crew": " ".join(map(str, crew)), "throws": str(throws)}
        if kind == "again":
            throws, *kept = rest
            left = " ".join(str(d) for d in kept if d) or "no die"
            return {"stage": "trio", "kept": left, "throws": str(throws)}
        return {"stage": STAGES[rest[0]], "throws": str(rest[1])} if kind == "throw" else {}
