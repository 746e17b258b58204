"""Every address of the OpenAPI document, asked with whatever its types allow and do not."""

import subprocess
import sys
from pathlib import Path

import pytest
from http_document import APP, CHECKS, DOCUMENT, UNHURRIED
from hypothesis import settings

EVERY_ADDRESS = Path(__file__).with_name("http_document.py")


@pytest.fixture(scope="module", autouse=True)
def _ready():
    APP.state.service.load()
    assert APP.state.service.failure is None


FEW = DOCUMENT.include(
    path=[
        "/v1/games/martian-dice/advice",
        "/v1/games/martian-dice/advice:batch",
        "/v1/review",
        "/v1/games/{game}",
        "/v1/tables/{table}/{file}",
        "/v1/problems/{name}",
    ]
)


@FEW.parametrize()
@settings(max_examples=6, **UNHURRIED)
def test_a_few_questions_as_the_document_allows_them_or_not_break_nothing(case):
    case.call_and_validate(checks=CHECKS)


@pytest.mark.slow
def test_nothing_breaks_the_service():
    words = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", str(EVERY_ADDRESS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-10_000:]
    asked = sum(len(methods) for methods in APP.openapi()["paths"].values())
    assert f"{asked} passed" in done.stdout
