"""Checks what is in a wheel and an sdist: nothing strays in, nothing is missing, all is small.

    python .ci/contents.py FILE ...

Every file of the checkout that git knows under `solver` and `tables` must be in the wheel, and
nothing else but its metadata; every file that git knows must be in the sdist, and nothing else but
`PKG-INFO`.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

MOST_BYTES = 15_000_000
METADATA = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


def known() -> set[str]:
    """Return the files that git knows."""
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True)
    return set(listed.stdout.splitlines())


def of_wheel(file: Path) -> tuple[set[str], set[str]]:
    """Return what a wheel should hold and what it holds."""
    wanted = {name for name in known() if name.startswith("solver/")}
    wanted |= {f"solver/_{name}" for name in known() if name.startswith("tables/")}
    info = "-".join(file.name.split("-")[:2]) + ".dist-info"
    wanted |= {f"{info}/{name}" for name in METADATA}
    return wanted, set(zipfile.ZipFile(file).namelist())


def of_sdist(file: Path) -> tuple[set[str], set[str]]:
    """Return what an sdist should hold and what it holds."""
    with tarfile.open(file) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    return {*known(), "PKG-INFO"}, names


def main(files: list[Path]) -> int:
    """Check each file, print, and return the exit code."""
    wrong = 0
    for file in files:
        wanted, holds = of_wheel(file) if file.suffix == ".whl" else of_sdist(file)
        size = file.stat().st_size
        faults = [f"strays in: {name}" for name in sorted(holds - wanted)]
        faults += [f"missing: {name}" for name in sorted(wanted - holds)]
        if size > MOST_BYTES:
            faults.append(f"{size:,} bytes, more than {MOST_BYTES:,}")
        print(f"{file.name}: {len(holds)} files, {size:,} bytes")
        for fault in faults:
            print(f"  {fault}", file=sys.stderr)
        wrong += len(faults)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]]))
