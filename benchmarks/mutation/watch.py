"""A plugin of pytest that notes each test function: its processor time, and whether it passed."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from time import process_time

import pytest

_seconds: dict[str, float] = defaultdict(float)
_node: dict[str, str] = {}
_failed: set[str] = set()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    begin = process_time()
    yield
    module = item.module.__name__ if hasattr(item, "module") and item.module else ""
    name = getattr(item, "originalname", item.name)
    context = f"{module}.{name}"
    _seconds[context] += process_time() - begin
    _node[context] = item.nodeid.partition("[")[0]


def pytest_runtest_logreport(report):
    if report.failed:
        _failed.add(report.nodeid.partition("[")[0])


def pytest_sessionfinish():
    found = {
        context: {
            "node": _node[context],
            "seconds": round(seconds, 3),
            "passed": _node[context] not in _failed,
        }
        for context, seconds in _seconds.items()
    }
    Path(os.environ["WATCH"]).write_text(json.dumps(found), encoding="utf-8")
