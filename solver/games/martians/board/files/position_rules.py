"""What a position must keep to: each check cites the section of the rule sheet it guards."""

from __future__ import annotations

from collections import Counter

from solver.games.martians.board import components as box
from solver.games.martians.board.components import ITEMS, Circle, Mover, Token
from solver.games.martians.board.faults import fault, pointer
from solver.games.martians.board.layout import Square, check_layout
from solver.games.martians.board.position import Hidden, Player, Position
from solver.games.martians.board.steps import steps_of
from solver.games.martians.board.tile import Kind
from solver.games.martians.combat import FACES, MOST_TOKENS

_ONE_MARTIAN = "Martian Movement Rules: a square has one Martian at most"
_CONTENTS = "Contents: {} {}"
_ONE_TOKEN = "Placing Map Tiles: tokens lie inside named buildings, one a square"  # noqa: S105
_MOST = "Additional Rules: at most five life and five bullet tokens"
_TURN = "Turn Sequence Overview"
_MOST_MOVES = 99
"""Eleven without cards. Each of six players may play one card of nine moves in a round, and in the
cooperative game each icon that is passed may turn up another."""


def check_position(position: Position, at: str = "") -> None:
    """Check that the rules allow a position.

    Parameters
    ----------
    position
        The position; lists are named by their own order.
    at
        JSON pointer of the position.

    Raises
    ------
    PositionError
        On the first fault: ``field`` is its JSON pointer, ``rule`` the section it breaks.
    """
    check_layout(position.layout, at + "/layout")
    _check_deck(position, at)
    _check_martians(position, at)
    _check_tokens(position, at)
    _check_circles(position, at)
    for number, player in enumerate(position.players):
        _check_player(position, player, number, at + pointer("players", number))
    _check_turn(position, at)
    _check_supplies(position, at)


def _check_deck(position: Position, at: str) -> None:
    known = {tile.name: tile for tile in position.tiles.tiles}
    left = Counter({name: tile.copies for name, tile in known.items()})
    left.subtract(placed.tile for placed in position.layout.placed)
    named = [(at + pointer("discarded", n), name) for n, name in enumerate(position.discarded)]
    if position.drawn is not None:
        named.append((at + "/drawn", position.drawn))
    for here, name in named:
        if name not in known:
            raise fault(
                here, f"there is no tile {name!r}", None, f"a tile of the set {position.tiles.name}"
            )
        left[name] -= 1
        if left[name] < 0:
            raise fault(
                here,
                f"{name} is on the table already, or named too often",
                f"the tile set has {known[name].copies} of it",
                "leave it out",
            )


def _check_martians(position: Position, at: str) -> None:
    steps = steps_of(position.layout)
    seen: dict[Square, int] = {}
    for number, square in enumerate(position.martians):
        here = at + pointer("martians", number)
        if square not in steps:
            raise fault(
                here,
                f"a Martian cannot stand on {list(square)}: {_what(position, square)}",
                "Martian Movement Rules: roads, and buildings that can be entered",
                "another square",
            )
        if square in seen:
            raise fault(
                here,
                f"{list(square)} has a Martian already, number {seen[square]} of the list",
                _ONE_MARTIAN,
                "leave one out",
            )
        seen[square] = number


def _what(position: Position, square: Square) -> str:
    kind = position.layout.kind(square)
    if kind is Kind.NOTHING:
        return "nothing is there"
    return f"it is a square of an {kind}" if kind is Kind.UNNAMED else f"it is a {kind} square"


def _check_tokens(position: Position, at: str) -> None:
    layout = position.layout
    taken: set[Square] = set()
    items: Counter[tuple[tuple[int, int], str]] = Counter()
    for number, known in enumerate(position.tokens):
        here = at + pointer("tokens", number)
        building = _token_square(position, known.at, taken, here + "/at")
        if known.token in ITEMS:
            items[building] += 1
            if items[building] > 1:
                raise fault(
                    here + "/token",
                    "a second item in one building",
                    "Placing Map Tiles; Combat Rules: one item a building",
                    "another building",
                )
    described: set[tuple[tuple[int, int], str]] = set()
    for number, group in enumerate(position.hidden):
        here = at + pointer("hidden", number)
        if not group.squares:
            raise fault(
                here + "/squares",
                "a group of face-down tokens has squares",
                None,
                "leave the group out",
            )
        homes = [
            _token_square(position, square, taken, here + pointer("squares", n))
            for n, square in enumerate(group.squares)
        ]
        place, letter = homes[0]
        for n, home in enumerate(homes):
            if home != homes[0]:
                raise fault(
                    here + pointer("squares", n),
                    f"{list(group.squares[n])} is of another building than the first square",
                    None,
                    "a group of its own for each building",
                )
        if homes[0] in described:
            raise fault(here, "the building has a group already", None, "join the two")
        described.add(homes[0])
        own = next(b for b in layout.grid[place].buildings if b.letter == letter)
        _check_group(group, own.name, own.lives, own.bullets, items[homes[0]], here)


