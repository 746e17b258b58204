"""Families of short rules: what a rule of so many conditions may look like.

A rule text falls into *domains*, one for each kind of decision (what to take; whether to stop).
In each a base order of actions is always there, and lines with conditions go before it. The
number of conditions is what has to be kept in the head: comparisons, and limits on an action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from solver.errors import UsageError
from solver.games.martians.gauntlet import Gauntlet
from solver.games.martians.hunt import Hunt
from solver.games.protocol import Game

Clauses = tuple[tuple[str, ...], ...]
"""Conditions, those of a clause joined by ``and``, the clauses by ``or``."""


@dataclass(frozen=True, slots=True)
class Line:
    """One rule: an action as texts have it, and when; always, without clauses."""

    phrase: str
    clauses: Clauses = ()

    @property
    def conditions(self) -> int:
        """Comparisons, and a limit of the action."""
        limited = " of at most " in self.phrase or " of at least " in self.phrase
        return sum(map(len, self.clauses)) + limited

    @property
    def text(self) -> str:
        """The line as a rule text."""
        if not self.clauses:
            return self.phrase
        return f"{self.phrase} if {' or '.join(' and '.join(clause) for clause in self.clauses)}"


@dataclass(frozen=True, slots=True)
class Domain:
    """One kind of decision.

    Parameters
    ----------
    bases
        Orders of actions without a condition; the first that is legal is taken.
    phrases
        Actions that a line with a condition may have.
    conditions
        What may be asked.
    """

    bases: tuple[tuple[str, ...], ...]
    phrases: tuple[str, ...]
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule text of a family: the lines of each domain."""

    domains: tuple[tuple[Line, ...], ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines in order."""
        return tuple(line for lines in self.domains for line in lines)

    @property
    def conditions(self) -> int:
        """Number of conditions."""
        return sum(line.conditions for line in self.lines)

    @property
    def text(self) -> str:
        """The rule text, as `evaluate --policy` takes it."""
        return "; ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Family:
    """All rule texts that can be made of some domains."""

    domains: tuple[Domain, ...]

    def bases(self) -> Iterator[Candidate]:
        """Yield the rules without conditions."""

        def build(at: int, before: tuple[tuple[Line, ...], ...]) -> Iterator[Candidate]:
            if at == len(self.domains):
                yield Candidate(before)
                return
            for base in self.domains[at].bases:
                yield from build(at + 1, (*before, tuple(Line(phrase) for phrase in base)))

        yield from build(0, ())

    def extended(self, rule: Candidate) -> Iterator[Candidate]:
        """Yield the rules with one condition more, or two where an action has a limit."""
        for at, (domain, lines) in enumerate(zip(self.domains, rule.domains, strict=True)):
            for changed in _longer(domain, lines):
                yield Candidate((*rule.domains[:at], changed, *rule.domains[at + 1 :]))

    def changed(self, rule: Candidate) -> Iterator[Candidate]:
        """Yield the rules that differ in one condition, limit or base."""
        for at, (domain, lines) in enumerate(zip(self.domains, rule.domains, strict=True)):
            for changed in _other(domain, lines):
                yield Candidate((*rule.domains[:at], changed, *rule.domains[at + 1 :]))


def _conditional(lines: tuple[Line, ...]) -> int:
    """Return how many lines stand before the base."""
    return next((i for i, line in enumerate(lines) if not line.conditions), len(lines))


def _longer(domain: Domain, lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    head = _conditional(lines)
    for place in range(head + 1):
        follows = lines[place].phrase if place < len(lines) else None
        for phrase in domain.phrases:
            limited = Line(phrase).conditions > 0
            if phrase == follows:
                continue
            if limited:
                yield (*lines[:place], Line(phrase), *lines[place:])
            for condition in domain.conditions:
                yield (*lines[:place], Line(phrase, ((condition,),)), *lines[place:])
    for place in range(head):
        line = lines[place]
        for condition in domain.conditions:
            for clauses in _with(line.clauses, condition):
                yield (*lines[:place], replace(line, clauses=clauses), *lines[place + 1 :])


def _with(clauses: Clauses, condition: str) -> Iterator[Clauses]:
    if any(condition in clause for clause in clauses):
        return
    for i, clause in enumerate(clauses):
        yield (*clauses[:i], (*clause, condition), *clauses[i + 1 :])
    yield (*clauses, (condition,))


def _other(domain: Domain, lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    head = _conditional(lines)
    for base in domain.bases:
        yield (*lines[:head], *(Line(phrase) for phrase in base))
    for place in range(head):
        line = lines[place]
        cost = Line(line.phrase).conditions
        for phrase in domain.phrases:
            if phrase != line.phrase and Line(phrase).conditions == cost:
                yield (*lines[:place], replace(line, phrase=phrase), *lines[place + 1 :])
        for i, clause in enumerate(line.clauses):
            for j in range(len(clause)):
                for condition in domain.conditions:
                    if condition in clause:
                        continue
                    new = (*clause[:j], condition, *clause[j + 1 :])
                    clauses = (*line.clauses[:i], new, *line.clauses[i + 1 :])
                    yield (*lines[:place], replace(line, clauses=clauses), *lines[place + 1 :])


def _each(template: str, numbers: range) -> tuple[str, ...]:
    return tuple(template.format(n) for n in numbers)


_MARTIAN_TAKE = Domain(
    bases=(
        ("take the largest group", "take death-rays"),
        ("take death-rays", "take the largest group"),
        ("take the smallest group", "take death-rays"),
    ),
    phrases=("take death-rays", "take the largest group", "take the smallest group"),
    conditions=(
        "tanks > rays",
        "tanks >= rays",
        *_each("rays < tanks + {}", range(2, 5)),
        *_each("tanks > rays + {}", range(1, 4)),
        *_each("rolled-rays >= {}", range(2, 7)),
        *_each("rolled-rays >= largest + {}", range(4)),
        *_each("largest >= rolled-rays + {}", range(1, 4)),
        "rays + rolled-rays >= tanks",
        "rays + rolled-rays > tanks",
        *_each("largest >= {}", range(2, 6)),
        *_each("largest <= {}", range(1, 4)),
        *_each("tanks >= {}", range(1, 6)),
        *_each("heads >= {}", range(1, 6)),
        *_each("kinds >= {}", range(1, 3)),
        *_each("dice >= {}", range(4, 11)),
        *_each("dice <= {}", range(2, 9)),
    ),
)
_MARTIAN_STOP = Domain(
    bases=(("roll",), ("score", "roll")),
    phrases=("score", "roll"),
    conditions=(
        *_each("points >= {}", range(2, 11)),
        *_each("points <= {}", range(1, 7)),
        *_each("dice <= {}", range(1, 10)),
        *_each("dice >= {}", range(2, 8)),
        "rays = tanks",
        *_each("rays <= tanks + {}", range(1, 4)),
        *_each("rays >= tanks + {}", range(1, 4)),
        *_each("tanks >= {}", range(1, 7)),
        "kinds = 3",
        "kinds >= 2",
        "kinds <= 1",
        *_each("points >= dice + {}", range(4)),
        "points > dice",
        "points >= 2 * dice",
    ),
)
_ALIEN_CREW = Domain(
    bases=(("stop",), ("roll both", "stop")),
    phrases=(
        "stop",
        "roll both",
        "roll the low die",
        "roll the high die",
        *_each("roll dice of at most {}", range(1, 6)),
    ),
    conditions=(
        "throws = 1",
        "throws = 2",
        *_each("low <= {}", range(1, 6)),
        *_each("high <= {}", range(1, 6)),
        *_each("crew <= {}", range(3, 12)),
        *_each("crew >= {}", range(4, 12)),
    ),
)
_PIG = Domain(
    bases=(("roll",), ("stop",)),
    phrases=("stop", "roll"),
    conditions=_each("points >= {}", range(2, 41)),
)

FAMILIES: Mapping[str, Family] = {
    "martian-dice": Family((_MARTIAN_TAKE, _MARTIAN_STOP)),
    "alien-crew": Family((_ALIEN_CREW,)),
    "pig": Family((_PIG,)),
}
"""Game name -> its family, where it does not depend on the rules; see :func:`family_of`."""


def family_of(game: Game) -> Family:
    """Return the family of short rules for a game.

    Parameters
    ----------
    game
        The rules: with weapons there is more to decide.

    Raises
    ------
    UsageError
        If there is none.
    """
    if isinstance(game, Hunt):
        return Family((*_armed(game), _spending(game, _hunt_conditions(game)), _fighting(game)))
    if isinstance(game, Gauntlet):
        left = (*_each("left <= {}", range(1, 7)), *_each("left >= {}", range(2, 9)))
        return Family((*_armed(game), _spending(game, left)))
    if game.name not in FAMILIES:
        known = [*FAMILIES, Hunt.name, Gauntlet.name]
        raise UsageError(
            f"there is no family of short rules for {game.name}",
            remedy=f"games that have one: {', '.join(known)}",
            field="game",
        )
    return FAMILIES[game.name]


_TOKENS = (
    *_each("lives <= {}", range(1, 5)),
    *_each("lives >= {}", range(2, 6)),
    *_each("bullets <= {}", range(5)),
    *_each("bullets >= {}", range(1, 6)),
    *_each("lives + bullets <= {}", range(2, 9)),
    *_each("lives + bullets >= {}", range(3, 10)),
    "lives > bullets",
    "bullets > lives",
)


def _spending(game: Hunt | Gauntlet, more: tuple[str, ...]) -> Domain:
    """Return what may be done about a losing roll."""
    again = ("reroll",) if any(weapon.rerolls for weapon in game.weapon.held) else ()
    orders: tuple[tuple[str, ...], ...] = (
        (*again, "spend", "forfeit"),
        (*again, "forfeit", "spend"),
    )
    if again:
        orders = (*orders, ("spend", *again, "forfeit"))
    rolls = ("roll = 3", "roll = 2", "roll = 1", "roll >= 2", "roll <= 2", "bullets > short")
    return Domain(orders, ("spend", "forfeit", *again), (*rolls, *_TOKENS, *more))


def _hunt_conditions(game: Hunt) -> tuple[str, ...]:
    """Return what may be asked about a hunt besides tokens."""
    steps = sorted({max(1, round(game.goal * part / 10)) for part in range(1, 10)})
    return (
        *_each("moves <= {}", range(7)),
        *_each("moves >= {}", range(1, 8)),
        *(f"martians <= {n}" for n in steps),
        *(f"martians >= {n}" for n in steps),
    )


def _fighting(game: Hunt) -> Domain:
    """Return whether to fight on."""
    conditions = (*_TOKENS, *_each("2 * lives + bullets <= {}", range(3, 12)))
    return Domain(
        (("fight",), ("stop",)), ("stop", "fight"), (*conditions, *_hunt_conditions(game))
    )


def _armed(game: Hunt | Gauntlet) -> tuple[Domain, ...]:
    """Return with what to fight, where there is a choice."""
    if not game.weapon.held:
        return ()
    return (Domain((("use the weapon",), ("use bare hands",)), (), ()),)
