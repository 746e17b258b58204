"""A plain, slow race solver, written from the rules: the witness for three and more seats.

Values of all boundary states are swept again and again, every turn solved from its last states
to its first with floats, until nothing moves by more than 1e-15. It knows no cells, no layers, no
distributions, no linear systems, and it is only good for tiny games.
"""

from __future__ import annotations

import itertools
from operator import mul

from solver.games.protocol import Bank, Choose, points_of

TIE = 1e-13


def slow_race(game, seats: int, *, sweeps: int = 2000) -> dict:
    """Return {(scores, played this round): chances of all seats}, equilibrium by tie rule."""
    target, rounded = game.race.target, game.race.end == "round"
    steps = _steps(game)
    most = max(points for kind, points in steps if kind == "bank")
    states = [
        (scores, seat)
        for seat in range(seats)
        for scores in itertools.product(range(target + (most if rounded else 0)), repeat=seats)
        if all(s < target for s in scores[seat:])
    ]
    value = dict.fromkeys(states, (1.0 / seats,) * seats)

    def after(scores, seat, gain):
        moved = (*scores[:seat], scores[seat] + gain, *scores[seat + 1 :])
        if not rounded and moved[seat] >= target:
            return tuple(float(i == seat) for i in range(seats))
        if seat < seats - 1:
            return value[moved, seat + 1]
        if max(moved) >= target:
            leaders = [i for i in range(seats) if moved[i] == max(moved)]
            return tuple((i in leaders) / len(leaders) for i in range(seats))
        return value[moved, 0]

    def turn(scores, seat):
        worth = []
        for kind, what in steps:
            if kind == "bank":
                worth.append((*after(scores, seat, what), float(what)))
            elif kind == "choose":
                options = [worth[i] for i in what]
                best = max(o[seat] for o in options)
                options = [o for o in options if o[seat] >= best - TIE]
                points = max(o[-1] for o in options)
                worth.append(next(o for o in options if o[-1] >= points - TIE))
            else:
                chances = [p for p, _ in what]
                each = zip(*(worth[i] for _, i in what), strict=True)
                worth.append(tuple(sum(map(mul, chances, values)) for values in each))
        return worth[-1][:seats]

    for _ in range(sweeps):
        moved = 0.0
        for scores, seat in reversed(states):
            new = turn(scores, seat)
            moved = max(moved, *(abs(a - b) for a, b in zip(new, value[scores, seat], strict=True)))
            value[scores, seat] = new
        if moved <= 1e-15:
            return value
    raise AssertionError("the sweeps did not settle")


def _steps(game):
    """Return what the rules say of every state, what a state leads to before the state itself.

    A step is ("bank", points), ("choose", steps) or ("roll", (chance, step) pairs).
    """
    number, steps = {}, []

    def visit(state):
        if state in number:
            return
        found = game.expand(state)
        if isinstance(found, Bank):
            step = "bank", points_of(game, found.outcome)
        elif isinstance(found, Choose):
            options = list(found.options.values())
            for after in options:
                visit(after)
            step = "choose", [number[after] for after in options]
        else:
            for _, after in found.branches:
                visit(after)
            total = sum(weight for weight, _ in found.branches)
            step = "roll", [(weight / total, number[after]) for weight, after in found.branches]
        number[state] = len(steps)
        steps.append(step)

    visit(game.start())
    return steps