def _token_square(
    position: Position, square: Square, taken: set[Square], here: str
) -> tuple[tuple[int, int], str]:
    building = position.layout.building(square)
    if building is None:
        raise fault(
            here,
            f"no token lies on {list(square)}: {_what(position, square)}",
            _ONE_TOKEN,
            "a square of a named building",
        )
    if square in taken:
        raise fault(here, f"{list(square)} has a token already", _ONE_TOKEN, "another square")
    taken.add(square)
    return building


def _check_group(
    group: Hidden, name: str, lives: int, bullets: int, items_there: int, here: str
) -> None:
    for what, number, most in (
        ("lives", group.lives, lives),
        ("bullets", group.bullets, bullets),
        ("items", group.items, 1 - items_there),
    ):
        if not 0 <= number <= most:
            raise fault(
                here + pointer(what),
                f"{number} of them face-down in {name}, which has at most {most}",
                "Placing Map Tiles: the tokens indicated, and one item",
                f"0 to {most}",
            )
    number = group.lives + group.bullets + group.items
    if number != len(group.squares):
        raise fault(
            here,
            f"{len(group.squares)} squares for {number} tokens",
            _ONE_TOKEN,
            "as many squares as tokens",
        )


def _check_circles(position: Position, at: str) -> None:
    farms = set(position.layout.squares(Kind.CROP_CIRCLE))
    if len(farms) > box.FARMS:
        raise fault(
            at + "/layout",
            f"{len(farms)} farms are placed",
            _CONTENTS.format(box.FARMS, "crop circle tokens"),
            "leave one out",
        )
    seen: set[Square] = set()
    shown: Counter[Circle] = Counter()
    for number, circle in enumerate(position.crop_circles):
        here = at + pointer("crop_circles", number)
        if circle.at not in farms or circle.at in seen:
            why = "has one already" if circle.at in seen else "is not the middle of a placed farm"
            raise fault(
                here + "/at",
                f"{list(circle.at)} {why}",
                "Martian Ship Tokens: one crop circle in the middle of each farm",
                f"one of {_list(farms)}",
            )
        seen.add(circle.at)
        shown[circle.shows] += 1
        if shown[Circle.MOTHER_SHIP] > 1 or shown[Circle.EMPTY] > box.FARMS - 1:
            raise fault(
                here + "/shows",
                "one of the four tokens, and only one, is the Mother Ship",
                "Martian Ship Tokens",
                "mother-ship once, empty three times",
            )
    if farms - seen:
        raise fault(
            at + "/crop_circles",
            f"the farm at {_list(farms - seen)} has none",
            "Martian Ship Tokens: each farm gets one when it is placed",
            f'{{"at": {list(min(farms - seen))}, "shows": "face-down"}}',
        )


def _list(squares: set[Square]) -> str:
    return ", ".join(str(list(square)) for square in sorted(squares)) or "none: no farm is placed"


