"""What a policy is, and the kinds that are not texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from solver.errors import UsageError
from solver.games.protocol import (
    MOST_POINTS,
    Action,
    Bank,
    Choose,
    Expansion,
    Game,
    Roll,
    State,
    payoff_of,
    wants_fewest,
)
from solver.policies.board import Board, Ints, Places
from solver.policies.states import Decision as Decided
from solver.policies.words import Situation, Vocabulary, vocabulary_of
from solver.policies.words.standing import ALONE, FAR, Standing, Watched
from solver.turn.graph import TurnGraph
from solver.turn.result import TurnSolution
from solver.turn.solve import solve_turn

Decision = Action | Mapping[Action, Fraction]
"""An action, or several with their chances."""


@runtime_checkable
class Policy(Protocol):
    """A way to play: it answers every decision of a turn.

    Its ``choose`` fits :func:`solver.turn.policy.evaluate_policy`.
    """

    @property
    def name(self) -> str:
        """How results call it."""

    @property
    def game(self) -> Game:
        """The rules it plays by. A policy may want them finer than equal positions are merged."""

    def choose(
        self, state: Any, actions: tuple[Any, ...], standing: Standing | Watched = ALONE
    ) -> Any:
        """Return an action, or a mapping action -> chance.

        Parameters
        ----------
        state, actions
            The state of the rules, and what is legal there in canonical order.
        standing
            Where the match stands; alone by default.
        """


@dataclass(frozen=True, slots=True)
class RandomPolicy:
    """Every legal action, each as likely (equal positions merged: two equal groups are one)."""

    game: Game
    name: str = "random"

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Mapping[Action, Fraction]:
        """Return each legal action with the same chance."""
        del state, standing
        return dict.fromkeys(actions, Fraction(1, len(actions)))


@dataclass(frozen=True, slots=True)
class SolvedPolicy:
    """Best play of a turn for an objective that may depend on the points still needed.

    ``points`` maximises expected points, in exact rationals and with the canonical choice among
    ties. ``capped`` maximises E[min(points, points still needed)]; with nothing needed, alone, it
    is ``points``.
    """

    name: str
    game: Game
    graph: TurnGraph = field(repr=False)
    capped: bool = False
    _turns: dict[int, TurnSolution] = field(default_factory=dict, repr=False, compare=False)

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Return the best action, by the canonical choice among equals."""
        del actions
        best: Action = self.turn(standing.needed if self.capped else FAR).choice_at(state)
        return best

    def turn(self, needed: int = FAR) -> TurnSolution:
        """Return the solved turn with so many points needed."""
        most = int(self.graph.points.max())
        needed = min(needed, most)
        if needed not in self._turns:
            whole = needed == most
            self._turns[needed] = solve_turn(
                self.game,
                "points" if whole else f"capped:{needed}",
                exact=whole,
                graph=self.graph,
                prefer_points=not whole,
            )
        return self._turns[needed]


@dataclass(frozen=True, slots=True)
class GreedyPolicy:
    """A player who looks one roll ahead and no further.

    An option is worth the points of stopping as soon as the rules allow, at once or after one
    more roll, whichever is more on average; the best option is taken, of equals the first.
    """

    game: Game
    name: str = "greedy"
    _worth: dict[tuple[State, int], Fraction | int] = field(
        default_factory=dict, repr=False, compare=False
    )
    _expansions: dict[State, Expansion] = field(default_factory=dict, repr=False, compare=False)

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Action:
        """Return the best option one roll ahead."""
        del standing
        expansion = self._expand(state)
        options = expansion.options if isinstance(expansion, Choose) else {}
        return max(actions, key=lambda action: self._ahead(options[action], 1))

    def choose_everywhere(self, board: Board, columns: Mapping[str, Ints]) -> Places:
        """Return what is chosen at all decisions of a turn, int32, shape (1, decisions).

        The same as :meth:`choose`, in one pass from the ends of the turn.
        """
        del columns
        states = board.states
        number = {state: i for i, state in enumerate(states.states)}
        at_once: list[int] = [self._due] * len(number)
        ahead: list[Fraction | int] = [0] * len(number)
        chosen = np.full((1, len(board.decisions)), -1, dtype=np.int32)
        for i in range(len(number) - 1, -1, -1):
            step = states.steps[i]
            if step is None:
                at_once[i] = ahead[i] = payoff_of(self.game, "points", states.outcome[i])
            elif isinstance(step, Decided):
                best = max(step.children, key=ahead.__getitem__)  # of equals the first
                at_once[i] = max(at_once[child] for child in step.children)
                ahead[i] = ahead[best]
                if board.row[i] >= 0:
                    chosen[0, board.row[i]] = best
            else:
                roll = self.game.expand(states.states[i])
                branches = roll.branches if isinstance(roll, Roll) else ()
                total = sum(weight * at_once[number[after]] for weight, after in branches)
                ahead[i] = Fraction(total, sum(weight for weight, _ in branches))
        return chosen

    @property
    def _due(self) -> int:
        """What a turn is worth in which one more roll is due."""
        return -MOST_POINTS if wants_fewest(self.game) else 0

    def _ahead(self, state: State, rolls: int) -> Fraction | int:
        """Return the points on average with so many more rolls at most; 0 where one more is due."""
        if (state, rolls) not in self._worth:
            expansion = self._expand(state)
            if isinstance(expansion, Bank):
                worth: Fraction | int = payoff_of(self.game, "points", expansion.outcome)
            elif isinstance(expansion, Choose):
                worth = max(self._ahead(after, rolls) for after in expansion.options.values())
            elif rolls:
                worth = self._average(expansion, rolls - 1)
            else:
                worth = self._due
            self._worth[state, rolls] = worth
        return self._worth[state, rolls]

    def _expand(self, state: State) -> Expansion:
        if state not in self._expansions:
            self._expansions[state] = self.game.expand(state)
        return self._expansions[state]

    def _average(self, roll: Roll, rolls: int) -> Fraction:
        whole = sum(weight for weight, _ in roll.branches)
        total = sum(weight * self._ahead(after, rolls) for weight, after in roll.branches)
        return Fraction(total, whole)


