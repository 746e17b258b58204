"""Policies by name, by text, or from a Python file."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from solver.errors import NotationError, UsageError, unknown
from solver.games.protocol import Game
from solver.policies.bots import BOTS, Bot
from solver.policies.optimal import FewestTurnsPolicy, OptimalPolicy
from solver.policies.policy import FunctionPolicy, GreedyPolicy, Policy, RandomPolicy, SolvedPolicy
from solver.policies.text.rules import TextPolicy
from solver.policies.words.vocabulary import refuse_game
from solver.turn.cache import cached_turn

NAMED: Mapping[str, tuple[Callable[[Game], Policy], str]] = {
    "optimal": (OptimalPolicy, "best play for the win, against opponents who play their best"),
    "points": (lambda game: SolvedPolicy("points", game, cached_turn(game)), "most points a turn"),
    "capped": (
        lambda game: SolvedPolicy("capped", game, cached_turn(game), capped=True),
        "the most of min(points, points still needed)",
    ),
    "turns": (FewestTurnsPolicy, "the fewest expected turns to the goal, alone"),
    "greedy": (GreedyPolicy, "looks one roll ahead and no further"),
    "random": (RandomPolicy, "every legal action, each as likely"),
}
"""Name -> how it is made, and one line of help; bots of single games are in :data:`BOTS`."""

BEST = "best"
"""The name that stands for a best response to the other seats; it is no policy of its own."""

_ONLY = {
    "turns": "it is for races to a goal, whose standings fall as well as rise",
    "capped": "it is for turns that add points to a score; a race to a goal counts what is held",
}
"""Name of a policy that is not for every game -> why."""
_FILE = re.compile(r"(?P<path>.+\.py):(?P<function>[^:]+)", re.DOTALL)
_NAME = re.compile(r"[A-Za-z]+(-[A-Za-z0-9]+)*")


def policy_names(game: Game) -> dict[str, str]:
    """Return the names of policies for `game`, each with one line of help."""
    found = {name: help_text for name, (_, help_text) in NAMED.items() if _plays(name, game)}
    return found | {bot.name: bot.help for bot in BOTS.values() if bot.plays == game.name}


def _plays(name: str, game: Game) -> bool:
    """Return whether a named policy plays a game."""
    return name not in _ONLY or (name == "turns") == hasattr(game, "goal_race")


def named_policy(game: Game, name: str) -> Policy:
    """Return a policy by name.

    Parameters
    ----------
    game
        The game it is for.
    name
        One of :func:`policy_names`.

    Raises
    ------
    UnknownNameError
        If there is none, with the nearest name suggested.
    UsageError
        If it is for another game.

    Examples
    --------
    >>> from solver.games import game
    >>> named_policy(game("pig"), "points").choose(("total", 20), ("stop", "roll"))
    'stop'
    """
    if name in NAMED:
        if not _plays(name, game):
            raise UsageError(
                f"the policy {name} is not for {game.name}",
                rule=_ONLY[name],
                remedy=f"one of {', '.join(policy_names(game))}",
                field="policy",
            )
        return NAMED[name][0](game)
    if name in BOTS:
        bot: Bot = BOTS[name]
        if bot.plays != game.name:
            raise refuse_game(name, bot.plays, game)
        return bot.make(game)
    raise unknown("policy name", name, policy_names(game), field="policy")


def read_policy(game: Game, text: str) -> Policy:
    """Return the policy that a text stands for.

    Parameters
    ----------
    game
        The game it is for.
    text
        A name, ``my_policy.py:choose`` (a function in a Python file), or a rule text.

    Raises
    ------
    UnknownNameError, NotationError, UsageError
        If it is none of these, the file or its function cannot be used, or the policy is for
        another game.
    """
    shown = text.strip()
    if not shown:
        raise NotationError(
            "there is no policy", text=text, at=0, remedy=_ways(game), field="policy"
        )
    if shown in NAMED or shown in BOTS:
        return named_policy(game, shown)
    found = _FILE.fullmatch(shown)
    if found is not None:
        return FunctionPolicy(game, _load(found["path"], found["function"].strip()), shown)
    try:
        return TextPolicy.read(game, text)
    except NotationError:
        if _NAME.fullmatch(shown):  # one word, and no rule: a name that was meant
            raise unknown("policy name", shown, policy_names(game), field="policy") from None
        raise


def _ways(game: Game) -> str:
    return f"a name ({', '.join(policy_names(game))}), my_policy.py:choose, or rules"


def _load(path: str, function: str) -> Callable[[Any], Any]:
    """Return a function of a Python file.

    Raises
    ------
    UsageError
        If the file is not there, cannot be run, or has no such function.
    """
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"there is no file {path}", field="policy")
    spec = importlib.util.spec_from_file_location(f"policy_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} cannot be loaded as Python", field="policy")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses in the file look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise UsageError(
            f"{path} cannot be run{where}: {type(error).__name__}: {error}", field="policy"
        ) from error
    wanted = getattr(module, function, None)
    if wanted is None:
        known = [n for n, v in vars(module).items() if callable(v) and not n.startswith("_")]
        raise unknown(f"function of {path}", function, known, field="policy")
    if not callable(wanted):
        raise UsageError(f"{function} in {path} is no function", field="policy")
    return wanted  # type: ignore[no-any-return]
