"""A Gymnasium environment of a turn, a small match against best play, or a race to a goal alone.

The extra ``gymnasium`` is needed. One step is one decision and all that is rolled after it.
Observations number the states in which the player decides, those in which a turn of its own
begins (with a roll: one action), and those at the end. Like Gymnasium's own table games an
environment has its transition table ``P[observation][action]``, a list of (probability,
observation, reward, terminated), and ``initial_state_distrib``: it can be solved as well as learnt.

Actions are numbers in canonical order. ``info["action_mask"]`` says which are legal; an action that
is not legal changes nothing and earns nothing, in ``step`` and in ``P``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UsageError
from solver.export.matches import alone_model, match_model
from solver.export.model import NOBODY, Choice, Model
from solver.export.turns import turn_model
from solver.games.registry import GAMES
from solver.games.registry import game as game_by_name

try:
    import gymnasium
except ImportError:  # the extra is not installed: see require
    gymnasium = None

_Env: Any = object if gymnasium is None else gymnasium.Env

Transition = tuple[float, int, float, bool]
"""(probability, observation, reward, terminated)."""
Ahead = dict[tuple[int, int], float]
"""(state that is observed, reward on the way) -> chance."""


class ModelEnv(_Env):  # type: ignore[misc]  # without the extra there is no such class
    """A decision process of one player as an environment.

    Parameters
    ----------
    model
        From :func:`.turn_model`, :func:`.match_model` with a seat, or :func:`.alone_model`, whose
        rewards are negative: each turn costs one.
    render_mode
        ``"ansi"`` for :meth:`render` as text, or None.

    Attributes
    ----------
    P
        Observation -> action -> transitions.
    initial_state_distrib
        float64, shape (observations,): the chance of each first observation; one is certain.
    action_masks
        int8, shape (observations, actions): one where an action is legal.

    Raises
    ------
    UsageError
        If gymnasium is not installed, or two seats decide.

    Examples
    --------
    >>> from solver.export import turn_model
    >>> from solver.games.pig import Pig
    >>> env = ModelEnv(turn_model(Pig(target=20)))  # doctest: +SKIP
    >>> observation, info = env.reset(seed=1)  # doctest: +SKIP
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  Gymnasium's own type

    def __init__(self, model: Model, render_mode: str | None = None) -> None:
        _require()
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode {render_mode!r}", remedy="ansi, or None")
        self.model, self.render_mode = model, render_mode
        seat = model.one_seat("an environment")
        sign = -1 if model.minimise else 1
        observed, ahead = _observed(model, seat)
        self._states = observed
        number = {state: i for i, state in enumerate(observed)}
        actions = max(len(model.choices[state]) for state in observed)
        self.observation_space = gymnasium.spaces.Discrete(len(observed))
        self.action_space = gymnasium.spaces.Discrete(actions)
        self.action_masks: NDArray[np.int8] = np.zeros((len(observed), actions), dtype=np.int8)
        self.P: dict[int, dict[int, list[Transition]]] = {}
        for i, state in enumerate(observed):
            over = ahead.ends[state]
            table: dict[int, list[Transition]] = {}
            for action in range(actions):
                table[action] = [(1.0, i, 0.0, over)]
                if not over and action < len(model.choices[state]):
                    self.action_masks[i, action] = 1
                    table[action] = [
                        (chance, number[to], float(sign * reward), ahead.ends[to])
                        for (to, reward), chance in ahead.after(
                            model.choices[state][action]
                        ).items()
                    ]
            self.P[i] = table
        self.initial_state_distrib = np.zeros(len(observed))
        self.initial_state_distrib[number[model.initial]] = 1.0
        self._now: int | None = None
        self._last: str | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Begin anew.

        Parameters
        ----------
        seed
            Of the dice; None to go on with those there are.
        options
            Not used.

        Returns
        -------
        observation : int
            The first state that the player sees.
        info : dict
            ``action_mask``.
        """
        super().reset(seed=seed, options=options)
        self._now = int(self.initial_state_distrib.argmax())
        self._last = None
        return self._now, self._info()

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Do what the player has decided, and roll until the next decision or the end.

        Parameters
        ----------
        action
            A number of the action space.

        Returns
        -------
        observation : int
            The state after it.
        reward : float
            What it has earned, in the model's unit.
        terminated, truncated : bool
            Whether it is over; never truncated.
        info : dict
            ``action_mask``, and ``illegal`` if the action was not legal.

        Raises
        ------
        UsageError
            If the environment was not reset.
        """
        if self._now is None:
            raise UsageError("the environment was not reset", remedy="env.reset(seed=1)")
        legal = bool(self.action_masks[self._now, action])
        transitions = self.P[self._now][int(action)]
        self._last = self.actions_of(self._now)[action] if legal else None
        which = _drawn(self.np_random, np.array([t[0] for t in transitions]))
        _, self._now, reward, over = transitions[which]
        info = self._info()
        if not legal:
            info["illegal"] = True
        return self._now, reward, over, False, info

    def render(self) -> str | None:
        """Return where the player is, as text, in render mode ``ansi``."""
        if self.render_mode != "ansi" or self._now is None:
            return None
        done = "" if self._last is None else f"{self._last}: "
        return f"{done}{self.state_of(self._now)!r}: {', '.join(self.actions_of(self._now))}\n"

    def state_of(self, observation: int) -> Any:
        """Return what an observation stands for: the rules' own state."""
        return self.model.labels[self._states[observation]]

    def actions_of(self, observation: int) -> tuple[str, ...]:
        """Return the names of the legal actions, by number; empty at the end."""
        if not self.action_masks[observation].any():
            return ()
        return tuple(choice.action for choice in self.model.choices[self._states[observation]])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks[self._now].copy()}


