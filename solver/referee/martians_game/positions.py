"""Between the table and a position of the library: a game can be left as one and start from one."""

from __future__ import annotations

from collections import Counter

from solver.errors import UsageError
from solver.games.martians.board.components import (
    BULLET_TOKENS,
    FARMS,
    LIFE_TOKENS,
    MARTIANS,
    Token,
)
from solver.games.martians.board.layout import Layout
from solver.games.martians.board.position import CropCircle, Hidden, Known, Player, Position
from solver.games.martians.cards import CardSet
from solver.games.martians.cards.effects import Weapon
from solver.games.martians.weapons import Weapon as WeaponInPlay
from solver.games.martians.weapons import Weapons
from solver.referee.martians_game.course import Course
from solver.referee.martians_game.rules import Rules
from solver.referee.martians_game.table import Ground, Group, Seat, Table


def position_of(course: Course) -> Position:
    """Return what lies on the table as a position.

    Of the cards a position holds how many are in each hand and what weapons in play do; two
    weapons that do the same count once.
    """
    table = course.table
    hidden = [
        Hidden(tuple(group.squares), group.lives, group.bullets, group.items)
        for group in table.hidden.values()
    ]
    players = tuple(
        Player(
            seat.name,
            seat.at,
            seat.lives,
            seat.bullets,
            seat.martians,
            tuple(seat.items),
            _weapons(course, seat),
            len(course.hands[who]),
            seat.played,
        )
        for who, seat in enumerate(table.seats)
    )
    return Position(
        play=table.rules.play,
        layout=Layout(table.ground.tiles, tuple(table.ground.placed)),
        discarded=tuple(table.discarded),
        drawn=table.drawn,
        martians=tuple(table.martians),
        supply=table.supply,
        tokens=tuple(Known(square, token) for square, token in table.known.items()),
        hidden=tuple(hidden),
        crop_circles=tuple(CropCircle(at, shows) for at, shows in table.circles.items()),
        players=players,
        seat=table.on_turn + 1,
        step=table.step,
        moves=table.moves,
    ).canonical()


def _weapons(course: Course, seat: Seat) -> Weapons:
    held = {_in_play(course.card[name].weapon) for name in seat.weapons}
    return Weapons(tuple(sorted(held, key=lambda w: (w.rerolls, w.bonus))))


def _in_play(weapon: Weapon | None) -> WeaponInPlay:
    return WeaponInPlay(weapon.bonus, weapon.rerolls) if weapon else WeaponInPlay()


def table_of(position: Position, rules: Rules, cards: CardSet) -> Table:
    """Return the table of a position.

    Parameters
    ----------
    position
        A position that is allowed.
    rules
        The rules, of the same of the two games.
    cards
        The cards, for the names of the weapons in play.

    Raises
    ------
    UsageError
        If the two games differ, there are more farms than crop circle tokens, or a weapon in play
        is none of the cards.
    """
    if rules.play is not position.play:
        raise UsageError(
            f"the position is of the {position.play} game, the rules of the {rules.play} one",
            field="play",
        )
    farms = sum(tile.copies for tile in position.tiles.tiles if tile.is_farm)
    if farms > FARMS:
        raise UsageError(
            f"the tile set {position.tiles.name} has {farms} farms",
            rule="Contents: four crop circle tokens, one for each farm",
            remedy="a set with four farms or fewer",
            field="tiles",
        )
    weapons = {_in_play(card.weapon): card.name for card in reversed(cards.events) if card.weapon}
    seats = [_seat(player, weapons) for player in position.players]
    out = Counter[Token]()
    out.update(known.token for known in position.tokens)
    for group in position.hidden:
        out.update({Token.LIFE: group.lives, Token.BULLET: group.bullets})
    for seat in seats:
        out.update({Token.LIFE: seat.lives, Token.BULLET: seat.bullets})
    ground = Ground(position.tiles, position.layout.placed)
    killed = sum(seat.martians for seat in seats)
    return Table(
        rules=rules,
        ground=ground,
        seats=seats,
        deck=list(position.deck),
        supply=position.supply,
        box=MARTIANS - len(position.martians) - position.supply - killed,
        drawn=position.drawn,
        discarded=list(position.discarded),
        martians=set(position.martians),
        bank={
            Token.LIFE: LIFE_TOKENS - out[Token.LIFE],
            Token.BULLET: BULLET_TOKENS - out[Token.BULLET],
        },
        unseen=dict(position.unseen_items),
        beside=position.items_to_place,
        hidden={
            ground.building_of[group.squares[0]]: Group(
                list(group.squares), group.lives, group.bullets, group.items
            )
            for group in position.hidden
        },
        known={known.at: known.token for known in position.tokens},
        circles={circle.at: circle.shows for circle in position.crop_circles},
        on_turn=position.seat - 1,
        step=position.step,
        moves=position.moves,
    )


def _seat(player: Player, weapons: dict[WeaponInPlay, str]) -> Seat:
    unknown = [str(weapon) for weapon in player.weapons.held if weapon not in weapons]
    if unknown:
        raise UsageError(
            f"{player.name} has the weapon {unknown[0]}, and no card is one",
            remedy=f"weapons of the cards: {', '.join(sorted(map(str, weapons)))}",
            field="weapons",
        )
    return Seat(
        player.name,
        player.at,
        player.lives,
        player.bullets,
        player.martians,
        set(player.items),
        [weapons[weapon] for weapon in player.weapons.held],
        player.played,
    )
