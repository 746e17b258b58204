"""Drawings of a position: characters for a terminal, SVG for a page or paper."""

from solver.games.martians.board.drawing.svg import draw_svg
from solver.games.martians.board.drawing.text import draw_text

__all__ = ["draw_svg", "draw_text"]
