"""Who plays at the keyboard besides people: bots, and the hints that people ask for."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from solver.apps.cli.options import Bar
from solver.errors import ShouldIRollError

if TYPE_CHECKING:
    from solver.advisor import Advice, Advisor
    from solver.advisor.review import ReviewSource
    from solver.advisor.review.play import Play

OPTIMAL = "optimal"


def read_seats(rules: Any, text: str) -> tuple[list[str], dict[int, Any]]:
    """Return the names of seats, and the bots among them: ``optimal`` or a policy."""
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


@dataclass
class Adviser:
    """What is best in a match that is being played, and what a bot does.

    Parameters
    ----------
    play
        The match.
    advisor
        Where advice comes from.
    source
        Where values of a race to a goal come from.
    dice
        Chance, for bots that mix.
    """

    play: Play
    advisor: Advisor
    source: ReviewSource
    dice: random.Random

    def advice(self) -> Advice:
        """Return the advice on the position."""
        course, game = self.play.course, self.play.game
        several = len(self.play.seats) > 1 and course.match is not None
        where: dict[str, Any] = dict(self.play.turn.told())
        if hasattr(game, "goal_race"):
            if len(self.play.seats) == 2:
                where["opponent"] = self._opponent()
        elif several:
            where |= {"scores": tuple(course.scores), "seat": course.seat + 1}
            if hasattr(game, "rounds_match"):
                where |= {"round": course.round, "stages": tuple(course.stages)}
        with Bar("solving the match") as bar:
            return self.advisor(game, progress=bar, **where)

    def hint(self) -> None:
        """Print what is best at the position."""
        from solver.apps.cli.show import print_advice  # noqa: PLC0415  numbers

        try:
            if self._in_words():
                print_advice(self.advice())
                return
            for action, value in sorted(self._values().items(), key=lambda pair: -pair[1]):
                click.echo(f"  {action:<20} {value:.6f}")
        except ShouldIRollError as error:
            click.echo(f"  no hint: {error}")

    def action(self, bot: Any) -> str:
        """Return what a bot does: ``optimal``, or a policy."""
        if bot == OPTIMAL:
            return self._best()
        rules, state = self.play.game, self.play.turn.state
        legal: Mapping[Any, Any] = rules.expand(state).options  # type: ignore[union-attr]
        decided = bot.choose(state, tuple(legal), self._standing())
        if isinstance(decided, Mapping):
            chances = [float(Fraction(chance)) for chance in decided.values()]
            decided = self.dice.choices(list(decided), chances)[0]
        to = legal[decided]
        return next(word for word, after in self.play.options.items() if after == to)

    def _best(self) -> str:
        if hasattr(self.play.game, "goal_race"):
            values = self._values()
            return max(values, key=values.__getitem__)  # of equals the first
        advice = self.advice()
        mixed = {o.action: o.mix for o in advice.options if o.mix is not None}
        if mixed:
            return self.dice.choices(list(mixed), [m or 0.0 for m in mixed.values()])[0]
        return advice.best.action

    def _in_words(self) -> bool:
        """Return whether the position can be told in the fields of advice."""
        state: Any = self.play.turn.state
        return not hasattr(self.play.game, "goal_race") or bool(state[0] != "arm")

    def _values(self) -> dict[str, float]:
        """Return what each option is worth in a race to a goal: for the win, or in turns."""
        from solver.advisor.review.values import win_values  # noqa: PLC0415  numbers

        game, seats = self.play.game, len(self.play.seats)
        graph = self.source.graph(game)
        if seats == 2:
            with Bar("solving the match") as bar:
                won = self.source.win(game, graph, seats, bar)
            ((chances, _),) = win_values(graph, won, [self.play.position()])
            worth = chances[:, self.play.course.seat].tolist()
        else:
            worth = self.source.alone(game, graph).worth
        return {action: worth[graph.node(to)] for action, to in self.play.options.items()}

    def _opponent(self) -> str:
        """Return the other seat's standing as advice is told it."""
        course = self.play.course
        martians, lives, bullets, armed = course.standings[1 - course.seat]
        told = f"{martians},{lives},{bullets}"
        held = getattr(self.play.game, "weapon", None)
        return f"{told},unarmed" if held and held.held and not armed else told

    def _standing(self) -> Any:
        """Return what a bot sees of the match."""
        from solver.policies.words.standing import FAR, Standing  # noqa: PLC0415  only for bots

        course = self.play.course
        if course.match is None:
            return Standing()
        if hasattr(self.play.game, "goal_race"):
            from solver.policies.arena.goal.turns.decide import goal_standing  # noqa: PLC0415

            others = [i for i in range(len(course.scores)) if i != course.seat] or [course.seat]
            leads = max(others, key=lambda i: course.scores[i])
            own, other = course.standings[course.seat], course.standings[leads]
            return goal_standing(self.play.game, own, other)
        own = course.scores[course.seat]
        best = max((s for i, s in enumerate(course.scores) if i != course.seat), default=0)
        target = getattr(course.match, "target", None) or FAR
        rounds = getattr(course.match, "rounds", None)
        left = FAR if rounds is None else rounds - course.round
        last = max(course.scores) >= target or left == 0
        needed = best + 1 - own if last else target - own
        return Standing(max(needed, 1), own - best, int(last), left)
