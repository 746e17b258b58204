"""Tables: whole, of the installed rules, right; built so that nothing is ever half there."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest

from solver.advisor import advise
from solver.apps.cli.main import run
from solver.errors import (
    CorruptTableError,
    MissingTableError,
    ShouldIRollError,
    StaleTableError,
    TableError,
    UnknownNameError,
    WriteError,
)
from solver.games import game
from solver.games.source import source_digest
from solver.tablebase import build, locate, open_tables
from solver.tablebase.build import Recipe, build_table
from solver.tablebase.manifest import TableEntry, sealed
from solver.tablebase.verify import verify_table
from solver.tablebase.write import write_table

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "tables"
MANIFEST = "MANIFEST.json"


# Tables of games small enough to be built and proven in a blink.
SMALL_TURN = {"dice": 4}
SMALL_RACE = {"dice": 4, "target": 5}
SMALL = {
    "small-turn": Recipe("martian-dice", parameters=SMALL_TURN),
    "small-race": Recipe("martian-dice", seats=2, parameters=SMALL_RACE),
}
QUESTIONS = {
    "small-turn": {"parameters": SMALL_TURN, "aside": "R1 H1"},
    "small-race": {
        "parameters": SMALL_RACE,
        "roll": "R1 H1 C2",
        "scores": (0, 1),
        "seat": 1,
    },
    "martian-dice-points": {"aside": "T2 R3 H4", "roll": "R2 C1 K1"},
    "martian-dice-win-2": {
        "aside": "T2 R3 H4",
        "roll": "R2 C1 K1",
        "scores": (12, 20),
        "seat": 1,
    },
}


def ask(name, directory):
    """Ask what the table of this name answers."""
    return advise("martian-dice", tables=directory, **QUESTIONS[name])


def verify(name, directory):
    with open_tables(directory) as tables:
        return verify_table(tables[name])


def manifest_of(directory):
    return json.loads((directory / MANIFEST).read_text(encoding="utf-8"))


def edit(directory, change):
    """Change the manifest, as JSON, and seal its entries anew: a forger would."""
    manifest = manifest_of(directory)
    change(manifest)
    for name, entry in manifest.get("tables", {}).items():
        try:
            forged = msgspec.convert(entry, TableEntry, strict=False)
        except msgspec.ValidationError:
            continue
        manifest["tables"][name] = msgspec.to_builtins(sealed(forged))
    (directory / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def files_of(directory, name):
    """What a file is for -> its path."""
    files = manifest_of(directory)["tables"][name]["files"]
    return {label: directory / file["path"] for label, file in files.items()}


def bytes_below(directory):
    """Every file below a directory but locks, with its content."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture(scope="session")
def small_tables(tmp_path_factory):
    """A folder of small tables; copy it before changing anything."""
    directory = tmp_path_factory.mktemp("small")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "RECIPES", SMALL)
        for name in SMALL:
            build_table(name, directory)
    return directory


@pytest.fixture
def small(small_tables, tmp_path):
    """A copy of the small tables."""
    return Path(shutil.copytree(small_tables, tmp_path / "tables"))


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """A copy of the committed tables; tests put back what they change."""
    directory = Path(shutil.copytree(TABLES, tmp_path_factory.mktemp("committed") / "tables"))
    source = source_digest(game("martian-dice"))  # so that no question compiles the turn
    for name in ("martian-dice-points", "martian-dice-win-2"):
        edit(directory, lambda m, n=name: m["tables"][n].update(source=source))
    return directory


# --- what is committed


def committed_names():
    return list(manifest_of(TABLES)["tables"])


def test_the_turn_and_the_race_to_25_are_committed():
    assert {"martian-dice-points", "martian-dice-win-2"} <= set(committed_names())


def seats_of(name):
    return manifest_of(TABLES)["tables"][name]["seats"]


COMPILED = find_spec("numba") is not None
MANY_SEATS = pytest.mark.skipif(not COMPILED, reason="the proof for three seats needs numba")
QUICKLY_VERIFIED = {"martians-gauntlet", "martians-gauntlet-kills", "pig-win-2"}
"""One of each way to be proven but alone; `should-i-roll tables verify` goes through all."""


def marks_of(name):
    slow = [] if name in QUICKLY_VERIFIED else [pytest.mark.slow]
    return [*slow, MANY_SEATS] if seats_of(name) > 2 else slow


@pytest.mark.parametrize("name", committed_names())
def test_committed_tables_state_a_small_error(name):
    with open_tables(TABLES) as tables:
        entry = tables[name].entry
    least = {"turn": 0.0, "race": 1e-12 if entry.seats == 2 else 1e-10, "alone": 1e-10}
    assert entry.error <= least[entry.kind]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=marks_of(name)) for name in committed_names()]
)
def test_committed_tables_verify(name):
    result = verify(name, TABLES)
    with open_tables(TABLES) as tables:
        entry = tables[name].entry
    assert result.bytes == sum(path.stat().st_size for path in files_of(TABLES, name).values())
    assert result.error <= entry.error
    rolls = entry.files["roll-rows"].shape[0] if "policy-value" in entry.files else 0
    states = entry.files["policy-value"].shape[0] if rolls else 0
    assert result.rolls == rolls * states  # every one, at every boundary state


