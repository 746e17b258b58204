"""A rule text, cut into words; and the cursor that a parser moves over them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from solver.errors import NotationError
from solver.policies.words.vocabulary import did_you_mean

ARTICLES = frozenset({"the", "a", "an", "all"})
MOST_LETTERS = 20_000
_TOKEN = re.compile(
    r"(?P<gap>[^\S\n]+|\#[^\n]*)|(?P<number>\d+)|(?P<word>[A-Za-z]+(?:-[A-Za-z]+)*)"
    r"|(?P<end>[;\n])|(?P<sign>>=|<=|==|!=|[<>=+*()\u2212-])|(?P<bad>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign of a rule text, in lower case, and where it begins."""

    kind: str
    text: str
    at: int


class Cursor:
    """What is still to be read of a rule text.

    Raises
    ------
    NotationError
        If there is a letter that no rule has.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.tokens: list[Token] = []
        if len(text) > MOST_LETTERS:
            raise NotationError(f"a rule text has at most {MOST_LETTERS} letters", field="policy")
        for found in _TOKEN.finditer(text):
            kind = found.lastgroup or "bad"
            if kind == "gap":
                continue
            token = Token(kind, found.group().lower(), found.start())
            if kind == "bad":
                raise self.refuse(f"{found.group()!r} cannot be read here", token)
            if kind == "number" and len(token.text) > 9:
                raise self.refuse("no game has that many", token)
            self.tokens.append(token)
        self.tokens.append(Token("end", "", len(text.rstrip())))

    @property
    def now(self) -> Token:
        """The token that is read next."""
        return self.tokens[min(self.place, len(self.tokens) - 1)]

    def is_next(self, *words: str) -> bool:
        """Return whether these words come next, in this order."""
        ahead = self.tokens[self.place : self.place + len(words)]
        return [token.text for token in ahead] == list(words)

    def accept(self, *words: str) -> bool:
        """Move over these words if they come next; return whether they did."""
        found = self.is_next(*words)
        if found:
            self.place += len(words)
        return found

    def accept_any(self, words: Iterable[str]) -> str | None:
        """Move over one of these words if it comes next, and return it."""
        if self.now.text in words and self.now.kind != "end":
            self.place += 1
            return self.tokens[self.place - 1].text
        return None

    def refuse(
        self, what: str, token: Token | None = None, *, known: Iterable[str] = ()
    ) -> NotationError:
        """Return the error that something at a token cannot be read.

        Parameters
        ----------
        what
            What was expected or is wrong.
        token
            Where; by default what comes next.
        known
            Words that could stand there.
        """
        token = self.now if token is None else token
        words = list(known)
        line_start = self.text.rfind("\n", 0, token.at) + 1
        line_end = self.text.find("\n", token.at)
        line = self.text[line_start : None if line_end < 0 else line_end]
        remedy = f"one of: {', '.join(words)}" if words else None
        return NotationError(
            what + (did_you_mean(token.text, words) if token.text else ""),
            text=line,
            at=token.at - line_start,
            remedy=remedy,
            field="policy",
        )
