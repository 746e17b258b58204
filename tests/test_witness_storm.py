"""Storm, a model checker by others, has the same values: it reads what is exported.

Slow; ``pip install 'should-i-roll[witness]'``, then ``pytest -m slow tests/test_witness_*.py``.
In exact mode Storm computes with rationals, so that agreement is equality. Of a match it checks
what each seat can win against the other's best play: bounds from above and below that hold
whatever the other's play was taken from, so that their meeting proves the value.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from small_games import Lottery

import solver
from solver import export
from solver.games.pig import Pig
from solver.games.protocol import objectives_of, starts_of
from solver.games.readings import End
from solver.games.registry import GAMES
from solver.match.goal.solve import solve_alone, solve_goal_race

stormpy = pytest.importorskip("stormpy")
environments = pytest.importorskip("stormpy.environments")

pytestmark = pytest.mark.slow

LARGE = {"zombie-dice", "farkle"}
"""Games whose turn takes Storm a minute to read: checked once, with the official rules."""


class Checked:
    """What Storm finds for every state of a model."""

    def __init__(self, model, folder, *, exact=True, environment=None):
        self.model = model
        path = folder / "model.drn"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in export.drn_text(model, fractions=exact))
        build = stormpy.build_model_from_drn
        built = (build[stormpy.Rational] if exact else build)(path)
        (asked,) = stormpy.parse_properties(export.drn_property(model))
        if environment is None:
            environment = environments.exact() if exact else environments.sound()
        self.result = stormpy.model_checking(built, asked, environment=environment)
        assert built.nr_states == len(model)
        self.found = self.result.get_value_vector()

    def fraction(self, state=None):
        return Fraction(str(self.found[self.model.initial if state is None else state]))

    def interval(self, state=None):
        state = self.model.initial if state is None else state
        return self.result.get_lower_bound(state), self.result.get_upper_bound(state)


def sound_within(width, method=None):
    environment = environments.sound()
    if method is not None:
        environment.solver().min_max().method = method
    environment.solver().min_max().precision = stormpy.Rational(width)
    return environment


# --- turns: the same fraction at every state


def agree_on_a_turn(game, folder, objective, beginning=None):
    checked = Checked(export.turn_model(game, objective, beginning=beginning), folder)
    turn = solver.solve_turn(game, objective, exact=True, beginning=beginning)
    assert checked.fraction() == turn.exact
    for state, label in enumerate(checked.model.labels):
        if label != "done":
            assert checked.fraction(state) == turn.exact_at(label), label
    return turn.exact


@pytest.mark.parametrize("name", GAMES)
def test_storm_has_the_fraction_of_every_game_s_turn(name, tmp_path):
    game = solver.game(name)
    for objective in ("points", *objectives_of(game)):
        agree_on_a_turn(game, tmp_path, objective)


@pytest.mark.parametrize("name", sorted(set(GAMES) - LARGE))
def test_storm_has_the_fraction_of_every_beginning(name, tmp_path):
    game = solver.game(name)
    beginnings = list(starts_of(game))
    for beginning in beginnings[:: max(1, len(beginnings) // 30)]:
        agree_on_a_turn(game, tmp_path, "points", beginning)


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        *(
            ("alien-crew", {"trio": trio, "crew": crew, "dice": dice})
            for trio in ("kept", "reset")
            for crew in ("either", "both")
            for dice in (4, 5, 6)
        ),
        ("alien-crew", {"throws": 5}),
        ("martian-dice", {"dice": 8, "bonus": 0}),
        ("martian-dice", {"dice": 8, "faces": "T2 R2 H1 C1 K1", "head": 2}),
        ("martian-dice", {"dice": 6, "faces": "T1 R2 H3 C1 K2"}),
        ("martians-fights", {"fights": 6}),
        ("martians-fights", {"fights": 4, "last-life": "one-more-roll"}),
        ("martians-fights", {"fights": 3, "weapon": "+1,reroll:2"}),
        ("martians", {"goal": 3, "income": "none"}),
        ("martians", {"goal": 3, "income": "rich", "last-life": "one-more-roll"}),
        ("martians", {"goal": 2, "income": "steady", "weapon": "+2"}),
        ("pig", {"die": "d8", "target": 60}),
        ("pig", {"die": "1:2 4:1 7:3", "target": 50}),
    ],
    ids=lambda part: part if isinstance(part, str) else "-".join(map(str, part.values())),
)
def test_storm_has_the_fraction_under_every_reading(name, rules, tmp_path):
    game = solver.game(name, **rules)
    beginnings = list(starts_of(game))
    for beginning in beginnings[:: max(1, len(beginnings) // 8)]:
        for objective in ("points", "at-least:2", *objectives_of(game)):
            agree_on_a_turn(game, tmp_path, objective, beginning)


# --- matches: both seats' best play, as bounds that meet


EXACTLY = [
    Pig(target=10),
    Pig(target=14, end=End.ROUND),
    Lottery((((0, 1), (3, 1)), ((1, 2), (2, 1))), target=6),
    solver.game("martian-dice", dice=4, target=3),
    solver.game("martian-dice", dice=4, target=3, end="immediate"),
    solver.game("alien-crew", rounds=2),
    solver.game("alien-crew", rounds=2, trio="reset", crew="both"),
    solver.game("alien-crew", rounds=3, target=9, end="first", dice=4),
    solver.game("martians", goal=3, income="none"),
    solver.game("martians", goal=2, income="steady"),
    solver.game("two-dice-pig", target=15),
    solver.game("hog", target=12),
    solver.game("zombie-dice", green=3, yellow=1, red=1, most=3, target=2),
    solver.game("farkle", target=300, opening=150),
]


def solved(game):
    if hasattr(game, "goal_race"):
        return solve_goal_race(game)
    return solver.solve_match(game)


@pytest.mark.parametrize("game", EXACTLY, ids=lambda g: g.name)
def test_storm_proves_the_value_of_small_matches_in_rationals(game, tmp_path):
    match = solved(game)
    error = Fraction(match.exactness.error)
    most = Checked(export.match_model(game, seat=1), tmp_path).fraction()
    least = 1 - Checked(export.match_model(game, seat=2), tmp_path).fraction()
    assert least <= most  # whatever the play was that is played against
    assert least == most, "the play against which they are found is not quite the best"
    assert abs(Fraction(match.win_probability[0]) - most) <= error


@pytest.mark.parametrize("end", ["round", "immediate"])
def test_storm_s_sound_interval_holds_the_race_of_martian_dice_to_five(end, tmp_path):
    game = solver.game("martian-dice", target=5, end=end)
    match = solver.solve_match(game)
    for seat in (1, 2):
        model = export.match_model(game, seat=seat)
        assert len(model) > 100_000
        checked = Checked(model, tmp_path, exact=False, environment=sound_within("1/10000000000"))
        low, high = checked.interval()
        ours = match.win_probability[seat - 1]
        assert low - match.error <= ours <= high + match.error
        assert high - low < 1e-8


@pytest.mark.parametrize(
    "rules",
    [
        {"goal": 2, "income": "none"},
        {"goal": 4, "income": "none"},
        {"goal": 4, "income": "steady", "last-life": "one-more-roll"},
        {"goal": 3, "income": "none", "weapon": "+1"},
    ],
    ids=lambda rules: "-".join(map(str, rules.values())),
)
def test_storm_has_the_turns_of_a_race_alone(rules, tmp_path):
    game = solver.game("martians", **rules)
    alone = solve_alone(game)
    turns = Checked(export.alone_model(game), tmp_path).fraction()
    assert abs(Fraction(alone.expected_turns[0]) - turns) <= Fraction(alone.exactness.error)


def test_storm_has_the_turns_to_ten_martians(tmp_path):
    game = solver.game("martians", goal=10, income="none")
    model = export.alone_model(game)
    checked = Checked(model, tmp_path, exact=False, environment=sound_within("1/100000000"))
    low, high = checked.interval()
    assert low <= solve_alone(game).expected_turns[0] <= high
    assert high - low < 1e-6


# --- what Storm itself gets wrong


def test_of_storm_s_intervals_only_that_of_sound_value_iteration_misses(tmp_path):
    """Known of Storm 2.0: why its sound value iteration is no witness here.

    On the turns of Pig and Martian Dice, which have no circle at all, its interval for the expected
    points, asked for within 1e-6, lies wholly below the value, by more than its own width. The
    other methods are off by rounding at most.
    """
    methods = environments.MinMaxMethod
    missed = set()
    for game in (Pig(), solver.game("martian-dice")):
        model = export.turn_model(game, "points")
        exact = solver.solve_turn(game, "points", exact=True).exact
        for method in (
            methods.INTERVAL_ITERATION,
            methods.SOUND_VALUE_ITERATION,
            methods.OPTIMISTIC_VALUE_ITERATION,
            methods.POLICY_ITERATION,
            methods.TOPOLOGICAL,
        ):
            how = sound_within("1/1000000", method)
            low, high = Checked(model, tmp_path, exact=False, environment=how).interval()
            if max(Fraction(low) - exact, exact - Fraction(high)) > Fraction(1, 10**12):
                missed.add((game.name, method))
    assert missed <= {(name, methods.SOUND_VALUE_ITERATION) for name in ("pig", "martian-dice")}