@pytest.mark.parametrize("name", committed_names())
def test_committed_tables_are_of_the_installed_source(name):
    """Else every first question would wait for the turn to be compiled."""
    with open_tables(TABLES) as tables:
        entry = tables[name].entry
    assert entry.source == source_digest(build.RECIPES[name].make_game())


def test_nothing_lies_about_that_no_manifest_names():
    named = {path for name in committed_names() for path in files_of(TABLES, name).values()}
    found = {path for path in TABLES.rglob("*") if path.is_file() and path.name != ".lock"}
    assert found == named | {TABLES / MANIFEST}


def test_rebuilding_the_turn_gives_the_same_bytes(tmp_path):
    name = "martian-dice-points"
    build_table(name, tmp_path)
    assert bytes_below(tmp_path / name) == bytes_below(TABLES / name)
    rebuilt, shipped = (manifest_of(at)["tables"][name] for at in (tmp_path, TABLES))
    assert {**rebuilt, "source": ""} == {**shipped, "source": ""}


def same_but_for_rounding(name, one, other):
    """Equal choices, states and shapes, values within 1e-12, bust chances within two units."""
    first, second = files_of(one, name), files_of(other, name)
    assert first.keys() == second.keys()
    for label, path in first.items():
        a, b = np.load(path), np.load(second[label])
        if a.dtype.kind == "f":
            assert a.shape == b.shape
            loose = 1e-9 if label == "open-play" else 1e-12  # expected rounds are counted there
            assert np.abs(a - b).max(initial=0) <= loose, label
            assert np.abs(a[..., :2] - b[..., :2]).max(initial=0) <= 1e-12, label
        elif label == "policy-bust":
            assert np.abs(a.astype(np.int64) - b.astype(np.int64)).max() <= 2
        else:
            assert np.array_equal(a, b), label


@pytest.mark.parametrize(
    "name", ["pig-win-2", pytest.param("martian-dice-win-2", marks=pytest.mark.slow)]
)
def test_rebuilding_a_committed_race_gives_the_same_choices(tmp_path, name):
    build_table(name, tmp_path)
    same_but_for_rounding(name, tmp_path, TABLES)


def test_rebuilding_a_race_gives_the_same_choices(small_tables, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "RECIPES", SMALL)
    build_table("small-race", tmp_path)
    same_but_for_rounding("small-race", tmp_path, small_tables)


def test_rebuilding_in_place_changes_nothing(small, monkeypatch):
    monkeypatch.setattr(build, "RECIPES", SMALL)
    before = bytes_below(small)
    for name in SMALL:
        build_table(name, small)
    assert bytes_below(small) == before


def test_the_numbers_of_the_manifest_are_those_of_the_table():
    """What lists and pages show is what the arrays hold."""
    tables = manifest_of(TABLES)["tables"]
    with open_tables(TABLES) as opened:
        turn, race = opened["martian-dice-points"], opened["martian-dice-win-2"]
        at_start = turn.array("roll-states").tolist().index([0, 0, 0, 0, 0])
        row = int(turn.array("roll-rows")[at_start])
        numbers = tables["martian-dice-points"]["numbers"]
        assert numbers["value"] == turn.array("policy-value")[0, row]
        assert numbers["bust"] == turn.array("policy-bust")[0, row]
        numbers = tables["martian-dice-win-2"]["numbers"]
        first, second, rounds, tie = race.array("open-play")[0, 0, 0].tolist()
        assert numbers["win_probability"] == [first, second]
        assert numbers["expected_rounds"] == 1 + rounds
        assert numbers["tie_probability"] == tie


def test_arrays_are_mapped_and_read_only():
    with open_tables(TABLES) as tables:
        for name in tables.names:
            table = tables[name]
            for label in table.entry.files:
                array = table.array(label)
                assert isinstance(array, np.memmap), label
                assert not array.flags.writeable, label
                assert array.dtype.byteorder in "<|=", label
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0


def test_advice_cannot_change_a_table():
    before = bytes_below(TABLES)
    with open_tables(TABLES) as tables:
        for name in ("martian-dice-points", "martian-dice-win-2"):
            advise("martian-dice", tables=tables, **QUESTIONS[name])
    assert bytes_below(TABLES) == before


# --- damage


def refused(name, directory, kind, *parts):
    """Advice and verification both refuse, with a message that names these parts."""
    for question in (ask, verify):
        with pytest.raises(kind) as caught:
            question(name, directory)
        for part in parts:
            assert part in str(caught.value)
        assert caught.value.exit_code == 5


