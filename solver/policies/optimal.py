"""Best play for the win: what it does depends on the whole match, so it needs one."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import UsageError
from solver.games.protocol import Action, Game, State
from solver.policies.words.standing import ALONE, Standing, Watched


@dataclass(frozen=True, slots=True)
class OptimalPolicy:
    """Best play for the win against opponents who play their best.

    With more than two seats: the play of the equilibrium under the tie rule.
    :mod:`solver.policies.arena.seating` turns it into turns, for the seats there are.
    """

    game: Game
    name: str = "optimal"

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Refuse: a single turn has no win in it.

        Raises
        ------
        UsageError
            Always; :func:`solver.policies.turns.optimal_chooser` plays one turn of a match.
        """
        del state, actions, standing
        raise UsageError(
            "the policy optimal plays for the win: it needs the scores and the seat on turn",
            remedy="--scores 0,0 --seat 1, or the policy points for a single turn",
            field="policy",
        )
