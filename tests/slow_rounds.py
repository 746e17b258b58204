"""A plain, slow solver of matches of rounds, by recursion over the whole match in fractions.

The witness for the fast one: no arrays, no batches, no turn graph. It is good for tiny matches.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from solver.games.protocol import Bank, Choose


def slow_rounds(game, seats: int, shares):
    """Return a function (round, seat, standings) -> every seat's chance to win, exactly.

    `shares` tells the chances of tied leaders: stages in seat order -> shares.
    """
    match, expand = game.rounds_match, cache(game.expand)
    stages = list(game.starts().values())

    @cache
    def value(number, seat, standings):
        if seat == seats:
            scores = [score for score, _ in standings]
            over = match.rounds == number
            over |= match.target is not None and max(scores) >= match.target
            if not over:
                return value(number + 1, 0, standings)
            who = [i for i in range(seats) if scores[i] == max(scores)]
            split = shares(tuple(standings[i][1] for i in who))
            return tuple(Fraction(split[who.index(i)]) if i in who else Fraction(0)
                         for i in range(seats))  # fmt: skip

        @cache
        def worth(state):
            found = expand(state)
            if isinstance(found, Bank):
                points, stage = found.outcome
                mine = (standings[seat][0] + points, stage)
                after = (*standings[:seat], mine, *standings[seat + 1 :])
                return (*value(number, seat + 1, after), Fraction(points))
            if isinstance(found, Choose):
                # the tie rule: more for the mover, then more points, then canonical order
                return max(map(worth, found.options.values()), key=lambda v: (v[seat], v[-1]))
            whole = sum(weight for weight, _ in found.branches)
            parts = [(Fraction(w, whole), worth(state)) for w, state in found.branches]
            return tuple(sum(p * v[i] for p, v in parts) for i in range(seats + 1))

        return worth(stages[standings[seat][1]])[:seats]

    return value


def slow_death_round(game, stages):
    """Return the shares of players tied at these stages, by sweeping until nothing moves."""
    beginnings = list(game.starts().values())
    known: dict[tuple[int, ...], tuple[float, ...]] = {}

    def shares(group):
        if len(group) == 1:
            return (1.0,)
        if group not in known:
            known[group] = (1.0 / len(group),) * len(group)
            for _ in range(400):
                new = played(group, 0, -1, (), ())
                moved = max(abs(a - b) for a, b in zip(new, known[group], strict=True))
                known[group] = new
                if moved < 1e-16:
                    break
        return known[group]

    def played(group, at, best, holders, then):
        if at == len(group):
            result = [0.0] * len(group)
            for player, share in zip(holders, shares(then), strict=True):
                result[player] = share
            return tuple(result)

        @cache
        def worth(state):
            found = game.expand(state)
            if isinstance(found, Bank):
                points, stage = found.outcome
                if points > best:
                    ahead = played(group, at + 1, points, (at,), (stage,))
                elif points == best:
                    ahead = played(group, at + 1, best, (*holders, at), (*then, stage))
                else:
                    ahead = played(group, at + 1, best, holders, then)
                return (*ahead, points)
            if isinstance(found, Choose):
                options = [worth(s) for s in found.options.values()]
                top = max(o[at] for o in options)
                return max((o for o in options if o[at] >= top - 1e-13), key=lambda o: o[-1])
            whole = sum(w for w, _ in found.branches)
            parts = [(w / whole, worth(s)) for w, s in found.branches]
            return tuple(sum(p * v[i] for p, v in parts) for i in range(len(group) + 1))

        return worth(beginnings[group[at]])[: len(group)]

    return shares(tuple(stages))
