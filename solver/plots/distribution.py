"""What a turn brings: the distributions of several policies side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from solver.errors import UsageError
from solver.plots.canvas import FAINT, SERIES, SOFT, new_axes, new_figure, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = len(SERIES)
_RARE = 0.0005


def draw_distributions(
    turns: Mapping[str, Mapping[int, float]], title: str, subtitle: str = ""
) -> Figure:
    """Return the picture of the points of a turn under several policies.

    Parameters
    ----------
    turns
        Name of the policy -> points -> chance.
    title, subtitle
        What it is.

    Raises
    ------
    UsageError
        If there are none, or more than can be told apart.
    """
    if not 1 <= len(turns) <= _MOST:
        raise UsageError(
            f"{len(turns)} policies in one picture", remedy=f"one to {_MOST}", field="policies"
        )
    figure = new_figure(190, 96)
    write(figure, 0.02, 0.975, title, size=11.5, weight="bold")
    write(figure, 0.02, 0.905, subtitle, size=8.5, color=SOFT)
    axes = new_axes(figure, (0.072, 0.135, 0.91, 0.69))
    shown = [p for turn in turns.values() for p, chance in turn.items() if chance >= _RARE]
    most = max(shown, default=0)
    width = 0.8 / len(turns)
    for i, (name, turn) in enumerate(turns.items()):
        mean = sum(points * chance for points, chance in turn.items())
        at = [points + (i - (len(turns) - 1) / 2) * width for points in range(most + 1)]
        bars = [100 * turn.get(points, 0.0) for points in range(most + 1)]
        axes.bar(at, bars, width * 0.92, color=SERIES[i], label=f"{name}: {mean:.3f} on average")
    step = max(1, (most + 1) // 25)
    axes.set_xticks(range(0, most + 1, step))
    axes.set_xlim(-0.6, most + 0.6)
    axes.set_xlabel("points of a turn", fontsize=9)
    axes.set_ylabel("chance, %", fontsize=9)
    axes.tick_params(labelsize=8, length=2)
    axes.yaxis.grid(visible=True, color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.legend(fontsize=9, frameon=False, loc="upper right")
    return figure