def places(size):
    """Offsets in a file: in its header of 128 bytes, where data begin, the last."""
    return sorted({7, 60, 128 + (size - 128) // 3, size - 1})


def flipped(content, at, bit):
    """The content with a bit of one byte changed."""
    return content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]


DAMAGED = [
    (name, label)
    for name in ("martian-dice-points", "martian-dice-win-2")
    for label in manifest_of(TABLES)["tables"][name]["files"]
]


@pytest.mark.parametrize(("name", "label"), DAMAGED)
def test_a_flipped_byte_is_refused(committed, name, label):
    path = files_of(committed, name)[label]
    content = path.read_bytes()
    try:
        for at in places(len(content)):
            path.write_bytes(flipped(content, at, 0x80))
            refused(name, committed, CorruptTableError, name, path.name, f"build {name}")
    finally:
        path.write_bytes(content)
    assert ask(name, committed).table == name


@pytest.mark.parametrize(
    ("name", "step", "least"),
    [
        ("small-turn", 13, 150),
        ("small-race", 97, 150),
        pytest.param("small-turn", 5, 400, marks=pytest.mark.slow),
        pytest.param("small-race", 31, 400, marks=pytest.mark.slow),
    ],
)
def test_flipped_bytes_all_through_a_table_are_refused(small, name, step, least):
    checked = 0
    for path in files_of(small, name).values():
        content = path.read_bytes()
        for at in range(len(path.name) % step, len(content), step):
            path.write_bytes(flipped(content, at, 1 << at % 8))
            with pytest.raises(CorruptTableError):
                ask(name, small)
            checked += 1
        path.write_bytes(content)
    assert checked > least
    assert ask(name, small).table == name


@pytest.mark.parametrize(("name", "label"), DAMAGED)
def test_a_truncated_or_grown_file_is_refused(committed, name, label):
    path = files_of(committed, name)[label]
    content = path.read_bytes()
    try:
        for size in (0, 128, len(content) - 1):
            path.write_bytes(content[:size])
            refused(name, committed, CorruptTableError, name, path.name, f"{size} bytes")
        path.write_bytes(content + b"\0")
        refused(name, committed, CorruptTableError, name, path.name)
    finally:
        path.write_bytes(content)


@pytest.mark.parametrize(("name", "label"), DAMAGED)
def test_a_removed_file_is_refused(committed, name, label):
    path = files_of(committed, name)[label]
    away = path.with_suffix(".away")
    path.rename(away)
    try:
        refused(name, committed, CorruptTableError, name, path.name, f"build {name}")
    finally:
        away.rename(path)


def test_a_folder_in_place_of_a_file_is_refused(small):
    path = files_of(small, "small-turn")["policy-value"]
    path.unlink()
    path.mkdir()
    refused("small-turn", small, CorruptTableError, path.name)


def test_a_pickle_is_never_loaded(small):
    """Even under the right hash: objects in a file could run code."""
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    replaced(small, "small-turn", "policy-value", buffer.getvalue())
    refused("small-turn", small, CorruptTableError, "policy-value")


@pytest.mark.parametrize(
    ("array", "label"),
    [
        (np.zeros((1, 3)), "policy-value"),
        (np.zeros((1, 19), dtype=np.float32), "policy-value"),
        (np.zeros((1, 19), dtype=">f8"), "policy-value"),
    ],
    ids=["shape", "dtype", "byte order"],
)
def test_an_array_of_another_kind_is_refused(small, array, label):
    buffer = io.BytesIO()
    np.save(buffer, array)
    replaced(small, "small-turn", label, buffer.getvalue())
    refused("small-turn", small, CorruptTableError, "holds")


def test_a_damaged_table_does_not_hurt_its_neighbour(small):
    files_of(small, "small-race")["policy-value"].write_bytes(b"")
    assert ask("small-turn", small).table == "small-turn"
    verify("small-turn", small)
    refused("small-race", small, CorruptTableError)


def test_a_damaged_table_stops_the_command_with_one_message(small, capsys):
    path = files_of(small, "small-turn")["policy-value"]
    path.write_bytes(path.read_bytes()[:-1])
    for command in (
        ["advise", "martian-dice", "--set", "dice=4", "--tables", str(small), "--json"],
        ["tables", "verify", "small-turn", "--tables", str(small), "--json"],
    ):
        assert run(command) == 5
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: the table small-turn is damaged")
        assert "should-i-roll tables build small-turn" in err


# --- the manifest


def test_a_manifest_that_is_none_is_refused(small):
    whole = (small / MANIFEST).read_bytes()
    for content in (
        b"",
        b"\0" * 50,
        b"\xff\xfe\xfd",
        b"[]",
        b"null",
        b"{}",
        b'{"schema": 1}',
        b'{"schema": "1", "tables": {}}',
        b'{"schema": 1, "tables": {"a": {}}}',
        b'{"schema": 1, "tables": [' + b"[" * 100_000,
        whole[: len(whole) // 2],
        whole[:-3],
        whole.replace(b'"kind"', b'"kindness"', 1),
        whole.replace(b'"race"', b'"chase"'),
        whole.replace(b'"shape"', b'"form"'),
        whole.replace(b'"schema"', b'"extra": 1, "schema"', 1),
    ):
        (small / MANIFEST).write_bytes(content)
        for name in SMALL:
            refused(name, small, CorruptTableError, str(small / MANIFEST), "tables build")


@pytest.mark.parametrize("schema", [0, 2, 99])
def test_a_manifest_of_another_schema_is_refused(small, schema):
    edit(small, lambda m: m.update(schema=schema))
    refused("small-turn", small, CorruptTableError, f"schema {schema}", "reads 1")


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../secret.npy", "small-turn/../../secret.npy", "small-turn/.."]
)
def test_a_path_out_of_the_folder_is_refused(small, path):
    (small.parent / "secret.npy").write_bytes(b"secret")
    edit(small, lambda m: m["tables"]["small-turn"]["files"]["policy-value"].update(path=path))
    refused("small-turn", small, CorruptTableError, "outside its folder", path)
    refused("small-race", small, CorruptTableError)


# --- identity


def test_a_stale_table_is_refused(small):
    def stale(manifest):
        manifest["tables"]["small-turn"].update(graph="0" * 64, source="0" * 64)

    edit(small, stale)
    refused(
        "small-turn",
        small,
        StaleTableError,
        "built for other rules",
        "should-i-roll tables build small-turn",
    )


@pytest.mark.parametrize("name", SMALL)
def test_source_that_was_merely_edited_does_not_make_a_table_stale(small, name):
    """A comment changes the source and not the rules: the turn graph decides."""
    before = ask(name, small)
    edit(small, lambda m: m["tables"][name].update(source="0" * 64))
    assert ask(name, small) == before
    assert before.table == name
    verify(name, small)


def test_verification_compiles_whatever_the_source_says(small):
    edit(small, lambda m: m["tables"]["small-turn"].update(graph="0" * 64))
    with pytest.raises(StaleTableError):
        verify("small-turn", small)


def test_a_table_of_other_dice_under_these_rules_is_refused(small):
    """A manifest that calls four dice five."""
    for name in SMALL:
        edit(small, lambda m, n=name: m["tables"][n]["rules"].update(dice=5))
        with pytest.raises(StaleTableError):
            verify(name, small)
        with pytest.raises(StaleTableError):
            advise(
                "martian-dice",
                tables=small,
                **QUESTIONS[name] | {"parameters": {"dice": 5, "target": 5}, "roll": None},
            )


@pytest.mark.parametrize(
    "rules", [{"end": "immediate"}, {"target": 6}, {"bonus": 4}, {"faces": "T2 R2 H1 C1 K1"}]
)
def test_a_table_never_answers_for_other_rules(small, rules):
    asked = {**SMALL_RACE, **rules}
    answer = advise(
        "martian-dice", tables=small, parameters=asked, roll="R1 H1 C2", scores=(0, 1), seat=1
    )
    assert answer.table is None
    assert {str(answer.rules[key]) for key in rules} == {str(v) for v in rules.values()}


def test_a_turn_is_the_same_in_every_match(small):
    """Target, end and tie shape what turns add up to, not the turn."""
    answer = advise(
        "martian-dice",
        tables=small,
        parameters={"dice": 4, "target": 99, "end": "immediate", "tie": "shared"},
        aside="R1 H1",
    )
    assert answer.table == "small-turn"
    assert answer.options == ask("small-turn", small).options


# --- consistency: a forger who makes the hashes right


def replaced(directory, name, label, content):
    """Put this content in a file's place, with a hash that is right for it."""
    path = files_of(directory, name)[label]
    path.write_bytes(content)
    right = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    edit(directory, lambda m: m["tables"][name]["files"][label].update(right))


def forge(directory, name, label, change):
    """Change an array and make the hash right."""
    array = np.load(files_of(directory, name)[label])
    change(array)
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
    replaced(directory, name, label, buffer.getvalue())


def adding(place, by):
    def change(array):
        array[place] += by

    return change


def swapping(array):
    """Exchange two rows that differ."""
    other = next(i for i in range(1, len(array)) if (array[i] != array[0]).any())
    array[[0, other]] = array[[other, 0]]


def other_choice(row):
    def change(array):
        array[row] = 1 - array[row]

    return change


FORGERIES = {
    "a value of the turn": ("small-turn", "policy-value", adding((0, 3), 1e-9)),
    "a numerator": ("small-turn", "numerator", adding((3, 0), 1)),
    "a denominator": ("small-turn", "denominator", adding((3, 0), 1)),
    "a bust chance of the turn": ("small-turn", "policy-bust", adding((0, 3), 1e-9)),
    "the turn's choices": ("small-turn", "policy-choice", other_choice(0)),
    "which roll has which value": ("small-turn", "roll-rows", swapping),
    "a chance in open play": ("small-race", "open-play", adding((0, 1, 1, 0), 1e-9)),
    "the other seat's chance": ("small-race", "open-play", adding((1, 4, 4, 1), -1e-9)),
    "no number": ("small-race", "open-play", adding((0, 2, 2, 0), np.nan)),
    "a last turn": ("small-race", "last-1-1", adding((1, 1), 1e-9)),
    "what a win is worth": ("small-race", "last-0-1", adding((0,), -1e-3)),
    "what a tie is worth": ("small-race", "last-0-2", adding((0,), 1e-3)),
    "the points of an outcome": ("small-race", "points", adding((2,), 1)),
    "a roll at one boundary state": ("small-race", "policy-value", adding((5, 3), 1e-9)),
    "a roll in a last turn": ("small-race", "policy-value", adding((-2, 3), -1e-9)),
    "the start's bust chances": ("small-race", "policy-bust", adding((0, 3), 10**6)),
    "the start's choices": ("small-race", "policy-choice", other_choice(0)),
    "which value is which": ("small-race", "roll-rows", swapping),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_table_does_not_verify(small, forgery):
    """Every byte is the promised one, and the equations of best play do not hold."""
    name, label, change = FORGERIES[forgery]
    verify(name, small)
    forge(small, name, label, change)
    with np.errstate(invalid="ignore"), pytest.raises(ShouldIRollError) as caught:
        verify(name, small)
    assert caught.value.exit_code in (5, 6)
    assert "build" in str(caught.value)


UNSAMPLED = 1  # a boundary state between those whose rolls are averaged again


@pytest.mark.parametrize(
    ("label", "change"),
    [
        ("policy-choice", other_choice(UNSAMPLED)),
        ("policy-bust", adding((UNSAMPLED, slice(None)), 10**6)),
    ],
)
def test_a_forgery_at_any_boundary_state_is_found(small, label, change):
    """Advice reads all of them: what is not checked could be a wrong answer."""
    forge(small, "small-race", label, change)
    with pytest.raises(TableError):
        verify("small-race", small)


def test_a_smaller_error_than_can_be_proven_is_refused(small):
    edit(small, lambda m: m["tables"]["small-race"].update(error=1e-18))
    with pytest.raises(CorruptTableError, match=r"claims an error of 1\.0e-18"):
        verify("small-race", small)


def test_a_smaller_error_of_bust_chances_is_refused(small):
    edit(small, lambda m: m["tables"]["small-race"].update(bust_error=0.0))
    with pytest.raises(CorruptTableError):
        verify("small-race", small)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("small-turn", {"value": 9.0}),
        ("small-turn", {"exact": "9"}),
        ("small-turn", {"bust": 0.5}),
        ("small-race", {"win_probability": [0.75, 0.25]}),
        ("small-race", {"tie_probability": 0.5}),
    ],
)
def test_forged_numbers_in_the_manifest_do_not_verify(small, name, numbers):
    """They are what `tables list --json` publishes."""
    edit(small, lambda m: m["tables"][name]["numbers"].update(numbers))
    with pytest.raises(TableError):
        verify(name, small)


