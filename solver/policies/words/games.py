"""The vocabularies of the games that have one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solver.games.martians.combat import WINS
from solver.games.protocol import Action, State
from solver.policies.words.standing import THEIRS
from solver.policies.words.vocabulary import Phrase, Pick, Vocabulary, named

_STOP_OR_ROLL = (("stop", "roll"),)


def _martian_dice(game: Any) -> Vocabulary:
    kinds = len(game.classes)

    def read(state: Any) -> Mapping[str, int]:
        tanks, rays, heads = state[1:4]
        taken = sum(state[4 : 4 + kinds])
        sizes = [n for group in state[-1] for n in group] if state[0] == "take" else []
        return {
            "tanks": tanks,
            "rays": rays,
            "heads": heads,
            "kinds": taken,
            "dice": game.dice - tanks - rays - heads,
            "spare": rays - tanks,
            "points": game.score(tanks, rays, heads, taken),
            "rolled-rays": state[-2] if state[0] == "take" else 0,
            "largest": max(sizes, default=0),
            "smallest": min(sizes, default=0),
        }

    def show(state: Any) -> str:
        n = read(state)
        aside = (
            f"{_many(n['tanks'], 'tank')}, {_many(n['rays'], 'death ray')},"
            f" {_many(n['heads'], 'head')} of {_many(n['kinds'], 'kind')}"
        )
        if state[0] != "take":
            return f"{aside}; {n['dice']} dice left"
        sizes = sorted({size for group in state[-1] for size in group})
        shown = [_many(n["rolled-rays"], "death ray")] if n["rolled-rays"] else []
        shown += [f"a group of {size}" for size in sizes]
        return f"{aside}; to take: {' or '.join(shown)}"

    def score(
        vocabulary: Vocabulary,
        state: State,
        actions: tuple[Action, ...],
        within: Callable[[int], bool],
    ) -> Action | None:
        del vocabulary, within
        return "stop" if "stop" in actions and read(state)["points"] else None

    def group(largest: bool) -> Pick:
        def pick(
            vocabulary: Vocabulary,
            state: State,
            actions: tuple[Action, ...],
            within: Callable[[int], bool],
        ) -> Action | None:
            del vocabulary, state
            groups: list[Action] = [a for a in actions if isinstance(a, tuple) and within(a[1])]
            if not groups:
                return None
            return groups[-1 if largest else 0]

        return pick

    return Vocabulary(
        game=game.name,
        numbers={
            "tanks": "tanks set aside, those of this roll included",
            "rays": "death rays set aside",
            "heads": "earthlings set aside",
            "kinds": "species set aside",
            "dice": "dice not set aside, those on the table included",
            "spare": "death rays less tanks",
            "points": "what the turn scores if it ends now",
            "rolled-rays": "death rays just rolled",
            "largest": "size of the largest group that can be taken",
            "smallest": "size of the smallest group that can be taken",
        },
        aliases={
            "tank": "tanks",
            "ray": "rays",
            "death-rays": "rays",
            "death-ray": "rays",
            "head": "heads",
            "earthlings": "heads",
            "kind": "kinds",
            "species": "kinds",
            "die": "dice",
            "point": "points",
        },
        read=read,
        phrases=(
            named("take death-rays", "death-rays", "all death rays rolled"),
            named("take rays", "death-rays", "the same"),
            Phrase(
                ("take", "largest", "group"),
                group(True),
                "the most earthlings of a new species",
                True,
            ),
            Phrase(("take", "smallest", "group"), group(False), "the fewest", True),
            Phrase(("take", "group"), group(True), "the largest within the limit", True),
            named("stop", "stop", "end the turn and score"),
            Phrase(("score",), score, "stop, where that scores anything", action="stop"),
            named("roll", "roll", "roll the dice that are not set aside"),
        ),
        show=show,
        conditions={
            ("no", "tank", "covered", "by"): lambda s, n: (s.spare >= 0) & (s.spare < n),
            ("tanks", "covered", "by"): lambda s, n: s.spare >= n,
        },
        name=lambda action: (
            f"group-{'-'.join(map(str, action[1:]))}" if isinstance(action, tuple) else str(action)
        ),
        opposites=_STOP_OR_ROLL,
    )


def _alien_crew(game: Any) -> Vocabulary:
    def read(state: Any) -> Mapping[str, int]:
        kind, throws, *dice = state
        shown = [d for d in dice if d] if kind in ("crew", "again") else [0]
        return {
            "throws": throws if kind in ("crew", "again") else state[2],
            "crew": sum(shown),
            "points": sum(shown),
            "low": min(shown),
            "high": max(shown),
        }

    def show(state: Any) -> str:
        return f"crew {' '.join(map(str, state[2:]))}; {_many(state[1], 'throw')} left"

    def below(which: str) -> Pick:
        def pick(
            vocabulary: Vocabulary,
            state: Any,
            actions: tuple[Action, ...],
            within: Callable[[int], bool],
        ) -> Action | None:
            del vocabulary
            dice = list(state[2:])
            again = {
                "low": dice[:1],
                "high": dice[-1:],
                "all": dice,
                "dice": [d for d in dice if within(d)],
            }[which]
            wanted = "roll-" + "-".join(map(str, again))
            return wanted if again and wanted in actions else None

        return pick

    return Vocabulary(
        game=game.name,
        numbers={
            "throws": "throws left",
            "crew": "sum of the crew dice",
            "points": "the same: what the turn scores if it ends now",
            "low": "the lowest crew die",
            "high": "the highest crew die",
        },
        aliases={"throw": "throws", "point": "points", "lowest": "low", "highest": "high"},
        read=read,
        phrases=(
            named("stop", "stop", "keep the crew"),
            named("keep crew", "stop", "the same"),
            Phrase(("roll", "low", "die"), below("low"), "throw the lowest crew die again"),
            Phrase(("roll", "high", "die"), below("high"), "throw the highest crew die again"),
            Phrase(("roll", "both"), below("all"), "throw all crew dice again"),
            Phrase(("roll", "crew"), below("all"), "the same"),
            Phrase(
                ("roll", "dice"),
                below("dice"),
                "throw again the crew dice within the limit, as in `roll dice of at most 3`",
                True,
            ),
        ),
        show=show,
    )


def _pig(game: Any) -> Vocabulary:
    return Vocabulary(
        game=game.name,
        numbers={"points": "the turn total"},
        aliases={"point": "points", "total": "points"},
        read=lambda state: {"points": state[1]},  # type: ignore[index]
        phrases=(
            named("stop", "stop", "bank the turn total"),
            named("hold", "stop", "the same"),
            named("roll", "roll", "roll the die"),
        ),
        show=lambda state: f"turn total {state[1]}",  # type: ignore[index]
        opposites=_STOP_OR_ROLL,
    )


_FIGHT = {
    "lives": "life tokens",
    "bullets": "bullet tokens",
    "roll": "what a losing roll shows, the weapon included; 0 before a roll",
    "short": "bullets it is short of winning by, 0 before a roll",
    "rerolls": "rolls the weapon still allows in this fight",
}
_FIGHT_PHRASES = (
    named("spend", "spend", "pay with bullets and win the fight"),
    named("spend bullets", "spend", "the same"),
    named("reroll", "reroll", "use the weapon and roll again"),
    named("forfeit", "forfeit", "give a life and roll again"),
    named("forfeit life", "forfeit", "the same"),
    named("use bare hands", "bare-hands", "fight without a weapon"),
)


def _weapon(
    vocabulary: Vocabulary,
    state: Any,
    actions: tuple[Action, ...],
    within: Callable[[int], bool],
) -> Action | None:
    """Return the first weapon that can be used in a fight."""
    del vocabulary, within
    return actions[0] if state[0] == "arm" else None


def _hunt(game: Any) -> Vocabulary:
    def read(state: Any) -> Mapping[str, int]:
        martians, lives, bullets = state[1:4]
        in_fight = state[0] in ("fight", "short")
        short = state[8] if state[0] == "short" else 0
        return {
            "martians": martians,
            "lives": lives,
            "bullets": bullets,
            "moves": state[5] if state[0] in ("ready", "arm", "fight", "short") else 0,
            "rerolls": state[7] if in_fight else 0,
            "short": short,
            "roll": WINS - short if short else 0,
            "armed": state[4],
            "points": martians,
        }

    def show(state: Any) -> str:
        n = read(state)
        lives = "1 life" if n["lives"] == 1 else f"{n['lives']} lives"
        shown = (
            f"{_many(n['martians'], 'Martian')}, {lives}, {_many(n['bullets'], 'bullet')},"
            f" {_many(n['moves'], 'move')} left"
        )
        return f"{shown}; the roll is {n['short']} short" if n["short"] else shown

    return Vocabulary(
        game=game.name,
        numbers={
            "martians": "Martians collected",
            **_FIGHT,
            "moves": "moves left",
            "armed": "1 while weapons are held, 0 once they are lost in a death",
            "points": "the same as martians",
        },
        aliases={"life": "lives", "bullet": "bullets", "martian": "martians", "point": "points"},
        read=read,
        phrases=(
            named("stop", "stop", "end the movement"),
            named("fight", "fight", "move on and fight the next Martian"),
            *_FIGHT_PHRASES,
            Phrase(("use", "weapon"), _weapon, "the first weapon there is"),
        ),
        show=show,
        opposites=(("stop", "fight"), ("spend", "forfeit")),
        theirs={
            f"{THEIRS}martians": "Martians of the other seat",
            f"{THEIRS}lives": "its life tokens",
            f"{THEIRS}bullets": "its bullet tokens",
        },
    )


def _gauntlet(game: Any) -> Vocabulary:
    def read(state: Any) -> Mapping[str, int]:
        left, lives, bullets = state[1:4]
        in_fight = state[0] in ("fight", "short")
        short = state[6] if state[0] == "short" else 0
        return {
            "left": left,
            "lives": lives,
            "bullets": bullets,
            "rerolls": state[5] if in_fight else 0,
            "short": short,
            "roll": WINS - short if short else 0,
        }

    def show(state: Any) -> str:
        n = read(state)
        lives = "1 life" if n["lives"] == 1 else f"{n['lives']} lives"
        shown = f"{_many(n['left'], 'Martian')} left, {lives}, {_many(n['bullets'], 'bullet')}"
        return f"{shown}; the roll is {n['short']} short" if n["short"] else shown

    return Vocabulary(
        game=game.name,
        numbers={"left": "Martians still to fight, this one included", **_FIGHT},
        aliases={"life": "lives", "bullet": "bullets"},
        read=read,
        phrases=(*_FIGHT_PHRASES, Phrase(("use", "weapon"), _weapon, "the first weapon there is")),
        show=show,
        opposites=(("spend", "forfeit"),),
    )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


VOCABULARIES: Mapping[str, Callable[[Any], Vocabulary]] = {
    "martian-dice": _martian_dice,
    "alien-crew": _alien_crew,
    "martians": _hunt,
    "martians-fights": _gauntlet,
    "pig": _pig,
}
"""Game name -> how its vocabulary is made."""
