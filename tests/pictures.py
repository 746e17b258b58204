"""What tests look for in a picture."""

from __future__ import annotations


def texts_outside(figure):
    """Texts of a figure that stick out of its page."""
    from matplotlib.text import Text

    figure.canvas.draw()
    page = figure.bbox
    found = []
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            box = text.get_window_extent()
            if box.x0 < -0.5 or box.y0 < -0.5 or box.x1 > page.x1 + 0.5 or box.y1 > page.y1 + 0.5:
                found.append(text.get_text())
    return found


def texts_over_each_other(figure):
    """Pairs of texts of a figure that cover each other."""
    from matplotlib.text import Text

    figure.canvas.draw()
    shown = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    boxes = [(t.get_text(), t.get_window_extent()) for t in shown]
    return [
        (one, two)
        for i, (one, a) in enumerate(boxes)
        for two, b in boxes[i + 1 :]
        if a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1
    ]


def printed(figure):
    """All texts of a figure, a line each."""
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)
