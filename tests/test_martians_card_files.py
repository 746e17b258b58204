"""Card files of Martians!!!: the shipped set, the schema, and faults with their JSON pointer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.errors import NotationError, PositionError
from solver.games.martians import cards as package
from solver.games.martians.cards import (
    card_departures,
    cards_schema_text,
    read_cards,
    synthetic_cards,
    write_cards,
)
from solver.games.martians.cards.effects import KINDS, Weapon

DATA = Path(package.__file__).parent / "data"
ONE = {
    "format": "martians-cards-1",
    "name": "few",
    "about": "made for a test",
    "events": [{"name": "club", "title": "Club", "effects": [{"do": "weapon", "bonus": 1}]}],
    "martians": [
        {"name": "march", "title": "March", "copies": 2, "effects": [{"do": "move", "number": 3}]}
    ],
}


def read(value):
    return read_cards(json.dumps(value))


def changed(*path, value):
    """The small set with one value changed, added, or with `...` taken out."""
    plain = json.loads(json.dumps(ONE))
    place = plain
    for part in path[:-1]:
        place = place[part]
    if value is ...:
        del place[path[-1]]
    elif isinstance(place, list) and path[-1] == len(place):
        place.append(value)
    else:
        place[path[-1]] = value
    return plain


def test_the_shipped_set_is_named_synthetic_and_has_the_counts_of_the_box():
    cards = synthetic_cards()
    assert cards.name == "synthetic"
    assert cards.about.startswith("synthetic:")
    assert card_departures(cards) == ()
    assert card_departures(read(ONE)) == (
        "1 event cards, the box has 40",
        "2 Martian cards, the box has 30",
    )


def test_the_shipped_set_has_every_kind_of_effect():
    cards = synthetic_cards().by_name().values()
    assert {type(effect) for card in cards for effect in card.effects} == set(KINDS.values())


@pytest.mark.parametrize("plain", [ONE, None])
def test_a_set_is_written_and_read_in_the_same_bytes(plain):
    cards = read(plain) if plain else synthetic_cards()
    text = write_cards(cards)
    assert read_cards(text) == cards
    assert write_cards(read_cards(text.encode())) == text


def test_the_published_files_are_what_the_library_writes():
    assert (DATA / "synthetic-cards.json").read_text("utf-8") == write_cards(synthetic_cards())
    assert (DATA / "cards.schema.json").read_text("utf-8") == cards_schema_text()


def test_the_schema_names_every_effect():
    schema = json.loads(cards_schema_text())
    tags = {
        part["properties"]["do"]["enum"][0]
        for part in schema["$defs"].values()
        if "do" in part.get("properties", {})
    }
    assert tags == set(KINDS)


def test_a_card_knows_its_weapon():
    club, march = read(ONE).by_name().values()
    assert club.weapon == Weapon(bonus=1)
    assert march.weapon is None


@pytest.mark.parametrize(
    ("bad", "field", "says"),
    [
        (changed("format", value="martians-tiles-1"), "/format", "martians-cards-1"),
        (changed("name", value="Few Cards"), "/name", "small letters"),
        (changed("events", 0, "effects", value=[]), "/events/0/effects", "length >= 1"),
        (changed("events", 0, "copies", value=0), "/events/0/copies", "1 to 99"),
        (changed("events", 0, "titel", value="x"), "/events/0/titel", "did you mean 'title'"),
        (changed("events", 0, "title", value=...), "/events/0/title", "missing"),
        (changed("events", 0, "when", value=["noon"]), "/events/0/when/0", "one of start"),
        (
            changed("events", 0, "effects", 0, "do", value="weapn"),
            "/events/0/effects/0/do",
            "did you mean 'weapon'",
        ),
        (changed("events", 0, "effects", 0, "do", value=...), "/events/0/effects/0/do", "null"),
        (changed("events", 0, "effects", 0, "do", value=[1]), "/events/0/effects/0/do", "effects:"),
        (changed("events", 0, "effects", 0, value="x"), "/events/0/effects/0", "is no effect"),
        (
            changed("events", 0, "effects", 0, "bonus", value=4),
            "/events/0/effects/0/bonus",
            "added to its combat rolls",
        ),
        (
            changed("events", 0, "effects", 0, "bonis", value=1),
            "/events/0/effects/0/bonis",
            "names: do, bonus, rerolls",
        ),
        (
            changed("martians", 0, "effects", 0, "number", value=...),
            "/martians/0/effects/0/number",
            "how many Martians",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_pointer(bad, field, says):
    with pytest.raises(NotationError) as caught:
        read(bad)
    assert caught.value.field == field
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{field}: ")


def second(**more):
    return changed("events", 1, value={"name": "other", "title": "Other", **more})


@pytest.mark.parametrize(
    ("bad", "field", "says"),
    [
        (changed("events", 1, value=ONE["events"][0]), "/events/1/name", "/events/0 is called"),
        (changed("martians", 0, "name", value="club"), "/martians/0/name", "/events/0 is called"),
        (
            changed("martians", 0, "effects", 0, value={"do": "weapon", "bonus": 1}),
            "/martians/0/effects/0",
            "no weapon",
        ),
        (
            second(effects=[{"do": "weapon", "bonus": 1}, {"do": "draw", "number": 1}]),
            "/events/1/effects",
            "no other effect",
        ),
        (second(effects=[{"do": "weapon"}]), "/events/1/effects/0", "a bonus or re-rolls"),
        (
            second(effects=[{"do": "weapon", "bonus": 1, "rerolls": 1}]),
            "/events/1/effects/0",
            "a bonus or re-rolls",
        ),
        (second(effects=[{"do": "tokens"}]), "/events/1/effects/0", "no token"),
        (second(effects=[{"do": "squares", "number": 0}]), "/events/1/effects/0/number", "no move"),
        (second(effects=[{"do": "combat", "bonus": 0}]), "/events/1/effects/0/bonus", "nothing"),
        (
            second(effects=[{"do": "squares", "number": 2}], when=["end"]),
            "/events/1/when",
            "nobody moves any more",
        ),
        (
            second(effects=[{"do": "draw", "number": 1}], when=["end", "end"]),
            "/events/1/when/1",
            "stands twice",
        ),
    ],
)
def test_a_card_that_makes_no_sense_is_told_with_its_pointer(bad, field, says):
    with pytest.raises(PositionError) as caught:
        read(bad)
    assert caught.value.field == field
    assert says in str(caught.value)
