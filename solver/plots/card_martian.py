"""The strategy card of Martian Dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solver.games.martian_dice import MartianDice
from solver.games.martian_position import SPECIES
from solver.plots.canvas import BETWEEN, FAINT, ROLL, SOFT, STOP
from solver.plots.card import Cost, rules_note
from solver.plots.card_rule import BEHIND, RAYS, CardRule
from solver.plots.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT, _EDGE = 210.0, 148.0, 9.0
_GROUP = "#d9ecd8"


def draw_martian_card(rule: CardRule, cost: Cost) -> Figure:
    """Return the card, A5 across.

    Parameters
    ----------
    rule
        What it states.
    cost
        What following it costs.
    """
    sheet = Sheet(_WIDTH, _HEIGHT)
    sheet.text(_EDGE, 7, "Martian Dice: play from this card", size=14, weight="bold")
    sheet.text(
        _WIDTH - _EDGE,
        9.4,
        "behind: more tanks than death rays, new tanks included",
        size=7.6,
        ha="right",
        color=SOFT,
    )
    _take(sheet, rule)
    _stop(sheet, rule)
    _cost(sheet, rule.game, cost)
    return sheet.figure


def _heading(sheet: Sheet, y: float, number: str, words: str) -> None:
    sheet.line(_EDGE, y, _WIDTH - 2 * _EDGE, FAINT)
    sheet.text(_EDGE, y + 2.2, f"{number}  {words}", size=11, weight="bold")


def _take(sheet: Sheet, rule: CardRule) -> None:
    top = 17.0
    _heading(sheet, top, "1", "Which dice to take")
    sheet.text(
        _EDGE,
        top + 9,
        "Not behind: the biggest group of a species you may still take.   Behind: that group if it"
        " has at least\nthe number below, else all the death rays.   No rays rolled: the group; no"
        " group: the rays.",
        size=8.6,
    )
    width, height = 7.5, 6.0
    for kinds in range(len(SPECIES)):
        left = _EDGE + 22.0 + 59.0 * kinds
        names = ("no species taken yet", "one species taken", "two species taken")
        sheet.text(left, top + 20.0, names[kinds], size=8.6, weight="bold")
        head = [(f"{r}" if r < RAYS else f"{r}+", "") for r in range(1, RAYS + 1)]
        sheet.table(left, top + 24.6, [head], cell=(width, 4.4), size=7.6)
        rows = [
            [_group_cell(rule, (kinds, behind, rays)) for rays in range(1, RAYS + 1)]
            for behind in range(1, BEHIND + 1)
        ]
        sheet.table(left, top + 29, rows, cell=(width, height), size=7.8)
        for behind in range(1, BEHIND + 1):
            name = f"{behind}" if behind < BEHIND else f"{behind}+"
            place = top + 29 + (behind - 0.5) * height
            words = f"behind by {name}" if kinds == 0 else name
            sheet.text(left - 1.4, place, words, size=7.6, va="center_baseline", ha="right")
    sheet.text(_EDGE, top + 26.8, "rays rolled", size=7.6, color=SOFT, va="center_baseline")


def _group_cell(rule: CardRule, key: tuple[int, int, int]) -> tuple[str, str]:
    if key not in rule.take:
        return "", "#f0f1f3"
    least = rule.take[key]
    if least is None:
        return "rays", ROLL
    return (f"{least}+" if least > 1 else "any", _GROUP)


def _stop(sheet: Sheet, rule: CardRule) -> None:
    top = 74.5
    _heading(sheet, top, "2", "Stop or roll")
    sheet.text(
        _EDGE,
        top + 9,
        "Behind, or no species yet: roll.   Else look up the dice that are left;  7+ : stop with 7"
        " points or more.",
        size=8.6,
    )
    sheet.text(
        _EDGE,
        top + 14,
        "Last turn of the match (somebody has reached the target): stop as soon as you are the"
        " sole leader, never before.",
        size=8.6,
    )
    wide = rule.game.dice - 1
    width, height = min(11.2, 134.0 / wide), 5.3
    left = _WIDTH - _EDGE - wide * width
    sheet.text(_EDGE, top + 21.8, "dice left", size=7.6, va="center_baseline", color=SOFT)
    head = [(str(n), "") for n in range(1, wide + 1)]
    sheet.table(left, top + 19.8, [head], cell=(width, 4.4), size=7.6)
    y = top + 24.2
    for kinds in range(1, len(SPECIES) + 1):
        for ahead in range(2):
            row = [_stop_cell(rule, (n, ahead, kinds)) for n in range(1, wide + 1)]
            sheet.table(left, y, [row], cell=(width, height), size=7.8)
            taken = ("one species", "two species", "all three")[kinds - 1]
            rays = "rays = tanks" if not ahead else "rays ahead"
            sheet.text(_EDGE, y + height / 2, f"{taken},  {rays}", size=8.2, va="center_baseline")
            y += height
        y += 0.9


def _stop_cell(rule: CardRule, key: tuple[int, int, int]) -> tuple[str, str]:
    if key not in rule.stop:
        return "", "#f0f1f3"
    least = rule.stop[key]
    if least is None:
        return "roll", ROLL
    return (f"{least}+", BETWEEN) if least else ("stop", STOP)


def _cost(sheet: Sheet, game: MartianDice, cost: Cost) -> None:
    (mean,), (best,) = cost.mean.values(), cost.best.values()
    loss = 100 * (best - mean) / best
    y = _HEIGHT - 12.6
    sheet.line(_EDGE, y - 1.2, _WIDTH - 2 * _EDGE, FAINT)
    wins = [
        f"{100 * own:.1f} % ({100 * top:.1f})"
        for own, top in zip(cost.win or (), cost.best_win or (), strict=True)
    ]
    sheet.text(
        _EDGE,
        y,
        f"What it costs: {mean:.3f} points a turn instead of {best:.3f} for the best play"
        f" ({loss:.1f} % less).  Against the best opponent of two it wins {wins[0]} in\nthe first"
        f" seat and {wins[1]} in the second; in brackets best play. Computed by playing exactly"
        f" these words; {rules_note(game)}.\nshould-i-roll card martian-dice",
        size=6.9,
        color=SOFT,
    )
