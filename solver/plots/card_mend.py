"""What the cards of Martians!!! share: the grids of what to do about a losing roll."""

from __future__ import annotations

from collections.abc import Mapping

from solver.games.martians.combat import MOST_TOKENS, WINS
from solver.plots.canvas import BETWEEN, FAINT, ROLL, SOFT, STOP
from solver.plots.card_fight_rule import ALWAYS, NEVER, MendKey
from solver.plots.sheet import Sheet

WIDTH, HEIGHT, EDGE = 210.0, 148.0, 10.0
EMPTY = "#f0f1f3"
_CELL = 10.4, 5.6
_LABELS = 15.0
_GAP = 9.0


def heading(sheet: Sheet, y: float, number: str, words: str) -> None:
    """Draw the heading of a part of a card."""
    sheet.line(EDGE, y, WIDTH - 2 * EDGE, FAINT)
    sheet.text(EDGE, y + 2.2, f"{number}  {words}", size=11, weight="bold")


def draw_legend(sheet: Sheet, y: float, left: str) -> None:
    """Draw what the colours of the grids mean.

    Parameters
    ----------
    sheet, y
        The page, and where.
    left
        What is counted: ``Martians left (this one too)``.
    """
    words = (
        (0.0, STOP, "spend the bullets"),
        (41.0, ROLL, "give a life"),
        (72.0, BETWEEN, f"\u2264 : spend with at most so many {left}, else a life"),
    )
    for x, colour, text in words:
        sheet.box(EDGE + x, y, _CELL[0], 5, colour)
        sheet.text(EDGE + x + _CELL[0] + 1.8, y + 0.7, text, size=8.2)


def draw_mends(sheet: Sheet, y: float, mend: Mapping[MendKey, int]) -> float:
    """Draw a grid for each losing roll; return where they end.

    Parameters
    ----------
    sheet
        The page.
    y
        Where they begin.
    mend
        As a rule has it.
    """
    lives = sorted({key[1] for key in mend})
    width, height = _CELL
    x = EDGE + _LABELS
    for roll in range(WINS - 1, 0, -1):
        bullets = range(WINS - roll, MOST_TOKENS + 1)
        sheet.text(x, y, f"the die shows {roll}", size=9.4, weight="bold")
        head = [(str(n), "") for n in bullets]
        sheet.table(x, y + 9.4, [head], cell=(width, 4.2), size=7.6)
        sheet.text(x, y + 5.4, "bullets", size=7.4, color=SOFT)
        rows = [[_cell(mend.get((roll, life, n))) for n in bullets] for life in lives]
        sheet.table(x, y + 13.6, rows, cell=_CELL, size=7.8)
        for i, life in enumerate(lives):
            words = f"{life} {'life' if life == 1 else 'lives'}"
            place = y + 13.6 + (i + 0.5) * height
            sheet.text(x - 1.6, place, words, size=7.6, va="center_baseline", ha="right")
        x += len(bullets) * width + _GAP + _LABELS
    return y + 13.6 + len(lives) * height


def _cell(most: int | None) -> tuple[str, str]:
    if most is None:
        return "", EMPTY
    if most == ALWAYS:
        return "spend", STOP
    return ("life", ROLL) if most == NEVER else (f"\u2264 {most}", BETWEEN)
