"""A table with three witnesses: the referee plays, the advisor and the service are asked at once.

Hypothesis rolls the dice and decides, within what the referee allows. At every decision the
advisor and the service must name exactly those options, with the same values to the last bit, and
the best must not be worse than what was expected before; at the end the whole match is read back as
a record, with the same scores.
"""

from __future__ import annotations

import json
from collections import Counter

import fuzz_targets
import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import solver
from solver.advisor.review import read_record
from solver.advisor.review.course import Course
from solver.referee import alien_crew, martian_dice, martians
from solver.tablebase import open_tables

NAMES = ("Ann", "Bob", "Cid")
LETTERS = "TRHCK"
WORDS = {"R": "death-rays", "H": "human", "C": "cow", "K": "chicken"}
STAGES = ("nothing", "battleship", "captain", "trio")


def dice(counts):
    return " ".join(f"{letter}{counts[letter]}" for letter in LETTERS if counts.get(letter))


class Witnesses:
    """The advisor, and one client of the service, on the same small tables."""

    def __init__(self):
        self.client = fuzz_targets.client()
        self.tables = open_tables(fuzz_targets.small_tables("martian-dice-points"))
        self.advisor = solver.Advisor(self.tables)

    def ask(self, game, **told):
        """The advice of both, which must be one."""
        mine = self.advisor(game, **told)
        words = {key: "true" if value is True else value for key, value in told.items()}
        answer = self.client.get(f"/v1/games/{game}/advice", params=words)
        assert answer.status_code == 200, answer.text
        theirs = answer.json()
        assert json.loads(json.dumps(mine.as_dict()["options"])) == theirs["options"]
        assert mine.graph == theirs["graph"]
        values = [option.value for option in mine.options]
        assert values == sorted(values, reverse=True)
        assert mine.best.loss == 0.0
        for option in mine.options:
            assert option.best == (option.loss == 0.0)
            assert 0.0 <= option.bust <= 1.0
        return mine

    def refuse(self, game, **told):
        """Both refuse it, in the same words."""
        with pytest.raises(solver.ShouldIRollError) as refused:
            self.advisor(game, **told)
        answer = self.client.get(f"/v1/games/{game}/advice", params=told)
        assert answer.status_code in (400, 422)
        assert answer.json()["detail"] == refused.value.what


WITNESSES: list[Witnesses] = []


def witnesses():
    if not WITNESSES:
        WITNESSES.append(Witnesses())
    return WITNESSES[0]


