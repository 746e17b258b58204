"""Turns of Martians!!!, followed in words: hunts, and fights in a row.

What is rolled is one die at a time, the movement die marked by its word; before it stands what
the map gave, where the rules have an income. What is done about a losing roll is told as the rule
sheet calls it: bullets are spent, a life token is forfeited.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from math import lcm
from typing import Any

from solver.advisor.review.fault import Fault
from solver.advisor.review.words import PlainTurn, Random
from solver.errors import NotationError
from solver.games.martians.combat import FACES, MOST_TOKENS, WINS
from solver.games.martians.gauntlet import FightOutcome, Gauntlet
from solver.games.martians.hunt import Hunt, HuntOutcome
from solver.games.notation import read_counts, whole_number
from solver.games.protocol import State

_TOKENS = {
    **dict.fromkeys(("l", "life", "lives", "life token", "life tokens"), "L"),
    **dict.fromkeys(("b", "bullet", "bullets", "bullet token", "bullet tokens"), "B"),
}
_LEGEND = "life and bullet tokens: found 1 life, 2 bullets; found nothing"
_SPEND = re.compile(r"(?:spend|pay)(?: (\d))?(?: bullets?)?|(\d) bullets?|bullets?")
_FORFEIT = re.compile(r"forfeit(?: (?:a|1|one))?(?: life)?(?: token)?|(?:a |1 |one )?life|bleed")
_MOVE = re.compile(r"\s*(?:moves?|movement)\b", re.IGNORECASE)
_ON = ("fight", "fight on", "go on", "on")


class FightTurn(PlainTurn):
    """Fights in a row, one combat die after another.

    Parameters
    ----------
    game
        The rules.
    beginning
        The tokens with which it begins; None for those of the start.
    """

    def __init__(self, game: Gauntlet | Hunt, beginning: Hashable = None) -> None:
        if beginning is None:
            beginning = next(iter(game.starts()))
        super().__init__(game, beginning)
        self._game = game
        self._rolled: int | None = None

    @property
    def rolls(self) -> bool:
        """Whether the die is rolled next, or the map gives something."""
        return self.state[0] in ("turn", "move", "fight")

    @property
    def asks(self) -> str:
        """What has to be told next."""
        return "the combat die shows"

    def roll(self, text: str) -> str:
        """Read what the combat die shows, move on, and return it."""
        face = _face(text)
        *_, bonus, rerolls = self.state
        total = face + int(bonus)
        self._rolled = face
        if total >= WINS:
            self.state = self._won()
        else:
            self.state = ("short", *self.state[1:-2], bonus, rerolls, WINS - total)
        return str(face)

    def _won(self) -> State:
        assert isinstance(self._game, Gauntlet)
        left, lives, bullets = self.state[1:4]
        return self._game.before(left - 1, lives, bullets)

    def throw(self, random: Random) -> str:
        """Return what the die could show."""
        return str(random.randrange(len(FACES)) + 1)

    def options(self) -> Mapping[str, State]:
        """Return the actions at a decision, empty where nothing is decided."""
        return {} if self.rolls else self.choices(self._game)

    def action(self, word: str) -> str | None:
        """Return the action that a word stands for, None if it is no word of this game."""
        spelled = " ".join(word.lower().replace("re-roll", "reroll").split())
        found = _SPEND.fullmatch(spelled)
        if found is not None:
            told = found[1] or found[2]
            return "spend" if told is None or told == str(self._short) else None
        if _FORFEIT.fullmatch(spelled):
            return "forfeit"
        if spelled in _ON:
            return "fight"
        if spelled.replace(" ", "-") in self.options():
            return spelled.replace(" ", "-")
        return {"reroll": "reroll", "bare hands": "bare-hands"}.get(spelled, self.plain(word))

    @property
    def _short(self) -> int:
        return int(self.state[-1]) if self.state[0] == "short" else 0

    def act(self, action: str) -> None:
        """Do it."""
        self.state = self.options()[action]

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        if self.state[0] == "over":
            return {}
        left, lives, bullets = self.state[1:4]
        told = {"facing": str(left), "lives": str(lives), "bullets": str(bullets)}
        return told | self._roll_told(self.state[4:])

    def _roll_told(self, rest: tuple[Any, ...]) -> dict[str, str]:
        """Return what tells a losing roll; `rest` begins with the weapon's bonus and re-rolls."""
        if self.state[0] != "short":
            return {}
        bonus, rerolls, short = rest
        using = {"using": f"+{bonus}"} if bonus else {}
        if rerolls:
            using = {"using": f"reroll:{rerolls}"}
        return {"rolled": str(WINS - bonus - short)} | using

    def ending(self, outcome: Any) -> str | None:
        """Return in words how the fights have ended."""
        end = FightOutcome(*outcome)
        if end.dead:
            return f"{end.kills} beaten, dead"
        return f"{end.kills} beaten, {_tokens(end.lives, end.bullets)}"