def make_environment(
    game: str,
    *,
    objective: str | None = None,
    seat: int | None = None,
    beginning: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
) -> ModelEnv:
    """Return the environment of a game by name.

    Parameters
    ----------
    game
        A game's name.
    objective
        Of a turn, as for :func:`.turn_model`; ``"win"`` for a match, ``"turns"`` for a race to a
        goal alone.
    seat
        The seat that learns, in a match; by default the first.
    beginning
        Of the turn.
    parameters
        Changes to the rules.
    render_mode
        As for :class:`ModelEnv`.
    """
    rules = game_by_name(game, **(parameters or {}))
    if objective == "win":
        model = match_model(rules, seat=1 if seat is None else seat)
    elif objective == "turns":
        model = alone_model(rules)
    else:
        model = turn_model(rules, objective, beginning=beginning)
    return ModelEnv(model, render_mode)


def register_environments() -> tuple[str, ...]:
    """Register an environment for each game with Gymnasium, and return their names.

    Afterwards ``gymnasium.make("should-i-roll/pig-v0", objective="points")`` makes it; what it
    takes is what :func:`make_environment` takes.

    Raises
    ------
    UsageError
        If gymnasium is not installed.
    """
    _require()
    names: list[str] = []
    for name in GAMES:
        names.append(f"should-i-roll/{name}-v0")
        if names[-1] not in gymnasium.registry:
            gymnasium.register(
                names[-1],
                entry_point="solver.export.gymnasium_env:make_environment",
                kwargs={"game": name},
            )
    return tuple(names)


def _require() -> None:
    if gymnasium is None:
        raise UsageError("this takes Gymnasium", remedy='pip install "should-i-roll[gymnasium]"')


class _Rolls:
    """What chance makes of a state that is not observed."""

    def __init__(self, model: Model, observed: set[int]) -> None:
        self.model, self.observed = model, observed
        self.ends = {state: _is_end(model, state) for state in observed}
        self.known: dict[int, Ahead] = {}

    def at(self, state: int) -> Ahead:
        """Return where a state leads before the player is asked again; itself if it is observed."""
        if state in self.observed:
            earned = self.model.choices[state][0].reward if self.ends[state] else 0
            return {(state, earned): 1.0}
        if state not in self.known:
            (choice,) = self.model.choices[state]
            self.known[state] = self.after(choice)
        return self.known[state]

    def after(self, choice: Choice) -> Ahead:
        """Return where a choice leads."""
        found: Ahead = {}
        for weight, to in choice.branches:
            for (state, reward), chance in self.at(to).items():
                key = state, reward + choice.reward
                found[key] = found.get(key, 0.0) + chance * (weight / choice.total)
        return found


def _observed(model: Model, seat: int) -> tuple[list[int], _Rolls]:
    begins = model.marks.get(f"turn_{seat}", frozenset()) | {model.initial}
    found = [
        state
        for state, decider in enumerate(model.deciders)
        if decider != NOBODY or state in begins or _is_end(model, state)
    ]
    return found, _Rolls(model, set(found))


def _is_end(model: Model, state: int) -> bool:
    """Return whether only the end of the process follows a state that begins no turn."""
    choices = model.choices[state]
    begins = (states for mark, states in model.marks.items() if mark.startswith("turn_"))
    if state == model.initial or any(state in states for states in begins):
        return False
    return len(choices) == 1 and choices[0].branches == ((1, model.done),)


def _drawn(rng: np.random.Generator, chances: NDArray[np.float64]) -> int:
    """Return one of several indices by their chances."""
    found = int(np.searchsorted(np.cumsum(chances), rng.random(), side="right"))
    return min(found, int(np.flatnonzero(chances)[-1]))
