"""Reading positions of a hunt of Martians!!! as people at a table tell them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solver.errors import NotationError, PositionError, UsageError
from solver.games.martians import fight_position as fights
from solver.games.martians.combat import MOST_TOKENS, least_lives
from solver.games.position import MATCH_OF_GOALS, Position, PositionField

if TYPE_CHECKING:
    from solver.games.martians.gauntlet import Gauntlet
    from solver.games.martians.hunt import Hunt, Standing

FIELDS = (
    PositionField("hunt", "", "a turn of a hunt: fight on or stop, spend or bleed", flag=True),
    PositionField("fight", "", "a fight, or several in a row, and nothing else", flag=True),
    PositionField("martians", "12", "Martians collected"),
    *fights.FIELDS,
    PositionField("moves", "4", "moves left, a fight that was begun being paid; none: not rolled"),
    PositionField("unarmed", "", "the weapons were lost in a death", flag=True),
)
STANDING = (FIELDS[2], *fights.TOKENS, FIELDS[-1], *MATCH_OF_GOALS)
LONGEST = 12
"""Most fights of one turn: one on the player's own square and one for each of eleven moves."""
_MOVES = "Player Movement Rules: moves are d6 + the life tokens at the roll, and a fight costs one"


def part_for(
    game: Hunt, told: Mapping[str, Any], objective: str | None
) -> tuple[Hunt | Gauntlet, dict[str, Any]]:
    """Return the game that a position is about, and what is told of it.

    Parameters
    ----------
    game
        The hunt.
    told
        Field -> value; ``fight`` or ``hunt`` says which it is.
    objective
        What is asked for: the chance to survive does not depend on how many fights came before,
        so the longest gauntlet that has a table answers for all shorter ones.

    Raises
    ------
    UsageError
        If both are told, or a field that does not belong to it.
    """
    given = {name: v for name, v in told.items() if v is not None and v is not False}
    fight, hunt = given.pop("fight", False), given.pop("hunt", False)
    if fight and hunt:
        raise UsageError(
            "--fight and --hunt are two questions", remedy="leave one out", field="fight"
        )
    own = {f.name for f in fights.FIELDS}
    if not fight:
        if "facing" in given:
            raise UsageError(
                "--facing is for fights in a row: in a hunt the player may stop",
                remedy="--fight --facing 4",
                field="facing",
            )
        return game, given
    for name in given:
        if name not in own:
            raise UsageError(
                f"--{name} is for hunts: a fight is told by {', '.join(sorted(own))}",
                remedy="--hunt, or leave it out",
                field=name,
            )
    number = fights.read_number(
        given.setdefault("facing", 1), "facing", 1, 60, "a gauntlet is of 1 to 60 Martians"
    )
    if objective in (None, "survive") and number <= LONGEST:
        return game.fights(LONGEST), given
    return game.fights(number), given


def game_for(game: Hunt, objective: str) -> tuple[Hunt | Gauntlet, str]:
    """Return the game that an objective is about, and the objective there.

    Parameters
    ----------
    game
        The hunt.
    objective
        ``survive:N`` or ``kills:N`` is about N fights in a row; all others about the hunt.

    Raises
    ------
    NotationError
        If N is no number of fights.
    """
    name, colon, number = objective.partition(":")
    if name not in ("survive", "kills") or (name == "kills" and not colon):
        return game, objective
    if not number.isdecimal() or not 1 <= int(number) <= 60:
        raise NotationError(
            f"{name} takes a number of Martians from 1 to 60",
            text=objective,
            at=len(name) + bool(colon),
            remedy=f"{name}:5",
            field="objective",
        )
    return game.fights(int(number)), name


def read_standing(
    game: Hunt, martians: Any, lives: Any, bullets: Any, *, unarmed: bool
) -> Standing:
    """Return a standing: Martians, life and bullet tokens, and whether weapons are held.

    Raises
    ------
    NotationError, PositionError
        If a text cannot be read, tokens are out of range, or the goal is reached.
    """
    number = fights.read_number(martians, "martians", 0, 10_000, "Martians are counted from 0")
    if number >= game.goal:
        raise PositionError(
            f"--martians {number}: the goal of {game.goal} is reached, the match is over",
            rule="Object of the Game: the first to collect that many Martians wins",
            remedy=f"--martians 0 to {game.goal - 1}, or --set goal=N",
            field="martians",
        )
    tokens = fights.read_tokens(game.last_life, lives, bullets)
    return (number, *tokens, int(bool(game.weapon.held) and not unarmed))


