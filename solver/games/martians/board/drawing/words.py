"""What a drawing says in words: the moment, the players, what lies in the buildings."""

from __future__ import annotations

from collections import Counter

from solver.games.martians.board.components import Circle, Token
from solver.games.martians.board.layout import Place, place_of, spot_of
from solver.games.martians.board.position import Player, Position

STEPS = (
    "draw and place a tile",
    "fight the Martians on your square",
    "draw event cards",
    "roll for movement",
    "move",
    "move Martians",
    "place Martians on crop circles",
    "discard",
)
"""The steps of the Turn Sequence, in short."""
_SHOWN = {Circle.FACE_DOWN: "face-down", Circle.EMPTY: "empty", Circle.MOTHER_SHIP: "Mother Ship"}


def plural(number: int, one: str, many: str | None = None) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> plural(1, "life", "lives"), plural(0, "card")
    ('1 life', '0 cards')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def moment(position: Position) -> str:
    """Return one line that says whose turn it is and how far it has come."""
    text = f"{position.on_turn.name} (seat {position.seat}), step {position.step}:"
    text += f" {STEPS[position.step - 1]}"
    if position.moves is not None:
        text += f", {plural(position.moves, 'move')} left"
    if position.drawn is not None:
        text += f", drawn: {position.drawn}"
    return text


def supplies(position: Position) -> str:
    """Return one line about what is not on the map."""
    gone = len(position.discarded)
    items = position.items_to_place
    return (
        f"{position.play} game; {plural(position.supply, 'Martian')} left,"
        f" {plural(len(position.deck), 'tile')} in the deck"
        + (f", {gone} discarded" if gone else "")
        + f", {plural(items, 'item')} to place"
    )


def player_line(player: Player) -> str:
    """Return one line about what a player has."""
    parts = [
        plural(player.lives, "life", "lives"),
        plural(player.bullets, "bullet"),
        plural(player.martians, "Martian"),
        *player.items,
    ]
    if player.weapons.held:
        parts.append(f"weapons {player.weapons}")
    parts.append(plural(player.hand, "card") + (", one played" if player.played else ""))
    return f"{player.name}: {', '.join(parts)}"


def building_names(position: Position) -> dict[tuple[Place, str], str]:
    """Return the named buildings on the map in reading order of their tiles, with their names."""
    return {
        (placed.place, building.letter): building.name
        for placed in sorted(position.layout.placed, key=lambda p: (p.row, p.column))
        for building in position.tiles.tile(placed.tile).buildings
    }


def contents(position: Position) -> dict[tuple[Place, str], str]:
    """Return for each named building on the map what lies in it, in words; empty: nothing."""
    texts: dict[tuple[Place, str], list[str]] = {key: [] for key in building_names(position)}
    for group in position.hidden:
        home = position.layout.building(group.squares[0])
        inside = [
            plural(group.lives, "life", "lives") if group.lives else "",
            plural(group.bullets, "bullet") if group.bullets else "",
            plural(group.items, "item") if group.items else "",
        ]
        if home in texts:
            texts[home].append("face-down " + ", ".join(part for part in inside if part))
    known: Counter[tuple[tuple[Place, str], Token]] = Counter()
    for token in position.tokens:
        home = position.layout.building(token.at)
        if home is not None:
            known[home, token.token] += 1
    for (home, face), number in known.items():
        texts[home].append(f"known {face}" + (f" x {number}" if number > 1 else ""))
    return {key: "; ".join(parts) for key, parts in texts.items()}


def circle_lines(position: Position) -> tuple[str, ...]:
    """Return a line for each crop circle on the map."""
    return tuple(
        f"crop circle {circle.at[0]},{circle.at[1]}: {_SHOWN[circle.shows]}"
        for circle in position.crop_circles
    )


def has_icon(position: Position, square: tuple[int, int]) -> bool:
    """Return whether a square has a Martian icon."""
    tile = position.layout.grid.get(place_of(square))
    return tile is not None and spot_of(square) in tile.icons


def summary(position: Position) -> str:
    """Return the position in a few sentences, for who cannot see a drawing."""
    places = "; ".join(
        f"seat {n} {player_line(p)}, at {p.at[0]},{p.at[1]}"
        for n, p in enumerate(position.players, 1)
    )
    number = len(position.martians)
    return (
        f"{moment(position)}. {supplies(position)}. {plural(len(position.layout.placed), 'tile')}"
        f" placed, {plural(number, 'Martian')} on the map. {places}."
    )
