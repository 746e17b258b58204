"""``should-i-roll play GAME``: a match at the keyboard, which leaves a record."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.files import write_whole
from solver.apps.cli.options import (
    Bar,
    game_argument,
    json_option,
    read_settings,
    set_option,
    tables_option,
)
from solver.apps.cli.play_bots import Adviser, read_seats
from solver.errors import ShouldIRollError, UsageError
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.advisor.review.play import Play

_KEYS = "number or word of an option; ? for a hint, q to stop"


@click.command()
@game_argument()
@click.option(
    "--seats",
    metavar="NAMES",
    help="Names in playing order; NAME=POLICY is a bot that plays a named policy. By default"
    " You and a bot.",
)
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@click.option("--own-dice", is_flag=True, help="Roll real dice and type what they show.")
@click.option("--hints", is_flag=True, help="Show the advice before every decision.")
@click.option("--seed", type=int, metavar="N", help="Make the dice repeatable.")
@click.option("--hunt", is_flag=True, help="Martians!!!: hunts in the open field, without a map.")
@click.option("--position", metavar="FILE", help="Martians!!!: begin at the position of a file.")
@click.option("--carry-on", metavar="FILE", help="Martians!!!: play the game of a record on.")
@click.option("--tiles", metavar="FILE", help="Martians!!!: play with the tiles of a file.")
@click.option("--cards", metavar="FILE", help="Martians!!!: play with the cards of a file.")
@tables_option("Directory of tables; else those within reach.")
@set_option()
@json_option()
def play(
    game: str,
    seats: str | None,
    record: str | None,
    own_dice: bool,
    hints: bool,
    seed: int | None,
    hunt: bool,
    position: str | None,
    carry_on: str | None,
    tiles: str | None,
    cards: str | None,
    directory: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play a match of GAME at the keyboard, against others or bots.

    At every decision type the number or the word of an option, `?` for a hint, `q` to stop.
    The record is what `should-i-roll review` reads. With --json the game is shown on the error
    output, and the record with its review printed as JSON at the end.

    Of Martians!!! the complete game is played, with map, cards and the bots planner, greedy and
    random; its record can be carried on. With --hunt only hunts, which can be reviewed.

    \b
    Example:
      should-i-roll play martian-dice --record game.txt
      should-i-roll play alien-crew --seats "Ann, Bob" --own-dice --record game.txt
      should-i-roll play martian-dice --seats "You, Cautious=points, Bold=greedy"
      should-i-roll play martians --seats "Ann, Bob, Greedy=greedy" --record game.jsonl
      should-i-roll play martians --hunt --set goal=10 --record hunt.txt
    """
    board = _Board(position, carry_on, tiles, cards)
    if game == "martians" and not hunt:
        _play_board(board, seats, record, seed, settings, own_dice=own_dice, as_json=as_json)
        return
    _refuse_board(game, board, hunt=hunt)
    seats = seats or "You, Bot=optimal"
    from solver.advisor import Advisor  # noqa: PLC0415  --help needs no numbers
    from solver.advisor.review import ReviewSource, review_record  # noqa: PLC0415
    from solver.advisor.review.play import Play  # noqa: PLC0415
    from solver.tablebase import open_tables  # noqa: PLC0415

    rules = game_by_name(game, **read_settings(settings))
    if record is not None and Path(record).exists():
        raise UsageError(
            f"{record} is there already: a record is not written over",
            remedy="the name of a new file",
            field="record",
        )
    names, bots = read_seats(rules, seats)
    with open_tables(directory) as tables:
        match, source = Play(rules, names), ReviewSource(tables)
        dice = random.Random(seed)  # noqa: S311  dice of a game
        adviser = Adviser(match, Advisor(tables), source, dice)
        session = _Session(match, bots, adviser, record, own_dice=own_dice, hints=hints)
        session.keep()
        with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
            session.run()
        if as_json:
            from solver.apps.cli.show import print_json  # noqa: PLC0415  numbers

            with Bar("solving the match") as bar:
                reviewed = review_record(match.record(), source=source, progress=bar)
            print_json({"record": match.record(), "review": reviewed.as_dict()})


@dataclass(frozen=True, slots=True)
class _Board:
    """What is told of the complete game of Martians!!!: files."""

    position: str | None
    carry_on: str | None
    tiles: str | None
    cards: str | None


def _play_board(
    board: _Board,
    seats: str | None,
    record: str | None,
    seed: int | None,
    settings: tuple[str, ...],
    *,
    own_dice: bool,
    as_json: bool,
) -> None:
    """Play the complete game of Martians!!!."""
    if as_json:
        raise UsageError(
            "the complete game is not told as JSON",
            remedy="--record FILE: its record is JSON, a line for each decision and chance",
            field="json",
        )
    from solver.apps.cli.board.play import play_board  # noqa: PLC0415  --help needs no numbers
    from solver.apps.players.planner import PLAYERS  # noqa: PLC0415

    play_board(
        seats or "You, Bot=greedy",
        record=record,
        seed=seed,
        own_dice=own_dice,
        settings=read_settings(settings),
        tiles=board.tiles,
        cards=board.cards,
        position=board.position,
        carry_on=board.carry_on,
        bots=PLAYERS,
    )


