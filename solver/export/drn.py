"""Storm's explicit format DRN: a file that a model checker reads, and what to ask it.

Format: https://www.stormchecker.org/documentation/background/languages.html, section DRN. A choice
is an action with its reward in brackets and one line for each branch. Probabilities are written as
fractions, or as the decimals of the nearest floats.

Storm checks processes of one player. A match must have the other seat's play fixed
(:func:`.match_model` with a seat).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from solver.export.model import DONE, Choice, Model, walk_model


def drn_property(model: Model) -> str:
    """Return the property whose value is that of best play.

    Examples
    --------
    >>> from solver.export.turns import turn_model
    >>> from solver.games.pig import Pig
    >>> drn_property(turn_model(Pig()))
    'R{"points"}max=? [F "done"]'
    """
    win = f"win_{model.one_seat('a file for Storm')}"
    if win in model.marks:
        return f'Pmax=? [F "{win}"]'
    return f'R{{"{model.unit}"}}{"min" if model.minimise else "max"}=? [F "{DONE}"]'


def drn_text(model: Model, *, fractions: bool = True) -> Iterator[str]:
    """Yield the lines of the file.

    Parameters
    ----------
    model
        A process of one player.
    fractions
        Whether probabilities are fractions, as Storm's exact mode needs; else decimals.

    Raises
    ------
    UsageError
        If two seats decide.
    """
    model.one_seat("a file for Storm")
    yield "@type: MDP"
    yield "@parameters"
    yield ""
    yield "@reward_models"
    yield model.unit
    yield "@nr_states"
    yield str(len(model))
    yield "@nr_choices"
    yield str(1 + sum(len(choices) for _, _, choices in walk_model(model)))
    yield "@model"
    named: dict[int, list[str]] = {}
    for mark, states in model.marks.items():
        for state in states:
            named.setdefault(state, []).append(mark)
    named.setdefault(model.initial, []).insert(0, "init")
    for state, choices in enumerate(model.choices):
        yield " ".join([f"state {state}", *named.get(state, ())])
        for choice in choices or (Choice("stay", 0, ((1, state),)),):
            yield f"\taction {_word(choice.action)} [{choice.reward}]"
            total = choice.total
            for weight, to in choice.branches:
                chance = f"{weight}/{total}" if fractions else repr(weight / total)
                yield f"\t\t{to} : {chance if total > weight else 1}"


def _word(action: str) -> str:
    """Return an action as one word of letters, digits and underlines."""
    return re.sub(r"\W+", "_", action, flags=re.ASCII).strip("_") or "action"
