"""One sentence on why the best option is best, and numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from solver.advisor.advice import BUST_MEANS, Option
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
    return f"{value:.3f}" if unit == "payoff" else f"{value:.3f} {unit}"


_WORDS = {
    "roll": ("roll", "rolling"),
    "stop": ("stop", "stopping"),
    "fight": ("fight on", "fighting on"),
    "spend": ("spend the bullets", "spending the bullets"),
    "reroll": ("roll again with the weapon", "rolling again with the weapon"),
    "forfeit": ("forfeit a life", "forfeiting a life"),
    "go-on": ("go on", "going on"),
    "bare-hands": ("use no weapon", "using no weapon"),
}
"""Action -> as an imperative, and as a gerund."""
_TYPES = ("death-rays", "human", "cow", "chicken")
"""Actions that are called by what is taken."""
_DOUBLED = ("set", "flip", "put", "cut", "bet", "hit", "run", "sit", "skip", "swap", "drop", "spin")


def phrase(option: Option) -> str:
    """Return an option as an imperative: ``take the cows, then roll``."""
    if option.action in _WORDS:
        text = _WORDS[option.action][0]
        return f"{text}, then {option.then}" if option.action == "stop" and option.then else text
    if option.action.startswith("use-"):
        return f"use the weapon {option.action.removeprefix('use-')}"
    if option.action.startswith("roll-"):
        return f"roll the {_dice(option)} again"
    text = f"take {_taken(option)}" if option.action in _TYPES else option.action
    return f"{text}, then {option.then}" if option.then else text


def _taken(option: Option) -> str:
    return f"the {option.action.replace('-', ' ').removesuffix('s')}s"  # all dice of the type


def _dice(option: Option) -> str:
    return " and the ".join(option.action.split("-")[1:])


def _doing(option: Option) -> str:
    if option.action in _WORDS:
        return _WORDS[option.action][1]
    if option.action.startswith("use-"):
        return f"using the weapon {option.action.removeprefix('use-')}"
    if option.action.startswith("roll-"):
        return f"rolling the {_dice(option)} again"
    if option.action in _TYPES:
        return f"taking {_taken(option)}"
    return gerund(option.action)


def gerund(action: str) -> str:
    """Return an action that begins with a verb as what it is to do it.

    Examples
    --------
    >>> gerund("keep 1 3"), gerund("set aside"), gerund("take two"), gerund("5 dice")
    ('keeping 1 3', 'setting aside', 'taking two', 'choosing 5 dice')
    """
    verb, gap, rest = action.partition(" ")
    if not verb.isalpha():
        return f"choosing {action}"
    if verb in _DOUBLED:
        stem = verb + verb[-1]
    else:
        stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    return f"{stem}ing{gap}{rest}"


def reason(
    options: Sequence[Option],
    unit: Unit,
    note: str | None,
    bust_means: str = BUST_MEANS,
) -> str:
    """Return why the first option is best."""
    best = options[0]
    if len(options) == 1:
        return (note or "there is no other option").capitalize() + "."
    mixed = [o for o in options if o.mix is not None]
    if mixed:
        parts = ", ".join(f"{phrase(o)} with chance {o.mix:.4f}" for o in mixed)
        return f"Mix, so that nobody can gain by knowing what you do: {parts}."
    tied = [o for o in options if o.best]
    goal = " to win" if unit == "win_probability" else ""
    worth = amount(best.value, unit) + goal
    if len(tied) == len(options):
        return f"It makes no difference: every option is worth {worth}."
    other = next(o for o in options if not o.best)
    also = f" ({', '.join(_doing(o) for o in tied[1:])} is as good)" if len(tied) > 1 else ""
    failing = f" {bust_means} {percent(best.bust)} of the time." if bust_means else ""
    return (
        f"{phrase(best).capitalize()}{also}: {worth}, against {amount(other.value, unit)} for"
        f" {_doing(other)}.{failing}"
    )
