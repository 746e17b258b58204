"""A plain, slow race solver, written from the rules: the witness for three and more seats.

Values of all boundary states are swept again and again, every turn solved by recursion over the
rules with floats, until nothing moves by more than 1e-15. It knows no cells, no layers, no
distributions, no linear systems, and it is only good for tiny games.
"""

from __future__ import annotations

import itertools
from functools import cache

from solver.games.protocol import Bank, Choose, points_of

TIE = 1e-13


def slow_race(game, seats: int, *, sweeps: int = 2000) -> dict:
    """Return {(scores, played this round): chances of all seats}, equilibrium by tie rule."""
    target, rounded = game.race.target, game.race.end == "round"
    most = max(points_of(game, x) for x in _outcomes(game))
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
        @cache
        def worth(state):
            found = game.expand(state)
            if isinstance(found, Bank):
                points = points_of(game, found.outcome)
                return (*after(scores, seat, points), float(points))
            if isinstance(found, Choose):
                options = [worth(s) for s in found.options.values()]
                best = max(o[seat] for o in options)
                options = [o for o in options if o[seat] >= best - TIE]
                points = max(o[-1] for o in options)
                return next(o for o in options if o[-1] >= points - TIE)
            total = sum(w for w, _ in found.branches)
            parts = [(w / total, worth(s)) for w, s in found.branches]
            return tuple(sum(p * v[i] for p, v in parts) for i in range(seats + 1))

        return worth(game.start())[:seats]

    for _ in range(sweeps):
        moved = 0.0
        for scores, seat in reversed(states):
            new = turn(scores, seat)
            moved = max(moved, *(abs(a - b) for a, b in zip(new, value[scores, seat], strict=True)))
            value[scores, seat] = new
        if moved <= 1e-15:
            return value
    raise AssertionError("the sweeps did not settle")


def _outcomes(game):
    seen, todo, found = set(), [game.start()], set()
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at = game.expand(state)
        if isinstance(at, Bank):
            found.add(at.outcome)
        elif isinstance(at, Choose):
            todo.extend(at.options.values())
        else:
            todo.extend(s for _, s in at.branches)
    return found
