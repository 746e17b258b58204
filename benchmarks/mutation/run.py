"""Do the quick tests notice small faults? Mutation testing of dice, turn and match.

    pip install -e '.[test]' coverage
    python benchmarks/mutation/run.py --sample 300 --work /tmp/mutation [--seed 1] [--json]

The checkout is copied into the folder `--work` and nothing else is changed. First the quick tests
of the files named in `TESTS` run once under coverage: which test function comes to which line, and
what time it takes. Then each of a sample of faults (`mutants.py`, drawn with a seed from all of
them) is put in, and the tests that come to its line run, the shortest first, until one fails:
the fault is *killed*. One that makes a test run out of its processor time is killed too. Results
are appended to `results.jsonl`, and a run that was stopped goes on from there. A few faults' tests
run without them first, and again whenever pytest ends otherwise than by a test that failed.

A fault in compiled code (numba) runs with a cache of its own; coverage does not see that code, so
all tests that come to its file's importers are taken.

Printed: how many of each file were killed, the share with its 95 % interval (Wilson), and what
survived, to be killed by a new test or explained in docs/explanation/mutation.md.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any, NoReturn

import numba
import pytest
from mutants import Mutant, mutants_of

for loaded in ("hypothesis", "networkx", "numpy", "scipy.sparse.linalg", "sympy"):
    import_module(loaded)  # once, for all forks

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("solver/dice", "solver/turn", "solver/match")
LEFT_OUT = ("/board/",)
COPIED = ("solver", "tests", "tables", "docs", "benchmarks", "README.md", "pyproject.toml")
TESTS = (
    "test_advice*",
    "test_alien*",
    "test_brute_force*",
    "test_dice*",
    "test_export*",
    "test_goal*",
    "test_graph*",
    "test_kernel*",
    "test_long_work*",
    "test_martian_dice*",
    "test_martians_rules*",
    "test_match*",
    "test_more_games*",
    "test_operator_laws*",
    "test_policies*",
    "test_proofs*",
    "test_protocol*",
    "test_published*",
    "test_same_answers*",
    "test_seats*",
    "test_solo*",
    "test_sweep*",
    "test_symbolic*",
    "test_tables*",
    "test_turn*",
    "test_yahtzee*",
)
CONTROLS = 5
"""Faults whose tests are run without them first."""
LONGEST = 60.0
"""Seconds of processor time of tests for one fault, at most."""
QUICK = ["-q", "-o", "addopts=--strict-markers", "-m", "not slow", "-p", "no:cacheprovider"]
QUICK += [word for name in ("schemathesis", "anyio", "xdist") for word in ("-p", f"no:{name}")]
QUICK += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # what is imported once, for all forks
OF_THE_TEXT = "test_compiled_code_is_not_older_than_its_source"
"""A test that notices any change of the text: it would kill faults that nothing else notices."""
QUICK += ["-k", f"not {OF_THE_TEXT}"]


def copied(work: Path) -> Path:
    """Return the copy of the checkout, made if there is none."""
    tree = work / "tree"
    if not tree.exists():
        tree.mkdir(parents=True)
        for name in COPIED:
            if (ROOT / name).is_dir():
                skip = shutil.ignore_patterns("__pycache__", "*.nbc", "*.nbi")
                shutil.copytree(ROOT / name, tree / name, ignore=skip)
            elif (ROOT / name).exists():
                shutil.copy(ROOT / name, tree / name)
    return tree


def environment(tree: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(tree.parent / "numba"),
        **more,
    }


def test_files(tree: Path) -> list[str]:
    found = {path for name in TESTS for path in (tree / "tests").rglob(f"{name}.py")}
    return sorted(str(path.relative_to(tree)) for path in found)


def coverage_map(tree: Path) -> dict[str, Any]:
    """Return file -> line -> test functions, and what is known of each test function."""
    kept = tree.parent / "coverage"
    kept.mkdir(exist_ok=True)
    lines: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    tests: dict[str, Any] = {}
    for file in test_files(tree):
        found = kept / f"{Path(file).stem}.json"
        if not found.exists():
            found.write_text(json.dumps(watched(tree, file)))
            print(f"watched: {file}", file=sys.stderr, flush=True)
        one = json.loads(found.read_text())
        tests |= one["tests"]
        for name, by_line in one["lines"].items():
            for line, who in by_line.items():
                lines[name][line] += who
    return {"lines": lines, "tests": tests}


def watched(tree: Path, file: str) -> dict[str, Any]:
    """Run one test file under coverage; return the lines its tests come to, and its tests."""
    import coverage  # noqa: PLC0415

    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        config, data = Path(folder) / "rc", Path(folder) / "data"
        config.write_text(
            f"[run]\ndynamic_context = test_function\ndata_file = {data}\n"
            f"source = {tree / 'solver'}\n"
        )
        code = (
            f"import coverage, sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
            f"c = coverage.Coverage(config_file={str(config)!r}); c.start()\n"
            "import pytest, watch\nrc = pytest.main(sys.argv[1:], plugins=[watch])\n"
            "c.stop(); c.save()"
        )
        told = Path(folder) / "tests.json"
        subprocess.run(
            [sys.executable, "-c", code, *QUICK, file],
            cwd=tree,
            env=environment(tree, WATCH=str(told)),
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if not (told.exists() and data.exists()):
            print(f"{file} did not come to its end: it is left out", file=sys.stderr)
            return {"lines": {}, "tests": {}}
        seen = coverage.CoverageData(basename=str(data))
        seen.read()
        tests = json.loads(told.read_text())
        lines: dict[str, dict[str, list[str]]] = {}
        for path in seen.measured_files():
            name = str(Path(path).relative_to(tree))
            if name.startswith(FOLDERS):
                by_line = seen.contexts_by_lineno(path)
                within = lines_of_functions(tree / name)
                lines[name] = {
                    str(n): sorted(named(who, tests, shared=n in within))
                    for n, who in by_line.items()
                }
        return {"lines": lines, "tests": tests}


def named(contexts: list[str], tests: dict[str, Any], *, shared: bool) -> set[str]:
    """Return the test functions of coverage's contexts, by module and name.

    What a fixture or the module itself runs is nobody's: then it is everybody's of that file, for
    what they look at may come from it. Statements outside functions are run by each import.
    """
    found = {f"{c.partition('.')[0]}.{c.rpartition('.')[2]}" for c in contexts if c}
    return found | tests.keys() if shared and "" in contexts else found


def lines_of_functions(path: Path) -> set[int]:
    """Return the lines of a file that are within functions."""
    return {
        line
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def tests_for(mutant: Mutant, known: dict[str, Any], tree: Path) -> list[str]:
    """Return the test functions that come to a fault, the shortest first."""
    lines = known["lines"].get(mutant.file, {})
    who: set[str] = set()
    for line in range(mutant.line, mutant.end_line + 1):
        who.update(lines.get(str(line), ()))
    if not who or "njit" in (tree / mutant.file).read_text(encoding="utf-8"):
        who = {context for contexts in lines.values() for context in contexts}
        stem = f"{Path(mutant.file).stem} import", f"import {Path(mutant.file).stem}"
        for file, by_line in known["lines"].items():
            if any(word in (tree / file).read_text(encoding="utf-8") for word in stem):
                who |= {context for contexts in by_line.values() for context in contexts}
    sound = {c: row for c, row in known["tests"].items() if row["passed"]}
    nodes = {sound[c]["node"]: sound[c]["seconds"] for c in who if c in sound}
    chosen: list[str] = []
    spent = 0.0
    for node, time in sorted(nodes.items(), key=lambda item: item[1]):
        if chosen and spent + time > LONGEST:
            break
        spent += time
        chosen.append(node)
    return chosen


def verdict(mutant: Mutant, tests: list[str], tree: Path) -> tuple[str, float]:
    """Return killed, timeout or survived, and the seconds of processor time."""
    path = tree / mutant.file
    text = path.read_text(encoding="utf-8")
    if not tests:
        return "survived", 0.0
    before = os.times()
    with tempfile.TemporaryDirectory(dir=tree.parent) as cache:
        compiled = "numba" in text or "_loops" in mutant.file or "passes" in mutant.file
        path.write_text(mutant.applied(text), encoding="utf-8")
        kept = Path(cache) if compiled else tree.parent / "numba"
        try:
            code = forked(tree, tests, kept)
        finally:
            path.write_text(text, encoding="utf-8")
        if code > 0 and code != 1 and forked(tree, tests, tree.parent / "numba"):
            raise SystemExit(f"{mutant}: its tests fail without it too (exit code {code})")
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    result = "survived" if code == 0 else "killed" if code > 0 else "timeout"
    return result, seconds


def forked(tree: Path, tests: list[str], cache: Path) -> int:
    """Run tests in a fork; return the exit code: 1 if a test failed, negative out of time."""
    child = os.fork()
    if not child:
        run_tests(tree, tests, cache)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_unharmed(tree: Path, samples: list[list[str]]) -> None:
    """Stop unless tests pass where there is no fault: else every fault would seem noticed."""
    for tests in samples:
        code = forked(tree, tests, tree.parent / "numba") if tests else 0
        if code:
            raise SystemExit(f"without a fault {len(tests)} tests end with {code}: {tests[:3]} ...")


def run_tests(tree: Path, tests: list[str], cache: Path) -> NoReturn:
    """Run tests in this process, a fork, and end it. What is imported here costs once."""
    os.setsid()
    limit = int(4 * LONGEST)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    os.environ |= environment(tree, NUMBA_CACHE_DIR=str(cache))
    numba.config.CACHE_DIR = str(cache)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(tree))
    os.chdir(tree)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    try:
        code = int(pytest.main(["-x", "--hypothesis-seed=0", *QUICK, *tests]))
    except BaseException:  # noqa: BLE001  whatever it is, the fault was noticed
        os._exit(70)
    os._exit(code)


def wilson(killed: int, tried: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if not tried:
        return 0.0, 1.0
    z, p = 1.96, killed / tried
    middle = (p + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z * (p * (1 - p) / tried + z * z / (4 * tried * tried)) ** 0.5 / (1 + z * z / tried)
    return middle - half, middle + half


def drawn(tree: Path, sample: int, seed: int) -> tuple[list[Mutant], int]:
    """Return a sample of all faults in a fixed order, and how many there are."""
    files = sorted(
        str(path.relative_to(tree))
        for folder in FOLDERS
        for path in (tree / folder).rglob("*.py")
        if not any(part in str(path) for part in LEFT_OUT)
    )
    every = [mutant for file in files for mutant in mutants_of(tree, file)]
    random.Random(seed).shuffle(every)  # noqa: S311  a sample
    return every[:sample], len(every)


def show(results: list[dict[str, Any]], total: int, *, as_json: bool) -> None:
    counts = Counter(row["result"] for row in results)
    killed = counts["killed"] + counts["timeout"]
    low, high = wilson(killed, len(results))
    if as_json:
        told = {"faults": total, "tried": len(results), "killed": killed, "interval": [low, high]}
        print(json.dumps({**told, "results": results}, indent=1))
        return
    by_file: dict[str, Counter[str]] = defaultdict(Counter)
    for row in results:
        by_file[row["file"]][row["result"]] += 1
    for file, found in sorted(by_file.items()):
        print(f"{file:40}{found['killed'] + found['timeout']:5} of {found.total():4}")
    print(f"\n{total} faults, {len(results)} tried, {killed} killed ({counts['timeout']} by time):")
    print(f"{100 * killed / max(1, len(results)):.1f} % [{100 * low:.1f}, {100 * high:.1f}]")
    for row in results:
        if row["result"] == "survived":
            print(f"survived: {row['file']}:{row['line']} {row['before']!r} -> {row['after']!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, required=True, help="a folder of its own")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tree = copied(options.work)
    known = coverage_map(tree)
    sample, total = drawn(tree, options.sample, options.seed)
    check_unharmed(tree, [tests_for(mutant, known, tree) for mutant in sample[:CONTROLS]])
    kept = options.work / "results.jsonl"
    done: dict[str, dict[str, Any]] = {}
    if kept.exists():
        for line in kept.read_text().splitlines():
            row = json.loads(line)
            done[key_of(row)] = row
    for i, mutant in enumerate(sample, 1):
        key = key_of(asdict(mutant))
        if key not in done:
            tests = tests_for(mutant, known, tree)
            result, seconds = verdict(mutant, tests, tree)
            done[key] = {**asdict(mutant), "result": result, "seconds": round(seconds, 1)}
            done[key]["tests"] = len(tests)
            with kept.open("a") as file:
                file.write(json.dumps(done[key]) + "\n")
            print(f"{i}/{len(sample)} {result:9} {key}", file=sys.stderr)
    show([done[key_of(asdict(mutant))] for mutant in sample], total, as_json=options.json)
    print(f"processor time of the driver: {process_time():.0f} s", file=sys.stderr)


def key_of(row: dict[str, Any]) -> str:
    return f"{row['file']}:{row['line']}:{row['column']} {row['what']} {row['after']}"


if __name__ == "__main__":
    main()
