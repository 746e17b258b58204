"""The frontier of short rules: how many conditions, and what they leave on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.errors import UsageError
from solver.plots.canvas import FAINT, INK, SERIES, SOFT, new_axes, new_figure, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The best rule of one length.

    Parameters
    ----------
    conditions
        How many conditions it has.
    points_lost
        Points a turn that it loses against the best; or what else the rules are judged by.
    win_lost
        Chance to win that it loses, on average over the seats; None if that is not known.
    label
        The rule in a few words.
    """

    conditions: int
    points_lost: float
    win_lost: float | None = None
    label: str = ""


def draw_frontier(
    points: Sequence[FrontierPoint],
    title: str,
    subtitle: str = "",
    *,
    lost_in: str = "points a turn lost",
) -> Figure:
    """Return the picture of conditions against value lost.

    Parameters
    ----------
    points
        The best rules, by ascending number of conditions.
    title, subtitle
        What it is.
    lost_in
        What is lost, where that is not points.

    Raises
    ------
    UsageError
        If there is none.
    """
    if not points:
        raise UsageError("a frontier without a rule cannot be drawn")
    won = [100 * p.win_lost for p in points if p.win_lost is not None]
    panels = [(lost_in, [p.points_lost for p in points], SERIES[0], "{:.3f}")]
    if len(won) == len(points):
        panels.append(("win lost, percentage points", won, SERIES[1], "{:.1f}"))
    figure = new_figure(180, 92)
    write(figure, 0.02, 0.975, title, size=11.5, weight="bold")
    write(figure, 0.02, 0.90, subtitle, size=8.5, color=SOFT)
    width = (0.96 - 0.06 * len(panels)) / len(panels)
    for i, (name, lost, colour, form) in enumerate(panels):
        axes = new_axes(figure, (0.065 + i * (width + 0.06), 0.14, width, 0.60))
        x = [p.conditions for p in points]
        axes.bar(x, lost, 0.62, color=colour)
        for p, value in zip(points, lost, strict=True):
            words = form.format(value) + (f"\n{p.label}" if p.label else "")
            axes.annotate(
                words,
                (p.conditions, value),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                color=INK,
            )
        axes.set_title(name, fontsize=9.5, color=INK, loc="left", pad=10)
        axes.set_xticks(range(min(x), max(x) + 1))
        axes.set_ylim(0, max([*lost, 1e-9]) * 1.1)
        axes.set_xlabel("conditions in the rule", fontsize=9)
        axes.tick_params(labelsize=8, length=2)
        axes.yaxis.grid(visible=True, color=FAINT, linewidth=0.6)
        axes.set_axisbelow(True)
    return figure
