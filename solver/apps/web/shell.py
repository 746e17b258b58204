"""The list of the page's files in its service worker, which keeps them on the device.

A browser takes a new version of the page when the bytes of ``sw.js`` change; so the list stands
there, with a digest of all the files. After a change to any of them it is written anew by
``python -m solver.apps.web.shell``, and a test sees to it.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from solver.apps.web.site import site_directory

_LINE = re.compile(r"^const SHELL = .*$", re.MULTILINE)


def shell_line(directory: Path) -> str:
    """Return the line of ``sw.js`` that names the files of the page and their digest.

    Parameters
    ----------
    directory
        The page's files.
    """
    digest = hashlib.sha256()
    names = []
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if not path.is_file() or name == "sw.js":
            continue
        names.append(name)
        digest.update(f"{name}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    worker = _LINE.sub("", (directory / "sw.js").read_text(encoding="utf-8"))
    digest.update(worker.encode())
    shell = json.dumps({"version": digest.hexdigest()[:16], "files": names})
    return f"const SHELL = {shell};"


def write_shell(directory: Path) -> bool:
    """Write the line into ``sw.js``; return whether it had to be changed.

    Parameters
    ----------
    directory
        The page's files.
    """
    path = directory / "sw.js"
    before = path.read_text(encoding="utf-8")
    line = shell_line(directory)
    after = _LINE.sub(lambda _: line, before)
    path.write_text(after, encoding="utf-8")
    return after != before


if __name__ == "__main__":
    print("written" if write_shell(site_directory()) else "up to date")  # noqa: T201
