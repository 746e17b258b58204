"""What holds of every test: nothing comes from outside, and a turn is compiled once in a run."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _nothing_from_outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No tables but the shipped ones; compiled turns in a new folder, which all workers share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SHOULD_I_ROLL_TABLES", raising=False)
        patch.setenv("SHOULD_I_ROLL_CACHE", str(folder / "turns"))
        yield


def pytest_collection_finish() -> None:
    """Leave what collecting has made, which stays to the end, out of all later collections."""
    gc.collect()
    gc.freeze()
