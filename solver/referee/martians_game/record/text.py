"""The record of a game as JSON lines: how it began, then every decision and every chance.

What is forced is not written, and that nobody plays a card is not either.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from solver.games.martians.board import start_position, synthetic_tiles, write_position
from solver.games.martians.board.files.records import TileSetRecord, Words
from solver.games.martians.board.files.tiles import plain_tiles
from solver.games.martians.cards import CardSet, synthetic_cards
from solver.games.martians.cards.files import plain_cards
from solver.games.readings import rules_of
from solver.referee.martians_game.game import Game
from solver.referee.martians_game.questions import Chance

GAME_FORMAT = "martians-game-1"


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: how a game begins."""

    format: Annotated[Literal["martians-game-1"], Meta(description=GAME_FORMAT)]
    rules: Annotated[
        dict[str, int | str],
        Meta(description="rules and readings by name, those left out official"),
    ] = {}
    players: Annotated[
        tuple[Words, ...], Meta(max_length=6, description="1 to 6 names, the first on turn")
    ] = ()
    tiles: Annotated[
        Literal["synthetic"] | TileSetRecord,
        Meta(description='"synthetic" for the set that is shipped, or a whole tile set'),
    ] = "synthetic"
    cards: Annotated[
        Literal["synthetic"] | CardSet,
        Meta(description='"synthetic" for the set that is shipped, or a whole card set'),
    ] = "synthetic"
    position: Annotated[
        dict[str, Any] | None,
        Meta(description="the position in which it begins, in place of players and tiles"),
    ] = None


def record_text(game: Game) -> str:
    """Return the record of a game as far as it has been played.

    Parameters
    ----------
    game
        The game; :func:`.replay` plays it again from the text.
    """
    return "".join(
        json.dumps(line, ensure_ascii=False, default=str) + "\n"
        for line in (_header(game), *map(_line, game.course.log))
    )


def _header(game: Game) -> dict[str, Any]:
    start = game.start
    header: dict[str, Any] = {"format": GAME_FORMAT, "rules": rules_of(game.rules)}
    names = [player.name for player in start.players]
    if start == start_position(start.tiles, names, start.play).canonical():
        shipped = start.tiles == synthetic_tiles()
        header["players"] = names
        header["tiles"] = start.tiles.name if shipped else plain_tiles(start.tiles)
    else:
        header["position"] = json.loads(write_position(start))
    shipped = game.cards == synthetic_cards()
    header["cards"] = game.cards.name if shipped else plain_cards(game.cards)
    return header


def _line(entry: tuple[str, Any, Any, str]) -> dict[str, Any]:
    what, who, value, moment = entry
    if what == "turn":
        return {"turn": who, "seat": value}
    if what == "end":
        return {"end": who, "seats": value}
    if isinstance(what, Chance):
        return {"chance": what, "is": value}
    line = {"seat": who, "choice": what, "is": msgspec.to_builtins(value)}
    return {**line, "when": moment} if moment else line
