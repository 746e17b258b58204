"""Pictures: maps of decisions, surfaces, distributions, frontiers, and cards for the table."""

from solver.plots.canvas import FORMATS, render
from solver.plots.card import Card, make_card
from solver.plots.distribution import draw_distributions
from solver.plots.frontier import FrontierPoint, draw_frontier
from solver.plots.stop_map import draw_stop_map
from solver.plots.surface import draw_surface

__all__ = [
    "FORMATS",
    "Card",
    "FrontierPoint",
    "draw_distributions",
    "draw_frontier",
    "draw_stop_map",
    "draw_surface",
    "make_card",
    "render",
]