def read_opponent(game: Hunt, told: Any) -> Standing:
    """Return the standing of the other seat.

    Parameters
    ----------
    game
        The rules.
    told
        Martians, lives and bullets: ``"20,3,1"`` or three numbers; ``unarmed`` may follow.

    Raises
    ------
    NotationError, PositionError
        If it cannot be read, or the match is over.
    """
    text = told if isinstance(told, str) else ",".join(str(part) for part in told)
    parts = [part.strip() for part in text.split(",")]
    unarmed = parts[3:] == ["unarmed"]
    if len(parts) != 3 and not unarmed:
        raise NotationError(
            "--opponent takes Martians, lives and bullets",
            text=text,
            at=0,
            remedy="--opponent 20,3,1; 20,3,1,unarmed if his weapons were lost",
            field="opponent",
        )
    try:
        return read_standing(game, *parts[:3], unarmed=unarmed)
    except (NotationError, PositionError) as error:
        at = {"martians": 0, "lives": 1, "bullets": 2}[error.field or "martians"]
        raise NotationError(
            f"--opponent: {error.what}",
            text=text,
            at=sum(len(part) + 1 for part in text.split(",")[:at]),
            rule=error.rule,
            remedy="--opponent 20,3,1: Martians, lives and bullets",
            field="opponent",
        ) from None


def read_hunt(
    game: Hunt,
    martians: Any = None,
    lives: Any = None,
    bullets: Any = None,
    moves: Any = None,
    rolled: Any = None,
    using: str | None = None,
    unarmed: bool = False,
) -> Position:
    """Return the position in a hunt.

    Parameters
    ----------
    game
        The rules.
    martians, lives, bullets
        The standing; by default that of the game's start.
    moves
        Moves left; None before the movement roll.
    rolled
        What the combat die showed; None between fights.
    using
        The weapon in use.
    unarmed
        Whether the weapons were lost in a death.

    Raises
    ------
    NotationError, PositionError
        If a text cannot be read or the rules do not allow the position.
    """
    start = game.start()
    if martians is None and lives is None and bullets is None:
        martians, lives, bullets = start[1:4]
    standing = read_standing(game, martians, lives, bullets, unarmed=unarmed)
    shown = dict(zip(("martians", "lives", "bullets"), map(str, standing), strict=False))
    if game.weapon.held:
        shown["weapon"] = str(game.weapon) if standing[3] else "none"
    if moves is None:
        if rolled is not None:
            raise PositionError(
                "--moves is needed: how many moves are left after this fight's",
                rule=_MOVES,
                remedy="--moves 0 if this was the last",
                field="moves",
            )
        state = game.turn(standing)
        note = "there is no choice: the turn begins with the movement roll"
        if state[0] == "turn":
            note = "there is no choice: the turn begins with the income and the movement roll"
        return Position(shown, state, {"roll": state}, note)
    most = 6 + MOST_TOKENS - (rolled is not None)
    left = fights.read_number(moves, "moves", 0, most, _MOVES)
    shown["moves"] = str(left)
    if rolled is None:
        fights.no_using(using)
        return _between(game, shown, standing, left, None)
    bonus, rerolls = fights.read_using(game.weapon, using)
    if (bonus or rerolls) and not standing[3]:
        raise PositionError("the weapons were lost in a death", rule="Combat Rules: player death",
                            remedy="leave --using or --unarmed out", field="using")  # fmt: skip
    short = fights.read_roll(rolled, bonus)
    shown["rolled"] = str(rolled).strip()
    if bonus or rerolls:
        shown["using"] = str(using).strip()
    if not short:
        won = standing[0] + 1, *standing[1:]
        return _between(game, shown, won, left, f"this roll wins: {won[0]} Martians")
    state = ("short", *standing, left, bonus, rerolls, short)
    death: str | None = None
    if standing[1] == least_lives(game.last_life):
        left_then = game.death(standing[0])[0]
        death = (
            f"to forfeit is to die: {left_then} Martians are left, the movement is lost, and the"
            " next turn begins with 3 life and 3 bullet tokens"
        )
    return Position(shown, state, game.mend(standing, left, bonus, rerolls, short), death)


def _between(
    game: Hunt, shown: dict[str, str], standing: Standing, moves: int, note: str | None
) -> Position:
    state = game.ready(*standing, moves)
    expansion: Any = game.expand(state)
    if state[0] == "ready":
        return Position(shown, state, dict(expansion.options), note)
    ending = expansion.outcome[-1]
    over = "the goal is reached" if ending == "goal" else "no moves are left: the turn is over"
    return Position(shown, state, {"stop": state}, f"{note}; {over}" if note else over)
