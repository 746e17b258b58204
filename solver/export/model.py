r"""An explicit decision process: what every export is written from.

States are numbered. In each somebody decides between *choices*, or nobody does and there is one
choice; a choice has a reward and leads to states by integer weights over their sum. Somebody is a
seat, numbered from 1. One state without a way on, ``done``, ends the process; with best play
of the one seat that decides, the value of a state is

.. math::

   V(s) = \max_{c} \Bigl( r_c + \sum_t \tfrac{w_{c,t}}{W_c} V(t) \Bigr), \qquad V(\text{done}) = 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from solver.errors import TooLargeError, UsageError

NOBODY = 0
DONE = "done"
MAX_STATES = 2_000_000


class Choice(NamedTuple):
    """One way on from a state.

    Parameters
    ----------
    action
        What the player does, or what happens, in a word or two.
    reward
        What it earns at once, in the model's unit.
    branches
        (weight, state) pairs, every state once, weights over their sum.
    """

    action: str
    reward: int
    branches: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(weight for weight, _ in self.branches)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A decision process.

    Parameters
    ----------
    name
        The game and what it is played for.
    unit
        What rewards count.
    minimise
        Whether the least is best (turns to a goal).
    initial
        The state in which it begins.
    labels
        What each state stands for: the rules' own state, with the standing before it in a match.
    deciders
        The seat that decides in each state, or NOBODY.
    choices
        The choices of each state, in canonical order.
    marks
        Name -> states: ``done``, in a match ``win_1``, ``win_2`` and ``turn_1``, ``turn_2`` (where
        a turn begins).
    """

    name: str
    unit: str
    minimise: bool
    initial: int
    labels: tuple[Hashable, ...] = field(repr=False)
    deciders: bytes = field(repr=False)
    choices: tuple[tuple[Choice, ...], ...] = field(repr=False)
    marks: Mapping[str, frozenset[int]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def done(self) -> int:
        """The state that ends it."""
        (state,) = self.marks[DONE]
        return state

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that decide somewhere."""
        return tuple(sorted(set(self.deciders) - {NOBODY}))

    def one_seat(self, target: str) -> int:
        """Return the only seat that decides; 1 if none does.

        Parameters
        ----------
        target
            What the model is to become, for the message.

        Raises
        ------
        UsageError
            If two seats decide.
        """
        if len(self.seats) > 1:
            raise UsageError(
                f"{target} has one player, and in {self.name} both seats decide",
                remedy="--seat 1, or 2: then the other seat plays its best, as solved here",
                field="seat",
            )
        return self.seats[0] if self.seats else 1

    def counted(self) -> dict[str, int]:
        """Return the number of states, choices and branches."""
        return {
            "states": len(self),
            "choices": sum(map(len, self.choices)),
            "branches": sum(len(c.branches) for choices in self.choices for c in choices),
        }


class Builder:
    """Numbers states as they are added, and ends as a :class:`Model`."""

    def __init__(self, name: str, max_states: int = MAX_STATES) -> None:
        self.name, self.max_states = name, max_states
        self.labels: list[Any] = []
        self.deciders = bytearray()
        self.choices: list[tuple[Choice, ...]] = []
        self.marks: dict[str, set[int]] = {}
        self.add(DONE, NOBODY, (), DONE)

    def reserve(self, label: Hashable, *marks: str) -> int:
        """Return the number of a new state whose choices are told later.

        Raises
        ------
        TooLargeError
            If there are too many.
        """
        number = len(self.labels)
        if number >= self.max_states:
            raise TooLargeError(
                f"{self.name} has more than {self.max_states:,} states",
                remedy="a smaller target, fewer dice or rounds",
            )
        self.labels.append(label)
        self.deciders.append(NOBODY)
        self.choices.append(())
        for mark in marks:
            self.marks.setdefault(mark, set()).add(number)
        return number

    def tell(self, number: int, seat: int, choices: Iterable[Choice]) -> None:
        """Say who decides in a state, and between what."""
        self.deciders[number] = seat
        self.choices[number] = tuple(choices)

    def add(self, label: Hashable, seat: int, choices: Iterable[Choice], *marks: str) -> int:
        """Add a state and return its number."""
        number = self.reserve(label, *marks)
        self.tell(number, seat, choices)
        return number

    def model(self, initial: int, unit: str, *, minimise: bool = False) -> Model:
        """Return the model."""
        return Model(
            self.name,
            unit,
            minimise,
            initial,
            tuple(self.labels),
            bytes(self.deciders),
            tuple(self.choices),
            {name: frozenset(states) for name, states in self.marks.items()},
        )


def merged(branches: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return (weight, state) pairs with every state once, in order of appearance."""
    weights: dict[int, int] = {}
    for weight, state in branches:
        weights[state] = weights.get(state, 0) + weight
    return tuple((weight, state) for state, weight in weights.items())


def spelled(action: object) -> str:
    """Return an action as text: the rules' own word, or the parts of a tuple.

    Examples
    --------
    >>> spelled("stop"), spelled(("group", 3))
    ('stop', 'group 3')
    """
    return " ".join(map(str, action)) if isinstance(action, tuple) else str(action)


def walk_model(model: Model) -> Iterator[tuple[int, int, tuple[Choice, ...]]]:
    """Yield (state, decider, choices) of every state but ``done``."""
    for state, (seat, choices) in enumerate(zip(model.deciders, model.choices, strict=True)):
        if state != model.done:
            yield state, seat, choices
