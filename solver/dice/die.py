"""A die: each face has an integer weight over one common denominator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from solver.errors import UsageError

Face = str | int


@dataclass(frozen=True, slots=True)
class Die:
    """A die as face -> integer weight.

    Two dice are equal if they have the same faces with the same weights in the same order; the
    order is the one in which faces are listed in counts.

    Parameters
    ----------
    sides
        Pairs of a face and its weight, an integer of at least zero; at least one is positive.

    Raises
    ------
    UsageError
        On a face named twice, a weight that is no integer or is negative, or no weight at all.

    Examples
    --------
    >>> Die.of({"T": 1, "R": 2, "H": 1, "C": 1, "K": 1}).denominator
    6
    """

    sides: tuple[tuple[Face, int], ...]

    def __post_init__(self) -> None:
        seen: set[Face] = set()
        for face, weight in self.sides:
            if face in seen:
                raise UsageError(f"the face {face!r} is named twice in one die")
            seen.add(face)
            if isinstance(weight, bool) or not isinstance(weight, int) or weight < 0:
                raise UsageError(
                    f"the face {face!r} has weight {weight!r}",
                    remedy="a weight is a whole number, zero or more",
                )
        if self.denominator == 0:
            raise UsageError("a die needs at least one face with a positive weight")

    @classmethod
    def of(cls, weights: Mapping[Face, int]) -> Die:
        """Return the die with these weights, faces in the mapping's order."""
        return cls(tuple(weights.items()))

    @classmethod
    def fair(cls, sides: int) -> Die:
        """Return the fair die with faces 1 to `sides`.

        Raises
        ------
        UsageError
            If there are fewer than one or more than 10 000 sides.
        """
        if not 1 <= sides <= 10_000:
            raise UsageError(f"a die with {sides} sides", remedy="1 to 10000 sides")
        return cls(tuple((face, 1) for face in range(1, sides + 1)))

    @property
    def denominator(self) -> int:
        """Sum of the weights: the chance of a face is its weight over this."""
        return sum(weight for _, weight in self.sides)

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces, in order."""
        return tuple(face for face, _ in self.sides)

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights, in the order of the faces."""
        return tuple(weight for _, weight in self.sides)

    def weight(self, face: Face) -> int:
        """Return the weight of a face, zero if the die does not have it."""
        return dict(self.sides).get(face, 0)

    def __iter__(self) -> Iterator[tuple[Face, int]]:
        return iter(self.sides)

    def __str__(self) -> str:
        colon = "" if all(isinstance(face, str) for face in self.faces) else ":"
        return " ".join(f"{face}{colon}{weight}" for face, weight in self.sides)
