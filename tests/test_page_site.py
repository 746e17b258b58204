"""The page as plain files: what is exported, how large it is, and that it is whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from solver.apps.cli.main import run
from solver.apps.web import export_site, site_directory
from solver.apps.web.shell import shell_line, write_shell
from solver.apps.web.site import GAMES
from solver.errors import CorruptTableError, UsageError
from solver.tablebase.read import open_tables

STATIC = site_directory()
TEXTS = {
    path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(STATIC.rglob("*"))
    if path.suffix in {".html", ".css", ".js", ".webmanifest", ".svg"}
}


def test_the_command_writes_a_page_with_its_tables(tmp_path, capsys):
    assert run(["site", str(tmp_path / "site"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    written = {p.relative_to(tmp_path / "site") for p in (tmp_path / "site").rglob("*")}
    assert {Path("index.html"), Path("sw.js"), Path("tables/MANIFEST.json")} <= written
    assert "martian-dice-win-2" in told["tables"]
    assert "pig-win-2" not in told["tables"]
    with open_tables(tmp_path / "site" / "tables") as copied, open_tables() as tables:
        assert set(copied.names) == set(told["tables"])
        for name in copied.names:
            assert copied[name].entry == tables[name].entry
            for label in copied[name].entry.files:
                copied[name].array(label)  # checks every byte
    page = sum(p.stat().st_size for p in STATIC.rglob("*") if p.is_file())
    assert told["page_bytes"] == page


def test_a_second_export_replaces_the_first_and_leaves_nothing_behind(tmp_path):
    with open_tables() as tables:
        export_site(tmp_path, tables)
        old = tmp_path / "tables" / "martian-dice-points" / "policy-value.000000000000.npy"
        old.write_bytes(b"of an earlier build")
        first = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and p != old}
        export_site(tmp_path, tables)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == first


def test_a_folder_of_something_else_is_not_written_to(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("years of work")
    assert run(["site", str(tmp_path)]) == 2
    assert "is not empty, and holds no page" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]
    with open_tables() as tables, pytest.raises(UsageError, match="is a file"):
        export_site(tmp_path / "thesis.txt", tables)


def test_a_damaged_table_is_not_exported(tmp_path):
    with open_tables() as tables:
        export_site(tmp_path / "a", tables)
    broken = next((tmp_path / "a" / "tables" / "martian-dice-points").glob("policy-value*"))
    broken.write_bytes(broken.read_bytes()[:-1] + b"!")
    with open_tables(tmp_path / "a" / "tables") as tables, pytest.raises(CorruptTableError):
        export_site(tmp_path / "b", tables)
    assert not (tmp_path / "b" / "tables" / "MANIFEST.json").exists()


def test_the_page_is_under_three_hundred_kilobytes():
    assert sum(p.stat().st_size for p in STATIC.rglob("*") if p.is_file()) < 300_000


def test_the_service_worker_names_the_files_as_they_are():
    line = shell_line(STATIC)
    assert line in TEXTS["sw.js"], "python -m solver.apps.web.shell"
    files = json.loads(line.removeprefix("const SHELL = ").removesuffix(";"))["files"]
    assert set(files) == {
        p.relative_to(STATIC).as_posix() for p in STATIC.rglob("*") if p.is_file()
    } - {"sw.js"}


def test_a_change_to_any_file_makes_a_new_version(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_shell(tmp_path)
    assert not write_shell(tmp_path)
    before = (tmp_path / "sw.js").read_text(encoding="utf-8")
    with (tmp_path / "js" / "app.js").open("a") as file:
        file.write("// changed\n")
    assert write_shell(tmp_path)
    assert (tmp_path / "sw.js").read_text(encoding="utf-8") != before


def test_nothing_names_another_origin_and_nothing_is_inline():
    for name, text in TEXTS.items():
        found = set(re.findall(r"https?://[^\s\"'`)]+", text))
        assert found <= {"http://www.w3.org/2000/svg"}, name
    html = TEXTS["index.html"]
    assert not re.search(r"<script(?![^>]*src=)", html)
    assert not re.search(r"<style|\sstyle=|\son\w+=", html)


def test_the_page_and_the_export_know_the_same_games():
    block = re.search(r"export const GAMES = \{(.*?)\};", TEXTS["js/games.js"], re.DOTALL)
    assert block
    assert tuple(re.findall(r'"([a-z-]+)":', block[1])) == GAMES


def imported(name: str) -> set[str]:
    """Return the modules that a module imports before it runs, and those that they import."""
    found = set()
    for path in re.findall(r'^import [^"\n]*"(\.[^"]+)"', TEXTS[name], re.MULTILINE):
        below = ((STATIC / name).parent / path).resolve().relative_to(STATIC).as_posix()
        found |= {below} | imported(below)
    return found


def test_every_module_that_the_first_answer_needs_is_fetched_at_once():
    asked = set(re.findall(r'rel="modulepreload" href="([^"]+)"', TEXTS["index.html"]))
    assert asked == imported("js/main.js")


def test_the_review_is_fetched_when_it_is_asked_for_and_kept_for_offline_use():
    later = {name for name in TEXTS if name.startswith("js/")} - imported("js/main.js")
    assert later == {
        "js/main.js",
        "js/view/review.js",
        *(f"js/review/{name}.js" for name in ("review", "steps", "text", "values")),
    }
    assert all(f'"{name}"' in TEXTS["sw.js"] for name in later)


def test_every_file_that_is_imported_is_there():
    for name, text in TEXTS.items():
        if not name.endswith(".js"):
            continue
        for path in re.findall(r'^(?:import|export)[^"\n]*"(\.[^"]+)"', text, re.MULTILINE):
            assert ((STATIC / name).parent / path).resolve().is_file(), (name, path)
