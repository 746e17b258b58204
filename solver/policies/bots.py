"""Bots after those of public projects, described in the rule sheet's words.

The three of Martian Dice are modelled on the players Random, Defensive and Aggressive of the
project erwinbonsma/MartianDice on GitHub. What they say is ours: of the defensive and the
aggressive one only a part of the source was at hand, and the rest was filled in so that the
project's published results come out (25 cells of 100,000 games each, all within 2.2 of their
standard errors). That they agree so well speaks for it; it does not prove that they decide
alike everywhere. They end a turn at once when all three species score, since nothing more can be
gained; the defensive one also when its turn reaches the target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from solver.games.protocol import Game
from solver.policies.policy import Policy
from solver.policies.text.rules import TextPolicy
from solver.policies.types_apart import TypesApart, UniformTypes

AGGRESSIVE = """
take the largest group of at most dice + spare  # enough dice left to outshoot the tanks
take death-rays
take the smallest group
stop if kinds = 3 and points > 0
roll
"""
DEFENSIVE = """
take death-rays while tanks > rays
take the largest group
take death-rays
stop if points > 0 and (kinds = 3 or points >= needed or spare < 2)
roll
"""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot after one of a public project.

    Parameters
    ----------
    name, plays
        Its name here, and the game it plays.
    help
        One line.
    make
        How its policy is made.
    """

    name: str
    plays: str
    help: str
    make: Callable[[Game], Policy]


def _random(game: Any) -> Policy:
    return UniformTypes("bot-random", TypesApart(game))


BOTS: Mapping[str, Bot] = {
    bot.name: bot
    for bot in (
        Bot(
            "bot-random",
            "martian-dice",
            "any type, each as likely; stops a turn that scores half of the time",
            _random,
        ),
        Bot(
            "bot-defensive",
            "martian-dice",
            "death rays while tanks lead, else the largest group; stops without two rays to spare",
            lambda game: TextPolicy.read(game, DEFENSIVE, name="bot-defensive"),
        ),
        Bot(
            "bot-aggressive",
            "martian-dice",
            "the largest group that leaves enough dice to outshoot the tanks; rolls on",
            lambda game: TextPolicy.read(game, AGGRESSIVE, name="bot-aggressive"),
        ),
    )
}
"""Name -> bot."""
