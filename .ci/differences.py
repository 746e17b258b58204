"""Says what differs between things built again and those of the checkout: .ci/rebuild calls it.

    python .ci/differences.py NEW OLD

Two folders of tables, or two pictures. Tables must hold the same whole numbers, and floats that
differ by no more than the errors that both manifests prove (a sparse solver of another version ends
in other last bits). Pictures must be of one size and look the same (a font of another version
moves pixels). Exit code 1 if something else differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.image import imread

from solver.tablebase.manifest import TableEntry, read_manifest

TOLD_ELSEWHERE = {"files", "seal", "error", "numbers"}
MOST_PIXELS = 0.01
"""The mean difference of two pictures that look the same, of 1."""


def tables(new: Path, old: Path) -> list[str]:
    """Return what differs between two folders of tables."""
    ours, theirs = read_manifest(new).tables, read_manifest(old).tables
    found = [f"{name}: in one folder only" for name in sorted(ours.keys() ^ theirs.keys())]
    for name in sorted(ours.keys() & theirs.keys()):
        differences = entries(ours[name], theirs[name], new, old)
        found += [f"{name}: {text}" for text in differences]
        same = ours[name].files == theirs[name].files
        print(f"{name}: {'the same bytes' if same else 'within the proven errors'}")
    return found


def entries(ours: TableEntry, theirs: TableEntry, new: Path, old: Path) -> list[str]:
    """Return what differs between two tables."""
    found = [
        f"{field}: {getattr(ours, field)!r}, and {getattr(theirs, field)!r} before"
        for field in TableEntry.__struct_fields__
        if field not in TOLD_ELSEWHERE and getattr(ours, field) != getattr(theirs, field)
    ]
    if ours.files.keys() != theirs.files.keys():
        return [*found, f"files {sorted(ours.files)}, and {sorted(theirs.files)} before"]
    allowed = ours.error + theirs.error
    for label, file in ours.files.items():
        a = np.load(new / file.path)
        b = np.load(old / theirs.files[label].path)
        if a.shape != b.shape or a.dtype != b.dtype:
            found.append(f"{label}: {a.dtype}{a.shape}, and {b.dtype}{b.shape} before")
        elif a.dtype.kind == "f":
            size = np.abs(b) if ours.kind == "alone" else 1.0
            with np.errstate(invalid="ignore"):
                off = np.where(a == b, 0.0, np.abs(a - b) / np.where(size == 0, 1.0, size))
            if not (off <= allowed).all():
                found.append(f"{label}: off by {np.nanmax(off):.1e}, {allowed:.1e} are proven")
        elif not np.array_equal(a, b):
            found.append(f"{label}: {int((a != b).sum())} numbers differ")
    return found


def pictures(new: Path, old: Path) -> list[str]:
    """Return what differs between two pictures."""
    if new.read_bytes() == old.read_bytes():
        print(f"{old}: the same bytes")
        return []
    a, b = imread(new), imread(old)
    if a.shape != b.shape:
        return [f"{old}: {b.shape} pixels, and {a.shape} now"]
    off = float(np.abs(a - b).mean())
    print(f"{old}: {off:.4f} of 1 apart")
    return [] if off <= MOST_PIXELS else [f"{old} looks different"]


def main(new: Path, old: Path) -> int:
    """Compare, print, and return the exit code."""
    found = tables(new, old) if new.is_dir() else pictures(new, old)
    for text in found:
        print(f"different: {text}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