def _check_player(position: Position, player: Player, number: int, here: str) -> None:
    steps = steps_of(position.layout)
    if not player.name or player.name in [p.name for p in position.players[:number]]:
        raise fault(
            here + "/name",
            f"{player.name!r} is no name of this player alone",
            None,
            "a name for each player",
        )
    if player.at not in steps or not position.layout.kind(player.at).lets_in(Mover.PAWN):
        raise fault(
            here + "/at",
            f"a pawn cannot stand on {list(player.at)}: {_what(position, player.at)}",
            "Player Movement Rules: roads and named buildings",
            "another square",
        )
    for name, tokens in (("lives", player.lives), ("bullets", player.bullets)):
        if not 0 <= tokens <= MOST_TOKENS:
            raise fault(here + pointer(name), f"{player.name} has {tokens}", _MOST, "0 to 5")
    for n, item in enumerate(player.items):
        if item not in ITEMS or item in player.items[:n]:
            raise fault(
                here + pointer("items", n),
                f"{player.name} has {item} already",
                "Player Movement Rules: a duplicate item is put back",
                "leave it out",
            )
    if player.hand < 0 or (player.hand > box.HAND and number != position.seat - 1):
        raise fault(
            here + "/hand",
            f"{player.name} has {player.hand} event cards and is not on turn",
            "Event Card Rules: at most three at the end of a turn",
            "0 to 3",
        )


def _check_turn(position: Position, at: str) -> None:
    players = len(position.players)
    if not 1 <= players <= box.PAWNS:
        raise fault(
            at + "/players",
            f"{players} players",
            _CONTENTS.format(box.PAWNS, "pawns"),
            "1 to 6 players",
        )
    if not 1 <= position.seat <= players:
        raise fault(at + "/seat", f"there is no seat {position.seat}", None, f"1 to {players}")
    if not 1 <= position.step <= 8:
        raise fault(at + "/step", f"a turn has no step {position.step}", _TURN, "1 to 8")
    if position.drawn is not None and position.step != 1:
        raise fault(
            at + "/drawn",
            f"no tile is in the hand in step {position.step}",
            f"{_TURN} 1: a tile is drawn and placed",
            "place or discard it",
        )
    most = {5: _MOST_MOVES, 6: len(FACES)}.get(position.step)
    if position.moves is None:
        if position.step == 5:
            raise fault(
                at + "/moves",
                "step 5 needs the moves that are left",
                f"{_TURN} 5",
                f"0 to {most}; step 4 if the die is not rolled",
            )
    elif most is None:
        raise fault(
            at + "/moves", f"nothing is moved in step {position.step}", f"{_TURN} 5, 6", "null"
        )
    elif not 0 <= position.moves <= most:
        raise fault(
            at + "/moves",
            f"{position.moves} moves",
            f"{_TURN} {position.step}: the die shows at most six;"
            " in step 5 life tokens are added, and cards may add more",
            f"0 to {most}",
        )


def _check_supplies(position: Position, at: str) -> None:
    killed = sum(player.martians for player in position.players)
    if min([position.supply, *(player.martians for player in position.players)]) < 0:
        raise fault(at + "/supply", "Martians are counted from 0", None, "0 or more")
    total = len(position.martians) + killed + position.supply
    if total > box.MARTIANS:
        raise fault(
            at + "/supply",
            f"{total} Martians: {len(position.martians)} on the board,"
            f" {killed} collected, {position.supply} in the supply",
            _CONTENTS.format(box.MARTIANS, "Martians"),
            f"at most {max(box.MARTIANS - total + position.supply, 0)}",
        )
    faces = Counter(known.token for known in position.tokens)
    totals = (
        (
            "life",
            faces[Token.LIFE]
            + sum(p.lives for p in position.players)
            + sum(g.lives for g in position.hidden),
            box.LIFE_TOKENS,
        ),
        (
            "bullet",
            faces[Token.BULLET]
            + sum(p.bullets for p in position.players)
            + sum(g.bullets for g in position.hidden),
            box.BULLET_TOKENS,
        ),
    )
    for name, number, there_are in totals:
        if number > there_are:
            raise fault(
                at + "/players",
                f"{number} {name} tokens with the players and on the board",
                _CONTENTS.format(there_are, f"{name} tokens"),
                "fewer tokens",
            )
    each = position.play.of_each_item
    for item, left in position.unseen_items:
        if left < 0:
            raise fault(
                at + "/tokens",
                f"{each - left} {item} tokens with the players and on the board",
                f"Contents; Game Setup: {each} of each item",
                "fewer of them",
            )
    if position.items_to_place < 0:
        hidden = sum(group.items for group in position.hidden)
        raise fault(
            at + "/hidden",
            f"{hidden} item tokens face-down, {hidden + position.items_to_place} are not seen",
            f"Contents; Game Setup: {each} of each item",
            "fewer items",
        )
