"""A small match of two seats as an explicit decision process, and a race to a goal alone.

Both seats may decide, or one: then the other plays its best, as the match layer has solved it.
What an outside program finds for the one that decides is then the value of the match from
its side, whatever the other's play was taken from: no less than the value if the other is not
playing its best, and exactly the value if it is.

A turn is written node by node of its graph. In each boundary state nodes are merged again that
lead to the same next boundary states; a merged node is labelled by one state of the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.errors import UsageError
from solver.export.best import BestPlay
from solver.export.course import Boundary, Course, Ended, course_of
from solver.export.model import MAX_STATES, NOBODY, Builder, Choice, Model, merged
from solver.export.named import Named
from solver.games.protocol import Game
from solver.turn.compile import compile_turn
from solver.turn.graph import CHANCE, DECISION, OUTCOME, TurnGraph


def match_model(
    game: Game,
    *,
    seat: int | None = None,
    graph: TurnGraph | None = None,
    max_states: int = MAX_STATES,
) -> Model:
    """Return a match of two seats for the win.

    Parameters
    ----------
    game
        The rules; they must name a match.
    seat
        The seat that decides, 1 or 2, against the best play of the other; None if both do. It is
        this seat's win that is rewarded, the first's if both decide.
    graph
        The compiled turn, if there is one already.
    max_states
        The most states.

    Raises
    ------
    GameError
        If the game names no match of two seats.
    UsageError
        If there is no such seat.
    TooLargeError
        If there are too many states.

    Examples
    --------
    >>> from solver.games.pig import Pig
    >>> match_model(Pig(target=2), seat=1).counted()
    {'states': 5, 'choices': 4, 'branches': 6}
    """
    if seat not in (None, 1, 2):
        raise UsageError(f"--seat {seat}: the seats are 1 and 2", field="seat")
    course = course_of(game)
    graph = compile_turn(game) if graph is None else graph
    build = Builder(f"{game.name}, win", max_states)
    wins = [build.reserve(f"seat {k} has won", f"win_{k}") for k in (1, 2)]
    for k, state in enumerate(wins, 1):
        build.tell(state, NOBODY, [Choice("end", int(k == (seat or 1)), ((1, 0),))])
    tie: list[int] = []

    def end(ended: Ended) -> int:
        if ended.halves != 1:
            return wins[0] if ended.halves else wins[1]
        if not tie:
            even = [Choice("duel", 0, ((1, wins[0]), (1, wins[1])))]
            tie.append(build.add("tied", NOBODY, even))
        return tie[0]

    turns = _Turns(game, graph, course, build, end, reward=0)
    if seat is not None:
        turns.given[3 - seat] = BestPlay(game, graph, course)
    return build.model(turns.all_from(course.start), "win_probability")


def alone_model(
    game: Game, *, graph: TurnGraph | None = None, max_states: int = MAX_STATES
) -> Model:
    """Return a race to a goal alone, in which each turn costs one.

    Parameters
    ----------
    game
        The rules; they must name a race to a goal.
    graph
        The compiled turn, if there is one already.
    max_states
        The most states.

    Raises
    ------
    GameError
        If the game names no such race.
    TooLargeError
        If there are too many states.
    """
    course = course_of(game, 1)
    graph = compile_turn(game) if graph is None else graph
    build = Builder(f"{game.name}, turns", max_states)
    goal = build.add("at the goal", NOBODY, [Choice("end", 0, ((1, 0),))], "goal")
    turns = _Turns(game, graph, course, build, lambda _: goal, reward=1)
    return build.model(turns.all_from(course.start), "turns", minimise=True)


class _Turns:
    """Writes the turns of all boundary states that a match comes to."""

    def __init__(
        self,
        game: Game,
        graph: TurnGraph,
        course: Course,
        build: Builder,
        end: Callable[[Ended], int],
        *,
        reward: int,
    ) -> None:
        self.graph, self.course, self.build, self.end = graph, course, build, end
        self.reward = reward
        self.given: dict[int, BestPlay] = {}
        self.named = Named(game, graph)
        self.state_of: dict[Boundary, int] = {}
        self.open: list[Boundary] = []

    def all_from(self, start: Boundary) -> int:
        first = self.enter(start)
        while self.open:
            self.write(self.open.pop())
        return first

    def enter(self, at: Boundary) -> int:
        """Return the state in which the turn of a boundary state begins."""
        found = self.state_of.get(at)
        if found is None:
            label = at, self.named.state[self.root(at)]
            found = self.state_of[at] = self.build.reserve(label, f"turn_{at.seat}")
            self.open.append(at)
        return found

    def root(self, at: Boundary) -> int:
        return self.graph.roots[self.course.beginning(at)]

    def write(self, at: Boundary) -> None:
        given = self.given.get(at.seat)
        chosen = None if given is None else given.chosen(at).tolist()
        root = self.root(at)
        number: dict[int, int] = {}
        same: dict[tuple[int, tuple[Choice, ...]], int] = {}
        for node in self._reached(root, chosen):
            if self.graph.kind[node] == OUTCOME:
                ahead = self.course.after(at, self.graph.outcomes[node])
                number[node] = self.end(ahead) if isinstance(ahead, Ended) else self.enter(ahead)
            elif chosen is not None and self.graph.kind[node] == DECISION:
                number[node] = number[int(self.graph.child[chosen[node]])]
            else:
                number[node] = self._node(at, node, number, same, begins=node == root)
        first = self.state_of[at]
        if number[root] != first:  # nothing is decided or rolled in this turn that matters
            self.build.tell(first, NOBODY, [Choice("turn", self.reward, ((1, number[root]),))])

    def _node(
        self,
        at: Boundary,
        node: int,
        number: dict[int, int],
        same: dict[tuple[int, tuple[Choice, ...]], int],
        *,
        begins: bool,
    ) -> int:
        earned = self.reward if begins else 0
        if self.graph.kind[node] == CHANCE:
            branches = merged((w, number[child]) for child, w in self.named.branches(node))
            if len(branches) == 1:
                return branches[0][1]
            seat, choices = NOBODY, [Choice("roll", earned, branches)]
        else:
            names: dict[int, str] = {}
            for child in self.graph.children(node).tolist():
                names.setdefault(number[child], self.named.action(node, child))
            if len(names) == 1:
                return next(iter(names))
            seat = at.seat
            choices = [Choice(name, earned, ((1, to),)) for to, name in names.items()]
        if begins:
            self.build.tell(self.state_of[at], seat, choices)
            return self.state_of[at]
        key = seat, tuple(choices)
        if key not in same:
            same[key] = self.build.add((at, self.named.state[node]), seat, choices)
        return same[key]

    def _reached(self, root: int, chosen: list[int] | None) -> list[int]:
        """Return the nodes that a turn comes to, children before parents."""
        reached, stack = {root}, [root]
        while stack:
            node = stack.pop()
            children = self.graph.children(node).tolist()
            if chosen is not None and self.graph.kind[node] == DECISION:
                children = [int(self.graph.child[chosen[node]])]
            stack += [child for child in children if child not in reached]
            reached.update(children)
        return sorted(reached)
