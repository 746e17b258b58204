"""The race to thirty for every documented income: solved and proven."""

import pytest

from solver.games.registry import game
from solver.match.goal import solve_goal_race


@pytest.mark.slow
@pytest.mark.parametrize("income", ["none", "scarce", "steady", "rich"])
def test_the_race_to_thirty_is_proven(income):
    race = solve_goal_race(game("martians", income=income), workers=2)
    assert race.exactness.error < 1e-9
    assert race.chance.min() >= 0.0
    assert race.chance.max() <= 1.0


@pytest.mark.parametrize("income", ["none", "scarce", "steady", "rich", "tokens:5"])
def test_races_to_five_are_proven(income):
    race = solve_goal_race(game("martians", goal=5, income=income))
    assert race.exactness.error < 1e-11
