"""The strategy card of a hunt of Martians!!!."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from solver.games.martians.combat import MOST_TOKENS, START_TOKENS
from solver.games.martians.hunt import Hunt
from solver.match.goal.standings import standings_of
from solver.plots.canvas import BETWEEN, FAINT, ROLL, SOFT
from solver.plots.card import Cost, rules_note
from solver.plots.card_fight_rule import FightRule
from solver.plots.card_mend import EDGE, EMPTY, HEIGHT, WIDTH, draw_legend, draw_mends, heading
from solver.plots.sheet import Sheet
from solver.policies.arena import Arena
from solver.policies.arena.goal.alone import evaluate_alone
from solver.policies.arena.goal.equations.clock import Clock
from solver.policies.arena.goal.turns.seat import given_turns
from solver.turn.cache import cached_turn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = ((5, 5), (START_TOKENS, START_TOKENS), (1, 0))


def hunt_cost(
    game: Hunt, rule: FightRule, progress: Callable[[int, int], None] | None = None
) -> Cost:
    """Return what the rule of a hunt costs: in turns alone, and in chances to win.

    Parameters
    ----------
    game, rule
        The rules, and the rule of the card.
    progress
        Called from time to time while matches are solved.
    """
    run = evaluate_alone(game, rule)
    mean = run.mean if run.reaches == 1.0 else float("inf")
    arena = Arena(game, progress=progress)
    best = arena.read("optimal")
    first, second, both = (
        arena.play(seats).win_probability for seats in ([rule, best], [best, rule], [best, best])
    )
    return Cost(
        {None: mean},
        {None: run.best},
        (first[0], second[1]),
        (both[0], both[1]),
        unit="turns",
    )


def draw_hunt_card(rule: FightRule, cost: Cost) -> Figure:
    """Return the card, A5 across.

    Parameters
    ----------
    rule
        What it states.
    cost
        What following it costs.
    """
    game = rule.game
    assert isinstance(game, Hunt)
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.text(EDGE, 7, "Martians!!!: hunt from this card", size=14, weight="bold")
    sheet.text(
        WIDTH - EDGE,
        9.4,
        f"to {game.goal} Martians, {_tokens(game)}; always a Martian within reach",
        size=7.8,
        ha="right",
        color=SOFT,
    )
    heading(sheet, 16, "1", "A losing roll: spend bullets, or give a life and roll again")
    draw_legend(sheet, 25.8, "moves left after this one")
    end = draw_mends(sheet, 34, rule.mend)
    _stops(sheet, end + 4.4, rule, game)
    _cost(sheet, game, cost)
    return sheet.figure


def _stops(sheet: Sheet, y: float, rule: FightRule, game: Hunt) -> None:
    if not rule.stop:
        heading(sheet, y, "2", "Fight on while you have moves: never stop")
        _turns(sheet, y + 11, rule, game)
        return
    heading(sheet, y, "2", "Fight on or stop")
    sheet.text(
        EDGE,
        y + 9.4,
        "Stop with so many Martians, and wait for tokens:",
        size=8.6,
    )
    lives = sorted({key[1] for key in rule.mend})
    left, width, height = EDGE + 15.0, 19.0, 25.0 / len(lives)
    head = [(f"{n} {'bullet' if n == 1 else 'bullets'}", "") for n in range(MOST_TOKENS + 1)]
    sheet.table(left, y + 14.4, [head], cell=(width, 4.4), size=7.6)
    rows = []
    for life in lives:
        row = []
        for bullets in range(MOST_TOKENS + 1):
            span = rule.stop.get((life, bullets))
            row.append(("fight", ROLL) if span is None else (_span(span, game.goal), BETWEEN))
        rows.append(row)
    sheet.table(left, y + 18.8, rows, cell=(width, height), size=8)
    for i, life in enumerate(lives):
        words = f"{life} {'life' if life == 1 else 'lives'}"
        place = y + 18.8 + (i + 0.5) * height
        sheet.text(left - 1.6, place, words, size=7.6, va="center_baseline", ha="right")
    sheet.text(
        left + 6 * width + 4,
        y + 19.4,
        "With fewer or more\nMartians, and where it\nsays fight: fight on\nwhile you have moves.",
        size=8.6,
    )


def _turns(sheet: Sheet, y: float, rule: FightRule, game: Hunt) -> None:
    """Show how far the goal is, where there is room."""
    heading(sheet, y, "3", "Turns to the goal, on average, from so many Martians")
    steps = sorted({game.goal * part // 10 for part in range(10)})
    left, width, height = EDGE + 32.0, 15.6, 5.6
    sheet.table(left, y + 10, [[(str(n), "") for n in steps]], cell=(width, 4.4), size=7.8)
    graph = cached_turn(game)
    standings = standings_of(graph, game.after)
    mean, _ = Clock.of(given_turns(rule, graph, standings)).moments
    for i, (lives, bullets) in enumerate(_SHOWN):
        known = [mean[standings.number((n, lives, bullets, 0))] for n in steps]
        row = [(f"{turns:.1f}" if np.isfinite(turns) else "never", EMPTY) for turns in known]
        place = y + 14.6 + i * height
        sheet.table(left, place, [row], cell=(width, height), size=7.8)
        words = f"{lives} {'life' if lives == 1 else 'lives'}, {bullets} bullets"
        sheet.text(
            left - 1.8, place + height / 2, words, size=7.8, va="center_baseline", ha="right"
        )


def _tokens(game: Hunt) -> str:
    told = str(game.income)
    return f"tokens found: {told}" if len(told) <= 16 else "tokens as told below"


def _span(span: tuple[int, int], goal: int) -> str:
    low, high = span
    if high >= goal - 1:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"


def _cost(sheet: Sheet, game: Hunt, cost: Cost) -> None:
    y = HEIGHT - 16.4
    sheet.line(EDGE, y, WIDTH - 2 * EDGE, FAINT)
    (mean,), (best,) = cost.mean.values(), cost.best.values()
    assert cost.win is not None
    assert cost.best_win is not None
    wins = [
        f"{100 * own:.1f} % ({100 * top:.1f})"
        for own, top in zip(cost.win, cost.best_win, strict=True)
    ]
    sheet.text(
        EDGE,
        y + 2.0,
        f"What it costs: alone it takes {mean:.2f} turns on average, the best play {best:.2f}"
        f" ({100 * (mean - best) / best:.1f} % fewer).  Against the best opponent of two it wins\n"
        f"{wins[0]} in the first seat and {wins[1]} in the second; in brackets best play, which"
        f" looks at the opponent. Computed by playing\nexactly this card; bare hands;"
        f" {rules_note(game)}.  should-i-roll card martians",
        size=7.2,
        color=SOFT,
    )
