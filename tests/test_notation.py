"""Dice as people write them, and a caret under the first letter that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import NotationError
from solver.games import game
from solver.games.martian_position import LEGEND, NAMES, WORDS
from solver.games.notation import read_counts, write_counts

everywhere = settings(max_examples=200, deadline=None, derandomize=True, database=None)
COUNTS = st.dictionaries(st.sampled_from("TRHCK"), st.integers(0, 10**30), max_size=5)


def read(given_, field="aside"):
    return read_counts(given_, NAMES, legend=LEGEND, field=field)


def refusal(text, field="aside"):
    with pytest.raises(NotationError) as refused:
        read(text, field)
    return refused.value


# --- spellings


@pytest.mark.parametrize(
    "text",
    [
        "T2 R3 H4",
        "t2 r3 h4",
        "2T 3R 4H",
        "2 T 3 R 4 H",
        "2t3r4h",
        "T2R3H4",
        "T2+R3+H4",
        "T2 + R3 + H4",
        "T2,R3,H4",
        "T2; R3; H4;",
        "  T2\tR3\nH4  ",
        "H4 T2 R3",
        "2 tanks, 3 death rays, 4 humans",
        "2 Tanks, 3 Death Rays, 4 Humans",
        "2 TANKS 3 DEATH RAYS 4 HUMANS",
        "2 tanks and 3 death rays and 4 humans",
        "2 tanks, 3 death-rays, and 4 humans",
        "2 tank 3 death ray 4 human",
        "2tanks 3deathrays 4humans",
        "2 tanks, 3 rays, 4 humans",
        "2 tanks, 3 death   rays, 4 humans",
        "T T R R R H H H H",
        "T,T,R,R,R,H,H,H,H",
        "tank tank ray ray ray human human human human",
        "T R3 T H2 2 humans",
        "R2 T2 R H1 H1 H2",
        "T2 R3 H4 C0 0 chickens",
        "T02 R3 H0004",
    ],
)
def test_one_position_in_every_spelling(text):
    counts = {face: count for face, count in read(text).items() if count}
    assert counts == {"T": 2, "R": 3, "H": 4}


@pytest.mark.parametrize(
    ("word", "letter"), [(word, letter) for letter, words in WORDS.items() for word in words]
)
def test_every_word_with_every_count(word, letter):
    for spelled in (word, word.upper(), word.title()):
        assert read(spelled) == {letter: 1}
        assert read(f"7 {spelled}") == {letter: 7}
        assert read(f"{spelled} {spelled}") == {letter: 2}
        assert read(f"1 {spelled} and 2 {spelled}") == {letter: 3}


@pytest.mark.parametrize("letter", "TRHCK")
def test_a_count_may_stand_right_behind_a_letter(letter):
    assert read(f"{letter}12") == read(f"{letter.lower()}12") == read(f"12{letter}") == {letter: 12}


@pytest.mark.parametrize("text", ["", "   ", ",", " + ; and, "])
def test_nothing_is_no_dice(text):
    assert read(text) == {}


def test_a_mapping_is_read_like_a_text():
    assert read({"T": 2, "death rays": 3, "Human": 0}) == {"T": 2, "R": 3, "H": 0}
    assert read({}) == {}


def test_faces_come_in_the_order_in_which_they_are_named():
    assert list(read("H4 T2 R3 H1")) == ["H", "T", "R"]


# --- there and back


@everywhere
@given(counts=COUNTS)
def test_what_is_written_is_read_again(counts):
    """Faces that no die shows are not written."""
    shown = {face: count for face, count in counts.items() if count}
    assert read(write_counts(counts)) == shown
    assert write_counts(read(write_counts(counts))) == write_counts(counts)


@st.composite
def spelled(draw):
    """Counts, and one of the many texts that say them."""
    items = []
    total = {}
    for letter in draw(st.lists(st.sampled_from("TRHCK"), max_size=6)):
        count = draw(st.integers(0, 40))
        word = draw(st.sampled_from(WORDS[letter]))
        word = draw(st.sampled_from([word, word.upper(), word.title()]))
        ways = [f"{count} {word}", f"{count}{word}"]
        ways += [f"{letter}{count}"] + [word] * (count == 1)
        items.append(draw(st.sampled_from(ways)))
        total[letter] = total.get(letter, 0) + count
    gap = st.sampled_from([", ", ",", "; ", " + ", "+", " and ", ", and ", "\n"])
    text = "".join(item + draw(gap) for item in items)
    return total, text


@everywhere
@given(case=spelled())
def test_every_text_says_its_counts(case):
    counts, text = case
    assert read(text) == counts


@everywhere
@given(text=st.text(st.sampled_from("TRHCKtrhckXdeath rays-+,.0123456789\n²Ⅷé"), max_size=24))
def test_any_text_is_read_or_refused_at_one_of_its_letters(text):
    counts, refused = {}, None
    try:
        counts = read(text)
    except NotationError as error:
        refused = error
    assert all(type(count) is int and count >= 0 for count in counts.values())
    assert set(counts) <= set("TRHCK")
    if refused is not None:
        assert (refused.text, refused.remedy) == (text, LEGEND)
        assert 0 <= refused.at < len(text)


# --- what cannot be read


@pytest.mark.parametrize(
    ("text", "at", "what"),
    [
        ("X", 0, "unknown letter 'X'"),
        ("T2 X3", 3, "unknown letter 'X'"),
        ("T2 R3 H4 q", 9, "unknown letter 'q'"),
        ("T2 X3 Y4", 3, "unknown letter 'X'"),  # the first of two
        ("T2R3Z1", 4, "unknown letter 'Z'"),
        ("2 tanks, 3 dragons", 11, "unknown face 'dragons'"),
        ("2 tanks, 3 death", 11, "unknown face 'death'"),
        ("2 tanks, 3 death, rays", 11, "unknown face 'death'"),
        ("2 tanks, 3 death humans", 11, "unknown face 'death'"),
        ("TTR", 0, "unknown face 'TTR'"),  # letters are not run together
        ("T2 RH", 3, "unknown face 'RH'"),
        ("T-2", 1, "negative"),
        ("R1 -2 T", 3, "negative"),
        ("T2 R--3", 4, "'-' cannot be read here"),
        ("T2.5", 2, "'.' cannot be read here"),
        ("T2/R3", 2, "'/' cannot be read here"),
        ("T=2", 1, "'=' cannot be read here"),
        ("T:2", 1, "':' cannot be read here"),
        ("(T2)", 0, "'(' cannot be read here"),
        ("T2 \N{CYRILLIC CAPITAL LETTER TE}2", 3, "cannot be read here"),  # looks like a T
        ("T²", 1, "'²' cannot be read here"),
        ("2 3 T", 2, "two counts in a row"),
        ("T2 5", 3, "a count without a face"),
        ("7", 0, "a count without a face"),
        ("T 2", 2, "a count without a face"),  # behind a letter means right behind it
        ("tanks 2", 6, "a count without a face"),
        ("tanks2", 5, "a count without a face"),  # behind a letter means not behind a word
        ("T2 " + "9" * 41 + " R", 3, "no game has that many dice"),
        ("R T" + "9" * 41, 3, "no game has that many dice"),
    ],
)
def test_the_caret_stands_under_the_offending_letter(text, at, what):
    refused = refusal(text)
    assert what in refused.what
    assert (refused.text, refused.at) == (text, at)
    head, shown, caret, remedy = str(refused).split("\n")
    assert head.startswith("--aside: ")
    assert shown == "  " + text
    assert caret == " " * (at + 2) + "^"
    assert remedy == f"try: {LEGEND}"


def test_the_message_names_the_field_and_the_legend():
    refused = refusal("R2 X", field="roll")
    assert str(refused).startswith("--roll: unknown letter 'X'")
    assert refused.field == "roll"
    for letter, words in WORDS.items():
        assert letter in refused.remedy
        assert any(word in refused.remedy for word in words[1:])


@pytest.mark.parametrize("counts", [{"T": -2}, {"T": 2.5}, {"T": None}, {"X": 1}, {"T": "two"}])
def test_a_mapping_that_cannot_be_read_is_refused(counts):
    with pytest.raises(NotationError):
        read(counts)


def test_forty_digits_are_read_whole():
    """10**30 dice are for the rules to refuse, with the number that was given."""
    assert read("T" + "9" * 40) == {"T": 10**40 - 1}


# --- in a game


def test_positions_show_the_short_notation():
    position = game("martian-dice").read_position(
        aside="4 humans, 2 tanks, 3 death rays", roll="chicken + 2 rays + cow"
    )
    assert position.shown == {"aside": "T2 R3 H4", "roll": "R2 C1 K1"}


@pytest.mark.parametrize("field", ["aside", "roll"])
def test_a_game_says_which_field_cannot_be_read(field):
    told = {"aside": "R1", "roll": "R1", field: "R2 X3"}
    with pytest.raises(NotationError) as refused:
        game("martian-dice").read_position(**told)
    assert (refused.value.field, refused.value.text, refused.value.at) == (field, "R2 X3", 3)
