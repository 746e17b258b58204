"""A whole game of Martians!!!, noncooperative or cooperative, for 1 to 6 players.

Source: the rulebook, Object of the Game; Game Setup; Turn Sequence Overview.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.errors import GameError, PositionError, UsageError
from solver.games.martians.board import Position, TileSet, check_position, start_position
from solver.games.martians.board import synthetic_tiles as shipped_tiles
from solver.games.martians.cards import CardSet, Moment, synthetic_cards
from solver.referee.martians_game.course import Course, GameOver
from solver.referee.martians_game.player import Player, View
from solver.referee.martians_game.positions import position_of, table_of
from solver.referee.martians_game.questions import RULES, Chance, Question, Source, shown
from solver.referee.martians_game.rules import Ending, Result, Rules
from solver.referee.martians_game.steps.dying import renew
from solver.referee.martians_game.steps.hands import discard, draw_up, fade, keep_three, window
from solver.referee.martians_game.steps.invaders import arrive, invade
from solver.referee.martians_game.steps.moving import enter_again, fight_here, move, roll_movement
from solver.referee.martians_game.steps.placing import place_tile

PAWNS = ("red", "blue", "green", "yellow", "white", "black")
"""What players are called who have no name."""
MAX_TURNS = 2000
_CUP = 64


class Live:
    """Players who decide and dice that roll.

    Parameters
    ----------
    players
        One for each seat.
    rng
        Where chance comes from. It is asked for many numbers at a time, so how far it has moved
        on does not tell how much chance there was.
    """

    def __init__(self, players: Sequence[Player], rng: np.random.Generator) -> None:
        self.players = tuple(players)
        self.views: tuple[View, ...] = ()
        self._rng = rng
        self._cup: list[float] = []

    def join(self, course: Course) -> None:
        """Take the players' places at a table.

        Raises
        ------
        UsageError
            If there are more or fewer players than seats.
        """
        if len(self.players) != len(course.table.seats):
            raise UsageError(
                f"{len(self.players)} players for {len(course.table.seats)} seats",
                remedy="one player for each seat",
                field="players",
            )
        self.views = tuple(View(course, seat + 1) for seat in range(len(self.players)))

    def begin(self, turn: int, seat: int) -> None:
        """Hear that a turn begins."""

    def choose(self, question: Question, seat: int, options: Sequence[Any], moment: str) -> Any:
        """Return what a player answers.

        Raises
        ------
        GameError
            If that is not legal.
        """
        del moment
        answer = getattr(self.players[seat - 1], question)(self.views[seat - 1], options)
        if answer not in options:
            raise GameError(
                f"asked for {question}, the player at seat {seat} said {answer!r}",
                rule=RULES[question],
                remedy=f"legal are {shown(options)}",
            )
        return answer

    def fall(self, chance: Chance, pool: Sequence[Any]) -> Any:
        """Return one of a pool, each entry as likely as any other."""
        del chance
        if not self._cup:
            self._cup = self._rng.random(_CUP).tolist()
        return pool[int(self._cup.pop() * len(pool))]


class Game:
    """A game in progress.

    Parameters
    ----------
    position
        Where it begins; :func:`new_game` begins at the beginning. Hands are dealt from the event
        deck, in which all cards are that are not in play. In step 5 a pawn on a Martian's square
        has just come there.
    source
        Players and dice (:class:`Live`), or a record.
    rules
        The rules; by default those of the sheet, of the position's game.
    cards
        The cards; by default the synthetic set.

    Raises
    ------
    PositionError, UsageError
        If there can be no such game.
    """

    def __init__(
        self,
        position: Position,
        source: Source,
        *,
        rules: Rules | None = None,
        cards: CardSet | None = None,
    ) -> None:
        check_position(position)
        self.start = position.canonical()
        rules = Rules(play=position.play) if rules is None else rules
        self.cards = synthetic_cards() if cards is None else cards
        self.course = Course(table_of(self.start, rules, self.cards), self.cards, source)
        self.result: Result | None = None
        self._check_open()
        self._deal(position)
        if isinstance(source, Live):
            source.join(self.course)

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.course.rules

    @property
    def position(self) -> Position:
        """The position on the board as it is now."""
        return position_of(self.course)

    def play(self, max_turns: int = MAX_TURNS) -> Result:
        """Play on until the game is over.

        Parameters
        ----------
        max_turns
            After so many turns of all players together nobody has won.
        """
        while self.result is None:
            if self.course.table.turn >= max_turns:
                return Result(Ending.LIMIT, (), self.course.table.turn)
            self.play_turn()
        return self.result

    def play_turn(self) -> None:
        """Play one turn, or what is left of it; `result` tells whether the game is over.

        Raises
        ------
        UsageError
            If it was over before.
        """
        if self.result is not None:
            raise UsageError("the game is over", remedy="begin another")
        try:
            self._turn()
        except GameOver as over:
            self.result = over.result
            self.course.log.append(("end", over.result.ending, over.result.seats, ""))

    def _check_open(self) -> None:
        course = self.course
        table = course.table
        try:
            if table.rules.together and not table.supply:
                course.end(Ending.INVADED)
            for who, seat in enumerate(table.seats):
                if not table.rules.together and seat.martians >= table.rules.goal:
                    course.end(Ending.COLLECTED, who)
            course.check_ship()
        except GameOver as over:
            raise PositionError(
                f"the game is over in this position: {over.result.ending}",
                rule="Object of the Game",
                remedy="a position before its end",
                field="position",
            ) from None

    def _deal(self, position: Position) -> None:
        course = self.course
        for seat in course.table.seats:
            for weapon in seat.weapons:
                if weapon in course.events.deck:
                    course.events.deck.remove(weapon)
        for who, player in enumerate(position.players):
            draw_up(course, who, player.hand)

    def _turn(self) -> None:
        course = self.course
        table = course.table
        course.begin()
        course.down, course.extra = False, 0
        if table.step == 1:
            seat = table.seats[table.on_turn]
            seat.played = False
            if seat.fallen:
                renew(course, table.on_turn)
                seat.fallen = False
            fade(course, whole_round=True)
            if table.drawn is None:
                window(course, Moment.START)
        elif table.step == 5:
            enter_again(course)
        for step in range(table.step, 9):
            table.step = step
            if not self._step(step):
                keep_three(course, table.on_turn)
                break
        fade(course, whole_round=False)
        table.moves = None
        table.step = 1
        table.on_turn = (table.on_turn + 1) % len(table.seats)

    def _step(self, step: int) -> bool:
        """Do one step of the Turn Sequence; return whether the turn goes on."""
        course = self.course
        table = course.table
        if step == 1:
            return place_tile(course)
        if step == 2:
            window(course, Moment.PLACED)
            if not course.down:
                fight_here(course)
        elif step == 3:
            draw_up(course, table.on_turn)
        elif step == 4:
            window(course, Moment.ROLL)
            table.moves = None if course.down else roll_movement(course)
        elif step == 5:
            move(course)
            table.moves = None
        elif step == 6:
            window(course, Moment.MARTIANS)
            invade(course)
        elif step == 7:
            arrive(course)
        else:
            window(course, Moment.END)
            discard(course, table.on_turn)
        return True


def new_game(
    players: Sequence[Player],
    rng: np.random.Generator,
    *,
    names: Sequence[str] | None = None,
    rules: Rules | None = None,
    tiles: TileSet | None = None,
    cards: CardSet | None = None,
) -> Game:
    """Return a game that begins.

    Parameters
    ----------
    players
        1 to 6 players, clockwise; the first begins.
    rng
        Where chance comes from.
    names
        Their names; by default the colours of the pawns.
    rules
        The rules; by default those of the sheet, noncooperative.
    tiles, cards
        By default the synthetic sets.

    Raises
    ------
    UsageError
        If there are not 1 to 6 players with names of their own.
    """
    rules = Rules() if rules is None else rules
    named = PAWNS[: len(players)] if names is None else names
    if len(named) != len(players):
        raise UsageError(
            f"{len(named)} names for {len(players)} players", remedy="1 to 6 players, a name each"
        )
    position = start_position(tiles or shipped_tiles(), named, rules.play)
    return Game(position, Live(players, rng), rules=rules, cards=cards)
