"""Small worlds: the whole race of one player on a board that is fully known, solved with a proof.

The race is that of :class:`solver.games.martians.plan.race.BoardRace`. It goes round in circles
(Martians come back, players die), so it is solved as any race to a goal alone
(:mod:`solver.match.goal.alone`): policy iteration, and a bound from one step in another kernel.

How small: the limit is on the states of all turns together; a few hundred standings on a map of
two or three tiles whose Martians stay, or one or two Martians that move. A world that is larger is
found out by walking through it up to the limit, before anything is solved.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from solver.errors import GameError
from solver.games.martians.plan.race import BoardRace, most_standings
from solver.match.goal.alone import fewest_turns, within
from solver.match.goal.standings import Standings, standings_of
from solver.match.race import Progress
from solver.turn.compile import compile_turn
from solver.turn.graph import TurnGraph
from solver.turn.kernel import error_bound


@dataclass(frozen=True, slots=True)
class WorldSize:
    """How large a small world is.

    Parameters
    ----------
    standings
        Standings that the race can come to.
    at_most
        A bound on them that is known without walking through the world.
    nodes
        Nodes of the turns, equal ones counted once.
    """

    standings: int
    at_most: int
    nodes: int


@dataclass(frozen=True, slots=True, eq=False)
class SmallWorld:
    """A small world, ready to be asked.

    Parameters
    ----------
    race
        The race.
    size
        How large it is.
    """

    race: BoardRace
    size: WorldSize
    graph: TurnGraph = field(repr=False)
    standings: Standings = field(repr=False)

    def fewest_turns(self, standing: Hashable | None = None) -> tuple[float, float]:
        """Return the fewest expected turns to the goal, and the proven bound on their error.

        Parameters
        ----------
        standing
            Where the race stands; by default where it begins.

        Raises
        ------
        GameError
            If the goal cannot be reached, or need not be: some way of dying can make it
            impossible. The chance within a number of turns is defined even so.
        ProofError
            If no bound could be proven.
        """
        try:
            found = fewest_turns(self.graph, self.standings)
        except GameError as error:
            raise GameError(
                "the goal cannot be reached from everywhere in this world: the expected number of"
                " turns is infinite",
                remedy="ask for the chance within a number of turns, or add a farm (Martians"
                " arrive on crop circles)",
            ) from error
        turns = float(found.turns[self._number(standing)])
        return turns, turns * found.relative_error

    def chance_within(
        self, turns: int, standing: Hashable | None = None
    ) -> tuple[list[float], float]:
        """Return the greatest chance to be at the goal within 0, 1, ... turns, and their error.

        Each is that of the policy that is best for its own number of turns.

        Parameters
        ----------
        turns
            The most turns.
        standing
            Where the race stands; by default where it begins.
        """
        found = within(self.graph, self.standings, turns)
        error = turns * (error_bound(self.graph, tolerance=0.0) + 2.0**-52)
        return np.clip(found[:, self._number(standing)], 0.0, 1.0).tolist(), error

    def _number(self, standing: Hashable | None) -> int:
        return self.standings.number(self.race.first() if standing is None else standing)


def small_world(race: BoardRace, progress: Progress | None = None) -> SmallWorld:
    """Return a small world, compiled.

    Parameters
    ----------
    race
        The race.
    progress
        Called with the states walked through and their limit.

    Raises
    ------
    TooLargeError
        If it has more states than the race's limit; nothing is solved then.
    """
    race.starts(progress)
    graph = compile_turn(race)
    standings = standings_of(graph, race.after)
    size = WorldSize(len(standings), most_standings(race), graph.nodes)
    return SmallWorld(race, size, graph, standings)
