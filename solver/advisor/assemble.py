"""An advice put together: the options of a position, valued, compared and ordered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from solver.advisor.advice import BUST_MEANS, Advice, AdviceExactness, Option
from solver.advisor.explain import reason
from solver.advisor.values import Entered, StateValues
from solver.errors import PositionError
from solver.games.position import Position
from solver.games.protocol import Game, Roll, wants_fewest
from solver.games.readings import rules_of
from solver.turn.kernel import TIE
from solver.turn.objective import Unit

EXACT = AdviceExactness("exact", 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Answered:
    """What an advice says of itself, besides its options.

    `sign` is -1 where less is better; options within `tolerance` of the best are as good.
    """

    objective: str
    unit: Unit
    exactness: AdviceExactness
    table: str | None
    graph: str
    where: Mapping[str, Any] = field(default_factory=dict)
    sign: int = 1
    tolerance: float = TIE


def assemble(game: Game, position: Position, values: StateValues, answered: Answered) -> Advice:
    """Return the advice at a position.

    Parameters
    ----------
    game, position
        The rules and what lies on the table.
    values
        What states are worth.
    answered
        What the advice says of itself.

    Raises
    ------
    PositionError
        If no legal turn comes to the position.
    """
    try:
        worth = {action: values.at(state) for action, state in position.options.items()}
    except (KeyError, PositionError):
        raise PositionError(
            f"no legal turn of {game.name} comes to this position: {dict(position.shown)}"
        ) from None
    best = max(w.value for w in worth.values())
    best_exact = max((w.exact for w in worth.values() if w.exact is not None), default=None)
    mix = values.mix(position)
    options: list[Option] = []
    for action, w in worth.items():
        if w.exact is not None and best_exact is not None:
            loss, is_best = float(best_exact - w.exact), w.exact == best_exact
        else:
            is_best = w.value >= best - answered.tolerance
            loss = 0.0 if is_best else best - w.value
        then = values.choice(position.options[action])
        options.append(
            Option(
                action,
                None if then is None else str(then),
                answered.sign * w.value,
                None if w.exact is None else str(answered.sign * w.exact),
                loss,
                w.bust,
                is_best,
                values.chances(position.options[action]),
                mix.get(action),
            )
        )
    first = _rolls_first(game, position, values)
    options.sort(key=lambda o: (not o.best, 0.0 if o.best else o.loss, o.action != first))
    bust_means = getattr(game, "bust_means", "" if wants_fewest(game) else BUST_MEANS)
    return Advice(
        game=game.name,
        rules=dict(_rules(game)),
        objective=answered.objective,
        unit=answered.unit,
        position={**position.shown, **answered.where},
        exactness=answered.exactness,
        table=answered.table,
        graph=answered.graph,
        options=tuple(options),
        note=position.note,
        why=reason(options, answered.unit, position.note, bust_means),
        bust_means=bust_means,
        assumption=getattr(game, "assumption", None),
    )


@lru_cache(maxsize=64)
def _rules(game: Game) -> Mapping[str, int | str]:
    return rules_of(game)


def _rolls_first(game: Game, position: Position, values: StateValues) -> str | None:
    """Return the option that canonical play takes, where dice may be sent rolling at once.

    Elsewhere ties are listed in canonical order: tables keep no more.
    """
    states = [state for state in position.options.values() if not isinstance(state, Entered)]
    if not any(isinstance(game.expand(state), Roll) for state in states):
        return None
    chosen = values.choice(position.state)
    return None if chosen is None else str(chosen)