MISLED = {
    "a file is left out": lambda e: e["files"].pop("policy-bust"),
    "all files are left out": lambda e: e["files"].clear(),
    "states are named otherwise": lambda e: e.update(tags=["roll"]),
    "a race of other seats": lambda e: e.update(seats=3),
    "a race to another target": lambda e: e["rules"].update(target=6),
    "a turn": lambda e: e.update(kind="turn"),
    "an unknown game": lambda e: e.update(game="chess"),
    "an unknown rule": lambda e: e["rules"].update(colour="red"),
    "a rule called name": lambda e: e["rules"].update(name="x"),
    "a rule out of range": lambda e: e["rules"].update(dice=0),
}


@pytest.mark.parametrize("what", MISLED)
def test_a_manifest_that_misleads_does_not_verify(small, what):
    edit(small, lambda m: MISLED[what](m["tables"]["small-race"]))
    with pytest.raises(ShouldIRollError):
        verify("small-race", small)


@pytest.mark.parametrize("what", MISLED)
def test_a_manifest_that_misleads_is_never_answered_from(small, what):
    """The table is refused or found to be of something else; the answer is never another."""
    right = ask("small-race", small)
    edit(small, lambda m: MISLED[what](m["tables"]["small-race"]))
    try:
        answer = ask("small-race", small)
    except TableError:
        return
    assert [(o.action, o.then, o.best) for o in answer.options] == [
        (o.action, o.then, o.best) for o in right.options
    ]
    for option, expected in zip(answer.options, right.options, strict=True):
        assert option.value == pytest.approx(expected.value, abs=1e-12)


