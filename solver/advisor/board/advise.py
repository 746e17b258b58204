"""Advice from a position on the board: where to go, when to stop, spend or bleed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from typing import Any

from solver.advisor.advice import Advice, AdviceExactness, Option
from solver.advisor.advise import Advisor
from solver.advisor.board.moment import Moment, read_moment
from solver.advisor.board.objectives import (
    Asked,
    BoardReadings,
    Hunts,
    asked_for,
    default_objective,
)
from solver.advisor.board.words import action_of, march_action, way
from solver.advisor.explain import amount, reason
from solver.games.martians.board import Position, read_position, write_position
from solver.games.martians.plan.invaders import invaders_of
from solver.games.martians.plan.turn import BoardTurn
from solver.games.readings import make, rules_of
from solver.match.race import Progress
from solver.tablebase.read import Tables, open_tables
from solver.turn.board import March, Movement, plan_march, refuse_large
from solver.turn.board.nodes import MOST_NODES
from solver.turn.board.options import BoardPlan
from solver.turn.board.values import ROUNDING

GAME = BoardTurn.name
_LEFT_OUT = BoardTurn.assumption
_TILE = "the tile of this turn is not placed yet: this is the board as it is"


def advise_board(
    position: Position | str | bytes,
    objective: str | None = None,
    *,
    tables: Tables | str | os.PathLike[str] | None = None,
    hunts: Hunts | None = None,
    roll: Any = None,
    rolled: Any = None,
    using: str | None = None,
    landed: bool = False,
    opponent: str | Sequence[int] | None = None,
    parameters: Mapping[str, Any] | None = None,
    most_nodes: int = MOST_NODES,
    march_effort: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Return every option of the player on turn at a position on the board, best first.

    Parameters
    ----------
    position
        The position, or the text of its file.
    objective
        See :func:`.asked_for`; by default the fewest turns to 30 Martians, or items in the
        cooperative game.
    tables
        Open tables, or their directory, for hunts; by default those within reach.
    hunts
        Solved hunts, instead of `tables`.
    roll
        What the die shows that is rolled next: the movement roll in steps 1 to 4, the Martians'
        in step 6.
    rolled, using
        In a fight on the own square: what the combat die showed, and the weapon in use.
    landed
        Whether the player has just entered his square: a crop circle there may be turned.
    opponent
        For ``win``: the opponent's standing.
    parameters
        Readings: ``last-life``, ``at-five``, ``income``.
    most_nodes
        Limit of the size of the plan.
    march_effort
        In step 6: limits of :func:`~solver.turn.board.plan_march`.
    progress
        Called from time to time while hunts are solved on the spot.

    Returns
    -------
    Advice
        Options with value, loss and the chance to die. In step 6 every option is the first
        Martian's move, and the rest of the best way found with it.

    Raises
    ------
    UsageError
        If something asked for does not exist or cannot be read, or the rules do not allow the
        position (PositionError).
    TooLargeError
        If the plan is too large: with an estimate, before anything is started.
    """
    readings = make(BoardReadings, parameters or {})
    told = position if isinstance(position, Position) else read_position(position)
    moment = read_moment(told, readings, roll=roll, rolled=rolled, using=using, landed=landed)
    name = objective or default_objective(told)

    def answered(solved: Hunts) -> Advice:
        asked = asked_for(
            name, told, moment.ground, readings, solved, opponent=opponent, progress=progress
        )
        return _answer(moment, asked, readings, most_nodes, march_effort or {})

    if hunts is not None:
        return answered(hunts)
    if isinstance(tables, Tables):
        return answered(Advisor(tables).goals)
    with open_tables(tables) as opened:
        return answered(Advisor(opened).goals)


def _answer(
    moment: Moment,
    asked: Asked,
    readings: BoardReadings,
    most_nodes: int,
    effort: Mapping[str, Any],
) -> Advice:
    ground, payoff = moment.ground, asked.payoff
    moves = None if moment.march is not None else moment.moves
    refuse_large(ground, payoff, moves, most_nodes=most_nodes)
    if moment.march is not None:
        invaders = invaders_of(moment.position)
        march = plan_march(ground, invaders, moment.march, payoff, most_nodes=most_nodes, **effort)
        scale = max(abs(march.value), abs(march.stay), 1.0)
        return _march_advice(moment, asked, readings, march, 100.0 * scale * ROUNDING)
    movement = Movement(ground, payoff, moves, landed=moment.landed, most_nodes=most_nodes)
    plan = movement.plan(
        short=moment.short, bonus=moment.bonus, rerolls=moment.rerolls, using=moment.settled
    )
    return _plan_advice(moment, asked, readings, plan)