class Table(RuleBasedStateMachine):
    """A match of two or three seats of Martian Dice or Alien Crew."""

    @initialize(name=st.sampled_from(["martian-dice", "alien-crew"]), seats=st.integers(2, 3))
    def sit_down(self, name, seats):
        self.game = solver.game(name)
        self.course = Course(self.game, seats)
        self.scores, self.stages = [0] * seats, [0] * seats
        self.text = [f"game: {name}", f"seats: {', '.join(NAMES[:seats])}"]
        self.witnesses = witnesses()

    @precondition(lambda self: not self.course.over)
    @rule(data=st.data())
    def take_a_turn(self, data):
        seat = self.course.seat
        self.text.append(f"{NAMES[seat]}:")
        if self.game.name == "martian-dice":
            outcome = points = self.martian_turn(data)
        else:
            points, self.stages[seat] = outcome = self.alien_turn(data, self.stages[seat])
        self.scores[seat] += points
        self.text.append(f"  = {points} ({self.scores[seat]})")
        self.course.end_turn(outcome)

    def martian_turn(self, data):
        lines = self.text
        pending = []

        def roll(count):
            if pending:  # nothing could be decided, but for the taking
                lines[-1] += f" -> {pending.pop()}"
            letters = st.sampled_from("TRRHCK")
            shown = data.draw(st.lists(letters, min_size=count, max_size=count), label="roll")
            lines.append(f"  {dice(Counter(shown))}")
            return shown

        def take(aside, rolled, legal):
            advice = self.witnesses.ask("martian-dice", aside=dice(aside), roll=dice(rolled))
            assert {o.action for o in advice.options} == {WORDS[letter] for letter in legal}
            taken = data.draw(st.sampled_from(sorted(legal)), label="take")
            pending.append(WORDS[taken])
            self.promised = next(o for o in advice.options if o.action == WORDS[taken])
            return taken

        def stop(aside):
            advice = self.witnesses.ask("martian-dice", aside=dice(aside))
            assert {o.action for o in advice.options} == {"stop", "roll"}
            assert advice.best.exact == self.promised.exact
            assert self.promised.then in [o.action for o in advice.options if o.best]
            stopped = data.draw(st.booleans(), label="stop")
            lines[-1] += f" -> {pending.pop()}, {'stop' if stopped else 'roll'}"
            return stopped

        points = martian_dice.play_rolled_turn(martian_dice.Chooser(take, stop), roll)
        if pending:
            lines[-1] += f" -> {pending.pop()}"
        return points

    def alien_turn(self, data, stage):
        lines = self.text
        begun = stage
        thrown = []

        def roll(count):
            numbers = st.integers(1, 6)
            shown = data.draw(st.lists(numbers, min_size=count, max_size=count), label="roll")
            lines.append(f"  {' '.join(map(str, shown))}")
            thrown.append(shown)
            return shown

        def again(crew, throws):
            told = {"stage": "trio", "crew": " ".join(map(str, crew)), "throws": str(throws)}
            advice = self.witnesses.ask("alien-crew", **told)
            legal = {"stop", *(f"roll {die}" for die in crew), "roll both"}
            assert {o.action.replace("-", " ") for o in advice.options} <= legal | {
                f"roll {a} {b}" for a, b in (sorted(crew), sorted(crew, reverse=True))
            }
            assert len(advice.options) == (4 if crew[0] != crew[1] else 3)
            answer = [data.draw(st.booleans(), label="again") for _ in crew]
            kept = [str(d) for d, a in sorted(zip(crew, answer, strict=True)) if a]
            lines[-1] += f" -> roll {' '.join(kept)}" if kept else " -> stop"
            return answer

        points, after = alien_crew.play_rolled_turn(again, roll, stage=stage)
        assert after >= begun
        return points, after

    @rule(tanks=st.integers(14, 99), face=st.integers(7, 9))
    def say_nonsense(self, tanks, face):
        """What cannot be is refused by both in the same words, and leaves no trace."""
        self.witnesses.refuse("martian-dice", aside=f"T{tanks}")
        self.witnesses.refuse("alien-crew", stage="trio", crew=f"{face} 2", throws="1")

    @rule(
        lives=st.integers(1, 5), bullets=st.integers(0, 5), fights=st.integers(1, 4), data=st.data()
    )
    def fight_on_the_side(self, lives, bullets, fights, data):
        def die():
            return data.draw(st.integers(1, 6), label="die")

        def pay(standing, ahead, lost, legal):
            told = {"lives": str(standing.lives), "bullets": str(standing.bullets)}
            told |= {"rolled": str(4 - lost.short), "facing": str(ahead + 1)}
            advice = self.witnesses.ask("martians", fight=True, **told)
            assert {o.action for o in advice.options} == set(legal)
            return data.draw(st.sampled_from(sorted(legal)), label="pay")

        begun = martians.Standing(lives=lives, bullets=bullets)
        fought = martians.play_gauntlet(martians.Player(pay), die, fights, begun)
        assert 0 <= fought.kills <= fights
        assert fought.dead == (fought.kills < fights)

    @invariant()
    def the_course_of_the_match_is_the_referee_s(self):
        if hasattr(self, "course"):
            assert self.course.scores == self.scores
            assert self.course.stages == self.stages

    def teardown(self):
        """Read the record of what was played, to where it went."""
        if not hasattr(self, "course"):
            return
        text = "\n".join(self.text)
        if self.course.over and len(self.course.leaders) > 1:
            text += f"\nwinner: {NAMES[self.course.leaders[0]]}"
        record = read_record(text)
        assert list(record.scores) == self.scores


QUICK = settings(
    max_examples=8,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=400, stateful_step_count=30)


def test_three_witnesses_agree_on_random_matches():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Table, settings=QUICK)


@pytest.mark.slow
def test_three_witnesses_agree_on_many_random_matches():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Table, settings=LONG)