@pytest.mark.parametrize("name", SMALL)
def test_a_flipped_byte_in_the_manifest_is_never_another_answer(small, name):
    """It is refused, or what it says does not matter, or the answer is solved on the spot."""
    right = ask(name, small)
    content = (small / MANIFEST).read_bytes()
    refusals = 0
    for at in range(3, len(content), 29):
        (small / MANIFEST).write_bytes(flipped(content, at, 0x01))
        try:
            answer = ask(name, small)
        except TableError:
            refusals += 1
            continue
        assert len(answer.options) == len(right.options)
        for option, expected in zip(answer.options, right.options, strict=True):
            assert (option.action, option.then) == (expected.action, expected.then)
            assert option.value == pytest.approx(expected.value, abs=1e-12)
    assert refusals > 20


def test_a_race_under_another_name_for_its_rules_is_refused(small):
    """A manifest that calls the race to 5 the race to 6, and a question about that one."""
    edit(small, lambda m: m["tables"]["small-race"]["rules"].update(target=6))
    with pytest.raises(TableError):
        advise("martian-dice", tables=small, parameters={"dice": 4, "target": 6},
               roll="R1 H1 C2", scores=(0, 5), seat=1)  # fmt: skip


def test_a_denominator_of_zero_is_refused(small):
    def nothing(array):
        array[:] = 0

    forge(small, "small-turn", "denominator", nothing)
    for question in (ask, verify):
        with pytest.raises(TableError):
            question("small-turn", small)


