"""``should-i-roll play GAME``: a match at the keyboard, which leaves a record."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.files import write_whole
from solver.apps.cli.options import Bar, read_settings, set_option, tables_option
from solver.errors import ShouldIRollError, UsageError
from solver.games.registry import game as game_by_name

if TYPE_CHECKING:
    from solver.advisor import Advice, Advisor
    from solver.advisor.review.play import Play

_KEYS = "number or word of an option; ? for a hint, q to stop"
OPTIMAL = "optimal"


@click.command()
@click.argument("game")
@click.option(
    "--seats",
    default="You, Bot=optimal",
    metavar="NAMES",
    help="Names in playing order; NAME=POLICY is a bot that plays a named policy.",
)
@click.option("--record", metavar="FILE", help="Write the record of the match to a new file.")
@click.option("--own-dice", is_flag=True, help="Roll real dice and type what they show.")
@click.option("--hints", is_flag=True, help="Show the advice before every decision.")
@click.option("--seed", type=int, metavar="N", help="Make the dice repeatable.")
@tables_option("Directory of tables; else those within reach.")
@set_option()
def play(
    game: str,
    seats: str,
    record: str | None,
    own_dice: bool,
    hints: bool,
    seed: int | None,
    directory: str | None,
    settings: tuple[str, ...],
) -> None:
    """Play a match of GAME at the keyboard, against others or bots.

    At every decision type the number or the word of an option, `?` for a hint, `q` to stop.
    The record is what `should-i-roll review` reads.

    \b
    Example:
      should-i-roll play martian-dice --record game.txt
      should-i-roll play alien-crew --seats "Ann, Bob" --own-dice --record game.txt
      should-i-roll play martian-dice --seats "You, Cautious=points, Bold=greedy"
    """
    from solver.advisor import Advisor  # noqa: PLC0415  --help needs no numbers
    from solver.advisor.review.play import Play  # noqa: PLC0415
    from solver.tablebase import open_tables  # noqa: PLC0415

    rules = game_by_name(game, **read_settings(settings))
    if record is not None and Path(record).exists():
        raise UsageError(
            f"{record} is there already: a record is not written over",
            remedy="the name of a new file",
            field="record",
        )
    names, bots = _seats(rules, seats)
    with open_tables(directory) as tables:
        session = _Session(
            Play(rules, names),
            bots,
            Advisor(tables),
            random.Random(seed),  # noqa: S311  dice of a game
            record,
            own_dice=own_dice,
            hints=hints,
        )
        session.keep()
        session.run()


def _seats(rules: Any, text: str) -> tuple[list[str], dict[int, Any]]:
    names: list[str] = []
    bots: dict[int, Any] = {}
    for i, part in enumerate(text.split(",")):
        name, equals, policy = (piece.strip() for piece in part.partition("="))
        names.append(name)
        if equals and policy == OPTIMAL:
            bots[i] = OPTIMAL
        elif equals:
            from solver.policies import named_policy  # noqa: PLC0415  only for other bots

            bots[i] = named_policy(rules, policy)
    return names, bots


class _Stopped(Exception):  # noqa: N818  no error: somebody wants to stop
    """The player has left."""


@dataclass
class _Session:
    """A match at one keyboard."""

    play: Play
    bots: Mapping[int, Any]
    advisor: Advisor
    dice: random.Random
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
            count = self.play.turn.dice
            what = "1 die" if count == 1 else f"{count} dice"
            self._asked(f"  {what} show: ", self.play.roll)
        else:
            click.echo(f"  {self.play.throw(self.dice)}")

    def _decide(self) -> None:
        options = list(self.play.options)
        bot = self.bots.get(self.play.course.seat)
        if bot is not None:
            action = self._bot(bot)
            click.echo(f"    {action}")
            self.play.act(action)
            return
        if self.hints:
            self._hint()
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
                self._hint()
                continue
            try:
                use(word)
            except ShouldIRollError as error:
                click.echo(f"  {error}".replace("\n", "\n  "))
                continue
            return

    def _advice(self) -> Advice:
        course = self.play.course
        several = len(self.play.seats) > 1 and course.match is not None
        where: dict[str, Any] = dict(self.play.turn.told())
        if several:
            where |= {"scores": tuple(course.scores), "seat": course.seat + 1}
        rounds = hasattr(self.play.game, "rounds_match")
        if several and rounds:
            where |= {"round": course.round, "stages": tuple(course.stages)}
        with Bar("solving the match") as bar:
            return self.advisor(self.play.game, progress=bar, **where)

    def _hint(self) -> None:
        from solver.apps.cli.show import print_advice  # noqa: PLC0415  numbers

        try:
            print_advice(self._advice())
        except ShouldIRollError as error:
            click.echo(f"  no hint: {error}")

    def _bot(self, bot: Any) -> str:
        if bot == OPTIMAL:
            advice = self._advice()
            mixed = {o.action: o.mix for o in advice.options if o.mix is not None}
            if mixed:
                return self.dice.choices(list(mixed), [m or 0.0 for m in mixed.values()])[0]
            return advice.best.action
        rules, state = self.play.game, self.play.turn.state
        legal: Mapping[Any, Any] = rules.expand(state).options  # type: ignore[union-attr]
        decided = bot.choose(state, tuple(legal), self._standing())
        if isinstance(decided, Mapping):
            chances = [float(Fraction(chance)) for chance in decided.values()]
            decided = self.dice.choices(list(decided), chances)[0]
        to = legal[decided]
        return next(word for word, after in self.play.options.items() if after == to)

    def _standing(self) -> Any:
        """Return what a bot sees of the match."""
        from solver.policies.words.standing import FAR, Standing  # noqa: PLC0415  only for bots

        course = self.play.course
        if course.match is None:
            return Standing()
        own = course.scores[course.seat]
        best = max((s for i, s in enumerate(course.scores) if i != course.seat), default=0)
        target = getattr(course.match, "target", None) or FAR
        rounds = getattr(course.match, "rounds", None)
        left = FAR if rounds is None else rounds - course.round
        last = max(course.scores) >= target or left == 0
        needed = best + 1 - own if last else target - own
        return Standing(max(needed, 1), own - best, int(last), left)

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
            again = _Session(
                more, bots, self.advisor, self.dice, None, own_dice=self.own_dice, hints=self.hints
            )
            again._play_on()
            self.play.name_winner(tied[more.winners[0]])
        elif self.own_dice:
            self._asked("  who won the duel? ", lambda word: self._named(word, names, tied))
        else:
            winner = self.dice.choice(tied)
            click.echo(f"The duel, in which each has the same chance: {self.play.seats[winner]}.")
            self.play.name_winner(winner)
        self.keep()

    def _named(self, word: str, names: list[str], tied: tuple[int, ...]) -> None:
        lower = [name.lower() for name in names]
        if word.lower() not in lower:
            raise UsageError(f"{word!r} is not tied", remedy=" or ".join(names))
        self.play.name_winner(tied[lower.index(word.lower())])
