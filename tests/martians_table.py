"""A table of Martians!!! on which chance and players do as a test says."""

from __future__ import annotations

import json
from collections import defaultdict

from solver.games.martians.board import read_position
from solver.games.martians.cards import synthetic_cards
from solver.games.readings import make
from solver.referee.martians_game import Game, Rules

HOUSE = {"tile": "house", "column": 0, "row": 0}
DINER = {"tile": "diner", "column": 1, "row": 0}
"""Road (3..5, 1), the Diner (3..5, 0) with its door at (4, 0); the House is at (2, 0)."""
FARM = {"tile": "farm", "column": -1, "row": 0}
"""Squares (-3..-1, 0..2), the crop circle at (-2, 1), joined to the House's road (0, 1)."""
ONE_ROAD_OPEN = [
    HOUSE,
    {"tile": "farm", "column": 1, "row": 0},
    {"tile": "curve", "column": 0, "row": -1, "turns": 1},
    {"tile": "curve", "column": 1, "row": -1, "turns": 2},
    {"tile": "offices", "column": 0, "row": 1, "turns": 0},
    {"tile": "school", "column": 1, "row": 1, "turns": 2},
    {"tile": "clinic", "column": -1, "row": 0, "turns": 3},
]
"""A map with a farm and one open road, from the farm to the east."""
NO_DEAD_END = [
    *(tile for tile in ONE_ROAD_OPEN if (tile["column"], tile["row"]) != (0, -1)),
    {"tile": "gun-shop", "column": 2, "row": 0, "turns": 1},
]
"""A map on which only a tile with two roads or more can be placed, to the north of the House."""


class Script:
    """Players and chance that follow lists, by the kind of question or chance.

    Without a list chance gives the first of what it can; players say None where they may, else
    take the first answer. `asked` keeps every question and chance with its options.
    """

    def __init__(self, chances=None, choices=None):
        self.chances = {kind: list(values) for kind, values in (chances or {}).items()}
        self.choices = {kind: list(values) for kind, values in (choices or {}).items()}
        self.asked = []
        self.turns = []

    def begin(self, turn, seat):
        self.turns.append((turn, seat))

    def fall(self, chance, pool):
        self.asked.append((str(chance), tuple(pool)))
        value = self.chances[chance].pop(0) if self.chances.get(chance) else pool[0]
        assert value in pool, (chance, value, pool)
        return value

    def choose(self, question, seat, options, moment):
        self.asked.append((str(question), tuple(options), seat, str(moment)))
        if self.choices.get(question):
            value = self.choices[question].pop(0)
            if isinstance(value, tuple) and len(value) == 2 and value[0] == "at":
                value = options[value[1]]
        else:
            value = None if None in options else options[0]
        assert value in options, (question, value, options)
        return value

    def options(self, kind):
        """The options of each time that something was asked or left to chance."""
        return [entry[1] for entry in self.asked if entry[0] == kind]

    def done(self):
        assert not any(self.chances.values()), self.chances
        assert not any(self.choices.values()), self.choices


def player(name="red", at=(1, 1), lives=3, bullets=3, **more):
    return {"name": name, "at": list(at), "lives": lives, "bullets": bullets, **more}


def position(players=None, layout=(HOUSE, DINER), *, play="noncooperative", **more):
    """A position; the supply is what is not on the map or collected."""
    players = [player()] if players is None else players
    martians = more.get("martians", ())
    taken = len(martians) + sum(p.get("martians", 0) for p in players)
    plain = {
        "format": "martians-position-1",
        "play": play,
        "tiles": "synthetic",
        "layout": list(layout),
        "players": players,
        "seat": 1,
        "step": 5,
        "supply": 100 - taken,
        "moves": 4 if more.get("step", 5) == 5 else None,
        **more,
    }
    return read_position(json.dumps(plain))


def game(where, chances=None, choices=None, *, cards=None, **rules):
    """A game that begins at a position; returns it and its script."""
    script = Script(chances, choices)
    made = make(Rules, {"play": str(where.play), **rules})
    return Game(where, script, rules=made, cards=cards or synthetic_cards()), script


def played(where, chances=None, choices=None, *, turns=1, hands=None, cards=None, **rules):
    """A game after some turns in which everything scripted was needed."""
    begun, script = game(where, chances, choices, cards=cards, **rules)
    deal(begun, hands)
    for _ in range(turns):
        if begun.result is None:
            begun.play_turn()
    script.done()
    return begun, script


def deal(begun, hands):
    """Put named cards into hands: seat (from 1) -> names."""
    for seat, names in (hands or {}).items():
        for name in names:
            begun.course.events.deck.remove(name)
            begun.course.hands[seat - 1].append(name)


def seat(begun, number=1):
    return begun.course.table.seats[number - 1]


def counts(entries):
    """How often each entry of a pool is there."""
    found = defaultdict(int)
    for entry in entries:
        found[entry] += 1
    return dict(found)