# --- where tables are found


def marked(source, directory, mark):
    """A copy of the small tables that can be told by the error it claims."""
    shutil.copytree(source, directory)
    edit(directory, lambda m: m["tables"]["small-race"].update(error=mark))
    return directory


def found(directory=None):
    return ask("small-race", directory).exactness.error


def test_tables_are_searched_in_order(small_tables, tmp_path, monkeypatch):
    """An explicit folder, the environment, the shipped copy, the checkout."""
    package, checkout = tmp_path / "checkout" / "solver", tmp_path / "checkout"
    package.mkdir(parents=True)
    monkeypatch.setattr(locate, "_PACKAGE", package)
    (checkout / "pyproject.toml").touch()
    assert ask("small-race", None).table is None

    marked(small_tables, checkout / "tables", 1e-9)
    assert found() == 1e-9
    marked(small_tables, package / "_tables", 2e-9)
    assert found() == 2e-9
    environment = marked(small_tables, tmp_path / "environment", 3e-9)
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", str(environment))
    assert found() == 3e-9
    explicit = marked(small_tables, tmp_path / "explicit", 4e-9)
    assert found(explicit) == found(str(explicit)) == 4e-9


def test_a_folder_in_the_environment_adds_to_the_shipped_tables(small_tables, monkeypatch):
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", str(small_tables))
    with open_tables() as tables:
        assert {"small-turn", "small-race", "martian-dice-points"} <= set(tables.names)
    assert ask("martian-dice-points", None).table == "martian-dice-points"


def test_an_explicit_folder_is_the_only_one(small_tables, monkeypatch):
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", str(TABLES))
    with open_tables(small_tables) as tables:
        assert set(tables.names) == set(SMALL)
    assert ask("martian-dice-points", small_tables).table is None


def test_a_missing_folder_says_how_to_build(tmp_path, monkeypatch, capsys):
    for nowhere in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(MissingTableError) as caught:
            open_tables(nowhere)
        assert f"should-i-roll tables build --to {nowhere}" in str(caught.value)
    assert run(["advise", "martian-dice", "--tables", str(tmp_path / "nowhere")]) == 5
    assert "tables build --to" in capsys.readouterr().err
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", str(tmp_path / "nowhere"))
    for command in (["advise", "martian-dice"], ["tables", "list"], ["tables", "verify"]):
        assert run(command) == 5
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("error: the folder in SHOULD_I_ROLL_TABLES")
        assert f"should-i-roll tables build --to {tmp_path / 'nowhere'}" in err


def test_without_tables_advice_is_solved_on_the_spot(tmp_path, monkeypatch):
    expected = ask("martian-dice-points", None)
    monkeypatch.setattr(locate, "_PACKAGE", tmp_path)
    answer = ask("martian-dice-points", None)
    assert (expected.table, answer.table) == ("martian-dice-points", None)
    assert answer.options == expected.options


def test_an_unknown_table_is_refused(small):
    with open_tables(small) as tables, pytest.raises(UnknownNameError) as caught:
        tables["small-trun"]
    assert "did you mean 'small-turn'?" in str(caught.value)
    with pytest.raises(UnknownNameError, match="unknown table"):
        build_table("small-trun", small)


def test_an_installed_package_names_a_folder_to_build_in(tmp_path, monkeypatch, capsys):
    """Without a checkout there is no folder of its own that may be written."""
    monkeypatch.setattr(locate, "_PACKAGE", tmp_path)
    assert run(["tables", "build", "martian-dice-points"]) == 5
    assert "--to DIR" in capsys.readouterr().err
    monkeypatch.setenv("SHOULD_I_ROLL_TABLES", str(tmp_path / "mine"))
    monkeypatch.setattr(build, "RECIPES", SMALL)
    assert run(["tables", "build", "small-turn"]) == 0
    assert ask("small-turn", tmp_path / "mine").table == "small-turn"


