"""The strategy card of fights in a row of Martians!!!."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from solver.games.check import walk
from solver.games.martians.combat import START_TOKENS
from solver.games.martians.gauntlet import Gauntlet
from solver.games.protocol import Bank, Choose, payoff_of
from solver.plots.canvas import FAINT, SOFT
from solver.plots.card import Cost, rules_note
from solver.plots.card_fight_rule import FightRule
from solver.plots.card_mend import EDGE, EMPTY, HEIGHT, WIDTH, draw_legend, draw_mends, heading
from solver.plots.sheet import Sheet
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN = ((5, 5), (START_TOKENS, START_TOKENS), (2, 2), (1, 0))
_ROWS = 12


def fights_cost(rule: FightRule) -> Cost:
    """Return the chance to survive a number of Martians from the start, by the rule and at best.

    Parameters
    ----------
    rule
        The rule of the card.
    """
    longest = _longest(rule)
    graph = cached_turn(longest)
    best = solve_exact(graph, [payoff_of(longest, "survive", x) for x in graph.outcomes])
    chances = survivals(rule)
    rows = range(1, _ROWS + 1)
    start = START_TOKENS, START_TOKENS
    return Cost(
        {k: float(chances[k, *start]) for k in rows},
        {k: float(best.value(graph.node(longest.before(k, *start)))) for k in rows},
        None,
        None,
        unit="survive",
    )


def survivals(rule: FightRule) -> dict[tuple[int, int, int], Fraction]:
    """Return the chance to survive by a rule: (Martians, life, bullet tokens) -> chance, exactly.

    Parameters
    ----------
    rule
        The rule of the card.
    """
    longest = _longest(rule)
    value: dict[Any, Fraction] = {}
    for state, expansion in walk(longest):  # children before parents
        if isinstance(expansion, Bank):
            value[state] = Fraction(payoff_of(longest, "survive", expansion.outcome))
        elif isinstance(expansion, Choose):
            options = expansion.options
            value[state] = value[options[rule.choose(state, tuple(options))]]
        else:
            whole = sum(weight for weight, _ in expansion.branches)
            total = sum((w * value[to] for w, to in expansion.branches), Fraction(0))
            value[state] = total / whole
    return {
        (left, *tokens): value[longest.before(left, *tokens)]
        for left in range(1, longest.fights + 1)
        for tokens in longest.starts()
        if longest.before(left, *tokens) in value
    }


def _longest(rule: FightRule) -> Gauntlet:
    game = rule.game
    assert isinstance(game, Gauntlet)
    return game


def draw_fights_card(rule: FightRule, cost: Cost) -> Figure:
    """Return the card, A5 across.

    Parameters
    ----------
    rule
        What it states.
    cost
        What following it costs.
    """
    sheet = Sheet(WIDTH, HEIGHT)
    sheet.text(EDGE, 7, "Martians!!!: fight from this card", size=14, weight="bold")
    heading(sheet, 17, "1", "A losing roll: spend bullets, or give a life and roll again")
    draw_legend(sheet, 27.4, "Martians left (this one too)")
    end = draw_mends(sheet, 37, rule.mend)
    top = end + 6
    heading(sheet, top, "2", "The chance to survive so many Martians in a row, in percent")
    _chances(sheet, top + 10, rule)
    _cost(sheet, rule, cost)
    return sheet.figure


def _chances(sheet: Sheet, y: float, rule: FightRule) -> None:
    left, width, height = EDGE + 32.0, 13.0, 5.6
    chances = survivals(rule)
    head = [(str(k), "") for k in range(1, _ROWS + 1)]
    sheet.table(left, y, [head], cell=(width, 4.4), size=7.8)
    for i, (lives, bullets) in enumerate(_SHOWN):
        row = [
            (f"{100 * float(chances[k, lives, bullets]):.1f}", EMPTY) for k in range(1, _ROWS + 1)
        ]
        place = y + 4.6 + i * height
        sheet.table(left, place, [row], cell=(width, height), size=7.8)
        words = f"{lives} {'life' if lives == 1 else 'lives'}, {bullets} bullets"
        sheet.text(
            left - 1.8, place + height / 2, words, size=7.8, va="center_baseline", ha="right"
        )


def _cost(sheet: Sheet, rule: FightRule, cost: Cost) -> None:
    lost = max(cost.best[k] - cost.mean[k] for k in cost.mean)
    what = (
        "nothing: it is best play for survival"
        if lost <= 0.0
        else f"at most {100 * lost:.2f} percentage points of survival"
    )
    y = HEIGHT - 15.0
    sheet.line(EDGE, y, WIDTH - 2 * EDGE, FAINT)
    sheet.text(
        EDGE,
        y + 2.2,
        f"What it costs: {what}, in rows of up to {_ROWS} from three lives and three bullets."
        f"\nComputed by playing exactly this card; bare hands; {rules_note(rule.game, 'fights')}."
        "  should-i-roll card martians-fights",
        size=7.6,
        color=SOFT,
    )
