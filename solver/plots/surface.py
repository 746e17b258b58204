"""The chance to win of the seat on turn, over both scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.plots.canvas import INK, SOFT, new_axes, new_figure, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CROWDED = 0.25  # share of scores at which the win is open


def draw_surface(chances: NDArray[np.float64], title: str, subtitle: str) -> Figure:
    """Return the picture of a chance to win over two scores.

    Parameters
    ----------
    chances
        float64, shape (own scores, other's scores): the chance of the seat on turn; both count
        from 0.
    title, subtitle
        What it is.
    """
    figure = new_figure(132, 120)
    write(figure, 0.03, 0.975, title, size=11.5, weight="bold")
    write(figure, 0.03, 0.918, subtitle, size=8.5, color=SOFT)
    axes = new_axes(figure, (0.115, 0.115, 0.70, 0.745))
    own, other = chances.shape
    picture = axes.imshow(
        chances.T,
        origin="lower",
        cmap="RdBu",
        vmin=0.0,
        vmax=1.0,
        aspect="auto",
        extent=(-0.5, own - 0.5, -0.5, other - 0.5),
        interpolation="nearest",
    )
    open_share = float(((chances > 0.05) & (chances < 0.95)).mean())
    levels = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
    if open_share < _CROWDED:  # lines would lie on each other
        levels = [0.1, 0.5, 0.9]
    lines = axes.contour(
        np.arange(own),
        np.arange(other),
        chances.T,
        levels=levels,
        colors=INK,
        linewidths=[1.5 if level == 0.5 else 0.6 for level in levels],
    )
    if open_share >= _CROWDED:
        axes.clabel(lines, fmt=lambda level: f"{100 * level:.0f} %", fontsize=7.5, inline_spacing=2)
    axes.set_xlabel("own score, on turn", fontsize=9)
    axes.set_ylabel("the other's score", fontsize=9)
    axes.set_xticks(range(0, own, max(1, own // 5)))
    axes.set_yticks(range(0, other, max(1, other // 5)))
    axes.tick_params(labelsize=8)
    bar_axes = new_axes(figure, (0.845, 0.115, 0.028, 0.745))
    bar = figure.colorbar(picture, cax=bar_axes)
    bar.set_ticks([0.0, 0.25, 0.5, 0.75, 1.0], labels=["0 %", "25 %", "50 %", "75 %", "100 %"])
    bar.ax.tick_params(labelsize=8, length=2)
    return figure
