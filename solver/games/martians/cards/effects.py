"""What a card can do: the few kinds of effects that the rule sheet speaks of, as data.

The texts of the printed cards are not in the sheet. Each effect here is named in it: weapons
(Combat, Additional Rules), movement, moving and placing Martians, tokens, attacks on other
players and the Searchlight (Additional Rules), cards in front of a player (Event Card Rules).

The descriptions are what a reader of a faulty file is told.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from solver.games.martians.weapons import MOST

Where = Annotated[
    Literal["anywhere", "beside"],
    Meta(description="anywhere on the map, or beside: one step from the pawn it is about"),
]
Who = Annotated[
    Literal["self", "victim", "all"],
    Meta(
        description="self: who plays the card; victim: another player, chosen by who plays it,"
        " or the player on turn if the card is turned up in the cooperative game; all"
    ),
]


class _Effect(Struct, tag_field="do", frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card does; ``do`` names it in a file."""


class Weapon(_Effect, tag="weapon", frozen=True):
    """A weapon: the card stays in play until it is lost, and may be used once in each fight."""

    bonus: Annotated[int, Meta(ge=0, le=MOST, description="added to its combat rolls, 0 to 3")] = 0
    rerolls: Annotated[
        int, Meta(ge=0, le=MOST, description="losing rolls made again in a fight, 0 to 3")
    ] = 0


class Squares(_Effect, tag="squares", frozen=True):
    """More or fewer moves in this turn, for the player on turn."""

    number: Annotated[int, Meta(ge=-9, le=9, description="moves, -9 to 9, not 0")]
    who: Annotated[
        Literal["self", "victim"],
        Meta(description="self: on the own turn; victim: on the turn of another player"),
    ] = "self"


class Place(_Effect, tag="place", frozen=True):
    """Martians from the supply are placed, one a square; beside: around the victim's pawn."""

    number: Annotated[int, Meta(ge=1, le=20, description="how many Martians, 1 to 20")]
    where: Where = "anywhere"


class Remove(_Effect, tag="remove", frozen=True):
    """Martians leave the map and are collected by nobody; beside: on or around the own pawn."""

    number: Annotated[int, Meta(ge=1, le=20, description="how many Martians, 1 to 20")]
    where: Where = "anywhere"


class Move(_Effect, tag="move", frozen=True):
    """Different Martians are moved one square each."""

    number: Annotated[int, Meta(ge=1, le=20, description="how many Martians, 1 to 20")]


class Tokens(_Effect, tag="tokens", frozen=True):
    """Life and bullet tokens are gained or lost."""

    lives: Annotated[int, Meta(ge=-5, le=5, description="life tokens, -5 to 5")] = 0
    bullets: Annotated[int, Meta(ge=-5, le=5, description="bullet tokens, -5 to 5")] = 0
    who: Who = "self"


class Attack(_Effect, tag="attack", frozen=True):
    """Another player is attacked, and loses life tokens if the die says so."""

    lives: Annotated[int, Meta(ge=1, le=5, description="life tokens that a hit costs, 1 to 5")] = 1
    needs: Annotated[int, Meta(ge=1, le=6, description="the least roll that hits, 1 to 6")] = 4
    near: Annotated[
        bool, Meta(description="true: only a player on the same square or one step away")
    ] = True


class Searchlight(_Effect, tag="searchlight", frozen=True):
    """The face-down tokens of a building are looked at; its item is taken if it is no duplicate."""


class Draw(_Effect, tag="draw", frozen=True):
    """Event cards are drawn, on the own turn."""

    number: Annotated[int, Meta(ge=1, le=5, description="how many cards, 1 to 5")]


class Combat(_Effect, tag="combat", frozen=True):
    """Combat rolls are better or worse for a while; the card lies in front of its player."""

    bonus: Annotated[int, Meta(ge=-3, le=3, description="added to combat rolls, -3 to 3, not 0")]
    who: Who = "self"
    lasts: Annotated[
        Literal["turn", "round"],
        Meta(
            description="turn: to the end of this turn; round: to the beginning of the next turn"
            " of the player who has it in front of him"
        ),
    ] = "turn"


Effect = Weapon | Squares | Place | Remove | Move | Tokens | Attack | Searchlight | Draw | Combat
KINDS: dict[str, type[Struct]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Weapon,
        Squares,
        Place,
        Remove,
        Move,
        Tokens,
        Attack,
        Searchlight,
        Draw,
        Combat,
    )
}
"""Every effect by the word that names it in a file."""
