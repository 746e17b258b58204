"""Parameters and readings: what can be changed about a game, and what that makes of it.

A *reading* settles a question that a rule sheet leaves open. Readings and parameters are fields
of the game's frozen dataclass, made by :func:`parameter`; together they are the game's identity:
a table solved under one set of rules never answers for another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields
from enum import Enum, StrEnum
from typing import Any, Literal, TypeVar, get_type_hints

from solver.errors import NotationError, UsageError, unknown

Scope = Literal["turn", "match"]
G = TypeVar("G")


class Reading(StrEnum):
    """Base of every reading: a named answer to a question the sheet leaves open."""


class End(Reading):
    """What happens once a seat has reached the target."""

    ROUND = "round"
    """The round is completed, all seats have had equally many turns."""
    IMMEDIATE = "immediate"
    """The first seat to reach the target has won at once."""


class Tie(Reading):
    """How several leaders at the end are parted."""

    DUEL = "duel"
    """They roll until one is ahead; by symmetry each of m wins with chance 1/m."""
    SHARED = "shared"
    """The win is split evenly: the same shares, with no roll."""


def parameter(
    default: Any,
    help: str,
    *,
    scope: Scope = "turn",
    read: Callable[[str], Any] | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Any:
    """Declare one parameter or reading of a game, as a dataclass field.

    Parameters
    ----------
    default
        The official value.
    help
        One line for ``--help`` and messages.
    scope
        ``"turn"`` if it shapes the turn itself, ``"match"`` if only what turns add up to.
    read
        How its text is read; by default by the type of `default`.
    at_least, at_most
        Limits of a number, both included.
    """
    return field(
        default=default,
        metadata={
            "help": help,
            "scope": scope,
            "read": read,
            "at_least": at_least,
            "at_most": at_most,
        },
    )


def parameters_of(kind: type) -> dict[str, Field[Any]]:
    """Return the parameters of a game's class by the name they have in texts (``duel-dice``)."""
    try:
        declared = fields(kind)
    except TypeError:  # a game that is no dataclass has nothing to change
        return {}
    return {f.name.replace("_", "-"): f for f in declared if f.init}


def make(kind: type[G], values: Mapping[str, Any]) -> G:
    """Return the game of class `kind` with some parameters changed.

    Parameters
    ----------
    kind
        A game's dataclass.
    values
        Parameter name (dashes or underscores) -> value, or the value's text.

    Raises
    ------
    UnknownNameError
        On an unknown parameter or reading, with the nearest known one.
    UsageError
        On a value outside the limits.
    """
    return kind(**arguments_of(kind, values))


def arguments_of(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that make a game of class `kind`; see :func:`make`."""
    known = parameters_of(kind)
    arguments: dict[str, Any] = {}
    for name, value in values.items():
        spelled = name.replace("_", "-")
        if spelled not in known:
            raise unknown("parameter", name, known, field=name)
        declared = known[spelled]
        arguments[declared.name] = _read(kind, spelled, declared, value)
    return arguments


def _read(kind: type, spelled: str, declared: Field[Any], value: Any) -> Any:
    wanted = get_type_hints(kind)[declared.name]
    if isinstance(wanted, type) and isinstance(value, wanted) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    read = declared.metadata.get("read")
    if read is not None:
        return read(text)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        known = [str(option.value) for option in wanted]
        if text not in known:
            raise unknown(f"reading of {spelled}", text, known, field=spelled)
        return wanted(text)
    if wanted is int:
        try:
            return int(text)
        except ValueError:
            raise NotationError(
                f"{spelled} takes a whole number", text=text, at=0, field=spelled
            ) from None
    if wanted is str:
        return text
    raise UsageError(f"{spelled} cannot be given as a text", field=spelled)


def check_limits(game: object) -> None:
    """Raise UsageError unless every parameter of `game` is within its limits.

    Games call it in ``__post_init__``, so that no game outside them exists.
    """
    for spelled, declared in parameters_of(type(game)).items():
        value = getattr(game, declared.name)
        low, high = declared.metadata.get("at_least"), declared.metadata.get("at_most")
        if (low is not None and value < low) or (high is not None and value > high):
            raise UsageError(
                f"{spelled}={value} is out of range",
                remedy=f"{spelled} takes a whole number from {low} to {high}",
                field=spelled,
            )


def rules_of(game: object, *, scope: Scope | None = None) -> dict[str, int | str]:
    """Return the game's parameters and readings as plain values, the game's identity.

    Parameters
    ----------
    game
        A game.
    scope
        Only those of one scope: two games with equal ``"turn"`` rules have equal turns.
    """
    rules: dict[str, int | str] = {}
    for spelled, declared in parameters_of(type(game)).items():
        if scope is None or declared.metadata.get("scope", "turn") == scope:
            value = getattr(game, declared.name)
            rules[spelled] = value if type(value) is int else str(value)
    return rules


def describe(kind: type) -> dict[str, str]:
    """Return each parameter's name with its one-line help, default and readings."""
    texts: dict[str, str] = {}
    for spelled, declared in parameters_of(kind).items():
        help_text = declared.metadata.get("help", "")
        default = declared.default
        texts[spelled] = f"{help_text} (default {default})"
        if isinstance(default, Enum):
            options = "|".join(str(o.value) for o in type(default))
            texts[spelled] = f"{help_text}: {options} (default {default})"
    return texts
