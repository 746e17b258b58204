"""Best play of a movement on the board, from any moment of it.

:func:`plan_movement` values every option that the player has; it comes to the same numbers as
solving :class:`solver.games.martians.plan.BoardTurn`, for boards on which that would take too long.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.games.martians.plan.finds import Finds, turn_circle
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.before import BeforeRoll, full_of
from solver.turn.board.fights import Grids
from solver.turn.board.matter import Key
from solver.turn.board.nodes import FIGHT, MOST_NODES, Nodes
from solver.turn.board.options import BoardPlan, PlannedOption, board_plan, fight_options
from solver.turn.board.route import best_route
from solver.turn.board.values import Values


class Movement:
    """A movement with its nodes and their values.

    Parameters
    ----------
    ground, payoff
        Where the player moves, and what for.
    moves
        Moves left; None before the movement roll.
    landed
        Whether the player has just entered the square: a crop circle there may be turned.
    most_nodes
        Limit.

    Raises
    ------
    TooLargeError
        If there are more nodes.
    """

    def __init__(
        self,
        ground: Ground,
        payoff: Payoff,
        moves: int | None = None,
        *,
        landed: bool = False,
        most_nodes: int = MOST_NODES,
    ) -> None:
        self.ground, self.payoff, self.moves = ground, payoff, moves
        self.met = bool(ground.standing >> ground.at & 1)
        self._steps: list[tuple[str, int, Key | None]] = []
        self._turned: list[tuple[int, int]] = []
        self._before: BeforeRoll | None = None
        self._root = -1
        if moves is None:
            self._before = BeforeRoll(ground, payoff, [ground.standing], most_nodes=most_nodes)
            self.nodes, self.values = self._before.nodes, self._before.values
            return
        self.nodes = Nodes(ground, payoff, moves, most=most_nodes)
        self.key = self.nodes.key(
            ground.at, moves, ground.standing, ground.martians, ground.finds, full_of(ground)
        )
        self._root = self.nodes.event(self.key) if self.met else self.nodes.begin(self.key)
        if not self.met:
            self._add_steps(moves)
            if landed and ground.finds.circles >> ground.at & 1:
                turned = turn_circle(ground.finds, ground.at)
                self._turned = [(weight, self._shown(left)) for weight, left in turned]
        self.nodes.expand()
        self.values = Values(self.nodes, payoff)

    def _add_steps(self, moves: int) -> None:
        g, nodes = self.ground, self.nodes
        for square in g.near[g.at] if moves else ():
            key = nodes.key(square, moves - 1, g.standing, g.martians, g.finds, full_of(g))
            x, y = g.squares[square]
            happens = nodes.happens(self.key, square)
            node = nodes.event(key) if happens else nodes.walk(key)
            self._steps.append((f"{x},{y}", node, None if happens else key))

    def _shown(self, left: Finds) -> int:
        g = self.ground
        assert self.moves is not None
        key = self.nodes.key(g.at, self.moves, g.standing, g.martians, left, full_of(g))
        return self.nodes.landed(key)

    def plan(
        self,
        *,
        short: int | None = None,
        bonus: int = 0,
        rerolls: int = 0,
        using: bool = False,
    ) -> BoardPlan:
        """Return what the moment is worth, with every option.

        Parameters
        ----------
        short
            In a fight: by how many bullets the last roll is short; None before the roll.
        bonus, rerolls
            In a fight: what the weapon in use adds, and its re-rolls left.
        using
            In a fight before the roll: whether it is settled what the fight is fought with.
        """
        if self.met:
            told = self.values, self.ground, self.won(), self.lost()
            return self._told(fight_options(*told, short, bonus, rerolls, settled=using))
        if self._before is not None:
            worth = self._before.worth(self.ground.standing)
            return self._told([PlannedOption("roll", *worth)])
        return self._circle() if self._turned else self._walk()

    def won(self) -> Grids:
        """Return what winning the fight on the own square is worth, by tokens, shape (6, 6)."""
        if self._before is not None:
            return self._before.won(self.ground.standing)
        assert self.nodes.kind[self._root] == FIGHT
        return self.values.grids(self.nodes.data[self._root][0])

    def lost(self) -> float:
        """Return what a death in the fight on the own square is worth."""
        return float(self.payoff(self.ground.death(self.ground.martians, self.ground.finds)))

    def _told(self, options: Sequence[PlannedOption]) -> BoardPlan:
        return board_plan(self.values, options)

    def _walk(self) -> BoardPlan:
        g = self.ground
        tokens = g.lives, g.bullets
        stop = g.outcome(g.at, tokens, g.martians, g.finds, "stopped")
        options = [PlannedOption("stop", float(self.payoff(stop)), 0.0)]
        for action, node, key in self._steps:
            then = None if key is None else best_route(self.values, key, *tokens)
            options.append(PlannedOption(action, *self._at(node), then))
        return self._told(options)

    def _at(self, node: int) -> tuple[float, float]:
        where = node, self.ground.lives, self.ground.bullets
        return float(self.values.value[where]), float(self.values.death[where])

    def _circle(self) -> BoardPlan:
        total = sum(weight for weight, _ in self._turned)
        shown = [(weight / total, self._at(node)) for weight, node in self._turned]
        value = sum(share * worth[0] for share, worth in shown)
        death = sum(share * worth[1] for share, worth in shown)
        leave = best_route(self.values, self.key, self.ground.lives, self.ground.bullets)
        left = PlannedOption("leave", leave.value, leave.death, leave)
        return self._told([PlannedOption("turn", value, death), left])


def plan_movement(
    ground: Ground, payoff: Payoff, moves: int | None = None, *, most_nodes: int = MOST_NODES
) -> BoardPlan:
    """Return what a movement is worth, with every option at its beginning.

    Parameters
    ----------
    ground, payoff
        Where the player moves, and what for.
    moves
        Moves left; None before the movement roll. A Martian on the player's square is fought first.
    most_nodes
        Limit of the number of nodes.

    Raises
    ------
    TooLargeError
        If there are more nodes.
    """
    return Movement(ground, payoff, moves, most_nodes=most_nodes).plan()