def _plan_advice(moment: Moment, asked: Asked, readings: BoardReadings, plan: BoardPlan) -> Advice:
    ground = moment.ground
    best = plan.best
    order = sorted(
        plan.options,
        key=lambda o: (
            o is not best,
            -o.value if o.value < plan.value - plan.tie else -plan.value,
            o.death,
        ),
    )
    options = []
    for option in order:
        is_best = option.value >= plan.value - plan.tie
        options.append(
            Option(
                action_of(option),
                way(ground, option.then),
                asked.sign * option.value,
                None,
                0.0 if is_best else plan.value - option.value,
                option.death,
                is_best,
            )
        )
    notes = []
    if moment.position.step == 1:
        notes.append(_TILE)
    if len(options) == 1:
        rolled = "the combat die" if _met(moment) else "the movement die"
        only = f"there is no choice: {rolled} is rolled"
        notes.append("there is no choice: no move is left" if order[0].action == "stop" else only)
    return _advice(moment, asked, readings, options, "; ".join(notes) or None, plan.error)


def _met(moment: Moment) -> bool:
    return bool(moment.ground.standing >> moment.ground.at & 1)


def _march_advice(
    moment: Moment, asked: Asked, readings: BoardReadings, march: March, error: float
) -> Advice:
    ground = moment.ground
    most = max((value for _, value, _ in march.first), default=march.value)
    options = []
    for step, value, death in march.first:
        rest = march.steps[1:] if step == march.steps[0] else ()
        then = ", ".join(march_action(ground, s) for s in rest) or None
        is_best = value >= most - march.tie
        loss = 0.0 if is_best else most - value
        shown = asked.sign * value
        options.append(Option(march_action(ground, step), then, shown, None, loss, death, is_best))
    if not options:
        action = "move no Martian"
        shown = asked.sign * march.value
        options.append(Option(action, None, shown, None, 0.0, march.death, best=True))
    note = f"without any move {amount(asked.sign * march.stay, asked.unit)}"
    if march.method == "exact":
        note += (
            f"; with all moves {amount(asked.sign * march.value, asked.unit)}, and no way is better"
        )
    else:
        note += (
            f"; with all moves {amount(asked.sign * march.value, asked.unit)}, found one at a time:"
            " each to where the next turn is then worth most"
        )
        if march.bound is not None:
            note += f"; no way is worth more than {amount(asked.sign * march.bound, asked.unit)}"
    if not march.whole:
        note += "; options are valued with no move after them"
    return _advice(moment, asked, readings, options, note, error)


def _advice(
    moment: Moment,
    asked: Asked,
    readings: BoardReadings,
    options: list[Option],
    note: str | None,
    error: float,
) -> Advice:
    position = moment.position
    bound = None if asked.error is None else asked.error + error
    objective = asked.payoff.name
    assumption = _LEFT_OUT
    if moment.march is not None:
        assumption = f"{_LEFT_OUT}; values are those of the player's next turn"
    if asked.assumption is not None:
        assumption = f"{assumption}; {asked.assumption}"
    bust_means = BoardTurn.bust_means
    if moment.march is not None:
        bust_means = "You die in your next turn"
    return Advice(
        game=GAME,
        rules=_rules(readings, objective),
        objective=objective,
        unit=asked.unit,
        position=_shown(moment),
        exactness=AdviceExactness("bounded", bound, ROUNDING),
        table=asked.table,
        graph=_digest(position, readings, objective),
        options=tuple(options),
        note=note,
        why=reason(options, asked.unit, note, bust_means),
        bust_means=bust_means,
        assumption=assumption,
    )


def _rules(readings: BoardReadings, objective: str) -> dict[str, int | str]:
    rules = rules_of(readings)
    if objective not in ("turns", "win"):
        del rules["income"]
    return rules


def _shown(moment: Moment) -> dict[str, Any]:
    ground, position = moment.ground, moment.position
    x, y = ground.squares[ground.at]
    shown: dict[str, Any] = {
        "player": position.on_turn.name,
        "step": str(position.step),
        "at": f"{x},{y}",
        "lives": str(ground.lives),
        "bullets": str(ground.bullets),
        "martians": str(ground.martians),
    }
    if position.on_turn.items:
        shown["items"] = " ".join(position.on_turn.items)
    if moment.moves is not None:
        shown["moves"] = str(moment.moves)
    if moment.march is not None:
        shown["martians to move"] = str(moment.march)
    if moment.short is not None:
        shown["short"] = str(moment.short)
    return shown


def _digest(position: Position, readings: BoardReadings, objective: str) -> str:
    sha = hashlib.sha256(b"board plan 1\n")
    sha.update(write_position(position).encode())
    sha.update(f"{rules_of(readings)} {objective}".encode())
    return sha.hexdigest()
