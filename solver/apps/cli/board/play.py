"""A complete game of Martians!!! at the keyboard, which leaves a record."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from solver.apps.cli.board.words import ASKED, FELL, answer, read_answer, read_fallen
from solver.apps.cli.files import read_text, write_whole
from solver.errors import ShouldIRollError, UsageError
from solver.games.martians.board import read_position, read_tiles, start_position, synthetic_tiles
from solver.games.martians.board.drawing import draw_text
from solver.games.martians.cards import read_cards
from solver.games.readings import make
from solver.referee.martians_game import (
    Chance,
    Game,
    Live,
    Player,
    Question,
    Rules,
    View,
    makers,
    record_text,
    resume,
)
from solver.referee.martians_game.bots import Maker
from solver.referee.martians_game.course import Course

_KEYS = "answer or its number; map, hand, quit"
_NO_CARD = "; pass: no card in this turn"
_MOST_LISTED = 30


class Stopped(Exception):  # noqa: N818  no error: somebody wants to stop
    """The player has left."""


class Keyboard(Player):
    """A person who types.

    Parameters
    ----------
    prompt
        Returns the line that is typed after a prompt.
    """

    def __init__(self, prompt: Callable[[str], str]) -> None:
        self._prompt = prompt
        self._passed = 0

    def decide(self, question: Question, view: View, options: Sequence[Any]) -> Any:
        """Ask until the answer can be used."""
        table, fight = view.table, view.fight
        card = question is Question.CARD
        if card and self._passed == table.turn:
            return None
        text = ASKED[question].format(
            tile=table.drawn, moves=table.moves, short=fight.short if fight else 0
        )
        click.echo(f"  {view.me.name}: {text}")
        for number, option in enumerate(options[:_MOST_LISTED], 1):
            if question is Question.TARGET:
                click.echo(f"    {option} {table.seats[option - 1].name}")
            else:
                click.echo(f"    {number} {answer(question, option)}")
        if len(options) > _MOST_LISTED:
            click.echo(f"    ... {len(options)} in all")
        while True:
            word = self._prompt(f"  {_KEYS}{_NO_CARD if card else ''}: ")
            if card and word.lower() == "pass":
                self._passed = table.turn
                return None
            if word.lower() in ("map", "m", "?"):
                click.echo(draw_text(view.position))
            elif word.lower() in ("hand", "h"):
                click.echo(f"  {', '.join(view.hand) or 'no cards'}")
            else:
                try:
                    return read_answer(question, options, word)
                except ShouldIRollError as error:
                    click.echo(f"  {error}".replace("\n", "\n  "))


class Session(Live):
    """Players at one keyboard and bots; everything that happens is printed.

    Parameters
    ----------
    players, rng
        As for :class:`Live`.
    names
        The players' names.
    prompt
        Returns what is typed; None where the computer rolls and draws.
    """

    def __init__(
        self,
        players: Sequence[Player],
        rng: np.random.Generator,
        names: Sequence[str],
        prompt: Callable[[str], str] | None,
    ) -> None:
        super().__init__(players, rng)
        self._names = tuple(names)
        self._typed = prompt
        self.course: Course | None = None

    def join(self, course: Course) -> None:
        """Take the players' places at a table."""
        super().join(course)
        self.course = course

    def begin(self, turn: int, seat: int) -> None:
        """Print the map when the turn of a person begins."""
        click.echo(f"\nTurn {turn}: {self._names[seat - 1]}")
        if self.views and isinstance(self.players[seat - 1], Keyboard):
            click.echo(draw_text(self.views[seat - 1].position))

    def choose(self, question: Question, seat: int, options: Sequence[Any], moment: str) -> Any:
        """Return what a player answers, and print what a bot does."""
        chosen = super().choose(question, seat, options, moment)
        bot = not isinstance(self.players[seat - 1], Keyboard)
        if bot and not (question is Question.CARD and chosen is None):
            told = "a card" if question is Question.DISCARD else answer(question, chosen)
            click.echo(f"  {self._names[seat - 1]}, {question.value.replace('_', ' ')}: {told}")
        return chosen

    def fall(self, chance: Chance, pool: Sequence[Any]) -> Any:
        """Return what chance decides, rolled here or typed, and print it."""
        if self._typed is None:
            fallen = super().fall(chance, pool)
            if chance is not Chance.EVENT:
                click.echo(f"  {FELL[chance]}: {fallen}")
            return fallen
        while True:
            word = self._typed(f"  {FELL[chance]}: ")
            try:
                return read_fallen(pool, word)
            except ShouldIRollError as error:
                click.echo(f"  {error}".replace("\n", "\n  "))


def play_board(
    seats: str,
    *,
    record: str | None = None,
    seed: int | None = None,
    own_dice: bool = False,
    settings: Mapping[str, str] | None = None,
    tiles: str | None = None,
    cards: str | None = None,
    position: str | None = None,
    carry_on: str | None = None,
    bots: Mapping[str, Maker] | None = None,
) -> None:
    """Play a game at the keyboard until it is over or somebody stops.

    Parameters
    ----------
    seats
        Names with commas between them; NAME=BOT is a bot.
    record
        A new file for the record; written after every turn.
    seed
        Makes chance repeatable.
    own_dice
        Whether dice, tiles and cards are real, and what they show is typed.
    settings
        Rules and readings by name.
    tiles, cards, position
        Files of a tile set, of a card set, of the position in which the game begins.
    carry_on
        The file of a record that is played on; its seats, rules and sets are used.
    bots
        Bots that the referee does not have.

    Raises
    ------
    UsageError
        If a file is missing or there already, or a name is unknown.
    """
    if record is not None and Path(record).exists():
        raise UsageError(
            f"{record} is there already: a record is not written over",
            remedy="the name of a new file",
            field="record",
        )
    rng = np.random.default_rng(seed)
    names, players = _seats(seats, rng, bots)
    session = Session(players, rng, names, _typed if own_dice else None)
    if carry_on is not None:
        game = resume(read_text(carry_on), session)
    else:
        cardset = None if cards is None else read_cards(read_text(cards))
        if position is not None:
            where = read_position(read_text(position))
            rules = make(Rules, {"play": str(where.play), **(settings or {})})
        else:
            rules = make(Rules, settings or {})
            tileset = synthetic_tiles() if tiles is None else read_tiles(read_text(tiles))
            where = start_position(tileset, names, rules.play)
        game = Game(where, session, rules=rules, cards=cardset)
    try:
        while game.result is None:
            game.play_turn()
            _keep(game, record)
    except Stopped:
        _keep(game, record)
        click.echo("stopped" + (f"; the record so far is in {record}" if record else ""))
        return
    won = " and ".join(game.course.table.seats[seat - 1].name for seat in game.result.seats)
    click.echo(f"\n{f'{won} won' if won else 'Nobody has won'}: {game.result.ending}")


def _keep(game: Game, record: str | None) -> None:
    if record is not None:
        write_whole(record, record_text(game).encode())


def _seats(
    text: str, rng: np.random.Generator, bots: Mapping[str, Maker] | None
) -> tuple[list[str], list[Player]]:
    names: list[str] = []
    players: list[Player] = []
    for part in text.split(","):
        name, equals, policy = (piece.strip() for piece in part.partition("="))
        names.append(name)
        if equals:
            (maker,) = makers([policy], bots).values()
            players.append(maker(np.random.default_rng(rng.integers(2**63))))
        else:
            players.append(Keyboard(_typed))
    return names, players


def _typed(prompt: str) -> str:
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        click.echo()
    word = line.strip()
    if not line or word.lower() in ("q", "quit"):
        raise Stopped
    return word
