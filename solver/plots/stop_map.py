"""Stop or roll, as a map: by dice left and by tanks against death rays; or by the crew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError
from solver.games.alien_crew import AlienCrew
from solver.games.martian_dice import MartianDice
from solver.games.martian_position import SPECIES
from solver.games.protocol import Game, State
from solver.plots.canvas import BETWEEN, FAINT, INK, ROLL, SOFT, STOP, new_axes, new_figure, write
from solver.turn.graph import TurnGraph
from solver.turn.kernel import TIE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LEADS = range(-1, 4)
Cell = tuple[int, int, int]
"""Dice left, rays less tanks, species taken."""


@dataclass(frozen=True, slots=True)
class StopCell:
    """What is best in all positions of one cell of the map.

    Parameters
    ----------
    stops
        By points of stopping there, ascending: whether stopping is best.
    """

    stops: Mapping[int, bool]

    @property
    def text(self) -> str:
        """``roll``, ``stop``, or the points at which to stop: ``7+``, ``3-5, 9+``."""
        if not any(self.stops.values()):
            return "roll"
        if all(self.stops.values()):
            return "stop"
        runs = [
            (flag, [points for points, _ in run])
            for flag, run in groupby(self.stops.items(), key=lambda pair: pair[1])
        ]
        last = max(self.stops)
        spans = []
        for flag, points in runs:
            if flag and points[-1] == last:
                spans.append(f"{points[0]}+")
            elif flag:
                one = len(points) == 1
                spans.append(str(points[0]) if one else f"{points[0]}-{points[-1]}")
        return ", ".join(spans)


def stop_cells(game: MartianDice, graph: TurnGraph, value: Sequence[float]) -> dict[Cell, StopCell]:
    """Return every cell of the map of Martian Dice.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    value
        By node: what best play is worth there, in points or chance to win.

    Raises
    ------
    UsageError
        If the three species of the die are not alike.
    """
    if len(game.classes) != 1:
        raise UsageError(
            "the map is for dice with three species alike", remedy="--set faces='T1 R2 H1 C1 K1'"
        )
    found: dict[Cell, dict[int, bool]] = {}
    for state in graph.node_of:
        kind, *rest = _tuple(state)
        if kind != "aside":
            continue
        tanks, rays, heads, kinds = rest
        left = game.dice - tanks - rays - heads
        if not left:
            continue
        points = game.score(tanks, rays, heads, kinds)
        stop = value[graph.node(("bank", points))]
        roll = value[graph.node(("roll", *rest))]
        best = stop >= roll - TIE and rays >= tanks  # behind, stopping never gains
        found.setdefault((left, rays - tanks, kinds), {})[points] = best
    return {cell: StopCell(dict(sorted(stops.items()))) for cell, stops in found.items()}


def draw_stop_map(game: Game, graph: TurnGraph, value: Sequence[float], goal: str) -> Figure:
    """Return the map of stopping and rolling.

    Parameters
    ----------
    game, graph
        The rules and their compiled turn.
    value
        By node: what best play is worth there.
    goal
        What it is worth, for the title: ``points``, or ``the win at 12 : 20``.

    Raises
    ------
    UsageError
        If there is no map for the game.
    """
    if isinstance(game, MartianDice):
        return _martian(game, stop_cells(game, graph, value), goal)
    if isinstance(game, AlienCrew) and game.crew_dice == 2:
        return _alien(game, graph, value, goal)
    raise UsageError(
        f"there is no stop-or-roll map for {game.name} with these rules",
        remedy="martian-dice, or alien-crew with five dice",
        field="game",
    )


def stop_positions(
    game: Game, graph: TurnGraph, value: Sequence[float]
) -> list[dict[str, int | bool | str]]:
    """Return what the map shows, position by position, as plain values.

    Parameters and errors as for :func:`draw_stop_map`. Of Martian Dice: dice left, death rays less
    tanks, species taken, points, and whether to stop; of Alien Crew: throws left, the two crew
    dice, and what is thrown again.
    """
    if isinstance(game, MartianDice):
        return [
            {"dice": left, "spare": lead, "kinds": kinds, "points": points, "stop": stop}
            for (left, lead, kinds), cell in sorted(stop_cells(game, graph, value).items())
            for points, stop in cell.stops.items()
        ]
    if not isinstance(game, AlienCrew) or game.crew_dice != 2:
        return []  # drawing says why there is no map
    return [
        {
            "throws": left,
            "low": low,
            "high": high,
            "again": _best_again(game, graph, value, left, (low, high)),
        }
        for left in range(game.throws - 1, 0, -1)
        for low in range(1, 7)
        for high in range(low, 7)
    ]


def _martian(game: MartianDice, cells: Mapping[Cell, StopCell], goal: str) -> Figure:
    figure = new_figure(236, 84)
    write(figure, 0.012, 0.975, f"Martian Dice: stop or roll, for {goal}", size=12, weight="bold")
    write(
        figure,
        0.012,
        0.905,
        "7+ : stop with 7 points or more, else roll.  Grey: cannot be.",
        size=8.5,
        color=SOFT,
    )
    wide = game.dice - 1
    panels = len(SPECIES)
    names = ("one species taken", "two species taken", "all three taken")
    for kinds in range(1, panels + 1):
        axes = new_axes(figure, (0.084 + 0.306 * (kinds - 1), 0.16, 0.290, 0.565))
        columns = wide - kinds + 1
        for left in range(1, columns + 1):
            for lead in _LEADS:
                _cell(axes, left, lead, _merged(cells, left, lead, kinds))
        _frame(axes, columns, f"{names[kinds - 1]}", first=kinds == 1)
    write(figure, 0.53, 0.045, "dice left to roll", ha="center", va="center")
    write(figure, 0.012, 0.785, "rays less tanks", size=8.5, color=SOFT)
    return figure


def _merged(cells: Mapping[Cell, StopCell], left: int, lead: int, kinds: int) -> StopCell | None:
    """Return a cell; the outer rows stand for all that lies beyond them too."""
    beyond = [
        stops
        for (dice, margin, taken), stops in cells.items()
        if dice == left
        and taken == kinds
        and (
            margin == lead
            or (lead == _LEADS[0] and margin < lead)
            or (lead == _LEADS[-1] and margin > lead)
        )
    ]
    if not beyond:
        return None
    texts = {cell.text for cell in beyond}
    if len(texts) == 1:
        return beyond[0]
    return StopCell({p: s for cell in beyond for p, s in sorted(cell.stops.items())})


def _cell(axes: Axes, x: int, y: int, cell: StopCell | None) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415  heavy

    text = "" if cell is None else cell.text
    colour = {"": "#f0f1f3", "roll": ROLL, "stop": STOP}.get(text, BETWEEN)
    axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
    if text:
        size = 6.2 if len(text) <= 4 else 5.0
        weight = "normal" if text in ("roll", "stop") else "bold"
        shown = text.replace(", ", "\n")
        axes.text(x, y, shown, ha="center", va="center", fontsize=size, color=INK, weight=weight)


def _frame(axes: Axes, columns: int, title: str, *, first: bool) -> None:
    axes.set_xlim(0.5, columns + 0.5)
    axes.set_ylim(_LEADS[0] - 0.5, _LEADS[-1] + 0.5)
    axes.set_xticks(range(1, columns + 1))
    axes.set_yticks(list(_LEADS))
    low, high = _LEADS[0], _LEADS[-1]
    names = [f"{lead:+d}" if lead else "level" for lead in _LEADS]
    names[0], names[-1] = f"{low} or less", f"+{high} or more"
    axes.set_yticklabels(names if first else [""] * len(names))
    axes.tick_params(length=0, labelsize=8)
    axes.set_title(title, fontsize=9.5, color=INK, pad=5)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _alien(game: AlienCrew, graph: TurnGraph, value: Sequence[float], goal: str) -> Figure:
    from matplotlib.patches import Rectangle  # noqa: PLC0415  heavy

    throws = range(game.throws - 1, 0, -1)
    figure = new_figure(40 + 76 * len(throws), 96)
    title = f"Alien Crew: keep or throw again, for {goal}"
    write(figure, 0.02, 0.975, title, size=11.5, weight="bold")
    write(figure, 0.02, 0.90, "What is thrown again; the rest is kept.", size=8.5, color=SOFT)
    width = 0.86 / max(len(throws), 1)
    for i, left in enumerate(throws):
        axes = new_axes(figure, (0.09 + i * (width + 0.02), 0.14, width - 0.05, 0.62))
        for low in range(1, 7):
            for high in range(low, 7):
                best = _best_again(game, graph, value, left, (low, high))
                colour = {"keep": STOP, f"{low} {high}": ROLL}.get(best, BETWEEN)
                axes.add_patch(
                    Rectangle((low - 0.5, high - 0.5), 1, 1, facecolor=colour, edgecolor="white")
                )
                shown = "keep" if best == "keep" else "both" if " " in best else best
                axes.text(low, high, shown, ha="center", va="center", fontsize=8.5)
        axes.set_xlim(0.5, 6.5)
        axes.set_ylim(0.5, 6.5)
        axes.set_xticks(range(1, 7))
        axes.set_yticks(range(1, 7))
        axes.tick_params(length=0, labelsize=8.5)
        axes.set_xlabel("lower die", fontsize=9)
        if not i:
            axes.set_ylabel("higher die", fontsize=9)
        axes.set_title(f"{left} throw{'s' if left > 1 else ''} left", fontsize=9.5, pad=5)
        for spine in axes.spines.values():
            spine.set_color(FAINT)
    return figure


def _best_again(
    game: AlienCrew, graph: TurnGraph, value: Sequence[float], throws: int, crew: tuple[int, int]
) -> str:
    options = game.crew_options(throws, crew)
    worth = {name: value[graph.node(state)] for name, state in options.items()}
    most = max(worth.values())
    best = next(name for name, v in worth.items() if v >= most - TIE)
    return "keep" if best == "stop" else best.removeprefix("roll-").replace("-", " ")


def _tuple(state: State) -> tuple[Any, ...]:
    return state if isinstance(state, tuple) else (state,)