class HuntTurn(FightTurn):
    """A turn of a hunt: what the map gives, the movement die, then fights until it is over.

    Parameters
    ----------
    game
        The rules.
    beginning
        The standing with which it begins; None for that of the start.
    """

    goes_on = "fight"

    def __init__(self, game: Hunt, beginning: Hashable = None) -> None:
        super().__init__(game, beginning)
        self._hunt = game

    @property
    def asks(self) -> str:
        """What has to be told next."""
        kind = self.state[0]
        if kind == "turn":
            return "tokens found (1 life 2 bullets, or nothing)"
        return "the movement die shows" if kind == "move" else super().asks

    def roll(self, text: str) -> str:
        """Read what was found or rolled, move on, and return it as a record has it."""
        kind, *rest = self.state
        if kind == "turn":
            return self._found(text)
        if kind == "fight":
            return super().roll(text)
        face = _face(text, _MOVE)
        martians, lives, bullets, armed = rest
        self.state = self._hunt.ready(martians, lives, bullets, armed, face + lives)
        return f"move {face}"

    def _found(self, text: str) -> str:
        """Read what the map gave."""
        spelled = re.sub(r"^\s*found\b", "", text, flags=re.IGNORECASE).strip()
        try:
            nothing = spelled.lower() in ("nothing", "none", "0")
            counts = {} if nothing else read_counts(spelled, _TOKENS, legend=_LEGEND, field="found")
        except NotationError as error:
            at = (error.at or 0) + text.find(spelled)
            raise Fault(error.what.removeprefix("--found: "), at, remedy=_LEGEND) from None
        gift = counts.get("L", 0), counts.get("B", 0)
        possible = dict(self._hunt.income.branches)
        if gift not in possible:
            ways = "; ".join(_gift(*way) for way in possible)
            raise Fault(
                f"the map never gives {_gift(*gift)}",
                rule=f"income={self._hunt.income}",
                remedy=f"one of: {ways}",
            )
        martians, lives, bullets, armed = self.state[1:]
        tokens = min(lives + gift[0], MOST_TOKENS), min(bullets + gift[1], MOST_TOKENS)
        self.state = ("move", martians, *tokens, armed)
        return f"found {_gift(*gift)}"

    def _won(self) -> State:
        martians, lives, bullets, armed, moves = self.state[1:6]
        return self._hunt.ready(martians + 1, lives, bullets, armed, moves)

    def throw(self, random: Random) -> str:
        """Return what could be found, or the die could show."""
        if self.state[0] != "turn":
            return super().throw(random)
        branches = self._hunt.income.branches
        common = lcm(*(chance.denominator for _, chance in branches))
        at = random.randrange(common)
        for gift, chance in branches:
            at -= int(chance * common)
            if at < 0:
                return f"found {_gift(*gift)}"
        raise AssertionError("the chances of the income sum to one")

    def told(self) -> dict[str, str]:
        """Return the position in the fields in which advice is asked."""
        kind, *rest = self.state
        if kind == "over":
            return {}
        martians, lives, bullets, armed = rest[:4]
        told = {"martians": str(martians), "lives": str(lives), "bullets": str(bullets)}
        if self._game.weapon.held and not armed:
            told["unarmed"] = "yes"
        if kind in ("ready", "arm", "fight", "short"):
            told["moves"] = str(rest[4])
        return told | self._roll_told(tuple(rest[5:]))

    def ending(self, outcome: Any) -> str | None:
        """Return in words how the turn has ended, and with what the next one begins."""
        end = HuntOutcome(*outcome)
        martians = f"{end.martians} {'Martian' if end.martians == 1 else 'Martians'}"
        if end.ending == "goal":
            return martians
        dead = "dead: " if end.ending == "dead" else ""
        return f"{dead}{martians}, {_tokens(end.lives, end.bullets)}"


def _face(text: str, before: re.Pattern[str] | None = None) -> int:
    """Return what a die shows; a word may stand before it."""
    found = None if before is None else before.match(text)
    shown = text if found is None else text[found.end() :]
    face = whole_number(shown)
    if face is None or face not in FACES:
        raise Fault(
            f"{shown.strip()!r} is no face of the die",
            len(text) - len(shown.lstrip()),
            rule="Combat Rules, Player Movement Rules: one d6",
            remedy="1 to 6",
        )
    return face


def _tokens(lives: int, bullets: int) -> str:
    life = f"{lives} {'life' if lives == 1 else 'lives'}"
    return f"{life}, {bullets} {'bullet' if bullets == 1 else 'bullets'}"


def _gift(lives: int, bullets: int) -> str:
    parts = [f"{lives} {'life' if lives == 1 else 'lives'}"] if lives else []
    parts += [f"{bullets} {'bullet' if bullets == 1 else 'bullets'}"] if bullets else []
    return " ".join(parts) or "nothing"