# --- writing


OTHER = {"small-turn": Recipe("martian-dice", parameters={"dice": 5})}
"""Under an old name, other rules: every file of the new build differs from the old."""


def whole(directory, before):
    """The old table stands: same manifest, every named file with its bytes, no new answers."""
    after = bytes_below(directory)
    assert after[MANIFEST] == before[MANIFEST]
    for name in SMALL:
        verify(name, directory)
        assert ask(name, directory).table == name
    named = {str(p.relative_to(directory)) for n in SMALL for p in files_of(directory, n).values()}
    assert not [name for name in named if "tmp" in name]
    assert all(after[name] == before[name] for name in named)
    return after


def disturbed(monkeypatch, method, at, error):
    """Make a call of the method of `os` or `io` fail when it is made the `at`-th time."""
    count = iter(range(10**6))
    original = getattr(os, method)

    def call(*arguments, **options):
        if next(count) == at:
            raise error
        return original(*arguments, **options)

    monkeypatch.setattr(os, method, call)


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")],
    ids=["Ctrl-C", "full disk"],
)  # fmt: skip
def test_a_build_that_fails_at_any_file_leaves_the_old_table_whole(small, monkeypatch, error):
    monkeypatch.setattr(build, "RECIPES", OTHER)
    before = bytes_below(small)
    failed = 0
    for at in range(20):
        with monkeypatch.context() as patch:
            disturbed(patch, "fsync", at, error)
            try:
                build_table("small-turn", small)
            except (KeyboardInterrupt, WriteError):
                failed += 1
            else:
                break
        assert whole(small, before) == before, "nothing new is left behind"
    files = len(manifest_of(small)["tables"]["small-turn"]["files"])
    assert failed == files + 1, "every file and the manifest"
    verify("small-turn", small)
    assert manifest_of(small)["tables"]["small-turn"]["rules"]["dice"] == 5


class FullDisk:
    """A file on a disk with some room left."""

    room = 0

    def __init__(self, file):
        self._file = file

    def write(self, content):
        if len(content) > FullDisk.room:
            self._file.write(content[: FullDisk.room])
            raise OSError(errno.ENOSPC, "No space left on device")
        FullDisk.room -= len(content)
        return self._file.write(content)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()


@pytest.mark.parametrize("room", [0, 1, 500, 2_000, 4_000])
def test_a_full_disk_leaves_the_old_table_whole(small, monkeypatch, room):
    """The write itself fails half-way, in one file or another."""
    monkeypatch.setattr(build, "RECIPES", OTHER)
    before = bytes_below(small)
    original = Path.open

    def opened(path, mode="r", *arguments, **options):
        file = original(path, mode, *arguments, **options)
        return FullDisk(file) if "w" in mode else file

    FullDisk.room = room
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", opened)
        with pytest.raises(WriteError) as caught:
            build_table("small-turn", small)
    assert "No space left on device" in str(caught.value)
    assert "the old table, if there was one, is whole" in str(caught.value)
    assert whole(small, before) == before


KILLED = """
import os, signal, sys
from pathlib import Path
from solver.tablebase import build
from solver.tablebase.build import Recipe, build_table
build.RECIPES = {"small-turn": Recipe("martian-dice", parameters={"dice": 5})}
left = int(sys.argv[2])
fsync = os.fsync
def killed(file):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    fsync(file)
os.fsync = killed
build_table("small-turn", Path(sys.argv[1]))
"""


def python(program, *arguments, **options):
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        **options,
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
@pytest.mark.parametrize("at", [0, 4, 8])
def test_a_killed_build_leaves_the_old_table_whole(small, monkeypatch, at):
    """kill -9 before the first file, between two, and before the manifest is replaced."""
    before = bytes_below(small)
    with python(KILLED, small, at) as build_:
        assert build_.wait(60) == -signal.SIGKILL
    whole(small, before)
    monkeypatch.setattr(build, "RECIPES", OTHER)
    build_table("small-turn", small)  # the next build does not stumble over what was left
    verify("small-turn", small)
    assert not list((small / "small-turn").glob(".*"))


def test_an_interrupt_when_all_is_done_does_not_undo_it(small, monkeypatch):
    """Ctrl-C right after the manifest was replaced: the new table stands and is whole."""
    monkeypatch.setattr(build, "RECIPES", OTHER)
    original = Path.replace

    def replace(path, target):
        moved = original(path, target)
        if Path(target).name == MANIFEST:
            raise KeyboardInterrupt
        return moved

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            build_table("small-turn", small)
    verify("small-turn", small)