def _refuse_board(game: str, board: _Board, *, hunt: bool) -> None:
    """Refuse words of the complete game of Martians!!! where it is not played."""
    for name, told in (
        ("position", board.position),
        ("carry-on", board.carry_on),
        ("tiles", board.tiles),
        ("cards", board.cards),
        ("hunt", game != "martians" and hunt),
    ):
        if told:
            raise UsageError(
                f"--{name} is for Martians!!!{', with its map' if name != 'hunt' else ''}",
                remedy="leave it out, or should-i-roll play martians",
                field=name,
            )


class _Stopped(Exception):  # noqa: N818  no error: somebody wants to stop
    """The player has left."""


@dataclass
class _Session:
    """A match at one keyboard."""

    play: Play
    bots: Mapping[int, Any]
    adviser: Adviser
    file: str | None
    own_dice: bool
    hints: bool

    def run(self) -> None:
        """Play until the match is over or somebody stops."""
        try:
            self._play_on()
        except _Stopped:
            click.echo("stopped" + (f"; the record so far is in {self.file}" if self.file else ""))
            return
        winners = " and ".join(self.play.seats[i] for i in self.play.winners)
        wins = "wins" if len(self.play.winners) == 1 else "share the win"
        click.echo(f"\n{winners} {wins}: {self._scores()}")
        if self.file is not None:
            click.echo(f"review it: should-i-roll review {self.file}")

    def keep(self) -> None:
        """Write the record as it stands."""
        if self.file is not None:
            write_whole(self.file, self.play.record().encode())

    def _scores(self) -> str:
        pairs = zip(self.play.seats, self.play.course.scores, strict=True)
        return ", ".join(f"{name} {score}" for name, score in pairs)

    def _play_on(self) -> None:
        turn = None
        while (waits := self.play.waits_for) != "nothing":
            course = self.play.course
            if waits != "winner" and turn != (course.round, course.seat):
                turn = course.round, course.seat
                click.echo(f"\nRound {course.round}, {self.play.seats[course.seat]}:"
                           f" {self._scores()}")  # fmt: skip
            if waits == "winner":
                self._part()
            elif waits == "roll":
                self._roll()
            else:
                self._decide()
            after = self.play.course
            if after.over or (after.round, after.seat) != turn:
                if waits != "winner":
                    click.echo(f"  = {self.play.last_turn}")
                self.keep()

    def _roll(self) -> None:
        if self.own_dice:
            self._asked(f"  {self.play.turn.asks}: ", self.play.roll)
        else:
            click.echo(f"  {self.play.throw(self.adviser.dice)}")

    def _decide(self) -> None:
        options = list(self.play.options)
        bot = self.bots.get(self.play.course.seat)
        if bot is not None:
            action = self.adviser.action(bot)
            click.echo(f"    {action}")
            self.play.act(action)
            return
        if self.hints:
            self.adviser.hint()
        for i, option in enumerate(options, 1):
            click.echo(f"    {i} {option}")
        self._asked(f"  {_KEYS}: ", lambda word: self.play.act(self.play.read_action(word)))

    def _asked(self, prompt: str, use: Any) -> None:
        """Ask until the answer can be used."""
        while True:
            click.echo(prompt, nl=False)
            line = sys.stdin.readline()
            if not sys.stdin.isatty():
                click.echo()
            word = line.strip()
            if not line or word.lower() in ("q", "quit"):
                self.keep()
                raise _Stopped
            if word in ("?", "hint"):
                self.adviser.hint()
                continue
            try:
                use(word)
            except ShouldIRollError as error:
                click.echo(f"  {error}".replace("\n", "\n  "))
                continue
            return

    def _part(self) -> None:
        """Part the tied leaders."""
        from solver.games.protocol import RoundsMatch  # noqa: PLC0415

        tied = self.play.course.leaders
        names = [self.play.seats[i] for i in tied]
        click.echo(f"\n{' and '.join(names)} are tied.")
        if isinstance(self.play.course.match, RoundsMatch):
            more = self.play.death_round()
            bots = {i: self.bots[seat] for i, seat in enumerate(tied) if seat in self.bots}
            click.echo("The death round:")
            adviser = replace(self.adviser, play=more)
            again = _Session(more, bots, adviser, None, own_dice=self.own_dice, hints=self.hints)
            again._play_on()
            self.play.name_winner(tied[more.winners[0]])
        elif self.own_dice:
            self._asked("  who won the duel? ", lambda word: self._named(word, names, tied))
        else:
            winner = self.adviser.dice.choice(tied)
            click.echo(f"The duel, in which each has the same chance: {self.play.seats[winner]}.")
            self.play.name_winner(winner)
        self.keep()

    def _named(self, word: str, names: list[str], tied: tuple[int, ...]) -> None:
        lower = [name.lower() for name in names]
        if word.lower() not in lower:
            raise UsageError(f"{word!r} is not tied", remedy=" or ".join(names))
        self.play.name_winner(tied[lower.index(word.lower())])
