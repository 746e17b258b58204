"""A turn of Martian Dice, followed in words."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from solver.advisor.review.fault import Fault
from solver.advisor.review.words import PlainTurn, Random
from solver.errors import NotationError
from solver.games.martian_dice import MartianDice
from solver.games.martian_position import ACTION_OF, LEGEND, NAMES, WORDS
from solver.games.martian_position import read_position as read_martian
from solver.games.notation import read_counts, write_counts
from solver.games.protocol import State


class MartianTurn(PlainTurn):
    """A turn of Martian Dice."""

    def __init__(self, game: MartianDice, beginning: Hashable = None) -> None:
        super().__init__(game, beginning)
        self._game = game
        self._aside = dict.fromkeys(WORDS, 0)
        self._rolled: dict[str, int] | None = None
        self._takes: Mapping[str, State] = {}

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled next."""
        return bool(self.state[0] == "roll")

    @property
    def dice(self) -> int:
        """How many dice are rolled next."""
        return self._game.dice - sum(self._aside.values())

    def roll(self, text: str) -> str:
        """Read what the dice show, move on, and return it in short notation."""
        try:
            found = read_counts(text, NAMES, legend=LEGEND, field="roll")
        except NotationError as error:
            raise Fault(error.what.removeprefix("--roll: "), error.at, remedy=LEGEND) from None
        shown = {letter: found.get(letter, 0) for letter in WORDS}
        for letter, count in shown.items():
            if count and not self._game.faces.weight(letter):
                raise Fault(
                    f"the roll shows {letter}, which these dice do not have",
                    rule=f"faces={self._game.faces}",
                )
        total = sum(shown.values())
        if total != self.dice:
            aside = self._game.dice - self.dice
            raise Fault(
                f"the roll shows {total} dice, and {self.dice} are rolled: {self._game.dice}"
                f" less the {aside} set aside",
                rule="On Your Turn, step 1: all available dice are rolled",
                remedy=f"all {self.dice} dice, tanks and species already taken included",
            )
        position = read_martian(self._game, self._aside, shown)
        self.state, self._takes, self._rolled = position.state, position.options, shown
        return write_counts(shown)

    def throw(self, random: Random) -> str:
        """Return what rolled dice could show, as a text that :meth:`roll` reads."""
        shown = dict.fromkeys(WORDS, 0)
        for _ in range(self.dice):
            at = random.randrange(self._game.faces.denominator)
            for face, weight in self._game.faces:
                at -= weight
                if at < 0:
                    shown[str(face)] += 1
                    break
        return write_counts(shown)

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""
        if self.state[0] == "take":
            return self._takes
        return self.choices(self._game) if self.state[0] == "aside" else {}

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""
        spelled = " ".join(word.lower().replace("-", " ").split())
        for article in ("take ", "the "):
            spelled = spelled.removeprefix(article)
        letter = NAMES.get(spelled)
        return ACTION_OF.get(letter, letter) if letter else self.plain(word)

    def act(self, action: str) -> None:
        """Do it."""
        self.state = self.options()[action]
        if self._rolled is None:
            return
        letter = next(face for face, name in ACTION_OF.items() if name == action)
        self._aside["T"] += self._rolled["T"]
        self._aside[letter] += self._rolled[letter]
        self._rolled = None

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        aside = {"aside": write_counts(self._aside)}
        return aside if self._rolled is None else aside | {"roll": write_counts(self._rolled)}
