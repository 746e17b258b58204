"""Who imports whom, what importing costs, and what the tree of files promises."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "solver").rglob("*.py"))
MOST_LINES = 400
HEAVY = {
    "IPython",
    "duckdb",
    "fastapi",
    "gymnasium",
    "llvmlite",
    "matplotlib",
    "networkx",
    "numba",
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "starlette",
    "sympy",
    "uvicorn",
}


def relative(path):
    return path.relative_to(ROOT).as_posix()


def modules_after(code):
    """The modules loaded by a fresh interpreter that runs this, less those it always loads."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("SHOULD_I_ROLL_TABLES", None)
    loaded = []
    for program in ("", code):
        run = subprocess.run(
            [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        loaded.append(set(run.stdout.splitlines()[-1].split()))
    return loaded[1] - loaded[0]


def packages(modules):
    return {name.partition(".")[0] for name in modules} - set(sys.stdlib_module_names)


# --- the order of the folders


def lint(config):
    from importlinter.cli import lint_imports

    return lint_imports(config_filename=str(config), no_cache=True, no_logo=True)


def test_a_folder_imports_only_those_to_its_left(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    assert lint(ROOT / "pyproject.toml") == 0, capsys.readouterr().out


def test_the_order_is_one_that_can_be_broken(monkeypatch, tmp_path):
    """The same contract with two folders exchanged fails: the check does look at the imports."""
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT))
    config = tmp_path / "exchanged.toml"
    config.write_text(
        '[tool.importlinter]\nroot_package = "solver"\n'
        '[[tool.importlinter.contracts]]\nname = "exchanged"\ntype = "layers"\n'
        'layers = ["solver.games", "solver.turn"]\n'
    )
    assert lint(config) != 0


def test_every_folder_has_a_place_in_the_order():
    """A folder that the contract does not name could import anything."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if c["type"] == "layers")
    named = {part.strip() for layer in layers for part in layer.replace("|", ":").split(":")}
    folders = {f"solver.{p.parent.name}" for p in (ROOT / "solver").glob("*/__init__.py")}
    assert folders <= named


# --- what importing costs


def test_import_solver_loads_next_to_nothing():
    loaded = modules_after("import solver")
    assert packages(loaded) == {"solver"}
    assert {name for name in loaded if name.startswith("solver")} == {"solver"}


def test_every_name_of_the_front_door_is_there():
    import solver

    for name in solver.__all__:
        assert getattr(solver, name) is not None
    assert set(solver.__all__) <= set(dir(solver))
    with pytest.raises(AttributeError, match="no attribute 'solve_trun'"):
        _ = solver.solve_trun


@pytest.mark.parametrize(
    "question",
    [
        ["--aside", "T2 R3 H4", "--roll", "R2 C1 K1"],
        ["--aside", "T2 R3 H4", "--roll", "R2 C1 K1", "--scores", "12,20", "--seat", "1"],
        ["--aside", "T2 R3 H4", "--objective", "at-least:7"],
    ],
    ids=["points", "win", "on the spot"],
)
def test_advice_loads_numpy_and_nothing_else_of_the_scientific_stack(question):
    loaded = modules_after(
        "from solver.apps.cli.main import run\n"
        f"assert run({['advise', 'martian-dice', *question, '--json']!r}) == 0"
    )
    assert "numpy" in loaded
    found = packages(loaded)
    assert not found & HEAVY
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {text.partition(">")[0].strip() for text in settings["project"]["dependencies"]}
    assert found <= {"solver", "typing_extensions", "colorama"} | declared


@pytest.mark.skipif(find_spec("numba") is None, reason="without numba there is nothing to load")
def test_the_compiled_kernel_is_loaded_only_to_solve():
    """Preparing everything that answers from tables does not load it."""
    loaded = modules_after(
        "import solver\n"
        "solver.open_tables, solver.advise, solver.solve_turn, solver.solve_match\n"
        "solver.solve_turn(solver.game('martian-dice', dice=2))"
    )
    assert not packages(loaded) & HEAVY


# --- the tree of files


def test_tables_hold_data_only():
    """A package called tables would hide PyTables, and with it pandas' HDF5."""
    assert (ROOT / "tables" / "MANIFEST.json").is_file()
    assert [relative(p) for p in (ROOT / "tables").rglob("*.py*")] == []


def test_no_file_is_longer_than_a_reader_can_hold():
    assert len(SOURCES) > 40
    lengths = {relative(p): len(p.read_text(encoding="utf-8").splitlines()) for p in SOURCES}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def undocumented(node, name, *, public):
    """Public names below a module or class without a docstring, in order."""
    if public and not ast.get_docstring(node):
        yield name
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            shown = public and not child.name.startswith("_")
            if isinstance(node, ast.Module | ast.ClassDef):
                yield from undocumented(child, f"{name}.{child.name}", public=shown)


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_every_public_name_is_documented(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert list(undocumented(tree, relative(path), public=True)) == []


def test_a_name_without_a_docstring_is_found():
    tree = ast.parse(
        '"""A module."""\nclass A:\n "A."\n def f(self): pass\n def _g(self): pass\n'
        "class _B:\n def f(self): pass\ndef h():\n 'H.'\n def inner(): pass\n"
    )
    assert list(undocumented(tree, "m", public=True)) == ["m.A.f"]
