"""One sentence on why the best option is best, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from solver.advisor.advice import Option
from solver.turn.objective import Unit


def percent(chance: float) -> str:
    """Return a chance as a percentage, never rounded to a certainty that it is not.

    Examples
    --------
    >>> percent(0.5), percent(0.0), percent(0.99999), percent(1.0)
    ('50.0 %', '0 %', '>99.9 %', '100 %')
    """
    if chance <= 0.0:
        return "0 %"
    if chance >= 1.0:
        return "100 %"
    if chance < 0.0005:
        return "<0.1 %"
    if chance > 0.9995:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def amount(value: float, unit: Unit) -> str:
    """Return a value with its unit."""
    if unit in ("probability", "win_probability"):
        return percent(value)
    return f"{value:.3f}{' points' if unit == 'points' else ''}"


def phrase(option: Option) -> str:
    """Return an option as an imperative: ``take the cow, then roll``."""
    if option.action in ("roll", "stop"):
        return option.action
    name = option.action.replace("-", " ")
    text = f"take {'the ' + name if option.then is not None or ' ' in name else name}"
    return f"{text}, then {option.then}" if option.then else text


def reason(options: Sequence[Option], unit: Unit, note: str | None) -> str:
    """Return why the first option is best."""
    best = options[0]
    if len(options) == 1:
        return (note or "there is no other option") + "."
    tied = [o for o in options if o.best]
    busts = f"ends with nothing {percent(best.bust)} of the time"
    worth = amount(best.value, unit)
    goal = "to win" if unit == "win_probability" else ""
    if len(tied) == len(options):
        return f"Every option is worth {worth} {goal}".rstrip() + ": it makes no difference."
    other = next(o for o in options if not o.best)
    lead = phrase(best).capitalize()
    if len(tied) > 1:
        lead += " (" + " or ".join(phrase(o) for o in tied[1:]) + " is as good)"
    return (
        f"{lead}: {worth} {goal}".rstrip()
        + f" against {amount(other.value, unit)} for {phrase(other)}; the turn then {busts}."
    )