def test_a_failed_build_does_not_take_files_from_one_that_came_after(small, monkeypatch):
    """Equal tables have equal files: what another build has made its own must stay."""
    monkeypatch.setattr(build, "RECIPES", OTHER)
    from solver.tablebase import write

    waiting = []

    class Lock(write.FileLock):
        def __exit__(self, *arguments):
            super().__exit__(*arguments)
            if waiting:  # somebody who waited for the lock builds the same table
                waiting.pop()()

    with monkeypatch.context() as patch:
        patch.setattr(write, "FileLock", Lock)
        disturbed(patch, "fsync", 4, OSError(errno.ENOSPC, "No space left on device"))
        waiting.append(lambda: build_table("small-turn", small))
        with pytest.raises(WriteError):
            build_table("small-turn", small)
    verify("small-turn", small)


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(build, "RECIPES", SMALL)
    (tmp_path / "file").touch()
    blocked = [tmp_path / "file", tmp_path / "file" / "below"]
    if os.geteuid():
        (tmp_path / "readonly").mkdir(mode=0o555)
        blocked.append(tmp_path / "readonly")
    for directory in blocked:
        assert run(["tables", "build", "small-turn", "--to", str(directory)]) == 5
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"error: the table small-turn could not be written to {directory}")
        assert "Traceback" not in err


def test_a_read_only_disk_is_one_message(small, monkeypatch, capsys):
    """Every way of making a file there fails, for root too."""
    monkeypatch.setattr(build, "RECIPES", OTHER)
    before = bytes_below(small)
    refuse = OSError(errno.EROFS, "Read-only file system")
    opened = os.open

    def open_(path, flags, *arguments, **options):
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise refuse
        return opened(path, flags, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", open_)
        assert run(["tables", "build", "small-turn", "--to", str(small)]) == 5
    err = capsys.readouterr().err
    assert err.startswith("error: the table small-turn could not be written")
    assert "Read-only file system" in err
    assert whole(small, before) == before


MANY = """
import sys, time
from pathlib import Path
import msgspec
from solver.tablebase import open_tables
from solver.tablebase.write import write_table
source, target, who = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
table = open_tables(source)["small-turn"]
arrays = {label: table.array(label) for label in table.entry.files}
(target / f"ready-{who}").touch()
while len(list(target.glob("ready-*"))) < 2:
    time.sleep(0.002)
for i in range(12):
    write_table(target, f"{who}-{i}", table.entry, arrays)
"""


def test_builds_of_different_tables_in_one_folder_all_land(small_tables, tmp_path):
    """Two processes write twelve tables each, and neither loses the other's from the manifest."""
    with (
        python(MANY, small_tables, tmp_path, "a") as a,
        python(MANY, small_tables, tmp_path, "b") as b,
    ):
        assert (a.wait(60), b.wait(60)) == (0, 0)
    with open_tables(tmp_path) as tables:
        assert set(tables.names) == {f"{who}-{i}" for who in "ab" for i in range(12)}
        for name in tables.names:
            for label in tables[name].entry.files:
                tables[name].array(label)


def test_two_threads_build_two_tables_in_one_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "RECIPES", SMALL)
    threads = [threading.Thread(target=build_table, args=(name, tmp_path)) for name in SMALL]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in SMALL:
        verify(name, tmp_path)


def test_a_reader_keeps_its_table_while_a_new_one_is_built(small, monkeypatch):
    """What is open stays what it was; what is opened afterwards is new."""
    monkeypatch.setattr(build, "RECIPES", OTHER)
    with open_tables(small) as tables:
        old = {
            label: tables["small-turn"].array(label) for label in tables["small-turn"].entry.files
        }
        values = {label: np.array(array) for label, array in old.items()}
        build_table("small-turn", small)
        assert all(np.array_equal(old[label], values[label]) for label in old)
    assert manifest_of(small)["tables"]["small-turn"]["rules"]["dice"] == 5


def test_a_build_over_a_ruined_manifest_begins_anew(small, monkeypatch):
    (small / MANIFEST).write_bytes(b"ruined")
    monkeypatch.setattr(build, "RECIPES", SMALL)
    build_table("small-turn", small)
    verify("small-turn", small)


def test_a_build_repairs_a_damaged_file(small, monkeypatch):
    path = files_of(small, "small-turn")["policy-value"]
    before = bytes_below(small)
    path.write_bytes(b"damaged")
    monkeypatch.setattr(build, "RECIPES", SMALL)
    build_table("small-turn", small)
    assert bytes_below(small) == before


def test_big_endian_arrays_are_written_little_endian(small, tmp_path):
    with open_tables(small) as tables:
        table = tables["small-turn"]
        arrays = {label: np.array(table.array(label)) for label in table.entry.files}
        entry = table.entry
    turned = {label: array.astype(array.dtype.newbyteorder(">")) for label, array in arrays.items()}
    written = write_table(tmp_path, "small-turn", entry, turned)
    assert written.files == entry.files
