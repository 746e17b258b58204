"""Following best play move by move: one movement is solved once, and looked up as it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from solver.games.martians.plan.finds import BULLET, LIFE
from solver.games.martians.plan.ground import Ground
from solver.games.martians.plan.outcome import Payoff
from solver.turn.board.before import full_of
from solver.turn.board.matter import Key
from solver.turn.board.nodes import FIGHT, MOST_NODES, Nodes
from solver.turn.board.options import PlannedOption, board_plan, fight_options
from solver.turn.board.plan import Movement
from solver.turn.board.route import Route, best_route


class Follower:
    """Answers what best play does, from the movement that was solved last if that covers it.

    It may be asked at any moment, and about any ground: what is not a continuation of the last
    movement is solved anew.

    Parameters
    ----------
    payoff
        What movements are played for.
    most_nodes
        Limit of the nodes of one.
    """

    def __init__(self, payoff: Payoff, *, most_nodes: int = MOST_NODES) -> None:
        self.payoff, self.most_nodes = payoff, most_nodes
        self.solved = 0
        self._last: Movement | None = None

    def route(self, ground: Ground, moves: int) -> Route:
        """Return the way to go for a player who stands free on a square.

        Parameters
        ----------
        ground
            Where he stands, with the tokens that he has now.
        moves
            Moves left.

        Raises
        ------
        TooLargeError
            If the movement has too many nodes.
        """
        key = self._key(ground, moves, Nodes.has_walk)
        if key is None:
            key = self._solve(ground, moves).key
        assert self._last is not None
        return best_route(self._last.values, key, ground.lives, ground.bullets)

    def fight(
        self,
        ground: Ground,
        moves: int | None,
        short: int | None,
        bonus: int = 0,
        rerolls: int = 0,
    ) -> PlannedOption:
        """Return what to do in a fight on the own square; see :func:`.fight_options`.

        Parameters
        ----------
        ground
            Where the player stands, with the tokens that he has now.
        moves
            Moves left; None if the movement roll is still to come.
        short, bonus, rerolls
            As in :func:`.fight_options`.

        Raises
        ------
        TooLargeError
            If the movement has too many nodes.
        """
        last = self._last
        if moves is None:
            known = last is not None and last.moves is None and last.met
            if not known or not _same_but_tokens(last.ground, ground):  # type: ignore[union-attr]
                last = self._solve(ground, None)
            assert last is not None
            won = last.won()
        else:
            key = self._key(ground, moves, Nodes.has_event)
            if key is None:
                won = self._solve(ground, moves).won()
            else:
                assert last is not None
                node = last.nodes.event(key)
                assert last.nodes.kind[node] == FIGHT
                won = last.values.grids(last.nodes.data[node][0])
        assert self._last is not None
        values = self._last.values
        lost = float(self.payoff(ground.death(ground.martians, ground.finds)))
        options = fight_options(values, ground, won, lost, short, bonus, rerolls)
        return board_plan(values, options).best

    def turns_circle(self, ground: Ground, moves: int) -> bool:
        """Return whether to turn over the crop circle on the square just entered.

        Parameters
        ----------
        ground, moves
            As in :meth:`route`.

        Raises
        ------
        TooLargeError
            If the movement has too many nodes.
        """
        key = self._key(ground, moves, lambda nodes, found: nodes.circle(found) is not None)
        if key is not None and self._last is not None:
            values = self._last.values
            node = values.nodes.circle(key)
            assert node is not None
            leave, turn = values.nodes.data[node]
            gain = values.value[turn] - values.value[leave]
            return bool(gain[ground.lives, ground.bullets] >= -values.tie)
        movement = Movement(ground, self.payoff, moves, landed=True, most_nodes=self.most_nodes)
        self.solved += 1
        plan = movement.plan()
        turned = plan.options[0]
        return turned.action == "turn" and turned.value >= plan.value - plan.tie

    def _solve(self, ground: Ground, moves: int | None) -> Movement:
        self._last = Movement(ground, self.payoff, moves, most_nodes=self.most_nodes)
        self.solved += 1
        return self._last

    def _key(self, ground: Ground, moves: int, has: Callable[[Nodes, Key], bool]) -> Key | None:
        """Return the key of a node of the last movement at which the player now is."""
        last = self._last
        if last is None or not _goes_on(last.ground, ground):
            return None
        most = last.nodes.moves
        if moves > most or ground.martians > last.ground.martians + most - moves + 1:
            return None
        full = full_of(ground)
        told = ground.at, moves, ground.standing, ground.martians, ground.finds
        key = last.nodes.key(*told, full)
        found = ((*key[:5], kept) for kept in {full, full & 1, full & 2, 0})
        return next((there for there in found if has(last.nodes, there)), None)


def _same_but_tokens(before: Ground, now: Ground) -> bool:
    same = replace(before, lives=now.lives, bullets=now.bullets)
    return now.lives <= before.lives and same == now


def _goes_on(before: Ground, now: Ground) -> bool:
    """Return whether a ground can be a later one of the same movement."""
    return (
        before.squares == now.squares
        and before.near == now.near
        and (before.weapons, before.goal, before.house) == (now.weapons, now.goal, now.house)
        and (before.last_life, before.at_five) == (now.last_life, now.at_five)
        and all(had >= has for had, has in zip(_tokens(before), _tokens(now), strict=True))
    )


def _tokens(ground: Ground) -> tuple[int, int]:
    """Return how many lives and bullets the player has or can find."""
    known = [token for _, token in ground.finds.known]
    lives = ground.lives + known.count(LIFE) + sum(g[1] for g in ground.finds.hidden)
    return lives, ground.bullets + known.count(BULLET) + sum(g[2] for g in ground.finds.hidden)
