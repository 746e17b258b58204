"""Reading positions of Martian Dice in the rulebook's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solver.dice import Die
from solver.errors import NotationError, PositionError
from solver.games.notation import read_counts, write_counts
from solver.games.position import Position, PositionField

if TYPE_CHECKING:
    from solver.games.martian_dice import MartianDice

SPECIES = ("H", "C", "K")
ACTION_OF = {"R": "death-rays", "H": "human", "C": "cow", "K": "chicken"}
LEGEND = "letters: T tank, R death ray, H human, C cow, K chicken"
WORDS = {
    "T": ("t", "tank", "tanks"),
    "R": ("r", "ray", "rays", "death ray", "death rays", "deathray", "deathrays"),
    "H": ("h", "human", "humans"),
    "C": ("c", "cow", "cows"),
    "K": ("k", "chicken", "chickens"),
}
NAMES = {word: letter for letter, words in WORDS.items() for word in words}

POSITION_FIELDS = (
    PositionField("aside", "T2 R3 H4", "dice set aside in earlier rolls of this turn"),
    PositionField("roll", "R2 C1 K1", "all dice just rolled, tanks included"),
)


def read_faces(text: str) -> Die:
    """Return the die written as ``T1 R2 H1 C1 K1``: each letter with its weight.

    Raises
    ------
    NotationError
        If the text cannot be read.
    """
    weights = read_counts(text, NAMES, legend=LEGEND, field="set faces")
    if sum(weights.values()) > 10_000:
        raise NotationError("--set faces: the weights sum to more than 10000", text=text, at=0)
    return Die.of({letter: weights.get(letter, 0) for letter in WORDS})


def read_position(
    game: MartianDice, aside: str | Mapping[str, int], roll: str | Mapping[str, int] | None
) -> Position:
    """Return the position; see :meth:`solver.games.martian_dice.MartianDice.read_position`."""
    kept = _read(game, aside, "aside")
    rolled = None if roll is None else _read(game, roll, "roll")
    tanks, rays = kept["T"], kept["R"]
    heads = sum(kept[s] for s in SPECIES)
    set_aside = tanks + rays + heads
    left = game.dice - set_aside
    if left < 0:
        raise PositionError(
            f"{set_aside} dice are set aside, and there are only {game.dice}",
            rule="Components: the number of dice",
            remedy="check the counts in --aside",
            field="aside",
        )
    _check_reachable(game, kept, left, rolled)
    taken = tuple(sum(1 for s in letters if kept[s]) for letters in game.classes)
    shown = {"aside": write_counts(kept)}
    if rolled is None:
        return _before_roll(game, shown, (tanks, rays, heads, *taken), left)
    shown["roll"] = write_counts(rolled)
    total = sum(rolled.values())
    if total != left:
        raise PositionError(
            f"--roll shows {total} dice, but {left} were rolled: {game.dice} less the"
            f" {set_aside} set aside",
            rule="On Your Turn, step 1: all available dice are rolled",
            remedy=f"give all {left} dice just rolled, tanks and taken species included",
            field="roll",
        )
    return _after_roll(game, shown, kept, rolled, taken)


def _read(game: MartianDice, given: str | Mapping[str, int], field: str) -> dict[str, int]:
    found = read_counts(given, NAMES, legend=LEGEND, field=field)
    counts = {letter: found.get(letter, 0) for letter in WORDS}
    for letter, count in counts.items():
        if count and not game.faces.weight(letter):
            raise PositionError(
                f"--{field} shows {letter}, which these dice do not have",
                rule=f"faces={game.faces}",
                field=field,
            )
    return counts


def _check_reachable(
    game: MartianDice, kept: dict[str, int], left: int, rolled: dict[str, int] | None
) -> None:
    only_tanks = kept["T"] and not kept["R"] and not any(kept[s] for s in SPECIES)
    if only_tanks and (left or rolled is not None):
        raise PositionError(
            f"no legal turn has only tanks set aside and {left} dice left to roll",
            rule="On Your Turn, step 3: every roll sets aside one other type, or ends the turn",
            remedy="put the dice just rolled, tanks included, in --roll",
            field="aside",
        )
    if rolled is not None and not left:
        raise PositionError(
            f"all {game.dice} dice are set aside: there is nothing to roll",
            rule="On Your Turn, step 1: without available dice the turn is scored",
            remedy="leave --roll out",
            field="roll",
        )


def _before_roll(
    game: MartianDice, shown: dict[str, str], aside: tuple[int, ...], left: int
) -> Position:
    if left == game.dice:
        state: tuple[Any, ...] = ("roll", *aside)
        return Position(shown, state, {"roll": state}, "a turn begins with a roll")
    tanks, rays, heads, *taken = aside
    stop = ("bank", game.score(tanks, rays, heads, sum(taken)))
    state = ("aside", *aside)
    if not left:
        return Position(shown, state, {"stop": stop}, "all dice are set aside: the turn is over")
    return Position(shown, state, {"stop": stop, "roll": ("roll", *aside)})


def _after_roll(
    game: MartianDice,
    shown: dict[str, str],
    kept: dict[str, int],
    rolled: dict[str, int],
    taken: tuple[int, ...],
) -> Position:
    tanks, rays = kept["T"] + rolled["T"], kept["R"]
    heads = sum(kept[s] for s in SPECIES)
    free = {s: rolled[s] for s in SPECIES if rolled[s] and not kept[s]}
    if not rolled["R"] and not free:
        state: tuple[Any, ...] = ("bank", game.score(tanks, rays, heads, sum(taken)))
        note = "nothing can be taken: the turn is over and scored as it stands"
        return Position(shown, state, {"stop": state}, note)
    groups = tuple(
        tuple(sorted({free[s] for s in letters if s in free})) for letters in game.classes
    )
    state = ("take", tanks, rays, heads, *taken, rolled["R"], groups)
    options: dict[str, tuple[Any, ...]] = {}
    if rolled["R"]:
        options[ACTION_OF["R"]] = ("aside", tanks, rays + rolled["R"], heads, *taken)
    order = {s: i for i, letters in enumerate(game.classes) for s in letters}
    for letter in sorted(free, key=lambda s: (free[s], order[s])):  # as the rules do
        more = tuple(
            count + (letter in letters) for count, letters in zip(taken, game.classes, strict=True)
        )
        options[ACTION_OF[letter]] = ("aside", tanks, rays, heads + free[letter], *more)
    return Position(shown, state, options)
