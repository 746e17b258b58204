"""Every address of the OpenAPI document, asked with whatever its types allow and do not.

Schemathesis makes the questions while it collects: a process of its own does, not every worker.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from solver.apps.http.app import make_app
from solver.apps.http.settings import Settings

HERE = Path(__file__).parent
PLUGINS = ["--disable-plugin-autoload", "-p", "hypothesispytest", "-p", "schemathesis"]


def asked(name):
    """What pytest says of a file of questions, all of which must be answered as they should."""
    words = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", *PLUGINS]
    words += ["-p", "no:cacheprovider", str(HERE / name)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-10_000:]
    return done.stdout


@pytest.mark.slow
def test_a_few_questions_as_the_document_allows_them_or_not_break_nothing():
    assert "7 passed" in asked("http_document_few.py")


@pytest.mark.slow
def test_nothing_breaks_the_service():
    paths = make_app(Settings()).openapi()["paths"]
    assert f"{sum(map(len, paths.values()))} passed" in asked("http_document.py")
