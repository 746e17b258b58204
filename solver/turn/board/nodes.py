r"""A movement on the board as nodes, from one *event* to the next.

Between two events (a Martian to be met, a token, a crop circle, the Mother Ship) the pawn walks
over squares on which nothing happens. So a node is where the player stands after an event, with
the moves left, and its options are to stop on any square within reach, or to walk to any event by
the shortest free way. That loses nothing: whoever has more moves left can do all that he can do
with fewer, for he may stop at any time; so a longer way to the same event is never better.

Nodes are the same if they differ only in what cannot matter any more (:mod:`.matter`). Life and
bullet tokens are no part of a node: its value is a grid of numbers, one for each pair of them
(:mod:`.values`). But a node may be told that lives, or bullets, are *full*: then the grid counts
for five of them alone.

Kinds of nodes, in the order in which those of one number of moves left are valued:

======  =========================================================================
END     the movement is over: (place or -1, Martians, finds, ending)
WALK    the best of what can be walked to, and of where to stop
FIND    the chances of a token, or of a turned circle: (weight, gain, node)
CHOICE  the best of several: turn a circle or leave it
FIGHT   a fight: what follows when it is won, and the END if it is lost
EITHER  a Martian that need not be met: the best of both
======  =========================================================================

A Martian that need not be met is for bounds (:mod:`.march`): whoever enters its square fights or
does not, as he likes, and each time anew.
"""

from __future__ import annotations

from typing import Any

from solver.errors import TooLargeError
from solver.games.martians.plan.finds import (
    ALL_ITEMS,
    BULLET,
    FIRST_ITEM,
    LIFE,
    Finds,
    put_back,
    reveal,
    turn_circle,
)
from solver.games.martians.plan.ground import AtFive, Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.matter import BIT_OF, FULL, Key, Matter

END, WALK, FIND, CHOICE, FIGHT, EITHER = range(6)
NO_GAIN, LIFE_GAINED, LIFE_AT_FIVE, BULLET_GAINED, BULLET_AT_FIVE = range(5)
"""What a branch of a FIND does to the tokens, and for which numbers of them it is."""

MOST_NODES = 400_000

_GAINS = {LIFE: (LIFE_GAINED, LIFE_AT_FIVE), BULLET: (BULLET_GAINED, BULLET_AT_FIVE)}


