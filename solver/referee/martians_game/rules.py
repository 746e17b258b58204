"""The rules of a game of Martians!!!: which of the two games, and how the sheet is read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from solver.games.martians.board.components import Play
from solver.games.martians.combat import LastLife
from solver.games.readings import Reading, check_limits, parameter


class Lost(Reading):
    """Where the Martians go that a dead player loses, in the noncooperative game."""

    SUPPLY = "supply"
    """Back to the supply ("loses half of the Martians he has collected")."""
    BOX = "box"
    """Out of the game."""


class Refill(Reading):
    """What arrives in step 7 once the Mother Ship is revealed.

    Turn Sequence 7: "one Martian on the tile occupied by the token"; Martian Ship Tokens 4: "on
    the space occupied by the Mother ship token".
    """

    TILE = "tile"
    """Its token is refilled as every crop circle is, and one more Martian comes to its tile."""
    ONE = "one"
    """One Martian in all: on the token, or on another square of the tile if the token has one."""


class Figures(Reading):
    """What keeps a crop circle from being refilled: "do not currently have a figures on them"."""

    MARTIANS = "martians"
    """A Martian (Martian Ship Tokens 3: "if there is no Martian on a crop circle token")."""
    ANY = "any"
    """A Martian or a pawn."""


class Team(Reading):
    """How the cooperative game is won: "collect a fuel, fertilizer and dynamite token and ..."."""

    EVERYONE = "everyone"
    """All items are among the players, and all players stand on the Mother Ship."""
    CARRIERS = "carriers"
    """All items are among the players who stand on the Mother Ship."""
    ONE = "one"
    """One player stands on the Mother Ship with all three."""


class NotPlayed(Reading):
    """When the Mother Ship "is not played" and the cooperative game is lost on a stuck map."""

    BESIDE = "beside"
    """It is among the crop circle tokens that are not on the map; those are turned over then."""
    FACE_DOWN = "face-down"
    """It is not revealed, wherever it is."""


class Ending(StrEnum):
    """How a game ends."""

    SHIP = "ship"
    """A player, or the team, has reached the Mother Ship with all three items."""
    COLLECTED = "collected"
    """A player has collected enough Martians."""
    INVADED = "invaded"
    """The last Martian is placed: the cooperative game is lost."""
    STRANDED = "stranded"
    """No tile can be placed and the Mother Ship is not out: the cooperative game is lost."""
    LIMIT = "limit"
    """The limit of turns is reached; nobody has won."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which game is played, and the readings.

    Raises
    ------
    UsageError
        If the goal is out of range.
    """

    play: Play = parameter(Play.NONCOOPERATIVE, "the game")
    goal: int = parameter(30, "Martians that win", at_least=1, at_most=100)
    last_life: LastLife = parameter(LastLife.DIES, "the last life token is forfeited")
    lost: Lost = parameter(Lost.SUPPLY, "Martians lost by a death")
    refill: Refill = parameter(Refill.TILE, "Martians of the Mother Ship in step 7")
    figures: Figures = parameter(Figures.MARTIANS, "what keeps a crop circle from its Martian")
    team: Team = parameter(Team.EVERYONE, "who must be at the Mother Ship, cooperative")
    not_played: NotPlayed = parameter(NotPlayed.BESIDE, "the Mother Ship on a stuck map")

    def __post_init__(self) -> None:
        check_limits(self)

    @property
    def together(self) -> bool:
        """Whether the cooperative game is played."""
        return self.play is Play.COOPERATIVE


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Parameters
    ----------
    ending
        In which way.
    seats
        The seats that have won, counted from 1; none, one, or all of a team.
    turns
        Turns that were begun, of all players together.
    """

    ending: Ending
    seats: tuple[int, ...]
    turns: int
