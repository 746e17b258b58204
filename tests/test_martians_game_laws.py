"""What holds in every game of Martians!!!, whatever is played: counts, limits, an end."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.games.martians.board import check_position, read_position, write_position
from solver.games.martians.board.components import ITEMS, Circle, Play, Token
from solver.games.martians.cards import synthetic_cards
from solver.games.martians.cards.cards import names
from solver.referee.martians_game import (
    Chance,
    RandomBot,
    Rules,
    new_game,
    record_text,
    replay,
)
from solver.referee.martians_game.rules import Figures, Lost, NotPlayed, Refill, Team

RULES = st.builds(
    Rules,
    play=st.sampled_from(Play),
    lost=st.sampled_from(Lost),
    refill=st.sampled_from(Refill),
    figures=st.sampled_from(Figures),
    team=st.sampled_from(Team),
    not_played=st.sampled_from(NotPlayed),
    goal=st.integers(3, 30),
)


class Watcher(RandomBot):
    """A random player who checks the table whenever it is asked."""

    def decide(self, question, view, options):
        check_table(view._course)
        return super().decide(question, view, options)


class Clerk(RandomBot):
    """A random player who holds every position he sees against the library's rules."""

    def decide(self, question, view, options):
        seen = view.position
        if (seen.moves or 0) <= 11:  # cards can add moves
            check_position(seen)
        return super().decide(question, view, options)


def check_table(course):
    table = course.table
    # one Martian a square, on squares that are there
    assert table.martians <= set(table.ground.martian)
    killed = sum(seat.martians for seat in table.seats)
    assert len(table.martians) + table.supply + table.box + killed == 100
    assert min(table.supply, table.box) >= 0
    # tokens are conserved, one a square, five at most
    faces = Counter(table.known.values())
    lives = sum(group.lives for group in table.hidden.values()) + faces[Token.LIFE]
    bullets = sum(group.bullets for group in table.hidden.values()) + faces[Token.BULLET]
    assert lives + sum(s.lives for s in table.seats) + table.bank[Token.LIFE] == 30
    assert bullets + sum(s.bullets for s in table.seats) + table.bank[Token.BULLET] == 60
    assert all(0 <= s.lives <= 5 and 0 <= s.bullets <= 5 for s in table.seats)
    squares = [*table.known, *(at for group in table.hidden.values() for at in group.squares)]
    assert len(squares) == len(set(squares))
    # 18 items, 9 in the cooperative game
    hidden = sum(group.items for group in table.hidden.values())
    assert sum(table.unseen.values()) == hidden + table.beside
    for item in ITEMS:
        owners = sum(item in seat.items for seat in table.seats)
        assert table.unseen[item] + faces[item] + owners == table.rules.play.of_each_item
    # four crop circles, one Mother Ship
    shown = Counter(table.circles.values())
    assert len(table.circles) <= 4
    assert shown[Circle.MOTHER_SHIP] <= 1
    assert shown[Circle.EMPTY] <= 3


def check_cards(course):
    cards = [*course.events.deck, *course.events.discarded, *course.martian_cards.deck]
    cards += course.martian_cards.discarded
    cards += [card for hand in course.hands for card in hand]
    cards += [card for seat in course.table.seats for card in seat.weapons]
    cards += [spell.card for spell in course.table.spells if spell.card is not None]
    box = synthetic_cards()
    assert sorted(cards) == sorted([*names(box.events), *names(box.martians)])


def watched(rules, players, seed):
    bots = [Watcher(np.random.default_rng([seed, n])) for n in range(players)]
    return new_game(bots, np.random.default_rng(seed), rules=rules)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rules=RULES, players=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_counts_and_limits_hold_at_every_moment(rules, players, seed):
    game = watched(rules, players, seed)
    for _ in range(12):
        if game.result is not None:
            break
        game.play_turn()
        check_table(game.course)
        check_cards(game.course)
        assert all(len(hand) <= 3 for hand in game.course.hands)


@pytest.mark.parametrize("seed", [4, 9, 13])
def test_a_card_that_ends_the_game_is_discarded_as_any_other(seed):
    """Martians Deck Rules: discarded after its effect. Here it places the last Martian."""
    game = watched(Rules(play=Play.COOPERATIVE), 2, seed)
    assert game.play(150).ending == "invaded"
    assert any(entry[0] is Chance.MARTIAN_CARD for entry in game.course.log[-4:])
    check_cards(game.course)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rules=RULES, players=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_every_turn_ends_in_a_position_that_the_library_allows_and_replays(rules, players, seed):
    """The position rules of the library are a second witness of the referee's."""
    game = watched(rules, players, seed)
    for _ in range(10):
        if game.result is None:
            game.play_turn()
            check_position(game.position)
    text = write_position(game.position)
    assert write_position(read_position(text)) == text
    assert write_position(replay(record_text(game)).position) == text


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=RULES, players=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_whole_games_keep_the_counts_and_end_or_say_that_they_do_not(rules, players, seed):
    game = watched(rules, players, seed)
    result = game.play(150)
    check_table(game.course)
    check_cards(game.course)
    assert (result.ending == "limit") is (game.result is None)
    assert (result.turns == 150) or game.result is not None
    assert result.ending not in ("invaded", "stranded") or rules.together
    assert result.ending != "collected" or not rules.together
    assert bool(result.seats) is (result.ending in ("ship", "collected"))
    text = record_text(game)
    again = replay(text)
    assert write_position(again.position) == write_position(game.position)
    assert record_text(again) == text


@pytest.mark.slow
@pytest.mark.parametrize("play", Play)
@pytest.mark.parametrize("players", [1, 3, 6])
def test_every_position_that_a_player_is_asked_in_is_allowed(play, players):
    for seed in range(2):
        clerks = [Clerk(np.random.default_rng([seed, n])) for n in range(players)]
        new_game(clerks, np.random.default_rng(seed), rules=Rules(play=play)).play(25)


def test_the_limit_of_turns_is_reported():
    result = watched(Rules(), 2, 1).play(3)
    assert (result.ending, result.seats, result.turns) == ("limit", (), 3)


def test_equal_seeds_give_equal_games():
    one, other = (watched(Rules(), 3, 7) for _ in range(2))
    for game in (one, other):
        game.play(20)
    assert record_text(one) == record_text(other)
    third = watched(Rules(), 3, 8)
    third.play(20)
    assert record_text(third) != record_text(one)