@dataclass(frozen=True, slots=True)
class FunctionPolicy:
    """A plain Python function of the position in the rule sheet's words.

    The function gets a :class:`solver.policies.words.vocabulary.Situation` (``position.tanks``,
    ``position.points``, ``position.needed``, ...) and returns one of ``position.actions``, or a
    mapping from these to chances. It must give equal answers to equal positions.

    Examples
    --------
    >>> from solver.games import game
    >>> hold = FunctionPolicy(game("pig"), lambda p: "stop" if p.points >= 20 else "roll", "hold")
    >>> hold.choose(("total", 21), ("stop", "roll"))
    'stop'
    """

    game: Game
    function: Callable[[Any], Any]
    name: str
    vocabulary: Vocabulary | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.vocabulary is None:
            object.__setattr__(self, "vocabulary", vocabulary_of(self.game))

    def choose(
        self, state: State, actions: tuple[Action, ...], standing: Standing | Watched = ALONE
    ) -> Decision:
        """Return what the function answers, as the rules name it.

        Raises
        ------
        UsageError
            If the function raises, or its answer is no legal action.
        """
        words = self.vocabulary
        if words is None:  # set in __post_init__
            raise UsageError(f"{self.name} has no vocabulary")
        situation = Situation(words, state, actions, standing)
        try:
            answer = self.function(situation)
        except UsageError:
            raise
        except Exception as error:
            raise UsageError(
                f"{self.name} raised {type(error).__name__} at {words.show(state)}: {error}",
                remedy=f"a position of {words.game} has {', '.join(words.known())} and actions",
                field="policy",
            ) from error
        names = {words.name(action): action for action in actions}
        if isinstance(answer, Mapping):
            return self._mixed(answer, names, situation)
        return self._one(answer, names, situation)

    def _one(self, answer: Any, names: Mapping[str, Action], situation: Situation) -> Action:
        try:
            if answer in names:
                return names[answer]
            if answer in situation.options:
                return answer  # type: ignore[no-any-return]
        except TypeError:  # it cannot even be hashed
            pass
        raise UsageError(
            f"{self.name} chose {answer!r}, which is not legal, at {self._shown(situation.state)}",
            rule=f"legal there: {', '.join(names)}",
            field="policy",
        )

    def _mixed(
        self, answer: Mapping[Any, Any], names: Mapping[str, Action], situation: Situation
    ) -> Mapping[Action, Fraction]:
        shares: dict[Action, Fraction] = {}
        for action, chance in answer.items():
            try:
                share = Fraction(repr(chance)) if isinstance(chance, float) else Fraction(chance)
            except (TypeError, ValueError):
                share = Fraction(-1)
            if share < 0:
                raise UsageError(
                    f"{self.name} gives {action!r} the chance {chance!r} at"
                    f" {self._shown(situation.state)}",
                    field="policy",
                )
            shares[self._one(action, names, situation)] = share
        if sum(shares.values()) != 1:
            raise UsageError(
                f"{self.name} gives chances that sum to {float(sum(shares.values()))!r} at"
                f" {self._shown(situation.state)}",
                rule="the chances of a decision sum to exactly one",
                remedy="use fractions.Fraction where decimals do not add up",
                field="policy",
            )
        return shares

    def _shown(self, state: State) -> str:
        return repr(state) if self.vocabulary is None else self.vocabulary.show(state)
