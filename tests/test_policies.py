"""Policies: texts, functions, names; each answers as it says, and refuses in one clear message."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import GameError, NotationError, PositionError, UnknownNameError, UsageError
from solver.games import game
from solver.games.check import walk
from solver.games.protocol import Choose, starts_of
from solver.policies import (
    FAR,
    FunctionPolicy,
    Standing,
    TextPolicy,
    named_policy,
    policy_names,
    read_policy,
)
from solver.policies.evaluate import evaluate_turn
from solver.policies.states import turn_states
from solver.policies.turns import TurnBook
from solver.policies.words import Situation, vocabulary_of
from solver.turn import compile_turn, evaluate_policy, solve_turn

MARTIAN = game("martian-dice")
SMALL = game("martian-dice", dice=6)
CREW = game("alien-crew")
PIG = game("pig")
EXAMPLE = (
    "take death-rays while tanks > rays; take the largest group;"
    " stop at 6 points or with no tank covered by 1"
)


def decisions(rules):
    for state, what in walk(rules):
        if isinstance(what, Choose) and len(what.options) > 1:
            yield state, tuple(what.options)


# --- rule texts


def by_hand(state, actions):
    """The example of the reference page, written as a plain function of the state."""
    tanks, rays, heads, kinds = state[1:5]
    if state[0] == "take":
        if tanks > rays and "death-rays" in actions:
            return "death-rays"
        groups = [a for a in actions if a != "death-rays"]
        return max(groups, key=lambda a: a[1]) if groups else "death-rays"
    points = 0 if tanks > rays else heads + 3 * (kinds == 3)
    return "stop" if points >= 6 or rays == tanks else "roll"


def test_a_rule_text_plays_what_its_sentences_say():
    """Every decision of thirteen dice, against the same rules written as Python."""
    policy = read_policy(MARTIAN, EXAMPLE)
    for state, actions in decisions(MARTIAN):
        assert policy.choose(state, actions) == by_hand(state, actions), state


def test_the_example_brings_what_the_same_function_brings():
    text = evaluate_policy(SMALL, read_policy(SMALL, EXAMPLE).choose)
    assert text == evaluate_policy(SMALL, by_hand)
    assert sum(text.values()) == 1


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("tanks > rays", lambda t, r, _h, _k: t > r),
        ("not tanks > rays", lambda t, r, _h, _k: not t > r),
        ("tanks > 1 and rays > 1 or heads = 2", lambda t, r, h, _k: (t > 1 and r > 1) or h == 2),
        ("tanks > 1 and (rays > 1 or heads = 2)", lambda t, r, h, _k: t > 1 and (r > 1 or h == 2)),
        ("-1 * 3 + (rays - tanks) * 2 >= heads - 2", lambda t, r, h, _k: (r - t) * 2 >= h + 1),
        ("((rays)) != tanks", lambda t, r, _h, _k: r != t),
        ("kinds is 2", lambda _t, _r, _h, k: k == 2),
        ("species at least 2", lambda _t, _r, _h, k: k >= 2),
        ("heads at most 2", lambda _t, _r, h, _k: h <= 2),
        ("death-rays more than tanks + 1", lambda t, r, _h, _k: r > t + 1),
        ("earthlings less than 3", lambda _t, _r, h, _k: h < 3),
        ("tanks covered by 2", lambda t, r, _h, _k: r >= t + 2),
    ],
)
def test_conditions_mean_what_arithmetic_says(condition, holds):
    policy = read_policy(SMALL, f"roll unless {condition}; stop")
    for state, actions in decisions(SMALL):
        if state[0] == "aside":
            wanted = "stop" if holds(*state[1:5]) else "roll"
            assert policy.choose(state, actions) == wanted, (condition, state)


@pytest.mark.parametrize(
    "text",
    [
        "TAKE THE LARGEST GROUP;\n\n# a comment; with a semicolon\nstop at 3 points ; ; roll",
        "else take the largest group; take death-rays; stop when points >= 3 otherwise",
    ],
)
def test_articles_case_comments_and_empty_rules_do_not_matter(text):
    if "otherwise" in text:
        with pytest.raises(NotationError):
            read_policy(SMALL, text)
        return
    plain = read_policy(SMALL, "take largest group; stop if points >= 3; roll")
    policy = read_policy(SMALL, text)
    for state, actions in decisions(SMALL):
        assert policy.choose(state, actions) == plain.choose(state, actions)


def test_limits_pick_among_groups():
    policy = read_policy(MARTIAN, "take the largest group of at most 2; take death-rays; stop")
    state = ("take", 0, 0, 0, 0, 2, ((1, 2, 5),))
    actions = ("death-rays", ("group", 1), ("group", 2), ("group", 5))
    assert policy.choose(state, actions) == ("group", 2)
    none = ("take", 0, 0, 0, 0, 2, ((5,),)), ("death-rays", ("group", 5))
    assert policy.choose(*none) == "death-rays"
    exact = read_policy(MARTIAN, "take the group of 5; stop")
    assert exact.choose(*none) == ("group", 5)


def test_crew_dice_are_picked_by_what_they_show():
    policy = read_policy(CREW, "roll dice of at most 3; stop")
    assert policy.choose(("crew", 1, 2, 5), ("stop", "roll-2", "roll-5", "roll-2-5")) == "roll-2"
    assert policy.choose(("crew", 1, 2, 3), ("stop", "roll-2", "roll-3", "roll-2-3")) == "roll-2-3"
    assert policy.choose(("crew", 1, 4, 5), ("stop", "roll-4", "roll-5", "roll-4-5")) == "stop"


@pytest.mark.parametrize(
    ("text", "under", "says"),
    [
        ("take the largst group; roll", "largst", "did you mean 'largest'?"),
        ("stop at 6 pionts", "pionts", "did you mean 'points'?"),
        ("stop if 6 > tanks tanks", "tanks", "the rule is over"),
        ("stop if tanks > reys", "reys", "did you mean 'rays'?"),
        ("stop if tanks", None, "a comparison is missing"),
        ("stop if tanks-rays > 1", "tanks-rays", "put spaces around the minus sign"),
        ("stop if (tanks > 1; roll", "; roll", "a closing bracket is missing"),
        ("roll; stop at £", "£", "cannot be read"),
        ("stop if 99999999999 > tanks", "99999999999", "no game has that many"),
        ("stop if and tanks > 1", "and", "no number"),
        ("fly away", "fly", "is no action"),
        ("stop if " + "(" * 60 + "tanks", None, "nested deeper"),
    ],
)
def test_a_text_that_cannot_be_read_shows_the_first_error(text, under, says):
    with pytest.raises(NotationError) as caught:
        read_policy(MARTIAN, text)
    assert says in str(caught.value)
    if under is not None:
        assert caught.value.text[caught.value.at :].startswith(under)


def test_the_caret_stands_in_its_own_line_of_a_long_text():
    with pytest.raises(NotationError) as caught:
        read_policy(MARTIAN, "take death-rays\ntake the lorgest group\nroll")
    assert caught.value.text == "take the lorgest group"
    assert caught.value.text[caught.value.at :].startswith("lorgest")


def test_a_position_without_a_decision_is_shown():
    policy = read_policy(MARTIAN, "take the largest group if tanks > 3; stop if dice < 3")
    with pytest.raises(PositionError) as caught:
        evaluate_policy(MARTIAN, policy.choose)
    assert "the rules say nothing at this position" in str(caught.value)
    assert "to take:" in str(caught.value)
    assert "death-rays" in caught.value.rule


def test_a_text_that_speaks_of_stopping_only_means_rolling_otherwise():
    said = read_policy(PIG, "stop at 20 points; roll")
    implied = read_policy(PIG, "stop at 20 points")
    opposite = read_policy(PIG, "roll while points < 20")
    for state, actions in decisions(PIG):
        wanted = said.choose(state, actions)
        assert implied.choose(state, actions) == opposite.choose(state, actions) == wanted
    with pytest.raises(PositionError):  # in Alien Crew there are many ways to roll
        evaluate_policy(CREW, read_policy(CREW, "stop at 8 points").choose)


# --- functions


def test_a_function_sees_the_positions_words_and_names_actions():
    def choose(p):
        if "stop" not in p.actions:
            return "death-rays" if "death-rays" in p.actions else f"group-{p.smallest}"
        return "stop" if p.points >= 3 or (p.needed < FAR and p.points >= p.needed) else "roll"

    function = FunctionPolicy(SMALL, choose, "mine")
    text = read_policy(SMALL, "take death-rays; take the smallest group; stop at 3 points; roll")
    assert evaluate_policy(SMALL, function.choose) == evaluate_policy(SMALL, text.choose)


def test_a_file_is_read_as_a_policy(tmp_path):
    file = tmp_path / "my_policy.py"
    file.write_text("def choose(position):\n    return position.actions[0]\n")
    policy = read_policy(PIG, f"{file}:choose")
    assert policy.choose(("total", 3), ("stop", "roll")) == "stop"
    with pytest.raises(UnknownNameError, match="choice"):
        read_policy(PIG, f"{file}:choice")
    with pytest.raises(UsageError, match="no file"):
        read_policy(PIG, f"{tmp_path}/none.py:choose")
    file.write_text("def choose(position):\nreturn 1\n")
    with pytest.raises(UsageError, match="line 2"):
        read_policy(PIG, f"{file}:choose")


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda _p: "hold", "chose 'hold', which is not legal, at turn total 2"),
        (lambda _p: ["stop"], "which is not legal"),
        (lambda _p: None, "which is not legal"),
        (lambda p: p.tanks, "raised AttributeError at turn total 2"),
        (lambda _p: 1 // 0, "raised ZeroDivisionError"),
        (lambda _p: {"stop": 0.5}, "chances that sum to 0.5"),
        (lambda _p: {"stop": 1.5, "roll": -0.5}, "the chance -0.5"),
        (lambda _p: {"stop": "half"}, "the chance 'half'"),
    ],
)
def test_an_illegal_answer_says_which_and_where(answer, says):
    policy = FunctionPolicy(PIG, answer, "mine")
    with pytest.raises(UsageError) as caught:
        policy.choose(("total", 2), ("stop", "roll"))
    assert says in str(caught.value)


def test_the_evaluator_refuses_illegal_actions_and_chances_too():
    for answer in ("hold", {"hold": 1}, {"stop": Fraction(1, 2)}, {"stop": 2, "roll": -1}):
        with pytest.raises(GameError):
            evaluate_policy(PIG, lambda _s, _a, answer=answer: answer)


# --- names


def test_points_is_the_canonical_best_play():
    for rules in (SMALL, CREW, PIG):
        best = solve_turn(rules, "points", exact=True)
        policy = named_policy(rules, "points")
        for state, actions in decisions(rules):
            first = next(o.action for o in best.options(state) if o.best)
            assert policy.choose(state, actions) == first
        assert evaluate_turn(rules, policy).loss == 0


def test_capped_stops_at_what_is_needed():
    policy = named_policy(MARTIAN, "capped")
    state, actions = ("aside", 0, 5, 2, 1), ("stop", "roll")
    assert policy.choose(state, actions, Standing(needed=2)) == "stop"
    assert policy.choose(state, actions, Standing(needed=3)) == "roll"
    assert policy.choose(state, actions) == "roll"


def test_greedy_looks_one_roll_ahead():
    """Written again as a sum over one roll, for every decision of six dice."""
    policy = named_policy(SMALL, "greedy")

    def stopped(state):
        what = SMALL.expand(state)
        if isinstance(what, Choose):
            return max(map(stopped, what.options.values()))
        return what.outcome if hasattr(what, "outcome") else 0

    def once(state):
        what = SMALL.expand(state)
        if isinstance(what, Choose):
            return max(map(once, what.options.values()))
        if hasattr(what, "outcome"):
            return what.outcome
        whole = sum(w for w, _ in what.branches)
        return sum(Fraction(w, whole) * stopped(after) for w, after in what.branches)

    for state, actions in decisions(SMALL):
        options = SMALL.expand(state).options
        worth = {a: once(after) for a, after in options.items()}
        assert worth[policy.choose(state, actions)] == max(worth.values())


def test_random_is_evaluated_exactly():
    """Two dice of Pig by hand: a coin at every total."""
    small = game("pig", target=3)
    found = evaluate_policy(small, named_policy(small, "random").choose)
    assert found == {3: Fraction(53, 72), 2: Fraction(1, 12), 0: Fraction(13, 72)}


def test_the_random_bot_counts_types_not_sizes():
    """With two dice and equal groups: its distribution from all 36 ordered rolls."""
    rules = game("martian-dice", dice=2)
    found = evaluate_turn(rules, named_policy(rules, "bot-random")).points
    faces = "TRRHCK"

    def play(tanks, rays, kinds, dice, weight, scored):
        heads = {}
        if not dice:
            points = 0 if tanks > rays else sum(kinds.values()) + 3 * (len(kinds) == 3)
            scored[points] = scored.get(points, 0) + weight
            return
        for code in range(6**dice):
            shown = [faces[code // 6**i % 6] for i in range(dice)]
            part = weight / 6**dice
            now = tanks + shown.count("T")
            types = [t for t in "RHCK" if t in shown and t not in kinds]
            if not types:
                points = 0 if now > rays else sum(kinds.values()) + 3 * (len(kinds) == 3)
                scored[points] = scored.get(points, 0) + part
            for t in types:
                more = shown.count(t)
                after_rays = rays + (more if t == "R" else 0)
                heads = kinds | ({t: more} if t != "R" else {})
                left = dice - shown.count("T") - more
                points = 0 if now > after_rays else sum(heads.values()) + 3 * (len(heads) == 3)
                share = part / len(types)
                if points and left:
                    stop = 1 if len(heads) == 3 else Fraction(1, 2)
                    scored[points] = scored.get(points, 0) + share * stop
                    share *= 1 - stop
                if share:
                    play(now, after_rays, heads, left, share, scored)

    scored = {}
    play(0, 0, {}, 2, Fraction(1), scored)
    assert {p: c for p, c in scored.items() if c} == dict(found)


def test_a_policy_of_another_game_is_refused():
    with pytest.raises(UsageError, match="is for martian-dice, not for pig"):
        read_policy(PIG, "bot-defensive")
    with pytest.raises(UnknownNameError, match="unknown policy name 'optimum'"):
        read_policy(PIG, "optimum")
    with pytest.raises(NotationError):
        read_policy(PIG, "take the largest group")
    with pytest.raises(NotationError):
        read_policy(PIG, "  ")


def test_every_name_has_a_policy_that_plays():
    for rules in (SMALL, CREW, PIG):
        for name in policy_names(rules):
            policy = named_policy(rules, name)
            assert policy.name == name
            if name == "optimal":
                with pytest.raises(UsageError, match="needs the scores"):
                    evaluate_policy(rules, policy.choose)
                continue
            for beginning in starts_of(rules):
                chances = evaluate_policy(policy.game, policy.choose, beginning=beginning)
                assert sum(chances.values()) == 1


def test_a_game_without_words_is_played_by_its_actions_names():
    class Coin:
        name = "coin"

        def start(self):
            return 0

        def expand(self, state):
            return PIG.expand(("total", 2)) if state == 0 else PIG.expand(state)

    policy = TextPolicy.read(Coin(), "roll if needed > 5; stop")
    assert policy.choose(0, ("stop", "roll"), Standing(needed=9)) == "roll"
    assert policy.choose(0, ("stop", "roll"), Standing(needed=5)) == "stop"


# --- many standings at once

STANDINGS = [
    Standing(needed=n, lead=lead, last=last, rounds=r)
    for n, lead, last, r in ((1, 0, 0, 3), (4, -2, 1, 0), (9, 5, 0, 2), (4, 3, 0, 2), (30, 0, 0, 9))
]
NAMES = ("needed", "lead", "last", "rounds")
WORDS = {name: np.array([getattr(s, name) for s in STANDINGS]) for name in NAMES}


@pytest.mark.parametrize(
    "text",
    [
        "points",
        "capped",
        "greedy",
        "random",
        "bot-random",
        "bot-defensive",
        "bot-aggressive",
        EXAMPLE,
        (
            "stop if points >= needed or (points > 1 and lead > 0) or last = 1;"
            " take the largest group; take death-rays"
        ),
        (
            "take the largest group of at most needed; take death-rays; take the smallest group;"
            " stop if points > 0 and rounds < 3"
        ),
    ],
)
def test_turns_of_many_standings_are_those_of_each(text):
    """The float walk through all standings, and exact rationals one by one."""
    policy, graph = read_policy(SMALL, text), compile_turn(SMALL)
    book = TurnBook(policy, graph)
    rows = book.chances(WORDS)
    for standing, row in zip(STANDINGS, rows, strict=True):
        exact = evaluate_turn(SMALL, policy, standing=standing, graph=graph).distribution
        wanted = [float(exact.get(outcome, 0)) for outcome in graph.outcomes]
        assert np.abs(row - wanted).max() <= book.rounding < 1e-12


@pytest.mark.parametrize(
    "text", ["greedy", EXAMPLE, "stop if points >= needed or lead > 0; take the group"]
)
def test_without_numba_a_text_plays_the_same(monkeypatch, text):
    policy, graph = read_policy(SMALL, text), compile_turn(SMALL)
    compiled = TurnBook(policy, graph).chances(WORDS)
    monkeypatch.setattr("solver.policies.turns.find_spec", lambda _name: None)
    plain = TurnBook(policy, graph).chances(WORDS)
    assert np.abs(compiled - plain).max() < 1e-15


def test_an_undecided_position_is_shown_in_matches_too(monkeypatch):
    policy = read_policy(SMALL, "take the largest group if needed > 3; stop if dice < 3")
    for numba in (True, False):
        if not numba:
            monkeypatch.setattr("solver.policies.turns.find_spec", lambda _name: None)
        with pytest.raises(PositionError, match="the rules say nothing at this position"):
            TurnBook(policy, compile_turn(SMALL)).chances(WORDS)


_BITS = [
    "take",
    "the",
    "largest",
    "group",
    "death-rays",
    "stop",
    "roll",
    "score",
    "of",
    "at",
    "most",
]
_BITS += ["if", "while", "unless", "and", "or", "not", "(", ")", ">", "<=", "=", "+", "-", "*", "3"]
_BITS += [
    "tanks",
    "rays",
    "points",
    "needed",
    "no",
    "tank",
    "covered",
    "by",
    ";",
    "\n",
    "#",
    "least",
]


@settings(max_examples=300, deadline=None)
@given(bits=st.lists(st.sampled_from(_BITS), max_size=14))
def test_any_text_is_a_policy_or_refused_with_a_caret(bits):
    text = " ".join(bits)
    refused: list[NotationError] = []
    try:
        policy = TextPolicy.read(SMALL, text)
    except NotationError as error:
        refused.append(error)
    if refused:
        assert refused[0].text is not None
        assert 0 <= refused[0].at <= len(refused[0].text)
        return
    state, actions = ("take", 1, 0, 0, 0, 1, ((1, 2),)), ("death-rays", ("group", 1), ("group", 2))
    lines = [rule for rule in policy.rules if rule.test is None and rule.limit is None]
    always = any(rule.phrase.words[0] == "take" for rule in lines)
    try:
        assert policy.choose(state, actions) in actions
    except PositionError:
        assert not always


def test_functions_are_asked_once_for_standings_that_look_alike():
    asked = []

    def choose(p):
        asked.append(p.state)
        return "stop" if p.points >= min(p.needed, 20) else "roll"

    book = TurnBook(FunctionPolicy(PIG, choose, "mine"), compile_turn(PIG))
    book.chances(WORDS)
    first = len(asked)
    book.chances({**WORDS, "lead": WORDS["lead"] + 1})
    assert len(asked) == first  # the lead was never looked at


def test_states_know_how_far_rounding_can_go():
    for rules in (SMALL, CREW, PIG):
        assert 0.0 < turn_states(rules).rounding < 1e-12


def test_a_situation_says_what_it_is():
    words = vocabulary_of(MARTIAN)
    seen = Situation(words, ("aside", 2, 3, 4, 1), ("stop", "roll"))
    assert (seen.tanks, seen.rays, seen.spare, seen.points, seen.dice) == (2, 3, 1, 4, 4)
    assert seen.death_rays == 3
    assert "2 tanks, 3 death rays, 4 heads of 1 kind" in repr(seen)
    with pytest.raises(AttributeError, match="did you mean 'tanks'"):
        _ = seen.tonks
