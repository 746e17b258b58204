"""The strategy card of Alien Battleship, Captain, First Mate and Crew."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solver.errors import UsageError
from solver.games.alien_crew import AlienCrew, Crew
from solver.plots.canvas import BETWEEN, FAINT, ROLL, SOFT, STOP
from solver.plots.card import Cost, rules_note
from solver.plots.sheet import Sheet
from solver.policies.words.standing import ALONE, Standing, Watched
from solver.turn.cache import cached_turn
from solver.turn.exact import solve_exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT, _EDGE = 210.0, 148.0, 10.0


@dataclass(frozen=True, slots=True)
class AlienRule:
    """The rule of the card, a policy: throw every die again that shows no more than a limit.

    Parameters
    ----------
    game
        The rules it is for.
    limits
        Throws left -> the greatest face that is thrown again.
    name
        How results call it.
    """

    game: AlienCrew
    limits: dict[int, int] = field(hash=False)
    name: str = "card"

    def choose(
        self, state: Any, actions: tuple[Any, ...], standing: Standing | Watched = ALONE
    ) -> Any:
        """Return what the card says."""
        if len(actions) == 1:
            return actions[0]
        del standing
        throws, *crew = state[1:]
        again = [die for die in crew if die <= self.limits[throws]]
        return "roll-" + "-".join(map(str, again)) if again else "stop"


def alien_rule(game: AlienCrew) -> AlienRule:
    """Return the rule of the card: for each number of throws left the limit that loses least.

    Raises
    ------
    UsageError
        If the crew is not two dice, or they are thrown together only.
    """
    if game.crew_dice != 2 or game.crew is not Crew.EITHER:
        raise UsageError(
            "the card is for a crew of two dice of which either may be thrown again",
            remedy="--set crew=either --set dice=5",
        )
    graph = cached_turn(game)
    best = solve_exact(graph, graph.points.tolist())
    limits: dict[int, int] = {}
    for throws in range(1, game.throws):
        lost = {}
        for limit in range(7):
            lost[limit] = 0.0
            for low in range(1, 7):
                for high in range(low, 7):
                    options = game.crew_options(throws, (low, high))
                    again = [die for die in (low, high) if die <= limit]
                    name = "roll-" + "-".join(map(str, again)) if again else "stop"
                    worth = {a: best.value(graph.node(s)) for a, s in options.items()}
                    weight = 1 if low == high else 2
                    lost[limit] += weight * float(max(worth.values()) - worth[name])
        limits[throws] = min(lost, key=lambda limit: (round(lost[limit], 12), limit))
    return AlienRule(game, limits)


def draw_alien_card(rule: AlienRule, cost: Cost) -> Figure:
    """Return the card, A5 across.

    Parameters
    ----------
    rule
        What it states.
    cost
        What following it costs.
    """
    sheet = Sheet(_WIDTH, _HEIGHT)
    sheet.text(_EDGE, 8, "Alien Crew: play from this card", size=15, weight="bold")
    sheet.line(_EDGE, 18, _WIDTH - 2 * _EDGE, FAINT)
    sheet.text(
        _EDGE,
        21,
        "Until you have battleship (6), captain (5) and first mate (4) there is nothing to decide:"
        " throw.\nThen look at your two crew dice.",
        size=9.5,
    )
    throws = sorted(rule.limits, reverse=True)
    room = (_WIDTH - 2 * _EDGE) / max(len(throws), 1)
    for i, left in enumerate(throws):
        _map(sheet, rule, left, _EDGE + i * room)
    _points(sheet, rule.game, cost)
    return sheet.figure


def _map(sheet: Sheet, rule: AlienRule, left: int, x: float) -> None:
    limit = rule.limits[left]
    y = 34.0
    sheet.text(x, y, f"{left} throw{'s' if left > 1 else ''} left", size=12, weight="bold")
    words = f"Throw every die of {limit} or less again." if limit else "Keep both dice."
    sheet.text(x, y + 7, words, size=10.5)
    width, height = 11.0, 7.2
    left_edge, top = x + 12, y + 21
    sheet.text(left_edge, top - 6.6, "lower die", size=7.6, color=SOFT)
    sheet.table(
        left_edge, top - 4.2, [[(str(low), "") for low in range(1, 7)]], cell=(width, 4.2), size=8
    )
    rows = []
    for high in range(1, 7):
        row = []
        for low in range(1, 7):
            again = [die for die in (low, high) if die <= limit]
            shown = "both" if len(again) == 2 else str(again[0]) if again else "keep"
            colour = (STOP, BETWEEN, ROLL)[len(again)]
            row.append((shown, colour) if low <= high else ("", ""))
        rows.append(row)
    sheet.table(left_edge, top, rows, cell=(width, height), size=8.6)
    for high in range(1, 7):
        place = top + (high - 0.5) * height
        sheet.text(left_edge - 2, place, str(high), size=8, ha="right", va="center_baseline")
    sheet.text(
        left_edge - 7.5,
        top + 3 * height,
        "higher die",
        size=7.6,
        color=SOFT,
        rotation=90,
        ha="center",
        va="center",
    )


def _points(sheet: Sheet, game: AlienCrew, cost: Cost) -> None:
    y = 107.0
    sheet.text(_EDGE, y, "Points a turn on average, by what you have when it begins", size=9.5)
    width = (_WIDTH - 2 * _EDGE) / max(len(cost.mean), 1)
    cells = [(f"{name}: {mean:.2f}", "#f0f1f3") for name, mean in cost.mean.items()]
    sheet.table(_EDGE, y + 6.5, [cells], cell=(width, 8), size=9.5)
    y = _HEIGHT - 22.0
    sheet.line(_EDGE, y, _WIDTH - 2 * _EDGE, FAINT)
    most = max(
        best - mean for best, mean in zip(cost.best.values(), cost.mean.values(), strict=True)
    )
    lost = f"{most:.3f} points a turn" if most else "no points: it is the best play for points"
    wins = [
        f"{100 * own:.1f} % ({100 * top:.1f})"
        for own, top in zip(cost.win or (), cost.best_win or (), strict=True)
    ]
    sheet.text(
        _EDGE,
        y + 2.2,
        f"What it costs: {lost}.  Against the best opponent of two it wins {wins[0]} in the first"
        f" seat and\n{wins[1]} in the second; in brackets best play, which looks at the scores,"
        " above all in the last round. Computed by playing\nexactly these words; should-i-roll card"
        f" alien-crew.  {rules_note(game)}.",
        size=7.6,
        color=SOFT,
    )
