"""The grammar of rule texts.

::

    policy     =  rule {";" rule}                       (a new line also parts rules)
    rule       =  ["else"] action [condition]
    action     =  words of the game, without articles ["of" ["at most" | "at least"] sum]
    condition  =  ("if" | "when" | "while" | "with") test | "at" ... | ("unless" | "until") test
    test       =  both {"or" both}        both  =  single {"and" single}
    single     =  "not" single | "(" test ")" | "at" quantity [word] | words of the game sum
               |  sum comparison sum
    comparison =  ">" | ">=" | "<" | "<=" | "=" | "!=" | "at least" | "at most" | "more than"
               |  "less than" | "is"
    sum        =  ["-"] product {("+" | "-") product}   product  =  quantity {"*" quantity}
    quantity   =  number | word | "(" sum ")"

Rules are tried in their order: the first whose condition holds and whose action is legal decides.
``docs/reference/policy-grammar.md`` is this page with the words of each game.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.errors import NotationError
from solver.policies.text.tokens import ARTICLES, Cursor, Token
from solver.policies.words.vocabulary import Phrase, Vocabulary

Sum = Callable[[Any], Any]
"""Situation -> a number, or an array of them for many standings."""
Test = Callable[[Any], Any]
"""Situation -> whether something holds, for many standings at once if its numbers are arrays."""

_DEEPEST = 40
_LEADERS = frozenset({"if", "when", "while", "with"})
_NEGATED = frozenset({"unless", "until"})
_COMPARISONS: dict[tuple[str, ...], Callable[[int, int], bool]] = {
    ("at", "least"): operator.ge,
    ("at", "most"): operator.le,
    ("more", "than"): operator.gt,
    ("less", "than"): operator.lt,
    ("is",): operator.eq,
    (">=",): operator.ge,
    ("<=",): operator.le,
    (">",): operator.gt,
    ("<",): operator.lt,
    ("=",): operator.eq,
    ("==",): operator.eq,
    ("!=",): operator.ne,
}
_SIGNS = [" ".join(words) for words in _COMPARISONS]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a text.

    Parameters
    ----------
    phrase
        The action.
    limit
        Comparison and number that the action's size has to meet, if there is one.
    test
        The condition; None if the rule always applies.
    text
        The rule as it is written.
    """

    phrase: Phrase
    limit: tuple[Callable[[int, int], bool], Sum] | None
    test: Test | None
    text: str


def parse(text: str, vocabulary: Vocabulary) -> tuple[Rule, ...]:
    """Return the rules of a text.

    Parameters
    ----------
    text
        Rules, parted by semicolons or new lines; ``#`` begins a comment.
    vocabulary
        The words of the game.

    Raises
    ------
    NotationError
        With a caret under the first word that cannot be read, and the nearest that can.
    """
    return _Parser(text, vocabulary).rules()


def _negated(test: Test) -> Test:
    return lambda s: test(s) ^ True


def _any_of(parts: list[Test]) -> Test:
    def test(s: Any) -> Any:
        holds: Any = False
        for part in parts:
            holds = holds | part(s)
            if holds is True:
                break
        return holds

    return test


def _all_of(parts: list[Test]) -> Test:
    def test(s: Any) -> Any:
        holds: Any = True
        for part in parts:
            holds = holds & part(s)
            if holds is False:
                break
        return holds

    return test


