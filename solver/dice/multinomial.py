r"""What n equal dice can show, as counts with integer weights.

For weights :math:`w_1, \dots, w_k` with sum :math:`D`, the counts :math:`c_1 + \dots + c_k = n`
have the weight

.. math:: \frac{n!}{c_1! \cdots c_k!} \; w_1^{c_1} \cdots w_k^{c_k},

and the weights of all counts sum to :math:`D^n`, the exact denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import comb
from typing import TypeVar

from solver.errors import UsageError

Key = TypeVar("Key", bound=Hashable)


def multinomial(weights: Sequence[int], n: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every count vector that `n` dice can show, with its integer weight.

    Parameters
    ----------
    weights
        Weight of each face, integers of at least zero.
    n
        Number of dice, at least zero.

    Yields
    ------
    counts : tuple of int
        How many dice show each face, in the order of `weights`; they sum to `n`. Counts of
        weight zero are left out. The order is lexicographic.
    weight : int
        Number of equally likely ordered outcomes, out of ``sum(weights) ** n``.

    Raises
    ------
    UsageError
        If `n` is negative.

    Examples
    --------
    >>> list(multinomial((1, 2), 2))
    [((0, 2), 4), ((1, 1), 4), ((2, 0), 1)]
    """
    if n < 0:
        raise UsageError(f"{n} dice cannot be rolled")
    faces = len(weights)
    open_: list[tuple[tuple[int, ...], int, int]] = [((), n, 1)]  # counts, dice left, weight
    while open_:
        counts, left, weight = open_.pop()
        at = len(counts)
        if at == faces:
            if not left:
                yield counts, weight
        elif at == faces - 1:
            if weights[at] or not left:
                yield (*counts, left), weight * weights[at] ** left
        else:
            face = weights[at]
            for count in range(left if face else 0, -1, -1):
                factor = comb(left, count) * face**count
                open_.append(((*counts, count), left - count, weight * factor))


def project(
    rolls: Iterable[tuple[tuple[int, ...], int]], key: Callable[[tuple[int, ...]], Key]
) -> dict[Key, int]:
    """Add up the weights of all counts that look the same to a game.

    Parameters
    ----------
    rolls
        Pairs of counts and weight, as :func:`multinomial` yields them.
    key
        What the game needs to know of the counts.

    Returns
    -------
    dict
        Key -> weight; the weights keep their sum. Keys are in order of first appearance.

    Examples
    --------
    >>> project(multinomial((1, 2), 2), key=max)
    {2: 5, 1: 4}
    """
    merged: dict[Key, int] = {}
    for counts, weight in rolls:
        name = key(counts)
        merged[name] = merged.get(name, 0) + weight
    return merged
