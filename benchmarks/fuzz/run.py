"""Coverage-guided fuzzing of every reader: only the library's own errors may come out.

    pip install -e '.[test]' atheris
    python benchmarks/fuzz/run.py TARGET ... --minutes 5 --work /tmp/fuzz
    python benchmarks/fuzz/run.py --list

Targets and their seeds are those of tests/fuzz_targets.py, whose corpus the quick tests replay.
Each target runs in a process of its own under libFuzzer (atheris): an input that takes longer than
twenty seconds, or more than two gigabytes (at four it ends with a MemoryError), is a fault like any
other. What was found new is
kept in `--work`, a folder a target, so that the next run goes on from there; an input that is a
fault is left there as `crash-...`, `timeout-...` or `oom-...`: add it to the corpus with the fix.
Printed: executions, seconds, and lines of code that were reached first in this run.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from time import monotonic

READING = (
    "solver.games",
    "solver.advisor",
    "solver.policies",
    "solver.tablebase",
    "solver.apps.answers",
    "solver.apps.http",
)
"""What reads what strangers send."""
TESTS = Path(__file__).resolve().parents[2] / "tests"
SECONDS = 20
MEGABYTES = 2048
LONGEST = 4096


def child(name: str, arguments: list[str]) -> None:
    """Fuzz one target in this process, with no more memory than it may have; does not return."""
    most = 2 * MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    import atheris  # noqa: PLC0415

    sys.path.insert(0, str(TESTS))
    with atheris.instrument_imports(include=["solver"]):
        import fuzz_targets  # noqa: PLC0415

        for folder in READING:  # what is loaded later would not be watched
            package = import_module(folder)
            for found in walk_packages(package.__path__, f"{folder}."):
                import_module(found.name)

    atheris.Setup([sys.argv[0], *arguments], fuzz_targets.TARGETS[name])
    atheris.Fuzz()


def fuzz(name: str, minutes: float, work: Path) -> bool:
    """Fuzz a target and print what came of it; return whether no fault was found."""
    sys.path.insert(0, str(TESTS))
    import fuzz_targets  # noqa: PLC0415

    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(fuzz_targets.seeds(name)):
        (folder / f"seed-{i}").write_bytes(seed)
    begin = monotonic()
    options = [f"-max_total_time={round(60 * minutes)}", f"-timeout={SECONDS}"]
    options += [f"-rss_limit_mb={MEGABYTES}", f"-max_len={LONGEST}", f"-artifact_prefix={folder}/"]
    options += ["-print_final_stats=1", str(folder)]
    run = subprocess.run(
        [sys.executable, __file__, "--child", name, *options],
        capture_output=True,
        check=False,
        errors="replace",
    )
    text = run.stdout + run.stderr
    (work / f"{name}.log").write_text(text)
    done = re.findall(r"stat::number_of_executed_units:\s+(\d+)", text)
    reached = re.findall(r"cov: (\d+)", text)
    first, last = (int(reached[0]), int(reached[-1])) if reached else (0, 0)
    print(
        f"{name:16}{int(done[-1]) if done else 0:12,} executions"
        f"{monotonic() - begin:8.0f} s{last - first:8} new edges of {last:6}"
        f"  {'no fault' if run.returncode == 0 else 'FAULT, see ' + str(work / name)}",
        flush=True,
    )
    return run.returncode == 0


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("targets", nargs="*", help="all by default")
    parser.add_argument("--minutes", type=float, default=5.0, help="for each target")
    parser.add_argument("--work", type=Path, default=Path("fuzz"), help="where inputs are kept")
    parser.add_argument("--list", action="store_true", help="print the targets")
    options = parser.parse_args()
    sys.path.insert(0, str(TESTS))
    import fuzz_targets  # noqa: PLC0415

    if options.list:
        for name, target in fuzz_targets.TARGETS.items():
            print(f"{name:16}{target.__doc__ or ''}")
        return
    unknown = set(options.targets) - set(fuzz_targets.TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}; see --list")
    names = options.targets or list(fuzz_targets.TARGETS)
    sound = [fuzz(name, options.minutes, options.work) for name in names]
    sys.exit(0 if all(sound) else 1)


if __name__ == "__main__":
    main()