class _Parser:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.read = Cursor(text)
        self.vocabulary = vocabulary
        self.depth = 0

    def rules(self) -> tuple[Rule, ...]:
        read = self.read
        found: list[Rule] = []
        while read.place < len(read.tokens):
            if read.now.kind == "end":
                read.place += 1
                continue
            found.append(self._rule())
            if read.now.kind != "end":
                raise read.refuse(
                    f"the rule is over before {read.now.text!r}",
                    known=[";", "and", "or"] if found[-1].test else [";", "if"],
                )
        if not found:
            raise NotationError(
                "there is no rule in this text",
                text=read.text,
                at=0,
                remedy="for example: stop at 6 points; roll",
                field="policy",
            )
        return tuple(found)

    def _rule(self) -> Rule:
        read = self.read
        read.accept_any({"else", "otherwise", "then"})
        begin = read.now
        phrase = self._phrase()
        limit = self._limit() if phrase.limited and read.accept("of") else None
        test: Test | None = None
        if read.accept_any(_NEGATED):
            holds = self._test()
            test = _negated(holds)
        elif read.is_next("at") or read.accept_any(_LEADERS):
            test = self._test()
        end = read.now.at
        return Rule(phrase, limit, test, read.text[begin.at : end].strip())

    def _phrase(self) -> Phrase:
        read = self.read
        best: tuple[int, Phrase] | None = None
        furthest, expected = read.place, set[str]()
        for phrase in self.vocabulary.phrases:
            place = read.place
            for word in phrase.words:
                while read.tokens[place].text in ARTICLES and read.tokens[place].text != word:
                    place += 1
                if read.tokens[place].text != word:
                    if place > furthest:
                        furthest, expected = place, set()
                    if place == furthest:
                        expected.add(word)
                    break
                place += 1
            else:
                if best is None or place > best[0]:
                    best = place, phrase
        if best is None:
            token = read.tokens[furthest]
            shown = (
                f"{token.text!r} is no action" if token.kind != "end" else "an action is missing"
            )
            raise read.refuse(shown, token, known=sorted(expected))
        read.place = best[0]
        return best[1]

    def _limit(self) -> tuple[Callable[[int, int], bool], Sum]:
        for words in (("at", "most"), ("at", "least"), ("more", "than"), ("less", "than")):
            if self.read.accept(*words):
                return _COMPARISONS[words], self._sum()
        return operator.eq, self._sum()

    def _test(self) -> Test:
        parts = [self._both()]
        while self.read.accept("or"):
            self.read.accept_any(_LEADERS)
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else _any_of(parts)

    def _both(self) -> Test:
        parts = [self._single()]
        while self.read.accept("and"):
            self.read.accept_any(_LEADERS)
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else _all_of(parts)

    def _single(self) -> Test:
        read = self.read
        self._deeper()
        try:
            if read.accept("not"):
                return _negated(self._single())
            for words, holds in self.vocabulary.conditions.items():
                if read.accept(*words):
                    amount = self._sum()
                    return lambda s: holds(s, amount(s))
            if read.is_next("at") and not self._comparison_next():
                read.accept("at")
                return self._reached()
            if read.is_next("("):
                return self._in_brackets()
            return self._compared()
        finally:
            self.depth -= 1

    def _in_brackets(self) -> Test:
        """Read ``(test)``, or a comparison that begins with ``(sum)``."""
        read, begin = self.read, self.read.place
        try:
            return self._compared()
        except NotationError as error:
            reached = read.place
            first = error
        read.place = begin
        read.accept("(")
        try:
            test = self._test()
            if not read.accept(")"):
                raise read.refuse("a closing bracket is missing", known=[")", "and", "or"])
        except NotationError:
            if read.place < reached:
                read.place = reached
                raise first from None
            raise
        return test

    def _reached(self) -> Test:
        """Read ``6 points`` after ``at``: so many or more."""
        amount = self._quantity()
        word = "points"
        if self.read.now.kind == "word" and self.read.now.text not in ("and", "or"):
            word = self._word()
        elif "points" not in self.vocabulary.numbers:
            raise self.read.refuse("at how many of what?", known=self.vocabulary.known())
        return lambda s: getattr(s, word) >= amount(s)

    def _comparison_next(self) -> bool:
        return any(self.read.is_next(*words) for words in _COMPARISONS)

    def _compared(self) -> Test:
        left = self._sum()
        sign = next((words for words in _COMPARISONS if self.read.accept(*words)), None)
        if sign is None:
            raise self.read.refuse("a comparison is missing", known=_SIGNS)
        compare = _COMPARISONS[sign]
        right = self._sum()
        return lambda s: compare(left(s), right(s))

    def _sum(self) -> Sum:
        read = self.read
        sign = -1 if read.accept_any("-\u2212") else 1
        parts = [(sign, self._product())]
        while (shown := read.accept_any("+-\u2212")) is not None:
            parts.append((1 if shown == "+" else -1, self._product()))
        if len(parts) == 1 and sign == 1:
            return parts[0][1]
        return lambda s: sum(sign * part(s) for sign, part in parts)

    def _product(self) -> Sum:
        factors = [self._quantity()]
        while self.read.accept("*"):
            factors.append(self._quantity())
        if len(factors) == 1:
            return factors[0]

        def product(s: Any) -> Any:
            result: Any = 1
            for factor in factors:
                result *= factor(s)
            return result

        return product

    def _quantity(self) -> Sum:
        read, token = self.read, self.read.now
        if token.kind == "number":
            read.place += 1
            number = int(token.text)
            return lambda _: number
        if read.accept("("):
            self._deeper()
            inner = self._sum()
            self.depth -= 1
            if not read.accept(")"):
                raise read.refuse("a closing bracket is missing", known=[")"])
            return inner
        word = self._word()
        return lambda s: getattr(s, word)

    def _word(self) -> str:
        token = self.read.now
        word = self.vocabulary.spelled(token.text) if token.kind == "word" else None
        if word is None:
            raise self._no_word(token)
        self.read.place += 1
        return word

    def _no_word(self, token: Token) -> NotationError:
        if token.kind != "word":
            shown = f" before {token.text!r}" if token.text.strip() else ""
            return self.read.refuse(f"a number or word is missing{shown}")
        parts = token.text.split("-")
        if len(parts) > 1 and all(self.vocabulary.spelled(part) for part in parts):
            what = f"{token.text!r} is one word: put spaces around the minus sign"
            return self.read.refuse(what, token)
        what = f"{self.vocabulary.game} has no number {token.text!r}"
        return self.read.refuse(what, token, known=self.vocabulary.known())

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.read.refuse(f"brackets are nested deeper than {_DEEPEST}")