class Nodes:
    """The nodes of a movement.

    Parameters
    ----------
    ground
        Where the player moves.
    payoff
        What for: it tells what can matter.
    moves
        The most moves that the movement can have.
    most
        Limit of the number of nodes.
    perhaps
        Squares whose Martian need not be met.

    Attributes
    ----------
    kind, level, data
        For each node its kind, the moves left at it (-1 for an END), and what it leads to.
    matter, finds
        What can matter; finds by their number.
    key, within
        See :class:`.Matter`.
    """

    def __init__(
        self,
        ground: Ground,
        payoff: Payoff,
        moves: int,
        *,
        most: int = MOST_NODES,
        perhaps: int = 0,
    ) -> None:
        self.ground, self.moves, self.most, self.perhaps = ground, moves, most, perhaps
        self.kind: list[int] = []
        self.level: list[int] = []
        self.data: list[Any] = []
        self.matter = Matter(ground, payoff, moves)
        self.finds = self.matter.finds
        self.key = self.matter.key
        self.within = self.matter.within
        self._place = self.matter.place
        self._rests = self.matter.rests
        self._uses_place = "place" in payoff.uses
        self._places = None
        if payoff.places is not None:
            known = {s: n for n, s in enumerate(ground.squares)}
            self._places = {known[s] for s in payoff.places if s in known}
        self._ways: dict[tuple[int, ...], tuple[Any, Any]] = {}
        self._walks: dict[Key, int] = {}
        self._begun: set[Key] = set()
        self._circles: dict[Key, int] = {}
        self._events: dict[Key, int] = {}
        self._ends: dict[tuple[int, int, int, int, str], int] = {}
        self._open: list[list[tuple[int, Key]]] = [[] for _ in range(moves + 1)]

    def begin(self, key: Key) -> int:
        """Return the node of a player whose movement begins, free on a square.

        What lies there was not come to in this movement: it can be left and entered again. Later
        that is never better than to do at once whatever can be done there.

        Parameters
        ----------
        key
            What matters, from :meth:`.Matter.key`.
        """
        self._begun.add(key)
        return self.walk(key)

    def walk(self, key: Key) -> int:
        """Return the node of a player who stands free on a square, and decides.

        Parameters
        ----------
        key
            What matters, from :meth:`.Matter.key`.
        """
        node = self._walks.get(key)
        if node is None:
            node = self._walks[key] = self._add(WALK, key[1], ())
            self._open[key[1]].append((node, key))
        return node

    def lost(self, martians: int, finds: Finds) -> int:
        """Return the node of a death."""
        return self._end(-1, martians, self.matter.numbered(finds), "dead")

    def expand(self) -> None:
        """Find all that the nodes lead to.

        Raises
        ------
        TooLargeError
            If there are more nodes than the limit.
        """
        for moves in range(self.moves, -1, -1):
            for node, key in self._open[moves]:
                self._lead(node, key)
            self._open[moves] = []

    def has_walk(self, key: Key) -> bool:
        """Return whether a walk with that key is a node."""
        return key in self._walks

    def has_event(self, key: Key) -> bool:
        """Return whether an event with that key is a node."""
        return key in self._events

    def circle(self, key: Key) -> int | None:
        """Return the CHOICE at a crop circle that was just entered, None if it is no node."""
        return self._circles.get(key)

    def happens(self, key: Key, square: int) -> bool:
        """Return whether something happens to whoever enters a square."""
        return bool((key[2] | self._rests(key[4])) >> square & 1)

    def stops(self, key: Key) -> list[tuple[int, int]]:
        """Return where a walk can stop: (square, END); the square is -1 where it is no matter."""
        at, moves, standing, martians, number, _ = key
        _, stops = self._reach(at, moves, standing, self._rests(number))
        return [(stop, self._end(stop, martians, number, "stopped")) for stop in stops]

    def events(self, key: Key) -> list[tuple[int, int]]:
        """Return the events that a walk can come to first: (square, node)."""
        at, moves, standing, martians, number, full = key
        rests = self._rests(number)
        events, _ = self._reach(at, moves, standing, rests)
        if key in self._begun and rests >> at & 1 and moves > 1 and self._has_way_back(key):
            events = (*events, (at, 2))
        keys = [
            self._place(square, moves - steps, standing, martians, number, full)
            for square, steps in events
        ]
        return [(there[0], self.event(there)) for there in keys]

    def _has_way_back(self, key: Key) -> bool:
        return any(not self.happens(key, square) for square in self.ground.near[key[0]])

    def _add(self, kind: int, level: int, data: Any) -> int:
        if len(self.kind) >= self.most:
            raise TooLargeError(
                f"this movement has more than {self.most:,} nodes",
                remedy="fewer moves, or a higher limit (most_nodes) and patience",
                field="moves",
            )
        self.kind.append(kind)
        self.level.append(level)
        self.data.append(data)
        return len(self.kind) - 1

    def _lead(self, node: int, key: Key) -> None:
        """Find what can be walked to."""
        options = [end for _, end in self.stops(key)] + [node for _, node in self.events(key)]
        self.data[node] = tuple(dict.fromkeys(options))

    def _reach(self, at: int, moves: int, standing: int, rests: int) -> tuple[Any, Any]:
        """Return the events that can be walked to, with the steps, and the places to stop."""
        way = at, moves, standing, rests
        known = self._ways.get(way)
        if known is not None:
            return known
        events, near = standing | rests, self.ground.near
        seen, ring, free, found = 1 << at, [at], [at], []
        for steps in range(1, moves + 1):
            ahead: list[int] = []
            for square in ring:
                for other in near[square]:
                    bit = 1 << other
                    if seen & bit:
                        continue
                    seen |= bit
                    if events & bit:
                        found.append((other, steps))
                    else:
                        ahead.append(other)
            free += ahead
            ring = ahead
            if not ring:
                break
        self._ways[way] = tuple(found), self._stops(free)
        return self._ways[way]

    def _stops(self, free: list[int]) -> tuple[int, ...]:
        if not self._uses_place:
            return (-1,)
        if self._places is None:
            return tuple(free)
        stops = [square for square in free if square in self._places]
        return (-1, *stops) if len(stops) < len(free) else tuple(stops)

    def _end(self, at: int, martians: int, number: int, ending: str) -> int:
        finds = self.finds[number]
        key = at, martians, finds.held, finds.ship, ending
        node = self._ends.get(key)
        if node is None:
            node = self._ends[key] = self._add(END, -1, (at, martians, number, ending))
        return node

    def event(self, key: Key) -> int:
        """Return the node of a player who has just entered a square on which something happens.

        Parameters
        ----------
        key
            What matters, from :meth:`.Matter.key`.
        """
        node = self._events.get(key)
        if node is not None:
            return node
        at, moves, standing = key[:3]
        if standing >> at & 1:
            node = self._fight(key)
            if self.perhaps >> at & 1:
                node = self._add(EITHER, moves, (node, self.landed(key)))
        else:
            node = self.landed(key)
        self._events[key] = node
        return node

    def _fight(self, key: Key) -> int:
        at, moves, standing, martians, number, _ = key
        counted = martians + self.matter.counts_martians
        if self.matter.counts_martians and 0 < self.ground.goal <= counted:
            won = self._end(at if self._uses_place else -1, counted, number, "martians")
        else:
            left = standing & ~(1 << at) | self.perhaps & standing
            won = self.landed(self._place(at, moves, left, counted, number, 0))
        dead = self._end(-1, martians, number, "dead")
        return self._add(FIGHT, moves, (won, dead))

    def landed(self, key: Key) -> int:
        """Return the node of a square with no Martian to be met, before what lies there.

        Parameters
        ----------
        key
            What matters, from :meth:`.Matter.key`.
        """
        at, moves, standing, martians, number, full = key
        finds = self.finds[number]
        if key in self._circles:
            return self._circles[key]
        if at == finds.ship and finds.held == ALL_ITEMS:
            return self._end(at if self._uses_place else -1, martians, number, "ship")
        if self.matter.tokens[number] >> at & 1:
            branches = [
                (weight, gain, self.walk(self._place(at, moves, standing, martians, after, still)))
                for weight, gain, after, still in self._taken(key)
            ]
            return self._add(FIND, moves, branches)
        here = self.walk(key)
        if finds.circles >> at & 1:
            shown = []
            for weight, left in turn_circle(finds, at):
                after = self._place(at, moves, standing, martians, self.matter.numbered(left), full)
                shown.append((weight, NO_GAIN, self.landed(after)))
            self._circles[key] = self._add(CHOICE, moves, (here, self._add(FIND, moves, shown)))
            return self._circles[key]
        return here

    def _taken(self, key: Key) -> list[tuple[int, int, int, int]]:
        """Return what a token on a square does: (weight, gain, finds after it, what is full)."""
        at, moves, standing, _, number, full = key
        finds = self.finds[number]
        found: list[tuple[int, int, int, int]] = []
        for weight, token, left in reveal(finds, at):
            if token in _GAINS:
                kind = FULL[token]
                back = self.matter.numbered(self._left_at_five(left, at, token))
                plain = self.matter.numbered(left)
                if full & kind:
                    found.append((weight, NO_GAIN, back, full))
                    continue
                useful = back != plain and self.matter.five[token]
                useful = useful and self.matter.after_a_fight(at, at, moves, standing)
                gained, at_five = _GAINS[token]
                found.append((weight, gained, plain, full))
                found.append((weight, at_five, back if useful else plain, full | kind * useful))
                continue
            if token >= FIRST_ITEM:
                left = left._replace(held=left.held | BIT_OF[token])  # noqa: PLW2901
            found.append((weight, NO_GAIN, self.matter.numbered(left), full))
        return found

    def _left_at_five(self, left: Finds, at: int, token: int) -> Finds:
        return put_back(left, at, token) if self.ground.at_five is AtFive.GOES_BACK else left
