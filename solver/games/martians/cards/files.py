"""Card sets read from files, checked and written."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from solver.errors import NotationError, unknown
from solver.games.martians.board.faults import fault, misfit, pointer
from solver.games.martians.board.files.json_text import json_text, read_json
from solver.games.martians.cards.cards import (
    EVENT_CARDS,
    MARTIAN_CARDS,
    Card,
    CardSet,
    Moment,
    names,
)
from solver.games.martians.cards.effects import KINDS, Combat, Effect, Squares, Tokens, Weapon
from solver.games.martians.weapons import MOST

DATA = Path(__file__).parent / "data"
_IN_EFFECT = re.compile(r"(?P<effect>/(?:events|martians)/\d+/effects/\d+)(?:/|$)")
_MOVES = {Moment.START, Moment.PLACED, Moment.COMBAT, Moment.ROLL, Moment.MOVING}
_ONCE = "Additional Rules: one copy of each weapon"


def read_cards(content: bytes | str) -> CardSet:
    """Return the card set that a JSON text holds.

    Parameters
    ----------
    content
        The file's bytes or text, of the format ``martians-cards-1``.

    Raises
    ------
    NotationError
        If it cannot be read; ``field`` is the JSON pointer of the fault.
    PositionError
        If a card breaks a rule; ``field`` is the JSON pointer of the fault.
    """
    try:
        cards = read_json(content, CardSet)
    except NotationError as error:
        raise _of_effect(content, error) from None
    check_cards(cards)
    return cards


def _of_effect(content: bytes | str, error: NotationError) -> NotationError:
    """Return a fault within an effect as one of that kind of effect; any other as it is."""
    found = _IN_EFFECT.match(error.field or "")
    if found is None:
        return error
    at = found["effect"]
    value: Any = json.loads(content)
    for part in at.split("/")[1:]:
        value = value[int(part) if isinstance(value, list) else part]
    if not isinstance(value, dict):
        return misfit(at, f"{json.dumps(value)} is no effect", '{"do": ..., ...}')
    word = value.get("do")
    if not isinstance(word, str) or word not in KINDS:
        remedy = unknown("effect", str(word), KINDS).remedy
        return misfit(at + "/do", f"there is no effect {json.dumps(word)}", remedy)
    try:
        read_json(json.dumps(value), KINDS[word])
    except NotationError as inner:
        field = inner.field or ""
        return misfit(at + field, inner.what.removeprefix(f"{field}: "), inner.remedy)
    return error


def check_cards(cards: CardSet, at: str = "") -> None:
    """Check what the shape of the file does not: names, weapons, effects that do nothing.

    Parameters
    ----------
    cards
        The set, in the order of its file.
    at
        JSON pointer of the set.

    Raises
    ------
    PositionError
        On the first fault, with its pointer.
    """
    seen: dict[str, str] = {}
    for deck, listed in (("events", cards.events), ("martians", cards.martians)):
        for number, card in enumerate(listed):
            here = at + pointer(deck, number)
            if card.name in seen:
                raise fault(
                    here + "/name",
                    f"{seen[card.name]} is called {card.name} too",
                    None,
                    "a name of its own, or copies in the other one",
                )
            seen[card.name] = here
            _check_card(card, here, martian=deck == "martians")


def _check_card(card: Card, here: str, *, martian: bool) -> None:
    for number, moment in enumerate(card.when):
        if moment in card.when[:number]:
            raise fault(here + pointer("when", number), f"{moment} stands twice", None, "once")
    for number, effect in enumerate(card.effects):
        there = here + pointer("effects", number)
        _check_effect(effect, there)
        if isinstance(effect, Weapon):
            if martian:
                raise fault(
                    there,
                    "a Martian card is no weapon",
                    "Martians Deck Rules: its effect takes place at once and it is discarded",
                    "put the card among the event cards",
                )
            if len(card.effects) > 1:
                raise fault(
                    here + "/effects", "a weapon has no other effect", _ONCE, "a card of its own"
                )
        if isinstance(effect, Squares) and card.when and not _MOVES & set(card.when):
            raise fault(
                here + "/when",
                "at these moments nobody moves any more",
                "Turn Sequence Overview 5",
                f"one of {', '.join(m for m in Moment if m in _MOVES)}, or leave it out",
            )


def _check_effect(effect: Effect, there: str) -> None:
    if isinstance(effect, Weapon) and (effect.bonus > 0) is (effect.rerolls > 0):
        raise fault(
            there,
            "a weapon has a bonus or re-rolls",
            None,
            f"one of the two, 1 to {MOST}",
        )
    if isinstance(effect, Tokens) and not (effect.lives or effect.bullets):
        raise fault(there, "no token is gained or lost", None, "lives or bullets that are not 0")
    if isinstance(effect, Squares) and not effect.number:
        raise fault(there + "/number", "no move more or less", None, "-9 to 9, but not 0")
    if isinstance(effect, Combat) and not effect.bonus:
        raise fault(there + "/bonus", "nothing is added", None, "-3 to 3, but not 0")


def card_departures(cards: CardSet) -> tuple[str, ...]:
    """Return where a card set departs from the contents of the box, in words; empty if nowhere.

    Parameters
    ----------
    cards
        A card set. Small ones are allowed: a set need not be a whole box.
    """
    counts = (
        ("event cards", len(names(cards.events)), EVENT_CARDS),
        ("Martian cards", len(names(cards.martians)), MARTIAN_CARDS),
    )
    return tuple(
        f"{number} {what}, the box has {there_are}"
        for what, number, there_are in counts
        if number != there_are
    )


def write_cards(cards: CardSet) -> str:
    """Return a card set as JSON text; what was written so is read and written in the same bytes."""
    return json_text(plain_cards(cards))


def plain_cards(cards: CardSet) -> dict[str, Any]:
    """Return a card set as plain values."""
    plain: dict[str, Any] = msgspec.to_builtins(cards)
    return plain


@lru_cache(maxsize=1)
def synthetic_cards() -> CardSet:
    """Return the synthetic card set that is shipped: made up, with the counts of the rule sheet."""
    return read_cards((DATA / "synthetic-cards.json").read_bytes())


def cards_schema_text() -> str:
    """Return the text of the schema file ``data/cards.schema.json`` (JSON Schema 2020-12)."""
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Event cards and Martian cards of Martians!!!",
        **msgspec.json.schema(CardSet),
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"
