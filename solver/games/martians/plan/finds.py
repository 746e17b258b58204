"""What there is to find: tokens, face-up and face-down, and crop circles, as a value.

Squares are numbers and sets of squares are the bits of an integer, as :class:`.Ground` counts
them. Tokens are numbered: 0 a life, 1 a bullet, 2 to 4 the items in the order of the sheet; items
held are a set of three bits. Source: the rulebook, Placing Map Tiles; Player Movement Rules;
Martian Ship Tokens; readings `face-down`, `pickup` and `crop circle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

LIFE, BULLET, FIRST_ITEM = 0, 1, 2
NOTHING = -1
ITEM_BITS = ((2, 1), (3, 2), (4, 4))
"""Token number of each item, and its bit."""
ALL_ITEMS = 7

Group = tuple[int, int, int, int]
"""Face-down tokens of a building: squares, lives, bullets, items."""


class Finds(NamedTuple):
    """What can be found, as far as it is known.

    Parameters
    ----------
    known
        (Square, token) where it is known what lies there, by square.
    hidden
        The face-down tokens by building: (squares, lives, bullets, items). Squares may be left
        out that nobody can come to; what was left counts among the tokens.
    unseen
        How many of each item nobody has seen.
    held
        Items that the player holds.
    circles
        Squares of face-down crop circles.
    ship
        Square of the face-up Mother Ship, -1 while it is not found.
    unturned
        How many crop circles are face-down or not placed yet.
    """

    known: tuple[tuple[int, int], ...]
    hidden: tuple[Group, ...]
    unseen: tuple[int, int, int]
    held: int
    circles: int
    ship: int
    unturned: int


def bits(squares: Iterable[int]) -> int:
    """Return a set of squares as the bits of an integer."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def squares_in(mask: int) -> Iterator[int]:
    """Yield the squares of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def token_squares(finds: Finds) -> int:
    """Return the squares with a token."""
    found = 0
    for square, _ in finds.known:
        found |= 1 << square
    for group in finds.hidden:
        found |= group[0]
    return found


def reveal(finds: Finds, square: int) -> list[tuple[int, int, Finds]]:
    """Return what may lie on a square: (weight, token, what is left to find without it).

    Parameters
    ----------
    finds
        What can be found.
    square
        Where the player is.

    Returns
    -------
    list
        Empty without a token; lives, then bullets, then items; weights over their sum. Where it is
        known what lies there, one entry of weight one. If nothing is told of unseen items, an
        item is `NOTHING`: for those who do not count items.
    """
    for at, token in finds.known:
        if at == square:
            rest = tuple(entry for entry in finds.known if entry[0] != square)
            return [(1, token, finds._replace(known=rest))]
    for group in finds.hidden:
        if group[0] >> square & 1:
            break
    else:
        return []
    squares, lives, bullets, items = group
    squares ^= 1 << square
    of_all = sum(finds.unseen) if items and any(finds.unseen) else 1
    found: list[tuple[int, int, Finds]] = []
    for token, number in ((LIFE, lives), (BULLET, bullets)):
        if number:
            left = squares, lives - (token == LIFE), bullets - (token == BULLET), items
            found.append((number * of_all, token, _with_group(finds, group, left)))
    if items:
        left = squares, lives, bullets, items - 1
        if not any(finds.unseen):
            found.append((items, NOTHING, _with_group(finds, group, left)))
        for number, (token, _) in enumerate(ITEM_BITS):
            if finds.unseen[number]:
                after = _with_group(finds, group, left)
                unseen = list(finds.unseen)
                unseen[number] -= 1
                after = after._replace(unseen=(unseen[0], unseen[1], unseen[2]))
                found.append((items * finds.unseen[number], token, after))
    return found


def _with_group(finds: Finds, group: Group, left: Group) -> Finds:
    """Return the finds with a group changed; one without tokens or squares is none."""
    kept = tuple(left if other is group else other for other in finds.hidden)
    if not (left[0] and sum(left[1:])):
        kept = tuple(other for other in kept if other is not left)
    return finds._replace(hidden=kept)


def put_back(finds: Finds, square: int, token: int) -> Finds:
    """Return the finds with a token back on its square, of which it is known what it is."""
    return finds._replace(known=tuple(sorted((*finds.known, (square, token)))))


def turn_circle(finds: Finds, square: int) -> list[tuple[int, Finds]]:
    """Return what a crop circle may show when it is turned: (weight, what is left to find).

    The Mother Ship comes first. Each circle that is not turned, placed or not, is as likely as
    any other to be it.
    """
    left = finds._replace(circles=finds.circles & ~(1 << square), unturned=finds.unturned - 1)
    found = [(1, left._replace(ship=square, circles=0))]
    if finds.unturned > 1:
        found.append((finds.unturned - 1, left))
    return found
