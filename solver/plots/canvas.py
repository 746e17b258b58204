"""What all pictures share: size, type, colours, and files that are the same in every run.

matplotlib's object interface only: no window, no global figure. The bytes of a file depend on
the numbers and on matplotlib's version, not on the day.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError, unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
"""Kinds of file, by the ending of the name."""

INK, SOFT, FAINT = "#1b1f24", "#57606a", "#d8dee4"
ROLL, STOP, BETWEEN = "#cfe3f5", "#e8833a", "#f9d8b4"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that people with any colour vision tell apart (Okabe and Ito)."""

_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "svg.hashsalt": "should-i-roll",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "axes.linewidth": 0.6,
}
_SAY_NOTHING: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "should-i-roll"},
    "png": {"Software": "should-i-roll"},
    "pdf": {"CreationDate": None, "Creator": "should-i-roll", "Producer": None},
}


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of so many millimetres.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    matplotlib = _matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width / 25.4, height / 25.4), facecolor="white")
        FigureCanvasAgg(figure)
    return figure


def new_axes(figure: Figure, place: tuple[float, float, float, float]) -> Axes:
    """Return axes in the house's style.

    Parameters
    ----------
    figure
        Where.
    place
        Left, bottom, width and height as shares of the figure.
    """
    with _matplotlib().rc_context(_STYLE):
        axes = figure.add_axes(place)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return axes


def write(
    figure: Figure, x: float, y: float, text: str, *, size: float = 9.0, **style: Any
) -> None:
    """Put a text on a figure.

    Parameters
    ----------
    figure
        Where.
    x, y
        Place as shares of the figure.
    text
        What.
    size
        In points.
    **style
        As matplotlib takes it.
    """
    with _matplotlib().rc_context(_STYLE):
        figure.text(x, y, text, fontsize=size, **{"color": INK, "va": "top", **style})


def render(figure: Figure, form: str, *, dpi: int = 150) -> bytes:
    """Return a figure as the bytes of a file.

    Parameters
    ----------
    figure
        The figure.
    form
        One of :data:`FORMATS`.
    dpi
        Dots an inch, for PNG.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    """
    if form not in FORMATS:
        raise unknown("format", form, FORMATS, field="to")
    memory = io.BytesIO()
    with _matplotlib().rc_context(_STYLE):
        figure.savefig(memory, format=form, dpi=dpi, metadata=_SAY_NOTHING[form])
    return memory.getvalue()


def _matplotlib() -> Any:
    try:
        import matplotlib  # noqa: ICN001, PLC0415  it is heavy, and an extra
    except ImportError:
        raise UsageError(
            "pictures need matplotlib, which is not installed",
            remedy="pip install 'should-i-roll[plots]'",
        ) from None
    return matplotlib
