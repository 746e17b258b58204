"""The answer: every legal option, best first, with what it costs and how exact that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from solver.turn.objective import Unit

BUST_MEANS = "The turn then ends with nothing"
"""What a bust is where the game says nothing else."""


@dataclass(frozen=True, slots=True)
class Option:
    """One legal option.

    Parameters
    ----------
    action
        In the rule sheet's words: ``roll``, ``stop``, ``death-rays``, ``cow``, ...
    then
        What best play does next, if the player decides again before any dice are rolled.
    value
        What the option is worth under best play after it, in the objective's unit.
    exact
        The value as a fraction, if it is known exactly.
    loss
        How much less that is than the best option's value.
    bust
        Chance that the turn fails (see :attr:`Advice.bust_means`), under best play after the
        option.
    best
        Whether no option is better; true for every option that ties.
    win_probability
        For the win: every seat's chance after the option, seat 1 first; else None.
    mix
        The chance with which equilibrium play takes this option, where the seat must mix two
        that tie; None where it need not.
    """

    action: str
    then: str | None
    value: float
    exact: str | None
    loss: float
    bust: float
    best: bool
    win_probability: tuple[float, ...] | None = None
    mix: float | None = None


@dataclass(frozen=True, slots=True)
class AdviceExactness:
    """How exact an advice is.

    Parameters
    ----------
    kind
        ``"exact"``, ``"bounded"`` or ``"equilibrium"``; see
        :class:`solver.turn.result.Exactness`.
    error
        The bound that was proven; None if none was asked for.
    bust_error
        Bound on the error of every bust chance, given the policy.
    """

    kind: str
    error: float | None
    bust_error: float


@dataclass(frozen=True, slots=True)
class Advice:
    """Every legal option at a position, best first.

    Parameters
    ----------
    game, rules
        The game's name, its parameters and readings.
    objective, unit
        What was maximised, and what values count.
    position
        The position in short notation, with scores and seat if they matter.
    exactness
        How exact the numbers are.
    table
        Name of the table that answered; None if the answer was solved on the spot.
    graph
        Digest of the turn graph behind it.
    options
        The options.
    note
        Something to know about the position, such as why there is no choice.
    why
        One sentence on why the best option is best.
    bust_means
        What the bust chance is the chance of, as the beginning of a sentence; empty in a game
        whose turns cannot fail.
    assumption
        What the numbers assume that the rules do not say; None if nothing.
    """

    game: str
    rules: Mapping[str, int | str]
    objective: str
    unit: Unit
    position: Mapping[str, Any]
    exactness: AdviceExactness
    table: str | None
    graph: str
    options: tuple[Option, ...]
    note: str | None
    why: str
    bust_means: str = BUST_MEANS
    assumption: str | None = None

    @property
    def best(self) -> Option:
        """The canonical best option."""
        return self.options[0]

    def as_dict(self) -> dict[str, Any]:
        """Return the advice as plain values, the JSON of every front door."""
        plain = asdict(self)
        plain["rules"], plain["position"] = dict(self.rules), dict(self.position)
        plain["options"] = list(plain["options"])
        return plain
