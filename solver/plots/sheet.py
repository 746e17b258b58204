"""A page drawn in millimetres: texts, boxes and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.plots.canvas import INK, new_axes, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Sheet:
    """A page with its origin at the upper left, in millimetres.

    Parameters
    ----------
    width, height
        Of the page.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.figure: Figure = new_figure(width, height)
        self._axes = new_axes(self.figure, (0.0, 0.0, 1.0, 1.0))
        self._axes.set_xlim(0, width)
        self._axes.set_ylim(height, 0)
        self._axes.set_axis_off()

    def text(self, x: float, y: float, words: str, *, size: float = 8.5, **style: Any) -> None:
        """Write words with their upper left corner (or as `style` says) at a place."""
        self._axes.text(
            x, y, words, fontsize=size, **{"color": INK, "va": "top", "linespacing": 1.35, **style}
        )

    def box(
        self, x: float, y: float, width: float, height: float, colour: str, edge: str = "white"
    ) -> None:
        """Fill a box."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415  heavy

        self._axes.add_patch(
            Rectangle((x, y), width, height, facecolor=colour, edgecolor=edge, linewidth=0.7)
        )

    def line(self, x: float, y: float, width: float, colour: str) -> None:
        """Draw a horizontal line."""
        self._axes.plot([x, x + width], [y, y], color=colour, linewidth=0.8)

    def table(
        self,
        x: float,
        y: float,
        rows: Sequence[Sequence[tuple[str, str]]],
        *,
        cell: tuple[float, float],
        size: float = 8.0,
    ) -> None:
        """Draw a table of (text, colour) cells.

        Parameters
        ----------
        x, y
            Its upper left corner.
        rows
            The cells; an empty colour leaves a cell out.
        cell
            Width and height of a cell.
        size
            Of the type, in points.
        """
        width, height = cell
        for i, row in enumerate(rows):
            for j, (words, colour) in enumerate(row):
                if colour:
                    self.box(x + j * width, y + i * height, width, height, colour)
                place = x + (j + 0.5) * width, y + (i + 0.5) * height
                self.text(*place, words, size=size, ha="center", va="center_baseline")
